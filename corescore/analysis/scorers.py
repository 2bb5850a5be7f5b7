"""Why two scorers give one file two scores: one response scored under many policies.

What a change of policy does not touch is made once; policies are changed one at a time.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from math import isnan
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import numpy as np

from corescore.corpus.documents import Corpus
from corescore.corpus.problems import InputError, PolicyError
from corescore.counting.comparison import Comparison, compare
from corescore.counting.contingency import Contingency
from corescore.counting.counts import MEASURES, Counts, Score, empty_score
from corescore.counting.matching import Matching
from corescore.counting.min_spans import minimum_labels
from corescore.counting.pairing import Pairing, pair_documents
from corescore.counting.policies import DEFAULTS, POLICY_VALUES, Policies, Words
from corescore.metrics import (
    CONLL,
    MENTION_DIAGNOSTICS,
    METRIC_IDS,
    METRICS,
    Metric,
    metric_of,
    name_of,
)
from corescore.metrics.blanc import BLANC
from corescore.metrics.variants import spurious_alone
from corescore.scoring.noticed import without_mentions
from corescore.scoring.presets import PRESETS, Preset, is_stanza, policies_for
from corescore.scoring.scores import Result, count, counts_of, in_force
from corescore.scoring.tally import Alone, alone, averages, sums
from corescore.util import TOLERANCE, WHOLE, as_rows

if TYPE_CHECKING:
    import pandas as pd

OURS = "corescore"

_SCORED = (*METRICS, *MENTION_DIAGNOSTICS)

# The ids of what a scorer is shown by: CoNLL first.
SHOWN = (CONLL.id, *(metric.id for metric in _SCORED))

_MOST_MENTIONS = 1_000_000  # of all comparisons that are kept

Made = TypeVar("Made")


def scorers(policies: Policies = DEFAULTS) -> Mapping[str, Preset]:
    """The presets by name, and before them "corescore": the six metrics under these policies."""
    about = "Its defaults." if policies == DEFAULTS else "As selected."
    own = Preset(OURS, OURS, policies, METRIC_IDS, about)
    return {OURS: own, **PRESETS}


def rows_of(scorer: Preset) -> tuple[str, ...]:
    """The ids of what a scorer gives: its metrics, and "conll" where it has all three."""
    has_average = set(CONLL.members) <= set(scorer.metrics)
    return (*scorer.metrics, *([CONLL.id] if has_average else []))


class Rescored:
    """A response and its key, scored under any policies.

    Documents are paired once for all policies that do not touch them, mentions are matched once for
    all that leave the pairs alone, and a metric counts once what it counts from.
    """

    def __init__(self, key: Corpus, response: Corpus) -> None:
        self.key, self.response = key, response
        n_mentions = sum(len(document.rows) for document in (*key, *response))
        most = max(4, _MOST_MENTIONS // max(n_mentions, 1))
        self._compared = lru_cache(most)(self._compare)  # the last of them are kept
        self._made: dict[Hashable, Any] = {}

    def _once(self, asked: Hashable, make: Callable[[], Made]) -> Made:
        """What is asked for, made once."""
        if asked not in self._made:
            self._made[asked] = make()
        made: Made = self._made[asked]
        return made

    def scores(self, policies: Policies) -> Result:
        """The whole result, without warnings. Raises InputError where these policies refuse the
        files."""
        return count(self._pairing(policies), policies, _SCORED)

    def warnings(self, policies: Policies) -> tuple[str, ...]:
        """What was noticed in reading and pairing the files, and a side without mentions.

        Raises InputError where these policies refuse the files.
        """
        self._comparison(policies)
        pairing = self._pairing(policies)
        return (*pairing.warnings, *without_mentions(self.key, self.response))

    def printed(self, policies: Policies, metric: str) -> Score[float]:
        """What a scorer with these policies prints: its average over documents, or the sums."""
        if metric == CONLL.id and policies.average != "macro":
            f1 = [self.printed(policies, name).f1 for name in CONLL.members]
            return replace(empty_score(1).row(0), f1=sum(f1) / len(f1))
        paired, counted = self._paired_by(policies), self._counted_by(policies, metric)
        asked = "printed", paired, counted, metric, is_stanza(policies)
        return self._once(asked, lambda: self._averaged(policies, metric)[metric])

    def value(self, policies: Policies, metric: str, measure: str = "f1") -> float:
        """One number of `printed`; NaN where the metric does not have it."""
        value: float = getattr(self.printed(policies, metric), measure)
        return value

    def refusal(self, policies: Policies) -> str:
        """Why these policies refuse the files, in a line; "" if they do not."""
        try:
            self._comparison(policies)
        except InputError as error:
            return str(error.problems[0])
        return ""

    def allows(self, name: str, value: str) -> bool:
        """Whether the files can be scored under a value of a policy, the others by default."""
        return not self.refusal(Policies.of({"words": self.words[0], name: value}))

    def filters(self, mentions: str) -> bool:
        """Whether a value of the policy `mentions` leaves some out."""
        both = (
            self._pairing(Policies.of({"words": self.words[0], "mentions": one}))
            for one in ("all", mentions)
        )
        every, kept = ([len(d.rows) for d in (*p.key, *p.response)] for p in both)
        return every != kept

    @cached_property
    def words(self) -> tuple[Words, ...]:
        """The values of the policy `words` that can matter: "error" where it does not refuse the
        files, else those that do not."""
        values: tuple[Words, ...] = get_args(Words)
        usable = tuple(value for value in values if not self.refusal(Policies(words=value)))
        return ("error",) if "error" in usable or not usable else usable

    @cached_property
    def lacks_documents(self) -> bool:
        """Whether the response lacks a document of the key."""
        paired = self._pairing(Policies(words=self.words[0], missing_documents="skip"))
        return len(paired.key) < len(self.key)

    @cached_property
    def has_zeros(self) -> bool:
        """Whether a side has empty nodes."""
        return any(document.empty_nodes for document in (*self.key, *self.response))

    @cached_property
    def has_split_antecedents(self) -> bool:
        """Whether an entity of either side has split antecedents."""
        return any(document.split_antecedents for document in (*self.key, *self.response))

    @cached_property
    def has_repeats(self) -> bool:
        """Whether a side lists a mention twice."""
        spans = (document.spans.tolist() for document in (*self.key, *self.response))
        return any(len({*map(tuple, of)}) < len(of) for of in spans)

    def lists_twice(self, policies: Policies) -> bool:
        """Whether a side lists a mention twice as these policies match: under "min-span" two
        mentions with one minimum span are the same. They must not refuse the files."""
        if self.has_repeats or policies.match != "min-span":
            return self.has_repeats
        strict = Policies(words=policies.words, match="min-span", repeats="error")
        return self._once(strict, lambda: bool(self.refusal(strict)))

    @cached_property
    def has_heads(self) -> bool:
        """Whether a side names the head of a mention."""
        matching = self._comparison(Policies(words=self.words[0])).matching
        return matching.key.head is not None or matching.response.head is not None

    def _averaged(self, policies: Policies, metric: str) -> Mapping[str, Score[float]]:
        wanted = [metric_of(name) for name in (CONLL.members if metric == CONLL.id else [metric])]
        metrics = in_force(policies, wanted)[: len(wanted)]
        counts = {one.id: self._counted(policies, one) for one in metrics}
        if policies.average == "micro":
            return sums(metrics, counts)
        return averages(metrics, counts, self._by_scorch(metrics, counts, policies), policies)

    def _by_scorch(
        self, metrics: Sequence[Metric], counts: Mapping[str, Counts], policies: Policies
    ) -> dict[str, Alone]:
        def with_spurious(name: str) -> Contingency:
            asked = self._paired_by(policies), self._matched_by(policies, name)
            return self._once(
                ("spurious", *asked), lambda: spurious_alone(self._compared(*asked).table)
            )

        return alone(metrics, counts, with_spurious, policies)

    def _counted(self, policies: Policies, metric: Metric) -> Counts:
        asked = replace(self._counted_by(policies, metric.id), average=DEFAULTS.average)
        return self._once(
            ("counts", self._paired_by(policies), asked, metric.id),
            lambda: counts_of(metric, self._comparison(policies, metric.id), asked),
        )

    def _counted_by(self, policies: Policies, metric: str) -> Policies:
        """The policies that decide what a metric counts, and its average."""
        if metric == CONLL.id:
            return policies
        matched = self._matched_by(policies, metric)
        blanc = policies.blanc if metric == BLANC.id else DEFAULTS.blanc
        return replace(matched, average=policies.average, blanc=blanc)

    def _comparison(self, policies: Policies, metric: str = "") -> Comparison:
        """The documents matched and counted, for a metric if singletons are a choice by metric."""
        return self._compared(self._paired_by(policies), self._matched_by(policies, metric))

    def _compare(self, paired: Policies, matched: Policies) -> Comparison:
        pairing, minimum = self._pairing(paired), None
        if matched.match == "min-span":
            asked = "labels", paired
            minimum = self._once(asked, lambda: minimum_labels(pairing.key, pairing.response))
        return compare(pairing.key, pairing.response, matched, minimum)

    def _pairing(self, policies: Policies) -> Pairing:
        asked = self._paired_by(policies)
        return self._once(
            ("pairing", asked), lambda: pair_documents(self.key, self.response, asked)
        )

    def _paired_by(self, policies: Policies) -> Policies:
        """The policies that decide how documents are paired: nested mentions are left out before
        any metric is asked what it does to singletons."""
        by_singletons = policies.mentions == "without-nested"
        singletons = policies.singletons if by_singletons else DEFAULTS.singletons
        return Policies(
            words=policies.words,
            missing_documents=policies.missing_documents,
            mentions=policies.mentions,
            singletons=singletons,
            zeros=policies.zeros if policies.zeros in ("drop", "words") else DEFAULTS.zeros,
            lookup=policies.lookup if policies.words == "ignore" else DEFAULTS.lookup,
        )

    def _matched_by(self, policies: Policies, metric: str) -> Policies:
        """The policies that decide which mentions match, for a metric if singletons are a choice
        by metric; else as for one that keeps them."""
        named = policies if self.has_split_antecedents else DEFAULTS
        return replace(
            policies_for(policies, metric),
            average=DEFAULTS.average,
            blanc=DEFAULTS.blanc,
            split_antecedents=named.split_antecedents,
        )


def equal_here(rescored: Rescored, result: Result) -> tuple[str, ...]:
    """The ids of the scorers that have a metric of the result and print the same recall, precision
    and F1 of each that they have, on the files of `rescored`."""
    ours, equal = result.means or result.scores, []
    for name, scorer in PRESETS.items():
        numbers = [
            (getattr(ours[metric], measure), metric, measure)
            for metric in scorer.metrics
            if metric in ours
            for measure in MEASURES
        ]
        if numbers and not rescored.refusal(scorer.policies):
            pairs = ((one, rescored.value(scorer.policies, *asked)) for one, *asked in numbers)
            if all(np.isclose(*pair, 1e-9, TOLERANCE, equal_nan=True) for pair in pairs):
                equal.append(name)
    return tuple(equal)


# From one scorer to another, a policy at a time: how much each change moves a score ---------------

# What is done first when a file is scored is changed first.
ORDER = (
    "words",
    "missing_documents",
    "zeros",
    "mentions",
    "split_antecedents",
    "singletons",
    "match",
    "repeats",
    "lookup",
    "blanc",
    "average",
)


@dataclass(frozen=True)
class PolicyStep:
    """One policy changed from `old` to `new`; the score before and after, fractions.

    before, after  the policies in force
    """

    policy: str
    old: str
    new: str
    before: Policies
    after: Policies
    score_before: float
    score_after: float

    @property
    def difference(self) -> float:
        """By how much the score moves."""
        return self.score_after - self.score_before


@dataclass(frozen=True)
class Walk:
    """Single changes of policy that lead from one scorer to another; the score of each step starts
    where the step before ended, so that the differences add up to `difference`."""

    metric: str
    measure: str
    first: float
    last: float
    steps: tuple[PolicyStep, ...]

    @property
    def difference(self) -> float:
        """The score at the end less that at the start."""
        return self.last - self.first


def differing(
    rescored: Rescored, start: Policies, end: Policies, order: Sequence[str] = ORDER
) -> list[str]:
    """The policies that differ, in this order, without one for what the files do not have."""
    names = [name for name in order if getattr(start, name) != getattr(end, name)]
    return [n for n in names if n != "split_antecedents" or rescored.has_split_antecedents]


def mixed(start: Policies, end: Policies, changed: Sequence[str]) -> Policies:
    """The policies of `start`, those in `changed` as in `end`."""
    return Policies.of({**asdict(start), **{name: getattr(end, name) for name in changed}})


def walk(
    rescored: Rescored,
    start: Policies,
    end: Policies,
    metric: str,
    *,
    measure: str = "f1",
    order: Sequence[str] = ORDER,
) -> Walk:
    """Change the policies that differ one at a time, in the order given; the others do not move.

    Raises InputError where the policies of a step refuse the files, PolicyError for an order that
    does not name each policy once, and where the metric is empty at one of the ends.
    """
    if sorted(order) != sorted(POLICY_VALUES):
        raise PolicyError(f"order is {', '.join(order)}; expected each once: {', '.join(ORDER)}")
    names = differing(rescored, start, end, order)
    stations = [mixed(start, end, names[:n]) for n in range(len(names) + 1)]
    scores = [rescored.value(station, metric, measure) for station in stations]
    if isnan(scores[0]) or isnan(scores[-1]):
        empty = "at the start" if isnan(scores[0]) else "at the end"
        raise PolicyError(
            f"{name_of(metric)} is empty {empty}; expected a number at both ends (Stanza's scorer "
            "has none if the key of a document has no entity)"
        )
    steps = tuple(
        PolicyStep(name, getattr(start, name), getattr(end, name), *policies, *values)
        for name, policies, values in zip(names, pairwise(stations), pairwise(scores), strict=True)
    )
    return Walk(metric, measure, scores[0], scores[-1], steps)


# What one change of policy moves: the scores of documents, and mentions ---------------------------

# Steps that leave every mention at its place, so that it can be found again.
_IN_PLACE = ("singletons", "match", "repeats", "lookup")

LEFT_OUT, COUNTED = "left out", "counted"

UNMATCHED, MATCHED = "not matched", "matched"


def moved_documents(
    rescored: Rescored, step: PolicyStep, metric: str, measure: str = "f1"
) -> "pd.DataFrame":
    """The documents whose own score a step moves, the most moved first: `document`, `before`,
    `after`, `difference`.

    Fractions; NaN where a document has nothing to score. None where only the average changes.
    """
    import pandas as pd

    columns = {
        name: pd.Series(getattr(result.document_scores[metric], measure), list(result.documents))
        for name, result in (
            ("before", rescored.scores(step.before)),
            ("after", rescored.scores(step.after)),
        )
    }
    table = pd.DataFrame(columns)  # a document may be left out of one of the two
    table = table.rename_axis("document").reset_index()
    table["difference"] = table["after"] - table["before"]
    moved = np.abs(np.nan_to_num(table["after"]) - np.nan_to_num(table["before"]))
    order = np.argsort(-moved, kind="stable")
    rows: pd.DataFrame = table.iloc[order[moved[order] > WHOLE]]
    return rows.reset_index(drop=True)


def moved_mentions(rescored: Rescored, step: PolicyStep, metric: str) -> "pd.DataFrame":
    """The mentions that a step leaves out, counts, matches or no longer matches.

    Columns: document, side, start, end, mention (its words), change. Empty for a step of another
    kind, such as an average or other words, and for a choice about singletons that depends on
    the metric, unless `metric` is one of those.
    """
    import pandas as pd

    columns = ["document", "side", "start", "end", "mention", "change"]
    if step.policy not in _IN_PLACE:
        return pd.DataFrame(columns=columns)
    before, after = (
        rescored.scores(policies_for(each, metric)) for each in (step.before, step.after)
    )
    old, new = (_mention_places(result.comparison.matching) for result in (before, after))
    stay = old["key"].keys() & new["key"].keys()
    rows = []
    for kind, gone, come in (
        ("key", LEFT_OUT, COUNTED),
        ("response", LEFT_OUT, COUNTED),
        ("matched", UNMATCHED, MATCHED),
    ):
        side = "key" if kind == "matched" else kind
        documents = getattr(before.comparison, side)
        for change, moved in ((gone, old[kind] - new[kind]), (come, new[kind] - old[kind])):
            for place in sorted(moved.elements()):
                if kind != "matched" or place in stay:
                    number, *span = place
                    text = documents[number].text_at(*span) if documents[number].words else ""
                    rows.append((before.documents[number], side, *span, text, change))
    return pd.DataFrame(rows, columns=columns)


def _mention_places(matching: Matching) -> dict[str, Counter[tuple[int, int, int]]]:
    """Where the mentions of the key, of the response, and those of the key that match stand."""
    sides = {
        "key": matching.key,
        "response": matching.response,
        "matched": matching.key.keep(matching.key_mention),
    }
    return {name: Counter(as_rows(one.document, one.start, one.end)) for name, one in sides.items()}
