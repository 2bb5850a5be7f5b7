"""Templates: what stands in a value comes out as text; cards, handouts, panels."""

import ast
import re
from dataclasses import asdict, replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

import corescore
from corescore import Document, score_entities
from corescore.analysis.errors.classes import MISSING, SPAN_ERROR, SPURIOUS
from corescore.analysis.explain import share_table
from corescore.metrics import CONLL, DIAGNOSTICS, METRIC_IDS, METRICS
from corescore.rendering import classroom, panels
from corescore.rendering import html as markup
from corescore.rendering import html as rendering
from corescore.rendering.classroom import (
    answers,
    finding,
    handout,
    in_the_example,
    introduction,
)
from corescore.rendering.html import ENVIRONMENT, Window, render
from corescore.scoring.tables import difference_table
from corescore.sentences.names import escaped
from corescore.teaching.cards import EXAMPLE, empty_table
from corescore.teaching.criteria import NO_VALUE
from corescore.teaching.exercises import FORMULAS, LESSON
from corescore.teaching.pitfalls import PITFALLS
from dashboard.components.mentions import STATUSES
from dashboard.widgets.page import plain
from tests.support.strategies import corpora_of

# Templates: whatever stands in a value comes out as text, wherever a template has one -------------

HOME = Path(rendering.__file__).parent
HARMLESS = "Quixote"
HOSTILE = '<img src=x onerror=alert(1)></script><!--"\' x="{{ 7 * 7 }}{% raw %}&amp;'


