"""The arithmetic in words says what the credits say, and the rows of a metric add up to it."""

import math
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from corescore import Corpus, Document, read, score
from corescore.analysis.credit import mention_share
from corescore.analysis.errors.classes import INCORRECTLY_RESOLVED
from corescore.analysis.errors.overlaps import (
    LINK_METRICS,
    PAIR_KINDS,
    entities_of_overlaps,
    link_weights,
    members_in_context,
    overlap_links,
    overlap_members,
    overlap_of,
    overlap_table,
    pair_counts,
    pair_kinds,
    pair_table,
)
from corescore.analysis.errors.tables import LINK_STATUSES
from corescore.analysis.explain import (
    TITLE_WORDS,
    TWINLESS,
    blanc_cells,
    depth_table,
    entity_titles,
    explain_mention,
    find_mention,
    mean_shares,
    share_table,
    where_it_is,
)
from corescore.metrics import BLANC_VARIANTS, METRICS
from tests.support.strategies import corpora_of, pair_corpora

EXPLAINED = [metric for metric in METRICS if metric.explanation]
every_metric = pytest.mark.parametrize("metric", EXPLAINED, ids=lambda metric: metric.id)
every_side = pytest.mark.parametrize("side", ["recall", "precision"])
few = settings(max_examples=20)
# semantics.md: key {abc}{defg}, response {ab}{cd}{fghi}
PAIR = ([{0, 1, 2}, {3, 4, 5, 6}], [{0, 1}, {2, 3}, {5, 6, 7, 8}])


def result_of(*pairs):
    return score(*corpora_of(pairs))


@every_side
@few
@given(pairs=pair_corpora())
def test_the_share_that_is_explained_is_the_share_that_is_drawn(side, pairs):
    comparison = result_of(*pairs).comparison
    drawn = [mention_share(comparison, metric, side=side) for metric in EXPLAINED]
    for mention in range(len(comparison.view(side).own.document)):
        told = explain_mention(comparison, EXPLAINED, mention, side=side)
        for explanation, shares in zip(told, drawn, strict=True):
            assert explanation.share == pytest.approx(shares[mention], nan_ok=True)


@few
@given(pairs=pair_corpora())
def test_blancs_cells_add_up_to_the_pairs_of_each_side(pairs):
    result = result_of(*pairs)
    for number, name in enumerate(result.documents):
        cells = blanc_cells(result.comparison, name)
        parts = result.document_scores["blanc"].parts
        for kind, part in (("coreference", "coreference"), ("non-coreference", "non_coreference")):
            counts = parts[part].row(number)
            assert cells.loc[kind, kind] == counts.recall_numerator
            assert cells.loc[kind].sum() == counts.recall_denominator
            assert cells[kind].sum() == counts.precision_denominator


def sentences(mention, side="recall"):
    told = explain_mention(result_of(PAIR).comparison, METRICS, mention, side=side)
    return {explanation.metric: explanation.sentence for explanation in told}


def test_the_sentences_spell_the_arithmetic_out():
    told = sentences(0)  # a, of {abc}, in {ab}
    assert told["muc"].endswith("the response has 1 of them: 1/1 = 1.000")
    assert told["bcub"] == (
        "2 of the 3 mentions of key entity 1 stand in response entity 1, itself among them: "
        "2/3 = 0.667"
    )
    assert told["ceafm"] == "Key entity 1 is aligned with response entity 1, which has it: 1 of 1"
    assert told["ceafe"].endswith("which has it: 2/(3 + 2) = 0.400 of 1/3 = 0.333")
    # 9 coreference links and 12 others: a has right the one with b, and those with d, f and g
    assert told["blanc"].endswith("(1/9 + 3/12) / (2/9 + 4/12) = 0.650")
    assert told["lea"] == "The response has 1 of its 2 links in key entity 1: 1/2 = 0.500"


def test_a_mention_that_the_other_side_lacks_earns_nothing_and_is_told_so():
    comparison = result_of(PAIR).comparison
    assert "lacks it" in sentences(4)["bcub"]  # e
    assert where_it_is(comparison, 4, side="recall").endswith("the response has no such mention.")
    assert sentences(7, side="precision")["bcub"].startswith("The key lacks")  # h


