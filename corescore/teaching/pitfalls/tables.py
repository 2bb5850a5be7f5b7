"""The numbers of a card as pandas tables, for export."""

import pandas as pd

from corescore.scoring.tables import score_table
from corescore.teaching.pitfalls.pitfall import Pitfall
from corescore.teaching.pitfalls.scored import Scored
from corescore.teaching.toy.links import Link


def score_comparison(pitfall: Pitfall) -> pd.DataFrame:
    """Two rows, A and B, for each score on the card.

    Columns: metric, output; title and the scores, fractions, as in `score_table` (a card about
    means over documents has macro_recall and so on, and how many documents have a recall and a
    precision: recall_documents, precision_documents, of all documents); puts_first (the output with
    the higher score by the card's measure: A, B, the same, or no value where one of them is 0/0)
    criterion (its id) and disagrees (whether the metric says something else than the criterion).
    """
    case = pitfall.case
    tables = {output.letter: score_table(output.result) for output in (case.a, case.b)}
    both = pd.concat(tables, names=["output"]).swaplevel()
    order = [(metric, letter) for metric in pitfall.shown for letter in tables]
    rows = both.loc[order].drop(columns="diagnostic").reset_index()
    if pitfall.measure == "macro":
        rows = rows.assign(**_with_value(pitfall, rows))
    return rows.assign(
        puts_first=rows["metric"].map(case.first),
        criterion=case.criterion.id,
        disagrees=rows["metric"].map(case.disagrees),
    )


def _with_value(pitfall: Pitfall, rows: pd.DataFrame) -> dict[str, int | list[int]]:
    """How many documents each recall and precision is a mean over."""
    outputs = {output.letter: output for output in (pitfall.case.a, pitfall.case.b)}
    of_rows = [*zip(rows["output"], rows["metric"], strict=True)]
    counts = {
        f"{ratio}_documents": [outputs[one].n_with_value(metric, ratio) for one, metric in of_rows]
        for ratio in ("recall", "precision")
    }
    return {**counts, "documents": len(pitfall.case.a.documents)}


def link_table(pitfall: Pitfall) -> pd.DataFrame:
    """A row for A and one for B: their links and entities, counted without a metric.

    Columns: output; right (that is, correct), wrong and missed, the numbers of links; right_links
    and so on, their names ("ab cd"); whole_entities, the number of key entities that the output
    has unchanged; key_entities.
    """
    return pd.DataFrame([_links(output) for output in (pitfall.case.a, pitfall.case.b)])


def _links(output: Scored) -> dict[str, str | int]:
    links = {"right": output.correct, "wrong": output.wrong, "missed": output.missed}
    return {
        "output": output.letter,
        **{kind: len(found) for kind, found in links.items()},
        **{f"{kind}_links": _names(found) for kind, found in links.items()},
        "whole_entities": output.n_whole,
        "key_entities": output.n_key_entities,
    }


def _names(links: tuple[Link, ...]) -> str:
    return " ".join(f"{one}{other}" for one, other in links)
