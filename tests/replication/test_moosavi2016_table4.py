"""Moosavi & Strube 2016, Table 4: boundary systems, and what their printed scores tell."""

from fractions import Fraction

import pytest

from corescore import Corpus, read
from corescore.corpus.documents import Document
from corescore.replication.experiment import run
from corescore.replication.moosavi2016 import table4 as checks
from corescore.replication.moosavi2016.data import Bounded, consistent, response_sizes
from corescore.replication.moosavi2016.table4 import TABLE4_PRINTED, _printed
from corescore.util import bundled
from tests.support.experiments import BY_ID, scores_of
from tests.support.half import exactly

EXPERIMENT = BY_ID["moosavi2016-table4"]
FOLDER = bundled("sample_data")
OF_KEY = {"key-1ent-muc", "key-1ent-parts", "key-sing-bcub", "key-1ent-bcub"}
OF_SYSTEM = {"sys-sing", "sys-1ent", "system-mentions", "consistent"}
IN_PRINT_ALONE = {"equal-by-average", "lea-order", "peng-precision"}


@pytest.fixture(scope="module", params=("cautious", "greedy"))
def sample(request):
    key, response = (read(FOLDER / f"{name}.conll") for name in ("key", request.param))
    return key, response, run(EXPERIMENT, EXPERIMENT.setting(key=key, response=response))


def on(key, response):
    """The outcome on entities of one document, each a list of positions."""
    sides = [
        Corpus((Document.of_entities("d", [[(m, m + 1) for m in e] for e in entities]),))
        for entities in (key, response)
    ]
    return run(EXPERIMENT, EXPERIMENT.setting(key=sides[0], response=sides[1]))


def verdicts(outcome):
    return {claim.id: check.holds for claim, check in outcome.checks}


def in_print(outcome):
    return {c.id: check.printed.holds for c, check in outcome.checks if check.printed}


def test_every_claim_holds_on_the_sample_or_in_print_alone(sample):
    _, _, outcome = sample
    expected = dict.fromkeys(OF_KEY | OF_SYSTEM, True) | dict.fromkeys(IN_PRINT_ALONE)
    assert verdicts(outcome) == expected
    printed = OF_SYSTEM | IN_PRINT_ALONE | {"key-1ent-muc", "key-1ent-parts"}
    off = {"peng-precision", "key-1ent-parts"}  # the other by one reading
    assert in_print(outcome) == {name: name not in off for name in printed}


def test_the_mentions_of_the_key_alone_and_together(sample):
    key, _, outcome = sample
    sizes = [len(entity) for document in key for entity in document.entities]
    n, links = sum(sizes), sum(sizes) - len(sizes)
    alone = {"system": "key-sing"}
    assert scores_of(outcome, "muc", **alone) == 0
    assert scores_of(outcome, "lea", "recall", **alone) == exactly(Fraction(sizes.count(1), n))
    assert scores_of(outcome, "bcub", "recall", **alone) == exactly(Fraction(len(sizes), n))
    assert scores_of(outcome, "bcub", "precision", **alone) == 1
    together = {"system": "key-1ent"}
    assert scores_of(outcome, "muc", "recall", **together) == 1
    expected = exactly(Fraction(links, n - len(key)))
    assert scores_of(outcome, "muc", "precision", **together) == expected


def test_the_mentions_of_the_response_alone_and_together(sample):
    key, response, outcome = sample
    n = len([m for document in key for m in document.mentions])
    n_response = len([m for document in response for m in document.mentions])
    found = [
        (len(entity), sum(m in {*response[document.name].mentions} for m in entity))
        for document in key
        for entity in document.entities
    ]
    n_found = sum(there for _, there in found)
    alone = {"system": "sys-sing"}
    singletons = sum(there for size, there in found if size == 1)
    assert scores_of(outcome, "muc", **alone) == 0
    assert scores_of(outcome, "lea", "recall", **alone) == exactly(Fraction(singletons, n))
    assert scores_of(outcome, "bcub", "precision", **alone) == exactly(
        Fraction(n_found, n_response)
    )
    recall = sum(Fraction(there, size) for size, there in found) / n
    assert scores_of(outcome, "bcub", "recall", **alone) == exactly(recall)
    together = {"system": "sys-1ent"}
    linked = sum(there - 1 for _, there in found if there)
    assert scores_of(outcome, "muc", "recall", **together) == exactly(
        Fraction(linked, sum(size - 1 for size, _ in found))
    )
    assert scores_of(outcome, "muc", "precision", **together) == exactly(
        Fraction(linked, n_response - len(key))
    )


