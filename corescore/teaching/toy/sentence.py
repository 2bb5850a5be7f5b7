"""A sentence with its mentions in brackets: `[a Mia] lost [b [a2 her] keys]`."""

import re
from dataclasses import dataclass
from typing import Never

from corescore.corpus.mentions import Mention
from corescore.corpus.problems import InputError, Problem

LONGEST = 400
_TOKEN = re.compile(r"\[|\]|[^\s\[\]]+")


@dataclass(frozen=True)
class Sentence:
    """The words, and the place of each mention by its name, in text order."""

    words: tuple[str, ...]
    mentions: dict[str, Mention]

    def said(self, name: str) -> str:
        """The words of a mention; empty if the sentence lacks it."""
        place = self.mentions.get(name)
        return " ".join(self.words[place.start : place.end]) if place else ""


def read_sentence(text: str) -> Sentence:
    """A sentence from text with nested brackets, each with a name followed by words.

    Raises InputError for a bracket that does not close or open, one without name or words, a name
    used twice, and over 400 characters.
    """
    words: list[str] = []
    mentions: dict[str, Mention] = {}
    waiting: list[tuple[str, int]] = []
    tokens = iter(_TOKEN.findall(_checked(text)))
    for token in tokens:
        if token == "[":
            waiting.append((_name(next(tokens, "]"), mentions, waiting), len(words)))
        elif token == "]":
            name, start = waiting.pop() if waiting else _refuse("a ']' that closes nothing")
            mentions[name] = Mention(start, len(words))
            if start == len(words):
                _refuse(f"the mention '{name}' without words")
        else:
            words.append(token)
    if waiting:
        _refuse(f"a '[' that is not closed, before '{waiting[-1][0]}'")
    return Sentence(tuple(words), dict(sorted(mentions.items(), key=_by_place)))


def _checked(text: str) -> str:
    if len(text) > LONGEST:
        _refuse(f"{len(text)} characters", f"at most {LONGEST}")
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        _refuse("half a character (a lone surrogate)")
    return text


def _name(token: str, known: dict[str, Mention], waiting: list[tuple[str, int]]) -> str:
    if token in "[]":
        _refuse("a '[' without the name of a mention after it")
    if token in known or token in dict(waiting):
        _refuse(f"the mention '{token}' twice")
    return token


def _by_place(item: tuple[str, Mention]) -> tuple[int, int]:
    return item[1].start, -item[1].end


def _refuse(found: str, expected: str = "mentions such as [a Mia] or [b [a2 her] keys]") -> Never:
    raise InputError([Problem("the sentence", 0, found, expected, "Fix the sentence.")])
