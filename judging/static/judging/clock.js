/* The quiet clock: seconds of active work on this query. It stops a minute after the last input and while the window
 * is hidden, and never hurries anybody. */

const IDLE = 60_000;
const INPUTS = ["keydown", "pointermove", "pointerdown", "wheel", "scroll", "touchstart"];

/** Count from `seconds` on until `signal`, and show it in `place`. `spent()` gives the whole seconds since last asked. */
export function activeClock({ seconds, place, signal }) {
  let total = seconds;
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
  const beat = setInterval(() => {
    if (document.hidden || performance.now() - last > IDLE) return;
    total += 1;
    if (!place) return;
    place.querySelector("[data-time]").textContent = words();
    place.querySelector("progress").value = total;
  }, 1000);
  signal.addEventListener("abort", () => clearInterval(beat));
  return {
    spent() {
      const since = total - told;
      told = total;
      return since;
    },
  };
}
