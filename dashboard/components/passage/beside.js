// What stands beside the words: the chains of the mention that is selected; and what the bar above
// them keeps of it: its antecedents, and what each metric gives it in each response.

function chain({ title, size, side, members, note }, chosen) {
  const made = element("section", "chain");
  const head = element("h2", "", title);
  if (members.length) head.append(element("span", LINES[side], ""), element("small", "", size));
  const list = element("ol", "");
  for (const member of members) {
    const go = button(`member ${member.style}`, "");
    go.dataset.go = member.span;
    go.title = `${member.words}, line ${member.line}`;
    if (member.span === chosen) go.setAttribute("aria-current", "true");
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

function kept({ antecedents, credit: { letters, rows, reasons } }) {
  const made = antecedents ? [element("span", "antecedents", antecedents)] : [];
  if (made.length) made[0].title = antecedents;
  if (!rows.length) return made;
  const credit = element("span", "credit");
  credit.append(element("span", "of", `Credit (${letters.join(" · ")})`));
  rows.forEach(([title, shares], i) => {
    const cell = element("span", "cell", `${title} `);
    cell.title = reasons[i];
    cell.append(element("b", "", shares.join(" · ")));
    credit.append(cell);
  });
  return [...made, credit];
}
