// What every script of the components builds the page with; put before each of them. Text is only
// ever set as textContent.

function element(tag, style, text = "") {
  const made = document.createElement(tag);
  made.className = style;
  made.textContent = text;
  return made;
}

// Whether a mouse event is a move of the pointer: not where the page moved under the pointer.
let pointerAt = "";
function hasMoved({ clientX, clientY }) {
  const before = pointerAt;
  pointerAt = `${clientX} ${clientY}`;
  return pointerAt !== before;
}

function button(style, text) {
  const made = element("button", style, text);
  made.type = "button";
  return made;
}