def test_an_entity_row_spells_its_arithmetic_out():
    comparison = result_of(PAIR).comparison
    words = {
        metric.id: depth_table(comparison, metric, side="recall", by="entity", document="d0")
        .set_index("entity")["arithmetic"]
        .to_dict()
        for metric in EXPLAINED
        if metric.id != "blanc"
    }
    assert words["muc"][2] == "4 mentions in 3 parts: 4 − 3 = 1 of 4 − 1 = 3"
    assert words["bcub"][1] == "3 mentions, 3 of them in the response: (2² + 1²)/3 = 1.667 of 3"
    assert words["ceafm"][2] == "aligned with response entity 3: 2 of 4"
    assert words["ceafe"][2] == "aligned with response entity 3: 2 × 2/(4 + 4) = 0.5 of 1"
    assert words["lea"][2] == "4 mentions, 1 of 6 links: 4 × 1/6 = 0.667 of 4"


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("muc", "1 of its 1 spanning link, half of each: 1/2 = 0.5 of 1/2 = 0.5"),
        ("bcub", "2 of its entity’s 3 in response entity 1: 2/3 = 0.667 of 1"),
        ("ceafm", "in response entity 1, the aligned one: 1 of 1"),
        ("ceafe", "in response entity 1, the aligned one: 2/(3 + 2) = 0.4 of 1/3 = 0.333"),
        ("lea", "1 of its 2 links in response entity 1: 1/2 = 0.5 of 1"),
    ],
)
def test_a_mention_row_spells_its_arithmetic_out(metric, words):
    rows = depth_of_pair(metric, by="mention")  # a, of {abc}, in {ab}
    assert rows.set_index("start").loc[0, "arithmetic"] == words


@pytest.mark.parametrize(
    ("metric", "worth"),
    [("muc", "1"), ("bcub", "2/3 = 0.667"), ("blanc", "1"), ("lea", "3/3 = 1")],
)
def test_a_link_row_says_where_the_other_side_has_its_ends(metric, worth):
    rows = depth_of_pair(metric, by="link").dropna(subset="other_start")
    told = rows.set_index(["start", "other_start"])["arithmetic"].to_dict()
    assert told[0, 1] == f"both in response entity 1: {worth} of {worth}"
    assert told[1, 2] == f"in response entities 1 and 2: 0 of {worth}"


def test_a_row_of_two_entities_says_which_of_their_pairs_are_lost():
    """{abc} and {defg}: e is missing, and the response joins c and d."""
    rows = depth_of_pair("blanc", by="link").dropna(subset="other_entity")
    assert rows["arithmetic"].tolist() == ["3 and 3 shared, 1 joined: 3 × 3 − 1 = 8 of 3 × 4 = 12"]


def depth_of_pair(metric, by):
    known = {known.id: known for known in METRICS}[metric]
    comparison = result_of(PAIR).comparison
    return depth_table(comparison, known, side="recall", by=by, document="d0")


def value_of(expression):
    """(2² + 1²)/3 as a fraction."""
    python = expression.replace("²", "**2").replace("×", "*").replace("−", "-").replace(",", "")
    assert re.fullmatch(r"[\d.+*/() -]+", python)
    return eval(re.sub(r"\d+(\.\d+)?", r"Fraction('\g<0>')", python), {"Fraction": Fraction})


def told_numbers(arithmetic):
    """What comes after the words: every way in which credit and possible are written."""
    credit, possible = arithmetic.rpartition(": ")[2].split(" of ")
    return [[value_of(way) for way in side.split(" = ")] for side in (credit, possible)]


@pytest.mark.long
@pytest.mark.slow
@every_metric
@every_side
@pytest.mark.parametrize("by", ["entity", "mention", "link"])
@settings(max_examples=6)
@given(pairs=pair_corpora())
def test_the_rows_work_out_to_their_credit_and_add_up_to_the_documents_score(
    metric, side, by, pairs
):
    result = result_of(*pairs)
    for number, name in enumerate(result.documents):
        rows = depth_table(result.comparison, metric, side=side, by=by, document=name)
        for row in rows.to_dict("records"):
            assert ": " in row["arithmetic"]
            for ways, wanted in zip(
                told_numbers(row["arithmetic"]), (row["credit"], row["possible"]), strict=True
            ):
                assert float(ways[0]) == pytest.approx(wanted, abs=1e-9)
                assert float(ways[-1]) == pytest.approx(wanted, abs=6e-4)
        wanted = getattr(result.document_scores[metric.id], side)[number]
        found = rows["running"].iloc[-1] if len(rows) else 0.0
        assert found == pytest.approx(0.0 if math.isnan(wanted) else wanted, abs=1e-9)
        assert rows["lost"].is_monotonic_decreasing


@pytest.mark.slow
@pytest.mark.parametrize("variant", list(BLANC_VARIANTS.values()), ids=lambda m: m.paper[:11])
@every_side
@pytest.mark.parametrize("by", ["entity", "mention", "link"])
@settings(max_examples=6)
@given(pairs=pair_corpora(max_documents=1))
def test_the_arithmetic_of_every_blanc_works_out(variant, side, by, pairs):
    rows = depth_table(result_of(*pairs).comparison, variant, side=side, by=by, document="d0")
    for row in rows.to_dict("records"):
        credit, possible = (ways[0] for ways in told_numbers(row["arithmetic"]))
        assert (float(credit), float(possible)) == (row["credit"], row["possible"])


