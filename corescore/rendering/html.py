"""Scores, counts and statuses → HTML, and the windows of words that a page shows at once.

Whatever is not HTML already (`Markup`) is escaped.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import isnan
from pathlib import Path

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.environment import TemplateModule
from jinja2.ext import Extension
from markupsafe import Markup

from corescore.analysis.errors.classes import INCORRECTLY_RESOLVED
from corescore.analysis.explain import Explanation
from corescore.corpus.documents import Document
from corescore.metrics import colour_of
from corescore.rendering.columns import column
from corescore.rendering.text import Table
from corescore.sentences.names import MENTION_WORDS, escaped, title
from corescore.wording import RATIOS, count, fraction, percent, signed, unbroken

# Jinja2 templates → HTML. Every value is escaped unless it is `Markup` already --------------------


class JoinedLines(Extension):
    """Line breaks and indentation lay out a template; they are no part of the HTML."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return re.sub(r"\s*\n\s*", "", source)


ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    extensions=[JoinedLines],
)

ENVIRONMENT.filters |= {
    "count": count,
    "percent": percent,
    "signed": signed,
    "metric": title,  # the id of a metric → its name
    "prose": escaped,  # text → text with CEAF's subscripts
    "colour": colour_of,
}

ENVIRONMENT.globals |= {"RATIOS": RATIOS}


def render(template: str, block: str, /, **values: object) -> Markup:
    """The macro `block` of templates/`template`.html, called with these values."""
    return Markup(getattr(_module(template), block)(**values))


@cache
def _module(template: str) -> TemplateModule:
    return ENVIRONMENT.get_template(f"{template}.html").module


# Paragraphs and lists -----------------------------------------------------------------------------


def paragraph(text: str, style: str) -> Markup:
    """A paragraph in one of the styles of page.css."""
    return render("blocks", "paragraph", text=unbroken(text), style=style)


def headline(text: str) -> Markup:
    """The sentence that says what a page or chart shows."""
    return paragraph(text, "headline")


def note(text: str) -> Markup:
    """A remark in small print."""
    return paragraph(text, "note")


def signature(text: str) -> Markup:
    """The line below tables and charts that names the policies."""
    return paragraph(text, "signature")


def problem_list(
    lines: Sequence[str], *, kept: bool, what: str = "This could not be loaded."
) -> Markup:
    """What went wrong, a problem a line; `kept`: the page still shows what it showed before."""
    return render("blocks", "problems", lines=lines, what=what, kept=kept)


def warning_list(lines: Sequence[str]) -> Markup:
    """The readers' warnings, one a line."""
    return render("blocks", "warnings", lines=lines)


# Tables -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """Rows of a table under one row header."""

    header: str
    rows: Sequence[Sequence[str]]


def grouped_table(
    caption: str, heads: Sequence[str], groups: Sequence[Group], *, style: str = ""
) -> Markup:
    """A table of numbers; a row that begins with "B − A" is marked as a difference."""
    return render("blocks", "grouped", caption=caption, heads=heads, groups=groups, style=style)


def rows_table(
    caption: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    words: Collection[int] = (),
) -> Markup:
    """A table of texts, the first of each row its header; the columns `words` are aligned left."""
    return render("blocks", "rows", caption=caption, heads=heads, rows=rows, words=words)


def table_rows(table: Table) -> Markup:
    """A table alone; its headings have the unit if neither the title nor a note gives it."""
    is_told = bool(table.notes) or "percent" in table.title
    heads = [escaped(one.head if is_told else one.titled) for one in table.shown]
    return rows_table(table.title, heads, table.rows(title), words=table.left - {0})


def drawn(table: Table) -> Markup:
    """A table under what is said of it, above its notes and its signature."""
    headlines = Markup().join(map(headline, table.said))
    below = note(" ".join(table.notes)) if table.notes else Markup()
    return (
        headlines
        + table_rows(table)
        + below
        + (signature(table.signature) if table.signature else Markup())
    )


