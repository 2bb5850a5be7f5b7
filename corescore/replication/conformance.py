"""How a metric behaves where metrics differ: questions from the papers, each answered by scoring.

Use them to compare a new metric with the established ones before trusting it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, zip_longest

import numpy as np
import pandas as pd

from corescore.bibliography import BAGGA_1998, LUO_2005, MOOSAVI_2016, RECASENS_2011
from corescore.counting.counts import MEASURES
from corescore.metrics import Metric
from corescore.replication.experiment import Check
from corescore.replication.partitions import Partition, of_sizes, score_partitions
from corescore.util import TOLERANCE
from corescore.wording import percent

Pair = tuple[Partition, Partition]
KEY = of_sizes([20, 10, 10, 5, 5, 5, 4, *[2] * 10])  # Moosavi & Strube's toy key
N_KEY = sum(map(len, KEY))
N_RANDOM = 200


@dataclass(frozen=True)
class Question:
    """A yes-or-no question about a metric.

    asks    the question
    wanted  the desirable answer; None where there are reasons for both
    check   decides whether the answer is yes, and gives the numbers
    source  the paper it is from
    """

    id: str
    asks: str
    wanted: bool | None
    check: Callable[[Metric], Check]
    source: str


def conformance(metrics: Sequence[Metric]) -> pd.DataFrame:
    """A row for each question and metric.

    Columns: question (its id), asks, wanted (True, False, or None: there are reasons for both),
    metric (its id), answer, passes (the answer is the wanted one; None where none is), numbers,
    source.
    """
    rows = []
    for question in QUESTIONS:
        for metric in metrics:
            answer = question.check(metric)
            passes = None if question.wanted is None else answer.holds == question.wanted
            values = (answer.holds, passes, answer.numbers, question.source)
            rows.append((question.id, question.asks, question.wanted, metric.id, *values))
    names = ["question", "asks", "wanted", "metric", "answer", "passes", "numbers", "source"]
    return pd.DataFrame(rows, columns=names).astype({"wanted": object, "passes": object})


def _scores(metric: Metric, *pairs: Pair) -> pd.DataFrame:
    """(pairs,) recall, precision and f1 of the metric, fractions."""
    table = score_partitions(pairs, [metric])
    return table.loc[table["metric"] == metric.id, [*MEASURES]].reset_index(drop=True)


def _f1(metric: Metric, *pairs: Pair) -> list[float]:
    return [float(f1) for f1 in _scores(metric, *pairs)["f1"]]


def _never(wrong: "pd.Series[bool]", what: str) -> Check:
    return Check(not wrong.any(), f"{what} on {int(wrong.sum())} of {len(wrong)} pairs")


def _is_above(one: str, other: str, f1: Sequence[float]) -> Check:
    """Whether the first F1 is above the second."""
    numbers = f"F1 {percent(f1[0])}% {one}, {percent(f1[1])}% {other}"
    return Check(f1[0] > f1[1] + TOLERANCE, numbers)


def _random_pairs() -> list[Pair]:
    """The same pairs each time: partitions of up to twelve mentions, some of them twinless."""
    rng = np.random.default_rng(1)
    return [(_random_partition(rng), _random_partition(rng)) for _ in range(N_RANDOM)]


def _random_partition(rng: np.random.Generator) -> Partition:
    mentions = np.flatnonzero(rng.random(12) < 0.8)
    label = rng.integers(0, 5, len(mentions))
    entities = [mentions[label == number].tolist() for number in range(5)]
    return [entity for entity in entities if entity]


def _partners(partition: Partition) -> dict[int, set[int]]:
    """The other mentions of each mention's entity."""
    return {mention: set(entity) - {mention} for entity in partition for mention in entity}


# The checks ---------------------------------------------------------------------------------------


def _perfect(metric: Metric) -> Check:
    (f1,) = _f1(metric, (KEY, KEY))
    return Check(abs(f1 - 1) < TOLERANCE, f"F1 {percent(f1)}% of the key against itself")


