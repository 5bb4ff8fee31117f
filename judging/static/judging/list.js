/* The list of one query: its rows and their marks, which of them is current, what undo takes back. */

import { activeClock } from "../curation/clock.js";
import { roving } from "../curation/keys.js";
import { leaving } from "./finish.js";
import { flagging } from "./mismatch.js";
import { notesIn } from "./notes.js";
import { filterRows, passagePane } from "./pane.js";
import { keepAt, placeOf } from "./place.js";
import { newToken } from "./saving.js";
import { watchSeen } from "./seen.js";
import { followEyes } from "./sight.js";
import { showTally } from "./tally.js";
import { tell, tellInPassing } from "./tell.js";
import { isChosen, offersTwin, showChosen } from "./twin.js";
import { openPresses } from "./undo.js";

const inWords = (value) => ({ "": "nothing", clear: "nothing", cant_tell: "cannot tell" }[value] ?? value);
const radios = (row) => row.querySelectorAll("input[type=radio]");
const checked = (row) => [...radios(row)].find((radio) => radio.checked)?.value ?? "";
const nameOf = (row) => row.querySelector("small bdi, .code bdi").textContent;

/**
 * Take up the list that is in the page. `saving` sends its marks; `onNext(answer)` shows the query after it. `untold` are
 * seconds spent on the same query that no mark has told yet.
 * `close()` ends what it does outside its own elements.
 */
