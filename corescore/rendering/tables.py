"""The scores of a response, and the differences of two, as tables."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import pandas as pd
from markupsafe import Markup

from corescore.analysis.significance import INTERVALS
from corescore.analysis.systems.pair import Pair
from corescore.metrics import BESIDE_IDS, METRIC_IDS, name_of
from corescore.rendering import html as markup
from corescore.rendering.html import (
    STYLES,
    Group,
    grouped_table,
    headline,
    note,
    render,
    rows_table,
    signature,
    warning_list,
)
from corescore.rendering.text import as_parquet, render_frame
from corescore.scoring.tables import score_table
from corescore.scoring.tally import Tally
from corescore.sentences import compare as verdicts
from corescore.sentences.names import title
from corescore.util import inert
from corescore.wording import count, counted, fraction, p_value, percent, signed

# HTML for a cell of a notebook, with its styles ---------------------------------------------------


@dataclass(frozen=True)
class Shown:
    """What a notebook shows of a value: Jupyter calls `_repr_html_`.

    title  what it is about, in plain text
    html   a complete element with its styles; it loads nothing and has no script, so that it can
           also be written to a file
    """

    title: str
    html: str = field(repr=False)

    def _repr_html_(self) -> str:
        return self.html


def cell(blocks: Iterable[Markup]) -> Markup:
    """Blocks of HTML as one element with its styles, which change nothing outside of it."""
    return render("notebook", "cell", styles=_styles(), blocks=list(blocks))


@cache
def _styles() -> Markup:
    """Those of pages count only within the element: a notebook has tables and headers of its own.

    A style element in the middle of a page is in force for all of it.
    """
    paper, page, credit, own = (
        (STYLES / f"{name}.css").read_text(encoding="utf-8")
        for name in ("paper", "page", "credit", "notebook")
    )
    return Markup(f"{paper}\n.corescore.cell {{\n{page}\n{credit}\n}}\n{own}")


_SCORES = ("", "Recall", "%", "Precision", "%", "F1 %")

_DIFFERENCES = (
    *("", "A %", "B %", "B − A", "from", "to"),
    *("p", "p, max T", "p, Holm", "A ahead", "ties", "B ahead"),
)

_LETTERS = {"A": "A", "B": "B"}


def scores(result: Tally) -> Markup:
    """Recall, precision and F1 of the corpus under each metric, with their fractions."""
    return cell(_scores(result))


def _scores(result: Tally) -> Iterator[Markup]:
    table = score_table(result)
    rows = [name for name in _ordered(table) if "." not in name]  # BLANC's parts are in `.table`
    groups = [Group(title(name), [_score_cells(table.T[name])]) for name in rows]
    yield grouped_table("Scores", _SCORES, groups)
    average = result.policies.average
    if result.means:
        caption = f"Means over documents ({average})"
        yield note(f"{caption}:")
        yield markup.mean_rows(rows, {"": table}, caption=caption, average=average)
    yield warning_list(result.warnings) if result.warnings else Markup()
    yield signature(result.signature)


def _ordered(table: pd.DataFrame) -> list[str]:
    """The metrics of a table, the diagnostics last."""
    return sorted(map(str, table.index), key=lambda name: name in BESIDE_IDS)


def _score_cells(row: "pd.Series[Any]") -> list[str]:
    cells = []
    for ratio in ("recall", "precision"):
        parts = fraction(row[f"{ratio}_numerator"], row[f"{ratio}_denominator"])
        cells += [parts, "" if pd.isna(row[ratio]) else percent(row[ratio])]
    return [*cells, percent(row["f1"])]


def differences(pair: Pair) -> Markup:
    """F1 of A and B under each metric, their difference, and whether it is significant."""
    return cell(_differences(pair))


def _differences(pair: Pair) -> Iterator[Markup]:
    table = pair.significance.query("measure == 'f1'").set_index("metric")
    if set(METRIC_IDS) <= set(table.index):
        said = verdicts.ahead(table, _LETTERS, "f1"), verdicts.significance(table)
        yield headline(" ".join(said))
    for warning in pair.warnings:
        yield markup.paragraph(warning, "caution")
    yield difference_rows(table.loc[_ordered(table)], level=pair.level)
    yield signature(pair.signature)


def difference_rows(table: pd.DataFrame, *, level: float) -> Markup:
    """A row for each metric: F1 of A and B, the difference and its interval, p-values, documents.

    table  rows of `Pair.significance` for F1, by metric
    """
    interval = f"{100 * level:g}% interval (simultaneous)"
    caption = f"F1 of A and B, their difference in points with its {interval}, and documents"
    rows = [_difference_cells(str(metric), row) for metric, row in table.iterrows()]
    return rows_table(caption, _DIFFERENCES, rows)


def _difference_cells(metric: str, row: "pd.Series[Any]") -> list[str]:
    ends = [signed(row[end]) for end in INTERVALS["simultaneous"]]
    tests = [p_value(row[p]) for p in ("p", "p_max", "p_holm")]
    wins = [count(row[of]) for of in ("wins_a", "ties", "wins_b")]
    of_both = [percent(row["a"]), percent(row["b"]), signed(row["difference"])]
    return [name_of(metric), *of_both, *ends, *tests, *wins]


def doses(table: pd.DataFrame, told: str, *, seeds: int) -> Markup:
    """Mean F1 under each metric at each dose.

    table  of `band_table`
    told   the signature
    """
    means = table[table["measure"] == "f1"].pivot(index="dose", columns="metric", values="mean")
    means = means[table["metric"].unique()]
    caption = f"F1, percent, at each dose: the mean of {counted(seeds, 'seed')}"
    rows = [[f"{dose:g}", *map(percent, row)] for dose, row in means.iterrows()]
    table_of_means = rows_table(caption, ["dose", *map(name_of, means.columns)], rows)
    return cell([note(f"{caption}."), table_of_means, signature(told)])


# Tables as files: the kinds of file, and their names ----------------------------------------------

_LONGEST = 90  # letters of a file's name


@dataclass(frozen=True)
class FileKind:
    """A kind of file that a table can be written to, its values unrounded and with its signature:
    in a column of CSV, beside the rows of JSON, in the metadata of Parquet. No cell of CSV is a
    formula: spreadsheets open such files."""

    title: str
    ending: str
    mime: str
    write: Callable[[pd.DataFrame, str], str | bytes]


def _inert_csv(frame: pd.DataFrame, signature: str) -> str:
    return inert(render_frame(frame, signature, format="csv"))


KINDS = (
    FileKind("CSV", "csv", "text/csv", _inert_csv),
    FileKind("JSON", "json", "application/json", partial(render_frame, format="json")),
    FileKind("Parquet", "parquet", "application/vnd.apache.parquet", as_parquet),
)


def file_name(*called: str) -> str:
    """What a file is and of which system, as a name without ending: "six-metrics-cautious"."""
    joined = "-".join(re.sub(r"[^\w.]+", "-", part).strip("-.") for part in called)
    return joined[:_LONGEST].strip("-.") or "corescore"
