"""Zeros of both sides matched by the words that they depend on."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from corescore.arrays import IntArray
from corescore.corpus.documents import Document
from corescore.counting.pairs import Assign, Mentions, Pairs

Parents = frozenset[tuple[int, str]]


def same_zeros(
    key_documents: Sequence[Document],
    response_documents: Sequence[Document],
    key: Mentions,
    response: Mentions,
    *,
    assign: Assign,
) -> Pairs:
    """Zeros with zeros, one to one, so that the sum of 10·F(parent and relation) + F(parent) is
    greatest.

    A zero is a mention whose head is an empty node. F is the harmonic mean of the shares of the
    parents that both empty nodes have; 0 for one without parents, and across sentences. Pairs of 0
    are not made. CorefUD scorer 1.2.
    """
    at_key, of_key = _zeros(key_documents, key)
    at_response, of_response = _zeros(response_documents, response)
    in_sentence = defaultdict(list)
    for other, (sentence, parents) in enumerate(of_response):
        in_sentence[sentence].append((other, parents))
    scored = (
        (one, other, 10 * _f1(parents, others) + _f1(_words(parents), _words(others)))
        for one, (sentence, parents) in enumerate(of_key)
        for other, others in in_sentence[sentence]
    )
    columns = np.array([row for row in scored if row[2] > 0], dtype=np.float64).reshape(-1, 3)
    candidates = Pairs(columns[:, 0].astype(np.int64), columns[:, 1].astype(np.int64))
    found = assign(key.at(at_key), response.at(at_response), candidates, columns[:, 2])
    return Pairs(at_key[found.key], at_response[found.response])


def _zeros(
    documents: Sequence[Document], mentions: Mentions
) -> tuple[IntArray, list[tuple[tuple[int, int], Parents]]]:
    """The position of each zero; and its document and sentence, and the parents of its head."""
    at, found = [], []
    heads = zip(mentions.document.tolist(), mentions.head.tolist(), strict=True)
    for mention, (document, head) in enumerate(heads):
        node = documents[document].empty_nodes.get(head)
        if node is not None:
            sentence = bisect_right(documents[document].sentence_starts, head)
            at.append(mention)
            found.append(((document, sentence), node.parents))
    return np.array(at, dtype=np.int64), found


def _words(parents: Parents) -> frozenset[int]:
    return frozenset(position for position, _ in parents)


def _f1(key: frozenset[object], response: frozenset[object]) -> float:
    """2·common / (|key| + |response|), the harmonic mean of both shares; 0 if one is empty."""
    both = len(key) + len(response)
    return 2 * len(key & response) / both if key and response else 0.0
