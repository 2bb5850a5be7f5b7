// Keeps a text in the storage of the tab. A browser that stores nothing loses it with a reload.

export default function ({ data, setTriggerValue }) {
  const name = `corescore ${data.name}`;
  try {
    if (data.text) {
      sessionStorage.setItem(name, data.text);
    } else if (data.text === "") {
      sessionStorage.removeItem(name);
    } else {
      const stored = sessionStorage.getItem(name);
      if (stored !== null) setTriggerValue("stored", stored);
    }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
