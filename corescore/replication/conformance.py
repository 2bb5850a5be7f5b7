"""How a metric behaves where metrics differ: questions from the papers, each answered by scoring.

Use them to compare a new metric with the established ones before trusting it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise, zip_longest
from string import ascii_lowercase

import numpy as np
import pandas as pd

from corescore.counting.counts import MEASURES
from corescore.metrics import Metric
from corescore.replication.claims import read_data
from corescore.replication.experiment import Check
from corescore.replication.partitions import Pair, Partition, of_sizes, score_partitions
from corescore.util import TOLERANCE
from corescore.wording import percent

KEY = of_sizes([20, 10, 10, 5, 5, 5, 4, *[2] * 10])  # Moosavi & Strube's toy key
N_KEY = sum(map(len, KEY))
N_RANDOM = N_PATHS = 200


@dataclass(frozen=True)
class Question:
    """A yes-or-no question about a metric, as in conformance.toml."""

    id: str
    asks: str
    source: str
    wanted: bool | None = None
    pairs: tuple[tuple[Sequence[int], Sequence[int], str], ...] = ()
    differ: bool = False

    def check(self, metric: Metric) -> Check:
        """Whether the answer is yes, and the numbers."""
        if not self.pairs:
            return _CHECKS[self.id](metric)
        cases = [(of_sizes(key), of_sizes(response)) for key, response, _ in self.pairs]
        f1 = _scores(metric, *cases)["f1"]
        more = f1[0] - f1[1]
        numbers = [f"{percent(f1[at])}% {has}" for at, (*_, has) in enumerate(self.pairs)]
        holds = (abs(more) if self.differ else more) > TOLERANCE
        return Check(bool(holds), f"F1 {', '.join(numbers)}")


def conformance(metrics: Sequence[Metric]) -> pd.DataFrame:
    """One row per question and metric.

    Columns: question (its id), asks, wanted (True, False, or None: there are reasons for both),
    metric (its id), answer, passes (the answer is the wanted one; None where none is), numbers,
    source.
    """
    rows = []
    for one in QUESTIONS:
        for metric in metrics:
            answer = one.check(metric)
            passes = None if one.wanted is None else answer.holds == one.wanted
            values = (answer.holds, passes, answer.numbers, one.source)
            rows.append((one.id, one.asks, one.wanted, metric.id, *values))
    names = ["question", "asks", "wanted", "metric", "answer", "passes", "numbers", "source"]
    return pd.DataFrame(rows, columns=names).astype({"wanted": object, "passes": object})


def _scores(metric: Metric, *pairs: Pair) -> pd.DataFrame:
    """(pairs,) recall, precision and f1 of the metric, fractions."""
    table = score_partitions(pairs, [metric])
    return table.loc[table["metric"] == metric.id, [*MEASURES]].reset_index(drop=True)


def _never(wrong: "pd.Series[bool]", what: str) -> Check:
    return Check(not wrong.any(), f"{what} on {int(wrong.sum())} of {len(wrong)} pairs")


def _random_pairs() -> list[Pair]:
    """The same pairs each time: partitions of up to twelve mentions, some of them twinless."""
    rng = np.random.default_rng(1)

    def partition() -> Partition:
        mentions = np.flatnonzero(rng.random(12) < 0.8)
        label = rng.integers(0, 5, len(mentions))
        return [mentions[label == number].tolist() for number in np.unique(label)]

    return [(partition(), partition()) for _ in range(N_RANDOM)]


def _perfect(metric: Metric) -> Check:
    f1 = _scores(metric, (KEY, KEY))["f1"][0]
    return Check(abs(f1 - 1) < TOLERANCE, f"F1 {percent(f1)}% of the key against itself")


def _in_range(metric: Metric) -> Check:
    values = _scores(metric, *_random_pairs()).to_numpy()
    low, high = float(values.min()), float(values.max())
    numbers = f"from {percent(low)}% to {percent(high)}% on {N_RANDOM} pairs"
    return Check(low >= 0 and high <= 1 + TOLERANCE, numbers)


def _symmetric(metric: Metric) -> Check:
    pairs = _random_pairs()
    there, back = _scores(metric, *pairs), _scores(metric, *[pair[::-1] for pair in pairs])
    return _never((there["recall"] - back["precision"]).abs() > TOLERANCE, "another value")


def _no_correct_link(metric: Metric) -> Check:
    half = N_KEY // 2  # no entity holds half of all mentions
    f1 = _scores(metric, (KEY, [[at, at + half] for at in range(half)]))["f1"][0]
    return Check(f1 < TOLERANCE, f"F1 {percent(f1)}% with {2 * half} of {N_KEY} mentions")


def _removing_incorrect(metric: Metric) -> Check:
    pairs = _random_pairs()
    better = [(key, _more_precise(key, response)) for key, response in pairs]
    before, after = (_scores(metric, *of)["recall"] for of in (pairs, better))
    return _never((before - after).abs() > TOLERANCE, "another recall")


def _more_precise(key: Partition, response: Partition) -> Partition:
    """The response without its incorrectly resolved mentions."""
    expected, given = (
        {mention: {*entity} - {mention} for entity in side for mention in entity}
        for side in (key, response)
    )
    wrong = {m for m in given if m in expected and given[m] and not given[m] & expected[m]}
    return [kept for entity in response if (kept := [m for m in entity if m not in wrong])]


def _adding_wrong(metric: Metric) -> Check:
    n_large = len(KEY) - 10  # the ten entities of two are missing altogether
    bare = [entity[:2] for entity in KEY[:n_large]]
    missing = [*(entity[2:] for entity in KEY[:n_large]), *KEY[n_large:]]
    columns = [[m for m in column if m is not None] for column in zip_longest(*missing)]
    wrong = [column for column in columns if len(column) > 1]
    before, after = _scores(metric, (KEY, bare), (KEY, [*bare, *wrong]))["recall"]
    numbers = f"recall {percent(before)}% before, {percent(after)}% after"
    return Check(abs(before - after) < TOLERANCE, numbers)


def _monotone(metric: Metric) -> Check:
    """Along random paths from no link to all of them, whether F1 falls at any step."""
    steps = [step for path in _random_paths() for step in pairwise(path)]
    before, after = (_scores(metric, *pairs)["f1"] for pairs in zip(*steps, strict=True))
    falls = np.flatnonzero(after - before < -TOLERANCE)
    numbers = f"F1 falls at {len(falls)} of {len(steps)} steps"
    if len(falls):
        worst = min(falls, key=lambda step: sum(map(len, chain(*steps[step][1]))))
        (key, response), (_, with_more) = steps[worst]
        pair = f"key {_letters(key)}, response {_letters(response)} → {_letters(with_more)}"
        numbers += f", as with {pair}: {percent(before[worst])}% → {percent(after[worst])}%"
    return Check(not len(falls), numbers)


def _random_paths() -> Iterator[list[Pair]]:
    """The same each time: each adds the links of a key one by one, in random order, and no wrong
    one. Some begin with a wrong link, which stays."""
    rng = np.random.default_rng(1)
    for number in range(N_PATHS):
        key = of_sizes(rng.integers(2, 7, rng.integers(1, 4)))
        wrong = [key[0][0], key[-1][0]] if number % 2 and len(key) > 1 else []
        links = [(one, other) for entity in key for one, other in combinations(entity, 2)]
        parts = {mention: {mention} for entity in key for mention in entity if mention not in wrong}
        path: list[Pair] = []
        for at in (-1, *rng.permutation(len(links))):
            if at >= 0 and parts.keys() >= {*links[at]}:
                merged = parts[links[at][0]] | parts[links[at][1]]
                parts |= dict.fromkeys(merged, merged)
            linked = {min(part): sorted(part) for part in parts.values() if len(part) > 1}
            response = [part for part in (wrong, *linked.values()) if part]
            if not path or path[-1][1] != response:
                path.append((key, response))
        yield path


def _letters(side: Partition) -> str:
    names = (" ".join(ascii_lowercase[mention] for mention in entity) for entity in side)
    return "".join(f"{{{entity}}}" for entity in names) or "{}"


_CHECKS: dict[str, Callable[[Metric], Check]] = {
    "perfect": _perfect,
    "range": _in_range,
    "symmetric": _symmetric,
    "no-right-link": _no_correct_link,
    "removing-incorrect": _removing_incorrect,
    "adding-wrong": _adding_wrong,
    "monotone": _monotone,
}
QUESTIONS = tuple(
    Question(name, **row) for name, row in read_data("replication/conformance.toml").items()
)
