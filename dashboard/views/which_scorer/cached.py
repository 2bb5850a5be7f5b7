"""What the page asks of the analysis, cached by files."""

from typing import Any

import pandas as pd

from corescore import Corpus
from corescore.analysis.scorers.rescored import Rescored, scorers
from corescore.analysis.scorers.search import Found, Printed, preset_table, ranking_grid, search
from corescore.analysis.scorers.walk import Step, moved_mentions, shapley
from corescore.counting.policies import Policies
from dashboard.session.caching import cached
from dashboard.session.loaded import BY_CONTENT, Loaded, System

_BY: dict[str | type[Any], Any] = {**BY_CONTENT, Policies: repr, Printed: repr}


def rescored(loaded: Loaded) -> dict[str, Rescored]:
    """The responses that are shown, by their names, to be scored under any policies."""
    words = loaded.policies.words
    return {
        system.name: _rescored(system.stamps, words, loaded.key, system.corpus)
        for system in loaded.systems
    }


@cached(max_entries=16)
def _rescored(stamps: tuple[str, ...], words: str, _key: Corpus, _response: Corpus) -> Rescored:
    return Rescored(_key, _response)


@cached(max_entries=16, show_spinner="Scoring as each scorer does", by=_BY)
def table(loaded: Loaded) -> pd.DataFrame:
    """What each scorer says of each response: `preset_table`."""
    return preset_table(rescored(loaded), scorers(loaded.policies))


@cached(max_entries=16, show_spinner="Trying all orders of change", by=_BY)
def shares(system: System, loaded: Loaded, start: Policies, end: Policies, metric: str) -> Any:
    """The moves averaged over all orders: `shapley`."""
    return shapley(rescored(loaded)[system.name], start, end, metric)


@cached(max_entries=64, by={**_BY, Step: repr})
def moved(system: System, step: Step, metric: str, _of: Rescored) -> pd.DataFrame:
    """The mentions that a step moves: `moved_mentions`.

    _of  the system's response, to be scored under any policies
    """
    return moved_mentions(_of, step, metric)


@cached(max_entries=16, show_spinner="Scoring under each combination of policies", by=_BY)
def grid(loaded: Loaded, metric: str) -> pd.DataFrame:
    """The order of the responses under each combination: `ranking_grid`."""
    return ranking_grid(rescored(loaded), metric, base=loaded.policies)


@cached(max_entries=32, show_spinner="Trying each scorer, metric and policy", by=_BY)
def found(loaded: Loaded, number: Printed) -> Found:
    """The settings that print a number: `search`."""
    return search(rescored(loaded), number)
