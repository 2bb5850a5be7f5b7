"""How much of a score is local: sentences and tables to be read."""

import pandas as pd

from corescore.analysis.long_documents import FIRST, lengths
from corescore.metrics import METRIC_IDS, name_of
from corescore.rendering.columns import column
from corescore.rendering.decomposition import by_metric, told_by
from corescore.rendering.text import Table
from corescore.scoring.scores import Result
from corescore.wording import RATIOS, capital, counted, percent, signed

CUT = (
    "Both texts are cut alike, so links between windows count on neither side. A metric that "
    "counts singletons or mentions may rise as entities are cut."
)
BY_DISTANCE = (
    "Share of the credit mentions could earn, by the words between their start and that of the "
    "mention before them in their entity; a link counts half at each end."
)


def longest(result: Result) -> str:
    """The name of the longest text."""
    at = int(lengths(result.comparison).argmax())
    return result.comparison.key[at].name


def first_mentions(result: Result, document: str, strip: pd.DataFrame) -> list[list[int]]:
    """The span of the first key mention that starts in each window; empty without one."""
    rows = next(one for one in result.comparison.key if one.name == document).rows
    starts = rows[:, 0]
    order = starts.argsort(kind="stable")
    found = []
    for first, end in zip(strip["start"], strip["end"], strict=True):
        at = int(starts[order].searchsorted(first))
        inside = at < len(order) and starts[order[at]] < end
        found.append([int(n) for n in rows[order[at], :2]] if inside else [])
    return found


def distances(table: pd.DataFrame, side: str) -> Table:
    """What mentions earn by the distance to their antecedent: one row per distance."""
    wide = by_metric(table[table["metric"].isin(METRIC_IDS)], "distance", "share")
    wide.insert(1, "mentions", wide["distance"].map(table.groupby("distance")["mentions"].first()))
    wide = wide[wide["mentions"] > 0]
    links = wide[wide["distance"] != FIRST]
    metric = told_by(wide)
    said = f"no mention has an antecedent in the {'key' if side == 'recall' else 'response'}."
    if len(links):
        near, far = (percent(links[metric].iloc[at]) for at in (0, -1))
        nearest, farthest = links["distance"].iloc[[0, -1]]
        gives = f"{name_of(metric)} {side} gives {near}% {nearest} of their antecedent"
        said = f"of the credit mentions could earn, {gives}"
        said += f" and {far}% {farthest}." if len(links) > 1 else "."
    return Table(wide, said=(said,), notes=(f"{capital(side)}, percent. {BY_DISTANCE}",))


def windows(table: pd.DataFrame, measure: str) -> Table:
    """The scores in windows of several sizes and of the whole texts: one row per size."""
    size = ["whole texts" if pd.isna(words) else f"{words:,}" for words in table["words"]]
    wide = by_metric(table.assign(size=size), "size", measure)
    n = table.groupby(size)["windows"].first()
    metric = told_by(wide)
    wide.insert(1, "windows", wide["size"].map(n))
    scores = wide.set_index("size")[metric]
    said = "no text is longer than the smallest window."
    if len(wide) > 1:
        size = wide["size"].iloc[0]
        local, whole = scores[size], scores["whole texts"]
        within = counted(table["words"].iloc[0], "word")
        said = (
            f"{name_of(metric)} {RATIOS[measure]} is {percent(local)}% within {within} "
            f"and {percent(whole)}% over whole texts ({signed(whole - local)} points)."
        )
    columns = (column("size", "words"), *wide.columns[1:])
    return Table(
        wide, columns, said=(said,), notes=(f"{capital(RATIOS[measure])}, percent. {CUT}",)
    )


def strip(table: pd.DataFrame, document: str) -> Table:
    """The scores of the windows of one text, in its order."""
    metrics = [name for name in table.columns if name in {*METRIC_IDS, "conll"}]
    metric = told_by(table[metrics])
    known = table.dropna(subset=metric)
    said = f"{document} has no window with mentions."
    if len(known):
        worst = known.iloc[int(known[metric].argmin())]
        where = f"words {worst['start']:,.0f} to {worst['end']:,.0f} of {document}"
        said = f"{name_of(metric)} F1 is lowest in {where}: {percent(worst[metric])}%."
    columns = ("place", "key_mentions", "response_mentions", *metrics)
    return Table(table, columns, said=(said,), notes=(f"F1, percent. {CUT}",))
