"""What the panel tells of one error."""

import pandas as pd
import pytest

from corescore.analysis.error_table.table import contexts, error_table
from corescore.corpus.documents import Corpus, Document
from corescore.rendering.panels import facts
from corescore.scoring.scores import score

GUESSED = "common definite (guessed by English rules)"
IN_PART = "common definite (a nominal by the file; which kind, by English rules)"


def facts_of(tags):
    """Of "the dog", which the response lacks."""
    words = ("the", "dog", "ran")
    key, response = (
        Corpus((Document.of_rows("d", rows, words=words, tags=tags),)) for rows in ([(0, 2, 0)], [])
    )
    comparison = score(key, response).comparison
    table = error_table(comparison)
    row: pd.Series = table.join(contexts(comparison, table)).iloc[0]
    return dict(facts(row))


@pytest.mark.parametrize(
    ("tags", "wanted"),
    [
        ((), GUESSED),
        (("DET", "NOUN", "VERB"), IN_PART),
        (("DT", "NN", "VBD"), "common definite"),
        (("DET", "PROPN", "VERB"), "proper"),
    ],
)
def test_rules_for_english_are_named_only_where_they_told_the_type(tags, wanted):
    assert facts_of(tags)["type"] == wanted
