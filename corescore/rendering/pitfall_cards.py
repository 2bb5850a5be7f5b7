"""Pitfalls → escaped HTML and computed sentences. No Streamlit here, and no arithmetic."""

import re
from collections.abc import Sequence
from html import escape

from markupsafe import Markup

from corescore.plots.charts import colour
from corescore.plots.pitfall_charts import Row, column, ratios, says, title_of
from corescore.replication.experiment import Check
from corescore.sentences.markup import escaped
from corescore.sentences.names import SIX, TITLES
from corescore.teaching.pitfalls.pitfall import MEASURES, SAME, A, B, Case, Claim, Pitfall, Scored
from corescore.teaching.pitfalls.tables import score_comparison
from corescore.teaching.toy.links import Link
from corescore.teaching.toy.toy import Entities, Toy, notation
from corescore.wording import counted, listed, percent

MOST_NAMED = 6
WORDS = (
    "A letter is a mention; a box is an entity: mentions that are said to mean the same. Two "
    "mentions in one box make a link. The key is the right answer, A and B are two "
    "responses. Recall is the share of the key that an output finds, precision the share of the "
    "output that is right; F1 is their harmonic mean, which is nearer to the smaller of the two."
)
_TOGETHER = re.compile(r"(?<=\b[AB]) (?=\d)| (?=[=%])|(?<==) ")  # no line ends there
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
        f'<div class="pit-line"><small>{number}</small><div class="pit-boxes">{line}</div></div>'
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
        f'<p class="note">about {escape(who)}</p>'
    )


def _apart(documents: Sequence[str]) -> str:
    """Each with its number, if there are several."""
    if len(documents) == 1:
        return documents[0]
    numbered = enumerate(documents, 1)
    return "".join(
        f'<span class="pit-document"><small>{number}</small>{text}</span>'
        for number, text in numbered
    )


def _spoken(case: Case) -> str:
    """Key and outputs in braces."""
    key = "; ".join(notation(side) for side, _ in case.a.documents)
    a, b = ("; ".join(toy.response_notation for toy in o.toys) for o in (case.a, case.b))
    return f"Key: {key}. A: {a}. B: {b}."


# What the metrics say -----------------------------------------------------------------------------


