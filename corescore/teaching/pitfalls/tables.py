"""What stands on a card as pandas tables, to be taken along."""

import pandas as pd

from corescore.scoring.tables import score_table
from corescore.teaching.pitfalls.pitfall import Pitfall, Scored
from corescore.teaching.toy.links import Link


def score_comparison(pitfall: Pitfall) -> pd.DataFrame:
    """Two rows for each score that the card shows, A and B.

    Columns: metric, output; title and the scores, fractions, as `score_table` has them (a card
    about means over documents has macro_recall and so on); puts_first (the output to which the
    metric gives more by the card's measure: A, B or the same) and misled (whether the truth is
    another).
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
    """A row for A and one for B: what is right without any metric.

    Columns: output; right, wrong and missed, how many coreference links are that; right_links and
    so on, the links by name ("ab cd"); whole_entities, how many entities of the key the output has
    just as they are, of key_entities.
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
