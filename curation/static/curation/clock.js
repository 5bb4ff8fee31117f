/* The quiet clock: seconds of active work on this query. It stops a minute after the last input and while the window
 * is hidden, and never hurries anybody. */

const IDLE = 60_000;
const INPUTS = ["keydown", "pointermove", "pointerdown", "wheel", "scroll", "touchstart"];

/**
 * Count from `seconds` on until `signal`, and show it in `place`; `untold` seconds more were spent on another showing of
 * the page. `spent()` gives the whole seconds since last asked, `untold()` the same without having them
 * told, `total()` all of them.
 */
export function activeClock({ seconds, untold = 0, place, signal }) {
  let total = seconds + untold;
  let told = seconds;
  let last = performance.now();
  for (const input of INPUTS) {
    addEventListener(input, () => { last = performance.now(); }, { passive: true, capture: true, signal });
  }
  const words = () => {
    const minutes = Math.round(total / 60);
    if (total >= 3600) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
  };
  function show() {
    if (!place) return;
    place.querySelector("[data-time]").textContent = words();
    const bar = place.querySelector("progress");
    if (bar) bar.value = total;
  }
  const beat = setInterval(() => {
    if (document.hidden || performance.now() - last > IDLE) return;
    total += 1;
    show();
  }, 1000);
  show();
  signal.addEventListener("abort", () => clearInterval(beat));
  return {
    total: () => total,
    untold: () => total - told,
    spent() {
      const since = total - told;
      told = total;
      return since;
    },
  };
}
