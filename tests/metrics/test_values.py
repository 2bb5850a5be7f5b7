"""Values that must come out: of the metrics, their variants and of the reader's own."""

from fractions import Fraction
from itertools import chain, combinations, product

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import corescore
from corescore import Counts, InputError, Metric, PolicyError, score_entities
from corescore.__main__ import main
from corescore.counting import assignment
from corescore.counting.assignment import best_assignment, components_of, dense_solver
from corescore.counting.contingency import Contingency
from corescore.metrics import METRIC_IDS, VARIANT_IDS, VARIANTS, colour_of, metric_of, name_of
from corescore.metrics.own import load_metrics
from corescore.metrics.standard import has_other_best
from corescore.metrics.variants import Costs, ace_value, lea_by, lea_weighted, weighted_blanc
from tests.support import oracle_variants
from tests.support.messages import message_of
from tests.support.own_metric import exactly
from tests.support.strategies import corpora_of, partition_pairs

# Values that definitions give, as derivations: the papers' are those of their experiments ---------


def entities(text):
    """`abc defg` → two entities of letters."""
    return [*map(set, text.split())]


# Whether another alignment is as good, against every alignment in exact arithmetic ----------------


@st.composite
def tables(draw, most=4, largest=3):
    """Any overlaps of a few entities, which may have some mentions that are not shared."""
    n_key, n_response = (draw(st.integers(1, most)) for _ in range(2))
    row = st.lists(st.integers(0, largest), min_size=n_response, max_size=n_response)
    grid = np.array(draw(st.lists(row, min_size=n_key, max_size=n_key)))
    alone = [draw(st.integers(0, 2)) for _ in range(n_key + n_response)]
    cells = np.nonzero(grid)
    return Contingency(
        1,
        grid.sum(axis=1) + alone[:n_key],
        np.zeros(n_key, dtype=np.int64),
        grid.sum(axis=0) + alone[n_key:],
        np.zeros(n_response, dtype=np.int64),
        *cells,
        grid[cells],
    )


def shared(table):
    return [Fraction(int(n)) for n in table.cell_sizes]


def dice(table):
    sizes = table.key_sizes[table.cell_key] + table.response_sizes[table.cell_response]
    return [
        Fraction(2 * int(n), int(size)) for n, size in zip(table.cell_sizes, sizes, strict=True)
    ]


def alignments(table, cells):
    """Every set of these cells in which no entity comes twice."""
    sets = chain.from_iterable(combinations(cells, n) for n in range(len(cells) + 1))
    for chosen in sets:
        rows, columns = table.cell_key[list(chosen)], table.cell_response[list(chosen)]
        if len({*rows.tolist()}) == len({*columns.tolist()}) == len(chosen):
            yield chosen


@pytest.mark.parametrize("similarity", [shared, dice])
@given(table=tables(most=3))
def test_a_tie_is_reported_exactly_where_another_alignment_has_the_same_sum(similarity, table):
    exact = similarity(table)
    chosen = best_assignment(table.components, np.array(exact, dtype=float))
    tied = has_other_best(table, np.array(exact, dtype=float))
    component = table.component_of_entity[table.cell_key]
    for number in np.unique(component).tolist():
        cells = np.flatnonzero(component == number).tolist()
        sums = [sum(exact[at] for at in made) for made in alignments(table, cells)]
        n_best = sums.count(max(sums))
        event(f"{n_best > 1}")
        assert tied[cells].tolist() == [n_best > 1] * len(cells)
        assert sum(exact[at] for at in chosen if at in cells) == max(sums)


def test_the_solver_is_found_also_where_it_cannot_be_loaded_alone(monkeypatch):
    cost = np.array([[-2.0, -3.0], [0.0, -2.0]])
    alone = dense_solver()(cost)
    monkeypatch.setattr(assignment, "find_spec", lambda package: None)
    assert np.array_equal(dense_solver.__wrapped__()(cost), alone)


