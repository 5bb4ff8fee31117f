/* What every page does by itself: says results aloud, tells when a request failed, goes to sign in when the session
 * ended, shows a theme before it is saved, copies a hash. */

const FAILED = 6000;

/** Put `text` into the page's one live region; the same text twice is said twice. */
export function announce(text) {
  const region = document.getElementById("said");
  if (!region) return;
  region.textContent = "";
  requestAnimationFrame(() => { region.textContent = text; });
}

/** Show a note that a request failed, until the next one succeeds or `FAILED` ms have passed. */
function complain(title, rest) {
  const place = document.getElementById("live");
  const note = document.getElementById("failed-request")?.content.cloneNode(true);
  if (!place || !note) return;
  note.querySelector("b").textContent = title;
  note.querySelector("[data-rest]").textContent = rest;
  place.replaceChildren(note);
  setTimeout(() => place.replaceChildren(), FAILED);
}

document.addEventListener("htmx:sendError", () => {
  complain("The server did not answer.", "What you see is as it was before. Press again when the connection is back.");
});
document.addEventListener("htmx:responseError", (event) => {
  const { status } = event.detail.xhr;
  const rest = status === 403 ? "Your role does not reach here, or you were signed out. Reload the page." :
    "Nothing was changed. Press again; if it fails again, reload the page.";
  complain(`The server refused (${status}).`, rest);
});
/* A request whose session ended is answered by the page for signing in: that belongs in the window, not in a fragment. */
document.addEventListener("htmx:beforeSwap", (event) => {
  const answered = new URL(event.detail.xhr.responseURL, location.href).pathname;
  if (answered !== document.documentElement.dataset.signIn) return;
  event.detail.shouldSwap = false;
  location.reload();
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) document.getElementById("live")?.replaceChildren();
});
/* A view answers with the header HX-Trigger: {"announce": {"value": "Query 37 finished"}}. */
document.addEventListener("announce", (event) => announce(event.detail.value));

document.addEventListener("change", (event) => {
  if (!event.target.matches?.("[data-theme-choice]")) return;
  const root = document.documentElement;
  if (event.target.value) root.dataset.theme = event.target.value;
  else delete root.dataset.theme;
});

/* Browsers let a page copy only where it was fetched safely; elsewhere the button stays away. */
const offerCopies = () => document.querySelectorAll("[data-copy]").forEach((button) => { button.hidden = false; });
if (navigator.clipboard) {
  offerCopies();
  document.addEventListener("htmx:load", offerCopies); // in what was fetched later, too
}
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  announce("Copied");
});
