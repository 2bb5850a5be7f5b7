// What every script of the components builds the page with; put before each of them. Text is only
// ever set as textContent.

function element(tag, style, text = "") {
  const made = document.createElement(tag);
  made.className = style;
  made.textContent = text;
  return made;
}

// Whether the pointer has come upon something (mouseover) by a move: not where the page moved, or was
// drawn, under it. Where it moved last is known to the scripts of all components: one of them may come
// after the last move. A pointer that has never moved rests.
addEventListener(
  "mousemove",
  ({ clientX, clientY }) => (globalThis.pointerAt = `${clientX} ${clientY}`),
  true,
);

function hasMoved({ clientX, clientY }) {
  return Boolean(globalThis.pointerAt) && globalThis.pointerAt !== `${clientX} ${clientY}`;
}

function button(style, text) {
  const made = element("button", style, text);
  made.type = "button";
  return made;
}

// Calls the function of a key, unless it is typed into a box. Streamlit calls the drawing function
// of a component again and again: only the last call listens. Returns what ends it.
function listenToKeys(page, ways) {
  page.stop?.abort();
  const stop = new AbortController();
  page.stop = stop;
  const text = "input:not([type=checkbox], [type=radio])";
  const typing = `${text}, textarea, select, [contenteditable], [role=combobox]`;
  document.addEventListener(
    "keydown",
    (event) => {
      const modified = event.ctrlKey || event.metaKey || event.altKey;
      if (modified || !ways[event.key] || event.composedPath()[0].matches?.(typing)) return;
      event.preventDefault();
      ways[event.key]();
    },
    { signal: stop.signal },
  );
  return () => stop.abort();
}
