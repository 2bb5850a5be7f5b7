"""What a notebook shows of corpora, scores and comparisons; and tables as files."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
import pandas as pd
from markupsafe import Markup

from corescore.analysis.systems.data_sets import DataSets
from corescore.analysis.systems.pair import Pair
from corescore.analysis.systems.runs import PairOverRuns
from corescore.corpus.documents import Corpus, Document
from corescore.counting.counts import Score
from corescore.metrics import BESIDE_IDS, METRIC_IDS, name_of
from corescore.rendering import html as markup
from corescore.rendering.columns import metric_column
from corescore.rendering.compared import difference_table
from corescore.rendering.html import (
    Group,
    drawn,
    headline,
    note,
    render,
    signature,
    static,
    warning_list,
)
from corescore.rendering.many import score_table as data_set_table
from corescore.rendering.text import Table, as_parquet
from corescore.scoring.tally import Tally
from corescore.sentences import compare as verdicts
from corescore.util import FloatArray, inert
from corescore.wording import RATIOS, counted

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
    paper, page, credit, own = map(static, ("paper.css", "page.css", "credit.css", "notebook.css"))
    return Markup(f"{paper}\n.corescore.cell {{\n{page}\n{credit}\n}}\n{own}")


_LETTERS = {"A": "A", "B": "B"}


def scores(result: Tally) -> Markup:
    """Recall, precision and F1 of the corpus under each metric, with their fractions."""
    return cell(_score_tables(result))


def _score_tables(result: Tally) -> Iterator[Markup]:
    table = result.table
    rows = [name for name in _ordered(table) if "." not in name]  # BLANC's parts are in `.table`
    yield markup.score_rows(rows, {"": table}, None, caption="Scores")
    average = result.policies.average
    if result.means:
        yield note(f"{markup.means_title(average)}:")
        yield markup.mean_rows(rows, {"": table}, average)
    yield warning_list(result.warnings) if result.warnings else Markup()
    yield signature(result.signature)


def one_score(score: Score[float] | Score[FloatArray]) -> Markup:
    """A score with its parts, or how many documents an array of scores is of."""
    if isinstance(score.f1, np.ndarray):
        return cell([note(repr(score))])
    parts = {f"{name.replace('_', '-')} links": part for name, part in score.parts.items()}
    groups = [
        Group(name, [markup.score_cells(vars(of))])
        for name, of in {"score": score, **parts}.items()
    ]
    heads = ["", "recall", "%", "precision", "%", "F1 %"]
    return cell([markup.grouped_table("Score", heads, groups)])


def _ordered(table: pd.DataFrame) -> list[str]:
    """The metrics of a table, the diagnostics last."""
    return sorted(map(str, table.index), key=lambda name: name in BESIDE_IDS)


def differences(pair: Pair) -> Markup:
    """F1 of A and B under each metric, their difference, and whether it is significant."""
    return cell(_differences(pair))


def _differences(pair: Pair) -> Iterator[Markup]:
    table = pair.significance.query("measure == 'f1'").set_index("metric")
    if set(METRIC_IDS) <= set(table.index):
        lines = verdicts.ahead(table, _LETTERS, "f1"), verdicts.significance(table)
        yield headline(" ".join(lines))
    for warning in pair.warnings:
        yield markup.paragraph(warning, "caution")
    yield drawn(difference_table(pair, table.loc[_ordered(table)]))


def by_dose(table: pd.DataFrame) -> Table:
    """Mean F1 under each metric at each dose, of a `band_table`."""
    means = table[table["measure"] == "f1"].pivot(index="dose", columns="metric", values="mean")
    metrics = map(str, table["metric"].unique())
    return Table(means.reset_index(), ["dose", *map(metric_column, metrics)])


def doses(table: pd.DataFrame, signed: str, *, seeds: int) -> Markup:
    """`by_dose` in a cell; `signed`: the signature."""
    title = f"F1, percent, at each dose: the mean of {counted(seeds, 'seed')}"
    return _noted(replace(by_dose(table), title=title, signature=signed))


def _noted(made: Table, *notes: str) -> Markup:
    """A table in a cell below its title and notes."""
    return cell([*map(note, (f"{made.title}.", *notes)), drawn(made)])


def over_runs(pair: PairOverRuns) -> Markup:
    """Mean F1 of A and B over their runs under each metric, their difference and its p-values."""
    table = pair.significance.query("measure == 'f1'").set_index("metric")
    a, b = pair.n_runs
    title = f"Mean F1 of {counted(a, 'run')} of A and {b} of B, and their difference in points"
    columns = ("metric", "a", "b", "difference", "low", "high", "p", "p_holm", "p_runs")
    rows = table.loc[_ordered(table)].reset_index()
    return _noted(Table(rows, columns, title, signature=pair.signature), *pair.warnings)


def over_data_sets(compared: DataSets) -> Markup:
    """The scores of each system on each data set, the best mean first."""
    title = f"{name_of(compared.metric)} {RATIOS[compared.measure]}, percent, and the mean rank"
    return _noted(replace(data_set_table(compared, ""), title=title, notes=()))


_MOST_ROWS = 20  # documents of a corpus or entities of a document, in a cell of a notebook


def documents(corpus: Corpus) -> Markup:
    """How many words, mentions and entities the first documents of a corpus have."""
    rows = [
        (document.name, len(document.words), len(document.rows), document.n_entities)
        for document in corpus.documents[:_MOST_ROWS]
    ]
    columns = ["document", "words", "mentions", "entities"]
    left = len(corpus) - len(rows)
    table = Table(pd.DataFrame(rows, columns=columns), title="Documents")
    return _first_rows(corpus, table, f"and {counted(left, 'more document')}" if left else "")


def of_document(document: Document) -> Markup:
    """The mentions of the first entities of a document."""
    entities = document.entities[:_MOST_ROWS]
    rows = [
        (number, len(entity), " · ".join(map(document.text, entity)))
        for number, entity in enumerate(entities, 1)
    ]
    left = document.n_entities - len(rows)
    frame = pd.DataFrame(rows, columns=["entity", "mentions", "text"])
    table = Table(frame, title="Entities", longest=200)
    return _first_rows(document, table, f"and {left:,} more" if left else "")


def _first_rows(thing: Corpus | Document, table: Table, more: str) -> Markup:
    return cell([note(repr(thing)), drawn(table), *([note(more)] if more else [])])


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

    def write(self, frame: pd.DataFrame, signature: str) -> str | bytes:
        """The content of the file."""
        made = Table(frame, signature=signature)
        if self.ending == "parquet":
            return as_parquet(made)
        text = made.text(self.ending)
        return inert(text) if self.ending == "csv" else text


KINDS = (
    FileKind("CSV", "csv", "text/csv"),
    FileKind("JSON", "json", "application/json"),
    FileKind("Parquet", "parquet", "application/vnd.apache.parquet"),
)


def file_name(*called: str) -> str:
    """What a file is and of which system, as a name without ending: "six-metrics-cautious"."""
    joined = "-".join(re.sub(r"[^\w.]+", "-", part).strip("-.") for part in called)
    return joined[:_LONGEST].strip("-.") or "corescore"
