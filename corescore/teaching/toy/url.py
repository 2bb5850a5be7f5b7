"""A toy as the query of a link, short and of characters that chats leave alone, and back.

Each of `t` (the sentence), `k` (the key) and `r` (the response) is written with letters, digits
and `.`, `-`, `_`. In sides, "." parts entities: `k=abc.de`; where a name has several letters, "-"
parts mentions: `k=a1-a2.b1`. In the sentence, "_" is a blank, and "-" and "." are the brackets.
Any other ASCII character is "~" and its number in hexadecimal; letters beyond ASCII are
percent-encoded. `m` is the metric that is looked at, `x` the exercise.
"""

import re
from collections.abc import Mapping
from urllib.parse import quote

from corescore.corpus.problems import InputError, Problem
from corescore.teaching.toy.toy import Entities, Toy

_SIGNS = {"[": "-", "]": ".", " ": "_"}
_MEANINGS = {sign: letter for letter, sign in _SIGNS.items()}
_LETTER = re.compile(r"~[0-9a-fA-F]{2}|.", re.DOTALL)


def address(toy: Toy, *, metric: str = "", exercise: str = "") -> str:
    """The part of a link after "?". A toy of 12 letters takes some 40 characters."""
    long = any(len(mention) > 1 for mention in toy.mentions)
    key, response = (_side(side, "-" if long else "") for side in (toy.key, toy.response))
    if long and "-" not in key + response:
        key += "-"  # no entity of several mentions tells that names are long
    values = {"t": _written(toy.text, _SIGNS), "k": key, "r": response, "m": metric, "x": exercise}
    kept = {name: value for name, value in values.items() if value or name in ("k", "r")}
    return "&".join(f"{name}={quote(value, safe='~')}" for name, value in kept.items())


def toy_of(params: Mapping[str, str]) -> Toy:
    """The toy of a query's parameters, decoded as a browser decodes them.

    Raises InputError where key or response is lacking, or where the link is damaged.
    """
    for name, side in (("k", "key"), ("r", "response")):
        if name not in params:
            raise _damaged(f"no {side}", f"'{name}=', the {side}")
    long = "-" in params["k"] + params["r"]
    text = " ".join(_read(params.get("t", ""), _MEANINGS).split())
    return Toy(_entities(params["k"], long=long), _entities(params["r"], long=long), text)


def _side(side: Entities, between: str) -> str:
    return ".".join(between.join(_written(mention, {}) for mention in e) for e in side)


def _written(text: str, signs: Mapping[str, str]) -> str:
    return "".join(signs.get(letter) or _escaped(letter, signs) for letter in text)


def _escaped(letter: str, signs: Mapping[str, str]) -> str:
    is_plain = letter.isalnum() or not letter.isascii() or (letter == "_" and not signs)
    return letter if is_plain else f"~{ord(letter):02x}"


def _entities(value: str, *, long: bool) -> Entities:
    """Empty entities and mentions, as at a "-" that only says that names are long, are left out."""
    entities = (
        [_read(mention, {}) for mention in (part.split("-") if long else _LETTER.findall(part))]
        for part in value.split(".")
    )
    named = (tuple(mention for mention in entity if mention) for entity in entities)
    return tuple(entity for entity in named if entity)


def _read(value: str, meanings: Mapping[str, str]) -> str:
    return "".join(_letter(sign, meanings) for sign in _LETTER.findall(value))


def _letter(sign: str, meanings: Mapping[str, str]) -> str:
    if sign == "~":
        raise _damaged("a '~' without two digits", "'~' and a character's number, such as ~2e")
    return chr(int(sign[1:], 16)) if sign[0] == "~" else meanings.get(sign, sign)


def _damaged(found: str, expected: str) -> InputError:
    return InputError([Problem("the link", 0, found, expected, "Copy the whole link again.")])
