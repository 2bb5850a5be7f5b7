"""A perturbation in many doses and with many seeds, scored each time, and tables of the scores."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from corescore.analysis.perturbation import MOST_DOSES, PERTURBATIONS
from corescore.analysis.perturbation.base import (
    Dosed,
    Draft,
    Generators,
    Mentions,
    Perturbation,
    generators,
)
from corescore.analysis.perturbation.corpus import LEFT_BEHIND, perturbed_mentions
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.comparison import compare
from corescore.counting.contingency import contingency
from corescore.counting.counts import MEASURES, Counts, Score
from corescore.counting.matching import Matching
from corescore.metrics import CONLL, METRIC_IDS
from corescore.scoring.scores import Result, counts_of
from corescore.util import later

BAND = (0.1, 0.9)
MOST_SEEDS = 1000


def check_seeds(n_seeds: int) -> None:
    """Raises PolicyError unless a sweep can have so many."""
    if not 1 <= n_seeds <= MOST_SEEDS:
        expected = f"a whole number from 1 to {MOST_SEEDS}"
        raise PolicyError(f"seeds is {n_seeds}; expected {expected}")


@dataclass(frozen=True)
class SweepRun:
    """The scores of the whole corpus with one dose and seed, by metric, and "conll"."""

    dose: float
    seed: int
    scores: Mapping[str, Score[float]]


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """A sequence of runs: all doses with the first seed, then with the second, and so on.

    A run gives the same as `corescore.score` after `perturb`, under the policies of `result`,
    except that repeats are "first" and the average is micro. Each iteration makes one run.

    result       the scores of the unperturbed response
    doses        shares, from 0 to 1
    seeds        whole numbers from 0
    left_behind  as in `perturb`

    Raises PolicyError for an invalid dose, seed or `left_behind`.
    """

    result: Result
    perturbation: Dosed
    doses: tuple[float, ...]
    seeds: tuple[int, ...]
    left_behind: str = "keep"

    def __post_init__(self) -> None:
        choose("left behind", self.left_behind, LEFT_BEHIND)
        for dose in self.doses:
            self.perturbation.at(dose)
        generators((), min(self.seeds, default=0))

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
        return Draft.of(comparison.key, comparison.response, singletons=singletons)

    @cached_property
    def _by_span(self) -> bool:
        """Whether mentions match if their spans are the same, so that they stay as matched."""
        policies, comparison = self._base.policies, self.result.comparison
        zeros = any(document.empty_nodes for document in (*comparison.key, *comparison.response))
        plain = policies.match == "exact" and policies.singletons in ("keep", "drop")
        return plain and not policies.looks_up and not zeros

    def _scores(self, dose: float, rngs: Generators) -> Mapping[str, Score[float]]:
        mentions = perturbed_mentions(
            self.perturbation.at(dose), self._draft, rngs, left_behind=self.left_behind
        )
        counts = self._counts(mentions) if self._by_span else self._counts_as_scored(mentions)
        return replace(self._base, counts=counts).scores

    def _counts(self, mentions: Mentions) -> dict[str, Counts]:
        matching = self._draft.matching(mentions)
        if self.result.policies.singletons == "drop":
            matching = _swapped(_without_singletons(_swapped(_without_singletons(matching))))
        table = contingency(matching)
        return {metric.id: metric.counts(table) for metric in self.result.metrics}

    def _counts_as_scored(self, mentions: Mentions) -> dict[str, Counts]:
        """The same where the mentions must be matched anew: slower."""
        policies, key = self._base.policies, self._draft.comparison.key
        comparison = compare(key, self._draft.documents(mentions), policies)
        return {
            metric.id: counts_of(metric, comparison, policies) for metric in self.result.metrics
        }

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row for each dose, metric and measure: mean, low and high over the seeds, as
        fractions; low and high are the quantiles 0.1 and 0.9."""
        shown = [name for name in (*METRIC_IDS, CONLL.id) if name in self.result.scores]
        return band_table(run_table(self, shown))

    def plot(self, *, measure: str = "f1") -> Any:
        """A plotly figure: a line with its band for each metric over the doses.

        measure  "recall", "precision" or "f1"; PolicyError for another
        """
        choose("measure", measure, MEASURES)
        table = self.table[(self.table["measure"] == measure) & (self.table["metric"] != CONLL.id)]
        return later("plots.experiments.curves")(table, measure)

    def _repr_html_(self) -> str:
        """What a notebook shows: mean F1 under each metric at each dose."""
        return str(
            later("rendering.tables.doses")(self.table, self.signature, seeds=len(self.seeds))
        )


