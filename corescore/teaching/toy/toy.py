"""A toy: a small key and response, with or without a sentence."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from corescore.corpus.documents import Document
from corescore.corpus.formats.format import unwritable
from corescore.corpus.formats.notation import in_braces, read_notation
from corescore.corpus.problems import InputError, Problem
from corescore.replication.toys import Pair
from corescore.scoring.scores import Scores, score_entities
from corescore.teaching.toy.sentence import Sentence, read_sentence

Entities = tuple[tuple[str, ...], ...]
MOST_MENTIONS = 40
LONGEST_NAME = 20
SIDES = ("key", "response")


@dataclass(frozen=True)
class Toy:
    """A key and a response of at most 40 mentions in all, each a name, in entities.

    key, response   the entities in order, each its mentions in order
    text            a sentence, in one line, in which mentions stand in brackets, each after its
                    name: `[a Mia] lost [b [a2 her] keys]`; empty if there is none. It may lack
                    mentions of the toy, and have mentions that neither side has.

    Raises InputError for a mention listed twice on one side, more than 40 mentions, a name that
    braces cannot hold or of over 20 letters, and a sentence that cannot be read.
    """

    key: Entities
    response: Entities
    text: str = ""

    def __post_init__(self) -> None:
        problems = [*_side_problems("key", self.key), *_side_problems("response", self.response)]
        if len(self.mentions) > MOST_MENTIONS:
            found, expected = f"{len(self.mentions)} mentions", f"at most {MOST_MENTIONS}"
            problems.append(Problem("the toy", 0, found, expected, "Leave some out."))
        if problems:
            raise InputError(problems)
        self.sentence  # noqa: B018  raises here if the sentence cannot be read

    @classmethod
    def of(cls, key: str, response: str, text: str = "") -> "Toy":
        """From brace notation: `{abc}{de}` or `{a b c} {d e}`.

        Both sides are read in the same way: if one has names of several letters, `{abc}` is a
        single mention on the other too.
        """
        # A blank line would be skipped: an empty entity keeps it, and is itself left out.
        lines = ["{}" + " ".join(side.split()) for side in (key, response)]
        sides = _read_apart(lines)
        if any(len(mention) > 1 for side in sides for entity in side for mention in entity):
            sides = [*map(_entities, read_notation("\n".join(lines), "the toy", any_name=True))]
        return cls(sides[0], sides[1], " ".join(text.split()))

    @cached_property
    def sentence(self) -> Sentence:
        """The words of the text, and the place of each mention."""
        return read_sentence(self.text)

    @cached_property
    def mentions(self) -> tuple[str, ...]:
        """The mentions of both sides, the key's first, each once."""
        sides = (*self.key, *self.response)
        return tuple(dict.fromkeys(mention for entity in sides for mention in entity))

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """The mentions of the key that the response lacks."""
        return _lacking(self.key, self.response)

    @cached_property
    def spurious(self) -> tuple[str, ...]:
        """The mentions of the response that the key lacks."""
        return _lacking(self.response, self.key)

    @cached_property
    def result(self) -> Scores:
        """The scores by all metrics and diagnostics."""
        return score_entities(self.key, self.response)

    @cached_property
    def pair(self) -> Pair:
        """Both sides as partitions of numbers: positions in `mentions`."""
        at = {mention: number for number, mention in enumerate(self.mentions)}
        key, response = (
            [[at[m] for m in entity] for entity in side] for side in (self.key, self.response)
        )
        return key, response

    @property
    def key_notation(self) -> str:
        """The key in braces, as `Toy.of` reads it together with `response_notation`."""
        return notation(self.key)

    @property
    def response_notation(self) -> str:
        """The response in braces, as `Toy.of` reads it together with `key_notation`."""
        return notation(self.response)

    def with_side(self, side: str, entities: Iterable[Iterable[str]]) -> "Toy":
        """The same with another key or response; entities without a mention are left out."""
        every = (tuple(entity) for entity in entities)
        kept = tuple(entity for entity in every if entity)
        return replace(self, key=kept) if side == "key" else replace(self, response=kept)


def notation(side: Entities) -> str:
    """`{a b} {c}`, and `{}` where there is no entity."""
    return in_braces(_document(side), any_name=True)


def _document(side: Entities) -> Document:
    names = [mention for entity in side for mention in entity]
    at = {name: number for number, name in enumerate(names)}
    rows = [(at[name], at[name] + 1, n) for n, entity in enumerate(side) for name in entity]
    return Document.of_rows("toy", rows, words=names, named_mentions=True)


def _read_apart(lines: Iterable[str]) -> list[Entities]:
    """Each side on its own. Raises InputError with the problems of both."""
    sides: list[Entities] = []
    errors: list[InputError] = []
    for side, line in zip(SIDES, lines, strict=True):
        try:
            sides += map(_entities, read_notation(line, f"the {side}", any_name=True))
        except InputError as error:
            errors.append(InputError(replace(problem, line=0) for problem in error.problems))
    if errors:
        raise InputError.of(errors)
    return sides


def _entities(document: Document) -> Entities:
    return tuple(tuple(document.text(m) for m in entity) for entity in document.entities)


def _lacking(own: Entities, other: Entities) -> tuple[str, ...]:
    there = {mention for entity in other for mention in entity}
    return tuple(mention for entity in own for mention in entity if mention not in there)


# What is wrong with a toy -------------------------------------------------------------------------


def _side_problems(side: str, entities: Entities) -> Iterable[Problem]:
    names = Counter(mention for entity in entities for mention in entity)
    for name, times in names.items():
        if found := next((what for what, is_so in _WRONG.items() if is_so(name)), ""):
            expected = f"1 to {LONGEST_NAME} letters without blanks, commas and braces"
            yield Problem(f"the {side}", 0, f"{name[:40]!r}, {found}", expected, "Rename it.")
        if times > 1:
            found, advice = f"the mention '{name[:40]}' {times} times", "Take out all but one."
            yield Problem(f"the {side}", 0, found, "each mention once", advice)


_WRONG: dict[str, Callable[[str], bool]] = {
    "a mention without a name": lambda name: not name,
    "a mention with too long a name": lambda name: len(name) > LONGEST_NAME,
    "a mention whose name braces cannot hold": lambda name: bool(re.search(r"[\s,{}]", name)),
    "a mention whose name is no text": lambda name: bool(
        [*unwritable(Document.of_rows("toy", (), words=(name,)))]
    ),
}
