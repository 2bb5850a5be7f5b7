"""Sentences about two systems: which is better, where, and whether that is significant."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import pandas as pd

from corescore.analysis.errors.mentions import CORRECT
from corescore.analysis.errors.outcomes import ONLY_A, ONLY_B
from corescore.analysis.significance.kinds import Kind
from corescore.analysis.significance.randomisation import Randomisation
from corescore.analysis.systems.mentions import A_MORE, B_MORE
from corescore.counting.counts import MEASURES
from corescore.metrics import HOW_MANY, METRIC_IDS, name_of
from corescore.sentences.extremes import greatest, least, named
from corescore.sentences.names import MENTION_WORDS, called
from corescore.tolerances import TOLERANCE
from corescore.wording import (
    ALPHA,
    RATIOS,
    capital,
    count,
    counted,
    gap_points,
    listed,
    out_of,
    p_below,
    p_equals,
    signed_points,
)

SIGNIFICANT, NOT_SIGNIFICANT, NOT_TESTABLE = f"p < {ALPHA}", "not significant", "not testable"
CORRECTED = f"corrected for {HOW_MANY} tests by max T"
FAMILY = f"The {HOW_MANY} metrics of this pair are one family of tests."
FAMILIES = f"The {HOW_MANY} metrics of a pair are one family of tests, each pair another."
MAX_T_AND_HOLM = (
    f"Max T corrects each metric for all {HOW_MANY}, Holm for those alone whose p is not smaller, "
    "so that p (max T) can be the larger of the two."
)
INTERVALS_ARE: Mapping[Kind, str] = {
    "simultaneous": (
        f"Intervals of the {HOW_MANY} metrics are simultaneous: all {HOW_MANY} hold together with "
        "95% confidence, and an interval excludes 0 exactly when its corrected p is below 0.05. "
        "Other rows have individual intervals, which agree with their uncorrected p."
    ),
    "single": (
        "Intervals are individual: each holds alone with 95% confidence (bootstrap over "
        "documents, BCa) and may exclude 0 although the corrected p is not below 0.05. "
        "Simultaneous intervals agree with the corrected p."
    ),
}
NO_INTERVALS = (
    "With so few documents simultaneous intervals would be unbounded, so none is given. Individual "
    "intervals (bootstrap) are rough."
)
NONE_OF_ONE = "A single document has no interval."
CORRECT_MEANS = f"Correct is a mention with {MENTION_WORDS[CORRECT]}."


def corrected(row: pd.Series) -> float:
    """The p-value to judge by: corrected by max T, if the metric is in that family."""
    p = row["p"] if math.isnan(row["p_max"]) else row["p_max"]
    return float(p)


def verdict(row: pd.Series) -> str:
    """Whether a metric's difference is significant."""
    p = corrected(row)
    if math.isnan(p):
        return NOT_TESTABLE
    return SIGNIFICANT if p < ALPHA else NOT_SIGNIFICANT


def how_to_read(found: Randomisation, intervals: Kind = "simultaneous") -> str:
    """The legend of a chart or table with stars."""
    star = "" if math.isnan(found.smallest_p) else f"✱ p < {ALPHA}. "
    return f"{star}{how_tested(found, intervals)}"


def how_tested(found: Randomisation, intervals: Kind = "simultaneous") -> str:
    """How the differences were tested, what p cannot be below, and what the intervals are."""
    if math.isnan(found.smallest_p):
        return "With a single document no difference can be tested: it only changes its sign."
    tried = (
        f"all {found.trials:,} exchanges of {counted(found.n_documents, 'document')}"
        if found.is_exact
        else f"{found.trials:,} random exchanges of documents"
    )
    return (
        f"p-values: approximate randomisation ({tried}; {p_below(found.smallest_p)}). The "
        f"{HOW_MANY} metrics are {CORRECTED}; the CoNLL average, a mean of three of them, is not. "
        f"{about_intervals(found, intervals)}"
    )


def about_intervals(found: Randomisation, intervals: Kind) -> str:
    """What the intervals are, or why there are none."""
    if math.isnan(found.smallest_p):
        return NONE_OF_ONE
    has_none = intervals == "simultaneous" and found.smallest_p >= ALPHA
    return NO_INTERVALS if has_none else INTERVALS_ARE[intervals]


