/* What this browser keeps. A store may be full, forbidden, or hold what nobody can read; then nothing is kept, and the
 * page works on. `store` is "localStorage" or "sessionStorage". */

function attempt(run, otherwise) {
  try {
    return run();
  } catch {
    return otherwise;
  }
}

/** Keep `value` under `name`. */
export const keep = (store, name, value) => attempt(() => window[store].setItem(name, JSON.stringify(value)));

/** What is kept under `name`; null where nothing is, or nothing that can be read. */
export const recall = (store, name) => attempt(() => JSON.parse(window[store].getItem(name)), null);

export const forget = (store, name) => attempt(() => window[store].removeItem(name));

/** The names that begin with `prefix`, sorted. */
export const namesOf = (store, prefix) => attempt(() => Object.keys(window[store]).filter((name) => name.startsWith(prefix)).sort(), []);
