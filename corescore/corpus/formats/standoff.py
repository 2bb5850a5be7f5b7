"""Mentions given by character positions, as mentions of words.

A file of mentions and the file of its text, and what is said where that is missing.

Entities out of links between two mentions each.

brat standoff: `x.ann` with a mention a line, by character positions of the plain text `x.txt`.

    T1<tab>Person 0 3<tab>Mia             half-open characters; `0 3;5 8` is discontinuous
    R1<tab>Coref Arg1:T1 Arg2:T2          a link; `*<tab>Equiv T1 T2 T3` links several

Every T line is a mention, but for the triggers of events; one that nothing links is an entity of
its own. Lost: other relations, events, attributes, notes (other relations are counted in a
warning). LitBank's own use is read as well: there a second T line on the same characters names
the entity (`Mia-1`), and the type of the first is of mention and entity (`PROP_PER`).

Source: https://brat.nlplab.org/standoff.html

LitBank's tab files: `x.ann` with a row a mention, by sentence and word of the text `x.txt`.

    MENTION<tab>T1<tab>0<tab>0<tab>0<tab>1<tab>Mia Moss<tab>PER<tab>PROP    both words inclusive
    COREF<tab>T1<tab>Mia-1                                                  the entity of a mention

The text has a sentence a line, words between blanks; both count from 0. Mentions without a COREF
row are entities of their own, as in LitBank's own CoNLL files; the links COP and APPOS are not
coreference there and are counted in a warning.

Source: https://github.com/dbamman/litbank
"""

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Any, TypeVar

from corescore.corpus.documents import Attributes, Corpus, Document, Mention, Pieces
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.marked_text import tokens_of
from corescore.corpus.packed import in_lines
from corescore.corpus.problems import InputError, Problem, Problems
from corescore.wording import counted

Name = TypeVar("Name", bound=Hashable)

_LONG = 80


@dataclass(frozen=True)
class Pair:
    """A file of mentions and the file of its text.

    name   of the document: the path of the first file without its ending
    file   the path of the first file, for messages; `first` is its text, with LF after each line
    other  the path of the second file; `second` is its text, as character offsets count it
    """

    name: str
    file: str
    first: str
    other: str
    second: str


def with_ending(
    ending: str, *others: str, folders: tuple[str, ...] = ("",)
) -> Callable[[str], tuple[tuple[str, ...], ...]]:
    """For `Format.beside`: a file of this ending is read with those of the same name up to there.

    The others are in one of the folders. Each file may be gzipped.
    """

    def beside(name: str) -> tuple[tuple[str, ...], ...]:
        plain = posixpath.basename(name).removesuffix(".gz")
        if not plain.endswith(ending) or plain == ending:
            return ()
        stem = plain.removesuffix(ending)
        return tuple(
            tuple(folder + stem + other + gz for folder in folders for gz in ("", ".gz"))
            for other in others
        )

    return beside


def stem_of(name: str, ending: str) -> str:
    """A path without the ending of its format."""
    return name.removesuffix(".gz").removesuffix(ending)


def pair_of(texts: Mapping[str, str], place: str, ending: str, other: str) -> Pair:
    """The two files of a format, as `Format.read_files` is given them.

    Raises InputError where the second is missing, with the name that it should have.
    """
    (name, first), *rest = texts.items()
    stem, file = stem_of(name, ending), path_in(place, name)
    for second_name, second in rest:
        if second_name.removesuffix(".gz").endswith(other):
            return Pair(stem, file, in_lines(first), path_in(place, second_name), second)
    expected = f"'{posixpath.basename(stem)}{other}', the file of its words, beside it"
    advice = "Put both files into one folder, or into one zip archive to upload them."
    raise InputError([Problem(file, 0, "mentions without their words", expected, advice)])


def alone(text: str, file: str) -> tuple[dict[str, str], str]:
    """A single file as the arguments `texts` and `place` of `Format.read_files`."""
    place, name = posixpath.split(file)
    return {name: text}, place


def path_in(place: str, name: str) -> str:
    """The path of a file of a folder, for messages."""
    return posixpath.normpath(f"{place}/{name}") if place else name


def quoted(text: str) -> str:
    """Text in quotes on one line; of a long one the start and the end."""
    line = " ".join(text.split())
    return f"'{line}'" if len(line) <= _LONG else f"'{line[: _LONG // 2]} … {line[-_LONG // 2 :]}'"


