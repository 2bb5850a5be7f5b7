"""WebAnno TSV 3, which INCEpTION writes too: a row a word, and the columns of a layer's features.

    #T_SP=custom.Referent|entity|infstat         a layer of spans and its columns
    #T_RL=custom.Coref|type|BT_custom.Referent   relations between its spans
    1-2<tab>4-7<tab>her<tab>person[3]|object[4]<tab>new[3]|new[4]<tab>ana<tab>1-1[1_3]

Mentions are the spans that relations of a layer `…Coref…` are on, those without a relation as
entities of their own; or the elements of chain layers (`#T_CH`, cells such as `*->2-1`: chain
and element). The first feature of a span is taken as its entity type. Relations of a
type such as `bridg…`, `split…` or `part…` are left out and counted in a warning. A span on a part
of a word takes the whole word. Lost: other layers and features.

Source: https://inception-project.github.io/releases/35.0/docs/user-guide.html#sect_formats_webannotsv3
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.standoff.links import linked
from corescore.corpus.formats.standoff.offsets import joined_runs
from corescore.corpus.formats.standoff.pairs import stem_of
from corescore.corpus.formats.standoff.webanno_rows import (
    Layer,
    Row,
    Rows,
    plain_value,
    rows_of,
    values_of,
)
from corescore.corpus.mentions import Attributes
from corescore.wording import counted

_SPAN = re.compile(r"(.*?)(?:\[(\d{1,9})\])?", re.ASCII | re.DOTALL)
_RELATION = re.compile(r"(\d+-\d+(?:\.\d+)?)(?:\[(\d{1,9})_(\d{1,9})\])?", re.ASCII)
_CHAIN = re.compile(r"(.*)->(\d{1,9})-(\d{1,9})", re.ASCII | re.DOTALL)
_COREFERENCE = re.compile(r"coref|anaph|identity", re.IGNORECASE)
_NOT_IDENTITY = re.compile(r"bridg|split|subset|part|member|assoc", re.IGNORECASE)
Key = tuple[str, str]  # of a span: its number, or the word that it stands on alone; of an element


@dataclass
class _Spans:
    """Mentions: the words of each, its type, and what else was noticed."""

    words: dict[Key, list[int]] = field(default_factory=dict)
    type: dict[Key, str] = field(default_factory=dict)
    entity: dict[Key, Key] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def read_webanno(text: str, file: str, side: str = "key") -> Corpus:
    """The one document of a file; `side` makes no difference.

    Raises InputError with the first problem found and its line.
    """
    source = rows_of(text, file)
    layers = _coreference_layers(source)
    spans = _Spans()
    for layer in layers:
        if layer.kind == "CH":
            _add_chains(spans, source, layer)
        else:
            spans = _relations(source, layer)
    keys = list(spans.words)
    runs = [joined_runs((at, at + 1) for at in spans.words[key]) for key in keys]
    document = Document.of_rows(
        PurePosixPath(stem_of(file, ".tsv")).name,
        [(run[0][0], run[-1][1], spans.entity[key]) for key, run in zip(keys, runs, strict=True)],
        words=source.words,
        sentence_starts=source.sentence_starts,
        file=file,
        attributes=Attributes.of(
            len(keys),
            pieces=[run if len(run) > 1 else () for run in runs],
            entity_type=[spans.type.get(key, "") for key in keys],
        ),
    )
    return Corpus((document,), file, (*spans.warnings, *_part_warning(source)))


def _part_warning(source: Rows) -> Iterator[str]:
    if source.parts:
        rows = counted(source.parts, "row")
        yield f"{source.file}: {rows} of parts of words: their spans took the whole words"


# Layers ------------------------------------------------------------------------------------------


def _coreference_layers(source: Rows) -> list[Layer]:
    """The layers of coreference: relations whose name says so, or one or more of chains."""
    layers = [layer for layer in source.layers if layer.kind != "SP"]
    named = [layer for layer in layers if _COREFERENCE.search(layer.name)]
    named = named or [layer for layer in layers if layer.kind == "CH"]
    if len(named) == 1 or (named and {layer.kind for layer in named} == {"CH"}):
        return named
    names = ", ".join(layer.name for layer in named or layers)
    found = f"the layers {names}" if names else "no layer of relations or chains"
    expected = "layers #T_CH, or one layer #T_RL with 'coref', 'anaph' or 'identity' in its name"
    raise source.refusal(1, found, expected, "Export the layer of coreference only.")


def _add_chains(spans: _Spans, source: Rows, layer: Layer) -> None:
    for row in source.rows:
        cells = [values_of(cell) for cell in row.cells[layer.column : layer.end]]
        elements = [values for values in cells if any(_CHAIN.fullmatch(v) for v in values)]
        if not elements and any(cells):
            found, expected = f"'{row.cells[layer.column]}' in a chain", "a cell such as *->2-1"
            raise source.refusal(row.line, found, expected, "Export the file again.")
        kinds = next((values for values in cells if values not in elements), [])
        for at, value in enumerate(elements[0] if elements else ()):
            match = _CHAIN.fullmatch(value)
            if match is None:
                found = f"'{value}' in a chain"
                raise source.refusal(row.line, found, "*->2-1", "Export the file again.")
            chain = f"{layer.name} {match[2]}"
            key = (chain, match[3])
            spans.words.setdefault(key, []).append(row.position)
            spans.entity[key] = (chain, "")
            if at < len(kinds) and (kind := _SPAN.fullmatch(kinds[at])):
                spans.type[key] = plain_value(kind[1])


def _relations(source: Rows, layer: Layer) -> _Spans:
    base = layer.features[[f.startswith("BT_") for f in layer.features].index(True)][3:]
    of = next((one for one in source.layers if one.kind == "SP" and one.name == base), None)
    if of is None:
        found = f"the relation layer {layer.name} on {base}"
        raise source.refusal(1, found, f"a header line #T_SP={base}", "Export that layer, too.")
    spans, mentions = _span_layer(source, of)
    links, others = _links(source, layer, spans)
    top = linked(spans.words, links)
    mentions.update(end for link in links for end in link)
    dropped = spans.words.keys() - mentions
    for key in dropped:
        del spans.words[key]
    spans.entity = {key: top[key] for key in spans.words}
    if others:
        kinds = ", ".join(sorted(others))
        number = counted(others.total(), "relation")
        spans.warnings.append(f"{source.file}: {number} not read as coreference: {kinds}")
    if dropped:
        spans.warnings.append(
            f"{source.file}: {counted(len(dropped), 'span')} of {of.name} without "
            f"'{of.features[0]}' and without a relation not taken as mentions"
        )
    return spans


def _span_layer(source: Rows, layer: Layer) -> tuple[_Spans, set[Key]]:
    """The spans of a layer, and those that have its first feature (`*` is one without a value)."""
    spans = _Spans()
    mentions: set[Key] = set()
    for row in source.rows:
        for column in range(layer.column, layer.end):
            for value in values_of(row.cells[column]):
                match = _SPAN.fullmatch(value)
                key = _span_key(row.number, match[2] if match else None)
                at = spans.words.setdefault(key, [])
                if row.position not in at[-1:]:
                    at.append(row.position)
                if column == layer.column and match:
                    mentions.add(key)
                    spans.type.setdefault(key, plain_value(match[1]))
    return spans, mentions


def _span_key(number: str, id: str | None) -> Key:
    """A span is known by its number; one without, or with 0, by the one row it stands on."""
    return ("span", id) if id and int(id) else ("row", number)


def _links(source: Rows, layer: Layer, spans: _Spans) -> tuple[list[tuple[Key, Key]], Counter[str]]:
    """The coreference relations, and the types of the others."""
    links: list[tuple[Key, Key]] = []
    others: Counter[str] = Counter()
    base = next(i for i, f in enumerate(layer.features) if f.startswith("BT_"))
    for row in source.rows:
        kinds = values_of(row.cells[layer.column]) if base else []
        for at, value in enumerate(values_of(row.cells[layer.column + base])):
            kind = kinds[at] if at < len(kinds) else ""
            match = _RELATION.fullmatch(value)
            ends = _ends(match, row) if match else None
            if ends is None or not spans.words.keys() >= set(ends):
                found, expected = f"the relation '{value}'", "one between two spans of the file"
                raise source.refusal(row.line, found, expected, "Export the file again.")
            if _NOT_IDENTITY.match(kind):
                others[plain_value(kind)] += 1
            else:
                links.append(ends)
    return links, others


def _ends(match: re.Match[str], row: Row) -> tuple[Key, Key]:
    return _span_key(match[1], match[2]), _span_key(row.number, match[3])


def fits_webanno(text: str) -> bool:
    """Whether the first line names the format."""
    return re.match(r"\s*#FORMAT=WebAnno TSV", text) is not None


WEBANNO = Format(
    id="webanno",
    title="WebAnno and INCEpTION TSV 3",
    suffixes=(".tsv",),
    fits=fits_webanno,
    read=read_webanno,
)
