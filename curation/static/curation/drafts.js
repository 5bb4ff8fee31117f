/* A draft of a wording: in this browser at once, on the server two seconds after the last key and on leaving, so that
 * another machine finds it.
 *
 * It bears the token of its form: what was saved under that token is no draft any more, and what may have been saved
 * (the answer got lost) is sent again under the same token. A draft the server has not acknowledged is newer than the
 * one it shows; any other is what the server shows, or gone.
 */

import { forget, keep, namesOf, recall } from "./kept.js";

const DRAFTS = "hardset draft ";
const IDLE = 2000;

const read = (name) => recall("localStorage", name);

/** Drop the drafts in this browser that the server lists as saved. */
function dropSaved() {
  const saved = new Set(document.querySelector("[data-tokens]")?.dataset.tokens.split(" "));
  for (const name of namesOf("localStorage", DRAFTS)) if (saved.has(read(name)?.token)) forget("localStorage", name);
}

const nameOf = (form) => DRAFTS + form.dataset.draft;

/** The draft of this browser that is newer than what the page shows; null without one. */
function newer(form) {
  return "typed" in form.dataset ? null : read(nameOf(form));
}

/** How long somebody has been active on what the page will show. */
export function secondsBefore(form) {
  return newer(form)?.seconds ?? Number(form.elements.seconds.value);
}

/** Keep what stands in `form`; `clock.total()` is how long it took. */
export function keepsDrafts({ form, field, type, clock }) {
  const name = nameOf(form);
  let waiting = 0;
  let unsent = false;

  const store = () => {
    const draft = { text: field.value, type: type.value, token: form.elements.token.value, seconds: clock.total() };
    if (unsent) keep("localStorage", name, draft);
    else forget("localStorage", name);
  };

  const send = async () => {
    clearTimeout(waiting);
    if (!unsent) return;
    const { value } = field;
    const answer = await fetch(form.dataset.keep, { method: "POST", body: new FormData(form), keepalive: true })
      .catch(() => null);
    if (answer?.status !== 204 || field.value !== value) return;
    unsent = false;
    store();
  };

  const changed = () => {
    unsent = true;
    store();
    clearTimeout(waiting);
    waiting = setTimeout(send, IDLE);
  };

  /** Put a draft of this browser into the field, if it is newer than what the server shows. */
  const restore = () => {
    const draft = newer(form);
    if (!draft) return;
    field.value = draft.text;
    type.value = draft.type;
    form.elements.token.value = draft.token;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  dropSaved();
  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  addEventListener("pagehide", send);
  document.addEventListener("visibilitychange", () => { if (document.hidden) send(); });
  return {
    restore,
    /** The form is on its way to be saved: nothing of it is a draft, as far as this page knows. */
    rest() {
      clearTimeout(waiting);
      unsent = false;
    },
  };
}