def score_table(pitfall: Pitfall) -> str:
    """F1, recall and precision of A and B by the six, as bars and figures, and who is misled."""
    rows = score_comparison(pitfall).to_dict("records")
    both = zip(rows[::2], rows[1::2], strict=True)
    body = "".join(_score_row(a, b, pitfall.measure) for a, b in both)
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("", "verdict", A, B))
    return (
        '<div class="scroll"><table class="numbers pit-scores"><caption>What each metric says: '
        f"{MEASURES[pitfall.measure]} in percent, as bars from 0 to 100, with recall (R) and "
        f"precision (P)</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _score_row(a: Row, b: Row, measure: str) -> str:
    """What a metric says, then its scores of A and B."""
    swatch = f'<span class="pit-swatch" style="background:{colour(a["metric"])}"></span>'
    cells = _verdict(a) + _score_cell(a, measure) + _score_cell(b, measure)
    return f'<tr><th scope="row">{swatch}{title_of(a)}</th>{cells}</tr>'


def _verdict(row: Row) -> str:
    sign, style, misled = ("✗", "fails", "misled: ") if row["misled"] else ("✓", "holds", "")
    return (
        f'<td class="pit-says {style}"><span class="sign" aria-hidden="true">{sign}</span>'
        f"{misled}{says(row['puts_first'])}</td>"
    )


def _score_cell(row: Row, measure: str) -> str:
    value, own = row[column(measure)], colour(row["metric"])
    fill = f"background:{own}" if row["output"] == A else f"border:2px solid {own}"
    bar = f'<span class="pit-bar" style="width:{100 * min(value, 1):.1f}%;{fill}"></span>'
    told = "".join(f"<span>{ratio}</span>" for ratio in ratios(row, measure))
    return (
        f'<td title="{row["output"]}: {MEASURES[measure]} {percent(value)} %">'
        f'<span class="pit-track">{bar}</span><b>{percent(value)}</b>'
        f"<small>{told or 'no R or P'}</small></td>"
    )


def finding(pitfall: Pitfall) -> str:
    """Which output is better in truth, by what, and which metrics do not say so."""
    case = pitfall.case
    a, b = (case.criterion.count(output) for output in (case.a, case.b))
    truth = {
        A: f"A is better, with {case.criterion.title}: {a} against {b}.",
        B: f"B is better, with {case.criterion.title}: {b} against {a}.",
        SAME: f"Neither is better: each has {a} {case.criterion.of}.",
    }[case.better]
    return f"{truth} {_misled(pitfall)}"


def _misled(pitfall: Pitfall) -> str:
    names = TITLES | {"conll": "the CoNLL average"} | {m.id: m.title for m in pitfall.more}
    misled = tuple(name for name in pitfall.shown if pitfall.case.misleads(name))
    who = "All six metrics" if misled == SIX else listed(names[name] for name in misled)
    return f"{who} {'is' if len(misled) == 1 else 'are'} misled."


def answer(pitfall: Pitfall, chosen: str) -> Markup:
    """What becomes of the choice, in a few words; nothing without one."""
    return Markup(_answer(pitfall, chosen))


def _answer(pitfall: Pitfall, chosen: str) -> str:
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


def truth_rows(pitfall: Pitfall) -> Markup:
    """The links of A and B that are right, wrong and missed, the first of them by name."""
    return Markup(_truth_rows(pitfall))


def _truth_rows(pitfall: Pitfall) -> str:
    rows = "".join(
        f'<tr><th scope="row">{output.letter}</th>{_link_cell(output.right)}'
        f"{_link_cell(output.wrong)}{_link_cell(output.missed)}"
        f"<td>{output.n_whole} of {output.n_key_entities}</td></tr>"
        for output in (pitfall.case.a, pitfall.case.b)
    )
    heads = "".join(
        f'<th scope="col">{head}</th>'
        for head in ("", "links right", "wrong", "missed", "entities right")
    )
    return (
        '<div class="scroll"><table class="numbers pit-truth"><caption>The truth, counted without '
        f"a metric</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _link_cell(links: Sequence[Link]) -> str:
    """How many, and which: all of a few, else the first and how many more."""
    named = links if len(links) <= MOST_NAMED else links[: MOST_NAMED - 1]
    names = [f"{one}{other}" for one, other in named]
    more = [f"+{len(links) - len(named)}"] if len(named) < len(links) else []
    return f"<td><b>{len(links)}</b><small>{escape(' '.join([*names, *more]))}</small></td>"


def why(pitfall: Pitfall) -> Markup:
    """The arithmetic, and where the observation stands."""
    return Markup(_why(pitfall))


def _why(pitfall: Pitfall) -> str:
    told = _TOGETHER.sub("\u00a0", pitfall.why(pitfall.case))
    return f'<p class="pit-why">{escaped(told)}</p><p class="note">{escaped(pitfall.source)}</p>'


def claim_list(checks: Sequence[tuple[Claim, Check]]) -> str:
    """Each claim with its mark and the numbers."""
    items = "".join(_item(claim, check) for claim, check in checks)
    return f'<ul class="claims" aria-label="What this card claims">{items}</ul>'


def _item(claim: Claim, check: Check) -> str:
    sign, style = _MARKS[check.holds]
    word = "holds" if check.holds else "does not hold"
    return (
        f'<li class="{style}"><span class="sign" aria-hidden="true">{sign}</span><div>'
        f'<p>{escaped(claim.says)} <span class="where">{word}</span></p>'
        f'<p class="figures">{escaped(check.numbers)}</p></div></li>'
    )


def tally(checks: Sequence[tuple[Claim, Check]]) -> str:
    """How many claims of one or more cards hold."""
    n = sum(check.holds is True for _, check in checks)
    return f"{n} of {counted(len(checks), 'claim')} {'holds' if n == 1 else 'hold'}"
