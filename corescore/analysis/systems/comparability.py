"""Whether two responses can be compared at all: what they were given, and what they annotate."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, permutations
from typing import Literal, Self

import numpy as np

from corescore.corpus.documents import Corpus
from corescore.counting.comparison import compare
from corescore.counting.pairing import AS_EMPTY
from corescore.counting.policies import Policies
from corescore.counting.words import OTHER_WORDS, Few, list_documents
from corescore.scoring.noticed import doubts, warnings_of
from corescore.scoring.scores import Result, sizes_of
from corescore.scoring.tally import Tally
from corescore.util import IntArray
from corescore.wording import counted

Kind = Literal["gold mentions", "singletons", "documents", "words"]

HARDLY_ANY, MANY = 0.01, 0.1  # singletons, as shares of a response's mentions


@dataclass(frozen=True)
class Finding:
    """Something in which two responses are unlike, so that a difference may not tell which system
    is better.

    kind      gold mentions: one has all mentions of the key and no other, the other has not
              singletons: one has entities of one mention, the other hardly any
              documents: one has no mention in documents of the key in which the other has some
              words: one has other words than the key, the other has not
    sentence  what was found and what it may mean, in a sentence or two; the systems are A and B
    policy, value  the policy and its value under which the comparison would be fair, as
              `Policies(**{policy: value})` takes them; both "" where there is none
    """

    kind: Kind
    sentence: str
    policy: str = ""
    value: str = ""


def comparability(
    a: Tally, b: Tally, *, letters: tuple[str, str] = ("A", "B")
) -> tuple[Finding, ...]:
    """What speaks against comparing two results over one key, made under the same policies: a
    `Finding` for each kind of difference, in the order of `Kind`; none where nothing was found.

    What the policies in force already make fair is not found: where singletons are dropped, it does
    not matter which response has them. Of tallies, mentions of the key are not told once singletons
    are dropped, for only their counts are known.

    letters  what the sentences call the two
    """
    both = [_Compared.of(*of) for of in zip(letters, (a, b), strict=True)]
    return tuple(
        found
        for find in (_gold_mentions, _singletons, _documents_without_mentions, _other_words)
        for has, lacks in permutations(both)
        for found in find(has, lacks)
    )


def is_identical(a: Tally, b: Tally) -> bool:
    """Whether two responses have the same mentions in the same entities; of tallies this cannot be
    told, and it is False."""
    if not (isinstance(a, Result) and isinstance(b, Result)):
        return False
    documents = zip(a.comparison.response, b.comparison.response, strict=True)
    return all(
        np.array_equal(one.rows, other.rows) and one.split_antecedents == other.split_antecedents
        for one, other in documents
    )


def against_best(results: Mapping[str, Tally]) -> Iterator[Finding]:
    """What speaks against comparing the first of several results with any other; by letters."""
    best, *others = results
    for other in others:
        yield from comparability(results[best], results[other], letters=(best, other))


@dataclass(frozen=True)
class _Compared:
    """One of two results; sizes as they are before entities of one mention are left out, where that
    is known."""

    letter: str
    result: Tally
    sizes: Mapping[str, IntArray]

    @classmethod
    def of(cls, letter: str, result: Tally) -> Self:
        sizes = result.sizes
        if result.policies.singletons != "keep" and isinstance(result, Result):
            kept = replace(result.policies, singletons="keep")
            sizes = sizes_of(compare(result.comparison.key, result.comparison.response, kept))
        return cls(letter, result, sizes)

    def has_all_mentions(self) -> bool:
        """Whether it has all mentions of the key, if there are any, and no other."""
        n = [self.sizes[f"{of}_mentions"] for of in ("shared", "key", "response")]
        return bool(n[0].any()) and all(np.array_equal(n[0], other) for other in n)

    def n_scored(self, size: str) -> int:
        return int(self.result.sizes[size].sum())

    def is_noticed(self, what: str) -> bool:
        """Whether one of the warnings says so of the response."""
        return any(what in warning for warning in self.result.warnings)


def _gold_mentions(has: _Compared, lacks: _Compared) -> Iterator[Finding]:
    if has.has_all_mentions() and not lacks.has_all_mentions():
        n = counted(int(has.sizes["key_mentions"].sum()), "mention")
        yield Finding(
            "gold mentions",
            f"{has.letter} has all {n} of the key and no other, {lacks.letter} does not: were the "
            f"key’s mentions given to {has.letter}? Then it never had to find them, and no policy "
            "makes this fair.",
        )


def _singletons(has: _Compared, lacks: _Compared) -> Iterator[Finding]:
    n, others = (of.n_scored("response_singletons") for of in (has, lacks))
    mentions, other_mentions = (max(one.n_scored("response_mentions"), 1) for one in (has, lacks))
    is_dropped = has.result.policies.singletons in ("drop", "drop-response")
    if n >= MANY * mentions and others <= HARDLY_ANY * other_mentions and not is_dropped:
        yield Finding(
            "singletons",
            f"{counted(n, 'entity')} of {has.letter} and {others:,} of {lacks.letter} have one "
            f"mention, {counted(has.n_scored('key_singletons'), 'entity')} of the key: the two "
            "follow different annotation schemes, or different settings of their systems.",
            "singletons",
            "drop",
        )


def _documents_without_mentions(has: _Compared, lacks: _Compared) -> Iterator[Finding]:
    has_some = (has.sizes["key_mentions"] > 0) & (has.sizes["response_mentions"] > 0)
    without = np.flatnonzero(has_some & (lacks.sizes["response_mentions"] == 0))
    if len(without):
        empty = list_documents(Few.of(has.result.documents[i] for i in without.tolist()))
        is_missing = lacks.is_noticed(AS_EMPTY)
        why = "its missing documents count as empty." if is_missing else "did its system fail?"
        yield Finding(
            "documents",
            f"{lacks.letter} has no mention in {empty}, {has.letter} has: {why}",
            *(("missing_documents", "skip") if is_missing else ()),
        )


def _other_words(has: _Compared, lacks: _Compared) -> Iterator[Finding]:
    if has.is_noticed(OTHER_WORDS) and not lacks.is_noticed(OTHER_WORDS):
        ignored = has.result.policies.words == "ignore"
        done = "compared by position" if ignored else "mapped over characters"
        yield Finding(
            "words",
            f"The text of {has.letter} differs from the key’s, the text of {lacks.letter} does "
            f"not. The mentions of {has.letter} were {done}, and some may have lost their place.",
            *(("words", "align") if ignored else ()),
        )


# Systems scored against one key: what a report and the dashboard are about ------------------------


@dataclass(frozen=True)
class System:
    """A system's scores, and its letter (A, B, …) and name on pages and in sentences."""

    letter: str
    name: str
    result: Result

    @property
    def title(self) -> str:
        """A (cautious)."""
        return f"{self.letter} ({self.name})"


@dataclass(frozen=True)
class ScoredSystems:
    """A key and systems, A, B, …, scored against it under the same policies."""

    key_name: str
    key: Corpus
    systems: tuple[System, ...]

    @property
    def results(self) -> Mapping[str, Result]:
        """The results by the systems' letters."""
        return {system.letter: system.result for system in self.systems}

    @property
    def warnings(self) -> list[str]:
        """The warnings of all results and the doubts, each once."""
        return list(dict.fromkeys([*warnings_of(self.results.values()), *self.doubts]))

    @property
    def doubts(self) -> list[str]:
        """Signs that a response is the key, or was taken for it."""
        every = (doubts(of.result, self.key_name, of.name) for of in self.systems)
        return [*chain.from_iterable(every)]

    @property
    def names(self) -> dict[str, str]:
        """The systems' names by their letters."""
        return {system.letter: system.name for system in self.systems}

    @property
    def titles(self) -> dict[str, str]:
        """The systems as sentences call them, by their letters."""
        return {system.letter: system.title for system in self.systems}

    @property
    def policies(self) -> Policies:
        return self.systems[0].result.policies

    @property
    def signature(self) -> str:
        return self.systems[0].result.signature
