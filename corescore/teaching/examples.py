"""Named toys: the examples of the papers, the first with a sentence of ours."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_lowercase
from urllib.parse import quote

from corescore.bibliography import LUO_2014, MOOSAVI_2016, PRADHAN_2014, RECASENS_2011
from corescore.corpus.documents import Corpus, Document
from corescore.corpus.files import WRITTEN
from corescore.corpus.problems import InputError, choose, refusal
from corescore.replication.experiment import Parameter
from corescore.replication.luo2014 import EXAMPLES as LUO_EXAMPLES
from corescore.replication.luo2014 import PARTING
from corescore.replication.partitions import Pair, of_sizes
from corescore.replication.pradhan2014 import TOY
from corescore.replication.recasens2011.toys import (
    FIGURE_1_TOY,
    KEY,
    RESPONSES,
    SYSTEMS,
    eight_systems,
)
from corescore.teaching.toy import Entities, Toy, entities_of

_SINGLETONS = 8  # of the eight systems: the paper's 61 would not fit into a toy


@dataclass(frozen=True)
class Example:
    """A toy, what it shows, and its source."""

    title: str
    source: str
    toy: Toy

    @property
    def name(self) -> str:
        """Source and title; unique."""
        return f"{self.source}: {self.title}"


# Fits the mentions of the worked example; the response lacks e, and h and i are spurious.
SENTENCE = (
    "[a Mia] gave [d Tom] [b her] old bike because [e he] had lost [f his] own ; [h it] rained , "
    "and [c she] told [g him] so [i twice] ."
)


def _of_pair(pair: Pair) -> Toy:
    """A toy from partitions of numbers from 0; the mentions are letters."""
    key, response = (
        tuple(tuple(ascii_lowercase[mention] for mention in entity) for entity in side)
        for side in pair
    )
    return Toy(key, response)


def _of_parameters(parameters: tuple[Parameter, Parameter], text: str = "") -> Toy:
    key, response = (str(parameter.default) for parameter in parameters)
    return Toy.of(key, response, text)


_EIGHT = of_sizes([8])

_HALVES = of_sizes([4, 4])

_LUO_TITLES = (
    "a new mention and a missed one",
    "one singleton each, another",
    "three singletons each",
    "a mention missed",
)

_LUO_2005 = {
    "a": "a small entity merged with a large one",
    "b": "the two large entities merged",
    "c": "everything merged",
    "d": "everything apart",
}

EXAMPLES = (
    Example(
        "worked example",
        PRADHAN_2014.at("with a sentence of ours"),
        _of_parameters(TOY, SENTENCE),
    ),
    Example(
        "cr1, an entity in two halves",
        MOOSAVI_2016.at("Table 3"),
        _of_pair((_EIGHT, _HALVES)),
    ),
    Example(
        "cr2, one half of it",
        MOOSAVI_2016.at("Table 3"),
        _of_pair((_EIGHT, _HALVES[:1])),
    ),
    Example(
        "fourteen mentions",
        RECASENS_2011.at("Figure 1"),
        _of_parameters(FIGURE_1_TOY),
    ),
    *(
        Example(
            f"response {letter}, {about}",
            RECASENS_2011.at("Table 1"),
            _of_pair((KEY, RESPONSES[letter])),
        )
        for letter, about in _LUO_2005.items()
    ),
    *(
        Example(
            f"system {letter}, {about}",
            RECASENS_2011.at(f"Tables 8 to 11 with {_SINGLETONS} singletons"),
            _of_pair(pair),
        )
        for (letter, about), pair in zip(SYSTEMS.items(), eight_systems(_SINGLETONS), strict=True)
    ),
    *(
        Example(about, LUO_2014.at("toy examples"), Toy.of(*example))
        for about, example in zip(_LUO_TITLES, LUO_EXAMPLES, strict=True)
    ),
    Example(
        "where two BLANCs part",
        LUO_2014.at("boundary cases"),
        Toy.of(*PARTING),
    ),
)

# A toy as files that score the same, and as the query of a link -----------------------------------
# The query is short, and of characters that chats leave alone. `t` (the sentence), `k` (the key)
# and `r` (the response) are written with letters, digits and `.`, `-`, `_`. In sides, "." separates
# entities: `k=abc.de`; where a name has several letters, "-" separates mentions: `k=a1-a2.b1`. In
# the sentence, "_" is a blank, and "-" and "." are the brackets. Any other ASCII character is "~"
# and its number in hexadecimal; letters beyond ASCII are percent-encoded. `m` is the metric shown,
# `x` the exercise.

_SIGNS = {"[": "-", "]": ".", " ": "_"}

_MEANINGS = {sign: letter for letter, sign in _SIGNS.items()}

_LETTER = re.compile(r"~[0-9a-fA-F]{2}|.", re.DOTALL)


def query_of(toy: Toy, *, metric: str = "", exercise: str = "") -> str:
    """The part of a link after "?"; about 40 characters for a toy of 12 letters."""
    long = any(len(mention) > 1 for mention in toy.mentions)
    key, response = (_side(side, "-" if long else "") for side in (toy.key, toy.response))
    if long and "-" not in key + response:
        key += "-"  # shows that names are long where no entity has several mentions
    values = {"t": _in_url(toy.text, _SIGNS), "k": key, "r": response, "m": metric, "x": exercise}
    kept = {name: value for name, value in values.items() if value or name in ("k", "r")}
    return "&".join(f"{name}={quote(value, safe='~')}" for name, value in kept.items())


def toy_of(params: Mapping[str, str]) -> Toy:
    """The toy of a query's parameters, already percent-decoded.

    Raises InputError if key or response is missing or the link is damaged.
    """
    for name, side in (("k", "key"), ("r", "response")):
        if name not in params:
            raise _damaged(f"no {side}", f"'{name}=', the {side}")
    long = "-" in params["k"] + params["r"]
    text = " ".join(_unescaped(params.get("t", ""), _MEANINGS).split())
    return Toy(
        _entities_in_link(params["k"], long=long), _entities_in_link(params["r"], long=long), text
    )


def _side(side: Entities, between: str) -> str:
    return ".".join(between.join(_in_url(mention, {}) for mention in e) for e in side)


def _in_url(text: str, signs: Mapping[str, str]) -> str:
    return "".join(signs.get(letter) or _escaped(letter, signs) for letter in text)


def _escaped(letter: str, signs: Mapping[str, str]) -> str:
    is_plain = letter.isalnum() or not letter.isascii() or (letter == "_" and not signs)
    return letter if is_plain else f"~{ord(letter):02x}"


def _entities_in_link(value: str, *, long: bool) -> Entities:
    """Empty entities and mentions, such as after the "-" that shows long names, are left out."""
    entities = (
        [
            _unescaped(mention, {})
            for mention in (part.split("-") if long else _LETTER.findall(part))
        ]
        for part in value.split(".")
    )
    named = (tuple(mention for mention in entity if mention) for entity in entities)
    return tuple(entity for entity in named if entity)


def _unescaped(value: str, meanings: Mapping[str, str]) -> str:
    return "".join(_letter(sign, meanings) for sign in _LETTER.findall(value))


def _letter(sign: str, meanings: Mapping[str, str]) -> str:
    if sign == "~":
        raise _damaged("a '~' without two digits", "'~' and a character's number, such as ~2e")
    return chr(int(sign[1:], 16)) if sign[0] == "~" else meanings.get(sign, sign)


def _damaged(problem: str, expected: str) -> InputError:
    return refusal("the link", problem, expected, "Copy the whole link again.")


# Files --------------------------------------------------------------------------------------------


def file_text(toy: Toy, *, side: str, format: str) -> str:
    """One side as the text of a file in "conll", "jsonl" or "notation".

    The words are those of the sentence if every mention has its own place in it, else the names
    of the mentions, as always in notation. Raises PolicyError for an
    unknown side or format, InputError for a name that the format cannot hold.
    """
    known = {entry.id: entry for entry in WRITTEN}
    file_format = known[choose("format", format, known)]
    document = _file_document(toy, entities_of(toy, side), named=format == "notation")
    return file_format.text(Corpus((document,)))


def _file_document(toy: Toy, entities: Entities, *, named: bool) -> Document:
    places = {name: (at, at + 1) for at, name in enumerate(toy.mentions)}
    words = toy.mentions
    if not named and _is_whole(toy):
        places = {name: (m.start, m.end) for name, m in toy.sentence.mentions.items()}
        words = toy.sentence.words
    rows = [(*places[name], number) for number, entity in enumerate(entities) for name in entity]
    return Document.of_rows("toy", rows, words=words, named_mentions=named)


def _is_whole(toy: Toy) -> bool:
    """Whether the sentence has a place of its own for every mention."""
    places = toy.sentence.mentions
    return all(name in places for name in toy.mentions) and len({*places.values()}) == len(places)
