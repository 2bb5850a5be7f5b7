"""What a class sees: cards, metric cards, the sandbox, and a lesson on paper."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isnan

import pandas as pd
from markupsafe import Markup

from corescore.counting.counts import MEASURES as EVERY_MEASURE
from corescore.metrics import HOW_MANY, METRIC_IDS, colour_of, name_of
from corescore.metrics.metric import Card, Formulas
from corescore.metrics.textbook import Step as TextbookStep
from corescore.plots.pitfalls import Row, column, ratios, says, title_of
from corescore.rendering import papers
from corescore.rendering.html import problem_list, render, static
from corescore.rendering.papers import MARKS, Mark
from corescore.replication.experiment import Check
from corescore.scoring.scores import Result
from corescore.teaching.cards import Line
from corescore.teaching.criteria import (
    MEASURES,
    NO_VALUE,
    SAME,
    A,
    B,
    CardClaim,
    Pitfall,
    ScoredCase,
    score_comparison,
)
from corescore.teaching.exercises import FORMULAS, INTRODUCTION, Exercise, LessonStep, minutes_of
from corescore.teaching.moves import WhatIf
from corescore.teaching.toy import (
    MISSING_MENTION,
    NEW,
    Entities,
    Link,
    Toy,
    changes,
    links_of,
    notation,
)
from corescore.version import __version__
from corescore.wording import RATIOS, capital, count, counted, listed, percent, signed

# What is said on a card of Pitfalls → HTML and computed sentences. No arithmetic here -------------

MOST_NAMED = 6

WORDS = (
    "A letter is a mention, a box an entity: mentions that refer to the same thing. Two "
    "mentions in one box make a link. The key is the correct annotation, A and B are two "
    "responses. Which is better depends on the criterion: each card names one and offers "
    "others. "
    "Recall is the share of the key that a response finds, precision the share of the response "
    "that is correct. F1 is their harmonic mean, which is closer to the smaller of the two. Only "
    "BLANC’s F1 is the mean of two F1s, one for links and one for pairs without a link."
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
    measure, rows = pitfall.measure, score_comparison(pitfall).to_dict("records")

    def cell(row: Row) -> ScoreCell:
        value, parts = row[column(measure)], ratios(row, measure)
        if row["puts_first"] == NO_VALUE and row[f"{measure}_denominator"] == 0:
            return ScoreCell(f"{row['output']}: 0/0, no value", "0/0", 0, parts)
        title = f"{row['output']}: {MEASURES[measure]} {percent(value)}%"
        return ScoreCell(title, percent(value), min(value, 1), parts)

    drawn = [
        ScoreRow(
            title_of(a),
            colour_of(a["metric"]),
            MARKS[None if a["puts_first"] == NO_VALUE else not a["disagrees"]],
            a["disagrees"],
            says(a["puts_first"]),
            (cell(a), cell(b)),
        )
        for a, b in zip(rows[::2], rows[1::2], strict=True)
        if a["metric"] in (metrics or pitfall.shown)
    ]
    caption = (
        f"What each metric says: {MEASURES[measure]} in percent, as bars from 0 to 100, with "
        "recall (R) and precision (P)"
    )
    if measure == "macro":
        caption += "; (1 of 4): one of four documents has a value, and the mean is over that one"
    heads = ["", "says", A, B]
    return render("pitfall_cards", "scores", caption=caption, heads=heads, rows=drawn)


def finding(pitfall: Pitfall) -> str:
    """What A and B have by the criterion, and which metrics disagree with it."""
    return f"{judgement(pitfall)} {disagreement(pitfall, pitfall.shown)}"


def judgement(pitfall: Pitfall) -> str:
    """What A and B have by the criterion: "A has fewer wrong links, 2 against 5."."""
    case, criterion = pitfall.case, pitfall.criterion
    a, b = (criterion.shown(output) for output in (case.a, case.b))
    return {
        A: f"A has {criterion.title}, {a} against {b}.",
        B: f"B has {criterion.title}, {b} against {a}.",
        SAME: f"Both have {a} {criterion.noun}.",
    }[case.better]


def disagreement(pitfall: Pitfall, metrics: Sequence[str]) -> str:
    """Which of these metrics disagree with the criterion, and which have no value."""
    names = {m.id: m.title for m in pitfall.more}
    named = {name: names.get(name) or name_of(name) for name in metrics}
    against = tuple(name for name in named if pitfall.case.disagrees(name))
    without = [named[name] for name in named if pitfall.case.first(name) == NO_VALUE]
    sentence = _disagree(against, named)
    if pitfall.measure == "macro":
        of_sums = pitfall.measured("f1").case
        sums = tuple(name for name in named if of_sums.disagrees(name))
        sentence = f"As means over documents, {sentence} As sums, {_disagree(sums, named)}"
    else:
        sentence = f"{sentence[0].upper()}{sentence[1:]}"
    return " ".join([sentence, *([f"{listed(without)}: no value, 0/0."] if without else [])])


def _disagree(metrics: tuple[str, ...], named: Mapping[str, str]) -> str:
    if not metrics:
        return f"{named[next(iter(named))]} agrees." if len(named) == 1 else "no metric disagrees."
    who = listed(named[name] for name in metrics)
    if metrics == METRIC_IDS:
        who = f"all {HOW_MANY} metrics"
    return f"{who} {'disagrees' if len(metrics) == 1 else 'disagree'}."


# The answer ---------------------------------------------------------------------------------------


def answer(pitfall: Pitfall, chosen: str) -> Markup:
    """Whether the reader's choice is that of the criterion; nothing if there is none."""
    called = {A: "A is better", B: "B is better", SAME: "neither is better"}
    better = pitfall.case.better
    agrees = chosen == better
    return render(
        "pitfall_cards",
        "answer",
        mark=MARKS[agrees],
        chosen=called.get(chosen, ""),
        words="So says this criterion" if agrees else f"By this criterion, {called[better]}",
    )


