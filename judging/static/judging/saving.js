/* Marks on their way to the server: sent at once and in order, kept in the browser until they are acknowledged, tried
 * again after 2, 4, 8 … 60 s and when the connection is back. A mark made meanwhile is a try of its own and moves
 * none of those. Those of each query stand in a line of their own, so what cannot be sent holds up no other query. Each is
 * stored under a name of its own, so two windows of one person lose nothing of each other; whatever a closed window left
 * behind is sent by the next one. */

import { forget, keep, namesOf, recall } from "../curation/kept.js";

const AGAIN = [2, 4, 8, 16, 32, 60];
const PATIENCE = 10_000;
const SIGNED_OUT = "You were signed out. Sign in again in another window; your marks are kept here until then.";
const LOST = "You were signed out, or this window lost its cookie. Reload the page, and sign in where it asks; your marks are kept here and sent then.";
const CLOSED = "Who is signed in here now cannot open this corpus. Sign in as yourself in another window; your marks are kept here until then.";
const NO_JUDGE = "Who is signed in here now does not judge in this corpus. If that is you, ask a lead for the role back; else sign in as yourself in another window. Your marks are kept here until then.";
const PREFIX = "hardset.mark";

/** A name that nobody makes twice. */
export function newToken() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The token against forgery: read each time, because signing in changes it. */
const ownToken = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";

/** Post `fields` for JSON. */
export function post(url, fields) {
  return fetch(url, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { Accept: "application/json", "X-CSRFToken": ownToken() },
    redirect: "manual",
    signal: AbortSignal.timeout(PATIENCE),
  });
}

/** Why nobody is let in; `status` is 403 where the person who is signed in is not, and 0 where nobody is signed in. */
function barred(status) {
  if (!ownToken()) return LOST;
  return status === 403 ? NO_JUDGE : SIGNED_OUT;
}

/** What an answer means: {saved}, {refused: words}, or {later: words}. Only the judging view itself refuses a mark. */
async function meaning(response) {
  if (response.type === "opaqueredirect" || response.status === 403) return { later: barred(response.status) };
  const ours = response.headers.get("Content-Type")?.startsWith("application/json");
  // A page of something in between, such as a network's own sign-in, decides nothing.
  if (!ours) return { later: response.status === 404 ? CLOSED : "" };
  const told = await response.json();
  if (response.ok) return { saved: told };
  return told.someone_else || response.status >= 500 ? { later: told.refused ?? "" } : { refused: told.refused };
}

/** The line in which a press waits: that of its query. */
const lineName = (url) => url.slice(0, url.lastIndexOf("/"));

/** What earlier windows left behind, in order; what cannot be read is nothing. */
function leftBehind(prefix) {
  const entries = namesOf("localStorage", prefix).map((name) => ({ ...recall("localStorage", name), name }));
  const [read, unread] = [[], []];
  for (const entry of entries) (typeof entry.url === "string" && entry.fields ? read : unread).push(entry);
  for (const { name } of unread) forget("localStorage", name);
  return read;
}

const newLine = () => ({
  entries: [],
  waiters: [],
  isSending: false,
  failures: 0,
  alarm: 0,
  due: 0, // when it is tried again
  isLate: false, // whether a try has failed since it was empty
  arrivals: 0, // of the late ones, saved
  hasTold: false, // whether more was said of one of them than that it is saved
});

async function attempt(entry) {
  try {
    return await meaning(await post(entry.url, entry.fields));
  } catch {
    return { later: "" };
  }
}

/**
 * The marks of one person on their way.
 *
 * `onSaved(entry, answer)` and `onRefused(entry, words)` tell what became of a mark; `onState({ unsaved, words, wait })`
 * tells how many are on their way, why, and in how many seconds they are tried again; `onArrived(count)` how many of
 * those that waited are saved, once all of their query are.
 */
export function savingMarks({ assessor, onSaved, onRefused, onState, onArrived }) {
  const mine = `${PREFIX}.${assessor}.`;
  const lines = new Map();
  let latest = 0;

  const waiting = () => [...lines.values()].flatMap((line) => line.entries);

  function lineOf(url) {
    const name = lineName(url);
    if (!lines.has(name)) lines.set(name, newLine());
    return lines.get(name);
  }

  function tell(words = "", wait = 0) {
    onState({ unsaved: waiting().length, words, wait });
  }

  /** Names sort by when the key was pressed, two presses of one millisecond too. */
  function nameOf(token) {
    latest = Math.max(latest + 1, Date.now());
    return `${mine}${String(latest).padStart(15, "0")}.${token}`;
  }

  function close(line, told) {
    const entry = line.entries.shift();
    forget("localStorage", entry.name);
    line.hasTold ||= told.refused !== undefined || told.saved.stands === false || Boolean(told.saved.words);
    line.arrivals += line.isLate;
    if (told.refused === undefined) onSaved(entry, told.saved);
    else onRefused(entry, told.refused);
  }

  /** Name the moment of the next try, if it has none. */
  function tryLater(line) {
    line.isLate = true;
    if (line.alarm) return;
    const wait = AGAIN[Math.min(line.failures, AGAIN.length - 1)] * 1000;
    line.failures += 1;
    line.due = Date.now() + wait;
    line.alarm = setTimeout(() => { line.alarm = 0; sendLine(line); }, wait);
  }

  /** It was acknowledged: what waits in other lines may be, too, and need not wait for its moment. */
  function isBack(line) {
    clearTimeout(line.alarm);
    [line.alarm, line.failures] = [0, 0];
    if (line.isLate) send();
  }

  function settle(line, isSaved) {
    for (const done of line.waiters.splice(0)) done(isSaved);
  }

  function emptied(line) {
    if (line.arrivals && !line.hasTold) onArrived(line.arrivals);
    [line.isLate, line.arrivals, line.hasTold] = [false, 0, false];
  }

  async function sendLine(line) {
    if (line.isSending || !line.entries.length) return;
    line.isSending = true;
    try {
      while (line.entries.length && await sentFirst(line));
      if (!line.entries.length) emptied(line);
    } finally {
      line.isSending = false;
    }
  }

  function send() {
    for (const line of lines.values()) sendLine(line);
  }

  /** Send the first of a line; false, and another try later, where it was not acknowledged. */
  async function sentFirst(line) {
    const told = await attempt(line.entries[0]);
    if (told.later !== undefined) {
      tryLater(line);
      tell(told.later, Math.max(1, Math.ceil((line.due - Date.now()) / 1000)));
      settle(line, false);
      return false;
    }
    isBack(line);
    close(line, told);
    tell();
    if (!line.entries.length) settle(line, true);
    return true;
  }

  function add(url, fields, about) {
    const entry = { name: nameOf(fields.token), url, fields, about };
    const line = lineOf(url);
    line.entries.push(entry);
    keep("localStorage", entry.name, { url, fields, about }); // where it is not kept, this window has it, and leaving asks
    tell();
    sendLine(line);
  }

  /** Wait until every mark of the query of `url` is saved (true) or one of them could not be sent (false). */
  function settled(url) {
    const line = lineOf(url);
    if (!line.entries.length) return Promise.resolve(true);
    sendLine(line);
    return new Promise((done) => { line.waiters.push(done); });
  }

  for (const entry of leftBehind(mine)) lineOf(entry.url).entries.push(entry);
  addEventListener("online", send);
  addEventListener("beforeunload", (event) => { if (waiting().length) event.preventDefault(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) send(); });
  tell();
  send();
  return { add, send, settled, waiting, report: () => tell() };
}