@pytest.mark.parametrize("by", ["entity", "mention", "link"])
@every_metric
@every_side
def test_mentions_with_repeats_are_told_by_what_they_earn(metric, side, by):
    """Key {0 1 2}, response {0 1} {0 2}, as they stand: 0 is in two response entities."""
    pair = ([{0, 1, 2}], [{0, 1}, {0, 2}])
    comparison = score(*corpora_of([pair]), repeats="all").comparison
    for row in depth_table(comparison, metric, side=side, by=by, document="d0").to_dict("records"):
        credit, possible = (ways[-1] for ways in told_numbers(row["arithmetic"]))
        assert float(credit) == pytest.approx(row["credit"], abs=6e-4)
        assert float(possible) == pytest.approx(row["possible"], abs=6e-4)


def test_a_metric_of_ones_own_is_told_by_its_numbers():
    mine = replace(METRICS[1], id="mine", explanation=None)
    rows = depth_table(result_of(PAIR).comparison, mine, side="recall", by="mention", document="d0")
    assert rows.set_index("start").loc[0, "arithmetic"] == "0.667 of 1"


def test_statuses_of_the_sample_data_and_their_mean_shares(sample):
    table = share_table(sample.comparison, METRICS, side="recall", document="news_harbour")
    wrong = mean_shares(table, [m.id for m in METRICS], status=INCORRECTLY_RESOLVED)
    assert (table["status"] == INCORRECTLY_RESOLVED).sum() == 5
    assert wrong["muc"] == wrong["lea"] == 0
    assert wrong["bcub"] > 0
    assert wrong["blanc"] > 0
    assert (table.loc[table["status"] == TWINLESS, "other_entity"] == 0).all()
    row = table.iloc[-1]
    place = {"document": "news_harbour", "start": row["start"], "end": row["end"]}
    assert find_mention(sample.comparison, side="recall", **place) == row["mention"]
    assert find_mention(sample.comparison, side="recall", **(place | {"end": 10**6})) is None


@pytest.fixture(scope="module")
def sample():
    from corescore.util import bundled

    folder = bundled("sample_data")
    return score(read(str(folder / "key.conll")), read(str(folder / "cautious.conll")))


def test_entities_of_a_sample_are_called_by_names_or_short_phrases(sample):
    titles = entity_titles(sample.comparison, "news_harbour", side="recall")
    # Once each: "The new sea wall at Saltby", this and "the wall", which is as short but later
    assert titles[1] == "The replacement"
    assert {"Saltby", "Moss", "Councillor Vera Pike"} <= set(titles.values())
    assert all(len(title.split()) <= TITLE_WORDS for title in titles.values())


LONG = "the mayor , who had , as far as anyone could tell , never seen Oakland"
ROUND_TABLE = "the Old and New Knights of the Round Table"


@pytest.mark.parametrize(
    ("mentions", "name"),
    [
        (["a hub of culture", "Oakland", "it"], "Oakland"),
        (["The Town", "Oakland 's", "it", "Oakland"], "Oakland"),  # twice, without the 's
        (["Oakland", "Greater Oakland", "Oakland"], "Oakland"),  # the most frequent,
        (["Oakland", "Greater Oakland"], "Greater Oakland"),  # then the longest,
        (["Lake Merritt", "Jack London"], "Lake Merritt"),  # then the first
        (["the lake", "a tidal lagoon", "The lake"], "the lake"),
        (["a tidal lagoon", "the lake", "it", "it"], "the lake"),  # the shortest,
        (["the lake", "a lagoon", "it"], "the lake"),  # then the first
        (["the same one", "the lake", "the same one"], "the lake"),  # which says what it is
        (["the other two", "it", "it"], "it"),  # the most frequent, where none does
        ([ROUND_TABLE, "Round Table"], "Round Table"),  # a name of up to six words,
        ([ROUND_TABLE, "the knights", "the knights"], ROUND_TABLE),  # but rather long than none
        (["it", "this", "it"], "it"),
        ([LONG, "she"], "she"),
        ([LONG], LONG),
        ([f"{LONG} today", LONG], LONG),
        (["Boys '", "'s"], "Boys"),
    ],
)
def test_an_entity_is_called_by_its_name(mentions, name):
    words, spans = ["so"], []
    for mention in mentions:
        spans.append((len(words), len(words) + len(mention.split())))
        words += [*mention.split(), "ran"]
    corpus = Corpus((Document.of_entities("d", [spans], words=words),))
    comparison = score(corpus, corpus).comparison
    for side in ("recall", "precision"):
        assert entity_titles(comparison, "d", side=side) == {1: name}


