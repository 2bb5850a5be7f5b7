"""Parts of the cards' texts: numbers in words, and claims with their checks."""

import math

from corescore.counting.counts import Score
from corescore.metrics import title_of
from corescore.replication.experiment import Check
from corescore.teaching.pitfalls.criteria import LINKS, Criterion
from corescore.teaching.pitfalls.pitfall import Case, Claim
from corescore.teaching.pitfalls.scored import NO_VALUE, SAME, Scored
from corescore.tolerances import TOLERANCE
from corescore.wording import number, percent

# Numbers ------------------------------------------------------------------------------------------


def portion(score: Score[float], ratio: str) -> str:
    """Recall or precision as a fraction and in percent: "4/7 = 57.14%", or "0/0"."""
    numerator, denominator = (
        getattr(score, f"{ratio}_{part}") for part in ("numerator", "denominator")
    )
    if denominator == 0:
        return "0/0"
    return f"{number(numerator)}/{number(denominator)} = {percent(getattr(score, ratio))}%"


def of_f1(output: Scored, metric: str) -> str:
    """F1 in percent: "72.73"."""
    return percent(output.score(metric).f1)


def both(case: Case, metric: str) -> str:
    """The scores of A and B by the card's measure: "A 72.73, B 66.67"."""
    a, b = ("0/0" if math.isnan(value) else percent(value) for value in case.values(metric))
    return f"A {a}, B {b}"


# Claims -------------------------------------------------------------------------------------------


def better(letter: str, says: str, *, by: Criterion = LINKS) -> Claim:
    """This output is better by a criterion; SAME: neither is."""

    def check(case: Case) -> Check:
        words = by.words
        return Check(by.better(case.a, case.b) == letter, f"A: {words(case.a)}; B: {words(case.b)}")

    return Claim(says, check)


def puts_first(letter: str, *metrics: str, says: str) -> Claim:
    """Each of these metrics gives this output the higher score; SAME: equal scores."""

    def check(case: Case) -> Check:
        numbers = "; ".join(f"{title_of(metric)}: {both(case, metric)}" for metric in metrics)
        return Check(all(case.first(metric) == letter for metric in metrics), numbers)

    return Claim(says, check)


def sees_no_difference(*metrics: str, says: str) -> Claim:
    """Each of these metrics gives both outputs the same score."""
    return puts_first(SAME, *metrics, says=says)


def has_no_value(metric: str, *, says: str) -> Claim:
    """A metric has nothing to divide by for A or B, in the card's measure."""

    def check(case: Case) -> Check:
        return Check(case.first(metric) == NO_VALUE, f"{title_of(metric)}: {both(case, metric)}")

    return Claim(says, check)


def keeps(ratio: str, *metrics: str, says: str) -> Claim:
    """Recall or precision is the same for A and B under each of these metrics."""

    def check(case: Case) -> Check:
        values = {name: _both(case, name, ratio) for name in metrics}
        holds = all(abs(a - b) < TOLERANCE for a, b in values.values())
        return Check(holds, _listed(values, ratio))

    return Claim(says, check)


def rises(ratio: str, *metrics: str, says: str) -> Claim:
    """Recall, precision or F1 is higher for B than for A under each of these metrics."""

    def check(case: Case) -> Check:
        values = {name: _both(case, name, ratio) for name in metrics}
        return Check(all(b > a + TOLERANCE for a, b in values.values()), _listed(values, ratio))

    return Claim(says, check)


def _both(case: Case, metric: str, ratio: str) -> tuple[float, float]:
    a, b = (getattr(output.score(metric), ratio) for output in (case.a, case.b))
    return a, b


def _listed(values: dict[str, tuple[float, float]], ratio: str) -> str:
    of = "F1" if ratio == "f1" else ratio
    each = (f"{title_of(name)} {percent(a)} and {percent(b)}" for name, (a, b) in values.items())
    return f"{of} of A and of B: {', '.join(each)}"


def is_full(output: str, ratio: str, metric: str, *, says: str) -> Claim:
    """Recall or precision of A or B is 1."""

    def check(case: Case) -> Check:
        score = (case.a if output == case.a.letter else case.b).score(metric)
        numbers = f"{title_of(metric)} {ratio} of {output}: {portion(score, ratio)}"
        return Check(abs(getattr(score, ratio) - 1) < TOLERANCE, numbers)

    return Claim(says, check)


def same_links(says: str) -> Claim:
    """A and B have the same correct, wrong and missed links."""

    def check(case: Case) -> Check:
        a, b = case.a, case.b
        holds = all(
            {*one} == {*other}
            for one, other in ((a.correct, b.correct), (a.wrong, b.wrong), (a.missed, b.missed))
        )
        return Check(holds, f"A: {link_counts(a)}; B: {link_counts(b)}")

    return Claim(says, check)


def no_correct_link_more(says: str) -> Claim:
    """B has no correct link that A lacks, and more wrong ones."""

    def check(case: Case) -> Check:
        holds = {*case.b.correct} <= {*case.a.correct} and len(case.b.wrong) > len(case.a.wrong)
        return Check(holds, f"A: {link_counts(case.a)}; B: {link_counts(case.b)}")

    return Claim(says, check)


def link_counts(output: Scored) -> str:
    """The numbers of links: "4 correct, 2 wrong, 3 missed"."""
    counts = {"correct": output.correct, "wrong": output.wrong, "missed": output.missed}
    return ", ".join(f"{len(links)} {name}" for name, links in counts.items())
