// The rows of the list: only those in sight are drawn, and only some of the others are here.

const HEIGHT = 54; // of a row, in pixels
const BESIDE = 340; // pixels of a row beside its text
const LETTER = 7; // pixels of a letter, on average of wide ones
const SPARE = 8; // rows drawn beyond either edge

// Of some words as many as so many letters take, cut between words, with … where some are left out;
// the last ones if `isEnd`.
function cut(text, most, isEnd = false) {
  if (text.length <= most) return text;
  const room = Math.max(0, Math.floor(most) - 2);
  if (isEnd) {
    const rest = text.slice(text.length - room);
    return `… ${text.at(-room - 1) === " " ? rest : rest.slice(rest.indexOf(" ") + 1)}`;
  }
  const rest = text.slice(0, room);
  const last = text[room] === " " ? room : rest.lastIndexOf(" ");
  return `${last > 0 ? rest.slice(0, last) : rest} …`;
}

// A mention amid as much of its context as there is room for.
function mention({ before, words, after }, room) {
  const made = element("span", "mention");
  const said = cut(words, 0.75 * room);
  const aside = (room - said.length) / 2;
  made.append(
    bdi("before", cut(before, aside, true)), bdi("words", said), bdi("after", cut(after, aside)),
  );
  made.title = [before, words, after].join(" ").trim();
  return made;
}

function bdi(style, text) {
  const made = element("span", style);
  made.append(element("bdi", "", text));
  return made;
}

// The antecedent that a mention was given and the one that it should have had; several, which split
// antecedents are, have a line each. Then the class of the mention in the other system.
function antecedents(row, whole, areSets, isOpen) {
  const { given, antecedent, is_given_right: isRight } = row;
  const other = isOpen ? "" : row.other; // the panel shows it
  const made = element("span", "antecedents");
  const none = (words) => element("i", "", words);
  const beside = other ? [element("small", "", other)] : [];
  const room = Math.max(30, whole - other.length);
  if (!given.words && !antecedent.words) {
    made.append(none("no antecedent in key or response"), ...beside);
    return made;
  }
  const named = (label, { before, words, after }, style) => {
    const one = bdi(style, areSets ? words : cut(words, room / 2 - 8));
    one.title = [before, words, after].join(" ").trim();
    made.append(element("small", "", label), words ? one : none("none"));
  };
  named("given", given, isRight ? "" : "wrong-one");
  if (isRight) made.append(none(row.has_given_span_error ? "correct but for its span" : "correct"));
  else named("should be", antecedent, "");
  if (!areSets) made.append(...beside);
  return made;
}

function drawnRow(page, at) {
  const row = page.rows.get(at);
  const made = element("div", "row");
  made.style.transform = `translateY(${at * HEIGHT}px)`;
  made.dataset.at = at;
  made.id = `row-${at}`;
  made.setAttribute("role", "option");
  made.setAttribute("aria-posinset", at + 1);
  made.setAttribute("aria-setsize", page.data.n);
  made.setAttribute("aria-selected", String(Boolean(row) && row.id === page.asked.row));
  made.classList.toggle("active", at === page.active);
  if (!row) return made;
  const room = Math.max(30, (page.scroller.clientWidth - BESIDE) / LETTER);
  const areSets = row.kind === "wrong split antecedent";
  made.classList.toggle("sets", areSets);
  const letter = element("b", "letter", row.letter);
  letter.title = row.status;
  letter.classList.add(row.style);
  made.append(
    letter,
    mention(row.mention, room),
    antecedents(row, room, areSets, page.asked.row !== ""),
    element("span", "type", row.type),
    element("span", "kind", [row.kind || row.status, moreOf(row)].filter(Boolean).join(" ")),
    element("span", "cost", row.is_part ? "″" : row.cost),
    bdi("document", row.document),
  );
  made.querySelector(".document").title = row.document;
  made.setAttribute("aria-label", spoken(row));
  return made;
}

// The other mentions that the fix of a row is about
function moreOf({ more }) {
  return more ? `+ ${more.toLocaleString("en")} ${more === 1 ? "mention" : "mentions"}` : "";
}

function spoken({ mention, status, kind, type, document: name, cost, given, antecedent, other }) {
  const told = [mention.words, status, kind, type, `in ${name}`, `cost ${cost}`];
  told.push(given.words ? `given ${given.words}` : "given no antecedent");
  if (antecedent.words) told.push(`should be ${antecedent.words}`);
  told.push(other);
  return told.filter(Boolean).join(", ");
}

function inSight(page) {
  const { scrollTop, clientHeight } = page.scroller;
  const first = Math.max(0, Math.floor(scrollTop / HEIGHT) - SPARE);
  const last = Math.min(page.data.n, Math.ceil((scrollTop + clientHeight) / HEIGHT) + SPARE);
  return [first, last];
}

function drawRows(page) {
  const [first, last] = inSight(page);
  const places = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
  page.sheet.style.height = `${page.data.n * HEIGHT}px`;
  page.sheet.replaceChildren(...places.map((at) => drawnRow(page, at)));
  const active = page.active >= first && page.active < last ? `row-${page.active}` : "";
  page.scroller.setAttribute("aria-activedescendant", active);
  if (places.some((at) => !page.rows.has(at))) want(page, first);
}

// Rows that are not here are asked for once the list stands still for a moment.
function want(page, first) {
  clearTimeout(page.wanting);
  page.wanting = setTimeout(() => {
    page.wanted = Math.max(0, first - 60);
    report(page);
  }, 60);
}

function bringIntoSight(page, at) {
  const { scroller } = page;
  const [top, bottom] = [at * HEIGHT, (at + 1) * HEIGHT];
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (bottom > scroller.scrollTop + scroller.clientHeight) {
    scroller.scrollTop = bottom - scroller.clientHeight;
  }
}

function activate(page, at) {
  if (at < 0 || at >= page.data.n) return;
  page.active = at;
  bringIntoSight(page, at);
  drawRows(page);
}

function openRow(page, at) {
  if (at < 0 || at >= page.data.n) return;
  page.asked = { ...page.asked, row: page.rows.get(at)?.id ?? "" };
  page.at = at;
  showPlace(page); // makes the list lower where the panel stands below it
  activate(page, at);
  report(page);
}

function closeRow(page) {
  if (!page.asked.row) return;
  page.asked = { ...page.asked, row: "" };
  page.at = -1;
  drawRows(page);
  showPlace(page);
  report(page);
}

function listenToRows(page) {
  const { scroller } = page;
  scroller.addEventListener("scroll", () => drawRows(page));
  scroller.addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (row) openRow(page, Number(row.dataset.at));
  });
  scroller.addEventListener("keydown", (event) => {
    const many = Math.max(1, Math.floor(scroller.clientHeight / HEIGHT) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: many, PageUp: -many }[event.key];
    const to = { Home: 0, End: page.data.n - 1 }[event.key] ?? (by && page.active + by);
    if (event.key === "Enter") openRow(page, page.active);
    else if (to !== undefined) activate(page, Math.min(Math.max(0, to), page.data.n - 1));
    else return;
    event.preventDefault();
  });
}
