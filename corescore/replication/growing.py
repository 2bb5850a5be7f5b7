"""Responses that grow by correct links, and wrong partners for the remaining mentions."""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain

import numpy as np

from corescore.replication.partitions import Partition
from corescore.tolerances import STEP

Entities = list[list[int]]

# Orders in which mentions come --------------------------------------------------------------------


def _largest(key: Partition, rng: np.random.Generator) -> list[int]:
    entities = sorted(key, key=len, reverse=True)
    return [*chain.from_iterable(entities)]


def _smallest(key: Partition, rng: np.random.Generator) -> list[int]:
    entities = sorted(key, key=len)
    return [*chain.from_iterable(entities)]


def _random(key: Partition, rng: np.random.Generator) -> list[int]:
    return [*chain.from_iterable(key[at] for at in rng.permutation(len(key)).tolist())]


def _alike(key: Partition, rng: np.random.Generator) -> list[int]:
    places = [(at, mention) for entity in key for at, mention in enumerate(entity)]
    return [mention for _, mention in sorted(places)]


ORDERS: dict[str, Callable[[Partition, np.random.Generator], list[int]]] = {
    "largest": _largest,
    "smallest": _smallest,
    "random": _random,
    "alike": _alike,
}
ORDERS_ABOUT = (
    "the largest entity first, the smallest first, entities in random order (each mention by "
    "mention), or all entities alike (a mention of each in turn)"
)


def correct_entities(
    key: Partition, mentions: Sequence[int], shares: Sequence[float]
) -> list[Entities]:
    """For each share, the parts of the key's entities that are resolved: the first mentions, as few
    as give that share of the coreference links. Parts of one mention have no link and are left
    out."""
    entity_of = entity_numbers(key)
    links = [*accumulate(_links_gained([entity_of[m] for m in mentions]))]
    needed = np.searchsorted(links, np.array(shares) * links[-1] - STEP) + 1
    counts = np.where(np.array(shares) > 0, needed, 0).tolist()
    return [[part for part in _parts(mentions[:n], entity_of) if len(part) > 1] for n in counts]


def entity_numbers(key: Partition) -> dict[int, int]:
    """The entity of each mention."""
    return {mention: number for number, entity in enumerate(key) for mention in entity}


def correct_links(response: Partition, entity_of: dict[int, int]) -> int:
    """The number of coreference links of the response that the key has too."""
    return sum(sum(_links_gained([entity_of[m] for m in entity])) for entity in response)


def _links_gained(entities: Sequence[int]) -> list[int]:
    """With how many mentions before it each mention is coreferent."""
    seen: dict[int, int] = {}
    gained = []
    for entity in entities:
        gained.append(seen.get(entity, 0))
        seen[entity] = gained[-1] + 1
    return gained


def _parts(mentions: Sequence[int], entity_of: dict[int, int]) -> Entities:
    parts: dict[int, list[int]] = {}
    for mention in mentions:
        parts.setdefault(entity_of[mention], []).append(mention)
    return [*parts.values()]


# Partners that are wrong --------------------------------------------------------------------------


def _part_by_part(parts: Entities) -> list[int]:
    largest_first = sorted(parts, key=len, reverse=True)
    return [*chain.from_iterable(largest_first)]


def wrong_pairs(parts: Entities) -> tuple[Entities, list[int]]:
    """As many pairs of mentions of different parts as possible, and the remaining mentions.

    The mentions stand in a row part by part, the largest first. Of n mentions in p pairs, the one
    at i is paired with the one at i + n − p, and n − p is at least the size of the largest part.
    """
    mentions = _part_by_part(parts)
    n, most = len(mentions), max(map(len, parts), default=0)
    n_pairs = min(n // 2, n - most)
    pairs = [[mentions[at], mentions[at + n - n_pairs]] for at in range(n_pairs)]
    return pairs, mentions[n_pairs : n - n_pairs]


def wrong_groups(parts: Entities) -> tuple[Entities, list[int]]:
    """As few groups of mentions of different parts as possible, and the mentions left alone.

    The mentions are dealt out part by part, so that no group has two mentions of one part.
    """
    n_groups = max(map(len, parts), default=0)
    mentions = _part_by_part(parts)
    groups = [mentions[at::n_groups] for at in range(n_groups)]
    alone = [group[0] for group in groups if len(group) == 1]
    return [group for group in groups if len(group) > 1], alone


WRONG: dict[str, Callable[[Entities], tuple[Entities, list[int]]]] = {
    "pairs": wrong_pairs,
    "groups": wrong_groups,
}
INTO_RIGHT = "into right"
PARTNERS = (*WRONG, INTO_RIGHT)
PARTNERS_ABOUT = (
    "each other in wrong pairs; each other in as few wrong groups as possible; or a correct entity "
    "of others (in pairs where there is none)"
)


def wrongly_linked(
    key: Partition, correct: Entities, rng: np.random.Generator, *, partners: str
) -> Entities:
    """The correct entities, and every other mention of the key linked to one not coreferent.

    A mention that `partners` leaves alone joins an entity without coreferent mentions; if all have
    some, the one with the fewest, which adds a correct link that was not intended.
    """
    entity_of = entity_numbers(key)
    parts = missing_parts(key, [*chain.from_iterable(correct)], rng)
    response = [[*entity] for entity in correct]
    if partners == INTO_RIGHT:
        alone = [m for part in parts for m in part if not _joins(m, response, entity_of, rng)]
        parts = _parts(alone, entity_of)
    groups, alone = WRONG.get(partners, wrong_pairs)(parts)
    response += groups
    for mention in alone:
        _joins(mention, response, entity_of, rng, most=len(entity_of))
    return response


def missing_parts(key: Partition, mentions: Iterable[int], rng: np.random.Generator) -> Entities:
    """The key without these mentions, entity by entity, all in random order."""
    there = set(mentions)
    parts = [[m for m in entity if m not in there] for entity in key]
    shuffled = [rng.permutation(part).tolist() for part in parts if part]
    return [shuffled[at] for at in rng.permutation(len(shuffled)).tolist()]


def _joins(
    mention: int,
    response: Entities,
    entity_of: dict[int, int],
    rng: np.random.Generator,
    *,
    most: int = 0,
) -> bool:
    """Puts a mention into an entity with other mentions and at most `most` coreferent ones."""
    own = entity_of[mention]
    coreferent = [sum(entity_of[m] == own for m in entity) for entity in response]
    fits = {at: n for at, n in enumerate(coreferent) if n < len(response[at])}
    fewest = min(fits.values(), default=most + 1)
    if fewest > most:
        return False
    among = [response[at] for at, n in fits.items() if n == fewest]
    among[int(rng.integers(len(among)))].append(mention)
    return True
