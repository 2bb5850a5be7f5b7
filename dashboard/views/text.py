"""Text: what did it do here?"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from corescore.analysis.error_table.facets import term
from corescore.analysis.errors.classes import (
    DUPLICATED,
    MENTION_CLASSES,
    MISSING,
    SPAN_ERROR,
    SPURIOUS,
)
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.tables import OUTCOMES, outcome_table
from corescore.analysis.explain import Explanation
from corescore.corpus.documents import Document
from corescore.corpus.english import MENTION_TYPES
from corescore.rendering import html as markup
from corescore.rendering.html import Window
from corescore.sentences import credit as sentences
from corescore.sentences import policies
from dashboard.components import mentions
from dashboard.components.mentions import STATUSES, THE_KEY, Drawn, of_one_system, with_pieces
from dashboard.components.passage import Search, passage, places, show_passage
from dashboard.session import analyses, scoring
from dashboard.session.caching import cached
from dashboard.session.loaded import Loaded, System, loaded_systems
from dashboard.session.state import state
from dashboard.views.credit import reasons
from dashboard.widgets import document_box, selection
from dashboard.widgets.error_counts import show_behind, show_classes
from dashboard.widgets.page import headline, note, question, tools
from dashboard.widgets.selection import pills, rename_in_url
from dashboard.widgets.tables import download

# What the Text page computes, cached --------------------------------------------------------------

MOST_NAMES = 1000  # entities in the box of the filters

Explained = Mapping[str, list[Explanation]]


@cached(16)
def drawn(system: System, document: str) -> tuple[Drawn, ...]:
    """The mentions of a document as the page draws them."""
    table = analyses.mentions(system)
    sides = scoring.scored_key(system, document), scoring.scored_response(system, document)
    drawn = of_one_system(table[table["document"] == document])
    return with_pieces(drawn, sides)


@cached(16)
def entity_names(system: System, document: str) -> dict[str, int]:
    """The numbers of the key's entities by their names, the largest MOST_NAMES of them."""
    names = mentions.entity_names(scoring.scored_key(system, document), drawn(system, document))
    sizes = Counter(d.entities[mentions.KEY] for d in drawn(system, document))
    largest = {
        number for number, _ in Counter({n: sizes[n] for n in names}).most_common(MOST_NAMES)
    }
    return {name: number for number, name in names.items() if number in largest}


@cached(16)
def affected_by(system: System, document: str) -> Mapping[str, frozenset[tuple[int, int]]]:
    """By each kind of operation, the spans of the mentions that it affects in a document."""
    table = analyses.operations(system)
    here = table[table["document"] == document]
    return {
        kind: frozenset(span for spans in here["spans"][here["kind"] == kind] for span in spans)
        for kind in KINDS
    }


@cached(4)
def drawn_together(loaded: Loaded, document: str) -> tuple[pd.DataFrame, tuple[Drawn, ...]]:
    """What became of a document's mentions under A and B, and the mentions as the page draws
    them."""
    tables = [analyses.mentions(system) for system in loaded.systems]
    table = outcome_table(*(table[table["document"] == document] for table in tables))
    documents = sides_of(loaded.systems, longest_key(loaded.systems, document))
    return table, with_pieces(mentions.of_two_systems(table), documents)


def longest_key(systems: Sequence[System], document: str) -> Document:
    """The key's document with the words that any of the systems brings."""
    keys = (scoring.scored_key(system, document) for system in systems)
    return max(keys, key=lambda key: len(key.words))


def sides_of(systems: Sequence[System], key: Document) -> list[Document]:
    """The document of the key and that of each system."""
    return [key, *(scoring.scored_response(system, key.name) for system in systems)]


# A document as it is read on the page Text --------------------------------------------------------


@dataclass(frozen=True)
class Reading:
    """A document as it is read: with one response to it, or with A and B.

    table    of `mention_table` or `outcome_table`, the rows of the document
    every    all mentions that can be drawn
    sides    the names of the sides
    summary  what became of the mentions, in a sentence
    """

    loaded: Loaded
    systems: Sequence[System]
    key: Document
    table: pd.DataFrame
    every: Sequence[Drawn]
    sides: Sequence[str]
    summary: str

    @property
    def together(self) -> bool:
        """Whether A and B are read on one text."""
        return len(self.systems) > 1


ANY, SELECTED = "any", "the selected one"


# The filters of the page Text ---------------------------------------------------------------------


