"""Errors: what should be fixed first?"""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore import InputError
from corescore.analysis.error_table.facets import term
from corescore.analysis.error_table.notes import (
    Note,
    Notes,
    agreement,
    merged,
    notes_as_csv,
    notes_as_json,
    notes_of,
    tag_counts,
    tags_in,
    unknown_rows,
)
from corescore.analysis.errors.classes import INCORRECTLY_RESOLVED
from corescore.corpus.documents import Document
from corescore.rendering import html as markup
from corescore.rendering.html import Window, render
from corescore.rendering.panels import facts, gains
from corescore.rendering.tables import file_name
from corescore.sentences import errors as sentences
from corescore.wording import count, percent, signed
from dashboard.components import mentions
from dashboard.components.error_list import ErrorListing, show_list
from dashboard.components.mentions import STATUSES, THE_KEY
from dashboard.components.passage import passage, show_passage
from dashboard.session import analyses, scoring
from dashboard.session.loaded import Loaded, System, loaded_systems
from dashboard.session.notes import Kept, change_notes, keep_in_tab, kept_notes, noted
from dashboard.session.state import state, write_url
from dashboard.session.streamlit_inside import correct_url
from dashboard.views import credit, errors_list, text
from dashboard.views.errors_impact import PARAMETERS, show_impact
from dashboard.views.errors_list import (
    LIST,
    NAMES,
    Found,
    Scope,
    asked,
    has_arrived,
    last_report,
    take,
)
from dashboard.widgets import links, selection
from dashboard.widgets.links import error_url, rows_link
from dashboard.widgets.page import caution, headline, note, offer, question, side_by_side, tools
from dashboard.widgets.selection import switch, toggled
from dashboard.widgets.tables import download

# One error: what it is, the passage with both entities, the arithmetic, and what the fix gains ----

BEFORE, AFTER = 10, 60  # words of the passage on either side of the mention

Span = tuple[int, int]


def show_error(system: System, row: pd.Series, other: System | None) -> None:
    """Draw the panel of a row of the error table, with context; select its mention on every
    page.

    other  the system beside it
    """
    document, span = str(row["document"]), (int(row["start"]), int(row["end"]))
    if place := errors_list.mention_of(system, str(row["id"])):
        selection.select(*place)
    status = STATUSES[row["class"]].words
    every_fact = [*facts(row), *_in_other(other, row)]
    card = render("errors", "card", words=row["mention"], status=status, facts=every_fact)
    st.html(card + render("errors", "gains", rows=gains(row)))
    with st.container(horizontal=True, key="error_links"):
        # What only the response has earns precision.
        side = {"side": "precision"} if pd.isna(row["key_entity"]) else {}
        for page, also in (("text", {}), ("credit", side), ("entities", {})):
            name = page.capitalize()
            links.link_to(page, name, document, span, key=f"read_error_{page}", **also)
    _show_passage(system, document, span, str(row["id"]))
    _show_arithmetic(system, "recall", document, span)
    if pd.notna(row["response_start"]):
        span = int(row["response_start"]), int(row["response_end"])
        _show_arithmetic(system, "precision", document, span)


def _in_other(other: System | None, row: pd.Series) -> Iterator[tuple[str, str]]:
    """What the other system makes of the mention, and the antecedent that it gives it."""
    if other is None or "other" not in row.index:
        return
    document, side = str(row["document"]), mentions.FIRST
    every = text.drawn(other, document)
    here = mentions.find(every, (int(row["start"]), int(row["end"])))
    before = [
        one
        for one in every
        if here and side in one.lines and one.entities[side] == here.entities[side]
        if one.start < here.start
    ]
    sentence = str(row["other"]) if pd.notna(row["other"]) else errors_list.NOT_THERE
    if before:
        sentence += (
            f"; antecedent “{scoring.scored_response(other, document).text(before[-1].mention)}”"
        )
    yield f"in {other.letter}", sentence


def _show_passage(system: System, document: str, span: Span, row: str) -> None:
    """The text around the mention, or around one of its document that was clicked since."""
    every = text.drawn(system, document)
    key = text.longest_key([system], document)
    of_row, looked_at = state.errors_looked_at
    selected = mentions.find(every, looked_at if of_row == row else span)
    first_word = selected.start if selected else span[0]
    values = passage(
        key,
        every,
        every,
        _window(key, first_word),
        sides=[THE_KEY, system.letter],
        selected=selected,
        walks=False,
        documents=text.sides_of([system], key),
    )
    show_passage(values, key="error_passage", on_mention=partial(_look_at, row))


