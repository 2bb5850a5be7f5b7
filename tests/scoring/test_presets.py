"""Other scorers by name, and what they say of files that lack something."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import (
    Corpus,
    Document,
    InputError,
    PolicyError,
    preset,
    score,
    score_entities,
)
from corescore.corpus.files import read_bytes
from corescore.scoring.noticed import doubts
from corescore.scoring.presets import PRESETS
from corescore.scoring.tables import has_empty_side
from tests.support import oracle
from tests.support.oracle_split import (
    LISTED,
    bcub,
    ceaf_sums,
    listed_corpus,
    looked_up,
    muc,
    phi4,
    ratio,
)
from tests.support.strategies import corpora_of, pair_corpora
from tests.support.texts import with_zeros

# Other scorers by name: their policies and metrics, and singletons by metric ----------------------


@pytest.mark.parametrize("name", PRESETS)
def test_the_signature_names_the_preset_unless_a_policy_differs(name):
    """No preset has a metric that its scorer lacks."""
    key, response = corpora_of([([{0, 1}], [{0, 1}])])
    result = score(key, response, **preset(name))
    assert f"| as {name} |" in result.signature
    other = score(key, response, **preset(name, mentions="without-nested"))
    assert "| as " not in other.signature
    ids = {metric.id for metric in result.metrics}
    assert ids - {"mentions", "links", "rand"} == {*PRESETS[name].metrics}
    assert ("lea" in ids) == (name in ("coval", "corefud", "ua", "ua2", "stanza"))


@given(pair_corpora())
def test_singletons_of_the_response_alone_are_dropped(pairs):
    made = score(*corpora_of(pairs), singletons="drop-response")
    without = [(key, [e for e in response if len(e) > 1]) for key, response in pairs]
    expected = score(*corpora_of(without))
    assert made.table.equals(expected.table)


@pytest.mark.parametrize("name, version", [("ua", "1.0"), ("ua2", "2.0")])
def test_the_versions_of_the_universal_anaphora_scorer_differ_in_singletons_and_zeros(
    name, version
):
    """Key {a, zero, b} {c}: 1.0 scores four mentions, 2.0 without the zero and the singleton."""
    nodes = {(1, 1): (0, [(0, "nsubj")]), (2, 1): (0, [(1, "nsubj")])}
    zeros = with_zeros(nodes, words=("a", "b", "c"))
    key = zeros.with_entities([(0, 1, 0), (2, 3, 0), (1, 2, 0), (4, 5, 1)])
    result = score(key, key, **preset(name))
    assert result["bcub"].recall_denominator == {"ua": 4, "ua2": 2}[name]
    assert version in PRESETS[name].title
    assert result.signature.split(" | ")[1] == f"as {name}"


def test_what_does_not_exist_is_refused_with_what_does():
    with pytest.raises(PolicyError, match="preset is 'conll'; expected one of: perl, coval"):
        preset("conll")
    with pytest.raises(PolicyError, match="policy is 'matching'; expected one of: match"):
        preset("perl", matching="head")
    with pytest.raises(PolicyError, match="match is 'about'"):
        preset("perl", match="about")


@given(pair_corpora())
def test_exact_scores_beside_another_match_take_singletons_by_metric_too(pairs):
    key, response = corpora_of(pairs)
    beside = score(key, response, **preset("e2e", match="head")).exact
    assert beside["bcub"] == score(key, response, **preset("e2e"))["bcub"]


@pytest.mark.parametrize("average", ["macro", "scorch", "stanza"])
@given(pairs=pair_corpora())
def test_every_average_takes_singletons_by_metric(average, pairs):
    """The average of a metric is over the mentions that it scores, scorch's weights included."""
    key, response = corpora_of(pairs)
    e2e = score(key, response, singletons="e2e", average=average)
    for metric, singletons in (("bcub", "drop"), ("ceafe", "drop-response"), ("muc", "keep")):
        own = score(key, response, singletons=singletons, average=average)
        mine, theirs = (one.means[metric] for one in (e2e, own))
        values = [(one.recall, one.precision, one.f1) for one in (mine, theirs)]
        assert values[0] == pytest.approx(values[1], nan_ok=True)


def test_credit_takes_singletons_by_metric():
    key, response = corpora_of([([{0, 1}, {2}], [{0, 1}, {2}])])
    result = score(key, response, **preset("e2e"))
    for metric in ("muc", "bcub", "ceafe"):
        credit = result.credit(metric)["credit"].sum()
        assert credit == pytest.approx(result[metric].recall_numerator)


