/* How long a disagreement was on screen before it was settled, and what a decision lacks; by keyboard, a grade leads on to
 * its cause. */

import { bind } from "../curation/keys.js";

const settle = document.getElementById("settle");
const seconds = settle?.elements.namedItem("seconds");
const button = document.getElementById("settle-now");
let total = 0;
let since = document.hidden ? null : performance.now();

function pause() {
  if (since !== null) total += performance.now() - since;
  since = null;
}

document.addEventListener("visibilitychange", () => {
  pause();
  if (!document.hidden) since = performance.now();
});

const missing = () => ["grade", "cause"].find((name) => !settle.querySelector(`[name=${name}]:checked`));

/** Block the button while something is missing, with the reason beside it. */
function showMissing() {
  const place = document.getElementById("missing");
  const words = missing() ? place.dataset[missing()] : "";
  if (place.textContent !== words) {
    place.textContent = words;
    place.classList.remove("told");
  }
  button.setAttribute("aria-disabled", words !== "");
}

/** Lead whoever presses the blocked button to what is missing. */
function goToMissing() {
  document.getElementById("missing").classList.add("told");
  settle.querySelector(`[name=${missing()}]`).focus();
}

settle?.addEventListener("submit", (event) => {
  if (missing()) {
    event.preventDefault();
    goToMissing();
    return;
  }
  pause();
  seconds.value = (total / 1000).toFixed(2);
});

/* A digit was pressed anywhere on the page; whoever walks through the grades with arrows stays among them. */
settle?.addEventListener("change", (event) => {
  showMissing();
  const cause = settle.querySelector("[name=cause]:checked");
  if (event.target.name !== "grade" || cause || document.activeElement?.name === "grade") return;
  settle.querySelector("[name=cause]").focus();
});

function chooseNextCause() {
  const causes = [...settle.querySelectorAll("[name=cause]")];
  const next = causes[(causes.findIndex((cause) => cause.checked) + 1) % causes.length];
  next.checked = true;
  next.focus();
  showMissing();
}

if (settle) {
  showMissing();
  bind({ codes: ["KeyC"], words: "Why they differed: the first cause, then the next", run: chooseNextCause });
  bind({ codes: ["Enter"], words: button.dataset.keyWords, run: goToMissing }); // where the button is blocked
}
