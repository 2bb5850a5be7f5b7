"""The section of a report on errors. No Streamlit here."""

from collections.abc import Iterator

import pandas as pd

from corescore.analysis.errors.mention_tables import (
    error_counts,
    incorrectly_resolved_table,
    mention_table,
)
from corescore.analysis.errors.mentions import INCORRECTLY_RESOLVED
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.reports import removal_table
from corescore.analysis.errors.summaries import gain_table, slice_credit
from corescore.analysis.errors.tables import impact_table, operation_table
from corescore.corpus.problems import PolicyError
from corescore.metrics import METRIC_IDS
from corescore.plots import errors as error_plots
from corescore.rendering import html as markup
from corescore.rendering.html import headline, note, signature
from corescore.rendering.report.blocks import Block, Drawing, Output, Subject, heading
from corescore.sentences import errors as sentences
from corescore.sentences.errors import NAMES, WORDS

_GAINED = "after fixing this kind and no other"


def errors(subject: Subject) -> Iterator[Block]:
    """What fixing would bring, how many errors there are of each kind, and where they are."""
    try:
        yield from _kinds(subject)
    except PolicyError:
        yield note(sentences.REPEATED)
    for output in subject.outputs:
        yield from _removal(output)
    for output in subject.outputs:
        yield from _slices(output)


def _kinds(subject: Subject) -> Iterator[Block]:
    gains = {o.letter: _gains(o) for o in subject.outputs}
    first = subject.outputs[0]
    yield headline(sentences.largest_gain(first.title, gains["A"]))
    for other in subject.outputs[1:]:
        both = gains["A"], gains[other.letter]
        yield headline(sentences.largest_gain_of_other(other.title, *both))
    for output in subject.outputs:
        yield heading(f"F1 that fixing each kind alone would bring {output.title}")
        figure = error_plots.gains(gains[output.letter], NAMES, _GAINED)
        says = f"Points of F1 that {output.title} gains {_GAINED}."
        yield Drawing(figure, f"gains-{output.name}", says)
        yield note(f"Points of F1 gained {_GAINED}; the last row is all seven together.")
        yield signature(output.result.signature)
    counts: dict[str, dict[str, int]] = {kind: {} for kind in (*KINDS, INCORRECTLY_RESOLVED)}
    for output in subject.outputs:
        for kind, number in _counts(output).items():
            counts[kind][output.letter] = number
    yield heading("Errors of each kind")
    yield markup.kind_rows(counts, WORDS, [output.letter for output in subject.outputs])
    yield signature(subject.signature)


def _gains(output: Output) -> pd.DataFrame:
    six = [metric for metric in output.result.metrics if metric.id in METRIC_IDS]
    return gain_table(impact_table(output.result.comparison, six))


def _counts(output: Output) -> dict[str, int]:
    found = operation_table(output.result.comparison)["kind"].value_counts()
    n_incorrect = len(incorrectly_resolved_table(output.result.comparison))
    return {kind: int(found[kind]) for kind in KINDS} | {INCORRECTLY_RESOLVED: n_incorrect}


def _removal(output: Output) -> Iterator[Block]:
    table = removal_table(output.result)
    n_incorrect = len(incorrectly_resolved_table(output.result.comparison))
    yield heading(f"Without the incorrectly resolved mentions of {output.title}")
    yield headline(sentences.removal(output.title, n_incorrect, table))
    caption = f"Scores of {output.title} without its incorrectly resolved mentions"
    yield markup.change_rows(table.loc[[*METRIC_IDS, "conll"]], after="without", caption=caption)
    yield signature(output.result.signature)


def _slices(output: Output) -> Iterator[Block]:
    result = output.result
    six = [metric for metric in result.metrics if metric.id in METRIC_IDS]
    credit = slice_credit(result.comparison, six, by="type", side="recall")
    yield heading(f"Mentions of {output.title} by type")
    sentence = sentences.weakest_slice(output.title, "recall", credit)
    yield headline(sentence)
    says = f"The share of the recall to be earned that mentions of each type earn. {sentence}"
    yield Drawing(error_plots.slice_credit(credit), f"types-{output.name}", says)
    yield note("Percent of what mentions of each type could earn towards recall.")
    mentions = mention_table(result.comparison, singletons=result.policies.singletons)
    classes = {output.letter: error_counts(mentions, of="class", by="type")}
    yield markup.class_rows(classes, "mention type") + signature(result.signature)
