// Keeps notes in the storage of the tab. A browser that stores nothing loses them with a reload.

export default function ({ data, setTriggerValue }) {
  const name = `corescore ${data.name}`;
  try {
    if (data.notes !== null) {
      sessionStorage.setItem(name, data.notes);
    } else {
      const stored = sessionStorage.getItem(name);
      if (stored !== null) setTriggerValue("stored", stored);
    }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
