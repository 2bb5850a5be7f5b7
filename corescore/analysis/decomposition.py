"""Is it detection, linking or singletons? What each score loses, divided among six parts.

A part is fixed by giving its mentions what the key says of them and leaving all else. The share of
a part is its Shapley value: what fixing it adds to the score, on average over all orders of fixing
the six (Shapley 1953, A value for n-person games), so that the shares add up to the whole loss.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from corescore.analysis.errors.classes import (
    MISSING,
    SPAN_ERROR,
    SPURIOUS,
    Incorrect,
    incorrectly_resolved,
)
from corescore.analysis.errors.operations import (
    EntityParts,
    parts_of,
    refuse_repeats,
    table_of_rows,
)
from corescore.analysis.significance import score_array
from corescore.counting.assignment import best_assignment
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import Contingency
from corescore.counting.counts import MEASURES
from corescore.counting.policies import Policies
from corescore.metrics import SCORE_IDS, Metric
from corescore.metrics.standard import shared_mentions
from corescore.scoring.scores import Result, compared_by, counts_of
from corescore.scoring.tally import sums
from corescore.util import BoolArray, FloatArray, IntArray, picked, shapley_values

DETECTION, LINKING, SINGLETONS = "detection", "linking", "singletons"
GROUPS = (DETECTION, LINKING, SINGLETONS)
MISSED, ADDED, SPANS = "missing mentions", "spurious mentions", "span errors"
MISSED_ALONE, ADDED_ALONE = "missing singletons", "spurious singletons"
# Each part and its group, in the order of tables.
PARTS: Mapping[str, str] = {
    MISSED: DETECTION,
    ADDED: DETECTION,
    SPANS: DETECTION,
    LINKING: LINKING,
    MISSED_ALONE: SINGLETONS,
    ADDED_ALONE: SINGLETONS,
}

_PLACES = {name: place for place, name in enumerate(PARTS)}

# The responses that are scored beside the real one, by what they are.
NOTHING_LINKED = "all key mentions, nothing linked"
SHARED_ONLY = "the response's links among shared mentions"
GOLD_MENTIONS = "all key mentions, the response's links"
GOLD_LINKS = "the response's mentions, the key's links"
WITHOUT_INCORRECT = "without incorrectly resolved mentions"
WITHOUT_LINKED = "without those that have a link in the key"
COUNTERFACTUALS = (
    NOTHING_LINKED,
    SHARED_ONLY,
    GOLD_MENTIONS,
    GOLD_LINKS,
    WITHOUT_INCORRECT,
    WITHOUT_LINKED,
)
_READINGS: Mapping[str, Incorrect] = {WITHOUT_INCORRECT: "all", WITHOUT_LINKED: "linked"}

# What is done to singletons, and where scores are published so.
CONVENTIONS: Mapping[str, tuple[str, str]] = {
    "keep": (
        "singletons kept",
        "GUM, LitBank; OntoNotes, whose key has none; the CoNLL reference scorer, CorefUD with -s",
    ),
    "drop": ("dropped on both sides", "CorefUD and its shared tasks; B³ of e2e-coref"),
    "drop-response": ("dropped from the response", "CEAFₑ of e2e-coref, fastcoref, AllenNLP"),
    "drop-key": ("dropped from the key", "a key without them, such as OntoNotes’"),
}


@dataclass(frozen=True)
class _BothSides:
    """Every mention of either side once; a span error is one row with both. −1 is none.

    parts          the mentions, and the entities of each
    key, response  (rows,) the mention of each side
    home           (rows,) of a mention that only the key has: the response entity that has most of
                   its key entity, of equal ones the first; −1 if none has any. Of one that only the
                   response has: the key entity that has most of its response entity, likewise
    part           (rows,) which of PARTS it is of; −1 of a shared mention, which only linking can
                   move
    """

    parts: EntityParts
    key: IntArray
    response: IntArray
    home: IntArray
    part: IntArray

    @classmethod
    def of(cls, comparison: Comparison) -> "_BothSides":
        refuse_repeats(comparison, "a decomposition expects")
        parts, table = parts_of(comparison), comparison.table
        mentions = parts.mentions
        alone_in_key = picked(table.key_sizes, parts.key_entity, 0) == 1
        alone_in_response = picked(table.response_sizes, parts.response_entity, 0) == 1
        missing, spurious = mentions.are(MISSING), mentions.are(SPURIOUS)
        conditions = {
            MISSED: missing & ~alone_in_key,
            MISSED_ALONE: missing & alone_in_key,
            ADDED: spurious & ~alone_in_response,
            ADDED_ALONE: spurious & alone_in_response,
            SPANS: mentions.are(SPAN_ERROR),
        }
        places = [_PLACES[name] for name in conditions]
        cells = parts.table
        of_key = picked(cells.cell_response, parts.gathers)
        of_response = picked(cells.cell_key, parts.stays)
        return cls(
            parts,
            mentions.key,
            mentions.response,
            np.where(missing, of_key, of_response),
            np.select([*conditions.values()], places, -1),
        )

    def are(self, part: str) -> BoolArray:
        is_of_part: BoolArray = self.part == _PLACES[part]
        return is_of_part

    @property
    def n_moved(self) -> int:
        """How many mentions that both sides have, spans set right, are not where they would be by
        the alignment of entities that leaves the fewest to be moved, CEAFₘ's."""
        table = self.fixed([SPANS])
        aligned = best_assignment(table.components, shared_mentions(table))
        return int(table.cell_sizes.sum() - table.cell_sizes[aligned].sum())

    def fixed(self, parts: Collection[str]) -> Contingency:
        """The table of the key and the response after fixing these parts.

        missing mentions, missing singletons    they are added: to the response entity that has
                             most of their key entity, or as an entity of their own
        spurious mentions, spurious singletons  they are removed
        span errors          they get the key's span; unfixed, the response's span is spurious and
                             the key's is missing
        linking              what both sides have is in the entities of the key, and spurious
                             mentions go with most of their entity

        With none the table is that of the response, with all that of the key with itself.
        """
        n_response = len(self.parts.table.response_sizes)
        in_key, in_response = self.key >= 0, self.response >= 0
        own, in_key_entity = self.parts.response_entity, n_response + self.parts.key_entity
        if LINKING in parts:
            stays = np.where(self.home >= 0, n_response + self.home, own)
            entity = np.where(in_key, in_key_entity, stays)
        else:
            joins = np.where(self.home >= 0, self.home, in_key_entity)
            entity = np.where(in_response, own, joins)
        present = in_response.copy()
        for part in (MISSED, MISSED_ALONE, ADDED, ADDED_ALONE):
            if part in parts:
                present[self.are(part)] = part in (MISSED, MISSED_ALONE)
        is_shared = in_key & (SPANS in parts or ~self.are(SPANS))
        return table_of_rows(self.parts.mentions, entity, present, is_shared)

    def counterfactual(self, name: str) -> Contingency:
        """The table of one of COUNTERFACTUALS. Key mentions that are missing from the response, or
        have another span there, are entities of their own."""
        if name == GOLD_LINKS:
            return self.fixed([LINKING])
        own, in_key, mentions = self.parts.response_entity, self.key >= 0, self.parts.mentions
        in_response, same_span = self.response >= 0, ~self.are(SPANS)
        if name in _READINGS:
            reading = _READINGS[name]
            resolved = incorrectly_resolved(mentions.comparison, incorrect=reading)
            present = in_response & ~picked(resolved, self.response, False)
            return table_of_rows(mentions, own, present, in_key & same_span)
        alone = len(self.parts.table.response_sizes) + np.arange(len(self.key))
        is_shared = in_key & in_response & same_span
        linked = np.where(is_shared, own, alone)
        if name == NOTHING_LINKED:
            return table_of_rows(mentions, alone, in_key, in_key)
        present = is_shared if name == SHARED_ONLY else in_key
        return table_of_rows(mentions, linked, present, in_key)


