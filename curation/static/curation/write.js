/* The writer's desk: its clock, its drafts, the row of letters, the keys around the field. */

import { activeClock } from "./clock.js";
import { keepsDrafts, secondsBefore } from "./drafts.js";
import { forget, keep, recall } from "./kept.js";

const form = document.getElementById("wording");
const field = document.getElementById("text");
const type = document.getElementById("query_type");

/* ---- the clock and the draft ---- */

const HIDDEN = "hardset clock hidden";
const time = document.getElementById("clock");
const toggle = document.getElementById("clock-toggle");
const clock = activeClock({ seconds: secondsBefore(form), place: time, signal: new AbortController().signal });
const drafts = keepsDrafts({ form, field, type, clock });
form.addEventListener("formdata", ({ formData }) => formData.set("seconds", clock.total()));

/** The clock can be hidden; it goes on counting, and stays hidden on this browser. */
function showClock(shown) {
  document.getElementById("clock-time").hidden = !shown;
  toggle.setAttribute("aria-expanded", shown);
}
toggle.hidden = false;
showClock(recall("localStorage", HIDDEN) === null);
toggle.addEventListener("click", () => {
  const shown = toggle.getAttribute("aria-expanded") === "false";
  if (shown) forget("localStorage", HIDDEN);
  else keep("localStorage", HIDDEN, true);
  showClock(shown);
});

/* ---- the field ---- */

/** Put `letter` where the caret is, in place of what is selected. */
function insert(letter) {
  field.setRangeText(letter, field.selectionStart, field.selectionEnd, "end");
  field.focus();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function back() {
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

for (const row of document.querySelectorAll(".letters")) {
  row.hidden = false;
  row.addEventListener("click", (event) => {
    const { letter } = event.target.dataset;
    if (letter) insert(event.shiftKey ? letter.toLocaleUpperCase(field.lang) : letter);
  });
}

document.querySelector("[data-leave]")?.addEventListener("click", () => document.activeElement.blur());
document.querySelector("[data-return]")?.addEventListener("click", back);

/* The Enter that ends a composition belongs to the input method. Safari reports it after the composition has ended. */
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.isComposing || event.keyCode === 229)) event.preventDefault();
});

/* ---- other spellings ---- */

const inRows = (rows, name) => rows.querySelector(`[name="${name}"]`);

/** What was ticked or typed in the rows since the checks were asked for stays when their answer comes. */
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const shown = document.getElementById("spellings");
  const fresh = detail.fragment.querySelector("#spellings");
  if (detail.target !== shown || !fresh) return;
  for (const text of shown.querySelectorAll("[name^=respelt-]")) {
    const key = text.name.slice("respelt-".length);
    const suggested = inRows(shown, `suggested-${key}`).value;
    const row = inRows(fresh, text.name);
    if (row && text.value !== suggested && !row.readOnly) row.value = text.value;
    const tick = fresh.querySelector(`#spelling-${key}`);
    if (tick) tick.checked = shown.querySelector(`#spelling-${key}`).checked;
  }
});

/** Who types a spelling that only they can type wants it saved. */
form.addEventListener("input", ({ target }) => {
  if (!("byHand" in target.dataset)) return;
  document.getElementById(target.id.replace("respelt-", "spelling-")).checked = Boolean(target.value.trim());
});

/* ---- saving ---- */

function busy(is) {
  for (const button of document.querySelectorAll('button[form="wording"]')) {
    button.setAttribute("aria-busy", is);
    button.setAttribute("aria-disabled", is);
  }
}

let leaving = false;
form.addEventListener("submit", (event) => {
  if (leaving) event.preventDefault();
  leaving = true;
  drafts.rest();
  busy(true);
});
/* Coming back with the browser's Back button shows the page as it was left. */
window.addEventListener("pageshow", () => {
  leaving = false;
  busy(false);
});

/* ---- what the checks say ---- */

let told = document.getElementById("text-error").textContent.trim();
document.addEventListener("htmx:afterSettle", () => {
  const fault = document.getElementById("text-error").textContent.trim();
  field.setAttribute("aria-invalid", Boolean(fault));
  if (fault && fault !== told) document.dispatchEvent(new CustomEvent("announce", { detail: { value: fault } }));
  told = fault;
});

/* htmx must know the empty field before it can see that it has changed. */
document.addEventListener("DOMContentLoaded", drafts.restore);