# Criteria, links, why, claims ---------------------------------------------------------------------


def criterion_rows(pitfall: Pitfall) -> Markup:
    """A and B by each criterion, and which of them is better by it."""
    a, b, chosen = pitfall.case.a, pitfall.case.b, pitfall.criterion.id
    rows = []
    for one in pitfall.criteria:
        better = one.better(a, b)
        winner = "neither" if better == SAME else better
        rows.append((one.name, one.shown(a), one.shown(b), winner, one.id == chosen))
    return render("pitfall_cards", "criteria", rows=rows)


def link_rows(pitfall: Pitfall) -> Markup:
    """Correct, wrong and missed links of A and B, the first of them by name."""
    outputs = [
        (of, [(len(links), _named(links)) for links in (of.correct, of.wrong, of.missed)])
        for of in (pitfall.case.a, pitfall.case.b)
    ]
    return render("pitfall_cards", "links", outputs=outputs)


def _named(links: Sequence[Link]) -> str:
    """A few links by name; of many the first, and how many more there are."""
    named = links if len(links) <= MOST_NAMED else links[: MOST_NAMED - 1]
    more = [f"+{len(links) - len(named)}"] if len(named) < len(links) else []
    return " ".join([*(f"{one}{other}" for one, other in named), *more])


def why(pitfall: Pitfall) -> Markup:
    """The arithmetic, what papers hold of it where they disagree, and where it is from."""
    text = _TOGETHER.sub("\u00a0", pitfall.why(pitfall.case))
    return render("pitfall_cards", "why", text=text, card=pitfall)


def claim_list(checks: Sequence[tuple[CardClaim, Check]]) -> Markup:
    """Each claim of a card with its mark and the numbers."""
    return papers.claim_list(checks, "What this card claims")


def tally(checks: Sequence[tuple[CardClaim, Check]]) -> str:
    """How many claims of one or more cards hold."""
    n = sum(check.holds is True for _, check in checks)
    return f"{n} of {counted(len(checks), 'claim')} {'holds' if n == 1 else 'hold'}"


