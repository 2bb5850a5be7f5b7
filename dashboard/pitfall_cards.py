"""Pitfalls → escaped HTML and computed sentences. No Streamlit here, and no arithmetic."""

import math
from collections.abc import Sequence
from html import escape

from corescore.dashboard.charts import COLOURS
from corescore.dashboard.markup import escaped, title
from corescore.dashboard.wording import SIX, TITLES, counted, listed, percent
from corescore.experiments.experiment import Verdict
from corescore.metrics import Metric
from corescore.pitfalls.pitfall import MEASURES, SAME, A, B, Case, Claim, Pitfall, Scored
from corescore.sandbox.links import Link
from corescore.sandbox.toy import Entities, Toy, notation

MOST_NAMED = 7
WORDS = (
    "A letter is a mention; a box is an entity, mentions that are said to be about the same. Two "
    "mentions in one box make a link. The key is the right answer; A and B are outputs. Recall is "
    "the share of the key that an output finds, precision the share of the output that is right, "
    "F1 their mean, nearer to the smaller of the two."
)
_MARKS = {True: ("✓", "holds"), False: ("✗", "fails"), None: ("–", "untold")}


# Key and outputs ----------------------------------------------------------------------------------


def sides(pitfall: Pitfall, *, asked: bool) -> str:
    """Key and outputs as boxes of mentions, side by side; one output scored twice is drawn once.

    asked  whether nothing but the question stands beside, so that there is room
    """
    case = pitfall.case
    key = [_entities(side) for side, _ in case.a.documents]
    drawn = [_side("Key", "the right answer", key, "key")]
    if pitfall.is_one_output:
        both = f"A: {pitfall.a.says}. B: {pitfall.b.says}."
        drawn.append(_side("The one output", both, _outputs(case.a), "response one"))
    else:
        drawn.append(_side("A", pitfall.a.says, _outputs(case.a), "response"))
        drawn.append(_side("B", pitfall.b.says, _outputs(case.b), "response"))
    return f'<div class="pit-sides{" asked" if asked else ""}">{"".join(drawn)}</div>'


def start(toy: Toy) -> str:
    """Key and response that an exercise begins with."""
    key = _side("Key", "the right answer", [_entities(toy.key)], "key")
    line = _entities(toy.response, spurious=toy.spurious) + _left_out(toy.missing)
    return (
        f'<div class="pit-sides">{key}{_side("Response", "at the start", [line], "response")}</div>'
    )


def _side(name: str, says: str, documents: Sequence[str], style: str) -> str:
    about = f"<small>{escaped(says)}</small>" if says else ""
    numbers = range(1, len(documents) + 1) if documents[1:] else [""]
    lines = "".join(
        f'<div class="pit-line"><small>{number}</small>{line}</div>'
        for number, line in zip(numbers, documents, strict=True)
    )
    return (
        f'<section class="pit-side {style}"><h3>{escape(name)}{about}</h3>'
        f'<div class="pit-lines">{lines}</div></section>'
    )


def _outputs(output: Scored) -> list[str]:
    """Each document's response; then what it leaves out."""
    return [
        _entities(response, spurious=toy.spurious) + _left_out(toy.missing)
        for toy, (_, response) in zip(output.toys, output.documents, strict=True)
    ]


def _entities(side: Entities, *, spurious: Sequence[str] = ()) -> str:
    return "".join(_box(entity, spurious) for entity in side)


def _box(entity: Sequence[str], spurious: Sequence[str]) -> str:
    chips = "".join(_chip(mention, mention in spurious) for mention in entity)
    spoken = f"entity {' '.join(entity)}"
    return f'<span class="pit-box" role="img" aria-label="{escape(spoken)}">{chips}</span>'


def _chip(mention: str, is_spurious: bool) -> str:
    style, tip = ("spurious", ' title="spurious: the key lacks it"') if is_spurious else ("", "")
    return f'<span class="pit-chip {style}"{tip}>{escape(mention)}</span>'


