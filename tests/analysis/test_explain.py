"""The arithmetic in words says what the credits say, and the rows of a metric add up to it."""

import math
import re
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings

from corescore import Document, score
from corescore.analysis.credit import mention_share
from corescore.analysis.errors.classes import INCORRECTLY_RESOLVED
from corescore.analysis.errors.overlaps import (
    LINK_METRICS,
    PAIR_KINDS,
    entities_of_overlaps,
    link_credit,
    members_in_context,
    overlap_links,
    overlap_members,
    overlap_of,
    overlap_table,
    pair_counts,
    pair_kinds,
    pair_table,
)
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
from corescore.metrics import BLANC_VARIANTS, METRICS, metric_of
from tests.support.letters import scored
from tests.support.samples import SAMPLE
from tests.support.strategies import corpora_of, pair_corpora

EXPLAINED = [metric for metric in METRICS if metric.credit]
every_side = pytest.mark.parametrize("side", ["recall", "precision"])
few = settings(max_examples=20)
# semantics.md: key {abc}{defg}, response {ab}{cd}{fghi}


def result_of(*pairs):
    return score(*corpora_of(pairs))


@every_side
@few
@given(pairs=pair_corpora())
@example(pairs=[([], [frozenset({0, 1})])])  # the key has no links of either kind
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


PAIR = scored("a b c | d e f g", "a b | c d | f g h i").comparison  # of semantics.md


def sentences(mention, side="recall"):
    told = explain_mention(PAIR, METRICS, mention, side=side)
    return {explanation.metric: explanation.sentence for explanation in told}


def test_the_sentences_spell_the_arithmetic_out():
    told = sentences(0)  # a, of {abc}, in {ab}
    assert told["muc"] == (
        "The response has 1 of its 1 spanning link, half of which counts here: "
        "1/2 = 0.5 of 1/2 = 0.5"
    )
    assert told["bcub"] == (
        "2 of the 3 mentions of key entity 1 are in response entity 1, itself among them: "
        "2/3 = 0.667 of 1"
    )
    assert told["ceafm"] == "Key entity 1 is aligned with response entity 1, which has it: 1 of 1"
    assert told["ceafe"].endswith("which has it: 2 × 1/(3 + 2) = 0.4 of 1/3 = 0.333")
    # 9 coreference links and 12 others: a has right the one with b, and those with d, f and g
    assert told["blanc"].endswith("(1/9 + 3/12) / (2/9 + 4/12) = 0.650")
    assert told["lea"] == "The response has 1 of its 2 links in key entity 1: 1/2 = 0.5 of 1"
    for metric in set(told) - {"blanc"}:
        row = rows_of(metric, "mention").set_index("start").loc[0, "arithmetic"]
        assert row == told[metric][0].lower() + told[metric][1:]


def test_a_mention_that_the_other_side_lacks_earns_nothing_and_is_told_so():
    assert sentences(4)["bcub"].startswith("It is missing from the response")  # e
    assert where_it_is(PAIR, 4, side="recall").endswith("the response has no such mention.")
    assert sentences(7, side="precision")["bcub"].startswith("It is missing from the key")  # h


@pytest.mark.parametrize(
    "metric, by, place, arithmetic",
    [
        ("muc", "entity", 2, "4 mentions in 3 parts: 4 − 3 = 1 of 4 − 1 = 3"),
        (
            *("bcub", "entity", 1),
            "3 mentions, 3 of them in 2 response entities: 2²/3 + 1²/3 = 1.667 of 3",
        ),
        ("ceafm", "entity", 2, "aligned with response entity 3: 2 of 4"),
        ("ceafe", "entity", 2, "aligned with response entity 3: 2 × 2/(4 + 4) = 0.5 of 1"),
        (
            *("lea", "entity", 2),
            "4 mentions, 3 of them in 2 response entities: 4 × 1/6 = 0.667 of 4",
        ),
        ("muc", "link", (0, 1), "both in response entity 1: 1 of 1"),
        ("muc", "link", (1, 2), "in response entities 1 and 2: 0 of 1"),
        ("bcub", "link", (0, 1), "both in response entity 1: 2/3 = 0.667 of 2/3 = 0.667"),
        ("bcub", "link", (1, 2), "in response entities 1 and 2: 0 of 2/3 = 0.667"),
        ("blanc", "link", (0, 1), "both in response entity 1: 1 of 1"),
        ("lea", "link", (1, 2), "in response entities 1 and 2: 0 of 1"),
        # {abc} and {defg}: e is missing, and the response joins c and d
        ("blanc", "pair", (1, 2), "3 and 3 shared, 1 joined: 3 × 3 − 1 = 8 of 3 × 4 = 12"),
    ],
)
def test_a_row_spells_its_arithmetic_out(metric, by, place, arithmetic):
    names = {"link": ["start", "other_start"], "pair": ["entity", "other_entity"]}
    rows = rows_of(metric, "link" if by == "pair" else by).set_index(names.get(by, by))
    assert rows["arithmetic"][place] == arithmetic


