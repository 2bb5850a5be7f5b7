"""Faults of the package: numbers, orders, bounds, and the words that go with numbers."""

from tests.support.faults.fault import Fault

_METRICS = ("tests/metrics/test_metrics.py",)
_EDGES = "tests/analysis/test_resampling.py"
_AXES = "tests/plots/test_axes.py"
_DRAWN = "tests/rendering/test_tables.py"

_NUMBERS = (
    Fault(
        "B³ precision by key sizes",
        "corescore/metrics/standard.py",
        "products / table.response_sizes[table.cell_response]",
        "products / table.key_sizes[table.cell_key]",
        _METRICS,
    ),
    Fault(
        "MUC: a mention is a link",
        "corescore/metrics/standard.py",
        "table.n_response_mentions - table.n_response_entities",
        "table.n_response_mentions",
        _METRICS,
    ),
    Fault(
        "LEA: entities of two have a self link",
        "corescore/counting/contingency.py",
        "of_key, of_response = self.key_sizes == 1, self.response_sizes == 1",
        "of_key, of_response = self.key_sizes <= 2, self.response_sizes == 1",
        _METRICS,
    ),
    Fault(
        "what-if: the other mentions of the document are forgotten",
        "corescore/counting/whatif.py",
        "scored.n_response_mentions[self.document] - add_up(\n"
        "            touched.change, touched.before * here, n\n        )",
        "np.zeros(n)",
        ("tests/counting/test_counts.py",),
    ),
    Fault(
        "what-if: alignments change next to the entities touched only",
        "corescore/counting/whatif.py",
        "goes_on = is_new & (partner[met] >= 0) & (gap[change] > SIMILARITY)",
        "goes_on = is_new & (partner[met] >= 0) & (gap[change] > 2)",
        ("tests/counting/test_counts.py",),
    ),
    Fault(
        "other words: empty nodes of the other side are part of a mention around them",
        "corescore/corpus/documents.py",
        "return cls(np.maximum(positions, 0), positions + 1, n_words, apart=True)",
        "return cls(np.maximum(positions, 0), positions + 1, n_words)",
        ("tests/counting/test_alignment.py",),
    ),
    Fault(
        "other words: the first sentence begins at its own first word",
        "corescore/corpus/documents.py",
        "started.setdefault(start if started else 0, speaker)",
        "started.setdefault(start, speaker)",
        ("tests/counting/test_alignment.py",),
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
        ("tests/scoring/test_tallies.py",),
    ),
    Fault(
        "linked: the singletons in the key",
        "corescore/analysis/errors/classes.py",
        "is_wrong & linked_in_key(comparison)",
        "is_wrong & ~linked_in_key(comparison)",
        ("tests/analysis/test_errors.py", "tests/analysis/test_perturb.py"),
    ),
    Fault(
        "all: those with a link in the key",
        "corescore/analysis/errors/classes.py",
        'if incorrect == "linked" else is_wrong',
        'if incorrect == "all" else is_wrong',
        ("tests/analysis/test_errors.py", "tests/analysis/test_errors.py"),
    ),
    Fault(
        "missing singletons in the key are added if only linked ones should be",
        "corescore/analysis/perturbation/base.py",
        'self.missing[linked] if incorrect == "linked" else self.missing',
        "self.missing",
        ("tests/analysis/test_perturb.py",),
    ),
    Fault(
        "Table 1 counts all mentions under either reading",
        "corescore/replication/moosavi2016/systems.py",
        'counted = singletons if incorrect == "all" else 0',
        "counted = singletons",
        ("tests/replication/test_moosavi2016.py",),
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
        ("tests/scoring/test_tallies.py",),
    ),
    Fault(
        "missing and wrong links swapped",
        "corescore/analysis/errors/overlaps.py",
        "return {CORRECT: correct, MISSING: n_key - correct, WRONG: n_response - correct}",
        "return {CORRECT: correct, MISSING: n_response - correct, WRONG: n_key - correct}",
        ("tests/analysis/test_entities.py",),
    ),
    Fault(
        "pairs: missing and wrong coreference swapped",
        "corescore/analysis/errors/overlaps.py",
        "[key_link & response_link, key_link, response_link, in_key & in_response]",
        "[key_link & response_link, response_link, key_link, in_key & in_response]",
        ("tests/analysis/test_entities.py",),
    ),
    Fault(
        "difference of credit: a − b",
        "corescore/analysis/systems/documents.py",
        "difference=credit[1] - credit[0]",
        "difference=credit[0] - credit[1]",
        ("tests/analysis/test_two_systems.py",),
    ),
    Fault(
        "difference of error counts: a − b",
        "corescore/analysis/systems/documents.py",
        "    return of_b - of_a\n",
        "    return of_a - of_b\n",
        ("tests/analysis/test_two_systems.py",),
    ),
    Fault(
        "gain of the last: from before",
        "corescore/analysis/errors/tables.py",
        '"last": fixed - rows["all_but"]',
        '"last": fixed - rows["score"]',
        ("tests/analysis/test_error_costs.py::test_what_a_gain_is_measured_from",),
    ),
    Fault(
        "gains in order: from the score",
        "corescore/analysis/errors/tables.py",
        '"in_order": rows["cumulative"] - before',
        '"in_order": rows["cumulative"] - rows["score"]',
        ("tests/analysis/test_error_costs.py::test_what_a_gain_is_measured_from",),
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
        ("tests/analysis/test_ranking.py",),
    ),
    Fault(
        "grid: sizes of key entities are the shared mentions",
        "corescore/analysis/errors/overlaps.py",
        '"key_mentions": grid.key_sizes[down],',
        '"key_mentions": grid.shared[down, across],',
        ("tests/analysis/test_entities.py", "tests/plots/test_axes.py", _DRAWN),
    ),
)

