"""brat standoff: `x.ann` with a mention a line, by character positions of the plain text `x.txt`.

    T1<tab>Person 0 3<tab>Mia             half-open characters; `0 3;5 8` is discontinuous
    R1<tab>Coref Arg1:T1 Arg2:T2          a link; `*<tab>Equiv T1 T2 T3` links several

Every T line is a mention, but for the triggers of events; one that nothing links is an entity of
its own. Lost: other relations, events, attributes, notes (other relations are counted in a
warning). LitBank's own use is read as well: there a second T line on the same characters names
the entity (`Mia-1`), and the type of the first is of mention and entity (`PROP_PER`).

Source: https://brat.nlplab.org/standoff.html
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.packed import in_lines
from corescore.corpus.formats.standoff.links import linked
from corescore.corpus.formats.standoff.offsets import Offsets
from corescore.corpus.formats.standoff.pairs import Pair, alone, pair_of, quoted, with_ending
from corescore.corpus.mentions import Attributes, Mention
from corescore.corpus.problems import InputError, Problem, Problems
from corescore.wording import counted

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
