"""One response scored under many policies, each score made once."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from corescore.corpus.documents import Corpus
from corescore.corpus.problems import InputError
from corescore.counting.counts import Score
from corescore.counting.policies import DEFAULTS, Policies
from corescore.metrics import CONLL, MENTION_DIAGNOSTICS, METRICS, Metric, metric_of
from corescore.scoring.presets import PRESETS, Preset
from corescore.scoring.scores import Scores, score

OURS = "corescore"
_MOST_KEPT = 4  # whole results; of others only the scores are kept
Metrics = tuple[Metric, ...]
_SCORED: Metrics = (*METRICS, *MENTION_DIAGNOSTICS)


def scorers(policies: Policies = DEFAULTS) -> Mapping[str, Preset]:
    """The presets by name, and before them "corescore": the six metrics under these policies."""
    about = "Its defaults." if policies == DEFAULTS else "As selected."
    own = Preset(OURS, OURS, policies, tuple(metric.id for metric in METRICS), about)
    return {OURS: own, **PRESETS}


def rows_of(scorer: Preset) -> tuple[str, ...]:
    """The ids of what a scorer gives: its metrics, and "conll" where it has all three."""
    has_average = set(CONLL.members) <= set(scorer.metrics)
    return (*scorer.metrics, *([CONLL.id] if has_average else []))


class Rescored:
    """A response and its key, scored under any policies.

    Policies that cannot matter are not scored apart: `repeats` where no mention is listed twice,
    `blanc` for metrics other than BLANC. The averages over documents are made of one scoring.
    """

    def __init__(self, key: Corpus, response: Corpus) -> None:
        self.key, self.response = key, response
        self._results: OrderedDict[tuple[Policies, Metrics], Scores] = OrderedDict()
        self._printed: dict[Policies, Mapping[str, Score[float]]] = {}

    def scores(self, policies: Policies, metrics: Metrics = _SCORED) -> Scores:
        """The whole result. Raises InputError where these policies refuse the files."""
        asked = replace(policies, average="micro"), metrics
        result = self._results.get(asked)
        if result is None:
            result = score(self.key, self.response, asked[0], metrics=metrics)
            self._results[asked] = result
            if len(self._results) > _MOST_KEPT:
                self._results.popitem(last=False)
        return replace(result, policies=policies)

    def printed(self, policies: Policies, metric: str) -> Score[float]:
        """What a scorer with these policies prints: its average over documents, or the sums."""
        effective = self._effective(policies, metric)
        if effective not in self._printed:
            only_blanc = effective.blanc != DEFAULTS.blanc
            result = self.scores(effective, (metric_of("blanc"),) if only_blanc else _SCORED)
            self._printed[effective] = result.means or result.scores
        return self._printed[effective][metric]

    def value(self, policies: Policies, metric: str, measure: str = "f1") -> float:
        """One number of `printed`; NaN where the metric does not have it."""
        value: float = getattr(self.printed(policies, metric), measure)
        return value

    def refusal(self, policies: Policies) -> str:
        """Why these policies refuse the files, in a line; "" if they do not."""
        try:
            self.printed(policies, CONLL.id)
        except InputError as error:
            return str(error.problems[0])
        return ""

    @cached_property
    def words(self) -> str:
        """The value of the policy `words` under which the files can be scored."""
        return "ignore" if self.refusal(DEFAULTS) else "error"

    @cached_property
    def has_repeats(self) -> bool:
        """Whether a side lists a mention twice."""
        matching = self.scores(Policies.of({"words": self.words})).comparison.matching
        return bool(matching.key.n_repeats or matching.response.n_repeats)

    @cached_property
    def has_zeros(self) -> bool:
        """Whether a side has empty nodes."""
        return any(document.empty_nodes for side in (self.key, self.response) for document in side)

    @cached_property
    def lacks_documents(self) -> bool:
        """Whether the response lacks a document of the key."""
        policies = Policies.of({"words": self.words, "missing_documents": "skip"})
        return len(self.scores(policies).documents) < len(self.key)

    @cached_property
    def has_heads(self) -> bool:
        """Whether a side names the head of a mention."""
        matching = self.scores(Policies.of({"words": self.words})).comparison.matching
        return matching.key.head is not None or matching.response.head is not None

    @cached_property
    def has_parses(self) -> bool:
        """Whether mentions can be matched by their minimum spans."""
        return not self.refusal(Policies.of({"words": self.words, "match": "min-span"}))

    def _effective(self, policies: Policies, metric: str) -> Policies:
        if metric != "blanc":
            policies = replace(policies, blanc=DEFAULTS.blanc)
        positions_differ = policies.words == "align" or self.has_zeros
        by_minimum = policies.match == "min-span"  # then different spans can be one mention
        if policies.repeats == "first" or positions_differ or by_minimum or self.has_repeats:
            return policies
        return replace(policies, repeats="first")
