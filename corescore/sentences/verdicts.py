"""Whether a claim holds, in signs and words, and how many of an experiment do."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corescore.replication.experiment import Check, Claim
from corescore.wording import counted

Checks = Sequence[tuple[Claim, Check]]


@dataclass(frozen=True)
class Mark:
    """How a page shows whether something holds: a sign, its words, and a style of page.css."""

    sign: str
    words: str
    style: str


MARKS = {
    True: Mark("✓", "holds", "holds"),
    False: Mark("✗", "does not hold", "fails"),
    None: Mark("–", "cannot be checked here", "untold"),
}


def held(checks: Iterable[tuple[Claim, Check]], where: str = "here") -> str:
    """4 of 5 observations hold here, 1 cannot be checked; "" without any."""
    counts = Counter(check.holds for _, check in checks)
    n = counts.total()
    if not n:
        return ""
    verb = "holds" if n == 1 or counts[True] == 1 else "hold"
    rest = f", {counts[None]} cannot be checked" if counts[None] else ""
    return f"{counts[True]} of {counted(n, 'observation')} {verb} {where}{rest}"
