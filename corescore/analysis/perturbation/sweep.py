"""A perturbation in many doses and with many seeds, scored each time; and what one changed.

Tables of the scores, beside what is expected of them, and of the mentions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from corescore.analysis.errors.classes import INCORRECT, Mentions, nullable
from corescore.analysis.perturbation import (
    LEFT_BEHIND,
    MOST_DOSES,
    PERTURBATIONS,
    parse_perturbation,
    perturbed_mentions,
)
from corescore.analysis.perturbation.base import Draft, Generators, Perturbation, generators
from corescore.corpus.documents import Corpus, Document
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.assignment import best_assignment
from corescore.counting.comparison import compare
from corescore.counting.contingency import contingency, pairs
from corescore.counting.counts import MEASURES, Score
from corescore.counting.policies import Policies
from corescore.metrics import BESIDE_IDS, CONLL, SCORE_IDS
from corescore.metrics.standard import shared_mentions
from corescore.scoring.presets import SINGLETONS_BY_METRIC
from corescore.scoring.scores import Result, compared_by, counts_of
from corescore.scoring.tables import change_table
from corescore.util import TOLERANCE, picked

BAND = (0.1, 0.9)
MOST_SEEDS = 1000


def check_sweep(n_seeds: int, policies: Policies) -> None:
    """Raises PolicyError unless a sweep can have so many seeds, and be scored so."""
    if not 1 <= n_seeds <= MOST_SEEDS:
        expected = f"a whole number from 1 to {MOST_SEEDS}"
        raise PolicyError(f"seeds is {n_seeds}; expected {expected}")
    if policies.keeps_repeats:
        raise PolicyError(f"repeats is '{policies.repeats}'; a sweep expects one of: first, error")


@dataclass(frozen=True)
class SweepRun:
    """The scores of the whole corpus with one dose and seed, by metric, and "conll"."""

    dose: float
    seed: int
    scores: Mapping[str, Score[float]]


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """A sequence of runs: all doses with the first seed, then with the second, and so on.

    A run gives the same as `corescore.score` after `perturb`, under the `of_perturbed` of the
    result's policies, except that repeats are "first" and the average is micro. Each iteration
    makes one run.

    result       the scores of the unperturbed response
    doses        shares, from 0 to 1
    seeds        whole numbers from 0
    left_behind  as in `perturb`

    Raises PolicyError for an invalid dose, seed or `left_behind`.

    >>> import corescore
    >>> result = corescore.score("key.conll", "cautious.conll")
    >>> table = result.sweep("drop", doses=(0, 0.5, 1), seeds=2).table
    >>> table.query("metric == 'lea' and measure == 'f1'")[["dose", "mean"]].round(4)
        dose    mean
    17   0.0  0.3926
    36   0.5  0.1799
    55   1.0  0.0000
    """

    result: Result
    perturbation: Perturbation
    doses: tuple[float, ...]
    seeds: tuple[int, ...]
    left_behind: str = "keep"

    def __post_init__(self) -> None:
        choose("left behind", self.left_behind, LEFT_BEHIND)
        for dose in self.doses:
            self.perturbation.at(dose)
        generators((), min(self.seeds, default=0))

    def __repr__(self) -> str:
        return f"Sweep: {self.signature}"

    def __len__(self) -> int:
        return len(self.doses) * len(self.seeds)

    def __iter__(self) -> Iterator[SweepRun]:
        for seed in self.seeds:
            rngs = generators(self.result.documents, seed)
            for dose in self.doses:
                yield SweepRun(dose, seed, self._scores(dose, rngs.again()))

    @property
    def signature(self) -> str:
        """Policies, perturbation and `left_behind` in one line."""
        return (
            f"{self._base.signature} | {self.perturbation.at(1).spec} | "
            f"left behind {self.left_behind}"
        )

    @cached_property
    def _base(self) -> Result:
        policies = replace(self.result.policies, repeats="first", average="micro")
        return replace(self.result, policies=policies)

    @cached_property
    def _draft(self) -> Draft:
        comparison, singletons = self.result.comparison, self.result.policies.singletons
        policies = Policies(singletons=singletons)
        return Draft(compare(comparison.key, comparison.response, policies))

    @cached_property
    def _by_span(self) -> bool:
        """Whether mentions match if their spans are the same, so that they stay as matched."""
        policies, comparison = self._base.policies, self.result.comparison
        plain = policies.match == "exact" and policies.singletons not in SINGLETONS_BY_METRIC
        anew = policies.looks_up or comparison.has_empty_nodes or comparison.plurals
        return plain and not anew

    def _scores(self, dose: float, rngs: Generators) -> Mapping[str, Score[float]]:
        base, draft, metrics = self._base, self._draft, self.result.metrics
        mentions = perturbed_mentions(
            self.perturbation.at(dose), draft, rngs, left_behind=self.left_behind
        )
        if self._by_span:
            table = contingency(draft.matching(mentions))
            counts = {metric.id: metric.counts(table) for metric in metrics}
        else:  # they must be matched anew: slower
            documents = draft.documents(mentions)
            policies = base.policies.of_perturbed
            compared = compared_by(draft.comparison.key, documents, policies, metrics)
            counts = {m.id: counts_of(m, compared[m.id], policies) for m in metrics}
        return replace(base, counts=counts).scores

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per dose, metric and measure.

        Columns:

        dose             float64  from 0 to 1
        metric, measure  str      "muc" … and "conll"; "recall", "precision" or "f1"
        mean             float64  over the seeds, a fraction
        low, high        float64  their quantiles 0.1 and 0.9
        """
        shown = [name for name in SCORE_IDS if name in self.result.scores]
        return band_table(run_table(self, shown))

    def plot(self, *, measure: str = "f1") -> Any:
        """A plotly figure: a line with its band for each metric over the doses.

        measure  "recall", "precision" or "f1"; PolicyError for another
        """
        from corescore.plots.experiments import curves

        choose("measure", measure, MEASURES)
        table = self.table[(self.table["measure"] == measure) & (self.table["metric"] != CONLL.id)]
        return curves(table, measure)

    def _repr_html_(self) -> str:
        """What a notebook shows: mean F1 under each metric at each dose."""
        from corescore.rendering.tables import doses

        return str(doses(self.table, self.signature, seeds=len(self.seeds)))


