"""The pitfalls, and cards of one's own."""

import ast
import inspect
import json
import math
import re
from base64 import urlsafe_b64encode
from dataclasses import replace
from fractions import Fraction
from string import ascii_letters

import pytest

from corescore import InputError
from corescore.metrics import METRIC_IDS, name_of
from corescore.plots.pitfalls import ratios
from corescore.rendering import classroom
from corescore.replication.claims import COMPARED
from corescore.teaching import pitfalls
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
from corescore.teaching.exercises import LESSON, LESSONS, minutes_of
from corescore.teaching.own import (
    OwnCard,
    card_in_link,
    card_of_link,
    cards_text,
    of_toys,
    read_cards,
)
from corescore.teaching.pitfalls import PITFALLS
from corescore.teaching.toy import Toy
from tests.support import oracle

# The pitfalls: every claim of every card holds, and no number of them is typed --------------------

DIGIT = re.compile("[0-9]")  # ³ is none
BY_ID = {pitfall.id: pitfall for pitfall in PITFALLS}
# The functions that write the texts, by their first lines
WRITERS = {
    node.lineno: node
    for node in ast.walk(ast.parse(inspect.getsource(pitfalls)))
    if isinstance(node, ast.FunctionDef | ast.Lambda)
}
every_card = pytest.mark.parametrize("card", PITFALLS)


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


def pairs_of(output):
    return [
        ([frozenset(e) for e in key], [frozenset(e) for e in response])
        for key, response in output.documents
    ]


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
def test_a_card_is_about_metrics_that_disagree_with_one_of_several_criteria(card):
    assert len(card.criteria) >= 3
    cases = []
    for criterion in card.criteria:
        other = card.by(criterion.id)
        cases.append(other.case)
        assert other.case.criterion is criterion
        assert other.criteria == card.criteria
        assert all(check.holds for _, check in other.checks)  # none changes its claims
    assert card.by("no such").criterion is card.criterion
    assert card.about or card.positions or card.measure == "macro"
    for metric in card.about:
        assert any(case.disagrees(metric) for case in cases)
    assert {case.better for case in cases} <= {*CHOICES}
    named = {name for name in (*METRIC_IDS, "conll") if name_of(name) in card.title}
    assert named <= {*card.about}


@every_card
def test_criteria_and_the_table_count_links_and_entities_by_the_definition(card):
    for output, row in zip(outputs(card), link_table(card).to_dict("records"), strict=True):
        pairs = pairs_of(output)
        found = [tuple(map(oracle.coreference_links, pair)) for pair in pairs]
        links = {
            "right": [k & r for k, r in found],
            "wrong": [r - k for k, r in found],
            "missed": [k - r for k, r in found],
        }
        of_output = output.correct, output.wrong, output.missed
        for (kind, by_document), listed in zip(links.items(), of_output, strict=True):
            every = set().union(*by_document)
            assert {*map(frozenset, listed)} == every
            assert row[kind] == len(every)
            assert {frozenset(name) for name in row[f"{kind}_links"].split()} == every
        correct, wrong, missed = (sum(map(len, of)) for of in links.values())
        assert LINKS.count(output) == wrong + missed
        p, r = Fraction(correct, correct + wrong or 1), Fraction(correct, correct + missed or 1)
        assert LINK_F1.count(output) == (2 * p * r / (p + r) if correct else 0)
        whole = sum(len({*key} & {*response}) for key, response in pairs)
        assert WHOLE_ENTITIES.count(output) == whole
        assert (row["whole_entities"], row["key_entities"]) == (whole, output.n_key_entities)
        assert DOCUMENTS.count(output) == sum(k == r for k, r in found)


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


def test_there_are_cards_of_every_group_about_every_metric():
    assert len(PITFALLS) >= 16
    assert {card.group for card in PITFALLS} >= {*GROUPS}
    assert {metric for card in PITFALLS for metric in card.about} == {*COMPARED, "conll"}
    assert len({card.title for card in PITFALLS}) == len(BY_ID) == len(PITFALLS)
    # Where papers disagree both are told
    assert {len(card.positions) for card in PITFALLS} == {0, 2}
    assert len(BY_ID["rag-bag"].positions) == 2


# Numbers are computed -----------------------------------------------------------------------------


@every_card
def test_no_number_of_a_card_is_typed_and_its_text_follows_the_outputs(card):
    typed = [card.title, card.question, card.a.says, card.b.says]
    typed += [claim.says for claim in card.claims]
    typed += [position.says for position in card.positions]
    writer = WRITERS[card.why.__code__.co_firstlineno]
    typed += [n.value for n in ast.walk(writer) if isinstance(n, ast.Constant)]
    words = [text for text in typed if isinstance(text, str)]
    assert [text for text in words if DIGIT.search(text)] == []
    told = card.why(card.case)
    assert DIGIT.search(told)
    assert card.why(swapped(card).case) != told
    assert card.why(with_more(card).case) != told
    sentences = re.findall(r"\.(?= [A-Z]|$)", told.replace("Luo et al.", "Luo"))
    assert len(sentences) == 2
    assert card.source
    assert card.measure in MEASURES
    for toy in (toy for output in outputs(card) for toy in output.toys):
        params = dict(part.split("=") for part in query_of(toy).split("&"))
        assert toy_of(params) == toy
    assert max(sum(len(toy.mentions) for toy in output.toys) for output in outputs(card)) <= 25


