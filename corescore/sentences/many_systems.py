"""Sentences about many systems: who is first, how sure that is, where metrics disagree."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from string import ascii_lowercase

import pandas as pd

from corescore.analysis.systems.groups import Groups
from corescore.analysis.systems.ranking import Ranking
from corescore.metrics import METRIC_IDS
from corescore.sentences.extremes import greatest, least
from corescore.sentences.names import called
from corescore.wording import (
    RATIOS,
    capital,
    count,
    counted,
    listed,
    ordinal,
    out_of,
    share,
    written,
)


def first(table: pd.DataFrame, ranking: Ranking, metric: str) -> str:
    """Who is first by how many of the six, and in how many resamples by one metric; `table` is
    that of the ranking."""
    leaders = table[(table["rank"] == 1) & table["metric"].isin(METRIC_IDS)]
    won = leaders["response"].value_counts()
    leading = sorted(map(str, won[won == won.max()].index))
    n = out_of(int(won.max()), len(METRIC_IDS))
    rows = table[table["metric"] == metric]
    best = rows[rows["rank"] == 1]
    name = str(best["response"].iloc[0])
    resamples = f"in {share(float(best['first'].iloc[0]))} of {count(ranking.trials)} resamples"
    by = "" if ranking.measure == "f1" else f" in {RATIOS[ranking.measure]}"
    are = "is" if len(leading) == 1 else "are each"
    opening = f"Of {counted(len(rows), 'response')}, {listed(leading)} {are} first{by} by {n}"
    if len(best) > 1:
        return f"{opening}; by {called(metric)}, {listed(best['response'])} tie for first."
    if leading == [name]:
        return f"{opening}, and by {called(metric)} {resamples}."
    return f"{opening}; by {called(metric)}, {name} is first, {resamples}."


def first_and_spread(ranking: Ranking, metric: str) -> str:
    """Who is first, and how far resampling moves the ranks by one metric."""
    table = ranking.table
    of_metric = table[table["metric"] == metric]
    return f"{first(table, ranking, metric)} {spread(of_metric, metric)}"


def runs_apart(runs: Mapping[str, int]) -> str:
    """That several runs of a system are ranked apart; runs: how many, by the system."""
    each = listed(f"{counted(n, 'run')} of {system}" for system, n in runs.items())
    return (
        f"Each run is ranked as a response of its own, so that a system may have several ranks: "
        f"{each}. Two systems, and corescore compare, go by the means over runs."
    )


def agreement(ranking: Ranking) -> str:
    """Which metrics rank the responses most and least alike: how many pairs the other way round."""
    shown = [name for name in (*METRIC_IDS, "conll") if name in ranking.metrics]
    table = ranking.opposed
    opposed = {(one, other): table[one][other] for one, other in combinations(shown, 2)}
    of_pairs = counted(len(ranking.responses) * (len(ranking.responses) - 1) // 2, "pair")
    two = ("lea", "conll") if "conll" in shown else ("muc", "lea")
    but = f" but {opposed[two]:.0f} of" if opposed[two] else ""
    parts = [f"{_both(two)} rank all{but} {of_pairs} the same way"]
    most = max(opposed.values())
    if most > opposed[two]:
        pairs = [_both(metrics) for metrics, n in opposed.items() if n == most]
        parts.append(f"{_pairs(pairs)} disagree most, on {count(most)} of them{_each(pairs)}")
    return f"{'; '.join(parts)}."


def _both(two: tuple[str, str]) -> str:
    return f"{called(two[0])} and {called(two[1])}"


def _pairs(pairs: Sequence[str]) -> str:
    """The first of some pairs of metrics that tie, and how many more there are."""
    more = f" (and {counted(len(pairs) - 1, 'other pair')} of metrics)" if pairs[1:] else ""
    return f"{pairs[0]}{more}"


def _each(pairs: Sequence[str]) -> str:
    return " each" if pairs[1:] else ""


def spread(rows: pd.DataFrame, metric: str) -> str:
    """How far resampling moves the ranks by one metric; rows: of the ranking's table."""
    wide = (rows["high"] - rows["low"]).to_numpy()
    sure = int((wide == 0).sum()) or "none"
    widest, ties = rows.iloc[int(wide.argmax())], int((wide == wide.max()).sum()) - 1
    n = counted(len(rows), "response")
    name = called(metric)
    if sure == len(rows):
        return f"By {name}, all of the {n} keep their rank in 95% of the resamples."
    keep = "keeps its" if sure in (1, "none") else "keep their"
    return (
        f"By {name}, {sure} of the {n} {keep} rank in 95% of the resamples; "
        f"{widest['response']} moves most, from {ordinal(widest['low'])} to "
        f"{ordinal(widest['high'])}{_as_far(ties)}."
    )


