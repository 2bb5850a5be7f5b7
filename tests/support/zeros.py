"""Documents with empty nodes."""

from corescore import Document
from corescore.corpus.documents import Attributes, EmptyNode


def with_zeros(zeros, *, words=("w",) * 4):
    """Words, after which stand empty nodes: {(words before, number): (entity, parents)}.

    Parents are (word of the text, relation).
    """
    order = sorted(zeros)
    position = {}
    made, nodes, rows = [], {}, []
    for at in range(len(words) + 1):
        for place in (place for place in order if place[0] == at):
            position[place] = len(made)
            made.append("_")
        if at < len(words):
            position[at] = len(made)
            made.append(words[at])
    for place in order:
        entity, parents = zeros[place]
        at = position[place]
        nodes[at] = EmptyNode(place[1], frozenset((position[p], r) for p, r in parents))
        rows.append((at, at + 1, entity))
    return Document.of_rows(
        "d",
        rows,
        words=made,
        attributes=Attributes.of(len(rows), head=[row[0] for row in rows]),
        empty_nodes=nodes,
    )
