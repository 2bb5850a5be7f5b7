"""Sentences about the mentions of a passage, and the credit of mentions, entities and links."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from corescore.analysis.errors import classes as status
from corescore.analysis.errors.tables import BOTH_CORRECT, BOTH_WRONG, ONLY_A, ONLY_B
from corescore.analysis.explain import SIDE_WORDS
from corescore.metrics import METRICS, name_of
from corescore.sentences.scores import greatest, vanishes
from corescore.util import by_key
from corescore.wording import count, counted, listed, percent, with_key_singletons, written

# Passages -----------------------------------------------------------------------------------------


def counts(document: str, name: str, classes: Iterable[str], singletons: int) -> str:
    """What a response did with a document's mentions; their classes as in `mention_table`.

    singletons  how many of the incorrectly resolved ones are singletons in the key
    """
    n = Counter(classes)
    if not n:
        return f"Neither the key nor {name} has a mention in {document}."
    n_found = sum(n[kind] for kind in status.FOUND)
    of_key = counted(n_found + n[status.SPAN_ERROR] + n[status.MISSING], "key mention")
    rest = {
        "has {} with a span error": n[status.SPAN_ERROR],
        "misses {}": n[status.MISSING],
        "adds {}": n[status.SPURIOUS] + n[status.DUPLICATED],
    }
    others = [words.format(count(number)) for words, number in rest.items() if number]
    wrong = n[status.INCORRECTLY_RESOLVED]
    kinds = {
        with_key_singletons("with wrong partners only", wrong, singletons): wrong,
        "unlinked": n[status.UNLINKED],
    }
    faults = [f"{count(number)} {words}" for words, number in kinds.items() if number]
    of_them = f", including {listed(faults)}" if faults else ""
    tail = f"; it {listed(others)}." if others else "."
    return f"In {document}, {name} finds {count(n_found)} of {of_key}{of_them}{tail}"


def filtered(shown: int, all_: int) -> str:
    """How many mentions pass the filters."""
    if not shown:
        return f"None of {counted(all_, 'mention')} passes the filters. Clear them to see all."
    return f"The filters leave {count(shown)} of {counted(all_, 'mention')}. Clear them to see all."


def outcomes(document: str, names: tuple[str, str], statuses: Iterable[str]) -> str:
    """Which of two responses has a document's mentions correct; outcomes as in `outcome_table`."""
    n = Counter(statuses)
    of_key = counted(sum(n.values()) - n[status.SPURIOUS], "key mention")
    both, a, b, neither = (count(n[kind]) for kind in (BOTH_CORRECT, ONLY_A, ONLY_B, BOTH_WRONG))
    return (
        f"In {document}, both have {both} of {of_key} correct, only {names[0]} {a}, only "
        f"{names[1]} {b}, and neither {neither}."
    )


def given(mention: str, side: str, letters: Sequence[str]) -> str:
    """A heading for what the metrics credit a mention with, in one direction."""
    short = mention if len(mention) <= 60 else f"{mention[:58]}…"
    lacks = "" if len(letters) > 1 else f"; only {letters[0]} has it"
    return f"Share of its possible {side} credit that each metric gives “{short}”{lacks}:"


# Credit -------------------------------------------------------------------------------------------


PAIRS_ARE_NOT_ERRORS = (
    "These counts open no list: Errors lists mentions, and the error of one changes many pairs. "
    "Links shows the pairs of each overlap."
)
OF_SELECTED = "errors of the selected mention"


def incorrect_shares(
    document: str, name: str, n: int, side: str, shares: pd.Series, *, singletons: int
) -> str:
    """What each metric gives the incorrectly resolved mentions of a document, or all its mentions
    if there are none.

    n, singletons  how many these are, and how many of them are singletons in the key
    shares         by metric: the mean share of the credit these mentions could earn
    """
    known = shares.dropna()
    if known.empty:
        return f"In {document}, no {side} can be earned."
    nothing = [name_of(metric) for metric in known.index if known[metric] == 0]
    some = [f"{percent(known[m])}% ({name_of(m)})" for m in known.index if known[m] > 0]
    who = f"In {document}, {name} resolves {counted(n, 'mention') if n else 'no mention'}"
    who += f" {with_key_singletons('to wrong partners only', n, singletons)}; "
    verb = "it gets" if n == 1 else "they get" if n else "all mentions together get"
    parts = [f"nothing from {listed(nothing)}"] if nothing else []
    parts += [f"on average {listed(some)} of the {side} to be earned"] if some else []
    return f"{who}{verb} {', and '.join(parts)}."


def sentences_of(first: int, last: int, n: int) -> str:
    """Which sentences of a document are shown."""
    which = f"Sentence {first:,}" if first == last else f"Sentences {first:,} to {last:,}"
    return f"{which} of {n:,}."


def wholes(side: str, denominators: Mapping[str, float]) -> str:
    """What the shares of each metric are shares of: the denominators of a document, NaN for a
    metric that has more than one."""
    by_whole = by_key(
        (count(whole) or "several", name_of(metric)) for metric, whole in denominators.items()
    )
    named = listed(f"{whole} under {listed(names)}" for whole, names in by_whole.items())
    return (
        f"The denominator of {side} differs by metric: {named}. The same share is not the same "
        "number of points."
    )


