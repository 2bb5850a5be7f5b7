// What every script of the components builds the page with; put before each of them. Text is only
// ever set as textContent.

function element(tag, style, text = "") {
  const made = document.createElement(tag);
  made.className = style;
  made.textContent = text;
  return made;
}

function button(style, text) {
  const made = element("button", style, text);
  made.type = "button";
  return made;
}

