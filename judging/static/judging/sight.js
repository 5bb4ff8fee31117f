/* The row that the judge looks at: a key acts on no row that is out of sight. The row under the moving pointer is
 * current, and where the list was scrolled past the current row, the first one in sight is. */

const SOME = 8; // px of a row that are enough to look at it
const REST = 60; // ms after the last scrolling

/** From where to where, in px down the window, the bands above and below the list leave rows in sight. */
function port(form) {
  const sheets = [document.getElementById("offline"), document.querySelector(".insp.open")]
    .filter((each) => each?.checkVisibility() && getComputedStyle(each).position === "fixed");
  const below = [document.querySelector(".foot"), ...sheets];
  const above = ["#offline", ".q", ".cols"].map((name) => document.querySelector(name))
    .filter((each) => !below.includes(each));
  return {
    top: Math.max(0, ...above.map((each) => each.getBoundingClientRect().bottom)),
    bottom: Math.min(innerHeight, ...below.map((each) => each.getBoundingClientRect().top)),
  };
}

/**
 * Follow the eyes over `rows` with `walk`, the walk along them, until `signal`. `onScreen` are the rows of which some
 * is on screen; only those are measured, for the others are not laid out. `looked()` is the current row, brought to where
 * the list was scrolled; null where no row is in sight, which brings the current one back.
 */
export function followEyes({ form, rows, onScreen, walk, signal }) {
  let byMouse = false; // keys win until the pointer really moves again
  let alarm = 0;

  function isIn({ top, bottom }, row) {
    const box = row.getBoundingClientRect();
    return Math.min(box.bottom, bottom) - Math.max(box.top, top) >= Math.min(SOME, box.height / 2);
  }

  /** The first row in sight, rather one that begins there. */
  function first(sight) {
    const inSight = rows.filter((row) => onScreen.has(row) && row.checkVisibility() && isIn(sight, row));
    return inSight.find((row) => row.getBoundingClientRect().top >= sight.top) ?? inSight[0];
  }

  function looked({ focus = true } = {}) {
    const row = walk.current();
    const sight = row && port(form);
    if (!row || isIn(sight, row)) return row;
    const found = first(sight);
    if (found) walk.move(found, { focus });
    else if (focus) walk.move(row);
    return found ?? null;
  }

  function hover(target) {
    const row = target.closest?.("[data-candidate]");
    if (row && row !== walk.current()) walk.move(row, { focus: false });
  }

  form.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || !(event.movementX || event.movementY)) return;
    byMouse = true;
    hover(event.target);
  });
  form.addEventListener("wheel", () => { byMouse = true; }, { passive: true });
  form.addEventListener("mouseover", (event) => { if (byMouse) hover(event.target); });
  form.addEventListener("click", (event) => hover(event.target));
  addEventListener("keydown", () => { byMouse = false; }, { capture: true, signal });
  addEventListener("scroll", () => {
    clearTimeout(alarm);
    alarm = setTimeout(looked, REST, { focus: false });
  }, { capture: true, passive: true, signal });
  signal.addEventListener("abort", () => clearTimeout(alarm));
  return { looked };
}
