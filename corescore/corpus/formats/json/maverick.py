"""What Maverick returns, written as JSON: `tokens` and `clusters_token_offsets`.

Offsets are inclusive [start, end] word positions, here turned half-open; `clusters_token_text` is
compared with the words. The documents have no names (one in `doc_key` or `id` is taken), so they
are numbered. Lost: the offsets in characters.

Source: https://github.com/SapienzaNLP/maverick-coref
"""

from collections.abc import Iterable

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.json.fields import check_texts, name_or_number, words_of
from corescore.corpus.formats.json.objects import Entry, has_fields, read_objects
from corescore.corpus.formats.json.spans import rows_of, with_ends_warning


def read_maverick(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference."""
    return with_ends_warning(read_objects(text, file, _documents))


def _documents(entry: Entry) -> Iterable[Document]:
    words = words_of(entry, "tokens")
    rows = rows_of(entry, "clusters_token_offsets", words)
    texts = (" ".join(words[start:end]) for start, end in rows[:, :2].tolist())
    check_texts(entry, "clusters_token_text", texts)
    yield Document.of_rows(
        name_or_number(entry, "doc_key", "id"),
        rows,
        words=words,
        file=entry.file,
        lines=np.full(len(words), entry.line),
    )


def _fits(text: str) -> bool:
    return has_fields(text, "tokens", "clusters_token_offsets")


MAVERICK = Format(id="maverick", title="Maverick", suffixes=(), fits=_fits, read=read_maverick)
