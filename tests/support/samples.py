"""What several tests run over: the sample, made-up rivals, experiments."""

import atexit
import random
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import corescore
from corescore import Corpus, score
from corescore.analysis.perturbation import (
    PERTURBATIONS,
    Add,
    Drop,
    DropEntities,
    Merge,
    MorePrecise,
    Split,
    perturb,
)
from corescore.replication import EXPERIMENTS
from corescore.util import bundled
from tests.support.strategies import document_of

# What several tests of the analyses run over: the sample data, and perturbations of ---------------

SAMPLE = bundled("sample_data")


def first_documents(name, n):
    """The text of the sample's first documents in the file of this name."""
    begin = "#begin document"
    documents = (SAMPLE / f"{name}.conll").read_text(encoding="utf-8").split(begin)[1 : n + 1]
    return "".join(begin + document for document in documents)


@cache
def first_files(n):
    """A folder with the sample's key and responses cut down to their first documents."""
    place = TemporaryDirectory()
    atexit.register(place.cleanup)
    for name in ("key", *RESPONSES, "heads"):
        path = Path(place.name) / f"{name}.conll"
        path.write_text(first_documents(name, n), encoding="utf-8")
    return Path(place.name)


RESPONSES = ("cautious", "greedy")
EVERY_PERTURBATION = (
    *(kind() for kind in PERTURBATIONS.values()),
    *(Drop(of=of) for of in ("correct", "unlinked", "incorrectly-resolved", "spurious")),
    Drop(type="pronoun"),
    MorePrecise(incorrect="linked"),
    *(DropEntities(order=order) for order in ("largest", "smallest")),
    *(Add(into=into) for into in ("random", "largest", "2")),
    Add(size=3, number=4),
    Split(singletons=True),
    Split(sizes="2-1"),
    Merge(number=1),
    Merge(pair="1+3"),
)


@cache
def damaged_sample():
    """The key, and the response `greedy` four times by name, each with more mentions dropped."""
    key, greedy = (corescore.read(SAMPLE / f"{name}.conll") for name in ("key", "greedy"))
    dropped = {"r1": 0.1, "r2": 0.3, "r3": 0.32, "r4": 0.7}
    return key, {
        name: perturb(key, greedy, [Drop(share=share)], seed=1) for name, share in dropped.items()
    }


@cache
def damaged_results():
    """Their scores."""
    key, responses = damaged_sample()
    return {name: corescore.score(key, response) for name, response in responses.items()}


# Made-up responses to one key, some better than others, for the tests that compare them -----------

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


# The experiments by their ids, and what tests ask of their outcomes -------------------------------

BY_ID = {experiment.id: experiment for experiment in EXPERIMENTS}


def f1_of(recall, precision=Fraction(1)):
    return 2 * recall * precision / (recall + precision)


def scores_of(outcome, metric, value="f1", **where):
    """The one figure of a metric at a point of an outcome."""
    table = outcome.table
    for column, wanted in {**where, "metric": metric}.items():
        table = table[table[column] == wanted]
    (figure,) = table[value]
    return figure
