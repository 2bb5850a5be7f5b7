// Draws one passage once for each metric, its mentions shaded by the credit that the metric gives
// them; pointing at a mention lights it up in all of them. Above them: where the document's losses
// are, and a bar with what each metric gives the mention that is pointed at; a click keeps it there
// while others are pointed at. Up to two metrics chosen in the bar are drawn alone, side by side. It tells Python
// which mention was clicked ("mention"), which stretch ("place") and which metrics ("metrics").

function titled(title) {
  const made = element("span", "title");
  const last = title.at(-1);
  const below = { "ₘ": "m", "ₑ": "e" }[last];
  made.append(below ? title.slice(0, -1) : title);
  if (below) made.append(element("sub", "", below));
  return made;
}

const STRONG = 0.6; // the share from which a shade is strong, see credit.css

const shadeOf = (share) => (share >= STRONG ? "some strong" : share > 0 ? "some" : "none");

function mark(mention, index, panel) {
  const share = mention.shares[panel];
  const kind = share === null ? "unearnable" : shadeOf(share);
  const made = element("span", `mention ${kind} ${mention.status.replace(" ", "-")}`);
  if (share > 0) made.style.setProperty("--share", share);
  made.dataset.mention = index;
  return made;
}

function open(mentions, index, panel, seen, isFirst) {
  const made = mark(mentions[index], index, panel);
  if (!seen.has(index)) {
    seen.add(index);
    if (isFirst) made.append(stop(mentions[index]));
    else if (mentions[index].letter) made.append(element("b", "letter", mentions[index].letter));
  }
  return made;
}

// Where the keyboard stops: before the words of a mention, as a button must not contain others.
function stop({ letter, text, where, status_words, spoken }) {
  const made = element("b", letter ? "letter stop" : "stop", letter);
  made.tabIndex = -1;
  made.setAttribute("role", "button");
  made.setAttribute("aria-label", `${text}. ${status_words}, ${where}. ${spoken}`);
  return made;
}

function text(words, mentions, panel, isFirst) {
  const made = element("div", "text");
  made.dir = "auto";
  const stack = [made];
  const seen = new Set();
  words.forEach(([form, opened, closed, sentence], at) => {
    if (at) stack.at(-1).append(" ");
    if (sentence) made.append(element("span", "number", sentence), " ");
    for (const index of opened) {
      const span = open(mentions, index, panel, seen, isFirst);
      stack.at(-1).append(span);
      stack.push(span);
    }
    stack.at(-1).append(form);
    stack.length -= closed;
  });
  const depth = (node) => {
    const inner = [...node.children].filter((child) => child.dataset.mention).map(depth);
    const own = inner.length ? Math.max(...inner) + 1 : 0;
    if (node !== made) node.style.setProperty("--depth", own);
    return own;
  };
  depth(made);
  return made;
}

function panel(values, words, mentions, number, isFirst) {
  const made = element("section", "panel");
  made.style.setProperty("--metric", values.colour);
  const head = element("header", "");
  head.append(titled(values.title), element("span", "score", values.score));
  made.append(head);
  // Above the passage, so that the reasons of all six are on the first screen.
  if (values.why) made.append(element("p", "why", values.why));
  made.append(text(words, mentions, number, isFirst));
  if (!isFirst) made.querySelector(".text").setAttribute("aria-hidden", "true");
  return made;
}

function legend(entries) {
  const made = element("details", "legend");
  const summary = element("summary", "", "?");
  summary.title = "Meaning of the marks";
  summary.setAttribute("aria-label", summary.title);
  const told = element("div", "marks-told");
  made.append(summary, told);
  const scale = element("span", "scale");
  scale.append("share of the possible credit:");
  for (const [share, words] of [[0, "none"], [0.25, "25%"], [0.5, "50%"], [0.75, "75%"], [1, "full"]]) {
    const swatch = element("span", `mention sample ${shadeOf(share)}`, words);
    swatch.style.setProperty("--share", share);
    scale.append(swatch);
  }
  told.append(scale);
  for (const [status, letter, words] of entries) {
    const entry = element("span", "entry");
    const sign = element("span", `mention sample none ${status.replace(" ", "-")}`);
    if (status === "unearnable") sign.className = "mention sample unearnable";
    if (letter) sign.append(element("b", "letter", letter));
    sign.append("abc");
    entry.append(sign, words);
    told.append(entry);
  }
  return made;
}

