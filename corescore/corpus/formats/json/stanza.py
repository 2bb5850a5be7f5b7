"""Stanza's own JSON, `doc.to_dict()`: sentences as lists of words, each with its `coref_chains`.

A word names each mention that it is in by its chain's `index`; `is_start` and `is_end` mark the
first and last word, the last inside the mention and here turned half-open. Part of speech: `xpos`,
else `upos`. The file is one document without a name. Lost: everything but words, sentences, parts
of speech, lemmas and chains.

Source: https://stanfordnlp.github.io/stanza/coref.html
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.json.fields import Row, starts_of
from corescore.corpus.formats.json.objects import parsed
from corescore.corpus.problems import InputError, Problem

Word = dict[str, Any]
_BEGINNING = re.compile(r'\s*\[\s*\[\s*\{\s*"id"\s*:')
_SHAPE = "lists of words with 'id', 'text' and, in a mention, 'coref_chains'"


def read_stanza(text: str, file: str, side: str = "key") -> Corpus:
    """The document of a file; `side` makes no difference. InputError names the first problem."""
    sentences = _sentences(parsed(text, file), file)
    starts = starts_of(sentences)
    words = [word for sentence in sentences for word in sentence]
    tags = [str(word.get("xpos") or word.get("upos") or "") for word in words]
    lemmas = [str(word.get("lemma") or "") for word in words]
    document = Document.of_rows(
        "1",
        _rows(words, file),
        words=[word["text"] for word in words],
        sentence_starts=[at for at, some in zip(starts, sentences, strict=True) if some],
        tags=tags if any(tags) else (),
        lemmas=lemmas if any(lemmas) else (),
        file=file,
        lines=np.ones(len(words), dtype=np.int64),
    )
    return Corpus((document,), file, (f"{file}: the document has no name; it is named 1.",))


def _sentences(values: object, file: str) -> list[list[Word]]:
    """The words of each sentence, without the entries for tokens of several words."""
    if not isinstance(values, list) or not all(isinstance(one, list) for one in values):
        raise _problem(file, "JSON in another shape")
    for at, entry in enumerate(chain.from_iterable(values), start=1):
        if not isinstance(entry, dict) or not isinstance(entry.get("text"), str):
            raise _problem(file, f"entry {at} without a text")
        if isinstance(entry.get("id"), list) and entry.get("coref_chains"):
            raise _problem(file, f"entry {at}, a token of several words, in a mention")
    return [[word for word in one if not isinstance(word.get("id"), list)] for one in values]


def _rows(words: Sequence[Word], file: str) -> Iterator[Row]:
    """(start, end, chain) of each mention; of two open ones of a chain, the inner closes first."""
    open_at: dict[int, list[int]] = {}
    for at, word in enumerate(words):
        places = [_place(one, at, file) for one in _list(word.get("coref_chains"))]
        for index, starts, ends in places:
            if ends and not starts:
                if not open_at.get(index):
                    raise _problem(file, f"chain {index}, which ends at word {at} without a start")
                yield open_at[index].pop(), at + 1, index
        for index, starts, ends in places:
            if starts and ends:
                yield at, at + 1, index
            elif starts:
                open_at.setdefault(index, []).append(at)
    for index, left in open_at.items():
        if left:
            raise _problem(file, f"chain {index}, whose mention at word {left[0]} has no end")


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _place(value: object, at: int, file: str) -> tuple[int, bool, bool]:
    """(chain, whether a mention starts, whether it ends)."""
    if not isinstance(value, dict) or type(value.get("index")) is not int:
        raise _problem(file, f"'coref_chains' in another shape at word {at}")
    return value["index"], value.get("is_start") is True, value.get("is_end") is True


def _problem(file: str, found: str) -> InputError:
    return InputError([Problem(file, 0, found, _SHAPE, "Write doc.to_dict() as JSON again.")])


def _fits(text: str) -> bool:
    return bool(_BEGINNING.match(text))


STANZA = Format(id="stanza", title="Stanza JSON", suffixes=(), fits=_fits, read=read_stanza)
