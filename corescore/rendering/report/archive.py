"""All tables of a report as files of one ZIP archive."""

import io
from collections.abc import Iterator
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pandas as pd

from corescore.analysis.errors.operations import impact_table
from corescore.analysis.errors.tables import (
    by_mention,
    document_errors,
    incorrectly_resolved_table,
    operation_table,
    side_counts,
)
from corescore.analysis.systems.comparability import System
from corescore.analysis.systems.documents import compared_documents
from corescore.corpus.problems import PolicyError
from corescore.metrics import DIAGNOSTICS
from corescore.rendering.report.blocks import Subject
from corescore.rendering.scores import SHOWN, Report, as_latex, as_markdown, report_frame
from corescore.rendering.tables import KINDS as FILE_KINDS
from corescore.rendering.tables import file_name

_EVERY = (*SHOWN, *(metric.id for metric in DIAGNOSTICS if metric.id not in SHOWN))

NamedTable = tuple[str, pd.DataFrame, str]  # with its signature


def score_report(subject: Subject, *, per_document: bool = False) -> Report:
    """The scores of the systems by their names, for any format of table."""
    results = {system.name: system.result for system in subject.systems}
    return Report(subject.key_name, results, _EVERY if per_document else SHOWN, per_document)


def tables_of(subject: Subject) -> Iterator[NamedTable]:
    """All tables that the pages show of the systems, unrounded."""
    signature = subject.signature
    yield "scores", report_frame(score_report(subject, per_document=True)), signature
    counts = side_counts(subject.key, subject.results)
    yield "counts", counts.rename_axis("side").reset_index(), signature
    for system in subject.systems:
        yield from _of_system(subject, system)
    if len(subject.systems) > 1:
        yield from _of_two(subject)


def _of_system(subject: Subject, system: System) -> Iterator[NamedTable]:
    result, name = system.result, f"{system.letter}-{system.name}"
    comparison, signature = result.comparison, result.signature
    yield file_name("documents", name), document_errors(result).reset_index(), signature
    yield file_name("mentions", name), by_mention(result), signature
    incorrect = incorrectly_resolved_table(comparison)
    yield file_name("incorrectly-resolved", name), incorrect, signature
    try:
        yield file_name("errors", name), operation_table(comparison), signature
        yield file_name("mending", name), impact_table(comparison, result.six), signature
    except PolicyError:  # mentions in several entities: there are no kinds of errors
        return


def _of_two(subject: Subject) -> Iterator[NamedTable]:
    first, second = (system.result for system in subject.systems)
    pair = subject.pair
    yield "comparison", pair.significance, pair.signature
    yield "comparison-documents", compared_documents(first, second), pair.signature


def archive(subject: Subject) -> bytes:
    """A ZIP of every table in every format, and the scores in LaTeX and Markdown.

    The same subject gives the same bytes.
    """
    data = io.BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as zipped:
        for name, frame, signature in tables_of(subject):
            for kind in FILE_KINDS:
                content = kind.write(frame, signature)
                zipped.writestr(_entry(kind.ending, f"{name}.{kind.ending}"), content)
        report = score_report(subject)
        zipped.writestr(_entry("scores.tex"), as_latex(report))
        zipped.writestr(_entry("scores.md"), as_markdown(report))
    return data.getvalue()


def _entry(*path: str) -> ZipInfo:
    """An entry of the archive, without its time: the same content gives the same bytes."""
    entry = ZipInfo("/".join(path))
    entry.compress_type = ZIP_DEFLATED
    return entry
