"""Sentences about two systems: which is better, where, and whether that is significant."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from math import inf, isinf, isnan

import numpy as np
import pandas as pd

from corescore.analysis.errors.classes import CORRECT
from corescore.analysis.errors.tables import BOTH_CORRECT, BOTH_WRONG, ONLY_A, ONLY_B
from corescore.analysis.significance import Kind, Randomisation
from corescore.analysis.systems.comparability import Finding
from corescore.analysis.systems.documents import A_MORE, B_MORE
from corescore.analysis.systems.pair import KEPT, NO_TIE, REVERSED, TIE, Evidence, Held
from corescore.analysis.systems.power import Detectable
from corescore.analysis.systems.together import Together
from corescore.counting.counts import MEASURES
from corescore.counting.policies import POLICY_VALUES
from corescore.metrics import HOW_MANY, METRIC_IDS, SCORE_IDS, name_of
from corescore.scoring.tally import Tally
from corescore.sentences.errors import NAMES
from corescore.sentences.names import MENTION_WORDS, SystemTitles, measured
from corescore.sentences.policies import clause
from corescore.sentences.scores import greatest, least, named
from corescore.util import HALF_A_PLACE, TOLERANCE
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
    percent,
    rounds_to_zero,
    share,
    signed,
    signed_points,
    written,
)

SIGNIFICANT, NOT_SIGNIFICANT, NOT_TESTABLE = f"p < {ALPHA}", "not significant", "not testable"

CORRECTED = f"corrected for {HOW_MANY} tests by max T"

FAMILY = f"The {HOW_MANY} metrics of this pair are one family of tests."

FAMILIES = f"The {HOW_MANY} metrics of a pair are one family of tests, each pair another."

MAX_T_AND_HOLM = (
    f"Max T corrects each metric for all {HOW_MANY}, Holm only for the ones whose p is not "
    "smaller, "
    "so p (max T) can be the larger of the two."
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

UNROUNDED = "Differences are of the scores before rounding, and may look 0.01 off."

NO_INTERVALS = (
    "With so few documents simultaneous intervals would be unbounded, so none is given. Individual "
    "intervals (bootstrap) are rough."
)

NONE_OF_ONE = "A single document has no interval."

CORRECT_MEANS = f"A mention is correct if it has {MENTION_WORDS[CORRECT]}."


def corrected(row: pd.Series) -> float:
    """The p-value to judge by: corrected by max T, if the metric is in that family."""
    p = row["p"] if isnan(row["p_max"]) else row["p_max"]
    return float(p)


def verdict(row: pd.Series) -> str:
    """Whether a metric's difference is significant."""
    p = corrected(row)
    if isnan(p):
        return NOT_TESTABLE
    return SIGNIFICANT if p < ALPHA else NOT_SIGNIFICANT


def how_to_read(test: Randomisation) -> str:
    """The legend of a chart or table with stars."""
    star = "" if isnan(test.smallest_p) else f"✱ p < {ALPHA}. "
    return f"{star}{how_tested(test)}"


def how_tested(test: Randomisation, intervals: Kind = "simultaneous") -> str:
    """How the differences were tested, what p cannot be below, and what the intervals are."""
    if isnan(test.smallest_p):
        return "With a single document no difference can be tested: it only changes its sign."
    tried = (
        f"all {counted(test.trials, 'exchange')} of {counted(test.n_documents, 'document')}"
        if test.is_exact
        else f"{counted(test.trials, 'random exchange')} of documents"
    )
    return (
        f"p-values: approximate randomisation ({tried}; {p_below(test.smallest_p)}). The "
        f"{HOW_MANY} metrics are {CORRECTED}; CoNLL, a mean of three of them, is not. "
        f"{UNROUNDED} {about_intervals(test, intervals)}"
    )


def about_intervals(test: Randomisation, intervals: Kind) -> str:
    """What the intervals are, or why there are none."""
    if isnan(test.smallest_p):
        return NONE_OF_ONE
    has_none = intervals == "simultaneous" and test.smallest_p >= ALPHA
    return NO_INTERVALS if has_none else INTERVALS_ARE[intervals]


