// What the errors can be told apart by: a click on a value adds it to the query, beside others of
// the same facet, or takes it out again; "−" leaves out the errors that have it. The query that a value makes is known for the one
// that is answered: a click made before the answer waits for it, so that none undoes another.

const STATES = { added: "shown", excluded: "left out", "": "" };

function facet({ title, about, is_open: isOpen, values, more }, page) {
  const made = element("details", "facet");
  made.open = page.opened.get(title) ?? isOpen;
  const head = element("summary", "", title);
  head.title = about;
  made.append(head);
  made.addEventListener("toggle", () => page.opened.set(title, made.open));
  const list = element("ul", "");
  list.append(...values.map((value) => facetValue(value, title, page)));
  made.append(list);
  if (more) made.append(element("p", "more", more));
  return made;
}

function facetValue({ words, count, state, add, exclude, is_part: isPart }, title, page) {
  const made = element("li", isPart ? `${state} part` : state);
  const adds = button("add", "");
  adds.append(element("bdi", "", words), element("span", "count", count));
  adds.setAttribute("aria-pressed", String(state === "added"));
  adds.title = state ? `${words}: ${STATES[state]}` : `Show ${words}`;
  adds.dataset.focus = `${title} ${words}`;
  adds.dataset.find = add;
  adds.addEventListener("click", () => clickValue(page, adds.dataset.focus));
  const excludes = button("exclude", "−");
  excludes.setAttribute("aria-pressed", String(state === "excluded"));
  excludes.setAttribute("aria-label", `Leave out ${title}: ${words}`);
  excludes.title = excludes.ariaLabel;
  excludes.dataset.focus = `not ${title} ${words}`;
  excludes.dataset.find = exclude;
  excludes.addEventListener("click", () => clickValue(page, excludes.dataset.focus));
  made.append(adds, excludes);
  return made;
}

function clickValue(page, name) {
  page.clicked.push(name);
  findClicked(page);
}

// Find what was clicked first of what still waits; a value that is not there any more is left out.
function findClicked(page) {
  while (page.clicked.length && page.data.taken >= page.number) {
    const name = page.clicked.shift();
    const found = valueButton(page, name);
    if (found) search(page, found.dataset.find);
  }
}

function valueButton(page, name) {
  return [...page.facets.querySelectorAll("button")].find((b) => b.dataset.focus === name);
}

function showFacets(page) {
  const drawn = JSON.stringify(page.data.facets);
  if (drawn === page.drawnFacets) return;
  page.drawnFacets = drawn;
  const focus = page.facets.getRootNode().activeElement?.dataset?.focus;
  page.facets.replaceChildren(...page.data.facets.map((values) => facet(values, page)));
  if (!focus) return;
  valueButton(page, focus)?.focus();
}
