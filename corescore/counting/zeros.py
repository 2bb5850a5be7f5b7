"""Zeros of both sides matched by the words that they depend on."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from corescore.corpus.documents import Document
from corescore.counting.pairs import Mentions, Pairs, assigned

Parents = frozenset[tuple[int, str]]


def same_zeros(
    key_documents: Sequence[Document],
    response_documents: Sequence[Document],
    key: Mentions,
    response: Mentions,
) -> Pairs:
    """Zeros with zeros, one to one, so that the sum of 10·F(parent and relation) + F(parent) is
    greatest.

    A zero is a mention whose head is an empty node. F is the harmonic mean of the shares of the
    parents that both empty nodes have; 0 for one without parents, and across sentences. Pairs of 0
    are not made. CorefUD scorer 1.2.
    """
    of_sentence = defaultdict(list)
    for at, sentence, parents in _zeros(response_documents, response):
        of_sentence[sentence].append((at, parents))
    pairs = [
        (at, other, 10 * _f1(parents, others) + _f1(_words(parents), _words(others)))
        for at, sentence, parents in _zeros(key_documents, key)
        for other, others in of_sentence[sentence]
    ]
    made = [pair for pair in pairs if pair[2] > 0]
    columns = np.array(made, dtype=np.float64).reshape(-1, 3)
    places = columns[:, :2].astype(np.int64)
    return assigned(Pairs(places[:, 0], places[:, 1]), columns[:, 2])


def _zeros(
    documents: Sequence[Document], mentions: Mentions
) -> Iterator[tuple[int, tuple[int, int], Parents]]:
    """The position of each zero, its document and sentence, and the parents of its head."""
    for at, (document, head) in enumerate(
        zip(mentions.document.tolist(), mentions.head.tolist(), strict=True)
    ):
        node = documents[document].empty_nodes.get(head)
        if node is not None:
            sentence = bisect_right(documents[document].sentence_starts, head)
            yield at, (document, sentence), node.parents


def _words(parents: Parents) -> frozenset[int]:
    return frozenset(position for position, _ in parents)


def _f1(key: frozenset[object], response: frozenset[object]) -> float:
    """2·common / (|key| + |response|), the harmonic mean of both shares; 0 if one is empty."""
    both = len(key) + len(response)
    return 2 * len(key & response) / both if key and response else 0.0
