"""CoNLL-UA of Universal Anaphora: the columns of CoNLL-U and more, the entities in IDENTITY.

A line `# global.columns = ID FORM … IDENTITY …` names the columns, a line `# newdoc id = NAME`
begins a document. A mention opens with `(EntityID=1|MarkableID=m_3|Min=4,5` at its first word and
closes with `)` or `m_3)` at its last (inclusive, here half-open); a MarkableID that opens again is
the next piece of a discontinuous mention. Min becomes the minimum span, Entity_Type (of REFERENCE
or NOM_SEM) the type, ElementOf a split antecedent, an id such as `5.1` an empty node. LEMMA is read
where it is there.

Lost: bridging, discourse deixis, SemType, mentions that do not refer (`EntityID=4-Pseudo`, which
the Universal Anaphora scorer leaves out, too; counted in a warning), and all other columns.

Source: github.com/UniversalAnaphora, UA_CONLL_U_Plus_proposal; the Universal Anaphora scorer 1.0.

One cell of a CoNLL-UA column: `)(EntityID=1|MarkableID=markable_2|Min=4,5|ElementOf=7`.

One document of a CoNLL-UA file while it is read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from sys import intern

import numpy as np

from corescore.corpus.documents import Attributes, Corpus, Document, EmptyNode, Pieces
from corescore.corpus.formats.columns import (
    TOO_MANY_BRACKETS,
    Noted,
    has_too_many,
    is_blank,
    joined,
    second_names,
    stretches,
)
from corescore.corpus.formats.format import Format
from corescore.corpus.problems import InputError, Problem, Problems
from corescore.wording import counted

NOTHING = ("_", "-", "")

_OPENS = re.compile(r"\(([^()]*)")

_CLOSES = re.compile(r"([^()]*)\)")


@dataclass(frozen=True)
class Opening:
    """A bracket that opens with these fields, by their names in small letters without "_"."""

    fields: Mapping[str, str]

    def get(self, *names: str) -> str:
        """The first of these fields that is there; "" if none is."""
        return next((self.fields[name] for name in names if self.fields.get(name)), "")


@dataclass(frozen=True)
class Closing:
    """A bracket that closes the mention of this id; "" for the one that was opened last."""

    markable: str


def parse_ua_cell(cell: str) -> list[Opening | Closing] | None:
    """The brackets of a cell in the order written; None if it is something else."""
    if cell in NOTHING:
        return []
    found = list(_brackets(cell))
    return None if None in found else [bracket for bracket in found if bracket]


def _brackets(cell: str) -> Iterator[Opening | Closing | None]:
    at = 0
    while at < len(cell):
        if opens := _OPENS.match(cell, at):
            pairs = [pair.partition("=") for pair in opens[1].rstrip("@|").split("|")]
            fields = {name.replace("_", "").lower(): value for name, _, value in pairs}
            yield Opening(fields) if all(equals for _, equals, _ in pairs) else None
            at = opens.end()
            if cell[at : at + 1] == ")":
                yield Closing("")
                at += 1
        elif closes := _CLOSES.match(cell, at):
            yield Closing(closes[1].strip("@|"))
            at = closes.end()
        else:
            yield None
            return


def positions_in(value: str) -> tuple[str, str] | None:
    """The first and the last word id of `Min=4`, `Min=4,5` or `Min=4-7`; None if there is none."""
    ids = [part for part in re.split(r"[,-]", value) if part]
    return (ids[0], ids[min(1, len(ids) - 1)]) if ids else None


_BLANKS = re.compile(" +")

_RANGE = re.compile(r"[0-9]+-[0-9]+")

_EMPTY = re.compile(r"[0-9]+\.[0-9]+")

_EXPECTED = "brackets such as '(EntityID=1|MarkableID=m_1', ')' or '(EntityID=1|MarkableID=m_1)'"

_TYPE_COLUMNS = ("REFERENCE", "NOM_SEM")


@dataclass
class UAMention:
    """A mention while it is read; each piece is (start, end), half-open, −1 while it is open."""

    markable: str
    entity: str
    minimum: str
    sentence: int
    line: int
    pieces: list[tuple[int, int]] = field(default_factory=list)

    @property
    def runs(self) -> Pieces:
        """The pieces in order, those that touch joined."""
        return joined(self.pieces)


@dataclass
class UADraft(Noted):
    """A document while it is read. The problems are those of its file."""

    name: str
    line: int
    columns: Mapping[str, int]
    speaker: str = ""
    words: list[str] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    sentence_starts: list[int] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    in_sentence: bool = False
    ids: list[dict[str, int]] = field(default_factory=list)
    first: dict[str, int] = field(default_factory=dict)
    empty_nodes: dict[int, EmptyNode] = field(default_factory=dict)
    mentions: dict[tuple[str, str], UAMention] = field(default_factory=dict)
    opened: dict[int, tuple[UAMention, int]] = field(default_factory=dict)
    opened_by: dict[str, list[int]] = field(default_factory=dict)
    n_opened: int = 0
    antecedents: dict[str, dict[str, None]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)

    def end_sentence(self) -> None:
        """Take in an empty line."""
        self.in_sentence = False

    def read(self, line: str, number: int) -> None:
        """Take in a row."""
        cells = line.split("\t") if "\t" in line else _BLANKS.split(line.strip(" "))
        cells = [cell.strip(" ") for cell in cells]
        needed = max(self.columns[name] for name in ("ID", "FORM", "IDENTITY"))
        if len(cells) <= needed:
            found = counted(len(cells), "column")
            expected = f"at least {needed + 1}, as '# global.columns' names them"
            self.refuse(number, found, expected, "Write '_' where a column is empty.")
            return
        word_id = cells[self.columns["ID"]]
        if _RANGE.fullmatch(word_id):
            return  # the surface form of the words that follow
        self._add_word(word_id, cells[self.columns["FORM"]] or "_", number)
        place = self.columns.get("LEMMA", len(cells))
        lemma = cells[place] if place < len(cells) else "_"
        self.lemmas.append("" if lemma == "_" else intern(lemma))
        for column in _TYPE_COLUMNS:
            place = self.columns.get(column, len(cells))
            for bracket in parse_ua_cell(cells[place] if place < len(cells) else "") or ():
                if isinstance(bracket, Opening) and bracket.get("entitytype"):
                    self.types[bracket.get("markableid")] = bracket.get("entitytype")
        self._brackets(cells[self.columns["IDENTITY"]], number)

    def _add_word(self, word_id: str, word: str, number: int) -> None:
        at = len(self.words)
        if not self.in_sentence:
            self.in_sentence = True
            self.sentence_starts.append(at)
            self.speakers.append("" if self.speaker in NOTHING else self.speaker)
            self.ids.append({})
        self.ids[-1].setdefault(word_id, at)
        self.first.setdefault(word_id, at)
        if _EMPTY.fullmatch(word_id):
            before = self.empty_nodes.get(at - 1)
            self.empty_nodes[at] = EmptyNode(before.number + 1 if before else 1)
        self.words.append(word)
        self.lines.append(number)

    def _brackets(self, cell: str, number: int) -> None:
        if has_too_many(cell):
            self.refuse(number, *TOO_MANY_BRACKETS)
            return
        brackets = parse_ua_cell(cell)
        if brackets is None:
            found, advice = f"'{cell[:60]}' in IDENTITY", "Write '_' where there is none."
            self.refuse(number, found, _EXPECTED, advice)
        for bracket in brackets or ():
            if isinstance(bracket, Closing):
                self._close(bracket.markable, number)
            else:
                self._open(bracket, number)

    def _open(self, opening: Opening, number: int) -> None:
        entity = opening.get("entityid")
        if not entity:
            self.refuse(number, "a mention without EntityID", _EXPECTED, "Add its entity.")
        markable = opening.get("markableid", "mentionid") or f"mention {len(self.mentions) + 1}"
        mention = self.mentions.setdefault(
            (markable, entity),
            UAMention(markable, entity, opening.get("min"), len(self.ids) - 1, number),
        )
        self.opened[self.n_opened] = mention, len(mention.pieces)
        self.opened_by.setdefault(markable, []).append(self.n_opened)
        self.n_opened += 1
        mention.pieces.append((len(self.words) - 1, -1))
        for whole in filter(None, opening.get("elementof").split(",")):
            self.antecedents.setdefault(whole.strip(), {})[entity] = None

    def _close(self, markable: str, number: int) -> None:
        """Close the mention of this id, or the one opened last."""
        last = next(reversed(self.opened), None)
        if markable:
            last = next(reversed(self.opened_by.get(markable, [])), None)
        if last is None:
            what = f"mention {markable} closes" if markable else "a mention closes"
            expected = "an opening bracket before it"
            self.refuse(number, f"{what} here, and none is open", expected, "Add the bracket.")
            return
        mention, place = self.opened.pop(last)
        self.opened_by[mention.markable].pop()
        mention.pieces[place] = (mention.pieces[place][0], len(self.words))

    def document(self) -> Document:
        """The document as read; mentions still open are problems."""
        for mention, _ in self.opened.values():
            found = f"mention {mention.markable} opens here but never closes"
            self.refuse(mention.line, found, "')' after it", "Add the closing bracket.")
        mentions = [] if self.problems else list(self._referring())
        return Document.of_rows(
            self.name,
            [(m.runs[0][0], m.runs[-1][1], m.entity) for m in mentions],
            words=self.words,
            sentence_starts=self.sentence_starts,
            speakers=self.speakers if any(self.speakers) else (),
            lemmas=self.lemmas if any(self.lemmas) else (),
            file=self.file,
            lines=np.array(self.lines, dtype=np.int64),
            attributes=self._attributes(mentions),
            empty_nodes=self.empty_nodes,
            split_antecedents=[(whole, [*parts]) for whole, parts in self.antecedents.items()],
        )

    def _referring(self) -> Iterator[UAMention]:
        """The mentions that refer; those that do not are counted in a warning."""
        others = [m for m in self.mentions.values() if m.entity.endswith("Pseudo")]
        if others:
            n = counted(len(others), "mention")
            text = f"{n} of '{self.name}' that do not refer (EntityID=…-Pseudo) are left out."
            self.warn(others[0].line, text)
        return (m for m in self.mentions.values() if not m.entity.endswith("Pseudo"))

    def _attributes(self, mentions: Sequence[UAMention]) -> Attributes | None:
        minimum = [self._minimum(mention) for mention in mentions]
        pieces = [mention.runs if len(mention.runs) > 1 else () for mention in mentions]
        types = [self.types.get(mention.markable, "") for mention in mentions]
        if not any(types) and not any(pieces) and not any(start >= 0 for start, _ in minimum):
            return None
        return Attributes.of(len(mentions), minimum=minimum, pieces=pieces, entity_type=types)

    def _minimum(self, mention: UAMention) -> tuple[int, int]:
        """The minimum span as positions; (−1, −1) with a warning where Min names other words."""
        ids = positions_in(mention.minimum)
        if ids is None:
            return -1, -1
        start, last = (self._position(word_id, mention.sentence) for word_id in ids)
        if mention.runs[0][0] <= start <= last < mention.runs[-1][1]:
            return start, last + 1
        text = f"Min={mention.minimum} of {mention.markable} is not within the mention: left out."
        self.warn(mention.line, text)
        return -1, -1

    def _position(self, word_id: str, sentence: int) -> int:
        """Where the word of this id is, of the sentence or else of the document; −1 if nowhere."""
        return self.ids[sentence].get(word_id, self.first.get(word_id, -1))


_COLUMNS = re.compile(r"^#\s*global\.columns\s*=(.*\bIDENTITY\b.*)$", re.MULTILINE)

_ROW = re.compile(r"^[^#\s]", re.MULTILINE)

_NEWDOC = re.compile(r"#\s*newdoc\b\s*(?:id\s*=)?(.*)")

_SPEAKER = re.compile(r"#\s*speaker\s*=(.*)")

_NEEDED = ("ID", "FORM", "IDENTITY")


def read_conll_ua(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    columns = _columns(text, file)
    drafts: list[UADraft] = []
    problems = Problems()
    for number, line in _lines(text):
        if newdoc := _NEWDOC.match(line):
            name = newdoc[1].strip()
            drafts.append(UADraft(file, name, number, columns, problems=problems))
        elif speaker := _SPEAKER.match(line):
            for draft in drafts[-1:]:
                draft.speaker = speaker[1].strip()
        elif is_blank(line):
            for draft in drafts[-1:]:
                draft.end_sentence()
        elif line[0] != "#" and drafts:
            drafts[-1].read(line, number)
        elif line[0] != "#" and not problems:
            found, expected = f"'{line.strip()[:40]}' outside of a document", "'# newdoc id = NAME'"
            problems.add(Problem(file, number, found, expected, "Add the line."))
    documents = [draft.document() for draft in drafts]
    problems.extend(_bad_names(drafts, file))
    if not drafts and not problems:
        problems.add(Problem(file, 0, "no document", "'# newdoc id = NAME'", "Add the line."))
    problems.refuse()
    return Corpus(tuple(documents), file, tuple(w for draft in drafts for w in draft.warnings))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, an empty one after each sentence."""
    for first, _, lines in stretches(text, 1):
        yield from enumerate((*lines.split("\n"), ""), first)


