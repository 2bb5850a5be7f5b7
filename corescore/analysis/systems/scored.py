"""Systems scored against one key: what a report and the dashboard are about."""

from collections.abc import Mapping
from dataclasses import dataclass

from corescore.corpus.documents import Corpus
from corescore.counting.policies import Policies
from corescore.scoring.noticed import doubts, warnings_of
from corescore.scoring.scores import Scores


@dataclass(frozen=True)
class System:
    """A system's scores, and its letter (A, B, …) and name on pages and in sentences."""

    letter: str
    name: str
    result: Scores

    @property
    def title(self) -> str:
        """A (cautious)."""
        return f"{self.letter} ({self.name})"


@dataclass(frozen=True)
class ScoredSystems:
    """A key and systems, A, B, …, scored against it under the same policies."""

    key_name: str
    key: Corpus
    systems: tuple[System, ...]

    @property
    def results(self) -> Mapping[str, Scores]:
        """The results by the systems' letters."""
        return {system.letter: system.result for system in self.systems}

    @property
    def warnings(self) -> list[str]:
        """The warnings of all results, and signs that a response is the key, each once."""
        said = warnings_of(self.results.values())
        for system in self.systems:
            said += doubts(system.result, self.key_name, system.name)
        return list(dict.fromkeys(said))

    @property
    def names(self) -> dict[str, str]:
        """The systems' names by their letters."""
        return {system.letter: system.name for system in self.systems}

    @property
    def policies(self) -> Policies:
        return self.systems[0].result.policies

    @property
    def signature(self) -> str:
        return self.systems[0].result.signature
