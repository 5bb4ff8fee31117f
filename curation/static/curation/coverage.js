/* The matrix by keyboard: arrows walk from cell to cell, Enter opens the split, Tab goes on to the list behind the
 * cell's count. Every cell is a link, so all of it works without this file. */

const matrix = document.getElementById("matrix");
const STEPS = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };
const WALKED = "a:not(.n)";

/** Make `link`, and the count in its cell, the only tab stops of the matrix. */
function settle(link) {
  for (const other of matrix.querySelectorAll("td a")) other.tabIndex = other.closest("td") === link.closest("td") ? 0 : -1;
}

/** The next row with a link in the column of `link`. */
function down(link, by) {
  const rows = [...matrix.tBodies[0].rows];
  const column = link.closest("td").cellIndex;
  for (let at = rows.indexOf(link.closest("tr")) + by; at >= 0 && at < rows.length; at += by) {
    const found = rows[at].cells[column].querySelector(WALKED);
    if (found) return found;
  }
  return link;
}

/** The next link in the row of `link`, in reading direction. */
function along(link, by) {
  const links = [...link.closest("tr").querySelectorAll(`td ${WALKED}`)];
  const step = getComputedStyle(matrix).direction === "rtl" ? -by : by;
  return links[links.indexOf(link) + step] ?? link;
}

matrix?.addEventListener("keydown", (event) => {
  const link = event.target.closest("td")?.querySelector(WALKED);
  const [rows, columns] = STEPS[event.key] ?? [];
  if (!link || rows === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const from = event.target.matches(WALKED) ? event.target : link;
  const next = rows ? down(from, rows) : along(from, columns);
  settle(next);
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest", inline: "nearest" });
});

if (matrix?.querySelector(`td ${WALKED}`)) settle(matrix.querySelector('td a[aria-current="true"]') ?? matrix.querySelector(`td ${WALKED}`));
