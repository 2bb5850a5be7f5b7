"""A toy of the sandbox → figure."""

import plotly.graph_objects as go

from corescore.plots.scores import six_metrics
from corescore.plots.template import titled
from corescore.scoring.tables import score_table
from corescore.teaching.toy.edits import History


def scores_of_toy(history: History) -> go.Figure:
    """The six scores of the toy that is shown and, open, of the one before the last change."""
    toy, before = history.toy, history.before
    tables = {"now": score_table(toy.result)}
    if before:
        tables["before"] = score_table(before.result)
    return titled(
        six_metrics(tables),
        f"{toy.response_notation} against the key {toy.key_notation}",
        toy.result.signature,
    )
