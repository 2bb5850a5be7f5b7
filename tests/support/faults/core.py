"""Faults of the package: numbers, orders, bounds, and the words that go with numbers."""

from tests.support.faults.fault import Fault

_METRICS = ("tests/metrics/test_metrics.py",)
_EDGES = "tests/analysis/test_edges.py"
_AXES = "tests/plots/test_axes.py"
_DRAWN = "tests/rendering/test_drawn.py"

_NUMBERS = (
    Fault(
        "B³ precision by key sizes",
        "corescore/metrics/bcub.py",
        "products / table.response_sizes[table.cell_response]",
        "products / table.key_sizes[table.cell_key]",
        _METRICS,
    ),
    Fault(
        "MUC: a mention is a link",
        "corescore/metrics/muc.py",
        "table.by_document(table.response_document, table.response_sizes - 1)",
        "table.by_document(table.response_document, table.response_sizes)",
        _METRICS,
    ),
    Fault(
        "LEA: entities of two have a self link",
        "corescore/metrics/lea.py",
        "of_key, of_response = table.key_sizes == 1, table.response_sizes == 1",
        "of_key, of_response = table.key_sizes <= 2, table.response_sizes == 1",
        _METRICS,
    ),
    Fault(
        "F1 is the mean of recall and precision",
        "corescore/counting/counts.py",
        "divide(2 * known_recall * known_precision, known_recall + known_precision, empty=0)",
        "(known_recall + known_precision) / 2",
        _METRICS,
    ),
    Fault(
        "spurious mentions: those of the key",
        "corescore/scoring/tables.py",
        'table["spurious_mentions"] = table["response_mentions"]',
        'table["spurious_mentions"] = table["key_mentions"]',
        ("tests/scoring/test_tables.py",),
    ),
    Fault(
        "wins of A and B swapped",
        "corescore/scoring/tables.py",
        '{"a": difference < 0, "b": difference > 0,',
        '{"a": difference > 0, "b": difference < 0,',
        ("tests/analysis/test_two_systems.py",),
    ),
    Fault(
        "change: before − after",
        "corescore/scoring/tables.py",
        '(new - old).add_suffix("_change")',
        '(old - new).add_suffix("_change")',
        ("tests/scoring/test_tables.py",),
    ),
    Fault(
        "missing and wrong links swapped",
        "corescore/analysis/overlaps/members.py",
        "return {CORRECT: correct, MISSING: n_key - correct, WRONG: n_response - correct}",
        "return {CORRECT: correct, MISSING: n_response - correct, WRONG: n_key - correct}",
        ("tests/analysis/test_overlaps.py",),
    ),
    Fault(
        "pairs: missing and wrong coreference swapped",
        "corescore/analysis/overlaps/members.py",
        "[key_link & response_link, key_link, response_link, in_key & in_response]",
        "[key_link & response_link, response_link, key_link, in_key & in_response]",
        ("tests/analysis/test_overlaps.py",),
    ),
    Fault(
        "difference of credit: a − b",
        "corescore/analysis/systems/mentions.py",
        "difference=credit[1] - credit[0]",
        "difference=credit[0] - credit[1]",
        ("tests/analysis/test_two_systems.py",),
    ),
    Fault(
        "difference of error counts: a − b",
        "corescore/analysis/systems/mentions.py",
        "    return of_b - of_a\n",
        "    return of_a - of_b\n",
        ("tests/analysis/test_two_systems.py",),
    ),
    Fault(
        "gain of the last: from before",
        "corescore/analysis/errors/summaries.py",
        '"last": fixed - rows["all_but"]',
        '"last": fixed - rows["score"]',
        ("tests/analysis/test_impact.py::test_what_a_gain_is_measured_from",),
    ),
    Fault(
        "gains in order: from the score",
        "corescore/analysis/errors/summaries.py",
        '"in_order": rows["cumulative"] - before',
        '"in_order": rows["cumulative"] - rows["score"]',
        ("tests/analysis/test_impact.py::test_what_a_gain_is_measured_from",),
    ),
    Fault(
        "agreement on the winner: ties count for both",
        "corescore/analysis/systems/documents.py",
        "((sign * wide > TOLERANCE).sum(axis=1) for sign in (-1, 1))",
        "((sign * wide >= 0).sum(axis=1) for sign in (-1, 1))",
        ("tests/analysis/test_two_systems.py",),
    ),
    Fault(
        "macro: the median over data sets",
        "corescore/analysis/systems/data_sets.py",
        "mean: FloatArray = self.scores.mean(axis=1)",
        "mean: FloatArray = np.median(self.scores, axis=1)",
        ("tests/analysis/test_data_sets.py",),
    ),
    Fault(
        "grid: sizes of key entities are the shared mentions",
        "corescore/analysis/overlaps/table.py",
        '"key_mentions": grid.key_sizes[down],',
        '"key_mentions": grid.shared[down, across],',
        ("tests/analysis/test_overlaps.py", "tests/plots/test_charts.py", _DRAWN),
    ),
)

