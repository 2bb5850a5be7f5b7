"""SciERC and DyGIE++: JSON Lines as e2e-coref has them, with entities and relations beside.

`clusters` are inclusive [start, end] positions in the document, here turned half-open; the label
that `ner` gives to the same span is a mention's entity type. DyGIE++ writes `predicted_clusters`
and `predicted_ner`. Lost: relations and events, but for a line that is written again.

Source: https://github.com/dwadden/dygiepp/blob/master/doc/data.md
"""

from dataclasses import replace
from typing import Any

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.json.e2e import GOLD, e2e_document
from corescore.corpus.formats.json.jsonl import read_lines
from corescore.corpus.formats.json.objects import Entry, has_fields
from corescore.corpus.formats.json.spans import with_ends_warning
from corescore.corpus.mentions import Attributes


def read_scierc(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file. The response side is `predicted_clusters` if the lines have it."""
    return with_ends_warning(read_lines(text, file, side, _document))


def _document(entry: Entry, field: str) -> Document:
    document = e2e_document(entry, field)
    types = _types(entry, "ner" if field == GOLD else "predicted_ner")
    if document.attributes is not None or not types:
        return document
    spans = document.spans.tolist()
    of_mentions = [types.get((start, end), "") for start, end in spans]
    if not any(of_mentions):
        return document
    return replace(document, attributes=Attributes.of(len(spans), entity_type=of_mentions))


def _types(entry: Entry, field: str) -> dict[tuple[int, int], str]:
    """The label of each span, the first where there are several."""
    given = entry.values.get(field)
    if given is None:
        return {}
    lists = given if isinstance(given, list) else [given]
    entry.require(
        all(isinstance(one, list) and all(map(_is_label, one)) for one in lists),
        f"'{field}' in another shape",
        "a list of [start, end, label] for each sentence",
        "Fix the list or leave it out.",
    )
    labels = [label for one in lists for label in one]
    return {(start, end + 1): label for start, end, label, *_ in reversed(labels)}


def _is_label(value: Any) -> bool:
    is_long = isinstance(value, list) and len(value) >= 3
    return is_long and [*map(type, value[:3])] == [int, int, str]


def _fits(text: str) -> bool:
    return any(
        has_fields(text, "sentences", clusters, labels)
        for clusters in ("clusters", "predicted_clusters")
        for labels in ("ner", "relations", "predicted_ner")
    )


SCIERC = Format(id="scierc", title="SciERC / DyGIE++", suffixes=(), fits=_fits, read=read_scierc)