def swept(
    result: Result,
    perturbation: Perturbation | str,
    *,
    doses: Sequence[float] | float,
    seeds: int,
    left_behind: str,
) -> Sweep:
    """See `corescore.Result.sweep`."""
    check_sweep(seeds, result.policies)
    doses = [doses] if isinstance(doses, float | int) else doses
    if not doses:
        raise PolicyError("there is no dose; expected shares from 0 to 1")
    if len(doses) > MOST_DOSES:
        raise PolicyError(f"there are {len(doses)} doses; expected {MOST_DOSES} at most")
    return Sweep(
        result=result,
        perturbation=dosed(parse_perturbation(perturbation)),
        doses=tuple(doses),
        seeds=tuple(range(1, seeds + 1)),
        left_behind=left_behind,
    )


def dosed(perturbation: Perturbation) -> Perturbation:
    """The perturbation if it has doses; raises PolicyError otherwise, listing those that have."""
    if perturbation.kind.is_dosed and perturbation.number is None:
        return perturbation
    if perturbation.kind.is_dosed:
        raise PolicyError(
            f"{perturbation.spec} has a number; expected none, as the doses are shares"
        )
    known = (kind.id for kind in PERTURBATIONS.values() if kind.is_dosed)
    raise PolicyError(
        f"{perturbation.kind.id} has no dose to vary; expected one of: {', '.join(known)}"
    )


def run_table(runs: Iterable[SweepRun], metrics: Sequence[str]) -> pd.DataFrame:
    """One row per run and metric id: dose, seed, metric, recall, precision, f1, as fractions.
    "conll" has only f1."""
    rows = [
        (run.dose, run.seed, metric, *run.scores[metric].ratios)
        for run in runs
        for metric in metrics
    ]
    return pd.DataFrame(rows, columns=["dose", "seed", "metric", *MEASURES])