def ahead(table: pd.DataFrame, titles: SystemTitles, measure: str) -> str:
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
    parts = [f"{titles[first]} is ahead{by} under {out_of(len(won[first]), len(METRIC_IDS))}"]
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
    if (table["winner"].loc[list(METRIC_IDS)] == "tie").all():
        return "There is no difference to test."
    significant, rest = p[p < ALPHA], p[~(p < ALPHA)]
    if significant.empty:
        return (
            f"Under none of the {HOW_MANY} is the difference significant ({CORRECTED}, the "
            f"smallest is {p_equals(p.min())})."
        )
    figures = listed(p_equals(value) for value in significant)
    if len(significant) > 2:
        figures = f"the largest is {p_equals(significant.max())}"
    which = f"all {HOW_MANY}" if rest.empty else listed(name_of(m) for m in significant.index)
    others = "" if rest.empty else f"; under {listed(name_of(m) for m in rest.index)} it is not"
    return f"Under {which} the difference is significant ({CORRECTED}, {figures}){others}."


def disagreement(one: str, other: str, n: int, documents: int) -> str:
    """On how many documents two metrics name different winners."""
    who = f"{name_of(one)} and {name_of(other)}"
    if one == other:
        return f"{who} are the same: select two metrics."
    if documents == 1:
        return f"{who} name {'different winners' if n else 'the same winner'}."
    return (
        f"{who} name different winners on {count(n) if n else 'none'} of "
        f"{counted(documents, 'document')}."
    )


def direction(one: str, other: str, n: int, *, a_first: bool) -> str:
    """On how many documents one metric prefers A and the other B, or the other way round."""
    first, second = "AB" if a_first else "BA"
    under = f"{first} is ahead under {name_of(one)} and {second} under {name_of(other)}"
    return f"{under} on {count(n) if n else 'none'} of them."


def most_opposed(counts: pd.DataFrame, documents: int) -> str:
    """The two metrics that disagree most often; counts as of `disagreement_counts`."""
    pairs = {(one, other): counts[one][other] for one, other in combinations(counts.columns, 2)}
    n = max(pairs.values())
    if not n:
        return "No two metrics name different winners on any document."
    (one, other), *ties = (two for two, number in pairs.items() if number == n)
    both = f"{name_of(one)} and {name_of(other)}"
    do = "does" if len(ties) == 1 else "do"
    too = f", as {do} {counted(len(ties), 'other pair')} of metrics" if ties else ""
    if documents == 1:
        return f"{both} name different winners{too}."
    return (
        f"{both} name different winners most often: on {n} of "
        f"{counted(documents, 'document')}{too}."
    )


def documents(metric: str, table: pd.DataFrame) -> str:
    """On how many documents each is ahead, and where by most; table: `compared_documents`."""
    n = table["winner"].value_counts()
    known = table.dropna(subset=["difference"])
    name = name_of(metric)
    if known.empty:
        return f"No document has anything to score under {name}."
    first, second = sorted("BA", key=lambda letter: -n[letter])
    ties = f", and they tie on {n['tie']}" if n["tie"] else ""
    lead = (
        f"puts {first} first on {n[first]} of {counted(len(table), 'document')}, {second} on "
        f"{n[second]}{ties}"
    )
    if len(table) == 1:
        lead = f"puts {first} first" if n[first] else "scores A and B alike"
    parts = [f"{capital(name)} {lead}."]
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


def unequal(metric: str, listed: str, table: pd.DataFrame, *, n_entities: int, most: int) -> str:
    """For how many mentions or entities A or B earns more; table: those.

    n_entities  how many entities of the key they are of: one row of each is listed, at most `most`
    """
    name = name_of(metric)
    if table.empty:
        return f"Under {name}, A and B earn the same for all {listed} of the key."
    n = {"A": int((table["difference"] < 0).sum()), "B": int((table["difference"] > 0).sum())}
    first, second = sorted(n, key=lambda letter: -n[letter])
    one = {"mentions": "mention", "entities": "entity"}[listed]
    which = f"the {most} most unequal" if n_entities > most else "the most unequal first"
    rest = f" One row per entity, {which}, of A and B in turn."
    return (
        f"Under {name}, {first} earns more towards recall for {counted(n[first], one)} of the key, "
        f"{second} for {count(n[second])}.{rest}"
    )


def sign_test(metric: str, row: pd.Series) -> str:
    """How likely chance makes wins this unequal; row: of `Pair.significance`."""
    if isnan(row["p_sign"]):
        return "A sign test over documents needs more than a single one."
    ties = f" ({counted(row['ties'], 'tie')} left out)" if row["ties"] else ""
    return (
        f"Sign test over documents, {name_of(metric)}: A ahead on {row['wins_a']}, B on "
        f"{row['wins_b']}{ties}, {p_equals(row['p_sign'])}. It asks who wins more documents, not "
        "by how much."
    )


