// Follows links to the list of errors as the links of the side bar are followed: in the session that
// is there. A plain link in a table would load the page anew and lose what was uploaded.

// Streamlit shows the page that the URL names after Back and Forward, and so after this.
function go(url) {
  history.pushState({}, "", url);
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
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

export default function ({ data }) {
  if (isClickedAnew(data.clicks)) go(data.url);
}
