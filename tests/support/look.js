// What a page of the dashboard looks like: given to a browser, it tells of all pages the same things.
window.look ??= (() => {
  // All elements, those of components included, whose trees are apart.
  function* all(root) {
    for (const node of root.querySelectorAll("*")) {
      yield node;
      if (node.shadowRoot) yield* all(node.shadowRoot);
    }
  }

  const parentOf = (node) => node.parentElement ?? node.getRootNode().host;

  function within(node, selector) {
    for (let at = node; at; at = parentOf(at)) if (at.matches(selector)) return true;
    return false;
  }

  function isSeen(node) {
    const { width, height } = node.getBoundingClientRect();
    const { visibility, clipPath } = getComputedStyle(node);
    const isThere = node.checkVisibility() && visibility !== "hidden" && clipPath === "none";
    return isThere && width > 1 && height > 1;
  }

  const named = (node) =>
    [node, parentOf(node)]
      .map((at) => `${at.tagName.toLowerCase()}.${at.getAttribute("class") ?? ""}`)
      .reverse()
      .join(" > ");

  function* texts() {
    for (const node of all(document.body)) {
      const own = [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE);
      const said = own.map((child) => child.textContent).join("").trim();
      // A table of Streamlit is drawn; what stands in its canvas are the numbers as they came.
      if (said && isSeen(node) && !within(node, "canvas")) yield [node, said];
    }
  }

  // Text in less than so many pixels, each kind of element once. Of a formula, that of its base.
  function small(least, except) {
    const found = {};
    for (const [node, said] of texts()) {
      const size = parseFloat(getComputedStyle(node).fontSize);
      if (size < least && !within(node, except)) found[named(node)] ??= `${size} “${said}”`;
    }
    return Object.entries(found).map(([name, what]) => `${name}: ${what}`);
  }

  // What can be scrolled sideways: the page itself, and boxes in it.
  function wide(except) {
    const main = document.querySelector("[data-testid=stMain]");
    const boxes = [main, ...[...all(main)].filter((node) => {
      const scrolls = ["auto", "scroll"].includes(getComputedStyle(node).overflowX);
      return scrolls && isSeen(node) && !within(node, except);
    })];
    const over = boxes.filter((box) => box.scrollWidth > box.clientWidth + 1);
    return over.map((box) => `${named(box)}: ${box.scrollWidth} in ${box.clientWidth}`);
  }

  // Each text of a chart that is partly outside of its picture.
  function cut(pictures = ".js-plotly-plot .main-svg") {
    return [...document.querySelectorAll(pictures)].flatMap((picture) => {
      const frame = picture.getBoundingClientRect();
      return [...picture.querySelectorAll("text")].filter(isSeen).flatMap((text) => {
        const box = text.getBoundingClientRect();
        const aside = Math.max(frame.left - box.left, box.right - frame.right);
        const over = Math.max(aside, frame.top - box.top, box.bottom - frame.bottom);
        return over > 1 ? [`“${text.textContent}” by ${Math.round(over)} pixels`] : [];
      });
    });
  }

  // All that a reader reads, the hovers and labels of charts included, but no code.
  function words(except) {
    const said = [];
    for (const [node, text] of texts()) if (!within(node, except)) said.push(text);
    for (const drawn of document.querySelectorAll(".js-plotly-plot")) {
      for (const trace of drawn.data) said.push([trace.hovertext, trace.text].flat(2).join("\n"));
    }
    return said.join("\n");
  }

  // What pages are about: charts, tables, texts, and in Learn what is moved, asked and explained.
  const DATA =
    "[data-testid=stPlotlyChart], [data-testid=stDataFrame], .stHtml :is(table, ul, ol, .rules, .cards), " +
    ".passage .lines, .credit .grid, .toy, .error-list .row, .sandbox .side, .pit-box, .katex, " +
    "[class*=st-key-gallery] button";

  // How far below the top of the window the first of them begins; a table that only a reader hears
  // does not count.
  function datum() {
    const main = document.querySelector("[data-testid=stMain]");
    const data = [...all(main)].filter((node) => node.matches(DATA) && isSeen(node));
    return Math.round(Math.min(...data.map((node) => node.getBoundingClientRect().top)));
  }

  // The words that a page opens with, outside of its tables and charts and of the user's texts.
  const NO_PROSE =
    "table, [data-testid=stDataFrame], .js-plotly-plot, .passage .lines, .passage .chains, " +
    ".credit .grid .text, .error-list .scroller, .error-list .facets, .katex, .sandbox .side, " +
    "pre, code, .signature";
  function prose() {
    const main = document.querySelector("[data-testid=stMain]");
    const said = [...texts()].filter(([node]) => main.contains(hostOf(node)) && !within(node, NO_PROSE));
    return said.flatMap(([, text]) => text.split(/\s+/)).filter((word) => /\p{L}|\d/u.test(word)).length;
  }

  // The element of the document itself that an element of a component is in.
  function hostOf(node) {
    const tree = node.getRootNode();
    return tree.host ? hostOf(tree.host) : node;
  }

  // How many things on a page can be used, those of the sidebar left out.
  function controls() {
    const main = document.querySelector("[data-testid=stMain]");
    const used = [...all(main)].filter((node) => node.matches(USABLE) && isSeen(node));
    return used.length;
  }

  // Whether all charts have drawn what they are given.
  function isDrawn() {
    const charts = [...document.querySelectorAll("[data-testid=stPlotlyChart]")];
    const isDone = charts.every((chart) => chart.querySelector(".main-svg"));
    return isDone && document.fonts.status === "loaded";
  }

  // The theme: "light" or "dark".
  const scheme = () => getComputedStyle(document.querySelector(".stApp")).colorScheme;

  // Whether no colour is on its way to another, as where the theme has changed.
  function isStill() {
    const trees = [document, ...[...all(document)].flatMap((node) => node.shadowRoot ?? [])];
    const isDone = ({ playState }) => playState !== "running";
    return trees.every((tree) => tree.getAnimations().every(isDone));
  }

  // Whether all charts are as wide as their place, for which they are drawn anew some time after it
  // changed.
  function isFitted() {
    const charts = [...document.querySelectorAll(".js-plotly-plot")];
    const widthOf = (node) => node.getBoundingClientRect().width;
    const off = (chart) => widthOf(chart.querySelector(".main-svg")) - widthOf(chart.parentElement);
    return charts.every((chart) => Math.abs(off(chart)) < 1);
  }

  // A number for what decides whether a text can be told from what is behind it: the classes, type
  // and colours of an element and of all around it; the same wherever elements look the same.
  const numbers = new Map();
  function lookOf(node, looks) {
    if (!node) return "";
    if (!looks.has(node)) {
      const style = getComputedStyle(node);
      const { color, fontSize, fontWeight, textShadow, textDecorationLine } = style;
      const { backgroundColor, backgroundImage, opacity } = style;
      const type = [color, fontSize, fontWeight, textShadow, textDecorationLine];
      const isOff = node.matches(":disabled, [aria-disabled=true]") || node.control?.disabled;
      const own = [node.tagName, node.getAttribute("class"), isOff, ...type];
      const behind = [backgroundColor, backgroundImage, opacity];
      const look = [lookOf(parentOf(node), looks), ...own, ...behind].join();
      if (!numbers.has(look)) numbers.set(look, numbers.size);
      looks.set(node, numbers.get(look));
    }
    return looks.get(node);
  }

  // The first and the last element with text of each look that axe has not found good yet, on this
  // page or another, by their looks. It judges no single character.
  const good = new Set();
  function untried() {
    const looks = new Map();
    const found = Map.groupBy(
      [...all(document.body)].filter((node) => {
        const own = [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE);
        const said = own.map((child) => child.data).join("").trim();
        const isText = said.length > 1 || node.matches("input, select, textarea");
        return isText && node.checkVisibility({ visibilityProperty: true });
      }),
      (node) => lookOf(node, looks),
    );
    const left = [...found].filter(([look]) => !good.has(look));
    return new Map(left.flatMap(([look, nodes]) => [[nodes[0], look], [nodes.at(-1), look]]));
  }

  // What axe finds that keeps somebody out, and titles that skip a level; `except` has selectors by
  // rule. The rules `ofColours` are asked apart, of each look once.
  async function violations({ except, ofColours }) {
    const off = Object.fromEntries(ofColours.map((id) => [id, { enabled: false }]));
    return grave(await axe.run(document, { ...TOLD, rules: off }), except);
  }

  async function colours({ except, ofColours }) {
    const looks = untried();
    if (!looks.size) return [];
    const resultTypes = ["violations", "passes"];
    const found = await axe.run([...looks.keys()], { ...TOLD, resultTypes, runOnly: ofColours });
    const looksOf = (rules) => rules.flatMap((rule) => rule.nodes.map((node) => looks.get(node.element)));
    for (const look of looksOf(found.passes)) good.add(look);
    for (const look of looksOf(found.violations)) good.delete(look);
    return grave(found, except);
  }

  const TOLD = { resultTypes: ["violations"], elementRef: true, selectors: false };
  function grave(found, except) {
    const kept = found.violations.filter(
      ({ id, impact }) => ["serious", "critical"].includes(impact) || id === "heading-order",
    );
    return kept.flatMap(({ id, help, nodes }) => {
      const ours = nodes.filter(({ element }) => !except[id] || !within(element, except[id]));
      return ours.map(({ html, any, all: every, none }) => {
        const told = [...any, ...every, ...none].map(({ message }) => message).join("; ");
        return `${id} (${help}): ${html.slice(0, 160)}: ${told.slice(0, 240)}`;
      });
    });
  }

  // What can be used: all that a pointer can click or the keyboard can stop at.
  const USABLE =
    "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, canvas, " +
    "[role=button], [role=tab], [role=radio], [role=option], [tabindex]";

  // How an element and those around it are drawn: what may show that it has the focus.
  function drawn(node) {
    const looks = [];
    for (let at = node, up = 0; at && up < 9; at = parentOf(at), up++) {
      const style = getComputedStyle(at);
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor } = style;
      const { backgroundColor, textDecorationLine, color } = style;
      const outline = outlineStyle === "none" ? "" : [outlineStyle, outlineWidth, outlineColor];
      looks.push([outline, boxShadow, borderColor, backgroundColor, textDecorationLine, color].join());
    }
    return looks.join(";");
  }

  function active() {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return node;
  }

  // Numbers all that can be used, keeps how it looks without the focus, and notes from now on what
  // has it. A tree apart tells only itself of a step within it.
  let usable = new Map();
  let first = null;
  let last = null;
  let isRound = false;
  function begin() {
    const isStop = (node) => node.tabIndex >= 0 && node.checkVisibility();
    const nodes = [...all(document.body)];
    const used = nodes.filter((node) => node.matches(USABLE) && (isSeen(node) || isStop(node)));
    first = last = null;
    isRound = false;
    usable = new Map(used.map((node) => [node, { look: drawn(node), reached: false, seen: false }]));
    const trees = nodes.flatMap((node) => node.shadowRoot ?? []);
    for (const tree of [document, ...trees]) tree.addEventListener("focusin", later);
  }

  // React draws the focus right after the event.
  const later = () => queueMicrotask(stop);

  // Notes which element has the focus now and whether it shows. The round is at its end at the first
  // element again.
  function stop() {
    const node = active();
    const known = usable.get(node);
    if (node === last) return;
    if (node === first) isRound = true;
    first ??= node;
    last = node;
    if (known && !known.reached) {
      known.reached = true;
      known.seen = drawn(node) !== known.look;
    }
  }

  // Of a group with keys of its own, one stop is enough: arrows lead to the others.
  function groupOf(node, groups) {
    for (let at = node; at; at = parentOf(at)) if (at.matches(groups)) return at;
    return null;
  }

  // What no Tab came to, and what does not show that it has the focus.
  function missed(groups) {
    const reached = [...usable].filter(([, { reached: was }]) => was).map(([node]) => node);
    const main = document.querySelector("[data-testid=stMain]"); // has the focus to be scrolled
    const entered = new Set(reached.map((node) => groupOf(node, groups)));
    entered.delete(null);
    const left = [...usable].filter(([node, { reached: was }]) => {
      const isPart = reached.some((one) => one !== main && one.contains(node));
      const isLost = node.isConnected && isSeen(node) && !entered.has(groupOf(node, groups));
      return !was && !isPart && isLost;
    });
    const faint = [...usable].filter(([, { reached: was, seen }]) => was && !seen);
    const told = ([node]) => `${named(node)} “${node.textContent.slice(0, 30)}”`;
    const found = { left: left.map(told), faint: faint.map(told) };
    usable = new Map(); // of a page that is left nothing is kept
    first = last = null;
    return found;
  }

  return { all, parentOf, within, isSeen, named, small, wide, cut, words, datum, prose, controls, violations, colours, isDrawn, scheme, isStill, isFitted, begin, isAround: () => isRound, missed };
})();
