"""Names of the kinds of errors, and sentences about them."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from corescore.analysis.error_table.facets import Confusion
from corescore.analysis.error_table.notes import BETWEEN_TAGS, Agreement, Note
from corescore.analysis.error_table.query import NONE
from corescore.analysis.errors.classes import CORRECT, MISSING, SPAN_ERROR, Incorrect
from corescore.analysis.errors.operations import (
    CONFLATED_ENTITIES,
    DIVIDED_ENTITY,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    MISSING_ENTITY,
    MISSING_MENTION,
    WRONG_SPLIT_ANTECEDENT,
)
from corescore.analysis.errors.overlaps import Grid, entities_of_overlaps
from corescore.bibliography import MOOSAVI_2016
from corescore.counting.comparison import Comparison
from corescore.metrics import HOW_MANY, METRIC_IDS, name_of
from corescore.scoring.tables import opposite_changes
from corescore.sentences.scores import greatest, least, named, vanishes
from corescore.util import PLACES, TOLERANCE, FloatArray
from corescore.wording import (
    RATIOS,
    count,
    counted,
    incorrectly_resolved,
    listed,
    percent,
    share,
    signed,
    written,
)

# Each kind: its name in the plural, and what it is.
WORDS = {
    SPAN_ERROR: ("span errors", "a mention whose text differs from the key"),
    CONFLATED_ENTITIES: ("conflated entities", "parts of two key entities in one"),
    EXTRA_MENTION: ("extra mentions", "in an entity that is otherwise in the key"),
    EXTRA_ENTITY: ("extra entities", "no mention of it is in the key"),
    MISSING_MENTION: ("missing mentions", "of an entity found in part"),
    MISSING_ENTITY: ("missing entities", "no mention of it was found"),
    DIVIDED_ENTITY: ("divided entities", "a key entity in several parts"),
    WRONG_SPLIT_ANTECEDENT: (
        "wrong split antecedents",
        "a plural whose split antecedents differ from the key, in no gain",
    ),
}

NAMES = {kind: words[0] for kind, words in WORDS.items()}

KINDS_ARE = (
    "Kinds are named as by Kummerfeld and Klein (2013): a divided entity is split by the response, "
    "conflated entities are merged, and extra mentions and entities are spurious. Wrong split "
    "antecedents are an addition of ours."
)

NO_KIND = "none of its own"

ERRORS_AND_MENTIONS = (
    "The upper number counts errors, each corrected by one operation. A mention can need several. "
    "The lower number counts the mentions with these errors, without correct mentions that are "
    f"only moved with others. A mention whose kind is “{NO_KIND}” is resolved by other fixes."
)

REPEATED = (
    "Error types require each mention to be in one entity. In the sidebar, "
    "under “How it is scored”, choose to count the first entity of a mention that is listed twice."
)


def with_errors(n_mentions: int, n_moved: int = 0) -> str:
    """9 mentions with errors, and 2 correct mentions that fixes only move."""
    mentions = f"{counted(n_mentions)} with errors"
    return f"{mentions}, and {_moved(n_moved)}" if n_moved else mentions


def _moved(n: int) -> str:
    return f"{counted(n, 'correct mention')} that fixes only move"


def how_many(name: str, n_errors: int, n_mentions: int) -> str:
    """How many errors a system makes, and how many mentions have any."""
    return f"In all, {name} makes {counted(n_errors, 'error')} and has {with_errors(n_mentions)}."


def largest_gain(name: str, gains: pd.DataFrame) -> str:
    """Which kind of error is most worth fixing, and by which metrics; gains as in `gain_table`."""
    if not gains.iloc[-1].abs().max():
        return f"Fixing the errors of {name} would change no score."
    kinds, points = _best(gains)
    if points <= 0 or vanishes(points):
        return f"Fixing one kind of error of {name} alone would gain no CoNLL points."
    most = f"would help {name} most"
    if len(kinds) > 1:
        return f"Fixing {_either(kinds)} alone {most}: {signed(points)} CoNLL points each."
    helps = f"Fixing {NAMES[kinds[0]]} alone {most}: {signed(points)} CoNLL points."
    return f"{helps} {_of_six(gains.T[kinds[0]][list(METRIC_IDS)])}"


def _of_six(gain: pd.Series) -> str:
    """Which of the six gain most and least."""
    most, fewest = greatest(gain, signed), least(gain, signed)
    if most == fewest:
        return f"Each of the {HOW_MANY} gains as much: {signed(gain.iloc[0])}."
    return (
        f"{listed(map(name_of, most))} {'gains' if len(most) == 1 else 'gain'} most from it "
        f"({signed(gain.max())}), {listed(map(name_of, fewest))} least ({signed(gain.min())})."
    )


def largest_gain_of_other(name: str, first: pd.DataFrame, gains: pd.DataFrame) -> str:
    """The same of another response, in short; `first` are the gains of the one named before."""
    if not gains.iloc[-1].abs().max():
        return f"For {name}, fixing errors would change no score."
    kinds, points = _best(gains)
    if points <= 0 or vanishes(points):
        return f"For {name}, fixing one kind alone would gain no CoNLL points."
    too = ", too," if kinds == _best(first)[0] else ""
    each = " each" if len(kinds) > 1 else ""
    return f"For {name}{too} it is {_either(kinds)} ({signed(points)}{each})."


def _best(gains: pd.DataFrame) -> tuple[list[str], float]:
    """The kinds whose fixing gains most, and how much."""
    of_kinds = gains["conll"].iloc[:-1]
    return greatest(of_kinds, signed), float(of_kinds.max())


def _either(kinds: Sequence[str]) -> str:
    *others, last = (NAMES[kind] for kind in kinds)
    return f"{', '.join(others)} or {last}" if others else last


# By the values of `incorrect`: which mentions.
READINGS = {
    "all": "all incorrectly resolved mentions",
    "linked": "only incorrectly resolved mentions that have a link in the key",
}


def other_reading(incorrect: Incorrect, table: pd.DataFrame, other: pd.DataFrame) -> str:
    """Which scores change in the opposite direction under the other reading of incorrectly
    resolved, and why; nothing if none does.

    incorrect  the reading of `table`
    table      of `change_table`; `other` is that of the other reading
    """
    opposite = opposite_changes(table, other)
    if not opposite:
        return ""
    (of_other,) = READINGS.keys() - {incorrect}
    changes = [
        f"{name_of(metric)} {RATIOS[measure]} {signed(after)} instead of {signed(before)}"
        for metric, measure in opposite
        for before, after in [(float(t[f"{measure}_change"][metric]) for t in (table, other))]
    ]
    return (
        f"With {READINGS[of_other]}, these changes have the opposite sign: {listed(changes)}. The "
        "two readings differ in singletons of the key: without a link there, no partner can be "
        f"correct. The key of {MOOSAVI_2016.name}, who call such mentions coreferent, has none."
    )


def removal(name: str, number: int, singletons: int, table: pd.DataFrame) -> str:
    """What removing the incorrectly resolved mentions does; a table as of `removal_table`.

    singletons  how many of them are singletons in the key
    """
    if not number:
        return f"{name} has no incorrectly resolved mention to remove."
    change = table.loc[list(METRIC_IDS), "recall_change"].round(PLACES)
    lost = change[change < 0].sort_values()
    kept = [name_of(metric) for metric in METRIC_IDS if metric not in lost.index]
    falls = listed(f"{name_of(metric)} {signed(lost[metric])}" for metric in lost.index)
    was = incorrectly_resolved(number, singletons)
    if lost.empty:
        return f"Without its {was}, {name} loses no recall under any metric."
    return (
        f"Without its {was}, {name} keeps its recall under "
        f"{listed(kept)}, but loses some under the others: {falls}."
    )


def weakest_slice(name: str, side: str, credit: pd.DataFrame) -> str:
    """Which slice earns the least of its credit under LEA; a table as of `slice_credit`."""
    shares = credit["lea"].dropna()
    if len(shares) < 2:
        return f"{name} has fewer than two slices to compare."
    if np.ptp(shares) < 0.01:  # one point
        return (
            f"Of the {side} to be earned, LEA gives {name} about {percent(shares.min())}% for "
            "each slice."
        )
    worst, best = least(shares), greatest(shares)
    low, high = (named([f"“{slice_}”" for slice_ in names]) for names in (worst, best))
    return (
        f"Of the {side} to be earned, LEA gives {name} least for {low} "
        f"({percent(shares.min())}%) and most for {high} ({percent(shares.max())}%)."
    )


# Sentences about a list of errors and what fixing each of them gains ------------------------------


def nothing_listed(n_all: int, n_moved: int) -> str:
    """What an empty list says.

    n_all    all mentions with errors, found or not
    n_moved  the correct ones that are found and not listed
    """
    if n_moved:
        return f"Not listed: {_moved(n_moved)}. Switch them on above."
    if not n_all:
        return "There is nothing to list."
    return (
        "No mention with an error matches. Remove a term from the search, or clear a selection on "
        "the left."
    )


def not_here(row: str, name: str) -> str:
    """What to say where a link's row is not among a system's errors."""
    return (
        f"{name} has no error “{row}”: the link may have been copied with other files, another "
        f"system or other policies."
    )


def found(
    name: str,
    n_all: int,
    n_found: int,
    metric: str,
    gains: FloatArray,
    *,
    n_moved: int = 0,
    are_listed: bool = False,
) -> str:
    """How many of a system's mentions with errors a query finds, and how much fixing them one at a
    time gains.

    n_all, n_found  the mentions with errors: all, and those that are found
    gains       (fixes,) points of the metric's F1 that each listed fix alone gains; NaN if it is
                not known
    n_moved     how many correct mentions that a fix only moves are found besides
    are_listed  whether the list has them
    """
    if not n_all and not n_moved:
        return f"{name} has no errors."
    all_ = with_errors(n_all)
    if n_found == n_all:
        which = f"{name} has {all_ if n_all else 'no mention with an error'}"
    elif not n_found:
        which = f"None of the {all_} of {name} matches"
    else:
        verb = "matches" if n_found == 1 else "match"
        which = f"{count(n_found)} of the {all_} of {name} {verb}"
    if n_moved:
        which += f", and {_moved(n_moved)}" if are_listed else f"; not listed: {_moved(n_moved)}"
    is_listed = n_found or (n_moved and are_listed)
    return f"{which}. {_gain(name_of(metric), gains)}" if is_listed else f"{which}."


def _gain(metric: str, gains: FloatArray) -> str:
    known = gains[~np.isnan(gains)]
    if not len(gains):
        return "Fixing the mentions around them resolves them."
    if not len(known):
        whose = "its fix gains" if len(gains) == 1 else "their fixes gain"
        return f"It is not known how much {whose} under {metric}."
    most = float(known.max())
    n = int((known > 0).sum())
    if n == 0:
        which = "it" if len(gains) == 1 else "any one of them"
        return f"Fixing {which} alone gains nothing under {metric}."
    best = f"{points(most).removeprefix('+')} points of {metric}"
    if len(gains) == 1:
        return f"The fix alone gains {best}."
    return (
        f"A single fix gains at most {best}; {'all' if n == len(gains) else count(n)} of the "
        f"{counted(len(gains), 'fix')} {'gains' if n == 1 else 'gain'} something."
    )


def points(gain: float) -> str:
    """A gain in points with two decimals, or with one digit that is not 0: +0.09, −0.40, +0.0003,
    0.00; "–" if there is none."""
    size = abs(gain)
    if not size > TOLERANCE:
        return written(size)
    return written(gain, f"+.{2 if size >= 0.005 else -math.floor(math.log10(size))}f")


# Sentences about notes on errors, and how far two annotators agree --------------------------------


def seen(n_seen: int, n_tagged: int, n_all: int) -> str:
    """How many of a system's mentions with errors have been seen and tagged."""
    if not n_seen:
        return "No mention has a note yet. Select one, and tag it or write about it."
    tagged = f"{n_tagged:,} of them tagged" if n_tagged else "none of them tagged"
    return f"{n_seen:,} of {with_errors(n_all)} seen, {tagged}."