def alone(alone: pd.DataFrame, metrics: Sequence[str]) -> str:
    """What metrics that credit more than links give to mentions that are alone on both sides;
    nothing if there are none.

    alone    of a `share_table`, the mentions whose entities have one mention on both sides
    metrics  those that credit more than links
    """
    paid = [name_of(metric) for metric in metrics if (alone[metric] > 0).any()]
    if alone.empty or not paid:
        return ""
    one = len(alone) == 1
    return (
        f"{counted(len(alone), 'mention')} {'is' if one else 'are'} alone in "
        f"{'its entity' if one else 'their entities'} on both sides, and "
        f"{'earns' if one else 'earn'} for being alone under {listed(paid)}."
    )


def not_told() -> str:
    """Which metrics do not say what they credit; nothing if all do."""
    return " ".join(metric.no_credit for metric in METRICS if not metric.credit)


def without(changes: Mapping[str, float]) -> str:
    """What taking one mention out of the response would do to F1, in thousandths of a point."""
    moves = ", ".join(
        f"{name_of(metric)} {written(100 * change, '+.3f')}" for metric, change in changes.items()
    )
    return f"Without this mention in the response, F1 over all documents would change by: {moves}."


def depth(
    document: str, metric: str, side: str, by: str, rows: pd.DataFrame, *, apart: str = ""
) -> str:
    """Where one metric loses most in a document, and what all rows add up to; `apart`: what these
    leave out."""
    if rows.empty:
        return f"{name_of(metric)} has nothing to credit in {document}. Choose another document."
    score, worst = rows["running"].iloc[-1], rows.iloc[0]
    left_out = f", {apart} left out," if apart else ""
    total = f"{name_of(metric)} {side} of {document}{left_out} is {percent(score)}%"
    if worst["lost"] <= 0:
        return f"{total}: nothing is lost."
    n = int((rows["lost"] > 0).sum())
    what = _row_named(worst, by)
    if n == 1:
        return f"{total}; the only loss, {percent(worst['lost'])} points, is at {what}."
    if vanishes(worst["lost"]):
        return f"{total}; none of {counted(n, 'loss')} is as great as 0.01 points."
    ties = len(greatest(rows["lost"])) - 1
    too = f", and just as much at {counted(ties, 'other')}" if ties else ""
    return f"{total}; the greatest loss, {percent(worst['lost'])} points, is at {what}{too}."


def _row_named(row: pd.Series, by: str) -> str:
    """What a row of a metric's table is called: an entity, a mention, or links."""
    if by == "entity":
        return f"entity {row['entity']} (“{row['title']}”)"
    if isinstance(row["mention"], str):
        return f"“{row['mention']}”"
    return f"the links between entities {row['entity']} and {row['other_entity']}"


def alignment(metric: str, aligned: pd.DataFrame) -> str:
    """How many pairs of entities a CEAF aligns, and how many alignments are as good."""
    if aligned.empty:
        return "No entity of the response shares a mention with an entity of the key."
    ties = int(aligned["tied"].sum())
    other = (
        f"{counted(ties, 'pair')} (dashed) could be exchanged for other pairs at the same score."
        if ties
        else "No other alignment is as good."
    )
    return f"{name_of(metric)} aligns {counted(len(aligned), 'pair')} of entities. {other}"


def alignment_part(drawn: int, aligned: pd.DataFrame) -> str:
    """Which pairs of an alignment are drawn, and how many are left out; nothing if all are."""
    if len(aligned) <= drawn:
        return ""
    imperfect, left = int((~aligned["perfect"]).sum()), len(aligned) - drawn
    out = max(imperfect - drawn, 0)
    rest = f", {out:,} of them imperfect" if out else ", all of them perfect"
    return (
        f"Drawn: {drawn} pairs, first those whose entities differ ({imperfect:,} in all), the most "
        f"similar first. Left out: {left:,}{rest}. The table lists all."
    )


def between_entities(entities: tuple[int, int], titles: Mapping[int, str]) -> str:
    """Whose links: two entities, by their numbers and titles."""
    return f"between {listed(f'entity {n} (“{titles[n]}”)' for n in entities)}"


def non_coreference(whose: str, side: str, links: pd.DataFrame, *, most: int) -> str:
    """How many of some non-coreference links are correct, what the others cost, and how many
    are listed, at most `most`."""
    own, other = SIDE_WORDS[side]
    if links.empty:
        return f"The {own} has no non-coreference link {whose}."
    correct, n = int(links["credit"].sum()), len(links)
    has = (
        f"Of {counted(n, 'non-coreference link')} {whose} in the {own}, the {other} has {correct:,}"
    )
    cost = percent(links["lost"].sum())
    others = "the other one costs" if n - correct == 1 else f"the other {n - correct:,} cost"
    sentence = f"{has}; {others} {cost} points of {side}." if correct < n else f"{has}."
    return f"{sentence} The first {most:,} of {n:,} are listed." if n > most else sentence
