/* Put into every page before its own scripts: when keys were pressed, painted and acknowledged, in ms since 1970.
 * Kept in sessionStorage, so that a page that is loaded anew forgets nothing. */
(() => {
  const kept = JSON.parse(sessionStorage.getItem("watched") ?? '{"painted":[],"acknowledged":[],"next":[],"keys":0,"left":null}');
  const keep = () => sessionStorage.setItem("watched", JSON.stringify(kept));
  const now = () => performance.timeOrigin + performance.now();
  const onPainted = (run) => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = run; port2.postMessage(0); });
  const pressed = [];
  const shown = () => document.getElementById("judge")?.dataset.assignment;

  addEventListener("keydown", (event) => {
    const at = performance.timeOrigin + event.timeStamp;
    kept.keys += 1;
    if (/^Digit[0-3]$/.test(event.code)) {
      pressed.push(at);
      const row = document.querySelector("[data-candidate][aria-current=true]");
      onPainted(() => {
        if (row?.querySelector("input:checked")?.value === event.code.at(-1)) kept.painted.push(now() - at);
        keep();
      });
    }
    if (event.code === "Enter") kept.left = { at, from: shown() };
    keep();
  }, { capture: true });

  keep();
  const send = window.fetch;
  window.fetch = async (url, options) => {
    const response = await send(url, options);
    if (String(url).endsWith("/mark") && response.ok) {
      kept.acknowledged.push(now() - pressed.shift());
      keep();
    }
    return response;
  };

  const look = () => {
    if (kept.left && shown() && shown() !== kept.left.from && document.querySelector("[data-candidate]")) {
      const { at } = kept.left;
      kept.left = null;
      onPainted(() => { kept.next.push(now() - at); keep(); });
    }
    requestAnimationFrame(look);
  };
  look();
})();
