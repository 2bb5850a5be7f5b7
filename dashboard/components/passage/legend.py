"""What the lines and letters of a passage mean."""

from collections.abc import Sequence

from corescore.analysis.errors.classes import (
    CORRECT,
    DUPLICATED,
    INCORRECTLY_RESOLVED,
    MISSING,
    SPAN_ERROR,
    SPURIOUS,
    UNLINKED,
)
from corescore.analysis.errors.tables import BOTH_CORRECT, BOTH_WRONG, ONLY_A, ONLY_B
from corescore.analysis.perturbation.effects import ADDED, KEPT, MOVED, REMOVED
from corescore.sentences.names import MENTION_WORDS
from dashboard.components.passage.mentions import FIRST, KEY, SECOND, STATUSES, THE_KEY, Drawn
from dashboard.components.passage.values import Entry

HAS_CORRECT = MENTION_WORDS[CORRECT]


def legend(every: Sequence[Drawn], sides: Sequence[str]) -> list[Entry]:
    """What the lines and letters mean; a mention listed twice only where there is one."""
    if len(sides) > 2:
        return list(_OF_TWO_SYSTEMS)
    if sides[KEY] != THE_KEY:
        return list(_OF_CHANGES)
    first, both = sides[FIRST], (KEY, FIRST)
    entries = [
        _entry(CORRECT, both, f"correct: {HAS_CORRECT} (key entity 1, {first}’s 2)"),
        _entry(UNLINKED, both, f"unlinked: {MENTION_WORDS[UNLINKED]}"),
        _entry(
            INCORRECTLY_RESOLVED,
            both,
            f"incorrectly resolved: {MENTION_WORDS[INCORRECTLY_RESOLVED]}",
        ),
        _entry(SPAN_ERROR, both, f"span error ({first}’s dashed)", ("1", "")),
        _entry(MISSING, (KEY,), "missing: only the key has it"),
        _entry(SPURIOUS, (FIRST,), f"spurious: only {first} has it"),
    ]
    if any(d.kind == DUPLICATED for d in every):
        entries.append(_entry(DUPLICATED, (FIRST,), f"duplicated: {first} has it again"))
    return entries


def _entry(
    kind: str, lines: tuple[int, ...], words: str, numbers: tuple[str, str] | None = None
) -> Entry:
    """numbers  of key entity 1 and response entity 2, unless others are given"""
    of_lines: dict[tuple[int, ...], tuple[str, str]] = {(KEY,): ("1", ""), (FIRST,): ("2", "")}
    of_key, of_response = numbers or of_lines.get(lines, ("1", "/2"))
    status = STATUSES[kind]
    return Entry(status.style, lines, (status.letter, of_key, of_response), words)


_ONE = ("1", "")
_OF_TWO_SYSTEMS = (
    _entry(
        BOTH_CORRECT,
        (KEY, FIRST, SECOND),
        f"both correct: {HAS_CORRECT} (lines: key, A, B)",
        _ONE,
    ),
    _entry(ONLY_A, (KEY, FIRST), "only A correct", _ONE),
    _entry(ONLY_B, (KEY, SECOND), "only B correct", _ONE),
    _entry(BOTH_WRONG, (KEY,), "both wrong: no correct partner"),
    _entry(SPURIOUS, (FIRST,), "spurious: the key lacks it"),
)
_OF_CHANGES = (
    _entry(KEPT, (KEY, FIRST), "kept (entity 1 before, 2 after)"),
    _entry(REMOVED, (KEY,), "removed"),
    _entry(ADDED, (FIRST,), "new"),
    _entry(MOVED, (KEY, FIRST), "moved to another entity"),
)
