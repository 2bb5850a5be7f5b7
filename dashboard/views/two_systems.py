"""Two systems: which is better, where, and is it significant?"""

from functools import partial
from html import escape

import pandas as pd
import streamlit as st
from markupsafe import Markup

from corescore.analysis.error_table.facets import term
from corescore.analysis.errors.classes import slice_kinds
from corescore.analysis.errors.tables import BOTH_CORRECT, BOTH_WRONG, ONLY_A, ONLY_B, error_counts
from corescore.analysis.significance import SEED, TRIALS
from corescore.analysis.systems.documents import (
    A_MORE,
    B_MORE,
    BOTH_ALL,
    BOTH_PART,
    NOTHING,
    examples,
    most_different,
    most_unequal,
    one_per_entity,
)
from corescore.analysis.systems.pair import Evidence
from corescore.corpus.problems import PolicyError
from corescore.metrics import CONLL, CREDITED_IDS, ROW_IDS, colour_of, name_of
from corescore.plots.compare import parts
from corescore.plots.template import label
from corescore.rendering import exhibits
from corescore.rendering.columns import Column, columns_of
from corescore.rendering.exhibits import metrics_of
from corescore.rendering.html import rows_table
from corescore.rendering.text import Table
from corescore.scoring.tables import document_summary
from corescore.sentences import compare, credit
from corescore.sentences import runs as sentences_of_runs
from corescore.sentences.errors import KINDS_ARE, NAMES, REPEATED
from corescore.sentences.names import SLICE_NAMES
from corescore.wording import RATIOS, count
from dashboard.session.loaded import Loaded, how_to_load_second, loaded_systems
from dashboard.session.state import state
from dashboard.views import two_systems_argument, two_systems_shown
from dashboard.views.two_systems_shown import Shown, download_of
from dashboard.widgets import links, selection
from dashboard.widgets.charts import chart, clicked_points, exhibit, kept
from dashboard.widgets.error_counts import errors_behind, show_behind, show_kinds, slice_term
from dashboard.widgets.links import (
    error_url,
    linked_count,
    open_errors,
    rows_link,
)
from dashboard.widgets.page import (
    caution,
    headline,
    note,
    question,
    side_by_side,
    signature_to_copy,
    subtitle,
    tools,
)
from dashboard.widgets.selection import (
    is_linked,
    metric_among,
    note_other_metric,
    select_measure,
    select_metric,
    select_slice,
    switch,
    whole_number,
)
from dashboard.widgets.tables import table

# A against B document by document, under one metric -----------------------------------------------

TABS = ("scores and documents", "mentions and errors")
OF_MENTIONS = ("right_by", "listed", "credit_under", "errors_by")  # what links to the latter set

_BY_DOCUMENT = "One row per document: A, B, B − A and sizes"


@st.fragment
def show_strip(shown: Shown) -> None:
    """Who wins on which document; a click opens its text."""
    metric, of_metric = _of_metric(shown)
    made = exhibits.documents_of_two(of_metric, metric, shown.names)
    headline(made.sentence)
    note_other_metric(metric)
    exhibit(
        made,
        metric,
        *shown.names,
        key="documents_chart",
        on_select=lambda: links.choose_point("documents_chart"),
        rows=_BY_DOCUMENT,
    )
    links.link_to_clicked(shown.loaded, together=True)
    links.follow_elsewhere()


def _of_metric(shown: Shown) -> tuple[str, pd.DataFrame]:
    """The metric of all pages, and one row per document under it."""
    metric = metric_among(shown.metrics)
    rows = shown.documents[shown.documents["metric"] == metric]
    return metric, rows.drop(columns="metric").reset_index(drop=True)


def show_examples(shown: Shown) -> None:
    """Mentions that only A and only B has correct, in context, each a link to the text."""
    metric = metric_among(CREDITED_IDS)
    mentions, titles = two_systems_shown.mentions(shown.loaded, metric), shown.loaded.titles
    headline(compare.statuses(mentions["outcome"].value_counts(), titles))
    with st.container(key="examples"):
        for place, letter, rows in zip(
            st.columns(2, gap="medium"), "AB", examples(mentions).values(), strict=True
        ):
            amid = two_systems_shown.with_words_around(shown.loaded, rows)
            mentions_linked = [
                (
                    row["document"],
                    rows_link(
                        row["around"] or row["mention"],
                        links.mention_url(row["document"], row["start"], row["end"]),
                    ),
                )
                for row in amid.to_dict("records")
            ]
            head = f"Only {titles[letter]} is correct"
            with place:
                st.html(rows_table(head, ("document", head), mentions_linked, words=(1,)))