@pytest.mark.parametrize("match", ["exact", "partial"])
def test_split_antecedents_that_are_scored_are_said(match):
    plain = Document.of_rows("d", [(0, 1, 0), (1, 2, 1), (2, 3, 2)], words=["Ann", "Bob", "they"])
    split = replace(plain, split_antecedents=((2, (0, 1)),))
    (said,) = score(split, plain, **preset("ua", match=match, singletons="drop")).warnings[-1:]
    assert said.startswith("the key has 1 entity with split antecedents: these are scored")
    of = [score(split, plain, **preset("perl")), score(plain, plain, **preset("ua"))]
    assert not any("split" in warning for one in of for warning in one.warnings)


# The scorers that come with neural systems, `--as e2e` and `--as stanza`, against their -----------


def linked(side):
    return [entity for entity in side if len(entity) > 1]


# --- e2e: counts (n, d, m, e) of recall n/d and of precision m/e ----------------------------------


def of_muc(key, response):
    return *muc(key, looked_up(response)), *muc(response, looked_up(key))


def of_bcub(key, response):
    """Singletons are left out after the look-up: a mention that one lists last is in no entity."""
    counts = []
    for own, other in ((key, response), (response, key)):
        where = looked_up(other).items()
        counts += bcub(linked(own), {m: at for m, at in where if len(other[at]) > 1})
    return tuple(counts)


def of_ceafe(key, response):
    response = linked(response)
    best = ceaf_sums(key, response, phi4)
    return best, len(key), best, len(response)


E2E = {"muc": of_muc, "bcub": of_bcub, "ceafe": of_ceafe}


def f1_of(recall, precision):
    return ratio(2 * recall * precision, recall + precision)


def by_e2e(pairs):
    scores = {}
    for name, counts in E2E.items():
        rows = [counts(*pair) for pair in pairs]
        n, d, m, e = (sum(column) for column in zip(*rows, strict=True))
        recall, precision = ratio(n, d), ratio(m, e)
        scores[name] = recall, precision, f1_of(recall, precision)
    return scores, sum(f1 for *_, f1 in scores.values()) / 3


def values(found):
    return found.recall, found.precision, found.f1


def assert_equal(found, expected):
    """Each value is the fraction, or empty for None."""
    for value, one in zip(found, expected, strict=True):
        assert isnan(value) if one is None else value == pytest.approx(float(one), abs=1e-12)


@given(st.lists(st.tuples(LISTED, LISTED), min_size=1, max_size=3))
def test_e2e_is_as_the_rules_say_with_repeats_too(pairs):
    sides = (listed_corpus(*side) for side in zip(*pairs, strict=True))
    result = score(*sides, **preset("e2e"))
    expected, conll = by_e2e(pairs)
    for name in E2E:
        assert_equal(values(result[name]), expected[name])
    assert_equal([result["conll"].f1], [conll])


# --- Stanza ---------------------------------------------------------------------------------------


def stanza_of_one(metric, pair):
    """Recall and precision of a document; None is empty."""
    key, response = pair
    found = oracle.score(metric, [(key, response)], empty=None)
    recall, precision = found.recall or Fraction(0), found.precision or Fraction(0)
    if metric == "ceafe" and not key:
        return None, precision if response else None
    return recall, precision


def mean(column):
    return None if None in column else sum(column, Fraction(0)) / len(column)


def by_stanza(metric, pairs):
    if metric == "lea":
        found = oracle.score("lea", [(linked(k), linked(r)) for k, r in pairs], empty=Fraction(0))
        return found.recall, found.precision, f1_of(found.recall, found.precision)
    rows = [stanza_of_one(metric, pair) for pair in pairs]
    recall, precision = (mean(column) for column in zip(*rows, strict=True))
    f1 = None if recall is None or precision is None else f1_of(recall, precision)
    return recall, precision, f1


def of_sets(own, other):
    """B³ and LEA of one direction as Stanza counts entities that overlap: B³ by every entity that
    has a mention, LEA by the last entity of the second mention of a link."""
    last = {mention: set(entity) for entity in other for mention in entity}
    b3 = sum((Fraction(len({*e} & {*o}) ** 2, len(e)) for e in own for o in other), Fraction(0))
    lea = Fraction(0)
    for entity in linked(own):
        pairs_of = [*combinations(sorted(entity), 2)]
        found = sum(one in last.get(two, ()) for one, two in pairs_of)
        lea += Fraction(len(entity) * found, len(pairs_of))
    return (b3, sum(map(len, own))), (lea, sum(map(len, linked(own))))


