"""Sides without a mention to score, under every preset: an empty one, and one of singletons, with
zeros and without."""

from itertools import product

import numpy as np
import pytest

from corescore import Corpus, preset, score
from corescore.__main__ import main
from corescore.analysis.scorers.rescored import Rescored, scorers
from corescore.analysis.scorers.search import preset_table
from corescore.scoring.presets import PRESETS
from tests.support.zeros import with_zeros

# CoNLL-U: two words, each with an empty node after it, and the cells of word, node, word, node.
SIDES = {
    "zeros": ("(e1)", "(e1)", "(e2)", "(e2)"),
    "words": ("(e1)", "", "(e1)", ""),
    "singleton zeros": ("(e1)", "(e2)", "(e3)", "(e4)"),
    "singletons": ("(e1)", "", "(e2)", ""),
    "empty": ("", "", "", ""),
}
FULL, SINGLETONS = ("zeros", "words"), ("singleton zeros", "singletons")
DROPPED = {"corefud": SINGLETONS, "ua2": (*SINGLETONS, "zeros")}  # without zeros two singletons
PAIRS = [pair for pair in product(SIDES, repeat=2) if not set(pair) <= {*FULL}]


def conllu(cells):
    def row(name, form, deps, cell):
        misc = f"Entity={cell}" if cell else "_"
        return "\t".join([name, form, form, *"_____", deps, misc]) + "\n"

    a, zero_a, b, zero_b = cells
    return (
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n# text = a b\n"
        + row("1", "a", "0:root", a)
        + row("1.1", "_", "1:nsubj", zero_a)
        + row("2", "b", "1:obj", b)
        + row("2.1", "_", "2:nsubj", zero_b)
        + "\n"
    )


def of(name):
    """The same as a corpus: words 0 and 2, zeros 1 and 3."""
    cells = SIDES[name]
    plain = with_zeros({(1, 1): (0, [(0, "nsubj")]), (2, 1): (1, [(1, "nsubj")])}, words=("a", "b"))
    rows = [(at, at + 1, cell) for at, cell in enumerate(cells) if cell]
    numbers = {cell: number for number, cell in enumerate(dict.fromkeys(c for *_, c in rows))}
    return Corpus((plain.with_entities([(s, e, numbers[cell]) for s, e, cell in rows]),))


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(("key", "response"), PAIRS)
def test_a_side_without_mentions_counts_nothing_and_is_no_error(name, key, response):
    """A denominator is 0 exactly if its side has no mention to score."""
    result = score(of(key), of(response), **preset(name))
    nothing = {"empty", *DROPPED.get(name, ())}
    bcub, mor = result["bcub"], result.scores.get("mor")
    if name != "e2e":  # B³ without singletons
        assert (bcub.recall_denominator == 0) == (key in nothing)
        assert (bcub.precision_denominator == 0) == (response in nothing)
    for one in (bcub, result["muc"], result["ceafe"], mor or bcub):
        if {key, response} & nothing:
            assert one.recall == one.precision == one.f1 == 0
    assert all(0 <= one.f1 <= 1 for one in result.scores.values())


def test_a_missing_zero_is_missed_where_the_response_is_empty():
    """Key {word, zero} {word, zero}: two anaphoric zeros, both missed; no zero of the response."""
    for response in ("empty", "singletons", "singleton zeros"):
        zero = score(of("zeros"), of(response), **preset("corefud"))["zero"]
        assert (zero.recall_numerator, zero.recall_denominator) == (0, 2)
        assert zero.precision_numerator == 0
        swapped = score(of(response), of("zeros"), **preset("corefud"))["zero"]
        assert (swapped.recall_denominator, swapped.precision_denominator) == (0, 2)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "response"), PAIRS)
def test_disagree_gives_what_each_preset_scores(key, response):
    table = preset_table({"r": Rescored(of(key), of(response))}, scorers()).set_index("scorer")
    for name in PRESETS:
        result = score(of(key), of(response), **preset(name))
        for metric in {*PRESETS[name].metrics} & {*table}:
            expected = (result.means or result.scores)[metric].f1
            np.testing.assert_allclose(table.loc[name, metric], expected, err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "response"), PAIRS)
def test_the_commands_score_them(key, response, tmp_path, capsys):
    files = [tmp_path / "key.conllu", tmp_path / "response.conllu"]
    for file, side in zip(files, (key, response), strict=True):
        file.write_text(conllu(SIDES[side]))
    commands = [["score", *map(str, files), "--as", name] for name in PRESETS]
    for command in (*commands, ["disagree", *map(str, files)]):
        assert main(command) == 0, capsys.readouterr().err
