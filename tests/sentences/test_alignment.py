"""Which pairs of a large alignment are drawn."""

import pandas as pd
import pytest

from corescore import Corpus, Document, score
from corescore.analysis.credit import alignment_table
from corescore.metrics import metric_of
from corescore.plots.errors import aligned_first
from corescore.sentences.credit import alignment_part


def pairs(*perfect):
    return pd.DataFrame({"perfect": perfect})


@pytest.mark.parametrize(
    ("perfect", "end"),
    [
        ((True, False), ""),
        ((True, True, False), "(1 in all), the most similar first. Left out: 1, all of them"),
        ((False, False, False, True), "(3 in all), the most similar first. Left out: 2, 1 of them"),
    ],
)
def test_what_is_left_out_is_counted(perfect, end):
    said = alignment_part(2, pairs(*perfect))
    assert end in said
    assert bool(said) == bool(end)


def test_pairs_whose_entities_differ_come_before_perfect_ones():
    def corpus(*entities):
        return Corpus((Document.of_entities("d", entities, words=tuple("abcdefg")),))

    key = corpus([(0, 1), (1, 2)], [(2, 3), (3, 4), (4, 5)], [(5, 6), (6, 7)])
    response = corpus([(0, 1), (1, 2)], [(2, 3), (3, 4)], [(5, 6), (6, 7)])
    for metric in ("ceafm", "ceafe"):
        table = alignment_table(score(key, response).comparison, metric_of(metric))
        assert table["perfect"].tolist() == [True, False, True]
        assert aligned_first(table)["key_entity"].tolist() == [2, 1, 3]