def _look_at(row: str, mention: str) -> None:
    if span := selection.span_in(mention):
        state.errors_looked_at = row, span


def _window(document: Document, word: int) -> Window:
    """Some words around a place, from the beginning of a sentence if one is near: few before it, so
    that it is in sight at once."""
    n_earlier = bisect_right(document.sentence_starts, max(0, word - BEFORE))
    start = document.sentence_starts[n_earlier - 1] if n_earlier else 0
    return Window(max(start, word - 3 * BEFORE, 0), min(len(document.words), word + AFTER))


def _show_arithmetic(system: System, side: str, document: str, span: Span) -> None:
    """What each metric gives the mention, where that side has it."""
    where, explanations = credit.reasons(system, side, document, span)
    if explanations:
        rows = [(one.metric, percent(one.share), one.sentence) for one in explanations]
        title = f"Credit towards {side}, percent"
        st.html(render("errors", "arithmetic", title=title, where=where, rows=rows))


# Notes on errors: tags of one's own and a text, kept beside the data or in the session ------------

_TAGS_HELP = "Choose a tag of yours or type a new one. The search finds it: tag:“…”."

_SEEN_HELP = (
    "Mentions that you have seen count in the comparison with another annotator, even without a "
    "tag or text. In the search: seen:yes."
)

# One error ----------------------------------------------------------------------------------------


def show_note(loaded: Loaded, system: System, row: str) -> None:
    """Draw the boxes for the note on an error, and where it is saved."""
    kept = kept_notes(loaded, system)
    given = kept.notes.by_id.get(row)
    had = given or Note(row)
    key = f"{state.notes_drawn} {system.letter} {row}"

    def saving(
        box: str, drawn: object, change: Callable[[Note, Any], Note | None]
    ) -> dict[str, Any]:
        """The key of a box, and what saves its change."""
        save = partial(_change, loaded, system, row, given, f"{box} {key}", drawn, change)
        return {"key": f"{box} {key}", "on_change": save}

    with st.container(key="error_note"):
        warning, state.note_changed_meanwhile = state.note_changed_meanwhile, ""
        if warning:
            caution(warning)
        st.multiselect(
            "Tags",
            sorted({*kept.notes.tags, *had.tags}),
            default=had.tags,
            accept_new_options=True,
            placeholder="such as “world knowledge”",
            help=_TAGS_HELP,
            **saving(
                "tags",
                [*had.tags],
                lambda note, tags: replace(note, tags=tags_in(", ".join(tags))),
            ),
        )
        st.text_area(
            "Note",
            had.text,
            height=70,
            **saving("text", had.text, lambda note, text: replace(note, text=text.strip())),
        )
        with side_by_side("center"):
            st.checkbox(
                "Seen",
                given is not None,
                help=_SEEN_HELP,
                **saving("seen", given is not None, lambda note, seen: note if seen else None),
            )
            if kept.problems:
                what = "The note could not be saved."
                st.html(markup.problem_list(kept.problems, kept=True, what=what))
            elif given is not None:
                st.caption(f"Saved in {kept.place}", width="content")


def _change(
    loaded: Loaded,
    system: System,
    row: str,
    before: Note | None,
    key: str,
    drawn: object,
    change: Callable[[Note, object], Note | None],
) -> None:
    """Save the change of a box to the note as it is saved by now.

    before, drawn  the note, and what the box held, when the boxes were drawn. A box that is left
                   while the next row is drawn counts as changed though it holds the same.
    """
    held = st.session_state[key]
    if held == drawn:
        return
    after = change(before or Note(row), held)

    def changed(notes: Notes) -> Notes:
        now = notes.by_id.get(row)
        new = after and merged(now or Note(row), before or Note(row), after)
        if now not in (before, new):
            state.note_changed_meanwhile = sentences.changed_meanwhile(now, new)
        return notes.with_note(new) if new else notes.without(row)

    change_notes(loaded, system, changed)
    state.notes_drawn += 1


# All of them --------------------------------------------------------------------------------------