def _in_range(metric: Metric) -> Check:
    values = _scores(metric, *_random_pairs()).to_numpy()
    low, high = float(values.min()), float(values.max())
    numbers = f"from {percent(low)}% to {percent(high)}% on {N_RANDOM} pairs"
    return Check(low >= 0 and high <= 1 + TOLERANCE, numbers)


def _symmetric(metric: Metric) -> Check:
    pairs = _random_pairs()
    there = _scores(metric, *pairs)
    back = _scores(metric, *[(response, key) for key, response in pairs])
    return _never((there["recall"] - back["precision"]).abs() > TOLERANCE, "another value")


def _no_correct_link(metric: Metric) -> Check:
    half = N_KEY // 2  # no entity holds half of all mentions
    strangers = [[at, at + half] for at in range(half)]
    (f1,) = _f1(metric, (KEY, strangers))
    return Check(f1 < TOLERANCE, f"F1 {percent(f1)}% with {2 * half} of {N_KEY} mentions")


def _removing_incorrect(metric: Metric) -> Check:
    pairs = _random_pairs()
    before = _scores(metric, *pairs)["recall"]
    after = _scores(metric, *[(key, _more_precise(key, response)) for key, response in pairs])
    return _never((before - after["recall"]).abs() > TOLERANCE, "another recall")


def _more_precise(key: Partition, response: Partition) -> Partition:
    """The response without its incorrectly resolved mentions."""
    expected, given = _partners(key), _partners(response)
    wrong = {m for m in given if m in expected and given[m] and not given[m] & expected[m]}
    return [kept for entity in response if (kept := [m for m in entity if m not in wrong])]


def _adding_wrong(metric: Metric) -> Check:
    n_large = len(KEY) - 10  # the ten entities of two are missing altogether
    bare = [[*entity][:2] for entity in KEY[:n_large]]
    missing = [[*entity][2:] for entity in KEY[:n_large]] + [[*e] for e in KEY[n_large:]]
    columns = [[m for m in column if m is not None] for column in zip_longest(*missing)]
    wrong = [column for column in columns if len(column) > 1]
    recall = [float(r) for r in _scores(metric, (KEY, bare), (KEY, [*bare, *wrong]))["recall"]]
    numbers = f"recall {percent(recall[0])}% before, {percent(recall[1])}% after"
    return Check(abs(recall[0] - recall[1]) < TOLERANCE, numbers)


def _monotone(metric: Metric) -> Check:
    grown = [[[*entity][: n + 1] for entity in KEY] for n in range(max(map(len, KEY)))]
    f1 = _f1(metric, *[(KEY, response) for response in grown])
    falls = [(before, after) for before, after in pairwise(f1) if after < before - TOLERANCE]
    numbers = f"F1 from {percent(f1[0])}% to {percent(f1[-1])}%: {len(falls)} falls"
    return Check(not falls, numbers)


def _more_correct_links(metric: Metric) -> Check:
    key, halves = of_sizes([8]), of_sizes([4, 4])
    return _is_above("with both halves", "with one", _f1(metric, (key, halves), (key, halves[:1])))


def _split(metric: Metric, one: Sequence[int], other: Sequence[int]) -> Check:
    """Whether two splits of entities of KEY score differently, the rest being correct (Fig. 6)."""
    f1 = _f1(metric, *[(KEY, _with_split(sizes)) for sizes in (one, other)])
    names = ["-".join(map(str, sizes)) for sizes in (one, other)]
    numbers = f"F1 {percent(f1[0])}% for {names[0]}, {percent(f1[1])}% for {names[1]}"
    return Check(abs(f1[0] - f1[1]) > TOLERANCE, numbers)


def _with_split(sizes: Sequence[int]) -> Partition:
    """KEY with the entity of the sizes' sum split into parts of these sizes."""
    whole = next(entity for entity in KEY if len(entity) == sum(sizes))
    parts = [[whole[at] for at in part] for part in of_sizes(sizes)]
    return [entity for entity in KEY if entity is not whole] + parts


