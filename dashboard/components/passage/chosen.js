// What is lit and what is selected: shown in the text, brought into sight, and told to Python.

// The words of a long mention without its middle: the note tells all of the others.
const MOST_TOLD = 110;
function briefly(text) {
  if (text.length <= MOST_TOLD) return text;
  const first = text.lastIndexOf(" ", 0.6 * MOST_TOLD);
  const last = text.indexOf(" ", text.length - 0.3 * MOST_TOLD);
  return `${text.slice(0, first < 0 ? 66 : first)} … ${text.slice(last < 0 ? -33 : last + 1)}`;
}

function light(page, index) {
  const { root, data } = page;
  root.querySelectorAll(".lit, .lit-key, .lit-response, .lit-split").forEach((node) => {
    node.classList.remove("lit", "lit-key", "lit-response", "lit-split");
  });
  const chosen = data.mentions[index];
  page.note.textContent = chosen ? "" : data.hint;
  if (!chosen) return;
  const { tint } = chosen;
  const letter = tint?.letter ? `${tint.letter} · ` : "";
  const text = element("q", "", briefly(chosen.text));
  text.title = chosen.text;
  page.note.append(text, `${letter}${chosen.says}`);
  const shares = (m, side) => chosen.entities[side] && m.entities[side] === chosen.entities[side];
  const refers = (m) => chosen.antecedents.some((of, side) => of.includes(m.entities[side]));
  root.querySelectorAll(".lines [data-mention].lane, .lines .label").forEach((node) => {
    const mention = data.mentions[node.dataset.mention];
    const styles = [];
    if (shares(mention, 0)) styles.push("lit-key");
    if (shares(mention, 1) || shares(mention, 2)) styles.push("lit-response");
    if (refers(mention)) styles.push("lit-split");
    node.classList.add(...styles);
    node.closest(".word").classList.add(...styles);
    if (mention === chosen) node.classList.add("lit");
  });
}

function chosenIndex(page) {
  return page.data.mentions.findIndex((mention) => mention.span === page.chosen);
}

function hit(event) {
  const found = event.target.closest?.("[data-mention]");
  return found && found.dataset.mention !== "" ? Number(found.dataset.mention) : -1;
}

function show(page) {
  light(page, chosenIndex(page));
  const { errors, numbers, n_errors: n, noun } = page.data;
  const at = errors.indexOf(page.chosen);
  page.count.textContent = `${at < 0 ? "" : `${written(numbers[at])} of `}${counted(n, noun)}`;
  page.previous.firstChild.textContent = `Previous ${noun}`;
  page.next.firstChild.textContent = `Next ${noun}`;
  page.previous.disabled = !neighbour(page, -1);
  page.next.disabled = !neighbour(page, 1);
}

function choose(page, at) {
  page.chosen = at;
  page.sent = at;
  page.moving = at !== "";
  show(page);
  if (page.moving) goToChosen(page);
  page.send("chosen", at);
}

function goToChosen(page) {
  const found = page.root.querySelector(`.lines .label[data-at="${page.chosen}"]`);
  if (!found) return;
  page.moving = false;
  found.focus({ preventScroll: true });
  reveal(page, found);
}

function reveal(page, node) {
  if (!page.data.walks) return node.scrollIntoView({ block: "nearest" });
  const { top, bottom } = node.getBoundingClientRect();
  const roof = page.bar.getBoundingClientRect().bottom;
  const floor = Math.min(window.innerHeight, dockTop(page)) - 40;
  if (top < roof || bottom > floor) node.scrollIntoView({ block: "center" });
}

// A page is drawn piece by piece, and what stands above the text changes its height meanwhile: the
// mention that a link selects is brought into sight again, until somebody does something.
function keepInSight(page) {
  const stop = new AbortController();
  const timer = setInterval(() => {
    const found = page.root.querySelector(`.lines .label[data-at="${page.chosen}"]`);
    if (found) reveal(page, found);
  }, 100);
  stop.signal.addEventListener("abort", () => clearInterval(timer));
  for (const name of ["pointerdown", "keydown", "wheel", "touchmove"]) {
    addEventListener(name, () => stop.abort(), { capture: true, passive: true, signal: stop.signal });
  }
  setTimeout(() => stop.abort(), 5000);
}

// Where the chains stand below the text, they hide what is under them.
function dockTop(page) {
  const { top, left } = page.chains.getBoundingClientRect();
  const isBelow = left < page.lines.getBoundingClientRect().right;
  return page.data.chains.length && isBelow ? top : Infinity;
}

function goToPlace(page) {
  const { place } = page;
  const found = [...page.lines.children].find((node) => place < Number(node.dataset.end));
  const [start, end] = page.data.strip.window;
  if (place < start || place >= end || !found) return false;
  page.place = null;
  reveal(page, found);
  found.querySelector(".label")?.focus({ preventScroll: true });
  return true;
}

const order = (at) => {
  const [start, end] = at.split("-").map(Number);
  return start - end / 1e7;
};

// The next or previous error after the selected mention, or after the top of the window.
function neighbour(page, by) {
  const { errors, strip: { window: shown } } = page.data;
  const here = page.chosen ? order(page.chosen) : shown[0] - 0.5;
  return by > 0
    ? errors.find((at) => order(at) > here)
    : errors.findLast((at) => order(at) < here);
}

function step(page, by) {
  const at = neighbour(page, by);
  if (at) choose(page, at);
}

