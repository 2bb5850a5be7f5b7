// Draws the charts of a report from the values in the file, and fits them to the paper in print.

const PAPER = 700; // pixels across a printed page
const charts = JSON.parse(document.getElementById("charts").textContent);
const places = charts.map((_, at) => document.getElementById(`chart-${at + 1}`));
charts.forEach(({ data, layout, config }, at) => Plotly.newPlot(places[at], data, layout, config));

window.addEventListener("beforeprint", () => {
  places.forEach((place) => Plotly.relayout(place, { width: PAPER, autosize: false }));
});
window.addEventListener("afterprint", () => {
  places.forEach((place) => Plotly.relayout(place, { width: null, autosize: true }));
});