@dataclass(frozen=True)
class Decomposition:
    """Where a response loses its score. Fractions; NaN for CoNLL's recall and precision.

    metrics    the ids of the metrics, "conll" last if its three are among them
    mentions   by part, the number of its mentions; for linking, of those that have to move
    score      (metrics, measures) of the response, the measures as in MEASURES
    best       (metrics, measures) of the key scored against itself: 1, but 0 under a metric that
               credits links if the key has none
    loss       (metrics, measures, parts) the share of each part, in the order of PARTS. Shares add
               up to best − score. One below 0 is a part that raises the score
    otherwise  (metrics, measures) of each of COUNTERFACTUALS

    Let v(S) be the score once the parts S are fixed. The share of a part p is its Shapley value:

        Σ_{S ⊆ PARTS∖{p}} |S|! (5 − |S|)! / 6! · (v(S ∪ {p}) − v(S))

    >>> import corescore
    >>> made = corescore.score("key.conll", "cautious.conll").decomposition
    >>> [round(float(made.of_group("f1", group)[-1]), 4) for group in ("detection", "linking")]
    [0.2148, 0.2173]
    >>> made
    Decomposition of conll's loss of F1: detection 0.2148, linking 0.2173, singletons 0.0570
    """

    metrics: tuple[str, ...]
    mentions: Mapping[str, int]
    score: FloatArray
    best: FloatArray
    loss: FloatArray
    otherwise: Mapping[str, FloatArray]

    def __repr__(self) -> str:
        losses = ", ".join(f"{group} {self.of_group('f1', group)[-1]:.4f}" for group in GROUPS)
        return f"Decomposition of {self.metrics[-1]}'s loss of F1: {losses}"

    def of_part(self, measure: str, part: str) -> FloatArray:
        """(metrics,) the share of a part."""
        return self.loss[:, MEASURES.index(measure), _PLACES[part]]

    def of_group(self, measure: str, group: str) -> FloatArray:
        """(metrics,) the share of detection, linking or singletons."""
        is_of_group = [one == group for one in PARTS.values()]
        share: FloatArray = self.loss[:, MEASURES.index(measure), is_of_group].sum(axis=-1)
        return share

    @property
    def table(self) -> pd.DataFrame:
        """One row per metric, measure and part.

        Columns:

        metric, measure  str      ids
        score            float64  of the response, a fraction
        best             float64  of the key scored against itself
        part, group      str      what is fixed, and whether it is detection, linking or singletons
        mentions         int64    how many mentions the part is about
        loss             float64  its share of best − score
        """
        rows = [
            (metric, measure, self.score[at, m], self.best[at, m], part, group,
             self.mentions[part], self.loss[at, m, p])
            for at, metric in enumerate(self.metrics)
            for m, measure in enumerate(MEASURES)
            if metric != "conll" or measure == "f1"
            for p, (part, group) in enumerate(PARTS.items())
        ]  # fmt: skip
        names = ["metric", "measure", "score", "best", "part", "group", "mentions", "loss"]
        return pd.DataFrame(rows, columns=names)

    @property
    def counterfactuals(self) -> pd.DataFrame:
        """One row per response, the real one first and then the other responses scored, and metric.

        Columns:

        response               str      what it is
        metric                 str      "muc" … and "conll"
        recall, precision, f1  float64  fractions
        """
        rows = [
            (name, metric, *values)
            for name, scores in {"the response": self.score, **self.otherwise}.items()
            for metric, values in zip(self.metrics, scores.tolist(), strict=True)
        ]
        return pd.DataFrame(rows, columns=["response", "metric", *MEASURES])


