"""The policy `mentions`: mentions that are left out by the key's parse, or inside others."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError, preset, read, score
from corescore.corpus.documents import Attributes
from corescore.counting.min_spans import parse_of
from corescore.counting.pairing import is_verb_phrase, with_scored_mentions
from tests.support.parses import brackets_of, columns, parsed_sentences

SENTENCES = [
    [
        ("Ann", "(TOP(S(NP*)", "(1)"),
        ("sings", "(VP(VP*", "(2"),
        ("songs", "(NP*))", "2)|(3)"),
        ("and", "*", "-"),
        ("dances", "(VP*))))", "(4)|(1)"),
    ],
    [("This", "(TOP(S(NP*)", "(2)"), ("tires", "(VP*", "(3)"), ("her", "(NP*))))", "(1)|(4)")],
    [("It", "(TOP(S(NP*)", "(4)"), ("ends", "(VP*)))", "-")],
]


def spans_of(document):
    return [sorted((m.start, m.end) for m in entity) for entity in document.entities]


def test_verb_phrases_go_and_entities_that_they_leave_with_one_mention(corpus):
    """Entity 2 loses "sings songs" and with it "This"; 4 keeps two, 1 keeps its two names."""
    key = corpus(columns(SENTENCES))
    ((filtered, response),) = with_scored_mentions([(key.documents[0],) * 2], "np-only")
    assert spans_of(filtered) == [[(0, 1), (7, 8)], [(7, 8), (8, 9)]]
    assert response == filtered


def test_the_response_goes_by_the_parse_of_the_key(corpus):
    key = corpus(columns(SENTENCES))
    words = [w for sentence in SENTENCES for w, _, _ in sentence]
    response = Corpus((Document.of_entities("d", [{(0, 1)}, {(1, 3), (5, 6)}], words=words),))
    made = score(key, response, mentions="np-only")
    assert spans_of(made.comparison.response[0]) == [[(0, 1)]]
    assert "| mentions np-only |" in made.signature
    assert "mentions" not in score(key, response).signature
    assert made["mentions"].precision_denominator == 1


def test_an_entity_that_loses_no_mention_stays_even_with_one(corpus):
    key = corpus(columns([[("Ann", "(TOP(NP*))", "(1)")]]))
    assert score(key, key, mentions="np-only")["mentions"].recall == 1


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["(VP*)"], True),
        (["(VP*"], True),
        (["(VP*", "(NP*)))"], True),
        (["(VP(VP*", "(NP*))"], True),
        (["(S(VP*", "(NP*)))"], False),
        (["*", "(VP*)"], False),
        (["(VP*)", "*"], False),
        (["(VP*)", "(VP*)"], False),
        (["(VPX*)"], False),
        (["*"], False),
        ([], False),
    ],
)
def test_a_verb_phrase_by_the_brackets_of_its_words(cells, expected):
    assert is_verb_phrase(brackets_of(cells)) == expected


def forest_of(cells):
    """Slow oracle: the labels of the outermost nodes that the cells, read alone, make."""
    outermost, stack = [], []
    for sign in re.findall(r"\([^()*]+|\*|\)", "".join(cells)):
        if sign == ")":
            stack[-1:] = []
            continue
        if not stack:
            outermost.append(sign[1:])
        if sign != "*":
            stack.append(sign)
    return outermost


@given(parsed_sentences(), st.data())
def test_a_verb_phrase_is_the_only_outermost_node(cells, data):
    start = data.draw(st.integers(0, len(cells) - 1))
    end = data.draw(st.integers(start + 1, len(cells)))
    expected = forest_of(cells[start:end]) == ["VP"]
    assert is_verb_phrase(brackets_of(cells[start:end])) == expected


@pytest.mark.parametrize(
    ("sentences", "line", "found"),
    [
        ([[("a", "-", "(1)"), ("b", "-", "-")]], 0, "without a parse"),
        ([[("a", "(NP*)", "(1)"), ("b", "-", "-")]], 3, "column 6 with '-'"),
        ([[("a", "(NP*)", "(1)"), ("b", "(NP*)*", "-")]], 3, r"column 6 with '\(NP\*\)\*'"),
        ([[("a", "(NP*", "(1)"), ("b", "*))", "-")]], 3, r"a \) in the parse without its \("),
        ([[("a", "(NP*", "(1)")], [("b", "*)", "-")]], 2, r"leaves 1 \( open"),
    ],
)
def test_a_parse_that_is_missing_or_broken_is_refused(corpus, sentences, line, found):
    key = corpus(columns(sentences))
    place = rf"key.conll:{line}: " if line else r"key.conll: "
    with pytest.raises(InputError, match=rf"{place}.*{found}.*; expected .* in column 6"):
        score(key, key, mentions="np-only")


def test_every_document_without_a_parse_is_named(corpus):
    bare = [[("a", "-", "(1)")]]
    key = corpus(columns(bare, "(d); part 000") + columns(bare, "(e); part 000"))
    with pytest.raises(InputError) as error:
        score(key, key, mentions="np-only")
    assert len(error.value.problems) == 2


def test_what_was_not_read_from_columns_has_no_parse():
    key = Corpus((Document.of_entities("d", [{(0, 1)}], words=("a",)),))
    with pytest.raises(InputError, match="without a parse"):
        score(key, key, mentions="np-only")


def test_a_file_of_few_columns_has_no_parse(corpus):
    key = corpus("#begin document d\nd\t0\t0\ta\t(1)\nd\t0\t1\tb\t-\n\n#end document\n")
    with pytest.raises(InputError, match="column 6"):
        score(key, key, mentions="np-only")


def test_blanks_between_columns_are_read_as_tabs(corpus):
    spaced = columns(SENTENCES).replace("\t", "   ")
    (tabbed_one,) = corpus(columns(SENTENCES))
    (spaced_one,) = corpus(spaced, "spaced.conll")
    assert parse_of(spaced_one) == parse_of(tabbed_one)


@given(st.lists(parsed_sentences(), min_size=1, max_size=3))
def test_the_parse_is_read_as_it_is_written(tmp_path_factory, sentences):
    path = tmp_path_factory.mktemp("parses") / "key.conll"
    path.write_text(columns([[("w", cell, "(1)") for cell in cells] for cells in sentences]))
    (document,) = read(path)
    written = [
        "".join(f"({label}" for label in word.opened) + "*" + ")" * word.n_closed
        for word in parse_of(document)
    ]
    assert written == [cell for cells in sentences for cell in cells]


def spans(most=8):
    both = st.tuples(st.integers(0, most), st.integers(0, most))
    return both.map(lambda ends: (min(ends), max(ends) + 1))


@st.composite
def discontinuous(draw):
    """A document whose mentions may have gaps, and each mention's set of words."""
    rows, pieces = [], []
    for entity in range(draw(st.integers(1, 3))):
        for start, end in draw(st.lists(spans(), min_size=1, max_size=5)):
            gap = draw(st.integers(start, end))
            has_gap = start < gap < end - 1 and draw(st.booleans())
            pieces.append(((start, gap), (gap + 1, end)) if has_gap else ())
            rows.append((start, end, entity))
    return Document.of_rows(
        "d", rows, words="abcdefghi", attributes=Attributes.of(len(rows), pieces=pieces)
    )


