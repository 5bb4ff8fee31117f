/* The passage beside the list, and the filter above it. Passages are in the page already: showing one moves it into
 * the pane and back, so its note keeps what is being written. */

/**
 * Show the whole passage of a row in `pane`; on a narrow window `toggle()` opens and closes it as a sheet, and `opener`
 * stands in the row for whoever has no keys.
 */
export function passagePane(pane, opener) {
  let home = null;
  let full = null;
  opener.hidden = false;

  function clear() {
    home?.append(full);
    [home, full] = [null, null];
  }

  function show(row) {
    if (row === home) return;
    clear();
    home = row;
    full = row.querySelector(".full");
    full.open = true;
    pane.append(full);
    pane.scrollTop = 0;
    row.querySelector(".mis").after(opener);
  }

  function toggle() {
    const opens = !pane.classList.contains("open");
    pane.classList.toggle("open", opens);
    if (!opens) return false;
    home?.scrollIntoView({ block: "end" });
    pane.focus({ preventScroll: true });
    return true;
  }

  /** Show it, where the window is too narrow for it to stand beside the list. */
  function open() {
    if (!pane.checkVisibility()) toggle();
  }

  function close() {
    const was = pane.classList.contains("open") || pane.contains(document.activeElement);
    pane.classList.remove("open");
    return was;
  }

  return { show, clear, toggle, open, close, full: () => full };
}

/**
 * Let `field` hide the rows that do not hold what is typed; `found` says how many do, in the place of `end`.
 * `onFilter()` is called when other rows show, `onLeave()` when the person is done with the field.
 */
export function filterRows({ field, found, end, rows, onFilter, onLeave }) {
  const groupOf = (row) => row.closest(".grp");
  const READ = ".tt, small, .code, .pass2, .fact, .passage";
  const text = (element) => [...element?.querySelectorAll(READ) ?? []].map((part) => part.textContent).join(" ");
  const texts = new Map(rows.map((row) => [
    row, `${text(groupOf(row)?.querySelector(".cand"))} ${text(row)}`.toLocaleLowerCase(),
  ]));

  function apply() {
    const words = field.value.trim();
    const wanted = words.toLocaleLowerCase();
    for (const [row, held] of texts) row.hidden = wanted !== "" && !held.includes(wanted);
    for (const group of new Set(rows.map(groupOf))) {
      if (group) group.hidden = [...group.querySelectorAll(".mem")].every((row) => row.hidden);
    }
    const count = rows.filter((row) => !row.hidden).length;
    [found.hidden, end.hidden] = [wanted === "", wanted !== ""];
    found.textContent = `${count || "None"} of ${rows.length} documents ${count === 1 || !count ? "holds" : "hold"} “${words}”. Esc, or an empty field, shows all of them again.`;
    onFilter();
    return count;
  }

  field.hidden = false;
  field.addEventListener("input", apply);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || (event.code !== "Escape" && event.code !== "Enter")) return;
    if (event.code === "Escape") field.value = "";
    event.preventDefault();
    if (apply()) onLeave();
  });
  return {
    clear() {
      field.value = "";
      apply();
    },
  };
}
