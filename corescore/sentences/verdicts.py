"""Verdicts, in signs and words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corescore.replication.experiment import VERDICTS, Check, Claim, Reading, Verdict, worst
from corescore.wording import counted, listed

Checks = Sequence[tuple[Claim, Check]]
MOST = 4  # readings that are named


@dataclass(frozen=True)
class Mark:
    """How a page shows whether something holds: a sign, its words, and a style of page.css."""

    sign: str
    words: str
    style: str


# Of what is no claim of a paper: it holds or not.
MARKS = {
    True: Mark("✓", "holds", "holds"),
    False: Mark("✗", "does not hold", "fails"),
    None: Mark("–", "cannot be checked here", "untold"),
}
_SIGNS: dict[Verdict, tuple[str, str]] = {
    "holds": ("✓", "holds"),
    "holds in print only": ("◐", "partly"),
    "holds recomputed only": ("◐", "partly"),
    "depends on the reading": ("◐", "partly"),
    "does not hold under any reading": ("✗", "fails"),
    "cannot be tried": ("–", "untold"),
}
VERDICT_MARKS = {verdict: Mark(sign, verdict, style) for verdict, (sign, style) in _SIGNS.items()}
# After a number, of one and of several.
_SHORT: dict[Verdict, tuple[str, str]] = {
    "holds": ("holds", "hold"),
    "holds in print only": ("in print only", "in print only"),
    "holds recomputed only": ("recomputed only", "recomputed only"),
    "depends on the reading": ("depends on the reading", "depend on the reading"),
    "does not hold under any reading": ("does not", "do not"),
    "cannot be tried": ("cannot be tried", "cannot be tried"),
}


def mark_of(verdict: Verdict, readings: Sequence[Reading]) -> Mark:
    """The mark of a verdict, with the share of the readings under which something holds if it
    depends on them."""
    mark = VERDICT_MARKS[verdict]
    if verdict != "depends on the reading":
        return mark
    held = sum(reading.holds is True for reading in readings)
    return Mark(mark.sign, f"{mark.words} ({held} of {len(readings)})", mark.style)


def readings_told(readings: Sequence[Reading]) -> str:
    """Under how many readings something holds, and under which, or under which not: the fewer.

    "" if there is none.
    """
    held = [reading.name for reading in readings if reading.holds]
    failed = [reading.name for reading in readings if not reading.holds]
    if not readings:
        return ""
    of = counted(len(readings), "reading")
    if not failed:
        return f"under {'each of ' if held[1:] else ''}{of}"
    if not held:
        return f"under none of {of}: {'; '.join(failed)}"
    if len(failed) < len(held):
        return f"under {len(held)} of {of}, but not: {_named(failed)}"
    return f"under {len(held)} of {of}: {_named(held)}"


def _named(names: Sequence[str]) -> str:
    more = [f"{len(names) - MOST} more"] if len(names) > MOST else []
    return "; ".join([*names[:MOST], *more])


# Counts -------------------------------------------------------------------------------------------


def published(checks: Checks) -> Checks:
    """Those of the paper; the others are ours."""
    return [(claim, check) for claim, check in checks if not claim.ours]


def ours(checks: Checks) -> Checks:
    return [(claim, check) for claim, check in checks if claim.ours]


def tally(checks: Checks) -> str:
    """4 of 5 hold, 1 depends on the reading; of ours 2 of 2."""
    of_paper, own = published(checks), ours(checks)
    n_held = sum(check.verdict == "holds" for _, check in own)
    parts = [_counts(of_paper)] if of_paper else []
    parts += [f"of ours {n_held} of {len(own)}"] if own else []
    return "; ".join(parts) or "no claim to check"


def tally_mark(checks: Checks) -> Mark:
    """The sign of the tally: that of the claim that fares worst, of the paper's if there is any."""
    counting = published(checks) or checks
    if not counting:
        return Mark("–", tally(checks), "untold")
    mark = VERDICT_MARKS[worst(check.verdict for _, check in counting)]
    return Mark(mark.sign, tally(checks), mark.style)


def held(checks: Checks, where: str) -> str:
    """4 of 5 observations hold here, 1 depends on the reading; of ours 2 of 2."""
    of_paper, own = published(checks), ours(checks)
    if not of_paper:
        return f"The paper makes no testable observation; of ours, {_counts(own)} {where}."
    n, verdicts = len(of_paper), Counter(check.verdict for _, check in of_paper)
    verb = _SHORT["holds"][n > 1 and verdicts["holds"] != 1]
    rest = "".join(f", {part}" for part in _others(verdicts))
    also = f"; of ours {_counts(own)}" if own else ""
    return f"{verdicts['holds']} of {counted(n, 'observation')} {verb} {where}{rest}{also}."


def overall(checks: Iterable[Checks], *, n_waiting: int) -> str:
    """How many published observations hold in all, and how many claims of ours; `n_waiting`
    experiments have not run yet."""
    every = [pair for of_one in checks for pair in of_one]
    of_paper, own = published(every), ours(every)
    if not of_paper:
        return "The papers' observations are being checked."
    n, verdicts = len(of_paper), Counter(check.verdict for _, check in of_paper)
    parts = listed([f"{verdicts['holds']} of {counted(n, 'observation')} hold", *_others(verdicts)])
    also = f" Of our own claims, {_counts(own)}." if own else ""
    waiting = f" {n_waiting} more to be run." if n_waiting else ""
    return f"{parts}.{also}{waiting}"


def statement_counts(verdicts: Iterable[Verdict]) -> str:
    """Of 74 testable statements, 60 hold, 10 depend on the reading and 4 do not."""
    counts = Counter(verdicts)
    n = counts["holds"]
    parts = [f"{n} {_SHORT['holds'][n != 1]}", *_others(counts)]
    return f"Of {counted(counts.total(), 'testable statement')}, {listed(parts)}."


def _counts(checks: Checks) -> str:
    """4 of 5 hold, 1 does not."""
    verdicts = Counter(check.verdict for _, check in checks)
    n = len(checks)
    first = f"{verdicts['holds']} of {n} {_SHORT['holds'][n > 1 and verdicts['holds'] != 1]}"
    return ", ".join([first, *_others(verdicts)])


def _others(verdicts: "Counter[Verdict]") -> list[str]:
    """How many have each of the other verdicts: "1 depends on the reading", "2 do not"."""
    return [
        f"{verdicts[verdict]} {_SHORT[verdict][verdicts[verdict] != 1]}"
        for verdict in VERDICTS[1:]
        if verdicts[verdict]
    ]
