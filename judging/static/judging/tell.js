/* One sentence for the person, seen and heard, for as long as it takes to read. */

const READ = 8000;
let alarm = 0;

/** Show `words` above the foot; the place is a live region, so they are said too. What it returns takes them away. */
export function tell(words) {
  const place = document.getElementById("live");
  if (!place || !words) return () => {};
  const toast = document.createElement("p");
  toast.className = "toast";
  toast.textContent = words;
  place.replaceChildren(toast);
  clearTimeout(alarm);
  alarm = setTimeout(() => place.replaceChildren(), READ);
  return () => toast.remove();
}
