"""A passage under six metrics: its mentions, their marks and the legend."""

from dataclasses import asdict, replace

import corescore
from corescore import Document
from corescore.analysis.errors.classes import MISSING, SPAN_ERROR, SPURIOUS
from corescore.analysis.explain import share_table
from corescore.metrics import METRICS
from corescore.rendering import panels
from corescore.rendering.html import Window
from dashboard.components.mentions import STATUSES
from tests.support.strategies import corpora_of

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


def test_mentions_that_cross_are_cut_where_they_cross():
    runs = [((0, 3),), ((2, 5),), ((2, 3),)]
    found = panels._words(Document.of_entities("d", (), words="abcde"), runs, Window(0, 5))
    assert found == [
        ("a", [0], 0, 1),
        ("b", [], 0, 0),
        ("c", [1, 2], 3, 0),
        ("d", [1], 0, 0),
        ("e", [], 1, 0),
    ]


def test_the_words_in_the_gap_of_a_mention_are_not_in_it():
    runs = [((0, 5),), ((1, 2), (3, 5))]
    found = panels._words(Document.of_entities("d", (), words="abcde"), runs, Window(0, 5))
    assert found == [
        ("a", [0], 0, 1),
        ("b", [1], 1, 0),
        ("c", [], 0, 0),
        ("d", [1], 0, 0),
        ("e", [], 2, 0),
    ]
