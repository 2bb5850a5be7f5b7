"""The entities of CoNLL-U: what `Entity=` and `SplitAnte=` of the last column say.

A mention of CoNLL-U while it is read: what its opening bracket says of it.

What the last column of CoNLL-U says of a document's entities: `Entity=` and `SplitAnte=`.

The lines that a document in CoNLL-U was read from, written again with other entities.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import count
from sys import intern

from corescore.corpus.documents import Attributes, Document, Mention, Pieces
from corescore.corpus.formats.columns import TOO_MANY_BRACKETS, Noted, has_too_many, joined

_NUMBER = re.compile("[0-9]{1,9}")

_NAMES = {"GRP": "eid", "entity": "etype", "MIN": "minspan"}  # as releases of GUM write them


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
    mention_type: int = -1
    declared: bool = False

    @classmethod
    def of(cls, declaration: str) -> "Fields | None":
        """The fields of a declaration; None if none of them is the entity."""
        names = [_NAMES.get(name, name) for name in declaration.split("-")]
        at = {name: names.index(name) for name in names}
        if "eid" not in at:
            return None
        etype, head, minspan, mention_type = (
            at.get(name, -1) for name in ("etype", "head", "minspan", "mention_type")
        )
        return cls(len(names), at["eid"], etype, head, minspan, mention_type, declared=True)

    def draft(self, text: str, line: int) -> "MentionDraft":
        """What an opening bracket says of its mention; "" what it does not say."""
        found = text.split("-", self.count - 1)  # the last field may hold dashes

        def value(at: int) -> str:
            return found[at] if 0 <= at < len(found) and found[at] != "_" else ""

        return MentionDraft(
            value(self.eid),
            value(self.etype),
            value(self.head),
            value(self.minspan),
            value(self.mention_type),
            line,
        )

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
    mention_type: str
    line: int
    pieces: list[tuple[int, int]] = field(default_factory=list)
    n_parts: int = 1
    is_open: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether all its parts have opened and closed."""
        return not self.is_open and len(self.pieces) == self.n_parts

    def runs(self) -> Pieces:
        """Its pieces, joined if no word is between them."""
        return joined(self.pieces)


def head_and_minimum(
    draft: MentionDraft, ids: Sequence[str], governor: Callable[[int], str], *, has_heads: bool
) -> tuple[int, tuple[int, int]]:
    """The position of the head of a mention, and its minimum span; −1 if unknown.

    `head` is the number of a word in the mention, from 1. GUM has no such field, but the words of
    the minimum span: of these the first that depends on a word outside the mention is taken, else
    the first. That is the head by the dependency tree in 99% of GUM's development documents.

    ids        of each word of the document its number in the sentence
    governor   gives the number of the word that a word depends on, by its position
    has_heads  whether the file has a field for the head
    Raises ValueError for a number beyond the words of the mention.
    """
    at = [position for start, end in draft.pieces for position in range(start, end)]
    head = _position(draft.head, at) if draft.head else -1
    if not draft.minimum:
        return head, (-1, -1)
    minimum = sorted(_position(number, at) for number in draft.minimum.split(","))
    if not has_heads:
        inside = {ids[position] for position in at}
        head = next((p for p in minimum if governor(p) not in inside), minimum[0])
    return head, (minimum[0], minimum[-1] + 1)


def _position(number: str, at: Sequence[int]) -> int:
    if not _NUMBER.fullmatch(number) or not 1 <= int(number) <= len(at):
        raise ValueError(number)
    return at[int(number) - 1]


DECLARATION = "# global.Entity = eid-etype-head-other"

_BRACKET = re.compile(r"\(?[^()]+\)?")

_PART = re.compile(r"(.+)\[([0-9]{1,9})/([0-9]{1,9})\]")

_EXPECTED = (
    "brackets such as '(e1-person-1', 'e1)' or '(e1-person-1)'",
    "Open and close each mention with the name of its entity.",
)

_UNKNOWN = (-1, (-1, -1))


@dataclass
class Entities(Noted):
    """The entities of one document while it is read."""

    fields: Fields
    mentions: list[MentionDraft] = field(default_factory=list)
    open: dict[str, list[MentionDraft]] = field(default_factory=dict)
    unfinished: dict[str, list[MentionDraft]] = field(default_factory=dict)
    antecedents: dict[str, dict[str, int]] = field(default_factory=dict)

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
            entity = f"a mention of entity {draft.entity}"
            self.warn(line, f"{entity} runs over a sentence end, which CorefUD does not allow.")

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


def _continues(draft: MentionDraft, number: int, part: MentionDraft, at: int) -> bool:
    """Whether this part is the next one of a discontinuous mention."""
    return (
        not draft.is_open
        and (draft.n_parts, len(draft.pieces)) == (part.n_parts, number - 1)
        and draft.pieces[-1][1] <= at
        and draft.head == part.head
    )