_BOUNDS = (
    Fault(
        "ranks: the quantile is exceeded",
        "corescore/analysis/systems/ranking.py",
        "np.cumsum(self.n_at_rank, axis=-1) >= wanted",
        "np.cumsum(self.n_at_rank, axis=-1) > wanted",
        (_EDGES,),
    ),
    Fault(
        "groups: p of alpha differs",
        "corescore/analysis/systems/groups.py",
        "longest_runs(~(p_holm < alpha))",
        "longest_runs(~(p_holm <= alpha))",
        (_EDGES,),
    ),
    Fault(
        "shared ranks: p of alpha differs",
        "corescore/analysis/systems/groups.py",
        "shared_ranks(self.scores, self.p_holm < self.alpha)",
        "shared_ranks(self.scores, self.p_holm <= self.alpha)",
        (_EDGES,),
    ),
    Fault(
        "equivalence: p of alpha is enough",
        "corescore/analysis/significance/inverted.py",
        'equivalent=table["p"] < self.alpha',
        'equivalent=table["p"] <= self.alpha',
        (_EDGES,),
    ),
    Fault(
        "critical difference: the smallest p may be alpha",
        "corescore/analysis/significance/exchanged.py",
        "self.smallest_p >= alpha or rank < 1",
        "self.smallest_p > alpha or rank < 1",
        (_EDGES,),
    ),
    Fault(
        "data sets: p of alpha is a difference",
        "corescore/analysis/systems/data_sets.py",
        "alike |= self.friedman[1] >= self.alpha",
        "alike |= self.friedman[1] > self.alpha",
        (_EDGES,),
    ),
    Fault(
        "lengths: three words are two",
        "corescore/analysis/errors/slices.py",
        'np.searchsorted([2, 3, 6, 11], view.own.end - view.own.start, "right")',
        'np.searchsorted([2, 4, 6, 11], view.own.end - view.own.start, "right")',
        ("tests/analysis/test_slices.py", _EDGES),
    ),
    Fault(
        "quarters by the end of a mention",
        "corescore/analysis/errors/slices.py",
        "quarter = 4 * view.own.start // lengths",
        "quarter = 4 * (view.own.end - 1) // lengths",
        ("tests/analysis/test_slices.py", _EDGES),
    ),
    Fault(
        "antecedents: ten words are more than ten",
        "corescore/analysis/errors/slices.py",
        "1 + np.searchsorted(bounds, distance))",
        '1 + np.searchsorted(bounds, distance, "right"))',
        ("tests/analysis/test_slices.py", _EDGES),
    ),
    Fault(
        "p of 0.001 is below 0.001",
        "corescore/wording.py",
        '    if p < 0.001:\n        return "< 0.001"',
        '    if p <= 0.001:\n        return "< 0.001"',
        (_EDGES,),
    ),
    Fault(
        "sizes are alike in the middle fifth",
        "corescore/plots/documents.py",
        "np.quantile(sizes, (0.1, 0.9))",
        "np.quantile(sizes, (0.4, 0.6))",
        ("tests/plots/test_documents.py",),
    ),
)

_ORDERS = (
    Fault(
        "alignments: least similar first",
        "corescore/plots/errors.py",
        "ascending=[True, False]",
        "ascending=[True, True]",
        (_DRAWN,),
    ),
    Fault(
        "alignments: perfect first",
        "corescore/plots/errors.py",
        "ascending=[True, False]",
        "ascending=[False, False]",
        (_DRAWN,),
    ),
    Fault(
        "equal systems in reverse order",
        "corescore/analysis/systems/groups.py",
        "order = sorted(score, key=lambda name: (-score[name], name))",
        "order = sorted(sorted(score, reverse=True), key=lambda name: -score[name])",
        (_EDGES,),
    ),
    Fault(
        "disagreements: smallest margin first",
        "corescore/analysis/systems/documents.py",
        'table.sort_values("margin", ascending=False, kind="stable")',
        'table.sort_values("margin", ascending=True, kind="stable")',
        ("tests/analysis/test_two_systems.py",),
    ),
    Fault(
        "most unequal: smallest entity first",
        "corescore/analysis/systems/mentions.py",
        'sort_values(["gap", size], ascending=False, kind="stable")',
        'sort_values(["gap", size], ascending=[False, True], kind="stable")',
        ("tests/analysis/test_two_systems.py",),
    ),
    Fault(
        "ascending costs by default",
        "corescore/analysis/error_table/ordering.py",
        'field.holds in ("number", "truth"))',
        'field.holds == "truth")',
        (
            "tests/analysis/error_table/test_facets.py::test_numbers_are_descending_and_names_ascending_unless_the_order_says_otherwise",
        ),
    ),
    Fault(
        "curves: in the order of the doses",
        "corescore/rendering/drawn.py",
        'bands.sort_values("metric", kind="stable")',
        "bands",
        (_DRAWN,),
    ),
)

