
// The edits that Python has not taken over yet. Of the values sent while a run is pending Streamlit
// keeps the last alone: so each edit has a number and goes along with all that wait before it, and
// Python leaves out those it knows. What waits outlives the boxes, which a page switch removes.
const outbox = (globalThis.corescoreEdits ??= { last: 0, waiting: [] });

function post(page, edit) {
  outbox.last += 1;
  outbox.waiting.push({ ...edit, number: outbox.last });
  resend(page);
}

function resend(page) {
  if (outbox.waiting.length) page.send([...outbox.waiting]);
}

function forget(taken) {
  outbox.last = Math.max(outbox.last, taken);
  outbox.waiting = outbox.waiting.filter(({ number }) => number > taken);
}
