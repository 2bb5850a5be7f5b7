"""Sentences about the mentions of a passage."""

from collections import Counter
from collections.abc import Iterable, Sequence

from corescore.analysis.errors.mentions import (
    DUPLICATED,
    FOUND,
    INCORRECTLY_RESOLVED,
    MISSING,
    SPAN_ERROR,
    SPURIOUS,
    UNLINKED,
)
from corescore.analysis.errors.outcomes import BOTH_CORRECT, BOTH_WRONG, ONLY_A, ONLY_B
from corescore.wording import counted, listed


def counts(document: str, name: str, classes: Iterable[str]) -> str:
    """What a response did with a document's mentions; their classes as in `mention_table`."""
    n = Counter(classes)
    if not n:
        return f"Neither the key nor {name} has a mention in {document}."
    found = sum(n[kind] for kind in FOUND)
    of_key = counted(found + n[SPAN_ERROR] + n[MISSING], "key mention")
    rest = {
        "has {} with a span error": n[SPAN_ERROR],
        "misses {}": n[MISSING],
        "adds {}": n[SPURIOUS] + n[DUPLICATED],
    }
    others = [words.format(number) for words, number in rest.items() if number]
    kinds = {"with wrong partners only": n[INCORRECTLY_RESOLVED], "unlinked": n[UNLINKED]}
    faults = [f"{number} {words}" for words, number in kinds.items() if number]
    of_them = f", including {listed(faults)}" if faults else ""
    tail = f"; it {listed(others)}." if others else "."
    return f"In {document}, {name} finds {found} of {of_key}{of_them}{tail}"


def filtered(shown: int, all_: int) -> str:
    """How many mentions pass the filters."""
    if not shown:
        return f"None of {counted(all_, 'mention')} passes the filters. Clear them to see all."
    return f"The filters leave {shown} of {counted(all_, 'mention')}. Clear them to see all."


def outcomes(document: str, names: tuple[str, str], statuses: Iterable[str]) -> str:
    """Which of two responses has a document's mentions correct; outcomes as in `outcome_table`."""
    n = Counter(statuses)
    of_key = counted(sum(n.values()) - n[SPURIOUS], "key mention")
    return (
        f"In {document}, both have {n[BOTH_CORRECT]} of {of_key} correct, only {names[0]} "
        f"{n[ONLY_A]}, only {names[1]} {n[ONLY_B]}, and neither {n[BOTH_WRONG]}."
    )


def given(mention: str, side: str, letters: Sequence[str]) -> str:
    """A heading for what the metrics credit a mention with, in one direction."""
    short = mention if len(mention) <= 60 else f"{mention[:58]}…"
    lacks = "" if len(letters) > 1 else f"; only {letters[0]} has it"
    return f"What each metric gives “{short}” of what it could earn towards {side}{lacks}:"
