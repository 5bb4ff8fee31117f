/* Where a person is in the list, told by a row: the heights of rows that were not on screen yet are only guessed, so how
 * far the list is scrolled tells nothing to the same list shown anew. */

import { keep, recall } from "../curation/kept.js";

/** The candidate of `row` and how far down the window it stands. */
export const placeOf = (row) => (row ? { at: row.dataset.candidate, top: row.getBoundingClientRect().top } : {});

/** Scroll `list`, or the window where that is what scrolls, until `row` stands `top` down the window. */
export function keepAt(list, row, top) {
  row.scrollIntoView({ block: "nearest" });
  const moved = row.getBoundingClientRect().top - top;
  if (list.scrollHeight > list.clientHeight) list.scrollTop += moved;
  else scrollBy(0, moved);
}

const STORE = "hardset.place";

/** Keep for this window, so that a reload forgets nothing, where one was in the list of `assignment`. */
export function keepPlace(assignment, { at, top }) {
  keep("sessionStorage", STORE, { assignment, at, top });
}

/** Where one was in that list; nowhere, if that was not told. */
export function keptPlace(assignment) {
  const kept = recall("sessionStorage", STORE);
  return kept?.assignment === assignment ? kept : {};
}
