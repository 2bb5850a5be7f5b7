"""The pitfalls: every claim of every card holds, and no number of them is typed."""

import ast
import inspect
import math
import re
import textwrap
from dataclasses import replace
from fractions import Fraction

import pytest

from corescore.counting.policies import Policies
from corescore.metrics import METRIC_IDS, title_of
from corescore.plots.pitfalls import ratios
from corescore.rendering import classroom
from corescore.replication.claims import COMPARED
from corescore.teaching.criteria import (
    CHOICES,
    DOCUMENTS,
    GROUPS,
    LINK_F1,
    LINKS,
    MEASURES,
    NO_VALUE,
    SAME,
    WHOLE_ENTITIES,
    link_table,
    score_comparison,
)
from corescore.teaching.examples import query_of, toy_of
from corescore.teaching.exercises import LESSON
from corescore.teaching.pitfalls import PITFALLS
from tests.support import oracle

DIGIT = re.compile("[0-9]")  # ³ is none
BY_ID = {pitfall.id: pitfall for pitfall in PITFALLS}
every_card = pytest.mark.parametrize("card", PITFALLS, ids=lambda card: card.id)


def swapped(card):
    return replace(card, a=card.b, b=card.a)


def with_more(card):
    """The card with an entity more, right everywhere, in each document."""

    def longer(text):
        return "\n".join(f"{line}{{yz}}" for line in text.split("\n"))

    a, b = (replace(out, response=longer(out.response)) for out in (card.a, card.b))
    return replace(card, key=longer(card.key), a=a, b=b)


def with_outputs(card, a, b):
    return replace(card, a=replace(card.a, response=a), b=replace(card.b, response=b))


def outputs(card):
    return card.case.a, card.case.b


# The claims ---------------------------------------------------------------------------------------


@every_card
def test_every_claim_holds(card):
    assert [claim.says for claim, check in card.checks if not check.holds] == []
    assert all(check.numbers for _, check in card.checks)


@pytest.mark.slow
@every_card
def test_every_claim_fails_for_some_other_outputs(card):
    key, a, b = card.key, card.a.response, card.b.response
    alone = "\n".join(
        re.sub(r"(\w)", r"{\1}", re.sub("[{}]", "", line)) for line in key.split("\n")
    )
    pairs = [(a, a), (b, a), (key, b), (key, alone), (alone, key), (a, key)]
    others = [swapped(card), *(with_outputs(card, *pair) for pair in pairs)]
    failing = {claim.says for other in others for claim, check in other.checks if not check.holds}
    assert {claim.says for claim in card.claims} == failing


@every_card
def test_the_metrics_a_card_is_about_disagree_with_one_of_its_criteria(card):
    cases = [card.by(criterion.id).case for criterion in card.criteria]
    assert card.about or card.positions or card.measure == "macro"
    for metric in card.about:
        assert any(case.disagrees(metric) for case in cases)
    assert {case.better for case in cases} <= {*CHOICES}


@every_card
def test_a_card_can_be_judged_by_several_criteria_and_none_changes_its_claims(card):
    assert len(card.criteria) >= 3
    for criterion in card.criteria:
        other = card.by(criterion.id)
        assert other.case.criterion is criterion
        assert other.criteria == card.criteria
        assert all(check.holds for _, check in other.checks)
    assert card.by("no such").criterion is card.criterion


@every_card
def test_criteria_count_links_and_entities_by_the_definition(card):
    for output in outputs(card):
        found = [tuple(map(oracle.coreference_links, pair)) for pair in pairs_of(output)]
        correct, wrong, missed = (
            sum(len(links) for links in of)
            for of in zip(*((k & r, r - k, k - r) for k, r in found), strict=True)
        )
        assert LINKS.count(output) == wrong + missed
        p, r = Fraction(correct, correct + wrong or 1), Fraction(correct, correct + missed or 1)
        assert LINK_F1.count(output) == (2 * p * r / (p + r) if correct else 0)
        whole = sum(len({*key} & {*response}) for key, response in pairs_of(output))
        assert WHOLE_ENTITIES.count(output) == whole
        without = sum(k == r for k, r in found)
        assert DOCUMENTS.count(output) == without


