"""Sentences and titles of entities that overlap: their losses, their mentions, links and pairs."""

from collections.abc import Mapping

import pandas as pd

from corescore.analysis.errors.mentions import CORRECT, MISSING
from corescore.analysis.overlaps.table import Grid, entities_of_overlaps
from corescore.counting.comparison import Comparison
from corescore.metrics import name_of
from corescore.sentences.extremes import greatest, vanishes
from corescore.wording import counted, listed, percent

Titles = Mapping[int, str]
MINIMUM = (
    "MUC counts how many links hold an entity together, not which: those drawn are one of several "
    "spanning sets."
)

LISTED_BY_MENTION = "By mention, not by link: "


def titles(
    comparison: Comparison,
    table: pd.DataFrame,
    key: Mapping[str, Titles],
    response: Mapping[str, Titles],
) -> list[str]:
    """What to call each overlap: its first key entities, or response entities if it has none."""
    keys, responses = entities_of_overlaps(comparison)
    rows = zip(table["group"], table["document"], strict=True)
    return [
        " · ".join(key[name][n] for n in keys.get(group, ())[:3])
        or " · ".join(f"{response[name][n]} (response)" for n in responses.get(group, ())[:3])
        for group, name in rows
    ]


def grid_title(grid: Grid, key: Titles, response: Titles) -> str:
    """A heading: the document and the first entities."""
    names = [key[n] for n in grid.key_entities] or [response[n] for n in grid.response_entities]
    more = " and more" if len(names) > 2 else ""
    return f"{grid.document}: {' · '.join(names[:2])}{more}"


def losses(document: str, name: str, metric: str, table: pd.DataFrame) -> str:
    """In how many overlaps entities are split or merged, and what the worst costs.

    document  empty for all documents
    """
    where = f"In {document}" if document else "In all documents"
    if table.empty:
        return f"{where}, neither side has an entity."
    split = int((table["response_entities"] > 1).sum())
    merged = int((table["key_entities"] > 1).sum())
    worst = table.iloc[0]
    if worst["loss"] <= 0:
        return f"{where}, {name} loses nothing under {name_of(metric)}."
    n = counted(len(table), "overlap")
    return (
        f"{where}, {name} splits entities in {split} of {n} and merges some in {merged}. "
        f"{_costliest(table['loss'], name_of(metric))}: "
        f"{counted(worst['key_entities'], 'key entity')} against "
        f"{counted(worst['response_entities'], 'response entity')}, "
        f"{counted(worst['shared_mentions'], 'mention')} shared."
    )


def _costliest(loss: pd.Series, metric: str) -> str:
    """What the first overlap costs, and whether others cost as much."""
    points = f"{percent(loss.iloc[0])} points of {metric} over the corpus"
    ties = len(greatest(loss)) - 1
    if vanishes(loss.iloc[0]):
        return f"None costs as much as 0.01 points of {metric} over the corpus. The worst"
    if ties:
        return f"The worst costs {points}, as {'does' if ties == 1 else 'do'} {ties:,} more"
    return f"The {'worst' if (loss > 0).sum() > 1 else 'only one with a loss'} costs {points}"


def grid(grid: Grid) -> str:
    """What the grid of an overlap shows."""
    pairs = int(grid.aligned[0].sum())
    if not grid.shared.any():
        side = "key" if len(grid.key_entities) else "response"
        return f"Only the {side} has this entity: nothing is shared. Its mentions are listed below."
    return (
        "Mentions shared by each key entity (down) and response entity (across); sizes in "
        f"brackets. CEAFₘ aligns {counted(pairs, 'pair')} (solid outline), CEAFₑ "
        f"{counted(int(grid.aligned[1].sum()), 'pair')} (dotted)."
    )


def grid_part(part: Grid, whole: Grid) -> str:
    """Which part of a grid is shown."""
    keys, responses = len(part.key_entities), len(part.response_entities)
    return (
        f"Shown: {keys} of {len(whole.key_entities):,} key entities, the largest first, and the "
        f"{responses} of {len(whole.response_entities):,} response entities that share the most "
        f"mentions with them; {int(part.shared.sum()):,} of {int(whole.shared.sum()):,} shared "
        "mentions. Turn the pages for the rest."
    )


def listed_overlaps(listed: int, of: int) -> str:
    """How many overlaps can be selected in a box, and how to come to the others."""
    return (
        f"The box lists the worst {listed} of {of:,} overlaps. For another, select one of its "
        "mentions on Entities or Text, and come back."
    )


def links_part(first: int, end: int, n_mentions: int, n_drawn: int, n_links: int) -> str:
    """Which part of the links of an overlap is shown: those between the mentions from `first` up
    to, not including, `end`."""
    return (
        f"Shown: mentions {first + 1:,} to {end:,} of {n_mentions:,} in text order, and the "
        f"{counted(n_drawn, 'link')} between them, of {n_links:,}. Turn the pages for the rest."
    )


def links_sample(n_shown: int, size: int, side: str, number: int, n_links: int) -> str:
    """Which sample of links is drawn, in place of too many."""
    return (
        f"A sample: {n_links:,} links are too many to draw. Shown: {n_shown:,} of the "
        f"{counted(size, 'mention')} of the largest entity ({side} entity {number}), spread over "
        "the text, and the links between them."
    )


def link_weight(metric: str) -> str:
    """How much a link weighs under a metric."""
    of_n = "a link of an entity of n mentions weighs"
    weighs = {
        "muc": "MUC credits as many links as hold an entity together: each weighs 1.",
        "bcub": f"Under B³ {of_n} 2/n: each end earns 1/n by it.",
        "blanc": "Under BLANC each link weighs 1.",
        "lea": f"Under LEA {of_n} 2/(n − 1): n mentions over n(n − 1)/2 links.",
    }
    return (
        f"{weighs[metric]} Correct links count in recall and precision; missing links lower "
        "recall, wrong links precision."
    )


def links(title: str, which: str, n_mentions: int, n: Mapping[str, int]) -> str:
    """How many links of an overlap are correct, missing and wrong."""
    correct, missing, wrong = (n.get(kind, 0) for kind in (CORRECT, MISSING, "wrong"))
    who = "MUC sees" if which == "minimum" else "B³, BLANC and LEA see"
    return (
        f"Over the {counted(n_mentions, 'mention')} of “{title}”, {who} "
        f"{counted(correct + missing, 'link')} in the key, {correct:,} of them correct and "
        f"{missing:,} missing, and {counted(wrong, 'wrong link')} in the response."
    )


def pairs(counts: Mapping[str, int]) -> str:
    """The four counts of BLANC's links, and the pairs that are none of them."""
    *four, (_, twinless) = counts.items()
    signs = zip(("C", "M", "W", "·"), four, strict=True)
    told = listed(f"{number} {kind} ({sign})" for sign, (kind, number) in signs)
    return (
        f"Of {counted(sum(counts.values()), 'pair')}, {told}; {twinless} (◦) are not "
        "coreference links and have a mention that one side lacks."
    )


def pair(one: pd.Series, two: pd.Series, kind: str) -> str:
    """What one pair of mentions is, and where both sides have them."""
    where = [
        f"in the {side}, {_entities_of_two(one[f'{side}_entity'], two[f'{side}_entity'])}"
        for side in ("key", "response")
    ]
    return f"“{one['text']}” and “{two['text']}”: {kind}. {'; '.join(where).capitalize()}."


def _entities_of_two(one: int, two: int) -> str:
    if not (one and two):
        return f"{'only the first' if one else 'only the second' if two else 'neither'} is there"
    return f"both in entity {one}" if one == two else f"in entities {one} and {two}"