def show_notes(loaded: Loaded, system: System) -> None:
    """Draw the tags with the errors that have them, and the ways in and out."""
    kept, table = kept_notes(loaded, system), analyses.every_error(system)
    here = kept.notes.of_rows(table["id"])
    keep_in_tab(loaded, system)
    with st.expander("Notes and tags", expanded=bool(here.tags)):
        if kept.problems:
            st.html(markup.problem_list(kept.problems, kept=True, what="The notes’ file is wrong."))
        n_tagged = sum(bool(one.tags) for one in here.by_id.values())
        n_all = int((~analyses.only_moved(system)).sum())
        headline(sentences.seen(len(here), n_tagged, n_all))
        if here.tags:
            counts = tag_counts(analyses.every_error(system), here)
            url = partial(error_url, system=system, moved=True)
            rows = [
                (tag, rows_link(count(n), url(term("tag", tag))), signed(cost / 100))
                for tag, n, cost in counts.itertuples(index=False, name=None)
            ]
            st.html(markup.rows_table("Tags", ["tag", "mentions", "CoNLL points"], rows))
        for warning in unknown_rows(kept.notes, table["id"], kept.place):
            note(warning)
        note(
            f"Notes are saved in {kept.place}, next to the response."
            if kept.path
            else "Notes are kept in this tab of the browser until it is closed: download them to "
            "keep them longer."
        )
        _show_files(loaded, system, kept)


def _show_files(loaded: Loaded, system: System, kept: Kept) -> None:
    name = file_name("notes", system.name)
    with st.container(horizontal=True):
        offer("Download notes as JSON", partial(notes_as_json, kept.notes), f"{name}.json")
        offer("as CSV", partial(notes_as_csv, kept.notes), f"{name}.csv")
    left, right = st.columns(2)
    with left:
        st.file_uploader(
            "Import notes",
            key="notes_in",
            help="Notes in JSON or CSV, or a list of errors that was exported as CSV. If a "
            "mention has a note in both, the imported note is kept.",
            on_change=partial(_import, loaded, system),
        )
        for sentence in state.notes_said:
            note(sentence)
        state.notes_said = ()
    with right:
        upload = st.file_uploader("Another annotator’s notes", key="notes_beside")
        # How far the notes agree with those in a second annotator's file.
        if not upload:
            return
        try:
            other = notes_of(upload.getvalue(), upload.name)
        except InputError as error:
            lines = str(error).splitlines()
            st.html(markup.problem_list(lines, kept=True, what="These notes cannot be read."))
            return
        ids = analyses.every_error(system)["id"]
        for warning in unknown_rows(other, ids, upload.name):
            note(warning)
        agreed = agreement(kept.notes.of_rows(ids), other.of_rows(ids))
        headline(sentences.agreement(agreed, upload.name))
        if agreed.rows:
            heads = ["tag", "both", "only here", "only there", "neither", "agree", "κ"]
            rows = sentences.agreement_rows(agreed)
            st.html(markup.rows_table("Agreement by tag", heads, rows))


def _import(loaded: Loaded, system: System) -> None:
    if not (upload := state.notes_in):
        return
    try:
        imported = notes_of(upload.getvalue(), upload.name)
    except InputError as error:
        state.notes_said = str(error).splitlines()
        return
    replaced = kept_notes(loaded, system).notes.of_rows(imported.by_id)
    change_notes(
        loaded, system, lambda notes: Notes.of([*notes.by_id.values(), *imported.by_id.values()])
    )
    ids = analyses.every_error(system)["id"]
    sentence = sentences.imported(len(imported), len(replaced))
    state.notes_said = [sentence, *unknown_rows(imported, ids, upload.name)]
    state.notes_drawn += 1


# The errors one by one: a search box, facets, the list, and the panel of the row that is open -----

AHEAD = 60  # rows sent before the one that is open

_STYLE = Path(__file__).with_name("errors.css")


