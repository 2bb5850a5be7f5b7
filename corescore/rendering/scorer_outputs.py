"""Scores as another scorer prints them, for programs that read its output."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass

from corescore.corpus.problems import PolicyError
from corescore.metrics import CONLL
from corescore.rendering import corefud_scorer, coval_scorer
from corescore.rendering.scores import Report
from corescore.scoring.presets import PRESETS
from corescore.scoring.scores import Scores


@dataclass(frozen=True)
class ScorerOutput:
    """The output of one scorer.

    lines    what it prints for some metrics
    metrics  the ids of those it has
    options  the policies that its own options set, with their values
    """

    lines: Callable[[Scores, Collection[str]], Iterator[str]]
    metrics: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]


# By the id of the preset.
SCORER_OUTPUTS = {
    "coval": ScorerOutput(coval_scorer.coval_lines, coval_scorer.METRICS, coval_scorer.OPTIONS),
    "corefud": ScorerOutput(
        corefud_scorer.corefud_lines, corefud_scorer.METRICS, corefud_scorer.OPTIONS
    ),
}


def as_scorer(name: str, report: Report) -> str:
    """What the scorer of this preset prints of a report.

    Raises PolicyError for what it does not print: several responses, documents, counts alone,
    metrics that it does not have, policies that it cannot be set to.
    """
    output, (scores, *more) = SCORER_OUTPUTS[name], report.responses.values()
    if not isinstance(scores, Scores):
        raise PolicyError(f"format {name} is asked for counts alone; expected documents, in memory")
    if more or report.per_document:
        what = "several responses" if more else "scores of documents"
        raise PolicyError(f"format {name} is asked for {what}; expected the totals of one response")
    _check_policies(name, output, scores)
    unknown = [one for one in report.metrics if one not in (*output.metrics, CONLL.id)]
    if unknown:
        has = ", ".join(output.metrics)
        raise PolicyError(f"format {name} is asked for {unknown[0]}; expected one of: {has}")
    return "\n".join(output.lines(scores, report.metrics)) + "\n"


def _check_policies(name: str, output: ScorerOutput, scores: Scores) -> None:
    own = asdict(PRESETS[name].policies)
    for policy, value in asdict(scores.policies).items():
        values = output.options.get(policy, (own[policy],))
        if value not in values:
            shown = policy.replace("_", " ")
            expected = f"expected {' or '.join(values)} (--as {name})"
            raise PolicyError(f"format {name} is asked for {shown} '{value}'; {expected}")
