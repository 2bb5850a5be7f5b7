"""The entities of CoNLL-U: what `Entity=` and `SplitAnte=` of the last column say."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from corescore.corpus.mentions import Pieces
from corescore.corpus.problems import Problem

DECLARATION = "# global.Entity = eid-etype-head-other"
_BRACKET = re.compile(r"\(?[^()]+\)?")
_PART = re.compile(r"(.+)\[([0-9]{1,9})/([0-9]{1,9})\]")
_NUMBER = re.compile("[0-9]{1,9}")
_NAMES = {"GRP": "eid", "entity": "etype", "MIN": "minspan"}  # as releases of GUM write them
_EXPECTED = (
    "brackets such as '(e1-person-1', 'e1)' or '(e1-person-1)'",
    "Open and close each mention with the name of its entity.",
)


@dataclass(frozen=True)
class Fields:
    """Where a declaration such as `eid-etype-head-other` puts what we read; −1 if nowhere.

    declared  False where a file has no declaration: a bracket then names an entity, nothing else
    """

    count: int = 1
    eid: int = 0
    etype: int = -1
    head: int = -1
    minspan: int = -1
    declared: bool = False

    @classmethod
    def of(cls, declaration: str) -> "Fields | None":
        """The fields of a declaration; None if none of them is the entity."""
        names = [_NAMES.get(name, name) for name in declaration.split("-")]
        at = {name: names.index(name) for name in names}
        if "eid" not in at:
            return None
        etype, head, minspan = (at.get(name, -1) for name in ("etype", "head", "minspan"))
        return cls(len(names), at["eid"], etype, head, minspan, declared=True)

    def values(self, text: str) -> tuple[str, str, str, str]:
        """Entity, type, head and minimum span of an opening bracket; "" where it has none."""
        found = text.split("-", self.count - 1)  # the last field may hold dashes
        optional = (self.etype, self.head, self.minspan)
        etype, head, minspan = (found[at] if 0 <= at < len(found) else "" for at in optional)
        return found[self.eid] if self.eid < len(found) else "", etype, head, minspan

    def closed(self, text: str) -> str:
        """The entity of a closing bracket, which old files write with the fields before it."""
        found = text.split("-", self.count - 1)
        return found[self.eid] if self.eid < len(found) else text


@dataclass(slots=True)
class MentionDraft:
    """A mention while it is read: its fields as written, and its pieces so far, half-open."""

    entity: str
    entity_type: str
    head: str
    minimum: str
    line: int
    pieces: list[tuple[int, int]]
    n_parts: int = 1
    is_open: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether all its parts have opened and closed."""
        return not self.is_open and len(self.pieces) == self.n_parts

    def runs(self) -> Pieces:
        """Its pieces, joined where no word is between them."""
        joined = self.pieces[:1]
        for start, end in self.pieces[1:]:
            if start == joined[-1][1]:
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        return tuple(joined)


