// The list of errors: it tells Python which query, order and row are asked for, which rows are
// wanted and what is typed, all of it each time: of what is sent while a run is pending Streamlit
// keeps the last alone. Reports are numbered, so that an answer to an earlier one changes nothing.

const lists = new WeakMap();

function report(page) {
  page.number += 1;
  page.send({
    ...page.asked,
    at: page.at,
    first: page.wanted,
    typed: page.input.value,
    cursor: page.input.selectionStart ?? page.input.value.length,
    number: page.number,
    version: page.data.version,
  });
}

const isRandom = ({ asked }) => asked.order.startsWith("random-");

function sort(page, order) {
  page.asked = { ...page.asked, order };
  page.at = -1;
  report(page);
}

function showOrders(page) {
  const drawn = JSON.stringify(page.data.orders);
  if (drawn !== page.drawnOrders) {
    page.order.replaceChildren(
      ...page.data.orders.map(([value, words]) => {
        const option = element("option", "", words);
        option.value = value;
        return option;
      }),
    );
    page.drawnOrders = drawn;
  }
  page.order.value = page.asked.order;
}

function showPlace(page) {
  const { n, n_mentions: all } = page.data;
  const isOpen = page.asked.row !== "" || page.at >= 0;
  const number = page.at >= 0 && page.rows.get(page.at)?.number;
  const few = isRandom(page) ? `${n} of ` : "";
  const which = number ? `${number.toLocaleString("en")} of ` : few;
  page.place.textContent = `${which}${all.toLocaleString("en")} mention${all === 1 ? "" : "s"}`;
  page.close.hidden = !isOpen;
  page.root.classList.toggle("is-open", isOpen);
  page.previous.disabled = page.at <= 0;
  page.next.disabled = page.at >= n - 1;
}

// The row that n or p opens, or that comes after the one that is open.
function step(page, by) {
  if (page.at >= 0) openRow(page, page.at + by);
  else if (by > 0) openRow(page, Math.max(page.active, 0));
}

// What a key does where it is not typed into a box.
function ways(page) {
  return {
    n: () => step(page, 1),
    p: () => step(page, -1),
    Escape: () => closeRow(page),
    "/": () => page.input.focus(),
  };
}

function stepButton(words, key, act) {
  const made = button("step", words);
  made.append(element("kbd", "", key));
  made.addEventListener("click", act);
  return made;
}

function build(parentElement) {
  const page = { number: 0, rows: new Map(), opened: new Map(), active: 0, at: -1, wanted: 0 };
  page.clicked = []; // values of facets that wait for an answer
  page.root = element("div", "error-list");
  page.facets = element("nav", "facets");
  page.facets.setAttribute("aria-label", "Narrow the list down");
  const main = element("div", "main");
  page.order = document.createElement("select");
  const sorted = element("label", "sorted", "Sort by");
  sorted.append(page.order);
  page.order.addEventListener("change", () => sort(page, page.order.value));
  page.random = button("step", "Three at random");
  page.random.title = "Three of those found: click again for others";
  page.random.addEventListener("click", () => {
    page.asked = { ...page.asked, row: "" };
    sort(page, `random-${Math.floor(Math.random() * 1e6)}`);
  });
  page.place = element("span", "at");
  page.place.setAttribute("role", "status");
  page.previous = stepButton("Previous", "p", () => step(page, -1));
  page.next = stepButton("Next", "n", () => step(page, 1));
  page.close = stepButton("Close", "Esc", () => closeRow(page));
  const tools = element("div", "tools");
  const steps = element("div", "steps");
  steps.append(page.previous, page.next, page.close);
  tools.append(sorted, page.random, page.place, steps);
  page.heads = element("div", "heads");
  page.scroller = element("div", "scroller");
  page.scroller.tabIndex = 0;
  page.scroller.setAttribute("role", "listbox");
  page.scroller.setAttribute("aria-label", "Errors; Enter opens one");
  page.sheet = element("div", "sheet");
  page.sheet.setAttribute("role", "presentation");
  page.scroller.append(page.sheet);
  page.empty = element("p", "empty");
  main.append(...buildSearch(page), tools, page.heads, page.scroller, page.empty);
  page.root.append(page.facets, main);
  parentElement.append(page.root);
  listenToRows(page);
  new ResizeObserver(() => page.data && drawRows(page)).observe(page.scroller);
  lists.set(parentElement, page);
  return page;
}

function take(page, data) {
  const isOther = page.data?.version !== data.version;
  const before = page.at;
  page.data = data;
  if (data.taken >= page.number) {
    page.number = data.taken;
    page.asked = { find: data.find, order: data.order, row: data.row, saved: data.saved };
    page.at = data.place;
  }
  if (isOther) {
    page.rows.clear();
    page.active = Math.max(0, page.at);
    page.scroller.scrollTop = 0;
  }
  data.rows.forEach((row, i) => page.rows.set(data.first + i, row));
  if (page.at >= 0 && (isOther || page.at !== before)) {
    page.active = page.at;
    requestAnimationFrame(() => activate(page, page.at));
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  const page = lists.get(parentElement) ?? build(parentElement);
  if (!page.root.isConnected) parentElement.append(page.root);
  page.send = (told) => setTriggerValue("told", told);
  take(page, data);
  const heads = ["", "Mention, and its antecedent", "Type, kind", data.cost_head];
  page.heads.replaceChildren(...heads.map((words) => element("span", "", words)));
  page.empty.textContent = data.n ? "" : data.empty;
  page.scroller.hidden = page.heads.hidden = data.n === 0;
  showSearch(page);
  showOrders(page);
  showFacets(page);
  showPlace(page);
  drawRows(page);
  findClicked(page);
  return listenToKeys(page, ways(page));
}