@st.fragment
def show_documents(shown: Shown) -> None:
    """The scores of each document, and on how many A and B are ahead."""
    subtitle("Document by document")
    metric, of_metric = _of_metric(shown)
    left, right = st.columns([1.15, 1], gap="medium")
    with right:
        exhibit(exhibits.wins(shown.significance), *shown.names, key="wins")
        note(compare.sign_test(metric, shown.significance.T[metric]))
    # One row per document; a click on it opens its text.
    summary = document_summary(shown.pair.a)
    sizes = summary[["words", "key_mentions", "key_entities"]]
    rows = of_metric.join(sizes, on="document")
    rows = rows.sort_values("difference", ascending=False, kind="stable")
    score = f"{name_of(metric)} {RATIOS[shown.measure]}, percent"
    with left:
        table(
            Table(rows, columns_of("documents of two systems", score=score)),
            key="documents_table",
            on_select=lambda: links.choose_row("documents_table", rows["document"].to_list()),
            alt=f"{_BY_DOCUMENT}. Click a row to open its text.",
        )
    download_of(shown, shown.documents, "documents")
    links.follow_elsewhere()


# Which errors A and B make, and where B makes more ------------------------------------------------


def show_errors(shown: Shown) -> None:
    """How many errors of each kind either makes; why not, where mentions are listed twice."""
    subtitle("Errors of each kind")
    try:
        of_kind = shown.pair.errors
    except PolicyError:
        note(REPEATED)
        return
    made = exhibits.errors_of_two(of_kind)
    headline(made.sentence)
    exhibit(made, *shown.names, key="errors", on_select=lambda: take_kind(shown))
    note(KINDS_ARE)
    show_kinds(shown.loaded.systems)
    download_of(shown, of_kind.reset_index(), "errors")
    show_differences(shown)


def take_kind(shown: Shown) -> None:
    """List the errors of the kind and the system that were clicked."""
    for letter, kind in clicked_points("errors")[:1]:
        system = shown.loaded.system(letter)
        open_errors(term("kind", kind), system, label=f"The {NAMES[kind]} of {letter}")


@st.fragment
def show_differences(shown: Shown) -> None:
    """How many more errors of each kind B has than A, in each document or slice."""
    by = selection.pick(
        "errors_by",
        ["document", *slice_kinds(shown.loaded.key)],
        called=lambda name: SLICE_NAMES.get(name, name),
    )
    differences = two_systems_shown.errors(shown.loaded, by=by)
    rows = most_different(differences)
    if rows.empty:
        note("A and B make as many errors of each kind everywhere.")
        return
    slices = Column(SLICE_NAMES.get(by, by), of=(by,), width=134)
    cell = table(
        Table(rows.reset_index(), [slices, *columns_of("differences of errors")]),
        most=8,
        key=f"errors_by {by}",
        on_select=lambda: None,  # the run that follows shows what was clicked
        alt="How many more errors of each kind B has than A, one row per document or slice.",
    )
    if cell and cell[1] in differences.columns:
        within = slice_term(by, str(rows.index[cell[0]]))
        show_kinds(shown.loaded.systems, within, [cell[1]])
    else:
        note("Click a number to list the mentions of A and of B with these errors.")
    download_of(shown, differences.reset_index(), "errors-by", by)


# Mentions that only one system has correct, or none: the way to the errors behind them ------------

ABOUT = (
    "By status, click a part for its mentions with errors: B’s if only A is correct, A’s if only "
    "B is. If both are wrong, switch between them with “Errors of”. By a metric, parts cannot be "
    "clicked: a mention without an error earns less if others of its entity have one."
)

TABLE = "As a table, with links to the mentions"


def open_behind(loaded: Loaded, key: str, by: str = "") -> None:
    """List the errors behind the part of a bar that was clicked; `by`: of which slices."""
    for name, outcome in clicked_points(key)[:1]:
        for letter, find in errors_behind(outcome, slice_term(by, name) if by else "")[:1]:
            label = f"The mentions with errors of {letter}, {outcome}{f', “{name}”' if by else ''}"
            open_errors(find, loaded.system(letter), label=label)


