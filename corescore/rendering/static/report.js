// Opens sections, unpacks plotly, and draws the charts of a report from the values in the file: a
// chart in a closed section has no width, so it is drawn when the section is opened. On paper all
// sections are open, and charts are as wide as the page.

const PAPER = 700; // pixels across a printed page
const charts = JSON.parse(document.getElementById("charts").textContent);
const places = charts.map((_, at) => document.getElementById(`chart-${at + 1}`));
const folds = [...document.querySelectorAll("details")];
const drawn = new Set();
let closed = []; // the folds that are open for print alone
let isPrinted = false;

async function unpacked(name) {
  const packed = atob(document.getElementById(name).textContent);
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

// Draw the charts of an open fold, or fit those that were drawn in another window.
function show(fold) {
  if (!globalThis.Plotly || !fold.open) return;
  places.forEach((place, at) => {
    if (!fold.contains(place)) return;
    if (drawn.has(place)) {
      if (!isPrinted) Plotly.Plots.resize(place);
      return;
    }
    drawn.add(place);
    const { data, layout, config } = charts[at];
    Plotly.newPlot(place, data, layout, config);
  });
}

function refit(size) {
  places.filter((place) => drawn.has(place)).forEach((place) => Plotly.relayout(place, size));
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = target?.closest("details");
  if (!fold) return;
  fold.open = true;
  target.scrollIntoView();
}

function beforePrint() {
  isPrinted = true;
  closed = folds.filter((fold) => !fold.open);
  folds.forEach((fold) => {
    fold.open = true;
    show(fold);
  });
  refit({ width: PAPER, autosize: false });
}

function afterPrint() {
  refit({ width: null, autosize: true });
  closed.forEach((fold) => {
    fold.open = false;
  });
  isPrinted = false;
}

folds.forEach((fold) => fold.addEventListener("toggle", () => show(fold)));
addEventListener("hashchange", openTarget);
document.addEventListener("click", ({ target }) => {
  // A link to where one is already changes nothing in the URL.
  if (target.closest("a")?.hash === location.hash) openTarget();
});
addEventListener("beforeprint", beforePrint);
addEventListener("afterprint", afterPrint);
openTarget();
if (charts.length) {
  unpacked("plotly").then((code) => {
    const script = document.createElement("script");
    script.textContent = code;
    document.head.append(script);
    folds.forEach(show);
  });
}