# Key and responses of a card as boxes of mentions → HTML, a row each; and the same, tiny ----------

_WHOLE = Mark("✓", "just as the key has it", "holds")

_DISPUTED = "what papers disagree on"  # a card that is about no metric

_AVERAGES = "averages"


@dataclass(frozen=True)
class Chip:
    """A mention; whether the key lacks it, and whether the one before it is of another key entity,
    which is said where A and B are marked."""

    name: str
    spurious: bool = False
    apart: bool = False


@dataclass(frozen=True)
class Box:
    """An entity of a side, and its mark where A and B are marked."""

    chips: Sequence[Chip]
    mark: Mark | None = None


@dataclass(frozen=True)
class SideLine:
    """One document on one side: its boxes, and the mentions that it lacks."""

    boxes: Sequence[Box]
    missing: Sequence[str] = ()


@dataclass(frozen=True)
class SideView:
    """The key or a response, a line for each document, and its links in numbers."""

    name: str
    documents: Sequence[SideLine]
    style: str = "response"
    says: str = ""
    links: Sequence[tuple[Mark, int, str]] = ()


# Lines --------------------------------------------------------------------------------------------


def _side_line(entities: Entities, toy: Toy | None = None, *, marked: bool = False) -> SideLine:
    """The boxes of a document; `marked` by how they agree with the key of the toy, and with a mark
    between neighbours that do not corefer."""
    key = toy.key if toy and marked else ()
    entity_of = {name: number for number, whole in enumerate(key) for name in whole}
    spurious = toy.spurious if toy else ()
    boxes = []
    for entity in entities:
        chips = [Chip(entity[0], entity[0] in spurious)]
        for before, name in pairwise(entity):
            apart = marked and entity_of.get(name, name) != entity_of.get(before, before)
            chips.append(Chip(name, name in spurious, apart))
        mark, numbers = None, [*{entity_of.get(name) for name in entity}]
        if marked and len(numbers) == 1 and numbers[0] is not None:
            n, whole = len(entity), len(key[numbers[0]])
            part = Mark(f"{n} of {whole}", "a part of an entity of the key", "partly")
            mark = part if n < whole else _WHOLE
        elif marked:
            lone = len(entity) == 1
            reason = "not in the key" if lone else "mentions that do not corefer"
            mark = Mark("✗", reason, "fails")
        boxes.append(Box(chips, mark))
    return SideLine(boxes, toy.missing if toy else ())


# A card, an exercise, a tile ----------------------------------------------------------------------


def _key(case: ScoredCase) -> SideView:
    return SideView("Key", [_side_line(side) for side, _ in case.a.documents], "key")


def sides(pitfall: Pitfall, *, marked: bool, asked: bool = False) -> Markup:
    """Key and responses as boxes of mentions, one below the other; one response scored twice
    appears once.

    marked  whether A and B say what of them agrees with the key
    asked   whether only the question stands beside them, which leaves them more room
    """
    case, a, b = pitfall.case, pitfall.a.says, pitfall.b.says
    outputs = [("A", case.a, a), ("B", case.b, b)]
    if pitfall.is_one_output:
        outputs = [("A, B", case.a, f"A: {a}. B: {b}.")]
    drawn = [_key(case)]
    for name, output, about in outputs:
        documents = zip(output.toys, output.documents, strict=True)
        lines = [_side_line(response, toy, marked=marked) for toy, (_, response) in documents]
        links = [
            (MARKS[True], len(output.correct), "correct"),
            (MARKS[False], len(output.wrong), "wrong"),
            (Mark("○", "missed", "partly"), len(output.missed), "missed"),
        ]
        drawn.append(SideView(name, lines, says=about, links=links if marked else ()))
    boxes = render("pitfall_cards", "sides", sides=drawn, asked=asked, said=pitfall.said)
    if not pitfall.text:
        return boxes
    return render("pitfall_cards", "text", pieces=pitfall.pieces, asked=asked) + boxes


