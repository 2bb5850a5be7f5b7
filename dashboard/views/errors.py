"""Errors: what should be fixed first?"""

import pandas as pd
import streamlit as st

from corescore.analysis.errors.mention_tables import error_counts
from corescore.analysis.errors.mentions import INCORRECTLY_RESOLVED, text_of
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.summaries import gain_table
from corescore.corpus.documents import Mention
from corescore.corpus.problems import PolicyError
from corescore.metrics import HOW_MANY, METRIC_IDS
from corescore.plots import error_charts
from corescore.rendering import html as markup
from corescore.sentences import scores as sentences
from corescore.sentences.error_words import NAMES, WORDS
from corescore.sentences.names import SLICE_NAMES
from corescore.wording import RATIOS
from dashboard.session import state
from dashboard.widgets import downloads as take_along
from dashboard.widgets import selection
from dashboard.widgets import text_link as to_text

ROW = 32
MODES = {
    "alone": ("alone", "after fixing this kind and no other"),
    "in order": ("in_order", "after fixing the kinds above it"),
    "last": ("last", "after fixing all other kinds"),
    "share": ("share", "on average over all orders of fixing (Shapley value)"),
}


def kind_counts() -> dict[str, dict[str, int]]:
    """By kind, and for mentions that are incorrectly resolved: how many, by the system's letter."""
    counts: dict[str, dict[str, int]] = {kind: {} for kind in (*KINDS, INCORRECTLY_RESOLVED)}
    for of in loaded.systems:
        found = state.operations(of)["kind"].value_counts()
        for kind in KINDS:
            counts[kind][of.letter] = int(found[kind])
        counts[INCORRECTLY_RESOLVED][of.letter] = len(state.incorrectly_resolved(of))
    return counts


def examples_of(kind: str) -> tuple[pd.DataFrame, list[tuple[str, tuple[int, int]]]]:
    """A row for each error of a kind, and where in which text it is."""
    table = state.operations(system)
    table = table[table["kind"] == kind]
    fixes = WORDS[kind][2]
    rows = [
        (document, " · ".join(mentions), fixes.format(words_at(document, target)))
        for document, mentions, target in zip(
            table["document"], table["mentions"], table["target"], strict=True
        )
    ]
    places = [(row[0], spans[0]) for row, spans in zip(rows, table["spans"], strict=True)]
    return pd.DataFrame(rows, columns=["document", "mentions", "to mend it"]), places


def words_at(document: str, span: tuple[int, int] | None) -> str:
    """The words of a span of a document."""
    return texts[document].text(Mention(*span)) if span else ""


def incorrect_examples() -> tuple[pd.DataFrame, list[tuple[str, tuple[int, int]]]]:
    """A row for each incorrectly resolved mention, and where it is."""
    table = state.incorrectly_resolved(system)
    shown = table[["document", "mention"]].assign(
        **{
            "wrong partners, in the response": table["wrong_partners"].map(sentences.some),
            "right partners, in the key": table["right_partners"].map(sentences.some),
        }
    )
    spans = zip(table["start"].tolist(), table["end"].tolist(), strict=True)
    return shown, list(zip(table["document"], spans, strict=True))


@st.fragment
def one_by_one() -> None:
    """The errors of a kind in a table; a click on a row leads to its text."""
    line = st.container(horizontal=True, vertical_alignment="bottom")
    kind = line.selectbox(
        "The errors one by one",
        list(options),
        index=list(options).index(worst),
        format_func=options.__getitem__,
        key="kind",
        bind="query-params",
        filter_mode=None,
        width=300,
    )
    shown, places = incorrect_examples() if kind == INCORRECTLY_RESOLVED else examples_of(kind)
    if shown.empty:
        st.html(markup.paragraph(f"{system.title} has none of these.", "note"))
        return
    event = st.dataframe(
        shown,
        height=ROW * min(9, 1 + len(shown)) + 3,
        row_height=ROW,
        hide_index=True,
        key=f"examples_{letter}_{kind}",
        selection_mode="single-cell",
        on_select=to_text.click,
        alt=f"{options[kind]}, a row for each; a click on a row opens its text.",
    )
    row = next((row for row, _ in event.selection.cells), 0)
    document, span = places[row]
    every = (
        state.incorrectly_resolved(system)
        if kind == INCORRECTLY_RESOLVED
        else state.operations(system)
    )
    take_along.table(
        every, loaded.signature, kind if kind == INCORRECTLY_RESOLVED else "errors", system.name
    )
    with line:
        to_text.link(f"Read “{words_at(document, span)[:40]}” in {document}", document, span)
    to_text.follow()