# Against the papers' definitions ------------------------------------------------------------------


def test_published_values_come_out():
    for card, letter, metric, expected in (
        ("muc-sizes", "a", "muc", Fraction(18, 19)),  # 9/9 and 9/10
        ("ceaf-unaligned", "a", "ceafe", Fraction(4, 9)),  # 2/3 and 1/3
        ("ceaf-unaligned", "b", "blanc", Fraction(6, 17)),  # 6/28 and 1
        ("blanc-two-scorers", "a", "blanc", Fraction(8, 19)),
        ("blanc-two-scorers", "b", "blanc", Fraction(4, 19)),
        # 152 of 152 key and of 153 response pairs are rightly apart: F1 304/305; half is left
        ("blanc-one-link", "a", "blanc", Fraction(152, 305)),
        ("rag-bag", "a", "bcub", Fraction(22, 25)),  # 11/14 and 1
        ("rag-bag", "b", "bcub", Fraction(8, 11)),  # 4/7 and 1
        ("size-against-quantity", "b", "bcub", Fraction(17, 19)),  # 17/21 and 1
    ):
        assert getattr(BY_ID[card].case, letter).score(metric).f1 == pytest.approx(expected)


def test_the_constraints_of_clusterings_in_links():
    bag, size = BY_ID["rag-bag"].case, BY_ID["size-against-quantity"].case
    assert [len(output.wrong) for output in (bag.a, bag.b)] == [3, 4 * 3 // 2]
    assert [len(output.missed) for output in (size.a, size.b)] == [1 + 1, 2]
    assert bag.a.missed == bag.b.missed == size.a.wrong == size.b.wrong == ()


def test_a_precision_of_nothing_is_no_value():
    alone, linked = outputs(BY_ID["bcub-singletons"])
    muc = alone.score("muc")
    assert (muc.precision_numerator, muc.precision_denominator) == (0, 0)
    assert BY_ID["bcub-singletons"].case.first("muc") == NO_VALUE
    assert alone.value("bcub", "precision") == 1
    # {abc} has 3 of 3, in {def} d has 1 of 3, e and f have 2 of 3
    expected = (3 + Fraction(1, 3) + 2 * Fraction(2, 3)) / 6
    assert linked.value("bcub", "precision") == pytest.approx(expected)


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
    assert len(twice.documents[0][1]) == 2 * len(once.documents[0][1])
    assert once.toys == twice.toys  # the links of what is said once
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
def test_one_line_names_the_policies_of_both_outputs(card):
    a, b = (output.result.signature.split(" | ") for output in outputs(card))
    parts = card.signature.split(" | ")
    assert len(parts) == len(a)
    for part, one, other in zip(parts, a, b, strict=True):
        name = "split antecedents" if "split antecedents" in one else one.split()[0]
        both = f"{one} for A, {other.removeprefix(f'{name} ')} for B"
        assert part == (one if one == other else both)
    if card.id == "blanc-two-scorers":
        assert "| blanc reference for A, luo2014 for B |" in card.signature


def test_half_of_the_cards_have_a_sentence():
    worded = [card for card in PITFALLS if card.text]
    assert 2 * len(worded) >= len(PITFALLS)
    for card in worded:
        letters = {letter for of in (card.key, card.a.response, card.b.response) for letter in of}
        assert card.said.keys() == letters - {*"{} "}
        plain = "".join(f"{before}{words}" for before, _, words in card.pieces)
        assert not re.search(r"[\[\]]| [.,]", plain)


# Links and the lesson -----------------------------------------------------------------------------


def test_the_lesson_walks_through_cards_and_exercises_that_there_are():
    cards = [step for step in LESSON if step.pitfall]
    exercises = [step for step in LESSON if step.exercise]
    assert len(cards) + len(exercises) == len(LESSON) == len({step.id for step in LESSON})
    assert len(exercises) == 3
    assert 9 <= len(cards) <= 11
    assert {minutes: minutes_of(steps) for minutes, steps in LESSONS.items()} == {60: 60, 45: 45}
    assert {step.id for step in LESSONS[45]} < {step.id for step in LESSON}
    for step in LESSON:
        assert step.title
        assert re.fullmatch(r"[A-Z][^.?!]*[.?!]", step.leads_on)


# Cards of one's own: files, links, and what is wrong with them ------------------------------------

CARD = OwnCard(
    "Zwei Hälften", "Both halves, or one?", "Half has 1 of 6 links.", "{abcd}", "{ab}{cd}", "{ab}"
)
TEXTS = {"title": "T", "question": "Q?", "reason": "R."}


def written(tmp_path, text):
    path = tmp_path / "cards.json"
    path.write_text(text, encoding="utf-8")
    return str(path)


def problem_of(tmp_path, text):
    with pytest.raises(InputError) as caught:
        read_cards(written(tmp_path, text))
    (problem,) = caught.value.problems
    return problem


def test_a_card_comes_back_from_a_file_and_a_link(tmp_path):
    other = OwnCard("T", "Q?", "R.", "{ab}\n{c}", "{a}\n{c}", "{ab}\n{}", "entities")
    assert read_cards(written(tmp_path, cards_text([CARD, other]))) == (CARD, other)
    assert card_of_link(card_in_link(CARD)) == CARD
    assert CARD.id != other.id
    with pytest.raises(InputError, match="No such file"):
        read_cards(str(tmp_path / "none.json"))


def test_a_card_is_judged_and_scored_like_any_other():
    pitfall = CARD.pitfall
    assert pitfall.case.better == "A"  # 2 of 6 links instead of 1, none wrong
    assert pitfall.by("entities").case.better == "the same"
    assert pitfall.why(pitfall.case) == CARD.reason
    assert pitfall.case.first("lea") == "A"


def test_a_card_is_made_of_two_states_of_the_sandbox():
    before, after = Toy.of("{abc}{d}", "{ab}{c}"), Toy.of("{abc}{d}", "{abcd}")
    card = of_toys(before, after, texts=TEXTS, criterion="entities")
    assert card.pitfall.case.a.toys[0].response == (("a", "b"), ("c",))
    assert card.pitfall.case.b.toys[0].response == (tuple("abcd"),)
    with pytest.raises(InputError, match="mention 'a1'"):
        of_toys(Toy.of("{a1 b}", "{}"), Toy.of("{a1 b}", "{b}"), texts=TEXTS, criterion="links")


@pytest.mark.parametrize(
    "change, found",
    [
        ({"title": " "}, "nothing"),
        ({"reason": "x" * 1001}, "1,001 letters"),
        ({"reason": 3}, "no text as 'reason'"),
        ({"colour": "red"}, "an unknown 'colour'"),
        ({"criterion": "beauty"}, "the criterion 'beauty'"),
        ({"a": "{ab}\n{cd}"}, "documents of key: 1, a: 2, b: 1"),
        ({"key": "{a1 b}"}, "the mention 'a1'"),
        ({"b": "{" + " ".join(ascii_letters[:47]) + "}"}, "47 men"),
        ({"b": "{ab"}, "'{ab'"),
    ],
)
def test_a_card_that_cannot_be_is_told_by_its_number(tmp_path, change, found):
    good = json.loads(cards_text([CARD]))["cards"][0]
    problem = problem_of(tmp_path, json.dumps({"cards": [good, {**good, **change}]}))
    assert "card 2" in problem.file
    assert problem.found.startswith(found)


NESTED = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    "text, found, line",
    [
        *((text, "no list 'cards'", 0) for text in ("[]", "{}", '{"cards": []}')),
        ('{"cards": {"title": "T"}}', "no list 'cards'", 0),
        ('{"cards": [3]}', "no object", 0),
        ('{"cards": [\n  {"title": }\n]}', "", 2),
        (NESTED, "JSON that cannot be read", 0),
        ('{"cards": [' + "1" * 5000 + "]}", "JSON that cannot be read", 0),
        (cards_text([CARD]).replace(CARD.title, "\\ud800"), "no text as 'title'", 0),
    ],
    ids=range(9),
)
def test_a_file_that_has_no_cards_is_refused(tmp_path, text, found, line):
    problem = problem_of(tmp_path, text)
    assert "cards.json" in problem.file
    assert problem.found.startswith(found)
    assert not line or problem.line == line


@pytest.mark.parametrize(
    "value", ["", "x", "!!!", "eyJ0Ijox", "Mw", urlsafe_b64encode(NESTED.encode()).decode()]
)
def test_a_damaged_link_is_told(value):
    with pytest.raises(InputError, match=r"link|object"):
        card_of_link(value)


def test_a_card_keeps_the_sentence_of_the_sandbox(tmp_path):
    text = "[a Mia] lost [b her] keys ."
    before, after = Toy.of("{ab}", "{a}{b}", text), Toy.of("{ab}", "{ab}", text)
    card = of_toys(before, after, texts=TEXTS, criterion="links")
    assert card.pitfall.text == text
    assert read_cards(written(tmp_path, cards_text([card]))) == (card,)
    assert card_of_link(card_in_link(card)) == card
    assert "sentence" not in cards_text([CARD])  # the ids of cards without one stay
    with pytest.raises(InputError, match="not closed"):
        OwnCard("T", "Q?", "R.", "{a}", "{a}", "{}", sentence="[a Mia")
