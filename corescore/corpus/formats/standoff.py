"""Standoff formats: mentions in one place, by numbers of characters or words, the text in another.

First what they share: words of a plain text by character offsets, files that belong together,
mentions in pieces, entities out of links.

brat: `x.ann` with one mention per line, by character positions of the plain text `x.txt`.

    T1<tab>Person 0 3<tab>Mia             half-open characters; `0 3;5 8` is discontinuous
    R1<tab>Coref Arg1:T1 Arg2:T2          a link; `*<tab>Equiv T1 T2 T3` links several

Every T line is a mention, except the triggers of events; one that nothing links is an entity of its
own. Lost: events, attributes, notes and other relations, which a warning counts. LitBank's own
use is read as well: there a second T line on the same characters names the entity (`Mia-1`), and
the type of the first is that of mention and entity (`PROP_PER`).

Source: https://brat.nlplab.org/standoff.html

LitBank: `x.ann` with one mention per row, by sentence and word of the text `x.txt`.

    MENTION<tab>T1<tab>0<tab>0<tab>0<tab>1<tab>Mia Moss<tab>PER<tab>PROP    both words inclusive
    COREF<tab>T1<tab>Mia-1                                                  the entity of a mention

The text has one sentence per line, words between blanks; both count from 0. Mentions without a
COREF row are entities of their own, as in LitBank's own CoNLL files; the links COP and APPOS are
not coreference there and are counted in a warning.

Source: https://github.com/dbamman/litbank

BookNLP: `x.entities` with one mention per row, by word numbers of `x.tokens`, one word per row.

    COREF  start_token  end_token  prop  cat  text       .entities; both ends inclusive
    … sentence_ID … token_ID_within_document  word …     .tokens; columns by their names

Lost: quotations and events (`.quotes`, `.supersense`), which say nothing of coreference.

Source: https://github.com/booknlp/booknlp

WebAnno TSV 3, which INCEpTION writes too: one row per word, and the columns of a layer's features.

    #T_SP=custom.Referent|entity|infstat         a layer of spans and its columns
    #T_RL=custom.Coref|type|BT_custom.Referent   relations between its spans
    1-2<tab>4-7<tab>her<tab>person[3]|object[4]<tab>new[3]|new[4]<tab>ana<tab>1-1[1_3]

Mentions are the spans that relations of a layer `…Coref…` are on, those without a relation as
entities of their own; or the elements of chain layers (`#T_CH`, cells such as `*->2-1`: chain
and element). The first feature of a span is taken as its entity type. Relations of a
type such as `bridg…`, `split…` or `part…` are left out and counted in a warning. A span on a part
of a word takes the whole word. Lost: other layers and features.

Source: https://inception-project.github.io/releases/35.0/docs/user-guide.html#sect_formats_webannotsv3
"""

import posixpath
import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from sys import intern
from typing import Any, NamedTuple, NoReturn, TypeVar

import numpy as np

from corescore.corpus.documents import Attributes, Corpus, Document, Pieces
from corescore.corpus.formats.columns import joined
from corescore.corpus.formats.format import FileNotes, Format, Read, ReadFiles, begins
from corescore.corpus.packed import in_lines
from corescore.corpus.problems import refusal
from corescore.wording import counted

Name = TypeVar("Name", bound=Hashable)

# Words of a plain text ----------------------------------------------------------------------------

WORD = re.compile(r"[^\W_]+|[^\w\s]|_")

_BETWEEN_BLANKS = re.compile(r"\S+")

_LONG = 80


