"""PreCo: `sentences`, and `mention_clusters` of [sentence, start, end) with singletons.

Sentences and words are counted from 0, ends are exclusive already. Nothing is lost.

Source: https://preschool-lab.github.io/PreCo/
"""

import json
from collections.abc import Iterable, Iterator

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.json.fields import (
    Row,
    clusters_of,
    name_or_number,
    sentences_of,
    starts_of,
    whole_numbers,
)
from corescore.corpus.formats.json.objects import Entry, has_fields, read_objects


def read_preco(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference."""
    return read_objects(text, file, _documents)


def _documents(entry: Entry) -> Iterable[Document]:
    sentences = sentences_of(entry)
    words = [word for sentence in sentences for word in sentence]
    starts = starts_of(sentences)
    yield Document.of_rows(
        name_or_number(entry, "id", "doc_key"),
        _rows(entry, sentences, starts),
        words=words,
        sentence_starts=[at for at, words in zip(starts, sentences, strict=True) if words],
        file=entry.file,
        lines=np.full(len(words), entry.line),
    )


def _rows(entry: Entry, sentences: list[list[str]], starts: list[int]) -> Iterator[Row]:
    for number, cluster in enumerate(clusters_of(entry, "mention_clusters", "[sentence, a, b]")):
        for mention in cluster:
            good = whole_numbers(mention, 3) and (
                0 <= mention[0] < len(sentences)
                and 0 <= mention[1] < mention[2] <= len(sentences[mention[0]])
            )
            entry.require(
                good,
                f"the mention {json.dumps(mention)[:40]} in {len(sentences)} sentences",
                "[sentence, start, end], the end after the mention, within the sentence",
                "Count sentences, and the words of each, from 0.",
            )
            sentence, start, end = mention
            yield starts[sentence] + start, starts[sentence] + end, number


def _fits(text: str) -> bool:
    return has_fields(text, "sentences", "mention_clusters")


PRECO = Format(id="preco", title="PreCo", suffixes=(), fits=_fits, read=read_preco)
