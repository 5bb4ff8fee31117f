/* Keys by place on the keyboard (event.code), so that Arabic, Cyrillic, Thai, Japanese and AZERTY layouts work as
 * they are.
 *
 * A page declares its keys in its markup:
 *   <button data-key="KeyS" data-key-words="Skip the query">Skip <kbd>s</kbd></button>
 * `data-key` lists codes with spaces between ("KeyJ ArrowDown"); pressing one clicks the element, or puts the focus
 * into it where it is a field. The words for the help come from `data-key-words`, else from the element's own text.
 * `data-key-anywhere` lets a key work inside a text field too (F2, F4, Escape).
 *
 * A page's own module adds what a click cannot do:
 *   import { bind, roving } from "…/keys.js";
 *   bind({ codes: ["Backspace"], words: "Clear the grade", run: (event) => { … } });
 *
 * A key held down walks, along links and by what is bound with `walks: true`; nothing else is pressed twice by it, here
 * or on the page that the first press opened.
 *
 * Single keys rest in text fields, while an input method composes, with Ctrl, Alt, AltGr or Meta held, and altogether where
 * the person turned them off (<html data-keys="off">; WCAG 2.1.4).
 */

const bindings = [];
const INTERACTIVE = "a[href], button, summary, select, [role=button], [role=link]";
/* The help lists keys in this order, whatever the order of the page; those that it does not name come at "". */
const ORDER = [
  "KeyJ", "ArrowDown", "KeyK", "ArrowUp", "KeyN", "Digit0", "Digit1", "Digit2", "Digit3", "Digit4", "Digit5", "Digit6",
  "Digit7", "Digit8", "Digit9", "Backspace", "", "KeyX", "KeyO", "KeyA", "KeyR", "KeyE", "KeyS", "KeyU", "Slash", "Enter",
  "Escape", "F2", "F4", "Help",
];
const WORDLESS = new Set(["button", "checkbox", "color", "file", "image", "radio", "range", "reset", "submit"]);
const CAPS = {
  ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", Backslash: "\\", Comma: ",", Escape: "Esc",
  Help: "?", Period: ".", Slash: "/", Space: "Space",
};

/** The code of an event: a number pad that writes digits counts as their row, and "?" has no fixed place. */
export function codeOf(event) {
  if (event.key === "?" || (event.code === "Slash" && event.shiftKey)) return "Help";
  if (event.key === "/") return "Slash";
  if (event.code === "NumpadEnter") return "Enter";
  if (!/^Numpad\d$/.test(event.code)) return event.code ?? ""; // a browser that fills in a field tells no code
  return event.key.length > 1 ? event.key : event.code.replace("Numpad", "Digit"); // without NumLock it moves
}

/** What to print on the key cap of a code. */
export function capOf(code) {
  return CAPS[code] ?? code.replace(/^Key/, "").replace(/^Digit/, "").replace(/^([A-Z])$/, (one) => one.toLowerCase());
}

/** Does typing into `element` write text or choose from a list? */
export function takesText(element) {
  if (!(element instanceof Element)) return false;
  if (element.isContentEditable || element.matches("textarea, select")) return true;
  return element.matches("input") && !WORDLESS.has(element.type);
}

/** Add keys whose effect is more than a click. `run` may return false to pass the event on. */
export function bind({ codes, words, run, anywhere = false, walks = false }) {
  bindings.push({ codes, words, run, anywhere, walks });
}

/** Is this a key of one printed character, which the setting can turn off? */
function isSingle(code) {
  return /^(Key[A-Z]|Digit\d|Slash|Comma|Period|Backslash|Help|Space)$/.test(code);
}

function isReachable(element) {
  return element.checkVisibility() && !element.disabled && element.getAttribute("aria-disabled") !== "true"
    && !element.closest("[inert]");
}

/** The first element on show that declares `code`; an open dialog hides the keys of the page below it. */
function declared(code, inField) {
  const scope = document.querySelector("dialog[open]") ?? document;
  return [...scope.querySelectorAll(`[data-key~="${code}"]`)].find(
    (element) => isReachable(element) && (!inField || "keyAnywhere" in element.dataset),
  );
}