class Offsets:
    """The words of a plain text, and mentions on them out of character positions.

    A word is a run of letters and digits, with the marks that combine with a letter, such as the
    vowel signs of Hindi; and each other character that is no blank.

    cuts       positions at which a word ends and another begins in any case
    by_blanks  whether words are all that is between blanks instead

    words         the words
    starts, ends  the character positions of each: half-open, from 0
    widened       the mentions of `runs` that began or ended within a word and took the whole of it;
                  `widened_warnings` counts them
    """

    def __init__(self, text: str, cuts: Iterable[int] = (), *, by_blanks: bool = False) -> None:
        self.text = like = text
        self.widened: list[str] = []
        starts, ends = array("q"), array("q")
        if not by_blanks and not text.isascii():
            marks = (one for one in {*text} if unicodedata.category(one)[0] == "M")
            like = text.translate(dict.fromkeys(map(ord, marks), "a"))
        for match in (_BETWEEN_BLANKS if by_blanks else WORD).finditer(like):
            starts.append(match.start())
            ends.append(match.end())
        after = ((cut, bisect_right(ends, cut)) for cut in cuts)
        if within := {cut for cut, at in after if at < len(starts) and starts[at] < cut}:
            starts, ends = (array("q", sorted([*of, *within])) for of in (starts, ends))
        self.starts, self.ends = starts, ends
        self.words = tuple(map(intern, map(text.__getitem__, map(slice, starts, ends))))

    @property
    def sentence_starts(self) -> list[int]:
        """The first word of each line that has one."""
        ends = re.finditer(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]", self.text)
        line_ends = array("q", (end.start() for end in ends))
        lines = np.searchsorted(line_ends, np.asarray(self.starts))
        is_first = np.ones(len(lines), dtype=bool)
        is_first[1:] = lines[1:] != lines[:-1]
        return np.flatnonzero(is_first).tolist()

    @property
    def sentences(self) -> list[tuple[str, ...]]:
        """The words of each line that has some."""
        starts = [*self.sentence_starts, len(self.words)]
        return [self.words[start:end] for start, end in pairwise(starts)]

    def covering(self, start: int, end: int) -> tuple[int, int] | None:
        """The words, half-open, that a half-open span of characters touches; None if there is none.

        A span that begins or ends within a word is widened to it.
        """
        if end <= start:
            return None
        first, after = bisect_right(self.ends, start), bisect_left(self.starts, end)
        return (first, after) if first < after else None

    def runs(self, *spans: tuple[int, int]) -> Pieces:
        """The words that half-open spans of characters cover, in pieces.

        () if they cover none, or are not in the text.
        """
        if not all(0 <= start < end <= len(self.text) for start, end in spans):
            return ()
        covered = [(run, span) for span in spans if (run := self.covering(*span))]
        runs = joined(run for run, _ in covered)
        if any(
            self.starts[first] < start or end < self.ends[after - 1]
            for (first, after), (start, end) in covered
        ):
            written = " … ".join(self.text[start:end] for start, end in spans)
            words = " … ".join(" ".join(self.words[start:end]) for start, end in runs)
            self.widened.append(f"{quoted(written)} became {quoted(words)}")
        return runs


_SHORT = re.compile(r"'(.*)' became '\1.'")  # by one character


def widened_warnings(file: str, widened: Sequence[str]) -> Iterator[str]:
    """How many mentions were widened, with an example; nothing if none was."""
    if widened:
        number = counted(len(widened), "mention")
        warning = f"{file}: {number} cut a word and took the whole of it: {widened[0]}"
        n_short = sum(_SHORT.fullmatch(one) is not None for one in widened)
        if n_short > max(1, len(widened) // 2):
            warning += (
                f". {n_short} would not if each ended one character later: an end is the character "
                "after the mention."
            )
        yield warning


def quoted(text: str) -> str:
    """Text in quotes on one line; of a long one the start and the end."""
    line = " ".join(text.split())
    return f"'{line}'" if len(line) <= _LONG else f"'{line[: _LONG // 2]} … {line[-_LONG // 2 :]}'"


# Mentions and entities ----------------------------------------------------------------------------


def run_of(position: Mapping[Name, int], first: Name, last: Name) -> tuple[int, int] | None:
    """From the first to the last word, half-open; None if one is not there or they are swapped."""
    start, end = position.get(first, -1), position.get(last, -1)
    return (start, end + 1) if 0 <= start <= end else None


class Found(NamedTuple):
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
    mentions: Iterable[Found],
    **more: Any,
) -> Document:
    """The document with these mentions; `more` as in `Document.of_rows`."""
    runs, entities, types, mention_types, minimum = (
        zip(*mentions, strict=True) if mentions else [()] * 5
    )
    return Document.of_rows(
        name,
        [(of[0][0], of[-1][1], entity) for of, entity in zip(runs, entities, strict=True)],
        words=words,
        sentence_starts=sentence_starts,
        file=file,
        attributes=Attributes.of(
            len(runs),
            minimum=minimum,
            pieces=runs,
            entity_type=types,
            mention_type=mention_types,
        ),
        **more,
    )