@st.fragment
def show_errors(loaded: Loaded, system: System, head: DeltaGenerator, scope: Scope) -> None:
    """Draw the list and the panel; `head` is the place of the headline."""
    now, plain = asked(system), system
    system = noted(loaded, loaded.beside_other(system.letter))
    rows_found = errors_list.find(system, now.find, now.order, now.row, scope)
    every = analyses.every_error(system)
    place_of_row = errors_list.places_of_ids(system).get(now.row)
    metric = errors_list.metric_of_order(rows_found.order)
    gains = errors_list.gains(system, rows_found)
    only_moved = analyses.only_moved(system)
    n_all, n_moved = int((~only_moved).sum()), rows_found.n_moved
    n_found = len(rows_found.every) - n_moved * scope.moved
    sentence = sentences.found(
        system.title, n_all, n_found, metric, gains, n_moved=n_moved, are_listed=scope.moved
    )
    head.html(markup.headline(sentence))
    st.html(_STYLE)
    if now.row and place_of_row is None:
        note(sentences.not_here(now.row, system.title))
    with st.container(key="errors_body"):
        with st.container(key="errors_list"):
            report, version = last_report(), errors_list.list_version(system, rows_found)
            place = next(iter(np.flatnonzero(rows_found.places == place_of_row).tolist()), -1)
            # The first row that is sent: the one that the list wants, or one ahead of the open row.
            wanted = report.first if report.version == version else place - AHEAD
            first = max(0, min(wanted, len(rows_found.places) - 1))
            values = ErrorListing(
                find=now.find,
                order=rows_found.order,
                row=now.row,
                saved=now.saved,
                orders=errors_list.orders(system, rows_found.order),
                cost_head=errors_list.cost_head(rows_found.order),
                version=version,
                n=len(rows_found.places),
                n_mentions=len(rows_found.every),
                first=first,
                rows=errors_list.rows(system, rows_found, first),
                place=place,
                empty=sentences.nothing_listed(n_all, n_moved),
                facets=errors_list.facets(system, rows_found.find, scope),
                typed=report.typed,
                taken=report.number,
                completions=errors_list.completions(system, report.typed, report.cursor),
                problem=rows_found.problem,
                help=errors_list.help_entries(system),
            )
            show_list(values, key=LIST, on_told=partial(take, system, scope))
        if place_of_row is not None:
            with st.container(key="error_panel"):
                of_row = errors_list.with_context(system, every.iloc[[place_of_row]]).iloc[0]
                show_error(plain, of_row, system.other)
                show_note(loaded, plain, now.row)
        with st.container(key="errors_below"):
            file = "error-list", system.name
            download(
                partial(_every_found, system, rows_found), loaded.signature, *file, signed=True
            )
            if len(every):
                show_notes(loaded, plain)


def _every_found(system: System, rows_found: Found) -> pd.DataFrame:
    """The list as it is downloaded: the rows of the table, and the words around each."""
    rows = analyses.every_error(system).iloc[rows_found.every].reset_index(drop=True)
    return errors_list.with_context(system, rows)


ONE_BY_ONE, BY_KIND = "one by one", "by kind"

ONLY = {"only A wrong": "A", "only B wrong": "B"}  # what the other system has correct


def page() -> None:
    """Draw the page."""
    loaded = loaded_systems()
    head = question("What should be fixed first?")
    selection.rename_in_url("tab", "type", "kind")  # which has had a tab of its own
    _list_linked_kind()
    _open_linked_tab()
    controls = tools()
    tabs = [ONE_BY_ONE, *(ONLY if len(loaded.systems) > 1 else ()), BY_KIND]
    if state.tab and state.tab not in tabs:  # B was closed
        state.tab = ONE_BY_ONE
    with controls:
        tab = switch("tab", tabs)
        if tab in ONLY:
            state.letter = ONLY[tab]
        system = loaded.system(selection.select_letter("Errors of", loaded, disabled=tab in ONLY))
    if tab == BY_KIND:
        show_impact(loaded, system, head)
    else:
        with controls:
            # Correct mentions that a fix only moves, if there are any.
            is_moved_shown = bool(analyses.only_moved(system).any()) and toggled("moved")
        show_errors(loaded, system, head.empty(), Scope(is_moved_shown, tab in ONLY))


def _list_linked_kind() -> None:
    """List the errors of the kind that an old link names, or incorrectly resolved mentions."""
    if not (named := st.query_params.get("kind")):
        return
    kinds = {name: kind for kind, words in sentences.NAMES.items() for name in (kind, words)}
    kind = kinds.get(named.casefold())
    find = term("kind", kind) if kind else term("class", INCORRECTLY_RESOLVED)
    write_url({"kind": None, "find": find})
    state.tab = ONE_BY_ONE
    correct_url("tab", [])
    st.rerun()


def _open_linked_tab() -> None:
    """Where a link leads here: links that are older than the tabs select what is in the others;
    those that ask for errors open the first."""
    if not (has_arrived() and "tab" not in st.query_params):
        return
    for tab, names in ((ONE_BY_ONE, NAMES), (BY_KIND, PARAMETERS)):
        if selection.is_linked(names):
            state.tab = tab
            return