def test_of_two_by_two_entities_the_same_alignment_is_taken_as_by_the_solver():
    """Also where both are as good, or differ in the last digit: 0.1 + 0.2 is not 0.3."""
    for values in product((0, 0.1, 0.2, 0.1 + 0.2, 0.3), repeat=4):
        grid = np.array(values).reshape(2, 2)
        if np.count_nonzero(grid) < 3:  # then they are no component
            continue
        cells, (row, column) = np.nonzero(grid), dense_solver()(-grid)
        chosen = best_assignment(components_of(*cells), grid[cells])
        solved = [(at, to) for at, to in zip(row, column, strict=True) if grid[at, to]]
        assert [(cells[0][at], cells[1][at]) for at in chosen] == solved


def test_sums_that_differ_by_less_than_a_billionth_are_no_tie():
    """2·1/(n + 1) and 2·1/(n + 2), n = 60,000, differ by 5.6e-10."""
    n = 60_000
    none, both, ones = np.array([0, 0]), np.array([0, 1]), np.array([1, 1])
    table = Contingency(1, np.array([n]), none[:1], np.array([1, 2]), none, none, both, ones)
    similarity = np.array([2 / (n + 1), 2 / (n + 2)])
    assert not has_other_best(table, similarity).any()
    assert has_other_best(table, similarity[[0, 0]]).all()


# Variants of metrics, and metrics of the reader's own ---------------------------------------------


# The variants of the metrics: their values in the papers, or by their definitions -----------------


@pytest.mark.filterwarnings("ignore:.*more than once")
@pytest.mark.parametrize("repeats", ["first", "all", "reference", "listed"])
def test_a_variant_counts_repeats_as_its_metric_does(repeats):
    """Without spurious singletons there is nothing for Rahman & Ng to remove."""
    sides = entities("ab bcd e"), entities("abc bd ef")
    result = score_entities(*sides, metrics=[*VARIANTS, weighted_blanc(0.5)], repeats=repeats)
    plain = score_entities(*sides, repeats=repeats)
    for name in ("b3", "ceafm", "ceafe"):
        variant, metric = result[f"{name}-rn"], plain[name.replace("b3", "bcub")]
        assert variant.recall == exactly(metric.recall)
        assert variant.precision == exactly(metric.precision)
    assert result["blanc_0.5"].f1 == exactly(plain["blanc"].f1)
    assert all(result[name].f1 > 0 for name in ("b3-0", "muc-discard", "b3-sys", "ceaf-sys"))


# --- Chosen by name ------------------------------------------------------------------------------


def test_a_variant_is_found_by_its_name_and_shown_only_when_named():
    key, response = corpora_of([([frozenset({0, 1})], [frozenset({0, 1, 2})])])
    result = corescore.score(key, response, metrics=["muc", "b3-0", metric_of("b3-sys")])
    assert [metric.id for metric in result.metrics][:3] == ["muc", "b3-0", "b3-sys"]
    assert result.table.loc[["muc", "b3-0"], "diagnostic"].tolist() == [False, True]
    assert not {*corescore.score(key, response).scores} & {*VARIANT_IDS}
    with pytest.raises(PolicyError, match=r"metric is 'b3-1'; expected one of: muc, .*b3-0"):
        corescore.score(key, response, metrics=["b3-1"])


def test_a_variant_has_a_name_and_the_colour_of_its_metric():
    assert name_of("b3-0") == "B³₀"
    of_metrics = [colour_of(metric) for metric in METRIC_IDS]
    assert colour_of("b3-0") == colour_of("b3-sys") == colour_of("bcub")
    assert colour_of("muc-discard") == colour_of("muc") == of_metrics[0]


def test_a_variant_that_tells_no_credit_says_so():
    result = score_entities([{1}], [{1}], metrics=["b3-0"])
    with pytest.raises(PolicyError, match="metric 'b3-0' does not define credit"):
        result.credit("b3-0")


