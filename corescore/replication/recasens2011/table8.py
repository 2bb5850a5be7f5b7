"""Recasens & Hovy 2011, Table 8: a key with many singletons, and eight responses to it."""

import re
from pathlib import Path

import pandas as pd

from corescore.replication.experiment import Parameter
from corescore.replication.partitions import Partition
from corescore.replication.toys import Pair

N_SINGLETONS = Parameter(
    "singletons",
    "Singletons in the key",
    61,
    "The paper has 61. With fewer, B³ and CEAF fall; MUC of A to G stays the same.",
    minimum=4,
    maximum=500,
)
SYSTEMS = {
    "A": "two singletons linked",
    "B": "a singleton linked to the entity of 4",
    "C": "the entity of 3 in singletons",
    "D": "the entities of 4 and 3 as one",
    "E": "the entity of 4 in two halves, each with a singleton",
    "F": "the entity of 4 in four parts, each with a singleton",
    "G": "all singletons",
    "H": "one entity",
}
PATH = Path(__file__).with_name("table8.csv")
KEY, ALL_SINGLETONS, ONE_ENTITY = "Gold", "All singletons", "One entity"


def table_8() -> dict[str, Partition]:
    """The key ("Gold") and the responses A to H as printed; mentions are numbers from 1."""
    rows = pd.read_csv(PATH, comment="#").set_index("response")["output"]
    mentions = [mention for entity in _entities(rows[KEY]) for mention in entity]
    in_words = {ALL_SINGLETONS: [[m] for m in mentions], ONE_ENTITY: [mentions]}
    return {str(name): in_words.get(text) or _entities(text) for name, text in rows.items()}


def _entities(text: str) -> list[list[int]]:
    """The entities of "(1,62) (2)"."""
    return [[*map(int, entity.split(","))] for entity in re.findall(r"\(([\d,]+)\)", text)]


def eight_systems(n_singletons: int = 61) -> list[Pair]:
    """The key with each of A to H, and with another number of singletons in the key.

    Singletons are taken out of both sides, those first that the response has alone, or added to
    both. Mentions are numbered from 0 through the key.
    """
    sides = table_8()
    key = sides.pop(KEY)
    return [_resized(key, response, n_singletons) for response in sides.values()]


def _resized(key: Partition, response: Partition, n_singletons: int) -> Pair:
    size = {mention: len(entity) for entity in response for mention in entity}
    alone = sorted((m for entity in key if len(entity) == 1 for m in entity), key=size.__getitem__)
    gone = {*alone[:-n_singletons]}
    more = [[len(size) + at] for at in range(1, n_singletons - len(alone) + 1)]
    key = [*more, *_without(gone, key)]
    if len(response) == 1:
        response = [[mention for entity in key for mention in entity]]
    else:
        response = [*more, *_without(gone, response)]
    number = {mention: at for at, mention in enumerate(m for entity in key for m in entity)}
    return _numbered(number, key), _numbered(number, response)


def _without(gone: set[int], side: Partition) -> list[list[int]]:
    rest = ([m for m in entity if m not in gone] for entity in side)
    return [entity for entity in rest if entity]


def _numbered(number: dict[int, int], side: Partition) -> list[list[int]]:
    return [[number[mention] for mention in entity] for entity in side]
