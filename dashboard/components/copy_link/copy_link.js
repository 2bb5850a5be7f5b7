// A button that copies the page's address, which keeps all that is chosen in it, or a text. Where the
// browser lets no page write the clipboard (an address without https on another machine), the
// address or the text is shown, selected.

const texts = new WeakMap(); // what each copies, as it was drawn last

export default function ({ parentElement, data }) {
  texts.set(parentElement, data.text);
  if (parentElement.querySelector("[data-copies]")) return; // a click on it stays answered
  const copied = () => texts.get(parentElement) || window.location.href;
  const root = document.createElement("div");
  root.className = data.text ? "copy-text" : "copy-link";
  root.dataset.copies = "";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = data.label;
  const said = document.createElement("span");
  said.setAttribute("role", "status");
  const field = document.createElement("input");
  field.readOnly = true;
  field.hidden = true;
  field.setAttribute("aria-label", data.text ? "The text" : "The link");
  root.append(button, said, field);
  parentElement.append(root);

  field.addEventListener("focus", () => {
    field.value = copied();
    field.select();
  });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(copied());
      said.textContent = "Copied";
      addEventListener("pointerdown", () => (said.textContent = ""), { once: true, capture: true });
    } catch {
      field.hidden = false;
      field.focus();
      said.textContent = "Copy it from here:";
    }
  });
}
