"""What perturbations and baselines keep of mentions that are more than spans."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document
from corescore.analysis.perturbation import Add, Drop, Merge, Move, Repair, Split, perturb
from corescore.analysis.perturbation.base import Dosed
from corescore.analysis.perturbation.baselines import BASELINES, baseline
from corescore.analysis.perturbation.sweep import Sweep
from corescore.corpus.documents import Attributes, EmptyNode
from corescore.counting.policies import Policies
from corescore.scoring.scores import score
from tests.support.samples import EVERY_PERTURBATION

# Mia and (she) called … up; the zero is word 2, and "called … up" is in two pieces.
WORDS = ("Mia", "and", "_", "called", "Ann", "up", "and", "they", "left", ".")
ZERO = {2: EmptyNode(1, frozenset([(3, "nsubj")]))}
# start, end, entity, head, pieces, type
KEY = [
    (0, 1, "mia", 0, (), "person"),
    (2, 3, "mia", 2, (), "person"),
    (3, 6, "call", 3, ((3, 4), (5, 6)), "event"),
    (4, 5, "ann", 4, (), "person"),
    (7, 8, "both", 7, (), "person"),
    (8, 9, "call", 8, (), "event"),
]


def document(rows, *, zero=True, split=(("both", ("mia", "ann")),)):
    """A document of these rows; without the zero, words and mentions after it are one before."""
    words, nodes = WORDS, ZERO
    if not zero:
        words, nodes = WORDS[:2] + WORDS[3:], {}
        rows = [_without_zero(row) for row in rows if row[:2] != (2, 3)]
    return Document.of_rows(
        "d",
        [row[:3] for row in rows],
        words=words,
        attributes=Attributes.of(
            len(rows),
            head=[row[3] for row in rows],
            pieces=[row[4] for row in rows],
            entity_type=[row[5] for row in rows],
        ),
        empty_nodes=nodes,
        split_antecedents=split,
    )


def _without_zero(row):
    start, end, entity, head, pieces, kind = row
    at = [position - (position > 2) for position in range(len(WORDS) + 1)]
    moved = tuple((at[a], at[b]) for a, b in pieces)
    return at[start], at[end], entity, at[head], moved, kind


def told(of):
    """Each mention with its entity and all that is known of it."""
    a = of.attributes or Attributes.of(len(of.rows))
    entity = of.entity_of.tolist()
    return {*zip(of.mentions, entity, a.head.tolist(), a.pieces, a.entity_type, strict=True)}


def perturbed(key, response, *perturbations):
    (changed,) = perturb(Corpus((key,)), Corpus((response,)), perturbations, seed=1)
    return changed


@pytest.mark.parametrize("zero", [True, False])
@pytest.mark.parametrize(
    "perturbation",
    [one.at(0) for one in EVERY_PERTURBATION if isinstance(one, Dosed)],
    ids=lambda one: one.spec,
)
def test_at_share_0_a_document_stays_as_it_is(perturbation, zero):
    """Also where the key has an empty node that the response lacks."""
    response = document(KEY, zero=zero)
    changed = perturbed(document(KEY), response, perturbation)
    assert changed == response
    assert changed.original == response.original


@given(st.sets(st.sampled_from(range(len(KEY)))), st.booleans())
def test_repair_at_share_1_brings_back_what_the_key_knows(gone, zero):
    """Every mention of an entity with a link, with head, pieces, type and empty node."""
    rows = [row for at, row in enumerate(KEY) if at not in gone]
    key = document(KEY)
    changed = perturbed(key, document(rows, zero=zero), Repair(share=1.0))
    assert (changed.words, changed.empty_nodes) == (key.words, key.empty_nodes)
    linked = {(row[:2], *row[3:]) for row in KEY if row[2] in ("mia", "call")}
    assert linked <= {((m.start, m.end), *known) for m, _, *known in told(changed)}


@pytest.mark.parametrize("kind", [Move(), Merge(), Split(singletons=True), Drop(share=0.5)])
def test_mentions_keep_what_is_known_of_them(kind):
    before = document(KEY)
    known = {(m, h, p, t) for m, _, h, p, t in told(before)}
    after = perturbed(before, before, kind)
    assert {(m, h, p, t) for m, _, h, p, t in told(after)} <= known
    assert after.empty_nodes == before.empty_nodes


def test_added_mentions_are_words_of_the_text_and_nothing_is_known_of_them():
    empty = document([], split=())
    changed = perturbed(document(KEY), empty, Add(number=20))
    assert [mention.start for mention in changed.mentions] == [1, 3, 5, 6, 9]
    assert changed.attributes is None
    assert changed.empty_nodes == ZERO


def test_a_zero_that_only_the_key_has_does_not_stay_in_the_response():
    changed = perturbed(document(KEY), document(KEY, zero=False), Drop(number=1))
    assert changed.words == WORDS[:2] + WORDS[3:]
    assert not changed.empty_nodes


def test_split_antecedents_stay_where_their_entities_do():
    before = document(KEY)
    numbers = {row[2]: before.entity_of[at] for at, row in enumerate(KEY)}
    assert before.split_antecedents == ((numbers["both"], (numbers["mia"], numbers["ann"])),)
    only_call = document([row for row in KEY if row[2] == "call"], split=())
    (kept,) = perturb(
        Corpus((only_call,)), Corpus((before,)), [Drop(of="correct", share=1.0)], seed=1
    )
    assert len(kept.rows) == 4
    assert [[len(kept.entities[n]) for n in others] for _, others in kept.split_antecedents] == [
        [2, 1]
    ]
    assert not perturbed(before, before, Merge()).split_antecedents


@pytest.mark.parametrize("kind", BASELINES)
def test_baselines_keep_what_is_known_of_mentions(kind):
    key = replace(document(KEY), original=None)
    (made,) = baseline(Corpus((key,)), kind=kind)
    assert {(m, h, p, t) for m, _, h, p, t in told(made)} == {
        (m, h, p, t) for m, _, h, p, t in told(key)
    }
    assert made.empty_nodes == key.empty_nodes


@pytest.mark.parametrize("kind", BASELINES)
def test_a_baseline_of_a_response_has_its_mentions_over_the_words_of_the_key(kind):
    words = ("Ada", "met", "her", "friend", "Ada", "Byron")
    key = Document.of_entities("d", [[(0, 1), (2, 3)]], words=words)
    response = Document.of_entities("d", [[(0, 1), (2, 4)], [(4, 5)]])
    (made,) = baseline(Corpus((key,)), kind=kind, mentions_of=Corpus((response,)))
    assert made.words == words
    assert made.mentions == response.mentions
    together = {"singletons": [0, 1, 2], "one-entity": [0, 0, 0]}
    assert made.entity_of.tolist() == together.get(kind, [0, 1, 0])


@pytest.mark.parametrize("zeros", ["dependent", "linear"])
@pytest.mark.parametrize("match", ["exact", "head", "partial", "lenient"])
@pytest.mark.parametrize("perturbation", [Drop(), Merge(), Repair()], ids=lambda one: one.id)
def test_a_sweep_matches_as_the_score_does(perturbation, match, zeros):
    """One mention is wider than the key's and has the same head: only "head" matches it."""
    wider = [(start, end + (start == 0), *rest) for start, end, *rest in KEY]
    key, response = Corpus((document(KEY),)), Corpus((document(wider),))
    policies = Policies(match=match, zeros=zeros)
    sweep = Sweep(
        result=score(key, response, policies),
        perturbation=perturbation,
        doses=(0.0, 0.5, 1.0),
        seeds=(1, 2),
    )
    for run in sweep:
        steps = [perturbation.at(run.dose)]
        after = score(key, perturb(key, response, steps, seed=run.seed), policies)
        assert {n: s.f1 for n, s in run.scores.items()} == pytest.approx(
            {n: s.f1 for n, s in after.scores.items()}
        )
    first = next(iter(sweep)).scores["mentions"].f1
    assert (first == 1) == (match == "head")
