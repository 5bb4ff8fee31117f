/* How long a disagreement was on screen before it was settled; and by keyboard, a grade leads on to its cause. */

import { bind } from "../curation/keys.js";

const settle = document.getElementById("settle");
const seconds = settle?.elements.namedItem("seconds");
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

settle?.addEventListener("submit", (event) => {
  const told = document.getElementById("missing");
  const missing = ["grade", "cause"].find((name) => !settle.querySelector(`[name=${name}]:checked`));
  told.textContent = missing ? told.dataset[missing] : "";
  if (missing) {
    event.preventDefault();
    return;
  }
  pause();
  seconds.value = (total / 1000).toFixed(2);
});

/* A digit was pressed anywhere on the page; whoever walks through the grades with arrows stays among them. */
settle?.addEventListener("change", (event) => {
  const cause = settle.querySelector("[name=cause]:checked");
  if (event.target.name !== "grade" || cause || document.activeElement?.name === "grade") return;
  settle.querySelector("[name=cause]").focus();
});

function chooseNextCause() {
  const causes = [...settle.querySelectorAll("[name=cause]")];
  const next = causes[(causes.findIndex((cause) => cause.checked) + 1) % causes.length];
  next.checked = true;
  next.focus();
}

if (settle) bind({ codes: ["KeyC"], words: "Why they differed: the first cause, then the next", run: chooseNextCause });
