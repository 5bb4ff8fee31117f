/* Marks on their way to the server: sent at once and in order, kept in the browser until they are acknowledged, tried
 * again after 2, 4, 8 … 60 s and when the connection is back. Each is stored under a name of its own, so two windows
 * of one person lose nothing of each other; whatever a closed window left behind is sent by the next one. */

const AGAIN = [2, 4, 8, 16, 32, 60];
const PATIENCE = 10_000;
const SIGNED_OUT = "You were signed out. Sign in again in another window; your marks are kept here until then.";
const PREFIX = "hardset.mark";

/** A name that nobody makes twice. */
export function newToken() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Post `fields` for JSON; the token against forgery is read each time, because signing in changes it. */
export function post(url, fields) {
  const token = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
  return fetch(url, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { Accept: "application/json", "X-CSRFToken": token },
    redirect: "manual",
    signal: AbortSignal.timeout(PATIENCE),
  });
}

/** What an answer means: {saved}, {refused: words}, or {later: words}. */
async function meaning(response) {
  if (response.type === "opaqueredirect" || response.status === 403) return { later: SIGNED_OUT };
  const ours = response.headers.get("Content-Type")?.startsWith("application/json");
  if (response.ok && !ours) return { later: "" }; // a page of something in between, such as a network's own sign-in
  const told = ours ? await response.json() : {};
  if (response.ok) return { saved: told };
  if (told.someone_else || response.status >= 500) return { later: told.refused ?? "" };
  return { refused: told.refused ?? "The server does not know this document any more." };
}

/**
 * The queue of one person's marks.
 *
 * `onSaved(entry, answer)` and `onRefused(entry, words)` tell what became of each; `onState({ unsaved, words, wait })`
 * tells how many are on their way, why, and in how many seconds they are tried again.
 */
export function savingMarks({ assessor, onSaved, onRefused, onState }) {
  const mine = `${PREFIX}.${assessor}.`;
  const queue = Object.keys(localStorage).filter((name) => name.startsWith(mine)).sort()
    .map((name) => ({ name, ...JSON.parse(localStorage.getItem(name)) }));
  let failures = 0;
  let sending = false;
  let alarm = 0;
  let waiters = [];
  let latest = 0;

  function tell(words = "", wait = 0) {
    onState({ unsaved: queue.length, words, wait });
    if (queue.length && !wait) return;
    for (const done of waiters) done(queue.length === 0);
    waiters = [];
  }

  /** Names sort by when the key was pressed, two presses of one millisecond too. */
  function nameOf(token) {
    latest = Math.max(latest + 1, Date.now());
    return `${mine}${String(latest).padStart(15, "0")}.${token}`;
  }

  async function attempt(entry) {
    try {
      return await meaning(await post(entry.url, entry.fields));
    } catch {
      return { later: "" };
    }
  }

  function close(entry, told) {
    queue.splice(queue.indexOf(entry), 1);
    localStorage.removeItem(entry.name);
    if (told.refused === undefined) onSaved(entry, told.saved);
    else onRefused(entry, told.refused);
  }

  async function send() {
    if (sending) return;
    sending = true;
    clearTimeout(alarm);
    try {
      while (queue.length && await sentFirst());
    } finally {
      sending = false;
    }
  }

  /** Send the first of the queue; false, and another try later, where it was not acknowledged. */
  async function sentFirst() {
    const told = await attempt(queue[0]);
    if (told.later !== undefined) {
      const wait = AGAIN[Math.min(failures, AGAIN.length - 1)];
      failures += 1;
      alarm = setTimeout(send, wait * 1000);
      tell(told.later, wait);
      return false;
    }
    failures = 0;
    close(queue[0], told);
    tell();
    return true;
  }

  function add(url, fields, about) {
    const entry = { name: nameOf(fields.token), url, fields, about };
    queue.push(entry);
    try {
      localStorage.setItem(entry.name, JSON.stringify({ url, fields, about }));
    } catch {
      /* a full or forbidden store: the mark is still in this window's queue, and leaving asks */
    }
    tell();
    send();
  }

  /** Wait until every mark is saved (true) or one of them could not be sent (false). */
  function settled() {
    if (!queue.length) return Promise.resolve(true);
    send();
    return new Promise((done) => { waiters.push(done); });
  }

  addEventListener("online", send);
  addEventListener("beforeunload", (event) => { if (queue.length) event.preventDefault(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) send(); });
  tell();
  send();
  return { add, send, settled, report: () => tell() };
}
