"""Made-up responses to one key, some better than others, for the tests that compare them."""

import random

from corescore import Corpus, score
from tests.support.strategies import document_of

MOST_MENTIONS, N_ENTITIES = 9, 4


def partitions(n_documents, *, seed):
    """A partition of four to nine mentions for each document."""
    rng = random.Random(seed)
    return [_partition(rng, range(rng.randint(4, MOST_MENTIONS))) for _ in range(n_documents)]


def damaged(key, share, *, seed):
    """The partitions with this share of the mentions moved or left out, and as many made up."""
    rng = random.Random(seed)
    return [_damaged(rng, partition, share) for partition in key]


def corpus(documents, names=None):
    """A corpus of partitions; documents d0, d1, … unless they are named."""
    names = names or [f"d{at}" for at in range(len(documents))]
    return Corpus(tuple(map(document_of, documents, names)))


def results(key, *responses, **policies):
    """Each response scored against the key, all given as partitions."""
    return [score(corpus(key), corpus(response), **policies) for response in responses]


def _partition(rng, mentions):
    return _entities({mention: rng.randrange(N_ENTITIES) for mention in mentions})


def _damaged(rng, partition, share):
    kept = {m: at for at, entity in enumerate(partition) for m in entity if rng.random() >= share}
    moved = [m for m in range(MOST_MENTIONS + 1) if m not in kept and rng.random() < share]
    return _entities(kept | {mention: rng.randrange(N_ENTITIES) for mention in moved})


def _entities(label_of):
    entities = {}
    for mention, label in label_of.items():
        entities.setdefault(label, set()).add(mention)
    return [frozenset(entity) for entity in entities.values()]
