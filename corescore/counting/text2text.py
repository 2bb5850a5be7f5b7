"""Responses in the texts that language models wrote for CRAC 2025, put onto their keys.

Such a text has each empty node as `##` after the word that it depends on, wherever it is in the
CoNLL-U file, and no heads of mentions. Both are taken from the key: the n-th `##` after a word is
the n-th of the key's empty nodes that text2text-coref writes there, and the head of a mention is
the one that udapi's corefud.MoveHead finds in the key's trees.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

import numpy as np

from corescore.corpus.documents import Attributes, Document, EmptyNode, Pieces
from corescore.counting.sides import words_of_text

_ROOT = -1
_FURTHER = 1000  # numbers from which empty nodes are counted that the key does not have


class Trees(NamedTuple):
    """The dependencies of a document.

    basic     (words,) the word that each depends on; −1 of the root and of empty nodes
    enhanced  (words,) those that it depends on in the enhanced graph, the root −1; of an empty node
              at most one, as in udapi's corefud.SingleParent
    """

    basic: Sequence[int]
    enhanced: Sequence[Sequence[int]]

    def ancestors(self, word: int) -> list[int]:
        """The word, the one that it depends on, and so on up to the root."""
        path = [word]
        while (above := self.basic[path[-1]]) >= 0 and above not in path:
            path.append(above)
        return path

    def common(self, words: Sequence[int]) -> int:
        """The lowest word that all of them depend on, itself perhaps one of them."""
        first, *others = map(self.ancestors, words)
        return next((one for one in first if all(one in path for path in others)), _ROOT)

    def head(self, words: Sequence[int], is_empty: Collection[int]) -> int:
        """The head of a mention of these words."""
        inside = {*words}
        tops = [word for word in words if self.basic[word] not in inside]
        if len(tops) == 1:
            return tops[0]
        heads = [word for word in tops if inside.isdisjoint(self.enhanced[word])]
        heads = heads or [word for word in tops if not inside.issuperset(self.enhanced[word])]
        if len(heads) < 2:
            return (heads or words)[0]
        above = [p for word in heads if word in is_empty for p in self.enhanced[word] if p >= 0]
        texts = [word for word in (*heads, *above) if word not in is_empty]
        top = self.common(texts) if texts else _ROOT
        return top if top in heads else heads[0]


def trees_of(document: Document) -> Trees | None:
    """The dependencies of a document that was read from CoNLL-U; None of any other."""
    original, lines = document.original, document.lines
    if original is None or original.format != "conllu" or lines is None:
        return None
    texts = original.text.split("\n")
    rows = [texts[line - original.line].split("\t") for line in lines.tolist()]
    basic, enhanced = [], []
    for start, end in document.sentences:
        place = {"0": _ROOT} | {rows[at][0]: at for at in range(start, end)}
        for row in rows[start:end]:
            given = [] if row[8] == "_" else [one.partition(":")[0] for one in row[8].split("|")]
            basic.append(place.get(row[6], _ROOT))
            enhanced.append([place[one] for one in given or [row[6]] if one in place])
    trees = Trees(basic, enhanced)
    for at in document.empty_nodes:
        enhanced[at] = _single(trees, enhanced[at], document.empty_nodes)
    return trees


def _single(trees: Trees, parents: Sequence[int], is_empty: Collection[int]) -> list[int]:
    """Of the words that an empty node depends on the highest."""
    if len(parents) < 2:
        return [*parents]
    texts = [one for one in parents if one not in is_empty]
    if not texts or _ROOT in texts:
        return [_ROOT] if texts else []
    top = trees.common(texts)
    return [top if top in texts else min(texts, key=lambda one: len(trees.ancestors(one)))]


def on_key(key: Document, response: Document) -> Document:
    """The response with the empty nodes and heads that its key has. Any response but a text for
    language models stays as it is, and so does one to a key that is not CoNLL-U.

    An empty node that the key does not have stays behind its word. Between the words of a mention
    the key's empty nodes belong to it.
    """
    trees = trees_of(key) if response.as_text else None
    if trees is None or not response.words:
        return response
    of_key = [at for at in range(len(key.words)) if at not in key.empty_nodes]
    node_of = _same_nodes(key, response, trees, of_key)
    places: list[tuple[int, int, int]] = []
    n_before = 0
    for at in range(len(response.words)):
        if at in node_of:
            places.append((node_of[at], 0, 0))
        elif at in response.empty_nodes:
            after = of_key[n_before] if n_before < len(of_key) else len(key.words)
            places.append((after - 1, 1, at))
        else:
            is_there = n_before < len(of_key)
            places.append((of_key[n_before] if is_there else len(key.words) + n_before, 0, 0))
            n_before += 1
    order = sorted(range(len(places)), key=places.__getitem__)
    rank = {at: number for number, at in enumerate(order)}
    rank_of_key = {places[at][0]: rank[at] for at in order if not places[at][1]}
    nodes = {rank[at]: key.empty_nodes[of] for at, of in node_of.items()}
    further = (at for at in response.empty_nodes if at not in node_of)
    nodes |= {rank[at]: EmptyNode(_FURTHER + n) for n, at in enumerate(further)}
    anchors = [places[at][0] for at in order]
    starts = np.searchsorted(anchors, key.sentence_starts).tolist()
    text = replace(
        response,
        words=tuple(response.words[at] for at in order),
        sentence_starts=tuple(dict.fromkeys((0, *(at for at in starts if at < len(order))))),
        empty_nodes=nodes,
        lines=None if response.lines is None else response.lines[order],
        original=None,
        as_text=False,
    )
    rows, heads, pieces = [], [], []
    key_of_rank = {one: of for of, one in rank_of_key.items() if of < len(key.words)}
    for start, end, entity in response.rows.tolist():
        runs = _joined(sorted(rank[at] for at in range(start, end)), nodes)
        words = [key_of_rank[at] for run in runs for at in range(*run) if at in key_of_rank]
        rows.append((runs[0][0], runs[-1][1], entity))
        heads.append(rank_of_key[trees.head(words, key.empty_nodes)] if words else -1)
        pieces.append(runs)
    return text.with_entities(rows, Attributes.of(len(rows), head=heads, pieces=pieces).or_none)


def with_blanks_of(key: Document, response: Document) -> Document:
    """The response with the blanks within words that its key has; its text has `_` there."""
    if not response.as_text or not any(" " in word for word in key.words):
        return response
    own = [at for at in range(len(response.words)) if at not in response.empty_nodes]
    words = [*response.words]
    for at, word in zip(own, words_of_text(key), strict=False):
        if words[at] == word.replace(" ", "_"):
            words[at] = word
    return replace(response, words=tuple(words))


def _joined(words: Sequence[int], nodes: Collection[int]) -> Pieces:
    """The runs of these words, joined if only empty nodes are between them."""
    runs: list[tuple[int, int]] = []
    for at in words:
        start, end = runs[-1] if runs else (at, at)
        if all(between in nodes for between in range(end, at)):
            runs[-1:] = [(start, at + 1)]
        else:
            runs.append((at, at + 1))
    return tuple(runs)


def _same_nodes(
    key: Document, response: Document, trees: Trees, of_key: Sequence[int]
) -> dict[int, int]:
    """The key's empty nodes by those of the response: first of those after the words that they
    depend on, then of those that are left where the key's file has them."""
    moved = sorted((*_slot(key, at, trees, of_key), at) for at in key.empty_nodes)
    waiting: dict[int, list[int]] = defaultdict(list)
    n_before = 0
    for at in range(len(response.words)):
        if at in response.empty_nodes:
            waiting[n_before - 1].append(at)
        else:
            n_before += 1
    n_waiting = {slot: len(of) for slot, of in waiting.items()}
    by_parent = [(slot, at) for slot, *_, at in moved]
    by_place = [(bisect_left(of_key, at) - 1, at) for at in sorted(key.empty_nodes)]
    ways = [by_parent, by_place]
    if n_waiting == Counter(slot for slot, _ in by_place) != Counter(slot for slot, _ in by_parent):
        ways.reverse()  # a text that has them where the file has them
    key_node: dict[int, int] = {}
    for way in ways:
        taken = {*key_node.values()}
        left = (pair for pair in way if pair[1] not in taken)
        for slot, of in groupby(left, key=lambda pair: pair[0]):
            for (_, at), one in zip(of, [*waiting[slot]], strict=False):
                key_node[one] = at
                waiting[slot].remove(one)
    return key_node


def _slot(key: Document, node: int, trees: Trees, of_key: Sequence[int]) -> tuple[int, bool, bool]:
    """The word of the text that an empty node follows in the text for language models, whether it
    opens a sentence there, and whether it came from elsewhere."""

    def start_of(place: int) -> int:
        return key.sentence_starts[bisect_right(key.sentence_starts, place) - 1]

    def opens(place: int) -> bool:
        return all(one in key.empty_nodes for one in range(start_of(place), place))

    here = bisect_left(of_key, node) - 1, opens(node)
    if not trees.enhanced[node]:
        return *here, False
    (parent,) = trees.enhanced[node]
    if parent == _ROOT:
        there = bisect_left(of_key, start_of(node)) - 1, True
    elif parent in key.empty_nodes:
        there = bisect_left(of_key, parent) - 1, opens(parent)
    else:
        there = bisect_left(of_key, parent), False
    return *there, here != there
