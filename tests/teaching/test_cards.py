"""The cards of metrics and variants: what they say is what the scorer does."""

import re
from fractions import Fraction

import pytest
from hypothesis import given

import corescore
from corescore.metrics import BLANC_VARIANTS, CONLL, DIAGNOSTICS, METRIC_IDS, METRICS, VARIANTS
from corescore.metrics.textbook import (
    Quotient,
    difference,
    minus,
    number,
    product,
    ratio,
    square,
    total,
)
from corescore.teaching.cards import (
    EXAMPLE,
    empty_table,
    known_flaws,
    result_of,
    worked_lines,
    worked_table,
)
from corescore.teaching.pitfalls import PITFALLS
from tests.support import card_cases, oracle, oracle_variants
from tests.support.card_cases import (
    agreeing_pairs,
    alignments,
    corefer,
    evaluate,
    letters_of,
    linked,
    mentions,
    same,
)
from tests.support.strategies import partition_pairs

# The metric cards: what they say is what the scorer does ------------------------------------------

CARDS = [row.card for row in (*METRICS, CONLL, *DIAGNOSTICS) if row.card]
CARD = {card.id: card for card in CARDS}
OF_VARIANTS = {metric.id: metric.card for metric in VARIANTS}
every_card = pytest.mark.parametrize("card", [*CARDS, *OF_VARIANTS.values()])
MEASURES = ("recall", "precision", "f1")
PAIRS = partition_pairs(max_mentions=6, max_entities=3)


def scored(pair, **policies):
    """By metric, (in a total, in one document): each as [recall, precision, F1]."""
    result = corescore.score_entities(*pair, **policies)
    both = {name: (result[name], result.document_scores[name].row(0)) for name in CARD}
    return {
        name: [[getattr(score, measure) for measure in MEASURES] for score in scores]
        for name, scores in both.items()
    }


def close(value, abs=1e-12):
    return pytest.approx(float(value), abs=abs)


# What there is ------------------------------------------------------------------------------------


def test_every_metric_has_a_card_and_the_average_too():
    for row in (*METRICS, CONLL, *DIAGNOSTICS):
        assert row.card is None or row.card.id == row.id
    assert {*CARD} >= {*METRIC_IDS, "conll", *(metric.id for metric in DIAGNOSTICS)}
    assert all(card.history for card in OF_VARIANTS.values())


@pytest.mark.parametrize(
    "metric",
    [one for one in (*METRICS, *DIAGNOSTICS, *BLANC_VARIANTS.values(), *VARIANTS) if one.card],
)
def test_a_card_has_every_paper_that_its_metric_names(metric):
    card = (CARD | OF_VARIANTS)[metric.id]
    for paper in metric.paper.split("; "):
        cited, title = paper.split(", ", 1)
        author, year = cited.split()[0], cited.split()[-1]
        references = [paper.reference for paper in card.papers]
        (full,) = [one for one in references if title.casefold() in one.casefold()]
        assert author in full
        assert f"{year}. " in full


def test_every_pitfall_is_linked_from_the_card_of_each_metric_that_it_is_about():
    linked = {(pitfall.id, card.id) for card in CARDS for pitfall in known_flaws(card)}
    assert linked == {(pitfall.id, name) for pitfall in PITFALLS for name in pitfall.about}


# The worked example -------------------------------------------------------------------------------

# They are not worked out
LOGARITHMS = ("h", "h-joint", "h-geometric", "h-max", "h-log")


@every_card
def test_the_numbers_of_the_example_come_to_the_score_and_are_those_of_the_oracle(card):
    parts = worked_lines(card)
    lines = [line for part in parts for line in part]
    for line in lines:
        for side in line.numbers.split(" = "):
            assert evaluate(side) == line.value
    score = result_of(card, EXAMPLE)[card.id]
    scores = [*[*score.parts.values()][: len(parts) - 1], score]
    for part, of_part, expected in zip(card.parts, parts, scores, strict=True):
        for name, line in zip(part.steps, of_part, strict=bool(lines)):
            assert close(line.value, 1e-9) == getattr(expected, name.split()[0])
    pair = tuple([frozenset(entity) for entity in side] for side in (EXAMPLE.key, EXAMPLE.response))
    assert bool(lines) != (card.id in LOGARITHMS)
    if lines:
        of = oracle if card.id in CARD else oracle_variants
        expected = of.score(card.id, [pair], empty=Fraction(0))
        shown = [getattr(expected, name) for name in MEASURES if name in card.parts[-1].steps]
        assert [line.value for line in parts[-1]] == shown

    table = worked_table(card)
    assert [*table["value"]] == [float(line.value) for line in lines]
    assert [Fraction(told) for told in table["fraction"]] == [line.value for line in lines]
    named = (
        f"{row.measure} of {row.part}" if row.part else row.measure for row in table.itertuples()
    )
    assert not lines or [*named] == [name for part in card.parts for name in part.steps]