def _merging(metric: Metric) -> Check:
    key = of_sizes([10, 10, 2, 2])
    small = [key[0], key[1], [*key[2], *key[3]]]
    large = [[*key[0], *key[1]], key[2], key[3]]
    f1 = _f1(metric, (key, small), (key, large))
    return _is_above("with the small ones merged", "with the large ones", f1)


def _singleton(metric: Metric) -> Check:
    key = of_sizes([3, 1])
    return _is_above("with it", "without it", _f1(metric, (key, key), (key, key[:1])))


def _diluting(metric: Metric) -> Check:
    key, response = of_sizes([4, 4]), of_sizes([2, 2, 4])
    alone = [[m] for m in range(8, 28)]
    f1 = _f1(metric, ([*key, *alone], [*response, *alone]), (key, response))
    return _is_above("with twenty of them", "without", f1)


def _extra_mention(metric: Metric) -> Check:
    key = of_sizes([10, 2])
    large = [[*key[0], 99], key[1]]
    small = [key[0], [*key[1], 99]]
    f1 = _f1(metric, (key, large), (key, small))
    numbers = f"F1 {percent(f1[0])}% in the entity of 10, {percent(f1[1])}% in that of 2"
    return Check(abs(f1[0] - f1[1]) > TOLERANCE, numbers)


_EFFECT = MOOSAVI_2016.at("mention identification effect")
_DESIDERATA = RECASENS_2011.at("desiderata")
QUESTIONS = (
    Question("perfect", "Does the key against itself score 100%?", True, _perfect, _DESIDERATA),
    Question("range", "Are all scores between 0 and 100%?", True, _in_range, _DESIDERATA),
    Question(
        "symmetric",
        "Are recall and precision swapped when key and response are?",
        True,
        _symmetric,
        _DESIDERATA,
    ),
    Question(
        "no-right-link",
        "Is F1 0 when no link is correct, and no singleton in the key?",
        True,
        _no_correct_link,
        _EFFECT,
    ),
    Question(
        "removing-incorrect",
        "Does recall stay the same when incorrectly resolved mentions are removed?",
        True,
        _removing_incorrect,
        _EFFECT,
    ),
    Question(
        "adding-wrong",
        "Does recall stay the same when wrong entities of missing mentions are added?",
        True,
        _adding_wrong,
        _EFFECT,
    ),
    Question(
        "monotone",
        "Does F1 never fall when correct links are added?",
        True,
        _monotone,
        f"{RECASENS_2011.name}; {MOOSAVI_2016.at('Fig. 2')}",
    ),
    Question(
        "more-right-links",
        "Does the response with more correct links and no wrong one score higher?",
        True,
        _more_correct_links,
        MOOSAVI_2016.at("Table 3"),
    ),
    Question(
        "split-size",
        "Do an entity split 2-2 and one split 10-10 score differently?",
        True,
        partial(_split, one=(2, 2), other=(10, 10)),
        MOOSAVI_2016.at("Fig. 6"),
    ),
    Question(
        "split-balance",
        "Do an entity split 18-2 and one split 10-10 score differently?",
        True,
        partial(_split, one=(18, 2), other=(10, 10)),
        MOOSAVI_2016.at("Fig. 6"),
    ),
    Question(
        "merging",
        "Does merging two large entities cost more than merging two small ones?",
        True,
        _merging,
        f"{BAGGA_1998.name}; {LUO_2005.name}",
    ),
    Question(
        "singletons",
        "Does it cost anything to miss a singleton?",
        None,
        _singleton,
        RECASENS_2011.name,
    ),
    Question(
        "diluting",
        "Do correct singletons raise the score of a response with errors?",
        None,
        _diluting,
        RECASENS_2011.name,
    ),
    Question(
        "extra-mention",
        "Does the cost of an extra mention depend on the size of the entity it joins?",
        None,
        _extra_mention,
        MOOSAVI_2016.at("Fig. 7"),
    ),
)
