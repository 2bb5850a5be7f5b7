// Draws a document: words with a line under them for each mention, a strip that shows where the
// errors are, and the chains of the mention that is selected. It tells Python which mention is
// selected ("chosen") and which word of another window was clicked ("place").

const LINES = ["key", "first", "second"];
const pages = new WeakMap();

// What n and p step over: "3 errors", "1 change".
const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

// Words, labels and lines ------------------------------------------------------------------------

function mark([letter, number, rest], style) {
  const made = element("span", `label ${style}`);
  made.append(element("b", "", letter), number);
  if (rest) made.append(element("i", "", rest));
  return made;
}

function markOf(mention, style) {
  const { tint } = mention;
  if (!tint) return mark(mention.mark, style);
  const made = element("span", `label chip ${style}`);
  made.append(letterOf(tint));
  return tinted(made, tint);
}

function label(mention, index) {
  const made = markOf(mention, mention.style);
  made.tabIndex = 0;
  made.dataset.mention = index;
  made.dataset.at = mention.at;
  made.setAttribute("role", "button");
  made.setAttribute("aria-label", `${mention.text}. ${mention.says}`);
  return made;
}

function strokes(lines) {
  return lines.map((side) => element("span", LINES[side]));
}

// Of a mention with a gap, the words between its pieces have an empty lane.
const pieceAt = (mention, position) =>
  mention?.runs.find(([start, end]) => start <= position && position < end);

function lane(index, mention, position) {
  const piece = pieceAt(mention, position);
  if (!piece) return element("span", mention ? "lane gap" : "lane");
  const made = tinted(element("span", `lane ${mention.style}`), mention.tint);
  made.dataset.mention = index;
  if (piece[0] === position) made.classList.add("start");
  if (piece[1] === position + 1) made.classList.add("end");
  made.append(...strokes(mention.lines));
  return made;
}

// A later piece repeats the label, which is no stop for the keyboard.
function again(mention, index) {
  const made = markOf(mention, `${mention.style} again`);
  made.dataset.mention = index;
  made.setAttribute("aria-hidden", "true");
  return made;
}

function word({ text, starts, lanes, told }, position, mentions) {
  const made = element("span", "word");
  const top = element("span", "top");
  for (const index of starts) top.append(label(mentions[index], index));
  for (const index of lanes) {
    const piece = !starts.includes(index) && pieceAt(mentions[index], position);
    if (piece && piece[0] === position) top.append(again(mentions[index], index));
  }
  const form = element("span", told ? "form empty" : "form", text);
  if (told) form.title = told;
  top.append(form);
  made.append(top, ...lanes.map((index) => lane(index, mentions[index], position)));
  const innermost = lanes.find((index) => pieceAt(mentions[index], position));
  tinted(made, mentions[innermost]?.tint);
  if (lanes.length) {
    made.dataset.mention = innermost ?? "";
  }
  return made;
}

function line(values, mentions) {
  const made = element("div", "line");
  made.dataset.start = values.start;
  made.dataset.end = values.end;
  const text = element("div", "text");
  if (values.speaker) text.append(element("span", "speaker", values.speaker));
  values.words.forEach((word_, i) => text.append(word(word_, values.start + i, mentions)));
  made.append(element("span", "number", values.number), text);
  return made;
}

function legend(entries) {
  return entries.map(({ style, lines, mark: values, words }) => {
    const entry = element("span", "entry");
    const sample = element("span", `lane start end ${style}`);
    sample.append(...strokes(lines));
    entry.append(sample, mark(values, style), words);
    return entry;
  });
}

// The strip and the chains -----------------------------------------------------------------------

function strip(page) {
  const { words, width, counts, window: shown } = page.data.strip;
  const most = Math.max(1, ...counts);
  const place = page.chosen ? Math.floor(Number(page.chosen.split("-")[0]) / width) : -1;
  page.strip.hidden = words < 60;
  page.strip.replaceChildren(
    ...counts.map((n, i) => {
      const [first, last] = [i * width, Math.min((i + 1) * width, words)];
      const made = button("stretch", "");
      made.dataset.word = first;
      made.title = `Words ${first + 1} to ${last}: ${counted(n, page.data.noun)}`;
      made.setAttribute("aria-label", made.title);
      made.tabIndex = i === Math.max(place, 0) ? 0 : -1;
      if (last > shown[0] && first < shown[1]) made.classList.add("shown");
      if (i === place) made.classList.add("now");
      const bar = element("span", "bar");
      bar.style.height = `${(100 * n) / most}%`;
      made.append(bar);
      return made;
    }),
  );
}