def start(toy: Toy, says: str = "at the start") -> Markup:
    """Key and response of an exercise: those that it begins with, or others that `says` tells."""
    response = SideView("Response", [_side_line(toy.response, toy)], says=says)
    both = [SideView("Key", [_side_line(toy.key)], "key"), response]
    return render("pitfall_cards", "sides", sides=both, asked=False, said={})


def tile(pitfall: Pitfall) -> Markup:
    """Key and responses, tiny, for the gallery."""
    case = pitfall.case
    named = {"A, B": case.a} if pitfall.is_one_output else {"A": case.a, "B": case.b}
    drawn = [_key(case)]
    for name, output in named.items():
        drawn.append(SideView(name, [_side_line(response) for _, response in output.documents]))
    spoken = " ".join(_notations(case))
    return render("pitfall_cards", "tile", spoken=spoken, sides=drawn, about=_tile_subject(pitfall))


def _tile_subject(pitfall: Pitfall) -> str:
    if pitfall.about:
        return listed(name_of(metric) for metric in pitfall.about)
    if pitfall.measure == "macro":
        return _AVERAGES
    return _DISPUTED if pitfall.positions else pitfall.criterion.name


def _notations(case: ScoredCase) -> Iterator[str]:
    """Key and responses in brace notation."""
    yield f"Key: {'; '.join(notation(side) for side, _ in case.a.documents)}."
    for output in (case.a, case.b):
        yield f"{output.letter}: {'; '.join(toy.response_notation for toy in output.toys)}."


TITLE = "How coreference is scored"


def introduction(formulas: bool = False) -> Markup:
    """A sentence on each of the six metrics, perhaps with its formula."""
    rows = [(colour_of(name), told, FORMULAS[name]) for name, told in INTRODUCTION.items()]
    return render("pitfall_cards", "introduction", rows=rows, formulas=formulas)


def handout(steps: Sequence[LessonStep]) -> str:
    """The questions of a lesson in two columns, to print on A4 for a class; like the answers, the
    file loads nothing."""
    asked = [introduction(formulas=True)]
    for number, step in enumerate(steps, 1):
        if task := step.exercise:
            made = render("handout", "exercise", number=number, task=task, sides=start(task.start))
        else:
            card = _card(step)
            boxes = sides(card, marked=False)
            made = render("handout", "question", number=number, card=card, sides=boxes)
        asked.append(made)
    about_all = f"{counted(len(steps), 'step')}, about {minutes_of(steps)} minutes."
    return _on_paper(TITLE, about_all, WORDS, asked, "hand-questions")


def answers(steps: Sequence[LessonStep]) -> str:
    """The answers to `handout`, to print on A4."""
    solutions = []
    for number, step in enumerate(steps, 1):
        if task := step.exercise:
            solved = task.solved
            made = render(
                "handout",
                "solved",
                number=number,
                task=task,
                sides=start(solved, says="one solution"),
                told=task.progress(solved)[1],
            )
        else:
            card = _card(step)
            made = render(
                "handout",
                "answer",
                number=number,
                card=card,
                sides=sides(card, marked=True),
                told=finding(card),
                criteria=criterion_rows(card),
                scores=score_table(card),
                why=why(card),
            )
        solutions.append(made)
    about = "The answers to the handout, with the numbers of all metrics."
    return _on_paper(f"{TITLE}: answers", about, "", solutions, "hand-answers")


def _on_paper(title: str, about: str, words: str, parts: Sequence[Markup], kind: str) -> str:
    return render(
        "handout",
        "document",
        title=title,
        about=about,
        words=words,
        parts=parts,
        kind=kind,
        signature=f"corescore {__version__}",
        styles=static("pitfalls.css", "handout.css"),
    )


def _card(step: LessonStep) -> Pitfall:
    if step.pitfall is None:
        raise ValueError(f"{step.id} is neither a card nor an exercise")
    return step.pitfall


# Metric cards → LaTeX and HTML --------------------------------------------------------------------

_NEXT_ROW = r" \\[0.8em] "


