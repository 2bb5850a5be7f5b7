"""Policies, warnings, empties, shards and tables: what `score` says beside its numbers."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from corescore import Corpus, Document, PolicyError, __version__, score, score_entities
from corescore.corpus.files import read_bytes
from corescore.counting.policies import POLICY_VALUES
from corescore.metrics import METRIC_IDS
from tests.support.messages import message_of
from tests.support.own_metric import exactly
from tests.support.strategies import corpora_of, pair_corpora

RATIOS = ["recall", "precision", "f1"]
COUNTS = [
    "recall_numerator",
    "recall_denominator",
    "precision_numerator",
    "precision_denominator",
]


def notation(text, file="key.txt"):
    return read_bytes(text.encode(), file, format="notation")


def score_notation(key, response, **policies):
    return score(notation(key), notation(response, "response.txt"), **policies)


# --- Singletons ----------------------------------------------------------------------------------


@given(pair_corpora())
def test_dropping_singletons_equals_scoring_partitions_without_them(pairs):
    without = [tuple([e for e in side if len(e) > 1] for side in pair) for pair in pairs]
    dropped = score(*corpora_of(pairs), singletons="drop")
    plain = score(*corpora_of(without))
    pd.testing.assert_frame_equal(dropped.table, plain.table)
    pd.testing.assert_frame_equal(dropped.per_document, plain.per_document)


# --- Repeats -------------------------------------------------------------------------------------

REPEATED = "{a b} {b c d}"  # b stands in two entities


def test_of_a_repeated_mention_the_first_entity_is_kept_and_a_warning_counts_it():
    result = score_notation(REPEATED, "{a b} {c d}")
    assert result["bcub"].f1 == 1
    (warning,) = result.warnings
    assert warning.startswith("key.txt lists 1 mention twice")
    assert "'b' in 1" in warning
    assert "first entity kept" in warning
    (warning,) = score_notation("{a b} {c d}", REPEATED).warnings
    assert warning.startswith("response.txt lists 1 mention twice")
    for repeats in ("first", "all"):
        within_one = score_notation("{a a b}", "{a b}", repeats=repeats)
        assert within_one["mentions"].recall_denominator == 2
        assert len(within_one.warnings) == 1


def test_many_repeats_are_counted_and_five_places_named():
    letters = "abcdefg"
    text = " ".join([f"{{{' '.join(letters)}}}"] * 2)
    (warning,) = score_notation(text, "{a b c d e f g}").warnings
    assert f"{len(letters)} mentions" in warning
    assert [f"'{letter}' in" in warning for letter in letters] == [True] * 5 + [False] * 2
    assert "…" in warning


def test_dropping_singletons_drops_those_that_repeats_leave():
    """{a b} {b c} {d}: b stays in its first entity, which leaves {c}; {d} is dropped before."""
    result = score_notation("{a b} {b c} {d}", "{a b} {c d}", singletons="drop")
    assert (result["bcub"].recall_denominator, result["bcub"].precision_denominator) == (2, 4)
    sizes = {name: int(of.sum()) for name, of in result.sizes.items()}
    assert sizes["key_mentions"] == 2
    assert (sizes["key_entities"], sizes["key_singletons"]) == (1, 0)
    (said,) = result.warnings
    assert "1 mention twice" in said
    assert "dropped" in said


def test_sizes_count_entities_as_a_scorer_that_looks_mentions_up_lists_them():
    """{a b} {b a}: two entities of two mentions, whose mentions are looked up in the second."""
    for repeats in ("listed", "reference", "all"):
        sizes = score_notation("{a b} {b a c}", "{a b}", repeats=repeats).sizes
        found = [int(sizes[f"key_{what}"].sum()) for what in ("entities", "singletons")]
        assert found == [2, 0], repeats


@pytest.mark.parametrize(
    "content, said",
    [
        (
            b"#begin document (d); part 000\nd 0 0 It - (1)|(2)\n#end document\n",
            "dev:2: a span listed twice: 'It' in d, word 1; expected each span once",
        ),
        (
            b'{"doc_key": "d", "clusters": [[[1, 1]], [[1, 1]]]}',
            "dev:1: a span listed twice: '' in d, word 2; expected each span once",
        ),
    ],
)
def test_repeats_can_be_refused_with_file_span_and_advice(content, said):
    corpus = read_bytes(content, "dev")
    assert said in message_of(score, corpus, corpus, repeats="error")
    assert score(corpus, corpus)["bcub"].f1 == 1


def test_repeats_scored_as_they_stand_reward_repetition():
    """The response lists {a b} twice: its key entity is found twice over."""
    once = score_notation("{a b} {c d}", "{a b} {c}", repeats="all")
    twice = score_notation("{a b} {c d}", "{a b} {b a} {c}", repeats="all")
    assert once["bcub"].recall == exactly((4 / 2 + 1 / 2) / 4)
    assert twice["bcub"].recall == exactly((2 * (4 / 2) + 1 / 2) / 4)
    assert twice["bcub"].recall > 1
    assert "all kept" in twice.warnings[0]


@pytest.mark.parametrize("key", ["{a} {b}", "{a} {a} {b}"])
@pytest.mark.parametrize(
    "response, resolved, precision",
    [
        ("{a} {b}", {"a", "b"}, 1),
        ("{a} {a} {a} {b c}", {"a"}, 3 / 5),
        ("{a b} {a} {b}", {"a", "b"}, 2 / 4),
        ("{a} {a b}", {"a"}, 1 / 3),
    ],
)
def test_a_singleton_listed_again_is_one_correct_link_of_lea(key, response, resolved, precision):
    """A self-link is in the other side or not, however often the other side has it."""
    lea = score_notation(key, response, repeats="all")["lea"]
    own = key[1:-1].split("} {")
    assert lea.recall == exactly(sum(mention in resolved for mention in own) / len(own))
    assert lea.precision == exactly(precision)


def test_without_repeats_the_policy_makes_no_difference_and_no_warning():
    results = [
        score_notation("{a b} {c}", "{a} {b c}", repeats=r) for r in ("first", "error", "all")
    ]
    for result in results:
        assert result.warnings == ()
        pd.testing.assert_frame_equal(result.table, results[0].table)


# --- BLANC ---------------------------------------------------------------------------------------


def test_recasens2011_scores_only_the_mentions_that_both_sides_have():
    """{a b}{c} against {a b}{c}, whatever e, x and y do."""
    result = score_notation("{a b e} {c}", "{a b x} {c y}", blanc="recasens2011")
    assert result["blanc"].f1 == 1
    assert result["blanc"].parts["coreference"].recall_denominator == 1


# --- Documents that one side lacks ---------------------------------------------------------------

TWO = "# x\n{a b}\n# y\n{c d}\n"
ONE = "# x\n{a b}\n"


def test_a_missing_document_counts_as_an_empty_response_with_a_warning():
    result = score_notation(TWO, ONE)
    assert result["bcub"].recall == exactly(2 / 4)
    assert result["bcub"].precision == 1
    assert result.documents == ("x", "y")
    (warning,) = result.warnings
    assert warning.startswith("response.txt is missing 1 document ('y') of the key: ")


def test_a_document_that_the_key_lacks_is_left_out_with_a_warning():
    result = score_notation(ONE, TWO)
    assert result["bcub"].f1 == 1
    assert result.documents == ("x",)
    assert result.warnings == ("response.txt has 1 document ('y') not in the key: left out.",)


# --- Averages ------------------------------------------------------------------------------------


def test_macro_means_stand_beside_the_micro_average():
    """Documents of recall 2/2 and 0/4, together 2/6; those where a value is empty are left out."""
    key, response = "{a b}\n{c d e f}", "{a b}\n{x y}"
    micro, macro = score_notation(key, response), score_notation(key, response, average="macro")
    assert micro["mentions"].recall == macro["mentions"].recall == exactly(2 / 6)
    assert macro.macro["mentions"].recall == exactly((2 / 2 + 0 / 4) / 2)
    assert macro.table.loc["mentions", "macro_recall"] == exactly(1 / 2)
    pd.testing.assert_frame_equal(macro.table[micro.table.columns], micro.table)
    assert score_notation("{a b}\n{c}", "{a b}\n{c}", average="macro").macro["muc"].recall == 1
    assert np.isnan(score_notation("{c}", "{c}", average="macro").macro["muc"].f1)


# --- Policies by name ----------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICY_VALUES)
def test_an_unknown_policy_is_refused_with_the_allowed_values(policy):
    with pytest.raises(PolicyError) as error:
        score_notation("{a}", "{a}", **{policy: "other"})
    name, allowed = policy.replace("_", " "), ", ".join(POLICY_VALUES[policy])
    assert str(error.value).startswith(f"{name} is 'other'; expected one of: {allowed}")


def test_the_signature_names_the_policies_in_force():
    plain = score_notation("{a}\n{b}", "{a}\n{b}")
    assert plain.signature == (
        f"corescore {__version__} | match exact | singletons keep | repeats first | "
        "blanc reference | micro over 2 documents"
    )
    words = score_notation("{a}", "{a}", words="ignore")
    assert "| blanc reference | words ignore | micro over" in words.signature
    other = score_notation(
        "{a}", "{a}", singletons="drop", repeats="all", blanc="luo2014", average="macro"
    )
    assert other.signature == (
        f"corescore {__version__} | match exact | singletons drop | repeats all | "
        "blanc luo2014 | micro and macro over 1 document"
    )


# --- Empties -------------------------------------------------------------------------------------


def test_a_metric_without_anything_to_find_is_empty_for_a_document_and_0_in_the_total():
    result = score_notation("{a} {b}\n{c d}", "{a} {b}\n{c} {d}")
    muc = result.document_scores["muc"]
    assert np.isnan([muc.recall[0], muc.precision[0], muc.f1[0]]).all()
    assert (muc.recall[1], muc.f1[1]) == (0, 0)
    assert np.isnan(muc.precision[1])
    assert (result["muc"].recall, result["muc"].precision, result["muc"].f1) == (0, 0, 0)
    assert np.isnan(result.per_document.loc[("1", "muc"), "f1"])


def test_documents_without_mentions_are_empty_under_every_metric():
    nothing = Corpus((Document.of_rows("x", ()),))
    for corpus in (nothing, Corpus(())):
        result = score(corpus, corpus)
        assert result.per_document[RATIOS].isna().all(axis=None)
        assert (result.table.drop(index="conll")[RATIOS] == 0).all(axis=None)
        assert result["conll"].f1 == 0
    assert result.warnings == ()
    result = score_notation("{a b} {c}", "{}")
    bcub = result.document_scores["bcub"].row(0)
    assert (bcub.recall, bcub.f1) == (0, 0)
    assert np.isnan(bcub.precision)
    assert result["bcub"].precision == 0


# --- Shards --------------------------------------------------------------------------------------


def test_results_of_other_policies_or_metrics_do_not_add_up():
    plain = score_notation("{a}", "{a}")
    others = [
        score_notation("{a}", "{a}", singletons="drop"),
        score_notation("{a}", "{a}", metrics=plain.metrics[:1]),
    ]
    for other in others:
        with pytest.raises(ValueError, match="not add up"):
            plain + other


# --- Entities of any kind ------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    at: int


@pytest.mark.parametrize(
    "mentions",
    [
        (1, 2, 3),
        ("a", "a ", ""),
        ((0, 1), (1, 2), (0, 2)),
        (frozenset({1}), frozenset(), None),
        (Place(1), Place(2), "Place(at=1)"),
        ("1", 1, 2.5),
        ("1#0", "1", "1#1"),
    ],
)
def test_entities_may_be_of_anything_that_can_be_hashed(mentions):
    a, b, c = mentions
    result = score_entities([[a, b], [c]], [{a}, (c, b)])
    assert result["mentions"].f1 == 1
    assert result["bcub"].recall == exactly(((1 + 1) / 2 + 1) / 3)


def test_score_entities_takes_policies_and_generators():
    result = score_entities((e for e in [{1, 2}, {3}]), [{1, 2}], singletons="drop")
    assert result["bcub"].f1 == 1
    with pytest.raises(PolicyError):
        score_entities([{1}], [{1}], singletons="none")


@given(pair_corpora(max_documents=1))
def test_score_entities_equals_scoring_documents(pairs):
    named, plain = score_entities(*pairs[0]), score(*corpora_of(pairs))
    for metric, scored in plain.scores.items():
        assert named[metric].f1 == pytest.approx(scored.f1, abs=1e-12, nan_ok=True)


# --- Tables --------------------------------------------------------------------------------------


def test_the_table_has_a_row_a_metric_with_ratios_and_what_they_were_divided_from():
    table = score_notation("{a b} {c}", "{a b c}").table
    assert [*table.columns] == ["title", "diagnostic", *RATIOS, *COUNTS]
    place = METRIC_IDS.index("blanc") + 1
    assert [*table.index] == [
        *METRIC_IDS[:place],
        *("blanc.coreference", "blanc.non_coreference"),
        *METRIC_IDS[place:],
        *("mentions", "links", "rand", "conll"),
    ]
    assert table.index.name == "metric"
    assert [*table.index[table["diagnostic"]]] == ["mentions", "links", "rand"]
    assert table.loc["bcub", "title"] == "B³"
    assert [*table.loc["muc", COUNTS]] == [1, 1, 1, 2]
    assert table.loc["blanc", COUNTS].isna().all()
    assert [*table.loc["blanc.coreference", COUNTS]] == [1, 1, 1, 3]
    assert table.loc["conll", ["recall", "precision", *COUNTS]].isna().all()
    rows = score_notation("# z\n{a}\n# a\n{b}", "# a\n{b}\n# z\n{a}").per_document
    assert rows.index.names == ["document", "metric"]
    assert [*rows.index.get_level_values("document").unique()] == ["z", "a"]
    assert [*rows.columns] == [*RATIOS, *COUNTS]
    assert rows.loc[("z", "bcub"), "f1"] == 1


# --- Size ----------------------------------------------------------------------------------------


def test_links_may_outgrow_32_bits():
    """C(100 000, 2) is more than 2**32, and so are the non-coreference links."""
    n, half = 100_000, 50_000
    one = Document.of_rows("d", [(at, at + 1, 0) for at in range(n)])
    two = Document.of_rows("d", [(at, at + 1, at // half) for at in range(n)])
    result = score(one, two)
    links, right = n * (n - 1) // 2, half * (half - 1)
    assert links > 2**32
    assert result["links"].recall_denominator == links
    assert result["links"].recall_numerator == right
    assert result["links"].recall == exactly(right / links)
    assert result["bcub"].recall == exactly(2 * half**2 / n / n)
    swapped = score(two, one)["blanc"].parts["non_coreference"]
    assert swapped.recall_denominator == links - right


@pytest.mark.parametrize("far", [10**6, 2**31, 2**33, 2**40])
def test_spans_may_stand_at_any_position(far):
    """Of 20 mentions in each of two documents, wherever they stand, the response has half."""
    rng = np.random.default_rng(0)
    spans = [
        [(start, start + 2) for start in np.unique(rng.integers(0, far, 20)).tolist()] for _ in "xy"
    ]
    key, response = (
        Corpus(tuple(Document.of_entities(f"d{at}", [of[::n]]) for at, of in enumerate(spans)))
        for n in (1, 2)
    )
    result = score(key, response)
    assert result["mentions"].recall == exactly(1 / 2)
    assert result["mentions"].precision == 1
