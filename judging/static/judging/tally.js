/* The figures of a list: how many rows bear which mark, how many were on screen, and what Finish will store. */

import { isFlagged } from "./mismatch.js";
import { showTold, toldByTwins } from "./twin.js";

/** Show a count where there is any. */
function showSome(place, count) {
  place.hidden = !count;
  place.querySelector("b").textContent = count;
}

/** Show the figures of `rows`; `shown` holds the mark of each, `seen` knows which were on screen. */
export function showTally({ rows, shown, seen }) {
  const values = [...shown.values()];
  const of = (wanted) => values.filter((value) => value === wanted).length;
  for (const place of document.querySelectorAll("[data-tally]")) place.textContent = of(place.dataset.tally);
  showSome(document.getElementById("flags"), rows.filter(isFlagged).length);
  showSome(document.getElementById("unsure"), of("cant_tell"));
  const told = toldByTwins(rows, shown);
  showTold(rows, told);
  const swept = rows.filter((row) => seen.has(row) && !shown.get(row) && !told.has(row)).length;
  const taking = [...told.values()].filter(Boolean).length, apart = told.size - taking;
  const twins = (taking ? `, ${taking} as a twin` : "") + (apart ? `, ${apart} left out (twins differ)` : "");
  document.querySelector("#finish [data-words]").textContent = `Finish: ${values.filter(Boolean).length} marked${twins}, ${swept} not relevant`;
  const place = document.getElementById("on-screen");
  place.hidden = false;
  place.querySelector("b").textContent = rows.filter((row) => seen.has(row)).length;
}
