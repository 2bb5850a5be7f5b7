"""What `corescore compare` concludes of three responses or more: the first page of a report."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from corescore.analysis.systems.comparability import Finding, against_best
from corescore.analysis.systems.evidence import Evidence, evidence
from corescore.analysis.systems.ranking import Ranking, ranking
from corescore.api.pair import Pair
from corescore.cli.values import finite
from corescore.scoring.tally import Tally
from corescore.sentences import many_systems
from corescore.sentences.conclusions import conclusion


@dataclass(frozen=True)
class VerdictOfMany:
    """Who is first by the primary metric, how sure the ranks are, and what can be
    concluded of the two best.

    pairs   by the letters of both, each letter first of those it is compared with
    names   of the responses by their letters
    """

    pairs: Mapping[tuple[str, str], Pair]
    names: Mapping[str, str]
    metric: str
    measure: str

    @property
    def titles(self) -> dict[str, str]:
        return {letter: f"{letter} ({name})" for letter, name in self.names.items()}

    @cached_property
    def results(self) -> dict[str, Tally]:
        """By their letters, the best by the primary metric first."""
        found: dict[str, Tally] = {}
        for (a, b), pair in self.pairs.items():
            found |= {a: pair.a, b: pair.b}
        order = sorted(found, key=lambda one: -getattr(found[one][self.metric], self.measure))
        return {letter: found[letter] for letter in order}

    @cached_property
    def ranking(self) -> Ranking:
        pair = next(iter(self.pairs.values()))
        results = {self.titles[letter]: result for letter, result in self.results.items()}
        return ranking(results, measure=self.measure, trials=pair.trials, seed=pair.seed)

    @cached_property
    def of_best(self) -> tuple[tuple[str, str], Evidence]:
        """The letters of the two best, as they are compared, and the evidence of their
        difference."""
        best, second, *_ = self.results
        two = (best, second) if (best, second) in self.pairs else (second, best)
        found = evidence(self.pairs[two], self.metric, measure=self.measure, letters=two)
        return two, found

    @property
    def conclusion(self) -> str:
        """Of the two best."""
        two, found = self.of_best
        named = zip("AB", two, strict=True)
        return conclusion(found, {at: self.titles[letter] for at, letter in named})

    @property
    def summary(self) -> str:
        """Who is first, and how sure the ranks are."""
        return many_systems.first_and_spread(self.ranking, self.metric)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What speaks against comparing the best with any other."""
        return tuple(dict.fromkeys(against_best(self.results)))

    @property
    def lines(self) -> tuple[str, ...]:
        """Who is first, what speaks against comparing, and what follows."""
        return (self.summary, *(found.sentence for found in self.findings), self.conclusion)

    @property
    def paragraph(self) -> str:
        """The lines in one."""
        return " ".join(self.lines)

    @property
    def fields(self) -> dict[str, Any]:
        """The same in values: fractions; None where there is no number, or no finite one."""
        two, found = self.of_best
        fields = {
            "metric": self.metric,
            "measure": self.measure,
            "summary": self.summary,
            "findings": [asdict(finding) for finding in self.findings],
            "best": [self.names[letter] for letter in two],
            "difference": found.row["difference"],
            "low": found.interval[0],
            "high": found.interval[1],
            "p": found.p,
            "conclusion": self.conclusion,
        }
        return finite(fields)