def _number(loaded: Loaded, by: str, name: str, outcome: object, n: int) -> str:
    """How many mentions; a link to the errors of the system that has any, or to those of A and
    another to those of B."""
    queries = errors_behind(str(outcome), slice_term(by, name)) if n else []
    if len(queries) == 1:
        ((letter, find),) = queries
        return linked_count(n, find, loaded.system(letter))
    of_each = [
        rows_link(f"of {letter}", error_url(find, loaded.system(letter)))
        for letter, find in queries
    ]
    return Markup(" ").join([count(n), *of_each])


# A against B mention by mention: who earns more, in each slice, and where they differ most --------

MOST_LISTED = 300  # rows

STATUS = "status"

_mention_parts = kept(parts)

# What the parts of a bar are, and what stands over their numbers.
BY_CREDIT = {A_MORE: "A", BOTH_ALL: "all", BOTH_PART: "part", NOTHING: "none", B_MORE: "B"}

BY_STATUS = {ONLY_A: "A", BOTH_CORRECT: "both", BOTH_WRONG: "neither", ONLY_B: "B"}

MEANING = (
    "By a metric: who earns the larger share of the mention’s possible credit, towards precision "
    "if "
    "that is the measure, otherwise towards recall. "
    f"By status: who has it correct. {compare.CORRECT_MEANS}"
)


@st.fragment
def show_mentions(shown: Shown) -> None:
    """Who earns more by the mentions, under each metric and in each slice; who has them correct."""
    subtitle("Mention by mention")
    side = "precision" if shown.measure == "precision" else "recall"
    with side_by_side():
        options = [*CREDITED_IDS, *([STATUS] if side == "recall" else [])]
        compared_by = select_metric("right_by", options)
        by = select_slice(shown.loaded.key)
    credited = "lea" if compared_by == STATUS else compared_by
    mentions = two_systems_shown.mentions(shown.loaded, credited, side=side)
    status = mentions["outcome"].value_counts()
    by_metric = two_systems_shown.verdicts(shown.loaded, side=side)
    # Who earns more, by the measure shown: of F1 towards both recall and precision.
    sides = [side for side in ("recall", "precision") if shown.measure in (side, "f1")]
    sentences = [
        compare.mentions(
            credited, two_systems_shown.verdicts(shown.loaded, side=side).T[credited], side=side
        )
        for side in sides
    ]
    if "recall" in sides:
        sentences.append(compare.statuses(status, shown.loaded.titles))
    sentence = " ".join(sentences)
    headline(sentence)
    left, right = st.container(key="mention_by_mention").columns(2, gap="medium")
    with left:
        metrics = list(CREDITED_IDS)
        show_parts(shown, by_metric.loc[metrics], BY_CREDIT, metrics, f"By metric. {sentence}")
        if side == "recall":
            by_status = status.to_frame(STATUS).T
            show_parts(shown, by_status, BY_STATUS, [STATUS], f"By status. {sentence}")
            show_behind(shown.loaded)
    with right:
        column, heads = ("outcome", BY_STATUS) if compared_by == STATUS else ("verdict", BY_CREDIT)
        slices = error_counts(mentions, column=column, by=by)
        slices = slices[slices.any(axis=1)]
        alt = f"The same for mentions by {SLICE_NAMES[by]}."
        if not slices.empty:
            show_parts(shown, slices, heads, [compared_by] * len(slices), alt, by)
            if compared_by == STATUS:
                ordered = slices.reindex(columns=list(heads), fill_value=0)
                with st.expander(TABLE):
                    number = partial(_number, shown.loaded, by)
                    rows = [
                        [str(name), *(number(str(name), o, n) for o, n in row.items())]
                        for name, row in ordered.iterrows()
                    ]
                    caption, head = f"Mentions of the key by {SLICE_NAMES[by]}", SLICE_NAMES[by]
                    st.html(rows_table(caption, [head, *map(str, ordered)], rows, words=(0,)))
    note(f"{MEANING} {ABOUT} {credit.not_told()}".strip())
    name = "mentions", *([side] if side == "precision" else []), credited
    download_of(shown, mentions, *name)
    links.follow_elsewhere()


def show_parts(
    shown: Shown,
    counts: pd.DataFrame,
    heads: dict[str, str],
    coloured_as: list[str],
    alt: str,
    by: str = "",
) -> None:
    """How many mentions of each row are of which kind; `by` what the rows are slices."""
    counts = counts.reindex(columns=list(heads), fill_value=0)
    rows = [
        escape(str(name)) if by else (f"<b>{STATUS}</b>" if name == STATUS else label(name))
        for name in counts.index
    ]
    called = ("mentions-by", by) if by else ("mentions", *dict.fromkeys(coloured_as))
    key = f"parts {' '.join(called)}"
    chart(
        _mention_parts(
            counts,
            rows,
            [colour_of(name) if name in ROW_IDS else CONLL.colour for name in coloured_as],
            heads=list(heads.values()),
        ),
        *called,
        *shown.names,
        key=key,
        on_select=partial(open_behind, shown.loaded, key, by),
        alt=alt,
        rows=TABLE
        if by and heads is BY_STATUS
        else lambda: Table(counts.rename_axis(by or "metric").reset_index()),
    )


