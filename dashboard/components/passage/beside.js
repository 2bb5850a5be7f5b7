// What stands beside the words: the chains of the mention that is selected, and its credit.

function chain({ title, size, side, members, note }, chosen) {
  const made = element("section", "chain");
  const head = element("h2", "", title);
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
  made.append(element("h2", "", "Credit, percent"), table);
  return made;
}