function chain({ title, size, side, members, note }, chosen) {
  const made = element("section", "chain");
  const head = element("h3", "", title);
  if (members.length) head.append(element("span", LINES[side], ""), element("small", "", size));
  const list = element("ol", "");
  for (const member of members) {
    const go = button(`member ${member.style}`, "");
    go.dataset.go = member.at;
    go.title = `${member.words}, line ${member.line}`;
    if (member.at === chosen) go.setAttribute("aria-current", "true");
    go.append(element("b", "", member.letter), element("span", "words", member.text));
    go.append(element("i", "", member.line));
    const item = element("li", "");
    item.append(go);
    list.append(item);
  }
  made.append(head, list);
  if (note) made.append(element("p", "about", note));
  return made;
}

// What each metric gives the mention that is selected, in each response.
function credit({ letters, rows, reasons }) {
  const made = element("section", "credit");
  const table = element("table", "");
  const line = (tag, cells) => {
    const row = element("tr", "");
    row.append(...cells.map((cell) => element(tag, "", cell)));
    return row;
  };
  table.append(line("th", ["", ...letters]));
  rows.forEach(([title, shares], i) => {
    const row = line("td", [title, ...shares]);
    row.title = reasons[i];
    table.append(row);
  });
  made.append(element("h3", "", "Credit, percent"), table);
  return made;
}

// The words of a long mention without its middle: the note tells all of the others.
const MOST_TOLD = 110;
function briefly(text) {
  if (text.length <= MOST_TOLD) return text;
  const first = text.lastIndexOf(" ", 0.6 * MOST_TOLD);
  const last = text.indexOf(" ", text.length - 0.3 * MOST_TOLD);
  return `${text.slice(0, first < 0 ? 66 : first)} … ${text.slice(last < 0 ? -33 : last + 1)}`;
}

// What is lit and what is selected ---------------------------------------------------------------

function light(page, index) {
  const { root, data } = page;
  root.querySelectorAll(".lit, .lit-key, .lit-response").forEach((node) => {
    node.classList.remove("lit", "lit-key", "lit-response");
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
  root.querySelectorAll(".lines [data-mention].lane, .lines .label").forEach((node) => {
    const mention = data.mentions[node.dataset.mention];
    const styles = [];
    if (shares(mention, 0)) styles.push("lit-key");
    if (shares(mention, 1) || shares(mention, 2)) styles.push("lit-response");
    node.classList.add(...styles);
    node.closest(".word").classList.add(...styles);
    if (mention === chosen) node.classList.add("lit");
  });
}

function chosenIndex(page) {
  return page.data.mentions.findIndex((mention) => mention.at === page.chosen);
}

function hit(event) {
  const found = event.target.closest?.("[data-mention]");
  return found && found.dataset.mention !== "" ? Number(found.dataset.mention) : -1;
}

function show(page) {
  light(page, chosenIndex(page));
  const { errors, numbers, n_errors: n, noun } = page.data;
  const at = errors.indexOf(page.chosen);
  const which = `${noun[0].toUpperCase()}${noun.slice(1)} ${numbers[at]} of ${n}`;
  page.count.textContent = at < 0 ? counted(n, noun) : which;
  page.previous.firstChild.textContent = `Previous ${noun}`;
  page.next.firstChild.textContent = `Next ${noun}`;
  page.strip.setAttribute("aria-label", `Where in the document the ${noun}s are`);
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

// Events -----------------------------------------------------------------------------------------

function listen(page) {
  const { root, lines, strip: bars } = page;
  lines.addEventListener("mousemove", hasMoved);
  lines.addEventListener("mouseover", (event) => {
    if (!hasMoved(event)) return;
    const index = hit(event);
    light(page, index < 0 ? chosenIndex(page) : index);
  });
  lines.addEventListener("mouseleave", () => light(page, chosenIndex(page)));
  lines.addEventListener("focusin", (event) => light(page, hit(event)));
  lines.addEventListener("focusout", () => light(page, chosenIndex(page)));
  lines.addEventListener("click", (event) => pick(page, event));
  root.addEventListener("click", (event) => {
    const at = event.target.closest("[data-go]")?.dataset.go;
    if (at) choose(page, at);
  });
  page.previous.addEventListener("click", () => step(page, -1));
  page.next.addEventListener("click", () => step(page, 1));
  bars.addEventListener("click", (event) => {
    const stretch = event.target.closest(".stretch");
    if (!stretch) return;
    page.place = Number(stretch.dataset.word);
    if (!goToPlace(page)) page.send("place", page.place);
  });
  bars.addEventListener("keydown", (event) => {
    const ways = { ArrowLeft: "previousElementSibling", ArrowRight: "nextElementSibling" };
    page.root.getRootNode().activeElement?.[ways[event.key]]?.focus();
  });
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && page.chosen && page.data.walks) choose(page, "");
    if ((event.key === "Enter" || event.key === " ") && hit(event) >= 0) {
      event.preventDefault();
      pick(page, event);
    }
  });
}

