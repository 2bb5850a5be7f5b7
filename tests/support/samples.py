"""What several tests of the analyses run over: the sample data, and perturbations of every kind."""

import atexit
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import corescore
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
from corescore.util import bundled

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