def _columns(text: str, file: str) -> dict[str, int]:
    """The places of the columns by their names. Raises InputError without those needed."""
    named = _COLUMNS.search(text)
    columns = {name: place for place, name in enumerate(named[1].split())} if named else {}
    if not all(name in columns for name in _NEEDED):
        expected = "'# global.columns = ID FORM … IDENTITY …' before the first row"
        found = "no names of columns" if not named else f"columns {', '.join(columns)}"
        raise InputError([Problem(file, 0, found, expected, "Add the line.")])
    return columns


def _bad_names(drafts: Sequence[UADraft], file: str) -> Iterator[Problem]:
    for draft in drafts:
        if not draft.name:
            found, expected = "'# newdoc' without a name", "'# newdoc id = NAME'"
            yield Problem(file, draft.line, found, expected, "Add the name.")
    named = ((draft.name, draft.line) for draft in drafts if draft.name)
    yield from second_names(named, file, "each name once", "Rename one of them.")


def fits_conll_ua(text: str) -> bool:
    """Whether the columns are named above the first row, and one of them is IDENTITY."""
    row = _ROW.search(text)
    return _COLUMNS.search(text, 0, row.start() if row else len(text)) is not None


CONLL_UA = Format(
    id="conll-ua",
    title="CoNLL-UA",
    suffixes=(".conllua",),
    fits=fits_conll_ua,
    read=read_conll_ua,
)