def test_a_large_entity_is_worth_more_links_and_fewer_whole_entities():
    card = BY_ID["ceafe-sizes"]
    assert (card.by("links").case.better, card.by("entities").case.better) == ("A", "B")
    # 190 links of one entity of 20, 1 + 1 of the small ones
    assert LINK_F1.count(card.case.a) == Fraction(2 * 190, 2 * 190 + 2)
    assert card.by("links").case.disagrees("ceafe")
    assert not card.by("entities").case.disagrees("ceafe")


def test_means_and_sums_over_documents_are_told_apart():
    told = classroom.finding(BY_ID["micro-macro"])
    assert "As means over documents, all six metrics disagree." in told
    assert "As sums, no metric disagrees." in told


@every_card
def test_a_metric_that_the_title_names_is_one_that_the_card_is_about(card):
    titles = {name: title_of(name) for name in (*METRIC_IDS, "conll")}
    named = {name for name, title in titles.items() if title in card.title}
    assert named <= {*card.about}


def test_there_are_cards_of_every_group_about_every_metric():
    assert len(PITFALLS) >= 16
    assert [group for group in GROUPS if group not in {card.group for card in PITFALLS}] == []
    assert {metric for card in PITFALLS for metric in card.about} == {*COMPARED, "conll"}
    assert len({card.id for card in PITFALLS}) == len({card.title for card in PITFALLS})
    assert len(BY_ID) == len(PITFALLS)


@every_card
def test_a_card_is_small_and_says_where_it_comes_from(card):
    for output in outputs(card):
        assert sum(len(toy.mentions) for toy in output.toys) <= 25
    assert card.source
    assert card.measure in MEASURES


# Numbers are computed -----------------------------------------------------------------------------


@every_card
def test_no_number_of_a_card_is_typed(card):
    typed = [card.title, card.question, card.a.says, card.b.says]
    typed += [claim.says for claim in card.claims]
    typed += [position.says for position in card.positions]
    tree = ast.parse(textwrap.dedent(inspect.getsource(card.why)))
    typed += [
        n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and n.value is not None
    ]
    words = [text for text in typed if isinstance(text, str)]
    assert [text for text in words if DIGIT.search(text)] == []
    assert DIGIT.search(card.why(card.case))


@every_card
def test_the_text_follows_the_outputs(card):
    told = card.why(card.case)
    assert card.why(swapped(card).case) != told
    assert card.why(with_more(card).case) != told


@every_card
def test_the_text_is_two_sentences(card):
    told = re.sub(r"Luo et al\.", "Luo", card.why(card.case))
    assert len(re.findall(r"\.(?= [A-Z]|$)", told)) == 2


# Against the papers' definitions ------------------------------------------------------------------


def pairs_of(output):
    return [
        ([frozenset(e) for e in key], [frozenset(e) for e in response])
        for key, response in output.documents
    ]


@every_card
def test_links_are_those_of_the_definition(card):
    for output in outputs(card):
        links = [tuple(map(oracle.coreference_links, pair)) for pair in pairs_of(output)]
        assert {*map(frozenset, output.correct)} == set().union(*(k & r for k, r in links))
        assert {*map(frozenset, output.wrong)} == set().union(*(r - k for k, r in links))
        assert {*map(frozenset, output.missed)} == set().union(*(k - r for k, r in links))


@every_card
def test_scores_are_those_of_the_definition(card):
    for output, said in zip(outputs(card), (card.a, card.b), strict=True):
        if replace(said.policies, average="micro") != Policies():
            continue  # the oracle knows no policies
        pairs = pairs_of(output)
        few = all(len(side) < 6 for pair in pairs for side in pair)
        for metric in METRIC_IDS if few else ("muc", "bcub", "blanc", "lea"):
            expected = oracle.score(metric, pairs, empty=Fraction(0))
            assert output.score(metric).f1 == pytest.approx(float(expected.f1))