class Offsets:
    """The words of a plain text, and mentions on them out of character positions.

    Where a mention begins or ends within a word it takes the whole word; `widened` has each of
    these mentions in words, and `warnings` tells how many they are.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.widened: list[str] = []

    @property
    def sentence_starts(self) -> list[int]:
        """The first word of each line that has one."""
        line_starts = accumulate(len(line) for line in self.text.splitlines(keepends=True))
        firsts = [self.tokens.covering(start, len(self.text)) for start in (0, *line_starts)]
        return sorted({first for first, _ in filter(None, firsts)})

    @property
    def sentences(self) -> list[tuple[str, ...]]:
        """The words of each line that has some."""
        starts = [*self.sentence_starts, len(self.tokens.words)]
        return [self.tokens.words[start:end] for start, end in pairwise(starts)]

    def mention(self, spans: Iterable[tuple[int, int]]) -> Mention | None:
        """The words that half-open spans of characters cover; None if there is none."""
        spans = list(spans)
        found = [self.tokens.covering(*span) for span in spans]
        runs = joined_runs(run for run in found if run)
        if not runs:
            return None
        if any(self.tokens.cuts(*span) for span in spans):
            written = " … ".join(self.text[start:end] for start, end in spans)
            words = " … ".join(" ".join(self.tokens.words[s:e]) for s, e in runs)
            self.widened.append(f"{quoted(written)} became {quoted(words)}")
        return Mention(runs[0][0], runs[-1][1], runs if len(runs) > 1 else ())

    def warnings(self, file: str) -> Iterator[str]:
        """That mentions were widened, if they were."""
        return widened_warnings(file, self.widened)


def widened_warnings(file: str, widened: Sequence[str]) -> Iterator[str]:
    """How many mentions were widened, with an example; nothing if none was."""
    if widened:
        number = counted(len(widened), "mention")
        yield f"{file}: {number} cut a word and took the whole of it: {widened[0]}"


def joined_runs(runs: Iterable[tuple[int, int]]) -> Pieces:
    """Half-open runs of words ascending, those joined that touch or overlap."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(runs):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)


def run_of(position: Mapping[Name, int], first: Name, last: Name) -> tuple[int, int] | None:
    """From the first to the last word, half-open; None if one is not there or they are swapped."""
    start, end = position.get(first, -1), position.get(last, -1)
    return (start, end + 1) if 0 <= start <= end else None


@dataclass(frozen=True)
class Found:
    """A mention: its words in pieces, ascending, its entity, and what a file says of it."""

    runs: Pieces
    entity: Hashable
    entity_type: str = ""
    mention_type: str = ""
    minimum: tuple[int, int] = (-1, -1)


def document_of(
    name: str,
    file: str,
    words: Sequence[str],
    sentence_starts: Sequence[int],
    found: Sequence[Found],
    **more: Any,
) -> Document:
    """The document with these mentions; `more` as in `Document.of_rows`."""
    return Document.of_rows(
        name,
        [(one.runs[0][0], one.runs[-1][1], one.entity) for one in found],
        words=words,
        sentence_starts=sentence_starts,
        file=file,
        attributes=Attributes.of(
            len(found),
            minimum=[one.minimum for one in found],
            pieces=[one.runs if len(one.runs) > 1 else () for one in found],
            entity_type=[one.entity_type for one in found],
            mention_type=[one.mention_type for one in found],
        ),
        **more,
    )


def linked(names: Iterable[Name], links: Iterable[tuple[Name, Name]]) -> dict[Name, Name]:
    """For each mention the one that stands for its entity, the same for all that are linked."""
    parent = {name: name for name in names}

    def top(name: Name) -> Name:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for first, second in links:
        parent[top(second)] = top(first)
    return {name: top(name) for name in parent}


_MENTION = re.compile(r"(T\w+)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?", re.ASCII)

_RELATION = re.compile(r"(R\w+)\t(\S+) \w+:(\S+) \w+:(\S+)\s*", re.ASCII)

_SAME = re.compile(r"\*\t(\S+)((?: T\w+)+)\s*", re.ASCII)

_EVENT = re.compile(r"E\w+\t\S+?:(T\w+)", re.ASCII)

_OTHER = re.compile(r"[#ANM]\S*\t", re.ASCII)

_COREFERENCE = re.compile(r"co-?ref|anaph|ident|same|equiv", re.IGNORECASE)

_LITBANK_MENTION = re.compile(r"(NOM|PRON|PROP)_([A-Z]+)")

_LITBANK_ENTITY = re.compile(r".+-\d+")

