"""What the page compares."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from corescore.analysis.errors.classes import FOUND, SPAN_ERROR
from corescore.analysis.errors.operations import (
    CONFLATED_ENTITIES,
    DIVIDED_ENTITY,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    MISSING_ENTITY,
    MISSING_MENTION,
)
from corescore.analysis.explain import entity_titles
from corescore.analysis.significance import SEED, TRIALS
from corescore.analysis.systems.documents import compared_documents, disagreement_counts
from corescore.analysis.systems.mentions import error_differences, verdict_counts
from corescore.analysis.systems.pair import Evidence, Pair
from corescore.analysis.systems.pair import evidence as weigh
from corescore.metrics import CONLL, HOW_MANY, METRIC_IDS, name_of
from corescore.sentences.compare import MAX_T_AND_HOLM
from corescore.sentences.names import MENTION_WORDS, SLICE_NAMES
from corescore.util import FloatArray
from corescore.wording import RATIOS
from dashboard.session.caching import cached
from dashboard.session.loaded import BY_CONTENT, Loaded

# The comparison of the two loaded systems, cached by their files, policies, trials and seed -------


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
        """The six, and the CoNLL average, which is one of F1 only."""
        return metrics_of(self.measure)

    @cached_property
    def significance(self) -> pd.DataFrame:
        """A row for each metric: `Pair.significance`."""
        table = self.pair.significance
        return table[table["measure"] == self.measure].set_index("metric").loc[self.metrics]

    @cached_property
    def documents(self) -> pd.DataFrame:
        """A row for each document and metric: `compared_documents`."""
        return documents(self.loaded, measure=self.measure)

    @cached_property
    def opposed(self) -> pd.DataFrame:
        """On how many documents each two metrics name different winners."""
        counts = opposed(self.loaded, measure=self.measure)
        return counts.loc[self.metrics, self.metrics]

    @property
    def first_two(self) -> tuple[str, str]:
        """The two metrics whose disagreement is shown first."""
        return ("lea", "conll") if self.measure == "f1" else ("lea", "muc")


def metrics_of(measure: str) -> list[str]:
    """What a measure is shown of: the six and, for F1, the CoNLL average."""
    return [*METRIC_IDS, *(["conll"] if measure == "f1" else [])]


# The columns of the tables of two systems: their heads, formats and help texts --------------------

Columns = dict[str, ColumnConfig]

UNITS = "credit, in the metric's units"

CLASS_MEANS = "; ".join(f"{kind}: {MENTION_WORDS[kind]}" for kind in FOUND)


def document_columns(metric: str, measure: str) -> Columns:
    """A row for each document."""
    number = st.column_config.NumberColumn
    score = f"{name_of(metric)} {RATIOS[measure]}, percent"
    return {
        "document": st.column_config.TextColumn(width=158),
        "a": number("A", format="%.2f", width=64, help=score),
        "b": number("B", format="%.2f", width=64, help=score),
        "difference": number("B − A", format="%+.2f", width=70, help="points"),
        "winner": st.column_config.TextColumn("ahead", width=64),
        "words": number("words", width=64, help="words of the key"),
        "key_mentions": number("mentions", width=80, help="mentions of the key"),
        "key_entities": number("entities", width=74, help="entities of the key"),
    }


def winner_columns(metrics: Sequence[str]) -> Columns:
    """A row for each document: the difference under each metric."""
    number = st.column_config.NumberColumn
    return {
        "document": st.column_config.TextColumn(width=150, pinned=True),
        **{
            name: number(name_of(name).split()[0], format="%+.2f", width=72, help="B − A, points")
            for name in metrics
        },
    }


def opposed_columns(one: str, other: str) -> Columns:
    """A row for each document on which two metrics name different winners."""
    number = st.column_config.NumberColumn
    return {
        "document": st.column_config.TextColumn(width=150),
        **{
            name: number(
                f"{name_of(name).split()[0]} B − A", format="%+.2f", width=110, help="points"
            )
            for name in (one, other)
        },
        "margin": number("both by", format="%.2f", width=74, help="points, or more"),
    }


def number_columns() -> Columns:
    """A row for each metric."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    ends = {"tested_low": ("from", 60, "simultaneous"), "tested_high": ("to", 60, "simultaneous")}
    ends |= {"bca_low": ("single", 60, "bootstrap, BCa"), "bca_high": ("to", 60, "BCa")}
    tests = {
        "p": ("p", "approximate randomisation"),
        "p_max": ("p, max T", f"the same, corrected for {HOW_MANY} tests by the largest"),
        "p_holm": ("p, Holm", f"the same, corrected for {HOW_MANY} tests. {MAX_T_AND_HOLM}"),
        "p_sign": ("p, sign", "sign test over documents"),
    }
    return {
        "metric": text(width=110),
        "a": number("A", format="%.2f", width=54, help="percent"),
        "b": number("B", format="%.2f", width=54, help="percent"),
        "difference": number("B − A", format="%+.2f", width=62, help="points"),
        **{
            name: number(head, format="%+.2f", width=width, help=f"95% interval ({by}), points")
            for name, (head, width, by) in ends.items()
        },
        **{
            name: text(head, width=64, help=note, alignment="right")
            for name, (head, note) in tests.items()
        },
    }