def filtered(reading: Reading, selected: Drawn | None) -> Sequence[Drawn]:
    """The mentions that pass the filters."""
    statuses = OUTCOMES if reading.together else MENTION_CLASSES
    kinds: dict[str, tuple[str, ...]] = {STATUSES[kind].words: (kind,) for kind in statuses}
    if reading.together:
        kinds["where they differ"] = mentions.DIFFERENCES
    entities = entity_names(reading.systems[0], reading.key.name)
    box = "only_outcomes" if reading.together else "only"
    rename_in_url(box, "right", "correct")
    only = pills(box, list(kinds))
    type_ = pills("mention_type", MENTION_TYPES[:-1], selection_mode="single")
    # The options are names, which the URL has as well: number and words fit one document only.
    within = selection.pick("within", [ANY, SELECTED, *entities], filter_mode="fuzzy")
    if len(entities) == MOST_NAMES:
        st.caption(
            f"The {MOST_NAMES:,} largest entities are listed. For another, select a mention "
            f"of it in the text and choose “{SELECTED}”."
        )
    operations = pills("error_kinds", KINDS[1:])  # span errors are among the classes
    letters = (
        pills("errors_of", [system.letter for system in reading.systems])
        if reading.together and operations
        else []
    )
    return mentions.kept(
        reading.every,
        kinds=[kind for words in only for kind in kinds[words]],
        type_=type_,
        entity=entities.get(within),
        spans=_spans(reading, operations, letters) if operations else None,
        selected=selected,
        of_selected=within == SELECTED,
    )


def _spans(
    reading: Reading, kinds: Sequence[str], letters: Collection[str]
) -> set[tuple[int, int]]:
    """The spans of mentions that errors of these kinds affect, made by one of these systems."""
    makers = [system for system in reading.systems if not letters or system.letter in letters]
    affected = [affected_by(system, reading.key.name) for system in makers]
    return {span for of_kind in affected for kind in kinds for span in of_kind[kind]}


WINDOW = 600  # words

STATUS = "status"  # the default of what the text is coloured by


def page() -> None:
    """Draw the page."""
    loaded = loaded_systems()
    head = question("What did it do here?")
    controls = tools()
    with controls:
        document = document_box.select_document(loaded, on_change=_begin)
        document_box.step_through_documents(loaded, on_change=_begin)
        reading = _reading(loaded, document, _select_systems(loaded))
    with head:
        headline(reading.summary)
    selected = mentions.find(reading.every, selection.place().mention)
    with controls:
        # What is searched for in the text, and where it is.
        query = selection.typed("search", live=True).strip()
        search = Search(query, places(reading.key, query)) if query else None
        with st.popover("Show"):
            colours = _select_colours(reading)
            shown = filtered(reading, selected)
    if len(shown) < len(reading.every):
        note(sentences.filtered(len(shown), len(reading.every)))
    _show_passage(reading, shown, selected, colours, search)
    if reading.together and selected:
        side, credit = _credit(reading, selected)
        words = reading.key.text(selected.mention)
        headline(sentences.given(words, side, [letter for letter in credit if credit[letter]]))
        st.html(markup.credit_rows(credit))
    elif not reading.together:
        _show_match(reading, selected)
    show_classes(reading.systems, document)
    if reading.together:
        show_behind(loaded, term("doc", document))
    names = [system.name for system in reading.systems]
    download(reading.table, loaded.signature, "mentions", document, *names, signed=True)


# What is read -------------------------------------------------------------------------------------


def _begin() -> None:
    """Begin a document at its beginning."""
    state.part, state.within = 1, ANY


_BOTH = "Both"


def _select_systems(loaded: Loaded) -> Sequence[System]:
    """A, B or both, by one switch. In the URL it is two names, `of` and `together`, of which other
    pages know the first: their own boxes are drawn, too, as Streamlit binds one name to one box,
    but out of sight."""
    if len(loaded.systems) == 1:
        return loaded.systems
    with st.container(key="read_names"):
        letter = selection.select_letter("Response", loaded)
        together = selection.toggled("together")
    state.read_of = _BOTH if together else letter
    names = {system.letter: selection.letter_in_url(system) for system in loaded.systems}
    st.segmented_control(
        "Read",
        [*names, _BOTH],
        required=True,
        format_func=lambda letter: names.get(letter, letter),
        key="read_of",
        on_change=_read,
        label_visibility="collapsed",
    )
    return loaded.systems if together else [loaded.system(letter)]


def _read() -> None:
    state.together = state.read_of == _BOTH
    if not state.together:
        state.letter = state.read_of


def _select_colours(reading: Reading) -> int | None:
    """The side by whose entities the text is coloured; None where it shows what became of each."""
    options = [STATUS, "key entities"]
    options += ["entities of A", "entities of B"] if reading.together else ["response entities"]
    chosen = selection.pick("colour_by", options)
    return options.index(chosen) - 1 if chosen != STATUS else None