def randomisation(test: Randomisation, metric: str, measure: str) -> str:
    """In how many exchanges the difference was as large."""
    place = test.metrics.index(metric), MEASURES.index(measure)
    differ = f"A and B differ by {signed_points(test.difference[place])} of {name_of(metric)}."
    if isnan(test.smallest_p):
        return f"{differ} With a single document this cannot be tested."
    n = f"{test.n_as_large[place]:,.0f}"
    drawn, p = "random ", f"({n} + 1) / ({test.trials:,} + 1)"
    if test.is_exact:
        drawn, p = "", f"{n} / {test.trials:,}"
    which = f"{test.trials:,} {drawn}exchanges"
    return (
        f"{differ} In {n if n != '0' else 'none'} of {'all ' if test.is_exact else ''}{which} of "
        "their responses to a document, the difference was as large or larger, whichever it "
        f"favoured: {p_equals(test.p[place], f'p = {p}')}. With so many, "
        f"{p_below(test.smallest_p)}."
    )


def mentions(metric: str, verdicts: pd.Series, *, side: str) -> str:
    """For how many mentions A or B earns more towards recall (of the key's) or precision (of those
    that both responses have)."""
    total = counted(verdicts.sum(), "mention")
    which = f"the key’s {total}" if side == "recall" else f"the {total} that both responses have"
    return (
        f"Of {which}, {name_of(metric)} gives B more towards {side} for {count(verdicts[B_MORE])} "
        f"and A more for {count(verdicts[A_MORE])}."
    )


def statuses(outcomes: pd.Series, titles: SystemTitles) -> str:
    """How many mentions of the key both, only A, only B and neither have correct."""
    return (
        f"Of the key’s {counted(outcomes.sum(), 'mention')}, only {titles['A']} has "
        f"{count(outcomes[ONLY_A])} correct, only {titles['B']} {count(outcomes[ONLY_B])}, both "
        f"{count(outcomes[BOTH_CORRECT])} and neither {count(outcomes[BOTH_WRONG])}."
    )


def errors(table: pd.DataFrame) -> str:
    """Which kinds of errors A or B makes more of; table: `compared_errors`."""
    difference = table["difference"]
    fewest, most = difference.min(), difference.max()
    parts = []
    if fewest < 0:
        parts.append(f"{count(-fewest)} fewer of {_quoted_kinds(least(difference, count))}")
    if most > 0:
        parts.append(f"{count(most)} more of {_quoted_kinds(greatest(difference, count))}")
    if not parts:
        return "Both make the same number of errors of each kind."
    return f"Compared with A, B makes {listed(parts)}."


def _quoted_kinds(names: Sequence[str]) -> str:
    quoted = listed(f"“{name}”" for name in names)
    return f"each of the kinds {quoted}" if len(names) > 1 else f"the kind {quoted}"


COMPARABLE, CAN_TELL = "Comparable?", "Are there enough data?"

HOW_LARGE, HOLDS, WHY = "How large?", "Does it hold?", "Why?"

TOGETHER = "How good are both together?"

# --------------------------------------------------------------------------------------------------
# Whether one of two systems is better, argued in sentences: a line for each question a careful
# reviewer asks, what follows from them, and a paragraph for a paper.

QUESTIONS = (COMPARABLE, CAN_TELL, HOW_LARGE, HOLDS, TOGETHER, WHY)

MOST_NAMED = 3  # kinds of errors, and documents

CANNOT = "You cannot conclude"

IDENTICAL = "The two are identical, and score the same whatever the metric and the policies."


def lines(evidence: Evidence) -> dict[str, str]:
    """The answers by their QUESTIONS."""
    return {
        COMPARABLE: comparable(evidence.findings),
        CAN_TELL: can_tell(evidence.detectable),
        HOW_LARGE: how_large(evidence),
        HOLDS: IDENTICAL if evidence.is_identical else holds(evidence.held),
        TOGETHER: together(evidence),
        WHY: why(evidence),
    }


