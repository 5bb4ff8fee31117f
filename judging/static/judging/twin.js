/* Text twins: documents of the very same text. A row that has one offers to mean its grade for all of them. */

const boxOf = (row) => row.querySelector("[data-twins]");

export const offersTwin = (row) => boxOf(row) !== null;
export const isChosen = (row) => boxOf(row)?.checked ?? false;

export function showChosen(row, chosen) {
  const box = boxOf(row);
  if (box) box.checked = chosen;
}

/** What two marks say together: "" where they differ. */
const together = (one, other) => (one === undefined || one === other ? other : other === undefined ? one : "");

/**
 * The unmarked rows for which a twin is graded too, in the list or where it was judged before, with its grade, or ""
 * where their twins are graded differently and so pass nothing on; `shown` holds the mark of each row.
 */
export function toldByTwins(rows, shown) {
  const setOf = (row) => boxOf(row).dataset.twins;
  const told = new Map();
  for (const row of rows.filter((each) => isChosen(each) && /^\d$/.test(shown.get(each)))) {
    told.set(setOf(row), together(told.get(setOf(row)), shown.get(row)));
  }
  const left = rows.filter((row) => offersTwin(row) && !shown.get(row));
  const grades = left.map((row) => [row, together(told.get(setOf(row)), boxOf(row).dataset.meant)]);
  return new Map(grades.filter(([, grade]) => grade !== undefined));
}

/** Show on each row the grade that it takes from its twin. */
export function showTold(rows, told) {
  for (const row of rows) {
    if (told.get(row)) row.dataset.told = told.get(row);
    else delete row.dataset.told;
  }
}
