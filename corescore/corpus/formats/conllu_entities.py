"""The entities of CoNLL-U: what `Entity=` and `SplitAnte=` of the last column say."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from sys import intern

from corescore.corpus.formats.conll_brackets import TOO_MANY_BRACKETS, has_too_many
from corescore.corpus.formats.conllu_mentions import Fields, MentionDraft, head_and_minimum
from corescore.corpus.mentions import Attributes
from corescore.corpus.problems import Problem, Problems

DECLARATION = "# global.Entity = eid-etype-head-other"
_BRACKET = re.compile(r"\(?[^()]+\)?")
_PART = re.compile(r"(.+)\[([0-9]{1,9})/([0-9]{1,9})\]")
_EXPECTED = (
    "brackets such as '(e1-person-1', 'e1)' or '(e1-person-1)'",
    "Open and close each mention with the name of its entity.",
)
_UNKNOWN = (-1, (-1, -1))


@dataclass
class Entities:
    """The entities of one document while it is read."""

    file: str
    fields: Fields
    mentions: list[MentionDraft] = field(default_factory=list)
    open: dict[str, list[MentionDraft]] = field(default_factory=dict)
    unfinished: dict[str, list[MentionDraft]] = field(default_factory=dict)
    antecedents: dict[str, dict[str, int]] = field(default_factory=dict)
    problems: Problems = field(default_factory=Problems)
    warnings: list[str] = field(default_factory=list)

    @property
    def heads_are_of_minspan(self) -> bool:
        """Whether there is no field for the head, but one for the minimum span."""
        return self.fields.head < 0 <= self.fields.minspan and bool(self.mentions)

    def read(self, misc: str, at: int, line: int, sentence_start: int) -> None:
        """Take in the last column of the word at a position."""
        for attribute in misc.split("|"):
            name, _, value = attribute.partition("=")
            if name == "Entity":
                self._brackets(value, at, line, sentence_start)
            elif name in ("SplitAnte", "Split"):  # Split: as older releases of GUM write it
                self._split_antecedents(value, line)

    def _brackets(self, value: str, at: int, line: int, sentence_start: int) -> None:
        if has_too_many(value):
            self.refuse(line, *TOO_MANY_BRACKETS)
            return
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
        draft = self.fields.draft(text, line)
        eid = draft.entity
        if "-" in text and not self.fields.declared:
            found = f"'({text}' in a file that does not name its fields"
            self.refuse(line, found, f"'{DECLARATION}' above it", "Add the line that fits.")
        elif not eid:
            self.refuse(line, f"'({text}' without an entity", *_EXPECTED)
        elif eid[-1] == "]" and (part := _PART.fullmatch(eid)):
            draft.entity, draft.n_parts = part[1], int(part[3])
            self._open_part(eid, int(part[2]), draft, at, closes)
        else:
            draft.pieces.append((at, at + 1))
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
                before = f"'{part.entity}[{number - 1}/{part.n_parts}]'"
                expected = f"{before} closed before it, with the same head"
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

    def split_antecedents(self) -> list[tuple[str, list[str]]]:
        """The entities that have some, in the order of the text, wherever the file says so."""
        first: dict[str, int] = {}
        for draft in self.mentions:
            start = draft.pieces[0][0]
            first[draft.entity] = min(start, first.get(draft.entity, start))
        antecedents = [(entity, [*found]) for entity, found in self.antecedents.items()]
        return sorted(antecedents, key=lambda pair: first[pair[0]])

    def attributes(self, ids: Sequence[str], governor: Callable[[int], str]) -> Attributes | None:
        """What is told of the mentions; None if it is nothing. For the rest, `head_and_minimum`."""
        drafts = self.mentions
        known = [self._head_and_minimum(draft, ids, governor) for draft in drafts]
        pieces = [runs if len(runs := draft.runs()) > 1 else () for draft in drafts]
        types = [intern(draft.entity_type) for draft in drafts]
        kinds = [intern(draft.mention_type) for draft in drafts]
        if not (any(types) or any(kinds) or any(pieces)) and {*known} <= {_UNKNOWN}:
            return None
        return Attributes.of(
            len(drafts),
            head=[head for head, _ in known],
            minimum=[minimum for _, minimum in known],
            pieces=pieces,
            entity_type=types,
            mention_type=kinds,
        )

    def _head_and_minimum(
        self, draft: MentionDraft, ids: Sequence[str], governor: Callable[[int], str]
    ) -> tuple[int, tuple[int, int]]:
        if not draft.head and not draft.minimum:
            return _UNKNOWN
        try:
            has_heads = not self.heads_are_of_minspan
            return head_and_minimum(draft, ids, governor, has_heads=has_heads)
        except ValueError as error:
            n_words = sum(end - start for start, end in draft.pieces)
            found = f"head or minimum span {str(error)!r} of a mention of {draft.entity}"
            expected = f"a number from 1 to {n_words}, its number of words"
            self.refuse(draft.line, found, expected, "Count the words of the mention from 1.")
            return _UNKNOWN

    def refuse(self, line: int, found: str, expected: str, advice: str) -> None:
        """Keep a problem."""
        self.problems.add(Problem(self.file, line, found, expected, advice))


def _continues(draft: MentionDraft, number: int, part: MentionDraft, at: int) -> bool:
    """Whether this part is the next one of a discontinuous mention."""
    return (
        not draft.is_open
        and (draft.n_parts, len(draft.pieces)) == (part.n_parts, number - 1)
        and draft.pieces[-1][1] <= at
        and draft.head == part.head
    )