def page(title: str, tables: Sequence[Table]) -> str:
    """Tables as one HTML file that loads nothing and sends nothing."""
    front = Markup().join(map(drawn, tables))
    return str(render("report", "document", title=title, front=front, styles=static(*SHEETS)))


def score_rows(
    metrics: Sequence[str],
    tables: Mapping[str, pd.DataFrame],
    difference: pd.DataFrame | None,
    *,
    caption: str,
    in_percent: bool = True,
) -> Markup:
    """Fractions and, unless a chart shows it, percent: for each metric one row per system, then
    B − A, in points."""
    heads = ["", "", "recall", "%", "precision", "%", "F1 %"]
    if not in_percent:
        heads = ["", "", "recall", "precision", *["F1"] * (difference is not None)]
    groups = []
    for metric in metrics:
        rows = [[letter, *score_cells(table.T[metric])] for letter, table in tables.items()]
        if difference is not None:
            gap = difference.T[metric]
            recall, precision, f1 = (signed(gap[ratio]) for ratio in RATIOS)
            rows.append(["B − A", "", recall, "", precision, f1])
        if not in_percent:
            # Without percent, but for the points of a row of differences, which has no fractions
            rows = [
                [letter, recall or r, precision or p, "" if recall else f1][: len(heads) - 1]
                for letter, recall, r, precision, p, f1 in rows
            ]
        groups.append(Group(title(metric), rows))
    return grouped_table(caption, heads, groups)


def score_cells(row: pd.Series | Mapping[str, float]) -> list[str]:
    """Recall, precision, each as a fraction (BLANC's is of two parts) and in percent, and F1."""
    cells = []
    for ratio in ("recall", "precision"):
        counts = fraction(row[f"{ratio}_numerator"], row[f"{ratio}_denominator"])
        parts = "" if isnan(row[ratio]) else "of two parts"
        cells += [counts or parts, percent(row[ratio])]
    return [*cells, percent(row["f1"])]


def means_title(average: str) -> str:
    """What the means over documents are called."""
    return f"Means over documents ({average})"


def mean_rows(metrics: Sequence[str], tables: Mapping[str, pd.DataFrame], average: str) -> Markup:
    """Averages over documents: recall, precision, F1 in percent."""
    groups = [
        Group(
            title(metric),
            [
                [letter, *(percent(table[f"{average}_{ratio}"][metric]) for ratio in RATIOS)]
                for letter, table in tables.items()
            ],
        )
        for metric in metrics
    ]
    heads = ["", "", *(column(ratio).titled for ratio in RATIOS)]
    return grouped_table(means_title(average), heads, groups)


def pair_counts(table: pd.DataFrame) -> Markup:
    """Pairs of mentions by what they are in the key (rows) and in the response (columns)."""
    names = ["key: coreference", "key: non-coreference", "not a pair in the key"]
    rows = [
        (name, [(n, row == column) for column, n in cells.items()])
        for name, (row, cells) in zip(names, table.iterrows(), strict=True)
    ]
    return render("scores", "pairs", rows=rows)


def change_rows(
    table: pd.DataFrame, *, after: str, caption: str, expected: pd.DataFrame | None = None
) -> Markup:
    """Each metric before and after: a table as of `corescore.scoring.tables.change_table`.

    after     the heading of the second score of each measure
    expected  of `sweep.expectation_table`: marks each change that was expected, or was not
    """
    heads = [head for ratio in RATIOS for head in (column(ratio).titled, after, "change")]
    marks = {}
    if expected is not None:
        rows = zip(expected["metric"], expected["measure"], expected["kept"], strict=True)
        marks = {(metric, measure): " ✓" if kept else " ✗" for metric, measure, kept in rows}
    groups = []
    for metric in table.index:
        row, cells = table.loc[metric], []
        for ratio in RATIOS:
            cells += [percent(row[ratio]), percent(row[f"{ratio}_after"])]
            cells.append(f"{signed(row[f'{ratio}_change'])}{marks.get((metric, ratio), '')}")
        groups.append(Group(title(metric), [cells]))
    return grouped_table(caption, ["", *heads], groups)


