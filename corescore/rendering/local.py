"""How much of a score is local: sentences and tables to be read."""

import pandas as pd

from corescore.analysis.credit import FIRST
from corescore.analysis.long_documents import lengths
from corescore.metrics import METRIC_IDS, SCORE_IDS, name_of
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
    "Share of the credit mentions could earn, by the words between their start and the start of "
    "the previous mention of their entity. A link counts half at each end."
)

BY_SIZE = (
    "Share of the credit mentions could earn, by the size of their entity. A link counts "
    "half at each end. MUC gives singletons nothing: its cell is empty."
)


def longest(result: Result) -> str:
    """The name of the longest text."""
    number = int(lengths(result.comparison).argmax())
    return result.comparison.key[number].name


def first_mentions(result: Result, document: str, strip: pd.DataFrame) -> list[list[int]]:
    """The span of the first key mention that starts in each window; empty without one."""
    rows = next(one for one in result.comparison.key if one.name == document).rows
    starts = rows[:, 0]
    order = starts.argsort(kind="stable")
    spans = []
    for first, end in zip(strip["start"], strip["end"], strict=True):
        place = int(starts[order].searchsorted(first))
        inside = place < len(order) and starts[order[place]] < end
        spans.append([int(n) for n in rows[order[place], :2]] if inside else [])
    return spans


def distances(table: pd.DataFrame, side: str) -> Table:
    """What mentions earn by the distance to their antecedent: one row per distance."""
    wide = _wide(table, "distance")
    links = wide[wide["distance"] != FIRST]
    metric = told_by(wide)
    sentence = f"no mention has an antecedent in the {'key' if side == 'recall' else 'response'}."
    if len(links):
        near, far = (percent(links[metric].iloc[at]) for at in (0, -1))
        nearest, farthest = links["distance"].iloc[[0, -1]]
        sentence = f"mentions {nearest} from their antecedent earn {near}% of their possible credit"
        sentence += f" under {name_of(metric)} {side}"
        sentence += f", those {farthest} away {far}%." if len(links) > 1 else "."
    return Table(wide, said=(sentence,), notes=(f"{capital(side)}, percent. {BY_DISTANCE}",))


def sizes(table: pd.DataFrame, side: str) -> Table:
    """What mentions earn by the size of their entity: one row per group of sizes."""
    wide = _wide(table, "size")
    metric = told_by(wide)
    known = wide.dropna(subset=metric)
    earned = [
        (f"mentions in entities of {size}" if size != "1" else "singletons", percent(share))
        for size, share in zip(known["size"], known[metric], strict=True)
    ]
    sentence = f"{name_of(metric)} {side} can give no mention any credit."
    if earned:
        (first, low), (last, high) = earned[0], earned[-1]
        sentence = f"{first} earn {low}% of their possible credit"
        sentence += f" under {name_of(metric)} {side}"
        sentence += f", {last} {high}%." if len(earned) > 1 else "."
    return Table(wide, said=(sentence,), notes=(f"{capital(side)}, percent. {BY_SIZE}",))


def _wide(table: pd.DataFrame, by: str) -> pd.DataFrame:
    wide = by_metric(table[table["metric"].isin(METRIC_IDS)], by, "share")
    wide.insert(1, "mentions", wide[by].map(table.groupby(by)["mentions"].first()))
    return wide[wide["mentions"] > 0]


def windows(table: pd.DataFrame, measure: str) -> Table:
    """The scores in windows of several sizes and of the whole texts: one row per size."""
    size = ["whole texts" if pd.isna(words) else f"{words:,}" for words in table["words"]]
    wide = by_metric(table.assign(size=size), "size", measure)
    n = table.groupby(size)["windows"].first()
    metric = told_by(wide)
    wide.insert(1, "windows", wide["size"].map(n))
    scores = wide.set_index("size")[metric]
    sentence = "no text is longer than the smallest window."
    if len(wide) > 1:
        size = wide["size"].iloc[0]
        local, whole = scores[size], scores["whole texts"]
        within = counted(table["words"].iloc[0], "word")
        sentence = (
            f"{name_of(metric)} {RATIOS[measure]} is {percent(local)}% within {within} "
            f"and {percent(whole)}% over whole texts ({signed(whole - local)} points)."
        )
    columns = (column("size", "words"), *wide.columns[1:])
    return Table(
        wide, columns, said=(sentence,), notes=(f"{capital(RATIOS[measure])}, percent. {CUT}",)
    )


def strip(table: pd.DataFrame, document: str) -> Table:
    """The scores of the windows of one text, in its order."""
    metrics = [name for name in table.columns if name in SCORE_IDS]
    metric = told_by(table[metrics])
    known = table.dropna(subset=metric)
    sentence = f"{document} has no window with mentions."
    if len(known):
        worst = known.iloc[int(known[metric].argmin())]
        where = f"words {worst['start']:,.0f} to {worst['end']:,.0f} of {document}"
        sentence = f"{name_of(metric)} F1 is lowest in {where}: {percent(worst[metric])}%."
    columns = ("place", "key_mentions", "response_mentions", *metrics)
    return Table(table, columns, said=(sentence,), notes=(f"F1, percent. {CUT}",))
