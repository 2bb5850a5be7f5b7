"""A passage once for each metric, its mentions shaded: what credit.js and the report draw.

No arithmetic here: the shares come from `corescore.analysis.explain`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, NamedTuple

import pandas as pd
from markupsafe import Markup

from corescore.analysis.errors.classes import INCORRECTLY_RESOLVED, SPAN_ERROR, UNLINKED
from corescore.analysis.explain import SIDE_WORDS, TWINLESS, Explanation
from corescore.corpus.documents import Document, Pieces
from corescore.corpus.english import COARSE_TYPE
from corescore.metrics import METRIC_IDS, SCORE_IDS, colour_of, name_of
from corescore.rendering.html import Window, render
from corescore.scoring.scores import Result
from corescore.sentences import errors as sentences
from corescore.sentences.names import MENTION_WORDS
from corescore.wording import counted, fraction, fraction_of, percent

MARKS = {INCORRECTLY_RESOLVED: "i", UNLINKED: "u", SPAN_ERROR: "o"}

NOTHING_TO_EARN = "nothing to earn"

_FOUND = (INCORRECTLY_RESOLVED, UNLINKED)

TWINLESS_WORDS = {"recall": ("m", "missing"), "precision": ("s", "spurious")}

HINT = (
    "Point at a mention to see its credit by each metric. Click it for the arithmetic. By "
    "keyboard: Tab to the passage, arrows from mention to mention, Enter to choose."
)


class Word(NamedTuple):
    """A word, the mentions opened before it (their places), how many are closed after it, and the
    number of the sentence that starts with it, or 0."""

    form: str
    opened: list[int]
    n_closed: int
    sentence: int


class LegendEntry(NamedTuple):
    """A mark of the legend: the status it stands for, its letter, and its meaning."""

    status: str
    letter: str
    words: str


@dataclass(frozen=True)
class MarkedMention:
    """A mention: where it is, its status, and its share under each metric, None if it can earn
    nothing; `sums` has the shares as fractions, `told` in words, `spoken` in one sentence."""

    span: str
    text: str
    where: str
    entity: int
    status: str
    status_words: str
    letter: str
    shares: list[float | None]
    sums: list[str]
    told: list[str]
    spoken: str


@dataclass(frozen=True)
class Panel:
    """The passage under one metric: the document's score in words; and of the selected mention,
    which share it earns, as a fraction and in percent, and why."""

    metric: str
    title: str
    colour: str
    score: str
    share: str
    percent: str
    why: str


@dataclass(frozen=True)
class Panels:
    """A passage and its panels. `chosen` is the span of the selected mention, `where` its place."""

    words: list[Word]
    mentions: list[MarkedMention]
    panels: list[Panel]
    chosen: str
    where: str
    legend: list[LegendEntry]
    hint: str


def panels(
    text: Document,
    own: Document,
    table: pd.DataFrame,
    window: Window,
    *,
    side: str,
    scores: Mapping[str, str],
    chosen: tuple[int, int] | None = None,
    explanations: Sequence[Explanation] = (),
    where: str = "",
) -> Panels:
    """What credit.js draws, as plain values once it is turned into a dict.

    text          the document with its words
    own           that of the side whose mentions are drawn, which knows their pieces
    table         of `share_table`: the document's mentions
    scores        by metric: the document's score, in words
    chosen        the selected mention; `explanations` and `where` are about it
    """
    mentions = window.of(table).to_dict("records")
    runs = [own.mention(mention["start"], mention["end"]).runs for mention in mentions]
    by_metric = {explanation.metric: explanation for explanation in explanations}
    return Panels(
        words=_window_words(text, runs, window),
        mentions=[_mention(mention, list(scores), side) for mention in mentions],
        panels=[
            Panel(metric, name_of(metric), colour_of(metric), score, *earned(by_metric.get(metric)))
            for metric, score in scores.items()
        ],
        chosen="-".join(map(str, chosen)) if chosen else "",
        where=where,
        legend=legend(side),
        hint=HINT,
    )


def earned(explanation: Explanation | None) -> tuple[str, str, str]:
    """The share that a mention earns as a fraction, 1/2, and in percent, and why."""
    if explanation is None:
        return "", "", ""
    share = explanation.share
    in_percent = NOTHING_TO_EARN if isnan(share) else f"{percent(share)}%"
    return sum_of(share), in_percent, explanation.sentence


def sum_of(share: float) -> str:
    """A share as the fraction that it is, 1/2; – for nothing to earn."""
    return "–" if isnan(share) else fraction_of(share)


def scores_in_words(
    result: Result, document: str, side: str, *, metrics: Sequence[str] = METRIC_IDS
) -> dict[str, str]:
    """The document's recall or precision under each metric."""
    number = result.documents.index(document)
    credited = {metric.id for metric in result.metrics if metric.credit}
    by_metric = {}
    for metric in metrics:
        score = result.document_scores[metric].row(number)
        value = getattr(score, side)
        parts = fraction(getattr(score, f"{side}_numerator"), getattr(score, f"{side}_denominator"))
        silent = "" if metric in credited else ". It does not define credit."
        by_metric[metric] = f"{side} {f'{parts} = ' if parts else ''}{percent(value)}%{silent}"
    return by_metric


