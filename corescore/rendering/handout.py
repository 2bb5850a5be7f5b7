"""A lesson as a self-contained HTML document for print: questions, and the answers at its end."""

from collections.abc import Sequence

from markupsafe import Markup

from corescore.rendering import STYLES, pitfall_cards, pitfall_sides
from corescore.rendering.templates import render
from corescore.teaching.lesson import Step
from corescore.teaching.pitfalls.pitfall import Pitfall
from corescore.version import __version__
from corescore.wording import counted

TITLE = "How coreference is scored"
_SHEETS = ("pitfalls.css", "handout.css")


def handout(steps: Sequence[Step]) -> str:
    """The steps of a lesson as a page that prints on A4; nothing in it is loaded from elsewhere."""
    numbered = [*enumerate(steps, 1)]
    minutes = sum(step.minutes for step in steps)
    return render(
        "handout",
        "document",
        title=TITLE,
        about=f"{counted(len(steps), 'step')}, about {minutes} minutes. Answer before you turn to "
        "the last pages.",
        words=pitfall_cards.WORDS,
        questions=[_question(number, step) for number, step in numbered],
        answers=[_answer(number, step) for number, step in numbered],
        signature=f"corescore {__version__}",
        styles=Markup("\n".join(_sheet(name) for name in _SHEETS)),
    )


def _sheet(name: str) -> str:
    return (STYLES / name).read_text(encoding="utf-8")


def _question(number: int, step: Step) -> Markup:
    if step.exercise:
        before = pitfall_sides.start(step.exercise.start)
        about = {"heading": step.exercise.title, "goal": step.exercise.goal}
        return render("handout", "exercise", number=number, sides=before, **about)
    card = _card(step)
    return render(
        "handout",
        "question",
        number=number,
        heading=card.question,
        sides=pitfall_sides.sides(card, marked=False),
        criteria=[criterion.name for criterion in card.criteria],
    )


def _answer(number: int, step: Step) -> Markup:
    if step.exercise:
        solved = step.exercise.solved
        return render(
            "handout",
            "solved",
            number=number,
            heading=step.exercise.title,
            goal=step.exercise.goal,
            sides=pitfall_sides.start(solved, says="one solution"),
            told=step.exercise.progress(solved)[1],
        )
    card = _card(step)
    return render(
        "handout",
        "answer",
        number=number,
        heading=card.title,
        sides=pitfall_sides.sides(card, marked=True),
        told=pitfall_cards.finding(card),
        criteria=pitfall_cards.criterion_rows(card),
        scores=pitfall_cards.score_table(card),
        why=pitfall_cards.why(card),
    )


def _card(step: Step) -> Pitfall:
    if step.pitfall is None:
        raise ValueError(f"{step.id} is neither a card nor an exercise")
    return step.pitfall
