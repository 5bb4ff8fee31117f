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

bind({
  codes: ["Escape"],
  words: "Leave the field",
  anywhere: true,
  run: () => document.activeElement?.blur(),
});
