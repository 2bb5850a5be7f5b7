"""Other scorers by name: their policies and metrics, and singletons by metric."""

from dataclasses import replace

import pytest
from hypothesis import given

from corescore import Corpus, Document, PolicyError, preset, score
from corescore.scoring.presets import PRESETS
from tests.support.strategies import corpora_of, pair_corpora
from tests.support.zeros import with_zeros


@pytest.mark.parametrize("name", PRESETS)
def test_the_signature_names_the_preset_unless_a_policy_differs(name):
    key, response = corpora_of([([{0, 1}], [{0, 1}])])
    assert f"| as {name} |" in score(key, response, **preset(name)).signature
    other = score(key, response, **preset(name, mentions="without-nested"))
    assert "| as " not in other.signature


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_no_metric_that_the_scorer_lacks(name):
    key, response = corpora_of([([{0, 1}], [{0, 1}])])
    ids = {metric.id for metric in score(key, response, **preset(name)).metrics}
    assert ids - {"mentions", "links", "rand"} == set(PRESETS[name].metrics)
    assert ("lea" in ids) == (name in ("coval", "corefud", "ua", "ua2", "stanza"))


@given(pair_corpora())
def test_e2e_takes_singletons_by_metric(pairs):
    key, response = corpora_of(pairs)
    e2e = score(key, response, **preset("e2e"))
    both = score(key, response, singletons="drop")
    one = score(key, response, singletons="drop-response")
    assert e2e["muc"] == score(key, response)["muc"]
    assert e2e["bcub"] == both["bcub"]
    assert e2e["ceafe"] == one["ceafe"]


@given(pair_corpora())
def test_singletons_of_the_response_alone_are_dropped(pairs):
    made = score(*corpora_of(pairs), singletons="drop-response")
    without = [(key, [e for e in response if len(e) > 1]) for key, response in pairs]
    expected = score(*corpora_of(without))
    assert made.table.equals(expected.table)


@given(pair_corpora())
def test_stanza_drops_singletons_for_lea_alone(pairs):
    key, response = corpora_of(pairs)
    stanza = score(key, response, **preset("stanza"))
    dropped = score(key, response, singletons="drop", average="stanza")
    assert stanza.counts["lea"].recall_numerator == pytest.approx(
        dropped.counts["lea"].recall_numerator
    )
    kept = score(key, response, average="stanza")
    assert stanza.counts["bcub"].recall_numerator == pytest.approx(
        kept.counts["bcub"].recall_numerator
    )


@pytest.mark.parametrize(("name", "version"), [("ua", "1.0"), ("ua2", "2.0")])
def test_the_versions_of_the_universal_anaphora_scorer_differ_in_singletons_and_zeros(
    name, version
):
    """Key {a, zero, b} {c}: 1.0 scores four mentions, 2.0 without the zero and the singleton."""
    nodes = {(1, 1): (0, [(0, "nsubj")]), (2, 1): (0, [(1, "nsubj")])}
    zeros = with_zeros(nodes, words=("a", "b", "c"))
    key = Corpus((zeros.with_entities([(0, 1, 0), (2, 3, 0), (1, 2, 0), (4, 5, 1)]),))
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
def test_ua_says_that_split_antecedents_are_not_scored(match):
    plain = Document.of_rows("d", [(0, 1, 0), (1, 2, 1), (2, 3, 2)], words=["Ann", "Bob", "they"])
    split = Corpus((replace(plain, split_antecedents=((2, (0, 1)),)),))
    plain = Corpus((plain,))
    (said,) = score(split, plain, **preset("ua", match=match, singletons="drop")).warnings[-1:]
    assert said.startswith("the key has 1 entity with split antecedents, which are not scored")
    of = [score(split, plain, **preset("perl")), score(plain, plain, **preset("ua"))]
    assert not any("split" in warning for one in of for warning in one.warnings)
