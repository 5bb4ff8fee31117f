/* The passage beside the list, and the filter above it. Passages are in the page already: showing one moves it into
 * the pane and back, so its note keeps what is being written. */

/** Show the whole passage of a row in `pane`; on a narrow window `toggle()` opens and closes it as a sheet. */
export function passagePane(pane) {
  let home = null;

  function show(row) {
    if (row === home) return;
    const before = pane.firstElementChild;
    if (before) {
      before.hidden = true;
      home.append(before);
    }
    const full = row.querySelector(".full");
    home = row;
    full.hidden = false;
    pane.append(full);
    pane.scrollTop = 0;
  }

  function toggle() {
    const opens = !pane.classList.contains("open");
    pane.classList.toggle("open", opens);
    if (opens) pane.focus();
    return opens;
  }

  function close() {
    const was = pane.classList.contains("open") || pane.contains(document.activeElement);
    pane.classList.remove("open");
    return was;
  }

  return { show, toggle, close, full: () => pane.firstElementChild };
}

/** Let `field` hide the rows that do not hold what is typed; `onLeave()` when the person is done with it. */
export function filterRows({ field, rows, onLeave }) {
  const groupOf = (row) => row.closest(".grp");
  const text = (element) => element?.textContent.toLocaleLowerCase() ?? "";
  const texts = new Map(rows.map((row) => [row, `${text(groupOf(row)?.querySelector(".cand"))} ${text(row)}`]));

  function apply() {
    const wanted = field.value.trim().toLocaleLowerCase();
    for (const [row, words] of texts) row.hidden = wanted !== "" && !words.includes(wanted);
    for (const group of new Set(rows.map(groupOf))) {
      if (group) group.hidden = [...group.querySelectorAll(".mem")].every((row) => row.hidden);
    }
  }

  field.hidden = false;
  field.addEventListener("input", apply);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || (event.code !== "Escape" && event.code !== "Enter")) return;
    if (event.code === "Escape") field.value = "";
    event.preventDefault();
    apply();
    onLeave();
  });
  return {
    clear() {
      field.value = "";
      apply();
    },
  };
}
