// Keeps one entry of the browser's history for each page that somebody went to, and its place; and
// shows names that are too long for their box.
//
// Streamlit, where a link leads to another page, adds the page that is left to the history once
// more, without its settings, and the new page once more for each setting that it writes into the
// URL. Back would come to these: the first is left out, the others take the place of the one before.
// A link to a list of errors on the page that is open (follow) adds one entry only: it stays.

let leaving = false; // by a link, until the URL is the other page's
let arrived = false; // until somebody does something there

addEventListener("pointerdown", () => (arrived = false), true);
addEventListener("keydown", () => (arrived = false), true);
addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.("a");
    const stays = link?.matches(".rows") && link.pathname === location.pathname;
    leaving = link != null && !stays;
  },
  true,
);

globalThis.navigation?.addEventListener("navigate", (event) => {
  if (event.navigationType !== "push" || !event.cancelable) return;
  const { url } = event.destination;
  if (new URL(url).pathname !== location.pathname) {
    arrived = leaving;
    leaving = false;
  } else if (leaving || arrived) {
    event.preventDefault();
    if (!leaving) queueMicrotask(() => history.replaceState(history.state, "", url));
  }
});

// After Back and Forward a page is where it was left. It is drawn piece by piece, and Streamlit takes
// it to its top meanwhile: it is brought to its place until it is drawn and stays there, or somebody
// does something. Until the server answers, the page that is left is there, and may be as long. A page
// is left by a click, a key, or the browser's own buttons: a scroll may be one to the top, for the
// page that follows.

const RESTS = 600; // milliseconds
const LAST = 60_000;
const DRAWN = '.stApp[data-test-script-state="notRunning"]';

const places = new Map(); // how far down, by the keys of the history's entries
let coming; // back to a place: what ends it

const view = () => document.querySelector("[data-testid=stMain]");

function note() {
  if (view() && !coming) places.set(globalThis.navigation?.currentEntry.key, view().scrollTop);
}

function stay() {
  coming?.();
  coming = undefined;
}

function comeBack(top) {
  let rest;
  const timer = setInterval(() => {
    if (!view()) return;
    if (document.querySelector(DRAWN) && Math.abs(view().scrollTop - top) < 2) {
      rest ??= setTimeout(stay, RESTS);
      return;
    }
    clearTimeout(rest);
    rest = undefined;
    view().scrollTop = top;
  }, 30);
  const end = setTimeout(stay, LAST);
  coming = () => [clearInterval(timer), clearTimeout(rest), clearTimeout(end)];
}

for (const name of ["wheel", "touchmove"]) addEventListener(name, stay, { passive: true });
for (const name of ["pointerdown", "keydown"]) addEventListener(name, () => [stay(), note()], true);

globalThis.navigation?.addEventListener("navigate", ({ navigationType, destination }) => {
  if (navigationType !== "traverse") return;
  note();
  stay();
  const top = places.get(destination.key);
  if (top) comeBack(top);
});

// Shows on hover the whole of what is selected in a box that is too narrow for it, such as the name
// of a file in the sidebar.

addEventListener("pointerover", ({ target }) => {
  if (target.matches?.("input[role=combobox]")) target.title = target.value;
});

export default function () {}
