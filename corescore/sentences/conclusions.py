"""What can be concluded of two systems, for the reader of a page and for a paper."""

import math
from collections.abc import Collection, Iterator, Mapping

from corescore.analysis.significance.power import Detectable
from corescore.analysis.systems.comparability import Finding
from corescore.analysis.systems.evidence import Evidence
from corescore.analysis.systems.holds import KEPT
from corescore.counting.policies import POLICY_VALUES, Policies
from corescore.metrics import METRIC_IDS, name_of
from corescore.scoring.tally import Tally
from corescore.sentences.argument import CANNOT, interval_and_p, primary
from corescore.sentences.names import called
from corescore.sentences.policies import clause
from corescore.wording import (
    ALPHA,
    RATIOS,
    capital,
    count,
    counted,
    gap_points,
    p_below,
    p_equals,
    percent,
    share,
    signed,
    signed_points,
)

# What a paper has to say of how it scored, whatever the policies are.
_ALWAYS = ("match", "singletons", "missing_documents", "average")


def conclusion(of: Evidence, titles: Mapping[str, str]) -> str:
    """What follows from the evidence, or that nothing can be concluded, and why.

    titles  the systems' names by their letters
    """
    if reason := _nothing_follows(of, titles):
        return f"{CANNOT} {reason}"
    better = titles[str(of.row["winner"])]
    difference = f"{gap_points(of.row['difference'])} of {primary(of)}"
    but = " ".join(_but(of)) or "Its direction is the same under all other conditions tested."
    return f"{better} is better by {difference} ({p_equals(of.p)}). {but}"


def incomparable(findings: Collection[Finding], p: float, titles: Mapping[str, str]) -> str:
    """Why two systems cannot be compared, whatever p is; "" if they can."""
    a, b = titles.values()
    given = next((one.sentence for one in findings if one.kind == "gold mentions"), "")
    if given:
        return f"that {a} or {b} is the better system. {given}"
    if math.isnan(p):
        return f"which is better, {a} or {b}, from a single document."
    if any(finding.policy for finding in findings):
        fair = "compare them under the policies that make it fair"
        return f"which is better, {a} or {b}: as they are scored, they are unlike; {fair}."
    return ""


def _nothing_follows(of: Evidence, titles: Mapping[str, str]) -> str:
    """Why nothing follows; "" if something does."""
    a, b = titles.values()
    reason = incomparable(of.findings, of.p, titles)
    if reason or of.is_significant:
        return reason
    least = of.detectable.difference
    missed = (
        "With so few documents no difference can be significant"
        if of.detectable.smallest_p >= ALPHA or math.isinf(least)
        else f"The difference of {signed_points(of.row['difference'])} is not significant "
        f"({p_equals(of.p)})"
    )
    which = f"which is better, {a} or {b}, by {primary(of)}"
    return f"{which}. {missed}. That does not make them equally good."


def _but(of: Evidence) -> Iterator[str]:
    """What weakens a significant difference."""
    if of.findings:
        yield "But the two may not be comparable as they are."
    known = of.held.distinct
    lost = known[known["outcome"] != KEPT]
    if len(lost):
        n = counted(len(known), "other condition")
        reverse = "reverses it or makes" if len(lost) == 1 else "reverse it or make"
        yield f"But {count(len(lost))} of {n} {reverse} it a tie."


def paragraph(
    of: Evidence, names: Mapping[str, str], policies: Policies, *, beforehand: bool = False
) -> str:
    """A paragraph for a paper that names the data, the test and the policies.

    names       the systems' names by their letters
    beforehand  whether the user says that the metric was chosen before the scores were seen
    """
    a, b = (of.row[letter] for letter in "ab")
    titles = {letter: f"{name} ({letter})" for letter, name in names.items()}
    n = counted(of.detectable.n_documents, "document")
    difference = signed_points(of.row["difference"])
    is_tested = not math.isnan(of.p)
    tested = f" ({interval_and_p(of, 'confidence interval')})" if is_tested else ""
    parts = [
        f"We compare {names['A']} (A) and {names['B']} (B) on {n}.",
        f"On {primary(of)}, {chosen(beforehand)}, A scores {percent(a)} and B {percent(b)}, a "
        f"difference (B − A) of {difference}{tested}.",
        *_how_tested(of),
        *_power(of.detectable),
        *(one.sentence for one in of.findings if one.kind != "gold mentions"),
        conclusion(of, titles).replace(CANNOT, "We cannot conclude", 1),
        how_scored(policies),
    ]
    return " ".join(parts)


def _how_tested(of: Evidence) -> Iterator[str]:
    if math.isnan(of.p):
        return
    n = of.detectable.n_documents
    tried = count(of.randomisation.trials)
    tried = f"all {tried}" if of.randomisation.is_exact else f"{tried} random"
    yield (
        f"Significance is tested by approximate randomisation over the {count(n)} documents "
        f"(Noreen, 1989), with {tried} exchanges{_what_the_interval_is(of)}."
    )


def chosen(beforehand: bool) -> str:
    """How the metric of a verdict is called in a paper: only the user knows when it was chosen."""
    return "the primary metric, chosen beforehand" if beforehand else "the primary metric"


def _power(of: Detectable) -> Iterator[str]:
    """The smallest p-value and the smallest difference that the test would detect."""
    n = counted(of.n_documents, "document")
    if math.isnan(of.smallest_p):
        yield f"With {n}, no difference can be tested."
        return
    none = of.smallest_p >= of.alpha
    yield f"With {n}, {p_below(of.smallest_p)}{', so no difference can be significant' * none}."
    if not none and 0 < of.difference < math.inf:
        yield (
            f"The test would detect a true difference of {percent(of.difference)} points of "
            f"{called(of.metric)} with {share(of.power)} power."
        )


def _what_the_interval_is(of: Evidence) -> str:
    """Nothing where there is none: with so few documents no difference is rejected."""
    if math.isnan(of.interval[0]):
        return ""
    return "; the interval contains every difference the test does not reject"


def how_scored(policies: Policies) -> str:
    """The policies in force, in a sentence."""
    changed = [p for p in POLICY_VALUES if getattr(policies, p) != POLICY_VALUES[p][0]]
    named = [*_ALWAYS, *(p for p in changed if p not in _ALWAYS)]
    return f"{capital('; '.join(clause(policies, p) for p in named))}."


def averages(a: Tally, b: Tally, measure: str) -> str:
    """The averages over documents by the policy `average`, beside the sums; "" under "micro"."""
    told = []
    for name, score in a.means.items():
        of_a, of_b = getattr(score, measure), getattr(b.means[name], measure)
        if name in (*METRIC_IDS, "conll") and not math.isnan(of_a) and not math.isnan(of_b):
            figures = f"{percent(of_a)} and {percent(of_b)}"
            told.append(f"{name_of(name)} {figures} ({signed(of_b - of_a)})")
    what = f"Averages over documents ({a.policies.average}), {RATIOS[measure]} of A and B"
    return f"{what}: {', '.join(told)}. They are not tested." if told else ""
