"""Key and responses of a card as boxes of mentions → HTML, a row each; and the same, tiny."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from corescore.metrics import name_of
from corescore.rendering.templates import render
from corescore.sentences.verdicts import MARKS, Mark
from corescore.teaching.pitfalls.pitfall import Case, Pitfall
from corescore.teaching.pitfalls.scored import Scored
from corescore.teaching.toy.toy import Entities, Toy, notation
from corescore.wording import listed

_WHOLE = Mark("✓", "just as the key has it", "holds")
_DISPUTED = "what papers disagree on"  # a card that is about no metric
_AVERAGES = "averages"


@dataclass(frozen=True)
class Chip:
    """A mention; whether the key lacks it, and whether the one before it is of another key entity,
    which is said where A and B are marked."""

    name: str
    spurious: bool = False
    apart: bool = False


@dataclass(frozen=True)
class Box:
    """An entity of a side, and its mark where A and B are marked."""

    chips: Sequence[Chip]
    mark: Mark | None = None


@dataclass(frozen=True)
class Line:
    """One document on one side: its boxes, and the mentions that it lacks."""

    boxes: Sequence[Box]
    missing: Sequence[str] = ()


@dataclass(frozen=True)
class Side:
    """The key or a response, a line for each document, and its links in numbers."""

    name: str
    documents: Sequence[Line]
    style: str = "response"
    says: str = ""
    links: Sequence[tuple[Mark, int, str]] = ()


# Lines --------------------------------------------------------------------------------------------


def _plain(entities: Entities, toy: Toy | None = None) -> Line:
    spurious = toy.spurious if toy else ()
    boxes = [Box([Chip(name, name in spurious) for name in entity]) for entity in entities]
    return Line(boxes, toy.missing if toy else ())


def _marked(entities: Entities, toy: Toy) -> Line:
    return Line([_marked_box(entity, toy) for entity in entities], toy.missing)


def _marked_box(entity: Sequence[str], toy: Toy) -> Box:
    """The entity with a mark between neighbours that do not corefer."""
    of = {name: number for number, key_entity in enumerate(toy.key) for name in key_entity}
    chips = [Chip(entity[0], entity[0] not in of)]
    for before, name in pairwise(entity):
        same = name in of and before in of and of[name] == of[before]
        chips.append(Chip(name, name not in of, not same))
    return Box(chips, _mark_of(entity, toy, {of.get(name) for name in entity}))


def _mark_of(entity: Sequence[str], toy: Toy, of: set[int | None]) -> Mark:
    if len(of) > 1 or None in of:
        lone = len(entity) == 1
        return Mark("✗", "the key lacks it" if lone else "mentions that do not corefer", "fails")
    (number,) = of
    whole = toy.key[number or 0]
    if len(whole) == len(entity):
        return _WHOLE
    return Mark(f"{len(entity)} of {len(whole)}", "a part of an entity of the key", "partly")


def _links(output: Scored) -> list[tuple[Mark, int, str]]:
    return [
        (MARKS[True], len(output.correct), "correct"),
        (MARKS[False], len(output.wrong), "wrong"),
        (Mark("○", "missed", "partly"), len(output.missed), "missed"),
    ]


# A card, an exercise, a tile ----------------------------------------------------------------------


def _key(case: Case) -> Side:
    return Side("Key", [_plain(side) for side, _ in case.a.documents], "key")


def _response(output: Scored, says: str, *, marked: bool, name: str = "") -> Side:
    line = _marked if marked else _plain
    documents = zip(output.toys, output.documents, strict=True)
    lines = [line(response, toy) for toy, (_, response) in documents]
    links = _links(output) if marked else ()
    return Side(name or output.letter, lines, says=says, links=links)


def sides(pitfall: Pitfall, *, marked: bool, asked: bool = False) -> Markup:
    """Key and responses as boxes of mentions, one below the other; one response scored twice
    appears once.

    marked  whether A and B say what of them agrees with the key
    asked   whether only the question stands beside them, which leaves them more room
    """
    case = pitfall.case
    if pitfall.is_one_output:
        both = f"A: {pitfall.a.says}. B: {pitfall.b.says}."
        responses = [_response(case.a, both, marked=marked, name="A, B")]
    else:
        outputs = (case.a, pitfall.a), (case.b, pitfall.b)
        responses = [_response(output, of.says, marked=marked) for output, of in outputs]
    drawn = [_key(case), *responses]
    return render("pitfall_cards", "sides", sides=drawn, asked=asked)


def start(toy: Toy, says: str = "at the start") -> Markup:
    """Key and response of an exercise: those that it begins with, or others that `says` tells."""
    response = Side("Response", [_plain(toy.response, toy)], says=says)
    both = [Side("Key", [_plain(toy.key)], "key"), response]
    return render("pitfall_cards", "sides", sides=both, asked=False)


def tile(pitfall: Pitfall) -> Markup:
    """Key and responses, tiny, for the gallery."""
    case = pitfall.case
    named = {"A, B": case.a} if pitfall.is_one_output else {"A": case.a, "B": case.b}
    drawn = [_key(case)]
    for name, output in named.items():
        drawn.append(Side(name, [_plain(response) for _, response in output.documents]))
    spoken = " ".join(_notations(case))
    return render("pitfall_cards", "tile", spoken=spoken, sides=drawn, about=_about(pitfall))


def _about(pitfall: Pitfall) -> str:
    if pitfall.about:
        return listed(name_of(metric) for metric in pitfall.about)
    if pitfall.measure == "macro":
        return _AVERAGES
    return _DISPUTED if pitfall.positions else pitfall.criterion.name


def _notations(case: Case) -> Iterator[str]:
    """Key and responses in brace notation."""
    yield f"Key: {'; '.join(notation(side) for side, _ in case.a.documents)}."
    for output in (case.a, case.b):
        yield f"{output.letter}: {'; '.join(toy.response_notation for toy in output.toys)}."