TWO_FIFTHS = number(Fraction(2, 5))


@pytest.mark.parametrize(
    "computation, line, latex",
    [
        (
            Quotient(total([ratio(square(2), number(3)), number(1)]), number(7)),
            "(2²/3 + 1) / 7 = 1/3",
            r"\frac{\tfrac{2^2}{3} + 1}{7} = \frac{1}{3}",
        ),
        (
            Quotient(
                ratio(product(number(2), number(2), tight=True), total([number(3), number(2)])),
                number(2),
            ),
            "2·2/(3 + 2) / 2 = 2/5",
            r"\frac{\tfrac{2 \cdot 2}{3 + 2}}{2} = \frac{2}{5}",
        ),
        (
            Quotient(difference(3, 2), total([difference(3, 1), difference(4, 1)])),
            "(3 − 2) / ((3 − 1) + (4 − 1)) = 1/5",
            r"\frac{3 - 2}{(3 - 1) + (4 - 1)} = \frac{1}{5}",
        ),
        (Quotient(number(6), number(7)), "6 / 7 = 6/7", r"\frac{6}{7}"),
        (Quotient(number(4), number(2)), "4 / 2 = 2", r"\frac{4}{2} = 2"),
        (
            Quotient(total([product(number(4), TWO_FIFTHS), minus(number(1))]), number(3)),
            "(4 · 2/5 − 1) / 3 = 1/5",
            r"\frac{4 \cdot \tfrac{2}{5} - 1}{3} = \frac{1}{5}",
        ),
        (
            Quotient(number(0), number(0)),
            "0 / 0, taken as 0",
            r"\frac{0}{0} \text{, taken as } 0",
        ),
    ],
)
def test_a_computation_is_written_as_text_and_in_latex(computation, line, latex):
    assert computation.text == line
    assert computation.latex == latex


# The formulas -------------------------------------------------------------------------------------


def by_formula(card, pair):
    """What a card's formulas come to, part by part; the last part's values."""
    letters, loops = letters_of(pair)
    letters |= dict(zip("cd", agreeing_pairs(pair), strict=True))
    for part in card.parts:
        for symbol, formula in part.steps.values():
            runs = alignments(pair) if "sim" in formula else [[]]
            letters[symbol] = max(
                evaluate(formula, letters, loops | {r"i \sim j": run}) for run in runs
            )
    return [letters[symbol] for symbol, _ in card.parts[-1].steps.values()]


@given(pair=PAIRS)
def test_the_formulas_give_the_score(pair):
    names = set(CARD) - {"conll"}  # a mean
    if not has_both_kinds(pair[0]):
        names.remove("blanc")  # the card's rules for empty parts say what then
    if any(len(entity) == 1 for side in pair for entity in side):
        names.remove("lea")  # singletons, which the words tell of
    scores = scored(pair)
    for name in names:
        assert scores[name][0] == [close(value) for value in by_formula(CARD[name], pair)], name


@given(pair=PAIRS)
def test_the_average_is_the_mean_of_the_three_that_its_card_names(pair):
    formula = CARD["conll"].parts[0].f1
    names = re.findall(r"F_1\^\{\\mathrm\{(\w+)\}(?:_(\w)|\^(\d))?\}", formula)
    ids = [{"B3": "bcub"}.get("".join(name), "".join(name).lower()) for name in names]
    scores = scored(pair)
    assert ids == ["muc", "bcub", "ceafe"]
    assert formula.endswith("}{3}")
    assert scores["conll"][0][2] == close(sum(scores[name][0][2] for name in ids) / 3)


@every_card
def test_every_letter_of_the_formulas_is_explained(card):
    formulas = " ".join(formula for part in card.parts for _, formula in part.steps.values())
    known = [symbol for latex, _ in card.symbols for symbol in latex.split(r",\ ")]
    known += [symbol for part in card.parts for symbol, _ in part.steps.values()]
    if card.id != "conll":
        used = set(re.findall(r"(?<![\\a-z])[a-zA-Z](?:_(?:\{[^{}]*\}|\w))?", formulas))
        used -= {"i", "j", "max", *(letter for letter in used if "sim" in letter)}
        assert used <= set(known)
    for latex, _ in card.symbols:
        shown = latex.replace(r"\tbinom{n}", r"\binom").split(r",\ ")
        assert all(symbol.removesuffix("{2}") in formulas for symbol in shown)


def has_both_kinds(side):
    return bool(linked(side)) and len(side) > 1


# If there is nothing to score ------------------------------------------------------------------

