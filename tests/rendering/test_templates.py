"""Templates: whatever stands in a value comes out as text, in every block of every template."""

import ast
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import jinja2
import pytest

from corescore.rendering import html as rendering
from corescore.rendering.classroom import (
    Box,
    Chip,
    Equation,
    ScoreCell,
    ScoreRow,
    SideLine,
    SideView,
)
from corescore.rendering.html import ENVIRONMENT, Group, render
from corescore.rendering.panels import LegendEntry, MarkedMention, Panel
from corescore.rendering.papers import FigureRow, PrintedPair, Table
from corescore.rendering.report.report import FirstPage
from corescore.rendering.report.sections import Opened, OpenedWord
from corescore.sentences.verdicts import MARKS, Mark
from corescore.teaching.criteria import Position

HOME = Path(rendering.__file__).parent
HARMLESS = "Quixote"
HOSTILE = '<img src=x onerror=alert(1)></script><!--"\' x="{{ 7 * 7 }}{% raw %}&amp;'


def values_of(it):
    """For each (template, block): values with `it` wherever a text can stand."""
    claim = SimpleNamespace(says=it, where=it, note=it)
    of_step = {"number": 1, "heading": it}
    mark, printed = MARKS[True], SimpleNamespace(numbers=it)
    check = SimpleNamespace(numbers=it, printed=printed, other_data=False)
    paper = SimpleNamespace(full_title=it, at=lambda where: where)
    marked = Box([Chip(it, True), Chip(it, apart=True)], MARKS[True])
    lines = [SideLine([marked], [it]), SideLine([Box([Chip(it)])])]
    side = SideView(it, lines, says=it, links=[(MARKS[True], 1, it)])
    score = SimpleNamespace(recall=0.5, precision=0.5, f1=0.5)
    mention = MarkedMention("0-1", it, it, 1, "missing", it, it, [0.5], [it], it)
    variant = SimpleNamespace(title=it, cases=[SimpleNamespace(when=it, then=it)])
    return {
        ("blocks", "paragraph"): {"text": it, "style": it},
        ("blocks", "heading"): {"text": it, "level": 3},
        ("blocks", "problems"): {"lines": [it], "what": it, "kept": True},
        ("blocks", "warnings"): {"lines": [it]},
        ("blocks", "grouped"): {
            "caption": it,
            "heads": [it],
            "groups": [Group(it, [[it]])],
            "style": it,
        },
        ("blocks", "who_is_ahead"): {"a": it, "b": it},
        ("blocks", "rows_link"): {"text": it, "url": it},
        ("blocks", "rows_links"): {"links": [it], "before": it},
        ("errors", "card"): {"words": it, "status": it, "facts": [(it, it)]},
        ("errors", "keyword"): {"before": it, "words": it, "after": it},
        ("errors", "gains"): {"rows": [("muc", it)]},
        ("errors", "arithmetic"): {"title": it, "where": it, "rows": [("muc", it, it)]},
        ("blocks", "rows"): {"caption": it, "heads": [it], "rows": [[it, it]], "words": [1]},
        ("scores", "averages"): {"blocks": [(it, it, [("muc", 0.5)])]},
        ("scores", "pairs"): {"rows": [(it, [(1, True)])]},
        ("scores", "errors"): {"number": it, "below": it},
        ("confusion", "cell"): {"number": it, "gain": it},
        ("confusion", "table"): {
            "caption": it,
            "corner": it,
            "heads": [it],
            "rows": [(it, [it])],
        },
        ("scores", "kind"): {"name": it, "meaning": it},
        ("claims", "claims"): {"checked": [(claim, check, mark, it, it, it)], "label": it},
        ("claims", "expectations"): {"expected": [(it, [(mark, it, [("muc", 0.5)])])]},
        ("claims", "tally"): {"mark": Mark("✓", it, "holds"), "errata": it},
        ("claims", "paper"): {"name": it, "title": it},
        ("claims", "about"): {
            "experiment": SimpleNamespace(paper=paper, where=it, setup=it, on_data=False)
        },
        ("claims", "sheet"): {"metrics": [it], "questions": [(it, it, [(mark, it, it)])]},
        ("errata", "erratum"): {
            "row": {
                **dict.fromkeys(
                    ("where", "kind", "printed", "computed", "arithmetic", "cause"), it
                ),
                "verbatim": False,
            },
            "mark": Mark("✓", it, "holds"),
            "readings": it,
        },
        ("errata", "statement"): {
            "tried": SimpleNamespace(
                statement=SimpleNamespace(place=it, says=it, why_not=it),
                checks=[(None, claim, check)],
                on_data=True,
                kinds=it,
            ),
            "mark": Mark("✓", it, "holds"),
            "scope": it,
            "readings": it,
        },
        ("printed", "table"): {
            "table": Table([(it, [it])], [FigureRow(it, [PrintedPair(it, it, it)])]),
            "caption": it,
        },
        ("metric_cards", "style"): {"metrics": ["muc"], "chosen": "lea"},
        ("metric_cards", "toy"): {"sides": [(it, [[it, it]], [it])]},
        ("metric_cards", "cases"): {"variants": [variant]},
        ("metric_cards", "empty"): {
            "heads": [it],
            "n_left": 1,
            "examples": [([it, it], [{"policy": "p", "f1": 0.5}])],
            "measures": ["f1"],
            "rules": {"p": it},
        },
        ("pitfall_cards", "sides"): {"sides": [side], "asked": True},
        ("pitfall_cards", "tile"): {"spoken": it, "sides": [side], "about": it},
        ("pitfall_cards", "scores"): {
            "caption": it,
            "heads": [it],
            "rows": [ScoreRow(it, it, MARKS[True], True, it, (ScoreCell(it, it, 0.5, [it]),) * 2)],
        },
        ("pitfall_cards", "answer"): {
            "mark": mark,
            "chosen": it,
            "words": it,
            "votes": [(it, 1, it, 0.5)],
        },
        ("pitfall_cards", "criteria"): {"rows": [(it, it, it, it, True)]},
        ("pitfall_cards", "links"): {
            "outputs": [(SimpleNamespace(letter=it, n_whole=1, n_key_entities=1), [(1, it)])]
        },
        ("pitfall_cards", "why"): {"text": it, "positions": [Position(it, it)], "source": it},
        ("handout", "document"): {
            **dict.fromkeys(("title", "about", "words", "signature", "styles"), it),
            "questions": [it],
            "answers": [it],
        },
        ("handout", "question"): {**of_step, "sides": it, "criteria": [it]},
        ("handout", "exercise"): {**of_step, "sides": it, "goal": it},
        ("handout", "answer"): {
            **of_step,
            **dict.fromkeys(("sides", "told", "criteria", "scores", "why"), it),
        },
        ("handout", "solved"): {**of_step, **dict.fromkeys(("goal", "sides", "told"), it)},
        ("toy", "scores"): {"measures": ["f1"], "rows": [("muc", score, score, it)]},
        ("toy", "arithmetic"): {"steps": [Equation(it, it, it, it, 0.5, [it])]},
        ("toy", "exercise"): {
            "task": SimpleNamespace(title=it, goal=it),
            "reached": True,
            "told": it,
        },
        ("passage", "passage"): {
            "panels": [Panel("muc", it, it, it, it)],
            "words": [OpenedWord(it, [Opened(mention, 0, True)], 1, 1)],
            "legend": [LegendEntry("missing", it, it)],
            "hint": it,
        },
        ("passage", "marks"): {
            "sides": [(it, [OpenedWord(it, [Opened(mention, 0, True, "chosen")], 1, 1)])],
            "legend": [LegendEntry("missing", it, it)],
        },
        ("notebook", "cell"): {"styles": it, "blocks": [it]},
        ("notebook", "one"): {"block": it},
        ("report", "document"): {
            "title": it,
            "front": it,
            "sections": [(it, it, [it])],
            "is_open": True,
            "styles": it,
            "scripts": it,
        },
        ("report", "front"): {
            "page": FirstPage(it, it, it),
            "facts": it,
            "caveats": [it],
            "more": [it],
        },
        ("report", "argument"): {"lines": [(it, it, it), (it, it, "")]},
        ("report", "facts"): {"named": {it: it}},
        ("report", "chart"): {"number": 1, "height": 380, "says": it},
        ("report", "scripts"): {"values": it, "plotly": it, "draw": it},
    }


