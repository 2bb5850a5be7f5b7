"""The errors of the systems in a report: what fixing each kind gains, and where they are."""

from collections.abc import Iterator
from functools import partial

from corescore.analysis.error_table.table import error_table, only_moved
from corescore.analysis.errors.classes import INCORRECTLY_RESOLVED, count_incorrectly_resolved
from corescore.analysis.errors.operations import (
    KINDS,
    WRONG_SPLIT_ANTECEDENT,
    impact_table,
    parts_of,
    wrong_split_antecedents,
)
from corescore.analysis.errors.tables import (
    by_mention,
    error_counts,
    gain_table,
    removal_table,
    slice_credit,
)
from corescore.analysis.systems.comparability import System
from corescore.corpus.problems import PolicyError
from corescore.metrics import SCORE_IDS
from corescore.plots import errors as error_plots
from corescore.rendering import drawn
from corescore.rendering import html as markup
from corescore.rendering.exhibits import Exhibit
from corescore.rendering.html import headline, note, signature
from corescore.rendering.report.blocks import Block, Subject, heading
from corescore.rendering.text import Table
from corescore.sentences import errors as sentences
from corescore.sentences.credit import not_told
from corescore.sentences.errors import NAMES, WORDS
from corescore.wording import key_singletons

_GAINED = "after fixing this kind and no other"


def errors(subject: Subject) -> Iterator[Block]:
    """What fixing each kind of error would gain, and how many of each kind there are, and where."""
    try:
        yield from _kinds_of_errors(subject)
    except PolicyError:
        yield note(sentences.REPEATED)
    for system in subject.systems:
        yield from _removal(system)
    for system in subject.systems:
        yield from _slices(system)


def _kinds_of_errors(subject: Subject) -> Iterator[Block]:
    impacts = {
        system.letter: impact_table(system.result.comparison, system.result.six, shares=False)
        for system in subject.systems
    }
    gains = {letter: gain_table(impact) for letter, impact in impacts.items()}
    first = subject.systems[0]
    yield headline(sentences.largest_gain(first.title, gains["A"]))
    for other in subject.systems[1:]:
        both = gains["A"], gains[other.letter]
        yield headline(sentences.largest_gain_of_other(other.title, *both))
    for system in subject.systems:
        yield heading(f"F1 that {system.title} gains by fixing each kind alone")
        table = gains[system.letter]
        yield Exhibit(
            f"gains-{system.name}",
            "",
            f"Points of F1 that {system.title} gains {_GAINED}.",
            partial(error_plots.gains, table, NAMES, _GAINED),
            partial(drawn.gains, table, NAMES),
        )
        yield note(f"Points of F1 gained {_GAINED}; the last row is all seven together.")
        yield signature(system.result.signature)
    counts: dict[str, dict[str, int]] = {kind: {} for kind in (*KINDS, INCORRECTLY_RESOLVED)}
    alone, split = {}, {}
    for system in subject.systems:
        comparison = system.result.comparison
        for kind, n in impacts[system.letter].groupby("kind")["errors"].first().items():
            counts[str(kind)][system.letter] = int(n)
        number, singletons = count_incorrectly_resolved(comparison)
        counts[INCORRECTLY_RESOLVED][system.letter] = number
        alone[system.letter] = key_singletons(number, singletons)
        wrong = wrong_split_antecedents(parts_of(comparison)) if comparison.plurals else ()
        split[system.letter] = len(wrong)
    shown = {**counts, **({WRONG_SPLIT_ANTECEDENT: split} if any(split.values()) else {})}
    yield heading("Errors of each kind")
    letters = [system.letter for system in subject.systems]
    yield markup.kind_rows(shown, WORDS, letters, links={INCORRECTLY_RESOLVED: alone})
    in_all = (_how_many(s, sum(counts[kind][s.letter] for kind in KINDS)) for s in subject.systems)
    yield note(" ".join([sentences.KINDS_ARE, *in_all]))
    yield signature(subject.signature)


def _how_many(system: System, n_errors: int) -> str:
    result = system.result
    table = error_table(result.comparison, singletons=result.policies.singletons)
    return sentences.how_many(system.title, n_errors, int((~only_moved(table)).sum()))


def _removal(system: System) -> Iterator[Block]:
    table = removal_table(system.result)
    number, singletons = count_incorrectly_resolved(system.result.comparison)
    yield heading(f"Without the incorrectly resolved mentions of {system.title}")
    yield headline(sentences.removal(system.title, number, singletons, table))
    caption = f"Scores of {system.title} without its incorrectly resolved mentions"
    yield markup.change_rows(table.loc[list(SCORE_IDS)], after="without", caption=caption)
    linked = removal_table(system.result, incorrect="linked")
    if other := sentences.other_reading("all", table, linked):
        yield note(other)
        rows, caption = linked.loc[list(SCORE_IDS)], f"{caption} that have a link in the key"
        yield note(f"{caption}:")
        yield markup.change_rows(rows, after="without", caption=caption)
    yield signature(system.result.signature)


def _slices(system: System) -> Iterator[Block]:
    result = system.result
    credit = slice_credit(result.comparison, result.six, by="type", side="recall")
    yield heading(f"Mentions of {system.title} by type")
    sentence = sentences.weakest_slice(system.title, "recall", credit)
    yield headline(sentence)
    yield Exhibit(
        f"types-{system.name}",
        sentence,
        "The share of possible recall that mentions of each type earn.",
        partial(error_plots.slice_credit, credit),
        lambda: Table(credit.rename_axis("type").reset_index()),
    )
    yield note(f"Percent of the recall that mentions of each type could earn. {not_told()}".strip())
    mentions = by_mention(result)
    classes = {system.letter: error_counts(mentions, column="class", by="type")}
    yield markup.class_rows(classes, "mention type") + signature(result.signature)
