"""Results as text: a table, JSON, CSV or Markdown, each with its signature line."""

import csv
import io
import json
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corescore.counts import SCORE_FIELDS, Score
from corescore.metrics import DIAGNOSTICS, METRICS
from corescore.scoring import Result

if TYPE_CHECKING:
    import pandas as pd

TITLES = {metric.id: metric.title for metric in (*METRICS, *DIAGNOSTICS)} | {"conll": "CoNLL"}
SHOWN = (*(metric.id for metric in METRICS), "conll", "mentions")
LONGEST_TEXT = 48
RATIOS = ("recall", "precision", "f1")


@dataclass(frozen=True)
class Report:
    """What to print: the results of one or more responses against one key.

    metrics  the ids to show, in this order
    """

    key: str
    responses: Mapping[str, Result]
    metrics: tuple[str, ...] = SHOWN
    per_document: bool = False

    @property
    def signature(self) -> str:
        return next(iter(self.responses.values())).signature


def as_json(report: Report) -> str:
    """One object; fractions unrounded, null where a document has nothing to score."""
    policies = asdict(next(iter(report.responses.values())).policies)
    responses = [_response(report, name, result) for name, result in report.responses.items()]
    values = {
        "signature": report.signature,
        "policies": policies,
        "key": report.key,
        "responses": responses,
    }
    return json.dumps(values, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _response(report: Report, name: str, result: Result) -> dict[str, Any]:
    values: dict[str, Any] = {
        "response": name,
        "documents": len(result.documents),
        "warnings": list(result.warnings),
        "scores": _scores(report, result.scores),
    }
    if result.policies.average == "macro":
        macro = _scores(report, result.macro)
        values["macro"] = {name: _ratios(score) for name, score in macro.items()}
    if report.per_document:
        values["per_document"] = {
            document: _scores(report, _of_document(result, index))
            for index, document in enumerate(result.documents)
        }
    return values


def _scores(report: Report, scores: Mapping[str, Score[float]]) -> dict[str, Any]:
    return {
        name: {"f1": _known(scores[name].f1)} if name == "conll" else _values(scores[name])
        for name in report.metrics
    }


def _values(score: Score[float]) -> dict[str, Any]:
    """Three ratios, and what they were divided from or the parts they are the mean of."""
    names = RATIOS if score.parts else SCORE_FIELDS
    values = {name: _known(getattr(score, name)) for name in names}
    return values | {name: _values(part) for name, part in score.parts.items()}


def _ratios(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in RATIOS}


def _of_document(result: Result, index: int) -> dict[str, Score[float]]:
    return {name: score.row(index) for name, score in result.document_scores.items()}


def _known(value: Any) -> float | None:
    return None if math.isnan(value) else float(value)


def as_csv(report: Report) -> str:
    """A row for each response, document and metric; the rows without a document are the totals.

    Fractions unrounded, empty where there is nothing to score; the signature in the last column.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["response", "document", "metric", *SCORE_FIELDS, "signature"])
    for response, result in report.responses.items():
        for document, scores in _levels(report, result):
            for name, score in _flat(report, scores):
                values = [_known(getattr(score, field)) for field in SCORE_FIELDS]
                writer.writerow([response, document, name, *values, report.signature])
    return text.getvalue()


def _levels(report: Report, result: Result) -> Iterator[tuple[str, Mapping[str, Score[float]]]]:
    """(document, scores): the totals ("") first, then macro means, then each document."""
    yield "", result.scores
    if result.policies.average == "macro":
        yield "(macro)", result.macro
    if report.per_document:
        for index, document in enumerate(result.documents):
            yield document, _of_document(result, index)


def _flat(report: Report, scores: Mapping[str, Score[float]]) -> Iterator[tuple[str, Score[float]]]:
    """(metric, score), a metric's parts after it as "blanc.coreference"."""
    for name in report.metrics:
        yield name, scores[name]
        for part, score in scores[name].parts.items():
            yield f"{name}.{part}", score


def as_table(report: Report) -> str:
    """Aligned columns for the terminal."""
    return _tables(report, markdown=False)


def as_markdown(report: Report) -> str:
    """The same tables in Markdown."""
    return _tables(report, markdown=True)


def _tables(report: Report, *, markdown: bool) -> str:
    tables = [_total_table(report)]
    if next(iter(report.responses.values())).policies.average == "macro":
        tables.append(_macro_table(report))
    if report.per_document:
        tables.append(_document_table(report))
    notes = ["Percent; * marks the best of a row."] if len(report.responses) > 1 else ["Percent."]
    texts = [render(header, rows, markdown=markdown) for header, rows in tables]
    return "\n".join([*texts, *notes, report.signature]) + "\n"


_Table = tuple[list[str], list[list[str]]]


def _total_table(report: Report) -> _Table:
    results = list(report.responses.values())
    rows = []
    for columns in zip(*(_flat(report, result.scores) for result in results), strict=True):
        cells = _marked([[getattr(score, ratio) for ratio in RATIOS] for _, score in columns])
        fractions = _fractions(columns[0][1]) if len(results) == 1 else []
        rows.append([_title(columns[0][0]), *cells, *fractions])
    fraction_header = ["recall is", "precision is"] if len(results) == 1 else []
    return ["", *_ratio_header(report), *fraction_header], rows


def _macro_table(report: Report) -> _Table:
    rows = []
    for name in report.metrics:
        scores = [result.macro[name] for result in report.responses.values()]
        cells = _marked([[getattr(score, ratio) for ratio in RATIOS] for score in scores])
        rows.append([_title(name), *cells])
    return ["mean over documents", *_ratio_header(report)], rows


def _document_table(report: Report) -> _Table:
    """F1 only: a row for each document and response."""
    header = ["F1 by document", *(["response"] * (len(report.responses) > 1))]
    rows = []
    results = list(report.responses.values())
    names = [[name] if len(results) > 1 else [] for name in short_names(report.responses)]
    for index, document in enumerate(results[0].documents):
        by_response = [
            [result.document_scores[name].f1[index] for name in report.metrics]
            for result in results
        ]
        cells = iter(_marked(by_response))
        rows += [[document, *name, *islice(cells, len(report.metrics))] for name in names]
    return [*header, *map(_title, report.metrics)], rows


def _ratio_header(report: Report) -> list[str]:
    if len(report.responses) == 1:
        return ["R", "P", "F1"]
    names = short_names(report.responses)
    return [f"{name} {ratio}" for name in names for ratio in ("R", "P", "F1")]


def _marked(by_response: Sequence[Sequence[float]]) -> list[str]:
    """The figures of each response one after the other, the best of each kind with a star."""
    best = [max(figures) for figures in zip(*by_response, strict=True)]
    worst = [min(figures) for figures in zip(*by_response, strict=True)]
    return [
        percent(value) + ("*" if value == high > low else "")
        for figures in by_response
        for value, high, low in zip(figures, best, worst, strict=True)
    ]


def _fractions(score: Score[float]) -> list[str]:
    return [
        _fraction(score.recall_numerator, score.recall_denominator),
        _fraction(score.precision_numerator, score.precision_denominator),
    ]


def _fraction(numerator: float, denominator: float) -> str:
    return "" if math.isnan(denominator) else f"{number(numerator)}/{number(denominator)}"


def _title(name: str) -> str:
    metric, _, part = name.partition(".")
    return f"  {part.replace('_', '-')} links" if part else TITLES.get(metric, metric)


def percent(value: float) -> str:
    """A fraction as percent with two decimals; "–" if empty."""
    return "–" if math.isnan(value) else f"{100 * value:.2f}"


def number(value: float) -> str:
    """A whole number whole, another with two decimals."""
    return str(int(value)) if value == int(value) else f"{value:.2f}"


def short_names(paths: Iterable[str]) -> list[str]:
    """File names as short as tells them apart: without endings, with them, or with the folder."""
    every = list(paths)
    ways: tuple[Callable[[str], str], ...] = (
        lambda path: Path(path).name.split(".")[0],
        lambda path: Path(path).name,
    )
    for shorten in ways:
        names = [shorten(path) for path in every]
        if len(set(names)) == len(every) and all(names):
            return names
    return every


def render(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: Collection[int] = (0,),
    markdown: bool = False,
) -> str:
    """Rows under a header; the columns `left` begin at their left edge, the others end aligned."""
    from rich import box  # rich is only needed for tables
    from rich.console import Console, JustifyMethod
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.MARKDOWN if markdown else box.SIMPLE_HEAD, show_edge=markdown)
    for at, name in enumerate(header):
        justify: JustifyMethod = "left" if at in left else "right"
        table.add_column(Text(name), justify=justify, no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    text = io.StringIO()
    Console(file=text, width=10_000, color_system=None).print(table)
    lines = [line.rstrip() for line in text.getvalue().split("\n")]
    return "\n".join(line for line in lines if line) + "\n"


def render_frame(
    frame: "pd.DataFrame", signature: str, *, format: str, longest: int = LONGEST_TEXT
) -> str:
    """A pandas table in one of the formats of OUTPUTS, with its signature; texts of more than
    `longest` letters are cut in a table to be read."""
    if format == "json":
        rows = json.loads(frame.to_json(orient="records", double_precision=15))
        values = {"signature": signature, "rows": rows}
        return json.dumps(values, ensure_ascii=False, indent=2) + "\n"
    if format == "csv":
        return frame.assign(signature=signature).to_csv(index=False, lineterminator="\n")
    rows = frame.itertuples(index=False, name=None)
    cells = [[_cell(value, longest) for value in row] for row in rows]
    header = [str(name).replace("_", " ") for name in frame.columns]
    words = {
        at for at, kind in enumerate(frame.dtypes) if str(kind) in ("str", "object", "category")
    }
    table = render(header, cells, left=words, markdown=format == "markdown")
    return f"{table}\n{signature}\n"


def _cell(value: Any, longest: int) -> str:
    """Numbers and long texts short, missing values as "–"."""
    if isinstance(value, str):
        return value if len(value) <= longest else f"{value[: longest - 1]}…"
    if str(value) in ("None", "nan", "<NA>"):
        return "–"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


OUTPUTS: dict[str, Callable[[Report], str]] = {
    "table": as_table,
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
}
