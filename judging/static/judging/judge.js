/* The judging page: one list, one current row, one key a grade. A finished query gives way to the next one, which came
 * with the answer to Finish; the window stays, and with it the marks that are on their way. */

import { bind, offerHelp } from "../curation/keys.js";
import { announce } from "../curation/page.js";
import { openList } from "./list.js";
import { keepPlace, keptPlace } from "./place.js";
import { savingMarks } from "./saving.js";
import { takeUp, tellInPassing } from "./tell.js";

const told = () => document.getElementById("judge").dataset;
let list = null;
const saving = savingMarks({
  assessor: told().assessor,
  onSaved: (entry, answer) => list.onSaved(entry, answer),
  onRefused: (entry, words) => list.onRefused(entry, words),
  onState,
  onArrived: (count) => tellInPassing(count === 1 ? "The press that waited is saved." : `The ${count} presses that waited are saved.`),
});
list = openList({ saving, onNext });
takeUp(document);
const kept = keptPlace(told().assignment);
if (kept.at) list.focus(kept);

/**
 * Show what came with an answer: `next` is its address, `page` its markup; without markup the browser fetches it.
 * Where it is the same query again, the person goes on at the same row, or at the `candidate` that undo changed; `words`
 * say what it took back.
 */
function onNext({ next, page, words, candidate }) {
  const fresh = page && new DOMParser().parseFromString(page, "text/html");
  const work = fresh?.querySelector(".work");
  if (!work) {
    location.assign(next);
    return;
  }
  const { untold, ...place } = next === location.pathname ? list.place() : {};
  if (candidate) place.key = String(candidate);
  list.close();
  takeUp(fresh);
  document.querySelector(".work").replaceWith(document.adoptNode(work));
  document.title = fresh.title;
  if (next !== location.pathname) {
    history.pushState(null, "", next);
    scrollTo(0, 0);
  }
  offerHelp(document.querySelector(".work"));
  list = openList({ saving, onNext, untold });
  saving.report();
  list.focus(place);
  tellInPassing(words);
  const notes = [...document.querySelectorAll(".told .note:not([hidden]) > span:not(.i)")].map((note) => note.textContent.trim());
  announce([...notes, document.querySelector("h1").textContent].join(" "));
}

function onState({ unsaved, words, wait }) {
  const place = document.getElementById("save");
  const offline = document.getElementById("offline");
  place.hidden = false;
  place.classList.toggle("ok", unsaved === 0);
  place.classList.toggle("off", unsaved > 0);
  place.querySelector("span:last-child").textContent = unsaved ? `${unsaved} unsaved` : "All marks saved";
  if (wait) {
    const waiting = unsaved === 1 ? "1 press waits" : `${unsaved} presses wait`;
    offline.querySelector("[data-words]").textContent =
      `${words || "The server does not answer."} Go on: ${waiting} in this browser to be sent. Next try in ${wait} s.`;
  }
  if (!wait && unsaved) return;
  offline.hidden = !unsaved;
  place.firstElementChild.classList.toggle("i-cloud", !unsaved);
  place.firstElementChild.classList.toggle("i-off", unsaved > 0);
}

addEventListener("pagehide", () => keepPlace(told().assignment, list.place()));
addEventListener("popstate", () => location.reload());
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

/** The digits of the mismatches with what they say, for the help. */
function reasons() {
  const choices = [...document.querySelectorAll('#mismatches [data-mismatch]:not([data-mismatch=""])')];
  return choices.map((each) => `${each.querySelector("kbd").textContent}: ${each.firstChild.textContent.trim().toLowerCase()}`).join("; ");
}

bind({ codes: ["KeyJ", "ArrowDown"], words: "Next row", walks: true, run: () => list.step(1) });
bind({ codes: ["KeyK", "ArrowUp"], words: "Previous row", walks: true, run: () => list.step(-1) });
bind({ codes: ["KeyN"], words: "Past the rest of a group", walks: true, run: () => list.pastGroup() });
bind({
  codes: ["Digit0", "Digit1", "Digit2", "Digit3"], words: "Grade",
  run: (event, code) => list.press(code.slice(-1)),
});
bind({ codes: ["Backspace"], words: "Clear the grade", run: () => list.press("") });
bind({ codes: ["KeyC"], words: "Cannot tell", run: () => list.press("cant_tell") });
bind({ codes: ["KeyX"], words: `Mismatch, then ${reasons()}`, run: () => list.ask() });
bind({ codes: ["KeyT"], words: "Same grade for the text twin, or not", run: () => list.twin() });
bind({ codes: ["KeyE"], words: "Write a note; Esc leads back to the row", run: () => list.note() });
bind({ codes: ["KeyO"], words: "Whole passage", run: () => list.togglePassage() });
bind({
  codes: ["Escape"], words: "Clear the filter, close the passage", anywhere: true,
  run: () => list.escape(),
});