def facts(evidence: Evidence) -> dict[str, str]:
    """The answers in a few words, by their QUESTIONS."""
    known, detectable = evidence.held.distinct, evidence.detectable
    kept = int((known["outcome"] == KEPT).sum())
    detected = f"Detects ≥ {percent(detectable.difference)} points"
    if not 0 < detectable.difference < inf:
        detected = "Cannot detect a difference"
    by, both = signed_points(evidence.row["difference"]), evidence.together
    return {
        COMPARABLE: "Comparable with care" if evidence.findings else "Comparable",
        CAN_TELL: detected,
        HOW_LARGE: by if isnan(evidence.p) else f"{by}, {p_equals(evidence.p)}",
        HOLDS: "Identical"
        if evidence.is_identical
        else f"Holds under {kept} of {len(known)} others",
        TOGETHER: f"Together ≤ {percent(np.nanmax([both.by_document, both.by_mention]))}",
        WHY: "Why?",
    }


def comparable(findings: tuple[Finding, ...]) -> str:
    """What speaks against comparing the two."""
    if not findings:
        return (
            "Yes, as far as the files show: no gold mentions, no different singleton conventions, "
            "no missing documents, no differing text."
        )
    return f"Only with care. {' '.join(finding.sentence for finding in findings)}"


def can_tell(detectable: Detectable) -> str:
    """How many documents there are, how small p can be, and how small a difference is found."""
    n = counted(detectable.n_documents, "document")
    if isnan(detectable.smallest_p):
        return f"No. With {n} nothing can be tested: a difference only changes its sign."
    known = f"{n}: {p_below(detectable.smallest_p)}"
    if detectable.smallest_p >= detectable.alpha:
        return f"No. {known}, so no difference can be significant."
    if isinf(detectable.difference):
        return f"No. {known}, and the test would not detect even the largest difference."
    if not detectable.difference:
        return f"{known}. Documents do not vary here, so no detectable difference can be estimated."
    return (
        f"{known}. The test would detect a true difference of {percent(detectable.difference)} "
        f"points of {name_of(detectable.metric)} with {share(detectable.power)} power. Smaller "
        "ones are missed more often."
    )


def how_large(evidence: Evidence) -> str:
    """The difference by the primary metric, with its interval and p, and as an effect."""
    effect = evidence.effect
    ties = f", {counted(effect.ties, 'tie')}" if effect.ties else ""
    standardised = (
        ""
        if isnan(effect.standardised)
        else f"; standardised difference {written(effect.standardised, '+.2f')} (mean divided by "
        "standard deviation over documents)"
    )
    return (
        f"{b_minus_a(evidence.row['difference'], primary(evidence))}{_tested(evidence)}. Documents "
        f"won: A {count(effect.won_a)}, B {count(effect.won_b)}{ties}{standardised}."
    )


def b_minus_a(difference: float, metric: str) -> str:
    """B − A is +1.23 points of LEA F1; whom it favours where its sign would not be seen."""
    whom = f", in favour of {'B' if difference > 0 else 'A'}" if rounds_to_zero(difference) else ""
    return f"B − A is {signed_points(difference)} of {metric}{whom}"


def primary(evidence: Evidence) -> str:
    return measured(evidence.metric, evidence.measure)


def _tested(evidence: Evidence) -> str:
    """ " (95% interval … to …; p = …, not significant)"; nothing where nothing can be tested."""
    if isnan(evidence.p):
        return ", which cannot be tested"
    return f" ({interval_and_p(evidence)}{'' if evidence.is_significant else ', not significant'})"


def interval_and_p(evidence: Evidence, called: str = "interval") -> str:
    """95% interval +5.30 to +10.77; p < 0.001: without the interval if there is none."""
    low, high = evidence.interval
    ends = "" if isnan(low) else f"95% {called} {signed(low)} to {signed(high)}; "
    return f"{ends}{p_equals(evidence.p)}"


def holds(held: Held) -> str:
    """Under how many other conditions with scores of their own the sign of the difference stays,
    and under which not."""
    known = held.distinct
    same = int(held.table["repeats"].sum())
    repeated = f" ({counted(same, 'other')} give scores already counted)" if same else ""
    if known.empty:
        return f"No other condition gives different scores{repeated}."
    n, kept = len(known), int((known["outcome"] == KEPT).sum())
    of_all = f"of {counted(n, 'other condition')} with different scores{repeated}"
    if not abs(held.difference) > TOLERANCE:
        apart = known[known["outcome"] == NO_TIE]
        but = f"; there is one {_conditions(apart)}" if len(apart) else ""
        return (
            f"There is no difference here, nor under {'all' if kept == n else kept} {of_all}{but}."
        )
    if kept == n:
        return f"The direction of the difference is the same under all {of_all}."
    other = {"is reversed": REVERSED, "is a tie": TIE}
    rows = {word: known[known["outcome"] == outcome] for word, outcome in other.items()}
    changes = [f"it {word} {_conditions(of_one)}" for word, of_one in rows.items() if len(of_one)]
    return f"The direction of the difference is the same under {kept} {of_all}; {listed(changes)}."


