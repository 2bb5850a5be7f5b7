"""What fastcoref writes: a `text`, `clusters` over its characters and their `clusters_strings`.

Offsets are [start, end) characters, and put onto the words of `corescore.corpus.characters`; the
strings are compared with the text. The documents have no names (one in `doc_key` or `id` is taken),
so they are numbered. Lost: nothing but where a mention begins or ends within a word.

Source: https://github.com/shon-otmazgin/fastcoref
"""

from collections.abc import Iterable, Iterator

import numpy as np

from corescore.corpus.characters import Text, Widened, in_words
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


def read_fastcoref(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference."""
    widened = Widened()

    def documents(entry: Entry) -> Iterable[Document]:
        return [_document(entry, widened)]

    corpus = read_objects(text, file, documents)
    warnings = (f"{file}: {warning}" for warning in widened.warnings())
    return Corpus(corpus.documents, file, (*corpus.warnings, *warnings))


def _document(entry: Entry, widened: Widened) -> Document:
    given = entry.values.get("text")
    expected = "'text', a string"
    entry.require(isinstance(given, str), "text in another shape", expected, "Add the text.")
    text = in_words(str(given))
    words = text.words
    rows = [*_rows(entry, text, widened)]
    return Document.of_rows(
        name_or_number(entry, "doc_key", "id"),
        rows,
        words=words,
        sentence_starts=text.sentence_starts,
        file=entry.file,
        lines=np.full(len(words), entry.line),
    )


def _rows(entry: Entry, text: Text, widened: Widened) -> Iterator[Row]:
    texts = []
    for number, cluster in enumerate(clusters_of(entry, "clusters")):
        for span in cluster:
            found = f"the span {str(span)[:40]} in a text of {len(text.text)} characters"
            expected = f"0 ≤ start < end ≤ {len(text.text)}, around a word"
            advice = "Count characters of the text from 0; the end is the one after the mention."
            entry.require(whole_numbers(span, 2), found, expected, advice)
            try:
                yield (*widened.span(text, *span), number)
            except ValueError:
                entry.require(False, found, expected, advice)
            texts.append(text.text[slice(*span)])
    check_texts(entry, "clusters_strings", texts)


def _fits(text: str) -> bool:
    return has_fields(text, "text", "clusters", without=("sentences", "tokens", "document"))


FASTCOREF = Format(id="fastcoref", title="fastcoref", suffixes=(), fits=_fits, read=read_fastcoref)
