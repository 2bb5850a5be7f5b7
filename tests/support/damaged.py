"""What the tests of errors draw and hold against: documents of overlapping spans, small sets."""

from hypothesis import strategies as st

from corescore import Corpus, Document

WORDS = st.sampled_from(["the", "The", "dog", "Ann", "it", "of", "'s", ",", "that"])


@st.composite
def span_pairs(draw, max_words: int = 8):
    """(key, response): one text, entities of nested and overlapping spans, no span twice a side."""
    words = draw(st.lists(WORDS, min_size=1, max_size=max_words))
    spans = [(s, e) for s in range(len(words)) for e in range(s + 1, len(words) + 1)]
    row = st.tuples(st.sampled_from(spans), st.integers(0, 3))
    rows = st.lists(row, max_size=8, unique_by=lambda r: r[0])
    return tuple(
        Document.of_rows("", [(*span, entity) for span, entity in draw(rows)], words=words)
        for _ in range(2)
    )


def span_corpora(max_documents: int = 3):
    """(key, response), corpora of a few such documents."""
    return st.lists(span_pairs(), min_size=1, max_size=max_documents).map(_corpora)


def _corpora(pairs):
    def named(document, number):
        rows = document.rows.tolist()
        return Document.of_rows(f"d{number}", rows, words=document.words)

    return tuple(
        Corpus(tuple(named(pair[side], number) for number, pair in enumerate(pairs)))
        for side in (0, 1)
    )


def partition(document):
    """The entities of a document as a set of sets of spans."""
    return {frozenset((m.start, m.end) for m in entity) for entity in document.entities}


def carried_out(response, table):
    """The partition that a document's operations make of the response, each really carried out.

    table  rows of `operation_table` of this document, in order
    """
    entities = [set(entity) for entity in partition(response)]
    for row in table.itertuples():
        OPERATIONS[row.operation](entities, row)
        entities = [entity for entity in entities if entity]
    return {frozenset(entity) for entity in entities}


def _holder(entities, span):
    (holder,) = (entity for entity in entities if span in entity)
    return holder


def _alter_span(entities, row):
    (span,) = row.spans
    holder = _holder(entities, span)
    assert not any(row.target in entity for entity in entities)
    holder.remove(span)
    holder.add(row.target)


def _split(entities, row):
    holder = _holder(entities, row.spans[0])
    assert holder > set(row.spans)
    holder.difference_update(row.spans)
    entities.append(set(row.spans))


def _remove(entities, row):
    holder = _holder(entities, row.spans[0])
    assert holder >= set(row.spans)
    holder.difference_update(row.spans)


def _introduce(entities, row):
    assert not any(entity & set(row.spans) for entity in entities)
    if row.target is None:
        entities.append(set())
    holder = entities[-1] if row.target is None else _holder(entities, row.target)
    holder.update(row.spans)


def _merge(entities, row):
    """The whole entity of these spans joins that of the target."""
    moved, into = _holder(entities, row.spans[0]), _holder(entities, row.target)
    assert moved == set(row.spans)
    into.update(moved)
    moved.clear()


OPERATIONS = {
    "alter span": _alter_span,
    "split": _split,
    "remove": _remove,
    "introduce": _introduce,
    "merge": _merge,
}
