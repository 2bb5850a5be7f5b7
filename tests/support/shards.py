"""Corpora in several files, and what is compared of their tallies."""

from dataclasses import astuple

import numpy as np

import corescore
from corescore import Corpus, Document

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


def numbers(tally):
    """All that is counted, to the bit."""
    counts = {name: [a.tobytes() for a in astuple(of)] for name, of in tally.counts.items()}
    sizes = {name: of.tobytes() for name, of in tally.sizes.items()}
    scores = {name: np.array(astuple(of)[:-1]).tobytes() for name, of in tally.scores.items()}
    return tally.documents, tally.fingerprints, tally.signature, counts, sizes, scores