def decompose(result: Result) -> Decomposition:
    """Divide the loss of each score of a result among PARTS.

    With six parts, 2⁶ responses are scored; parts without mentions cost nothing. Raises PolicyError
    where a side lists a span twice (repeats "all" and those of other scorers).
    """
    scored = result.six or [metric for metric in result.metrics if metric.of_mentions is None]
    made = {of: _BothSides.of(of) for of in {*(result.compared[m.id] for m in scored)}}
    rows = [made[result.compared[metric.id]] for metric in scored]
    players = [part for part in PARTS if part == LINKING or any(r.are(part).any() for r in rows)]
    subsets = [
        [part for at, part in enumerate(players) if number >> at & 1]
        for number in range(2 ** len(players))
    ]
    worth = np.array([_changed_scores(scored, rows, "fixed", subset) for subset in subsets])
    loss = np.zeros((len(PARTS), *worth[0].shape))
    loss[[_PLACES[part] for part in players]] = shapley_values(worth)
    loss[:, np.isnan(worth[0])] = np.nan
    first = made[result.comparison] if result.comparison in made else rows[0]
    n_mentions = {part: int(first.are(part).sum()) for part in PARTS}
    names = [metric.id for metric in scored]
    has_average = len(worth[0]) > len(names)
    return Decomposition(
        (*names, *(["conll"] if has_average else [])),
        {**n_mentions, LINKING: first.n_moved},
        worth[0],
        worth[-1],
        np.moveaxis(loss, 0, -1),
        {name: _changed_scores(scored, rows, "counterfactual", name) for name in COUNTERFACTUALS},
    )


