"""What comes back from the workers: counts, names and problems, never a text; how it adds up."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from corescore.corpus.problems import InputError
from corescore.counting.words import OtherWords
from corescore.scoring.noticed import OfSide
from corescore.scoring.tally import Tally

KEY, RESPONSE, BOTH = range(3)  # which side a problem is of; the key's are told first
Sides = tuple[OfSide, OfSide]


@dataclass(frozen=True)
class Refusal:
    """Why a shard, or some documents of it, cannot be counted.

    stem  of the shard
    side  KEY, RESPONSE or BOTH
    """

    stem: str
    side: int
    error: InputError


@dataclass(frozen=True)
class Left:
    """A document without one of its name on the other side.

    stem  of its shard
    file  that it was read from
    text  a digest of its text, if it has one
    """

    name: str
    stem: str
    file: str
    text: tuple[str, ...]


@dataclass(frozen=True)
class Noticed:
    """What is said of all shards together.

    warnings  of the readers, for either side
    sides     what is noticed of the mentions of either side
    words     what was done to responses of other words
    """

    warnings: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    sides: Sides = field(default_factory=lambda: (OfSide(), OfSide()))
    words: OtherWords = field(default_factory=OtherWords)

    def __add__(self, other: "Noticed") -> "Noticed":
        (key, response), (more_key, more_response) = self.warnings, other.warnings
        return Noticed(
            (key + more_key, response + more_response),
            (self.sides[KEY] + other.sides[KEY], self.sides[RESPONSE] + other.sides[RESPONSE]),
            self.words + other.words,
        )


@dataclass(frozen=True)
class Outcome:
    """What some shards come to, in the key's order.

    tally    without its metrics, since a copy of a user's own would not equal the next copy; None
             if there is nothing that could be counted
    exact    under another matching the tally by exact matching, to be shown beside it
    order    the names of all documents of the key, counted or not
    left     documents of the key, and of the response, that are not counted yet
    """

    tally: Tally | None = None
    exact: Tally | None = None
    order: tuple[str, ...] = ()
    left: tuple[tuple[Left, ...], tuple[Left, ...]] = ((), ())
    refused: tuple[Refusal, ...] = ()
    noticed: Noticed = field(default_factory=Noticed)

    @classmethod
    def sum(cls, outcomes: Sequence["Outcome"]) -> "Outcome":
        """All of them in the order given."""
        return cls(
            _sum(one.tally for one in outcomes),
            _sum(one.exact for one in outcomes),
            tuple(name for one in outcomes for name in one.order),
            (
                tuple(left for one in outcomes for left in one.left[KEY]),
                tuple(left for one in outcomes for left in one.left[RESPONSE]),
            ),
            tuple(refusal for one in outcomes for refusal in one.refused),
            sum((one.noticed for one in outcomes), Noticed()),
        )

    def error(self) -> InputError:
        """The problems of all that was refused, those of the key's files first."""
        return InputError.of(of.error for of in sorted(self.refused, key=lambda of: of.side))

    def without_refused(self) -> "Outcome":
        """The same without what is left of shards that were refused."""
        stems = {refusal.stem for refusal in self.refused}
        key, response = (tuple(one for one in side if one.stem not in stems) for side in self.left)
        return replace(self, left=(key, response))


def _sum(tallies: Iterable[Tally | None]) -> Tally | None:
    known = [tally for tally in tallies if tally is not None]
    return Tally.sum(known) if known else None
