"""What became of each mention: right, missing (only the key has it) or spurious."""

from dataclasses import dataclass

from corescore.documents import Document, Mention
from corescore.matching import Side, match

RIGHT, MISSING, SPURIOUS = "right", "missing", "spurious"


@dataclass(frozen=True, slots=True)
class MentionStatus:
    """A mention, its entity on each side (None where the side lacks it), and its status."""

    mention: Mention
    key_entity: int | None
    response_entity: int | None

    @property
    def status(self) -> str:
        if self.key_entity is None:
            return SPURIOUS
        return MISSING if self.response_entity is None else RIGHT


def mention_statuses(
    key: Document, response: Document, *, by: str = "exact", singletons: str = "keep"
) -> tuple[MentionStatus, ...]:
    """Every mention of either side of one document, in text order.

    A mention that matches is given with the key's span. Of a span listed twice on one side the
    first entity counts. Documents in notation must be paired first (`pair_documents`), so that a
    name is the same position on both sides. Policies as in `corescore.score`.
    """
    matching = match([key], [response], by=by, singletons=singletons)
    partner = dict(
        zip(matching.key_mention.tolist(), matching.response_mention.tolist(), strict=True)
    )
    of_key, of_response = _mentions(matching.key), _mentions(matching.response)
    found = [
        MentionStatus(mention, entity, of_response[partner[i]][1] if i in partner else None)
        for i, (mention, entity) in enumerate(of_key)
    ]
    matched = set(partner.values())
    spurious = [
        MentionStatus(mention, None, entity)
        for i, (mention, entity) in enumerate(of_response)
        if i not in matched
    ]
    return tuple(sorted([*found, *spurious], key=lambda s: (s.mention.start, -s.mention.end)))


def _mentions(side: Side) -> list[tuple[Mention, int]]:
    rows = zip(side.start.tolist(), side.end.tolist(), side.entity.tolist(), strict=True)
    return [(Mention(start, end), entity) for start, end, entity in rows]
