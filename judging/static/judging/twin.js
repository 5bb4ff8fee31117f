/* Text twins: documents of the very same text. A row that has one offers to mean its grade for all of them. */

const boxOf = (row) => row.querySelector("[data-twins]");

export const offersTwin = (row) => boxOf(row) !== null;
export const isChosen = (row) => boxOf(row)?.checked ?? false;

export function showChosen(row, chosen) {
  const box = boxOf(row);
  if (box) box.checked = chosen;
}

/**
 * The unmarked rows for which a twin in the list is graded too, with its grade, or "" where their twins are graded
 * differently and so pass nothing on; `shown` holds the mark of each row.
 */
export function toldByTwins(rows, shown) {
  const setOf = (row) => boxOf(row)?.dataset.twins;
  const told = new Map();
  for (const row of rows.filter((each) => isChosen(each) && /^\d$/.test(shown.get(each)))) {
    const grade = shown.get(row), known = told.get(setOf(row)) ?? grade;
    told.set(setOf(row), known === grade ? grade : "");
  }
  const left = rows.filter((row) => offersTwin(row) && !shown.get(row) && told.has(setOf(row)));
  return new Map(left.map((row) => [row, told.get(setOf(row))]));
}

/** Show on each row the grade that it takes from its twin. */
export function showTold(rows, told) {
  for (const row of rows) {
    if (told.get(row)) row.dataset.told = told.get(row);
    else delete row.dataset.told;
  }
}