def swept(
    result: Result,
    perturbation: Perturbation,
    *,
    doses: Sequence[float],
    seeds: int,
    left_behind: str,
) -> Sweep:
    """See `corescore.Result.sweep`."""
    check_seeds(seeds)
    if not doses:
        raise PolicyError("there is no dose; expected shares from 0 to 1")
    if len(doses) > MOST_DOSES:
        raise PolicyError(f"there are {len(doses)} doses; expected {MOST_DOSES} at most")
    if result.policies.keeps_repeats:
        repeats = result.policies.repeats
        raise PolicyError(f"repeats is '{repeats}'; a sweep expects one of: first, error")
    return Sweep(
        result=result,
        perturbation=dosed(perturbation),
        doses=tuple(doses),
        seeds=tuple(range(1, seeds + 1)),
        left_behind=left_behind,
    )


def _without_singletons(matching: Matching) -> Matching:
    """Without the response's entities of one mention."""
    entity = matching.response.entity
    return matching.without(np.bincount(entity)[entity] == 1)


def _swapped(matching: Matching) -> Matching:
    """Key and response exchanged."""
    return Matching(
        matching.n_documents,
        matching.response,
        matching.key,
        matching.response_mention,
        matching.key_mention,
    )


def dosed(perturbation: Perturbation) -> Dosed:
    """The perturbation if it has doses; raises PolicyError otherwise, listing those that have."""
    if isinstance(perturbation, Dosed) and perturbation.number is None:
        return perturbation
    if isinstance(perturbation, Dosed):
        raise PolicyError(
            f"{perturbation.spec} has a number; expected none, as the doses are shares"
        )
    known = (kind.id for kind in PERTURBATIONS.values() if issubclass(kind, Dosed))
    found = f"{perturbation.id} has no dose to vary"
    raise PolicyError(f"{found}; expected one of: {', '.join(known)}")


def run_table(runs: Iterable[SweepRun], metrics: Sequence[str]) -> pd.DataFrame:
    """A row for each run and metric id: dose, seed, metric, recall, precision, f1, as fractions.
    "conll" has only f1."""
    rows = [
        (run.dose, run.seed, metric, *(getattr(run.scores[metric], name) for name in MEASURES))
        for run in runs
        for metric in metrics
    ]
    return pd.DataFrame(rows, columns=["dose", "seed", "metric", *MEASURES])


def band_table(runs: pd.DataFrame, *, band: tuple[float, float] = BAND) -> pd.DataFrame:
    """A row for each dose, metric and measure of a `run_table`: mean, low and high over the seeds.

    band  the quantiles that low and high are
    """
    keys = ["dose", "metric", "measure"]
    values = runs.melt(["dose", "seed", "metric"], [*MEASURES], "measure").dropna()
    values["metric"] = pd.Categorical(values["metric"], runs["metric"].unique())
    values["measure"] = pd.Categorical(values["measure"], MEASURES)
    groups = values.groupby(keys, observed=True)["value"]
    low, high = (groups.quantile(q) for q in band)
    table = pd.DataFrame({"mean": groups.mean(), "low": low, "high": high}).reset_index()
    return table.astype({"metric": str, "measure": str})
