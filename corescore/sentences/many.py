"""Sentences about many systems: who is first, how sure that is, where metrics disagree."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations, takewhile
from math import comb
from string import ascii_lowercase

import pandas as pd

from corescore.analysis.errors.classes import Incorrect
from corescore.analysis.systems.data_sets import (
    FEWEST_DATA_SETS,
    FEWEST_SYSTEMS,
    DataSets,
    Repeated,
)
from corescore.analysis.systems.effect import IdentificationEffect
from corescore.analysis.systems.many import Groups, Ranking
from corescore.metrics import METRIC_IDS, SCORE_IDS, name_of
from corescore.sentences.scores import greatest, least
from corescore.util import by_key
from corescore.wording import (
    RATIOS,
    capital,
    count,
    counted,
    listed,
    ordinal,
    out_of,
    p_below,
    p_equals,
    percent,
    share,
    spelled,
    with_key_singletons,
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
    resamples = f"in {share(float(best['first'].iloc[0]))} of {counted(ranking.trials, 'resample')}"
    by = "" if ranking.measure == "f1" else f" in {RATIOS[ranking.measure]}"
    are = "is" if len(leading) == 1 else "are each"
    opening = f"Of {counted(len(rows), 'response')}, {listed(leading)} {are} first{by} by {n}"
    if len(best) > 1:
        return f"{opening}; by {name_of(metric)}, {listed(best['response'])} tie for first."
    if leading == [name]:
        return f"{opening}, and by {name_of(metric)} {resamples}."
    return f"{opening}; by {name_of(metric)}, {name} is first, {resamples}."


def first_and_spread(ranking: Ranking, metric: str) -> str:
    """Who is first, and how far resampling moves the ranks by one metric."""
    table = ranking.table
    of_metric = table[table["metric"] == metric]
    return f"{first(table, ranking, metric)} {spread(of_metric, metric)}"


def runs_apart(runs: Mapping[str, int]) -> str:
    """That several runs of a system are ranked apart; runs: how many, by the system."""
    each = listed(f"{counted(n, 'run')} of {system}" for system, n in runs.items())
    return (
        f"Each run is ranked as a response of its own, so a system may have several ranks: "
        f"{each}. Compare and corescore compare use means over runs."
    )


def agreement(ranking: Ranking) -> str:
    """Which metrics rank the responses most and least alike: how many pairs the other way round."""
    shown = [name for name in SCORE_IDS if name in ranking.metrics]
    table = ranking.opposed
    opposed = {(one, other): table[one][other] for one, other in combinations(shown, 2)}
    of_pairs = counted(comb(len(ranking.responses), 2), "pair")
    two = ("lea", "conll") if "conll" in shown else ("muc", "lea")
    but = f" but {opposed[two]:.0f} of" if opposed[two] else ""
    parts = [f"{_both(two)} rank all{but} {of_pairs} the same way"]
    most = max(opposed.values())
    if most > opposed[two]:
        pairs = [_both(metrics) for metrics, n in opposed.items() if n == most]
        parts.append(
            f"{_pairs(pairs)} disagree most, on {count(most)} of them{' each' * bool(pairs[1:])}"
        )
    return f"{'; '.join(parts)}."


def _both(two: tuple[str, str]) -> str:
    return f"{name_of(two[0])} and {name_of(two[1])}"


def _pairs(pairs: Sequence[str]) -> str:
    """The first of some pairs of metrics that tie, and how many more there are."""
    more = f" (and {counted(len(pairs) - 1, 'other pair')} of metrics)" if pairs[1:] else ""
    return f"{pairs[0]}{more}"


def spread(rows: pd.DataFrame, metric: str) -> str:
    """How far resampling moves the ranks by one metric; rows: of the ranking's table."""
    wide = (rows["high"] - rows["low"]).to_numpy()
    sure = int((wide == 0).sum()) or "none"
    widest, ties = rows.iloc[int(wide.argmax())], int((wide == wide.max()).sum()) - 1
    as_far = f", and {counted(ties, 'other')} {'moves' if ties == 1 else 'move'} as far"
    n = counted(len(rows), "response")
    name = name_of(metric)
    if sure == len(rows):
        return f"By {name}, all of the {n} keep their rank in at least 95% of the resamples."
    keep = "keeps its" if sure in (1, "none") else "keep their"
    return (
        f"By {name}, {sure} of the {n} {keep} rank in at least 95% of the resamples; "
        f"{widest['response']} moves most, from {ordinal(widest['low'])} to "
        f"{ordinal(widest['high'])}{as_far if ties else ''}."
    )


