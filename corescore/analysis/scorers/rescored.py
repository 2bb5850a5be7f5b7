"""One response scored under many policies; what a change of policy does not touch is made once."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import isclose, isnan
from typing import get_args

from corescore.corpus.documents import Corpus
from corescore.corpus.problems import InputError
from corescore.counting.comparison import Comparison, compare
from corescore.counting.contingency import Contingency
from corescore.counting.counts import MEASURES, Counts, Score, empty_score
from corescore.counting.min_spans import Labels, minimum_labels
from corescore.counting.pairing import Pairing, pair_documents
from corescore.counting.policies import DEFAULTS, Policies, Words
from corescore.metrics import CONLL, MENTION_DIAGNOSTICS, METRIC_IDS, METRICS, Metric, metric_of
from corescore.metrics.blanc import BLANC
from corescore.metrics.diagnostics import OVERLAP
from corescore.metrics.variant import SPURIOUS_ALONE
from corescore.scoring.noticed import without_mentions
from corescore.scoring.presets import PRESETS, SINGLETONS_BY_METRIC, Preset, is_stanza, policies_for
from corescore.scoring.scores import Result, counts_of, in_force, of_key, sizes_of
from corescore.scoring.tally import Alone, alone, averages, sums
from corescore.util import TOLERANCE

OURS = "corescore"

_SCORED = (*METRICS, *MENTION_DIAGNOSTICS)

# The ids of what a scorer is shown by: the CoNLL average first.
SHOWN = (CONLL.id, *(metric.id for metric in _SCORED))

_MOST_MENTIONS = 1_000_000  # of all comparisons that are kept


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
        self._pairings: dict[Policies, Pairing] = {}
        self._comparisons: OrderedDict[Policies, Comparison] = OrderedDict()
        self._alone: dict[Policies, Contingency] = {}
        self._counts: dict[tuple[Policies, str], Counts] = {}
        self._printed: dict[tuple[Policies, str, bool], Score[float]] = {}
        self._labels: dict[int, Labels] = {}
        self._shares: dict[Words, bool] = {}

    def scores(self, policies: Policies) -> Result:
        """The whole result, without warnings. Raises InputError where these policies refuse the
        files."""
        metrics = in_force(policies, _SCORED)
        compared = {m.id: self._comparison(policies_for(policies, m.id)) for m in metrics}
        counts = {metric.id: self._counted(policies, metric) for metric in metrics}
        sizes = sizes_of(self._comparison(policies))
        return Result(
            policies=policies,
            metrics=metrics,
            compared=compared,
            counts=counts,
            by_scorch=self._by_scorch(metrics, counts, policies),
            sizes=sizes,
            **of_key(self._pairing(policies)),
        )

    def warnings(self, policies: Policies) -> tuple[str, ...]:
        """What was noticed in reading and pairing the files, and a side without mentions.

        Raises InputError where these policies refuse the files.
        """
        self._comparison(policies)
        pairing = self._pairing(self._matched_by(policies))
        return (*pairing.warnings, *without_mentions(self.key, self.response))

    def printed(self, policies: Policies, metric: str) -> Score[float]:
        """What a scorer with these policies prints: its average over documents, or the sums."""
        if metric == CONLL.id and policies.average != "macro":
            f1 = [self.printed(policies, name).f1 for name in CONLL.members]
            return replace(empty_score(1).row(0), f1=sum(f1) / len(f1))
        asked = self._counted_by(policies, metric), metric, is_stanza(policies)
        if asked not in self._printed:
            self._printed[asked] = self._averaged(policies, metric)[metric]
        return self._printed[asked]

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
        return self._lacks_documents(self.words[0])

    @cached_property
    def has_zeros(self) -> bool:
        """Whether a side has empty nodes."""
        return any(document.empty_nodes for document in (*self.key, *self.response))

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
        if (words := policies.words) not in self._shares:
            strict = Policies(words=words, match="min-span", repeats="error")
            self._shares[words] = bool(self.refusal(strict))
        return self._shares[words]

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
            return self._with_spurious(policies_for(policies, name))

        return alone(metrics, counts, with_spurious, policies)

    def _counted(self, policies: Policies, metric: Metric) -> Counts:
        asked = replace(self._counted_by(policies, metric.id), average=DEFAULTS.average), metric.id
        if asked not in self._counts:
            self._counts[asked] = counts_of(metric, self._comparison(asked[0]), asked[0])
        return self._counts[asked]

    def _counted_by(self, policies: Policies, metric: str) -> Policies:
        """The policies that decide what a metric counts, and its average."""
        if metric == CONLL.id:
            return policies
        matched = self._matched_by(policies_for(policies, metric))
        if metric == OVERLAP.id and matched.match in ("partial", "lenient"):
            matched = replace(matched, match=DEFAULTS.match)  # it looks at no pairs
        blanc = policies.blanc if metric == BLANC.id else DEFAULTS.blanc
        return replace(matched, average=policies.average, blanc=blanc)

    def _with_spurious(self, policies: Policies) -> Contingency:
        asked = self._matched_by(policies)
        if asked not in self._alone:
            self._alone[asked] = SPURIOUS_ALONE.table(self._comparison(policies).table)
        return self._alone[asked]

    def _comparison(self, policies: Policies) -> Comparison:
        """The documents matched and counted; the last of them are kept."""
        asked = self._matched_by(policies)
        if asked not in self._comparisons:
            if len(self._comparisons) >= self._most_kept:
                self._comparisons.popitem(last=False)
            pairing = self._pairing(asked)
            minimum = self._minimum(pairing) if asked.match == "min-span" else None
            self._comparisons[asked] = compare(pairing.key, pairing.response, asked, minimum)
        return self._comparisons[asked]

    @cached_property
    def _most_kept(self) -> int:
        n_mentions = sum(len(document.rows) for document in (*self.key, *self.response))
        return max(4, _MOST_MENTIONS // max(n_mentions, 1))

    def _pairing(self, policies: Policies) -> Pairing:
        asked = Policies(
            words=policies.words,
            missing_documents=policies.missing_documents,
            mentions=policies.mentions,
            zeros="drop" if policies.zeros == "drop" else DEFAULTS.zeros,
            lookup=policies.lookup if policies.words == "ignore" else DEFAULTS.lookup,
        )
        if asked not in self._pairings:
            self._pairings[asked] = pair_documents(self.key, self.response, asked)
        return self._pairings[asked]

    def _minimum(self, pairing: Pairing) -> Labels:
        if id(pairing) not in self._labels:  # which is kept as long as this object
            self._labels[id(pairing)] = minimum_labels(pairing.key, pairing.response)
        return self._labels[id(pairing)]

    def _lacks_documents(self, words: Words) -> bool:
        found = self._pairing(Policies(words=words, missing_documents="skip"))
        return len(found.key) < len(self.key)

    def _matched_by(self, policies: Policies) -> Policies:
        """The policies that decide which mentions match; those that cannot matter, as by
        default."""
        idle = {name: getattr(DEFAULTS, name) for name in self._idle(policies)}
        return replace(policies, **idle)

    def _idle(self, policies: Policies) -> Iterator[str]:
        """The policies that do not decide what matches, in these files and beside the others."""
        yield from ("blanc", "average")
        if policies.singletons in SINGLETONS_BY_METRIC:  # asked of a metric that keeps them
            yield "singletons"
        if policies.missing_documents != "empty" and not self._lacks_documents(policies.words):
            yield "missing_documents"
        if self.has_zeros:
            return
        yield "zeros"
        if self.has_repeats or policies.words == "align" or policies.match == "min-span":
            return  # mentions may come to lie on the same words
        yield "repeats"
        if policies.match == "exact" and policies.words == "error":
            yield "lookup"


# Which scorers give the same numbers on two files as a result has ---------------------------------


def equal_here(of: Rescored, result: Result) -> tuple[str, ...]:
    """The ids of the scorers that have a metric of the result and print the same recall, precision
    and F1 of each that they have, on the files of `of`."""
    return tuple(name for name, scorer in PRESETS.items() if _is_equal(of, result, scorer))


def _is_equal(of: Rescored, result: Result, scorer: Preset) -> bool:
    ours = result.means or result.scores
    common = [metric for metric in scorer.metrics if metric in ours]
    if not common or of.refusal(scorer.policies):
        return False
    return all(
        _same(getattr(ours[metric], measure), of.value(scorer.policies, metric, measure))
        for metric in common
        for measure in MEASURES
    )


def _same(one: float, other: float) -> bool:
    return isclose(one, other, abs_tol=TOLERANCE) or (isnan(one) and isnan(other))