@pytest.mark.parametrize(("entities", "of_system"), [([], None), ([[0], [1]], True)])
def test_a_key_without_links_says_nothing_of_links(entities, of_system):
    """Full recall of no links is neither true nor false."""
    told = verdicts(on(entities, entities))
    of_links = {"sys-1ent", "system-mentions", "key-1ent-muc", "key-1ent-parts"}
    assert {told[name] for name in of_links} == {None}
    assert told["sys-sing"] is told["key-sing-bcub"] is of_system


def test_one_entity_of_the_key_loses_to_a_perfect_response():
    told = verdicts(on([[0, 1], [2, 3]], [[0, 1], [2, 3]]))
    assert told["key-1ent-muc"] is False
    assert told["key-1ent-parts"] is told["key-1ent-bcub"] is True


def test_a_response_that_finds_nothing_tells_nothing_of_its_size():
    told = verdicts(on([[0, 1]], [[2, 3]]))
    assert told["system-mentions"] is None
    assert told["sys-sing"] is False  # B³ and CEAF_e give no credit either


# What is printed ----------------------------------------------------------------------------------


def test_scores_tell_the_sizes_of_a_response():
    """In the response {01} has one link and {2345} three: six mentions in two entities."""
    outcome = on([range(4), [4, 5]], [[0, 1], range(2, 6)])
    sizes = response_sizes(outcome.table, "Response")
    assert sizes.links.value == pytest.approx(4)
    assert sizes.entities.value == pytest.approx(2)
    assert sizes.mentions.allows(6)
    assert not sizes.mentions.allows(7)


def test_bounds_add_up_and_are_told():
    one, other = Bounded(5, 4, 6), Bounded(2, 1.5, 2.5)
    assert one + other == Bounded(7, 5.5, 8.5)
    assert one - other == Bounded(3, 1.5, 4.5)
    assert one.meets(Bounded(7, 6, 8))
    assert not one.meets(other)
    assert str(one) == "5.0 ± 1.0"
    assert str(Bounded(1020, 1020, 1020)) == "1,020"


def test_the_printed_scores_fit_346_parts():
    """Cut, 15,232 / (19,764 − 346) is 78.44, and its F1 with a recall of 1 is 87.91."""
    precision = Fraction(19764 - 4532, 19764 - 346)
    assert int(10000 * precision) == 7844
    assert int(10000 * 2 * precision / (1 + precision)) == 8791
    assert round(10000 * Fraction(19764 - 4532, 19764 - 1)) == 7707
    found = checks.parts_in_print()
    assert "in all: 77.07 and F1 87.05" in found.numbers
    assert "348 parts: 78.45" in found.numbers
    (held,) = (one.name for one in found.readings if one.holds)
    assert "346" in held
    assert "cut" in held


def test_a_precision_that_is_a_little_better_would_be_marginally_so():
    table = _printed()
    of_peng = (table["system"] == "Peng") & (table["metric"] == "lea")
    for precision, holds in ((0.5191 + 0.002, True), (0.5191, False), (0.5897, False)):
        other = table.assign(precision=table["precision"].where(~of_peng, precision))
        assert checks.peng_is_precise(other).holds is holds


def test_the_printed_scores_of_both_boundary_systems_are_of_the_same_mentions():
    table = _printed()
    assert checks.system_mentions_in_print(table).holds
    other = table["precision"].where(
        (table["system"] != "sys-sing") | (table["metric"] != "ceafe"), 0.0505
    )
    assert not checks.system_mentions_in_print(table.assign(precision=other)).holds


def test_a_printed_number_that_does_not_fit_is_noticed():
    table = _printed()
    assert consistent(table, half=5e-5).holds
    for row in table.index:
        off = table["f1"] + 3e-4 * (table.index == row)
        assert not consistent(table.assign(f1=off), half=5e-5).holds


def test_the_printed_scores_stand_beside_the_computed(sample):
    _, _, outcome = sample
    rows = outcome.beside(TABLE4_PRINTED)
    assert not rows["differs"].any()
    of_systems = rows[(rows["printed"] != "") & rows["system"].isin(["sys-sing", "sys-1ent"])]
    assert len(of_systems) == 2 * (4 * 3 + 1)
    assert of_systems["computed"].notna().all()
