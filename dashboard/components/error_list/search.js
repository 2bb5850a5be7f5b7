// The search box with its completions, the help below it, and what is wrong with a query.

function buildSearch(page) {
  const box = element("div", "search");
  page.input = document.createElement("input");
  page.input.type = "text";
  page.input.placeholder = "Search, e.g. type:personal kind:divided cost.lea>0.1";
  page.input.spellcheck = false;
  page.input.autocomplete = "off";
  const role = { role: "combobox", "aria-label": "Search the errors", "aria-autocomplete": "list" };
  for (const [name, value] of Object.entries({ ...role, "aria-controls": "completions" })) {
    page.input.setAttribute(name, value);
  }
  page.clear = button("clear", "×");
  page.clear.setAttribute("aria-label", "Clear the search");
  page.asks = button("ask", "Help");
  page.asks.setAttribute("aria-expanded", "false");
  page.completions = element("ul", "completions");
  page.completions.id = "completions";
  page.completions.setAttribute("role", "listbox");
  page.completions.setAttribute("aria-label", "Completions");
  page.wrong = element("p", "wrong-query");
  page.wrong.setAttribute("role", "alert");
  page.help = element("dl", "help");
  page.help.hidden = true;
  const field = element("div", "field");
  field.append(page.input, page.clear, element("kbd", "", "/"), page.completions);
  buildSaved(page);
  box.append(field, page.keeps, page.asks);
  listenToSearch(page);
  return [box, page.saved, page.wrong, page.help];
}

function listenToSearch(page) {
  const { input } = page;
  let waiting;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    page.clear.hidden = !input.value;
    page.completing = true;
    waiting = setTimeout(() => report(page), 120);
  });
  input.addEventListener("keydown", (event) => searchKey(page, event));
  input.addEventListener("focus", () => {
    page.completing = true;
    report(page);
  });
  input.addEventListener("blur", () => closeCompletions(page));
  page.clear.addEventListener("click", () => search(page, ""));
  page.asks.addEventListener("click", () => {
    page.help.hidden = !page.help.hidden;
    page.asks.setAttribute("aria-expanded", String(!page.help.hidden));
  });
  // before the box loses the focus
  page.completions.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const option = event.target.closest("li");
    if (option) complete(page, Number(option.dataset.at));
  });
}

function searchKey(page, event) {
  const options = [...page.completions.children];
  const at = options.findIndex((option) => option.ariaSelected === "true");
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by && options.length) {
    event.preventDefault();
    markCompletion(page, at < 0 && by < 0 ? options.length - 1 : at + by);
  } else if (event.key === "Tab" && options.length && !event.shiftKey) {
    event.preventDefault();
    complete(page, Math.max(at, 0));
  } else if (event.key === "Enter") {
    if (at >= 0) complete(page, at);
    else search(page, page.input.value);
  } else if (event.key === "Escape") {
    event.stopPropagation();
    if (options.length) closeCompletions(page);
    else page.input.blur();
  }
}

function markCompletion(page, at) {
  const options = [...page.completions.children];
  options.forEach((option, i) => option.setAttribute("aria-selected", String(i === at)));
  const marked = options[at];
  page.input.setAttribute("aria-activedescendant", marked ? marked.id : "");
  marked?.scrollIntoView({ block: "nearest" });
}

function complete(page, at) {
  const { query, cursor } = page.data.completions[at];
  page.input.value = query;
  page.input.setSelectionRange(cursor, cursor);
  page.completing = true;
  report(page);
}

function closeCompletions(page) {
  page.completing = false;
  page.completions.replaceChildren();
  page.input.setAttribute("aria-expanded", "false");
}

// Find what the box says; the place in the list begins anew.
function search(page, find, saved = "") {
  page.input.value = find;
  closeCompletions(page);
  page.asked = { ...page.asked, find, saved, row: "" };
  page.at = -1;
  report(page);
}

function showSearch(page) {
  const { data, input } = page;
  const isTyping = input.getRootNode().activeElement === input;
  if (!isTyping || page.asked.find !== page.drawnFind) input.value = page.asked.find;
  page.drawnFind = page.asked.find;
  page.clear.hidden = !input.value;
  const open = isTyping && page.completing && data.typed === input.value;
  page.completions.replaceChildren(...(open ? data.completions : []).map(completion));
  input.setAttribute("aria-expanded", String(page.completions.childElementCount > 0));
  showProblem(page);
  showSaved(page);
  page.help.replaceChildren(
    ...data.help.flatMap(({ term, about }) => [element("dt", "", term), element("dd", "", about)]),
  );
}

function completion({ term, about }, at) {
  const made = element("li", "");
  made.id = `completion-${at}`;
  made.dataset.at = at;
  made.setAttribute("role", "option");
  made.setAttribute("aria-selected", "false");
  made.append(element("bdi", "term", term), element("span", "about", about));
  return made;
}

function showProblem({ data, wrong, input }) {
  const { problem, find } = data;
  wrong.replaceChildren();
  input.setAttribute("aria-invalid", String(problem !== null));
  if (!problem) return;
  const place = element("span", "place");
  place.append(
    find.slice(0, problem.start),
    element("mark", "", find.slice(problem.start, problem.end) || " "),
    find.slice(problem.end),
  );
  wrong.append(place, problem.says);
}