def _conditions(rows: pd.DataFrame) -> str:
    by_kind = {kind: of["condition"].tolist() for kind, of in rows.groupby("kind", sort=False)}
    return listed(CONDITIONS[str(kind)](names) for kind, names in by_kind.items())


def together(evidence: Evidence) -> str:
    """What both would reach if the better of the two could be taken: upper bounds."""
    both, by_mention = evidence.together, ""
    if not isnan(both.by_mention):
        by_mention = (
            "; with every correct link of either and nothing wrong, at most "
            f"{percent(both.by_mention)}"
        )
    return (
        f"With the better response for each document, both would reach {percent(both.by_document)} "
        f"{primary(evidence)}{by_mention} (A {percent(both.a)}, B {percent(both.b)}). These are "
        "upper bounds for combining them: only the key shows which is better."
    )


def how_together_is_found(both: Together) -> str:
    """Which documents are whose, and what the bound by mentions takes."""
    n = sum(both.from_b.values())
    return (
        f"By document: {counted(n, 'document')} of B, the rest of A, scored as one response. "
        "Exchanging any single document would not raise the score. By mention: every key mention "
        "that A or B has, linked by all correct links of both. Its precision is 1."
    )


CONDITIONS: Mapping[str, Callable[[Sequence[str]], str]] = {
    "metric": lambda names: f"under {listed(map(name_of, names))}",
    "singletons": lambda names: listed(
        f"with singletons {'kept' if name == 'keep' else 'dropped'}" for name in names
    ),
    "average": lambda _: "in the mean over documents",
    "document": lambda names: f"without {names[0]}",
    "scorer": lambda names: f"as scored by {listed(names)}",
}


def why(evidence: Evidence) -> str:
    """The kinds of errors that differ most, and the documents that make most of the difference."""
    return (
        " ".join([*_which_errors(evidence.errors), *_which_documents(evidence)])
        or "There is no difference to explain."
    )


def most_different_errors(errors: pd.DataFrame) -> pd.Series:
    """How many more B makes, of the kinds in which A and B differ most."""
    gaps = errors["difference"][errors["difference"] != 0]
    order = gaps.abs().sort_values(ascending=False, kind="stable").index
    return gaps.loc[order].head(MOST_NAMED)


def _which_errors(errors: pd.DataFrame | None) -> Iterator[str]:
    gaps = pd.Series(dtype=float) if errors is None else most_different_errors(errors)
    if len(gaps):
        each = [
            f"{count(abs(n))} {'more' if n > 0 else 'fewer'} "
            f"{kind if abs(n) == 1 else NAMES[str(kind)]}"
            for kind, n in gaps.items()
        ]
        yield f"Compared with A, B makes {listed(each)} (errors; one can affect several mentions)."


def _which_documents(evidence: Evidence) -> Iterator[str]:
    rows = documents_behind(evidence)
    if len(rows):
        each = zip(rows["document"], rows["without"], strict=True)
        named = listed(f"{name} ({signed(without)} without it)" for name, without in each)
        yield (
            f"The difference of {signed_points(evidence.row['difference'])} rests most on {named}."
        )


def documents_behind(evidence: Evidence) -> pd.DataFrame:
    """The rows of `Evidence.influence` of the documents that favour the difference most, by so much
    that it is seen."""
    rows = evidence.influence
    favours = rows["influence"] * np.sign(evidence.row["difference"]) > HALF_A_PLACE
    return rows[favours].head(MOST_NAMED) if len(rows) > 1 else rows[:0]


# How the evidence was found -----------------------------------------------------------------------

LOOKED_FOR = (
    "Checked: whether only one response has exactly the key’s mentions, whether one has "
    "singletons and the other almost none, documents in which only one has mentions, and "
    "text that differs from the key."
)