def linked(names: Iterable[Name], links: Iterable[tuple[Name, Name]]) -> dict[Name, Name]:
    """For each mention the one that stands for its entity, the same for all that are linked."""
    from scipy.cluster.hierarchy import DisjointSet  # takes a while, and few files have links

    entities = DisjointSet(names)
    for first, second in links:
        entities.merge(first, second)
    return {name: entities[name] for name in entities}


# Files that belong together -----------------------------------------------------------------------


def stem_of(name: str, ending: str) -> str:
    """A path without the ending of its format."""
    return name.removesuffix(".gz").removesuffix(ending)


def path_in(place: str, name: str) -> str:
    """The path of a file of a folder, for messages."""
    return posixpath.normpath(f"{place}/{name}") if place else name


def by_itself(read_files: ReadFiles) -> Read:
    """`Format.read` of a format that has `Format.read_files`."""

    def read(text: str, file: str, side: str) -> Corpus:
        place, name = posixpath.split(file)
        return read_files({name: text}, place, side)

    return read


@dataclass(kw_only=True)
class TextPair(FileNotes):
    """A file of mentions and the file of its text, while they are read.

    name   of the document: the path of the first file without its ending
    first  the text of the first file, with LF after each line
    other  the path of the second file; `second` is its text, as character offsets count it
    more   the texts of further files by their paths
    """

    name: str
    first: str
    other: str
    second: str
    more: Mapping[str, str]

    def document(
        self, words: Sequence[str], starts: Sequence[int], mentions: Sequence[Found], **more: Any
    ) -> Corpus:
        """The document as a corpus. Raises InputError with the problems, if there are any."""
        self.refuse()
        return self.corpus([document_of(self.name, self.file, words, starts, mentions, **more)])


