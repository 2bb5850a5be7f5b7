"""Documents: where is it bad?"""

import pandas as pd
import streamlit as st

from corescore.analysis.errors.span_errors import apart
from corescore.metrics import METRIC_IDS, name_of
from corescore.plots import scores as score_plots
from corescore.scoring.tables import document_differences, document_summary
from corescore.sentences import scores as sentences
from corescore.wording import in_percent
from dashboard.session import analyses
from dashboard.session.loaded import Loaded, loaded_systems
from dashboard.widgets import selection, text_link
from dashboard.widgets.charts import chart
from dashboard.widgets.page import headline, note, signature, title
from dashboard.widgets.tables import Columns, download, table

_SIZES = {"words": "words", "key_mentions": "mentions", "key_entities": "entities"}
_TWINLESS = {"missing_mentions": "missing", "spurious_mentions": "spurious"}
_ERRORS = {"span_errors": "span errors", **_TWINLESS}
_INCLUDED = "without those with a span error, which the downloaded table includes"
_HELP = {
    "span_errors": "mentions with other words than in the key",
    "missing_mentions": f"only the key has them; {_INCLUDED}",
    "spurious_mentions": f"only the response has them; {_INCLUDED}",
}
_SCORES = (*METRIC_IDS, "conll")
_HEADS = {metric: name_of(metric) for metric in METRIC_IDS} | {"conll": "CoNLL"}


def page() -> None:
    """Draw the page."""
    loaded = loaded_systems()
    head = title("Where is it bad?")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        letter = selection.select_letter("Scores of", loaded)
        metric = selection.select_metric("Compared by", _SCORES, key="by", first="conll", width=180)
        named = st.text_input(
            "Search by name", key="named", bind="query-params", width=200, live=True
        )
        text_link.link_to_clicked(loaded)
    sentence = _sentence(loaded, letter, metric)
    with head:
        headline(sentence)
    summaries = {
        s.letter: document_summary(s.result).assign(span_errors=analyses.span_errors(s))
        for s in loaded.systems
    }
    found = summaries[letter].index.str.contains(named, case=False, regex=False)
    summaries = {letter: summary[found] for letter, summary in summaries.items()}
    if not found.any():
        note("No document name contains this. Clear the box to see all.")
    _show_documents(loaded, summaries[letter], metric)
    download(
        summaries[letter].reset_index(),
        loaded.signature,
        *("documents", loaded.system(letter).name),
    )
    _show_sizes(loaded, summaries, metric, sentence)
    signature(loaded.signature)
    text_link.follow()


def _sentence(loaded: Loaded, letter: str, metric: str) -> str:
    system, results = loaded.system(letter), loaded.results
    sentence = sentences.weakest_document(system.title, system.result, metric)
    if "B" in results:
        sentence += " " + sentences.document_wins(results["A"], results["B"], metric)
    return sentence


def _show_documents(loaded: Loaded, summary: pd.DataFrame, metric: str) -> None:
    """A row for each document; a click on it opens its text."""
    summary, results = apart(summary, _TWINLESS), loaded.results
    shown = in_percent(summary[[*_SIZES, *_SCORES, *_ERRORS]], _SCORES)
    if "B" in results:
        differences = in_percent(document_differences(results["A"], results["B"]), [metric])
        at = len(_SIZES) + len(_SCORES)
        shown.insert(at, "difference", differences.loc[shown.index, metric])
    table(
        shown.rename_axis("document").reset_index(),
        _columns(metric),
        key="document_table",
        on_select=lambda: text_link.choose_row("document_table", list(shown.index)),
        alt="A row for each document: sizes, F1 under each metric in percent, mentions with a span "
        "error, missing and spurious mentions. A click on a row opens its text.",
    )


def _columns(metric: str) -> Columns:
    number = st.column_config.NumberColumn
    return {
        "document": st.column_config.TextColumn(width=150, pinned=True),
        **{n: number(word, width=68, help=f"{word} of the key") for n, word in _SIZES.items()},
        **{name: number(_HEADS[name], format="%.2f", width=66, help="F1 %") for name in _SCORES},
        "difference": number("B − A", format="%+.2f", width=68, help=name_of(metric)),
        **{n: number(word, width=76, help=_HELP[n]) for n, word in _ERRORS.items()},
    }


def _show_sizes(
    loaded: Loaded, summaries: dict[str, pd.DataFrame], metric: str, sentence: str
) -> None:
    size = st.segmented_control(
        "Scores against the number of",
        list(_SIZES),
        default="words",
        required=True,
        format_func=_SIZES.__getitem__,
        key="across",
        bind="query-params",
    )
    chart(
        score_plots.size_against_score(
            summaries, size=size, size_title=_SIZES[size], metric=metric
        ),
        *("documents", metric, *loaded.names.values()),
        key="document_chart",
        on_select=lambda: text_link.choose_point("document_chart"),
        alt=f"{name_of(metric)} F1 of each document against its {_SIZES[size]}. {sentence}",
    )