def how_power_is_known(detectable: Detectable) -> str:
    """How the smallest difference that is found was found."""
    if not detectable.resamples:
        return "No p can be small enough, so there is no smallest detectable difference."
    return (
        f"{count(detectable.resamples)} corpora of {counted(detectable.n_documents, 'document')} "
        "were resampled from these, with the observed difference subtracted from each document "
        f"and an assumed one added. Each was tested as the data are, at p < "
        f"{detectable.alpha:g}; the smallest difference found in {share(detectable.power)} of them "
        "is given. The observed difference plays no part."
    )


def how_size_is_told(evidence: Evidence) -> str:
    """What the interval, where there is one, and the effect are."""
    interval = (
        "The interval contains every difference the test does not reject: it excludes 0 exactly "
        "when p is below 0.05. "
    )
    return (
        f"{name_of(evidence.metric)} is tested alone, as the primary metric, which has to be "
        "chosen before the scores are seen. Below, all metrics are tested, and p is corrected for "
        f"that. {'' if isnan(evidence.interval[0]) else interval}"
        "A document is won by the higher score. The standardised difference is the mean of the "
        "documents’ differences divided by their standard deviation."
    )


def how_conditions_are_made(held: Held) -> str:
    """What the other conditions are."""
    return (
        f"Each condition changes one thing about {name_of(held.metric)} {RATIOS[held.measure]}: "
        "another metric; singletons dropped, or kept; the mean over documents; without the "
        "document that favours the difference most; and other scorers' rules. Conditions that "
        "repeat scores already in the table count once. Significance is not tested again."
    )


def told_conditions(table: pd.DataFrame) -> list[str]:
    """What each row of `Held.table` changes, in words."""
    rows = table.to_dict("records")
    return [capital(CONDITIONS[row["kind"]]([row["condition"]])) for row in rows]


# What can be concluded of two systems, for the reader of a page and for a paper -------------------

# What a paper has to say of how it scored, whatever the policies are.
_ALWAYS = ("match", "singletons", "missing_documents", "average")


def conclusion(evidence: Evidence, titles: SystemTitles) -> str:
    """What follows from the evidence, or that nothing can be concluded, and why.

    titles  the systems' names by their letters
    """
    a, b = titles.values()
    if evidence.is_identical:
        return identical(f"{a} and {b}", evidence.detectable.n_documents)
    if reason := _nothing_follows(evidence, titles):
        return f"{CANNOT} {reason}"
    better = titles[str(evidence.row["winner"])]
    difference = f"{gap_points(evidence.row['difference'])} of {primary(evidence)}"
    but = " ".join(_but(evidence)) or "Its direction is the same under all other conditions tested."
    return f"{better} is better by {difference} ({p_equals(evidence.p)}). {but}"


def identical(both: str, n_documents: int) -> str:
    """That two responses are, or the runs of two systems."""
    return (
        f"{both} are identical: the same mentions in the same entities, in "
        f"{counted(n_documents, 'document')}."
    )


def incomparable(findings: Collection[Finding], p: float, titles: SystemTitles) -> str:
    """Why two systems cannot be compared, whatever p is; "" if they can."""
    a, b = titles.values()
    given = next((one.sentence for one in findings if one.kind == "gold mentions"), "")
    if given:
        return f"that {a} or {b} is the better system. {given}"
    if isnan(p):
        return f"which is better, {a} or {b}, from a single document."
    if any(finding.policy for finding in findings):
        fair = "compare them under policies that make the comparison fair"
        return f"which is better, {a} or {b}: they are not scored alike; {fair}."
    return ""


def _nothing_follows(evidence: Evidence, titles: SystemTitles) -> str:
    """Why nothing follows; "" if something does."""
    a, b = titles.values()
    reason = incomparable(evidence.findings, evidence.p, titles)
    if reason or evidence.is_significant:
        return reason
    least = evidence.detectable.difference
    missed = (
        "With so few documents no difference can be significant"
        if evidence.detectable.smallest_p >= ALPHA or isinf(least)
        else f"The difference of {signed_points(evidence.row['difference'])} is not significant "
        f"({p_equals(evidence.p)})"
        if abs(evidence.row["difference"]) > TOLERANCE
        else "The two score the same"
    )
    which = f"which is better, {a} or {b}, by {primary(evidence)}"
    return f"{which}. {missed}. That does not make them equally good."


