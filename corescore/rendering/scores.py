"""Results as text: a table, JSON, CSV, Markdown or LaTeX, each with its signature line."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import islice
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from corescore.counting.counts import MEASURES, SCORE_FIELDS, Score
from corescore.metrics import CONLL, SCORE_IDS, name_of
from corescore.metrics.registry import ROWS
from corescore.rendering.columns import PLAIN, Column
from corescore.rendering.text import Table, in_markdown, latex_table, render
from corescore.scoring.scores import Result
from corescore.scoring.tally import Tally
from corescore.sentences.policies import with_exact
from corescore.util import csv_of
from corescore.wording import fraction, listed, percent

if TYPE_CHECKING:
    import pandas as pd

SHOWN = (*SCORE_IDS, "mentions")


@dataclass(frozen=True)
class Report:
    """What to print: the results of one or more responses against one key.

    metrics  the ids to show, in this order
    exact    under another matching, of responses without a comparison: the same by exact matching
    """

    key: str
    responses: Mapping[str, Tally]
    metrics: tuple[str, ...] = SHOWN
    per_document: bool = False
    exact: Mapping[str, Tally] = field(default_factory=dict)

    @property
    def first(self) -> Tally:
        return next(iter(self.responses.values()))

    @property
    def signature(self) -> str:
        return self.first.signature

    def exact_of(self, name: str) -> Tally:
        """A response scored with exact matching."""
        result = self.responses[name]
        return result.exact if isinstance(result, Result) else self.exact[name]


def as_json(report: Report) -> str:
    """One object; fractions unrounded, null where a document has nothing to score."""
    policies = asdict(report.first.policies)
    if not any(tally.has_split_antecedents for tally in report.responses.values()):
        del policies["split_antecedents"]
    responses = [_response(report, name, result) for name, result in report.responses.items()]
    values = {
        "signature": report.signature,
        "policies": policies,
        "key": report.key,
        "responses": responses,
    }
    return json.dumps(values, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _response(report: Report, name: str, result: Tally) -> dict[str, Any]:
    values: dict[str, Any] = {
        "response": name,
        "documents": len(result.documents),
        "warnings": list(result.warnings),
        "scores": _scores_by_metric(report, result.scores),
    }
    if result.policies.match != "exact":
        values["exact"] = _ratios_by_metric(report, report.exact_of(name).scores)
    if result.means:
        values[result.policies.average] = _ratios_by_metric(report, result.means)
    if report.per_document:
        values["per_document"] = {
            document: _scores_by_metric(report, _of_document(result, index))
            for index, document in enumerate(result.documents)
        }
    return values


def _scores_by_metric(report: Report, scores: Mapping[str, Score[float]]) -> dict[str, Any]:
    return {
        name: {"f1": _known(scores[name].f1)} if name == "conll" else _score_fields(scores[name])
        for name in report.metrics
    }


def _score_fields(score: Score[float]) -> dict[str, Any]:
    """Three ratios, and what they were divided from or the parts they are the mean of."""
    names = MEASURES if score.parts else SCORE_FIELDS
    values = {name: _known(getattr(score, name)) for name in names}
    return values | {name: _score_fields(part) for name, part in score.parts.items()}


def _ratios_by_metric(report: Report, scores: Mapping[str, Score[float]]) -> dict[str, Any]:
    return {
        metric: {name: value for name, value in values.items() if name in MEASURES}
        for metric, values in _scores_by_metric(report, scores).items()
    }


def _of_document(result: Tally, index: int) -> dict[str, Score[float]]:
    return {name: score.row(index) for name, score in result.document_scores.items()}


def _known(value: Any) -> float | None:
    return None if isnan(value) else float(value)


def as_csv(report: Report) -> str:
    """One row per response, document and metric; the rows without a document are the totals.

    Fractions unrounded, empty if there is nothing to score; the last columns are the key and the
    signature.
    """
    rows = ([*row, report.signature] for row in _score_rows(report))
    return csv_of([[*_COLUMNS, "signature"], *rows])


def report_frame(report: Report) -> "pd.DataFrame":
    """The rows of `as_csv` as a table; NaN where there is nothing to score."""
    import pandas as pd  # slow to import: only when asked for

    frame = pd.DataFrame(list(_score_rows(report)), columns=list(_COLUMNS))
    return frame.astype(dict.fromkeys(SCORE_FIELDS, "float64"))


_COLUMNS = ("response", "document", "metric", *SCORE_FIELDS, "key")


def _score_rows(report: Report) -> Iterator[list[Any]]:
    for response, result in report.responses.items():
        for document, scores in _levels(report, result):
            for name, score in _flat(report, scores):
                values = [_known(getattr(score, field)) for field in SCORE_FIELDS]
                yield [response, document, name, *values, report.key]


def _levels(report: Report, result: Tally) -> Iterator[tuple[str, Mapping[str, Score[float]]]]:
    """(document, scores): the totals ("") first, then averages, then each document."""
    yield "", result.scores
    if result.means:
        yield f"({result.policies.average})", result.means
    if report.per_document:
        for index, document in enumerate(result.documents):
            yield document, _of_document(result, index)


def _flat(report: Report, scores: Mapping[str, Score[float]]) -> Iterator[tuple[str, Score[float]]]:
    """(metric, score), a metric's parts after it as "blanc.coreference"."""
    for name in report.metrics:
        yield name, scores[name]
        for part, score in scores[name].parts.items():
            yield f"{name}.{part}", score


