"""Tallies and shards, compared, and the memory that reading takes."""

import tracemalloc
from dataclasses import astuple, fields

import numpy as np

import corescore
from corescore import Corpus, Document
from corescore.counting.counts import Counts
from corescore.scoring.tally import Alone, Tally
from tests.support.messages import refusal_of

# What tests of tallies share: policies to tally under, and all that a tally holds, ----------------

POLICIES = (
    {},
    {"average": "scorch", "metrics": ("muc", "bcub", "b3-0", "mor")},
    {"average": "scorch", "singletons": "e2e"},
    {"average": "stanza", "singletons": "stanza"},
    {"average": "macro", "blanc": "corefud", "match": "head", "singletons": "drop"},
    {"repeats": "reference", "words": "ignore"},
)


def bits(value):
    """All that a tally holds, floats as their bits."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {name: bits(of) for name, of in value.items()}
    if isinstance(value, Alone):
        return [*map(bits, value)]
    if isinstance(value, (Tally, Counts)):
        return [(field.name, bits(getattr(value, field.name))) for field in fields(value)]
    return value


def numbers(tally):
    return [
        (name, repr(one))
        for of in (tally.scores, tally.means, tally.macro)
        for name, one in of.items()
    ]


# Corpora in several files, and what is compared of their tallies ----------------------------------

WORDS = ("Ada", "met", "Ben", "and", "she", "waved", "to", "him")
ENTITIES = ([(0, 1), (4, 5)], [(2, 3), (7, 8)])
OTHERS = ([(0, 1), (7, 8)], [(2, 3)], [(4, 5)])
BROKEN = "#begin document (x);\nx 0 0 Ada (1\n#end document\n"


def document(name, entities=ENTITIES):
    return Document.of_entities(name, entities, words=WORDS)


def write_shards(folder, shards, ending="conll"):
    """A file for each list of documents, in order: part-0, part-1, …"""
    folder.mkdir(parents=True, exist_ok=True)
    for number, documents in enumerate(shards):
        if documents:
            corescore.write(Corpus(tuple(documents)), folder / f"part-{number}.{ending}")
    return str(folder)


def in_memory(key, response, **policies):
    return corescore.score(
        corescore.read(key), corescore.read(response, side="response"), **policies
    )


def numbers_of_shards(tally):
    """All that is counted, to the bit."""
    counts = {name: [a.tobytes() for a in astuple(of)] for name, of in tally.counts.items()}
    sizes = {name: of.tobytes() for name, of in tally.sizes.items()}
    scores = {name: np.array(astuple(of)[:-1]).tobytes() for name, of in tally.scores.items()}
    return tally.documents, tally.fingerprints, tally.signature, counts, sizes, scores


# How much memory reading takes --------------------------------------------------------------------


def peak_of(call, *arguments):
    """The most memory that a call takes at once, in bytes, be its input read or refused."""
    tracemalloc.start()
    try:
        refusal_of(call, *arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
