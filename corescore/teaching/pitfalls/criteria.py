"""By what a response is better: a choice, which a card names and a class can change."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from corescore.teaching.pitfalls.scored import SAME, A, B, Scored
from corescore.teaching.toy.links import links_of
from corescore.wording import counted, percent


@dataclass(frozen=True)
class Criterion:
    """What makes a response better.

    id     its name in a URL
    name   what it looks at, in a few words
    title  what the better one has, after "has"
    of     what is counted, after its number
    count  the number, or a share
    most   whether more is better
    words  the count in words
    """

    id: str
    name: str
    title: str
    of: str
    count: Callable[[Scored], int | Fraction]
    most: bool
    words: Callable[[Scored], str]

    def better(self, a: Scored, b: Scored) -> str:
        """A, B or SAME."""
        more = (self.count(a) > self.count(b)) - (self.count(a) < self.count(b))
        return {0: SAME, 1: A, -1: B}[more if self.most else -more]

    def shown(self, output: Scored) -> str:
        """The number, or the share in percent."""
        value = self.count(output)
        return f"{percent(float(value))}%" if isinstance(value, Fraction) else str(value)


def link_f1(output: Scored) -> Fraction:
    """2·correct / (2·correct + wrong + missed): the F1 of links; 0 where neither side has any."""
    twice = 2 * len(output.correct)
    return Fraction(twice, twice + output.n_errors) if twice else Fraction(0)


def n_documents_without_error(output: Scored) -> int:
    """The number of documents with the links of the key and no others."""
    return sum(not links_of(toy).wrong and not links_of(toy).missing for toy in output.toys)


LINKS = Criterion(
    "links",
    "wrong and missed links",
    "fewer links wrong or missed",
    "links wrong or missed",
    lambda output: output.n_errors,
    False,
    lambda output: (
        f"{counted(output.n_errors, 'error')}: {len(output.wrong)} wrong, "
        f"{len(output.missed)} missed"
    ),
)
LINK_F1 = Criterion(
    "link-f1",
    "F1 of links",
    "a higher F1 of links",
    "as F1 of links",
    link_f1,
    True,
    lambda output: f"F1 of links {percent(float(link_f1(output)))}%",
)
WHOLE_ENTITIES = Criterion(
    "entities",
    "whole entities",
    "more entities just as the key has them",
    "entities just as the key has them",
    lambda output: output.n_whole,
    True,
    lambda output: f"{output.n_whole} of the key’s {output.n_key_entities} entities whole",
)
CORRECT_LINKS = Criterion(
    "correct-links",
    "correct links alone",
    "more correct links",
    "correct links",
    lambda output: len(output.correct),
    True,
    lambda output: counted(len(output.correct), "correct link"),
)
WRONG_LINKS = Criterion(
    "wrong-links",
    "wrong links alone",
    "fewer wrong links",
    "wrong links",
    lambda output: len(output.wrong),
    False,
    lambda output: counted(len(output.wrong), "wrong link"),
)
DOCUMENTS = Criterion(
    "documents",
    "documents without an error",
    "more documents without an error",
    "documents without an error",
    n_documents_without_error,
    True,
    lambda output: f"{n_documents_without_error(output)} of {len(output.toys)} without an error",
)
COMMON = (LINKS, LINK_F1, WHOLE_ENTITIES)  # of every card
CRITERIA = {one.id: one for one in (*COMMON, CORRECT_LINKS, WRONG_LINKS, DOCUMENTS)}