def words_of(mention):
    return {at for start, end in mention.runs for at in range(start, end)}


@given(discontinuous())
def test_a_mention_inside_another_of_its_entity_goes(document):
    """Slow oracle: sets of words, each with each."""
    expected = sorted(
        sorted(m for m in entity if not any(words_of(m) < words_of(other) for other in entity))
        for entity in document.entities
    )
    ((filtered, _),) = with_scored_mentions([(document, document)], "without-nested")
    assert sorted(sorted(entity) for entity in filtered.entities) == expected
    assert filtered == Document.of_rows(
        "d",
        filtered.rows.tolist(),
        words=document.words,
        attributes=filtered.attributes,
    )


def test_mentions_inside_those_of_other_entities_stay():
    document = Document.of_entities("d", [{(0, 3), (4, 5)}, {(1, 2)}], words="abcde")
    ((filtered, _),) = with_scored_mentions([(document, document)], "without-nested")
    assert filtered == document


def test_split_antecedents_and_the_order_of_the_file_survive():
    document = Document.of_rows(
        "d",
        [(5, 6, "c"), (0, 2, "b"), (1, 2, "b"), (0, 2, "a"), (3, 4, "a")],
        words="abcdef",
        split_antecedents=[("c", ("a", "b"))],
    )
    ((filtered, _),) = with_scored_mentions([(document, document)], "without-nested")
    assert filtered.split_antecedents == document.split_antecedents
    assert filtered.listed == document.listed == (0, 1, 2)


def test_a_preset_takes_the_policy_on_top(corpus):
    key = corpus(columns(SENTENCES))
    made = score(key, key, **preset("coval", mentions="np-only"))
    assert made["muc"].recall_denominator == 2
    assert "as coval" not in made.signature
