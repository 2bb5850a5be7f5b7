// Keeps one entry of the browser's history for each page that somebody went to.
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

export default function () {}
