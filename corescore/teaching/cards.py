"""The example on every card, with its numbers put in; and what comes out where all is empty."""

from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from corescore.bibliography import PRADHAN_2014
from corescore.corpus.build import from_entities
from corescore.counting.counts import MEASURES
from corescore.counting.policies import DEFAULTS, Policies
from corescore.metrics import METRICS, VARIANT_IDS, metric_of
from corescore.metrics.metric import Card
from corescore.metrics.registry import ROWS
from corescore.replication.pradhan2014 import WORKED_EXAMPLE
from corescore.scoring.scores import Result, score
from corescore.teaching.pitfalls import PITFALLS, Pitfall
from corescore.teaching.toy import Toy

_GIVEN = WORKED_EXAMPLE.setting().values

SOURCE = PRADHAN_2014.name

EXAMPLE = Toy.of(str(_GIVEN["key"]), str(_GIVEN["response"]))


@dataclass(frozen=True)
class Line:
    """A line of the worked example.

    symbol   its left-hand side, as on the card
    formula  the general one, in LaTeX
    numbers  the same with the example's numbers, in LaTeX, and the fraction that it comes to
    value    that fraction
    """

    symbol: str
    formula: str
    numbers: str
    value: Fraction


def result_of(card: Card, toy: Toy, policies: Policies = DEFAULTS) -> Result:
    """A toy scored by the metric of a card, and by others."""
    metrics = (metric_of(card.id),) if card.id in VARIANT_IDS else METRICS
    return score(*from_entities(toy.key, toy.response), policies, metrics=metrics)


def worked_lines(card: Card) -> tuple[tuple[Line, ...], ...]:
    """The lines of each part of a card's formulas, worked out for the example.

    None where the metric's arithmetic is not worked out in fractions.
    """
    textbook = ROWS[card.id].textbook
    steps = textbook(EXAMPLE.key, EXAMPLE.response) if textbook else []
    done = {step.name: step for step in steps}
    return tuple(
        tuple(
            Line(symbol, formula, done[name].latex, done[name].value)
            for name, (symbol, formula) in part.steps.items()
            if name in done
        )
        for part in card.parts
    )


def worked_table(card: Card) -> pd.DataFrame:
    """The same lines as rows.

    Columns: part (such as "coreference links"; empty if there is but one, and for the whole),
    measure, symbol, formula and numbers (in LaTeX), fraction ("2/5") and value.
    """
    rows = [
        {"part": part.subject, "measure": name.split()[0], **vars(line)}
        for part, lines in zip(card.parts, worked_lines(card), strict=True)
        for name, line in zip(part.steps, lines, strict=bool(lines))
    ]
    table = pd.DataFrame(rows, columns=["part", "measure", *Line.__dataclass_fields__])
    table.insert(len(table.columns) - 1, "fraction", table["value"].map(str))
    return table.assign(value=table["value"].map(float))


# Where all is empty -------------------------------------------------------------------------------


def empty_table(card: Card) -> pd.DataFrame:
    """What comes out for a card's examples, by each rule for empty parts if it has several.

    Columns: key and response (in brace notation), policy (empty if there is but one rule), recall,
    precision and f1 (of a document: NaN where empty) and total (F1 of a corpus of that document).
    """
    rules = [variant.policy for variant in card.variants] or [""]
    rows = [
        {"key": toy.key_notation, "response": toy.response_notation, "policy": rule}
        | _scores_by_rule(card, toy, rule)
        for toy in (Toy.of(*example) for example in card.examples)
        for rule in rules
    ]
    return pd.DataFrame(rows)


def _scores_by_rule(card: Card, toy: Toy, rule: str) -> dict[str, float]:
    result = result_of(card, toy, Policies.of({"blanc": rule} if rule else {}))
    one, total = result.document_scores[card.id].row(0), result[card.id]
    return {measure: getattr(one, measure) for measure in MEASURES} | {"total": total.f1}


# Which cards of the gallery are about a metric ----------------------------------------------------


def known_flaws(card: Card) -> tuple[Pitfall, ...]:
    """The pitfalls that are about a card's metric, in the order of the gallery."""
    return tuple(pitfall for pitfall in PITFALLS if card.id in pitfall.about)
