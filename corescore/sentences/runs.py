"""Sentences about two systems with several runs each: what can be said of the systems, and what
only of these runs."""

from collections.abc import Iterator
from math import isnan

import pandas as pd

from corescore.analysis.systems.runs import PairOverRuns
from corescore.metrics import SCORE_IDS, name_of
from corescore.sentences.compare import (
    CAN_TELL,
    CANNOT,
    COMPARABLE,
    HOLDS,
    HOW_LARGE,
    IDENTICAL,
    b_minus_a,
    chosen,
    comparable,
    how_scored,
    identical,
    incomparable,
)
from corescore.sentences.names import SystemTitles, measured
from corescore.wording import (
    ALPHA,
    capital,
    count,
    counted,
    gap_points,
    listed,
    mean,
    p_below,
    p_equals,
    percent,
    signed,
    signed_points,
)

ONE_RUN = (
    "Each response is one run of its system: p and intervals are over documents and concern these "
    "responses only. Whether other runs (seeds) would differ as well cannot be seen from one run "
    "each. Files named a.run1.conll, a.run2.conll, …, b.run1.conll, … are compared over their runs."
)
OF_ONE_RUN = "This is for one run of each system."
NOT_OVER_RUNS = (
    "Detectable differences are given for one run of each system, A and B, not over several runs. "
    "“Over all runs?” shows how much runs vary, and how small p can become."
)
HOW_RESAMPLED = (
    "runs and documents are both resampled (bootstrap over two crossed factors), to generalise to "
    "other runs on other documents."
)
HOW_TESTED = (
    f"Interval, p and p (Holm): {HOW_RESAMPLED} p, these runs: documents are exchanged between the "
    "systems, all runs at once. p, these documents: whole runs are exchanged between the systems."
)


def of_one_system(system: str) -> str:
    """Of two responses that are runs of one system."""
    return (
        f"A and B are two runs of {system}: the comparison is about these runs, not about two "
        f"systems."
    )


def row_of(pair: PairOverRuns, metric: str, measure: str) -> pd.Series:
    """The row of `PairOverRuns.significance` for a metric and measure."""
    table = pair.significance
    (place,) = table.index[(table["metric"] == metric) & (table["measure"] == measure)]
    row: pd.Series = table.loc[place]
    return row


def lines(pair: PairOverRuns, metric: str, measure: str) -> dict[str, str]:
    """The answers to the questions that a careful reader asks, by the primary metric."""
    return {
        COMPARABLE: comparable(pair.findings),
        CAN_TELL: can_tell(pair),
        HOW_LARGE: how_large(pair, metric, measure),
        HOLDS: holds(pair, metric, measure),
    }


def can_tell(pair: PairOverRuns) -> str:
    """How many documents and runs there are, and what so many can show."""
    return " ".join([f"{_of_documents(pair)}.", f"{capital(_how_many(pair))}.", *_of_few(pair)])


def _of_documents(pair: PairOverRuns) -> str:
    least, n = pair.randomisation.smallest_p, counted(pair.n_documents, "document")
    if isnan(least):
        return f"No. With {n} nothing can be tested"
    if least >= ALPHA:
        return f"No. {n}: {p_below(least)}, so no difference can be significant"
    return f"{n}: {p_below(least)}"


def _how_many(pair: PairOverRuns) -> str:
    a, b = pair.n_runs
    return f"{counted(a, 'run')} of A and {count(b)} of B"


def _of_few(pair: PairOverRuns) -> Iterator[str]:
    single = [letter for letter, n in zip("AB", pair.n_runs, strict=True) if n == 1]
    if len(single) == 2:
        yield "This is about these two runs: whether other runs would differ as well is unknown."
    elif single:
        yield (
            f"How far runs of {single[0]} vary cannot be estimated from one run: the interval "
            f"treats them as identical, so it is too narrow."
        )
    least = pair.smallest_p_of_runs
    if isnan(least):
        return
    few = ": so few runs cannot show a difference by themselves" if least >= ALPHA else ""
    yield f"If whole runs are exchanged, {p_below(least)}{few}."


def how_large(pair: PairOverRuns, metric: str, measure: str) -> str:
    """The difference of the means over runs, with its interval and p, and how far runs vary."""
    row = row_of(pair, metric, measure)
    deviations = {letter: row[f"sd_{letter.lower()}"] for letter in "AB"}
    known = [f"{letter} {percent(sd)}" for letter, sd in deviations.items() if not isnan(sd)]
    spread = f" Standard deviation over runs: {listed(known)} points." if known else ""
    return (
        f"{b_minus_a(row['difference'], measured(metric, measure))} in the mean "
        f"over runs{_tested(row)}.{spread} B is ahead in {count(row['ahead_b'])} of "
        f"{counted(row['pairs'], 'pair')} of a run of A and one of B."
    )


def _tested(row: pd.Series, p: str = "p", how: str = "") -> str:
    """The interval and a p-value: the column `p` of the row, and how it was found."""
    if isnan(row["p"]):
        return ", which cannot be tested"
    ends = f"95% interval {signed(row['low'])} to {signed(row['high'])}"
    return f" ({ends}; {p_equals(row[p])}{how}{'' if row[p] < ALPHA else ', not significant'})"


def holds(pair: PairOverRuns, metric: str, measure: str) -> str:
    """The tests of these runs and of these documents, and the sign under the other metrics."""
    if pair.is_identical:
        return IDENTICAL
    return " ".join([*_two_tests(row_of(pair, metric, measure)), _signs(pair, metric, measure)])


