"""Words onto words, and positions of words that are not in the text."""

from itertools import accumulate, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError, preset, score
from corescore.corpus.documents import Attributes, EmptyNode
from corescore.counting.sides import with_positions_of, without_absent
from corescore.counting.words import (
    LENGTHS,
    MOST_CELLS,
    NOTHING,
    align,
    normalised,
    realigned,
)
from tests.support.texts import with_zeros
from tests.support.work import lines_run

# Which key words the words of another version of a text stand for ---------------------------------

WORDS = st.lists(st.text("abc", min_size=1, max_size=4), max_size=12)
ANY_WORDS = st.lists(st.text(max_size=4), max_size=8)


def stands_for(key, response):
    """What each response word stands for, as text; "" for nothing."""
    ours = key.split()
    found = align(ours, response.split())
    return [" ".join(ours[s:e]) for s, e in zip(found.start, found.end, strict=True)]


def is_same_text(found):
    """Whether both say the same, character by character."""
    return not (len(found.changed) or len(found.added) or len(found.dropped))


def test_words_that_notations_write_otherwise_are_the_same():
    key, response = "`` Do n't go -LRB- now /- 1\\/2 -RRB- '' /?", 'Do n’t go ( now – 1/2 ) "'
    assert stands_for(key, response) == key.split()[1:-1]


@pytest.mark.parametrize(
    "key, response",
    [
        ("Müller’s café", "muller ' s cafe"),
        ("unhappiness is", "un ##happi ##ness is"),
        ("unhappiness is", "▁un happi ness ▁is"),
        ("low er", "low@@ er"),
        ("Ｔｏｋｙｏ １２", "Tokyo 12"),
        ("e\u0301te\u0301", "été"),
        ("fi\u200dne", "ﬁne"),
        ("a b c", "abc"),
        ("...", "… "),
        ("a \u0301", "a \u0301"),
    ],
)
def test_another_tokenisation_is_the_same_text(key, response):
    assert is_same_text(align(key.split(), response.split()))


@pytest.mark.parametrize("word", ["", " ", "\u200b", "▁", "\n"])
def test_a_word_without_a_visible_character_is_no_change(word):
    assert normalised(word) == NOTHING
    found = align(["a", "b"], ["a", word, "b"])
    assert is_same_text(found)
    assert [*found.end] == [1, 0, 2]


@pytest.mark.parametrize(
    "key, response, expected",
    [
        ("Obama 's dog", "Obama's dog", ["Obama 's", "dog"]),
        ("Kirk saw the colour", "[UNK] saw the color", ["Kirk", "saw", "the", "colour"]),
        ("x 1 2 3 y", "x # % y", ["x", "1 2", "2 3", "y"]),
        ("x 1 y", "x # % y", ["x", "1", "1", "y"]),
    ],
)
def test_several_words_in_the_place_of_several_share_them(key, response, expected):
    assert stands_for(key, response) == expected
    found = align(key.split(), response.split())
    assert [*found.added] == [*found.dropped] == []


def test_a_long_stretch_of_other_words_stands_for_nothing():
    key, response = "x 1 2 3 4 5 6 7 y", "x # # # # # # # y"
    assert stands_for(key, response) == ["x", *[""] * 7, "y"]
    found = align(key.split(), response.split())
    assert [*found.added] == [*found.dropped] == [1, 2, 3, 4, 5, 6, 7]


def test_added_and_dropped_words_are_told_and_their_neighbours_stay():
    found = align(["she", "saw", "Sam", "yesterday"], ["she", "Sam", "yesterday", ",", "too"])
    assert [*found.start] == [0, 2, 3, 0, 0]
    assert ([*found.dropped], [*found.added], [*found.changed]) == ([1], [3, 4], [])


def test_the_share_is_of_the_shorter_text():
    assert align(list("abcd"), list("ab")).share == 1
    assert align(list("abcd"), list("wxyz")).share == 0
    assert align([], []).share == align(["a"], []).share == 1


@given(WORDS, st.data())
def test_the_same_characters_are_found_whatever_the_words(words, data):
    text = "".join(words)
    cuts = data.draw(st.sets(st.integers(1, len(text) - 1)) if len(text) > 1 else st.just(set()))
    bounds = [*pairwise([0, *sorted(cuts), len(text)])] if text else []
    found = align(words, [text[start:end] for start, end in bounds])
    assert is_same_text(found)
    word_at = [number for number, word in enumerate(words) for _ in word]
    covered = [(word_at[start], word_at[end - 1] + 1) for start, end in bounds]
    assert [*zip(found.start, found.end, strict=True)] == covered


