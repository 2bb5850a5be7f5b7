"""Documents: where is it bad?"""

from typing import Any

import streamlit as st

from corescore.metrics import METRIC_IDS, name_of
from corescore.plots import charts
from corescore.rendering import html as markup
from corescore.scoring.tables import document_differences, document_summary
from corescore.sentences import scores as sentences
from corescore.wording import in_percent
from dashboard.session import state
from dashboard.widgets import downloads as take_along
from dashboard.widgets import selection
from dashboard.widgets import text_link as to_text

SIZES = {"words": "words", "key_mentions": "mentions", "key_entities": "entities"}
ERRORS = {"missing_mentions": "missing", "spurious_mentions": "spurious"}
SCORES = (*METRIC_IDS, "conll")
HEADS = {metric: name_of(metric) for metric in METRIC_IDS} | {"conll": "CoNLL"}
ROW = 32


def columns() -> dict[str, Any]:
    """How the table's columns are headed and written."""
    number = st.column_config.NumberColumn
    side = "of the key"
    return {
        "document": st.column_config.TextColumn(width=150, pinned=True),
        **{name: number(SIZES[name], width=68, help=f"{SIZES[name]} {side}") for name in SIZES},
        **{name: number(HEADS[name], format="%.2f", width=66, help="F1 %") for name in SCORES},
        "difference": number("B − A", format="%+.2f", width=68, help=name_of(metric)),
        **{name: number(ERRORS[name], width=72, help="mentions") for name in ERRORS},
    }


loaded = state.loaded()
results = loaded.results
summaries = {s.letter: document_summary(loaded.key, s.result) for s in loaded.systems}
signature = markup.paragraph(loaded.signature, "signature")
chosen = st.session_state.get("chosen_document")

st.title("Where is it bad?", anchor=False)
headline = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    letter = selection.select_letter("Scores of", loaded)
    metric = st.selectbox(
        "Compared by",
        SCORES,
        index=SCORES.index("conll"),
        format_func=name_of,
        key="by",
        bind="query-params",
        persist_state="session",
        filter_mode=None,
        width=180,
    )
    wanted = st.text_input("Search by name", key="named", bind="query-params", width=200, live=True)
    if chosen in loaded.key.by_name:
        to_text.link(f"Read {chosen}", chosen)

system = loaded.system(letter)
sentence = sentences.weakest_document(system.title, system.result, metric)
if "B" in results:
    sentence += " " + sentences.document_wins(results["A"], results["B"], metric)
headline.html(markup.paragraph(sentence, "headline"))

shown = in_percent(summaries[letter][[*SIZES, *SCORES, *ERRORS]], SCORES)
if "B" in results:
    difference = in_percent(document_differences(results["A"], results["B"]), [metric])[metric]
    shown.insert(len(SIZES) + len(SCORES), "difference", difference)
shown = shown[shown.index.str.contains(wanted, case=False, regex=False)]
if shown.empty:
    st.html(markup.paragraph("No document's name has that. Clear the box to see all.", "note"))
st.dataframe(
    shown.rename_axis("document").reset_index(),
    height=ROW * min(11, 1 + max(1, len(shown))) + 3,
    row_height=ROW,
    column_config=columns(),
    hide_index=True,  # an index cannot be clicked
    key="document_table",
    selection_mode="single-cell",
    on_select=lambda: to_text.choose("document_table", list(shown.index)),
    alt="A row for each document: sizes, F1 under each metric in percent, missing and spurious. "
    "A click on a row opens its text.",
)
take_along.table(
    summaries[letter].loc[shown.index].reset_index(), loaded.signature, "documents", system.name
)

size = st.segmented_control(
    "Scores against the number of",
    list(SIZES),
    default="words",
    required=True,
    format_func=SIZES.__getitem__,
    key="across",
    bind="query-params",
)
st.plotly_chart(
    charts.size_against_score(
        {name: summary.loc[shown.index] for name, summary in summaries.items()},
        size=size,
        size_title=SIZES[size],
        metric=metric,
    ),
    config=take_along.pictures("documents", metric, *(s.name for s in loaded.systems)),
    key="document_chart",
    selection_mode="points",
    on_select=lambda: to_text.choose("document_chart", []),
    alt=f"{name_of(metric)} F1 of each document against its {SIZES[size]}. {sentence}",
)
st.html(signature)
to_text.follow()