def _as_far(ties: int) -> str:
    moves = "moves" if ties == 1 else "move"
    return f", and {counted(ties, 'other')} {moves} as far" if ties else ""


def apart(groups: Groups) -> str:
    """What the letters of the groups mean, and how they were found."""
    return f"{_told(groups)} ({capital(_how(groups))}.)"


def between(low: int, high: int) -> str:
    """2–4: an interval of ranks."""
    return str(low) if low == high else f"{low}–{high}"


def how_ranked(ranking: Ranking) -> str:
    """What the columns of a table of ranks are."""
    return (
        f"rank, {100 * ranking.level:.0f}%: in that many of {count(ranking.trials)} resamples of "
        "the documents; first: the percentage of resamples in which none is better."
    )


TIES = (
    "Systems that do not differ significantly share the best one’s rank: each joins the systems "
    "before it unless it differs from one that has their rank."
)


SHARED_LETTER = "Responses sharing a letter do not differ significantly"


def ties(groups: Groups) -> str:
    """Which systems share a rank, and how that was tested."""
    return f"{TIES[:-1]} ({_how(groups)})."


def _how(groups: Groups) -> str:
    exchanges = f"{'all ' if groups.is_exact else ''}{count(groups.trials)} exchanges"
    return (
        f"approximate randomisation, {exchanges}, p ≥ {groups.alpha:g} after Holm’s correction "
        f"over {counted(groups.n_pairs, 'pair')}"
    )


def _told(groups: Groups) -> str:
    if groups.groups == (groups.responses,):
        return "No two responses differ significantly."
    crossing = groups.alike_in_no_group
    if len(groups.groups) == len(groups.responses) and not crossing:
        return "All responses differ significantly from each other."
    if not crossing:
        return f"{SHARED_LETTER}; all others do."
    one, other = crossing[0]
    do = "does" if len(crossing) == 1 else "do"
    pairs = f"{counted(len(crossing), 'pair')} without a common letter"
    return (
        f"{SHARED_LETTER}. Neither {do} {pairs}, such as {one} and {other}, although some "
        "responses ranked between them do."
    )


def letters(groups: Groups) -> dict[str, str]:
    """The letters of the groups that each response is in."""
    return letters_of(groups.groups)


def letters_of(groups: Iterable[Collection[str]]) -> dict[str, str]:
    """The letters of the groups that each is in, a for the first."""
    found: dict[str, str] = {}
    for number, members in enumerate(groups):
        for name in members:
            found[name] = f"{found[name]} {letter(number)}" if name in found else letter(number)
    return found


def letter(number: int) -> str:
    """a, b, …, z, aa, ab, …"""
    before, at = divmod(number, len(ascii_lowercase))
    return (letter(before - 1) if before else "") + ascii_lowercase[at]


FEWEST_FOR_TAU = 6


def too_few_for_tau(n: int, of: str) -> str:
    """Why no correlation of rankings is shown; of: what is ranked, such as "response"."""
    return (
        f"Kendall’s τ is not shown over {counted(n, of)}: it can take very few values and says "
        f"little below {FEWEST_FOR_TAU}."
    )


def correlation(table: pd.DataFrame, over: str) -> str:
    """Which two metrics agree most, and which least; a table as of `Ranking.correlation`."""
    found = {_both((one, other)): table[one][other] for one, other in combinations(table.index, 2)}
    most, fewest = greatest(found, written), least(found, written)
    if not most:
        return f"Over {over} no metric tells any two apart."
    high, low = written(found[most[0]]), written(found[fewest[0]])
    if most == fewest:
        alike = "as much as any other two " if most[1:] else ""
        return f"Over {over}, {most[0]} agree {alike}(τ = {high})."
    return f"Over {over}, {_pairs(most)} agree most (τ = {high}), {_pairs(fewest)} least ({low})."


def too_few(names: Sequence[str]) -> str:
    """What to do where there are fewer than three responses."""
    opened = listed(names) if names else "none"
    is_ = "is" if len(names) == 1 else "are"
    return (
        f"A ranking needs three responses or more; {opened} {is_} open here. Open several at once "
        "in the side bar, under “Open your own files”, or start the dashboard with a key and a "
        "folder of responses: corescore dashboard key.conll responses/"
    )