def legend(side: str) -> list[LegendEntry]:
    """What the marks of one side's mentions mean."""
    letter, status = TWINLESS_WORDS[side]
    other = SIDE_WORDS[side][1]
    return [
        *(LegendEntry(kind, MARKS[kind], f"{kind}: {MENTION_WORDS[kind]}") for kind in _FOUND),
        LegendEntry(
            SPAN_ERROR, MARKS[SPAN_ERROR], f"{SPAN_ERROR}: the {other} has it with other words"
        ),
        LegendEntry(TWINLESS, letter, f"{status}: not in the {other}"),
        LegendEntry("unearnable", "", NOTHING_TO_EARN),
    ]


def _mention(mention: Mapping[Any, Any], metrics: Sequence[str], side: str) -> MarkedMention:
    own, other = SIDE_WORDS[side]
    letter, twinless = TWINLESS_WORDS[side]
    status = mention["status"]
    where = f"{own} entity {mention['own_entity']} ({counted(mention['own_size'])})"
    if mention["other_entity"]:
        where += f", {other} entity {mention['other_entity']} ({counted(mention['other_size'])})"
    shares = [None if isnan(mention[metric]) else mention[metric] for metric in metrics]
    written = [NOTHING_TO_EARN if s is None else f"{percent(s)}%" for s in shares]
    return MarkedMention(
        span=f"{mention['start']}-{mention['end']}",
        text=mention["text"],
        where=where,
        entity=mention["own_entity"],
        status=status,
        status_words=twinless if status == TWINLESS else status,
        letter={**MARKS, TWINLESS: letter}.get(status, ""),
        shares=shares,
        sums=[sum_of(mention[metric]) for metric in metrics],
        told=written,
        spoken=", ".join(f"{name_of(m)} {t}" for m, t in zip(metrics, written, strict=True)),
    )


def _window_words(text: Document, runs: Sequence[Pieces], window: Window) -> list[Word]:
    """The words of the window, and the pieces of mentions that open and close at them.

    Of two pieces that cross, the later one is closed with the earlier one and opened again.
    """
    starting: dict[int, list[int]] = {}
    ends: dict[int, set[int]] = {}
    for number, pieces in enumerate(runs):
        for start, end in pieces:
            if start < window.end and end > window.start:
                starting.setdefault(max(start, window.start), []).append(number)
                ends.setdefault(min(end, window.end), set()).add(number)
    first_of = {start: number + 1 for number, start in enumerate(text.sentence_starts)}
    open_now: list[int] = []
    again: list[int] = []
    words = []
    for at in range(window.start, window.end):
        opened = again + starting.get(at, [])
        open_now += opened
        ending = [number in ends.get(at + 1, ()) for number in open_now]
        outermost = ending.index(True) if any(ending) else len(open_now)
        closed = open_now[outermost:]
        again = [n for n, end in zip(closed, ending[outermost:], strict=True) if not end]
        open_now = open_now[:outermost]
        words.append(Word(text.shown_words[at], opened, len(closed), first_of.get(at, 0)))
    return words


# What is told of one error ------------------------------------------------------------------------

SIDES = ("key", "response")

ANTECEDENTS = {"given": "antecedent given", "antecedent": "it should be"}


def facts(row: pd.Series) -> Iterator[tuple[str, str | Markup]]:
    """What is told of an error, each with its name: a row of the error table, with context."""
    if row["fix"]:
        yield "to fix it", row["fix"]
    if row["kind"]:
        yield "kind", row["kind"]
    yield "type", f"{row['type']}{_guess(row)}"
    for side in SIDES:
        number = row[f"{side}_entity"]
        if pd.notna(number):
            size = counted(row[f"{side}_size"])
            yield f"{side} entity", f"{number}: {row[f'{side}_name']} ({size})"
    for of, name in ANTECEDENTS.items():
        if pd.notna(row[f"{of}_start"]):
            before, after = row[f"{of}_before"], row[f"{of}_after"]
            yield name, render("errors", "keyword", before=before, words=row[of], after=after)
    for of, name in ANTECEDENTS.items():
        if split := row.get(f"{of}_split"):
            yield name.replace("antecedent", "split antecedents"), split
    if where := _where(row):
        yield "where", where


def _guess(row: pd.Series) -> str:
    """What of the type is guessed; "" for one that the file tells."""
    if not row["type_guessed"]:
        return ""
    if not row["type_by_file"]:
        return " (guessed by English rules)"
    return f" (a {COARSE_TYPE[row['type']]} by the file, its subtype by English rules)"


def _where(row: pd.Series) -> str:
    """How far the antecedent is, and what encloses the mention."""
    parts = []
    distance = row["distance_sentences"]
    if pd.notna(distance):
        apart = f"{counted(distance, 'sentence')} after" if distance else "in the sentence of"
        parts.append(f"{apart} the antecedent it should have")
    parts += ["inside another mention"] * bool(row["nested"])
    parts += ["inside quotation marks"] * bool(row["quotation"])
    return "; ".join(parts)


def gains(row: pd.Series) -> list[tuple[str, str]]:
    """By metric, and for CoNLL, what the fix alone gains, in points; of those scored by."""
    names = [name for name in SCORE_IDS if f"cost_{name}" in row.index]
    return [(name, sentences.points(float(row[f"cost_{name}"]))) for name in names]
