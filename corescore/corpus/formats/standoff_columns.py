"""Standoff formats whose words stand in rows: WebAnno TSV 3 and BookNLP.

WebAnno TSV 3, which INCEpTION writes too: one row per word, and the columns of a layer's features.

    #T_SP=custom.Referent|entity|infstat         a layer of spans and its columns
    #T_RL=custom.Coref|type|BT_custom.Referent   relations between its spans
    1-2<tab>4-7<tab>her<tab>person[3]|object[4]<tab>new[3]|new[4]<tab>ana<tab>1-1[1_3]

Mentions are the spans that relations of a layer `…Coref…` are on, those without a relation as
entities of their own; or the elements of chain layers (`#T_CH`, cells such as `*->2-1`: chain
and element). The first feature of a span is taken as its entity type. Relations of a
type such as `bridg…`, `split…` or `part…` are left out and counted in a warning. A span on a part
of a word takes the whole word. Lost: other layers and features.

Source: https://inception-project.github.io/releases/35.0/docs/user-guide.html#sect_formats_webannotsv3

BookNLP: `x.entities` with one mention per row, by word numbers of `x.tokens`, one word per row.

    COREF  start_token  end_token  prop  cat  text       .entities; both ends inclusive
    … sentence_ID … token_ID_within_document  word …     .tokens; columns by their names

Lost: quotations and events (`.quotes`, `.supersense`), which say nothing of coreference.

Source: https://github.com/booknlp/booknlp
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from corescore.corpus.documents import Corpus
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.standoff import (
    Found,
    alone,
    document_of,
    joined_runs,
    linked,
    pair_of,
    quoted,
    run_of,
    stem_of,
    with_ending,
)
from corescore.corpus.packed import in_lines
from corescore.corpus.problems import InputError, Problem, Problems
from corescore.wording import counted

# WebAnno -----------------------------------------------------------------------------------------

_HEADER = re.compile(r"#T_(SP|RL|CH)=(\S.*)")

_ROW = re.compile(r"(\d{1,9})-(\d{1,9})(\.\d{1,9})?", re.ASCII)

_WORD_COLUMNS = 3


@dataclass(frozen=True)
class Layer:
    """A layer of the header: its kind (SP, RL or CH), its name, and where its columns begin."""

    kind: str
    name: str
    features: tuple[str, ...]
    column: int

    @property
    def end(self) -> int:
        return self.column + max(1, len(self.features))


@dataclass(frozen=True)
class ColumnRow:
    """A row: its line, the position of its word, its number as written, and its cells."""

    line: int
    position: int
    number: str
    cells: tuple[str, ...]


@dataclass
class Rows:
    """The header and the rows of a file."""

    file: str
    layers: list[Layer] = field(default_factory=list)
    rows: list[ColumnRow] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    sentence_starts: list[int] = field(default_factory=list)
    parts: int = 0

    def refusal(self, line: int, found: str, expected: str, advice: str) -> InputError:
        return InputError([Problem(self.file, line, found, expected, advice)])


def rows_of(text: str, file: str) -> Rows:
    """The rows of a file. Raises InputError with the first problem found and its line."""
    source = Rows(file)
    position: dict[str, int] = {}
    sentence = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if header := _HEADER.fullmatch(line):
            _add_layer(source, header[1], header[2], number)
        elif line.strip() and line[0] != "#":
            row = _row(source, line, number, position)
            of = row.number.partition("-")[0]
            if of != sentence:
                source.sentence_starts.append(row.position)
                sentence = of
            source.rows.append(row)
    return source


def _add_layer(source: Rows, kind: str, names: str, number: int) -> None:
    name, *features = names.rstrip().split("|")
    column = source.layers[-1].end if source.layers else _WORD_COLUMNS
    if kind == "RL" and not any(feature.startswith("BT_") for feature in features):
        found = f"the relation layer {name} without a column BT_"
        raise source.refusal(number, found, "the layer it is on", "Export the file again.")
    source.layers.append(Layer(kind, name, tuple(features), column))


def _row(source: Rows, line: str, number: int, position: dict[str, int]) -> ColumnRow:
    cells = line.split("\t")
    if cells[-1] == "":
        del cells[-1]  # rows end in a tab
    width = source.layers[-1].end if source.layers else _WORD_COLUMNS
    match = _ROW.fullmatch(cells[0])
    if match is None or len(cells) != width or not cells[2].strip():
        found = f"'{line[:40]}'" if match is None else f"{len(cells)} columns"
        expected = f"sentence-word, characters, word and {width - _WORD_COLUMNS} columns of layers"
        raise source.refusal(number, found, expected, "Export the file again.")
    word = f"{match[1]}-{match[2]}"
    if match[3] and word in position:
        source.parts += 1
    elif match[3] or word in position:
        raise source.refusal(number, f"the row {cells[0]}", "each word once", "Fix the number.")
    else:
        position[word] = len(source.words)
        source.words.append(cells[2])
    return ColumnRow(number, position[word], cells[0], tuple(cells))


def values_of(cell: str) -> list[str]:
    """The stacked values of a cell; none of `_`."""
    return [] if cell == "_" else re.split(r"(?<!\\)\|", cell)


def plain_value(value: str) -> str:
    """A value without the marks before its own brackets and bars; "" if it stands for none."""
    return "" if value in ("*", "_") else re.sub(r"\\(.)", r"\1", value)


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
    found = [
        Found(
            joined_runs((at, at + 1) for at in places),
            spans.entity[key],
            spans.type.get(key, ""),
        )
        for key, places in spans.words.items()
    ]
    name = PurePosixPath(stem_of(file, ".tsv")).name
    document = document_of(name, file, source.words, source.sentence_starts, found)
    rows = counted(source.parts, "row")
    warning = f"{file}: {rows} of parts of words: their spans took the whole words"
    return Corpus((document,), file, (*spans.warnings, *(warning,) * bool(source.parts)))


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


def _ends(match: re.Match[str], row: ColumnRow) -> tuple[Key, Key]:
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

# BookNLP -----------------------------------------------------------------------------------------

_ENTITIES = ("COREF", "start_token", "end_token", "prop", "cat", "text")

_TOKENS = ("sentence_ID", "token_ID_within_document", "word")

_TAG, _LEMMA = "fine_POS_tag", "lemma"


@dataclass(frozen=True)
class _Table:
    """A tab-separated file with a header: the rows, each with its line, and where columns are."""

    file: str
    columns: dict[str, int]
    rows: tuple[tuple[int, tuple[str, ...]], ...]

    def values(self, name: str) -> list[str]:
        at = self.columns[name]
        return [cells[at] for _, cells in self.rows]

    def values_if_any(self, name: str) -> list[str]:
        """The values of a column that may be missing, or empty throughout: then none."""
        found = self.values(name) if name in self.columns else []
        return found if any(found) else []


def _table(text: str, file: str, names: tuple[str, ...]) -> _Table:
    """Raises InputError where a column of these names is missing, or rows differ in length."""
    lines = in_lines(text.removeprefix("\ufeff")).split("\n")
    header = lines[0].split("\t")
    columns = {name: at for at, name in enumerate(header)}
    if missing := [name for name in names if name not in columns]:
        found = f"no column {' and '.join(missing)}"
        expected = f"a header with {', '.join(names)} between tabs"
        raise InputError([Problem(file, 1, found, expected, "Add the header of BookNLP.")])
    rows: list[tuple[int, tuple[str, ...]]] = []
    problems = Problems()
    for n, line in enumerate(lines[1:], start=2):
        cells = tuple(line.split("\t"))
        if line and len(cells) != len(header):
            expected = f"{len(header)}, as in line 1"
            problems.add(Problem(file, n, f"{len(cells)} columns", expected, "Fix the row."))
        elif line and not problems:
            rows.append((n, cells))
    problems.refuse()
    return _Table(file, columns, tuple(rows))


def read_booknlp(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
    """The document of a pair of files; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    pair = pair_of(texts, place, ".entities", ".tokens")
    entities = _table(pair.first, pair.file, _ENTITIES)
    tokens = _table(pair.second, pair.other, _TOKENS)
    words, position = tokens.values("word"), _positions(tokens)
    found: list[Found] = []
    problems = Problems()
    columns = [entities.columns[name] for name in _ENTITIES]
    for number, cells in entities.rows:
        entity, start, end, mention_type, entity_type, text = (cells[at] for at in columns)
        run = run_of(position, start, end)
        there = " ".join(words[slice(*run)]) if run else ""
        advice = "Take the tokens of the same run."
        if run is None:
            here = f"a mention from word {start} to {end}"
            expected = f"words of {pair.other}, which has {len(words)}"
        elif text.split() != there.split():
            here = f"{quoted(text)} from word {start} to {end}, where {quoted(there)} stands"
            expected = f"the words of {pair.other}"
        elif not entity.strip():
            here, expected, advice = "a mention without an entity", "a number", "Add it."
        else:
            found.append(Found((run,), entity, entity_type, mention_type))
            continue
        problems.add(Problem(pair.file, number, here, expected, advice))
    problems.refuse()
    of = tokens.values("sentence_ID")
    starts = [at for at in range(len(of)) if at == 0 or of[at] != of[at - 1]]
    tags, lemmas = map(tokens.values_if_any, (_TAG, _LEMMA))
    document = document_of(pair.name, pair.file, words, starts, found, tags=tags, lemmas=lemmas)
    return Corpus((document,), pair.file)


def _positions(tokens: _Table) -> dict[str, int]:
    """The position of each word by its number in the document, as it is written."""
    position: dict[str, int] = {}
    at = tokens.columns["token_ID_within_document"]
    for number, cells in tokens.rows:
        if cells[at] in position:
            found = f"a second word {cells[at]}"
            problem = Problem(tokens.file, number, found, "each number once", "Fix the row.")
            raise InputError([problem])
        position[cells[at]] = len(position)
    return position


def fits_booknlp(text: str) -> bool:
    """Whether the first line is the header of an .entities file."""
    return text.lstrip("\ufeff").startswith("COREF\tstart_token\tend_token\t")


BOOKNLP = Format(
    id="booknlp",
    title="BookNLP (.entities with .tokens)",
    suffixes=(".entities",),
    fits=fits_booknlp,
    read=lambda text, file, side: read_booknlp(*alone(text, file)),
    beside=with_ending(".entities", ".tokens"),
    read_files=read_booknlp,
)