def _two_tests(row: pd.Series) -> Iterator[str]:
    tests = {
        "these runs on other documents": row["p_documents"],
        "other runs on these documents": row["p_runs"],
    }
    tested = [f"{what}: {p_equals(p)}" for what, p in tests.items() if not isnan(p)]
    if tested:
        yield f"{capital('; '.join(tested))}."


def _signs(pair: PairOverRuns, metric: str, measure: str) -> str:
    table = pair.significance
    others = [name for name in SCORE_IDS if name != metric]
    rows = table[(table["measure"] == measure) & table["metric"].isin(others)]
    winner = row_of(pair, metric, measure)["winner"]
    other = [name_of(str(name)) for name in rows["metric"][rows["winner"] != winner]]
    held = f"{len(rows) - len(other) if other else 'all'} of {counted(len(rows), 'other metric')}"
    if winner == "tie":
        but = f"; there is one under {listed(other)}" if other else ""
        return f"There is no difference here, nor under {held}{but}."
    but = f"; not under {listed(other)}" if other else ""
    return f"The direction of the difference is the same under {held}{but}."


def conclusion(pair: PairOverRuns, metric: str, measure: str, titles: SystemTitles) -> str:
    """What follows, or that nothing does; titles: the systems' names by their letters."""
    row, by = row_of(pair, metric, measure), measured(metric, measure)
    if pair.is_identical:
        return identical(f"The runs of {' and '.join(titles.values())}", pair.n_documents)
    if reason := incomparable(pair.findings, row["p"], titles):
        return f"{CANNOT} {reason}"
    if not row["p"] < ALPHA:
        which = " or ".join(titles.values())
        return (
            f"{CANNOT} which is better, {which}, by {by}. The difference of "
            f"{signed_points(row['difference'])} in the mean over runs is not significant "
            f"({p_equals(row['p'])}). That does not make them equally good."
        )
    better, gap = titles[str(row["winner"])], gap_points(row["difference"])
    sentence = f"{better} is better by {gap} of {by} over runs ({p_equals(row['p'])})."
    return " ".join([sentence, *_but(pair, titles)])


def _but(pair: PairOverRuns, titles: SystemTitles) -> Iterator[str]:
    """What weakens a significant difference."""
    if pair.findings:
        yield "But the two may not be directly comparable."
    for letter, n in zip("AB", pair.n_runs, strict=True):
        if n == 1:
            yield f"But {titles[letter]} has one run: others may score differently."
    if min(pair.n_runs) > 1 and pair.smallest_p_of_runs >= ALPHA:
        yield "But with few runs, the conclusion rests on how little these runs vary."


def paragraph(
    pair: PairOverRuns,
    metric: str,
    measure: str,
    names: SystemTitles,
    *,
    beforehand: bool = False,
) -> str:
    """A paragraph for a paper; names and `beforehand` as in `compare.paragraph`."""
    row, (n_a, n_b) = row_of(pair, metric, measure), pair.n_runs
    titles = {letter: f"{name} ({letter})" for letter, name in names.items()}
    parts = [
        f"We compare {names['A']} (A, {counted(n_a, 'run')}) and {names['B']} (B, "
        f"{counted(n_b, 'run')}) on {counted(pair.n_documents, 'document')}.",
        f"On {measured(metric, measure)}, {chosen(beforehand)}, the mean over runs is "
        f"{mean_of(row, 'a')} for A and {mean_of(row, 'b')} for B, a difference (B − A) of "
        f"{signed_points(row['difference'])}{_tested_for_paper(row)}.",
        *_how_tested(pair, row),
        _conclusion_for_paper(pair, metric, measure, titles),
        how_scored(pair.a[0]),
    ]
    return " ".join(parts)


def _conclusion_for_paper(
    pair: PairOverRuns, metric: str, measure: str, titles: SystemTitles
) -> str:
    """The conclusion; of the runs alone where they are too few to show it of the systems."""
    row = row_of(pair, metric, measure)
    sentence = conclusion(pair, metric, measure, titles)
    if pair.is_identical or sentence.startswith(CANNOT) or not row["p_runs"] >= ALPHA:
        return sentence.replace(CANNOT, "We cannot conclude", 1)
    ahead, gap = titles[str(row["winner"])], gap_points(row["difference"])
    return (
        f"{ahead} is ahead by {gap} of {measured(metric, measure)} in these runs, which are too "
        f"few to show it of the systems ({p_equals(row['p_runs'])} if whole runs are exchanged)."
    )


def _tested_for_paper(row: pd.Series) -> str:
    """The larger p where exchanging whole runs does not tell the systems apart: a paper is about
    systems, and a smaller p about these runs on other documents."""
    if not row["p_runs"] >= ALPHA:
        return _tested(row)
    return _tested(row, "p_runs", " if whole runs are exchanged")


def mean_of(row: pd.Series, letter: str) -> str:
    """61.23 ± 0.45: the mean over runs and their standard deviation; of one run its score."""
    return mean(row[letter], row[f"sd_{letter}"])


def _how_tested(pair: PairOverRuns, row: pd.Series) -> Iterator[str]:
    if not isnan(row["p"]):
        yield (
            "Interval and p are by a bootstrap of runs and documents as crossed factors (Sellam et "
            f"al., 2022) with {counted(pair.trials, 'resample')}; ± is the standard deviation over "
            "runs."
        )