def as_table(report: Report, *, markdown: bool = False) -> str:
    """Aligned columns for the terminal, or the same tables in Markdown."""
    texts = [render(header, rows, markdown=markdown) for header, rows in _tables(report)]
    below = "\n".join([*_notes(report), report.signature])
    return "\n".join([*texts, in_markdown(below) if markdown else below]) + "\n"


def tables_of(report: Report) -> list[Table]:
    """The same tables, for an HTML file; the notes and the signature are below the last."""
    import pandas as pd  # slow to import: only when asked for

    tables = []
    for header, rows in _tables(report):
        frame = pd.DataFrame(rows).rename(columns=str)
        columns = [
            Column(head, None, (name,), "" if head in ("", "response") or not at else PLAIN)
            for at, (head, name) in enumerate(zip(header, map(str, frame), strict=True))
        ]
        tables.append(Table(frame, columns))
    *others, last = tables
    return [*others, replace(last, notes=_notes(report), signature=report.signature)]


as_markdown = partial(as_table, markdown=True)


def _notes(report: Report) -> list[str]:
    inexact = {name: of for name, of in report.responses.items() if of.policies.match != "exact"}
    exact = (with_exact(name, of, report.exact_of(name)) for name, of in inexact.items())
    return [_unit_and_files(report, f"; {_MARKS}"), *exact]


_HIGHEST = "*"

_MARKS = f"{_HIGHEST} marks the highest of a row, which need not be significantly higher"


def _unit_and_files(report: Report, of_several: str) -> str:
    """The unit, what is said of several responses, the files, and the way to the sums."""
    names = short_names([report.key, *report.responses])
    key, responses = names[0], listed(names[1:])
    files = f"{responses} against {key}"
    unit = f"Percent{of_several if len(report.responses) > 1 else ''}: {files}."
    if _is_averaged_alone(report):
        unit += " Sums over documents: --average micro."
    if report.per_document and _has_empty_member(report):
        unit += f" {CONLL.title} of a document counts an empty score (–) as 0."
    return unit


def _has_empty_member(report: Report) -> bool:
    """Whether CoNLL is shown, and is the mean of an empty score and others for a document."""
    every = report.responses.values() if CONLL.id in report.metrics else ()
    f1 = ([of.document_scores[one].f1 for one in CONLL.members] for of in every)
    return any(np.isin(np.isnan(of).sum(axis=0), (1, 2)).any() for of in f1)


def _is_averaged_alone(report: Report) -> bool:
    """Whether a scorer that prints averages over documents, and no sums, is followed."""
    return report.first.policies.average in ("scorch", "stanza")