_LABELS = (
    Fault(
        "ends of intervals swapped",
        "corescore/rendering/drawn.py",
        '"t_low": "from", "t_high": "to"',
        '"t_low": "to", "t_high": "from"',
        (_DRAWN,),
    ),
    Fault(
        "ends of ranks swapped",
        "corescore/rendering/drawn.py",
        '"low": "from", "high": "to"',
        '"low": "to", "high": "from"',
        (_DRAWN,),
    ),
    Fault(
        "y axis of two systems says A",
        "corescore/plots/two_systems.py",
        'yaxis={**axis, "title": f"B: {names}"',
        'yaxis={**axis, "title": f"A: {names}"',
        (_AXES,),
    ),
    Fault(
        "places of A and B swapped in the chart of documents",
        "corescore/plots/two_systems.py",
        '                100 * known["a"],\n                100 * known["b"],',
        '                100 * known["b"],\n                100 * known["a"],',
        (_AXES,),
    ),
    Fault(
        "A ahead is drawn open",
        "corescore/plots/two_systems.py",
        '{"A": "circle", "B": "circle-open", "tie": "diamond"}',
        '{"A": "circle-open", "B": "circle", "tie": "diamond"}',
        (_AXES,),
    ),
    Fault(
        "errors of A and B swapped in the chart",
        "corescore/plots/two_systems.py",
        '(("A", "a", "circle"), ("B", "b", "circle-open"))',
        '(("A", "b", "circle"), ("B", "a", "circle-open"))',
        (_AXES,),
    ),
    Fault(
        "chance: differences of the other sign",
        "corescore/plots/two_systems.py",
        "np.histogram(100 * differences, BARS, (-most, most))",
        "np.histogram(-100 * differences, BARS, (-most, most))",
        (_AXES,),
    ),
    Fault(
        "side by side: A's scores under B",
        "corescore/plots/dumbbells.py",
        '(table["a"], table["b"]) if letter == "A" else',
        '(table["a"], table["b"]) if letter == "B" else',
        (_AXES,),
    ),
    Fault(
        "side by side: A is ahead to the right",
        "corescore/plots/dumbbells.py",
        'note(0, 0, "◄ A ahead", **{**below, "xanchor": "right", "xshift": -4}),\n'
        '        note(0, 0, "B ahead ►", **below, xshift=4),',
        'note(0, 0, "◄ B ahead", **{**below, "xanchor": "right", "xshift": -4}),\n'
        '        note(0, 0, "A ahead ►", **below, xshift=4),',
        (_AXES,),
    ),
    Fault(
        "sizes: the axis says words",
        "corescore/plots/scores.py",
        'xaxis={"title": f"{size_title} in the document"',
        'xaxis={"title": "words in the document"',
        (_AXES,),
    ),
    Fault(
        "before is drawn as after",
        "corescore/plots/scores.py",
        "[100 * before, 100 * after, None],",
        "[100 * after, 100 * before, None],",
        (_AXES,),
    ),
    Fault(
        "curves: recall is called F1",
        "corescore/plots/sweeps.py",
        'f"{RATIOS[measure]}, points of 100"',
        '"F1, points of 100"',
        (_AXES,),
    ),
    Fault(
        "ranks from worst to best",
        "corescore/plots/many_systems.py",
        '"array": (rows["high"] - rows["rank"]).clip(lower=0).tolist(),',
        '"array": (rows["rank"] - rows["low"]).clip(lower=0).tolist(),',
        (_AXES,),
    ),
    Fault(
        "differences with one decimal",
        "corescore/wording.py",
        '"+.2f")\n    return "0.00" if',
        '"+.1f")\n    return "0.00" if',
        ("tests/test_wording.py",),
    ),
)

CORE = (*_NUMBERS, *_BOUNDS, *_ORDERS, *_LABELS)
