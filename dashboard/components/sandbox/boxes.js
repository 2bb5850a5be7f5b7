// The parts of a toy: its sentence, key and response as boxes of chips, the legend. sandbox.js
// follows in the same module and moves them.

const entityName = (side, number) => `${side.title} entity ${number + 1}`;
const listed = (names) => (names.length ? names.join(", ") : "empty");

function marked(tag, style, mention, name) {
  const made = element(tag, `${style} ${mention?.style ?? "unused"}`);
  made.dataset.mention = name;
  if (mention?.letter) made.append(element("i", "", mention.letter));
  return made;
}

function chip(data, side, name) {
  const mention = data.mentions[name];
  const made = marked("span", "chip", mention, name);
  made.append(element("b", "", name));
  if (mention.words) made.append(element("span", "words", mention.words));
  made.dataset.stop = `${side.id} ${name}`;
  made.tabIndex = -1;
  made.setAttribute("role", "button");
  made.title = `${name}: ${mention.status}`;
  const words = mention.words ? ` “${mention.words}”` : "";
  const where = mention[side.id] < 0 ? side.lacking : entityName(side, mention[side.id]);
  made.setAttribute("aria-label", `${name}${words}, ${mention.status}, ${where}`);
  return made;
}

function tool(act, title) {
  const made = button("tool", act);
  made.tabIndex = -1;
  made.dataset.act = act;
  made.title = title;
  return made;
}

function handle(side, number, members) {
  const made = element("span", "handle", `${number + 1}`);
  made.dataset.stop = `${side.id} entity ${number}`;
  made.dataset.entity = number;
  made.tabIndex = -1;
  made.setAttribute("role", "button");
  made.title = "Drag onto another entity to merge the two";
  made.setAttribute(
    "aria-label",
    `${entityName(side, number)}: ${listed(members)}. Enter picks it up to merge it, S splits it, ` +
      "Delete leaves it out",
  );
  return made;
}

// Whether two mentions of an entity of the response are not of one entity of the key.
function areApart(data, side, before, name) {
  const [one, other] = [before, name].map((mention) => data.mentions[mention].key);
  return side.id === "response" && (one < 0 || one !== other);
}

function box(data, side, members, to, title) {
  const made = element("div", `box ${typeof to === "number" ? "entity" : to}`);
  made.dataset.to = to;
  made.dataset.side = side.id;
  const head = element("div", "head");
  if (typeof to === "number") {
    const tools = element("span", "tools");
    if (members.length > 1) tools.append(tool("split", "Split into two halves"));
    if (side.entities.length > 1) tools.append(tool("merge", "Then click another entity"));
    tools.append(tool("drop", "Leave the entity out with its mentions"));
    head.append(handle(side, to, members), tools);
  } else {
    head.append(element("span", "name", title));
  }
  made.append(head);
  members.forEach((name, at) => {
    if (typeof to === "number" && at && areApart(data, side, members[at - 1], name)) {
      const mark = element("span", "apart", "≠");
      mark.title = "these do not corefer";
      made.append(mark);
    }
    made.append(chip(data, side, name));
  });
  return made;
}

function row(data, side) {
  const made = element("section", `side ${side.id}`);
  made.setAttribute("aria-label", side.title);
  const boxes = element("div", "boxes");
  side.entities.forEach((members, number) => boxes.append(box(data, side, members, number)));
  boxes.append(box(data, side, [], "new", "new entity"));
  boxes.append(box(data, side, side.lacks, "missing", side.lacking));
  made.append(element("h2", "", side.title), boxes);
  return made;
}

function sentence(data) {
  const made = element("p", "sentence");
  made.dir = "auto";
  const stack = [made];
  data.words.forEach(({ text, opens, closes }, at) => {
    if (at) stack.at(-1).append(" ");
    for (const name of opens) {
      const span = marked("span", "said", data.mentions[name], name);
      stack.at(-1).append(span);
      stack.push(span);
    }
    stack.at(-1).append(text);
    stack.length -= closes;
  });
  return made;
}

function legend(entries) {
  const made = element("div", "legend");
  for (const { style, letter, status, meaning } of entries) {
    const sample = element("span", `chip sample ${style}`);
    if (letter) sample.append(element("i", "", letter));
    sample.append(element("b", "", "a"));
    const entry = element("span", "entry");
    entry.append(sample, status);
    entry.title = meaning;
    made.append(entry);
  }
  return made;
}