def style(names: Sequence[str], chosen: str) -> Markup:
    """The metrics' colours: a line below each button of the switch, a bar beside the answer."""
    return render("metric_cards", "style", metrics=names, chosen=chosen)


def formulas(lines: Sequence[Line]) -> str:
    """Lines of a card as one aligned block: formula, numbers, percent."""
    rows = (
        rf"{line.symbol} &= {line.formula} &&= {line.numbers} &&{_in_percent(line.value)}"
        for line in lines
    )
    return rf"\begin{{aligned}}{_NEXT_ROW.join(rows)}\end{{aligned}}"


def formulas_alone(part: Formulas) -> str:
    """The formulas of a part whose arithmetic is not worked out."""
    rows = (f"{symbol} &= {formula}" for symbol, formula in part.steps.values())
    return rf"\begin{{aligned}}{_NEXT_ROW.join(rows)}\end{{aligned}}"


def _in_percent(value: Fraction) -> str:
    """= 40.00%, or ≈ 41.67% where two decimals are not exact."""
    sign = "=" if (value * 10_000).denominator == 1 else r"\approx"
    return rf"{sign} {percent(float(value))}\%"


def symbols(card: Card) -> str:
    """The symbols of the formulas and their meanings, in Markdown."""
    return "  \n".join(f"${latex}$: {words}" for latex, words in card.symbols)


def toy(example: Toy) -> Markup:
    """Key and response as boxes of letters; the key's solid, the response's dashed."""
    sides = ("key", example.key, example.missing), ("response", example.response, example.spurious)
    return render("metric_cards", "toy", sides=sides)


def twinless(example: Toy) -> str:
    """Which letters are in italics, and why."""
    return (
        f"{listed(example.missing)} missing from the response, {listed(example.spurious)} added. "
        "The other letters are in both."
    )


def in_the_example(metric: str, result: Result) -> str:
    """Numerators and denominators in the example, in words; for BLANC, of both kinds of links.

    Of a metric that has none, F1 alone.
    """
    if not result[metric].parts and isnan(result[metric].recall_numerator):
        return f"In the example: {percent(result[metric].f1)} percent."
    parts = result[metric].parts or {"": result[metric]}
    by_part = []
    for part, score in parts.items():
        sides = (
            f"{count(getattr(score, f'{side}_numerator'))} of "
            f"{count(getattr(score, f'{side}_denominator'))} for {RATIOS[side]}"
            for side in ("recall", "precision")
        )
        kind = f" ({name_of(f'{metric}.{part}').rpartition(', ')[2]})" if part else ""
        by_part.append(f"{listed(sides)}{kind}")
    return f"In the example: {'; '.join(by_part)}."


def case_list(card: Card) -> Markup:
    """Each rule for empty parts with its cases; the first case that applies counts."""
    return render("metric_cards", "cases", variants=card.variants)


def empty_rows(card: Card, table: pd.DataFrame, rules: Mapping[str, str]) -> Markup:
    """The scores of a card's examples, a table of `teaching.cards.empty_table`.

    rules  the policies' names; if there are none, the table has no column for them
    """
    measures = [name for name in RATIOS if name in card.parts[-1].steps]
    sides = ["Key", "Response", *(["Rule"] if rules else [])]
    return render(
        "metric_cards",
        "empty",
        heads=[*sides, *(f"{capital(RATIOS[name])} %" for name in measures), "Total F1 %"],
        n_left=len(sides),
        examples=[
            (both, rows.to_dict("records"))
            for both, rows in table.groupby(["key", "response"], sort=False)
        ],
        measures=[*measures, "total"],
        rules=rules,
    )


# The sandbox's scores, arithmetic and exercises → HTML, tables and sentences ----------------------


def scores(toy: Toy, before: Toy | None) -> Markup:
    """The six in a table: scores, changes since the last edit, F1 as a bar."""
    rows = []
    for metric in METRIC_IDS:
        now, old = toy.result[metric], before.result[metric] if before else None
        then = f", {percent(old.f1)} before: {signed(now.f1 - old.f1)} points" if old else ""
        rows.append((metric, now, old, f"{name_of(metric)} F1 {percent(now.f1)} percent{then}"))
    return render("toy", "scores", measures=EVERY_MEASURE, rows=rows)


