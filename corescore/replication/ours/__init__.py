"""Ours: what no paper prints; each claim is our own. Two run on the loaded key and response."""

import pandas as pd

from corescore.analysis.decomposition import LINKING, PARTS, SINGLETONS
from corescore.analysis.long_documents import by_window, lengths
from corescore.analysis.split_antecedents import ALONE, DROPPED, SCORED, by_use, plural_table
from corescore.bibliography import MARTINELLI_2025, PAUN_2023, SHAPLEY_1953
from corescore.corpus.files import read
from corescore.counting.comparison import SIDES
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS, name_of
from corescore.replication.claims import (
    Erratum,
    PaperData,
    UntoldError,
    in_relation,
    numbers_of,
    points,
    wide,
)
from corescore.replication.experiment import Check, Setting
from corescore.scoring.scores import Result, score
from corescore.util import TOLERANCE, bundled
from corescore.wording import percent

# Where a span is listed twice, it is not told which of the two a fix or a cut is about
POINTS = "F1, points"
ALLOWED = {"repeats": ("first", "error")}


def _scored(setting: Setting) -> Result:
    return score(*setting.data, setting.policies, metrics=setting.metrics)


def _six(table: pd.DataFrame) -> list[str]:
    return [name for name in METRIC_IDS if name in {*table["metric"]}]


# What each score loses, part by part --------------------------------------------------------------


def _losses(setting: Setting) -> pd.DataFrame:
    """Rows (metric, part), "conll" among the metrics.

    Columns: metric, part and its group ("detection", "linking", "singletons"), concerned (how many
    mentions the part is about), recall, precision and f1 (what each loses to the part, fractions;
    NaN for CoNLL's recall and precision), points (what F1 loses, of 100) and whole, what F1 loses
    in all.
    """
    table = _scored(setting).decomposition.table
    table = table.rename(columns={"mentions": "concerned"})
    of_part = ["metric", "part", "group", "concerned"]
    order = [*table["metric"].unique()], [*PARTS]
    lost = table.pivot(index=of_part, columns="measure", values="loss").reset_index()
    f1 = table[table["measure"] == "f1"].assign(whole=table["best"] - table["score"])
    found = lost.merge(f1[["metric", "part", "whole"]]).set_index(["metric", "part"])
    found = found.loc[pd.MultiIndex.from_product(order, names=["metric", "part"])].reset_index()
    return found.assign(points=100 * found["f1"])[[*of_part, *MEASURES, "points", "whole"]]


def _drawn(table: pd.DataFrame) -> pd.DataFrame:
    """What the chart draws, and its columns: F1 as points."""
    shown = table[["metric", "part", "group", "concerned", "points", "recall", "precision"]]
    return shown.rename(columns={"concerned": "mentions concerned", "points": POINTS})


def _adds_up(table: pd.DataFrame) -> Check:
    of = table.groupby("metric", sort=False)
    lost, whole = of["f1"].sum(), of["whole"].first()
    return Check(bool(((lost - whole).abs() < TOLERANCE).all()), f"F1: {numbers_of(lost)}")


def _muc_has_none(table: pd.DataFrame) -> Check:
    lost = _to_singletons(table)["muc"]
    return Check(abs(lost) < TOLERANCE, f"MUC loses {points(lost)} to singletons")


def _ceafe_most(table: pd.DataFrame) -> Check:
    lost = _to_singletons(table)
    if not lost.abs().max() > TOLERANCE:
        raise UntoldError("no singleton is missing or spurious")
    return Check(bool(lost["ceafe"] > lost.drop("ceafe").max() + TOLERANCE), numbers_of(lost))


def _to_singletons(table: pd.DataFrame) -> "pd.Series[float]":
    """What each of the six loses of F1 to singletons."""
    lost = table[table["group"] == SINGLETONS].groupby("metric")["f1"].sum()
    return lost.loc[_six(table)]


def _linking_most(table: pd.DataFrame) -> Check:
    lost = wide(table, "part")[_six(table)].T
    linking, others = lost[LINKING], lost.drop(columns=LINKING)
    most = others.max(axis=1)
    each = zip(map(str, lost.index), linking, most, others.idxmax(axis=1), strict=True)
    told = (
        f"{name_of(name)} {percent(first)}, then {percent(second)} ({part})"
        for name, first, second, part in each
    )
    return Check(bool((linking > most + TOLERANCE).all()), "; ".join(told))


LOSSES = PaperData("ours", SHAPLEY_1953).experiment(
    "shapley1953-losses",
    _losses,
    {
        "adds-up": _adds_up,
        "muc-singletons": _muc_has_none,
        "ceafe-singletons": _ceafe_most,
        "linking-most": _linking_most,
    },
    of=_drawn,
    allowed=ALLOWED,
)

# The scores in windows of the texts ---------------------------------------------------------------


def _windows(setting: Setting) -> pd.DataFrame:
    """Rows (words, metric): the scores in windows of so many words, "conll" among the metrics.

    Columns: words (of a window; of the texts as they are, those of the longest), windows (how
    many), metric, recall, precision and f1 (fractions; NaN for CoNLL's recall and precision).
    """
    result = _scored(setting)
    longest = int(lengths(result.comparison).max(initial=0))
    table = by_window(result)
    return table.assign(words=table["words"].fillna(longest).astype(int))