def _changed_scores(
    metrics: Sequence[Metric], rows: Sequence[_BothSides], how: str, change: str | list[str]
) -> FloatArray:
    """(metrics, measures) the scores of a changed response, CoNLL last; each table made once."""
    tables = {id(one): getattr(one, how)(change) for one in rows}
    counts = {m.id: m.counts(tables[id(one)]) for m, one in zip(metrics, rows, strict=True)}
    return score_array(sums(metrics, counts))


def between(a: Decomposition, b: Decomposition) -> pd.DataFrame:
    """Where the difference b − a of two responses to one key comes from: of each part what b loses
    less than a. The shares of a metric and measure add up to its difference.

    Columns: metric, measure, difference (b − a, a fraction), part, group, share. The rows are those
    of `Decomposition.table`. Raises ValueError where the two are of different keys or metrics.
    """
    same = a.metrics == b.metrics and np.array_equal(a.best, b.best, equal_nan=True)
    if not same:
        raise ValueError("decompositions of different keys or metrics; expected one key for both")
    table, other = a.table, b.table
    return table[["metric", "measure", "part", "group"]].assign(
        difference=other["score"] - table["score"], share=table["loss"] - other["loss"]
    )[["metric", "measure", "difference", "part", "group", "share"]]


def by_convention(result: Result) -> pd.DataFrame:
    """The scores with singletons kept, dropped, and dropped on one side, beside each other.

    LEA with singletons dropped is LEA without self-links: these are what it adds for singletons
    (Moosavi & Strube 2016, §4).

    Columns:

    singletons            str      one of CONVENTIONS, which are values of the policy
    metric                str      id
    recall, precision, f1 float64  fractions; NaN for CoNLL's recall and precision

    >>> import corescore
    >>> from corescore.analysis.decomposition import by_convention
    >>> table = by_convention(corescore.score("key.conll", "cautious.conll"))
    >>> table.query("metric == 'conll'")[["singletons", "f1"]].round(4).values.tolist()
    [['keep', 0.511], ['drop', 0.4294], ['drop-response', 0.3401], ['drop-key', 0.3784]]
    """
    rows = []
    key, response = result.comparison.key, result.comparison.response
    for singletons in CONVENTIONS:
        policies = Policies.of({**asdict(result.policies), "singletons": singletons})
        compared = compared_by(key, response, policies, result.metrics)
        counts = {m.id: counts_of(m, compared[m.id], policies) for m in result.metrics}
        rows += [
            (singletons, metric, *score.ratios)
            for metric, score in sums(result.metrics, counts).items()
            if metric in SCORE_IDS
        ]
    return pd.DataFrame(rows, columns=["singletons", "metric", *MEASURES])
