"""Whether one of two systems is better, argued in sentences: a line for each question a careful
reviewer asks, what follows from them, and a paragraph for a paper."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from corescore.analysis.significance.power import Detectable
from corescore.analysis.systems.comparability import Finding
from corescore.analysis.systems.evidence import Evidence
from corescore.analysis.systems.holds import KEPT, REVERSED, TIE, Held
from corescore.sentences.errors import NAMES
from corescore.sentences.names import called
from corescore.tolerances import HALF_A_PLACE
from corescore.wording import (
    RATIOS,
    capital,
    count,
    counted,
    listed,
    p_below,
    p_equals,
    percent,
    rounds_to_zero,
    share,
    signed,
    signed_points,
)

COMPARABLE, CAN_TELL = "Comparable?", "Can these data tell?"
HOW_LARGE, HOLDS, WHY = "How large?", "Does it hold?", "Why?"
QUESTIONS = (COMPARABLE, CAN_TELL, HOW_LARGE, HOLDS, WHY)
MOST_NAMED = 3  # kinds of errors, and documents
CANNOT = "You cannot conclude"


def lines(of: Evidence) -> dict[str, str]:
    """The answers by their QUESTIONS."""
    answers = comparable(of.findings), can_tell(of.detectable), how_large(of), holds(of.held)
    return dict(zip(QUESTIONS, (*answers, why(of)), strict=True))


def comparable(findings: tuple[Finding, ...]) -> str:
    """What speaks against comparing the two."""
    if not findings:
        return (
            "Yes, as far as the files show: no gold mentions, no different singleton conventions, "
            "no missing documents, no differing text."
        )
    return f"Only with care. {' '.join(finding.sentence for finding in findings)}"


def can_tell(of: Detectable) -> str:
    """How many documents there are, how small p can be, and how small a difference is found."""
    n = counted(of.n_documents, "document")
    if math.isnan(of.smallest_p):
        return f"No. With {n} nothing can be tested: a difference only changes its sign."
    known = f"{n}: {p_below(of.smallest_p)}"
    if of.smallest_p >= of.alpha:
        return f"No. {known}, so no difference can be significant."
    if math.isinf(of.difference):
        return f"No. {known}, and the test would not detect even the largest difference."
    if not of.difference:
        return f"{known}. Documents do not vary here, which shows nothing of what would be found."
    return (
        f"{known}. The test would detect a true difference of {percent(of.difference)} points of "
        f"{called(of.metric)} with {share(of.power)} power; smaller ones are missed more often."
    )


def how_large(of: Evidence) -> str:
    """The difference by the primary metric, with its interval and p, and as an effect."""
    effect = of.effect
    ties = f", {counted(effect.ties, 'tie')}" if effect.ties else ""
    standardised = "" if math.isnan(effect.standardised) else f"; {_standardised(of)}"
    return (
        f"{b_minus_a(of.row['difference'], primary(of))}{_tested(of)}. Documents "
        f"won: A {count(effect.won_a)}, B {count(effect.won_b)}{ties}{standardised}."
    )


def b_minus_a(difference: float, metric: str) -> str:
    """B − A is +1.23 points of LEA F1; whom it favours where its sign would not be seen."""
    whom = f", in favour of {'B' if difference > 0 else 'A'}" if rounds_to_zero(difference) else ""
    return f"B − A is {signed_points(difference)} of {metric}{whom}"


def _standardised(of: Evidence) -> str:
    number = f"{of.effect.standardised:+.2f}".replace("-", "−")
    return f"standardised difference {number} (mean by standard deviation over documents)"


def primary(of: Evidence) -> str:
    return called(of.metric) if of.metric == "conll" else f"{called(of.metric)} {_ratio(of)}"


def _ratio(of: Evidence) -> str:
    return RATIOS[of.measure]


def _tested(of: Evidence) -> str:
    """ " (95% interval … to …; p = …, not significant)"; nothing where nothing can be tested."""
    if math.isnan(of.p):
        return ", which cannot be tested"
    return f" ({interval_and_p(of)}{'' if of.is_significant else ', not significant'})"


def interval_and_p(of: Evidence, called: str = "interval") -> str:
    """95% interval +5.30 to +10.77; p < 0.001: without the interval where there is none."""
    low, high = of.interval
    ends = "" if math.isnan(low) else f"95% {called} {signed(low)} to {signed(high)}; "
    return f"{ends}{p_equals(of.p)}"


def holds(of: Held) -> str:
    """Under how many other conditions with scores of their own the sign of the difference stays,
    and under which not."""
    known = of.distinct
    same = int(of.table["repeats"].sum())
    repeated = f" ({counted(same, 'other')} give scores already counted)" if same else ""
    if known.empty:
        return f"No other condition gives different scores{repeated}."
    n, kept = len(known), int((known["outcome"] == KEPT).sum())
    of_all = f"of {counted(n, 'other condition')} with different scores{repeated}"
    if kept == n:
        return f"The sign stays the same under all {of_all}."
    other = {"is reversed": REVERSED, "is a tie": TIE}
    rows = {word: known[known["outcome"] == outcome] for word, outcome in other.items()}
    told = [f"it {word} {_conditions(of_one)}" for word, of_one in rows.items() if len(of_one)]
    return f"The sign stays under {kept} {of_all}; {listed(told)}."


def _conditions(rows: pd.DataFrame) -> str:
    by_kind = {kind: of["condition"].tolist() for kind, of in rows.groupby("kind", sort=False)}
    return listed(CONDITIONS[str(kind)](names) for kind, names in by_kind.items())


_SINGLETONS = {
    "keep": "with singletons kept",
    "drop": "with singletons dropped",
}
CONDITIONS: Mapping[str, Callable[[Sequence[str]], str]] = {
    "metric": lambda names: f"under {listed(map(called, names))}",
    "singletons": lambda names: listed(_SINGLETONS[name] for name in names),
    "average": lambda _: "in the mean over documents",
    "document": lambda names: f"without {names[0]}",
    "scorer": lambda names: f"as scored by {listed(names)}",
}


def why(of: Evidence) -> str:
    """The kinds of errors that differ most, and the documents that make most of the difference."""
    return " ".join([*_errors(of.errors), *_documents(of)]) or "There is no difference to explain."


def most_different_errors(errors: pd.DataFrame) -> pd.Series:
    """How many more B makes, of the kinds in which A and B differ most."""
    gaps = errors["difference"][errors["difference"] != 0]
    order = gaps.abs().sort_values(ascending=False, kind="stable").index
    return gaps.loc[order].head(MOST_NAMED)


def _errors(errors: pd.DataFrame | None) -> Iterator[str]:
    gaps = pd.Series(dtype=float) if errors is None else most_different_errors(errors)
    if len(gaps):
        each = [
            f"{count(abs(n))} {'more' if n > 0 else 'fewer'} "
            f"{kind if abs(n) == 1 else NAMES[str(kind)]}"
            for kind, n in gaps.items()
        ]
        yield f"Compared with A, B makes {listed(each)}."


def _documents(of: Evidence) -> Iterator[str]:
    rows = documents_behind(of)
    if len(rows):
        each = zip(rows["document"], rows["without"], strict=True)
        named = listed(f"{name} ({signed(without)} without it)" for name, without in each)
        yield f"The difference of {signed_points(of.row['difference'])} rests most on {named}."


def documents_behind(of: Evidence) -> pd.DataFrame:
    """The rows of `Evidence.influence` of the documents that favour the difference most, by so much
    that it is seen."""
    favours = of.influence["influence"] * np.sign(of.row["difference"]) > HALF_A_PLACE
    return of.influence[favours].head(MOST_NAMED) if len(of.influence) > 1 else of.influence[:0]


# How the evidence was found -----------------------------------------------------------------------

LOOKED_FOR = (
    "Checked: whether one response has exactly the key’s mentions and the other does not; whether "
    "one has singletons and the other hardly any; documents in which one has no mentions; and "
    "text that differs from the key."
)


def how_power_is_known(of: Detectable) -> str:
    """How the smallest difference that is found was found."""
    if not of.resamples:
        return "No p can be small enough, so there is no smallest detectable difference."
    return (
        f"{count(of.resamples)} corpora of {counted(of.n_documents, 'document')} were resampled "
        "from these, the observed difference taken off each document and an assumed one put in "
        f"its place. Each was tested as the data are, at p < {of.alpha:g}; the smallest difference "
        f"found in {share(of.power)} of them is given. The observed difference plays no part."
    )


def how_size_is_told(of: Evidence) -> str:
    """What the interval, where there is one, and the effect are."""
    interval = (
        "The interval contains every difference the test does not reject: it excludes 0 exactly "
        "when p is below 0.05. "
    )
    return (
        f"{capital(called(of.metric))} is tested alone, as the primary metric, which has to be "
        "chosen before the scores are seen. Below, all metrics are tested, and p is corrected for "
        f"that. {'' if math.isnan(of.interval[0]) else interval}"
        "A document is won by the higher score; the standardised difference is the mean of the "
        "documents’ differences divided by their standard deviation."
    )


def how_conditions_are_made(of: Held) -> str:
    """What the other conditions are."""
    return (
        f"Each condition changes one thing about {called(of.metric)} {RATIOS[of.measure]}: another "
        "metric; singletons dropped, or kept; the mean over documents; without the document that "
        "favours the difference most; and other scorers' rules. Conditions that repeat scores "
        "already in the table count once. Significance is not tested again."
    )


COMBINED = (
    "Combinations of policies change several policies at once, and keep the metric and the "
    "documents."
)


def told_conditions(table: pd.DataFrame) -> list[str]:
    """What each row of `Held.table` changes, in words."""
    rows = table.to_dict("records")
    return [capital(CONDITIONS[row["kind"]]([row["condition"]])) for row in rows]
