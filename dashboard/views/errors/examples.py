"""The errors of a kind one by one, each with the way to its text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from corescore.analysis.errors.classes import INCORRECTLY_RESOLVED, text_of
from corescore.analysis.errors.operations import CONFLATED_ENTITIES
from corescore.analysis.errors.tables import incorrectly_resolved_table, partner_table
from corescore.analysis.explain import entity_called
from corescore.corpus.documents import Document, Mention
from corescore.sentences import errors as sentences
from corescore.sentences.errors import NAMES, WORDS
from dashboard.session import analyses
from dashboard.session.caching import cached
from dashboard.session.loaded import BY_CONTENT, Loaded, System
from dashboard.widgets import text_link
from dashboard.widgets.page import note
from dashboard.widgets.tables import download, table

Span = tuple[int, int]
_MOST_WORDS, _MOST_PARTNERS = 12, 4  # mentions that a cell lists


@dataclass(frozen=True)
class Examples:
    """A row for each error, where in which document each is, and what is downloaded."""

    shown: pd.DataFrame
    places: Sequence[tuple[str, Span]]
    every: pd.DataFrame | Callable[[], pd.DataFrame]
    name: str


@st.fragment
def show_examples(loaded: Loaded, system: System, *, first: str | None) -> None:
    """The errors of a kind in a table; a click on a row leads to its text.

    first  the kind that is selected at first; None offers no kind but incorrectly resolved mentions
    """
    kinds = NAMES if first else {}
    options = {**kinds, INCORRECTLY_RESOLVED: f"{INCORRECTLY_RESOLVED} mentions"}
    line = st.container(horizontal=True, vertical_alignment="bottom")
    kind = line.selectbox(
        "The errors one by one",
        list(options),
        index=list(options).index(first or INCORRECTLY_RESOLVED),
        format_func=options.__getitem__,
        key="kind",
        bind="query-params",
        filter_mode=None,
        width=300,
    )
    compared = system.result.comparison
    texts = {d.name: text_of(compared, number) for number, d in enumerate(compared.key)}
    examples = _incorrect(system) if kind == INCORRECTLY_RESOLVED else _errors(system, kind, texts)
    if examples.shown.empty:
        note(f"{system.title} has none of these.")
        return
    cell = table(
        examples.shown,
        key=f"examples_{system.letter}_{kind}",
        most=8,
        on_select=text_link.click,
        alt=f"{options[kind]}, a row for each; a click on a row opens its text.",
    )
    document, span = examples.places[cell[0] if cell else 0]
    download(examples.every, loaded.signature, examples.name, system.name, signed=False)
    with line:
        words = _words(texts, document, span)[:40]
        text_link.link(f"Read “{words}” in {document}", document, span)
    text_link.follow()


def _errors(system: System, kind: str, texts: dict[str, Document]) -> Examples:
    every = analyses.operations(system)
    errors = every[every["kind"] == kind]
    documents = errors["document"].tolist()
    if kind == CONFLATED_ENTITIES:
        ends = _entities(system, errors)
    else:
        of_target = zip(documents, errors["target"], strict=True)
        ends = [_words(texts, document, target) for document, target in of_target]
    fixes = [WORDS[kind][2].format(end) for end in ends]
    shown = pd.DataFrame(
        {
            "document": documents,
            "mentions": [sentences.some(m, len(m), most=_MOST_WORDS) for m in errors["mentions"]],
            "to fix it": fixes,
        }
    )
    places = [(d, spans[0]) for d, spans in zip(documents, errors["spans"], strict=True)]
    return Examples(shown, places, every, "errors")


def _entities(system: System, errors: pd.DataFrame) -> list[str]:
    """The response entity of each error: entity 3 (Oakland)."""
    place = ["document", "response_entity"]
    every = analyses.every_error(system)[[*place, "response_name"]].drop_duplicates(place)
    named = {(document, number): name for document, number, name in every.itertuples(index=False)}
    numbers = zip(errors["document"], errors["response_entity"], strict=True)
    return [entity_called(place[1], named.get(place, "")) for place in numbers]


def _words(texts: dict[str, Document], document: str, span: Span | None) -> str:
    return texts[document].text(Mention(*span)) if span else ""


def _incorrect(system: System) -> Examples:
    found = _partners(system)
    heads = {"wrong": "wrong partners, in the response", "right": "correct partners, in the key"}
    partners = {
        head: list(map(sentences.some, found[f"{side}_partners"], found[f"n_{side}"]))
        for side, head in heads.items()
    }
    shown = found[["document", "mention"]].assign(**partners)
    spans = zip(found["start"].tolist(), found["end"].tolist(), strict=True)
    places = list(zip(found["document"], spans, strict=True))
    every = partial(incorrectly_resolved_table, system.result.comparison)
    return Examples(shown, places, every, INCORRECTLY_RESOLVED)


@cached(max_entries=8, by=BY_CONTENT)
def _partners(system: System) -> pd.DataFrame:
    """The incorrectly resolved mentions with their first partners: `partner_table`."""
    return partner_table(system.result.comparison, most=_MOST_PARTNERS)
