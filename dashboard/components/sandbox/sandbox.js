
// Draws a toy from the parts of boxes.js, and lets pointer and keyboard move its chips. It changes
// nothing itself: it sends Python the edit, by outbox.js, and draws what comes back. An edit names
// an entity by its mentions: when it arrives, an edit before it may have changed the positions.

const pages = new WeakMap();
const FAR = 4; // pixels that a press must go to be a drag
const SPACIOUS = 12; // mentions; with more of them the boxes are drawn closer together

// What is lit, and what is said ------------------------------------------------------------------

function light(page, name) {
  const { root, data } = page;
  root.querySelectorAll(".lit, .kin-key, .kin-response").forEach((node) => {
    node.classList.remove("lit", "kin-key", "kin-response");
  });
  const mention = data.mentions[name];
  if (!mention) return;
  root.querySelectorAll("[data-mention]").forEach((node) => {
    const other = data.mentions[node.dataset.mention];
    if (node.dataset.mention === name) node.classList.add("lit");
    for (const side of ["key", "response"]) {
      if (other && mention[side] >= 0 && other[side] === mention[side]) {
        node.classList.add(`kin-${side}`);
      }
    }
  });
}

// On the screen, and read out.
function say(page, words) {
  page.note.textContent = page.live.textContent = words;
  page.note.classList.add("news");
}

// Picking up and dropping ------------------------------------------------------------------------

function load(node) {
  const stop = node.closest?.("[data-stop]");
  const from = stop?.closest(".box");
  if (!from) return null;
  const entity = stop.dataset.entity === undefined ? null : Number(stop.dataset.entity);
  const name = stop.dataset.mention ?? stop.textContent;
  return { stop, from, entity, mention: stop.dataset.mention, name, side: from.dataset.side };
}

function targets(page, held) {
  const boxes = [...page.root.querySelectorAll(`.box[data-side="${held.side}"]`)];
  return boxes.filter((target) => held.entity === null || target.dataset.to !== "new");
}

const members = (page, side, number) => page.data.sides.find(({ id }) => id === side).entities[number];

function described(page, held, target) {
  const side = page.data.sides.find(({ id }) => id === held.side);
  const { to } = target.dataset;
  if (target === held.from) return "where it is";
  if (to === "new") return "a new entity";
  if (to === "missing") return side.lacking;
  return `${entityName(side, Number(to))}: ${listed(side.entities[to])}`;
}

function aim(page, target) {
  page.root.querySelectorAll(".aimed").forEach((node) => node.classList.remove("aimed"));
  target?.classList.add("aimed");
}

function release(page) {
  page.held?.stop.classList.remove("held");
  page.root.classList.remove("holding");
  page.shade?.remove();
  page.held = page.shade = page.target = null;
  aim(page, null);
  queueMicrotask(() => settle(page));
}

// Draw what came while a mention was held.
function settle(page) {
  if (page.later && !page.held && !page.pressed) draw(page);
}

function hold(page, held) {
  release(page);
  page.held = held;
  held.stop.classList.add("held");
  page.root.classList.add("holding");
}

function pick(page, held) {
  hold(page, held);
  held.stop.focus();
  page.target = held.from;
  aim(page, held.from);
  say(page, `${held.name} is picked up: arrows select a box, Enter drops it, Escape cancels.`);
}

function put(page, target) {
  const { held } = page;
  const { side } = held;
  release(page);
  if (!target || target.dataset.side !== side || target === held.from) {
    say(page, `${held.name} stays where it is.`);
    return;
  }
  const to = /^\d+$/.test(target.dataset.to) ? Number(target.dataset.to) : target.dataset.to;
  const into = members(page, side, to);
  say(page, `${held.name} to ${described(page, held, target)}.`);
  if (held.entity === null) {
    page.focus = `${side} ${held.mention}`;
    post(page, { do: "move", side, mention: held.mention, to: into ?? to });
  } else if (to === "missing") {
    post(page, { do: "drop", side, entity: members(page, side, held.entity) });
  } else if (to !== "new") {
    page.focus = `${side} entity ${held.entity < to ? to - 1 : to}`;
    post(page, { do: "merge", side, entity: members(page, side, held.entity), into });
  }
}

// The pointer ------------------------------------------------------------------------------------

function under(page, event) {
  const place = page.root.getRootNode().elementFromPoint(event.clientX, event.clientY);
  return place?.closest?.(".box");
}

function press(page, event) {
  if (event.button || event.target.closest(".tool")) return;
  const held = load(event.target);
  if (!held) return;
  page.pressed = { held, x: event.clientX, y: event.clientY };
  const lifted = () => {
    page.pressed = null;
    settle(page);
  };
  document.addEventListener("pointerup", lifted, { once: true }); // outside of the boxes, too
}

function drag(page, event) {
  const { pressed } = page;
  if (pressed && !page.shade) {
    const far = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) >= FAR;
    if (!far) return;
    hold(page, pressed.held);
    page.shade = pressed.held.stop.cloneNode(true);
    page.shade.classList.add("shade");
    page.root.append(page.shade);
    page.root.setPointerCapture(event.pointerId);
  }
  if (!page.shade) return;
  const frame = page.root.getBoundingClientRect();
  page.shade.style.left = `${event.clientX - frame.left + 8}px`;
  page.shade.style.top = `${event.clientY - frame.top + 8}px`;
  const target = under(page, event);
  aim(page, target && targets(page, page.held).includes(target) ? target : null);
}