def kind_rows(
    counts: Mapping[str, Mapping[str, int]],
    words: Mapping[str, Sequence[str]],
    letters: Sequence[str],
    *,
    links: Mapping[str, Mapping[str, str]],
) -> Markup:
    """How many errors of each kind, one column per system.

    counts  by kind, then by letter
    words   each kind's name, then what it means
    links   by kind, then by letter: the text below a number, such as a link to the mentions that
            the errors affect
    """
    groups = []
    for kind, of_kind in counts.items():
        name, meaning = words.get(kind, (kind, MENTION_WORDS[INCORRECTLY_RESOLVED]))
        header = render("scores", "kind", name=name, meaning=meaning)
        below = links.get(kind, {})
        cells = [
            render("scores", "errors", number=count(of_kind[letter]), below=below.get(letter, ""))
            for letter in letters
        ]
        groups.append(Group(header, [cells]))
    return grouped_table("Errors of each kind", ["", *letters], groups, style="kinds")


def credit_rows(explanations: Mapping[str, Sequence[Explanation]]) -> Markup:
    """What each metric credits one mention with in each system, and why.

    explanations  by letter; empty for a system that lacks the mention
    """
    has = {letter: list(explained) for letter, explained in explanations.items() if explained}
    heads = ["", *(cell for letter in has for cell in (f"{letter} %", f"because, in {letter}"))]
    groups = [
        Group(
            title(row[0].metric),
            [[cell for one in row for cell in (percent(one.share), one.sentence)]],
        )
        for row in zip(*has.values(), strict=True)
    ]
    caption = "Credit of the selected mention by each metric"
    return grouped_table(caption, heads, groups, style="because")


WrittenOf = Callable[[str, str, str, float], str]  # the system's letter first


def class_rows(
    tables: Mapping[str, pd.DataFrame],
    by: str,
    *,
    written: WrittenOf = lambda letter, row, column, number: count(number),
) -> Markup:
    """How many mentions of each slice (one row per system) are of each class (the columns).

    written  a number as it stands in its cell, by letter, slice and class: it may be a link
    """
    first = next(iter(tables.values()))
    groups = [
        Group(
            str(name),
            [
                [
                    letter,
                    *(
                        written(letter, str(name), str(of), value)
                        for of, value in table.loc[name].items()
                    ),
                ]
                for letter, table in tables.items()
            ],
        )
        for name in first.index
        if any(table.loc[name].any() for table in tables.values())
    ]
    heads = ["", "", *(str(name) for name in first.columns)]
    return grouped_table(f"Mentions by {by}", heads, groups)


# The text -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Window:
    """The words of a document that are shown at once: from `start` up to, not including, `end`."""

    start: int
    end: int

    def of(self, mentions: pd.DataFrame) -> pd.DataFrame:
        """The rows of the mentions that have words in it."""
        return mentions[(mentions["start"] < self.end) & (mentions["end"] > self.start)]


def windows(document: Document, size: int) -> tuple[Window, ...]:
    """The document in windows of about `size` words that begin with a sentence.

    A sentence of more than `size` words is divided.
    """
    n_words, starts = len(document.words), document.sentence_starts
    cuts = [0]
    while cuts[-1] + size < n_words:
        first, last = cuts[-1] + size // 2, cuts[-1] + size
        n_before = bisect_right(starts, last)
        is_allowed = n_before and starts[n_before - 1] >= first
        cuts.append(starts[n_before - 1] if is_allowed else last)
    return tuple(Window(start, end) for start, end in pairwise([*cuts, n_words]))


# Styles and scripts -------------------------------------------------------------------------------

STYLES = Path(__file__).parent / "static"

SHEETS = ("paper.css", "page.css", "credit.css", "report.css")  # of a file with all it needs


@cache
def static(*names: str) -> Markup:
    """What these files of styles or scripts hold."""
    return Markup("\n".join((STYLES / name).read_text(encoding="utf-8") for name in names))
