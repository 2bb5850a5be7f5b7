"""What AllenNLP's coreference predictor prints: the words in `document`, and `clusters`.

Clusters are inclusive [start, end] word positions, here turned half-open. The documents have no
names (one in `doc_key` or `id` is taken), so they are numbered. Lost: sentences, which it does not
have, and the spans and antecedents that the model considered.

Source: https://docs.allennlp.org/models/main/models/coref/predictors/coref/
"""

from collections.abc import Iterable

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.json.fields import name_or_number, words_of
from corescore.corpus.formats.json.objects import Entry, has_fields, read_objects
from corescore.corpus.formats.json.spans import rows_of, with_ends_warning


def read_allennlp(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference."""
    return with_ends_warning(read_objects(text, file, _documents))


def _documents(entry: Entry) -> Iterable[Document]:
    words = words_of(entry, "document")
    yield Document.of_rows(
        name_or_number(entry, "doc_key", "id"),
        rows_of(entry, "clusters", words),
        words=words,
        file=entry.file,
        lines=np.full(len(words), entry.line),
    )


def _fits(text: str) -> bool:
    return has_fields(text, "document", "clusters", without=("sentences", "tokens"))


ALLENNLP = Format(
    id="allennlp", title="AllenNLP predictor", suffixes=(), fits=_fits, read=read_allennlp
)
