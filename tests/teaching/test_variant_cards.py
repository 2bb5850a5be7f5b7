"""The cards of the variants: what they say is what the scorer does."""

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings

import corescore
from corescore.metrics import VARIANTS, metric_of
from corescore.teaching.cards import EXAMPLE, empty_table, result_of, worked_lines, worked_table
from tests.support import card_cases, oracle_variants
from tests.support.card_cases import corefer, linked, mentions, same
from tests.support.formulas import evaluate
from tests.support.strategies import partition_pairs

CARD = {metric.id: metric.card for metric in VARIANTS}
MEASURES = ("recall", "precision", "f1")
every_card = pytest.mark.parametrize("card", CARD.values(), ids=CARD)
WORKED = [card for card in CARD.values() if any(worked_lines(card))]
PAIRS = partition_pairs(max_mentions=6, max_entities=3)


def close(value):
    return pytest.approx(float(value), abs=1e-9)


@every_card
def test_every_variant_has_a_card_with_its_history_and_its_papers(card):
    metric = metric_of(card.id)
    assert card.history
    cited, title = metric.paper.split(", ", 1)
    full = [p.reference for p in card.papers if title.casefold() in p.reference.casefold()]
    assert len(full) == 1
    assert f"{cited.split()[-1]}. " in full[0]


def test_only_logarithms_are_not_worked_out():
    rest = set(CARD) - {card.id for card in WORKED}
    assert rest == {"h", "h-joint", "h-geometric", "h-max", "h-log", "v-measure", "vi"}


@pytest.mark.parametrize("card", WORKED, ids=lambda card: card.id)
def test_the_numbers_of_the_example_come_to_the_score(card):
    score = result_of(card, EXAMPLE)[card.id]
    lines = worked_lines(card)[-1]
    for name, line in zip(card.parts[-1].steps, lines, strict=True):
        assert close(line.value) == getattr(score, name)
        for side in line.numbers.split(" = "):
            assert evaluate(side) == line.value
    pair = tuple([frozenset(entity) for entity in side] for side in (EXAMPLE.key, EXAMPLE.response))
    expected = oracle_variants.score(card.id, [pair], empty=Fraction(0))
    shown = [getattr(expected, name) for name in MEASURES if name in card.parts[-1].steps]
    assert [line.value for line in lines] == shown
    assert len(worked_table(card)) == sum(map(len, worked_lines(card)))


@every_card
def test_every_letter_of_the_formulas_is_explained(card):
    formulas = " ".join(formula for part in card.parts for _, formula in part.steps.values())
    known = [symbol for latex, _ in card.symbols for symbol in latex.split(r",\ ")]
    known += [symbol for part in card.parts for symbol, _ in part.steps.values()]
    used = set(re.findall(r"(?<![\\a-z])[a-zA-Z](?:_(?:\{[^{}]*\}|\w))?", formulas))
    used -= {"i", "j", "max", *(letter for letter in used if "sim" in letter)}
    assert used <= set(known)
    for latex, _ in card.symbols:
        shown = latex.replace(r"\tbinom{n}", r"\binom").split(r",\ ")
        assert all(symbol.removesuffix("{2}") in formulas for symbol in shown)


@every_card
def test_the_examples_show_something_empty(card):
    table = empty_table(card)
    assert len(table) == len(card.examples)
    assert table["f1"].isna().any() or table["precision"].isna().any()
    assert table["total"].notna().all()


# --- When F1 is 1 and when it is 0 ---------------------------------------------------------------


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


def beyond_chance(pair):
    ((common, _, _, _),) = oracle_variants.ari(pair)
    return common


def cost(pair):
    ((saved, nothing, _, _),) = oracle_variants.COUNTS["ace"](pair)
    return saved, nothing


SHARED_ALIKE = (
    "the two sides share a mention, and those that they share are in the same entities on both"
)
WHEN_ONE = {
    **card_cases.WHEN_ONE,
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
    f"{SHARED_ALIKE}, and some document has two of these mentions": (
        lambda p: same(shared(p)) and len(mentions(shared(p)[0])) > 1
    ),
    f"{SHARED_ALIKE}, where some corefer and some do not": lambda p: (
        same(shared(p)) and corefer(p) and len(shared(p)[0]) > 1
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
    "knowing one side’s entities tells nothing of the other’s": lambda p: (
        abs(information(p)) < 1e-9
    ),
    "knowing one side’s entities tells nothing of the other’s, though both sides have several; or "
    "they share no mention": lambda p: (
        not shared(p)[0]
        or (abs(information(p)) < 1e-9 and not (len(shared(p)[0]) == len(shared(p)[1]) == 1))
    ),
    "no two mentions are coreferent on both sides, and neither side tells anything of the other": (
        lambda p: not corefer(p) and abs(information(p)) < 1e-9
    ),
    "exactly as many links are right as by chance": lambda p: not beyond_chance(p),
    "the errors cost as much as leaving out everything, or the key has no mention": (
        lambda p: not cost(p)[0] or not cost(p)[1]
    ),
}


@every_card
@settings(max_examples=60)
@given(pair=PAIRS)
def test_the_range_is_as_the_card_says(card, pair):
    f1 = corescore.score_entities(*pair, metrics=[card.id])[card.id].f1
    if "below 0" not in card.bounds:
        assert -1e-9 <= f1 <= 1 + 1e-9
    assert (abs(f1) < 1e-9) == bool(WHEN_ZERO[card.zero](pair))
    if "if the key has links" not in card.one or (linked(pair[0]) and len(pair[0]) > 1):
        assert (f1 == close(1)) == bool(WHEN_ONE[card.one](pair))