@dataclass
class Entities:
    """The entities of one document while it is read."""

    file: str
    fields: Fields
    mentions: list[MentionDraft] = field(default_factory=list)
    open: dict[str, list[MentionDraft]] = field(default_factory=dict)
    unfinished: dict[str, list[MentionDraft]] = field(default_factory=dict)
    antecedents: dict[str, dict[str, int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def read(self, misc: str, at: int, line: int, sentence_start: int) -> None:
        """Take in the last column of the word at a position."""
        for attribute in misc.split("|"):
            name, _, value = attribute.partition("=")
            if name == "Entity":
                self._brackets(value, at, line, sentence_start)
            elif name in ("SplitAnte", "Split"):  # Split: as older releases of GUM write it
                self._split_antecedents(value, line)

    def _brackets(self, value: str, at: int, line: int, sentence_start: int) -> None:
        brackets = _BRACKET.findall(value)
        if sum(map(len, brackets)) != len(value) or not brackets:
            self.refuse(line, f"'Entity={value}'", *_EXPECTED)
            return
        for bracket in brackets:
            closes = bracket[-1] == ")"
            text = bracket.strip("()")
            if bracket[0] == "(":
                self._open(text, at, line, closes)
            elif closes:
                self._close(self.fields.closed(text), at, line, sentence_start)
            else:
                self.refuse(line, f"'{bracket}' without a bracket", *_EXPECTED)

    def _open(self, text: str, at: int, line: int, closes: bool) -> None:
        eid, etype, head, minimum = self.fields.values(text)
        if "-" in text and not self.fields.declared:
            found = f"'({text}' in a file that does not name its fields"
            self.refuse(line, found, f"'{DECLARATION}' above it", "Add the line that fits.")
        elif not eid:
            self.refuse(line, f"'({text}' without an entity", *_EXPECTED)
        elif eid[-1] == "]" and (part := _PART.fullmatch(eid)):
            draft = MentionDraft(part[1], etype, head, minimum, line, [], int(part[3]))
            self._open_part(eid, int(part[2]), draft, at, closes)
        else:
            draft = MentionDraft(eid, etype, head, minimum, line, [(at, at + 1)])
            self.mentions.append(draft)
            if not closes:
                self._keep_open(eid, draft)

    def _keep_open(self, eid: str, draft: MentionDraft) -> None:
        draft.is_open = True
        self.open.setdefault(eid, []).append(draft)

    def _open_part(self, eid: str, number: int, part: MentionDraft, at: int, closes: bool) -> None:
        """Begin a discontinuous mention with its first part, or carry on with the part whose turn
        it is.
        """
        unfinished = self.unfinished.setdefault(part.entity, [])
        if number == 1 <= part.n_parts:
            draft = part
            self.mentions.append(draft)
            unfinished.append(draft)
        else:
            fitting = [d for d in unfinished if _continues(d, number, part, at)]
            if not fitting:
                expected = f"'{part.entity}[{number - 1}/{part.n_parts}]' closed before it"
                advice = "Number the parts of a mention 1/2, 2/2, in the order of the text."
                self.refuse(part.line, f"the part '({eid}'", expected, advice)
                return
            draft = fitting[-1]
        draft.pieces.append((at, at + 1))
        if not closes:
            self._keep_open(eid, draft)
        elif draft.is_whole:
            unfinished.remove(draft)

    def _close(self, eid: str, at: int, line: int, sentence_start: int) -> None:
        if not self.open.get(eid):
            found = f"'{eid})' closes a mention that was not opened"
            self.refuse(line, found, f"'({eid}' before it", "Add the opening bracket.")
            return
        draft = self.open[eid].pop()
        draft.is_open = False
        start = draft.pieces[-1][0]
        draft.pieces[-1] = (start, at + 1)
        if draft.n_parts > 1 and draft.is_whole:
            self.unfinished[draft.entity].remove(draft)
        if start < sentence_start:
            self.warnings.append(
                f"{self.file}:{line}: a mention of entity {draft.entity} runs over a sentence end, "
                "which CorefUD does not allow."
            )

    def _split_antecedents(self, value: str, line: int) -> None:
        """`e5<e61,e10<e61`: entity e61 refers to e5 and e10 together."""
        for pair in value.split(","):
            antecedent, _, entity = pair.partition("<")
            if not antecedent or not entity or antecedent == entity:
                expected = "pairs such as 'e1<e3,e2<e3': an antecedent and the entity that has it"
                self.refuse(line, f"'SplitAnte={value}'", expected, "Write it so.")
                return
            self.antecedents.setdefault(entity, {}).setdefault(antecedent, line)

    def finish(self) -> None:
        """Tell of all that is left open or without its other parts, and of unknown entities."""
        for eid, drafts in self.open.items():
            for draft in drafts:
                found = f"'({eid}' opens a mention that never closes"
                self.refuse(draft.line, found, f"'{eid})' after it", "Add the closing bracket.")
        for drafts in self.unfinished.values():
            for draft in drafts:
                if not draft.is_open:
                    done = f"{draft.entity}[{len(draft.pieces)}/{draft.n_parts}]"
                    after = f"'({draft.entity}[{len(draft.pieces) + 1}/{draft.n_parts}]' after it"
                    found = f"'({done}' is the last part of a mention"
                    self.refuse(draft.line, found, after, "Add the other parts.")
        known = {draft.entity for draft in self.mentions}
        for entity, antecedents in self.antecedents.items():
            for antecedent, line in antecedents.items():
                for name in sorted({entity, antecedent} - known):
                    found = f"entity {name} in SplitAnte, which has no mention"
                    self.refuse(line, found, "an entity of the document", "Name another entity.")

    def refuse(self, line: int, found: str, expected: str, advice: str) -> None:
        """Keep a problem."""
        self.problems.append(Problem(self.file, line, found, expected, advice))


def _continues(draft: MentionDraft, number: int, part: MentionDraft, at: int) -> bool:
    """Whether this part is the next one of a discontinuous mention."""
    return (
        not draft.is_open
        and (draft.n_parts, len(draft.pieces)) == (part.n_parts, number - 1)
        and draft.pieces[-1][1] <= at
        and draft.head == part.head
    )


def head_and_minimum(
    draft: MentionDraft, ids: Sequence[str], governors: Sequence[str]
) -> tuple[int, tuple[int, int]]:
    """The position of the head of a mention, and its minimum span; −1 if unknown.

    `head` is the number of a word in the mention, from 1. GUM has no such field, but the words of
    the minimum span: of these the first that depends on a word outside the mention is taken, else
    the first. That is the head by the dependency tree in 99 % of GUM's development documents.

    ids, governors  of each word of the document its number in the sentence, and that of its head
    Raises ValueError for a number beyond the words of the mention.
    """
    if draft.head in ("", "_") and draft.minimum in ("", "_"):
        return -1, (-1, -1)
    at = [position for start, end in draft.pieces for position in range(start, end)]
    numbers = draft.minimum.split(",") if draft.minimum not in ("", "_") else []
    minimum = sorted(_position(number, at) for number in numbers)
    span = (minimum[0], minimum[-1] + 1) if minimum else (-1, -1)
    if draft.head not in ("", "_"):
        return _position(draft.head, at), span
    inside = {ids[position] for position in at}
    return next((p for p in minimum if governors[p] not in inside), minimum[0]), span


def _position(number: str, at: Sequence[int]) -> int:
    if not _NUMBER.fullmatch(number) or not 1 <= int(number) <= len(at):
        raise ValueError(number)
    return at[int(number) - 1]