def band_table(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per dose, metric and measure of a `run_table`: the mean over the seeds, and low and
    high, their quantiles `BAND`."""
    keys = ["dose", "metric", "measure"]
    values = runs.melt(["dose", "seed", "metric"], [*MEASURES], "measure").dropna()
    values["metric"] = pd.Categorical(values["metric"], runs["metric"].unique())
    values["measure"] = pd.Categorical(values["measure"], MEASURES)
    groups = values.groupby(keys, observed=True)["value"]
    ends = groups.quantile(np.array(BAND)).unstack().set_axis(["low", "high"], axis=1)
    table = pd.concat([groups.mean().rename("mean"), ends], axis=1).reset_index()
    return table.astype({"metric": str, "measure": str})


# What is expected of a perturbation, and what it changed ------------------------------------------

SAME, RISE, FALL = "should not change", "should rise", "should fall"
NOT_FALL = "should not fall"
KEPT, REMOVED, ADDED, MOVED = "kept", "removed", "added", "moved"
CHANGES = (KEPT, REMOVED, ADDED, MOVED)


@dataclass(frozen=True)
class Expectation:
    """How recall and precision should change if a metric counts correct links; "" if unknown."""

    recall: str
    precision: str


# The first three: Moosavi & Strube 2016, Table 1. The others follow from the links they change.
EXPECTATIONS = {
    "more-precise": Expectation(SAME, RISE),
    "less-precise-a": Expectation(SAME, FALL),
    "less-precise-b": Expectation(SAME, FALL),
    "add": Expectation(SAME, FALL),
    "split": Expectation(FALL, ""),
    "merge": Expectation("", FALL),
    "repair": Expectation(RISE, ""),
}


def expectation(steps: Sequence[Perturbation]) -> Expectation:
    """How all steps together should change the scores; "" where they have different effects."""
    each = []
    for step in steps:
        expected = EXPECTATIONS.get(step.kind.id, Expectation("", ""))
        if step.kind.id == "more-precise" and step.incorrect == "linked":
            # A singleton in the key that loses its wrong partners may be left alone: is correct
            expected = Expectation(NOT_FALL, RISE)
        each.append(expected)
    recalls, precisions = {one.recall for one in each}, {one.precision for one in each}
    return Expectation(*(of.pop() if len(of) == 1 else "" for of in (recalls, precisions)))


def other_reading(steps: Sequence[Perturbation]) -> tuple[Perturbation, ...]:
    """The steps with the other value of `incorrect`; none unless all that use it have the same."""
    used = {step.incorrect for step in steps if step.uses_incorrect}
    if len(used) != 1:
        return ()
    (other,) = {*INCORRECT} - used
    return tuple(replace(step, incorrect=other) if step.uses_incorrect else step for step in steps)


def expectation_table(before: Result, after: Result, expected: Expectation) -> pd.DataFrame:
    """Whether each metric changes as expected.

    Columns: metric (id), measure (recall or precision), expected, before, after, change (all
    fractions), kept. There is no row for a measure without an expectation, for "conll", which has
    neither measure, or for diagnostics, and none at all if the response did not change. Nor is
    there one where the links do not move as expected: a merge that creates a correct link need not
    lower precision, and the split of an entity without one cannot lower recall.
    """
    is_changed = after.comparison.response != before.comparison.response
    expected = _as_links_move(before, after, expected)
    changes, rows = change_table(before, after).to_dict("index"), []
    for metric in (known.id for known in before.metrics if known.id not in BESIDE_IDS):
        for measure in ("recall", "precision"):
            should, changed = getattr(expected, measure), changes[metric]
            if should and is_changed:
                change = float(changed[f"{measure}_change"])
                values = changed[measure], changed[f"{measure}_after"], change
                rows.append((metric, measure, should, *values, is_kept(should, change)))
    names = ["metric", "measure", "expected", "before", "after", "change", "kept"]
    return pd.DataFrame(rows, columns=names)


def _as_links_move(before: Result, after: Result, expected: Expectation) -> Expectation:
    """What of an expectation follows from the links that came and went."""
    correct, wrong = _link_moves(before, after)
    no_correct_moves = not correct.gained and not correct.lost
    recall = {
        SAME: no_correct_moves,
        NOT_FALL: not correct.lost,
        RISE: bool(correct.gained and not correct.lost),
        FALL: bool(correct.lost and not correct.gained),
    }
    precision = {  # without a correct link it is 0 before and after
        RISE: bool(correct.kept and no_correct_moves and wrong.lost and not wrong.gained),
        FALL: bool(correct.kept and no_correct_moves and wrong.gained and not wrong.lost),
    }
    return Expectation(
        expected.recall if recall.get(expected.recall) else "",
        expected.precision if precision.get(expected.precision) else "",
    )


@dataclass(frozen=True)
class _LinkMoves:
    """How many links of the response, correct or wrong, are kept, lost and gained; the self-link
    of a singleton on both sides is a correct one."""

    kept: int
    lost: int
    gained: int


def _link_moves(before: Result, after: Result) -> Iterator[_LinkMoves]:
    """Those of correct links, then of wrong ones."""
    had, has = _entity_of_mentions(before), _entity_of_mentions(after)
    both = had.merge(has, on=["document", "start", "end", "key"], suffixes=("", "_after"))
    both["alone"] &= both["alone_after"]
    kept = _n_links(both, ["entity", "entity_after"])
    for n, n_before, n_after in zip(
        kept, _n_links(had, ["entity"]), _n_links(has, ["entity"]), strict=True
    ):
        yield _LinkMoves(n, n_before - n, n_after - n)


def _entity_of_mentions(result: Result) -> pd.DataFrame:
    """One row per mention of the response: its span, its entity, the key's (−1 without one), and
    whether it is a singleton on both sides."""
    view, table = result.comparison.precision, result.comparison.table
    key = picked(result.comparison.recall.own_entity, view.own_partner)
    is_single = picked(table.key_sizes == 1, key, False)
    columns = {"document": view.own.document, "start": view.own.start, "end": view.own.end}
    alone = is_single & (table.response_sizes[view.own_entity] == 1)
    return pd.DataFrame({**columns, "entity": view.own_entity, "key": key, "alone": alone})


def _n_links(mentions: pd.DataFrame, entity: list[str]) -> tuple[int, int]:
    """How many links have both ends in one entity, correct and wrong ones."""
    known = mentions[mentions["key"] >= 0]
    n_correct, n = (
        int(pairs(of.value_counts(columns).to_numpy()).sum())
        for of, columns in ((known, [*entity, "key"]), (mentions, entity))
    )
    return n_correct + int(known["alone"].sum()), n - n_correct


def is_kept(should: str, change: float) -> bool:
    """Whether a change, a fraction, is what it should be: SAME, NOT_FALL, RISE or FALL."""
    return {
        SAME: abs(change) < TOLERANCE,
        NOT_FALL: change > -TOLERANCE,
        RISE: change > TOLERANCE,
        FALL: change < -TOLERANCE,
    }[should]


def mention_changes(before: Document, after: Document) -> pd.DataFrame:
    """How each mention of a document changed, in text order.

    Columns: start, end, before_entity, after_entity (Int64, counted from 1, NA where that side
    has no such mention), and change, a categorical: kept, removed, added, or moved. An entity
    before and one after are the same if CEAFₘ aligns them (one to one, with as many shared
    mentions as possible); a mention is moved if its two entities are not the same.
    """
    return _changes_by_document([before], [after]).drop(columns="document")


def changed_documents(before: Corpus, after: Corpus) -> dict[str, int]:
    """The number of removed, new or moved mentions by document, the largest first; none with 0."""
    pairs = [(before.by_name.get(d.name) or d.with_entities(()), d) for d in after]
    changed = [two for two in pairs if not np.array_equal(two[0].rows, two[1].rows)]
    table = _changes_by_document(*([two[side] for two in changed] for side in (0, 1)))
    n = table["document"][table["change"] != KEPT].value_counts()
    counts = {old.name: int(n.get(at, 0)) for at, (old, _) in enumerate(changed)}
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def _changes_by_document(before: Sequence[Document], after: Sequence[Document]) -> pd.DataFrame:
    """`mention_changes` of documents in turn, and in a column document their numbers; entities are
    counted through all of them."""
    comparison = compare(before, after)
    old, new, table = comparison.recall, comparison.precision, comparison.table
    every, added = np.arange(len(old.own_cell)), np.flatnonzero(new.own_cell < 0)
    mentions = Mentions.of_both(comparison, every, added)
    entities = {
        "before_entity": picked(old.own_entity, mentions.key),
        "after_entity": picked(new.own_entity, mentions.response),
    }
    aligned = best_assignment(table.components, shared_mentions(table))
    is_kept = np.isin(picked(old.own_cell, mentions.key), aligned)
    none = [entity < 0 for entity in entities.values()]
    change = np.select([*none, is_kept], [ADDED, REMOVED, KEPT], MOVED)
    return pd.DataFrame(
        {
            "document": mentions.document,
            "start": mentions.start,
            "end": mentions.end,
            **{name: nullable(of + 1, of >= 0) for name, of in entities.items()},
            "change": pd.Categorical(change, CHANGES),
        }
    )
