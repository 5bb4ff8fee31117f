/* Which rows were seen: 60 % of a row (or of the window, for a row taller than it) on screen for half a second in
 * total; and for how long each was. Kept for this window, so that a reload forgets nothing. */

import { keep, recall } from "../curation/kept.js";

const SHARE = 0.6;
const LONG_ENOUGH = 500;
const STEPS = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** Watch `rows` until `signal`; `onSeen()` is called whenever another one was seen. `onScreen` are
 * the rows of which some is on screen. */
export function watchSeen({ rows, assignment, onSeen, signal }) {
  const store = `hardset.seen.${assignment}`;
  const kept = (name) => [recall("sessionStorage", name) ?? []].flat();
  const seen = new Set(kept(store));
  const times = new Map(kept(`${store}.ms`).map((pair) => pair.split(":")));
  const watched = new Map(rows.map((row) => [
    row, { total: Number(times.get(row.dataset.candidate) ?? 0), since: null, alarm: 0 },
  ]));
  // With the text that was on screen, which may be another one since; the one on show is told last.
  const seenAs = (row) => `${row.dataset.candidate}:${row.querySelector("input[type=hidden]").value}`;
  for (const row of rows) if (seen.delete(seenAs(row)) || "seen" in row.dataset) seen.add(seenAs(row));

  function pause(state) {
    clearTimeout(state.alarm);
    if (state.since !== null) state.total += performance.now() - state.since;
    state.since = null;
  }

  function note(row) {
    seen.add(seenAs(row));
    keep("sessionStorage", store, [...seen]);
    onSeen();
  }

  function start(row, state) {
    if (state.since !== null || document.hidden) return;
    state.since = performance.now();
    if (seen.has(seenAs(row))) return;
    state.alarm = setTimeout(() => note(row), Math.max(0, LONG_ENOUGH - state.total));
  }

  /** "key:milliseconds" of the rows that were on screen. */
  function told() {
    const now = performance.now();
    const spent = [...watched].map(([row, { total, since }]) => [row, total + (since === null ? 0 : now - since)]);
    return spent.filter(([, ms]) => ms >= 1).map(([row, ms]) => `${row.dataset.candidate}:${Math.round(ms)}`);
  }

  const onScreen = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const state = watched.get(entry.target);
      if (!state) continue;
      onScreen[entry.isIntersecting ? "add" : "delete"](entry.target);
      const needed = SHARE * Math.min(entry.boundingClientRect.height, innerHeight);
      if (entry.isIntersecting && entry.intersectionRect.height >= needed) start(entry.target, state);
      else pause(state);
    }
  }, { threshold: STEPS });

  for (const row of watched.keys()) observer.observe(row);
  document.addEventListener("visibilitychange", () => {
    for (const [row, state] of watched) {
      pause(state);
      observer.unobserve(row);
      observer.observe(row);
    }
  }, { signal });
  addEventListener("pagehide", () => keep("sessionStorage", `${store}.ms`, told()), { signal });
  signal.addEventListener("abort", () => {
    observer.disconnect();
    for (const state of watched.values()) clearTimeout(state.alarm);
  });
  return { onScreen, has: (row) => seen.has(seenAs(row)), keys: () => [...seen], times: told };
}
