// A button that copies the page's address; the page keeps all that is chosen in it. Where the
// browser lets no page write the clipboard (an address without https on another machine), the
// address is shown, selected.

export default function ({ parentElement, data }) {
  if (parentElement.querySelector(".copy-link")) return; // a click on it stays answered
  const root = document.createElement("div");
  root.className = "copy-link";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = data.label;
  const said = document.createElement("span");
  said.setAttribute("role", "status");
  const field = document.createElement("input");
  field.readOnly = true;
  field.hidden = true;
  field.setAttribute("aria-label", "The link");
  root.append(button, said, field);
  parentElement.append(root);

  field.addEventListener("focus", () => {
    field.value = window.location.href;
    field.select();
  });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(window.location.href);
      said.textContent = "Copied";
      addEventListener("pointerdown", () => (said.textContent = ""), { once: true, capture: true });
    } catch {
      field.hidden = false;
      field.focus();
      said.textContent = "Copy it from here:";
    }
  });
}
