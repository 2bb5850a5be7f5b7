// The words of a document with a line under them for each mention, and the legend of these lines.

const LINES = ["key", "first", "second"];

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
  made.dataset.at = mention.span;
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

function word({ text, starts, lanes, about }, position, mentions) {
  const made = element("span", "word");
  const top = element("span", "top");
  for (const index of starts) top.append(label(mentions[index], index));
  for (const index of lanes) {
    const piece = !starts.includes(index) && pieceAt(mentions[index], position);
    if (piece && piece[0] === position) top.append(again(mentions[index], index));
  }
  const form = element("span", about ? "form empty" : "form", text);
  if (about) form.title = about;
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
  const told = entries.map(({ style, lines, mark: values, words }) => {
    const entry = element("span", "entry");
    const sample = element("span", `lane start end ${style}`);
    sample.append(...strokes(lines));
    entry.append(sample, mark(values, style), words);
    return entry;
  });
  const box = element("div", "told");
  box.append(...told);
  return [element("summary", "", "?"), box];
}

