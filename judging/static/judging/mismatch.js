/* Challenging a row: x and a digit say what is wrong with it. The flag travels like a mark; what is not the same
 * document becomes a row of its own as soon as the server knows of it. */

import { codeOf } from "../curation/keys.js";
import { newToken } from "./saving.js";

const flagOf = (row) => row.querySelector("h3 .flag, .w .flag");
export const isFlagged = (row) => flagOf(row) !== null;

/**
 * `ask(row, full)` opens the choice for a row and its passage. `onFlag(row, takeBack)` is called for each press, with what
 * undoes it, `onShow()` whenever a flag shows or goes, and `onUnfold()` when rows fold or unfold.
 */
export function flagging({ form, saving, nameOf, onFlag, onShow, onUnfold }) {
  const dialog = document.getElementById("mismatches");
  const which = dialog.querySelector("[data-which]");
  const choice = which.querySelector("select");
  const before = new Map(); // the flag that the server is known to hold, in words, by row
  const kinds = new Map();
  let asked = null;

  const words = (reason) => dialog.querySelector(`[data-mismatch="${reason}"]`).firstChild.textContent.trim();
  const textOf = (row) => flagOf(row)?.textContent ?? "";

  /** Show `text` as the flag of a row, none for "", or what is stored for null. */
  function show(row, text) {
    if (!row) return;
    const shown = flagOf(row);
    if (!before.has(row)) before.set(row, textOf(row));
    const wanted = text ?? before.get(row);
    shown?.remove();
    if (wanted) raise(row, wanted);
    onShow();
  }

  function raise(row, text) {
    const flag = document.createElement("span");
    flag.className = "flag";
    flag.title = text;
    const icon = document.createElement("span");
    icon.className = "i i-flag s";
    icon.ariaHidden = "true";
    flag.append(icon, text);
    row.querySelector(".unsure").before(flag);
  }

  /** Show `text` as the flag of a row and send the press that makes it so; its token. */
  function send(row, text, press) {
    const token = newToken();
    kinds.set(row, kinds.get(row) || textOf(row) === words("not_same"));
    show(row, text);
    saving.add(form.dataset.mismatch, {
      candidate: row.dataset.candidate, token, assessor: form.dataset.assessor, ...press,
    }, nameOf(row));
    return token;
  }

  function flag(reason) {
    dialog.close();
    const [row, shown] = [asked, textOf(asked)];
    const undoes = send(row, reason && words(reason), { reason, document: which.hidden ? "" : choice.value });
    onFlag(row, () => send(row, shown, { undoes }));
    row.focus({ preventScroll: true });
  }

  for (const button of dialog.querySelectorAll("[data-mismatch]")) {
    button.addEventListener("click", () => flag(button.dataset.mismatch));
  }
  /** A language begins with no digit, so in the choice of a translation a digit chooses the reason, too. */
  choice.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.documentElement.dataset.keys === "off") return;
    const button = dialog.querySelector(`[data-key="${codeOf(event)}"]`);
    if (!button?.checkVisibility() || event.repeat) return;
    event.preventDefault();
    button.click();
  });
  return {
    show,
    showReason: (row, reason) => show(row, reason && words(reason)),
    ask(row, full) {
      asked = row;
      const folded = [...full.querySelectorAll("[data-document]")];
      which.hidden = folded.length < 2;
      choice.replaceChildren(choice.options[0], ...folded.map((each) => new Option(each.querySelector("[data-language]").textContent, each.dataset.document)));
      choice.value = "";
      const hasSome = folded.length > 0 || textOf(row) === words("not_same");
      for (const button of dialog.querySelectorAll("[data-of-translations]")) button.hidden = !hasSome;
      dialog.querySelector('[data-mismatch=""]').hidden = !flagOf(row);
      for (const button of dialog.querySelectorAll("[data-mismatch]:not([data-mismatch=''])")) {
        button.ariaPressed = textOf(row) === words(button.dataset.mismatch);
      }
      dialog.showModal();
      dialog.querySelector("[data-mismatch]:not([hidden])").focus();
    },
    onSaved(row, reason) {
      if (!row) return;
      before.set(row, reason && words(reason));
      const unfolds = reason === "not_same";
      if (unfolds || kinds.get(row)) onUnfold(`${nameOf(row)}: what was folded into it ${unfolds ? "is a row of its own now" : "is folded again"}.`);
    },
  };
}