def format_of_pairs(
    id: str,
    title: str,
    endings: tuple[str, ...],
    fits: Callable[[str], bool],
    read: Callable[[TextPair], Corpus],
    folders: tuple[str, ...] = ("",),
    named: Callable[[Mapping[str, str]], str] = lambda more: "",
) -> Format:
    """A format of two files or more: the first has the mentions, the second the words.

    Its reader raises InputError where the second is missing, with the name that it should have.

    named  the texts of further files by their paths → what else is said of that name
    """

    def read_files(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
        (name, first), *rest = texts.items()
        stem, file = stem_of(name, endings[0]), path_in(place, name)
        more = {path_in(place, path): text for path, text in rest}
        for other in more:
            if other.removesuffix(".gz").endswith(endings[1]):
                text, second = in_lines(first), more.pop(other)
                return read(
                    TextPair(
                        file=file, name=stem, first=text, other=other, second=second, more=more
                    )
                )
        expected = f"'{posixpath.basename(stem)}{endings[1]}', the file of its words, next to it"
        expected += named(more)
        advice = "Put both files into one folder, or into one zip archive to upload them."
        raise refusal(file, "mentions without their words", expected, advice)

    return Format(
        id,
        title,
        endings[:1],
        fits,
        by_itself(read_files),
        endings=endings,
        folders=folders,
        read_files=read_files,
    )


# brat --------------------------------------------------------------------------------------------

# No text has more than 10¹² characters, and Python refuses to read far longer numbers.
_PLACES = re.compile(r"(\d{1,12}) (\d{1,12})(?:;|$)", re.ASCII)

_MENTION = re.compile(
    r"(T\w+)\t(\S+) (\d{1,12} \d{1,12}(?:;\d{1,12} \d{1,12})*)(?:\t(.*))?", re.ASCII
)

_RELATION = re.compile(r"R\w+\t(\S+) \w+:(\S+) \w+:(\S+)\s*", re.ASCII)

_SAME = re.compile(r"\*\t\S+((?: T\w+)+)\s*", re.ASCII)

_EVENT = re.compile(r"E\w+\t\S+?:(T\w+)", re.ASCII)

_OTHER = re.compile(r"[#ANM]\S*\t", re.ASCII)

_OF_ENTITY = re.compile(r"A\w+\t(?i:\w*(?:coref|cluster|chain|entity_?id)\w*) T\w+ \S")

_COREFERENCE = re.compile(r"(?!.*(appos|bridg|split|subset))(co-?ref|anaph|ident|same|equiv)", re.I)

_LITBANK_MENTION = re.compile(r"(NOM|PRON|PROP)_([A-Z]+)")

_LITBANK_ENTITY = re.compile(r".+-\d+")


class _Span(NamedTuple):
    """A T line: spans of characters with a type, and the text that it says is there."""

    id: str
    type: str
    spans: tuple[tuple[int, int], ...]
    text: str | None
    line: int

    def covered(self, text: str) -> str:
        """What stands there."""
        return " ".join(text[start:end] for start, end in self.spans)

    def stands_in(self, text: str) -> bool:
        """Whether it is what stands there."""
        if not all(0 <= start < end <= len(text) for start, end in self.spans):
            return False
        return self.text is None or self.text.split() == self.covered(text).split()


def read_brat(pair: TextPair) -> Corpus:
    """The document of a pair of files.

    Raises InputError with every problem found, each with its line.
    """
    spans: dict[str, _Span] = {}
    links: list[tuple[int, str, str]] = []
    triggers: set[str] = set()
    others: Counter[str] = Counter()
    named: list[tuple[int, str]] = []
    for number, line in enumerate(pair.first.lstrip("\ufeff").split("\n"), start=1):
        if (match := _MENTION.fullmatch(line)) and match[1] not in spans:
            places = [(int(start), int(end)) for start, end in _PLACES.findall(match[3])]
            spans[match[1]] = _Span(match[1], match[2], tuple(places), match[4], number)
        elif (match := _RELATION.fullmatch(line)) and _COREFERENCE.match(match[1]):
            links.append((number, match[2], match[3]))
        elif match:
            others[match[1]] += 1
        elif match := _SAME.fullmatch(line):
            first, *rest = match[1].split()
            links += [(number, first, other) for other in rest]
        elif match := _EVENT.match(line):
            triggers.add(match[1])
        elif _OF_ENTITY.match(line):
            named.append((number, line))
        elif line.strip() and not _OTHER.match(line):
            expected = "a line of brat standoff, such as 'T1<tab>Person 0 3<tab>Mia'"
            pair.note(number, f"'{line[:40]}'", expected, "Fix the line.")
    for number, *ends in links:
        for end in ends:
            if end not in spans and end[0] == "T":
                fault = f"a link to {end}, which is nowhere"
                pair.note(number, fault, "a T line of the file", "Add the line.")
    between = [(first, second) for _, first, second in links if spans.keys() >= {first, second}]
    for number, line in () if links else named[:1]:
        expected = "relations such as 'R1<tab>Coref Arg1:T1 Arg2:T2'"
        fault = f"'{line[:40]}', which may name the entity of a mention"
        pair.note(number, fault, expected, "Link the mentions of each entity.")
    if n_of_events := len(links) - len(between):
        others["coreference of events"] += n_of_events
    text = _text_meant(pair.second, spans.values())
    for span in spans.values():
        if not span.stands_in(text):
            where = ";".join(f"{start} {end}" for start, end in span.spans[:3])
            there = f"where the text has {quoted(span.covered(text))}"
            fault = f"{span.id} {quoted(span.text or '')} at {where}, {there}"
            expected = f"characters of {pair.other} ({len(text)} in all)"
            pair.note(span.line, fault, expected, "Take the text that was annotated.")
    pair.refuse()
    offsets = Offsets(text)
    runs = {span.id: offsets.runs(*span.spans) for span in spans.values()}
    for span in spans.values():
        if not runs[span.id]:
            pair.note(span.line, f"{span.id} on spaces only", "words", "Fix its positions.")
    pair.warnings += widened_warnings(pair.file, offsets.widened)
    pair.count(others.total(), "relation", f"not read as coreference: {', '.join(sorted(others))}")
    mentions = [span for span in spans.values() if span.id not in triggers]
    types = {span.type for span in spans.values()}
    kinds = (_LITBANK_MENTION, _LITBANK_ENTITY)
    if not between and all(any(map(kind.fullmatch, types)) for kind in kinds):
        entities = _litbank_entities(mentions)
    else:
        top = linked(spans, between)
        entities = [(span, top[span.id]) for span in mentions]
        which = " between mentions, only between events" if n_of_events else ""
        warning = f"no coreference relation{which}: each mention is taken as an entity of its own"
        if spans and not mentions:
            warning = "all T lines are triggers of events: there is no mention"
        if spans and not between:
            pair.warnings.append(f"{pair.file}: {warning}")
    every = [Found(runs[span.id], entity, *_kinds(span.type)) for span, entity in entities]
    return pair.document(offsets.words, offsets.sentence_starts, every)


def _text_meant(text: str, spans: Collection[_Span]) -> str:
    """The text as the annotations count it: some tools count CR LF as one, or leave out a mark.

    The first reading on which all mentions stand where they say; else the text as it is.
    """
    plain = text.removeprefix("\ufeff")
    readings = (text, in_lines(text), plain, in_lines(plain))
    return next((one for one in readings if all(span.stands_in(one) for span in spans)), text)


def _litbank_entities(spans: Sequence[_Span]) -> list[tuple[_Span, str]]:
    """Each mention with its entity: by each line that names one, or as an entity of its own.

    A line that names an entity and stands on no mention of its own is a mention, too.
    """
    named = [span for span in spans if not _LITBANK_MENTION.fullmatch(span.type)]
    mention_on = {span.spans: span for span in spans if _LITBANK_MENTION.fullmatch(span.type)}
    rows = [(mention_on.get(span.spans, span), span.type) for span in named]
    taken = {span.spans for span in named}
    return rows + [(span, span.id) for span in mention_on.values() if span.spans not in taken]


def _kinds(type: str) -> tuple[str, str]:
    """(entity type, mention type) of a T line's type."""
    if match := _LITBANK_MENTION.fullmatch(type):
        return match[2], match[1]
    return "" if _LITBANK_ENTITY.fullmatch(type) else type, ""


def fits_brat(text: str) -> bool:
    """Whether the first line is one of brat's."""
    line = text[:100_000].lstrip("\ufeff\r\n ").split("\n", 1)[0].rstrip("\r")
    lines = (_MENTION, _RELATION, _SAME)
    return any(one.fullmatch(line) for one in lines) or bool(_EVENT.match(line))


BRAT = format_of_pairs(
    "brat", "brat standoff (.ann with .txt)", (".ann", ".txt"), fits_brat, read_brat
)

# LitBank -----------------------------------------------------------------------------------------


def read_litbank(pair: TextPair) -> Corpus:
    """The document of a pair of files.

    Raises InputError with every problem found, each with its line.
    """
    text = Offsets(in_lines(pair.second.removeprefix("\ufeff")), by_blanks=True)
    lines = enumerate(text.text.split("\n"))
    places = (f"{line}.{word}" for line, of in lines for word in range(len(of.split())))
    position = {place: at for at, place in enumerate(places)}
    mentions: dict[str, Found] = {}
    entities: dict[str, tuple[int, str]] = {}
    n_links, fix = 0, "Fix the row."
    for number, line in enumerate(pair.first.removeprefix("\ufeff").split("\n"), start=1):
        match line.split("\t"):
            case ["MENTION", name, *place, quote, entity_type, mention_type] if len(place) == 4:
                if name in mentions:
                    pair.note(number, f"a second mention {name}", "each id once", fix)
                first, last = ".".join(place[:2]), ".".join(place[2:])
                run = run_of(position, first, last)
                there = [*text.words[slice(*run)]] if run else []
                if run and quote.split() == there:
                    mentions[name] = Found((run,), name, entity_type, mention_type)
                    continue
                stands = f" (the text there is {quoted(' '.join(there))})" if run else ""
                fault = f"{quoted(quote)} at {first} to {last}{stands}"
                expected = f"sentences and words of {pair.other}, counted from 0"
                pair.note(number, fault, expected, "Take the text that was annotated.")
            case ["COREF", name, entity] if entity.strip():
                if name in entities:
                    pair.note(number, f"a second entity of {name}", "one entity per mention", fix)
                entities[name] = number, entity
            case ["COP" | "APPOS", _, _]:
                n_links += 1
            case cells if any(map(str.strip, cells)):
                pair.note(number, f"'{line[:40]}'", "MENTION, COREF, COP or APPOS", fix)
    pair.refuse()
    for name, (number, entity) in entities.items():
        if name in mentions:
            mentions[name] = mentions[name]._replace(entity=("named", entity))
        else:
            pair.note(number, f"a COREF row for {name}", "a MENTION row for it", fix)
    pair.count(n_links, "link", "of copula and apposition not read as coreference")
    return pair.document(text.words, text.sentence_starts, [*mentions.values()])


LITBANK = format_of_pairs(
    "litbank",
    "LitBank tab files (.ann with .txt)",
    (".ann", ".txt"),
    begins(r"[\ufeff\r\n ]*(?:MENTION\t\S+(?:\t\d+){4}\t|COREF\tT\d+\t\S)"),
    read_litbank,
)

# BookNLP -----------------------------------------------------------------------------------------

_ENTITIES = ("COREF", "start_token", "end_token", "prop", "cat", "text")

_TOKENS = ("sentence_ID", "token_ID_within_document", "word")


def _table(text: str, file: str, names: Sequence[str]) -> tuple[list[int], dict[str, list[str]]]:
    """A tab-separated file with a header: the line of each row, and the columns by their names.

    Raises InputError where a column of these names is missing, or rows differ in length.
    """
    notes = FileNotes(file=file)
    head, *lines = in_lines(text.removeprefix("\ufeff")).split("\n")
    header = head.split("\t")
    if missing := [name for name in names if name not in header]:
        expected = f"a header with {', '.join(names)} between tabs"
        notes.note(1, f"no column {' and '.join(missing)}", expected, "Add the header of BookNLP.")
        lines = []
    rows = []
    for n, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if line and len(cells) != len(header):
            notes.note(
                n, counted(len(cells), "column"), f"{len(header)}, as in line 1", "Fix the row."
            )
        elif line:
            rows.append((n, cells))
    notes.refuse()
    columns = zip(header, *(cells for _, cells in rows), strict=True)
    return [n for n, _ in rows], {name: column for name, *column in columns}


def read_booknlp(pair: TextPair) -> Corpus:
    """The document of a pair of files.

    Raises InputError with every problem found, each with its line.
    """
    lines, entities = _table(pair.first, pair.file, _ENTITIES)
    token_lines, tokens = _table(pair.second, pair.other, _TOKENS)
    sentences, numbers, words = (tokens[name] for name in _TOKENS)
    position: dict[str, int] = {}
    for line, number in zip(token_lines, numbers, strict=True):
        if number in position:
            fault, advice = f"a second word {number}", "Fix the row."
            raise refusal(pair.other, fault, "each number once", advice, line)
        position[number] = len(position)
    mentions = []
    rows = zip(lines, *(entities[name] for name in _ENTITIES), strict=True)
    for line, entity, first, last, mention_type, entity_type, text in rows:
        run = run_of(position, first, last)
        there = " ".join(words[slice(*run)]) if run else ""
        advice = "Take the tokens of the same run."
        if run is None:
            fault = f"a mention from word {first} to {last}"
            pair.note(line, fault, f"words of {pair.other}, which has {len(words)}", advice)
        elif text.split() != there.split():
            fault = f"{quoted(text)} from word {first} to {last}, where the text is {quoted(there)}"
            pair.note(line, fault, f"the words of {pair.other}", advice)
        elif not entity.strip():
            pair.note(line, "a mention without an entity", "a number", "Add it.")
        else:
            mentions.append(Found((run,), entity, entity_type, mention_type))
    starts = [at for at, one in enumerate(sentences) if at == 0 or one != sentences[at - 1]]
    known = (tokens.get(name, []) for name in ("fine_POS_tag", "lemma"))
    tags, lemmas = (column if any(column) else [] for column in known)
    return pair.document(words, starts, mentions, tags=tags, lemmas=lemmas)


BOOKNLP = format_of_pairs(
    "booknlp",
    "BookNLP (.entities with .tokens)",
    (".entities", ".tokens"),
    begins(r"\ufeff*COREF\tstart_token\tend_token\t"),
    read_booknlp,
)

# WebAnno -----------------------------------------------------------------------------------------

_HEADER = re.compile(r"#T_(SP|RL|CH)=(\S.*)")

_ROW = re.compile(r"\d{1,9}-\d{1,9}(\.\d{1,9})?", re.ASCII)

_WORD_COLUMNS = 3

_NUMBER = re.compile(r"\[(\d{1,9})\]\Z", re.ASCII)

_LINK = re.compile(r"(\d+-\d+(?:\.\d+)?)(?:\[(\d{1,9})_(\d{1,9})\])?", re.ASCII)

_ELEMENT = re.compile(r".*->(\d{1,9})-(\d{1,9})", re.ASCII | re.DOTALL)

_LAYER_OF_COREFERENCE = re.compile(r"coref|anaph|identity", re.IGNORECASE)

_NOT_IDENTITY = re.compile(r"bridg|split|subset|part|member|assoc", re.IGNORECASE)

_EXPORT = "Export the file again."

_Key = tuple[str, str]  # of a span: its number, or the word that it stands on alone; of an element


class _Layer(NamedTuple):
    """A layer of the header: its kind (SP, RL or CH), its name, and where its columns are."""

    kind: str
    name: str
    features: list[str]
    columns: slice


class _Rows(FileNotes):
    """The header and the rows of a file. Raises InputError with the first problem and its line."""

    def __init__(self, text: str, file: str) -> None:
        super().__init__(file=file)
        self.layers: list[_Layer] = []
        self.rows: list[tuple[int, int, list[str]]] = []
        self.words: list[str] = []
        self.sentence_starts: list[int] = []
        self.n_parts = 0
        self.spans: defaultdict[_Key, list[int]] = defaultdict(list)
        self.types: dict[_Key, str] = {}
        width, sentence = _WORD_COLUMNS, ""
        position: dict[str, int] = {}
        for number, line in enumerate(text.split("\n"), start=1):
            if header := _HEADER.fullmatch(line):
                name, *features = header[2].rstrip().split("|")
                if header[1] == "RL" and not any(one.startswith("BT_") for one in features):
                    fault = f"the relation layer {name} without a column BT_"
                    self.stop(number, fault, "the layer it is on")
                columns = slice(width, width + max(1, len(features)))
                self.layers.append(_Layer(header[1], name, features, columns))
                width = columns.stop
            if not line.strip() or line[0] == "#":
                continue
            cells = line.split("\t")
            if cells[-1] == "":
                del cells[-1]  # rows end in a tab
            match = _ROW.fullmatch(cells[0])
            if match is None or len(cells) != width or not cells[2].strip():
                fault = counted(len(cells), "column") if match else f"'{line[:40]}'"
                of_layers = f"word and {counted(width - _WORD_COLUMNS, 'column')} of layers"
                self.stop(number, fault, f"sentence-word, characters, {of_layers}")
            own_sentence, word, is_part = *cells[0].partition(".")[0].split("-"), "." in cells[0]
            index = position.setdefault(f"{own_sentence}-{word}", len(position))
            if is_part != (index < len(self.words)):
                self.stop(number, f"the row {cells[0]}", "each word once", "Fix the number.")
            self.n_parts += is_part
            if not is_part:
                self.words.append(cells[2])
            if own_sentence != sentence:
                sentence = own_sentence
                self.sentence_starts.append(index)
            self.rows.append((number, index, cells))

    def entries(self, layer: _Layer) -> Iterator[tuple[int, int, str, Sequence[str | None]]]:
        """Of each annotation of a layer the line of its row, the position of its word, the row's
        number as written, and the values of its features: None of one that is not stacked as high.
        """
        for line, at, cells in self.rows:
            stacks = (re.split(r"(?<!\\)\|", cell) for cell in cells[layer.columns])
            for values in zip_longest(*(stack if stack != ["_"] else () for stack in stacks)):
                yield line, at, cells[0], values

    def mentions(self, entity: Mapping[_Key, Hashable]) -> list[Found]:
        """Those of the spans that have an entity."""
        return [
            Found(joined((at, at + 1) for at in places), entity[key], self.types.get(key, ""))
            for key, places in self.spans.items()
            if key in entity
        ]

    def stop(self, line: int, fault: str, expected: str, advice: str = _EXPORT) -> NoReturn:
        """Refuse the file for this."""
        raise refusal(self.file, fault, expected, advice, line)


def read_webanno(text: str, file: str, side: str = "key") -> Corpus:
    """The one document of a file; `side` makes no difference.

    Raises InputError with the first problem found and its line.
    """
    source = _Rows(text, file)
    layers = [layer for layer in source.layers if layer.kind != "SP"]
    named = [layer for layer in layers if _LAYER_OF_COREFERENCE.search(layer.name)]
    named = named or [layer for layer in layers if layer.kind == "CH"]
    if named and {layer.kind for layer in named} == {"CH"}:
        mentions = _of_chains(source, named)
    elif len(named) == 1:
        mentions = _of_relations(source, named[0])
    else:
        names = ", ".join(layer.name for layer in named or layers)
        fault = f"the layers {names}" if names else "no layer of relations or chains"
        of_name = "with 'coref', 'anaph' or 'identity' in its name"
        expected = f"layers #T_CH, or one layer #T_RL {of_name}"
        source.stop(1, fault, expected, "Export the layer of coreference only.")
    source.count(source.n_parts, "row", "of parts of words: their spans took the whole words")
    name = posixpath.basename(stem_of(file, ".tsv"))
    return source.corpus([document_of(name, file, source.words, source.sentence_starts, mentions)])


def _of_chains(source: _Rows, layers: Sequence[_Layer]) -> list[Found]:
    """The mentions of chain layers, each known by its chain and its element."""
    for layer in layers:
        for line, position, _, values in source.entries(layer):
            written = [value for value in values if value is not None]
            elements = [match for value in written if (match := _ELEMENT.fullmatch(value))]
            if not elements:
                source.stop(line, f"'{written[0]}' in a chain", "a cell such as *->2-1")
            element, chain, number = elements[0].group(0, 1, 2)
            key = (f"{layer.name} {chain}", number)
            source.spans[key].append(position)
            source.types.update((key, _bare_value(kind)) for kind in written if kind != element)
    return source.mentions({key: key[0] for key in source.spans})


def _of_relations(source: _Rows, layer: _Layer) -> list[Found]:
    """The mentions of the layer of spans that relations are on."""
    column = next(n for n, feature in enumerate(layer.features) if feature.startswith("BT_"))
    base = layer.features[column].removeprefix("BT_")
    carrier = next((one for one in source.layers if (one.kind, one.name) == ("SP", base)), None)
    if carrier is None:
        fault = f"the relation layer {layer.name} on {base}"
        source.stop(1, fault, f"a header line #T_SP={base}", "Export that layer as well.")
    for _, position, row, values in source.entries(carrier):
        for feature, value in enumerate(values):
            if value is not None:
                number = _NUMBER.search(value)
                key = _span(row, number and number[1])
                source.spans[key].append(position)
                if feature == 0:  # it has a value, or `*` for none
                    source.types.setdefault(key, _bare_value(value))
    links: list[tuple[_Key, _Key]] = []
    others: Counter[str] = Counter()
    for line, _, row, values in source.entries(layer):
        if (value := values[column]) is None:
            continue
        match = _LINK.fullmatch(value)
        ends = match and (_span(match[1], match[2]), _span(row, match[3]))
        if ends is None or not source.spans.keys() >= {*ends}:
            source.stop(line, f"the relation '{value}'", "one between two spans of the file")
        kind = (values[0] or "") if column else ""
        if _NOT_IDENTITY.match(kind):
            others[_bare_value(kind)] += 1
        else:
            links.append(ends)
    kept = source.types.keys() | {end for link in links for end in link}
    source.count(
        others.total(), "relation", f"not read as coreference: {', '.join(sorted(others))}"
    )
    without = f"of {carrier.name} without '{''.join(carrier.features[:1])}' and without a relation"
    source.count(len(source.spans.keys() - kept), "span", f"{without} not taken as mentions")
    top = linked(source.spans, links)
    return source.mentions({key: top[key] for key in kept})


def _span(row: str, number: str | None) -> _Key:
    """A span is known by its number; one without, or with 0, by the one row it stands on."""
    return ("span", number) if number and int(number) else ("row", row)


def _bare_value(value: str) -> str:
    """A value without its number and the marks before its own brackets and bars; "" if it stands
    for none."""
    bare = _NUMBER.sub("", value)
    return "" if bare in ("*", "_") else re.sub(r"\\(.)", r"\1", bare)


WEBANNO = Format(
    "webanno",
    "WebAnno and INCEpTION TSV 3",
    (".tsv",),
    begins(r"\s*#FORMAT=WebAnno TSV"),
    read_webanno,
)