def apart(groups: Groups) -> str:
    """What the letters of the groups mean, and how they were found."""
    sign = "<" if _all_differ(groups) else "≥"
    return f"{_which_differ(groups)} ({capital(_how(groups, sign))}.)"


def how_ranked(ranking: Ranking) -> str:
    """What the columns of a table of ranks are."""
    return (
        f"rank, {100 * ranking.level:.0f}%: in that many of {counted(ranking.trials, 'resample')} "
        "of the documents. First in: the percentage of resamples in which the response ranks first "
        "(ties included)."
    )


TIES = (
    "Systems that do not differ significantly share the best one’s rank: each joins the systems "
    "before it unless it differs from one that has their rank."
)

SHARED_LETTER = "Responses sharing a letter do not differ significantly"


def ties(groups: Groups) -> str:
    """Which systems share a rank, and how that was tested."""
    return f"{TIES[:-1]} ({_how(groups)})."


def _how(groups: Groups, sign: str = "≥") -> str:
    exchanges = f"{'all ' if groups.is_exact else ''}{counted(groups.trials, 'exchange')}"
    return (
        f"approximate randomisation, {exchanges}, p {sign} {groups.alpha:g} after Holm’s "
        f"correction over {counted(groups.n_pairs, 'pair')}"
    )


def _all_differ(groups: Groups) -> bool:
    return len(groups.groups) == len(groups.responses) and not groups.alike_in_no_group


def _which_differ(groups: Groups) -> str:
    if groups.groups == (groups.responses,):
        return "No two responses differ significantly."
    crossing = groups.alike_in_no_group
    if _all_differ(groups):
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
    each = by_key((name, letter(at)) for at, members in enumerate(groups) for name in members)
    return {name: " ".join(letters) for name, letters in each.items()}


def letter(number: int) -> str:
    """a, b, …, z, aa, ab, …"""
    before, last = divmod(number, len(ascii_lowercase))
    return (letter(before - 1) if before else "") + ascii_lowercase[last]


FEWEST_FOR_TAU = 6


def too_few_for_tau(n: int, ranked: str) -> str:
    """Why no correlation of rankings is shown; ranked: what has ranks, such as "response"."""
    return (
        f"Kendall’s τ is not shown over {counted(n, ranked)}: it can take very few values and says "
        f"little below {FEWEST_FOR_TAU}."
    )


def correlation(table: pd.DataFrame, over: str) -> str:
    """Which two metrics agree most, and which least; a table as of `Ranking.correlation`."""
    taus = {_both((one, other)): table[one][other] for one, other in combinations(table.index, 2)}
    most, fewest = greatest(taus, written), least(taus, written)
    if not most:
        return f"Over {over} no metric separates any two."
    high, low = written(taus[most[0]]), written(taus[fewest[0]])
    if most == fewest:
        alike = "as much as any other pair " if most[1:] else ""
        return f"Over {over}, {most[0]} agree {alike}(τ = {high})."
    return f"Over {over}, {_pairs(most)} agree most (τ = {high}), {_pairs(fewest)} least ({low})."