def ahead(table: pd.DataFrame, titles: Mapping[str, str], measure: str) -> str:
    """Who is ahead under how many metrics.

    table   rows of `Pair.significance` for one measure, by metric
    titles  the systems' names by their letters
    """
    winner = table["winner"].loc[list(METRIC_IDS)]
    won = {letter: [m for m in METRIC_IDS if winner[m] == letter] for letter in titles}
    ties = [name_of(m) for m in METRIC_IDS if winner[m] == "tie"]
    first, second = sorted(titles, key=lambda letter: -len(won[letter]))
    by = "" if measure == "f1" else f" in {RATIOS[measure]}"
    if not won[first]:
        return f"All {HOW_MANY} give {titles['A']} and {titles['B']} the same {RATIOS[measure]}."
    n = out_of(len(won[first]), len(METRIC_IDS))
    parts = [f"{titles[first]} is ahead{by} under {n}"]
    if won[second]:
        parts.append(f"{titles[second]} under {listed(name_of(m) for m in won[second])}")
    if ties:
        parts.append(f"they tie under {listed(ties)}")
    return f"{', '.join(parts)}."


def significance(table: pd.DataFrame) -> str:
    """Under which metrics the difference is significant; table as above."""
    p = table["p_max"].loc[list(METRIC_IDS)]
    if p.isna().all():
        return "With a single document it cannot be tested whether they differ."
    told, rest = p[p < ALPHA], p[~(p < ALPHA)]
    if told.empty:
        return (
            f"Under none of the {HOW_MANY} is the difference significant ({CORRECTED}, the "
            f"smallest is {p_equals(p.min())})."
        )
    figures = listed(p_equals(value) for value in told)
    if len(told) > 2:
        figures = f"the largest is {p_equals(told.max())}"
    which = f"all {HOW_MANY}" if rest.empty else listed(name_of(m) for m in told.index)
    others = "" if rest.empty else f"; under {listed(name_of(m) for m in rest.index)} it is not"
    return f"Under {which} the difference is significant ({CORRECTED}, {figures}){others}."


def disagreement(one: str, other: str, n: int, documents: int) -> str:
    """On how many documents two metrics name different winners."""
    who = f"{capital(called(one))} and {called(other)}"
    if one == other:
        return f"{who} are the same: select two metrics."
    if documents == 1:
        return f"{who} name {'different winners' if n else 'the same winner'}."
    of = counted(documents, "document")
    return f"{who} name different winners on {count(n) if n else 'none'} of {of}."


def direction(one: str, other: str, n: int, *, a_first: bool) -> str:
    """On how many documents one metric prefers A and the other B, or the other way round."""
    first, second = "AB" if a_first else "BA"
    under = f"{first} is ahead under {called(one)} and {second} under {called(other)}"
    return f"{under} on {count(n) if n else 'none'} of them."


def most_opposed(counts: pd.DataFrame, documents: int) -> str:
    """The two metrics that disagree most often; counts as of `disagreement_counts`."""
    pairs = {(one, other): counts[one][other] for one, other in combinations(counts.columns, 2)}
    n = max(pairs.values())
    if not n:
        return "No two metrics name different winners on any document."
    (one, other), *ties = (two for two, number in pairs.items() if number == n)
    both = f"{capital(called(one))} and {called(other)}"
    do = "does" if len(ties) == 1 else "do"
    too = f", as {do} {counted(len(ties), 'other pair')} of metrics" if ties else ""
    if documents == 1:
        return f"{both} name different winners{too}."
    of = counted(documents, "document")
    return f"{both} name different winners most often: on {n} of {of}{too}."


def documents(metric: str, table: pd.DataFrame) -> str:
    """On how many documents each is ahead, and where by most; table: `compared_documents`."""
    n = table["winner"].value_counts()
    known = table.dropna(subset=["difference"])
    name = called(metric)
    if known.empty:
        return f"No document has anything to score under {name}."
    first, second = sorted("BA", key=lambda letter: -n[letter])
    ties = f", and they tie on {n['tie']}" if n["tie"] else ""
    of = counted(len(table), "document")
    told = f"puts {first} first on {n[first]} of {of}, {second} on {n[second]}{ties}"
    if len(table) == 1:
        told = f"puts {first} first" if n[first] else "scores A and B alike"
    parts = [f"{capital(name)} {told}."]
    of_b = known.set_index("document")["difference"]
    parts += [_lead(letter, -of_b if letter == "A" else of_b) for letter in (first, second)]
    return " ".join(filter(None, parts))