OVERLAPPING = st.lists(
    st.lists(st.integers(0, 4), min_size=1, max_size=4, unique=True), min_size=1, max_size=4
)


@given(OVERLAPPING, OVERLAPPING)
def test_stanza_removes_no_repeat(key, response):
    result = score(listed_corpus(key), listed_corpus(response), **preset("stanza")).means
    sides = of_sets(key, response), of_sets(response, key)
    for at, metric in enumerate(("bcub", "lea")):
        recall, precision = (ratio(*of[at]) for of in sides)
        assert_equal(values(result[metric])[:2], (recall, precision))
    links = [ratio(*muc(*of)) for of in ((key, looked_up(response)), (response, looked_up(key)))]
    assert_equal(values(result["muc"])[:2], links)
    best = ceaf_sums(key, response, phi4)
    assert_equal(values(result["ceafe"])[:2], (best / len(key), best / len(response)))


@given(pair_corpora())
def test_stanza_is_as_the_rules_say(pairs):
    means = score(*corpora_of(pairs), **preset("stanza")).means
    expected = {name: by_stanza(name, pairs) for name in PRESETS["stanza"].metrics}
    for name, of in expected.items():
        assert_equal(values(means[name]), of)
    f1 = [expected[name][2] for name in ("muc", "bcub", "ceafe")]
    assert_equal([means["conll"].f1], [mean(f1)])


# --- From the shell -------------------------------------------------------------------------------


# What each preset says of files that lack what it needs: by column or field, never in -------------

WORDS = tuple("abcdefgh")
KEY_OF_LACKS = [(0, 1, 0), (3, 5, 0), (4, 6, 1)]
RESPONSE_OF_LACKS = [(0, 1, 0), (4, 5, 0)]


def corpus(rows, words=WORDS, *, names="d"):
    return Corpus(tuple(Document.of_rows(name, rows, words=words) for name in names))


def said(name, key, response, **policies):
    """The warnings, or the refusal."""
    try:
        return " ".join(score(key, response, **preset(name, **policies)).warnings)
    except InputError as error:
        return f"refused: {error}"


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_tells_what_its_files_lack(name):
    """Heads, a parse, the same words, a document, mentions."""
    policies = PRESETS[name].policies
    key, response = corpus(KEY_OF_LACKS), corpus(RESPONSE_OF_LACKS)
    headless = said(name, key, response)
    assert bool(headless) == (policies.match == "head")
    assert headless == "" or "name the head of any mention (CoNLL-U: the field 'head'" in headless
    for more in ({"mentions": "np-only"}, {"match": "min-span"}):
        unparsed = said(name, key, response, **more)
        assert re.search(r"refused: .*'d' without a parse; .* column 6", unparsed)
    other = said(name, key, corpus(RESPONSE_OF_LACKS, words=tuple("abcdefgx")))
    ignored = policies.words == "ignore"
    assert ("compared by position" if ignored else "has 'x' as word 8; expected 'h'") in other
    assert ignored != ("refused" in other)
    expected = {
        "empty": "('e') of the key: scored as",
        "skip": "('e') of the key: left out",
        "error": "refused: response: no document 'e'",
    }
    missing = said(name, corpus(KEY_OF_LACKS, names="de"), response)
    assert expected[policies.missing_documents] in missing
    assert "response has no mentions" in said(name, key, corpus([]))


# A side without any mention is warned of, with the likely cause -----------------------------------

TEXT = [(0, 1, 0), (2, 3, 0)]


def corpus_of_noticed(rows, file, **known):
    document = Document.of_rows("d", rows, words=("a", "b", "c"), file=file, **known)
    return Corpus((document,), file)


KEY_OF_NOTICED = corpus_of_noticed(TEXT, "key.json")


TABBED = "\t_" * 8


@pytest.mark.parametrize(
    "text, cause",
    [
        ('{"doc_key": "d", "tokens": ["a", "b", "c"], "clusters": []}', "Are its entities empty"),
        (
            "# newdoc id = d\n"
            + "".join(f"{at}\t{word}{TABBED}\n" for at, word in enumerate("abc", 1)),
            "Is it annotated for coreference, with 'Entity=' in the last column?",
        ),
        (
            "#begin document (d)\nd 0 0 a -\nd 0 1 b -\nd 0 2 c -\n#end document\n",
            "Is coreference in a column other than the last, or '-' in every row?",
        ),
    ],
)
def test_the_likely_cause_fits_the_format(text, cause):
    (warning,) = score(KEY_OF_NOTICED, read_bytes(text.encode(), "it")).warnings
    assert warning.startswith("it has no mentions at all. ")
    assert cause in warning