@st.fragment
def show_most_unequal(shown: Shown) -> None:
    """The mentions, or the entities of the key, of which A and B earn most unequally."""
    subtitle("Where they differ most")
    with side_by_side():
        listed = switch("listed")
        links.link_to_clicked(shown.loaded, together=True)
    metric = metric_among(CREDITED_IDS)
    make = two_systems_shown.entities if listed == "entities" else two_systems_shown.mentions
    unequal = most_unequal(make(shown.loaded, metric))
    if silent := credit.not_told():
        note(silent)
    each = one_per_entity(unequal)
    headline(compare.unequal(metric, listed, unequal, n_entities=len(each), most=MOST_LISTED))
    note_other_metric(metric)
    if unequal.empty:
        return
    rows = two_systems_shown.with_words_around(shown.loaded, each.head(MOST_LISTED))
    spans = list(zip(rows["start"].tolist(), rows["end"].tolist(), strict=True))
    widget = f"unequal {listed} {metric}"
    table(
        Table(rows, two_systems_shown.unequal_columns(listed)),
        most=8,
        key=widget,
        on_select=lambda: links.choose_row(widget, rows["document"].to_list(), spans),
        alt=f"The {listed} whose credit differs most between A and B, one row per entity. "
        "Click a row for the text.",
    )
    download_of(shown, unequal, f"unequal-{listed}", metric)
    links.follow_elsewhere()


def page() -> None:
    """Compare systems A and B."""
    loaded = loaded_systems()
    place = question("Which is better, where, and is it significant?")
    if len(loaded.systems) < 2:
        headline(how_to_load_second(loaded))
        return
    shown, evidence = select(loaded)
    over = two_systems_argument.compared(loaded, trials=shown.pair.trials, seed=shown.pair.seed)
    with place:
        # What follows from the comparison, or that nothing does.
        headline(compare.conclusion(evidence, shown.loaded.titles))
        if system := two_systems_argument.only_system(shown.loaded):
            caution(sentences_of_runs.of_one_system(system))
        for warning in shown.pair.warnings:
            caution(warning)
        if over:
            two_systems_argument.show_answer(over, evidence.metric, shown.measure)
    if state.compared == TABS[0]:
        show_scores(shown)
        show_strip(shown)
        show_examples(shown)
        two_systems_argument.show(shown, evidence, over)
        # The averages of each, and how the chart and its numbers are read.
        if beside := compare.averages(shown.pair.a, shown.pair.b, shown.measure):
            note(beside)
        note(compare.how_to_read(shown.pair.randomisation))
        every = shown.significance.reset_index()
        download_of(shown, every, "a-and-b", shown.measure, signed=True)
        show_documents(shown)
    else:
        show_mentions(shown)
        show_most_unequal(shown)
        show_errors(shown)
        signature_to_copy(shown.pair.signature, key="behind")


def select(loaded: Loaded) -> tuple[Shown, Evidence]:
    """The measure and the primary metric; how often, and from which seed, the responses are
    exchanged at random."""
    with tools():
        measure = select_measure()
        metrics = metrics_of(measure)
        metric = select_metric("primary", metrics, first=metrics[-1], label_visibility="collapsed")
        with st.popover("Test"):
            trials = whole_number("trials", TRIALS)
            seed = whole_number("chance", SEED)
        asked = is_linked(OF_MENTIONS)
        switch("compared", TABS, default=TABS[asked])
    evidence = two_systems_shown.evidence(loaded, metric, measure=measure, trials=trials, seed=seed)
    pair = two_systems_shown.pair(loaded, trials=trials, seed=seed)
    return Shown(loaded, pair, measure), evidence


def show_scores(shown: Shown) -> None:
    """Both under each metric, as a chart and in numbers."""
    titles, names, measure = shown.loaded.titles, shown.names, shown.measure
    made = exhibits.scores_of_two(shown.pair, titles, shown.opposed, measure=measure, names=names)
    headline(made.sentence)
    exhibit(made, measure, *names, key="dumbbells")