// The bar: a button for each metric, with what it gives the selected mention.
function buildBar(panels, side, entries, choose) {
  const bar = element("div", "earned");
  const note = element("div", "note");
  note.setAttribute("aria-live", "polite");
  const cells = element("div", "cells");
  cells.setAttribute("role", "group");
  cells.setAttribute("aria-label", "Metrics to draw");
  for (const values of panels) {
    const cell = element("button", "cell");
    cell.type = "button";
    cell.style.setProperty("--metric", values.colour);
    cell.setAttribute("aria-pressed", side.includes(values.metric));
    const what = side.includes(values.metric) ? "Click to hide" : "Click to draw it alone, or next to another";
    cell.title = values.percent ? `${values.percent}. ${what}` : what;
    cell.append(titled(values.title), " ", element("b", "", values.share));
    cell.addEventListener("click", () => choose(values.metric));
    cells.append(cell);
  }
  bar.append(note, cells, legend(entries));
  return [bar, note];
}

const markOf = (node) => node?.closest?.(".grid [data-mention]");

export default function ({ parentElement, data, setTriggerValue }) {
  const { words, mentions, hint, chosen, where, metrics } = data;
  const panels = data.panels.filter((values) => !metrics.length || metrics.includes(values.metric));
  const places = panels.map((values) => data.panels.indexOf(values));
  const before = parentElement.querySelector(".credit");
  const active = parentElement.getRootNode().activeElement;
  const focused = before?.contains(active) ? markOf(active)?.dataset.mention : undefined;
  const root = element("div", "credit");
  const [bar, note] = buildBar(data.panels, metrics, data.legend, (metric) => {
    const others = metrics.filter((one) => one !== metric);
    const now = others.length < metrics.length ? others : [...others.slice(-1), metric];
    setTriggerValue("metrics", now.join(" "));
  });
  const grid = element("div", metrics.length ? "grid few" : "grid");
  panels.forEach((values, number) => grid.append(panel(values, words, mentions, places[number], !number)));
  const strip = buildStrip();
  drawStrip(strip, data.strip, "loss", chosen);
  let sent; // the mention that was clicked since the page was drawn
  listenToStrip(strip, (word) => {
    // Of two that come in one breath Streamlit may pass on only the last: what was sent goes along.
    if (sent !== undefined) setTriggerValue("mention", sent);
    setTriggerValue("place", word);
  });
  root.append(strip, bar, grid);
  before?.remove();
  parentElement.append(root);

  const scores = [...root.querySelectorAll(".score")];
  const sums = [...bar.querySelectorAll(".cell b")];
  const stops = [...root.querySelectorAll("[role=button]")];
  const selected = mentions.findIndex((mention) => mention.span === chosen);
  const all = (index) => root.querySelectorAll(`.grid [data-mention="${index}"]`);
  all(selected).forEach((node) => node.classList.add("chosen"));
  const first = stops.find((node) => Number(markOf(node).dataset.mention) === selected) ?? stops[0];
  if (first) first.tabIndex = 0;

  const show = (index) => {
    root.querySelectorAll(".lit, .kin").forEach((node) => node.classList.remove("lit", "kin"));
    const mention = mentions[index] ?? mentions[selected];
    const told = mentions[selected] ?? mention;
    root.classList.toggle("elsewhere", index !== selected && Boolean(mentions[index]));
    scores.forEach((score, number) => {
      score.textContent = mention ? mention.told[places[number]] : panels[number].score;
      score.classList.toggle("own", Boolean(mention));
    });
    sums.forEach((sum, number) => {
      sum.textContent = told ? told.sums[number] : data.panels[number].share;
    });
    note.textContent = "";
    if (!mention) {
      note.textContent = chosen && where ? where : hint;
      return;
    }
    note.append(element("q", "", told.text), ` ${told.status_words}: ${told.where}`);
    if (!mentions[index]) return;
    mentions.forEach((other, number) => {
      const style = number === index ? "lit" : other.entity === mention.entity ? "kin" : "";
      if (style) all(number).forEach((node) => node.classList.add(style));
    });
  };
  const at = (event) => {
    const hit = markOf(event.target);
    return hit ? Number(hit.dataset.mention) : -1;
  };
  const choose = (index) => {
    if (!mentions[index]) return;
    sent = index === selected ? "" : mentions[index].span;
    setTriggerValue("mention", sent);
  };
  root.addEventListener("mouseover", (event) => {
    if (hasMoved(event)) show(at(event));
  });
  root.addEventListener("mouseleave", () => show(-1));
  root.addEventListener("focusin", (event) => show(at(event)));
  root.addEventListener("focusout", () => show(-1));
  root.addEventListener("click", (event) => {
    markOf(event.target)?.querySelector(":scope > .stop")?.focus({ preventScroll: true });
    choose(at(event));
  });
  root.addEventListener("keydown", (event) => {
    const place = stops.indexOf(event.target);
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (place >= 0 && by && stops[place + by]) {
      event.preventDefault();
      stops[place].tabIndex = -1;
      stops[place + by].tabIndex = 0;
      stops[place + by].focus();
    }
    if (place >= 0 && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      choose(at(event));
    }
    if (event.key === "Escape" && selected >= 0) choose(selected);
  });
  show(-1);
  if (focused !== undefined) stops.find((node) => markOf(node).dataset.mention === focused)?.focus();
}
