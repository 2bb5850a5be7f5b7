"""What is said on a card of Pitfalls → HTML and computed sentences. No arithmetic here."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from corescore.metrics import HOW_MANY, METRIC_IDS, colour_of, name_of
from corescore.plots.pitfalls import Row, column, ratios, says, title_of
from corescore.rendering import claims
from corescore.rendering.templates import render
from corescore.replication.experiment import Check
from corescore.sentences.verdicts import MARKS, Mark
from corescore.teaching.pitfalls.pitfall import MEASURES, Claim, Pitfall
from corescore.teaching.pitfalls.scored import NO_VALUE, SAME, A, B, Scored
from corescore.teaching.pitfalls.tables import score_comparison
from corescore.teaching.toy.links import Link
from corescore.wording import counted, listed, percent, share

MOST_NAMED = 6
WORDS = (
    "A letter is a mention; a box is an entity: mentions that refer to the same thing. Two "
    "mentions in one box make a link. The key is the correct annotation, A and B are two "
    "responses. Which of them is better depends on what is asked of them: each card names its "
    "criterion, and has others to choose from. "
    "Recall is the share of the key that a response finds, precision the share of the response "
    "that is correct; F1 is their harmonic mean, which is closer to the smaller of the two."
)
_TOGETHER = re.compile(r"(?<=\b[AB]) (?=\d)| (?=[=%])|(?<==) ")  # no line ends there


# What the metrics say -----------------------------------------------------------------------------


@dataclass(frozen=True)
class ScoreCell:
    """A score as a bar of that width and a number, with recall and precision."""

    title: str
    shown: str
    width: float
    ratios: Sequence[str]


@dataclass(frozen=True)
class ScoreRow:
    """What a metric says of A and B, and its scores of both."""

    title: str
    colour: str
    mark: Mark
    disagrees: bool
    says: str
    cells: tuple[ScoreCell, ScoreCell]


def score_table(pitfall: Pitfall, metrics: Sequence[str] = ()) -> Markup:
    """F1, recall and precision of A and B as bars and numbers, and which metrics disagree with the
    criterion.

    metrics  the ids of those shown; all of the card if empty
    """
    of, rows = pitfall.measure, score_comparison(pitfall).to_dict("records")
    drawn = [
        ScoreRow(
            title_of(a),
            colour_of(a["metric"]),
            MARKS[None if a["puts_first"] == NO_VALUE else not a["disagrees"]],
            a["disagrees"],
            says(a["puts_first"]),
            (_score_cell(a, of), _score_cell(b, of)),
        )
        for a, b in zip(rows[::2], rows[1::2], strict=True)
        if a["metric"] in (metrics or pitfall.shown)
    ]
    caption = (
        f"What each metric says: {MEASURES[of]} in percent, as bars from 0 to 100, with recall (R) "
        "and precision (P)"
    )
    if of == "macro":
        caption += "; (1 of 4): one of four documents has a value, and the mean is over that one"
    heads = ["", "says", A, B]
    return render("pitfall_cards", "scores", caption=caption, heads=heads, rows=drawn)


def _score_cell(row: Row, measure: str) -> ScoreCell:
    value, parts = row[column(measure)], ratios(row, measure)
    if row["puts_first"] == NO_VALUE and row[f"{measure}_denominator"] == 0:
        return ScoreCell(f"{row['output']}: 0/0, no value", "0/0", 0, parts)
    title = f"{row['output']}: {MEASURES[measure]} {percent(value)}%"
    return ScoreCell(title, percent(value), min(value, 1), parts)


def finding(pitfall: Pitfall) -> str:
    """What A and B have by the criterion, and which metrics disagree with it."""
    return f"{judgement(pitfall)} {disagreement(pitfall, pitfall.shown)}"


def judgement(pitfall: Pitfall) -> str:
    """What A and B have by the criterion: "A has fewer wrong links, 2 against 5."."""
    case, of = pitfall.case, pitfall.criterion
    a, b = (of.shown(output) for output in (case.a, case.b))
    return {
        A: f"A has {of.title}, {a} against {b}.",
        B: f"B has {of.title}, {b} against {a}.",
        SAME: f"Both have {a} {of.of}.",
    }[case.better]


def disagreement(pitfall: Pitfall, metrics: Sequence[str]) -> str:
    """Which of these metrics disagree with the criterion, and which have no value."""
    names = {"conll": "the CoNLL average"} | {m.id: m.title for m in pitfall.more}
    named = {name: names.get(name) or name_of(name) for name in metrics}
    against = tuple(name for name in named if pitfall.case.disagrees(name))
    without = [named[name] for name in named if pitfall.case.first(name) == NO_VALUE]
    told = _disagree(against, named)
    if pitfall.measure == "macro":
        of_sums = pitfall.measured("f1").case
        sums = tuple(name for name in named if of_sums.disagrees(name))
        told = f"As means over documents, {told} As sums, {_disagree(sums, named)}"
    else:
        told = f"{told[0].upper()}{told[1:]}"
    return " ".join([told, *([f"{listed(without)}: no value, 0/0."] if without else [])])


def _disagree(metrics: tuple[str, ...], named: Mapping[str, str]) -> str:
    if not metrics:
        return f"{named[next(iter(named))]} agrees." if len(named) == 1 else "no metric disagrees."
    who = listed(named[name] for name in metrics)
    if metrics == METRIC_IDS:
        who = f"all {HOW_MANY} metrics"
    return f"{who} {'disagrees' if len(metrics) == 1 else 'disagree'}."


# The answer ---------------------------------------------------------------------------------------


def answer(pitfall: Pitfall, chosen: str, votes: Mapping[str, int]) -> Markup:
    """Whether the reader's choice is that of the criterion, and what a class voted; nothing of
    what there is not."""
    better = pitfall.case.better
    agrees = chosen == better
    words = "So says this criterion" if agrees else f"By this criterion, {_better(better)}"
    return render(
        "pitfall_cards",
        "answer",
        mark=MARKS[agrees],
        chosen=_better(chosen) if chosen else "",
        words=words,
        votes=_shares(votes),
    )


def _better(choice: str) -> str:
    return "neither is better" if choice == SAME else f"{choice} is better"


def _shares(votes: Mapping[str, int]) -> list[tuple[str, int, str, float]]:
    n = sum(votes.values())
    names = {A: A, B: B, SAME: "neither"}
    return [(names[c], of, share(of / n), 100 * of / n) for c, of in votes.items()] if n else []


# Criteria, links, why, claims ---------------------------------------------------------------------


def criterion_rows(pitfall: Pitfall) -> Markup:
    """A and B by each criterion, and which of them is better by it."""
    case = pitfall.case
    rows = [
        (
            one.name,
            one.shown(case.a),
            one.shown(case.b),
            {SAME: "neither"}.get(better := one.better(case.a, case.b), better),
            one.id == pitfall.criterion.id,
        )
        for one in pitfall.criteria
    ]
    return render("pitfall_cards", "criteria", rows=rows)


def link_rows(pitfall: Pitfall) -> Markup:
    """Correct, wrong and missed links of A and B, the first of them by name."""
    outputs = [(output, _counts(output)) for output in (pitfall.case.a, pitfall.case.b)]
    return render("pitfall_cards", "links", outputs=outputs)


def _counts(output: Scored) -> list[tuple[int, str]]:
    return [(len(of), _named(of)) for of in (output.correct, output.wrong, output.missed)]


def _named(links: Sequence[Link]) -> str:
    """A few links by name; of many the first, and how many more there are."""
    named = links if len(links) <= MOST_NAMED else links[: MOST_NAMED - 1]
    more = [f"+{len(links) - len(named)}"] if len(named) < len(links) else []
    return " ".join([*(f"{one}{other}" for one, other in named), *more])


def why(pitfall: Pitfall) -> Markup:
    """The arithmetic, what papers hold of it where they disagree, and where it is from."""
    text = _TOGETHER.sub("\u00a0", pitfall.why(pitfall.case))
    return render(
        "pitfall_cards", "why", text=text, positions=pitfall.positions, source=pitfall.source
    )


def claim_list(checks: Sequence[tuple[Claim, Check]]) -> Markup:
    """Each claim of a card with its mark and the numbers."""
    return claims.claim_list(checks, "What this card claims")


def tally(checks: Sequence[tuple[Claim, Check]]) -> str:
    """How many claims of one or more cards hold."""
    n = sum(check.holds is True for _, check in checks)
    return f"{n} of {counted(len(checks), 'claim')} {'holds' if n == 1 else 'hold'}"