def rows_of(metric, by, comparison=PAIR, side="recall"):
    metric = metric_of(metric) if isinstance(metric, str) else metric
    (document,) = comparison.key
    return depth_table(comparison, metric, side=side, by=by, document=document.name)


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
@pytest.mark.parametrize("metric", [*EXPLAINED, *list(BLANC_VARIANTS.values())[1:]])
@every_side
@pytest.mark.parametrize("by", ["entity", "mention", "link"])
@settings(max_examples=6)
@given(pairs=pair_corpora())
def test_the_rows_work_out_to_their_credit_and_add_up_to_the_documents_score(
    metric, side, by, pairs
):
    result = score(*corpora_of(pairs), metrics=[metric])
    for number, name in enumerate(result.documents):
        rows = depth_table(result.comparison, metric, side=side, by=by, document=name)
        for row in rows.to_dict("records"):
            assert ": " in row["arithmetic"]
            told = told_numbers(row["arithmetic"])
            for ways, wanted in zip(told, (row["credit"], row["possible"]), strict=True):
                assert float(ways[0]) == pytest.approx(wanted, abs=1e-9)
                assert float(ways[-1]) == pytest.approx(wanted, abs=6e-4)
        if metric in EXPLAINED:  # other BLANCs have scores of their own where nothing is linked
            wanted = getattr(result.document_scores[metric.id], side)[number]
            found = rows["running"].iloc[-1] if len(rows) else 0.0
            assert found == pytest.approx(0.0 if math.isnan(wanted) else wanted, abs=1e-9)
            assert rows["lost"].is_monotonic_decreasing


@every_side
def test_mentions_with_repeats_are_told_by_what_they_earn(side):
    """As they stand, a is in two response entities."""
    comparison = scored("a b c", "a b | a c", repeats="all").comparison
    for metric, by in product(EXPLAINED, ("entity", "mention", "link")):
        for row in rows_of(metric, by, comparison, side).to_dict("records"):
            credit, possible = (ways[-1] for ways in told_numbers(row["arithmetic"]))
            assert float(credit) == pytest.approx(row["credit"], abs=6e-4)
            assert float(possible) == pytest.approx(row["possible"], abs=6e-4)


def test_a_metric_without_a_textbook_is_told_by_its_units():
    mine = replace(METRICS[1], id="mine", half=None)
    mention = rows_of(mine, "mention").set_index("start").loc[0, "arithmetic"]
    told = sentences(0)["bcub"]
    assert mention == told[0].lower() + told[1:]
    words = "3 mentions, 3 of them in 2 response entities: 5/3 = 1.667 of 3"
    assert rows_of(mine, "entity").set_index("entity").loc[1, "arithmetic"] == words


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
    return score(SAMPLE / "key.conll", SAMPLE / "cautious.conll")


def test_entities_of_a_sample_are_called_by_names_or_short_phrases(sample):
    titles = entity_titles(sample.comparison, "news_harbour", side="recall")
    # Once each: "The new sea wall at Saltby", this and "the wall", which is as short but later
    assert titles[1] == "The replacement"
    assert {"Saltby", "Moss", "Councillor Vera Pike"} <= set(titles.values())
    assert all(len(title.split()) <= TITLE_WORDS for title in titles.values())


LONG = "the mayor , who had , as far as anyone could tell , never seen Oakland"
ROUND_TABLE = "the Old and New Knights of the Round Table"


