/* The writer's desk: a draft that survives reloads, the row of letters, the keys around the field.
 *
 * A draft is kept in this browser under corpus, locale and need, with the token of its form: what was saved under that
 * token is no draft any more, and what may have been saved (the answer got lost) is sent again under the same token.
 */

const DRAFTS = "hardset draft ";
const form = document.getElementById("wording");
const field = document.getElementById("text");
const type = document.getElementById("query_type");
const key = DRAFTS + form.dataset.draft;

/* ---- drafts ---- */

function drafts() {
  return Object.keys(localStorage).filter((name) => name.startsWith(DRAFTS));
}

function draftOf(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

/** Drop the drafts that the server lists as saved. */
function dropSaved() {
  const saved = new Set([...document.querySelectorAll("[data-token]")].map((row) => row.dataset.token));
  for (const name of drafts()) {
    if (saved.has(draftOf(name)?.token)) localStorage.removeItem(name);
  }
}

/** A storage that is full or forbidden must not stop anybody from writing. */
function keep() {
  const draft = { text: field.value, type: type.value, token: form.elements.token.value };
  try {
    if (draft.text) localStorage.setItem(key, JSON.stringify(draft));
    else localStorage.removeItem(key);
  } catch (fault) {
    console.warn("The draft is not kept in this browser.", fault);
  }
}

function restore() {
  const draft = draftOf(key);
  if (!draft || field.value || "typed" in form.dataset) return;
  field.value = draft.text;
  type.value = draft.type;
  form.elements.token.value = draft.token;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/* ---- the field ---- */

/** Put `letter` where the caret is, in place of what is selected. */
function insert(letter) {
  field.setRangeText(letter, field.selectionStart, field.selectionEnd, "end");
  field.focus();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function back() {
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

for (const row of document.querySelectorAll(".letters")) {
  row.hidden = false;
  row.addEventListener("click", (event) => {
    const { letter } = event.target.dataset;
    if (letter) insert(event.shiftKey ? letter.toLocaleUpperCase(field.lang) : letter);
  });
}

document.querySelector("[data-leave]")?.addEventListener("click", () => document.activeElement.blur());
document.querySelector("[data-return]")?.addEventListener("click", back);

/* The Enter that ends a composition belongs to the input method. Safari reports it after the composition has ended. */
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.isComposing || event.keyCode === 229)) event.preventDefault();
});

/* ---- other spellings ---- */

const inRows = (rows, name) => rows.querySelector(`[name="${name}"]`);

/** What was ticked or typed in the rows since the checks were asked for stays when their answer comes. */
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const shown = document.getElementById("spellings");
  const fresh = detail.fragment.querySelector("#spellings");
  if (detail.target !== shown || !fresh) return;
  for (const text of shown.querySelectorAll("[name^=respelt-]")) {
    const key = text.name.slice("respelt-".length);
    const suggested = inRows(shown, `suggested-${key}`).value;
    const row = inRows(fresh, text.name);
    if (row && text.value !== suggested && !row.readOnly) row.value = text.value;
    const tick = fresh.querySelector(`#spelling-${key}`);
    if (tick) tick.checked = shown.querySelector(`#spelling-${key}`).checked;
  }
});

/** Who types a spelling that only they can type wants it saved. */
form.addEventListener("input", ({ target }) => {
  if (!("byHand" in target.dataset)) return;
  document.getElementById(target.id.replace("respelt-", "spelling-")).checked = Boolean(target.value.trim());
});

/* ---- saving ---- */

function busy(is) {
  for (const button of document.querySelectorAll('button[form="wording"]')) {
    button.setAttribute("aria-busy", is);
    button.setAttribute("aria-disabled", is);
  }
}

let leaving = false;
form.addEventListener("submit", (event) => {
  if (leaving) event.preventDefault();
  leaving = true;
  busy(true);
});
/* Coming back with the browser's Back button shows the page as it was left. */
window.addEventListener("pageshow", () => {
  leaving = false;
  busy(false);
});

/* ---- what the checks say ---- */

let told = document.getElementById("text-error").textContent.trim();
document.addEventListener("htmx:afterSettle", () => {
  const fault = document.getElementById("text-error").textContent.trim();
  field.setAttribute("aria-invalid", Boolean(fault));
  if (fault && fault !== told) document.dispatchEvent(new CustomEvent("announce", { detail: { value: fault } }));
  told = fault;
});

form.addEventListener("input", keep);
dropSaved();
/* htmx must know the empty field before it can see that it has changed. */
document.addEventListener("DOMContentLoaded", restore);