@given(ANY_WORDS, ANY_WORDS)
def test_any_two_texts_are_aligned_in_order(key, response):
    found = align(key, response)
    known = found.end > 0
    assert (found.start[known] < found.end[known]).all()
    assert (found.end <= len(key)).all()
    assert (np.diff(found.start[known]) >= 0).all()
    assert (np.diff(found.end[known]) >= 0).all()
    assert 0 <= found.share <= 1


def test_long_texts_are_aligned_around_what_is_unlike():
    """Beyond what difflib is given, with runs that are unique and without any."""
    words = [f"w{i}" for i in range(5000)]
    other = ["X", *words[:2000], *words[2005:4000], "Y", "Z", *words[4000:]]
    found = align(words, other)
    assert [*found.dropped] == [2000, 2001, 2002, 2003, 2004]
    assert [other[at] for at in found.added] == ["X", "Y", "Z"]
    assert min(len(words), len(other)) ** 2 > MOST_CELLS

    equal = align(["x", *["a"] * 5000, "y"], ["p", *["a"] * 5001, "q"])
    assert equal.share > 0.99
    assert len(equal.dropped) + len(equal.added) <= max(LENGTHS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["changed", "equal", "reversed"])
def test_twice_as_many_words_are_twice_the_work(kind):
    def work(n):
        words = [f"w{i % 7000}" for i in range(n)] if kind != "equal" else ["a"] * n
        changed = [word if i % 9 else "?" for i, word in enumerate(words)]
        return lines_run(align, words, words[::-1] if kind == "reversed" else changed)

    assert work(30_000) < 2.5 * work(15_000)


# A response over the words of its key -------------------------------------------------------------


def document(text, rows=(), **known):
    return Document.of_rows("d", rows, words=text.split(), **known)


def over(key, response):
    return realigned(document(key), response)[0]


def texts(document):
    return [document.text(mention) for mention in document.mentions]


def test_attributes_move_with_their_mentions():
    """A head that is left out is unknown."""
    attributes = Attributes.of(
        3,
        head=[3, 5, 6],
        minimum=[(2, 4), (5, 6), (-1, -1)],
        entity_type=["person", "", "time"],
    )
    response = document(
        "the old wo man see uh today", [(0, 4, 0), (4, 6, 1), (6, 7, 0)], attributes=attributes
    )
    found = over("the old woman see today", response).attributes
    assert found.head.tolist() == [2, -1, 4]
    assert found.minimum.tolist() == [[2, 3], [-1, -1], [-1, -1]]
    assert found.entity_type == ("person", "", "time")


def test_pieces_move_and_those_that_touch_are_joined():
    attributes = Attributes.of(2, pieces=[((0, 1), (2, 3)), ((0, 1), (4, 5))])
    response = document("a uh b c d", [(0, 3, 0), (0, 5, 1)], attributes=attributes)
    found = over("a b c d", response)
    assert sorted(texts(found)) == ["a b", "a … d"]
    assert {mention.runs for mention in found.mentions} == {((0, 2),), ((0, 1), (3, 4))}


def test_sentences_speakers_tags_lemmas_and_lines_move():
    response = document(
        "He ca n't . uh Yes",
        [(0, 1, 0)],
        sentence_starts=[0, 4, 5],
        speakers=["Ann", "Ben", "Cy"],
        tags=["PRP", "MD", "RB", ".", "UH", "UH"],
        lemmas=["he", "can", "not", ".", "uh", "yes"],
        lines=np.array([2, 3, 4, 5, 7, 9]),
    )
    found = over("He can't . Yes !", response)
    assert found.words == ("He", "can't", ".", "Yes", "!")
    assert (found.sentence_starts, found.speakers) == ((0, 3), ("Ann", "Cy"))
    assert found.tags == ("PRP", "MD", ".", "UH", "")
    assert found.lemmas == ("he", "can", ".", "yes", "")
    assert found.lines.tolist() == [2, 3, 5, 9, 9]


def test_words_before_the_first_belong_to_its_sentence():
    """A sentence that is left out takes its speaker with it."""
    response = document("He left . Yes", sentence_starts=[0, 3], speakers=["Ann", "Ben"])
    found = over("Well , you see , I mean no , really , he left . Yes", response)
    assert (found.sentence_starts, found.speakers) == ((0, 14), ("Ann", "Ben"))
    found = over("Yes", response)
    assert (found.sentence_starts, found.speakers) == ((0,), ("Ben",))


def test_the_order_in_which_the_file_opens_entities_stays_and_what_is_said_of_them():
    response = document(
        "a b c",
        [(0, 2, "x"), (0, 1, "y"), (0, 2, "z")],
        split_antecedents=[("z", ["x", "y"])],
        genre="news",
    )
    found = over("ab c", response)
    assert response.listed == found.listed == (2, 0, 1)
    assert response.split_antecedents == found.split_antecedents
    assert found.genre == "news"


