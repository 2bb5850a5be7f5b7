"""Two responses of a card, each with its links and scores."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corescore.corpus.documents import Document
from corescore.corpus.formats.notation import read_notation
from corescore.counting.counts import Score
from corescore.counting.policies import DEFAULTS, Policies
from corescore.metrics import METRICS, Metric
from corescore.scoring.scores import Scores, score
from corescore.teaching.toy.links import Link, links_of
from corescore.teaching.toy.toy import Entities, Toy

A, B, SAME = "A", "B", "the same"
CHOICES = (A, B, SAME)
NO_VALUE = "no value"


@dataclass(frozen=True)
class Output:
    """A response in brace notation, a document a line, and the policies that it is scored under.

    says  its description before the reader chooses, in a few words
    """

    response: str
    says: str = ""
    policies: Policies = DEFAULTS


@dataclass(frozen=True)
class Scored:
    """An output with its documents, links and scores."""

    letter: str
    documents: tuple[tuple[Entities, Entities], ...]
    result: Scores

    @cached_property
    def toys(self) -> tuple[Toy, ...]:
        """A key and response for each document, without repeated entities."""
        return tuple(Toy(_once(key), _once(response)) for key, response in self.documents)

    @cached_property
    def correct(self) -> tuple[Link, ...]:
        """The links that both sides have."""
        return tuple(link for toy in self.toys for link in links_of(toy).correct)

    @cached_property
    def wrong(self) -> tuple[Link, ...]:
        """The links that only the response has."""
        return tuple(link for toy in self.toys for link in links_of(toy).wrong)

    @cached_property
    def missed(self) -> tuple[Link, ...]:
        """The links that only the key has."""
        return tuple(link for toy in self.toys for link in links_of(toy).missing)

    @property
    def n_errors(self) -> int:
        """The number of wrong and missed links."""
        return len(self.wrong) + len(self.missed)

    @property
    def n_pairs(self) -> int:
        """The number of pairs of mentions."""
        return sum(len(t.mentions) * (len(t.mentions) - 1) // 2 for t in self.toys)

    @property
    def n_whole(self) -> int:
        """The number of key entities that the response has unchanged."""
        return sum(len(_sets(toy.key) & _sets(toy.response)) for toy in self.toys)

    @property
    def n_key_entities(self) -> int:
        """The number of key entities."""
        return sum(len(toy.key) for toy in self.toys)

    def score(self, metric: str) -> Score[float]:
        """The score of all documents together."""
        return self.result[metric]

    def value(self, metric: str, measure: str) -> float:
        """A score as one of MEASURES; a fraction, NaN where it is 0/0."""
        if measure == "macro":
            return self.result.macro[metric].f1
        score = self.result[metric]
        value: float = getattr(score, measure)
        return float("nan") if is_empty(score, measure) else value

    def n_with_value(self, metric: str, ratio: str) -> int:
        """The number of documents in which recall or precision is not 0/0."""
        of_documents = self.result.document_scores[metric]
        return int(np.isfinite(getattr(of_documents, ratio)).sum())


def is_empty(score: Score[float], ratio: str) -> bool:
    """Whether recall or precision is 0/0, or F1 the mean of two of these."""
    if ratio == "f1":
        return is_empty(score, "recall") and is_empty(score, "precision")
    denominator: float = getattr(score, f"{ratio}_denominator")
    return denominator == 0


def _once(side: Entities) -> Entities:
    by_members = {frozenset(entity): entity for entity in reversed(side)}
    return tuple(reversed(by_members.values()))


def _sets(side: Entities) -> set[frozenset[str]]:
    return {frozenset(entity) for entity in side}


def scored(letter: str, key: str, output: Output, more: tuple[Metric, ...]) -> Scored:
    """A response against the key, with its scores."""
    sides = read_notation(key, "the key"), read_notation(output.response, "the response")
    documents = tuple((_entities(one), _entities(other)) for one, other in zip(*sides, strict=True))
    result = score(*sides, output.policies, metrics=(*METRICS, *more))
    return Scored(letter, documents, result)


def _entities(document: Document) -> Entities:
    return tuple(tuple(document.text(m) for m in entity) for entity in document.entities)