def _left_out(missing: Sequence[str]) -> str:
    if not missing:
        return ""
    chips = "".join(f'<span class="pit-chip missing">{escape(m)}</span>' for m in missing)
    return f'<span class="pit-out">left out {chips}</span>'


def tile(pitfall: Pitfall) -> str:
    """The same, tiny, for the gallery: a line each."""
    case = pitfall.case
    lines = [("key", [_entities(side) for side, _ in case.a.documents], "key")]
    outputs = [case.a] if pitfall.is_one_output else [case.a, case.b]
    for output in outputs:
        name = "A, B" if pitfall.is_one_output else output.letter
        lines.append((name, [_entities(side) for _, side in output.documents], "response"))
    rows = "".join(
        f'<div class="pit-row {style}"><span class="pit-name">{name}</span>'
        f'<span class="pit-documents">{_apart(documents)}</span></div>'
        for name, documents, style in lines
    )
    misled = listed(TITLES[metric] for metric in pitfall.misled)
    who = "all six" if pitfall.misled == SIX else misled
    return (
        f'<div class="pit-tile" role="img" aria-label="{escape(_spoken(case))}">{rows}</div>'
        f'<p class="note">misleads: {escape(who)}</p>'
    )


def _apart(documents: Sequence[str]) -> str:
    return "".join(f"<span>{document}</span>" for document in documents)


def _spoken(case: Case) -> str:
    """Key and outputs in braces."""
    key = "; ".join(notation(side) for side, _ in case.a.documents)
    a, b = ("; ".join(toy.response_notation for toy in o.toys) for o in (case.a, case.b))
    return f"Key: {key}. A: {a}. B: {b}."


# What the metrics say -----------------------------------------------------------------------------


