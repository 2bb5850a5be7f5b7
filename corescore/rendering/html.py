"""Documents, scores and statuses → escaped HTML, or plain values for the page's own script.

No Streamlit here. Text out of files is escaped, or handed over as text that is never read as HTML.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

import pandas as pd

from corescore.analysis.errors.mentions import INCORRECTLY_RESOLVED, MISSING, SPURIOUS
from corescore.analysis.explanation.mention import Explanation
from corescore.corpus.documents import Document
from corescore.sentences.markup import title
from corescore.sentences.names import MENTION_WORDS, TITLES
from corescore.wording import RATIOS, count, fraction, percent, signed


def paragraph(text: str, style: str) -> str:
    """A paragraph of one of the styles of page.css."""
    return f'<p class="{style}">{escape(text)}</p>'


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
        lines = [_score_cells(letter, table.T[metric]) for letter, table in tables.items()]
        if difference is not None:
            lines.append(_difference_cells(difference.T[metric]))
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
                [letter, *(percent(table[f"macro_{ratio}"][metric]) for ratio in RATIOS)]
                for letter, table in tables.items()
            ],
        )
        for metric in metrics
    ]
    return _table(caption, head, groups)


def count_rows(table: pd.DataFrame, names: Mapping[str, str]) -> str:
    """What there is of each side; `names` are the row headers."""
    heads = ["documents", "words", "mentions", "entities", "singletons", "found", MISSING, SPURIOUS]
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


def pair_counts(table: pd.DataFrame) -> str:
    """Pairs of mentions by what they are in the key (rows) and in the response (columns)."""
    heads = ["", "response: coreference", "response: non-coreference", "not a pair there"]
    right = [
        [
            f"{count(value)} right" if row == column and count(value) else count(value)
            for column, value in of.items()
        ]
        for row, of in table.iterrows()
    ]
    names = ["key: coreference", "key: non-coreference", "not a pair in the key"]
    bodies = [_group(name, [cells]) for name, cells in zip(names, right, strict=True)]
    return _table("Pairs of mentions", heads, bodies).replace(" right</td>", " <b>right</b></td>")


def change_rows(
    table: pd.DataFrame, *, after: str, caption: str, expected: pd.DataFrame | None = None
) -> str:
    """Each metric before and after: a table as of `corescore.scoring.tables.change_table`.

    after     what the columns of the later figures are headed with
    expected  of `effects.expectation_table`: a mark beside each change that
              something was expected of
    """
    heads = [head for name in RATIOS.values() for head in (f"{name} %", after, "change")]
    marks = {} if expected is None else _expectation_marks(expected)
    bodies = []
    for metric in table.index:
        row, cells = table.loc[metric], []
        for ratio in RATIOS:
            mark = marks.get((metric, ratio), "")
            cells += [percent(row[ratio]), percent(row[f"{ratio}_after"])]
            cells.append(f"{signed(row[f'{ratio}_change'])}{mark}")
        bodies.append(_group(title(metric), [cells]))
    return _table(caption, ["", *heads], bodies)


def _expectation_marks(expected: pd.DataFrame) -> dict[tuple[str, str], str]:
    rows = zip(expected["metric"], expected["measure"], expected["kept"], strict=True)
    return {(metric, measure): " ✓" if kept else " ✗" for metric, measure, kept in rows}


def kind_rows(
    counts: Mapping[str, Mapping[str, int]],
    words: Mapping[str, Sequence[str]],
    letters: Sequence[str],
) -> str:
    """How many errors of each kind: a column for each system; what the kind is below its name.

    counts  by kind, then by letter; words: each kind's name and what it is
    """
    bodies = []
    for kind, of_kind in counts.items():
        name, meaning = (*words.get(kind, (kind, MENTION_WORDS[INCORRECTLY_RESOLVED])), "")[:2]
        header = f"{escape(name)}<small>{escape(meaning)}</small>"
        bodies.append(_group(header, [[count(of_kind[letter]) for letter in letters]]))
    return _table("Errors of each kind", ["", *letters], bodies).replace("numbers", "numbers kinds")


def credit_rows(told: Mapping[str, Sequence[Explanation]]) -> str:
    """What each metric gives one mention in each system, side by side, with the arithmetic.

    told  by the system's letter; an empty one lacks the mention
    """
    has = {letter: list(explained) for letter, explained in told.items() if explained}
    head = ["", *(cell for letter in has for cell in (f"{letter} %", f"because, in {letter}"))]
    bodies = []
    for row in zip(*has.values(), strict=True):
        cells = [cell for one in row for cell in (percent(one.share), one.sentence)]
        bodies.append(_group(title(row[0].metric), [cells]))
    caption = "What each metric gives the selected mention"
    return _table(caption, head, bodies).replace("numbers", "numbers because")


def class_rows(tables: Mapping[str, pd.DataFrame], by: str) -> str:
    """Mentions of each slice (a line a system) by what became of them (the columns)."""
    first = next(iter(tables.values()))
    heads = [str(name) for name in first.columns]
    bodies = [
        _group(
            escape(str(name)),
            [
                [letter, *(count(value) for value in table.loc[name])]
                for letter, table in tables.items()
            ],
        )
        for name in first.index
        if any(table.loc[name].any() for table in tables.values())
    ]
    return _table(f"Mentions by {by}", ["", "", *heads], bodies)


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