function pick(page, event) {
  const index = hit(event);
  if (index < 0) return;
  const { at } = page.data.mentions[index];
  choose(page, at === page.chosen ? "" : at);
}

// A box keeps the focus when something was selected in it: n and p would be typed into it. It keeps
// it while its list is open, when somebody types.
function leaveBox() {
  const box = document.activeElement;
  if (box?.matches("[role=combobox][aria-expanded=false]")) box.blur();
}

// The page ---------------------------------------------------------------------------------------

function build(parentElement) {
  const page = { chosen: "", sent: null, place: null, moving: false, drawn: "" };
  page.root = element("div", "passage");
  page.strip = element("div", "strip");
  page.strip.setAttribute("role", "group");
  page.legend = element("div", "legend");
  page.bar = element("div", "tools");
  page.previous = button("step", "Previous error");
  page.next = button("step", "Next error");
  page.previous.append(element("kbd", "", "p"));
  page.next.append(element("kbd", "", "n"));
  page.count = element("span", "count");
  page.note = element("div", "note");
  page.note.setAttribute("aria-live", "polite");
  buildSearch(page);
  page.bar.append(page.previous, page.next, page.count, page.search, page.note);
  page.entities = element("section", "entities");
  page.entities.setAttribute("aria-label", "Entities, and where in the document they are");
  const body = element("div", "body");
  page.lines = element("div", "lines");
  page.chains = element("aside", "chains");
  page.chains.setAttribute("aria-label", "Mentions of the selected entities");
  body.append(page.lines, page.chains);
  page.root.append(page.strip, page.entities, page.legend, page.bar, body);
  parentElement.append(page.root);
  listen(page);
  pages.set(parentElement, page);
  return page;
}

export default function ({ parentElement, data, setTriggerValue }) {
  const page = pages.get(parentElement) ?? build(parentElement);
  if (!page.root.isConnected) parentElement.append(page.root);
  const isLate = page.sent !== null && page.sent !== data.chosen;
  const isOther = page.data?.document !== data.document;
  const before = page.chosen;
  page.data = data;
  page.send = setTriggerValue;
  if (!isLate || isOther) {
    page.chosen = data.chosen;
    page.sent = null;
  }
  const drawn = JSON.stringify([data.document, data.lines, data.mentions]);
  if (drawn !== page.drawn) {
    page.lines.replaceChildren(...data.lines.map((values) => line(values, data.mentions)));
    page.drawn = drawn;
    leaveBox();
  }
  page.legend.replaceChildren(...legend(data.legend));
  page.chains.replaceChildren(...data.chains.map((values) => chain(values, page.chosen)));
  if (data.credit.rows.length) page.chains.prepend(credit(data.credit));
  page.root.classList.toggle("of-two", data.sides > 2);
  page.root.classList.toggle("of-page", !data.walks);
  page.root.classList.toggle("has-chains", data.chains.length > 0);
  strip(page);
  showEntities(page);
  show(page);
  if (isOther || data.found?.query !== page.query) page.foundAt = undefined;
  page.query = data.found?.query;
  showFound(page);
  if (page.moving) goToChosen(page);
  else if (page.place !== null) goToPlace(page);
  else if (page.chosen !== before && data.walks) {
    const found = page.root.querySelector(`.lines .label[data-at="${page.chosen}"]`);
    if (found) requestAnimationFrame(() => reveal(page, found));
  }
  const ways = { n: () => step(page, 1), p: () => step(page, -1) };
  return data.walks ? listenToKeys(page, ways) : undefined;
}
