// Stands in for what Streamlit gives the script of a component: a tree of its own with its style,
// the data, and functions that take what the script sends. As Streamlit does, it calls the script
// again whenever the data has changed.

globalThis.pointerAt ??= "0 0"; // a hand has moved the pointer before
globalThis.blank = { sent: [], parts: {}, modules: {} };

blank.draw = async (name, { js, css, data, isolated }) => {
  const part = (blank.parts[name] ??= blank.place(isolated, css));
  if (part.drawn === data) return;
  part.drawn = data;
  const module = (blank.modules[js] ??= import(
    URL.createObjectURL(new Blob([js], { type: "text/javascript" }))
  ));
  const send = (event, value) => blank.sent.push({ event, value });
  const { default: draw } = await module;
  const given = { parentElement: part.tree, data: data ? JSON.parse(data) : null };
  part.end = draw({ ...given, name, key: name, setTriggerValue: send, setStateValue: send });
};

// As where the page has no such component any more: what the last call returned is called.
blank.remove = (name) => {
  const { host, end } = blank.parts[name];
  delete blank.parts[name];
  host.remove();
  end?.();
};

blank.place = (isolated, css) => {
  const host = document.createElement("div");
  document.querySelector("main").append(host);
  const tree = isolated ? host.attachShadow({ mode: "open" }) : host;
  const style = document.createElement("style");
  style.textContent = css;
  tree.append(style);
  return { host, tree };
};

blank.taken = () => blank.sent.splice(0);