def _sizes(table: pd.DataFrame) -> pd.DataFrame:
    """The F1 of the six, a row for each size of windows, the smallest first."""
    f1 = wide(table, "words")[_six(table)]
    if len(f1) < 2:
        raise UntoldError("no text is longer than the smallest window")
    return f1


def _falls(table: pd.DataFrame) -> Check:
    f1 = _sizes(table)[["bcub", "ceafm", "ceafe", "lea"]]
    told = (f"{name_of(name)} {', '.join(map(percent, f1[name]))}" for name in map(str, f1))
    holds = (f1.diff().iloc[1:] < -TOLERANCE).to_numpy().all()
    sizes = ", ".join(f"{size:,}" for size in f1.index)
    return Check(bool(holds), f"windows of {sizes} words: {'; '.join(told)}")


def _muc_moves_least(table: pd.DataFrame) -> Check:
    f1 = _sizes(table)
    moves = f1.max() - f1.min()
    holds, _ = in_relation(moves, "muc < bcub, ceafm, ceafe, blanc, lea")
    return Check(holds, f"highest less lowest F1: {numbers_of(moves)}")


WINDOWS = PaperData("ours", MARTINELLI_2025).experiment(
    "martinelli2025-windows",
    _windows,
    {"falls": _falls, "muc-moves-least": _muc_moves_least},
    allowed=ALLOWED,
)

# What split antecedents change --------------------------------------------------------------------

SETS, PLAIN = "names the sets", "names none"
WORTH = "worth of a set"


def _split(setting: Setting) -> pd.DataFrame:
    """Rows (response, use, metric): `by_use` of two responses to our key with split antecedents,
    "conll" among the metrics, and what a set is worth on average.

    Columns: response ("names the sets" or "names none"), use ("dropped", "scored", "alone" or
    "worth of a set"), metric, recall, precision and f1 (fractions; NaN for CoNLL's recall and
    precision). A set is worth the score of its elements, and 0 without a partner: recall is the
    mean over the key's sets, precision over the response's, F1 over the key's; in BLANC of both
    kinds of links.
    """
    folder = bundled("sample_data") / "split_antecedents"
    key, tables = read(folder / "key.conllua"), []
    for name, file in ((SETS, "sets"), (PLAIN, "plain")):
        result = score(key, read(folder / f"{file}.conllua"), metrics=setting.metrics)
        used = by_use(result).set_index("use").loc[[DROPPED, SCORED, ALONE]].reset_index()
        of_sets = [
            (WORTH, metric, recall, precision, f1)
            for metric in used["metric"].unique()
            if metric != "conll"
            for recall, precision, f1 in [_worth(result, metric)]
        ]
        worth = pd.DataFrame(of_sets, columns=used.columns)
        tables.append(pd.concat([used, worth]).assign(response=name))
    return pd.concat(tables, ignore_index=True)[["response", "use", "metric", *MEASURES]]


def _worth(result: Result, metric: str) -> tuple[float, float, float]:
    of_key, of_response = (plural_table(result, metric, side=side) for side in SIDES)
    means = of_key["recall"].mean(), of_response["precision"].mean(), of_key["f1"].mean()
    recall, precision, f1 = (0.0 if pd.isna(one) else float(one) for one in means)
    return recall, precision, f1


def _f1_of(table: pd.DataFrame, response: str, use: str) -> "pd.Series[float]":
    """The F1 of the six by metric."""
    rows = table[(table["response"] == response) & (table["use"] == use)]
    return rows.set_index("metric")["f1"].loc[_six(table)]


def _dropped_is_equal(table: pd.DataFrame) -> Check:
    sets, plain = (_f1_of(table, response, DROPPED) for response in (SETS, PLAIN))
    return Check(bool(((sets - plain).abs() < TOLERANCE).all()), numbers_of(sets))


def _scored_is_ahead(table: pd.DataFrame) -> Check:
    sets, plain = (_f1_of(table, response, SCORED) for response in (SETS, PLAIN))
    return Check(bool((sets > plain + TOLERANCE).all()), f"ahead by {numbers_of(sets - plain)}")


def _alone_is_lower(table: pd.DataFrame) -> Check:
    whole, alone = (_f1_of(table, SETS, use) for use in (SCORED, ALONE))
    numbers = f"all {numbers_of(whole)}; sets alone {numbers_of(alone)}"
    return Check(bool((alone < whole - TOLERANCE).all()), numbers)


def _blanc_least(table: pd.DataFrame) -> Check:
    worth = _f1_of(table, SETS, WORTH)
    holds, _ = in_relation(worth, "blanc < muc, bcub, ceafm, ceafe, lea")
    return Check(holds, numbers_of(worth))


SPLIT = PaperData("ours", PAUN_2023).experiment(
    "paun2023-split-antecedents",
    _split,
    {
        "dropped-equal": _dropped_is_equal,
        "scored-ahead": _scored_is_ahead,
        "alone-lower": _alone_is_lower,
        "blanc-least": _blanc_least,
    },
)

EXPERIMENTS = (LOSSES, WINDOWS, SPLIT)
ERRATA: tuple[Erratum, ...] = ()
OPEN_READINGS: tuple[Erratum, ...] = ()