def as_latex(report: Report) -> str:
    """The same tables in LaTeX, for booktabs. No score is bold: none is tested here."""
    several = len(report.responses) > 1
    note = f"{_unit_and_files(report, '; no difference is tested')} "
    names = short_names(report.responses) if several else []
    texts = []
    for header, rows in _tables(report):
        by_response = len(header) == 1 + len(names) * len(MEASURES)
        groups = [(name, len(MEASURES)) for name in names] if by_response else []
        heads = [header[0], *_RATIO_HEADS * len(names)] if groups else header
        left = {at for at, name in enumerate(header) if at == 0 or name == "response"}
        rows = [
            [cell if at in left else cell.removesuffix(_HIGHEST) for at, cell in enumerate(row)]
            for row in rows
        ]
        texts.append(
            latex_table(heads, rows, note=note + report.signature, left=left, groups=groups)
        )
    return "\n".join(texts)


_Table = tuple[list[str], list[list[str]]]
_RATIO_HEADS = ("R", "P", "F1")


def _tables(report: Report) -> Iterator[_Table]:
    """The totals, or the averages that the scorer prints instead; then what was asked for."""
    average = report.first.policies.average
    if not _is_averaged_alone(report):
        yield _total_table(report)
    if average != "micro":
        yield _mean_table(report, average)
    if report.per_document:
        yield _document_table(report)


def _total_table(report: Report) -> _Table:
    results = list(report.responses.values())
    rows = []
    for columns in zip(*(_flat(report, result.scores) for result in results), strict=True):
        cells = _marked([score.ratios for _, score in columns])
        fractions = [*_fractions(columns[0][1])] if len(results) == 1 else []
        rows.append([_title(columns[0][0]), *cells, *fractions])
    fraction_header = ["recall n/d", "precision n/d"] if len(results) == 1 else []
    return ["", *_ratio_header(report), *fraction_header], rows


def _mean_table(report: Report, average: str) -> _Table:
    rows = []
    for name in report.metrics:
        scores = [result.means[name] for result in report.responses.values()]
        cells = _marked([score.ratios for score in scores])
        rows.append([_title(name), *cells])
    head = "mean over documents" if average == "macro" else f"average as {average}"
    return [head, *_ratio_header(report)], rows


def _document_table(report: Report) -> _Table:
    """F1 only: one row per document and response."""
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
        return list(_RATIO_HEADS)
    names = short_names(report.responses)
    return [f"{name} {ratio}" for name in names for ratio in _RATIO_HEADS]


def _marked(by_response: Sequence[Sequence[float]]) -> list[str]:
    """The scores of one response after the other; a star marks the highest of each kind."""
    best = [max(scores) for scores in zip(*by_response, strict=True)]
    worst = [min(scores) for scores in zip(*by_response, strict=True)]
    return [
        percent(value) + (_HIGHEST if value == high > low else "")
        for scores in by_response
        for value, high, low in zip(scores, best, worst, strict=True)
    ]


def _fractions(score: Score[float]) -> Iterator[str]:
    """Those of recall and precision, without commas: texts for programs, too."""
    yield fraction(score.recall_numerator, score.recall_denominator).replace(",", "")
    yield fraction(score.precision_numerator, score.precision_denominator).replace(",", "")


def _title(name: str) -> str:
    metric, _, part = name.rpartition(".")  # an id may have a dot: "blanc_0.2"
    is_part = metric and name not in ROWS
    return f"  {part.replace('_', '-')} links" if is_part else name_of(name)


def short_names(paths: Iterable[str]) -> list[str]:
    """File names as short as tells them apart: without endings, with them, or with the folder.

    Bytes of a name that are not UTF-8 are written out, as a number.
    """
    every = [path.encode(errors="backslashreplace").decode() for path in paths]
    ways: tuple[Callable[[str], str], ...] = (
        lambda path: Path(path).name.split(".")[0],
        lambda path: Path(path).name,
    )
    for shorten in ways:
        names = [*map(shorten, every)]
        if len(set(names)) == len(every) and all(names):
            return names
    return every


OUTPUTS: dict[str, Callable[[Report], str]] = {
    "table": as_table,
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
    "latex": as_latex,
}
