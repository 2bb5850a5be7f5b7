"""Passages in a report: the credit of each mention under each metric."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from corescore.analysis.errors.classes import INCORRECTLY_RESOLVED, incorrectly_resolved
from corescore.analysis.errors.tables import incorrectly_resolved_counts
from corescore.analysis.explain import mean_shares, n_key_singletons, share_table
from corescore.analysis.systems.comparability import System
from corescore.corpus.documents import Document
from corescore.metrics import METRIC_IDS
from corescore.rendering import html as markup
from corescore.rendering import panels
from corescore.rendering.html import headline, note, render, signature
from corescore.rendering.panels import MarkedMention, Panels, Word
from corescore.rendering.report.blocks import Block, Subject, heading
from corescore.sentences import credit as findings
from corescore.wording import counted

WINDOW = 180  # words of a passage

MOST_PASSAGES = 12

DEFAULT_PASSAGES = 2

_SIDE = "recall"

_HINT = "Point at a mention to read its share."


def credit(subject: Subject) -> Iterator[Block]:
    """For each document, the passage with the most incorrectly resolved mentions, per metric."""
    names = subject.documents or worst_documents(subject)
    yield note(
        "Each mention of the key is shaded by the share of its possible recall that "
        "a metric gives it."
    )
    for name in names:
        number = _worst_window(name, subject.systems[0])
        for system in subject.systems:
            with_legend = (name, system) == (names[0], subject.systems[0])
            yield from _passage(name, system, number, with_legend=with_legend)


def worst_documents(subject: Subject) -> tuple[str, ...]:
    """The documents with the most incorrectly resolved mentions of A; the first if none has any."""
    counts = incorrectly_resolved_counts(subject.systems[0].result.comparison)
    worst = counts["incorrectly_resolved"].nlargest(DEFAULT_PASSAGES, keep="first")
    names = [str(name) for name in worst[worst > 0].index]
    return tuple(names or [subject.key.documents[0].name])


def _passage(name: str, system: System, number: int, *, with_legend: bool) -> Iterator[Block]:
    result = system.result
    text = _text_of(name, system)
    windows = markup.windows(text, WINDOW)
    window = windows[min(number, len(windows) - 1)]  # names of toys differ in number
    table = share_table(result.comparison, result.six, side=_SIDE, document=name)
    wrong = table[table["status"] == INCORRECTLY_RESOLVED]
    means = mean_shares(table, METRIC_IDS, status=INCORRECTLY_RESOLVED if len(wrong) else "")
    yield heading(f"{name}: {system.title}")
    n, alone = len(wrong), n_key_singletons(table, side=_SIDE)
    yield headline(findings.incorrect_shares(name, system.title, n, _SIDE, means, singletons=alone))
    if window.end - window.start < len(text.words):
        yield note(
            f"Words {window.start + 1} to {window.end} of {counted(len(text.words), 'word')}."
        )
    values = panels.panels(
        text,
        result.comparison.key[result.documents.index(name)],
        table,
        window,
        side=_SIDE,
        scores=panels.scores_in_words(result, name, _SIDE),
    )
    yield passage_html(values, with_legend=with_legend) + signature(result.signature)


def _text_of(name: str, system: System) -> Document:
    """The document with its words: the key's, or the response's if the key has none."""
    number = system.result.documents.index(name)
    sides = system.result.comparison
    return sides.key[number] if sides.key[number].words else sides.response[number]


def _worst_window(name: str, system: System) -> int:
    """The number of the window where most incorrectly resolved mentions start, or the first."""
    comparison = system.result.comparison
    key = comparison.precision.own_partner[incorrectly_resolved(comparison)]
    side = comparison.matching.key
    starts = side.start[key[side.document[key] == system.result.documents.index(name)]]
    windows = markup.windows(_text_of(name, system), WINDOW)
    wrong = [int(((starts >= w.start) & (starts < w.end)).sum()) for w in windows]
    return wrong.index(max(wrong))


class Opened(NamedTuple):
    """The start tag of a mention: its depth, and whether it is the mention's first part.

    role  "chosen" of the selected mention, "kin" of the others of its entity
    """

    marked: MarkedMention
    depth: int
    is_first: bool
    role: str = ""


class OpenedWord(NamedTuple):
    """A word with the mentions that start before it and how many end after it."""

    form: str
    opened: list[Opened]
    n_closed: int
    sentence: int


def passage_html(values: Panels, *, with_legend: bool) -> Markup:
    """What credit.js draws of `panels.panels`, without what it does on a click."""
    return render(
        "passage",
        "passage",
        panels=values.panels,
        words=list(opened_words(values)),
        legend=values.legend if with_legend else [],
        hint=_HINT,
    )


def opened_words(values: Panels) -> Iterator[OpenedWord]:
    """The words, each with the start tags before it and the number of end tags after it."""
    depths, seen = _depths(values.words), set[int]()
    chosen = {one.entity for one in values.mentions if one.span == values.chosen}
    roles = [
        "chosen" if one.span == values.chosen else "kin" if one.entity in chosen else ""
        for one in values.mentions
    ]
    for word in values.words:
        opened = [
            Opened(values.mentions[at], depths[at], at not in seen, roles[at]) for at in word.opened
        ]
        seen.update(word.opened)
        yield OpenedWord(word.form, opened, word.n_closed, word.sentence)


def _depths(words: Sequence[Word]) -> list[int]:
    """How many levels of mentions are nested in each."""
    depths: dict[int, int] = {}
    stack: list[int] = []
    for word in words:
        stack += word.opened
        for index in word.opened:
            depths.setdefault(index, 0)
        for _ in range(word.n_closed):
            inner = stack.pop()
            if stack:
                depths[stack[-1]] = max(depths[stack[-1]], depths[inner] + 1)
    return [depths.get(index, 0) for index in range(max(depths, default=-1) + 1)]
