"""Metric cards → LaTeX and escaped HTML. No Streamlit here."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape

import pandas as pd
from markupsafe import Markup

from corescore.plots.charts import colour
from corescore.scoring.scores import Scores
from corescore.sentences.names import TITLES
from corescore.teaching.cards.card import Card, Variant
from corescore.teaching.cards.worked import Line
from corescore.teaching.toy.toy import Entities, Toy
from corescore.wording import RATIOS, capital, count, listed, percent

_NEXT_ROW = r" \\[0.8em] "


def style(names: Sequence[str], chosen: str) -> str:
    """The metrics' colours: a line below each button of the switch, a bar at the answer."""
    buttons = "".join(
        f".st-key-metric_box button:nth-of-type({at}) "
        f"{{ box-shadow: inset 0 -3px {colour(name)}; }}"
        for at, name in enumerate(names, 1)
    )
    return f"<style>{buttons}.answer {{ border-left-color: {colour(chosen)}; }}</style>"


def formulas(lines: Sequence[Line]) -> str:
    """Lines of a card as one aligned block: formula, numbers, percent."""
    rows = (
        rf"{line.symbol} &= {line.formula} &&= {line.numbers} &&{_in_percent(line.value)}"
        for line in lines
    )
    return rf"\begin{{aligned}}{_NEXT_ROW.join(rows)}\end{{aligned}}"


def _in_percent(value: Fraction) -> str:
    """= 40.00 %, or ≈ 41.67 % where two decimals do not say it all."""
    sign = "=" if (value * 10_000).denominator == 1 else r"\approx"
    return rf"{sign} {percent(float(value))}\,\%"


def symbols(card: Card) -> str:
    """What stands in the formulas, in Markdown."""
    return "  \n".join(f"${latex}$: {words}" for latex, words in card.symbols)


def toy(example: Toy) -> str:
    """Key and response as boxes of letters; the key's solid, the response's dashed."""
    sides = ("key", example.key, example.missing), ("response", example.response, example.spurious)
    return f'<div class="toy">{"".join(_side(*side) for side in sides)}</div>'


def _side(name: str, entities: Entities, twinless: Sequence[str]) -> str:
    boxes = "".join(f'<span class="box">{_letters(entity, twinless)}</span>' for entity in entities)
    return f'<div class="side {name}"><span class="name">{name}</span>{boxes}</div>'


def _letters(entity: Sequence[str], twinless: Sequence[str]) -> str:
    return " ".join(
        f"<i>{escape(mention)}</i>" if mention in twinless else f"<b>{escape(mention)}</b>"
        for mention in entity
    )


def twinless(example: Toy) -> str:
    """What the letters in italics are."""
    return (
        f"The response lacks {listed(example.missing)} and adds {listed(example.spurious)}; the "
        "other letters are on both sides."
    )


def in_the_example(metric: str, result: Scores) -> str:
    """How many units the example has, of how many; of BLANC, of both kinds."""
    parts = result[metric].parts or {"": result[metric]}
    names = {part: TITLES.get(f"{metric}.{part}", "").removeprefix("BLANC, ") for part in parts}
    told = []
    for part, score in parts.items():
        sides = (
            f"{count(getattr(score, f'{side}_numerator'))} of "
            f"{count(getattr(score, f'{side}_denominator'))} for {RATIOS[side]}"
            for side in ("recall", "precision")
        )
        told.append(" ".join([listed(sides), names[part] and f"({names[part]})"]).strip())
    return f"In the example: {'; '.join(told)}."


def case_list(card: Card) -> Markup:
    """Each rule for empty parts with its cases; the first that fits counts."""
    return Markup(_case_list(card))


def _case_list(card: Card) -> str:
    return f'<div class="rules">{"".join(map(_rule, card.variants))}</div>'


def _rule(variant: Variant) -> str:
    cases = "".join(f"<li>{escape(_case(case.when, case.then))}</li>" for case in variant.cases)
    return f"<div><h4>{escape(variant.title)}</h4><ol>{cases}</ol></div>"


def _case(when: str, then: str) -> str:
    return f"Otherwise: {then}." if when == "otherwise" else f"If {when}: {then}."


def empty_rows(card: Card, table: pd.DataFrame, rules: Mapping[str, str]) -> str:
    """What comes out for a card's examples, a table of `worked.empty_table`.

    rules  the policies' names; where there is none, they have no column
    """
    measures = [name for name in RATIOS if name in card.parts[-1].steps]
    names = [f"{capital(RATIOS[name])} %" for name in measures]
    texts = ["Key", "Response", *(["Rule"] if rules else [])]
    head = "".join(f'<th scope="col" class="text">{text}</th>' for text in texts)
    head += "".join(f'<th scope="col">{name}</th>' for name in (*names, "Total F1 %"))
    bodies = "".join(
        _example(str(key), str(response), rows, [*measures, "total"], rules)
        for (key, response), rows in table.groupby(["key", "response"], sort=False)
    )
    return (
        '<div class="scroll"><table class="numbers empty"><caption>What comes out</caption>'
        f"<thead><tr>{head}</tr></thead>{bodies}</table></div>"
    )


def _example(
    key: str, response: str, rows: pd.DataFrame, values: Sequence[str], rules: Mapping[str, str]
) -> str:
    """The rows of one example, a rule each."""
    sides = "".join(f'<th rowspan="{len(rows)}">{escape(side)}</th>' for side in (key, response))
    lines: list[str] = []
    for row in rows.to_dict("records"):
        rule = f"<th>{escape(rules[row['policy']])}</th>" if rules else ""
        cells = "".join(f"<td>{percent(row[name])}</td>" for name in values)
        lines.append(f"<tr>{'' if lines else sides}{rule}{cells}</tr>")
    return f"<tbody>{''.join(lines)}</tbody>"