def _reading(loaded: Loaded, document: str, systems: Sequence[System]) -> Reading:
    first, *others = systems
    key = longest_key(systems, document)
    if not others:
        table = analyses.mentions(first)
        here = table[table["document"] == document]
        alone = analyses.incorrect_singletons(first)[document]
        summary = sentences.counts(document, first.title, here["class"], alone)
        every, sides = drawn(first, document), [THE_KEY, first.letter]
        return Reading(loaded, systems, key, here, every, sides, summary)
    table, every = drawn_together(loaded, document)
    titles = first.title, others[0].title
    summary = sentences.outcomes(document, titles, table["outcome"])
    return Reading(loaded, systems, key, table, every, [THE_KEY, "A", "B"], summary)


# The passage --------------------------------------------------------------------------------------


def _show_passage(
    reading: Reading,
    shown: Sequence[Drawn],
    selected: Drawn | None,
    colours: int | None,
    search: Search | None,
) -> None:
    windows = markup.windows(reading.key, WINDOW)
    # Turn to the window of the selected mention, unless another was turned to since it is selected.
    is_link = not state.shown_in_parts.get("part") and "part" in st.query_params
    part = mentions.window_of(windows, selected.start) if selected else None
    if state.took_place:
        part, state.took_place = None, False
    selection.turn("part", (reading.key.name, selected and selected.span), part)
    # Turn to the next window with the words that are searched for since the last run.
    words = (reading.key.name, search.query) if search else None
    if search and search.places and state.searched != words and not is_link:
        part = min(state.part or 1, len(windows))
        starts = [start for start, _ in search.places]
        after = [start for start in starts if start >= windows[part - 1].start]
        state.part = mentions.window_of(windows, (after or starts)[0])
    state.searched = words
    above = st.container()
    shown_window = windows[selection.turned("part", len(windows)) - 1]
    documents = sides_of(reading.systems, reading.key)
    is_called = search or colours is not None or any(of.split_antecedents for of in documents)
    with above:
        show_passage(
            passage(
                reading.key,
                reading.every,
                shown,
                shown_window,
                sides=reading.sides,
                selected=selected,
                credit=_credit_beside(reading, selected),
                coloured_by=colours,
                search=search,
                names=_names(reading.systems, reading.key.name) if is_called else {},
                documents=documents,
            ),
            key="passage",
            on_mention=_take_mention,
            on_place=partial(_take_place, windows),
        )


def _show_match(reading: Reading, selected: Drawn | None) -> None:
    """How many mentions match with other words, and with which the selected one matches."""
    system, table = reading.systems[0], reading.table
    is_shared = ~table["class"].isin([SPAN_ERROR, MISSING, SPURIOUS, DUPLICATED])
    is_other = is_shared & mentions.has_two_spans(table)
    match = system.result.policies.match
    if sentence := policies.other_spans(int(is_other.sum()), match):
        note(sentence)
    if selected is None or (match == "exact" and not is_other.any()):
        return
    response = scoring.scored_response(system, reading.key.name)
    for at in table.index[is_shared & mentions.has_span(table, selected.start, selected.end)]:
        key_words, *span = table.loc[at, ["mention", "response_start", "response_end"]]
        words = response.text_at(*map(int, span))
        headline(policies.matched(key_words, words, match, same_span=not is_other[at]))


def _names(systems: Sequence[System], document: str) -> dict[int, Mapping[int, str]]:
    """What the entities of each side are called."""
    called = [analyses.called(system, document) for system in systems]
    return {mentions.KEY: called[0][0], **{at: own for at, (_, own) in enumerate(called, 1)}}


def _take_mention(mention: str) -> None:
    """Select the mention that was clicked, or none."""
    selection.turn("part", None, None)
    selection.select_mention(selection.span_in(mention))


def _take_place(windows: Sequence[Window], word: int) -> None:
    """Turn to the window with the word that was clicked in the strip, even where a mention was
    clicked just before."""
    state.part, state.took_place = mentions.window_of(windows, word), True


def _credit_beside(reading: Reading, selected: Drawn | None) -> Explained:
    """What each metric gives the selected mention: of A and B, or of one towards recall and
    precision."""
    if selected is None or reading.together:
        return _credit(reading, selected)[1]
    (system,) = reading.systems
    document, span = reading.key.name, (selected.start, selected.end)
    return {side: reasons(system, side, document, span)[1] for side in ("recall", "precision")}


def _credit(reading: Reading, selected: Drawn | None) -> tuple[str, Explained]:
    """Towards what A and B earn by the selected mention, and what each metric gives them."""
    if not (reading.together and selected):
        return "recall", {}
    side = "recall" if selected.entities[mentions.KEY] else "precision"
    span = selected.start, selected.end
    name = reading.key.name
    return side, {s.letter: reasons(s, side, name, span)[1] for s in reading.systems}