export function openList({ saving, onNext, untold = 0 }) {
  const end = new AbortController();
  const form = document.getElementById("judge");
  const rows = [...form.querySelectorAll("[data-candidate]")];
  const byKey = new Map(rows.map((row) => [row.dataset.candidate, row]));
  const presses = openPresses({ nameOf, stands: (row) => inWords(shown.get(row)).replace("nothing", "no mark") });
  const shown = new Map(rows.map((row) => [row, checked(row)]));
  const stored = new Map(shown); // what the server is known to hold
  let stop = null; // the row whose controls Tab stops at
  const overruled = new Map(); // what takes away the words on a mark of another window, by row

  const pane = passagePane(document.getElementById("pane"), document.getElementById("whole"));
  const clock = activeClock({
    seconds: Number(form.dataset.seconds), untold, place: document.getElementById("clock"), signal: end.signal,
  });
  const walk = roving({ rows: () => rows.filter((row) => row.checkVisibility()), onMove });
  const seen = watchSeen({ rows, assignment: form.dataset.assignment, onSeen: count, signal: end.signal });
  const eyes = followEyes({ form, rows, onScreen: seen.onScreen, walk, signal: end.signal });
  const filter = filterRows({
    rows, onFilter, onLeave: () => walk.move(walk.current()), field: document.getElementById("find"),
    found: document.getElementById("found"), end: document.getElementById("end"),
  });
  const notes = notesIn({
    place: document.getElementById("pane"), signal: end.signal,
    onNote: addNote,
  });
  const mismatch = flagging({
    form, saving, nameOf, onShow: count, onUnfold: reopen, onFlag: (row, takeBack) => presses.add({ row, takeBack }),
  });
  const exit = leaving({
    form, saving, clock, seen, undoHere, isTold, reopen, onNext,
    marks: () => rows.map((row) => `${row.dataset.candidate}:${shown.get(row)}`).join(" "),
    unseen: () => rows.filter((row) => !seen.has(row) && !shown.get(row)),
    visit: (row) => {
      filter.clear();
      walk.move(row);
      row.scrollIntoView({ block: "center" });
    },
  });

  /** What can be pressed in a row is a stop of Tab where the row is current: the others are reached row by row. */
  function setStops(row, index) {
    for (const control of row?.querySelectorAll("input:not([type=hidden])") ?? []) control.tabIndex = index;
  }

  function onMove(row) {
    if (row !== stop) setStops(stop, -1);
    setStops(row, 0);
    stop = row;
    pane.show(row);
    notes.offer(row, pane.full());
  }

  /** Of the rows on show one is current; where none is on show, no passage is. */
  function onFilter() {
    for (const row of rows) if (!row.checkVisibility()) row.removeAttribute("aria-current");
    if (walk.current()) walk.move(walk.current(), { focus: false });
    else pane.clear();
  }

  const togglePassage = () => pane.toggle() || walk.move(walk.current());

  /* ---- marks ---- */

  /** Show what another page of this query left on its way, as far as it is newer than what the server showed. */
  function showWaiting() {
    for (const { url, fields } of saving.waiting()) {
      const row = byKey.get(String(fields.candidate));
      if (row && url === form.dataset.mismatch && "reason" in fields) mismatch.showReason(row, fields.reason);
      if (!row || url !== form.dataset.mark || Number(fields.number) <= Number(row.dataset.number ?? 0)) continue;
      row.dataset.number = fields.number;
      if ("note" in fields) row.dataset.note = fields.note;
      if ("for_twins" in fields) showChosen(row, Number(fields.for_twins) === 1);
      show(row, fields.value === "clear" ? "" : fields.value);
    }
  }

  function show(row, value) {
    for (const radio of radios(row)) radio.checked = radio.value === value;
    shown.set(row, value);
    count();
  }

  function send(row, value, more = {}) {
    overruled.get(row)?.();
    row.dataset.number = Number(row.dataset.number ?? 0) + 1;
    const token = newToken();
    saving.add(form.dataset.mark, {
      candidate: row.dataset.candidate, value: value || "clear", token, number: row.dataset.number,
      text: row.querySelector("input[type=hidden]").value, seconds: clock.spent(), assessor: form.dataset.assessor,
      ...more,
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
    const undoes = send(row, value);
    presses.add({ row, token: undoes, takeBack: () => back(row, before, { undoes }) });
    exit.markMade();
  }

  /** Mean the grade of `row` for its text twin too, or not; the choice travels with the mark that stands. */
  function chooseTwin(row, chosen) {
    if (!row || !offersTwin(row)) return;
    showChosen(row, exit.isLeaving() ? !chosen : chosen);
    if (exit.isLeaving()) return;
    const before = shown.get(row);
    const undoes = send(row, before, { for_twins: Number(chosen) });
    presses.add({ row, what: "the choice for its text twin", takeBack() {
      showChosen(row, !chosen);
      back(row, before, { undoes, for_twins: Number(!chosen) });
    } });
    exit.markMade();
    count();
  }

  function addNote(row, note, before) {
    const undoes = send(row, shown.get(row), { note });
    presses.addPart({ row, what: "the note", takeBack() {
      notes.put(row, before);
      send(row, shown.get(row), { undoes, note: before });
    } });
  }

  function back(row, before, press) {
    show(row, before);
    send(row, before, press);
  }

  function undoHere() {
    const undone = presses.takeBack();
    if (!undone) return false;
    walk.move(undone.row);
    tellInPassing(undone.words);
    return true;
  }

  /** Show the same query anew, once every mark is saved: a row was unfolded, or folded again. */
  async function reopen(words) {
    const made = presses.count();
    if (!await saving.settled(form.dataset.mark) || exit.isLeaving()) return;
    const response = await fetch(location.href);
    if (!response.ok || response.redirected || end.signal.aborted) return;
    const page = await response.text();
    if (presses.count() === made) onNext({ next: location.pathname, page, words });
    else reopen(words);
  }

  const rowOf = (entry, key) => (entry.url === form.dataset.mark ? byKey.get(String(key)) : undefined);

  function onSaved(entry, answer) {
    if (entry.url === form.dataset.mismatch) {
      mismatch.onSaved(byKey.get(String(answer.candidate)), answer.reason);
      return;
    }
    const row = rowOf(entry, answer.candidate);
    if (answer.words) tell(answer.words);
    if (!row) return;
    stored.set(row, answer.value);
    if (!answer.stands) presses.drop(entry.fields.token);
    if (answer.stands || Number(row.dataset.number) > answer.number) return;
    row.dataset.number = answer.number;
    showChosen(row, answer.for_twins);
    count();
    const here = shown.get(row);
    if (here === answer.value) return;
    show(row, answer.value);
    overruled.set(row, tell(`${nameOf(row)}: you marked ${inWords(answer.value)} in another window ${answer.when}, ${inWords(here)} here. The other mark stands; press yours again to replace it.`));
  }

  /** A mark that the server does not take leaves the row with what is stored, unless another one is on its way. */
  function onRefused(entry, words) {
    if (entry.url === form.dataset.mismatch) {
      tell(`${entry.about}: the flag is not saved. ${words}`);
      mismatch.show(byKey.get(String(entry.fields.candidate)), null);
      return;
    }
    const row = rowOf(entry, entry.fields.candidate);
    if (row && "for_twins" in entry.fields) showChosen(row, !Number(entry.fields.for_twins));
    if (row && Number(row.dataset.number) === Number(entry.fields.number)) show(row, stored.get(row));
    const back = row ? ` ${inWords(stored.get(row))} stands.`.replace(" nothing stands", " Nothing is marked") : "";
    tell(`${entry.about}: the mark ${inWords(entry.fields.value)} is not saved. ${words}${back}`);
  }

  /* ---- figures ---- */

  /** Is a row marked relevant, or is there no reason to give where none is? */
  function isTold() {
    return !("asks" in form.dataset) || [...shown.values()].some((value) => /^\d$/.test(value) && value >= form.dataset.relevantFrom);
  }

  function count() {
    showTally({ rows, shown, seen });
  }

  /* ---- pointer ---- */

  /** A chosen mark that is pressed again goes; the second press of a double click is no such press. */
  function clearAgain(event) {
    const radio = event.target.closest("label")?.control;
    if (radio?.type !== "radio" || event.target === radio || event.detail > 1) return;
    const row = radio.closest("[data-candidate]");
    if (shown.get(row) !== radio.value) return;
    event.preventDefault();
    press(row, "");
  }

  form.addEventListener("click", (event) => {
    clearAgain(event);
    if (event.target.matches(".whole")) togglePassage();
    if (!event.target.closest(".mis")) return;
    event.preventDefault();
    ask();
  });
  form.addEventListener("change", (event) => {
    const row = event.target.closest("[data-candidate]");
    if (event.target.matches("input[type=radio]")) press(row, event.target.value);
    if (event.target.matches("[data-twins]")) chooseTwin(row, event.target.checked);
  });
  document.getElementById("try-now").addEventListener("click", saving.send);
  document.getElementById("close").addEventListener("click", togglePassage);

  /* ---- keys ---- */

  function pastGroup() {
    const group = walk.current()?.closest(".grp");
    const visible = rows.filter((row) => row.checkVisibility());
    const rest = visible.slice(visible.indexOf(walk.current()) + 1);
    walk.move(rest.find((row) => !group || row.closest(".grp") !== group));
  }

  /** Do to the row that the judge looks at what a key means. */
  function toLooked(act) {
    const row = eyes.looked();
    if (row) act(row);
    else if (row === null) tell("The current row was out of sight, so nothing was done. It is on screen now: press again.");
  }

  const ask = () => exit.isLeaving() || toLooked((row) => mismatch.ask(row, pane.full()));

  for (const row of rows) setStops(row, -1);
  count();
  showWaiting();
  if (rows.length) walk.move(rows[0], { focus: false });
  return {
    onSaved, onRefused, pastGroup, ask, togglePassage,
    step: (by) => walk.step(by),
    press: (value) => toLooked((row) => press(row, value)),
    note: () => toLooked(() => {
      pane.open();
      notes.write(pane.full());
    }),
    twin: () => toLooked((row) => chooseTwin(row, !isChosen(row))),
    escape() {
      if (!pane.close()) filter.clear();
      walk.move(walk.current());
    },
    place: () => ({ ...placeOf(walk.current()), untold: clock.untold() }),
    focus({ at, top, key = at }) {
      if (byKey.has(at)) keepAt(form, byKey.get(at), top);
      walk.move(byKey.get(key) ?? rows[0]);
    },
    close: () => end.abort(),
  };
}
