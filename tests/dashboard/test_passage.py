"""A passage and its entities on the pages that show one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Document, score
from corescore.analysis.errors.tables import mention_table, outcome_table
from corescore.corpus.files import read_bytes
from corescore.rendering.html import Window
from dashboard.components import mentions
from dashboard.components.mentions import FIRST, KEY, Word
from dashboard.components.passage import (
    COLOURS,
    MOST_MEMBERS,
    MOST_ROWS,
    NEAR,
    PATTERNS,
    Search,
    passage,
    places,
    tints,
)
from tests.support import gaps

# A passage of a document: its words, mentions, chains and strip -----------------------------------

WORDS = tuple("abcdefghij")
SIDES = ["the key", "A"]
NOT_IN_TEXT = "A word that is not in the text"
spans = st.tuples(st.integers(0, 9), st.integers(1, 6)).map(lambda s: (s[0], min(10, s[0] + s[1])))


def document(*entities, words=WORDS, **more):
    rows = [(start, end, i) for i, entity in enumerate(entities) for start, end in entity]
    return Document.of_rows("d", rows, words=words, **more)


def table(key, response):
    return mention_table(score(key, response).comparison)


def drawn(key, response, window=None, chosen=None):
    every = every_of(key, response)
    found = mentions.find(every, chosen)
    whole = window or Window(0, len(key.words))
    return passage(key, every, every, whole, sides=SIDES, selected=found)


def test_a_passage_gives_each_word_its_mentions_and_lanes():
    values = drawn(document([(0, 3)], [(7, 8)]), document([(0, 3)], [(5, 6)]))
    assert [mention.style for mention in values.mentions] == [
        "correct",
        "spurious",
        "missing",
    ]
    words = values.lines[0].words
    assert words[0] == Word("a", [0], [0])
    assert words[5] == Word("f", [1], [1])
    assert words[6] == Word("g", [], [])


def test_the_inner_of_two_nested_mentions_is_the_nearer_to_the_text():
    both = document([(0, 3)], [(1, 2)])
    words = drawn(both, both).lines[0].words
    assert words[0] == Word("a", [0], [-1, 0])
    assert words[1] == Word("b", [1], [1, 0])


def of_gaps(chosen=None):
    """The picnic's document as it is drawn."""
    compared = score(read_bytes(gaps.KEY, "key"), read_bytes(gaps.RESPONSE, "a")).comparison
    (key,), (response,) = compared.key, compared.response
    every = mentions.with_pieces(mentions.of_one_system(mention_table(compared)), (key, response))
    selected = mentions.find(every, chosen)
    sides = key, response
    window = Window(0, 23)
    return passage(key, every, every, window, sides=SIDES, selected=selected, documents=sides)


def test_words_that_are_not_in_the_text_are_marked_and_told():
    told = [(w.text, w.about) for line in of_gaps().lines for w in line.words if w.about]
    assert told == [("∅", NOT_IN_TEXT), ("∅it", NOT_IN_TEXT)]


def test_a_word_that_only_the_response_adds_is_told_apart():
    response = read_bytes(gaps.KEY, "a")
    key = score(read_bytes(gaps.RESPONSE, "key"), response).comparison.key[0]
    words = passage(key, (), (), Window(0, 23), sides=SIDES).lines[-1].words
    assert words[-1].about == f"{NOT_IN_TEXT}, and that the key does not have"


def test_a_mention_with_a_gap_has_its_pieces_and_their_words():
    drawn = {(m.span, m.lines): (m.runs, m.text) for m in of_gaps().mentions}
    assert drawn["8-14", (0, 1)] == (((8, 9), (13, 14)), "take … along")
    assert drawn["14-19", (0,)] == (((14, 19),), "the old basket that leaks")
    assert drawn["14-19", (1,)] == (((14, 16), (18, 19)), "the old … leaks")


def test_split_antecedents_are_told_beside_the_text():
    key, elements, response = of_gaps(chosen=(7, 8)).chains
    assert key.note == "Refers to Mara and Ben together"
    assert elements.title == "Split antecedents in the key"
    assert [m.text for m in elements.members] == ["∅", "Ben"]  # the nearest mention of each
    assert response.note == ""


def test_a_mention_of_a_plural_tells_what_it_refers_to():
    told = {m.span: (m.says.partition(" · ")[2], m.antecedents) for m in of_gaps().mentions}
    assert told["7-8"] == ("The key: refers to Mara and Ben together", [[1, 2], []])
    assert told["2-3"] == ("", [])


