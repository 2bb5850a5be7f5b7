// Follows the page's link to the text when Python says that a row or a point was clicked. A row
// reached with the arrow keys is not yet meant: then the link only changes, and Enter on it goes.

let counted = 0;
let pointed = false;
let leaving = false; // by a link, until the URL is the other page's
let arrived = false; // until somebody does something there

function acted(isPointer) {
  pointed = isPointer;
  arrived = false;
}
addEventListener("pointerdown", () => acted(true), true);
addEventListener("keydown", () => acted(false), true);
addEventListener("click", (event) => (leaving = event.target.closest?.("a") != null), true);

// Streamlit, where a link leads to another page, adds the page that is left to the history once
// more, without its settings, and the new page twice if a setting in the link is the default. Back
// would come to these: the first is left out, the second takes the place of the one before.
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

// The first link of a session is drawn a little later than Python says: its code is still loading.
function go(tries) {
  const link = document.querySelector(".st-key-read a");
  if (link) link.click();
  else if (tries > 0) setTimeout(go, 50, tries - 1);
}

export default function ({ data }) {
  const isNew = data.clicks > counted;
  counted = data.clicks;
  if (isNew && pointed) go(100);
}
