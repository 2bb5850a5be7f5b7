"""A side without any mention is warned of, with the likely cause."""

import re

import pytest

from corescore import Corpus, Document, score
from corescore.corpus.files import read_bytes
from corescore.scoring.noticed import doubts
from corescore.scoring.tables import has_empty_side

TEXT = [(0, 1, 0), (2, 3, 0)]


def corpus(rows, file, **known):
    document = Document.of_rows("d", rows, words=("a", "b", "c"), file=file, **known)
    return Corpus((document,), file)


KEY = corpus(TEXT, "key.json")


def test_columns_without_mentions_may_have_them_elsewhere():
    columns = b"#begin document (d)\nd 0 0 a -\nd 0 1 b -\nd 0 2 c -\n#end document\n"
    found = score(KEY, read_bytes(columns, "r.conll"))
    assert found.warnings == (
        "r.conll has no mentions at all. Is coreference in another column than the last, or '-' in "
        "every row?",
    )
    assert has_empty_side(found)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (b'{"doc_key": "d", "tokens": ["a", "b", "c"], "clusters": []}', "Are its entities empty"),
        (
            b"# newdoc id = d\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n"
            b"2\tb\t_\t_\t_\t_\t1\tdep\t_\t_\n3\tc\t_\t_\t_\t_\t1\tdep\t_\t_\n\n",
            "Is it annotated for coreference, with 'Entity=' in the last column?",
        ),
    ],
)
def test_the_likely_cause_fits_the_format(text, cause):
    (warning,) = score(KEY, read_bytes(text, "it")).warnings
    assert warning.startswith("it has no mentions")
    assert cause in warning


@pytest.mark.parametrize("sides", [(KEY, corpus([], "it")), (corpus([], "it"), KEY)])
def test_either_side_is_warned_of(sides):
    found = score(*sides)
    (warning,) = found.warnings
    assert warning.startswith("it has no mentions")
    assert has_empty_side(found)


def test_dropped_singletons_may_leave_nothing():
    alone = corpus([(0, 1, 0), (2, 3, 1)], "r.json")
    assert score(KEY, alone, singletons="drop").warnings == (
        "r.json has no mention left of 2 mentions: entities of one mention are left out.",
    )
    assert score(KEY, alone).warnings == ()
    assert not has_empty_side(score(KEY, alone))


def test_mentions_that_the_key_has_no_words_for_leave_nothing():
    response = Document.of_rows("d", [(0, 1, 0)], words=("Hello!", "a", "b", "c"))
    found = score(KEY, Corpus((response,), "r.json"), words="align")
    assert re.fullmatch(
        r"r\.json .* left of 1 mention: none is in a text that the key has\.", found.warnings[-1]
    )


def test_sides_without_documents_are_not_warned_of():
    assert score(Corpus(()), Corpus(())).warnings == ()


ALONE = [(at, at + 1, at) for at in range(12)]
LINKED = [(0, 1, 0), (2, 3, 0), (4, 5, 1), (6, 7, 1)]


def long(rows, file):
    words = [str(at) for at in range(12)]
    return Corpus((Document.of_rows("d", rows, words=words, file=file),), file)


@pytest.mark.parametrize(
    ("key", "response", "names", "said"),
    [
        (LINKED, LINKED, ("key.conll", "a.conll"), "have the same mentions in the same entities"),
        (LINKED, LINKED[:2], ("a.conll", "my-key.conll"), "Are key and response swapped?"),
        (LINKED, LINKED[:2], ("a.conll", "gold/a.conll"), ""),
        (LINKED, LINKED[:2], ("key.conll", "keyboard.conll"), ""),
        (LINKED, LINKED[:2], ("key.conll", "gold.conll"), ""),
        (LINKED[:2], ALONE[:10], ("a.conll", "b.conll"), "10 singletons. Are key and response"),
        (LINKED[:2], ALONE[:9], ("a.conll", "b.conll"), ""),
        (ALONE, ALONE[:10], ("a.conll", "b.conll"), ""),
    ],
)
def test_files_that_are_one_or_swapped_are_doubted(key, response, names, said):
    sides = (long(rows, name) for rows, name in zip((key, response), names, strict=True))
    found = " ".join(doubts(score(*sides), *names))
    assert said in found
    assert bool(found) == bool(said)