RUN_SHARES = ("a", "sd_a", "b", "sd_b", "difference", "low", "high")

RUN_TESTS = {
    "p": ("p", 60, "runs and documents resampled"),
    "p_holm": ("p, Holm", 60, f"the same, corrected for {HOW_MANY} tests"),
    "p_documents": ("p, these runs", 96, "documents are exchanged, all runs at once"),
    "p_runs": ("p, these documents", 124, "whole runs are exchanged"),
}


def run_columns() -> Columns:
    """A row for each metric: the means over runs."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    heads = {"a": "A", "sd_a": "± A", "b": "B", "sd_b": "± B"}
    points = {"difference": "B − A", "low": "from", "high": "to"}
    helps = dict.fromkeys(("sd_a", "sd_b"), "standard deviation over runs, points")
    return {
        "metric": text(width=110),
        **{
            name: number(head, format="%.2f", width=54, help=helps.get(name, "mean over runs"))
            for name, head in heads.items()
        },
        **{
            name: number(head, format="%+.2f", width=58, help="points; 95% interval from … to")
            for name, head in points.items()
        },
        **{
            name: text(head, width=width, help=about, alignment="right")
            for name, (head, width, about) in RUN_TESTS.items()
        },
    }


def condition_columns() -> Columns:
    """A row for each condition under which the difference is looked at again."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "told": text("condition", width=290),
        "a": number("A", format="%.2f", width=64, help="percent"),
        "b": number("B", format="%.2f", width=64, help="percent"),
        "difference": number("B − A", format="%+.2f", width=70, help="points"),
        "outcome": text("sign", width=80),
        "refusal": text("why there is none", width=220),
    }


def mention_columns() -> Columns:
    """A row for each mention of which one system earns more."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    share = "percent of what it could earn"
    return {
        "mention": text(width=118),
        "document": text(width=118),
        "class_a": text("in A", width=136, help=CLASS_MEANS),
        "class_b": text("in B", width=136, help=CLASS_MEANS),
        "credit_a": number("A earns", format="%.2f", width=66, help=share),
        "credit_b": number("B earns", format="%.2f", width=66, help=share),
    }


def entity_columns() -> Columns:
    """A row for each entity of which one system earns more."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "title": text("entity of the key", width=140),
        "document": text(width=112),
        "mentions": number(width=78),
        "kind": text("credited for", width=112),
        "credit_a": number("A earns", format="%.2f", width=66, help=UNITS),
        "credit_b": number("B earns", format="%.2f", width=66, help=UNITS),
        "possible": number("at most", format="%.2f", width=66, help="what it could earn"),
    }


UNEQUAL = {"mentions": mention_columns, "entities": entity_columns}

# Short, so that all kinds fit side by side on a small screen; the help text has the full name.
_SHORT_KINDS = {
    SPAN_ERROR: ("span", 62),
    CONFLATED_ENTITIES: ("conflated", 78),
    EXTRA_MENTION: ("extra m.", 70),
    EXTRA_ENTITY: ("extra e.", 70),
    MISSING_MENTION: ("missing m.", 80),
    MISSING_ENTITY: ("missing e.", 78),
    DIVIDED_ENTITY: ("divided", 68),
}


def error_columns(by: str, kinds: Sequence[str]) -> Columns:
    """A row for each document or slice: how many more errors of each kind B has."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    heads = {kind: _SHORT_KINDS[kind] for kind in kinds}
    return {
        by: text(SLICE_NAMES.get(by, by), width=134),
        **{
            kind: number(head, format="%+d", width=width, help=f"{kind}: B − A")
            for kind, (head, width) in heads.items()
        },
    }
