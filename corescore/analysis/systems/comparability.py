"""Whether two responses can be compared at all: what they were given, and what they annotate."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Literal

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

Sizes = Mapping[str, IntArray]  # of the documents, as in `Tally.sizes`

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
    both = dict(zip(letters, (a, b), strict=True))
    read = {letter: _with_singletons(result) for letter, result in both.items()}
    return (*_gold_mentions(read), *_singletons(both), *_documents(both, read), *_words(both))


def against_best(results: Mapping[str, Tally]) -> Iterator[Finding]:
    """What speaks against comparing the first of several results with any other; by letters."""
    best, *others = results
    for other in others:
        yield from comparability(results[best], results[other], letters=(best, other))


def _gold_mentions(sizes: Mapping[str, Sizes]) -> Iterator[Finding]:
    (one, *more) = [letter for letter, of in sizes.items() if _has_all_mentions(of)] or [""]
    if one and not more:
        (other,) = (letter for letter in sizes if letter != one)
        n = counted(int(sizes[one]["key_mentions"].sum()), "mention")
        yield Finding(
            "gold mentions",
            f"{one} has all {n} of the key and no other, {other} has not: were the key’s mentions "
            f"given to {one}? Then it never had to find them, and no policy makes this fair.",
        )


def _has_all_mentions(sizes: Sizes) -> bool:
    key, response, shared = (
        sizes[name] for name in ("key_mentions", "response_mentions", "shared_mentions")
    )
    return bool(key.any() and (key == shared).all() and (response == shared).all())


def _with_singletons(result: Tally) -> Sizes:
    """The sizes as they are before entities of one mention are left out, where that is known."""
    if result.policies.singletons == "keep" or not isinstance(result, Result):
        return result.sizes
    of, kept = result.comparison, replace(result.policies, singletons="keep")
    return sizes_of(compare(of.key, of.response, kept))


def _singletons(both: Mapping[str, Tally]) -> Iterator[Finding]:
    n = {letter: _sum(result, "response_singletons") for letter, result in both.items()}
    total = {letter: max(_sum(result, "response_mentions"), 1) for letter, result in both.items()}
    for has, lacks in permutations(both):
        if n[has] < MANY * total[has] or n[lacks] > HARDLY_ANY * total[lacks]:
            continue
        if both[has].policies.singletons in ("drop", "drop-response"):
            continue
        of_key = counted(_sum(next(iter(both.values())), "key_singletons"), "entity")
        yield Finding(
            "singletons",
            f"{counted(n[has], 'entity')} of {has} and {n[lacks]:,} of {lacks} have one mention, "
            f"{of_key} of the key: the two follow other annotation schemes, or other settings of "
            "their systems.",
            "singletons",
            "drop",
        )


def _sum(result: Tally, size: str) -> int:
    return int(result.sizes[size].sum())


def _documents(both: Mapping[str, Tally], sizes: Mapping[str, Sizes]) -> Iterator[Finding]:
    for has, lacks in permutations(both):
        key, of, without = (
            sizes[letter][f"{side}_mentions"]
            for letter, side in ((has, "key"), (has, "response"), (lacks, "response"))
        )
        at = np.flatnonzero((key > 0) & (of > 0) & (without == 0))
        if not len(at):
            continue
        empty = list_documents(Few.of(both[has].documents[i] for i in at.tolist()))
        is_missing = bool(_noticed(both[lacks], AS_EMPTY))
        why = "it lacks documents, which count as empty." if is_missing else "did its system fail?"
        yield Finding(
            "documents",
            f"{lacks} has no mention in {empty}, {has} has: {why}",
            *(("missing_documents", "skip") if is_missing else ()),
        )


def _words(both: Mapping[str, Tally]) -> Iterator[Finding]:
    found = {letter: _noticed(result, OTHER_WORDS) for letter, result in both.items()}
    for has, lacks in permutations(both):
        if found[has] and not found[lacks]:
            ignored = both[has].policies.words == "ignore"
            done = "compared by position" if ignored else "mapped over characters"
            yield Finding(
                "words",
                f"{has} has other words than the key, {lacks} has not: its mentions were {done}, "
                "and some may have lost their place.",
                *(("words", "align") if ignored else ()),
            )


def _noticed(result: Tally, what: str) -> bool:
    """Whether one of the warnings says so of the response."""
    return any(what in warning for warning in result.warnings)


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
        """The warnings of all results, and signs that a response is the key, each once."""
        said = warnings_of(self.results.values())
        for system in self.systems:
            said += doubts(system.result, self.key_name, system.name)
        return list(dict.fromkeys(said))

    @property
    def names(self) -> dict[str, str]:
        """The systems' names by their letters."""
        return {system.letter: system.name for system in self.systems}

    @property
    def policies(self) -> Policies:
        return self.systems[0].result.policies

    @property
    def signature(self) -> str:
        return self.systems[0].result.signature
