"""What `corescore compare` concludes of two responses: the argument of the page Two systems."""

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from corescore.analysis.systems.evidence import Evidence, evidence
from corescore.api.pair import Pair
from corescore.cli.values import finite
from corescore.sentences import argument
from corescore.sentences.conclusions import conclusion, paragraph
from corescore.sentences.equivalence import equivalent

LETTERS = ("A", "B")


@dataclass(frozen=True)
class Verdict:
    """The evidence of a difference by the primary metric, and what follows from it.

    names       of the two responses
    margin      a fraction, or None: whether the two differ by less than this
    beforehand  whether the user named the metric
    """

    pair: Pair
    names: tuple[str, str]
    metric: str
    measure: str
    margin: float | None = None
    beforehand: bool = False

    @cached_property
    def evidence(self) -> Evidence:
        return evidence(self.pair, self.metric, measure=self.measure)

    @property
    def conclusion(self) -> str:
        titles = {at: f"{at} ({name})" for at, name in zip(LETTERS, self.names, strict=True)}
        return conclusion(self.evidence, titles)

    @property
    def paragraph(self) -> str:
        """For a paper."""
        names = dict(zip(LETTERS, self.names, strict=True))
        policies = self.pair.a.policies
        return paragraph(self.evidence, names, policies, beforehand=self.beforehand)

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each question, what follows, and the paragraph."""
        answers = (f"{asked} {answer}" for asked, answer in argument.lines(self.evidence).items())
        within = () if self.margin is None else (self._equivalent,)
        return (*answers, *within, self.conclusion, f"For a paper: {self.paragraph}")

    @property
    def _equivalent(self) -> str:
        found = self.pair.equivalence(self.margin or 0)
        return equivalent(found, self.metric, self.measure)

    @property
    def fields(self) -> dict[str, Any]:
        """The same in values: fractions; None where there is no number, or no finite one."""
        of = self.evidence
        held = of.held.table.astype({"outcome": str}).to_dict("records")
        fields = {
            "metric": self.metric,
            "measure": self.measure,
            "findings": [asdict(finding) for finding in of.findings],
            "detectable": asdict(of.detectable),
            "difference": of.row["difference"],
            "low": of.interval[0],
            "high": of.interval[1],
            "p": of.p,
            "effect": asdict(of.effect),
            "held": held,
            "conclusion": self.conclusion,
            "paragraph": self.paragraph,
        }
        return finite(fields)
