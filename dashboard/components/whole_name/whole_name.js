// Shows on hover the whole of what is selected in a box that is too narrow for it, such as the name
// of a file in the sidebar.

addEventListener("pointerover", ({ target }) => {
  if (target.matches?.("input[role=combobox]")) target.title = target.value;
});

export default function () {}
