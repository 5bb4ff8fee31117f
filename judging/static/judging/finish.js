/* Leaving a query: finish, skip, and undo across queries. Nothing leaves before every mark is saved, and
 * from the press on no mark is taken: one that is typed ahead is meant for the next query. Why nothing is relevant is
 * asked once the server wants to know, for it alone knows whether the query still waits for an answer. */

import { newToken, post } from "./saving.js";
import { tell, tellInPassing } from "./tell.js";

const inWords = (count) => (count === 1 ? "1 document was" : `${count} documents were`);

/**
 * Wire the buttons of the foot. `unseen()` lists rows neither seen nor marked, `isTold()` tells whether a row is
 * marked relevant or no reason is asked for, `marks()` what each row shows, `visit(row)` brings a row on screen,
 * `undoHere()` takes back a mark of this page, false without any. `reopen(words)` shows the same query as the server
 * holds it, `onNext(answer)` the query to go on with.
 */
export function leaving({ form, saving, clock, seen, unseen, isTold, marks, visit, undoHere, reopen, onNext }) {
  const [finish, skip, undo] = ["finish", "skip", "undo"].map((id) => document.getElementById(id));
  const [why, pane] = ["why", "pane"].map((id) => document.getElementById(id));
  let warned = false;
  let leavingNow = false;
  let hush = () => {};
  let undoToken = newToken(); // of one press, however often it is sent until it is answered

  async function leave(button, url, fields) {
    if (leavingNow) return;
    leavingNow = pane.inert = true; // a note is saved before, and none is begun that nothing would take
    hush();
    const stay = (words) => {
      leavingNow = pane.inert = false;
      button.removeAttribute("aria-busy");
      hush = tell(words);
    };
    button.setAttribute("aria-busy", "true");
    try {
      if (!await saving.settled(url)) {
        stay("Some marks are not saved yet, so the query stays open. Press again when the connection is back.");
        return;
      }
      const response = await post(url, { assessor: form.dataset.assessor, ...fields() });
      if (response.type === "opaqueredirect") throw new Error("signed out");
      const told = await response.json();
      undoToken = newToken();
      if (told.next) {
        onNext(told);
        return;
      }
      stay([412, 422].includes(response.status) ? "" : told.refused);
      if (response.status === 412) reopen(told.refused);
      if (response.status === 422) asksWhy();
    } catch {
      stay("The server did not answer. Your marks are saved; press again in a moment, or sign in again if you were signed out.");
    }
  }

  /** The server finds nothing relevant: so does this page, or a mark that it shows was replaced in another window. */
  function asksWhy() {
    if (isTold()) reopen("Marks of this query were changed in another window. The list shows those that stand.");
    else askWhy();
  }

  function finishNow(because) {
    leave(finish, form.dataset.finish, () => ({
      shown: marks(), seen: seen.keys().join(" "), screen: seen.times().join(" "), seconds: clock.untold(), nothing_because: because,
    }));
  }

  /** Ask for the reason; the question has the caret, so that no key that is held down answers it. */
  function askWhy() {
    const left = unseen().length;
    const words = document.getElementById("why-unseen");
    words.hidden = !left;
    words.textContent = `${inWords(left)} not on screen yet and will be stored as not seen.`;
    why.showModal();
  }

  function askToFinish() {
    const left = unseen();
    if (left.length && !warned) {
      warned = true;
      visit(left[0]);
      tellInPassing(`${inWords(left.length)} not on screen yet. Finish again ends the query and stores ${left.length === 1 ? "it" : "them"} as not seen.`);
    } else {
      finishNow("");
    }
  }

  const on = (button, run) => button.addEventListener("click", (event) => {
    event.preventDefault();
    run();
  });
  on(finish, askToFinish);
  on(skip, () => leave(skip, form.dataset.skip, () => ({})));
  on(undo, () => {
    if (!leavingNow && !undoHere()) leave(undo, form.dataset.undo, () => ({ token: undoToken }));
  });
  for (const reason of why.querySelectorAll("[data-why]")) {
    on(reason, () => {
      why.close();
      finishNow(reason.dataset.why);
    });
  }
  return { isLeaving: () => leavingNow, markMade: () => { warned = false; } };
}
