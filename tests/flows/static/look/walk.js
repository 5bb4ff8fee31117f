import { bind, roving } from "../curation/keys.js";

const pressed = document.getElementById("pressed");
for (const button of document.querySelectorAll("main button")) {
  button.addEventListener("click", () => { pressed.append(`${button.id} `); });
}
const walk = roving({ rows: () => [...document.querySelectorAll("#rows li")] });
bind({ codes: ["KeyJ", "ArrowDown"], words: "Next row", walks: true, run: () => walk.step(1) });
bind({ codes: ["KeyK", "ArrowUp"], words: "Previous row", walks: true, run: () => walk.step(-1) });
bind({ codes: ["KeyP"], words: "Bound", run: () => pressed.append("bound ") });
