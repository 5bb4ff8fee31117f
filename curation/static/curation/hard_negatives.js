/* Hard negatives: j and k walk the documents, p sends the current one to its query's pool. */

import { bind, roving } from "./keys.js";

const walk = roving({ rows: () => [...document.querySelectorAll("[data-row]")] });

/* After a document was sent the walk goes on from there. */
const sent = document.getElementById(location.hash.slice(1));
if (sent?.matches("[data-row]")) walk.move(sent);

bind({ codes: ["KeyJ", "ArrowDown"], words: "Next document", walks: true, run: () => walk.step(1) });
bind({ codes: ["KeyK", "ArrowUp"], words: "Previous document", walks: true, run: () => walk.step(-1) });
bind({
  codes: ["KeyP"],
  words: "Send the document to judging",
  run: () => walk.current()?.querySelector("form button")?.click(),
});