def _lead(letter: str, ahead: pd.Series) -> str:
    """Where one response leads by most; `ahead` by how much, by document."""
    leads = ahead[ahead > TOLERANCE]
    if leads.empty:
        return ""
    gap, places = gap_points(leads.max()), greatest(leads)
    if len(leads) == 1:
        return f"{letter} leads on {places[0]} by {gap}."
    return f"{letter} leads by most on {named(places, 'other document')} ({gap})."


def unequal(metric: str, listed: str, table: pd.DataFrame, *, most: int) -> str:
    """For how many mentions or entities A or B earns more; table: those, of which at most `most`
    are listed."""
    name = called(metric)
    if table.empty:
        return f"Under {name}, A and B earn the same for all {listed} of the key."
    n = {"A": int((table["difference"] < 0).sum()), "B": int((table["difference"] > 0).sum())}
    first, second = sorted(n, key=lambda letter: -n[letter])
    one = {"mentions": "mention", "entities": "entity"}[listed]
    rest = f" The {most} most unequal are listed." if len(table) > most else ""
    return (
        f"Under {name}, {first} earns more towards recall for {counted(n[first], one)} of the key, "
        f"{second} for {count(n[second])}.{rest}"
    )


def sign_test(metric: str, row: pd.Series) -> str:
    """How likely chance makes wins this unequal; row: of `Pair.significance`."""
    if math.isnan(row["p_sign"]):
        return "A sign test over documents needs more than a single one."
    ties = f" ({counted(row['ties'], 'tie')} left out)" if row["ties"] else ""
    return (
        f"Sign test over documents, {name_of(metric)}: A ahead on {row['wins_a']}, B on "
        f"{row['wins_b']}{ties}, {p_equals(row['p_sign'])}. It asks who wins more documents, not "
        "by how much."
    )


def randomisation(found: Randomisation, metric: str, measure: str) -> str:
    """In how many exchanges the difference was as large."""
    at = found.metrics.index(metric), MEASURES.index(measure)
    differ = f"A and B differ by {signed_points(found.difference[at])} of {called(metric)}."
    if math.isnan(found.smallest_p):
        return f"{differ} With a single document this cannot be tested."
    n = f"{found.n_as_large[at]:,.0f}"
    drawn, p = "random ", f"({n} + 1) / ({found.trials:,} + 1)"
    if found.is_exact:
        drawn, p = "", f"{n} / {found.trials:,}"
    which = f"{found.trials:,} {drawn}exchanges"
    return (
        f"{differ} In {n if n != '0' else 'none'} of {'all ' if found.is_exact else ''}{which} of "
        "their responses to a document, the difference was as large or larger, whichever it "
        f"favoured: {p_equals(found.p[at], f'p = {p}')}. With so many, {p_below(found.smallest_p)}."
    )


def mentions(metric: str, verdicts: pd.Series, *, side: str) -> str:
    """For how many mentions A or B earns more towards recall (of the key's) or precision (of those
    that both responses have)."""
    total = counted(verdicts.sum(), "mention")
    of = f"the key’s {total}" if side == "recall" else f"the {total} that both responses have"
    return (
        f"Of {of}, {name_of(metric)} gives B more towards {side} for {count(verdicts[B_MORE])} and "
        f"A more for {count(verdicts[A_MORE])}."
    )


def statuses(outcomes: pd.Series) -> str:
    """How many mentions of the key only one has correct."""
    return (
        f"By status, only B has {count(outcomes[ONLY_B])} correct, only A "
        f"{count(outcomes[ONLY_A])}."
    )


def errors(table: pd.DataFrame) -> str:
    """Which kinds of errors A or B makes more of; table: `compared_errors`."""
    difference = table["difference"]
    fewest, most = difference.min(), difference.max()
    told = []
    if fewest < 0:
        told.append(f"{count(-fewest)} fewer of {_kinds(least(difference, count))}")
    if most > 0:
        told.append(f"{count(most)} more of {_kinds(greatest(difference, count))}")
    if not told:
        return "Both make the same number of errors of each kind."
    return f"Compared with A, B makes {listed(told)}."


def _kinds(names: Sequence[str]) -> str:
    quoted = listed(f"“{name}”" for name in names)
    return f"each of the kinds {quoted}" if len(names) > 1 else f"the kind {quoted}"
