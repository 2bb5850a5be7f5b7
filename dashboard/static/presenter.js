// Keys for cards that are gone through one by one: each presses the button that the page has for it.
// The hint that tells them stands there from the moment they work.

const KEYS = {
  ArrowRight: "card_forward",
  PageDown: "card_forward",
  ArrowLeft: "card_back",
  PageUp: "card_back",
  Escape: "card_leave",
  a: "choose_a",
  b: "choose_b",
  s: "choose_same",
};

// Where letters and arrows have a meaning of their own
const OWN = "input, textarea, select, [contenteditable=true], [role=radiogroup], [role=listbox]";

let asks = false; // whether the page has something to choose, or is about to draw it

// The buttons to choose by are drawn a little later than what tells these keys of them, and that a
// little later than the card: a quick key waits for both.
function click(name, tries) {
  const button = document.querySelector(`.st-key-${name} button:not(:disabled)`);
  if (button) button.click();
  else if (tries > 0) setTimeout(click, 50, name, tries - 1);
}

function press(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.composedPath()[0]?.closest?.(OWN)) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!KEYS[key]) return;
  // A presenter's remote control sends these; elsewhere they scroll
  if (key.startsWith("Page") && !document.querySelector(".st-key-card_leave")) return;
  event.preventDefault();
  click(KEYS[key], asks ? 40 : 10);
}

export default function ({ parentElement, data }) {
  const hint = parentElement.querySelector(".keys") ?? document.createElement("p");
  hint.className = "keys";
  hint.textContent = data.hint;
  asks = data.asks;
  parentElement.append(hint);
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);
}