def test_empty_nodes_stay_behind_their_words():
    response = document(
        "vio lo * comió",
        [(0, 1, 0), (2, 3, 0)],
        empty_nodes={2: EmptyNode(1, frozenset({(3, "nsubj"), (-1, "root")}))},
    )
    found = over("violo comió .", response)
    assert found.words == ("violo", "*", "comió", ".")
    assert texts(found) == ["violo", "∅*"]
    assert found.empty_nodes == {1: EmptyNode(1, frozenset({(2, "nsubj"), (-1, "root")}))}


# --- Scores ---------------------------------------------------------------------------------------


@st.composite
def retokenised(draw):
    """Key and response over the same words, and the response in another tokenisation.

    Words are cut anywhere, and joined where no mention begins or ends.
    """
    words = draw(st.lists(st.text("abcé", min_size=1, max_size=4), min_size=1, max_size=10))
    spans = st.tuples(st.integers(0, len(words) - 1), st.integers(1, 4)).map(
        lambda at: (at[0], min(at[0] + at[1], len(words)))
    )
    rows = st.lists(st.tuples(spans, st.integers(0, 2)), max_size=8, unique_by=lambda row: row[0])
    key, response = ([(*span, entity) for span, entity in draw(rows)] for _ in "kr")
    ends = [0]
    for word in words:
        ends.append(ends[-1] + len(word))
    needed = {ends[place] for start, end, _ in response for place in (start, end)}
    cuts = draw(st.sets(st.integers(1, ends[-1]))) | needed | {0, ends[-1]}
    places = sorted(cuts)
    number = {place: at for at, place in enumerate(places)}
    text = "".join(words)
    other = Document.of_rows(
        "d",
        [(number[ends[start]], number[ends[end]], entity) for start, end, entity in response],
        words=[text[a:b] for a, b in pairwise(places)],
    )
    sides = (Document.of_rows("d", rows, words=words) for rows in (key, response))
    return *sides, other


@given(retokenised())
def test_another_tokenisation_scores_the_same(documents):
    """Equal words are left as they are, and words that are ignored score as the rows alone."""
    key, response, other = (Corpus((document,)) for document in documents)
    expected, found = score(key, response), score(key, other, words="align")
    assert found.table.equals(expected.table)
    more = [warning for warning in found.warnings if warning not in expected.warnings]
    assert len(more) == (key["d"].words != other["d"].words)
    assert all("over characters" in warning for warning in more)
    same = score(key, response, words="align")
    assert same.comparison.response == response.documents
    assert same.warnings == expected.warnings
    bare = [Corpus((Document.of_rows("d", side["d"].rows.tolist()),)) for side in (key, other)]
    assert score(key, other, words="ignore").table.equals(score(*bare).table)


# Empty nodes of the key and of several responses on one set of positions --------------------------

KEY = with_zeros({(1, 1): (0, [(1, "nsubj")]), (3, 1): (0, [(3, "nsubj")])})
EARLY = with_zeros({(0, 1): (0, [(0, "obj")]), (3, 1): (0, [(3, "nsubj")])})
LATE = with_zeros({(3, 1): (0, [(3, "nsubj")]), (4, 1): (0, [(2, "obj")])})


def test_responses_with_other_empty_nodes_are_compared_over_one_key():
    a, b = (score(KEY, document) for document in (EARLY, LATE))
    assert a.comparison.key != b.comparison.key
    found = a.compare(b, trials=10).significance
    assert found["difference"].abs().max() == 0


def test_a_key_with_the_empty_nodes_of_all_responses_keeps_its_positions():
    responses = [Corpus((document,)) for document in (EARLY, LATE)]
    key = with_positions_of(Corpus((KEY,)), responses)
    a, b = (score(key, response) for response in responses)
    assert a.comparison.key == b.comparison.key == key.documents
    assert len(key["d"].words) == 4 + 4  # words, and empty nodes after 0, 1, 3 and 4 of them
    plain = score(KEY, responses[0])
    assert a.table.equals(plain.table)
    assert without_absent(key["d"]) == KEY


@pytest.mark.parametrize("zeros", ["dependent", "linear"])
def test_a_key_without_words_has_the_positions_of_a_response_with_empty_nodes(zeros):
    bare = Document.of_rows("d", KEY.rows)
    found = score(bare, KEY, zeros=zeros)
    assert found.table.loc["muc", "f1"] == 1
    assert found.comparison.key[0].words == KEY.words