BLOCKS = list(values_of(HARMLESS))
RAW = {
    ("handout", "document"),
    ("report", "scripts"),
    ("report", "document"),
    ("notebook", "cell"),
}  # in a script or style, escapes stay


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
        self.words += data


def rendered_blocks():
    """(template, block) of every call of `render` in the package and the dashboard."""
    for path in (*HOME.rglob("*.py"), *HOME.parents[1].glob("dashboard/**/*.py")):
        text = path.read_text(encoding="utf-8")
        if "corescore.rendering.html import" not in text and path.name != "html.py":
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "render":
                yield tuple(argument.value for argument in node.args)


def test_every_block_that_is_rendered_is_tried_here():
    assert set(rendered_blocks()) == set(BLOCKS)
    assert {template for template, _ in BLOCKS} == {
        name.removesuffix(".html") for name in ENVIRONMENT.list_templates()
    }


@pytest.mark.parametrize(("template", "block"), BLOCKS)
def test_hostile_text_adds_no_element_and_loses_no_letter(template, block):
    harmless = Elements(render(template, block, **values_of(HARMLESS)[template, block]))
    hostile = Elements(render(template, block, **values_of(HOSTILE)[template, block]))
    assert hostile.tags == harmless.tags
    if (template, block) not in RAW:
        assert hostile.words.count(HOSTILE) == harmless.words.count(HARMLESS)
    assert "49" not in hostile.words


def test_templates_escape_every_value_and_refuse_what_they_were_not_given():
    for path in HOME.glob("templates/*.html"):
        text = path.read_text(encoding="utf-8")
        assert "safe" not in text.replace("unsafe-", "")
        assert "autoescape" not in text
    with pytest.raises(jinja2.UndefinedError):
        render("blocks", "paragraph", text="no style")