function lift(page, event) {
  if (!page.shade) return;
  const target = under(page, event);
  put(page, target && targets(page, page.held).includes(target) ? target : null);
}

function click(page, event) {
  const act = event.target.closest(".tool")?.dataset.act;
  const from = event.target.closest(".box");
  if (page.held && !act) {
    if (from) put(page, from);
    return;
  }
  if (!act) return;
  const { side, to } = from.dataset;
  if (act === "merge") return pick(page, load(from.querySelector(".handle")));
  if (act === "split") page.focus = `${side} entity ${to}`;
  post(page, { do: act, side, entity: members(page, side, Number(to)) });
}

// The keyboard -----------------------------------------------------------------------------------

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function carry(page, event) {
  const { held } = page;
  const boxes = targets(page, held);
  if (STEPS[event.key]) {
    const at = boxes.indexOf(page.target) + STEPS[event.key];
    page.target = boxes[(at + boxes.length) % boxes.length];
    aim(page, page.target);
    say(page, `${held.name} to ${described(page, held, page.target)}? Enter drops it, Escape cancels.`);
  } else if (event.key === "Enter" || event.key === " ") {
    put(page, page.target);
  } else if (event.key === "Escape") {
    release(page);
    say(page, `${held.name} stays where it is.`);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

function walk(page, held, event) {
  const side = held.stop.closest(".side");
  const stops = [...side.querySelectorAll("[data-stop]")];
  const next = stops[stops.indexOf(held.stop) + STEPS[event.key]];
  if (!next) return;
  stops.forEach((stop) => (stop.tabIndex = stop === next ? 0 : -1));
  page.focus = null;
  next.focus();
}

function key(page, event) {
  if (page.held) return carry(page, event);
  const held = load(event.target);
  if (!held) return;
  const { side } = held;
  const whole = held.entity !== null;
  if (STEPS[event.key]) {
    walk(page, held, event);
  } else if (event.key === "Enter" || event.key === " ") {
    pick(page, held);
  } else if (event.key === "Delete" || event.key === "Backspace") {
    page.focus = `${held.side} ${held.mention}`;
    if (whole) post(page, { do: "drop", side, entity: members(page, side, held.entity) });
    else post(page, { do: "move", side, mention: held.mention, to: "missing" });
  } else if (whole && event.key.toLowerCase() === "s") {
    page.focus = held.stop.dataset.stop;
    post(page, { do: "split", side, entity: members(page, side, held.entity) });
  } else {
    return;
  }
  event.preventDefault();
}

// The page ---------------------------------------------------------------------------------------

function listen(page) {
  const { root } = page;
  root.addEventListener("pointerdown", (event) => press(page, event));
  root.addEventListener("pointermove", (event) => drag(page, event));
  root.addEventListener("pointerup", (event) => lift(page, event));
  root.addEventListener("pointercancel", () => {
    page.pressed = null;
    release(page);
  });
  root.addEventListener("click", (event) => click(page, event));
  root.addEventListener("keydown", (event) => key(page, event));
  const named = (event) => event.target.closest?.("[data-mention]")?.dataset.mention;
  root.addEventListener("mouseover", (event) => light(page, named(event)));
  root.addEventListener("mouseleave", () => light(page, null));
  root.addEventListener("focusin", (event) => light(page, named(event)));
}

function draw(page) {
  const data = (page.data = page.later ?? page.data);
  const { root } = page;
  const held = root.getRootNode().activeElement?.dataset?.stop;
  const focus = page.focus ?? held;
  page.held = page.shade = page.pressed = page.later = null;
  page.focus = null;
  const sides = data.sides.map((side) => row(data, side));
  root.classList.toggle("dense", data.is_dense || Object.keys(data.mentions).length > SPACIOUS);
  const text = data.words.length ? [sentence(data)] : [];
  page.note = element("div", "note", data.hint);
  page.live.textContent = data.news;
  root.classList.remove("holding");
  page.drawn.replaceChildren(...text, ...sides, page.note, legend(data.legend));
  for (const side of sides) {
    const stops = [...side.querySelectorAll("[data-stop]")];
    const stop = stops.find((node) => node.dataset.stop === focus) ?? stops[0];
    if (!stop) continue;
    stop.tabIndex = 0;
    if (stop.dataset.stop === focus) stop.focus({ preventScroll: true });
  }
}

// The answer to an edit waits until what is held meanwhile is put down.
function take(page, data) {
  const isAnswer = page.data && data.taken > page.data.taken;
  forget(data.taken);
  page.later = data;
  if (isAnswer) settle(page);
  else draw(page);
}

function opened(parentElement) {
  const page = {
    root: element("div", "sandbox"),
    drawn: element("div", ""),
    live: element("div", "live"),
  };
  page.live.setAttribute("aria-live", "polite");
  page.root.append(page.drawn, page.live);
  pages.set(parentElement, page);
  parentElement.append(page.root);
  listen(page);
  return page;
}

export default function ({ parentElement, data, setTriggerValue }) {
  const known = pages.get(parentElement);
  const page = known ?? opened(parentElement);
  page.send = (edits) => setTriggerValue("edits", edits);
  const shown = JSON.stringify(data);
  if (page.shown === shown) return;
  page.shown = shown;
  take(page, data);
  if (!known) resend(page);
}
