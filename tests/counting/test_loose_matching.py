"""Matching by head, within the key mention and leniently, held to a search of all assignments."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document, score
from corescore.corpus.documents import Attributes, EmptyNode
from corescore.counting import pairs
from corescore.counting.matching import match
from corescore.counting.policies import Policies
from tests.support.zeros import with_zeros

N_WORDS = 7
LOOSE = ("head", "partial", "lenient")


@dataclass(frozen=True)
class Phrase:
    """A mention as a set of words and a head."""

    words: frozenset[int]
    head: int


@st.composite
def phrases(draw):
    words = frozenset(draw(st.sets(st.integers(0, N_WORDS - 1), min_size=1, max_size=4)))
    return Phrase(words, draw(st.sampled_from(sorted(words))))


SIDES = st.lists(phrases(), max_size=4, unique=True)


def runs_of(words):
    starts = [at for at in sorted(words) if at - 1 not in words]
    ends = [at + 1 for at in sorted(words) if at + 1 not in words]
    return tuple(zip(starts, ends, strict=True))


def document_of(side, *, together=False):
    """Each mention an entity of its own, or all together."""
    runs = [runs_of(phrase.words) for phrase in side]
    return Document.of_rows(
        "d",
        [(of[0][0], of[-1][1], 0 if together else at) for at, of in enumerate(runs)],
        words=["w"] * N_WORDS,
        attributes=Attributes.of(
            len(side),
            head=[phrase.head for phrase in side],
            pieces=[of if len(of) > 1 else () for of in runs],
        ),
    )


def phrases_of(side, document):
    """The mentions of a matching's side, one for each of its rows; none may be repeated."""
    mentions = zip(document.mentions, document.attributes.head.tolist(), strict=True)
    made = [
        Phrase(frozenset(at for start, end in mention.runs for at in range(start, end)), head)
        for mention, head in mentions
    ]
    assert len(made) == len(side.start)
    return made


def weight(how, key, response):
    """The weight of a pair, None where it cannot be made."""
    if how == "head":
        share = Fraction(len(key.words & response.words), len(key.words))
        return share if key.head == response.head else None
    within = response.words <= key.words and key.head in response.words
    if not within:
        return None
    share = Fraction(len(response.words), len(key.words))
    return share if how == "partial" else share + 100


def best_sum(how, keys, responses):
    """The greatest sum of weights of all ways to pair the mentions one to one."""
    few, many = sorted((keys, responses), key=len)
    best = Fraction(0)
    for n in range(len(few) + 1):
        for some in combinations(few, n):
            for others in permutations(many, n):
                both = zip(some, others, strict=True)
                pairs = [pair if few is keys else pair[::-1] for pair in both]
                weights = [weight(how, *pair) for pair in pairs]
                if None not in weights:
                    best = max(best, sum(weights, Fraction(0)))
    return best


def identity(how, phrase):
    return phrase if how == "head" else phrase.words


@pytest.mark.parametrize("how", LOOSE)
@pytest.mark.parametrize(
    ("lookup", "most_cells"), [("pairs", 0), ("table", pairs.MOST_CELLS), ("table", 0)]
)
@given(one=SIDES, other=SIDES)
def test_pairs_are_the_same_mentions_and_then_the_best_assignment_of_the_others(
    how, lookup, most_cells, one, other
):
    if how != "head":  # one mention a set of words, whatever its head
        one, other = ([*{p.words: p for p in side}.values()] for side in (one, other))
    key, response = document_of(one), document_of(other)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "MOST_CELLS", most_cells)
        matching = match([key], [response], Policies(match=how, lookup=lookup))
    k, r = phrases_of(matching.key, key), phrases_of(matching.response, response)
    at = [*zip(matching.key_mention.tolist(), matching.response_mention.tolist(), strict=True)]
    assert len({i for i, _ in at}) == len({j for _, j in at}) == len(at)
    made = [(k[i], r[j]) for i, j in at]
    same = [(a, b) for a, b in made if identity(how, a) == identity(how, b)]
    shared = {identity(how, p) for p in k} & {identity(how, p) for p in r}
    assert len(same) == len(shared)
    weights = [weight(how, a, b) for a, b in made if (a, b) not in same]
    left = [[p for p in side if identity(how, p) not in shared] for side in (k, r)]
    assert sum(weights, Fraction(0)) == best_sum(how, *left)


