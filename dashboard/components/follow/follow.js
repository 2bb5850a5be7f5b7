// Follows links to the list of errors, and what a click on a row or a point leads to, as the links of
// the sidebar are followed: in the session that is there. A plain link in a table would load the page
// anew and lose what was uploaded.

// Streamlit shows the page that the URL names after Back and Forward, and so after this.
function go(url) {
  history.pushState({}, "", url);
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}

// The first link of a session is drawn a little later than Python says: its code is still loading.
function goToText(tries) {
  const link = document.querySelector(".st-key-read a");
  if (link) link.click();
  else if (tries > 0) setTimeout(goToText, 50, tries - 1);
}

addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.("a.rows");
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (!link || elsewhere) return;
    event.preventDefault();
    go(link.getAttribute("href"));
  },
  true,
);

// One that is reached with the arrow keys is not yet meant: then the page only shows its link, and
// Enter on it goes.
let counted = 0;
let pointed = false;

addEventListener("pointerdown", () => (pointed = true), true);
addEventListener("keydown", () => (pointed = false), true);

export default function ({ data }) {
  const isClickedAnew = data.clicks > counted && pointed;
  counted = data.clicks;
  if (!isClickedAnew) return;
  if (data.url) go(data.url);
  else goToText(100);
}
