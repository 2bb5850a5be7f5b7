"""The section of a report on errors."""

from collections.abc import Iterator

import pandas as pd

from corescore.analysis.error_table.rows import error_rows
from corescore.analysis.errors.mention_tables import error_counts, mention_table
from corescore.analysis.errors.mentions import INCORRECTLY_RESOLVED, count_incorrectly_resolved
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.reports import removal_table
from corescore.analysis.errors.summaries import gain_table, slice_credit
from corescore.analysis.errors.tables import impact_table
from corescore.analysis.systems.scored import System
from corescore.corpus.problems import PolicyError
from corescore.metrics import METRIC_IDS
from corescore.plots import errors as error_plots
from corescore.rendering import html as markup
from corescore.rendering.html import headline, note, signature
from corescore.rendering.report.blocks import Block, Drawing, Subject, heading
from corescore.sentences import errors as sentences
from corescore.sentences.credit import not_told
from corescore.sentences.errors import NAMES, WORDS
from corescore.wording import key_singletons

_GAINED = "after fixing this kind and no other"


def errors(subject: Subject) -> Iterator[Block]:
    """What fixing each kind of error would gain, and how many of each kind there are, and where."""
    try:
        yield from _kinds(subject)
    except PolicyError:
        yield note(sentences.REPEATED)
    for system in subject.systems:
        yield from _removal(system)
    for system in subject.systems:
        yield from _slices(system)


def _kinds(subject: Subject) -> Iterator[Block]:
    impacts = {s.letter: _impact(s) for s in subject.systems}
    gains = {letter: gain_table(impact) for letter, impact in impacts.items()}
    first = subject.systems[0]
    yield headline(sentences.largest_gain(first.title, gains["A"]))
    for other in subject.systems[1:]:
        both = gains["A"], gains[other.letter]
        yield headline(sentences.largest_gain_of_other(other.title, *both))
    for system in subject.systems:
        yield heading(f"F1 that fixing each kind alone would bring {system.title}")
        figure = error_plots.gains(gains[system.letter], NAMES, _GAINED)
        says = f"Points of F1 that {system.title} gains {_GAINED}."
        yield Drawing(figure, f"gains-{system.name}", says)
        yield note(f"Points of F1 gained {_GAINED}; the last row is all seven together.")
        yield signature(system.result.signature)
    counts: dict[str, dict[str, int]] = {kind: {} for kind in (*KINDS, INCORRECTLY_RESOLVED)}
    for system in subject.systems:
        for kind, number in _counts(system, impacts[system.letter]).items():
            counts[kind][system.letter] = number
    yield heading("Errors of each kind")
    letters = [system.letter for system in subject.systems]
    alone = {INCORRECTLY_RESOLVED: {s.letter: _key_singletons(s) for s in subject.systems}}
    yield markup.kind_rows(counts, WORDS, letters, links=alone)
    in_all = (_how_many(s, sum(counts[kind][s.letter] for kind in KINDS)) for s in subject.systems)
    yield note(" ".join([sentences.KINDS_ARE, *in_all]))
    yield signature(subject.signature)


def _how_many(system: System, n_errors: int) -> str:
    of = system.result
    rows = error_rows(of.comparison, singletons=of.policies.singletons)
    return sentences.how_many(system.title, n_errors, len(rows))


def _impact(system: System) -> pd.DataFrame:
    six = [metric for metric in system.result.metrics if metric.id in METRIC_IDS]
    return impact_table(system.result.comparison, six, shares=False)


def _counts(system: System, impact: pd.DataFrame) -> dict[str, int]:
    found = impact.groupby("kind")["errors"].first()
    number, _ = count_incorrectly_resolved(system.result.comparison)
    return {kind: int(found[kind]) for kind in KINDS} | {INCORRECTLY_RESOLVED: number}


def _key_singletons(system: System) -> str:
    return key_singletons(*count_incorrectly_resolved(system.result.comparison))


def _removal(system: System) -> Iterator[Block]:
    table = removal_table(system.result)
    number, singletons = count_incorrectly_resolved(system.result.comparison)
    yield heading(f"Without the incorrectly resolved mentions of {system.title}")
    yield headline(sentences.removal(system.title, number, singletons, table))
    caption = f"Scores of {system.title} without its incorrectly resolved mentions"
    yield markup.change_rows(table.loc[[*METRIC_IDS, "conll"]], after="without", caption=caption)
    linked = removal_table(system.result, incorrect="linked")
    if other := sentences.other_reading("all", table, linked):
        yield note(other)
        rows, caption = linked.loc[[*METRIC_IDS, "conll"]], f"{caption} that have a link in the key"
        yield note(f"{caption}:")
        yield markup.change_rows(rows, after="without", caption=caption)
    yield signature(system.result.signature)


def _slices(system: System) -> Iterator[Block]:
    result = system.result
    six = [metric for metric in result.metrics if metric.id in METRIC_IDS]
    credit = slice_credit(result.comparison, six, by="type", side="recall")
    yield heading(f"Mentions of {system.title} by type")
    sentence = sentences.weakest_slice(system.title, "recall", credit)
    yield headline(sentence)
    says = f"The share of possible recall that mentions of each type earn. {sentence}"
    yield Drawing(error_plots.slice_credit(credit), f"types-{system.name}", says)
    yield note(
        f"Percent of what mentions of each type could earn towards recall. {not_told()}".strip()
    )
    mentions = mention_table(result.comparison, singletons=result.policies.singletons)
    classes = {system.letter: error_counts(mentions, of="class", by="type")}
    yield markup.class_rows(classes, "mention type") + signature(result.signature)
