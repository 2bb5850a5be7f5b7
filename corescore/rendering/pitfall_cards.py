"""Pitfalls → HTML and computed sentences. No arithmetic here."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from corescore.metrics import HOW_MANY, METRIC_IDS, colour_of, name_of
from corescore.plots.pitfalls import Row, column, ratios, says, title_of
from corescore.rendering import claims
from corescore.rendering.templates import render
from corescore.replication.experiment import Check
from corescore.sentences.verdicts import MARKS
from corescore.teaching.pitfalls.pitfall import MEASURES, SAME, A, B, Case, Claim, Pitfall, Scored
from corescore.teaching.pitfalls.tables import score_comparison
from corescore.teaching.toy.links import Link
from corescore.teaching.toy.toy import Entities, Toy, notation
from corescore.wording import counted, listed, percent

MOST_NAMED = 6
_DISPUTED = "what papers disagree on"  # a card that misleads no metric
WORDS = (
    "A letter is a mention; a box is an entity: mentions that refer to the same thing. Two "
    "mentions in one box make a link. The key is the correct answer, A and B are two responses. "
    "Recall is the share of the key that a response finds, precision the share of the response "
    "that is correct; F1 is their harmonic mean, which is closer to the smaller of the two."
)
_TOGETHER = re.compile(r"(?<=\b[AB]) (?=\d)| (?=[=%])|(?<==) ")  # no line ends there


# Key and responses --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """The entities of one document on one side, its spurious mentions, and those it lacks."""

    entities: Entities
    spurious: Sequence[str] = ()
    missing: Sequence[str] = ()


@dataclass(frozen=True)
class Side:
    """The key or a response as boxes of mentions, a line for each document."""

    name: str
    documents: Sequence[Line]
    style: str = "response"
    says: str = ""


def _key(case: Case) -> list[Line]:
    return [Line(side) for side, _ in case.a.documents]


def _response(output: Scored) -> list[Line]:
    return [
        Line(response, toy.spurious, toy.missing)
        for toy, (_, response) in zip(output.toys, output.documents, strict=True)
    ]


def sides(pitfall: Pitfall, *, asked: bool) -> Markup:
    """Key and responses as boxes of mentions, side by side; one response scored twice appears once.

    asked  whether only the question stands beside them, which leaves them more room
    """
    case = pitfall.case
    key = Side("Key", _key(case), "key", "the correct answer")
    if pitfall.is_one_output:
        both = f"A: {pitfall.a.says}. B: {pitfall.b.says}."
        responses = [Side("The one response", _response(case.a), "response one", both)]
    else:
        responses = [
            Side("A", _response(case.a), says=pitfall.a.says),
            Side("B", _response(case.b), says=pitfall.b.says),
        ]
    return render("pitfall_cards", "sides", sides=[key, *responses], asked=asked)


def start(toy: Toy) -> Markup:
    """Key and response that an exercise begins with."""
    key = Side("Key", [Line(toy.key)], "key", "the correct answer")
    response = [Line(toy.response, toy.spurious, toy.missing)]
    both = [key, Side("Response", response, says="at the start")]
    return render("pitfall_cards", "sides", sides=both, asked=False)


def tile(pitfall: Pitfall) -> Markup:
    """Key and responses, tiny, for the gallery."""
    case = pitfall.case
    named = {"A, B": case.a} if pitfall.is_one_output else {"A": case.a, "B": case.b}
    drawn = [Side("key", _key(case), "key")]
    for name, output in named.items():
        drawn.append(Side(name, [Line(response) for _, response in output.documents]))
    misled = listed(name_of(metric) for metric in pitfall.misled) if pitfall.misled else _DISPUTED
    if pitfall.misled == METRIC_IDS:
        misled = f"all {HOW_MANY}"
    return render("pitfall_cards", "tile", spoken=_spoken(case), sides=drawn, misled=misled)


def _spoken(case: Case) -> str:
    """Key and responses in brace notation."""
    key = "; ".join(notation(side) for side, _ in case.a.documents)
    a, b = ("; ".join(toy.response_notation for toy in o.toys) for o in (case.a, case.b))
    return f"Key: {key}. A: {a}. B: {b}."


# What the metrics say -----------------------------------------------------------------------------


@dataclass(frozen=True)
class ScoreCell:
    """A score as a bar of that width and a number, with recall and precision."""

    title: str
    value: float
    width: float
    ratios: Sequence[str]


@dataclass(frozen=True)
class ScoreRow:
    """What a metric says of A and B, and its scores of both."""

    title: str
    colour: str
    misled: bool
    says: str
    cells: tuple[ScoreCell, ScoreCell]


def score_table(pitfall: Pitfall) -> Markup:
    """F1, recall and precision of A and B by the six, as bars and numbers, and who is misled."""
    of, rows = pitfall.measure, score_comparison(pitfall).to_dict("records")
    drawn = [
        ScoreRow(
            title_of(a),
            colour_of(a["metric"]),
            a["misled"],
            says(a["puts_first"]),
            (_score_cell(a, of), _score_cell(b, of)),
        )
        for a, b in zip(rows[::2], rows[1::2], strict=True)
    ]
    caption = (
        f"What each metric says: {MEASURES[of]} in percent, as bars from 0 to 100, with recall (R) "
        "and precision (P)"
    )
    heads = ["", "says", A, B]
    return render("pitfall_cards", "scores", caption=caption, heads=heads, rows=drawn)


def _score_cell(row: Row, measure: str) -> ScoreCell:
    value = row[column(measure)]
    title = f"{row['output']}: {MEASURES[measure]} {percent(value)} %"
    return ScoreCell(title, value, min(value, 1), ratios(row, measure))


def finding(pitfall: Pitfall) -> str:
    """Which response is truly better, by what criterion, and which metrics are misled."""
    case = pitfall.case
    a, b = (case.criterion.count(output) for output in (case.a, case.b))
    truth = {
        A: f"A is better, with {case.criterion.title}: {a} against {b}.",
        B: f"B is better, with {case.criterion.title}: {b} against {a}.",
        SAME: f"Neither is better: each has {a} {case.criterion.of}.",
    }[case.better]
    return f"{truth} {_misled(pitfall)}"


def _misled(pitfall: Pitfall) -> str:
    names = {"conll": "the CoNLL average"} | {m.id: m.title for m in pitfall.more}
    misled = tuple(name for name in pitfall.shown if pitfall.case.misleads(name))
    if not misled:
        return "No metric is misled."
    who = listed(names.get(name) or name_of(name) for name in misled)
    if misled == METRIC_IDS:
        who = f"All {HOW_MANY} metrics"
    return f"{who} {'is' if len(misled) == 1 else 'are'} misled."


def answer(pitfall: Pitfall, chosen: str) -> Markup:
    """Whether the reader's choice is correct; nothing without a choice."""
    if not chosen:
        return Markup()
    better = pitfall.case.better
    words = (
        "That is the honest answer"
        if chosen == better
        else f"The honest answer is {_either(better)}"
    )
    mark = MARKS[chosen == better]
    return render("pitfall_cards", "answer", mark=mark, chosen=_either(chosen), words=words)


def _either(choice: str) -> str:
    return "that neither is better" if choice == SAME else choice


# Truth, why, claims -------------------------------------------------------------------------------


def truth_rows(pitfall: Pitfall) -> Markup:
    """Correct, wrong and missed links of A and B, the first of them by name."""
    outputs = [
        (output, [(len(of), _named(of)) for of in (output.correct, output.wrong, output.missed)])
        for output in (pitfall.case.a, pitfall.case.b)
    ]
    return render("pitfall_cards", "truth", outputs=outputs)


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
