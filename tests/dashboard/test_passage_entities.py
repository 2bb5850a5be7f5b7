"""The entities of a passage: their letters, colours and rows, and the search for them."""

import pytest

from corescore import Document, score
from corescore.analysis.errors.tables import mention_table
from corescore.corpus.documents import Corpus
from corescore.rendering.html import Window
from dashboard.components import mentions
from dashboard.components.mentions import FIRST, KEY
from dashboard.components.passage import (
    COLOURS,
    MOST_ROWS,
    PATTERNS,
    Search,
    passage,
    places,
    tints,
)

SIDES = ["the key", "A"]
WORDS = ("The", "old", "Bank", "of", "the", "river", "banks", "on", "the", "old", "bank")


def document(*entities, n_words=20, words=None):
    rows = [(start, end, i) for i, entity in enumerate(entities) for start, end in entity]
    return Document.of_rows("d", rows, words=words or tuple(f"w{at}" for at in range(n_words)))


def drawn(key, response):
    return mentions.of_one_system(
        mention_table(score(Corpus((key,)), Corpus((response,))).comparison)
    )


def alone(*places):
    """Mentions of one word."""
    return [(at, at + 1) for at in places]


def coloured(key, every, side=KEY, **more):
    whole = Window(0, len(key.words))
    return passage(key, every, every, whole, sides=SIDES, coloured_by=side, **more)


def test_the_largest_entities_have_the_first_letters_and_one_mention_alone_has_none():
    key = document(alone(0), alone(1, 2), alone(3, 4, 5))
    told = tints(drawn(key, key), KEY)
    assert {entity: tint.letter for entity, tint in told.items()} == {3: "A", 2: "B"}
    labels = coloured(key, drawn(key, key)).mentions
    assert [label.tint.letter for label in labels] == ["", "B", "B", "A", "A", "A"]


def test_where_entities_are_many_colours_come_again_and_letters_do_not():
    n = COLOURS * PATTERNS + 10
    key = document(*(alone(2 * at, 2 * at + 1) for at in range(n)), n_words=2 * n)
    told = [*tints(drawn(key, key), KEY).values()]
    assert len({tint.letter for tint in told}) == n
    assert told[26].letter == "AA"
    looks = [(tint.colour, tint.pattern) for tint in told]
    assert len(set(looks[: COLOURS * PATTERNS])) == COLOURS * PATTERNS
    assert looks[COLOURS * PATTERNS :] == looks[:10]


def test_an_entity_of_the_response_has_the_letter_of_the_key_entity_it_shares_most_with():
    key = document(alone(0, 1, 2, 3), alone(4, 5, 6))
    response = document(alone(4, 5), alone(0, 1, 2), alone(3, 6), alone(7, 8))
    letters = {e: tint.letter for e, tint in tints(drawn(key, response), FIRST).items()}
    of_words = {0: "A", 4: "B"}
    numbers = {d.start: d.entities[FIRST] for d in drawn(key, response)}
    assert {at: letters[numbers[at]] for at in of_words} == of_words
    assert {letters[numbers[3]], letters[numbers[7]]} == {"C", "D"}


def test_rows_say_where_in_the_document_each_entity_is():
    key = document(alone(0, 1, 299), alone(150, 151), n_words=300)
    entities = coloured(key, drawn(key, key)).entities
    assert [(row.tint.letter, row.size) for row in entities.rows] == [
        ("A", "3 mentions"),
        ("B", "2 mentions"),
    ]
    assert entities.n_stretches == 150
    assert entities.rows[0].stretches == [0, 149]
    assert entities.rows[0].ats == ["0-1", "299-300"]
    assert entities.title == "2 entities of the key of several mentions"
    assert [row.name for row in entities.rows] == ["w0", "w150"]
    named = coloured(key, drawn(key, key), names={KEY: {1: "Oakland"}}).entities
    assert [row.name for row in named.rows] == ["Oakland", "w150"]


def test_of_many_entities_the_largest_have_rows_and_the_title_says_so():
    n = MOST_ROWS + 5
    key = document(*(alone(2 * at, 2 * at + 1) for at in range(n)), n_words=2 * n)
    entities = coloured(key, drawn(key, key)).entities
    assert len(entities.rows) == MOST_ROWS
    assert entities.title.endswith(f"of several mentions, the {MOST_ROWS} largest")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("old bank", [(1, 3), (9, 11)]),
        ("BANK", [(2, 3), (6, 7), (10, 11)]),
        ("ank", []),
        ("bank  of the r", [(2, 6)]),
        (" ", []),
        ("the old bank", [(0, 3), (8, 11)]),
    ],
)
def test_words_are_found_from_their_beginnings(query, found):
    assert places(document(words=WORDS), query) == found


def test_a_search_finds_the_entities_with_a_mention_that_has_the_words():
    key = document([(0, 3), (5, 6)], [(8, 11)], alone(6, 7), words=WORDS)
    every = drawn(key, key)
    search = Search("old bank", places(key, "old bank"))
    found = passage(key, every, every, Window(0, 11), sides=SIDES, search=search)
    assert [row.name for row in found.entities.rows] == ["The old Bank", "the old bank"]
    assert (found.found.n, found.found.places) == (2, [(1, 3), (9, 11)])
    assert not found.entities.coloured
