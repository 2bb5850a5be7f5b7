"""The claims of an experiment, and its table."""

import pandas as pd

from corescore.rendering import papers
from corescore.rendering.drawn import with_decimals
from corescore.replication.experiment import (
    Chart,
    Experiment,
    Outcome,
    Paper,
    Setting,
)

PAPER = Paper("Doe & Roe", 2020, "A paper <b>made up</b>")


def test_the_table_is_in_percent_and_calls_metrics_by_their_titles():
    table = pd.DataFrame({"metric": ["ceafe"], "f1": [0.5], "n": [3.0], "rho": [0.25]})
    shown = papers.readable(table, Chart("matrix", y="rho", y_title="correlation"))
    assert shown.to_dict("list") == {"metric": ["CEAFₑ"], "F1 %": [50.0], "n": [3.0], "rho": [0.25]}
    assert with_decimals(shown) == ["F1 %", "rho"]


def test_the_gallery_counts_errata_beside_claims():
    line = papers.tally_line([], n_errata=2)
    assert "✎" in line
    assert "2 errata in print" in line
    assert "1 erratum in print" in papers.tally_line([], n_errata=1)
    assert "print" not in papers.tally_line([])


def test_a_table_without_claims_is_summed_up_by_its_extremes():
    table = pd.DataFrame({"metric": ["lea", "muc"], "f1": [0.5, 0.25]})
    bare = Experiment("x", PAPER, "", "", "", lambda setting: table, Chart("bars", x="metric"))
    outcome = Outcome(bare, Setting(), table, ())
    sentence = papers.finding(outcome, changed=False)
    assert sentence.startswith("From 25.00 (MUC) to 50.00 (LEA)")
