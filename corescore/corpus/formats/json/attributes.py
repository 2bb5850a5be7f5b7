"""What a mention has beyond its span, in fields of our own beside `clusters`.

    cluster_heads               [[2, null], …]        the position of each mention's head
    cluster_min_spans           [[[1, 2], null], …]   its minimum span, ends inclusive
    cluster_entity_types        [["person", ""], …]
    cluster_mention_types       [["name", ""], …]
    cluster_split_antecedents   [[2, [0, 1]], …]      cluster 2 refers to clusters 0 and 1

Each of the first four has the shape of `clusters`; a field is written only where something is
known. Other readers take no notice of them, and read the same clusters.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from corescore.corpus.documents import Document
from corescore.corpus.formats.json.fields import whole_numbers
from corescore.corpus.formats.json.objects import Entry
from corescore.corpus.mentions import Attributes

HEADS, MINIMUM = "cluster_heads", "cluster_min_spans"
ENTITY_TYPES, MENTION_TYPES = "cluster_entity_types", "cluster_mention_types"
SPLIT_ANTECEDENTS = "cluster_split_antecedents"
OUR_FIELDS = (HEADS, MINIMUM, ENTITY_TYPES, MENTION_TYPES, SPLIT_ANTECEDENTS)


def read_attributes(entry: Entry, n_words: int) -> Attributes | None:
    """What the fields say of the mentions, in the order of `clusters`; None without a field."""
    if entry.values.keys().isdisjoint(OUR_FIELDS[:4]):
        return None
    heads = _of_mentions(entry, HEADS, "a position or null")
    minimum = _of_mentions(entry, MINIMUM, "[start, end] or null")
    entity_types = _of_mentions(entry, ENTITY_TYPES, "a name")
    mention_types = _of_mentions(entry, MENTION_TYPES, "a name")
    good = (
        all(head is None or (type(head) is int and 0 <= head < n_words) for head in heads)
        and all(s is None or (whole_numbers(s, 2) and 0 <= s[0] <= s[1] < n_words) for s in minimum)
        and all(isinstance(name, str) for name in (*entity_types, *mention_types))
    )
    entry.require(good, *_BAD)
    return Attributes.of(
        sum(map(len, entry.values["clusters"])),
        head=[-1 if head is None else head for head in heads],
        minimum=[(-1, -1) if s is None else (s[0], s[1] + 1) for s in minimum],
        entity_type=entity_types,
        mention_type=mention_types,
    )


_BAD = (
    "a field 'cluster_…' in another shape",
    "a value for each mention, in lists like 'clusters'",
    "Fix the field or leave it out.",
)


def _of_mentions(entry: Entry, field: str, what: str) -> list[Any]:
    """A value for each mention; empty if the field is not there."""
    given = entry.values.get(field)
    if given is None:
        return []
    clusters = entry.values["clusters"]
    good = isinstance(given, list) and all(isinstance(one, list) for one in given)
    entry.require(
        good and [*map(len, given)] == [*map(len, clusters)],
        f"'{field}' in another shape than the clusters",
        f"{what} for each mention, in lists like 'clusters'",
        "Fix the field or leave it out.",
    )
    return [value for one in given for value in one]


def read_split_antecedents(entry: Entry) -> list[tuple[int, list[int]]]:
    """(cluster, the clusters it refers to) of each split antecedent."""
    given = entry.values.get(SPLIT_ANTECEDENTS)
    if given is None:
        return []
    n = len(entry.values["clusters"])
    good = isinstance(given, list) and all(_is_split(one, n) for one in given)
    expected = "a list of [cluster, [cluster, …]], clusters counted from 0"
    found = f"'{SPLIT_ANTECEDENTS}' in another shape"
    entry.require(good, found, expected, "Fix the field or leave it out.")
    return [(one[0], one[1]) for one in given]


def _is_split(one: object, n_clusters: int) -> bool:
    return (
        isinstance(one, list)
        and len(one) == 2
        and isinstance(one[1], list)
        and all(type(at) is int and 0 <= at < n_clusters for at in (one[0], *one[1]))
    )


def attribute_fields(document: Document) -> dict[str, Any]:
    """The fields that hold what is known of the mentions, none for what is unknown of all."""
    fields: dict[str, Any] = {}
    known = document.attributes
    if known is not None:
        values: dict[str, Sequence[Any]] = {
            HEADS: [head if head >= 0 else None for head in known.head.tolist()],
            MINIMUM: [[s, e - 1] if s >= 0 else None for s, e in known.minimum.tolist()],
            ENTITY_TYPES: known.entity_type,
            MENTION_TYPES: known.mention_type,
        }
        fields = {name: _by_entity(document, of) for name, of in values.items() if any(_known(of))}
    if document.split_antecedents:
        split = [[entity, [*antecedents]] for entity, antecedents in document.split_antecedents]
        fields[SPLIT_ANTECEDENTS] = split
    return fields


def _known(values: Iterable[Any]) -> Iterable[bool]:
    return (value is not None and value != "" for value in values)


def _by_entity(document: Document, values: Sequence[Any]) -> list[list[Any]]:
    lists: list[list[Any]] = [[] for _ in range(document.n_entities)]
    for entity, value in zip(document.entity_of.tolist(), values, strict=True):
        lists[entity].append(value)
    return lists