# --- LEA with another importance -----------------------------------------------------------------


def test_an_importance_may_be_a_function_of_the_size_or_a_column():
    key, response = entities("abc defg"), entities("ab cd fghi")
    by_square = lea_by(np.square, id="lea-square", title="LEA, squares")
    by_column = lea_weighted([9, 16], [4, 4, 16])
    result = score_entities(key, response, metrics=[by_square, by_column])
    recall = (9 * (1 / 3) + 16 * (1 / 6)) / (9 + 16)
    precision = (4 * 1 + 4 * 0 + 16 * (1 / 6)) / (4 + 4 + 16)
    for name in ("lea-square", "lea-own"):
        assert result[name].recall == exactly(recall)
        assert result[name].precision == exactly(precision)
    assert result.table.loc["lea-square", "title"] == "LEA, squares"


@given(partition_pairs())
def test_lea_weighted_by_size_is_lea(pair):
    by_size = lea_by(lambda sizes: sizes.astype(float))
    result = corescore.score(*corpora_of([pair]), metrics=["lea", by_size])
    assert result["lea-own"].f1 == exactly(result["lea"].f1)


@pytest.mark.parametrize(
    "weights, problem",
    [
        (lea_weighted([1], [1, 1, 1]), "1 weight for 2 key entities"),
        (lea_weighted([1, 1], [1]), "1 weight for 3 response entities"),
        (lea_weighted([1, -1], [1, 1, 1]), "must be numbers of at least 0"),
        (lea_by(lambda sizes: sizes * np.nan), "must be numbers of at least 0"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights, problem):
    with pytest.raises(ValueError, match=problem):
        score_entities(entities("abc defg"), entities("ab cd fghi"), metrics=[weights])


# --- ACE-Value -----------------------------------------------------------------------------------


@given(partition_pairs(), st.tuples(*[st.integers(0, 3)] * 4).filter(lambda c: c[0] + c[1] > 0))
def test_ace_value_is_the_least_cost_of_all_alignments(pair, given_costs):
    names = ("missing_entity", "missing_mention", "spurious_entity", "spurious_mention")
    costs = dict(zip(names, given_costs, strict=True))
    table = corescore.score(*corpora_of([pair])).comparison.table
    counts = ace_value(Costs.of(costs)).counts(table)
    (expected,) = oracle_variants.ace(**costs)(pair)
    assert counts.recall_numerator.item() == exactly(expected.recall_numerator)
    assert counts.recall_denominator.item() == exactly(expected.recall_denominator)


@pytest.mark.parametrize(
    "costs, problem",
    [
        ({"missing_mention": -1}, "cost missing_mention is -1; expected a number of at least 0"),
        ({"spurious_entity": float("inf")}, "cost spurious_entity is inf; expected a number"),
        ({"missing_entity": 0, "missing_mention": 0}, "nothing missing costs anything"),
        ({"mention": 1}, "cost is 'mention'; expected one of: missing_entity, missing_mention"),
    ],
)
def test_costs_that_make_no_sense_are_refused(costs, problem):
    with pytest.raises(PolicyError, match=problem):
        Costs.of(costs)


# Metrics of the reader's own that raise or return nonsense are refused, with their file -----------

HEAD = "import numpy as np\nfrom corescore.metrics import Counts, Metric\n\n\n"
TAIL = "\n\nMINE = Metric(id='mine', title='Mine', unit='mention', paper='none', counts=counts)\n"
SHARED = "Counts.of(t.n_shared_mentions{}, t.n_key_mentions, t.n_shared_mentions, {})"

WRONG = {
    "raise KeyError('no\\nkey')": ":6: KeyError: 'no\\\\nkey'; expected Python that runs",
    "import sys; sys.exit(3)": ":6: SystemExit: 3",
    "return counts(t)": ":6: RecursionError: maximum recursion depth exceeded",
    "return Counts.of('a', 'b', 'c', 'd')": ":6: ValueError: could not convert string to float",
    "return None": "metric 'mine' that returns NoneType; expected Counts",
    "return Counts(1.0, 1.0, 1.0, 1.0)": "counts that are no numbers; expected four arrays of them",
    "x = t.n_key_mentions[:, None] * 1j; return Counts(x, x, x, x)": "counts that are no numbers",
    "x = np.full((1, 1), None); return Counts(x, x, x, x)": "counts that are no numbers",
    "x = np.ones(3); return Counts.of(x, x, x, x)": "counts of shape (3, 1); expected (1, parts)",
    "x = np.ones((1, 1)); return Counts(x, x, x, np.ones((1, 2)))": "shape (1, 1) and (1, 2)",
    "x = t.n_key_mentions * np.nan; return Counts.of(x, x, x, x)": "NaN or infinite",
    "x = t.n_key_mentions * np.inf; return Counts.of(x, x, x, x)": "NaN or infinite",
    f"return {SHARED.format(' * 99', 't.n_response_mentions')}": "a recall outside 0 to 1",
    f"return {SHARED.format(' * -1', 't.n_response_mentions')}": "a recall outside 0 to 1",
    f"return {SHARED.format('', '0 * t.n_response_mentions')}": "a precision outside 0 to 1",
}


@pytest.fixture
def written(tmp_path):
    """Writes a file with a metric and gives its path."""

    def write(body="return None", tail=TAIL):
        path = tmp_path / "mine.py"
        path.write_text(f"{HEAD}def counts(t):\n    {body}\n{tail}")
        return str(path)

    return write


@pytest.mark.parametrize("body, told", WRONG.items(), ids=range(len(WRONG)))
def test_a_metric_that_raises_or_returns_nonsense_is_refused_in_one_line(
    body, told, written, capsys
):
    path = written(body)
    assert main(["conformance", "--metric-file", path]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"corescore: {path}:")
    assert told.replace("\\\\", "\\") in line
    assert main(["experiment", "moosavi2016-table3", "--metric-file", path]) == 2


@pytest.mark.parametrize(
    "fields, told",
    [
        ("id=3, title='Mine'", "a metric whose id is 3; expected a text"),
        ("id='mine', title=None", "a metric whose title is None"),
        ("id='', title='Mine'", "without an id or a function"),
        ("id='mine', title='Mine', score=4", "without an id or a function"),
    ],
)
def test_a_metric_whose_fields_are_of_another_kind_is_refused(fields, told, written):
    made = f"\n\nMINE = Metric({fields}, unit='mention', paper='none', counts=counts)\n"
    assert told in message_of(load_metrics, written(tail=made))


@pytest.mark.parametrize("score", ["'high'", "c", "Score(*7 * [np.ones(9)])", "Score(*7 * [1.0])"])
def test_a_score_that_is_none_is_refused(score, written):
    body = f"return {SHARED.format('', 't.n_response_mentions')}"
    imported = "\n\nfrom corescore.counting.counts import Score\n"
    tail = f"{imported}{TAIL[:-2]}, score=lambda c, empty: {score})\n"
    result = corescore.score_entities([{1}], [{1}], metrics=load_metrics(written(body, tail)))
    told = message_of(lambda: result["mine"])
    assert "a score that is none; expected a Score of arrays of shape (1,)" in told


def test_a_metric_made_in_python_is_refused_where_its_counts_are_of_other_documents():
    def counts(table):
        return Counts.of(*4 * [[1.0, 1.0]])

    mine = Metric(id="mine", title="Mine", unit="mention", paper="none", counts=counts)
    with pytest.raises(InputError, match=r"shape \(2, 1\); expected \(1, parts\)"):
        corescore.score_entities([{1, 2}], [{1, 2}], metrics=(mine,))
