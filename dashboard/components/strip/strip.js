// The whole document as a row of bars: how many stops each stretch of it has, and which part is shown.

const written = (n) => n.toLocaleString("en");

// What n and p step over: "1,340 mentions with errors", "1 loss".
const MENTION = { error: "mention with errors" };
const plural = (noun) =>
  MENTION[noun]?.replace("mention", "mentions") ?? `${noun}${noun.endsWith("s") ? "es" : "s"}`;
const counted = (n, noun) => `${written(n)} ${n === 1 ? (MENTION[noun] ?? noun) : plural(noun)}`;

function buildStrip() {
  const made = element("div", "strip");
  made.setAttribute("role", "group");
  return made;
}

// `chosen`: the span that is selected, or "".
function drawStrip(strip, { words, width, counts, window: shown }, noun, chosen) {
  const most = Math.max(1, ...counts);
  const place = chosen ? Math.floor(Number(chosen.split("-")[0]) / width) : -1;
  strip.hidden = words < 60;
  strip.setAttribute("aria-label", `Where in the document the ${plural(noun)} are`);
  strip.replaceChildren(
    ...counts.map((n, i) => {
      const [first, last] = [i * width, Math.min((i + 1) * width, words)];
      const made = button("stretch", "");
      made.dataset.word = first;
      made.title = `Words ${written(first + 1)} to ${written(last)}: ${counted(n, noun)}`;
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

// `go` is called with the first word of the stretch that was clicked.
function listenToStrip(strip, go) {
  strip.addEventListener("click", (event) => {
    const stretch = event.target.closest(".stretch");
    if (stretch) go(Number(stretch.dataset.word));
  });
  strip.addEventListener("keydown", (event) => {
    const ways = { ArrowLeft: "previousElementSibling", ArrowRight: "nextElementSibling" };
    strip.getRootNode().activeElement?.[ways[event.key]]?.focus();
  });
}

