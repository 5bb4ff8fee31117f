/* The judging page: one list, one current row, one key a grade. */

import { bind, roving } from "../curation/keys.js";
import { activeClock } from "./clock.js";
import { leaving } from "./finish.js";
import { filterRows, passagePane } from "./pane.js";
import { newToken, savingMarks } from "./saving.js";
import { watchSeen } from "./seen.js";
import { tell } from "./tell.js";

const NOTE_REST = 600; // ms after the last letter of a note
const form = document.getElementById("judge");
const list = document.getElementById("list");
const rows = [...list.querySelectorAll("[data-candidate]")];
const byKey = new Map(rows.map((row) => [row.dataset.candidate, row]));
const presses = []; // what undo takes back: { row, before, token }
const shown = new Map(rows.map((row) => [row, checked(row)]));

const pane = passagePane(document.getElementById("pane"));
const clock = activeClock({ seconds: Number(form.dataset.seconds), place: document.getElementById("clock") });
const walk = roving({ rows: () => rows.filter((row) => row.checkVisibility()), onMove: pane.show });
const seen = watchSeen({ rows, assignment: form.dataset.assignment, onSeen: count });
const saving = savingMarks({ assessor: form.dataset.assessor, onSaved, onRefused, onState });
const filter = filterRows({ field: document.getElementById("find"), rows, onLeave: () => walk.move(walk.current()) });
const exit = leaving({
  form, saving, clock, seen, undoHere, hasRelevant,
  unseen: () => rows.filter((row) => !seen.has(row) && !shown.get(row)),
  visit: (row) => {
    filter.clear();
    walk.move(row);
    row.scrollIntoView({ block: "center" });
  },
});

/* ---- marks ---- */

function radios(row) {
  return row.querySelectorAll("input[type=radio]");
}

function checked(row) {
  return [...radios(row)].find((radio) => radio.checked)?.value ?? "";
}

function nameOf(row) {
  return row.querySelector("small bdi, .code bdi").textContent;
}

function show(row, value) {
  for (const radio of radios(row)) radio.checked = radio.value === value;
  shown.set(row, value);
  count();
}

function send(row, value, more = {}) {
  row.dataset.number = Number(row.dataset.number) + 1;
  const token = newToken();
  saving.add(form.dataset.mark, {
    candidate: row.dataset.candidate, value: value || "clear", token, number: row.dataset.number,
    text: row.dataset.text, seconds: clock.spent(), assessor: form.dataset.assessor, ...more,
  }, nameOf(row));
  return token;
}

function press(row, value) {
  const before = shown.get(row);
  if (!row || before === value) return;
  if (exit.isLeaving()) {
    show(row, before);
    tell("You are leaving this query, so nothing was marked. Mark again when the next one is open.");
    return;
  }
  show(row, value);
  presses.push({ row, before, token: send(row, value) });
  exit.markMade();
}

function undoHere() {
  const last = presses.pop();
  if (!last) return false;
  show(last.row, last.before);
  send(last.row, last.before, { undoes: last.token });
  walk.move(last.row);
  return true;
}

function onSaved(entry, answer) {
  const row = entry.url === form.dataset.mark ? byKey.get(String(answer.candidate)) : undefined;
  if (answer.words) tell(answer.words);
  if (!row || answer.stands || Number(row.dataset.number) > answer.number) return;
  row.dataset.number = answer.number;
  const here = shown.get(row);
  if (here === answer.value) return;
  show(row, answer.value);
  tell(`${nameOf(row)}: marked ${inWords(answer.value)} in another window meanwhile, ${inWords(here)} here. The other mark stands; press yours again to replace it.`);
}

function onRefused(entry, words) {
  tell(`${entry.about}: the mark ${inWords(entry.fields.value)} is not saved. ${words}`);
}

function inWords(value) {
  return { "": "nothing", clear: "nothing", cant_tell: "cannot tell" }[value] ?? value;
}

function onState({ unsaved, words, wait }) {
  const place = document.getElementById("save");
  const offline = document.getElementById("offline");
  place.hidden = false;
  place.classList.toggle("ok", unsaved === 0);
  place.classList.toggle("off", unsaved > 0);
  place.querySelector("span:last-child").textContent = unsaved ? `${unsaved} unsaved` : "All marks saved";
  if (wait) {
    const kept = unsaved === 1 ? "1 mark is kept" : `${unsaved} marks are kept`;
    offline.querySelector("[data-words]").textContent =
      `${words || "The server does not answer."} Go on: ${kept} in this browser. Next try in ${wait} s.`;
  }
  if (wait || !unsaved) offline.hidden = !unsaved;
}

