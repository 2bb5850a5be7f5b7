"""Export: can I take it along?"""

from collections.abc import Callable
from datetime import date
from functools import partial

import streamlit as st

from corescore.corpus.problems import PolicyError
from corescore.rendering import html as markup
from corescore.rendering.files import KINDS, file_name
from corescore.rendering.report import report
from corescore.rendering.report.passages import MOST_PASSAGES
from corescore.rendering.report.tables import archive, score_report
from corescore.rendering.scores import Report, as_latex, as_markdown, report_frame
from corescore.wording import counted, listed
from dashboard.session import state

SECTIONS = {section.id: section for section in report.SECTIONS}
TEXTS: dict[str, tuple[str, str, Callable[[Report], str]]] = {
    "LaTeX": ("tex", "latex", as_latex),
    "Markdown": ("md", "markdown", as_markdown),
}
FILES = {kind.title: kind for kind in KINDS}


def make_report() -> None:
    """Choose what is in the report; make it, with words on how far it is; offer it."""
    possible = [name for name, one in SECTIONS.items() if len(names) > 1 or not one.for_two]
    chosen = st.pills(
        "Sections",
        possible,
        selection_mode="multi",
        default=possible,
        format_func=str.capitalize,
        key="sections",
        wrap=True,
        bind="query-params",
    )
    documents = st.multiselect(
        "Documents whose passages are shown with their credit",
        [document.name for document in loaded.key],
        max_selections=MOST_PASSAGES,
        placeholder="The two with the most incorrectly resolved mentions",
        key="passages",
        bind="query-params",
        disabled="credit" not in chosen,
    )
    wanted = (systems, tuple(chosen), tuple(documents), date.today().isoformat())
    if st.button("Make the report", type="primary", disabled=not chosen):
        keep_report(wanted)
    made = st.session_state.get("report")
    if made and made[0] == wanted:
        st.download_button(
            f"Download the report ({len(made[1]) / 1e6:.1f} MB)",
            made[1],
            file_name=f"{file_name('report', *names)}.html",
            mime="text/html",
            on_click="ignore",
        )


def keep_report(wanted: tuple[object, tuple[str, ...], tuple[str, ...], str]) -> None:
    """Make the report and keep it for the button; say why if it cannot be made."""
    _, chosen, documents, made_on = wanted
    of = report.Subject(loaded.key_name, loaded.key, loaded.systems, documents)
    sections = report.choose_sections(chosen, of)
    titles = [section.title for section in sections]
    bar = st.progress(0.0, "Making the report")
    try:
        text = report.make(
            of,
            sections,
            date=made_on,
            step=lambda title: bar.progress(titles.index(title) / len(titles), title),
        )
    except PolicyError as error:
        st.html(markup.paragraph(f"The report cannot be made: {error}.", "problems"))
        return
    finally:
        bar.empty()
    st.session_state["report"] = (wanted, text.encode())


def show_scores() -> None:
    """The score table as text to copy, or as a file."""
    kind = st.segmented_control(
        "The score table as",
        [*TEXTS, *FILES],
        default="LaTeX",
        required=True,
        key="scores_as",
        wrap=True,
        bind="query-params",
    )
    scores = score_report(subject)
    name = file_name("scores", *names)
    if kind in TEXTS:
        ending, language, write = TEXTS[kind]
        text = write(scores)
        st.code(text, language=language, height=286)
        offer(f"Download {name}.{ending}", text, f"{name}.{ending}", "text/plain")
        return
    chosen, frame = FILES[kind], report_frame(scores)
    st.dataframe(frame, height=286, hide_index=True, alt="The rows of the file, unrounded.")
    data = partial(chosen.write, frame, loaded.signature)
    offer(f"Download {name}.{chosen.ending}", data, f"{name}.{chosen.ending}", chosen.mime)


def offer(label: str, data: str | Callable[[], str | bytes], name: str, mime: str) -> None:
    """A button that downloads a file."""
    st.download_button(label, data, file_name=name, mime=mime, on_click="ignore")


loaded = state.loaded()
names = [system.name for system in loaded.systems]
systems = repr([(system.stamps, system.result.policies) for system in loaded.systems])
subject = report.Subject(loaded.key_name, loaded.key, loaded.systems)
st.title("Can I take it along?", anchor=False)
titles = listed(system.title for system in loaded.systems)
sentence = (
    f"What the pages say of {titles} on {counted(len(loaded.key), 'document')} leaves as one "
    "report, as tables, as pictures and as a link. The report and each table carry the line that "
    "says how it was scored."
)
st.html(markup.paragraph(sentence, "headline"))
left, right = st.columns(2, gap="large")
with left:
    st.subheader("A report", anchor=False)
    about = (
        "One HTML file with the tables and charts, to read without a network, to print or to send. "
        "It fetches nothing and sends nothing."
    )
    st.html(markup.paragraph(about, "note"))
    make_report()
with right:
    st.subheader("The scores for a paper", anchor=False)
    show_scores()
st.html(markup.paragraph(loaded.signature, "signature"))

tables, pictures, links = st.columns(3, gap="large")
with tables:
    st.subheader("Every table", anchor=False)
    about = (
        "Scores, documents, mentions and errors as CSV, JSON and Parquet, fractions unrounded. "
        "Under each table of a page, also of the sandbox, the cards and the metrics, “Download” "
        "has that table alone."
    )
    st.html(markup.paragraph(about, "note"))
    zip_name = f"{file_name('tables', *names)}.zip"
    offer("Download all tables (ZIP)", partial(archive, subject), zip_name, "application/zip")
with pictures:
    st.subheader("Every chart", anchor=False)
    about = (
        "The camera at the top right of a chart saves it as "
        f"{st.session_state.get('pictures', 'SVG')}; the side bar, under “Download and share”, has "
        "the other format. A picture keeps the theme it is seen in; the report is white."
    )
    st.html(markup.paragraph(about, "note"))
with links:
    st.subheader("The view, and changed outputs", anchor=False)
    about = (
        "“Download and share” in the side bar also copies the URL of the page as you see it. It "
        "holds what is selected, not the files: who opens it needs the same ones. Perturbed and "
        "edited outputs are downloaded where they are made."
    )
    st.html(markup.paragraph(about, "note"))