@pytest.mark.parametrize("swapped", [False, True])
def test_a_side_without_words_may_have_positions_beyond_those_of_words_that_are_ignored(swapped):
    bare = Document.of_rows("d", [(0, 1, 0), (len(KEY.words), len(KEY.words) + 1, 0)])
    key, response = (bare, KEY) if swapped else (KEY, bare)
    found = score(key, response, words="ignore").comparison
    assert (found.key, found.response) == ((key,), (response,))


def test_an_empty_node_of_the_other_side_is_no_part_of_a_mention_around_it():
    key = Document.of_rows("d", [(0, 1, 0)], words=["a", "*", "b"], empty_nodes={1: EmptyNode(1)})
    response = Document.of_rows("d", [(0, 2, 0)], words=["a", "b"])
    (found,) = score(key, response).comparison.response
    assert found.words == ("a", "*", "b")
    assert [mention.runs for mention in found.mentions] == [((0, 1), (2, 3))]
    assert without_absent(found) == response


def test_what_is_left_of_a_minimum_span_without_its_empty_node_stays():
    attributes = Attributes.of(1, head=[2], minimum=[(1, 3)])
    nodes = {1: EmptyNode(1)}
    both = Document.of_rows(
        "d", [(0, 3, 0)], words=["a", "*", "b"], attributes=attributes, empty_nodes=nodes
    )
    comparison = score(both, both, zeros="drop").comparison
    (found,) = comparison.key
    assert found.spans.tolist() == [[0, 2]]
    assert found.attributes.head.tolist() == [1]
    assert found.attributes.minimum.tolist() == [[1, 2]]


# Words counted in their sentences: look-up "table" where words are ignored ------------------------

CHOSEN = {"lookup": "table", "words": "ignore"}


def document_of(lengths, mentions):
    """Sentences of so many words, and (sentence, start, end, entity) over them."""
    starts = [0, *accumulate(lengths)]
    rows = [(starts[at] + start, starts[at] + end, entity) for at, start, end, entity in mentions]
    words = [f"w{number}" for number in range(starts[-1])]
    return Document.of_rows("d", rows, words=words, sentence_starts=starts[:-1])


@st.composite
def sides(draw):
    """Sentence lengths, and mentions of three entities over them, each span once."""
    lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    spans = [
        (at, start, end)
        for at, length in enumerate(lengths)
        for start in range(length)
        for end in range(start + 1, length + 1)
    ]
    chosen = draw(st.lists(st.sampled_from(spans), unique=True, min_size=1, max_size=8))
    return lengths, [(*span, draw(st.integers(0, 2))) for span in chosen]


@given(sides(), sides())
def test_mentions_are_the_same_by_sentence_and_word(key, response):
    """Oracle: the same spans at places so far apart that sentences cannot meet."""
    documents = [document_of(*side) for side in (key, response)]
    made = score(*documents, **CHOSEN)
    apart = [
        Document.of_rows("d", [(10 * at + s, 10 * at + e, entity) for at, s, e, entity in mentions])
        for _, mentions in (key, response)
    ]
    expected = score(*apart, lookup="table")
    assert made.table.equals(expected.table)


@given(sides())
def test_our_own_rules_count_in_the_document(side):
    lengths, mentions = side
    document = document_of(lengths, mentions)
    longer = document_of([lengths[0] + 1, *lengths[1:]], mentions)
    both = Corpus((document,)), Corpus((longer,))
    assert score(*both, **CHOSEN)["mentions"].f1 == 1
    if lengths[1:]:
        plain = score(*both, words="ignore")
        assert plain.comparison.key[0].sentence_starts == document.sentence_starts
        with pytest.raises(InputError):
            score(*both, **preset("corefud"))
    bare = Document.of_rows("d", document.rows)  # which has no sentences
    assert score(both[0], bare, **CHOSEN)["mentions"].f1 == 1
    assert score(bare, both[0], **CHOSEN)["mentions"].f1 == 1


# Empty nodes after one word where mentions are looked up ------------------------------------------


def test_the_tenth_empty_node_after_a_word_is_not_the_first():
    """The key's zero is at 1.1, the response's at 1.10; the CorefUD scorer reads both as 1.1."""
    both = with_zeros({(1, 1): (0, [(1, "nsubj")]), (1, 10): (1, [(1, "obj")])})
    sides = (both.with_entities([(start, start + 1, 0)]) for start in (1, 2))
    corpora = [Corpus((document,)) for document in sides]
    for lookup in ("pairs", "table"):
        result = score(*corpora, repeats="all", zeros="linear", lookup=lookup)
        assert result["ceafm"].f1 == 0