def changed_meanwhile(theirs: Note | None, new: Note | None) -> str:
    """Someone else changed a note while its boxes were open.

    theirs  their note; None if they removed it
    new     the note that is saved now; None if it is removed
    """
    if theirs is None:
        return "Someone else removed this note in the meantime. Your change is saved."
    tags = f"tags “{BETWEEN_TAGS.join(theirs.tags)}”" if theirs.tags else "no tags"
    text = f"text “{theirs.text}”" if theirs.text else "no text"
    opening = f"Someone else changed this note in the meantime ({tags}, {text})."
    if new is None:
        return f"{opening} It is removed now."
    if new.text != theirs.text:
        return f"{opening} Your text replaces theirs. The tags of both are kept."
    return f"{opening} Both changes are kept."


def agreement(measured: Agreement, other: str) -> str:
    """How two annotators agree; `other` is what the second one's file is called."""
    if not measured.rows:
        return f"No mention has been seen both here and in {other}: there is nothing to compare."
    alone = f"{measured.only_first:,} more only here, {measured.only_second:,} only in {other}"
    opening = f"{counted(measured.rows)} with errors seen both here and in {other} ({alone})."
    if measured.kappa != measured.kappa:
        return f"{opening} Both give every mention the same tags: Cohen’s κ is not defined."
    return f"{opening} Cohen’s κ of the sets of tags is {written(measured.kappa)}."