NOTHING = {
    "has no mention": lambda side: not mentions(side),
    "has no entity of two or more mentions": lambda side: not linked(side),
    "has fewer than two mentions": lambda side: len(mentions(side)) < 2,
}
EMPTY_SENTENCE = re.compile(
    r"If the key (.*), recall is empty\. If the response \1, precision is empty\. "
    r"F1 is empty if both are, and 0 if one is\."
)


def is_empty(values):
    return [value != value for value in values]


WHAT_LACKS = {c.id: found[1] for c in CARDS if (found := EMPTY_SENTENCE.fullmatch(c.empty))}


@given(pair=PAIRS)
def test_what_is_empty_is_what_the_cards_say(pair):
    assert set(CARD) - set(WHAT_LACKS) == {"blanc", "conll"}
    scores = scored(pair)
    for name, words in WHAT_LACKS.items():
        lacks = [bool(NOTHING[words](side)) for side in pair]
        total, one = scores[name]
        assert is_empty(one) == [*lacks, all(lacks)], name
        assert total == [0 if value != value else value for value in one], name
        if any(lacks) and not all(lacks):
            assert one[2] == 0, name


@given(pair=PAIRS)
def test_the_average_is_empty_without_mentions_and_muc_is_0_in_it(pair):
    first = "If neither side has a mention, it is empty. If only MUC is empty, "
    assert CARD["conll"].empty.startswith(first)
    scores = scored(pair)
    total, one = scores["conll"]
    assert is_empty(one)[2] is not bool(mentions(pair[0]) | mentions(pair[1]))
    if mentions(pair[0]) and not linked(pair[0]) and not linked(pair[1]):
        two = [scores[name][1][2] for name in ("bcub", "ceafe")]
        assert total[2] == one[2] == close(sum(two) / 3)


def shared_key(pair):
    shared = mentions(pair[1])
    return [entity & shared for entity in pair[0] if entity & shared]


def lacking(*sides):
    """Whether none of the sides has a coreference link, and none a non-coreference link."""
    return not any(map(linked, sides)), all(len(side) < 2 for side in sides)


def blanc_part(pair, policy, part):
    result = corescore.score_entities(*pair, blanc=policy).document_scores["blanc"]
    return [getattr([*result.parts.values()][part].row(0), name) for name in MEASURES]


def test_the_cases_of_blanc_are_told_in_words_that_are_checked():
    variants = CARD["blanc"].variants
    assert [variant.policy for variant in variants] == [*BLANC_VARIANTS]
    told = {case.when for variant in variants for case in variant.cases}
    assert told == {when for cases in BLANC_CASES.values() for when, *_ in cases}


def key_cases(the_key, side):
    return (
        (f"{the_key} has no link of either kind", lambda p: lacking(side(p)) == (True, True)),
        (f"{the_key} has no coreference link", lambda p: lacking(side(p))[0]),
        (f"{the_key} has no non-coreference link", lambda p: lacking(side(p))[1]),
        ("otherwise", lambda p: True),
    )


def same_mentions(pair):
    return mentions(pair[0]) == mentions(pair[1])


BLANC_CASES = {
    "reference": key_cases("the key", lambda pair: pair[0]),
    "recasens2011": key_cases("the key, without its missing mentions,", shared_key),
    "luo2014": (
        (
            "neither side has a link, and both have the same mentions",
            lambda p: lacking(*p) == (True, True) and same_mentions(p),
        ),
        (
            "neither side has a link, and their mentions differ",
            lambda p: lacking(*p) == (True, True) and not same_mentions(p),
        ),
        ("neither side has a coreference link", lambda p: lacking(*p)[0]),
        ("neither side has a non-coreference link", lambda p: lacking(*p)[1]),
        ("otherwise", lambda p: True),
    ),
    "scorch": (
        (
            "the key has no link of either kind, and contains all mentions of the response",
            lambda p: lacking(p[0]) == (True, True) and mentions(p[1]) <= mentions(p[0]),
        ),
        (
            "the key has no link of either kind, and does not contain all mentions of the response",
            lambda p: lacking(p[0]) == (True, True) and not mentions(p[1]) <= mentions(p[0]),
        ),
        *key_cases("the key", lambda pair: pair[0])[1:],
    ),
    "corefud": (
        ("neither side has a link", lambda p: lacking(*p) == (True, True)),
        ("neither side has a coreference link", lambda p: lacking(*p)[0]),
        ("neither side has a non-coreference link", lambda p: lacking(*p)[1]),
        ("otherwise", lambda p: True),
    ),
}
THEN = {
    "empty": lambda pair, policy: [float("nan")] * 3,
    "1": lambda pair, policy: [1] * 3,
    "0": lambda pair, policy: [0] * 3,
    "the part of the coreference links alone": lambda pair, policy: blanc_part(pair, policy, 0),
    "the part of the non-coreference links alone": lambda pair, policy: blanc_part(pair, policy, 1),
    "the mean of the two parts": lambda pair, policy: [
        sum(0 if value != value else value for value in both) / 2
        for both in zip(*(blanc_part(pair, policy, part) for part in (0, 1)), strict=True)
    ],
}