_MOST_DIGITS = 12  # no text has as many characters, and Python refuses to read far longer numbers


@dataclass(frozen=True)
class _Line:
    """A T line: a span of characters with a type."""

    id: str
    type: str
    spans: tuple[tuple[int, int], ...]
    text: str | None
    line: int


@dataclass
class _Annotations:
    """What the lines of a file say."""

    spans: dict[str, _Line] = field(default_factory=dict)
    links: list[tuple[int, str, str]] = field(default_factory=list)
    triggers: set[str] = field(default_factory=set)
    others: Counter[str] = field(default_factory=Counter)


def read_brat(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
    """The document of a pair of files; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    pair = pair_of(texts, place, ".ann", ".txt")
    problems = Problems()
    found = _annotations(pair, problems)
    text = _text_meant(pair.second, found)
    problems.extend(_elsewhere(pair, found, text))
    problems.refuse()
    offsets = Offsets(text)
    mentions = _mentions(pair, found, offsets)
    document = _document(pair, found, offsets, mentions)
    return Corpus((document,), pair.file, (*offsets.warnings(pair.file), *_warnings(pair, found)))


# Lines -------------------------------------------------------------------------------------------


def _annotations(pair: Pair, problems: Problems) -> _Annotations:
    found = _Annotations()
    for number, line in enumerate(pair.first.lstrip("\ufeff").split("\n"), start=1):
        if line.strip() and not _take(found, line, number):
            expected = "a line of brat standoff, such as 'T1<tab>Person 0 3<tab>Mia'"
            cut = f"'{line[:40]}'"
            problems.add(Problem(pair.file, number, cut, expected, "Fix the line."))
    problems.extend(_dangling(pair, found))
    return found


def _dangling(pair: Pair, found: _Annotations) -> Iterator[Problem]:
    """Links to lines that are not there. Those between events are counted, not read."""
    for number, *ends in found.links:
        for end in ends:
            if end not in found.spans and end[0] == "T":
                message = f"a link to {end}, which is nowhere"
                expected, advice = "a T line of the file", "Add the line."
                yield Problem(pair.file, number, message, expected, advice)
    between = [link for link in found.links if found.spans.keys() >= {*link[1:]}]
    if len(between) < len(found.links):
        found.others["coreference of events"] += len(found.links) - len(between)
        found.links = between


def _take(found: _Annotations, line: str, number: int) -> bool:
    """Note what a line says; whether it is one of brat's."""
    if match := _MENTION.fullmatch(line):
        return _take_mention(found, match, number)
    if match := _RELATION.fullmatch(line):
        _, kind, first, second = match.groups()
        if _COREFERENCE.match(kind):
            found.links.append((number, first, second))
        else:
            found.others[kind] += 1
    elif match := _SAME.fullmatch(line):
        first, *rest = match[2].split()
        found.links += [(number, first, other) for other in rest]
    elif match := _EVENT.match(line):
        found.triggers.add(match[1])
    else:
        return _OTHER.match(line) is not None
    return True


def _take_mention(found: _Annotations, match: re.Match[str], number: int) -> bool:
    name, kind, numbers, text = match.groups()
    if name in found.spans or any(len(one) > _MOST_DIGITS for one in re.split("[ ;]", numbers)):
        return False
    spans = tuple((int(start), int(end)) for start, end in map(str.split, numbers.split(";")))
    found.spans[name] = _Line(name, kind, spans, text, number)
    return True


# The text ----------------------------------------------------------------------------------------


def _text_meant(text: str, found: _Annotations) -> str:
    """The text as the annotations count it: some tools count CR LF as one, or leave out a mark.

    The first reading on which all mentions stand where they say; else the text as it is.
    """
    plain = text.removeprefix("\ufeff")
    readings = (text, in_lines(text), plain, in_lines(plain))
    fitting = (one for one in readings if all(_stands(line, one) for line in found.spans.values()))
    return next(fitting, text)


def _stands(line: _Line, text: str) -> bool:
    if any(not 0 <= start < end <= len(text) for start, end in line.spans):
        return False
    covered = " ".join(text[start:end] for start, end in line.spans)
    return line.text is None or line.text.split() == covered.split()


def _elsewhere(pair: Pair, found: _Annotations, text: str) -> Iterator[Problem]:
    """The mentions that do not stand where they say."""
    for line in found.spans.values():
        if not _stands(line, text):
            places = ";".join(f"{start} {end}" for start, end in line.spans[:3])
            covered = " ".join(text[start:end] for start, end in line.spans)
            message = f"{line.id} {quoted(line.text or '')} at {places}, where the text has "
            expected = f"characters of {pair.other} ({len(text)} in all)"
            advice = "Take the text that was annotated."
            yield Problem(pair.file, line.line, message + quoted(covered), expected, advice)


# Entities ----------------------------------------------------------------------------------------


def _mentions(pair: Pair, found: _Annotations, offsets: Offsets) -> dict[str, Mention]:
    mentions = {}
    for line in found.spans.values():
        mention = offsets.mention(line.spans)
        if mention is None:
            message = f"{line.id} on blanks only"
            problem = Problem(pair.file, line.line, message, "words", "Fix its positions.")
            raise InputError([problem])
        mentions[line.id] = mention
    return mentions


def _document(
    pair: Pair, found: _Annotations, offsets: Offsets, mentions: dict[str, Mention]
) -> Document:
    lines = [line for line in found.spans.values() if line.id not in found.triggers]
    if _is_litbank(found):
        rows = _litbank_entities(lines)
    else:
        entity = linked(found.spans, [(first, second) for _, first, second in found.links])
        rows = [(line, entity[line.id]) for line in lines]
    kinds = [_kinds(line.type) for line, _ in rows]
    found_mentions = [mentions[line.id] for line, _ in rows]
    return Document.of_rows(
        pair.name,
        [(m.start, m.end, of) for m, (_, of) in zip(found_mentions, rows, strict=True)],
        words=offsets.tokens.words,
        sentence_starts=offsets.sentence_starts,
        file=pair.file,
        attributes=Attributes.of(
            len(rows),
            pieces=[mention.pieces for mention in found_mentions],
            entity_type=[entity_type for _, entity_type in kinds],
            mention_type=[mention_type for mention_type, _ in kinds],
        ),
    )


def _is_litbank(found: _Annotations) -> bool:
    types = {line.type for line in found.spans.values()}
    return not found.links and all(
        any(pattern.fullmatch(kind) for kind in types)
        for pattern in (_LITBANK_MENTION, _LITBANK_ENTITY)
    )


def _litbank_entities(lines: list[_Line]) -> list[tuple[_Line, str]]:
    """Each mention with its entity: by each line that names one, or as an entity of its own.

    A line that names an entity and stands on no mention of its own is a mention, too.
    """
    named = [line for line in lines if not _LITBANK_MENTION.fullmatch(line.type)]
    mention_on = {line.spans: line for line in lines if _LITBANK_MENTION.fullmatch(line.type)}
    rows = [(mention_on.get(line.spans, line), line.type) for line in named]
    taken = {line.spans for line in named}
    return rows + [(line, line.id) for line in mention_on.values() if line.spans not in taken]


def _kinds(type: str) -> tuple[str, str]:
    """(mention type, entity type) of a T line's type."""
    match = _LITBANK_MENTION.fullmatch(type)
    if match:
        return match[1], match[2]
    return "", "" if _LITBANK_ENTITY.fullmatch(type) else type


def _warnings(pair: Pair, found: _Annotations) -> Iterator[str]:
    if found.others:
        types = ", ".join(sorted(found.others))
        number = counted(found.others.total(), "relation")
        yield f"{pair.file}: {number} not read as coreference: {types}"
    if found.spans and not found.links and not _is_litbank(found):
        yield f"{pair.file}: no coreference relation: each mention is taken as an entity of its own"


def fits_brat(text: str) -> bool:
    """Whether the first line is one of brat's."""
    line = text.lstrip("\ufeff\r\n ").split("\n", 1)[0].rstrip("\r")
    lines = (_MENTION, _RELATION, _SAME)
    return any(one.fullmatch(line) for one in lines) or bool(_EVENT.match(line))


def _read_alone(text: str, file: str, side: str) -> Corpus:
    return read_brat(*alone(text, file), side)


BRAT = Format(
    id="brat",
    title="brat standoff (.ann with .txt)",
    suffixes=(".ann",),
    fits=fits_brat,
    read=_read_alone,
    beside=with_ending(".ann", ".txt"),
    read_files=read_brat,
)

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


def _litbank_read_alone(text: str, file: str, side: str) -> Corpus:
    return read_litbank(*alone(text, file), side)


LITBANK = Format(
    id="litbank",
    title="LitBank tab files (.ann with .txt)",
    suffixes=(".ann",),
    fits=fits_litbank,
    read=_litbank_read_alone,
    beside=with_ending(".ann", ".txt"),
    read_files=read_litbank,
)
