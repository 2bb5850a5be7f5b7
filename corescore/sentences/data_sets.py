"""Sentences about systems over several data sets."""

from collections.abc import Sequence
from itertools import combinations

from corescore.analysis.systems.data_sets import (
    FEWEST_DATA_SETS,
    FEWEST_SYSTEMS,
    DataSets,
    Repeated,
)
from corescore.metrics import title_of
from corescore.wording import (
    RATIOS,
    count,
    counted,
    listed,
    p_below,
    p_equals,
    percent,
    spelled,
    written,
)

MOST_PAIRS = 6  # that a conclusion names


def columns(found: DataSets) -> str:
    """What the means in the table are."""
    return (
        f"Macro: the mean over {counted(len(found.data_sets), 'data set')}, each alike. Mean rank: "
        "over the same, 1 for the best; equals share the mean of their ranks."
    )


def what(found: DataSets) -> str:
    """LEA F1: what the systems are compared by."""
    return f"{title_of(found.metric)} {RATIOS[found.measure]}"


def leader(found: DataSets) -> str:
    """Which system has the highest mean, and on how many data sets it is the best."""
    first, by_rank = int(found.order[0]), int(found.by_rank[0])
    best = int((found.ranks[first] == found.ranks.min(axis=0)).sum())
    n = len(found.data_sets)
    said = (
        f"{found.systems[first]} has the highest mean {what(found)} over {counted(n, 'data set')}, "
        f"{percent(found.macro[first])}%, and the best score on {best} of {n}"
    )
    ranks = found.mean_ranks
    if ranks[by_rank] == ranks[first]:
        return f"{said}."
    return (
        f"{said}, but {found.systems[by_rank]} has the best mean rank, {written(ranks[by_rank])} "
        f"against {written(ranks[first])}: the two means name different winners."
    )


def repeated(found: Sequence[Repeated]) -> tuple[str, ...]:
    """Warnings of data sets that share texts."""
    lines = [
        f"{one.one} and {one.other} share texts ({_alike(one)}): the tests count them as two "
        "independent data sets, so p is too small. Leave one of them out."
        for one in found[:MOST_PAIRS]
    ]
    more = len(found) - MOST_PAIRS
    return (
        (*lines, f"{counted(more, 'more pair')} of data sets share texts.")
        if more > 0
        else (*lines,)
    )


def _alike(one: Repeated) -> str:
    documents = counted(one.of, "document")
    said = [f"the same words in {one.words:,}"] if one.words else []
    said += [f"the same names of {one.names:,}"] if one.names else []
    return f"{' and '.join(said)} of {documents}"


def conclusion(found: DataSets) -> str:
    """What may be concluded for data sets such as these."""
    if not found.is_tested:
        return "You cannot conclude which system is better: so few are not tested."
    if not _is_different(found):
        return "You cannot conclude that the systems differ on data sets such as these."
    order = found.by_rank.tolist()
    pairs = [
        (found.systems[a], found.systems[b])
        for a, b in combinations(order, 2)
        if found.p[a, b] < found.alpha
    ]
    if not pairs:
        return "The systems are not all ranked alike, but you cannot conclude which two differ."
    some = listed([f"{a} than {b}" for a, b in pairs[:MOST_PAIRS]])
    more = f" ({len(pairs) - MOST_PAIRS} more pairs differ)" if len(pairs) > MOST_PAIRS else ""
    return f"On data sets such as these, better ranked: {some}{more}."


BARS = (
    "A bar joins systems that do not differ significantly; mean ranks lie on the axis, the best at "
    "the left. In the table, systems sharing a letter do not differ significantly."
)

CAUTION = (
    "Each data set counts once, whatever its size: the tests are about data sets such as these, "
    "not about the documents within one."
)


def diagram(found: DataSets) -> str:
    """What the critical-difference diagram shows."""
    n = counted(len(found.systems), "system")
    return f"Mean ranks of {n} over {counted(len(found.data_sets), 'data set')}"


def tested(found: DataSets) -> tuple[str, ...]:
    """What Friedman's test and Nemenyi's say, or why nothing is tested."""
    if not found.is_tested:
        few = f"{spelled(FEWEST_SYSTEMS)} systems and {spelled(FEWEST_DATA_SETS)} data sets"
        return (f"Nothing is tested: Friedman's test needs at least {few}.",)
    return _friedman(found), _orders(found), _critical_difference(found), *_groups(found)


def _is_different(found: DataSets) -> bool:
    """Whether Friedman's test finds a difference."""
    return found.friedman[1] < found.alpha


def _friedman(found: DataSets) -> str:
    statistic, p = found.friedman
    many = "the systems are not all ranked alike" if _is_different(found) else "not significant"
    return (
        f"Friedman's test over {counted(len(found.data_sets), 'data set')}, each of which counts "
        f"once: χ² = {written(statistic)}, {p_equals(p)}: {many}."
    )


def _orders(found: DataSets) -> str:
    """What p is counted from, how small it can be, and where that is too much."""
    orders, alpha = found.orders, f"{found.alpha:g}"
    if orders.is_exact:
        said = f"p is exact: all {count(orders.n)} orders of the systems are counted, one data set "
        said += f"held fixed; {p_below(orders.smallest_p)}."
    else:
        said = f"p is from {count(orders.n)} random orders of the systems on each data set; "
        said += f"{p_below(orders.smallest_p)}."
    if orders.smallest_p < found.alpha:
        return said
    return f"{said} With so few, nothing can come out below {alpha}: you cannot conclude anything."


def _critical_difference(found: DataSets) -> str:
    needed, most = found.critical_difference, len(found.systems) - 1
    said = (
        f"Critical difference of two mean ranks (Nemenyi, all pairs of systems as one family, "
        f"{found.alpha:g}): {written(needed)}."
    )
    if needed > most:
        return f"{said} Mean ranks lie at most {most} apart: with so few data sets no two differ."
    return said


def _groups(found: DataSets) -> tuple[str, ...]:
    if not _is_different(found):
        return ("No two systems differ significantly, as Friedman's test finds no difference.",)
    if not found.groups:
        return ("All systems differ significantly from each other.",)
    if len(found.groups[0]) == len(found.systems):
        return ("Nemenyi's test, which is stricter, finds no two systems that differ.",)
    groups = "; ".join(listed(group) for group in found.groups)
    return (f"No difference is significant within: {groups}. Any other two systems differ.",)