def f1(card, letter, metric):
    return getattr(BY_ID[card].case, letter).score(metric).f1


def test_published_values_come_out():
    assert f1("muc-sizes", "a", "muc") == pytest.approx(Fraction(18, 19))  # 9/9 and 9/10
    assert f1("ceaf-unaligned", "a", "ceafe") == pytest.approx(Fraction(4, 9))  # 2/3 and 1/3
    assert f1("ceaf-unaligned", "b", "blanc") == pytest.approx(Fraction(6, 17))  # 6/28 and 1
    assert f1("blanc-two-scorers", "a", "blanc") == pytest.approx(Fraction(8, 19))
    assert f1("blanc-two-scorers", "b", "blanc") == pytest.approx(Fraction(4, 19))


def test_the_only_link_missed_leaves_half_of_blanc():
    # 152 of 152 key and of 153 response pairs are rightly apart: F1 304/305; half of it is left
    assert f1("blanc-one-link", "a", "blanc") == pytest.approx(Fraction(152, 305))


def test_the_constraints_of_clusterings_in_links():
    bag, size = BY_ID["rag-bag"].case, BY_ID["size-against-quantity"].case
    assert [len(output.wrong) for output in (bag.a, bag.b)] == [3, 4 * 3 // 2]
    assert [len(output.missed) for output in (size.a, size.b)] == [1 + 1, 2]
    assert bag.a.missed == bag.b.missed == size.a.wrong == size.b.wrong == ()
    assert f1("rag-bag", "a", "bcub") == pytest.approx(Fraction(22, 25))  # 11/14 and 1
    assert f1("rag-bag", "b", "bcub") == pytest.approx(Fraction(8, 11))  # 4/7 and 1
    assert f1("size-against-quantity", "b", "bcub") == pytest.approx(Fraction(17, 19))  # 17/21, 1


def test_where_papers_disagree_both_are_told():
    for card in PITFALLS:
        assert len(card.positions) in (0, 2)
    assert len(BY_ID["rag-bag"].positions) == 2


def test_a_precision_of_nothing_is_no_value():
    alone, linked = outputs(BY_ID["bcub-singletons"])
    muc = alone.score("muc")
    assert (muc.precision_numerator, muc.precision_denominator) == (0, 0)
    assert BY_ID["bcub-singletons"].case.first("muc") == NO_VALUE
    assert alone.value("bcub", "precision") == 1
    # {abc} has 3 of 3, in {def} d has 1 of 3, e and f have 2 of 3
    expected = (3 + Fraction(1, 3) + 2 * Fraction(2, 3)) / 6
    assert linked.value("bcub", "precision") == pytest.approx(expected)


def test_lea_is_inflated_most_by_singletons():
    without, with_ = outputs(BY_ID["singletons-inflate"])
    # {abcd} has ab of 6 links and {ef} none: 4·1/6 of 4 + 2; of {ab}{ce}{df} one of three pairs
    recall, precision = Fraction(4, 6) / 6, Fraction(2) / 6
    assert without.score("lea").f1 == pytest.approx(2 * recall * precision / (recall + precision))
    # six singletons more on either side, each with its link to itself
    recall, precision = (Fraction(4, 6) + 6) / 12, Fraction(2 + 6) / 12
    assert with_.score("lea").f1 == pytest.approx(2 * recall * precision / (recall + precision))
    gains = {name: with_.score(name).f1 - without.score(name).f1 for name in METRIC_IDS}
    assert max(gains, key=gains.get) == "lea"


def test_a_mean_over_documents_says_of_how_many():
    card = BY_ID["micro-macro"]
    table = score_comparison(card).set_index(["metric", "output"])
    row = table.loc["muc", "A"]
    assert (row["macro_precision"], row["precision_documents"], row["documents"]) == (1, 1, 4)
    assert "P 100.00 (1 of 4)" in ratios(row, "macro")


def test_repeats_pay_under_lea_too():
    once, twice = outputs(BY_ID["bcub-repeats"])
    # of four mentions, each half has 1 of the key's 6 links; said twice, twice that
    assert once.score("lea").recall == pytest.approx(Fraction(2, 6))
    assert twice.score("lea").recall == pytest.approx(Fraction(4, 6))
    assert twice.score("muc").recall == pytest.approx(Fraction(4, 3))


def test_what_is_said_twice_has_the_links_of_what_is_said_once():
    once, twice = outputs(BY_ID["bcub-repeats"])
    assert len(twice.documents[0][1]) == 2 * len(once.documents[0][1])
    assert once.toys == twice.toys
    assert BY_ID["bcub-repeats"].case.better == SAME


# What is taken along ------------------------------------------------------------------------------


@every_card
def test_the_table_of_scores_has_what_the_scorer_says(card):
    table = score_comparison(card).set_index(["metric", "output"])
    assert [*table.index] == [(metric, letter) for metric in card.shown for letter in "AB"]
    for metric in card.shown:
        for output in outputs(card):
            row = table.loc[metric, output.letter]
            assert row["f1"] == output.score(metric).f1
            assert row["disagrees"] == card.case.disagrees(metric)
            assert row["criterion"] == card.criterion.id
            of_card = "macro_f1" if card.measure == "macro" else card.measure
            value = output.value(metric, card.measure)
            assert row[of_card] == (0 if math.isnan(value) else value)
        a, b = (table.loc[metric, letter][of_card] for letter in "AB")
        first = SAME if abs(a - b) < 1e-12 else "A" if a > b else "B"
        if any(math.isnan(value) for value in card.case.values(metric)):
            first = NO_VALUE
        assert {*table.loc[metric]["puts_first"]} == {first}


@every_card
def test_the_table_of_links_counts_links_by_the_definition(card):
    for row, output in zip(link_table(card).to_dict("records"), outputs(card), strict=True):
        found = [tuple(map(oracle.coreference_links, pair)) for pair in pairs_of(output)]
        right = set().union(*(k & r for k, r in found))
        wrong, missed = (set().union(*(pair[at] - pair[1 - at] for pair in found)) for at in (1, 0))
        for kind, links in {"right": right, "wrong": wrong, "missed": missed}.items():
            assert row[kind] == len(links)
            assert {frozenset(name) for name in row[f"{kind}_links"].split()} == links
        whole = sum(len({*key} & {*response}) for key, response in pairs_of(output))
        assert (row["whole_entities"], row["key_entities"]) == (whole, output.n_key_entities)


@every_card
def test_one_line_names_the_policies_of_both_outputs(card):
    a, b = (output.result.signature.split(" | ") for output in outputs(card))
    parts = card.signature.split(" | ")
    assert len(parts) == len(a)
    for part, one, other in zip(parts, a, b, strict=True):
        name = one.split()[0]
        both = f"{one} for A, {other.removeprefix(f'{name} ')} for B"
        assert part == (one if one == other else both)


def test_two_ways_to_score_are_told_apart_in_the_line():
    assert "| singletons drop for A, keep for B |" in BY_ID["singletons-inflate"].signature
    assert "| blanc reference for A, luo2014 for B |" in BY_ID["blanc-two-scorers"].signature


# Links and the lesson -----------------------------------------------------------------------------


@every_card
def test_every_toy_comes_back_out_of_its_link(card):
    for output in outputs(card):
        for toy in output.toys:
            params = dict(part.split("=") for part in query_of(toy).split("&"))
            assert toy_of(params) == toy


def test_the_lesson_walks_through_cards_and_exercises_that_there_are():
    cards = [step for step in LESSON if step.pitfall]
    exercises = [step for step in LESSON if step.exercise]
    assert len(cards) + len(exercises) == len(LESSON) == len({step.id for step in LESSON})
    assert len(exercises) == 3
    assert 9 <= len(cards) <= 11
    assert 45 <= sum(step.minutes for step in LESSON) <= 75


def test_every_step_of_the_lesson_leads_on_with_a_sentence():
    for step in LESSON:
        assert step.title
        assert re.fullmatch(r"[A-Z][^.?!]*[.?!]", step.leads_on)
