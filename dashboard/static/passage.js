// Draws a passage: words with a line under them for each mention, and lights up the entity of the
// mention that is pointed at, on both sides. Text is only ever set as textContent.

function element(tag, style, text = "") {
  const made = document.createElement(tag);
  made.className = style;
  made.textContent = text;
  return made;
}

function describe(mention) {
  const sides = [];
  if (mention.key) sides.push(`key entity ${mention.key} (${count(mention.keySize)})`);
  if (mention.response) {
    sides.push(`response entity ${mention.response} (${count(mention.responseSize)})`);
  }
  return `${mention.status}: ${sides.join(", ")}`;
}

function count(n) {
  return n === 1 ? "1 mention" : `${n} mentions`;
}

function label(mention, index) {
  const made = element("span", `label ${mention.status}`);
  made.append(element("b", "", mention.letter));
  made.append(`${mention.key || mention.response}`);
  if (mention.key && mention.response) made.append(element("i", "", `/${mention.response}`));
  made.tabIndex = 0;
  made.dataset.mention = index;
  made.setAttribute("role", "button");
  made.setAttribute("aria-label", `${mention.text}. ${describe(mention)}`);
  return made;
}

function lane(index, mention, position) {
  if (index < 0) return element("span", "lane");
  const made = element("span", `lane ${mention.status}`);
  made.dataset.mention = index;
  if (mention.start === position) made.classList.add("first");
  if (mention.end === position + 1) made.classList.add("last");
  if (mention.key) made.append(element("span", "key"));
  if (mention.response) made.append(element("span", "response"));
  return made;
}

function word([text, starts, lanes], position, mentions) {
  const made = element("span", "word");
  const top = element("span", "top");
  for (const index of starts) top.append(label(mentions[index], index));
  top.append(element("span", "form", text));
  made.append(top);
  for (const index of lanes) made.append(lane(index, mentions[index], position));
  if (lanes.length) made.dataset.mention = lanes.find((index) => index >= 0) ?? "";
  return made;
}

function line(values, mentions) {
  const made = element("div", "line");
  made.append(element("span", "number", values.number));
  const text = element("div", "text");
  text.dir = "auto";
  if (values.speaker) text.append(element("span", "speaker", values.speaker));
  values.words.forEach((value, offset) => {
    text.append(word(value, values.start + offset, mentions));
  });
  made.append(text);
  return made;
}

function legend(entries) {
  const made = element("div", "legend");
  for (const [status, mark, words] of entries) {
    const entry = element("span", "entry");
    const lines = element("span", `lane ${status}`);
    if (status !== "spurious") lines.append(element("span", "key"));
    if (status !== "missing") lines.append(element("span", "response"));
    const sign = element("span", `label ${status}`);
    sign.append(element("b", "", mark[0]), mark.slice(1));
    entry.append(lines, sign, words);
    made.append(entry);
  }
  return made;
}

function light(root, mentions, index) {
  root.querySelectorAll(".lit, .lit-key, .lit-response").forEach((node) => {
    node.classList.remove("lit", "lit-key", "lit-response");
  });
  const chosen = mentions[index];
  if (!chosen) return;
  const sameKey = (m) => chosen.key && m.key === chosen.key;
  const sameResponse = (m) => chosen.response && m.response === chosen.response;
  root.querySelectorAll(".lane[data-mention], .label[data-mention]").forEach((node) => {
    const mention = mentions[node.dataset.mention];
    if (sameKey(mention)) node.classList.add("lit-key");
    if (sameResponse(mention)) node.classList.add("lit-response");
    if (mention === chosen) node.classList.add("lit");
    if (sameKey(mention) || sameResponse(mention)) lightWord(node);
  });
}

function lightWord(node) {
  const lit = node.closest(".word");
  if (node.classList.contains("lit-key")) lit.classList.add("lit-key");
  if (node.classList.contains("lit-response")) lit.classList.add("lit-response");
}

function innermost(event) {
  const hit = event.target.closest?.("[data-mention]");
  return hit && hit.dataset.mention !== "" ? Number(hit.dataset.mention) : -1;
}

export default function ({ parentElement, data }) {
  const { lines, mentions, hint } = data;
  const root = element("div", "passage");
  const note = element("div", "note", hint);
  note.setAttribute("aria-live", "polite");
  root.append(legend(data.legend), note, ...lines.map((values) => line(values, mentions)));
  parentElement.querySelector(".passage")?.remove();
  parentElement.append(root);

  let pinned = -1;
  const show = (index) => {
    light(root, mentions, index);
    note.textContent = index < 0 ? hint : "";
    if (index < 0) return;
    note.append(element("q", "", mentions[index].text), ` ${describe(mentions[index])}`);
  };
  root.addEventListener("mouseover", (event) => {
    const index = innermost(event);
    show(index < 0 ? pinned : index);
  });
  root.addEventListener("mouseleave", () => show(pinned));
  root.addEventListener("focusin", (event) => show(innermost(event)));
  root.addEventListener("focusout", () => show(pinned));
  const pin = (event) => {
    const index = innermost(event);
    pinned = index === pinned ? -1 : index;
    show(pinned);
  };
  root.addEventListener("click", pin);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") pinned = -1;
    if (event.key === "Escape") show(-1);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      pin(event);
    }
  });
}
