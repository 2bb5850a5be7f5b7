// Whole entities at a glance: each as a row of marks over the document, with the letter, colour and
// pattern that its mentions have in the text; and the words that are searched for.

function tinted(node, tint) {
  if (tint && tint.colour >= 0) node.classList.add("tinted", `hue-${tint.colour}`, `pattern-${tint.pattern}`);
  return node;
}

// In a text that is coloured by entity, the label is the entity's letter; a mention that is alone
// has a point, so that it can still be selected.
const letterOf = (tint) => element("b", "", tint.letter || "·");

function entityRow({ tint, name, size, stretches, ats }, n) {
  const made = element("div", "entity");
  const go = button("entity-name", "");
  go.dataset.go = ats[0];
  go.title = `${name}: ${size}. Select the first`;
  const chip = tinted(element("span", "chip"), tint);
  chip.append(letterOf(tint));
  go.append(chip, element("span", "words", name), element("small", "", size.split(" ")[0]));
  const track = tinted(element("span", "track"), tint);
  stretches.forEach((stretch, i) => {
    const mark = element("span", "mark");
    mark.style.left = `${(100 * stretch) / n}%`;
    mark.style.width = `${100 / n}%`;
    mark.dataset.go = ats[i];
    mark.title = `Go to the mention of “${name}” here`;
    track.append(mark);
  });
  made.append(go, track);
  return made;
}

function showEntities(page) {
  const { entities, strip: { words, window: shown } } = page.data;
  page.root.classList.toggle("coloured", entities?.coloured ?? false);
  page.entities.hidden = !entities;
  const drawn = JSON.stringify([entities, shown]);
  if (!entities || drawn === page.drawnEntities) return;
  page.drawnEntities = drawn;
  const list = element("div", "entity-rows");
  list.append(...entities.rows.map((row) => entityRow(row, entities.n_stretches)));
  list.style.setProperty("--from", shown[0] / Math.max(words, 1));
  list.style.setProperty("--to", shown[1] / Math.max(words, 1));
  const told = entities.coloured
    ? ". An outline marks a mention that is missing from the other side"
    : "";
  page.entities.replaceChildren(element("p", "about", `${entities.title}${told}.`), list);
}

// Words that are searched for --------------------------------------------------------------------

function showFound(page) {
  const { hits } = page.data;
  page.search.hidden = !hits;
  if (!hits) return;
  const at = hits.places.findIndex(([start]) => start === page.foundAt);
  const which = at < 0 ? written(hits.n) : `${written(hits.numbers[at])} of ${written(hits.n)}`;
  page.hits.textContent = hits.n ? `“${hits.query}”: ${which}` : `“${hits.query}” is not in this document`;
  page.previousHit.disabled = nextFound(page, -1) === null;
  page.nextHit.disabled = nextFound(page, 1) === null;
  markFound(page);
}

function markFound(page) {
  const { hits } = page.data;
  page.root.querySelectorAll(".form.found").forEach((node) => node.classList.remove("found", "now"));
  for (const [start, end] of hits.places) {
    for (let at = start; at < end; at++) {
      const form = formAt(page, at);
      form?.classList.add("found");
      if (start === page.foundAt) form?.classList.add("now");
    }
  }
}

function formAt(page, at) {
  const [first] = page.data.strip.window;
  return page.root.querySelectorAll(".lines .form")[at - first];
}

function nextFound(page, by) {
  const { hits, strip: { window: shown } } = page.data;
  const here = page.foundAt ?? shown[0] - 0.5;
  const starts = hits.places.map(([start]) => start);
  return (by > 0 ? starts.find((at) => at > here) : starts.findLast((at) => at < here)) ?? null;
}

function stepFound(page, by) {
  const at = nextFound(page, by);
  if (at === null) return;
  page.foundAt = at;
  page.place = at;
  showFound(page);
  if (!goToPlace(page)) page.send("place", at);
}

function buildSearch(page) {
  page.search = element("div", "search");
  page.previousHit = button("step", "‹");
  page.nextHit = button("step", "›");
  page.previousHit.setAttribute("aria-label", "Previous place with these words");
  page.nextHit.setAttribute("aria-label", "Next place with these words");
  page.hits = element("span", "hits");
  page.hits.setAttribute("aria-live", "polite");
  page.search.append(page.previousHit, page.nextHit, page.hits);
  page.previousHit.addEventListener("click", () => stepFound(page, -1));
  page.nextHit.addEventListener("click", () => stepFound(page, 1));
}

