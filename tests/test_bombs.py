"""What garbage in the name of a format costs: no more than its size, whatever it is made of.

The whole table, of two sizes: `python -m tests.fuzzing.bombs`, or this test with `-m slow -s`.
"""

import pytest

from tests.fuzzing.bombs import (
    KINDS,
    REPAIRED,
    SHAPES,
    SIZES,
    cost_alone,
    end_of,
    garbage,
    table,
    warm_up,
)

SMALL = 10_000


@pytest.fixture(scope="module", autouse=True)
def _warm():
    warm_up()


@pytest.mark.parametrize("kind", KINDS)
def test_a_little_garbage_is_refused_or_read_without_a_foreign_exception(kind):
    ends = {shape: end_of(kind, garbage(kind, shape, SMALL)) for shape in SHAPES}
    assert all(end == "read" or "expected" in end for end in ends.values()), ends


# What took 10 to 80 s for each MB, or over 400 MB of memory.
WORST = (
    *(("jsonl", shape) for shape in ("lines of {", "good, then lines of }{")),
    *(
        (kind, shape)
        for kind in ("inline", REPAIRED)
        for shape in ('<m id="1"> never closed', "[ never closed")
    ),
    *((kind, "its middle line") for kind in ("inline", "winobias")),
    *(("sacr", shape) for shape in ("{e1 never closed", "its last opening")),
    *((kind, "its last opening") for kind in ("conll", "conllu", "conll-ua")),
)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "shape"), WORST)
def test_half_a_megabyte_of_the_worst_costs_little(kind, shape):
    found = cost_alone(kind, shape, SIZES[0])
    assert not found.is_too_much, found


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_garbage_costs_more_than_its_size(kind):
    """The table is printed."""
    lines = [*table([kind])]
    print("", *lines, sep="\n")
    assert not [line for line in lines if "  ! " in line]