def too_few(names: Sequence[str]) -> str:
    """What to do where there are fewer than three responses."""
    opened = listed(names) if names else "none"
    is_ = "is" if len(names) == 1 else "are"
    return (
        f"A ranking needs three responses or more; {opened} {is_} open here. Open several at once "
        "in the sidebar, under “Open your own files”, or start the dashboard with a key and a "
        "folder of responses: corescore dashboard key.conll responses/"
    )


# Whether ranks owe to the mention identification effect -------------------------------------------

EFFECT = "Do ranks depend on the mention identification effect?"

ABOUT_EFFECT = (
    "All partners of an incorrectly resolved mention are wrong, so it earns credit for being "
    "found, not for being linked. Removing it takes its wrong links away as well, which can raise "
    "precision: under MUC and LEA, where it earns nothing, this is the only change. Nor is a "
    "response without these mentions better: a mention that is not found cannot be linked."
)

EARNED = (
    "Earned: the share of the numerator of recall or precision that these mentions earn, a link "
    "half at each end."
)

LINKED = "Without linked: only the mentions that have a link in the key are removed."

SLOPES = (
    "Each line is a response, from its score to its score without its incorrectly resolved "
    "mentions. Responses whose rank changes are coloured and named."
)

_OF_READING = {
    "all": "Without incorrectly resolved mentions",
    "linked": "Without the ones that have a link in the key",
}


def removed(effect: IdentificationEffect) -> str:
    """How many mentions are removed of each response."""
    each = zip(effect.responses, effect.n_mentions, effect.n_singletons, strict=True)
    by_response = (
        f"{name} {with_key_singletons(count(int(n)), int(n), int(of))}" for name, n, of in each
    )
    return f"Incorrectly resolved mentions: {'; '.join(by_response)}."


def moved(effect: IdentificationEffect, incorrect: Incorrect = "all") -> str:
    """Who changes places with whom by which metrics, once these mentions are removed."""
    pairs = effect.pairs[effect.pairs["incorrect"] == incorrect]
    start = _OF_READING[incorrect]
    if not effect.n_mentions.any():
        return "No response has an incorrectly resolved mention, so no rank depends on one."
    if pairs.empty:
        return f"{start}, the order of the responses stays the same by every metric."
    names = pairs["metric"].map(name_of)
    by_two: dict[tuple[str, str, str], list[str]] = {}
    for (_, row), metric in zip(pairs.iterrows(), names, strict=True):
        one, other = sorted((row["response"], row["other"]), key=effect.responses.index)
        by_two.setdefault((one, other, _how_moved(row)), []).append(metric)
    order = sorted(by_two, key=lambda two: -len(by_two[two]))
    moves = [f"{a} and {b} {how} by {listed(by_two[a, b, how])}" for a, b, how in order]
    more = len(moves) - MOST_PAIRS
    moves = moves[:MOST_PAIRS] + ([f"{counted(more, 'more change')} of order"] if more > 0 else [])
    return f"{start}, {'; '.join(moves)}."


def _how_moved(row: pd.Series) -> str:
    if not row["difference"]:
        return "no longer tie"
    return "change places" if row["difference_after"] else "tie"


def other_reading(effect: IdentificationEffect) -> str:
    """What differs if singletons of the key are not removed; nothing if neither a sign of a change
    nor a rank does."""
    if len(effect.readings) < 2:
        return ""
    sentence = moved(effect, "linked")
    if effect.opposite:
        metrics = by_key((name, name_of(metric)) for name, metric in effect.opposite)
        alike = by_key((listed(of_name), name) for name, of_name in metrics.items())
        cells = [f"{of_these} of {listed(names)}" for of_these, names in alike.items()]
        more = len(cells) - MOST_PAIRS
        named = cells[:MOST_PAIRS] + ([f"{more} more"] if more > 0 else [])
        sentence = f"{sentence} The change has the opposite sign for {'; '.join(named)}."
    return (
        f"{sentence} The two readings differ in singletons of the key: without a link there, no "
        "partner can be correct."
    )