def headline(toy: Toy, before: Toy | None) -> str:
    """How the last edit changed links and scores, or how many links are correct."""
    links = links_of(toy)
    correct = counted(len(links.correct), "correct link")
    n = f"{correct}, {len(links.wrong)} wrong, {len(links.missing)}"
    if before is None:
        return f"{n} missing. Move a mention and see which scores follow."
    unchanged = "No link" if links_of(before) == links else "No link of the response"
    sentence = "; ".join(changes(before, toy).sentences) or f"{unchanged} changed"
    return f"{sentence}. {n} missing."


# The arithmetic -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Equation:
    """A step as a fraction: what is above and below its line, what follows, and its value.

    summands  the terms of the numerator, each with its entities
    """

    name: str
    above: str
    below: str
    rest: str
    value: float
    summands: Sequence[str]


def arithmetic(steps: Sequence[TextbookStep], toy: Toy) -> Markup:
    """Each step as a fraction with its numbers, and which entities the summands are from."""
    equations = []
    for step in steps:
        own, other = toy.key, toy.response
        if step.name.startswith("precision"):
            own, other = other, own
        summands = []
        for one in step.summands:
            pair = "" if one.other is None else f" with {_braces(other[one.other])}"
            summands.append(f"{_braces(own[one.own])}{pair}: {one.text}")
        above, below = step.quotient.above, step.quotient.below
        equations.append(
            Equation(
                step.name.replace("f1", "F1"),
                _typeset_sum(above.text),
                _typeset_sum(below.text),
                f"= {step.value}" if below.value else ", taken as 0",
                float(step.value),
                summands,
            )
        )
    return render("toy", "arithmetic", steps=equations)


def _typeset_sum(text: str) -> str:
    """Numerator or denominator; a line may end only between summands."""
    bare = text.replace(" · ", "\u00a0·\u00a0")
    return re.sub(r"\([^()]*\)", lambda found: found[0].replace(" ", "\u00a0"), bare)


def _braces(entity: Sequence[str]) -> str:
    return f"{{{' '.join(entity)}}}"


def problems(lines: Sequence[str], *, done: bool) -> Markup:
    """What is wrong with a link, or with what was typed or (`done`) attempted."""
    return problem_list(lines, kept=True, what=f"This cannot be {'done' if done else 'read'}.")


# The exercise, what if ----------------------------------------------------------------------------


def exercise(task: Exercise, toy: Toy) -> Markup:
    """The goal, and how far the toy is from it."""
    reached, progress = task.progress(toy)
    return render("toy", "exercise", task=task, reached=reached, told=progress)


_OUT = {NEW: "alone", MISSING_MENTION: "left out"}


def what_if_rows(table: pd.DataFrame) -> pd.DataFrame:
    """A table of moves for the page, with each in words."""
    where = [_OUT.get(to, f"to {to}") for to in table["to"]]
    moves = zip(table["mention"], where, strict=True)
    return table.assign(move=[f"{name} {to}" for name, to in moves])


def what_if_sentence(moves: Sequence[WhatIf], metric: str, measure: str) -> str:
    """How many moves raise and lower the score."""
    name = f"{name_of(metric)} {RATIOS[measure]}"
    if not moves:
        return "There is no mention to move."
    up = sum(round(move.gain, 9) > 0 for move in moves)
    down = sum(round(move.gain, 9) < 0 for move in moves)
    paid = sum(round(m.gain, 9) > 0 and m.correct <= 0 and m.wrong >= 0 for m in moves)
    without = f"; {paid or 'none'} of them without one more correct link or one fewer wrong link"
    return (
        f"Of {counted(len(moves), 'move')}, {down} lower {name} and {up} raise it"
        f"{without if up else ''}."
    )