class Elements(HTMLParser):
    """Tags and names of attributes in their order, and all text and values of attributes."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.words = [], ""
        self.feed(str(html))
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, *(name for name, _ in attrs)))
        self.words += "\n".join(value or "" for _, value in attrs)

    def handle_endtag(self, tag):
        self.tags.append(f"/{tag}")

    def handle_comment(self, data):
        self.tags.append("comment")

    def handle_data(self, data):
        self.words += unescape(data) if self.cdata_elem else data  # of a script or style


def rendered_blocks():
    """(template, block) of every call of `render` in the package and the dashboard."""
    for path in (*HOME.rglob("*.py"), *HOME.parents[1].glob("dashboard/**/*.py")):
        text = path.read_text(encoding="utf-8")
        if "corescore.rendering.html import" not in text and path.name != "html.py":
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "render":
                yield tuple(argument.value for argument in node.args)


def test_every_template_is_rendered_and_has_the_blocks_that_are():
    rendered = {*rendered_blocks()}
    assert {f"{template}.html" for template, _ in rendered} == {*ENVIRONMENT.list_templates()}
    assert all(hasattr(rendering._module(template), block) for template, block in rendered)


def filled(template, words):
    """A template with these words, escaped, for each value, and all branches of it."""
    text = (HOME / "templates" / template).read_text(encoding="utf-8").replace("{{ level }}", "3")
    text = re.sub(r"\{([%#]).*?\1\}", "", text, flags=re.DOTALL)
    return Elements(re.sub(r"\{\{.*?\}\}", lambda _: str(escape(words)), text))


@pytest.mark.parametrize("template", ENVIRONMENT.list_templates())
def test_hostile_text_adds_no_element_and_loses_no_letter(template):
    harmless, hostile = filled(template, HARMLESS), filled(template, HOSTILE)
    assert hostile.tags == harmless.tags
    assert hostile.words.count(HOSTILE) == harmless.words.count(HARMLESS) > 0


def test_templates_escape_every_value_and_refuse_what_they_were_not_given():
    for path in HOME.glob("templates/*.html"):
        text = path.read_text(encoding="utf-8")
        assert "safe" not in text.replace("unsafe-", "")
        assert "autoescape" not in text
    drawn = Elements(render("blocks", "paragraph", text=HOSTILE, style=HOSTILE))
    assert (len(drawn.tags), drawn.words.count(HOSTILE)) == (2, 2)
    task = SimpleNamespace(title=HOSTILE, goal=HOSTILE)
    drawn = Elements(render("toy", "exercise", task=task, reached=True, told=HOSTILE))
    assert (len(drawn.tags), drawn.words.count(HOSTILE)) == (8, 3)
    with pytest.raises(jinja2.UndefinedError):
        render("blocks", "paragraph", text="no style")


# Markup: escaping, and the lines under a text -----------------------------------------------------

WORDS = tuple("abcdefghij")


def document(*entities, words=WORDS, **more):
    rows = [(start, end, i) for i, entity in enumerate(entities) for start, end in entity]
    return Document.of_rows("d", rows, words=words, **more)


def test_the_words_of_a_page_are_not_broken_inside_a_number_and_stay_escaped():
    html = markup.headline("A <b> is better (p < 0.001).")
    assert html == '<p class="headline">A &lt;b&gt; is better (p\u00a0&lt;\u00a00.001).</p>'
    assert "p\u00a0\\=\u00a00\\.109" in plain("not significant (p = 0.109)")


def test_a_table_of_two_systems_has_a_signed_difference():
    a, b = score_entities([{1, 2}], [{1}, {2}]), score_entities([{1, 2}], [{1, 2}])
    tables = {"A": a.table, "B": b.table}
    html = markup.score_rows(["muc"], tables, difference_table(a, b), caption="c")
    assert "<td>0/1</td><td>0.00</td>" in html
    assert "<td>1/1</td><td>100.00</td>" in html
    assert "<td>B − A</td>" in html
    assert "<td>+100.00</td>" in html


def test_labels_lose_their_markdown():
    assert plain("**a** $x$ [l](u) ä·b") == r"\*\*a\*\* \$x\$ \[l\]\(u\) ä·b"


@given(st.integers(0, 300), st.sets(st.integers(1, 299)), st.integers(2, 50))
def test_windows_cover_a_document_once(n_words, starts, size):
    sentence_starts = (0, *sorted(start for start in starts if start < n_words))
    whole = document(words=("w",) * n_words, sentence_starts=sentence_starts)
    windows = markup.windows(whole, size)
    assert [w.start for w in windows] == [0, *[w.end for w in windows[:-1]]]
    assert windows[-1].end == n_words
    assert all(w.end - w.start <= size for w in windows)


def test_only_the_parts_of_a_metric_are_named_in_the_example():
    assert in_the_example("muc", EXAMPLE.result) == (
        "In the example: 2 of 5 for recall and 2 of 5 for precision."
    )
    assert "2 of 8 for precision (coreference links); 8 of 12" in in_the_example(
        "blanc", EXAMPLE.result
    )


# The tables of metric cards -----------------------------------------------------------------------

CARDS = [row.card for row in (*METRICS, CONLL, *DIAGNOSTICS) if row.card]


def test_empty_scores_are_dashes_and_a_total_of_them_is_0():
    muc = next(card for card in CARDS if card.id == "muc")
    rows = classroom.empty_rows(muc, empty_table(muc), {})
    assert rows.count("<td>–</td>") == 4  # recall, then recall, precision and F1
    assert rows.endswith("<td>–</td><td>0.00</td></tr></tbody></table></div>")


# Pitfall cards: their tables and both sides of them -----------------------------------------------

BY_ID = {pitfall.id: pitfall for pitfall in PITFALLS}


@pytest.mark.parametrize("card", PITFALLS)
def test_every_metric_is_marked_as_agreeing_or_not(card):
    table = classroom.score_table(card)
    shown = (*METRIC_IDS, *card.beside)
    n_against = sum(card.case.disagrees(metric) for metric in shown)
    assert table.count('✗</span><span class="pit-against">disagrees: ') == n_against
    assert n_against or card.positions or card.about
    n_without = sum(card.case.first(metric) == NO_VALUE for metric in shown)
    assert table.count("✓</span>") == len(shown) - n_against - n_without
    assert table.count("–</span>no value: 0/0") == n_without
    assert "_" not in table + classroom.why(card) + classroom.finding(card)
    assert "about " in classroom.tile(card)


def test_the_table_of_links_names_the_first_links_and_counts_the_rest():
    text = classroom.link_rows(BY_ID["ceafe-sizes"])
    assert f"<b>190</b><small>ab ac ad ae af +{190 - (classroom.MOST_NAMED - 1)}<" in text
    few = classroom.link_rows(BY_ID["singletons-inflate"])
    assert "<b>6</b><small>ac ad bc bd cd ef<" in few


def test_a_spurious_mention_is_marked_and_a_missing_one_named():
    spurious = classroom.sides(BY_ID["lea-extra-mention"], marked=False)
    chip = 'class="pit-chip spurious" title="spurious: not in the key"><i class="pit-letter">x<'
    assert f'{chip}/i><span class="pit-of">a coin<' in spurious
    assert "left out" in classroom.sides(BY_ID["mentions-removed"], marked=False)


def test_what_agrees_with_the_key_is_marked_on_a_and_b():
    merged = classroom.sides(BY_ID["muc-one-entity"], marked=True)
    assert merged.count('class="pit-apart"') == 3  # {ab}{cd}{ef}{gh} in one entity
    assert 'aria-label="entity a b c d e f g h: mentions that do not corefer"' in merged
    assert 'aria-label="entity a b: just as the key has it"' in merged
    assert '<small class="pit-mark">1 of 2</small>' in merged
    assert "pit-mark" not in classroom.sides(BY_ID["muc-one-entity"], marked=False)


def test_an_average_has_neither_recall_nor_precision():
    assert classroom.score_table(BY_ID["conll-average"]).count("no R or P") == 2
    assert "nan" not in classroom.score_table(BY_ID["conll-average"])


# The handout of a lesson: questions on paper, and their answers apart -----------------------------

# Entities whose mentions stand in more than one line
WRAPPED = """boxes => boxes.filter((box) => {
  const tops = [...box.querySelectorAll(".pit-chip")].map((chip) => chip.offsetTop);
  return new Set(tops).size > 1;
}).length"""


@pytest.fixture(scope="module")
def printed():
    """The questions and the answers."""
    return handout(LESSON), answers(LESSON)


def test_questions_and_answers_are_apart(printed):
    questions, answers = printed
    for number, step in enumerate(LESSON, 1):
        if step.exercise:
            heading = f"{number}. Exercise: {escaped(step.exercise.title)}"
            reached, told = step.exercise.progress(step.exercise.solved)
            assert reached
            assert heading in questions
            assert f"<p>{escaped(told)} The sandbox" in answers.split(heading)[1]
            continue
        assert f"{number}. {escaped(step.pitfall.question)}" in questions
        assert escaped(step.pitfall.title) not in questions
        assert f"{number}. {escaped(step.pitfall.title)}" in answers
        assert escaped(finding(step.pitfall)) in answers
    assert 'class="pit-mark"' not in questions
    assert 'class="numbers pit-scores"' not in questions
    assert answers.count('class="numbers pit-scores"') == sum(bool(s.pitfall) for s in LESSON)


def test_the_handout_has_the_recall_of_each_metric_as_a_formula(printed):
    assert [*FORMULAS] == [*METRIC_IDS]
    assert all(f"Recall = {escaped(formula)}" in printed[0] for formula in FORMULAS.values())
    # Of the sample's greedy it is 55.85; 49.33 and 66.76 have the harmonic mean 56.74
    assert "Only BLANC’s F1 is the mean of two F1s" in printed[0]
    assert not any("Recall = " in text for text in (introduction(), printed[1]))


def test_nothing_is_loaded_from_elsewhere(printed):
    for text in printed:
        assert not re.search(r"https?://|<script|<link|<img|url\(|@import", text)


@pytest.mark.parametrize("which, most", [(0, 8), (1, 16)])
def test_a_handout_prints_and_no_table_of_it_is_cut_off(which, most, chromium, printed):
    page = chromium.new_page()
    page.set_viewport_size({"width": 680, "height": 1000})  # A4 less its margins
    page.emulate_media(media="print")
    page.set_content(printed[which])
    widths = "all => all.filter(one => one.getBoundingClientRect().right > innerWidth).length"
    assert page.locator("table, .pit-box, p").evaluate_all(widths) == 0
    assert page.locator(".pit-box").evaluate_all(WRAPPED) == 0
    n_pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))
    page.close()
    assert 1 < n_pages <= most


# A passage under six metrics: its mentions, their marks and the legend ----------------------------

SIX = {metric.id: "" for metric in METRICS}


def drawn(entities, *, n_words, response=None):
    result = corescore.score(*corpora_of([(entities, response or entities)]))
    table = share_table(result.comparison, METRICS, side="recall", document="d0")
    text = replace(result.comparison.key[0], words=tuple(f"w{n}" for n in range(n_words)))
    text = replace(text, sentence_starts=(0,))
    made = panels.panels(text, text, table, Window(0, n_words), side="recall", scores=SIX)
    return asdict(made)


def test_every_mention_is_opened_and_closed_once():
    data = drawn([{0, 2}, {1}], n_words=3)
    assert data["words"] == [("w0", [0], 1, 1), ("w1", [1], 1, 0), ("w2", [2], 1, 0)]
    assert data["mentions"][1]["told"][0] == "nothing to earn"


def test_every_mark_of_a_mention_is_in_the_legend():
    """1 is alone in the response only, 2 has wrong partners only, 4 is missing."""
    data = drawn([{0, 1, 5}, {2, 3}, {4, 6}], n_words=7, response=[{0, 5}, {1}, {2, 6}, {3}])
    marks = {
        mention["span"]: (mention["status"], mention["letter"]) for mention in data["mentions"]
    }
    assert [marks[span][1] for span in ("0-1", "1-2", "2-3", "4-5")] == ["", "u", "i", "m"]
    told = {(status, letter) for status, letter, _ in data["legend"]}
    assert {mark for mark in marks.values() if mark[1]} <= told


def test_a_span_error_is_not_called_missing():
    """Key {0–2, 3}, response {1–2, 3}: the first mention has other words; Text marks it with o."""
    result = corescore.score(
        *(
            corescore.Corpus((Document.of_entities("d", [[span, (3, 4)]], words="abcd"),))
            for span in ((0, 2), (1, 2))
        )
    )
    for side in ("recall", "precision"):
        table = share_table(result.comparison, METRICS, side=side, document="d")
        assert table["status"].iloc[0] == SPAN_ERROR
        own = result.comparison.view(side).documents[0]
        values = panels.panels(own, own, table, Window(0, 4), side=side, scores={"muc": ""})
        off = values.mentions[0]
        assert (off.status_words, off.letter) == (SPAN_ERROR, STATUSES[SPAN_ERROR].letter)
        assert (SPAN_ERROR, "o") in {(entry.status, entry.letter) for entry in values.legend}


def test_the_letters_of_classes_are_those_of_text():
    letters = {kind: STATUSES[kind].letter for kind in panels.MARKS}
    assert letters == panels.MARKS
    twinless = [STATUSES[kind].letter for kind in (MISSING, SPURIOUS)]
    assert twinless == [letter for letter, _ in panels.TWINLESS_WORDS.values()]


@pytest.mark.parametrize(
    "runs, opened, closed",
    [
        ([((0, 3),), ((2, 5),), ((2, 3),)], [[0], [], [1, 2], [1], []], [0, 0, 3, 0, 1]),
        ([((0, 5),), ((1, 2), (3, 5))], [[0], [1], [], [1], []], [0, 1, 0, 0, 2]),
    ],
    ids=["mentions that cross are cut", "words in a gap are not in its mention"],
)
def test_mentions_are_opened_and_closed_around_their_words(runs, opened, closed):
    found = panels._window_words(Document.of_entities("d", (), words="abcde"), runs, Window(0, 5))
    assert [word[1] for word in found] == opened
    assert [word[2] for word in found] == closed
