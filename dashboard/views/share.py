"""Share, below the link and the format of charts: the scores, a report and all tables."""

from dataclasses import dataclass, replace
from datetime import date
from functools import partial

import streamlit as st

from corescore.analysis.scorers import equal_here
from corescore.corpus.problems import PolicyError
from corescore.metrics import CONLL, SCORE_IDS
from corescore.rendering.report import report
from corescore.rendering.report.archive import archive, score_report
from corescore.rendering.report.credit import MOST_PASSAGES
from corescore.rendering.scores import as_latex, as_markdown, report_frame
from corescore.rendering.tables import KINDS, file_name
from corescore.rendering.text import latex
from corescore.sentences.policies import statement
from dashboard.session.loaded import Loaded, loaded_systems
from dashboard.session.state import Slot, State
from dashboard.views.which_scorer import rescored
from dashboard.widgets.charts import is_wanted
from dashboard.widgets.links import link_to_view
from dashboard.widgets.page import clicked, note, offer, say, subtitle
from dashboard.widgets.selection import bound, chosen_beforehand, pills, select_metric, switch

SECTIONS = {section.id: section for section in report.SECTIONS}
FILES = {kind.title: kind for kind in KINDS}
HEIGHT = 220  # pixels of the scores
ABOUT_REPORT = (
    "One HTML file with the tables and charts, to read offline, to print or to send. It fetches "
    "nothing and sends nothing."
)
ABOUT_TABLES = (
    "Scores, documents, mentions and errors as CSV, JSON and Parquet, fractions unrounded. "
    "“Download” under a table of a page has that table alone."
)


ENDINGS = {"LaTeX": "tex", "Markdown": "md"}  # of the scores as text


@dataclass(frozen=True)
class Request:
    """What a report is made of; `systems` tells their files and policies from any others."""

    systems: str
    primary: str
    beforehand: bool
    sections: tuple[str, ...]
    documents: tuple[str, ...]
    date: str


@dataclass(frozen=True)
class Made:
    """A report that was made, and what it was made of."""

    request: Request
    html: bytes


class _State(State):
    """The report that was made last."""

    report = Slot[Made | None](None)


_state = _State()


@st.fragment
def show() -> None:
    """What can be downloaded of what is loaded."""
    loaded = loaded_systems()
    subtitle("The scores for a paper")
    show_scores(loaded)
    show_statement(loaded)
    subtitle("A report")
    note(ABOUT_REPORT)
    show_report(loaded)
    subtitle("Every table")
    note(ABOUT_TABLES)
    name = f"{file_name('tables', *loaded.names.values())}.zip"
    data = partial(archive, subject_of(loaded))
    offer("Download all tables (ZIP)", data, name, "application/zip")
    subtitle("A perturbed response")
    link_to_view("perturb", "Perturb a response, and download it there")


def subject_of(loaded: Loaded) -> report.Subject:
    """What is loaded, for a report."""
    return report.Subject(loaded.key_name, loaded.key, loaded.systems)


# The report ---------------------------------------------------------------------------------------


def show_report(loaded: Loaded) -> None:
    """Select what is in the report, make it, and download it."""
    request = select(loaded)
    if clicked("Make the report", key="make_report", type="primary", disabled=not request.sections):
        make_report(loaded, request)
    made = _state.report
    if made and made.request == request:
        label = f"Download the report ({len(made.html) / 1e6:.1f} MB)"
        name = f"{file_name('report', *loaded.names.values())}.html"
        offer(label, lambda: made.html, name, "text/html")


def select(loaded: Loaded) -> Request:
    """The primary metric of two systems, as on Compare, which has the boxes itself; the sections,
    and the documents whose passages are shown."""
    primary, beforehand = CONLL.id, False
    if _state.page == "Compare":
        primary, beforehand = _state.primary or primary, _state.beforehand
    elif len(loaded.systems) > 1:
        primary = select_metric("primary", SCORE_IDS, first=CONLL.id)
        beforehand = chosen_beforehand()
    possible = [name for name, one in SECTIONS.items() if one.takes(len(loaded.systems))]
    sections = pills(
        "sections",
        possible,
        default=[name for name in possible if not SECTIONS[name].on_demand],
        format_func=str.capitalize,
        wrap=True,
    )
    documents: list[str] = st.multiselect(
        options=[document.name for document in loaded.key],
        max_selections=MOST_PASSAGES,
        **bound("passages", {"disabled": "credit" not in sections}),
    )
    systems = repr([(system.stamps, system.result.policies) for system in loaded.systems])
    chosen = tuple(sections), tuple(documents)
    return Request(systems, primary, beforehand, *chosen, date.today().isoformat())


def make_report(loaded: Loaded, request: Request) -> None:
    """Make the report and keep it for the download; say why if it cannot be made."""
    subject = replace(
        subject_of(loaded),
        documents=request.documents,
        primary=request.primary,
        beforehand=request.beforehand,
    )
    sections = report.choose_sections(request.sections, subject)
    titles = [section.title for section in sections]
    bar = st.progress(0.0, "Making the report")
    try:
        text = report.make(
            subject,
            sections,
            date=request.date,
            step=lambda title: bar.progress(titles.index(title) / len(titles), title),
        )
    except PolicyError as error:
        say(f"The report cannot be made: {error}.", "problems")
        return
    finally:
        bar.empty()
    _state.report = Made(request, text.encode())


# The scores ---------------------------------------------------------------------------------------


def show_scores(loaded: Loaded) -> None:
    """The score table as text to copy, or as a file."""
    selected = switch("scores_as", [*ENDINGS, *FILES], default="LaTeX", wrap=True)
    scores = score_report(subject_of(loaded))
    name = file_name("scores", *loaded.names.values())
    if selected in ENDINGS:
        written = as_latex(scores) if selected == "LaTeX" else as_markdown(scores)
        st.code(written, language=None, height=HEIGHT)
        file = f"{name}.{ENDINGS[selected]}"
        offer(f"Download {file}", lambda: written, file, "text/plain")
        return
    kind, frame = FILES[selected], report_frame(scores)
    st.dataframe(frame, height=HEIGHT, hide_index=True, alt="The rows of the file, unrounded.")
    file = f"{name}.{kind.ending}"
    offer(f"Download {file}", partial(kind.write, frame, loaded.signature), file, kind.mime)


def show_statement(loaded: Loaded) -> None:
    """How it was scored, as a paragraph for a paper."""
    with st.expander("How it was scored, as a paragraph for a paper"):
        if not is_wanted(loaded, "Find the scorers that print the same numbers", key="statement"):
            return
        system = loaded.systems[0]
        equal = equal_here(rescored(loaded)[system.name], system.result)
        paragraph = statement(system.result, equal=equal)
        st.code(paragraph, language=None, wrap_lines=True)
        st.code(latex(paragraph), language=None, wrap_lines=True)
