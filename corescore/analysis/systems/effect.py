"""Whether ranks owe to the mention identification effect: scores and ranks of several responses,
before and after their incorrectly resolved mentions are removed.

Such a mention has no correct link, but under B³, CEAF and BLANC it earns credit for being found
(Moosavi & Strube 2016, §2 and §3). §6 explains so why xu is above chen and chunyuang by LEA and
below both by the average: they find more mentions, and leave more of them without a correct link.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from corescore.analysis.credit import weighted_credit
from corescore.analysis.errors.classes import (
    INCORRECT,
    Incorrect,
    count_incorrectly_resolved,
    incorrectly_resolved,
)
from corescore.analysis.errors.tables import removal_table
from corescore.analysis.significance import array_table, check_same_key, measures_of
from corescore.analysis.systems.many import ranks
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.counts import MEASURES
from corescore.metrics import SCORE_IDS
from corescore.scoring.scores import Result
from corescore.scoring.tables import is_opposite
from corescore.scoring.tally import Tally
from corescore.util import PLACES, FloatArray, IntArray, picked
from corescore.wording import counted

SIDES = MEASURES[:2]  # recall is earned by mentions of the key, precision by those of the response


@dataclass(frozen=True)
class IdentificationEffect:
    """Scores and ranks of responses to one key, with and without incorrectly resolved mentions.

    Which mentions these are has two readings: "all" of them, or only the "linked" ones, which have
    a link in the key. The others are singletons of the key.

    responses       their names, in the order given
    metrics         the ids of those of the six that are scored and have the measure, "conll" last
    n_mentions      (responses,) how many mentions are incorrectly resolved
    n_singletons    (responses,) how many of these are singletons in the key
    shares          (readings, sides, responses, metrics) what these mentions earn of the numerator
                    of recall and of precision, a fraction; NaN if the numerator is 0, and for CoNLL
    scores          (responses, metrics) of the whole corpus, fractions
    after           (readings, responses, metrics) the same once the mentions are removed

    >>> import corescore
    >>> from corescore.analysis.systems.effect import identification_effect
    >>> key = [{"a", "b", "c", "d"}, {"e", "f"}, {"g", "h"}]
    >>> a = corescore.score_entities(key, [{"a", "b", "c"}, {"e", "g"}, {"f", "h"}])
    >>> b = corescore.score_entities(key, [{"a", "b", "c", "d"}])
    >>> effect = identification_effect({"A": a, "B": b})
    >>> at = effect.metrics.index("bcub")
    >>> [one.round(4).tolist() for one in (effect.scores[:, at], effect.after[0, :, at])]
    [[0.6093, 0.6667], [0.439, 0.6667]]
    """

    responses: tuple[str, ...]
    metrics: tuple[str, ...]
    measure: str
    n_mentions: IntArray
    n_singletons: IntArray
    shares: FloatArray
    scores: FloatArray
    after: FloatArray

    def __repr__(self) -> str:
        n = len(self.pairs.query("incorrect == 'all'"))
        changes = f"{counted(n, 'change')} of order over the metrics"
        return f"IdentificationEffect: {counted(len(self.responses), 'response')}, {changes}"

    @property
    def table(self) -> pd.DataFrame:
        """One row per reading, response and metric.

        Columns:

        incorrect                           str      "all" or "linked": which mentions are removed
        response, metric                    str      names and ids
        incorrectly_resolved                int64    how many mentions these are
        key_singletons                      int64    how many of them are singletons in the key
        recall_share, precision_share       float64  of the numerators, what they earn; a fraction
        score, score_after, change          float64  fractions
        rank, rank_after                    int64    1 + the number of better responses
        """
        shape = self.after.shape
        removed = np.array([self.n_mentions, self.n_mentions - self.n_singletons])
        singletons = np.array([self.n_singletons, np.zeros_like(self.n_singletons)])
        columns = {
            "incorrectly_resolved": np.broadcast_to(removed[..., None], shape),
            "key_singletons": np.broadcast_to(singletons[..., None], shape),
            **{f"{side}_share": self.shares[:, at] for at, side in enumerate(SIDES)},
            "score": np.broadcast_to(self.scores, shape),
            "score_after": self.after,
            "change": self.after - self.scores,
            "rank": np.broadcast_to(ranks(self.scores.T).T, shape),
            "rank_after": self.ranks_after,
        }
        axes = {"incorrect": INCORRECT, "response": self.responses, "metric": self.metrics}
        return array_table(axes, columns)

    @property
    def pairs(self) -> pd.DataFrame:
        """One row per reading, metric and pair of responses whose order changes.

        Columns:

        incorrect               str      "all" or "linked": which mentions are removed
        metric                  str      id
        response                str      the one that is ahead before, or after if both tie before
        other                   str      the other one
        difference              float64  response − other before; 0 for a tie
        difference_after        float64  the same after; below 0 if the two change places, 0 for a
                                         tie
        """
        rows = []
        for reading, after in zip(INCORRECT, self.after, strict=True):
            for at, metric in enumerate(self.metrics):
                both = np.array([self.scores[:, at], after[:, at]]).round(PLACES)
                for a, b in combinations(range(len(self.responses)), 2):
                    before, then = (both[:, a] - both[:, b]).round(PLACES).tolist()
                    if np.sign(before) == np.sign(then):
                        continue
                    sign, one, other = (1, a, b) if (before or then) > 0 else (-1, b, a)
                    two = self.responses[one], self.responses[other]
                    rows.append((reading, metric, *two, sign * before + 0.0, sign * then + 0.0))
        names = dict.fromkeys(["incorrect", "metric", "response", "other"], "str")
        types = {**names, **dict.fromkeys(["difference", "difference_after"], "float64")}
        return pd.DataFrame(rows, columns=[*types]).astype(types)

    @property
    def ranks_after(self) -> IntArray:
        """(readings, responses, metrics) the ranks once the mentions are removed."""
        return np.array([ranks(after.T).T for after in self.after])

    @property
    def opposite(self) -> tuple[tuple[str, str], ...]:
        """The response and metric of each change that is above 0 by one reading and below 0 by the
        other, to two decimals of a percentage."""
        change = self.after - self.scores
        return tuple(
            (name, metric)
            for at, name in enumerate(self.responses)
            for m, metric in enumerate(self.metrics)
            if is_opposite(*change[:, at, m].tolist())
        )

    @property
    def readings(self) -> tuple[Incorrect, ...]:
        """The readings that a table to be read needs: both where the sign of a change or a rank
        differs, else "all"."""
        every, linked = self.ranks_after
        return INCORRECT if self.opposite or (every != linked).any() else INCORRECT[:1]

    def plot(self, incorrect: Incorrect = "all") -> Any:
        """A plotly figure: a slope for each response and metric, from its score before to its
        score after these mentions are removed."""
        from corescore.plots.many import slopes

        return slopes(self, choose("incorrect", incorrect, INCORRECT))


def identification_effect(
    results: Mapping[str, Tally], *, measure: str = "f1"
) -> IdentificationEffect:
    """Whether the ranks of responses owe to the mention identification effect.

    A mention m of both sides is incorrectly resolved if L_r(m) ≠ ∅ and L_k(m) ∩ L_r(m) = ∅, with
    L_k and L_r its coreference links in the key and in the response (Moosavi & Strube 2016, §2).
    Let W be these mentions of a response. Of each metric's recall and precision:

        share = Σ_{m ∈ W} credit(m) / Σ_m credit(m)

    where the credits of all mentions add up to the numerator, a link half at each end. BLANC has
    two parts, each divided by its own number of links, as in its score. Then each response is
    scored without W, and all are ranked again. Under MUC the share is 0 and recall stays. So it is
    under LEA, but for the reading "linked": there a singleton of the key may lose all its partners,
    and LEA credits it.

    The policy for singletons comes before the removal: a mention that the removal leaves alone
    stays and is scored. Where several alignments of a CEAF are as good, the share is that of the
    one taken. Split antecedents count neither in shares nor in scores.

    results  by the names of the responses, two or more to one key under the same policies

    Raises PolicyError for fewer than two responses, an unknown measure and a response without
    documents (a saved tally); ValueError for results of different keys, metrics or policies.

    >>> import corescore
    >>> from corescore.analysis.systems.effect import identification_effect
    >>> key = [[*"abcd"], [*"ef"], [*"gh"]]
    >>> a = corescore.score_entities(key, [[*"abc"], [*"eg"], [*"fh"]])
    >>> b = corescore.score_entities(key, [[*"abcd"]])
    >>> effect = identification_effect({"A": a, "B": b})
    >>> effect.n_mentions.tolist()
    [4, 0]
    >>> effect.pairs.query("incorrect == 'all'")["metric"].tolist()
    ['ceafm', 'ceafe', 'blanc']
    """
    choose("measure", measure, MEASURES)
    scored = _full_results(results)
    first = next(iter(scored.values()))
    names = [name for name in SCORE_IDS if name in first.scores and measure in measures_of(name)]
    removed = [
        [removal_table(of, incorrect=which) for of in scored.values()] for which in INCORRECT
    ]
    earned = [
        [shares_of(of, names, incorrect=which) for of in scored.values()] for which in INCORRECT
    ]
    n_mentions, n_singletons = np.transpose(
        [count_incorrectly_resolved(of.comparison) for of in scored.values()]
    )
    return IdentificationEffect(
        tuple(scored),
        tuple(names),
        measure,
        n_mentions,
        n_singletons,
        np.array(earned).swapaxes(1, 2),
        np.array([table.loc[names, measure] for table in removed[0]]),
        np.array([[table.loc[names, f"{measure}_after"] for table in of] for of in removed]),
    )


def _full_results(results: Mapping[str, Tally]) -> dict[str, Result]:
    """The results, if there are two or more, over one key and with their documents."""
    scored = {name: of for name, of in results.items() if isinstance(of, Result)}
    for name in results.keys() - scored.keys():
        raise PolicyError(
            f"{name} is a tally, which has no mentions to remove; expected a response: score its "
            "file again"
        )
    if len(scored) < 2:
        only = "only one response is" if scored else "no response is"
        raise PolicyError(
            f"{only} loaded, and ranks compare responses; expected two or more: load another "
            "system's response to the same key"
        )
    first, *others = scored.values()
    for other in others:
        check_same_key(first, other)
    return scored


def shares_of(result: Result, metrics: list[str], *, incorrect: Incorrect) -> FloatArray:
    """(sides, metrics) what the incorrectly resolved mentions earn of each numerator: Σ of their
    credit by Σ of all credit. NaN if that is 0, and for a metric that defines no credit."""
    shares = np.full((len(SIDES), len(metrics)), np.nan)
    by_id = {metric.id: metric for metric in result.metrics}
    for at, name in enumerate(metrics):
        if name not in by_id or by_id[name].credit is None:
            continue
        comparison = result.compared[name]
        wrong = incorrectly_resolved(comparison, incorrect=incorrect)
        in_key = picked(wrong, comparison.recall.own_partner, False)
        for side, which in enumerate((in_key, wrong)):
            credit = weighted_credit(comparison, by_id[name], side=SIDES[side]).credit
            if credit.sum() > 0:
                shares[side, at] = credit[which].sum() / credit.sum()
    return shares
