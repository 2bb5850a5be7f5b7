"""scorch's JSON: `{"type": "clusters", …}` and `{"type": "graph", …}`, mentions by their names.

    {"type": "clusters", "clusters": {"0": ["a", "b"], "1": ["c"]}}
    {"type": "graph", "mentions": ["a", "b", "c"], "links": [["a", "b"]]}

A name is any string: there are no words and no positions, so that a mention is the same on both
sides if its name is. Entities of a graph are what its links connect. Nothing is lost.

Source: https://github.com/LoicGrobol/scorch
"""

from collections.abc import Iterable, Sequence

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.json.fields import name_or_number
from corescore.corpus.formats.json.objects import Entry, has_fields, read_objects


def read_scorch(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference."""
    return read_objects(text, file, _documents)


def _documents(entry: Entry) -> Iterable[Document]:
    kind = entry.values.get("type")
    entry.require(
        kind in ("clusters", "graph"),
        f"the type {str(kind)[:40]!r}",
        "'clusters' or 'graph'",
        "Name the type of the file.",
    )
    entities = _clusters(entry) if kind == "clusters" else _components(entry)
    position: dict[str, int] = {}
    rows = [
        (at := position.setdefault(mention, len(position)), at + 1, number)
        for number, entity in enumerate(entities)
        for mention in entity
    ]
    yield Document.of_rows(
        name_or_number(entry, "name"),
        rows,
        words=tuple(position),
        named_mentions=True,
        file=entry.file,
    )


def _clusters(entry: Entry) -> Sequence[Sequence[str]]:
    clusters = entry.values.get("clusters")
    entities = [*clusters.values()] if isinstance(clusters, dict) else [None]
    good = all(_are_names(entity) for entity in entities)
    expected = "'clusters', an object of lists of names"
    entry.require(good, "clusters in another shape", expected, "Write {} where there are none.")
    return [entity for entity in entities if entity is not None]


def _components(entry: Entry) -> Iterable[Sequence[str]]:
    mentions, links = entry.values.get("mentions"), entry.values.get("links")
    entry.require(
        _are_names(mentions)
        and isinstance(links, list)
        and all(_are_names(link) and len(link) == 2 for link in links),
        "a graph in another shape",
        "'mentions', a list of names, and 'links', a list of pairs of them",
        "Write [] where there are none.",
    )
    entity = {mention: [mention] for mention in mentions or ()}
    for one, other in links or ():
        missing = next((name for name in (one, other) if name not in entity), None)
        expected = "links of names in 'mentions'"
        entry.require(missing is None, f"a link to {missing!r}", expected, "Add the mention.")
        larger, smaller = sorted((entity[one], entity[other]), key=len, reverse=True)
        if larger is not smaller:
            larger += smaller
            entity.update(dict.fromkeys(smaller, larger))
    return {id(members): members for members in entity.values()}.values()


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _fits(text: str) -> bool:
    of_graph = has_fields(text, "type", "mentions", "links")
    return of_graph or has_fields(text, "type", "clusters", without=("sentences", "tokens"))


SCORCH = Format(id="scorch", title="scorch JSON", suffixes=(), fits=_fits, read=read_scorch)