function press(element) {
  if (takesText(element)) {
    element.focus();
    element.select?.();
  } else {
    element.click();
  }
}

function isOurs(event) {
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return false;
  return !(event.ctrlKey || event.altKey || event.metaKey || event.getModifierState?.("AltGraph"));
}

function onKeydown(event) {
  if (!isOurs(event)) return;
  const code = codeOf(event);
  const inField = takesText(event.target);
  if (isSingle(code) && (inField || document.documentElement.dataset.keys === "off")) return;
  if (code === "Enter" && event.target.closest?.(INTERACTIVE)?.checkVisibility()) return;
  if (code === "Help") {
    event.preventDefault();
    showHelp();
    return;
  }
  const element = declared(code, inField);
  if (element) {
    event.preventDefault();
    if (!event.repeat || element.matches("a[href]")) press(element);
    return;
  }
  if (document.querySelector("dialog[open]")) return;
  const binding = bindings.find((each) => each.codes.includes(code) && (!inField || each.anywhere));
  if (event.repeat && !binding?.walks) return;
  if (binding && binding.run(event, code) !== false) event.preventDefault();
}

/* ---- help ---- */

function wordsOf(element) {
  if (element.dataset.keyWords) return element.dataset.keyWords;
  const copy = element.cloneNode(true);
  for (const cap of copy.querySelectorAll("kbd, .n")) cap.remove();
  return element.getAttribute("aria-label") ?? copy.textContent.trim().replace(/\s+/g, " ");
}

/** The place of a key in the help. */
function placeOf([codes]) {
  return ORDER.indexOf(ORDER.includes(codes[0]) ? codes[0] : "");
}

/** Every key of the page as [codes, words], each words once, in `ORDER`, and of one place in the order of the page. */
export function keysOfPage() {
  const rows = new Map();
  const note = (codes, words) => rows.set(words, [...new Set([...(rows.get(words) ?? []), ...codes])]);
  for (const element of document.querySelectorAll("[data-key]")) {
    if (element.checkVisibility()) note(element.dataset.key.split(/\s+/), wordsOf(element));
  }
  for (const each of bindings) note(each.codes, each.words);
  note(["Help"], "These keys");
  return [...rows].map(([words, codes]) => [codes, words]).sort((one, other) => placeOf(one) - placeOf(other));
}

function rowOf([codes, words]) {
  const row = document.createElement("div");
  const what = document.createElement("dt");
  what.textContent = words;
  const caps = document.createElement("dd");
  for (const code of codes) {
    const cap = document.createElement("kbd");
    cap.textContent = capOf(code);
    caps.append(cap, " ");
  }
  row.append(what, caps);
  return row;
}

/** Open the help, or close it where it is open. */
export function showHelp() {
  const help = document.getElementById("keys");
  if (!help) return;
  if (help.open) {
    help.close();
    return;
  }
  help.querySelector("dl").replaceChildren(...keysOfPage().map(rowOf));
  help.showModal();
}

/* ---- roving tabindex ---- */

/**
 * One tab stop for a list of rows; j and k or the arrows walk inside it.
 *
 * `rows` is a function that returns the rows on show, so a swapped or filtered list needs no second call.
 * The current row carries aria-current="true" and is announced to `onMove(row)`.
 */
export function roving({ rows, onMove = () => {} }) {
  const current = () => rows().find((row) => row.getAttribute("aria-current") === "true") ?? rows()[0];
  const move = (row, { focus = true } = {}) => {
    if (!row) return;
    for (const other of rows()) {
      other.tabIndex = other === row ? 0 : -1;
      if (other !== row) other.removeAttribute("aria-current");
    }
    row.setAttribute("aria-current", "true");
    if (focus) {
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block: "nearest" });
    }
    onMove(row);
  };
  const step = (by) => {
    const list = rows();
    move(list[Math.min(list.length - 1, Math.max(0, list.indexOf(current()) + by))]);
  };
  return { current, move, step };
}

/** Show the buttons in `place` that open the help. */
export function offerHelp(place) {
  for (const opener of place.querySelectorAll("[data-help]")) {
    opener.hidden = false;
    opener.addEventListener("click", showHelp);
  }
}

document.addEventListener("keydown", onKeydown);
offerHelp(document);
