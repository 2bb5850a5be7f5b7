"""Match "partial" by the minimum spans that a key names, as the Universal Anaphora scorer does."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document, preset, score
from corescore.corpus.documents import Attributes
from corescore.corpus.formats.conll_ua import read_conll_ua
from corescore.counting.matching import match
from corescore.counting.policies import Policies

N_WORDS = 7


@st.composite
def spans(draw):
    words = draw(st.sets(st.integers(0, N_WORDS - 1), min_size=1, max_size=5))
    return frozenset(words)


@st.composite
def keys(draw):
    """Different mentions as sets of words, and the minimum span of each; None if it names none."""
    mentions = draw(st.lists(spans(), max_size=4, unique=True))
    minima = []
    for words in mentions:
        first = draw(st.sampled_from(sorted(words)))
        lasts = [at for at in sorted(words) if {*range(first, at + 1)} <= words and at >= first]
        last = draw(st.sampled_from(lasts))
        minima.append(draw(st.sampled_from([None, (first, last + 1), (first, last + 1)])))
    return [*zip(mentions, minima, strict=True)]


def document_of(mentions, minima=()):
    runs = []
    for words in mentions:
        starts = [at for at in sorted(words) if at - 1 not in words]
        ends = [at + 1 for at in sorted(words) if at + 1 not in words]
        runs.append(tuple(zip(starts, ends, strict=True)))
    return Document.of_rows(
        "d",
        [(of[0][0], of[-1][1], at) for at, of in enumerate(runs)],
        words=["w"] * N_WORDS,
        attributes=Attributes.of(
            len(runs),
            minimum=[(-1, -1) if of is None else of for of in minima],
            pieces=[of if len(of) > 1 else () for of in runs],
        ),
    )


def share(key, response):
    """Slow oracle: the weight of a pair, 0 where it cannot be made."""
    words, minimum = key
    fits = minimum and {*range(*minimum)} <= response <= words
    return Fraction(len(response), len(words)) if fits else Fraction(0)


def best_sum(keys, responses):
    few, many = sorted((keys, responses), key=len)
    pairs = (zip(few, some, strict=True) for some in permutations(many, len(few)))
    weights = (
        sum((share(*(pair if few is keys else pair[::-1])) for pair in of), Fraction(0))
        for of in pairs
    )
    return max(weights)


@given(keys(), st.lists(spans(), max_size=4, unique=True))
def test_the_same_words_and_then_the_best_assignment_around_minimum_spans(keys, responses):
    if all(minimum is None for _, minimum in keys):
        return  # the first word is then the head
    key, response = document_of(*zip(*keys, strict=True)), document_of(responses)
    matching = match([key], [response], Policies(match="partial"))
    by_words = {words: (words, minimum) for words, minimum in keys}
    k, r = (
        [frozenset(at for run in m.runs for at in range(*run)) for m in side.mentions]
        for side in (key, response)
    )
    at = zip(matching.key_mention.tolist(), matching.response_mention.tolist(), strict=True)
    pairs = [(k[i], r[j]) for i, j in at]
    same = {*k} & {*r}
    assert {a for a, b in pairs if a == b} == same
    found = [share(by_words[a], b) for a, b in pairs if a != b]
    assert all(found)
    left = [of for of in keys if of[0] not in same], [of for of in responses if of not in same]
    assert sum(found, Fraction(0)) == best_sum(*left)


# w1 … w8 and their cells in IDENTITY: "the old dog of Ann", MIN "old dog"; "it", without a MIN
KEY = ["(EntityID=1|MarkableID=m1|Min=2,3", "", "", "", ")", "", "(EntityID=1|MarkableID=m2", ")"]


def ua(cells):
    rows = "".join(f"{at} w{at} {cell or '_'}\n" for at, cell in enumerate(cells, start=1))
    text = f"# global.columns = ID FORM IDENTITY\n# newdoc id = d\n{rows}\n"
    return read_conll_ua(text, "key.ua")


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [(0, 5, 1), (0, 3, 1), (1, 3, 1), (1, 5, 1), (1, 2, 0), (0, 2, 0), (2, 5, 0), (1, 6, 0)],
)
def test_a_response_mention_is_within_the_mention_and_around_all_of_its_minimum(start, end, found):
    words = [f"w{at}" for at in range(1, 9)]
    response = Corpus((Document.of_entities("d", [[(start, end)]], words=words),))
    made = score(ua(KEY), response, **preset("ua", match="partial"))
    assert made["mentions"].precision_numerator == found
    assert any("minimum span of 1 mention of 2" in w for w in made.warnings)
    exact = score(ua(KEY), response, **preset("ua"))
    assert exact["mentions"].precision_numerator == ((start, end) == (0, 5))


def test_a_mention_without_a_minimum_span_matches_only_exactly():
    words = [f"w{at}" for at in range(1, 9)]
    for end, found in ((7, 0), (8, 1)):
        response = Corpus((Document.of_entities("d", [[(6, end)]], words=words),))
        made = score(ua(KEY), response, match="partial")
        assert made["mentions"].precision_numerator == found


def test_a_key_without_minimum_spans_goes_by_its_first_words():
    plain = [cell.replace("|Min=2,3", "") for cell in KEY]
    words = [f"w{at}" for at in range(1, 9)]
    response = Corpus((Document.of_entities("d", [[(0, 2), (6, 7)]], words=words),))
    assert score(ua(plain), response, match="partial")["muc"].f1 == 1


def test_where_heads_are_known_they_count_not_minimum_spans():
    key = Document.of_rows(
        "d",
        [(0, 4, 0)],
        words=["w"] * 5,
        attributes=Attributes.of(1, head=[3], minimum=[(0, 4)]),
    )
    response = Document.of_entities("d", [[(2, 4)]], words=["w"] * 5)
    assert len(match([key], [response], Policies(match="partial")).key_mention) == 1
