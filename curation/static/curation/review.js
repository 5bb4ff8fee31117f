/* Review: choosing another version brings its own wording along, as long as nobody has changed the text. */

import { bind } from "./keys.js";

const form = document.getElementById("verdict");
const text = document.getElementById("text");

/** Is the text still one that was mined, of whichever version? */
function isMined() {
  const drafts = [...form.querySelectorAll("[data-draft]")].map((radio) => radio.dataset.draft);
  return drafts.includes(text.value.trim());
}

/* In the capturing phase, so that the check that htmx posts holds the new text already. */
form?.addEventListener("input", (event) => {
  const { dataset, name, value } = event.target;
  if (name === "target" && isMined()) text.value = dataset.draft;
  if (name === "locale" && text) text.lang = value;
}, { capture: true });

/* What was refused comes back at the address of the form that was sent; the proposal has one that can be opened again. */
const { address } = document.querySelector("[data-address]")?.dataset ?? {};
if (address && location.pathname !== address.split("?")[0]) history.replaceState(null, "", address);

/* Sent from a field: whoever has to go on typing there finds the field in focus, at the end of the text. */
form?.addEventListener("formdata", ({ formData }) => {
  if (document.activeElement?.matches("input[type=text]")) formData.set("in_field", document.activeElement.id);
});
const field = document.querySelector("#verdict input[autofocus]");
field?.focus();
field?.setSelectionRange(field.value.length, field.value.length);

/* In a narrow window the families scroll sideways: the one that is open stands in sight. */
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });

/* Keys that a queue of one has no use for are told all the same. */
for (const [codes, words] of [
  [["KeyK", "ArrowUp"], "Previous proposal"],
  [["KeyJ", "ArrowDown"], "Next proposal"],
  [["KeyS"], "Skip to the next to review"],
  [["KeyU"], "Undo your last verdict"],
]) bind({ codes, words, run: () => false });

bind({
  codes: ["Escape"],
  words: "Leave the field",
  anywhere: true,
  run: () => document.activeElement?.blur(),
});