def score_table(pitfall: Pitfall) -> str:
    """F1, recall and precision of A and B by the six, as bars and figures, and who is misled."""
    case = pitfall.case
    rows = "".join(_score_row(case, name, _titles(pitfall.more)) for name in _shown(pitfall))
    measure = MEASURES[case.measure]
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("", "says", "A", "B"))
    return (
        f'<div class="scroll"><table class="numbers pit-scores"><caption>What each metric says: '
        f"{measure} in percent, bars from 0 to 100; below it recall (R) and precision (P)</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _shown(pitfall: Pitfall) -> tuple[str, ...]:
    return (*SIX, *pitfall.beside)


def _titles(more: Sequence[Metric]) -> dict[str, str]:
    return TITLES | {metric.id: metric.title for metric in more}


def _score_row(case: Case, metric: str, titles: dict[str, str]) -> str:
    colour = COLOURS.get(metric, COLOURS["blanc" if metric.startswith("blanc") else "conll"])
    swatch = f'<span class="pit-swatch" style="background:{colour}"></span>'
    cells = "".join(_score_cell(case, output, metric, colour) for output in (case.a, case.b))
    name = title(metric) if metric in TITLES else escape(titles[metric])
    return f'<tr><th scope="row">{swatch}{name}</th>{_says(case, metric)}{cells}</tr>'


def _score_cell(case: Case, output: Scored, metric: str, colour: str) -> str:
    value = output.value(metric, case.measure)
    fill = f"background:{colour}" if output.letter == "A" else f"border:2px solid {colour}"
    bar = f'<span class="pit-bar" style="width:{100 * min(value, 1):.1f}%;{fill}"></span>'
    tip = f"{output.letter}: {MEASURES[case.measure]} {percent(value)} %"
    return (
        f'<td title="{tip}"><span class="pit-track">{bar}</span><b>{percent(value)}</b>'
        f"<small>{_ratios(case, output, metric)}</small></td>"
    )


def _ratios(case: Case, output: Scored, metric: str) -> str:
    """Recall and precision; an average has none."""
    score = (output.result.macro if case.measure == "macro" else output.result.scores).get(metric)
    if score is None or math.isnan(score.recall):
        return "no R or P"
    return f"R {percent(score.recall)} P {percent(score.precision)}"


def _says(case: Case, metric: str) -> str:
    """Which output the metric puts first, and whether that is misled."""
    first = case.first(metric)
    words = "no difference" if first == SAME else f"{first} is better"
    sign, style, misled = (
        ("✗", "fails", "misled: ") if case.misleads(metric) else ("✓", "holds", "")
    )
    return (
        f'<td class="pit-says {style}"><span class="sign" aria-hidden="true">{sign}</span>'
        f"{misled}{words}</td>"
    )


def finding(pitfall: Pitfall) -> str:
    """Which output is better in truth, by what, and which metrics do not say so."""
    case = pitfall.case
    names = _titles(pitfall.more)
    misled = [names[name] for name in _shown(pitfall) if case.misleads(name)]
    a, b = (case.criterion.count(output) for output in (case.a, case.b))
    truth = {
        A: f"A is better, with {case.criterion.title}: {a} against {b}.",
        B: f"B is better, with {case.criterion.title}: {b} against {a}.",
        SAME: f"Neither is better, with as many {case.criterion.of}: {a} and {b}.",
    }[case.better]
    return f"{truth} Misled: {listed(misled)}."


def answer(pitfall: Pitfall, chosen: str) -> str:
    """What becomes of the choice, in a few words; nothing without one."""
    if not chosen:
        return ""
    better = pitfall.case.better
    right = chosen == better
    sign, style = ("✓", "holds") if right else ("✗", "fails")
    words = "That is the honest answer" if right else f"The honest answer is {_either(better)}"
    return (
        f'<p class="pit-answer {style}"><span class="sign" aria-hidden="true">{sign}</span>'
        f"You chose {_either(chosen)}. {words}.</p>"
    )


def _either(choice: str) -> str:
    return "that neither is better" if choice == SAME else choice


# Truth, why, claims -------------------------------------------------------------------------------


def truth_table(pitfall: Pitfall) -> str:
    """The links of A and B that are right, wrong and missed, the first of them by name."""
    outputs = [pitfall.case.a, pitfall.case.b]
    rows = "".join(
        f'<tr><th scope="row">{output.letter}</th>{_link_cell(output.right)}'
        f"{_link_cell(output.wrong)}{_link_cell(output.missed)}"
        f"<td>{output.n_whole} of {output.n_key_entities}</td></tr>"
        for output in outputs
    )
    heads = "".join(
        f'<th scope="col">{head}</th>'
        for head in ("", "links right", "wrong", "missed", "entities right")
    )
    return (
        '<div class="scroll"><table class="numbers pit-truth"><caption>The truth by links'
        f"</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _link_cell(links: Sequence[Link]) -> str:
    names = [f"{one}{other}" for one, other in links[:MOST_NAMED]]
    more = [f"+{len(links) - MOST_NAMED}"] if len(links) > MOST_NAMED else []
    return f"<td><b>{len(links)}</b><small>{escape(' '.join([*names, *more]))}</small></td>"


def why(pitfall: Pitfall) -> str:
    """The arithmetic, and where the observation stands."""
    return (
        f'<p class="pit-why">{escaped(pitfall.why(pitfall.case))}</p>'
        f'<p class="note">{escaped(pitfall.source)}</p>'
    )


def claim_list(verdicts: Sequence[tuple[Claim, Verdict]]) -> str:
    """Each claim with its mark and the numbers."""
    items = "".join(_item(claim, verdict) for claim, verdict in verdicts)
    return f'<ul class="claims" aria-label="What this card claims">{items}</ul>'


def _item(claim: Claim, verdict: Verdict) -> str:
    sign, style = _MARKS[verdict.holds]
    word = "holds" if verdict.holds else "does not hold"
    return (
        f'<li class="{style}"><span class="sign" aria-hidden="true">{sign}</span><div>'
        f'<p>{escaped(claim.says)} <span class="where">{word}</span></p>'
        f'<p class="figures">{escaped(verdict.numbers)}</p></div></li>'
    )


def tally(verdicts: Sequence[tuple[Claim, Verdict]]) -> str:
    """How many claims of one or more cards hold."""
    n = sum(verdict.holds is True for _, verdict in verdicts)
    return f"{n} of {counted(len(verdicts), 'claim')} {'holds' if n == 1 else 'hold'}"