def test_a_span_that_is_off_is_drawn_on_both_sides_and_is_one_error():
    values = drawn(document([(0, 4), (8, 9)]), document([(0, 3), (8, 9)]))
    off = [m for m in values.mentions if m.style == "off"]
    assert [(m.span, m.lines, m.mark) for m in off] == [
        ("0-4", (0,), ("o", "1", "")),
        ("0-3", (1,), ("o", "", "/1")),
    ]
    assert values.errors == ["0-4", "8-9"]  # 8-9 has no right partner left


def test_a_chain_has_all_mentions_of_the_entity_on_each_side():
    key, response = document([(0, 1), (2, 3), (4, 5)]), document([(0, 1), (2, 3)], [(4, 5), (6, 7)])
    chains = drawn(key, response, chosen=(4, 5)).chains
    assert [[m.span for m in chain.members] for chain in chains] == [
        ["0-1", "2-3", "4-5"],
        ["4-5", "6-7"],
    ]
    assert [chain.title for chain in chains] == ["Key entity 1", "Entity 2 of A"]


def test_the_strip_counts_every_error_once():
    key = document([(0, 1), (400, 401)], words=("w",) * 500)
    strip = drawn(key, document(words=key.words), Window(0, 250)).strip
    assert sum(strip.counts) == 2
    assert strip.counts[400 // strip.width] == 1
    assert len(strip.counts) * strip.width >= 500


def test_lines_are_sentences_with_their_speakers():
    key = document(sentence_starts=(0, 4), speakers=("Ann", ""))
    lines = drawn(key, key).lines
    assert [(line.number, line.speaker, len(line.words)) for line in lines] == [
        (1, "Ann", 4),
        (2, "", 6),
    ]


@given(st.lists(spans, max_size=12), st.lists(spans, max_size=12), st.integers(0, 9))
def test_a_mention_stays_on_one_line_of_its_own(key_spans, response_spans, start):
    values = drawn(document(key_spans), document(response_spans), Window(start, 10))
    words = values.lines[0].words
    for number, mention in enumerate(values.mentions):
        ((first, end),) = mention.runs
        at = range(max(first, start) - start, end - start)
        lanes = {words[i].lanes.index(number) for i in at}
        assert len(lanes) == 1
        assert [i for i, word in enumerate(words) if number in word.lanes] == list(at)
        assert sum(number in word.starts for word in words) == 1


def of_two(a, b, kinds=None):
    """The passage of a key of three entities with two responses on it."""
    key = document([(0, 1), (2, 3)], [(4, 6), (8, 9)], [(6, 7)])
    every = mentions.of_two_systems(outcome_table(table(key, a), table(key, b)))
    shown = mentions.kept(every, kinds=kinds or ())
    sides = [mentions.THE_KEY, "A", "B"]
    return passage(key, every, shown, Window(0, 10), sides=sides)


def test_of_two_responses_the_keys_step_over_the_differences():
    a, b = document([(0, 1), (2, 3)]), document([(0, 1), (2, 3)], [(4, 6), (8, 9)])
    values = of_two(a, b)
    assert values.noun == "difference"
    assert values.errors == ["4-6", "8-9"]  # both lack 6-7
    assert sum(values.strip.counts) == 2
    assert [m.span for m in of_two(a, b, mentions.DIFFERENCES).mentions] == ["4-6", "8-9"]


def test_where_no_difference_is_left_the_keys_step_over_the_errors():
    a, b = document([(0, 1), (2, 3)]), document([(0, 1), (2, 3)], [(4, 6), (8, 9)])
    values = of_two(a, b, ["both wrong"])
    assert values.noun == "error"
    assert values.errors == ["6-7"]


def long_text(n=600):
    """`n` mentions, one every two words, all of one entity that the response lacks."""
    words = tuple(f"w{number}" for number in range(2 * n))
    key = document([(2 * at, 2 * at + 1) for at in range(n)], words=words)
    return key, document(words=words)


def test_of_the_errors_of_a_long_document_those_near_the_window_are_sent():
    values = drawn(*long_text(), window=Window(600, 620))
    assert values.n_errors == 600
    numbers = values.numbers
    assert numbers == list(range(301 - NEAR, 311 + NEAR))
    assert values.errors[numbers.index(301)] == "600-601"
    assert sum(values.strip.counts) == 600


def test_errors_next_to_a_mention_selected_in_another_window_are_sent_too():
    values = drawn(*long_text(), window=Window(0, 20), chosen=(1000, 1001))
    near = dict(zip(values.errors, values.numbers, strict=True))
    assert near["998-999"] == 500
    assert near["1000-1001"] == 501
    assert near["1002-1003"] == 502
    assert near["18-19"] == 10


@pytest.mark.parametrize("at, first", [(0, 1), (600, 201), (1198, 401)])
def test_of_a_large_entity_the_mentions_around_the_selected_one_are_listed(at, first):
    chain = drawn(*long_text(), chosen=(at, at + 1)).chains[0]
    assert chain.size == "600 mentions"
    assert [member.span for member in chain.members] == [
        f"{2 * n}-{2 * n + 1}" for n in range(first - 1, first - 1 + MOST_MEMBERS)
    ]
    assert chain.note.startswith(f"Shown: {first} to {first + MOST_MEMBERS - 1} of 600")


# The entities of a passage: their letters, colours and rows, and the search for them --------------

TEXT = "The old Bank of the river banks on the old bank"
RIVER = tuple(TEXT.split())


def numbered(*entities, n_words=20):
    return document(*entities, words=tuple(f"w{at}" for at in range(n_words)))


def every_of(key, response):
    return mentions.of_one_system(table(key, response))


def alone(*places):
    """Mentions of one word."""
    return [(at, at + 1) for at in places]


def coloured(key, every, side=KEY, **more):
    whole = Window(0, len(key.words))
    return passage(key, every, every, whole, sides=SIDES, coloured_by=side, **more)


def test_the_largest_entities_have_the_first_letters_and_one_mention_alone_has_none():
    key = numbered(alone(0), alone(1, 2), alone(3, 4, 5))
    told = tints(every_of(key, key), KEY)
    assert {entity: tint.letter for entity, tint in told.items()} == {3: "A", 2: "B"}
    labels = coloured(key, every_of(key, key)).mentions
    assert [label.tint.letter for label in labels] == ["", "B", "B", "A", "A", "A"]


def test_where_entities_are_many_colours_come_again_and_letters_do_not():
    n = COLOURS * PATTERNS + 10
    key = numbered(*(alone(2 * at, 2 * at + 1) for at in range(n)), n_words=2 * n)
    told = [*tints(every_of(key, key), KEY).values()]
    assert len({tint.letter for tint in told}) == n
    assert told[26].letter == "AA"
    looks = [(tint.colour, tint.pattern) for tint in told]
    assert len(set(looks[: COLOURS * PATTERNS])) == COLOURS * PATTERNS
    assert looks[COLOURS * PATTERNS :] == looks[:10]


def test_an_entity_of_the_response_has_the_letter_of_the_key_entity_it_shares_most_with():
    key = numbered(alone(0, 1, 2, 3), alone(4, 5, 6))
    response = numbered(alone(4, 5), alone(0, 1, 2), alone(3, 6), alone(7, 8))
    letters = {e: tint.letter for e, tint in tints(every_of(key, response), FIRST).items()}
    of_words = {0: "A", 4: "B"}
    numbers = {d.start: d.entities[FIRST] for d in every_of(key, response)}
    assert {at: letters[numbers[at]] for at in of_words} == of_words
    assert {letters[numbers[3]], letters[numbers[7]]} == {"C", "D"}


def test_rows_say_where_in_the_document_each_entity_is():
    key = numbered(alone(0, 1, 299), alone(150, 151), n_words=300)
    entities = coloured(key, every_of(key, key)).entities
    assert [(row.tint.letter, row.size) for row in entities.rows] == [
        ("A", "3 mentions"),
        ("B", "2 mentions"),
    ]
    assert entities.n_stretches == 150
    assert entities.rows[0].stretches == [0, 149]
    assert entities.rows[0].ats == ["0-1", "299-300"]
    assert entities.title == "2 entities of the key of several mentions"
    assert [row.name for row in entities.rows] == ["w0", "w150"]
    named = coloured(key, every_of(key, key), names={KEY: {1: "Oakland"}}).entities
    assert [row.name for row in named.rows] == ["Oakland", "w150"]


def test_of_many_entities_the_largest_have_rows_and_the_title_says_so():
    n = MOST_ROWS + 5
    key = numbered(*(alone(2 * at, 2 * at + 1) for at in range(n)), n_words=2 * n)
    entities = coloured(key, every_of(key, key)).entities
    assert len(entities.rows) == MOST_ROWS
    assert entities.title.endswith(f"of several mentions, the {MOST_ROWS} largest")


@pytest.mark.parametrize(
    "query, found",
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
    assert places(document(words=RIVER), query) == found


def test_a_search_finds_the_entities_with_a_mention_that_has_the_words():
    key = document([(0, 3), (5, 6)], [(8, 11)], alone(6, 7), words=RIVER)
    every = every_of(key, key)
    search = Search("old bank", places(key, "old bank"))
    found = passage(key, every, every, Window(0, 11), sides=SIDES, search=search)
    assert [row.name for row in found.entities.rows] == ["The old Bank", "the old bank"]
    assert (found.hits.n, found.hits.places) == (2, [(1, 3), (9, 11)])
    assert not found.entities.coloured