def agreement_rows(measured: Agreement) -> list[Sequence[str]]:
    """One row per tag: how many mentions each tags with it, how often they agree, and κ."""
    table = measured.table
    return [
        (
            str(tag),
            *(f"{n:,}" for n in counts),
            share(agreed) if agreed == agreed else "–",
            written(kappa),
        )
        for tag, *counts, agreed, kappa in table.itertuples(index=False, name=None)
    ]


def imported(n: int, n_replaced: int) -> str:
    """What importing a file of notes did."""
    replaced = f"; {counted(n_replaced, 'note')} of yours replaced" if n_replaced else ""
    return f"{counted(n, 'note')} imported{replaced}."


# Sentences about confusion tables -----------------------------------------------------------------

HOW_TO_READ = (
    "Each number counts mentions: click it to list them. Below it: the points gained by fixing "
    "each of them alone, summed."
)


def antecedents(confusion: Confusion) -> str:
    """Which antecedent is given most often instead of which."""
    cells = {
        f"{_quoted(cell.row, 'no antecedent')} instead of {_quoted(cell.column, 'none')}": cell.n
        for cell in confusion.cells()
        if cell.n and (cell.row, cell.column) != (NONE, NONE)
    }
    return _most(cells, "No mention has a wrong antecedent or is missing one.", "other confusion")


