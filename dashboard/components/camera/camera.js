// The camera of a chart saves it as it would stand on paper: dark on white in either theme, with its
// font in the file. Plotly saves the colours of the page, and names a font that a reader may lack.

const NEUTRAL = 40; // greys, and near them: at most this between the strongest and weakest channel

const channels = (colour) => colour.match(/[\d.]+/g)?.map(Number) ?? [];
const isDark = ([red, green, blue]) => red + green + blue < 3 * 128;

// A grey as light as it was dark, in its hue, but a text always dark; the colours of marks stay as
// they are.
function onPaper(colour, isText) {
  const [red, green, blue, opacity = 1] = channels(colour);
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  const isInk = isText && isDark([red, green, blue]);
  if (isInk || !(most - least <= NEUTRAL)) return colour;
  const turned = [red, green, blue].map((channel) => channel + 255 - most - least);
  return `rgba(${turned.join(", ")}, ${opacity})`;
}

// All layers of a chart but what is shown under the pointer, over white.
function drawing(chart) {
  const [below, above] = chart.querySelectorAll("svg.main-svg");
  const made = below.cloneNode(true);
  made.append(...above.cloneNode(true).childNodes);
  made.querySelectorAll(".draglayer").forEach((layer) => layer.remove());
  const page = channels(getComputedStyle(chart.closest(".stApp")).backgroundColor);
  made.style.background = "";
  for (const part of isDark(page) ? made.querySelectorAll("[style]") : []) {
    part.style.textShadow = ""; // around texts over marks, in the colour of the page
    for (const name of ["fill", "stroke"]) {
      const colour = part.style[name];
      if (`${channels(colour)}` === `${page}`) part.style[name] = "#fff";
      else if (colour.startsWith("rgb")) part.style[name] = onPaper(colour, part.matches("text, tspan"));
    }
  }
  const paper = document.createElementNS(made.namespaceURI, "rect");
  for (const name of ["width", "height"]) paper.setAttribute(name, made.getAttribute(name));
  paper.setAttribute("fill", "#fff");
  made.prepend(paper);
  return made;
}

// The rules of the fonts that the texts of a drawing are in, each font as data within its rule.
async function fonts(chart) {
  const used = new Set();
  for (const text of chart.querySelectorAll("text, tspan")) {
    const { fontFamily, fontStyle } = getComputedStyle(text);
    used.add(`${fontFamily.split(",")[0].replaceAll('"', "")} ${fontStyle}`);
  }
  const rules = [...document.styleSheets]
    .filter((sheet) => !sheet.href || sheet.href.startsWith(location.origin))
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule)
    .filter(({ style }) => {
      const family = style.getPropertyValue("font-family").replaceAll('"', "");
      return used.has(`${family} ${style.getPropertyValue("font-style") || "normal"}`);
    });
  return (await Promise.all(rules.map(withFont))).join("\n");
}

async function withFont(rule) {
  const [, source] = rule.style.getPropertyValue("src").match(/url\("?([^")]+)/);
  const font = await fetch(new URL(source, rule.parentStyleSheet.href ?? location.href));
  return rule.cssText.replace(source, await asData(await font.blob()));
}

function asData(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

async function asImage(blob, size, scale) {
  const image = new Image(...size);
  image.src = await asData(blob);
  await image.decode();
  const canvas = element("canvas", "");
  [canvas.width, canvas.height] = size.map((length) => length * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

async function save(chart) {
  const { filename, format, scale } = chart._context.toImageButtonOptions;
  const made = drawing(chart);
  const style = document.createElementNS(made.namespaceURI, "style");
  style.textContent = await fonts(chart);
  made.prepend(style);
  const text = new XMLSerializer().serializeToString(made);
  const size = ["width", "height"].map((name) => Number(made.getAttribute(name)));
  let blob = new Blob([text], { type: "image/svg+xml" });
  if (format === "png") blob = await asImage(blob, size, scale);
  const link = element("a", "");
  link.href = URL.createObjectURL(blob);
  link.download = `${filename}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

addEventListener(
  "click",
  (event) => {
    const chart = event.target.closest?.(".modebar-btn")?.closest(".js-plotly-plot");
    if (!chart?._context) return;
    event.stopImmediatePropagation();
    save(chart);
  },
  true,
);

export default function () {}
