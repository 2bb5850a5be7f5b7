"""What fastcoref writes: a `text`, `clusters` over its characters and their `clusters_strings`.

Offsets are [start, end) characters, and put onto the words of `corescore.corpus.tokens`; the
strings are compared with the text. The documents have no names (one in `doc_key` or `id` is taken),
so they are numbered. Lost: nothing but where a mention begins or ends within a word.

Source: https://github.com/shon-otmazgin/fastcoref
"""

from collections.abc import Iterable, Iterator

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.json.fields import (
    Row,
    check_texts,
    clusters_of,
    name_or_number,
    whole_numbers,
)
from corescore.corpus.formats.json.objects import Entry, has_fields, read_objects
from corescore.corpus.formats.standoff.offsets import Offsets, widened_warnings


def read_fastcoref(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference."""
    widened: list[str] = []

    def documents(entry: Entry) -> Iterable[Document]:
        offsets = Offsets(_text(entry))
        yield _document(entry, offsets)
        widened.extend(offsets.widened)

    corpus = read_objects(text, file, documents)
    return Corpus(corpus.documents, file, (*corpus.warnings, *widened_warnings(file, widened)))


def _text(entry: Entry) -> str:
    given = entry.values.get("text")
    expected = "'text', a string"
    entry.require(isinstance(given, str), "text in another shape", expected, "Add the text.")
    return str(given)


def _document(entry: Entry, offsets: Offsets) -> Document:
    words = offsets.tokens.words
    rows = [*_rows(entry, offsets)]
    return Document.of_rows(
        name_or_number(entry, "doc_key", "id"),
        rows,
        words=words,
        sentence_starts=offsets.sentence_starts,
        file=entry.file,
        lines=np.full(len(words), entry.line),
    )


def _rows(entry: Entry, offsets: Offsets) -> Iterator[Row]:
    text, texts = offsets.text, []
    for number, cluster in enumerate(clusters_of(entry, "clusters")):
        for span in cluster:
            found = f"the span {str(span)[:40]} in a text of {len(text)} characters"
            expected = f"0 ≤ start < end ≤ {len(text)}, around a word"
            advice = "Count characters of the text from 0; the end is the one after the mention."
            good = whole_numbers(span, 2) and 0 <= span[0] < span[1] <= len(text)
            mention = offsets.mention([span]) if good else None
            if mention is None:
                raise entry.problem(found, expected, advice)
            yield mention.start, mention.end, number
            texts.append(text[slice(*span)])
    check_texts(entry, "clusters_strings", texts)


def _fits(text: str) -> bool:
    return has_fields(text, "text", "clusters", without=("sentences", "tokens", "document"))


FASTCOREF = Format(id="fastcoref", title="fastcoref", suffixes=(), fits=_fits, read=read_fastcoref)