def test_an_entity_without_words_is_called_by_a_dash():
    corpus = Corpus((Document.of_entities("d", [[(0, 1), (3, 5)]]),))
    assert entity_titles(score(corpus, corpus).comparison, "d", side="recall") == {1: "–"}


# Groups' links ------------------------------------------------------------------------------------


@few
@given(pairs=pair_corpora())
def test_the_links_of_all_groups_are_those_of_muc_and_of_blanc(pairs):
    result = result_of(*pairs)
    found = {which: dict.fromkeys(LINK_STATUSES, 0) for which in ("all", "minimum")}
    for group in overlap_table(result.comparison, METRICS[0])["group"]:
        members = overlap_members(result.comparison, group)
        for which, of_kind in found.items():
            counts = overlap_links(result.comparison, members, which=which)["kind"].value_counts()
            for kind in LINK_STATUSES:
                of_kind[kind] += int(counts.get(kind, 0))
    wanted = {"minimum": result["muc"], "all": result["blanc"].parts["coreference"]}
    for which, counts in wanted.items():
        right = counts.recall_numerator
        missing = counts.recall_denominator - right
        wrong = counts.precision_denominator - right
        assert list(found[which].values()) == [right, missing, wrong]


@few
@given(pairs=pair_corpora())
def test_weights_of_links_add_up_to_the_metrics_counts(pairs):
    result = result_of(*pairs)
    credited = dict.fromkeys(LINK_METRICS, 0.0)
    possible = dict.fromkeys(LINK_METRICS, 0.0)
    n_alike, shared, singletons = 0, 0, 0
    for group in overlap_table(result.comparison, METRICS[0])["group"]:
        members = overlap_members(result.comparison, group)
        table = members.table
        for metric in LINK_METRICS:
            which = "minimum" if metric == "muc" else "all"
            links = overlap_links(result.comparison, members, which=which)
            weights = link_weights(result.comparison, members, links, metric=metric)
            credited[metric] += weights[links["kind"] == "correct"].sum()
            possible[metric] += weights[links["kind"] != "wrong"].sum()
        of_key, of_response = (
            table.groupby(f"{side}_entity")["start"]
            .transform("size")
            .where(table[f"{side}_entity"] > 0)
            for side in ("key", "response")
        )
        n_alike += int(((of_key == 1) & (of_response == 1)).sum())
        singletons += int((of_key == 1).sum())
        shared += float((1 / of_key[of_response.notna()]).sum())  # B³: each mention with itself
    lea, bcub, coreference = result["lea"], result["bcub"], result["blanc"].parts["coreference"]
    assert credited["muc"] == result["muc"].recall_numerator
    assert possible["muc"] == result["muc"].recall_denominator
    assert credited["blanc"] == coreference.recall_numerator
    assert possible["blanc"] == coreference.recall_denominator
    assert credited["lea"] + n_alike == pytest.approx(float(lea.recall_numerator))
    assert possible["lea"] + singletons == pytest.approx(float(lea.recall_denominator))
    assert credited["bcub"] + shared == pytest.approx(float(bcub.recall_numerator))


@few
@given(pairs=pair_corpora())
def test_the_kinds_of_pairs_are_the_kinds_of_links(pairs):
    result = result_of(*pairs)
    for group in overlap_table(result.comparison, METRICS[0])["group"]:
        members = overlap_members(result.comparison, group)
        kinds = pair_kinds(members)
        counts = pair_counts(kinds)
        links = overlap_links(result.comparison, members, which="all")["kind"].value_counts()
        n = len(members.table)
        assert sum(counts.values()) == n * (n - 1) // 2
        assert counts["correct coreference"] == links.get("correct", 0)
        assert counts["missing coreference"] == links.get("missing", 0)
        both = (members.key >= 0) & (members.response >= 0)
        key, response = (members.table.loc[both, f"{s}_entity"] for s in ("key", "response"))
        apart = (key.to_numpy()[:, None] != key.to_numpy()) & (
            response.to_numpy()[:, None] != response.to_numpy()
        )
        assert counts["correct non-coreference"] == apart.sum() // 2
        assert set(counts) == set(PAIR_KINDS)
        listed = pair_table(members, kinds)["kind"].value_counts()
        assert {kind: int(listed.get(kind, 0)) for kind in PAIR_KINDS} == counts


def test_a_mention_leads_to_its_group_and_its_context():
    comparison = result_of(PAIR).comparison
    group = overlap_of(comparison, "d0", 8, 9)
    assert group == overlap_of(comparison, "d0", 0, 1)
    assert overlap_of(comparison, "d0", 50, 51) is None
    assert entities_of_overlaps(comparison) == ({group: [1, 2]}, {group: [1, 2, 3]})
    members = overlap_members(comparison, group)
    assert members.table["start"].tolist() == list(range(9))
    context = members_in_context(comparison, members, np.array([0, 1]))
    assert list(context["start"]) == [0, 1]