# Mentions that are one word off are warned of at any size, where hardly one matches ---------------

LONG = [(0, 1, 0), (2, 4, 0), (4, 7, 1), (8, 9, 1), (10, 11, 1)]


@pytest.mark.parametrize(
    "shift, told",
    [
        (
            (0, 1),
            "5 would if each ended one word earlier. The ends of the response look exclusive, but",
        ),
        (
            (0, -1),
            "2 would if each ended one word later. The ends of the key look exclusive, but are",
        ),
        ((1, 1), "5 would if each were one word earlier. Does the response count words from 1?"),
        ((-1, -1), "4 would if each were one word later. Does the key count words from 1?"),
    ],
)
def test_mentions_one_word_off_are_told(shift, told):
    rows = [(start + shift[0], end + shift[1], entity) for start, end, entity in LONG]
    moved = [row for row in rows if 0 <= row[0] < row[1]]
    key = [row for row, other in zip(LONG, rows, strict=True) if other in moved]
    response = Document.of_rows("d", moved, words=tuple("abcdefghijkl"))
    (warning,) = score(corpus(key, tuple("abcdefghijkl")), response).warnings
    assert re.match(r"the response: 0 of \d mentions match the key's \(the key\), but ", warning)
    assert told in warning


def test_a_response_that_shares_mentions_or_has_one_or_names_only_is_not_doubted():
    key = corpus(LONG, tuple("abcdefghijkl"))
    for rows in ([*LONG[:2], (4, 8, 1), (8, 10, 1)], [(0, 2, 0)], [(5, 6, 0), (6, 7, 0)]):
        assert score(key, corpus(rows, tuple("abcdefghijkl"))).warnings == ()
    assert score_entities([{1, 3}, {5}], [{2, 4}, {6}]).warnings == ()


@pytest.mark.parametrize(
    "sides",
    [(KEY_OF_NOTICED, corpus_of_noticed([], "it")), (corpus_of_noticed([], "it"), KEY_OF_NOTICED)],
)
def test_either_side_is_warned_of(sides):
    found = score(*sides)
    (warning,) = found.warnings
    assert warning.startswith("it has no mentions")
    assert has_empty_side(found)


def test_dropped_singletons_may_leave_nothing():
    alone = corpus_of_noticed([(0, 1, 0), (2, 3, 1)], "r.json")
    assert score(KEY_OF_NOTICED, alone, singletons="drop").warnings == (
        "r.json has no mention left of 2 mentions: singletons are left out.",
    )
    assert score(KEY_OF_NOTICED, alone).warnings == ()
    assert not has_empty_side(score(KEY_OF_NOTICED, alone))


def test_mentions_that_the_key_has_no_words_for_leave_nothing():
    response = Document.of_rows("d", [(0, 1, 0)], words=("Hello!", "a", "b", "c"))
    found = score(KEY_OF_NOTICED, Corpus((response,), "r.json"), words="align")
    assert re.fullmatch(
        r"r\.json .* left of 1 mention: none is in a text that the key has\.", found.warnings[-1]
    )


ALONE = [(at, at + 1, at) for at in range(12)]
LINKED = [(0, 1, 0), (2, 3, 0), (4, 5, 1), (6, 7, 1)]


def long(rows, file):
    words = [str(at) for at in range(12)]
    return Corpus((Document.of_rows("d", rows, words=words, file=file),), file)


@pytest.mark.parametrize(
    "key, response, names, said",
    [
        (LINKED, LINKED, "key.conll a.conll", "have the same mentions in the same entities"),
        (LINKED, LINKED[:2], "a.conll my-key.conll", "Are key and response swapped?"),
        (LINKED, LINKED[:2], "a.conll gold/a.conll", ""),
        (LINKED, LINKED[:2], "key.conll keyboard.conll", ""),
        (LINKED, LINKED[:2], "key.conll gold.conll", ""),
        (LINKED[:2], ALONE[:10], "a.conll b.conll", "10 singletons. Are key and response"),
        (LINKED[:2], ALONE[:9], "a.conll b.conll", ""),
        (ALONE, ALONE[:10], "a.conll b.conll", ""),
    ],
)
def test_files_that_are_one_or_swapped_are_doubted(key, response, names, said):
    sides = (long(rows, name) for rows, name in zip((key, response), names.split(), strict=True))
    found = " ".join(doubts(score(*sides), *names.split()))
    assert said in found
    assert bool(found) == bool(said)