def declaration(document: Document) -> str:
    """The fields of the document's brackets: those of CorefUD, and others where they are known."""
    known = document.attributes
    if known is None:
        return "eid-etype-head-other"
    minspan = "-minspan" if (known.minimum >= 0).any() else ""
    mention_type = "-mention_type" if any(known.mention_type) else ""
    return f"eid-etype-head{minspan}{mention_type}-other"


def cells(document: Document, names: Sequence[str]) -> list[str]:
    """The brackets at each word, as CorefUD orders them; "" where there are none.

    What closes (the inner one first), what opens (the longer one first), then mentions of one word;
    these come first where nothing opens.

    names  of the entities
    """
    alone: list[list[str]] = [[] for _ in document.words]
    opens: list[list[str]] = [[] for _ in document.words]
    closes: list[list[str]] = [[] for _ in document.words]
    for start, end, eid, fields in sorted(_parts(document, names), key=lambda p: (p[0], -p[1])):
        if end - start == 1:
            alone[start].append(f"({eid}{fields})")
        else:
            opens[start].append(f"({eid}{fields}")
            closes[end - 1].insert(0, f"{eid})")
    return [
        "".join([*closing, *opening, *single] if opening else [*single, *closing])
        for closing, opening, single in zip(closes, opens, alone, strict=True)
    ]


def _parts(document: Document, names: Sequence[str]) -> Iterator[tuple[int, int, str, str]]:
    """Start and end of each piece, the entity with the piece's number, and the other fields."""
    mentions = zip(document.mentions, document.entity_of.tolist(), strict=True)
    for at, (mention, entity) in enumerate(mentions):
        runs = mention.runs
        fields = _fields(mention, at, document.attributes)
        for number, (start, end) in enumerate(runs, start=1):
            part = f"[{number}/{len(runs)}]" if len(runs) > 1 else ""
            yield start, end, f"{names[entity]}{part}", fields


def _fields(mention: Mention, at: int, known: Attributes | None) -> str:
    """What follows the entity in an opening bracket; empty fields at the end are left out."""
    if known is None:
        return ""
    words = positions(mention)
    head = int(known.head[at])
    first, last = known.minimum[at].tolist()
    fields = [known.entity_type[at], str(words.index(head) + 1) if head >= 0 else ""]
    if (known.minimum >= 0).any():
        fields.append(",".join(str(n) for n, p in enumerate(words, start=1) if first <= p < last))
    if any(known.mention_type):
        fields.append(known.mention_type[at])
    return "".join(f"-{field}" for field in fields).rstrip("-")


def positions(mention: Mention) -> list[int]:
    """The positions of the words of a mention, gaps left out."""
    return [at for start, end in mention.runs for at in range(start, end)]


def coreference(document: Document, names: Sequence[str]) -> list[list[str]]:
    """The attributes of each word."""
    attributes = [[f"Entity={cell}"] if cell else [] for cell in cells(document, names)]
    antecedents: dict[int, list[str]] = {}
    for entity, of_entity in document.split_antecedents:
        pairs = antecedents.setdefault(document.entities[entity][0].start, [])
        pairs += [f"{names[antecedent]}<{names[entity]}" for antecedent in of_entity]
    for at, pairs in antecedents.items():
        attributes[at].append(f"SplitAnte={','.join(pairs)}")
    return attributes


def indistinct(document: Document) -> set[int]:
    """The entities whose mentions would be read back as others, such as two that cross."""
    names = [str(entity) for entity in range(document.n_entities)]
    declared = Fields.of(declaration(document)) or Fields()
    read = Entities("", declared)
    for at, cell in enumerate(cells(document, names)):
        if cell:
            read.read(f"Entity={cell}", at, 0, 0)
    wanted: Counter[tuple[str, ...]] = Counter()
    mentions = zip(document.mentions, document.entity_of.tolist(), strict=True)
    for at, (mention, entity) in enumerate(mentions):
        fields = _fields(mention, at, document.attributes)
        wanted[_facts(declared.draft(f"{names[entity]}{fields}", 0), mention.runs)] += 1
    found = Counter(_facts(draft, draft.runs()) for draft in read.mentions)
    return {int(entity) for entity, *_ in (wanted - found) + (found - wanted)}


def _facts(draft: MentionDraft, runs: Pieces) -> tuple[str, ...]:
    known = draft.entity_type, draft.head, draft.minimum, draft.mention_type
    return draft.entity, *known, str(runs)


DECLARED = re.compile(r"#\s*global\.Entity\s*=\s*(.*?)\s*")

NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*?))?\s*")

_ENDS = re.compile("[<:]")

