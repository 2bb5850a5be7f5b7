"""What Hypothesis draws: partitions, corpora of them, and documents with words."""

from hypothesis import strategies as st

from corescore import Corpus, Document

# --- Partitions: the input of the metrics --------------------------------------------------------


def partition_pairs(max_mentions=7, max_entities=4):
    """(key, response): each mention has an entity on each side or, twinless, on one of them."""
    entity = st.none() | st.integers(0, max_entities - 1)
    return st.lists(st.tuples(entity, entity), max_size=max_mentions).map(_both_sides)


def _both_sides(rows):
    return tuple(_partition([row[side] for row in rows]) for side in (0, 1))


def _partition(labels):
    entities = {}
    for mention, label in enumerate(labels):
        if label is not None:
            entities.setdefault(label, set()).add(mention)
    return [frozenset(entity) for entity in entities.values()]


def pair_corpora(max_documents=3, **bounds):
    """A list of (key, response) pairs of partitions."""
    return st.lists(partition_pairs(**bounds), min_size=1, max_size=max_documents)


def document_of(entities, name="document"):
    """A document of partition `entities`, mention m standing at word m."""
    return Document.of_entities(name, [[(m, m + 1) for m in entity] for entity in entities])


def corpora_of(pairs):
    """The key and the response corpus of a list of pairs of partitions."""
    return tuple(
        Corpus(tuple(document_of(pair[side], f"d{at}") for at, pair in enumerate(pairs)))
        for side in (0, 1)
    )


# --- Documents with words: the input of readers and writers --------------------------------------

NAMES = st.from_regex(r"[a-z](?:[a-z0-9/_. -]{0,8}[a-z0-9])?", fullmatch=True)
# Neither blanks nor control characters, of which columns and lines are made
WORDS = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), min_size=1, max_size=5
)
SPEAKERS = st.sampled_from(("", "Ann", "Björn_B", "speaker#1"))
TAGS = st.sampled_from(("", "NNP", "PRP$", "-LRB-", "#", ","))
LEMMAS = st.sampled_from(("", "be", "der Hund", "-", "*", "O’Brien"))


@st.composite
def documents(
    draw,
    name=NAMES,
    words=WORDS,
    crossing=True,
    repeats=True,
    lemmas=False,
):
    """Words in sentences, speakers, tags, and entities of nested, repeated and crossing spans.

    Without `crossing`, no two mentions of one entity overlap unless one lies within the other. With
    `lemmas`, some documents have lemmas: for formats that keep them.
    """
    lengths = draw(st.lists(st.integers(1, 4), max_size=4))
    n = sum(lengths)
    starts = [sum(lengths[:i]) for i in range(len(lengths))]
    speakers = draw(st.lists(SPEAKERS, min_size=len(starts), max_size=len(starts)))
    tags = draw(st.just([]) | st.lists(TAGS, min_size=n, max_size=n))
    known = st.lists(LEMMAS, min_size=n, max_size=n)
    of_words = draw(st.just([]) | known) if lemmas else []
    return Document.of_rows(
        draw(name),
        _held(draw(_rows(n)), crossing, repeats),
        words=draw(st.lists(words, min_size=n, max_size=n)),
        sentence_starts=starts,
        speakers=speakers if any(speakers) else (),
        tags=tags if any(tags) else (),
        lemmas=of_words if any(of_words) else (),
    )


def _rows(n_words):
    if not n_words:
        return st.just([])
    start = st.integers(0, n_words - 1)
    span = start.flatmap(lambda s: st.tuples(st.just(s), st.integers(s + 1, n_words)))
    row = st.tuples(span, st.integers(0, 3)).map(lambda r: (*r[0], r[1]))
    return st.lists(row, max_size=8)


def rows_that_nest(n_words):
    """Rows of which no two of one entity overlap unless one lies within the other."""
    return _rows(n_words).map(lambda rows: _held(rows, crossing=False, repeats=True))


def _held(rows, crossing, repeats):
    held = []
    for row in rows:
        same = [other for other in held if other[2] == row[2]]
        crosses = not crossing and any(_cross(row, other) for other in same)
        again = not repeats and any(row[:2] == other[:2] for other in held)
        if not crosses and not again:
            held.append(row)
    return held


def _cross(one, other):
    (a, b), (c, d) = sorted((one[:2], other[:2]))
    return a < c < b < d


def corpora(document, max_documents=3):
    """Corpora of such documents, each with a name of its own."""
    drawn = st.lists(document, min_size=1, max_size=max_documents, unique_by=lambda d: d.name)
    return drawn.map(lambda all_of_them: Corpus(tuple(all_of_them)))