loaded = state.loaded()
signature = markup.paragraph(loaded.signature, "signature")
st.title("What should be fixed first?", anchor=False)
headline = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    letter = selection.select_letter("Errors of", loaded)
    mode = st.segmented_control(
        "Each kind fixed",
        list(MODES),
        default="alone",
        required=True,
        key="mended",
        bind="query-params",
        help="; ".join(f"{name}: {words}" for name, (_, words) in MODES.items()),
    )
    measure = selection.select_measure("Gain in", key="gain_in")
system = loaded.system(letter)
compared = system.result.comparison
texts = {d.name: text_of(compared, number) for number, d in enumerate(compared.key)}
counts: dict[str, dict[str, int]] = {}
impact: pd.DataFrame | None = None
worst = INCORRECTLY_RESOLVED
try:
    counts = kind_counts()
    impact = state.impact(system)
except PolicyError:
    headline.html(markup.paragraph(sentences.REPEATED, "headline"))

if impact is not None:
    worst = str(gain_table(state.impact(loaded.systems[0]))["conll"].iloc[:-1].idxmax())
    sentence = sentences.first_to_mend(system.title, gain_table(impact), NAMES)
    if len(loaded.systems) > 1:
        other = next(s for s in loaded.systems if s.letter != letter)
        gains = gain_table(state.impact(other))
        too = sentences.other_first(other.title, gain_table(impact), gains, NAMES)
        sentence += f" {too}"
    headline.html(markup.paragraph(sentence, "headline"))
    gains = gain_table(impact, gain=MODES[mode][0], measure=measure)
    if measure != "f1":
        gains = gains.drop(columns="conll", errors="ignore")
    left, right = st.columns([2.2, 1], gap="medium")
    with left:
        st.plotly_chart(
            error_charts.gains(gains, NAMES, MODES[mode][1]),
            config=take_along.pictures("gains", measure, system.name),
            key="gains",
            alt=f"Points of {RATIOS[measure]} that fixing each kind adds. {sentence}",
        )
        adds_up = mode in ("in order", "share")
        note = (
            f"Points of {RATIOS[measure]} gained {MODES[mode][1]}. The kinds "
            f"{'add up to' if adds_up else 'need not add up to'} what fixing all seven gains."
        )
        st.html(markup.paragraph(note, "note"))
        take_along.table(impact, loaded.signature, "mending", system.name)
    with right:
        st.html(markup.kind_rows(counts, WORDS, [s.letter for s in loaded.systems]) + signature)

options = {
    **(NAMES if impact is not None else {}),
    INCORRECTLY_RESOLVED: f"{INCORRECTLY_RESOLVED} mentions",
}
one_by_one()

st.subheader("If the incorrectly resolved mentions were removed", anchor=False)
n_incorrect = len(state.incorrectly_resolved(system))
without = state.removal(system)
st.html(markup.paragraph(sentences.removal(system.title, n_incorrect, without), "headline"))
caption = "Scores without the incorrectly resolved mentions"
rows = without.loc[[*METRIC_IDS, "conll"]]
st.html(markup.change_rows(rows, after="without", caption=caption))
take_along.table(without.reset_index(), loaded.signature, "without-incorrect", system.name)

st.subheader("Where they are", anchor=False)
with st.container(horizontal=True, vertical_alignment="bottom"):
    by = selection.select_slice()
    side = st.segmented_control(
        "Credit towards",
        ["recall", "precision"],
        default="recall",
        required=True,
        key="towards",
        bind="query-params",
    )
credit = state.credit_of_slices(system, by=by, side=side)
st.html(markup.paragraph(sentences.weakest_slice(system.title, side, credit), "headline"))
st.plotly_chart(
    error_charts.slice_credit(credit),
    config=take_along.pictures("credit-by", by, side, system.name),
    key="slice_credit",
    alt=f"Credit of mentions by {SLICE_NAMES[by]} under the {HOW_MANY} metrics.",
)
take_along.table(credit.reset_index(), loaded.signature, "credit-by", by, side, system.name)
classes = {s.letter: error_counts(state.mentions(s), of="class", by=by) for s in loaded.systems}
st.html(markup.class_rows(classes, SLICE_NAMES[by]))
every = pd.concat(classes, names=["response"]).reset_index()
take_along.table(every, loaded.signature, "mentions-by", by, *(s.name for s in loaded.systems))
