"""Made-up corpora of a stated size, for benchmarks: no text, but mentions, entities and noise."""

from dataclasses import dataclass

import numpy as np

from corescore.corpus.documents import Corpus, Document


@dataclass(frozen=True)
class Shape:
    """How large a corpus is and how noisy its response.

    words, mentions, entities  of one document of the key, on average; entity sizes are drawn from
                               a heavy-tailed distribution (Zipf's with `tail` as exponent)
    missing, spurious          shares of the key's mentions that the response lacks, and has extra
    split, merged              shares of the entities that the response cuts in two, and joins
                               with another
    moved                      share of the mentions that the response puts into another entity
    pareto                     shape of the Pareto distribution that sizes of entities are drawn
                               from instead, if it is not 0; `entities` is not used then
    """

    documents: int
    words: int
    mentions: int
    entities: int
    tail: float = 1.0
    missing: float = 0.25
    spurious: float = 0.2
    split: float = 0.15
    merged: float = 0.1
    moved: float = 0.0
    pareto: float = 0.0


SHARED_TASK = Shape(documents=348, words=489, mentions=57, entities=13)
BOOK = Shape(documents=1, words=400_000, mentions=60_000, entities=8_000)
TANGLE = Shape(
    documents=1, words=200_000, mentions=30_000, entities=4_000, tail=0.5, moved=0.3, missing=0.1
)
SMALL_TANGLE = Shape(
    documents=1, words=2000, mentions=300, entities=40, missing=0.1, moved=0.4, merged=0.0
)
SHATTERED = Shape(
    documents=348,
    words=489,
    mentions=60,
    entities=0,
    pareto=1.0,
    moved=0.2,
    split=1 / 3,
    merged=0.0,
)
MANY = Shape(documents=10_000, words=330, mentions=38, entities=9)
SHAPES = {
    "shared-task": SHARED_TASK,
    "shattered": SHATTERED,
    "book": BOOK,
    "tangle": TANGLE,
    "many": MANY,
}


def synthesise(shape, rng):
    """A key and a response of this shape; the same for the same `rng`.

    Every document's words are w0, w1, …; key and response share them.
    """
    words = tuple(f"w{number}" for number in range(shape.words))
    pairs = [_pair(f"document{number}", shape, words, rng) for number in range(shape.documents)]
    return Corpus(tuple(key for key, _ in pairs)), Corpus(tuple(r for _, r in pairs))


def _pair(name, shape, words, rng):
    n_key, n_spurious = shape.mentions, round(shape.mentions * shape.spurious)
    spans = _spans(n_key + n_spurious, shape.words, rng)
    is_key = rng.permutation(len(spans)) < n_key
    n = int(is_key.sum())
    by_pareto = shape.pareto > 0
    of_key = (
        _pareto(n, shape.pareto, rng) if by_pareto else _zipf(n, shape.entities, shape.tail, rng)
    )
    found = np.flatnonzero(is_key)[rng.random(len(of_key)) >= shape.missing]
    entity = np.full(len(spans), -1)
    entity[is_key] = of_key
    heard = _damaged(entity[found], shape, rng)
    spurious = np.flatnonzero(~is_key)
    of_spurious = rng.choice(np.append(heard, heard.max(initial=0) + 1), len(spurious))
    rows = np.concatenate([found, spurious])
    return (
        _document(name, spans[is_key], of_key, words),
        _document(name, spans[rows], np.concatenate([heard, of_spurious]), words),
    )


def _spans(n, n_words, rng):
    """(n, 2) distinct spans of one to five words that nest or stand apart, in text order."""
    code = rng.choice(n_words // 5 * 5, n, replace=False)
    start, length = code // 5 * 5, 1 + code % 5
    order = np.lexsort((-length, start))
    return np.column_stack([start, start + length])[order]


def _zipf(n, n_entities, tail, rng):
    """(n,) entities, each with one mention or more, the sizes heavy-tailed."""
    n_entities = min(n, n_entities)
    weight = 1 / np.arange(1, n_entities + 1) ** tail
    rest = rng.choice(n_entities, n - n_entities, p=weight / weight.sum())
    return rng.permutation(np.concatenate([np.arange(n_entities), rest]))


def _pareto(n, exponent, rng):
    """(n,) entities whose sizes are drawn one after the other, the last cut to fit."""
    sizes = 1 + rng.pareto(exponent, n).astype(np.int64)
    return rng.permutation(np.repeat(np.arange(n), sizes.clip(max=n))[:n])


def _damaged(entity, shape, rng):
    """(mentions,) the entities after moving mentions, merging entities and cutting them."""
    n = int(entity.max(initial=-1)) + 1
    entity = _moved(entity, shape, rng)
    joins = np.flatnonzero(rng.random(n) < shape.merged)
    target = np.arange(n)
    target[joins] = rng.integers(0, max(n, 1), len(joins))
    cut = rng.random(n) < shape.split
    second_half = cut[entity] & (rng.random(len(entity)) < 0.5)
    return target[entity] + n * second_half


def _moved(entity, shape, rng):
    """(mentions,) the entities after moving mentions to the entities of others."""
    moves = rng.random(len(entity)) < shape.moved
    return np.where(moves, rng.permutation(entity), entity)


def _document(name, spans, entity, words):
    rows = zip(*spans.T.tolist(), entity.tolist(), strict=True)
    return Document.of_rows(name, rows, words=words)
