// What stands around the words: the strip that shows where the errors are, the chains of the mention
// that is selected, and its credit.

const written = (n) => n.toLocaleString("en");

// What n and p step over: "1,340 errors", "1 change".
const counted = (n, noun) => `${written(n)} ${noun}${n === 1 ? "" : "s"}`;

function strip(page) {
  const { words, width, counts, window: shown } = page.data.strip;
  const most = Math.max(1, ...counts);
  const place = page.chosen ? Math.floor(Number(page.chosen.split("-")[0]) / width) : -1;
  page.strip.hidden = words < 60;
  page.strip.replaceChildren(
    ...counts.map((n, i) => {
      const [first, last] = [i * width, Math.min((i + 1) * width, words)];
      const made = button("stretch", "");
      made.dataset.word = first;
      made.title = `Words ${written(first + 1)} to ${written(last)}: ${counted(n, page.data.noun)}`;
      made.setAttribute("aria-label", made.title);
      made.tabIndex = i === Math.max(place, 0) ? 0 : -1;
      if (last > shown[0] && first < shown[1]) made.classList.add("shown");
      if (i === place) made.classList.add("now");
      const bar = element("span", "bar");
      bar.style.height = `${(100 * n) / most}%`;
      made.append(bar);
      return made;
    }),
  );
}

function chain({ title, size, side, members, note }, chosen) {
  const made = element("section", "chain");
  const head = element("h3", "", title);
  if (members.length) head.append(element("span", LINES[side], ""), element("small", "", size));
  const list = element("ol", "");
  for (const member of members) {
    const go = button(`member ${member.style}`, "");
    go.dataset.go = member.at;
    go.title = `${member.words}, line ${member.line}`;
    if (member.at === chosen) go.setAttribute("aria-current", "true");
    go.append(element("b", "", member.letter), element("span", "words", member.text));
    go.append(element("i", "", member.line));
    const item = element("li", "");
    item.append(go);
    list.append(item);
  }
  made.append(head, list);
  if (note) made.append(element("p", "about", note));
  return made;
}

// What each metric gives the mention that is selected, in each response.
function credit({ letters, rows, reasons }) {
  const made = element("section", "credit");
  const table = element("table", "");
  const line = (tag, cells) => {
    const row = element("tr", "");
    row.append(...cells.map((cell) => element(tag, "", cell)));
    return row;
  };
  table.append(line("th", ["", ...letters]));
  rows.forEach(([title, shares], i) => {
    const row = line("td", [title, ...shares]);
    row.title = reasons[i];
    table.append(row);
  });
  made.append(element("h3", "", "Credit, percent"), table);
  return made;
}

