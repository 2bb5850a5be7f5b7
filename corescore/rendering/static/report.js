// Unpacks plotly, draws the charts of a report from the values in the file, and fits them to the
// paper in print.

const PAPER = 700; // pixels across a printed page
const charts = JSON.parse(document.getElementById("charts").textContent);
const places = charts.map((_, at) => document.getElementById(`chart-${at + 1}`));

async function unpacked(name) {
  const packed = atob(document.getElementById(name).textContent);
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

function refit(size) {
  places.forEach((place) => Plotly.relayout(place, size));
}

unpacked("plotly").then((code) => {
  const script = document.createElement("script");
  script.textContent = code;
  document.head.append(script);
  charts.forEach(({ data, layout, config }, at) => Plotly.newPlot(places[at], data, layout, config));
  addEventListener("beforeprint", () => refit({ width: PAPER, autosize: false }));
  addEventListener("afterprint", () => refit({ width: null, autosize: true }));
});