# Sentences about systems over several data sets ---------------------------------------------------

MOST_PAIRS = 6  # that a conclusion names


def columns(compared: DataSets) -> str:
    """What the means in the table are."""
    return (
        f"Macro: the mean over {counted(len(compared.data_sets), 'data set')}, each alike. Mean "
        "rank: over the same, 1 for the best. Ties share the mean of their ranks."
    )


def what(compared: DataSets) -> str:
    """LEA F1: what the systems are compared by."""
    return f"{name_of(compared.metric)} {RATIOS[compared.measure]}"


def leader(compared: DataSets) -> str:
    """Which system has the highest mean, and on how many data sets it is the best."""
    first, by_rank = int(compared.order[0]), int(compared.by_rank[0])
    best = int((compared.ranks[first] == compared.ranks.min(axis=0)).sum())
    n = len(compared.data_sets)
    opening = (
        f"{compared.systems[first]} has the highest mean {what(compared)} over "
        f"{counted(n, 'data set')}, {percent(compared.macro[first])}%, "
        f"and the best score on {best} of {n}"
    )
    ranks = compared.mean_ranks
    if ranks[by_rank] == ranks[first]:
        return f"{opening}."
    return (
        f"{opening}, but {compared.systems[by_rank]} has the best mean rank, "
        f"{written(ranks[by_rank])} against {written(ranks[first])}: the two means "
        "name different winners."
    )


def repeated(pairs: Sequence[Repeated], *, is_tested: bool) -> tuple[str, ...]:
    """Warnings of data sets that share texts.

    is_tested  whether there are p-values
    """
    of_p = "the tests count them as two independent data sets, so p is too small"
    why = of_p if is_tested else "the means count these texts twice"
    lines = [
        f"{one.one} and {one.other} share texts ({_alike(one)}): {why}. Leave one of them out."
        for one in pairs[:MOST_PAIRS]
    ]
    more = len(pairs) - MOST_PAIRS
    return (
        (*lines, f"{counted(more, 'more pair')} of data sets share texts.")
        if more > 0
        else (*lines,)
    )


def _alike(one: Repeated) -> str:
    shared = [f"the same words in {one.words:,}"] if one.words else []
    shared += [f"the same names of {one.names:,}"] if one.names else []
    return f"{' and '.join(shared)} of {counted(one.n_smaller, 'document')}"


def conclusion(compared: DataSets) -> str:
    """What may be concluded for data sets such as these."""
    if not compared.is_tested:
        return "You cannot conclude which system is better: so few are not tested."
    if not _is_different(compared):
        return "You cannot conclude that the systems differ on data sets such as these."
    order = compared.by_rank.tolist()
    pairs = [
        (compared.systems[a], compared.systems[b])
        for a, b in combinations(order, 2)
        if compared.p[a, b] < compared.alpha
    ]
    if not pairs:
        return "The systems are not all ranked alike, but you cannot conclude which two differ."
    some = listed([f"{a} than {b}" for a, b in pairs[:MOST_PAIRS]])
    n = len(pairs) - MOST_PAIRS
    more = f" ({counted(n, 'more pair')} {'differs' if n == 1 else 'differ'})" if n > 0 else ""
    return f"On data sets such as these, better ranked: {some}{more}."


BARS = (
    "A bar joins systems that do not differ significantly. Mean ranks lie on the axis, the best "
    "at the left. In the table, systems sharing a letter do not differ significantly."
)


def diagram(compared: DataSets) -> str:
    """What the critical-difference diagram shows."""
    return (
        f"Mean ranks of {counted(len(compared.systems), 'system')} over "
        f"{counted(len(compared.data_sets), 'data set')}"
    )


