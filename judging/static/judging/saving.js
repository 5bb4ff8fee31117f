/* Marks on their way to the server: sent at once and in order, kept in the browser until they are acknowledged, tried
 * again after 2, 4, 8 … 60 s and when the connection is back. A mark made meanwhile is a try of its own and moves
 * none of those. Each is stored under a name of its own, so two windows of one person lose nothing of each other;
 * whatever a closed window left behind is sent by the next one. */

const AGAIN = [2, 4, 8, 16, 32, 60];
const PATIENCE = 10_000;
const SIGNED_OUT = "You were signed out. Sign in again in another window; your marks are kept here until then.";
const LOST = "You were signed out, or this window lost its cookie. Reload the page, and sign in where it asks; your marks are kept here and sent then.";
const CLOSED = "Who is signed in here now cannot open this corpus. Sign in as yourself in another window; your marks are kept here until then.";
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

/** What an answer means: {saved}, {refused: words}, or {later: words}. Only the judging view itself refuses a mark. */
async function meaning(response) {
  if (response.type === "opaqueredirect" || response.status === 403) return { later: ownToken() ? SIGNED_OUT : LOST };
  const ours = response.headers.get("Content-Type")?.startsWith("application/json");
  // A page of something in between, such as a network's own sign-in, decides nothing.
  if (!ours) return { later: response.status === 404 ? CLOSED : "" };
  const told = await response.json();
  if (response.ok) return { saved: told };
  return told.someone_else || response.status >= 500 ? { later: told.refused ?? "" } : { refused: told.refused };
}

/**
 * The queue of one person's marks.
 *
 * `onPress()` is called for each mark that is made, `onSaved(entry, answer)` and `onRefused(entry, words)` tell what
 * became of it; `onState({ unsaved, words, wait })` tells how many are on their way, why, and in how many seconds they
 * are tried again; `onArrived(count)` how many of those that waited are saved, once all are.
 */
export function savingMarks({ assessor, onPress, onSaved, onRefused, onState, onArrived }) {
  const mine = `${PREFIX}.${assessor}.`;
  const queue = Object.keys(localStorage).filter((name) => name.startsWith(mine)).sort()
    .map((name) => ({ name, ...JSON.parse(localStorage.getItem(name)) }));
  let failures = 0;
  let sending = false;
  let alarm = 0;
  let due = 0; // when they are tried again
  let isLate = false; // whether a try has failed since the queue was empty
  let arrivals = 0; // of the late ones, saved
  let hasTold = false; // whether more was said of one of them than that it is saved
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
    hasTold ||= told.refused !== undefined || told.saved.stands === false || Boolean(told.saved.words);
    arrivals += isLate;
    if (told.refused === undefined) onSaved(entry, told.saved);
    else onRefused(entry, told.refused);
  }

  /** Name the moment of the next try, if it has none. */
  function tryLater() {
    isLate = true;
    if (alarm) return;
    const wait = AGAIN[Math.min(failures, AGAIN.length - 1)] * 1000;
    failures += 1;
    due = Date.now() + wait;
    alarm = setTimeout(() => { alarm = 0; send(); }, wait);
  }

  function stopTrying() {
    clearTimeout(alarm);
    [alarm, failures] = [0, 0];
  }

  function emptied() {
    if (arrivals && !hasTold) onArrived(arrivals);
    [isLate, arrivals, hasTold] = [false, 0, false];
  }

  async function send() {
    if (sending) return;
    sending = true;
    try {
      while (queue.length && await sentFirst());
      if (!queue.length) emptied();
    } finally {
      sending = false;
    }
  }

  /** Send the first of the queue; false, and another try later, where it was not acknowledged. */
  async function sentFirst() {
    const told = await attempt(queue[0]);
    if (told.later !== undefined) {
      tryLater();
      tell(told.later, Math.max(1, Math.ceil((due - Date.now()) / 1000)));
      return false;
    }
    stopTrying();
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
    onPress();
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
  return { add, send, settled, waiting: () => [...queue], report: () => tell() };
}