_BOUNDS = (
    Fault(
        "ranks: the quantile is exceeded",
        "corescore/analysis/systems/many.py",
        "np.cumsum(self.n_at_rank, axis=-1) >= wanted",
        "np.cumsum(self.n_at_rank, axis=-1) > wanted",
        (_EDGES,),
    ),
    Fault(
        "groups: p of alpha differs",
        "corescore/analysis/systems/many.py",
        "longest_runs(~(p_holm < alpha))",
        "longest_runs(~(p_holm <= alpha))",
        (_EDGES,),
    ),
    Fault(
        "shared ranks: p of alpha differs",
        "corescore/analysis/systems/many.py",
        "shared_ranks(self.scores, self.p_holm < self.alpha)",
        "shared_ranks(self.scores, self.p_holm <= self.alpha)",
        (_EDGES,),
    ),
    Fault(
        "critical difference: the smallest p may be alpha",
        "corescore/analysis/significance.py",
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
        "corescore/analysis/errors/classes.py",
        'np.searchsorted([2, 3, 6, 11], view.own.end - view.own.start, "right")',
        'np.searchsorted([2, 4, 6, 11], view.own.end - view.own.start, "right")',
        ("tests/analysis/test_slices.py", _EDGES),
    ),
    Fault(
        "quarters by the end of a mention",
        "corescore/analysis/errors/classes.py",
        "quarter = 4 * view.own.start // lengths",
        "quarter = 4 * (view.own.end - 1) // lengths",
        ("tests/analysis/test_slices.py", _EDGES),
    ),
    Fault(
        "antecedents: ten words are more than ten",
        "corescore/analysis/errors/classes.py",
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
        ("tests/plots/test_plots.py",),
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
        "corescore/analysis/systems/many.py",
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
        "corescore/analysis/systems/documents.py",
        'sort_values(["gap", size], ascending=False, kind="stable")',
        'sort_values(["gap", size], ascending=[False, True], kind="stable")',
        ("tests/analysis/test_two_systems.py",),
    ),
    Fault(
        "ascending costs by default",
        "corescore/analysis/error_table/table.py",
        'field.holds in ("number", "truth"))',
        'field.holds == "truth")',
        (
            "tests/analysis/test_error_queries.py::test_numbers_are_descending_and_names_ascending_unless_the_order_says_otherwise",
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
        "corescore/rendering/columns.toml",
        't_low = { head = "from"',
        't_low = { head = "to"',
        (_DRAWN,),
    ),
    Fault(
        "axis of documents of two systems says A − B",
        "corescore/plots/compare.py",
        '"title": "B − A, points", "nticks"',
        '"title": "A − B, points", "nticks"',
        (_AXES,),
    ),
    Fault(
        "A ahead is drawn open",
        "corescore/plots/compare.py",
        "colour if gap < 0 else CLEAR",
        "colour if gap > 0 else CLEAR",
        (_AXES,),
    ),
    Fault(
        "errors of A and B swapped in the chart",
        "corescore/plots/compare.py",
        '(("A", "a", "circle"), ("B", "b", "circle-open"))',
        '(("A", "b", "circle"), ("B", "a", "circle-open"))',
        (_AXES,),
    ),
    Fault(
        "chance: differences of the other sign",
        "corescore/plots/compare.py",
        "np.histogram(100 * differences, BARS, (-most, most))",
        "np.histogram(-100 * differences, BARS, (-most, most))",
        (_AXES,),
    ),
    Fault(
        "side by side: A's scores under B",
        "corescore/plots/compare.py",
        '(table["a"], table["b"]) if letter == "A" else',
        '(table["a"], table["b"]) if letter == "B" else',
        (_AXES,),
    ),
    Fault(
        "side by side: A is ahead to the right",
        "corescore/plots/compare.py",
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
        "the other reading is named as the shown one",
        "corescore/sentences/errors.py",
        "signed(after)} instead of {signed(before)}",
        "signed(before)} instead of {signed(after)}",
        ("tests/sentences/test_sentences.py",),
    ),
    Fault(
        "the diamond of the other reading is at the score before",
        "corescore/plots/scores.py",
        'float(other[f"{measure}_after"][metric])',
        "float(other[measure][metric])",
        (_AXES,),
    ),
    Fault(
        "before is drawn as after",
        "corescore/plots/scores.py",
        "[100 * before, 100 * after, None]",
        "[100 * after, 100 * before, None]",
        (_AXES,),
    ),
    Fault(
        "curves: recall is called F1",
        "corescore/plots/experiments.py",
        'f"{RATIOS[measure]}, points of 100"',
        '"F1, points of 100"',
        (_AXES,),
    ),
    Fault(
        "ranks from worst to best",
        "corescore/plots/many.py",
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

_DECOMPOSED = ("tests/analysis/test_decomposition.py",)
_LONG = ("tests/analysis/test_decomposition.py",)

_LOSSES = (
    Fault(
        "losses: a span error is fixed where it is not",
        "corescore/analysis/decomposition.py",
        "is_shared = in_key & (SPANS in parts or ~self.are(SPANS))",
        "is_shared = in_key & (SPANS not in parts or ~self.are(SPANS))",
        _DECOMPOSED,
    ),
    Fault(
        "losses: of two entities that have as much, the last",
        "corescore/analysis/errors/operations.py",
        "order = np.lexsort((-first, sizes, cell))",
        "order = np.lexsort((first, sizes, cell))",
        _DECOMPOSED,
    ),
    Fault(
        "losses: singletons dropped from the key are kept in it",
        "corescore/counting/policies.py",
        """f"drop-{side}") for side in ("key", "response")""",
        """f"drop-{side}") for side in ("", "response")""",
        _DECOMPOSED,
    ),
    Fault(
        "windows: a response mention is cut by its own start",
        "corescore/analysis/long_documents.py",
        "    of_response[r] = of_key[k]\n",
        "",
        _LONG,
    ),
    Fault(
        "distances: 50 words are more than 50",
        "corescore/analysis/credit.py",
        "np.searchsorted(highest, distance))",
        'np.searchsorted(highest, distance, "right"))',
        _LONG,
    ),
    Fault(
        "who is ahead: the parts are those of the other",
        "corescore/rendering/decomposition.py",
        "sign = 1 if difference > 0 else -1",
        "sign = -1 if difference > 0 else 1",
        ("tests/cli/test_experiments_command.py",),
    ),
    Fault(
        "cards: windows are cut one mention too late",
        "corescore/teaching/criteria.py",
        "rest = {*letters} - {*letters[at : at + size]}",
        "rest = {*letters} - {*letters[at : at + size + 1]}",
        ("tests/teaching/test_pitfalls.py",),
    ),
)

CORE = (*_NUMBERS, *_BOUNDS, *_ORDERS, *_LABELS, *_LOSSES)
