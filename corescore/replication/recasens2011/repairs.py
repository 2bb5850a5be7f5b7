"""Random responses, and their errors fixed step by step."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from corescore.metrics import Metric
from corescore.replication.partitions import Partition, score_partitions
from corescore.replication.toys import Pair

N_DRAWN = 8  # mentions

Chain = Sequence[Pair]  # a key with one response after the other


def drawn_labels(n: int, seed: int) -> list[tuple[list[int], list[int]]]:
    """The entity of each mention in the key and in the response, n times."""
    drawn = np.random.default_rng(seed).integers(0, 4, (n, 2, N_DRAWN)).tolist()
    return [(key, response) for key, response in drawn]


def groups(labels: Sequence[int]) -> list[list[int]]:
    """The mentions 0, 1, … of each label."""
    members: dict[int, list[int]] = {}
    for mention, label in enumerate(labels):
        members.setdefault(label, []).append(mention)
    return list(members.values())


def repair(correct: Sequence[int], given: Sequence[int]) -> list[Pair]:
    """The response turned into the key step by step, each step paired with the key.

    correct, given  the entity of each mention in the key and in the response, numbers below 8

    First every response entity is split into what it shares with each key entity, then these parts
    are merged. A split removes only wrong coreference links, a merge adds only correct ones.
    """
    parts = groups([N_DRAWN * g + r for r, g in zip(correct, given, strict=True)])
    split = [N_DRAWN + number for number in range(len(parts))]
    merged = [2 * N_DRAWN + correct[part[0]] for part in parts]
    labels, stages = list(given), [groups(given)]
    for part, label in [*zip(parts, split, strict=True), *zip(parts, merged, strict=True)]:
        labels = [label if mention in part else old for mention, old in enumerate(labels)]
        stages.append(groups(labels))
    steps = [stage for at, stage in enumerate(stages) if not at or stage != stages[at - 1]]
    return [(groups(correct), step) for step in steps]


def singletons_set_right(key: Partition, response: Partition) -> Iterator[Chain]:
    """The response before and after each key singleton is taken out of its entity."""
    alone = [mention for entity in key if len(entity) == 1 for mention in entity]
    for mention in alone:
        rest = [[m for m in entity if m != mention] for entity in response]
        after = [[mention], *(entity for entity in rest if entity)]
        if [mention] not in response:
            yield [(key, response), (key, after)]


def score_chains(chains: Sequence[Chain], metrics: Sequence[Metric]) -> pd.DataFrame:
    """A row for each pair of each chain and metric.

    Columns: metric, f1, change (of F1 since the pair before in its chain) and entities (how many
    more the response has than the one before); NaN for the first pair of a chain.
    """
    pairs = [pair for chain in chains for pair in chain]
    scores = score_partitions(pairs, metrics)
    scores["chain"] = np.repeat(np.arange(len(chains)), [*map(len, chains)])[scores["pair"]]
    scores["entities"] = [len(pairs[pair][1]) for pair in scores["pair"]]
    steps = scores.groupby(["metric", "chain"], sort=False)[["f1", "entities"]].diff()
    return scores[["metric", "f1"]].assign(change=steps["f1"], entities=steps["entities"])