def tested(compared: DataSets) -> tuple[str, ...]:
    """What Friedman's test and Nemenyi's say, or why nothing is tested."""
    if not compared.is_tested:
        few = f"{spelled(FEWEST_SYSTEMS)} systems and {spelled(FEWEST_DATA_SETS)} data sets"
        return (f"Nothing is tested: Friedman's test needs at least {few}.",)
    return (
        _friedman(compared),
        _orders(compared),
        _critical_difference(compared),
        *_groups(compared),
    )


def _is_different(compared: DataSets) -> bool:
    """Whether Friedman's test finds a difference."""
    return compared.friedman[1] < compared.alpha


def _friedman(compared: DataSets) -> str:
    statistic, p = compared.friedman
    many = "the systems are not all ranked alike" if _is_different(compared) else "not significant"
    return (
        f"Friedman's test over {counted(len(compared.data_sets), 'data set')}, each of which "
        f"counts once: χ² = {written(statistic)}, {p_equals(p)}: {many}."
    )


def _orders(compared: DataSets) -> str:
    """What p is counted from, how small it can be, and where that is too much."""
    orders = compared.orders
    how = f"from {counted(orders.n, 'random order')} of the systems on each data set"
    if orders.is_exact:
        n = counted(orders.n, "order")
        how = f"exact: all {n} of the systems are counted, one data set held fixed"
    text = f"p is {how}; {p_below(orders.smallest_p)}."
    if orders.smallest_p < compared.alpha:
        return text
    few = f"With so few, p cannot fall below {compared.alpha:g}: you cannot conclude anything."
    return f"{text} {few}"


def _critical_difference(compared: DataSets) -> str:
    needed, most = compared.critical_difference, len(compared.systems) - 1
    text = (
        f"Critical difference of two mean ranks (Nemenyi, all pairs of systems as one family, "
        f"{compared.alpha:g}): {written(needed)}."
    )
    if needed > most:
        return f"{text} Mean ranks lie at most {most} apart: with so few data sets no two differ."
    return text


def _groups(compared: DataSets) -> tuple[str, ...]:
    if not _is_different(compared):
        return ("No two systems differ significantly, as Friedman's test finds no difference.",)
    if not compared.groups:
        return ("All systems differ significantly from each other.",)
    if len(compared.groups[0]) == len(compared.systems):
        return ("Nemenyi's test, which is stricter, finds no two systems that differ.",)
    groups = "; ".join(listed(group) for group in compared.groups)
    return (f"No difference is significant within: {groups}. Any other two systems differ.",)


# Names of documents, so short that a column of a table holds what tells them apart ----------------

LONGEST = 26  # characters of a name that is not shortened

NARROW = 18  # the same in a column of a table

_LEAST = 8  # characters that all names begin with, for these to be left out


def common_beginning(names: Iterable[str], *, longest: int = LONGEST) -> str:
    """What all names begin with, up to a "_", "-", ".", "/" or space, where the longest is too long
    to be shown; "" where this is hardly anything, or there is one name only."""
    every = [*dict.fromkeys(names)]
    if len(every) < 2 or max(map(len, every)) <= longest:
        return ""
    pairs = zip(min(every), max(every), strict=False)  # what these begin with, all do
    alike = "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    start = re.match(r".*[-_./ ]", alike, re.DOTALL)
    return start[0] if start and len(start[0]) >= _LEAST and start[0] not in every else ""


def told_apart(names: Iterable[str], *, longest: int = LONGEST) -> Mapping[str, str]:
    """By each name, the name as it is shown: one that is too long without what all begin with, then
    without its middle, "…" in its place. A name that would look like another is shown whole."""
    every = [*dict.fromkeys(names)]
    start = common_beginning(every, longest=longest)
    short = {name: _short(f"…{name[len(start) :]}" if start else name, longest) for name in every}
    times = Counter(short.values())
    return {name: brief if times[brief] == 1 else name for name, brief in short.items()}


def _short(name: str, longest: int) -> str:
    if len(name) <= longest:
        return name
    end = longest // 2
    return f"{name[: longest - end - 1]}…{name[-end:]}"
