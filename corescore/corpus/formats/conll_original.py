"""The lines that a document in CoNLL columns was read from, so that they can be written again."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from corescore.corpus.documents import Document
from corescore.corpus.mentions import Original


def with_originals(
    documents: Sequence[Document], lines: Sequence[str], begins: Sequence[int]
) -> tuple[Document, ...]:
    """The documents, each with its lines: those up to the next one's.

    lines   of the file; those before the first document go with it
    begins  the number, from 1, of the line that begins each document
    """
    cuts = [0, *(begin - 1 for begin in begins[1:]), len(lines)]
    return tuple(
        replace(document, original=_original(lines, start, stop))
        for document, (start, stop) in zip(documents, pairwise(cuts), strict=True)
    )


def _original(lines: Sequence[str], start: int, stop: int) -> Original:
    end = "\n" if stop < len(lines) else ""  # what split has taken away
    return Original("conll", "\n".join(lines[start:stop]) + end, start + 1)
