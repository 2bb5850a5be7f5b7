"""A sentence about how mentions were matched."""

from corescore.metrics import CONLL, METRIC_IDS, name_of
from corescore.scoring.scores import Scores
from corescore.scoring.tally import Tally
from corescore.wording import counted, listed, percent

_HOW = {
    "head": "by head",
    "partial": "within the key mention, around its head",
    "lenient": "leniently, within the key mention",
    "min-span": "by minimum span",
}


def beside_exact(name: str, result: Scores) -> str:
    """What the F1 of each metric would be if only equal spans matched; "" where that is the case.

    So that nobody takes scores of another matching for the exact ones.
    """
    return "" if result.policies.match == "exact" else with_exact(name, result, result.exact)


def with_exact(name: str, result: Tally, exact: Tally) -> str:
    """How mentions are matched, and the F1 of each metric if only equal spans match."""
    rows = listed(f"{name_of(metric)} {percent(exact[metric].f1)}" for metric in METRIC_IDS)
    strict, own = (percent(scores[CONLL.id].f1) for scores in (exact, result))
    means = f"{strict}, too" if strict == own else f"{strict} instead of {own}"
    return (
        f"Mentions of {name} are matched {_HOW[result.policies.match]}. If only the same words "
        f"match, its CoNLL average is {means}; F1: {rows}."
    )


def other_spans(n: int, match: str) -> str:
    """How many mentions of a document match with other words; "" if none does."""
    if not n:
        return ""
    verb = "is" if n == 1 else "are"
    return f"{counted(n)} {verb} matched with other words, {_how(match)}: each is drawn twice."


def matched(key: str, response: str, match: str, *, same_span: bool) -> str:
    """Which key mention a response mention was matched with, and how; their words come in."""
    how = "with the same words" if same_span else _how(match)
    return f"The response’s “{response}” is matched with the key’s “{key}”, {how}."


def _how(match: str) -> str:
    return _HOW.get(match, "by what the zeros depend on")