_REPLACED = ("Entity", "SplitAnte", "Split")


def rows_of(document: Document) -> list[tuple[int, list[str]]] | None:
    """Of each word the index of its line in the original, and its columns.

    None if it was read from another format, or its words are no longer those of the original.
    """
    original = document.original
    if original is None or original.format != "conllu" or document.lines is None:
        return None
    lines = original.text.split("\n")
    at = [line - original.line for line in document.lines.tolist()]
    if len({*at}) != len(document.words) or not all(0 <= line < len(lines) for line in at):
        return None
    rows = [(line, lines[line].split("\t")) for line in at]
    words = tuple(columns[1] if len(columns) > 1 else "" for _, columns in rows)
    return rows if words == document.words else None


def names_of(document: Document) -> list[str]:
    """A name for each entity: that of its file if it has the same mentions there, or a new one."""
    old = _old_entities(document)
    new = (name for name in map("e{}".format, count(1)) if name not in old)
    kept = {mentions: name for name, mentions in old.items()}
    return [kept.pop(frozenset(entity), "") or next(new) for entity in document.entities]


def _old_entities(document: Document) -> dict[str, frozenset[Mention]]:
    """The entities of the original by name."""
    rows = rows_of(document)
    original = document.original
    if rows is None or original is None:
        return {}
    declared = (m[1] for line in original.text.split("\n") if (m := DECLARED.fullmatch(line)))
    read = Entities("", Fields.of(next(declared, "")) or Fields())
    for at, (_, columns) in enumerate(rows):
        if "Entity=" in columns[9]:
            read.read(columns[9], at, 0, 0)
    old: dict[str, set[Mention]] = {}
    for draft in read.mentions:
        runs = draft.runs()
        pieces = runs if len(runs) > 1 else ()
        old.setdefault(draft.entity, set()).add(Mention(runs[0][0], runs[-1][1], pieces))
    return {name: frozenset(mentions) for name, mentions in old.items()}


def rewritten(document: Document, names: Sequence[str]) -> str | None:
    """The original with the document's name and entities; None if there is none that fits."""
    rows = rows_of(document)
    if rows is None or document.original is None:
        return None
    lines = document.original.text.rstrip("\n").split("\n")
    n_left_out = 0
    for (line, columns), attributes in zip(rows, coreference(document, names), strict=True):
        others, left_out = _others(columns[9], {*names})
        n_left_out += left_out
        misc = "|".join(_with(others, attributes)) or "_"
        lines[line] = "\t".join([*columns[:9], misc])
    lines = _with_header(document, lines, n_left_out)
    end = [""] if lines[-1].startswith("#") else ["", ""]
    return document.original.newline.join([*lines, *end])


def _others(misc: str, names: Set[str]) -> tuple[list[str], int]:
    """The attributes that stay, and how many links of Bridge do not."""
    others: list[str] = []
    n_left_out = 0
    for attribute in misc.split("|") if misc != "_" else ():
        name, _, value = attribute.partition("=")
        if name == "Bridge":
            links = value.split(",")
            kept = [link for link in links if {*_ENDS.split(link)[:2]} <= names]
            n_left_out += len(links) - len(kept)
            others += [f"Bridge={','.join(kept)}"] * bool(kept)
        elif name not in _REPLACED:
            others.append(attribute)
    return others, n_left_out


def _with(others: Sequence[str], attributes: Iterable[str]) -> list[str]:
    """The attributes with others, which CoNLL-U has in the order of their names."""
    every = [*others]
    for attribute in attributes:
        after = (at for at, other in enumerate(every) if _name(other) > _name(attribute))
        every.insert(next(after, len(every)), attribute)
    return every


def _name(attribute: str) -> str:
    return attribute.partition("=")[0].lower()


def _with_header(document: Document, lines: list[str], n_left_out: int) -> list[str]:
    """The lines under the document's name and the declaration of its brackets."""
    declared = [at for at, line in enumerate(lines) if DECLARED.fullmatch(line)]
    lines = [line for at, line in enumerate(lines) if at not in declared[1:]]
    fields = f"# global.Entity = {declaration(document)}"
    names = ((at, m[1]) for at, line in enumerate(lines) if (m := NEWDOC.fullmatch(line)))
    at, name = next(names, (-1, None))
    if name != document.name:
        lines[max(at, 0) : at + 1] = [f"# newdoc id = {document.name}"]
    if declared:
        at = next(at for at, line in enumerate(lines) if DECLARED.fullmatch(line))
        lines[at] = fields
    else:
        at = max(at, 0) + 1
        lines.insert(at, fields)
    if n_left_out:
        links = "link" if n_left_out == 1 else "links"
        told = f"# {n_left_out} {links} of Bridge left out: other mentions of the entities"
        lines.insert(at + 1, told)
    return lines