def _but(evidence: Evidence) -> Iterator[str]:
    """What weakens a significant difference."""
    if evidence.findings:
        yield "But the two may not be directly comparable."
    known = evidence.held.distinct
    lost = known[known["outcome"] != KEPT]
    if len(lost):
        reverse = "reverses it or makes" if len(lost) == 1 else "reverse it or make"
        n = counted(len(known), "other condition")
        yield f"But {count(len(lost))} of {n} {reverse} it a tie."


def paragraph(
    evidence: Evidence, names: SystemTitles, a: Tally, *, beforehand: bool = False
) -> str:
    """A paragraph for a paper that names the data, the test and the policies.

    names       the systems' names by their letters
    a           what A was scored by
    beforehand  whether the user says that the metric was chosen before the scores were seen
    """
    of_a, of_b = (evidence.row[letter] for letter in "ab")
    titles = {letter: f"{name} ({letter})" for letter, name in names.items()}
    n = counted(evidence.detectable.n_documents, "document")
    difference = signed_points(evidence.row["difference"])
    is_tested = not isnan(evidence.p)
    tested = f" ({interval_and_p(evidence, 'confidence interval')})" if is_tested else ""
    parts = [
        f"We compare {names['A']} (A) and {names['B']} (B) on {n}.",
        f"On {primary(evidence)}, {chosen(beforehand)}, A scores {percent(of_a)} and "
        f"B {percent(of_b)}, a difference (B − A) of {difference}{tested}.",
        *_how_tested(evidence),
        *_power(evidence.detectable),
        *(one.sentence for one in evidence.findings if one.kind != "gold mentions"),
        conclusion(evidence, titles).replace(CANNOT, "We cannot conclude", 1),
        how_scored(a),
    ]
    return " ".join(parts)


def _how_tested(evidence: Evidence) -> Iterator[str]:
    if isnan(evidence.p):
        return
    n = evidence.detectable.n_documents
    tests = evidence.pair.randomisation
    how = "all " if tests.is_exact else ""
    tried = how + counted(tests.trials, "exchange" if how else "random exchange")
    has_interval = not isnan(evidence.interval[0])  # not with so few that none is rejected
    rejected = "; the interval contains every difference the test does not reject" * has_interval
    yield (
        f"Significance is tested by approximate randomisation over the {count(n)} documents "
        f"(Noreen, 1989), with {tried}{rejected}."
    )


def chosen(beforehand: bool) -> str:
    """How the metric of a verdict is called in a paper: only the user knows when it was chosen."""
    return "the primary metric, chosen beforehand" if beforehand else "the primary metric"


def _power(detectable: Detectable) -> Iterator[str]:
    """The smallest p-value and the smallest difference that the test would detect."""
    n = counted(detectable.n_documents, "document")
    if isnan(detectable.smallest_p):
        yield f"With {n}, no difference can be tested."
        return
    none = detectable.smallest_p >= detectable.alpha
    so = ", so no difference can be significant" * none
    yield f"With {n}, {p_below(detectable.smallest_p)}{so}."
    if not none and 0 < detectable.difference < inf:
        yield (
            f"The test would detect a true difference of {percent(detectable.difference)} points "
            f"of {name_of(detectable.metric)} with {share(detectable.power)} power."
        )


def how_scored(made: Tally) -> str:
    """The policies in force, in a sentence."""
    policies = made.policies
    changed = [p for p in POLICY_VALUES if getattr(policies, p) != POLICY_VALUES[p][0]]
    changed = [p for p in changed if p != "split_antecedents"]
    changed += ["split_antecedents"] * made.has_split_antecedents
    named = [*_ALWAYS, *(p for p in changed if p not in _ALWAYS)]
    return f"{capital('; '.join(clause(policies, p) for p in named))}."


def averages(a: Tally, b: Tally, measure: str) -> str:
    """The averages over documents by the policy `average`, beside the sums; "" under "micro"."""
    parts = []
    for name, score in a.means.items():
        of_a, of_b = getattr(score, measure), getattr(b.means[name], measure)
        if name in SCORE_IDS and not isnan(of_a) and not isnan(of_b):
            figures = f"{percent(of_a)} and {percent(of_b)}"
            parts.append(f"{name_of(name)} {figures} ({signed(of_b - of_a)})")
    what = f"Averages over documents ({a.policies.average}), {RATIOS[measure]} of A and B"
    return f"{what}: {', '.join(parts)}. They are not tested." if parts else ""
