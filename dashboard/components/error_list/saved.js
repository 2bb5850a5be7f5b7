// Queries that this browser keeps by name: pairs of a name and a query. The URL of the page shares
// the query that is searched for, and its name.

const KEPT = "corescore queries";

function keptQueries() {
  try {
    return new Map(JSON.parse(localStorage.getItem(KEPT) ?? "[]"));
  } catch {
    return new Map(); // no storage, or another's
  }
}

function buildSaved(page) {
  page.keeps = button("ask", "Saved");
  page.keeps.setAttribute("aria-expanded", "false");
  page.saved = element("div", "saved");
  page.saved.hidden = true;
  page.called = document.createElement("input");
  page.called.placeholder = "Name of this query";
  page.called.setAttribute("aria-label", page.called.placeholder);
  page.save = button("step", "Save");
  page.save.type = "submit";
  const form = element("form", "");
  form.append(page.called, page.save);
  page.queries = element("ul", "");
  page.saved.append(page.queries, form);
  page.keeps.addEventListener("click", () => {
    page.saved.hidden = !page.saved.hidden;
    page.called.value ||= page.asked.saved; // of a link, to be kept here, too
    page.keeps.setAttribute("aria-expanded", String(!page.saved.hidden));
    showSaved(page);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = page.called.value.trim();
    if (!name || !page.asked.find) return;
    page.called.value = "";
    page.asked = { ...page.asked, saved: name };
    keep(page, keptQueries().set(name, page.asked.find));
    report(page);
  });
}

function keep(page, queries) {
  localStorage.setItem(KEPT, JSON.stringify([...queries]));
  showSaved(page);
}

function showSaved(page) {
  page.keeps.textContent = ["Saved", page.asked.saved].filter(Boolean).join(": ");
  page.save.disabled = !page.asked.find;
  page.save.title = page.asked.find ? "" : "Search for something, or select a value on the left";
  page.queries.replaceChildren(...[...keptQueries()].map(([name, find]) => {
    const item = element("li", "");
    const go = button("query", name);
    go.title = find;
    go.addEventListener("click", () => search(page, find, name));
    const remove = button("clear", "×");
    remove.setAttribute("aria-label", `Remove ${name}`);
    remove.addEventListener("click", () => {
      const queries = keptQueries();
      queries.delete(name);
      keep(page, queries);
    });
    item.append(go, remove);
    return item;
  }));
}
