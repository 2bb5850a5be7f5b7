"""The filters of the page Text."""

from collections.abc import Collection, Sequence

import streamlit as st

from corescore.analysis.errors.classes import MENTION_CLASSES
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.tables import OUTCOMES
from corescore.corpus.english import MENTION_TYPES
from dashboard.components.passage import mentions
from dashboard.components.passage.mentions import STATUSES, Drawn
from dashboard.views.text import cached
from dashboard.views.text.reading import Reading
from dashboard.widgets.link_values import rename_in_url

ANY, SELECTED = "any", "the selected one"


def filtered(reading: Reading, selected: Drawn | None) -> Sequence[Drawn]:
    """The mentions that pass the filters, which are drawn in a popover."""
    statuses = OUTCOMES if reading.together else MENTION_CLASSES
    kinds: dict[str, tuple[str, ...]] = {STATUSES[kind].words: (kind,) for kind in statuses}
    if reading.together:
        kinds["where they differ"] = mentions.DIFFERENCES
    entities = cached.entity_names(reading.systems[0], reading.key.name)
    box = "only_outcomes" if reading.together else "only"
    rename_in_url(box, "right", "correct")
    with st.popover("Filters"):
        only, type_, within = _filters(list(kinds), list(entities), key=box)
        operations = _operations()
        letters = _makers(reading) if reading.together and operations else []
    return mentions.kept(
        reading.every,
        kinds=[kind for words in only for kind in kinds[words]],
        type_=type_,
        entity=entities.get(within),
        spans=_spans(reading, operations, letters) if operations else None,
        selected=selected,
        of_selected=within == SELECTED,
    )


def _filters(
    kinds: list[str], entities: list[str], *, key: str
) -> tuple[list[str], str | None, str]:
    """The boxes: kinds of mentions, a type, and an entity."""
    only = st.pills(
        "Show only mentions that are",
        kinds,
        selection_mode="multi",
        key=key,
        bind="query-params",
        persist_state="session",
    )
    type_ = st.pills(
        "of the type",
        MENTION_TYPES[:-1],
        key="mention_type",
        bind="query-params",
        persist_state="session",
    )
    # The options are names, which the URL has as well: number and words fit one document only.
    within = st.selectbox(
        "in the entity",
        [ANY, SELECTED, *entities],
        key="within",
        bind="query-params",
        persist_state="session",
    )
    if len(entities) == cached.MOST_NAMES:
        st.caption(
            f"The {cached.MOST_NAMES:,} largest entities are listed. For another, select a mention "
            f"of it in the text and choose “{SELECTED}”."
        )
    return only, type_, within


def _operations() -> list[str]:
    """A box of errors of entities and links: what a fix splits, merges, removes or introduces."""
    return st.pills(
        "that these errors affect",
        KINDS[1:],  # span errors are among the classes
        selection_mode="multi",
        key="error_kinds",
        bind="query-params",
        persist_state="session",
        help="Operations that turn the response into the key (Kummerfeld and Klein 2013). Of an "
        "entity that is divided or conflated, the smaller parts are affected.",
    )


def _makers(reading: Reading) -> list[str]:
    """A box of whose errors these are; none selected: those of either."""
    return st.pills(
        "made by",
        [system.letter for system in reading.systems],
        selection_mode="multi",
        key="errors_of",
        bind="query-params",
        persist_state="session",
        help="A mention is shown if an error of any of these affects it.",
    )


def _spans(
    reading: Reading, kinds: Sequence[str], letters: Collection[str]
) -> set[tuple[int, int]]:
    """The spans of mentions that errors of these kinds affect, made by one of these systems."""
    makers = [system for system in reading.systems if not letters or system.letter in letters]
    affected = [cached.affected(system, reading.key.name) for system in makers]
    return {span for of_kind in affected for kind in kinds for span in of_kind[kind]}
