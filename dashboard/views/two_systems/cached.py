"""The comparison of the two loaded systems, cached by their files, policies, trials and seed."""

from collections.abc import Callable, Iterator
from functools import partial

import pandas as pd

from corescore.analysis.explain import entity_titles
from corescore.analysis.significance import SEED, TRIALS
from corescore.analysis.systems.documents import compared_documents, disagreement_counts
from corescore.analysis.systems.mentions import error_differences, verdict_counts
from corescore.analysis.systems.pair import Evidence, Pair
from corescore.analysis.systems.pair import evidence as weigh
from corescore.metrics import CONLL
from corescore.util import FloatArray
from dashboard.session.caching import cached
from dashboard.session.loaded import BY_CONTENT, Loaded


@cached(max_entries=16, show_spinner="Exchanging the two responses at random", by=BY_CONTENT)
def pair(loaded: Loaded, *, trials: int, seed: int) -> Pair:
    """A against B, tested by that many random exchanges."""
    a, b = (system.result for system in loaded.systems)
    return a.compare(b, trials=trials, seed=seed)


@cached(max_entries=32, show_spinner="Weighing the evidence", by=BY_CONTENT)
def evidence(loaded: Loaded, metric: str, *, measure: str, trials: int, seed: int) -> Evidence:
    """What speaks for and against the difference by one metric."""
    return weigh(pair(loaded, trials=trials, seed=seed), metric, measure=measure)


def at_first(loaded: Loaded) -> Iterator[Callable[[], object]]:
    """What computes the evidence that the page shows before anything is selected on it."""
    if len(loaded.systems) > 1:
        yield partial(evidence, loaded, CONLL.id, measure="f1", trials=TRIALS, seed=SEED)


@cached(max_entries=16, by=BY_CONTENT)
def documents(loaded: Loaded, *, measure: str) -> pd.DataFrame:
    """A row for each document and metric: `compared_documents`."""
    a, b = (system.result for system in loaded.systems)
    return compared_documents(a, b, measure=measure)


@cached(max_entries=16, by=BY_CONTENT)
def opposed(loaded: Loaded, *, measure: str) -> pd.DataFrame:
    """On how many documents each two metrics name different winners: `disagreement_counts`."""
    a, b = (system.result for system in loaded.systems)
    return disagreement_counts(a, b, measure=measure)


@cached(max_entries=32, by=BY_CONTENT)
def randomised(loaded: Loaded, metric: str, *, measure: str, trials: int, seed: int) -> FloatArray:
    """(trials,) the differences made by chance: `Pair.randomised`."""
    return pair(loaded, trials=trials, seed=seed).randomised(metric, measure=measure)


@cached(max_entries=32, show_spinner="Comparing mention by mention", by=BY_CONTENT)
def mentions(loaded: Loaded, metric: str, *, side: str = "recall") -> pd.DataFrame:
    """What each response earns by each mention: `Pair.mentions`."""
    a, b = (system.result for system in loaded.systems)
    return a.compare(b).mentions(metric, side=side)


@cached(max_entries=32, by=BY_CONTENT)
def verdicts(loaded: Loaded, *, side: str) -> pd.DataFrame:
    """For how many mentions either earns more under each metric: `verdict_counts`."""
    a, b = (system.result for system in loaded.systems)
    return verdict_counts(a, b, side=side)


@cached(max_entries=32, show_spinner="Comparing entity by entity", by=BY_CONTENT)
def entities(loaded: Loaded, metric: str) -> pd.DataFrame:
    """What each response earns by each entity of the key: `Pair.entities`, with what the entity is
    called and where its first mention is (title, start, end)."""
    a, b = (system.result for system in loaded.systems)
    table = a.compare(b).entities(metric)
    names = table["document"].unique()
    titles = {name: entity_titles(a.comparison, name, side="recall") for name in names}
    called = [titles[at][n] for at, n in zip(table["document"], table["entity"], strict=True)]
    first = mentions(loaded, metric).drop_duplicates(["document", "key_entity"])
    places = first.set_index(["document", "key_entity"])[["start", "end"]]
    return table.assign(title=called).join(places, on=["document", "entity"])


@cached(max_entries=32, show_spinner="Comparing the errors", by=BY_CONTENT)
def errors(loaded: Loaded, *, by: str) -> pd.DataFrame:
    """How many more errors of each kind B has, by document or slice: `error_differences`."""
    a, b = (system.result for system in loaded.systems)
    return error_differences(a, b, by=by)