def types_by_kind(confusion: Confusion) -> str:
    """Which type of mention has which kind of error most often."""
    cells = {
        f"“{cell.row}” with “{cell.column}”": cell.n
        for cell in confusion.cells()
        if cell.n and cell.column != NONE
    }
    return _most(cells, "No mention has an error of a kind.", "other pair")


def _most(cells: Mapping[str, float], nothing: str, noun: str) -> str:
    most = greatest(cells, count)
    if not most:
        return nothing
    each = " each" if len(most) > 1 else ""
    return f"Most frequent: {named(most, noun)} ({counted(cells[most[0]])}{each})."


def _quoted(type_: str, none: str) -> str:
    return none if type_ == NONE else f"“{type_}”"


# Sentences and titles of entities that overlap: their losses, their mentions, links and pairs -----

Titles = Mapping[int, str]

MINIMUM = (
    "MUC counts how many links connect an entity, not which ones: the links drawn are one "
    "possible spanning tree."
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
    """How many entities are split or merged, and what the worst overlap costs.

    document  empty for all documents
    """
    where = f"In {document}" if document else "In all documents"
    if table.empty:
        return f"{where}, neither side has an entity."
    worst, n = table.iloc[0], table[["key_entities", "split", "response_entities", "merged"]].sum()
    if worst["loss"] <= 0:
        return f"{where}, {name} loses nothing under {name_of(metric)}."
    sentence = (
        f"{where}, {name} splits {count(n['split'])} of "
        f"{counted(n['key_entities'], 'key entity')}, and {count(n['merged'])} of its "
        f"{counted(n['response_entities'], 'entity')} {'has' if n['merged'] == 1 else 'have'} "
        "mentions of several."
    )
    if math.isnan(worst["loss"]):
        return sentence
    return (
        f"{sentence} {_costliest(table['loss'], name_of(metric))}: "
        f"{counted(worst['key_entities'], 'key entity')} against "
        f"{counted(worst['response_entities'], 'response entity')}, "
        f"{counted(worst['shared_mentions'], 'mention')} shared."
    )


def _costliest(loss: pd.Series, metric: str) -> str:
    """What the first overlap costs, and whether others cost as much."""
    points = f"{percent(loss.iloc[0])} points of {metric} F1 over the corpus"
    ties = len(greatest(loss)) - 1
    if vanishes(loss.iloc[0]):
        return f"None costs more than 0.01 points of {metric} F1 over the corpus. The worst"
    if ties:
        return f"The worst costs {points}, as {'does' if ties == 1 else 'do'} {ties:,} more"
    return f"The {'worst' if (loss > 0).sum() > 1 else 'only one with a loss'} costs {points}"


def grid(grid: Grid) -> str:
    """What the grid of an overlap shows."""
    if not grid.shared.any():
        side = "key" if len(grid.key_entities) else "response"
        return f"Only the {side} has this entity: nothing is shared. Its mentions are listed below."
    return (
        "Mentions shared by each key entity (down) and response entity (across), with sizes in "
        f"brackets. CEAFₘ aligns {counted(int(grid.aligned[0].sum()), 'pair')} (solid outline), "
        f"CEAFₑ {counted(int(grid.aligned[1].sum()), 'pair')} (dotted)."
    )


def grid_part(part: Grid, whole: Grid) -> str:
    """Which part of a grid is shown."""
    keys, responses = len(part.key_entities), len(part.response_entities)
    return (
        f"Shown: {keys} of {len(whole.key_entities):,} key entities, the largest first, and the "
        f"{responses} of {len(whole.response_entities):,} response entities that share the most "
        f"mentions with them; {int(part.shared.sum()):,} of {int(whole.shared.sum()):,} shared "
        "mentions. Page forward for the rest."
    )


def listed_overlaps(listed: int, total: int) -> str:
    """How many overlaps can be selected in a box, and how to come to the others."""
    return (
        f"The box lists the worst {listed} of {total:,} overlaps. To see another, select one of "
        f"its mentions on Entities or Text and return here."
    )


def links_part(first: int, end: int, n_mentions: int, n_drawn: int, n_links: int) -> str:
    """Which part of the links of an overlap is shown: those between the mentions from `first` up
    to, not including, `end`."""
    return (
        f"Shown: mentions {first + 1:,} to {end:,} of {n_mentions:,} in text order, and the "
        f"{counted(n_drawn, 'link')} between them, of {n_links:,}. Page forward for the rest."
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
        "muc": "MUC credits as many links as are needed to connect an entity, each with weight 1.",
        "bcub": f"Under B³ {of_n} 2/n: each end earns 1/n by it.",
        "blanc": "Under BLANC each link weighs 1.",
        "lea": f"Under LEA {of_n} 2/(n − 1): n mentions over n(n − 1)/2 links.",
    }
    return (
        f"{weighs[metric]} Correct links count in recall and precision. Missing links lower "
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
    kinds = listed(f"{number} {kind} ({sign})" for sign, (kind, number) in signs)
    return (
        f"Of {counted(sum(counts.values()), 'pair')}, {kinds}; {twinless} (◦) are not coreference "
        f"links and have a mention that only the key or the response has."
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
