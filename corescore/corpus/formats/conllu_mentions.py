"""A mention of CoNLL-U while it is read: what its opening bracket says of it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from corescore.corpus.mentions import Pieces

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
        """Its pieces, joined where no word is between them."""
        joined = self.pieces[:1]
        for start, end in self.pieces[1:]:
            if start == joined[-1][1]:
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        return tuple(joined)


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
