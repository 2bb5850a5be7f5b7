"""The section of a report on credit: a passage six times, as HTML without a script."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from markupsafe import Markup

from corescore.analysis.errors.mention_tables import (
    incorrectly_resolved_counts,
    incorrectly_resolved_table,
)
from corescore.analysis.errors.mentions import INCORRECTLY_RESOLVED
from corescore.analysis.explanation.shares import mean_shares, share_table
from corescore.corpus.documents import Document
from corescore.metrics import METRIC_IDS
from corescore.rendering import html as markup
from corescore.rendering import panels
from corescore.rendering.html import headline, note, signature
from corescore.rendering.report.blocks import Block, Output, Subject, heading
from corescore.sentences import credit as findings
from corescore.sentences import markup as marks
from corescore.wording import counted

WINDOW = 180  # words of a passage
MOST_PASSAGES = 12
DEFAULT_PASSAGES = 2
_SIDE = "recall"
_SWATCHES = ((0.0, "none"), (0.25, "25 %"), (0.5, "50 %"), (0.75, "75 %"), (1.0, "full"))
_HINT = "Point at a mention to read its share."


def credit(subject: Subject) -> Iterator[Block]:
    """Of each document chosen the passage with most incorrectly resolved mentions, six times."""
    names = subject.documents or worst_documents(subject)
    yield note(
        "Each mention of the key is shaded by the share of what it could earn towards recall that "
        "a metric gives it."
    )
    for name in names:
        number = _worst_window(name, subject.outputs[0])
        for output in subject.outputs:
            with_legend = (name, output) == (names[0], subject.outputs[0])
            yield from _passage(name, output, number, with_legend=with_legend)


def worst_documents(subject: Subject) -> tuple[str, ...]:
    """The documents with the most incorrectly resolved mentions of A; the first if none has any."""
    counts = incorrectly_resolved_counts(subject.outputs[0].result.comparison)
    worst = counts["incorrectly_resolved"].nlargest(DEFAULT_PASSAGES, keep="first")
    found = [str(name) for name in worst[worst > 0].index]
    return tuple(found or [subject.key.documents[0].name])


def _passage(name: str, output: Output, number: int, *, with_legend: bool) -> Iterator[Block]:
    result = output.result
    text = _text_of(name, output)
    windows = markup.windows(text, WINDOW)
    window = windows[min(number, len(windows) - 1)]  # names of toys differ in number
    six = [metric for metric in result.metrics if metric.id in METRIC_IDS]
    table = share_table(result.comparison, six, side=_SIDE, document=name)
    wrong = table[table["status"] == INCORRECTLY_RESOLVED]
    means = mean_shares(table, METRIC_IDS, status=INCORRECTLY_RESOLVED if len(wrong) else "")
    yield heading(f"{name}: {output.title}")
    yield headline(findings.incorrect_shares(name, output.title, len(wrong), _SIDE, means))
    if window.end - window.start < len(text.words):
        of = counted(len(text.words), "word")
        yield note(f"Words {window.start + 1} to {window.end} of {of}.")
    values = panels.panels(
        text.words,
        text.sentence_starts,
        table,
        window,
        side=_SIDE,
        scores=panels.scores_in_words(result, name, _SIDE),
        chosen=None,
        explanations=(),
        where="",
    )
    yield passage_html(values, with_legend=with_legend) + signature(result.signature)


def _text_of(name: str, output: Output) -> Document:
    """The document with its words: the key's, or the response's if the key has none."""
    at = output.result.documents.index(name)
    sides = output.result.comparison
    return sides.key[at] if sides.key[at].words else sides.response[at]


def _worst_window(name: str, output: Output) -> int:
    """The number of the window where most incorrectly resolved mentions start, or the first."""
    table = incorrectly_resolved_table(output.result.comparison)
    starts = table.loc[table["document"] == name, "start"]
    windows = markup.windows(_text_of(name, output), WINDOW)
    wrong = [int(((starts >= w.start) & (starts < w.end)).sum()) for w in windows]
    return wrong.index(max(wrong))


def passage_html(values: Mapping[str, Any], *, with_legend: bool) -> Markup:
    """What credit.js draws of `panels.panels`, without what it does on a click."""
    words, mentions = values["words"], values["mentions"]
    depths = _depths(words)
    sections = "".join(
        _panel(panel, _text(words, mentions, depths, number))
        for number, panel in enumerate(values["panels"])
    )
    legend = _legend(values["legend"]) if with_legend else ""
    return Markup(f'<div class="credit">{legend}<div class="grid">{sections}</div></div>')


def _panel(panel: Mapping[str, str], text: str) -> str:
    head = f'<span class="title">{marks.title(panel["metric"])}</span>'
    head += f'<span class="score">{escape(panel["score"])}</span>'
    return (
        f'<section class="panel" style="--metric: {panel["colour"]}"><header>{head}</header>'
        f'<div class="text" dir="auto">{text}</div></section>'
    )


def _text(
    words: Sequence[Any], mentions: Sequence[Mapping[str, Any]], depths: Sequence[int], panel: int
) -> str:
    parts, seen = [], set()
    for form, opened, n_closed, sentence in words:
        parts.append(" ")
        if sentence:
            parts.append(f'<span class="number">{sentence}</span> ')
        for index in opened:
            parts.append(_open(mentions[index], depths[index], panel, again=index in seen))
            seen.add(index)
        parts += [escape(form), "</span>" * n_closed]
    return "".join(parts)


def _open(mention: Mapping[str, Any], depth: int, panel: int, *, again: bool) -> str:
    share = mention["shares"][panel]
    kind = "unearnable" if share is None else "some" if share > 0 else "none"
    style = f' style="--depth: {depth}; --share: {share or 0:.3f}"'
    status = mention["status"].replace(" ", "-")
    said = f"{mention['told'][panel]}, {mention['statusWords']}: {mention['where']}"
    letter = f'<b class="letter">{mention["letter"]}</b>' if mention["letter"] and not again else ""
    return f'<span class="mention {kind} {status}"{style} title="{escape(said)}">{letter}'


def _depths(words: Sequence[Any]) -> list[int]:
    """How many mentions are nested in each, one within the other."""
    depths: dict[int, int] = {}
    stack: list[int] = []
    for _, opened, n_closed, _ in words:
        stack += opened
        for index in opened:
            depths.setdefault(index, 0)
        for _ in range(n_closed):
            inner = stack.pop()
            if stack:
                depths[stack[-1]] = max(depths[stack[-1]], depths[inner] + 1)
    return [depths.get(index, 0) for index in range(max(depths, default=-1) + 1)]


def _legend(entries: Sequence[Sequence[str]]) -> str:
    swatches = "".join(
        f'<span class="mention sample {"some" if share else "none"}" style="--share: {share}">'
        f"{words}</span>"
        for share, words in _SWATCHES
    )
    scale = f'<span class="scale">share of what a mention could earn: {swatches}</span>'
    return f'<div class="legend">{scale}{"".join(map(_entry, entries))} {escape(_HINT)}</div>'


def _entry(entry: Sequence[str]) -> str:
    status, letter, words = entry
    kind = "unearnable" if status == "unearnable" else f"none {status.replace(' ', '-')}"
    sign = f'<b class="letter">{letter}</b>' if letter else ""
    sample = f'<span class="mention sample {kind}">{sign}abc</span>'
    return f'<span class="entry">{sample}{escape(words)}</span>'
