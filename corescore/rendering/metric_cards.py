"""Metric cards → LaTeX and HTML."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isnan

import pandas as pd
from markupsafe import Markup

from corescore.metrics import name_of
from corescore.metrics.card import Card, Part
from corescore.rendering.templates import render
from corescore.scoring.scores import Scores
from corescore.teaching.cards.worked import Line
from corescore.teaching.toy.toy import Toy
from corescore.wording import RATIOS, capital, count, listed, percent

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


def formulas_alone(part: Part) -> str:
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
        f"The response lacks {listed(example.missing)} and adds {listed(example.spurious)}; the "
        "other letters are on both sides."
    )


def in_the_example(metric: str, result: Scores) -> str:
    """Numerators and denominators in the example, in words; for BLANC, of both kinds of links.

    Of a metric that has none, F1 alone.
    """
    if not result[metric].parts and isnan(result[metric].recall_numerator):
        return f"In the example: {percent(result[metric].f1)} percent."
    parts = result[metric].parts or {"": result[metric]}
    told = []
    for part, score in parts.items():
        sides = (
            f"{count(getattr(score, f'{side}_numerator'))} of "
            f"{count(getattr(score, f'{side}_denominator'))} for {RATIOS[side]}"
            for side in ("recall", "precision")
        )
        kind = f" ({name_of(f'{metric}.{part}').rpartition(', ')[2]})" if part else ""
        told.append(f"{listed(sides)}{kind}")
    return f"In the example: {'; '.join(told)}."


def case_list(card: Card) -> Markup:
    """Each rule for empty parts with its cases; the first case that applies counts."""
    return render("metric_cards", "cases", variants=card.variants)


def empty_rows(card: Card, table: pd.DataFrame, rules: Mapping[str, str]) -> Markup:
    """The scores of a card's examples, a table of `worked.empty_table`.

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