/* ---- figures ---- */

function hasRelevant() {
  return [...shown.values()].some((value) => /^\d$/.test(value) && value >= form.dataset.relevantFrom);
}

function count() {
  const values = [...shown.values()];
  for (const place of document.querySelectorAll("[data-tally]")) {
    place.textContent = values.filter((value) => value === place.dataset.tally).length;
  }
  const marked = values.filter(Boolean).length;
  const swept = rows.filter((row) => seen.has(row) && !shown.get(row)).length;
  document.querySelector("#finish [data-words]").textContent = `Finish: ${marked} marked, ${swept} not relevant`;
  const place = document.getElementById("on-screen");
  place.hidden = false;
  place.querySelector("b").textContent = rows.filter((row) => seen.has(row)).length;
}

/* ---- keys ---- */

let byMouse = false;
const current = () => walk.current();

function step(by) {
  byMouse = false;
  walk.step(by);
}

function pastGroup() {
  const group = current()?.closest(".grp");
  const visible = rows.filter((row) => row.checkVisibility());
  const rest = visible.slice(visible.indexOf(current()) + 1);
  byMouse = false;
  walk.move(rest.find((row) => !group || row.closest(".grp") !== group));
}

bind({ codes: ["KeyJ", "ArrowDown"], words: "Next row", run: () => step(1) });
bind({ codes: ["KeyK", "ArrowUp"], words: "Previous row", run: () => step(-1) });
bind({ codes: ["KeyN"], words: "Past the rest of a group", run: pastGroup });
bind({
  codes: ["Digit0", "Digit1", "Digit2", "Digit3"], words: "Grade",
  run: (event, code) => press(current(), code.slice(-1)),
});
bind({ codes: ["Backspace"], words: "Clear the grade", run: () => press(current(), "") });
bind({ codes: ["KeyC"], words: "Cannot tell", run: () => press(current(), "cant_tell") });
bind({ codes: ["KeyO"], words: "Whole passage", run: () => { if (!pane.toggle()) walk.move(current()); } });
bind({
  codes: ["Escape"], words: "Clear the filter, close the passage", anywhere: true,
  run: () => {
    if (pane.close()) walk.move(current());
    else filter.clear();
  },
});

/* ---- pointer: the row under the moving pointer is current; keys win until it really moves again ---- */

function hover(target) {
  const row = target.closest?.("[data-candidate]");
  if (row && row !== current()) walk.move(row, { focus: false });
}

list.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse" || !(event.movementX || event.movementY)) return;
  byMouse = true;
  hover(event.target);
});
list.addEventListener("wheel", () => { byMouse = true; }, { passive: true });
list.addEventListener("mouseover", (event) => { if (byMouse) hover(event.target); });
list.addEventListener("click", (event) => hover(event.target));
list.addEventListener("change", (event) => {
  if (event.target.matches("input[type=radio]")) press(event.target.closest("[data-candidate]"), event.target.value);
});

/* ---- notes ---- */

let noteAlarm = 0;
function saveNote(field) {
  clearTimeout(noteAlarm);
  const row = byKey.get(field.id.replace("note-", ""));
  if (field.value === (field.dataset.saved ?? field.defaultValue)) return;
  field.dataset.saved = field.value;
  send(row, shown.get(row), { note: field.value });
}
document.getElementById("pane").addEventListener("input", (event) => {
  clearTimeout(noteAlarm);
  noteAlarm = setTimeout(saveNote, NOTE_REST, event.target);
});
document.getElementById("pane").addEventListener("focusout", (event) => {
  if (event.target.matches("[data-note]")) saveNote(event.target);
});
addEventListener("pagehide", () => { // the note of a closed window is kept here and sent by the next one
  if (document.activeElement?.matches("[data-note]")) saveNote(document.activeElement);
});

document.getElementById("try-now").addEventListener("click", saving.send);
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
count();
if (rows.length) walk.move(rows[0], { focus: false });
