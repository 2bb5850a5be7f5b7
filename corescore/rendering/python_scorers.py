"""The lines that coval and the CorefUD scorer, which grew from it, have in common."""

from corescore.counting.counts import Score
from corescore.metrics import CONLL
from corescore.scoring.scores import Scores


def ratio_line(score: Score[float]) -> str:
    """Recall, precision and F1 in percent, rounded to two decimals."""
    return (
        f"Recall: {100 * score.recall:.2f}  Precision: {100 * score.precision:.2f}"
        f"  F1: {100 * score.f1:.2f}"
    )


def conll_line(scores: Scores) -> str:
    """The mean of the F1 of MUC, B³ and CEAF_e, likewise."""
    return f"CoNLL score: {100 * scores[CONLL.id].f1:.2f}"
