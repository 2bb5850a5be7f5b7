"""The numbers of a card as pandas tables, for export."""

import pandas as pd

from corescore.scoring.tables import score_table
from corescore.teaching.pitfalls.pitfall import Pitfall, Scored
from corescore.teaching.toy.links import Link


def score_comparison(pitfall: Pitfall) -> pd.DataFrame:
    """Two rows, A and B, for each score on the card.

    Columns: metric, output; title and the scores, fractions, as in `score_table` (a card about
    means over documents has macro_recall and so on); puts_first (the output with the higher score
    by the card's measure: A, B or the same) and misled (whether another is better).
    """
    case = pitfall.case
    tables = {output.letter: score_table(output.result) for output in (case.a, case.b)}
    both = pd.concat(tables, names=["output"]).swaplevel()
    order = [(metric, letter) for metric in pitfall.shown for letter in tables]
    rows = both.loc[order].drop(columns="diagnostic").reset_index()
    return rows.assign(
        puts_first=rows["metric"].map(case.first), misled=rows["metric"].map(case.misleads)
    )


def truth_table(pitfall: Pitfall) -> pd.DataFrame:
    """A row for A and one for B: their links and entities, counted without a metric.

    Columns: output; right (that is, correct), wrong and missed, the numbers of links; right_links
    and so on, their names ("ab cd"); whole_entities, the number of key entities that the output
    has unchanged; key_entities.
    """
    return pd.DataFrame([_truth(output) for output in (pitfall.case.a, pitfall.case.b)])


def _truth(output: Scored) -> dict[str, str | int]:
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