@given(SIDES, SIDES)
def test_exact_pairs_have_the_same_words_gaps_included(one, other):
    one, other = ([*{p.words: p for p in side}.values()] for side in (one, other))
    matching = match([document_of(one)], [document_of(other)])
    assert len(matching.key_mention) == len({p.words for p in one} & {p.words for p in other})


@given(SIDES)
def test_a_span_of_two_entities_is_one_mention_to_the_assignment(side):
    """Both listings are paired with all of the other side's, under `repeats="all"`."""
    document = document_of([*side, *side])
    policies = Policies(match="head", repeats="all")
    assert len(match([document], [document], policies).key_mention) == 4 * len(side)


def test_a_mention_without_a_head_has_its_first_word_as_head():
    key, response = Document.of_entities("d", [[(0, 2)]]), Document.of_entities("d", [[(0, 3)]])
    assert len(match([key], [response], Policies(match="head")).key_mention) == 1
    assert len(match([response], [key], Policies(match="partial")).key_mention) == 1
    assert len(match([key], [response], Policies(match="partial")).key_mention) == 0


# --- Zeros ---------------------------------------------------------------------------------------


def zero_pairs(key, response, **policies):
    """The entities of the zeros that match."""
    made = score(Corpus((key,)), Corpus((response,)), **policies).comparison
    m = made.matching
    entities = m.key.entity[m.key_mention], m.response.entity[m.response_mention]
    return sorted(zip(*(e.tolist() for e in entities), strict=True))


def test_zeros_match_by_what_they_depend_on_wherever_they_stand():
    key = with_zeros({(1, 1): (0, [(1, "nsubj")]), (3, 1): (1, [(3, "nsubj")])})
    moved = with_zeros({(2, 1): (0, [(1, "nsubj")]), (4, 1): (1, [(3, "nsubj")])})
    assert zero_pairs(key, moved) == [(0, 0), (1, 1)]
    assert zero_pairs(key, moved, zeros="linear") == []
    assert zero_pairs(key, moved, zeros="drop") == []


def test_parent_and_relation_outweigh_the_parent_alone():
    key = with_zeros({(1, 1): (0, [(1, "nsubj")])})
    both = {(1, 1): (0, [(1, "obj")]), (2, 1): (1, [(1, "nsubj")])}
    assert zero_pairs(key, with_zeros(both)) == [(0, 1)]
    assert zero_pairs(key, with_zeros({(1, 1): (0, [(1, "obj")])}), match="exact") == [(0, 0)]


def test_a_zero_that_finds_none_by_dependency_matches_by_its_place():
    key = with_zeros({(1, 1): (0, [(1, "nsubj")])})
    assert zero_pairs(key, with_zeros({(1, 1): (0, [(3, "nsubj")])})) == [(0, 0)]


def test_an_empty_node_without_parents_matches_by_its_place_alone():
    key, without = with_zeros({(1, 1): (0, [])}), with_zeros({(1, 1): (0, [])})
    assert zero_pairs(key, without) == [(0, 0)]
    assert zero_pairs(key, with_zeros({(2, 1): (0, [])})) == []


def test_the_tenth_empty_node_is_not_the_first():
    """Numbers are whole numbers: 1.10 is not 1.1."""
    key = with_zeros({(1, 1): (0, [(1, "nsubj")]), (1, 10): (1, [(1, "obj")])})
    response = with_zeros({(1, 10): (0, [(1, "obj")]), (1, 1): (1, [(1, "nsubj")])})
    assert zero_pairs(key, response, zeros="linear") == [(0, 0), (1, 1)]


def test_an_empty_node_of_the_other_side_is_no_part_of_a_mention():
    """A span over it has the same words of the text, but not the same words."""
    plain = Document.of_rows("d", [(0, 2, 0)], words=("w",) * 4)
    node = EmptyNode(1)
    spanning = Document.of_rows("d", [(0, 3, 0)], words=("w", "_", *"www"), empty_nodes={1: node})
    assert zero_pairs(plain, spanning) == []
    assert zero_pairs(plain, spanning, zeros="drop") == [(0, 0)]
    around = spanning.with_entities([(0, 3, 0)], Attributes.of(1, pieces=[((0, 1), (2, 3))]))
    assert zero_pairs(plain, around) == [(0, 0)]
