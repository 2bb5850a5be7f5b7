"""However a corpus is cut into files and whoever counts it: the same to the bit, and in words."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from corescore import Document, InputError
from corescore.distributed import score
from tests.support.shards import in_memory, numbers, write_shards
from tests.support.strategies import partition_pairs

pytestmark = pytest.mark.slow

N_SHARDS = 3
NAMES = tuple(f"d{number}" for number in range(5))
POLICIES = st.fixed_dictionaries(
    {},
    optional={
        "singletons": st.sampled_from(("keep", "drop")),
        "missing_documents": st.sampled_from(("empty", "skip", "error")),
        "match": st.sampled_from(("exact", "head")),
        "average": st.sampled_from(("macro", "scorch", "stanza")),
        "repeats": st.sampled_from(("first", "all", "error")),
        "words": st.sampled_from(("error", "ignore", "align")),
    },
)


@st.composite
def corpora(draw, moves):
    """For each side a list of documents a shard: some have other words or mentions listed twice;
    if one `moves`, some lack and some stand in another shard than their partner."""
    key = [[] for _ in range(N_SHARDS)]
    response = [[] for _ in range(N_SHARDS)]
    lacks = moves and draw(st.booleans())
    for name in draw(st.permutations(NAMES)):
        shard = draw(st.integers(0, N_SHARDS - 1))
        sides = draw(partition_pairs(max_mentions=6))
        words = [f"{name}w{at}" for at in range(8)]
        other = [*words]
        if draw(st.integers(0, 9)) == 0:
            other[0] = "another"
        if not (lacks and draw(st.booleans())):
            key[shard].append(_document(name, sides[0], words))
        if not (lacks and draw(st.booleans())):
            shard = draw(st.integers(0, N_SHARDS - 1)) if moves else shard
            twice = draw(st.booleans())
            response[shard].append(_document(name, sides[1], other, twice=twice))
    return key, response


def _document(name, partition, words, *, twice=False):
    entities = [[(m, m + 1) for m in sorted(entity)] for entity in partition]
    if twice and entities and entities[0]:
        entities.append([entities[0][0], (7, 8)])
    return Document.of_entities(name, entities, words=words)


def outcome(scored, *arguments, **options):
    """All that a user sees of it: numbers, and what is said."""
    try:
        tally = scored(*arguments, **options)
    except InputError as error:
        return None, str(error).splitlines()
    means = {name: repr(score) for name, score in tally.means.items()}
    return (numbers(tally), means), tally.warnings


# The threads of the cluster draw random numbers of their own, for the names of tasks.
quiet = pytest.mark.filterwarnings("ignore:Do not use the `random` module")


def outcomes(client, sides, policies):
    with tempfile.TemporaryDirectory() as folder:
        places = [
            write_shards(Path(folder, name), shards)
            for name, shards in zip(("gold", "out"), sides, strict=True)
        ]
        assume(any(sides[0]) and any(sides[1]))
        yield outcome(in_memory, *places, **policies)
        yield outcome(score, *places, client=client, **policies)


@quiet
@settings(max_examples=15)
@given(corpora(moves=False), POLICIES)
def test_a_cluster_says_what_scoring_in_memory_says(client, sides, policies):
    expected, found = outcomes(client, sides, policies)
    assert found == expected


@quiet
@settings(max_examples=15)
@given(corpora(moves=True), POLICIES)
def test_documents_find_their_partners_in_other_shards(client, sides, policies):
    """They are counted last, so of many they are the last that are named as examples."""
    (expected, lines), (found, others) = outcomes(client, sides, policies)
    assert found == expected
    assert len(others) == len(lines)
    assert expected is not None or sorted(others) == sorted(lines)
