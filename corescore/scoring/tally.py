"""What is counted of each document, without the documents: it adds, and scores follow from it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Self, TypeVar

import numpy as np

from corescore.arrays import FloatArray, IntArray
from corescore.corpus.problems import choose
from corescore.counting.counts import Counts, Score
from corescore.counting.policies import DEFAULTS, Policies
from corescore.metrics import DIAGNOSTICS, Metric
from corescore.scoring.averages import Alone, averages, macro_means
from corescore.scoring.presets import preset_of
from corescore.scoring.totals import scores_of, sums
from corescore.version import __version__

# Policies that the signature names only where they are not the default.
_UNNAMED = ("words", "zeros", "lookup", "mentions")

Some = TypeVar("Some", bound="Tally")
LENGTHS = ("words", "empty_nodes")
_OF_SIDES = ("mentions", "entities", "singletons")
SIZES = (*(f"{of}_{what}" for of in ("key", "response") for what in _OF_SIDES), "shared_mentions")


def settings_of(policies: Policies, *, zeros: bool = False) -> str:
    """The policies as a signature names them: "match exact | … | micro".

    zeros  whether to name the policy for zeros if it is the default, too
    """
    p = policies
    averages = "micro" if p.average == "micro" else f"micro and {p.average}"
    others = [name for name in _UNNAMED if getattr(p, name) != getattr(DEFAULTS, name)]
    named = [*others, "zeros"] if zeros and "zeros" not in others else others
    more = "".join(f"{name} {getattr(p, name)} | " for name in named)
    return (
        f"match {p.match} | singletons {p.singletons} | repeats {p.repeats} | blanc {p.blanc} | "
        f"{more}{averages}"
    )


@dataclass(frozen=True, kw_only=True)
class Tally:
    """The counts of every document under every metric, and the scores that follow from them.

    `tally["bcub"]` is the Score of the whole corpus, its values plain floats; "conll" is the mean
    of the F1 of MUC, B³ and CEAF_e, and has no recall or precision.

    `corescore.scoring.scores.count` tallies a batch of paired documents. The tallies of batches add
    up to that of the whole: `Tally.sum(batches)` puts all of them together at once, in the order
    given, and takes time linear in their documents; `a + b` is the sum of two. In the key's order,
    all numbers are those of scoring the whole at once, to the bit.

    documents     the names of the key's documents, in order
    fingerprints  of each document of the key, `Document.fingerprint`
    lengths       (documents,) each: the words of the key's document, as it was read, and its
                  empty_nodes, where both sides' zeros have their places
    counts        by the metrics' ids
    by_scorch     under the average "scorch" what that scorer averages, by the metrics' ids
    sizes         (documents,) each: key_mentions, key_entities, key_singletons, the same of the
                  response, and shared_mentions
    files         the (key, response) paths that were scored, as far as they are known
    version       of corescore, which counted
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
    def signature(self) -> str:
        """One line that names the policies in force and how many documents were scored."""
        n = len(self.documents)
        return f"{self.settings} over {n} {'document' if n == 1 else 'documents'}"

    @property
    def settings(self) -> str:
        """The signature without the number of documents."""
        has_zeros = bool(self.lengths["empty_nodes"].any())
        scored = tuple(metric.id for metric in self.metrics if metric not in DIAGNOSTICS)
        name = preset_of(self.policies, scored)
        preset = f"as {name} | " if name else ""
        return f"corescore {self.version} | {preset}{settings_of(self.policies, zeros=has_zeros)}"

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

        "macro" is `macro`; for "scorch" and "stanza" see `corescore.scoring.averages`.
        """
        if self.policies.average == "micro":
            return {}
        return averages(self.metrics, self.counts, self.by_scorch, self.policies)

    def __getitem__(self, metric: str) -> Score[float]:
        return self.scores[choose("metric", metric, self.scores)]

    @classmethod
    def of(cls, made: "Tally") -> Self:
        """What this class keeps of another tally."""
        return cls(**{field.name: getattr(made, field.name) for field in fields(cls)})

    @property
    def tally(self) -> "Tally":
        """The tally alone, whatever else is kept beside it."""
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

    @classmethod
    def sum(cls, tallies: Iterable[Self]) -> Self:
        """The tally of all their documents, in the order given.

        Raises ValueError if there is none, if they were made under other policies, by other metrics
        or by other versions of corescore, and if a document is in two of them.
        """
        every = tuple(map(cls.of, tallies))
        times = Counter(name for one in every for name in one.documents)
        twice = [name for name, n in times.items() if n > 1]
        if twice:
            raise ValueError(f"results that both have a document '{twice[0]}' do not add up")
        return stacked(every)


def stacked(every: Sequence[Some]) -> Some:
    """The first of some tallies, with the rows of all; ValueError unless they fit together."""
    _check_fit(every)
    first = every[0]
    return replace(
        first,
        documents=tuple(name for one in every for name in one.documents),
        fingerprints=tuple(of for one in every for of in one.fingerprints),
        lengths=_joined([one.lengths for one in every]),
        counts={
            name: Counts.of_documents(*(one.counts[name] for one in every)) for name in first.counts
        },
        by_scorch={
            name: Alone.of_documents([one.by_scorch[name] for one in every])
            for name in first.by_scorch
        },
        sizes=_joined([one.sizes for one in every]),
        warnings=tuple(warning for one in every for warning in one.warnings),
        files=tuple(dict.fromkeys(pair for one in every for pair in one.files)),
    )


def _joined(parts: list[Mapping[str, IntArray]]) -> dict[str, IntArray]:
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
            raise ValueError(f"results made by corescore {versions} do not add up; score again")
