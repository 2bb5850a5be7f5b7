"""One document of a CoNLL-UA file while it is read."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from sys import intern

import numpy as np

from corescore.corpus.documents import Document
from corescore.corpus.formats.conll_brackets import TOO_MANY_BRACKETS, has_too_many
from corescore.corpus.formats.conll_ua_cells import (
    NOTHING,
    Closing,
    Opening,
    parse_ua_cell,
    positions_in,
)
from corescore.corpus.mentions import Attributes, EmptyNode, Pieces
from corescore.corpus.problems import Problem, Problems
from corescore.wording import counted

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
        joined: list[tuple[int, int]] = []
        for start, end in sorted(self.pieces):
            if joined and start <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return tuple(joined)


@dataclass
class UADraft:
    """A document while it is read."""

    name: str
    file: str
    line: int
    columns: Mapping[str, int]
    problems: Problems  # of its file
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
    warnings: list[str] = field(default_factory=list)

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
            self._refuse(number, found, expected, "Write '_' where a column is empty.")
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
            self._refuse(number, *TOO_MANY_BRACKETS)
            return
        brackets = parse_ua_cell(cell)
        if brackets is None:
            found, advice = f"'{cell[:60]}' in IDENTITY", "Write '_' where there is none."
            self._refuse(number, found, _EXPECTED, advice)
        for bracket in brackets or ():
            if isinstance(bracket, Closing):
                self._close(bracket.markable, number)
            else:
                self._open(bracket, number)

    def _open(self, opening: Opening, number: int) -> None:
        entity = opening.get("entityid")
        if not entity:
            self._refuse(number, "a mention without EntityID", _EXPECTED, "Add its entity.")
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
            self._refuse(number, f"{what} here, and none is open", expected, "Add the bracket.")
            return
        mention, place = self.opened.pop(last)
        self.opened_by[mention.markable].pop()
        mention.pieces[place] = (mention.pieces[place][0], len(self.words))

    def _refuse(self, line: int, found: str, expected: str, advice: str) -> None:
        self.problems.add(Problem(self.file, line, found, expected, advice))

    def document(self) -> Document:
        """The document as read; mentions still open are problems."""
        for mention, _ in self.opened.values():
            found = f"mention {mention.markable} opens here but never closes"
            self._refuse(mention.line, found, "')' after it", "Add the closing bracket.")
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
            self._warn(others[0].line, text)
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
        self._warn(mention.line, text)
        return -1, -1

    def _position(self, word_id: str, sentence: int) -> int:
        """Where the word of this id is, of the sentence or else of the document; −1 if nowhere."""
        return self.ids[sentence].get(word_id, self.first.get(word_id, -1))

    def _warn(self, line: int, text: str) -> None:
        self.warnings.append(f"{self.file}:{line}: {text}")
