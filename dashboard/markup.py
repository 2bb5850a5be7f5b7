"""Documents, scores and statuses → escaped HTML, or plain values for the page's own script.

No Streamlit here. Text out of files is escaped, or handed over as text that is never read as HTML.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

import pandas as pd

from corescore.dashboard.wording import (
    RATIOS,
    TITLES,
    count,
    fraction,
    percent,
    signed,
)
from corescore.documents import Document
from corescore.statuses import MISSING, RIGHT, SPURIOUS, MentionStatus

LETTERS = {RIGHT: "r", MISSING: "m", SPURIOUS: "s"}


def paragraph(text: str, style: str) -> str:
    """A paragraph of one of the styles of page.css."""
    return f'<p class="{style}">{escape(text)}</p>'


def plain(text: str) -> str:
    """Text for a label that Streamlit reads as Markdown: nothing in it is a mark any more."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def title(metric: str) -> str:
    """A metric's name in HTML."""
    return TITLES[metric].replace("ₘ", "<sub>m</sub>").replace("ₑ", "<sub>e</sub>")


def problem_list(lines: Sequence[str], *, kept: bool) -> str:
    """What is wrong with the files, a line a problem; `kept`: something else is still shown."""
    stays = " What was shown before stays." if kept else ""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return (
        '<div class="problems" role="alert"><strong>This could not be loaded.</strong>'
        f"{stays}<ul>{items}</ul></div>"
    )


