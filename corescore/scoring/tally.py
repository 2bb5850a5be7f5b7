"""What is counted of each document, without the documents: it adds, and scores follow from it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

import numpy as np

from corescore.corpus.problems import PolicyError
from corescore.counting.contingency import Contingency
from corescore.counting.counts import (
    MEASURES,
    SCORE_FIELDS,
    Counts,
    Score,
    Value,
    divide,
    empty_score,
    harmonic_mean_of,
)
from corescore.counting.policies import DEFAULTS, Policies
from corescore.metrics import (
    BESIDE_IDS,
    CONLL,
    DIAGNOSTICS,
    METRIC_IDS,
    Metric,
    id_among,
    id_of,
    metric_of,
)
from corescore.scoring.presets import EMPTY_WITHOUT_KEY, SUMMED_BY_STANZA, is_stanza, preset_of
from corescore.util import FloatArray, IntArray
from corescore.version import __version__
from corescore.wording import counted

if TYPE_CHECKING:
    import pandas as pd

    from corescore.analysis.systems.pair import Pair


# Counts → the scores of documents, and of the whole corpus: sums, divided once --------------------


def sums(metrics: Iterable[Metric], counts: Mapping[str, Counts]) -> dict[str, Score[float]]:
    """The score of the whole corpus under each metric and, if its three are there, "conll"."""
    totals = {name: of.total() for name, of in counts.items()}
    return {name: score.row(0) for name, score in scores_of(metrics, totals, empty=0).items()}


def scores_of(
    metrics: Iterable[Metric], counts: Mapping[str, Counts], *, empty: float
) -> dict[str, Score[FloatArray]]:
    """The score of each row of the counts (by the metrics' ids) under each metric, and under
    "conll", last, if its three are there; 0/0 is `empty`."""
    scores = {metric.id: metric.score(counts[metric.id], empty=empty) for metric in metrics}
    if all(name in scores for name in CONLL.members):
        scores[CONLL.id] = conll_score(scores)
    return scores


def conll_score(scores: Mapping[str, Score[FloatArray]]) -> Score[FloatArray]:
    """The mean of the F1 of MUC, B³ and CEAFₑ; one that is empty for a document counts as 0.

    Empty where all three are. It has no recall, precision or counts: those are NaN. Range 0 to 1.
    Pradhan et al. 2012.
    """
    f1 = np.array([scores[name].f1 for name in CONLL.members])
    mean = np.where(np.isnan(f1).all(axis=0), np.nan, np.nan_to_num(f1).mean(axis=0))
    return replace(empty_score(len(mean)), f1=mean)


# Averages over documents, each by the rule of a scorer that prints one ----------------------------
# Published scores are sums over documents, divided once. These stand beside them when chosen.

DocumentScores = Mapping[str, Score[FloatArray]]

Means = dict[str, Score[float]]


class Alone(NamedTuple):
    """What scorch averages of a metric: its counts with each spurious mention as a singleton of the
    key, and how much each document weighs.

    weights  (documents, 2) the mentions of that key and of the response
    """

    counts: Counts
    weights: FloatArray

    @classmethod
    def of_documents(cls, shards: Sequence["Alone"]) -> "Alone":
        """The rows of several, one shard after the other."""
        counts = Counts.of_documents(*(shard.counts for shard in shards))
        return cls(counts, np.vstack([shard.weights for shard in shards]))

    def rows(self, index: IntArray) -> "Alone":
        """The rows at `index`, in that order."""
        return Alone(self.counts.rows(index), self.weights[index])


def alone(
    metrics: Iterable[Metric],
    counts: Mapping[str, Counts],
    table: Callable[[str], Contingency],
    policies: Policies,
) -> dict[str, Alone]:
    """What the average "scorch" needs of each metric, by its id; nothing under another.

    table  of a metric, by its id: each spurious mention is a singleton of the key there. It has
           each mention once, whatever the policy for repeats
    """
    if policies.average != "scorch":
        return {}
    made = {}
    for metric in metrics:
        changed = table(metric.id)
        weights = np.column_stack([changed.n_key_mentions, changed.n_response_mentions])
        counted = counts[metric.id] if metric.of_mentions else metric.counts(changed)
        made[metric.id] = Alone(counted, weights.astype(np.float64))
    return made


def averages(
    metrics: Sequence[Metric],
    counts: Mapping[str, Counts],
    by_scorch: Mapping[str, Alone],
    policies: Policies,
) -> Means:
    """The average over documents of each metric and, if its three are there, "conll".

    Under "stanza" LEA is the score of the sums over documents, as Stanza's scorer prints it.

    by_scorch  what `alone` makes of the metrics
    """
    if policies.average == "macro":
        return macro_means(scores_of(metrics, counts, empty=np.nan))
    if policies.average == "stanza":
        undefined = EMPTY_WITHOUT_KEY if is_stanza(policies) else ()
        averaged = {
            name: of.total() if name in SUMMED_BY_STANZA else of for name, of in counts.items()
        }
        means = {m.id: _mean_then_f1(m, averaged[m.id], m.id in undefined) for m in metrics}
    else:
        means = {m.id: _weighted_mean(m, by_scorch[m.id]) for m in metrics}
    if set(CONLL.members) <= means.keys():
        f1 = float(np.mean([means[name].f1 for name in CONLL.members]))
        means[CONLL.id] = replace(empty_score(1).row(0), f1=f1)
    return means


def macro_means(scores: DocumentScores) -> Means:
    """The mean of recall, precision and F1, each over the documents where it is not empty."""

    def mean(values: FloatArray, measure: str) -> float:
        known = values[~np.isnan(values)]
        return float(known.mean()) if len(known) else np.nan

    return {name: _averaged(score, mean) for name, score in scores.items()}


def _weighted_mean(metric: Metric, alone: Alone) -> Score[float]:
    """Recall weighted by the mentions of the key, precision by those of the response, F1 by both.

    This is what scorch prints; in a document 0/0 is 0. 0 where there is no mention.
    """
    key, response = alone.weights.T
    weights = dict(zip(MEASURES, (key, response, key + response), strict=True))

    def mean(values: FloatArray, measure: str) -> float:
        if np.isnan(values).any():  # of a measure that the metric does not have
            return np.nan
        weight = weights[measure]
        total, above = weight.sum(keepdims=True), (weight * values).sum(keepdims=True)
        return float(divide(above, total, empty=0)[0])

    return _averaged(metric.score(alone.counts, empty=0), mean)


def _mean_then_f1(metric: Metric, counts: Counts, undefined: bool) -> Score[float]:
    """The means of recall and of precision, and F1 of the two, as in Stanza's scorer.

    In a document 0/0 is 0, or, where it is `undefined` without an entity of the key, empty; so is
    then the mean. The F1 of a metric without recall and precision is empty.
    """
    score = metric.score(counts, empty=0)
    if undefined:
        lacks_key = counts.recall_denominator[:, 0] == 0
        lacks_both = lacks_key & (counts.precision_denominator[:, 0] == 0)
        recall = np.where(lacks_key, np.nan, score.recall)
        score = replace(
            score, recall=recall, precision=np.where(lacks_both, np.nan, score.precision)
        )
    return _with_f1(_averaged(score, _mean))


def _mean(values: FloatArray, measure: str) -> float:
    return float(values.mean()) if len(values) else 0.0


def _with_f1(score: Score[float]) -> Score[float]:
    if np.isnan(score.recall) or np.isnan(score.precision):
        f1 = np.nan
    else:
        f1 = harmonic_mean_of(score.recall, score.precision)
    parts = {name: _with_f1(part) for name, part in score.parts.items()}
    return replace(score, f1=f1, parts=parts)


def _averaged(score: Score[FloatArray], mean: Callable[[FloatArray, str], float]) -> Score[float]:
    """A Score of means, without counts."""
    recall, precision, f1 = (mean(getattr(score, name), name) for name in MEASURES)
    parts = {name: _averaged(part, mean) for name, part in score.parts.items()}
    return replace(empty_score(1).row(0), recall=recall, precision=precision, f1=f1, parts=parts)


# Policies that the signature names only where they are not the default.
_UNNAMED = ("words", "zeros", "lookup", "mentions", "missing_documents")

Some = TypeVar("Some", bound="Tally")

LENGTHS = ("words", "empty_nodes", "split_antecedents")

_OF_SIDES = ("mentions", "entities", "singletons")

SIZES = (*(f"{of}_{what}" for of in ("key", "response") for what in _OF_SIDES), "shared_mentions")


def settings_of(policies: Policies, *, zeros: bool = False, split: bool = False) -> str:
    """The policies as a signature names them: "match exact | … | micro".

    zeros  whether to name the policy for zeros if it is the default, too
    split  whether to name that for split antecedents
    """
    p = policies
    averages = "micro" if p.average == "micro" else f"micro and {p.average}"
    others = [
        name for name in _UNNAMED if getattr(p, name) not in ("error", getattr(DEFAULTS, name))
    ]
    named = [*others, "zeros"] if zeros and "zeros" not in others else others
    more = "".join(f"{name.replace('_', ' ')} {getattr(p, name)} | " for name in named)
    more += f"split antecedents {p.split_antecedents} | " if split else ""
    return (
        f"match {p.match} | singletons {p.singletons} | repeats {p.repeats} | blanc {p.blanc} | "
        f"{more}{averages}"
    )


# Tallies ------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Tally:
    """The counts of every document under every metric, and the scores that follow from them.

    `tally["bcub"]` is the Score of the whole corpus, its values plain floats; "conll" is the mean
    of the F1 of MUC, B³ and CEAFₑ, and has no recall or precision. Metrics may be called by any of
    their names, such as "B³" or "CoNLL"; iterating gives their ids.

    `corescore.scoring.scores.count` tallies a batch of paired documents. The tallies of batches add
    up to that of the whole: `Tally.sum(batches)` puts all of them together at once, in the order
    given, and takes time linear in their documents; `a + b` is the sum of two. In the key's order,
    all numbers are those of scoring the whole at once, to the bit.

    documents     the names of the key's documents, in order
    fingerprints  of each document of the key, `Document.fingerprint`
    lengths       (documents,) each: the words of the key's document, as it was read, and its
                  empty_nodes, where both sides' zeros have their places; and how many entities of
                  both sides have split_antecedents
    counts        by the metrics' ids
    by_scorch     under the average "scorch" what that scorer averages, by the metrics' ids
    sizes         (documents,) each: key_mentions, key_entities, key_singletons, the same of the
                  response, and shared_mentions
    warnings      what was noticed of files and mentions: read them before the scores
    files         the (key, response) paths that were scored, if known
    version       the version of corescore that counted

    >>> import corescore
    >>> tally = corescore.score_files("key.conll", "cautious.conll")
    >>> news = tally.beginning_with("news")
    >>> news.documents, round(news["lea"].f1, 4)
    (('news_harbour', 'news_library', 'news_orchard', 'news_tram'), 0.3833)
    """

    policies: Policies
    metrics: tuple[Metric, ...]
    documents: tuple[str, ...]
    fingerprints: tuple[str, ...]
    lengths: Mapping[str, IntArray]
    counts: Mapping[str, Counts]
    by_scorch: Mapping[str, Alone]
    sizes: Mapping[str, IntArray]
    warnings: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    version: str = __version__

    @property
    def six(self) -> list[Metric]:
        """The metrics among the six, in their order."""
        return [metric for metric in self.metrics if metric.id in METRIC_IDS]

    @property
    def in_short(self) -> str:
        """CoNLL and LEA, or else the first metric: "CoNLL 51.10, LEA 39.26"."""
        f1 = {name: self.scores[name].f1 for name in ("conll", "lea") if name in self.scores}
        f1 = f1 or {metric.id: self.scores[metric.id].f1 for metric in self.metrics[:1]}
        return ", ".join(f"{self._titles[name]} {100 * value:.2f}" for name, value in f1.items())

    @property
    def _titles(self) -> dict[str, str]:
        return {metric.id: metric.title for metric in self.metrics} | {CONLL.id: CONLL.title}

    def __repr__(self) -> str:
        documents, warnings = (
            counted(len(of), what)
            for of, what in ((self.documents, "document"), (self.warnings, "warning"))
        )
        settings = self.settings.partition(" | ")[2]
        noticed = f" | {warnings}: see .warnings" if self.warnings else ""
        return f"{type(self).__name__}: {documents}, {self.in_short} | {settings}{noticed}"

    @property
    def signature(self) -> str:
        """One line that names the policies in force and how many documents were scored."""
        n = len(self.documents)
        return f"{self.settings} over {n} {'document' if n == 1 else 'documents'}"

    @property
    def settings(self) -> str:
        """The signature without the number of documents."""
        has_zeros, split = bool(self.lengths["empty_nodes"].any()), self.has_split_antecedents
        scored = tuple(metric.id for metric in self.metrics if metric not in DIAGNOSTICS)
        name = preset_of(self.policies, scored, split_antecedents=split)
        preset = f"as {name} | " if name else ""
        settings = settings_of(self.policies, zeros=has_zeros, split=split)
        return f"corescore {self.version} | {preset}{settings}"

    @property
    def has_split_antecedents(self) -> bool:
        """Whether an entity of either side has split antecedents."""
        return bool(self.lengths["split_antecedents"].any())

    @cached_property
    def scores(self) -> Mapping[str, Score[float]]:
        """The score of the whole corpus under every metric: sums over documents, divided once."""
        return sums(self.metrics, self.counts)

    @cached_property
    def document_scores(self) -> Mapping[str, Score[FloatArray]]:
        """The scores of each document, arrays of shape (documents,); empty is NaN."""
        return scores_of(self.metrics, self.counts, empty=np.nan)

    @cached_property
    def macro(self) -> Mapping[str, Score[float]]:
        """The mean over documents of recall, precision and F1, each where it is not empty."""
        return macro_means(self.document_scores)

    @cached_property
    def means(self) -> Mapping[str, Score[float]]:
        """The averages over documents by the policy `average`; none under "micro".

        "macro" is `macro`; for "scorch" and "stanza" see `corescore.scoring.tally`.
        """
        if self.policies.average == "micro":
            return {}
        return averages(self.metrics, self.counts, self.by_scorch, self.policies)

    def __getitem__(self, metric: str) -> Score[float]:
        return self.scores[id_among(metric, self.scores)]

    def __contains__(self, metric: object) -> bool:
        return isinstance(metric, str) and (metric in self.scores or id_of(metric) in self.scores)

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def keys(self) -> Iterable[str]:
        """The ids of the metrics scored, "conll" among them: dict(result) has a score for each."""
        return self.scores.keys()

    def metric(self, name: str) -> Metric:
        """The metric of this name, as it is in force. PolicyError for another."""
        return metric_of(name, self.metrics)

    @property
    def table(self) -> "pd.DataFrame":
        """One row per metric; plus other averages under `average`. BLANC's two parts have rows of
        their own, "blanc.coreference" and "blanc.non_coreference".

        Columns:

        metric                                str       the index: its id
        title                                 str       its name
        diagnostic                            bool      whether it is a diagnostic, such as
                                                        Mentions
        recall, precision, f1                 float64   fractions; 0 if the denominator is 0.
                                                        CoNLL has F1 alone: the others are NaN
        recall_numerator, recall_denominator  float64   the two are divided for recall
        precision_numerator, precision_denominator  float64   the two are divided for precision
        """
        import pandas as pd

        rows, titles = _with_parts(self.scores), self._titles
        table = pd.DataFrame(
            {name: [getattr(score, name) for score in rows.values()] for name in SCORE_FIELDS},
            index=pd.Index(list(rows), name="metric"),
        )
        table.insert(0, "title", [_title(name, titles) for name in rows])
        table.insert(1, "diagnostic", [name in BESIDE_IDS for name in rows])
        if self.means:
            means = _with_parts(self.means)
            for name in MEASURES:
                values = [getattr(means[row], name) for row in rows]
                table[f"{self.policies.average}_{name}"] = values
        return table

    @property
    def per_document(self) -> "pd.DataFrame":
        """One row per document, in the key's order, and metric.

        Columns:

        document, metric                      str       the index
        recall, precision, f1                 float64   fractions; NaN if the denominator is 0
        recall_numerator, recall_denominator  float64   the two are divided for recall
        precision_numerator, precision_denominator  float64   the two are divided for precision
        """
        import pandas as pd

        rows = _with_parts(self.document_scores)
        index = pd.MultiIndex.from_product([self.documents, rows], names=["document", "metric"])
        columns = {
            name: np.column_stack([getattr(score, name) for score in rows.values()]).ravel()
            for name in SCORE_FIELDS
        }
        return pd.DataFrame(columns, index=index)

    def compare(
        self, other: "Tally", *, trials: int = 10_000, seed: int = 0, level: float = 0.95
    ) -> "Pair":
        """This response (A) compared with another (B) over the same key: which is better, where,
        and whether the difference is significant; see `corescore.analysis.systems.pair.Pair`."""
        from corescore.analysis.systems.pair import Pair

        if not isinstance(other, Tally):
            raise TypeError(
                f"the other response is of type {type(other).__name__}; expected "
                "a result of corescore.score"
            )
        return Pair(self, other, trials=trials, seed=seed, level=level)

    def plot(self) -> Any:
        """A plotly figure of the six side by side, as the dashboard draws it: recall, precision
        and F1 in percent, with the fractions they were divided from on hover.

        `.show()` opens it, `.write_html(…)` and `.write_image(…)` (with kaleido) save it. Raises
        PolicyError if none of the six was scored.
        """
        from corescore.plots.scores import six_metrics

        if not self.six:
            raise PolicyError("none of the six metrics was scored; expected one or more to plot")
        return six_metrics({"A": self.table})

    def _repr_html_(self) -> str:
        """What a notebook shows: all scores with their fractions."""
        from corescore.rendering.tables import scores

        return str(scores(self))

    def of_documents(self, documents: Iterable[str]) -> "Tally":
        """The tally of some documents by their names, or of one, in the order given. Raises
        PolicyError for an unknown name."""
        documents = [documents] if isinstance(documents, str) else [*documents]
        place = {name: at for at, name in enumerate(self.documents)}
        unknown = [name for name in documents if name not in place]
        if unknown:
            raise PolicyError(f"no document is named {unknown[0]!r}; expected one of the tally's")
        rows = [place[name] for name in documents]
        return self.rows(np.array(rows, dtype=np.int64))

    def beginning_with(self, prefix: str) -> "Tally":
        """The tally of the documents whose names begin with `prefix`, such as "bc/", in order.
        Raises PolicyError if there is none."""
        named = [name for name in self.documents if name.startswith(prefix)]
        if not named:
            raise PolicyError(f"no document's name begins with {prefix!r}")
        return self.of_documents(named)

    def save(self, path: str, *, force: bool = False) -> None:
        """Write the tally to a Parquet file for `corescore.load_tally`; a file that exists is
        overwritten only with `force`. Raises PolicyError for a name that does not end in
        .parquet, and InputError if writing fails."""
        from corescore.scoring.tally_files import save_tally

        save_tally(self, path, force=force)

    @classmethod
    def of(cls, made: "Tally") -> Self:
        """A tally of this class with the data of another."""
        return cls(**{field.name: getattr(made, field.name) for field in fields(cls)})

    @property
    def tally(self) -> "Tally":
        """The tally alone, without whatever else is kept with it."""
        return Tally.of(self)

    def rows(self, index: IntArray) -> "Tally":
        """The tally of the documents at these positions, in this order."""
        return replace(
            self.tally,
            documents=tuple(self.documents[at] for at in index.tolist()),
            fingerprints=tuple(self.fingerprints[at] for at in index.tolist()),
            lengths={name: values[index] for name, values in self.lengths.items()},
            counts={name: counts.rows(index) for name, counts in self.counts.items()},
            by_scorch={name: alone.rows(index) for name, alone in self.by_scorch.items()},
            sizes={name: values[index] for name, values in self.sizes.items()},
        )

    def __add__(self, other: Self) -> Self:
        """The tally of the documents of both. Raises ValueError as `sum`."""
        return self.sum([self, other])

    def __radd__(self, other: object) -> Self:
        """So that `sum([a, b])` adds up."""
        return self if other == 0 else NotImplemented

    @classmethod
    def sum(cls, tallies: Iterable[Self]) -> Self:
        """The tally of all their documents, in the order given.

        Raises ValueError if there is none, if they were made under other policies, by other metrics
        or by other versions of corescore, and if a document is in two of them.
        """
        every = tuple(map(cls.of, tallies))
        return stacked(every, [name for one in every for name in one.documents])


def _with_parts(scores: Mapping[str, Score[Value]]) -> dict[str, Score[Value]]:
    """The scores, and after each one its parts."""
    rows = {}
    for name, score in scores.items():
        rows[name] = score
        rows |= {f"{name}.{part}": value for part, value in score.parts.items()}
    return rows


def _title(name: str, titles: Mapping[str, str]) -> str:
    if name in titles:
        return titles[name]
    metric, _, part = name.rpartition(".")  # a metric's own id may have a dot: "blanc_0.2"
    return f"{titles[metric]}, {part.replace('_', '-')} links"


def stacked(every: Sequence[Some], documents: Sequence[str]) -> Some:
    """The first of some tallies, with the rows of all, whose documents have these names; ValueError
    unless they fit together."""
    for name, n in Counter(documents).most_common(1):
        if n > 1:
            raise ValueError(f"results that both have a document '{name}' do not add up")
    _check_fit(every)
    first = every[0]
    return replace(
        first,
        documents=tuple(documents),
        fingerprints=tuple(of for one in every for of in one.fingerprints),
        lengths=_concatenated([one.lengths for one in every]),
        counts={
            name: Counts.of_documents(*(one.counts[name] for one in every)) for name in first.counts
        },
        by_scorch={
            name: Alone.of_documents([one.by_scorch[name] for one in every])
            for name in first.by_scorch
        },
        sizes=_concatenated([one.sizes for one in every]),
        warnings=tuple(warning for one in every for warning in one.warnings),
        files=tuple(dict.fromkeys(pair for one in every for pair in one.files)),
    )


def _concatenated(parts: list[Mapping[str, IntArray]]) -> dict[str, IntArray]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _check_fit(tallies: Sequence[Tally]) -> None:
    if not tallies:
        raise ValueError("there is no result to add up; expected one or more")
    first = tallies[0]
    for other in tallies:
        if (first.policies, first.metrics) != (other.policies, other.metrics):
            raise ValueError("results made with other policies or metrics do not add up")
        if first.version != other.version:
            versions = f"{first.version} and {other.version}"
            raise ValueError(f"results made by corescore {versions} do not add up. Score again")
