"""The correct, wrong and missing links of a toy, and how an edit changed them, in words."""

from dataclasses import dataclass
from itertools import combinations

from corescore.analysis.errors.mentions import (
    CORRECT,
    INCORRECTLY_RESOLVED,
    MISSING,
    SPURIOUS,
    UNLINKED,
)
from corescore.teaching.toy.toy import Entities, Toy

Link = tuple[str, str]
MOST_NAMED = 6


@dataclass(frozen=True)
class Links:
    """Links by status: correct if both sides have one, wrong or missing if only one side has.

    Links and the ends of each are in the order of `Toy.mentions`.
    """

    correct: tuple[Link, ...]
    wrong: tuple[Link, ...]
    missing: tuple[Link, ...]


@dataclass(frozen=True)
class Changes:
    """The links that have a new status in the second of two toys.

    unwrong   wrong links that are gone, but not correct now
    """

    correct: tuple[Link, ...]
    wrong: tuple[Link, ...]
    missing: tuple[Link, ...]
    unwrong: tuple[Link, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence for each kind of change: "a–b is now a correct link"."""
        sentences = (
            _sentence(self.correct, "is now a correct link", "are now correct links"),
            _sentence(self.wrong, "is now a wrong link", "are now wrong links"),
            _sentence(self.missing, "is now a missing link", "are now missing links"),
            _sentence(self.unwrong, "is no longer a wrong link", "are no longer wrong links"),
        )
        return tuple(sentence for sentence in sentences if sentence)


def links_of(toy: Toy) -> Links:
    """The coreference links of both sides."""
    at = {mention: number for number, mention in enumerate(toy.mentions)}
    key, response = (_links(side, at) for side in (toy.key, toy.response))
    return Links(
        *(
            tuple(sorted(links, key=lambda link: (at[link[0]], at[link[1]])))
            for links in (key & response, response - key, key - response)
        )
    )


def statuses(toy: Toy) -> dict[str, str]:
    """The class of each mention: missing, spurious, incorrectly resolved, unlinked or correct.

    As in `corescore.analysis.errors.mentions.mention_classes`, which finds span errors as well.
    """
    links = links_of(toy)
    correct, wrong, missing = (
        {end for link in kind for end in link}
        for kind in (links.correct, links.wrong, links.missing)
    )
    found = dict.fromkeys(toy.mentions, CORRECT)
    found |= dict.fromkeys(missing - correct - wrong, UNLINKED)
    found |= dict.fromkeys(wrong - correct, INCORRECTLY_RESOLVED)
    return found | dict.fromkeys(toy.missing, MISSING) | dict.fromkeys(toy.spurious, SPURIOUS)


def _links(side: Entities, at: dict[str, int]) -> set[Link]:
    return {
        (one, other)
        for entity in side
        for one, other in combinations(sorted(entity, key=at.__getitem__), 2)
    }


def changes(before: Toy, after: Toy) -> Changes:
    """How the links changed from one toy to the next, whichever side was edited."""
    old, new = links_of(before), links_of(after)
    ends = {frozenset(link) for link in (*new.correct, *new.wrong)}
    return Changes(
        _new(new.correct, old.correct),
        _new(new.wrong, old.wrong),
        _new(new.missing, old.missing),
        tuple(link for link in old.wrong if frozenset(link) not in ends),
    )


def _new(now: tuple[Link, ...], before: tuple[Link, ...]) -> tuple[Link, ...]:
    known = {frozenset(link) for link in before}
    return tuple(link for link in now if frozenset(link) not in known)


def _sentence(links: tuple[Link, ...], one: str, several: str) -> str:
    if not links:
        return ""
    names = [f"{a}–{b}" for a, b in links]
    if len(names) > MOST_NAMED:
        names = [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"]
    *first, last = names
    listed = f"{', '.join(first)} and {last}" if first else last
    return f"{listed} {several if first else one}"
