"""What Two systems shows: the comparison of both, cached, and the columns of its tables."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import pandas as pd

from corescore.analysis.errors.classes import FOUND
from corescore.analysis.explain import entity_titles
from corescore.analysis.significance import SEED, TRIALS
from corescore.analysis.systems.documents import (
    compared_documents,
    disagreement_counts,
    error_differences,
    verdict_counts,
)
from corescore.analysis.systems.pair import Evidence, Pair
from corescore.analysis.systems.pair import evidence as weigh
from corescore.metrics import CONLL, name_of
from corescore.rendering.columns import Column, column, columns_of
from corescore.rendering.exhibits import metrics_of
from corescore.sentences.names import MENTION_WORDS
from corescore.util import FloatArray
from dashboard.session.caching import cached
from dashboard.session.loaded import Loaded
from dashboard.widgets.tables import download

# The comparison of the two loaded systems, cached by their files, policies, trials and seed -------


@cached(16, "Exchanging the two responses at random")
def pair(loaded: Loaded, *, trials: int, seed: int) -> Pair:
    """A against B, tested by that many random exchanges."""
    a, b = loaded.results.values()
    return a.compare(b, trials=trials, seed=seed)


@cached(32, "Weighing the evidence")
def evidence(loaded: Loaded, metric: str, *, measure: str, trials: int, seed: int) -> Evidence:
    """What speaks for and against the difference by one metric."""
    return weigh(pair(loaded, trials=trials, seed=seed), metric, measure=measure)


def at_first(loaded: Loaded) -> Iterator[Callable[[], object]]:
    """What computes the evidence and examples that the page shows before anything is selected."""
    if len(loaded.systems) > 1:
        yield partial(mentions, loaded, "lea")
        first = partial(evidence, loaded, CONLL.id, measure="f1", trials=TRIALS, seed=SEED)
        yield lambda: first().together


@cached(16)
def documents(loaded: Loaded, *, measure: str) -> pd.DataFrame:
    """One row per document and metric: `compared_documents`."""
    return compared_documents(*loaded.results.values(), measure=measure)


@cached(16)
def opposed(loaded: Loaded, *, measure: str) -> pd.DataFrame:
    """On how many documents each two metrics name different winners: `disagreement_counts`."""
    return disagreement_counts(*loaded.results.values(), measure=measure)


@cached(32)
def randomised(loaded: Loaded, metric: str, *, measure: str, trials: int, seed: int) -> FloatArray:
    """(trials,) the differences made by chance: `Pair.randomised`."""
    return pair(loaded, trials=trials, seed=seed).randomised(metric, measure=measure)


@cached(32, "Comparing mention by mention")
def mentions(loaded: Loaded, metric: str, *, side: str = "recall") -> pd.DataFrame:
    """What each response earns by each mention: `Pair.mentions`."""
    a, b = loaded.results.values()
    return a.compare(b).mentions(metric, side=side)


@cached(32)
def verdicts(loaded: Loaded, *, side: str) -> pd.DataFrame:
    """For how many mentions either earns more under each metric: `verdict_counts`."""
    return verdict_counts(*loaded.results.values(), side=side)


@cached(32, "Comparing entity by entity")
def entities(loaded: Loaded, metric: str) -> pd.DataFrame:
    """What each response earns by each entity of the key: `Pair.entities`, with what the entity is
    called and where its first mention is (title, start, end)."""
    a, b = loaded.results.values()
    table = a.compare(b).entities(metric)
    names = table["document"].unique()
    titles = {name: entity_titles(a.comparison, name, side="recall") for name in names}
    called = [titles[at][n] for at, n in zip(table["document"], table["entity"], strict=True)]
    first = mentions(loaded, metric).drop_duplicates(["document", "key_entity"])
    places = first.set_index(["document", "key_entity"])[["start", "end"]]
    return table.assign(title=called).join(places, on=["document", "entity"])


AROUND = 5  # words on either side


def with_words_around(loaded: Loaded, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with a column more: the mention, or an entity's first, amid the words around it."""
    around = []
    for name, start, end in rows[["document", "start", "end"]].itertuples(index=False, name=None):
        document = loaded.key.by_name[name]
        words = () if document.named_mentions else document.shown_words
        before, after = words[max(0, start - AROUND) : start], words[end : end + AROUND]
        around.append(" ".join([*before, "[", *words[start:end], "]", *after]) if words else "")
    return rows.assign(around=around)


@cached(32, "Comparing the errors")
def errors(loaded: Loaded, *, by: str) -> pd.DataFrame:
    """How many more errors of each kind B has, by document or slice: `error_differences`."""
    return error_differences(*loaded.results.values(), by=by)


@dataclass(frozen=True)
class Shown:
    """The two systems that are loaded, compared by one measure."""

    loaded: Loaded
    pair: Pair
    measure: str

    @property
    def names(self) -> list[str]:
        return list(self.loaded.names.values())

    @property
    def n_documents(self) -> int:
        """How many are compared: fewer than the key has where missing ones are left out."""
        return len(self.pair.a.documents)

    @property
    def metrics(self) -> list[str]:
        """The six, and CoNLL, which is one of F1 only."""
        return metrics_of(self.measure)

    @cached_property
    def significance(self) -> pd.DataFrame:
        """One row per metric: `Pair.significance`."""
        table = self.pair.significance
        return table[table["measure"] == self.measure].set_index("metric").loc[self.metrics]

    @cached_property
    def documents(self) -> pd.DataFrame:
        """One row per document and metric: `compared_documents`."""
        return documents(self.loaded, measure=self.measure)

    @cached_property
    def opposed(self) -> pd.DataFrame:
        """On how many documents each pair of metrics names different winners."""
        counts = opposed(self.loaded, measure=self.measure)
        return counts.loc[self.metrics, self.metrics]


# The tables of two systems: as files, and their columns -------------------------------------------


def download_of(shown: Shown, frame: pd.DataFrame, *name: str, signed: bool = False) -> None:
    """A table of both as a file; `name`: what it is."""
    download(frame, shown.pair.signature, *name, *shown.names, signed=signed)


def gain_columns(metrics: Iterable[str], head: str = "{}", **looks: Any) -> list[Column]:
    """B − A of a document under each metric."""
    difference = replace(column("difference"), **looks)
    return [replace(difference, head=head.format(name_of(m)), of=(m,)) for m in metrics]


def unequal_columns(listed: str) -> list[Column]:
    """One row per mention, or entity, of which one system earns more."""
    classes = "; ".join(f"{kind}: {MENTION_WORDS[kind]}" for kind in FOUND)
    return columns_of(f"unequal {listed}", classes=classes)
