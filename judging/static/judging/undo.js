/* What undo takes back on this page: the presses made on it, newest first, and in words what became of each. */

import { isFlagged } from "./mismatch.js";

/**
 * The presses of one list. `stands(row)` says the mark of a row in words, `nameOf(row)` its document.
 * A press is {row, token, takeBack, what}: `token` is that of its mark, `what` names it where neither the mark nor the
 * flag tells.
 */
export function openPresses({ stands, nameOf }) {
  const presses = [];

  /** As the server says it where it takes back a press of an earlier page. */
  function inWords({ row, what }, before, wasFlagged) {
    const now = stands(row);
    if (before !== now) return `${nameOf(row)}: ${before} is taken back, ${now} stands.`;
    return `${nameOf(row)}: ${what ?? (wasFlagged === isFlagged(row) ? "the last change" : "the flag")} is taken back.`;
  }

  return {
    count: () => presses.length,
    add: (press) => { presses.push(press); },
    /** A note is saved while it is written: what was saved of it without a press between is taken back as one. */
    addPart(press) {
      const last = presses.at(-1);
      if (last?.row !== press.row || last.what !== press.what) {
        presses.push(press);
        return;
      }
      const { takeBack } = last;
      last.takeBack = () => { press.takeBack(); takeBack(); };
    },
    /** Forget a press that does not stand: another window's mark does, and is not this page's to take back. */
    drop(token) {
      const place = presses.findIndex((press) => press.token === token);
      if (place >= 0) presses.splice(place, 1);
    },
    /** Take back the last press; its row and what that did in words, null without any. */
    takeBack() {
      const last = presses.pop();
      if (!last) return null;
      const [before, flag] = [stands(last.row), isFlagged(last.row)];
      last.takeBack();
      return { row: last.row, words: inWords(last, before, flag) };
    },
  };
}
