/* One sentence for the person, seen and heard, for as long as it takes to read. What only confirms a press goes with the
 * next one, which makes it untrue; a refusal stays, however fast one types. */

const READ = 8000;
let alarm = 0;
let passing = null; // takes away what the next press ends

/** Show `words` above the foot; the place is a live region, so they are said too. What it returns takes them away. */
export function tell(words) {
  const place = document.getElementById("live");
  if (!place || !words) return () => {};
  const toast = document.createElement("p");
  toast.className = "toast";
  toast.textContent = words;
  place.replaceChildren(toast);
  clearTimeout(alarm);
  alarm = setTimeout(() => place.replaceChildren(), READ);
  return () => toast.remove();
}

/** The same for what is true until something else is pressed. */
export function tellInPassing(words) {
  if (words) passing = tell(words);
}

/** Something is pressed: what was told in passing goes. */
function overtake() {
  passing?.();
  passing = null;
}

// Before whatever the press does, so that what it tells stays.
for (const kind of ["keydown", "pointerdown", "click"]) {
  addEventListener(kind, (event) => { if (!event.repeat) overtake(); }, { capture: true });
}

/** Tell in passing what `page` confirms in notes of its own: there they would stand above the list until the next query. */
export function takeUp(page) {
  const notes = [...page.querySelectorAll(".told .note.pass")];
  tellInPassing(notes.map((note) => note.textContent.trim()).join(" "));
  for (const note of notes) {
    const place = note.parentElement;
    note.remove();
    if (!place.childElementCount) place.remove();
  }
}