def warning_list(lines: Sequence[str]) -> str:
    """What the readers noticed, a line a warning."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul class="warnings">{items}</ul>'


# The numbers ------------------------------------------------------------------------------------


def score_rows(
    metrics: Sequence[str],
    tables: Mapping[str, pd.DataFrame],
    difference: pd.DataFrame | None,
    *,
    caption: str,
) -> str:
    """A table of fractions and percent: for each metric a line a system, then B − A."""
    head = ["", "", "Recall", "%", "Precision", "%", "F1 %"]
    groups = []
    for metric in metrics:
        lines = [_score_cells(letter, table.loc[metric]) for letter, table in tables.items()]
        if difference is not None:
            lines.append(_difference_cells(difference.loc[metric]))
        groups.append(_group(title(metric), lines))
    return _table(caption, head, groups)


def _score_cells(letter: str, row: pd.Series) -> list[str]:
    cells = [letter]
    for ratio in ("recall", "precision"):
        counts = fraction(row[f"{ratio}_numerator"], row[f"{ratio}_denominator"])
        cells += [counts or "of two parts", percent(row[ratio])]
    return [*cells, percent(row["f1"])]


def _difference_cells(row: pd.Series) -> list[str]:
    return ["B − A", "", signed(row["recall"]), "", signed(row["precision"]), signed(row["f1"])]


def _group(name: str, lines: Sequence[Sequence[str]]) -> str:
    """Lines under one row header, which is HTML already."""
    header = f'<th scope="rowgroup" rowspan="{len(lines)}">{name}</th>'
    rows = []
    for number, cells in enumerate(lines):
        kind = ' class="difference"' if cells[0] == "B − A" else ""
        cells_html = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        rows.append(f"<tr{kind}>{header if number == 0 else ''}{cells_html}</tr>")
    return f"<tbody>{''.join(rows)}</tbody>"


def _table(caption: str, head: Sequence[str], bodies: Sequence[str]) -> str:
    cells = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    return (
        f'<div class="scroll"><table class="numbers"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{cells}</tr></thead>{''.join(bodies)}</table></div>"
    )


def mean_rows(metrics: Sequence[str], tables: Mapping[str, pd.DataFrame], *, caption: str) -> str:
    """The means over documents (macro): recall, precision, F1 in percent."""
    head = ["", "", "Recall %", "Precision %", "F1 %"]
    groups = [
        _group(
            title(metric),
            [
                [letter, *(percent(table.loc[metric, f"macro_{ratio}"]) for ratio in RATIOS)]
                for letter, table in tables.items()
            ],
        )
        for metric in metrics
    ]
    return _table(caption, head, groups)


def count_rows(table: pd.DataFrame, names: Mapping[str, str]) -> str:
    """What there is of each side; `names` are the row headers."""
    heads = ["documents", "words", "mentions", "entities", "singletons", *LETTERS]
    columns = ["documents", "words", "mentions", "entities", "singletons", *_STATUS_COLUMNS]
    bodies = [
        _group(escape(names[row]), [[count(table.loc[row, column]) for column in columns]])
        for row in table.index
    ]
    return _table("Counts", ["", *heads], bodies)


_STATUS_COLUMNS = ("shared", "missing", "spurious")


def average_block(
    averages: Mapping[str, tuple[str, float, Sequence[tuple[str, float]]]],
    difference: float | None,
) -> str:
    """The CoNLL average of each system, large, with its three members, and B − A.

    averages  by letter: the system's name, its average, and the members' (metric, F1)
    """
    blocks = [
        _average(f"{TITLES['conll']}, {letter} · {name}", percent(average), members)
        for letter, (name, average, members) in averages.items()
    ]
    if difference is not None:
        blocks.append(_average("B − A", signed(difference), []))
    return f'<div class="averages">{"".join(blocks)}</div>'


def _average(who: str, value: str, members: Sequence[tuple[str, float]]) -> str:
    parts = " · ".join(f"{title(metric)} {percent(f1)}" for metric, f1 in members)
    return (
        f'<div class="average"><span class="who">{escape(who)}</span>'
        f'<span class="big">{value}</span><span class="members">{parts}</span></div>'
    )


# The text ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Window:
    """The words of a document that are shown at once: from `start` up to, not including, `end`."""

    start: int
    end: int


def windows(document: Document, size: int) -> tuple[Window, ...]:
    """A document cut at sentence starts into pieces of about `size` words (a long sentence is
    cut inside)."""
    n_words = len(document.words)
    cuts = [0]
    while cuts[-1] + size < n_words:
        allowed = range(cuts[-1] + size // 2, cuts[-1] + size + 1)
        starts = [start for start in document.sentence_starts if start in allowed]
        cuts.append(max(starts, default=cuts[-1] + size))
    return tuple(Window(start, end) for start, end in pairwise([*cuts, n_words]))


def passage(
    key: Document,
    response: Document,
    statuses: Sequence[MentionStatus],
    window: Window,
    *,
    letter: str,
) -> dict[str, Any]:
    """What passage.js draws: the window's lines of words, and the mentions over them.

    letter  the response's, A or B

    Each word has its text, the mentions that start at it, and its lanes: for each line under it
    the mention it belongs to, or −1. The shorter of two nested mentions is the nearer to the text.
    """
    inside = [s for s in statuses if s.mention.start < window.end and s.mention.end > window.start]
    sizes = [list(map(len, document.entities)) for document in (key, response)]
    lanes = _lanes(inside, window)
    return {
        "lines": list(_lines(key, inside, lanes, window)),
        "mentions": [_mention(key, status, sizes) for status in inside],
        "legend": _legend(letter),
        "hint": _HINT,
    }


_HINT = "Point at a mention, or go to one with the Tab key, to light up its entity on both sides."


def _legend(letter: str) -> list[list[str]]:
    """What the lines and letters mean: (status, mark, words)."""
    return [
        [RIGHT, "r1/2", f"right: key entity 1, entity 2 of {letter}"],
        [MISSING, "m1", "missing: only the key has it, in entity 1"],
        [SPURIOUS, "s2", f"spurious: only {letter} has it, in entity 2"],
    ]


def _mention(
    key: Document, status: MentionStatus, sizes: Sequence[Sequence[int]]
) -> dict[str, Any]:
    """Entities are numbered from 1, separately on each side; 0 is none."""
    of_key, of_response = status.key_entity, status.response_entity
    return {
        "text": key.text(status.mention),
        "status": status.status,
        "letter": LETTERS[status.status],
        "key": 0 if of_key is None else of_key + 1,
        "response": 0 if of_response is None else of_response + 1,
        "keySize": 0 if of_key is None else sizes[0][of_key],
        "responseSize": 0 if of_response is None else sizes[1][of_response],
        "start": status.mention.start,
        "end": status.mention.end,
    }


def _lanes(statuses: Sequence[MentionStatus], window: Window) -> dict[int, list[int]]:
    """The mentions under each word, from the text downwards; −1 is an empty lane."""
    under: dict[int, list[int]] = {word: [] for word in range(window.start, window.end)}
    spans = [
        range(max(s.mention.start, window.start), min(s.mention.end, window.end)) for s in statuses
    ]
    for number in sorted(range(len(spans)), key=lambda i: (len(spans[i]), spans[i].start)):
        stacks = [under[word] for word in spans[number]]
        lane = next(lane for lane in range(len(statuses)) if all(_free(s, lane) for s in stacks))
        for stack in stacks:
            stack.extend([-1] * (lane + 1 - len(stack)))
            stack[lane] = number
    return under


def _free(stack: Sequence[int], lane: int) -> bool:
    return lane >= len(stack) or stack[lane] == -1


def _lines(
    document: Document,
    statuses: Sequence[MentionStatus],
    lanes: Mapping[int, list[int]],
    window: Window,
) -> Iterable[dict[str, Any]]:
    """A line a sentence, with its number and its speaker."""
    starting: dict[int, list[int]] = {}
    for number, status in enumerate(statuses):
        starting.setdefault(max(status.mention.start, window.start), []).append(number)
    bounds = [*document.sentence_starts, len(document.words)]
    for number, (first, last) in enumerate(pairwise(bounds)):
        words = range(max(first, window.start), min(last, window.end))
        if words:
            yield {
                "number": number + 1,
                "start": words.start,
                "speaker": document.speakers[number] if document.speakers else "",
                "words": [[document.words[w], starting.get(w, []), lanes[w]] for w in words],
            }
