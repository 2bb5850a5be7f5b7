"""Whether claims hold, in signs and words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corescore.replication.experiment import Check, Claim
from corescore.replication.statements import VERDICTS, Verdict
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
# By whether a claim holds as computed, and in print; "{}" is how it was computed.
_BOTH = {
    (True, True): Mark("✓", "holds {} and in print", "holds"),
    (True, False): Mark("◐", "holds {}, not in print", "partly"),
    (False, True): Mark("◐", "holds in print, not {}", "partly"),
    (False, False): Mark("✗", "holds neither {} nor in print", "fails"),
    (None, True): Mark("◐", "holds in print; cannot be checked here", "partly"),
    (None, False): Mark("✗", "does not hold in print; cannot be checked here", "fails"),
}
VERDICT_MARKS: dict[Verdict, Mark] = {
    "holds": MARKS[True],
    "does not hold": MARKS[False],
    "holds in print only": Mark("◐", "holds in print only", "partly"),
    "cannot be tried": Mark("–", "cannot be tried", "untold"),
}


def mark_of(check: Check, *, on_data: bool = False) -> Mark:
    """The mark of a claim: whether it holds as computed here and, where they tell, in the printed
    figures.

    on_data  whether it was computed from the user's data, and not from the paper's own
    """
    printed = check.printed.holds if check.printed else None
    if printed is None:
        return MARKS[check.holds]
    mark = _BOTH[check.holds, printed]
    how = "on this data" if on_data else "when recomputed"
    return Mark(mark.sign, mark.words.format(how), mark.style)


def tally(checks: Checks) -> str:
    """4 of 5 hold, 1 does not; or 3 of 5 hold, 1 not in print, 1 in print only."""
    if not checks:
        return "no claim to check"
    n, n_held, n_printed, n_untold = _counts(checks)
    n_failed = n - n_held - n_printed - n_untold
    sentence = f"{n_held} of {n} {_hold(n)}{unprinted(checks)}"
    sentence += f", {n_failed} {'does' if n_failed == 1 else 'do'} not" if n_failed else ""
    sentence += f", {n_printed} in print only" if n_printed else ""
    return sentence + (f", {n_untold} cannot be checked" if n_untold else "")


def tally_mark(checks: Checks) -> Mark:
    """The sign of the tally: that of the claim that fares worst."""
    if not checks:
        return Mark("–", tally(checks), "untold")
    styles = {mark_of(check).style for _, check in checks}
    worst = next((style for style in ("fails", "partly", "untold") if style in styles), "holds")
    sign = {"fails": "✗", "partly": "◐", "untold": "–", "holds": "✓"}[worst]
    return Mark(sign, tally(checks), worst)


def held(checks: Checks, where: str) -> str:
    """4 of 5 observations hold here, 1 not in print; 1 holds in print only."""
    n, n_held, n_printed, n_untold = _counts(checks)
    if (n, n_held, n_printed, n_untold) == (1, 0, 0, 0):
        return f"The paper's observation does not hold {where}."
    verb = "holds" if 1 in (n_held, n) else "hold"
    sentence = f"{n_held} of {counted(n, 'observation')} {verb} {where}{unprinted(checks)}"
    if n_printed:
        sentence += f"; {n_printed} {_hold(n_printed)} in print only"
    return f"{sentence}; {n_untold} cannot be checked." if n_untold else f"{sentence}."


def unprinted(checks: Checks) -> str:
    """ ", 1 not in print" where a claim holds as computed but not in the printed figures."""
    n = sum(check.holds_but_not_in_print for _, check in checks)
    return f", {n} not in print" if n else ""


def overall(checks: Iterable[Checks], *, n_waiting: int) -> str:
    """How many claims hold in all; `n_waiting` experiments have not run yet."""
    every = [pair for of_one in checks for pair in of_one]
    if not every:
        return "The papers' observations are being checked."
    n, n_held, n_printed, n_untold = _counts(every)
    printed = f", {n_printed} in print only" if n_printed else ""
    sentence = f"{n_held} of {counted(n, 'observation')} hold when recomputed{printed}"
    sentence += f", {n - n_held - n_printed - n_untold} do not"
    sentence += f", and {n_untold} cannot be checked" if n_untold else ""
    return f"{sentence}." if not n_waiting else f"{sentence}; {n_waiting} more to be run."


def statement_counts(verdicts: Iterable[Verdict]) -> str:
    """Of 74 testable statements, 50 hold, 10 do not, 8 hold in print only and 6 cannot be tried."""
    counts = Counter(verdicts)
    held, failed, printed, untried = (counts[verdict] for verdict in VERDICTS)
    return (
        f"Of {counted(counts.total(), 'testable statement')}, {held} {_hold(held)}, {failed} "
        f"{'does' if failed == 1 else 'do'} not, {printed} {_hold(printed)} in print only and "
        f"{untried} cannot be tried."
    )


def _hold(n: int) -> str:
    return "holds" if n == 1 else "hold"


def _counts(checks: Checks) -> tuple[int, int, int, int]:
    """All claims; those that hold; that hold in print only; that cannot be checked at all."""
    every = [check for _, check in checks]
    printed = [check for check in every if check.holds_in_print_only]
    untold = [check for check in every if check.holds is None and check not in printed]
    return len(every), sum(check.holds is True for check in every), len(printed), len(untold)