@pytest.mark.parametrize("variant", CARD["blanc"].variants, ids=lambda variant: variant.policy)
@given(pair=PAIRS)
def test_blanc_of_empty_parts_is_what_the_first_case_says_that_fits(variant, pair):
    fits = dict(BLANC_CASES[variant.policy])
    case = next(case for case in variant.cases if fits[case.when](pair))
    expected = THEN[case.then](pair, variant.policy)
    total, one = scored(pair, blanc=variant.policy)["blanc"]
    assert one == pytest.approx(expected, abs=1e-12, nan_ok=True)
    if case.then == "empty":
        assert total == [0] * 3


@every_card
def test_the_examples_show_something_empty(card):
    table = empty_table(card)
    assert len(table) == len(card.examples) * (len(card.variants) or 1)
    assert table["f1"].isna().any() or table["precision"].isna().any()
    assert table["total"].notna().all()


# The cards of the variants: what they say is what the scorer does ---------------------------------


def shared(pair):
    return oracle_variants.shared_sides(pair)


def completed(pair):
    """Without spurious singletons, and with the missing mentions as singletons."""
    key, response = oracle_variants.without_spurious_singletons(pair)
    missing = mentions(key) - mentions(response)
    return key, [*response, *({frozenset([mention]) for mention in missing})]


def known_to_key(pair):
    return pair[0], oracle_variants.among(pair[1], mentions(pair[0]))


def information(pair):
    key, response, joint, _ = oracle_variants.entropies(pair)
    return key + response - joint


def cost(pair):
    ((saved, nothing, _, _),) = oracle_variants.COUNTS["ace"](pair)
    return saved, nothing


SHARED_ALIKE = (
    "the two sides share a mention, and the shared mentions are in the same entities on both"
)
WHEN_ONE = {
    **card_cases.WHEN_ONE,
    "both sides have the same entities, and one of them has two or more mentions": (
        lambda p: same(p) and linked(p[0])
    ),
    "both sides have the same entities, and two or more mentions": (
        lambda p: same(p) and len(mentions(p[0])) > 1
    ),
    "both sides have the same mentions": lambda p: mentions(p[0]) == mentions(p[1]) != set(),
    "the response, without its spurious mentions, has the entities of the key": (
        lambda p: p[0] and same(known_to_key(p))
    ),
    "the response, without its spurious singletons, has the entities of the key": (
        lambda p: p[0] and same(oracle_variants.without_spurious_singletons(p))
    ),
    "the response, without its spurious singletons and with each missing mention as a singleton, "
    "has the entities of the key": lambda p: p[0] and same(completed(p)),
    SHARED_ALIKE: lambda p: shared(p)[0] and same(shared(p)),
    f"{SHARED_ALIKE}, and two of them corefer": lambda p: same(shared(p)) and corefer(p),
    f"{SHARED_ALIKE}, and some document has two of these entities": (
        lambda p: same(shared(p)) and len(shared(p)[0]) > 1
    ),
    "the mentions that both sides have are singletons on both, and there are two": (
        lambda p: same(shared(p)) and not corefer(p) and len(shared(p)[0]) > 1
    ),
}
WHEN_ZERO = {
    **card_cases.WHEN_ZERO,
    "the key has no mention": lambda p: not p[0],
    "no two mentions are coreferent on both sides, and no shared mention is alone among the shared "
    "ones on both sides": (
        lambda p: not corefer(p) and not {e for e in shared(p)[0] if len(e) == 1} & {*shared(p)[1]}
    ),
    "knowing one side’s entities says nothing about the other’s": lambda p: (
        abs(information(p)) < 1e-9
    ),
    "the errors cost as much as leaving out everything, or the key has no mention": (
        lambda p: not cost(p)[0] or not cost(p)[1]
    ),
}


@given(pair=PAIRS)
def test_the_range_is_as_the_cards_say(pair):
    by_default = corescore.score_entities(*pair)
    by_variants = corescore.score_entities(*pair, metrics=[*OF_VARIANTS])
    for name, card in (CARD | OF_VARIANTS).items():
        f1 = (by_default if name in CARD else by_variants)[name].f1
        assert "below 0" in card.bounds or -1e-9 <= f1 <= 1 + 1e-9, name
        assert (abs(f1) < 1e-9) == bool(WHEN_ZERO[card.zero](pair)), name
        if "links of both kinds" not in card.one or has_both_kinds(pair[0]):
            assert (f1 == close(1, 1e-9)) == bool(WHEN_ONE[card.one](pair)), name
