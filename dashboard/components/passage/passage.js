// Draws a document: its words, what stands around them, and the mention that is selected. It tells
// Python which mention is selected ("chosen") and which word of another window was clicked ("place").

const pages = new WeakMap();

// Events -----------------------------------------------------------------------------------------

function listen(page) {
  const { root, lines, strip: bars } = page;
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
  listenToStrip(bars, (word) => {
    page.place = word;
    if (goToPlace(page)) return;
    // Of two that come in one breath Streamlit may pass on only the last: what was sent goes along.
    if (page.sent !== null) page.send("chosen", page.sent);
    page.send("place", word);
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
  const { span: at } = page.data.mentions[index];
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
  page.strip = buildStrip();
  page.legend = element("details", "legend");
  page.legend.title = "Meaning of the lines and letters";
  page.bar = element("div", "tools");
  page.previous = button("step", "Previous error");
  page.next = button("step", "Next error");
  page.previous.append(element("kbd", "", "p"));
  page.next.append(element("kbd", "", "n"));
  page.count = element("span", "count");
  page.note = element("div", "note");
  page.note.setAttribute("aria-live", "polite");
  buildSearch(page);
  page.kept = element("div", "kept");
  page.bar.append(page.previous, page.next, page.count, page.note, page.search, page.legend, page.kept);
  page.entities = element("section", "entities");
  page.entities.setAttribute("aria-label", "Entities, and where in the document they are");
  const body = element("div", "body");
  page.lines = element("div", "lines");
  page.chains = element("aside", "chains");
  page.chains.setAttribute("aria-label", "Mentions of the selected entities");
  body.append(page.lines, page.chains);
  page.root.append(page.strip, page.entities, page.bar, body);
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
  page.kept.replaceChildren(...kept(data));
  page.root.classList.toggle("of-two", data.sides > 2);
  page.root.classList.toggle("of-page", !data.walks);
  page.root.classList.toggle("has-chains", data.chains.length > 0);
  drawStrip(page.strip, data.strip, data.noun, page.chosen);
  showEntities(page);
  show(page);
  if (isOther || data.hits?.query !== page.query) page.foundAt = undefined;
  page.query = data.hits?.query;
  showFound(page);
  if (page.moving) goToChosen(page);
  else if (page.place !== null) goToPlace(page);
  else if (page.chosen !== before && data.walks) {
    const found = page.root.querySelector(`.lines .label[data-at="${page.chosen}"]`);
    if (found) requestAnimationFrame(() => reveal(page, found));
    if (isOther) keepInSight(page);
  }
  const ways = { n: () => step(page, 1), p: () => step(page, -1) };
  return data.walks ? listenToKeys(page, ways) : undefined;
}
