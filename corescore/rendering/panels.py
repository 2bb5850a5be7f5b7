"""A passage once for each metric, its mentions shaded: plain values for credit.js.

No Streamlit here, and no arithmetic: the shares come from `corescore.analysis.explanation.mention`.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from corescore.analysis.errors.mentions import INCORRECTLY_RESOLVED, UNLINKED
from corescore.analysis.explanation.mention import Explanation
from corescore.analysis.explanation.shares import SIDE_WORDS, TWINLESS
from corescore.metrics import METRIC_IDS, colour_of, name_of
from corescore.rendering.html import Window
from corescore.scoring.scores import Scores
from corescore.sentences.names import MENTION_WORDS
from corescore.wording import counted, fraction, percent

MARKS = {INCORRECTLY_RESOLVED: "i", UNLINKED: "u"}
TWINLESS_WORDS = {"recall": ("m", "missing"), "precision": ("s", "spurious")}
HINT = (
    "Point at a mention to see what each metric gives it; click it for the arithmetic. By "
    "keyboard: Tab to the passage, arrows from mention to mention, Enter to choose."
)


def panels(
    words: Sequence[str],
    sentence_starts: Sequence[int],
    table: pd.DataFrame,
    window: Window,
    *,
    side: str,
    scores: Mapping[str, str],
    chosen: tuple[int, int] | None,
    explanations: Sequence[Explanation],
    where: str,
) -> dict[str, Any]:
    """What credit.js draws.

    table         of `share_table`: the document's mentions
    scores        by metric: the document's score, in words
    chosen        the selected mention; `explanations` and `where` are about it
    """
    inside = table[(table["start"] < window.end) & (table["end"] > window.start)]
    mentions = inside.to_dict("records")
    reasons = {explanation.metric: explanation.sentence for explanation in explanations}
    return {
        "words": _words(words, sentence_starts, mentions, window),
        "mentions": [_mention(mention, list(scores), side) for mention in mentions],
        "panels": [
            {
                "metric": metric,
                "title": name_of(metric),
                "colour": colour_of(metric),
                "score": scores[metric],
                "why": reasons.get(metric, ""),
            }
            for metric in scores
        ],
        "chosen": "-".join(map(str, chosen)) if chosen else "",
        "where": where,
        "legend": _legend(side),
        "hint": HINT,
    }


def scores_in_words(result: Scores, document: str, side: str) -> dict[str, str]:
    """The document's recall or precision under each metric."""
    at = result.documents.index(document)
    told = {}
    for metric in METRIC_IDS:
        score = result.document_scores[metric].row(at)
        value = getattr(score, side)
        parts = fraction(getattr(score, f"{side}_numerator"), getattr(score, f"{side}_denominator"))
        told[metric] = f"{side} {f'{parts} = ' if parts else ''}{percent(value)} %"
    return told


def _legend(side: str) -> list[list[str]]:
    """(status, letter, words) of the marks."""
    letter, status = TWINLESS_WORDS[side]
    other = SIDE_WORDS[side][1]
    return [
        *([kind, MARKS[kind], f"{kind}: {MENTION_WORDS[kind]}"] for kind in MARKS),
        [TWINLESS, letter, f"{status}: the {other} lacks it"],
        ["unearnable", "", "nothing to earn"],
    ]


def _mention(mention: Mapping[Any, Any], metrics: Sequence[str], side: str) -> dict[str, Any]:
    own, other = SIDE_WORDS[side]
    letter, twinless = TWINLESS_WORDS[side]
    status = mention["status"]
    where = f"{own} entity {mention['own_entity']} ({counted(mention['own_size'])})"
    if status != TWINLESS:
        where += f", {other} entity {mention['other_entity']} ({counted(mention['other_size'])})"
    shares = [None if math.isnan(mention[metric]) else mention[metric] for metric in metrics]
    told = ["nothing to earn" if s is None else f"{percent(s)} %" for s in shares]
    return {
        "span": f"{mention['start']}-{mention['end']}",
        "text": mention["text"],
        "where": where,
        "entity": mention["own_entity"],
        "status": status,
        "statusWords": twinless if status == TWINLESS else status,
        "letter": {**MARKS, TWINLESS: letter}.get(status, ""),
        "shares": shares,
        "told": told,
        "spoken": ", ".join(f"{name_of(m)} {t}" for m, t in zip(metrics, told, strict=True)),
    }


def _words(
    words: Sequence[str],
    sentence_starts: Sequence[int],
    mentions: Sequence[Mapping[Any, Any]],
    window: Window,
) -> list[list[Any]]:
    """[word, mentions opened before it, how many are closed after it, sentence that starts here].

    Mentions that cross are cut: the later one is closed with the earlier and opened again.
    """
    starting: dict[int, list[int]] = {}
    for number, mention in enumerate(mentions):
        starting.setdefault(max(mention["start"], window.start), []).append(number)
    first_of = {start: number + 1 for number, start in enumerate(sentence_starts)}
    open_now: list[int] = []
    again: list[int] = []
    found = []
    for at in range(window.start, window.end):
        opened = again + starting.get(at, [])
        open_now += opened
        ends = [min(mentions[number]["end"], window.end) == at + 1 for number in open_now]
        outermost = ends.index(True) if any(ends) else len(open_now)
        closed = open_now[outermost:]
        again = [n for n, end in zip(closed, ends[outermost:], strict=True) if not end]
        open_now = open_now[:outermost]
        found.append([words[at], opened, len(closed), first_of.get(at, 0)])
    return found
