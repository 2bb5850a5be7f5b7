// Keys for cards that are gone through one by one: each presses the button that the page has for it.
// The hint that tells them stands there from the moment they work. For a presenter the type grows or
// shrinks until the card fits the window.

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
const OPEN = "[role=dialog]"; // a chart or a list of files, with keys of its own

let asks = false; // whether the page has something to select, or is about to draw it

// Of two clicks on a button before Streamlit runs it sees one. So a key waits until the page was
// drawn after the key before it, or for so long that the drawing must have been lost.
const LOST = 3000;
const waiting = [];
let drawing = 0; // the timer that runs while one is awaited

function next() {
  if (drawing || !waiting.length) return;
  drawing = setTimeout(drawn, LOST);
  click(waiting.shift(), asks ? 40 : 10);
}

function drawn() {
  clearTimeout(drawing);
  drawing = 0;
  next();
}

// The card is drawn first, then this component, then the buttons that make a choice: a quick key
// waits for them.
function click(name, tries) {
  const button = document.querySelector(`.st-key-${name} button:not(:disabled)`);
  if (button) button.click();
  else if (tries > 0) setTimeout(click, 50, name, tries - 1);
  else drawn();
}

function press(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.composedPath()[0]?.closest?.(OWN) || document.querySelector(OPEN)) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!KEYS[key]) return;
  // A presenter's remote control sends these; elsewhere they scroll
  if (key.startsWith("Page") && !document.querySelector(".st-key-card_leave")) return;
  event.preventDefault();
  waiting.push(KEYS[key]);
  next();
}

// The type -----------------------------------------------------------------------------------------

const WIDE = 59; // letters "m" that a window is at least wide, and so on: smaller type shows more
const HIGH = 40;
const MOST_HIGH = 60; // the floor: 15 pixels in a window of 900
const STEP = 0.25;

let steps = 0; // of the type now; most cards fit as the one before them did

function setType(pixels) {
  document.documentElement.style.setProperty("--presented", pixels && `${pixels}px`);
}

// Whether all there is stands in the window, and no table is cut off
function isSeen(stage) {
  const main = stage.closest("[data-testid=stMain]");
  const isCut = (table) => table.scrollWidth > table.clientWidth;
  return main.scrollHeight <= innerHeight && ![...stage.querySelectorAll(".scroll")].some(isCut);
}

// The largest type with which the card fits, if there is one above the floor
function fit(selector) {
  const stage = document.querySelector(selector);
  if (!stage?.lastElementChild) return setType("");
  let most = Math.floor(Math.min(innerWidth / WIDE, innerHeight / HIGH) / STEP);
  let least = Math.min(Math.ceil(innerHeight / MOST_HIGH / STEP), most);
  const fits = (size) => (setType(size * STEP), isSeen(stage));
  for (let tries = 0; least < most; tries++) {
    const near = Math.min(Math.max(steps + tries, least + 1), most);
    const size = tries < 2 ? near : Math.ceil((least + most) / 2);
    if (fits(size)) least = size;
    else most = size - 1;
  }
  steps = least;
  setType(steps * STEP);
}

// Fits now and whenever the page or the window changes, before that is painted, until it is stopped
function keepFitting(selector, signal) {
  let frame = 0;
  const later = () => {
    cancelAnimationFrame(frame);
    if (!signal.aborted) frame = requestAnimationFrame(() => fit(selector));
  };
  const changes = new MutationObserver(later);
  changes.observe(document.querySelector("[data-testid=stMain]"), { childList: true, subtree: true });
  addEventListener("resize", later, { signal });
  signal.addEventListener("abort", () => {
    cancelAnimationFrame(frame);
    changes.disconnect();
  });
  document.fonts.ready.then(later);
  later();
}

// Streamlit calls this whenever `data` changes, and the last function returned when the component is
// removed. Where the buttons beside it change there are two for a while: one that leaves, which may
// be drawn last and with the data from before, and one that stays. So the newest data of those that
// are there count, and keys and fitting end when the last is gone.
const present = new Map(); // data by element
let own = null; // ends what is going on

function hold() {
  own?.abort();
  own = new AbortController();
  const [data] = [...present.values()].sort((one, other) => other.times - one.times);
  if (!data) {
    setType("");
    waiting.length = 0;
    return;
  }
  asks = data.asks;
  addEventListener("keydown", press, { signal: own.signal });
  if (data.fits) keepFitting(data.fits, own.signal);
  else setType("");
}

export default function ({ parentElement, data }) {
  const hint = parentElement.querySelector(".keys") ?? element("p", "keys");
  hint.textContent = data.hint;
  parentElement.append(hint);
  present.set(parentElement, data);
  hold();
  drawn();
  return () => {
    present.delete(parentElement);
    hold();
  };
}
