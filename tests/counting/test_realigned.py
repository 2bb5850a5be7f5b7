"""A response over the words of its key."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document, score
from corescore.corpus.documents import Attributes, EmptyNode
from corescore.counting.words import realigned


def document(text, rows=(), **known):
    return Document.of_rows("d", rows, words=text.split(), **known)


def over(key, response):
    return realigned(document(key), response).document


def texts(document):
    return [document.text(mention) for mention in document.mentions]


def test_mentions_stand_at_the_words_of_the_key():
    response = document("Obama 's dog saw ( him )", [(0, 2, "a"), (2, 3, "b"), (5, 6, "a")])
    found = over("Obama's dog saw -LRB- him -RRB-", response)
    assert texts(found) == ["Obama's", "dog", "him"]
    assert found.entity_of.tolist() == [0, 1, 0]


def test_a_mention_of_a_part_of_a_word_takes_the_word_and_is_told():
    response = document("Obama 's dog", [(0, 1, 0), (2, 3, 0)])
    found = realigned(document("Obama's dog"), response)
    assert texts(found.document) == ["Obama's", "dog"]
    assert found.widened == (("Obama", "Obama's"),)


def test_two_mentions_in_one_word_become_one_span_and_are_told():
    response = document("Obama 's dog", [(0, 1, 0), (1, 2, 1)])
    found = realigned(document("Obama's dog"), response)
    assert found.document.spans.tolist() == [[0, 1], [0, 1]]
    assert found.collided == ("'s",)


def test_a_mention_of_words_that_the_key_lacks_vanishes_and_is_told():
    response = document("well now she said so", [(0, 2, 0), (2, 3, 1)])
    found = realigned(document("she said so"), response)
    assert texts(found.document) == ["she"]
    assert found.vanished == ("well now",)
    assert found.added == ("well", "now")


def test_changed_and_dropped_words_are_told():
    found = realigned(document("the very big colour"), document("the big color", [(1, 3, 0)]))
    assert texts(found.document) == ["big colour"]
    assert found.changed == (("color", "colour"),)
    assert found.dropped == ("very",)


def test_attributes_move_with_their_mentions():
    attributes = Attributes.of(
        2, head=[3, 4], minimum=[(2, 4), (-1, -1)], entity_type=["person", "time"]
    )
    response = document("the old wo man today", [(0, 4, 0), (4, 5, 0)], attributes=attributes)
    found = over("the old woman today", response).attributes
    assert found.head.tolist() == [2, 3]
    assert found.minimum.tolist() == [[2, 3], [-1, -1]]
    assert found.entity_type == ("person", "time")


def test_a_head_that_is_left_out_is_unknown():
    attributes = Attributes.of(1, head=[1], minimum=[(1, 2)])
    found = over("see her go", document("see uh her go", [(1, 3, 0)], attributes=attributes))
    assert found.attributes.head.tolist() == [-1]
    assert found.attributes.minimum.tolist() == [[-1, -1]]


def test_pieces_move_and_those_that_touch_are_joined():
    attributes = Attributes.of(2, pieces=[((0, 1), (2, 3)), ((0, 1), (4, 5))])
    response = document("a uh b c d", [(0, 3, 0), (0, 5, 1)], attributes=attributes)
    found = over("a b c d", response)
    assert sorted(texts(found)) == ["a b", "a … d"]
    assert {mention.runs for mention in found.mentions} == {((0, 2),), ((0, 1), (3, 4))}


def test_sentences_speakers_tags_and_lines_move():
    response = document(
        "He ca n't . uh Yes",
        [(0, 1, 0)],
        sentence_starts=[0, 4, 5],
        speakers=["Ann", "Ben", "Cy"],
        tags=["PRP", "MD", "RB", ".", "UH", "UH"],
        lines=np.array([2, 3, 4, 5, 7, 9]),
    )
    found = over("He can't . Yes !", response)
    assert found.words == ("He", "can't", ".", "Yes", "!")
    assert (found.sentence_starts, found.speakers) == ((0, 3), ("Ann", "Cy"))
    assert found.tags == ("PRP", "MD", ".", "UH", "")
    assert found.lines.tolist() == [2, 3, 5, 9, 9]


def test_words_before_the_first_belong_to_its_sentence():
    response = document("He left . Yes", sentence_starts=[0, 3], speakers=["Ann", "Ben"])
    found = over("Well , you see , I mean no , really , he left . Yes", response)
    assert (found.sentence_starts, found.speakers) == ((0, 14), ("Ann", "Ben"))


def test_a_sentence_that_is_left_out_takes_its_speaker_with_it():
    response = document("uh Yes", sentence_starts=[0, 1], speakers=["Ann", "Ben"])
    found = over("Yes", response)
    assert (found.sentence_starts, found.speakers) == ((0,), ("Ben",))


def test_the_genre_stays():
    assert over("a b", document("ab", genre="news")).genre == "news"


def test_the_order_in_which_the_file_opens_entities_stays():
    response = document("a b c", [(0, 2, "x"), (0, 1, "y"), (0, 2, "z")])
    assert response.listed == (2, 0, 1)
    assert over("ab c", response).listed == (2, 0, 1)


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


def test_split_antecedents_stay():
    response = document(
        "A B th ey", [(0, 1, "a"), (1, 2, "b"), (2, 4, "t")], split_antecedents=[("t", ["a", "b"])]
    )
    assert over("A B they", response).split_antecedents == ((2, (0, 1)),)


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
    key, response, other = (Corpus((document,)) for document in documents)
    expected, found = score(key, response), score(key, other, words="align")
    assert found.table.equals(expected.table)
    more = [warning for warning in found.warnings if warning not in expected.warnings]
    assert len(more) == (key["d"].words != other["d"].words)
    assert all("over characters" in warning for warning in more)


@given(retokenised())
def test_equal_words_are_left_as_they_are(documents):
    key, response, _ = documents
    found = score(Corpus((key,)), Corpus((response,)), words="align")
    assert found.comparison.response == (response,)
    assert found.warnings == score(Corpus((key,)), Corpus((response,))).warnings


@given(retokenised())
def test_ignored_words_score_as_the_rows_alone(documents):
    key, _, other = (Corpus((document,)) for document in documents)
    bare = [Corpus((Document.of_rows("d", side["d"].rows.tolist()),)) for side in (key, other)]
    assert score(key, other, words="ignore").table.equals(score(*bare).table)
