/* Notes: a few words of the judge beside a mark. They are saved a moment after the last letter. */

const REST = 600; // ms after the last letter

/** Put a field for a note below each passage shown in `place`; `onNote(row, words, before)` saves what was written. */
export function notesIn({ place, onNote, signal }) {
  const form = document.getElementById("note-form");
  const rowOf = new WeakMap();
  const fieldOf = new WeakMap();
  let alarm = 0;

  function save(field) {
    clearTimeout(alarm);
    if (field.value === field.dataset.saved) return;
    const before = field.dataset.saved;
    field.dataset.saved = field.value;
    rowOf.get(field).dataset.note = field.value;
    onNote(rowOf.get(field), field.value, before);
  }

  place.addEventListener("input", (event) => {
    clearTimeout(alarm);
    alarm = setTimeout(save, REST, event.target);
  });
  place.addEventListener("focusout", (event) => {
    if (event.target.matches("[data-note]")) save(event.target);
  });
  addEventListener("pagehide", () => { // the note of a closed window is kept here and sent by the next one
    if (document.activeElement?.matches("[data-note]")) save(document.activeElement);
  }, { signal });

  return {
    offer(row, full) {
      if (full.querySelector("[data-note]")) return;
      full.append(form.content.cloneNode(true));
      const field = full.querySelector("[data-note]");
      field.value = field.dataset.saved = row.dataset.note ?? "";
      rowOf.set(field, row);
      fieldOf.set(row, field);
    },
    /** Put the caret into the note below a passage. */
    write(full) {
      full.querySelector("[data-note]").focus();
    },
    /** Show `words` as the note of a row. */
    put(row, words) {
      clearTimeout(alarm);
      const field = fieldOf.get(row);
      field.value = field.dataset.saved = row.dataset.note = words;
    },
  };
}