@pytest.mark.parametrize(
    "mentions, name",
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
    corpus = Document.of_entities("d", [spans], words=words)
    comparison = score(corpus, corpus).comparison
    for side in ("recall", "precision"):
        assert entity_titles(comparison, "d", side=side) == {1: name}
    without = scored("a | bc", "a", words=()).comparison
    assert entity_titles(without, "d", side="recall") == {1: "–", 2: "–"}


# Groups' links ------------------------------------------------------------------------------------


def assert_pairs_are_those_of(members, links):
    """The kinds of pairs are the kinds of links."""
    kinds = pair_kinds(members)
    counts = pair_counts(kinds)
    n = len(members.table)
    assert sum(counts.values()) == n * (n - 1) // 2
    assert counts["correct coreference"] == links.get("correct", 0)
    assert counts["missing coreference"] == links.get("missing", 0)
    both = members.table[(members.key >= 0) & (members.response >= 0)]
    of = [both[f"{side}_entity"].to_numpy() for side in ("key", "response")]
    apart = np.logical_and(*(numbers[:, None] != numbers for numbers in of))
    assert counts["correct non-coreference"] == apart.sum() // 2
    assert set(counts) == set(PAIR_KINDS)
    listed = pair_table(members, kinds)["kind"].value_counts()
    assert {kind: int(listed.get(kind, 0)) for kind in PAIR_KINDS} == counts


ENTITIES_OF = {"recall": "key", "precision": "response"}


@few
@given(pairs=pair_corpora())
def test_credit_and_weights_of_links_add_up_to_the_metrics_counts(pairs):
    result = result_of(*pairs)
    names = [(metric, side) for metric in LINK_METRICS for side in ENTITIES_OF]
    credited, possible = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
    n_alike, shared, singletons = (
        0,
        {"recall": 0.0, "precision": 0.0},
        {"recall": 0, "precision": 0},
    )
    for group in overlap_table(result.comparison, METRICS[0])["group"]:
        members = overlap_members(result.comparison, group)
        table = members.table
        minimum, every = (
            overlap_links(result.comparison, members, which=which) for which in ("minimum", "all")
        )
        assert_pairs_are_those_of(members, every["kind"].value_counts())
        for metric, side in names:
            links = minimum if metric == "muc" else every
            of_link = link_credit(result.comparison, members, links, metric=metric)
            credited[metric, side] += of_link[side].sum()
            possible[metric, side] += of_link[f"{side}_weight"].sum()
        sizes = {
            side: table.groupby(f"{name}_entity")["start"]
            .transform("size")
            .where(table[f"{name}_entity"] > 0)
            for side, name in ENTITIES_OF.items()
        }
        n_alike += int(((sizes["recall"] == 1) & (sizes["precision"] == 1)).sum())
        both = sizes["recall"].notna() & sizes["precision"].notna()
        for side, size in sizes.items():
            singletons[side] += int((size == 1).sum())
            shared[side] += float((1 / size[both]).sum())  # B³: each mention with itself
    coreference = result["blanc"].parts["coreference"]
    for side in ENTITIES_OF:
        numerator, denominator = f"{side}_numerator", f"{side}_denominator"
        for metric, counts in (("muc", result["muc"]), ("blanc", coreference)):
            assert credited[metric, side] == getattr(counts, numerator)
            assert possible[metric, side] == getattr(counts, denominator)
        lea, bcub = result["lea"], result["bcub"]
        assert credited["lea", side] + n_alike == pytest.approx(float(getattr(lea, numerator)))
        n_links = possible["lea", side] + singletons[side]
        assert n_links == pytest.approx(float(getattr(lea, denominator)))
        found = credited["bcub", side] + shared[side]
        assert found == pytest.approx(float(getattr(bcub, numerator)))


def test_a_mention_leads_to_its_group_and_its_context():
    group = overlap_of(PAIR, "d", 8, 9)
    assert group == overlap_of(PAIR, "d", 0, 1)
    assert overlap_of(PAIR, "d", 50, 51) is None
    assert entities_of_overlaps(PAIR) == [{group: [1, 2]}, {group: [1, 2, 3]}]
    members = overlap_members(PAIR, group)
    assert members.table["start"].tolist() == list(range(9))
    context = members_in_context(PAIR, members, np.array([0, 1]))
    assert list(context["start"]) == [0, 1]
