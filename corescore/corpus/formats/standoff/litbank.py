"""LitBank's tab files: `x.ann` with a row a mention, by sentence and word of the text `x.txt`.

    MENTION<tab>T1<tab>0<tab>0<tab>0<tab>1<tab>Mia Moss<tab>PER<tab>PROP    both words inclusive
    COREF<tab>T1<tab>Mia-1                                                  the entity of a mention

The text has a sentence a line, words between blanks; both count from 0. Mentions without a COREF
row are entities of their own, as in LitBank's own CoNLL files; the links COP and APPOS are not
coreference there and are counted in a warning.

Source: https://github.com/dbamman/litbank
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.packed import in_lines
from corescore.corpus.formats.standoff.pairs import Pair, alone, pair_of, quoted, with_ending
from corescore.corpus.mentions import Attributes
from corescore.corpus.problems import Problem, Problems
from corescore.wording import counted

_FIRST = re.compile(r"MENTION\t\S+(\t\d+){4}\t|COREF\tT\d+\t\S")
_LINKS = ("COP", "APPOS")


@dataclass(frozen=True)
class _Mention:
    """A MENTION row: words of the document, half-open."""

    id: str
    start: int
    end: int
    entity_type: str
    mention_type: str


class _Reader:
    """The rows of one file on the words of its text."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        text = pair.second.removeprefix("\ufeff").removesuffix("\n")
        self.sentences = [line.split() for line in in_lines(text).split("\n")]
        self.words = [word for sentence in self.sentences for word in sentence]
        self.starts = [0, *accumulate(map(len, self.sentences))]
        self.mentions: dict[str, _Mention] = {}
        self.entities: dict[str, tuple[int, str]] = {}
        self.links = 0
        self.problems = Problems()

    def read(self) -> None:
        for number, line in enumerate(self.pair.first.removeprefix("\ufeff").split("\n"), start=1):
            match line.split("\t"):
                case ["MENTION", name, *places, text, entity_type, mention_type] if (
                    len(places) == 4
                ):
                    self._mention(number, name, places, text, (entity_type, mention_type))
                case ["COREF", name, entity] if entity.strip():
                    if name in self.entities:
                        self._refuse(number, f"a second entity of {name}", "one entity a mention")
                    self.entities[name] = number, entity
                case [link, _, _] if link in _LINKS:
                    self.links += 1
                case cells if any(map(str.strip, cells)):
                    self._refuse(number, f"'{line[:40]}'", "MENTION, COREF, COP or APPOS")
        for name, (number, _) in self.entities.items():
            if name not in self.mentions and not self.problems:
                self._refuse(number, f"a COREF row for {name}", "a MENTION row for it")

    def _mention(
        self, number: int, name: str, places: list[str], text: str, types: tuple[str, str]
    ) -> None:
        if name in self.mentions:
            self._refuse(number, f"a second mention {name}", "each id once")
        if span := self._span(number, places, text):
            self.mentions[name] = _Mention(name, *span, *types)

    def _refuse(self, line: int, found: str, expected: str, advice: str = "Fix the row.") -> None:
        self.problems.add(Problem(self.pair.file, line, found, expected, advice))

    def _span(self, number: int, places: list[str], text: str) -> tuple[int, int] | None:
        """The words of a MENTION row, if its text stands there."""
        first, last = self._position(*places[:2]), self._position(*places[2:])
        covered = self.words[first : last + 1] if first is not None and last is not None else []
        if first is None or last is None or not covered or text.split() != covered:
            found = f"{quoted(text)} at {'.'.join(places[:2])} to {'.'.join(places[2:])}"
            expected = f"sentences and words of {self.pair.other}, counted from 0"
            stands = f" (there stands {quoted(' '.join(covered))})" if covered else ""
            self._refuse(number, found + stands, expected, "Take the text that was annotated.")
            return None
        return first, last + 1  # inclusive → half-open

    def _position(self, sentence: str, word: str) -> int | None:
        if not all(place.isdecimal() and len(place) < 12 for place in (sentence, word)):
            return None
        at, of = int(word), int(sentence)
        if of >= len(self.sentences) or at >= len(self.sentences[of]):
            return None
        return self.starts[of] + at

    def document(self) -> Document:
        mentions = list(self.mentions.values())
        return Document.of_rows(
            self.pair.name,
            [(m.start, m.end, self._entity(m)) for m in mentions],
            words=self.words,
            sentence_starts=[
                start
                for start, sentence in zip(self.starts, self.sentences, strict=False)
                if sentence
            ],
            file=self.pair.file,
            attributes=Attributes.of(
                len(mentions),
                entity_type=[mention.entity_type for mention in mentions],
                mention_type=[mention.mention_type for mention in mentions],
            ),
        )

    def _entity(self, mention: _Mention) -> tuple[str, bool]:
        """The name of its entity, or its own id; True if it is an entity."""
        named = self.entities.get(mention.id)
        return (named[1], True) if named else (mention.id, False)

    def warnings(self) -> Iterator[str]:
        if self.links:
            number = counted(self.links, "link")
            yield f"{self.pair.file}: {number} of copula and apposition not read as coreference"


def read_litbank(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
    """The document of a pair of files; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    reader = _Reader(pair_of(texts, place, ".ann", ".txt"))
    reader.read()
    reader.problems.refuse()
    return Corpus((reader.document(),), reader.pair.file, tuple(reader.warnings()))


def fits_litbank(text: str) -> bool:
    """Whether the first line is a MENTION or COREF row."""
    return _FIRST.match(text.lstrip("\ufeff\r\n ")) is not None


def _read_alone(text: str, file: str, side: str) -> Corpus:
    return read_litbank(*alone(text, file), side)


LITBANK = Format(
    id="litbank",
    title="LitBank tab files (.ann with .txt)",
    suffixes=(".ann",),
    fits=fits_litbank,
    read=_read_alone,
    beside=with_ending(".ann", ".txt"),
    read_files=read_litbank,
)
