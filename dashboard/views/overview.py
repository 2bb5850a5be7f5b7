"""Overview: how do the six disagree about this output?"""

import pandas as pd
import streamlit as st

from corescore.metrics import CONLL, HOW_MANY, METRIC_IDS
from corescore.plots import charts
from corescore.rendering import html as markup
from corescore.scoring.tables import count_table, difference_table
from corescore.sentences import scores as sentences
from dashboard.session import state
from dashboard.widgets import downloads as take_along

RESAMPLES = 1000

loaded = state.loaded()
results = loaded.results
tables = {letter: result.table for letter, result in results.items()}
names = {system.letter: system.name for system in loaded.systems}
titles = {system.letter: system.title for system in loaded.systems}
difference = difference_table(results["A"], results["B"]) if "B" in results else None
signature = markup.paragraph(loaded.signature, "signature")

st.title(f"How do the {HOW_MANY} disagree about this output?", anchor=False)
if "B" in results:
    sentence = sentences.verdicts((titles["A"], titles["B"]), results["A"], results["B"])
else:
    sentence = sentences.disagreement(titles["A"], results["A"])
st.html(markup.paragraph(sentence, "headline"))

intervals = {s.letter: state.intervals(s, trials=RESAMPLES) for s in loaded.systems}
st.plotly_chart(
    charts.six_metrics(tables, {letter: of.table for letter, of in intervals.items()}),
    config=take_along.pictures("six-metrics", *names.values()),
    key="six_metrics",
    alt=f"Recall, precision and F1 of the {HOW_MANY} metrics. {sentence}",
)
st.html(markup.paragraph(sentences.whiskers(intervals["A"]), "note"))
averages = {
    letter: (
        names[letter],
        result["conll"].f1,
        [(metric, result[metric].f1) for metric in CONLL.members],
    )
    for letter, result in results.items()
}
conll_difference = None if difference is None else float(difference["f1"]["conll"])
st.html(markup.average_block(averages, conll_difference) + signature)
counts = count_table(loaded.key, results)
sides = {"key": "Key", **{letter: f"{letter} · {name}" for letter, name in names.items()}}
st.html(markup.count_rows(counts, sides))
take_along.table(
    counts.rename(index=names).rename_axis("side").reset_index(),
    loaded.signature,
    "counts",
    *names.values(),
)

warnings = list(dict.fromkeys(w for result in results.values() for w in result.warnings))
if warnings:
    with st.expander(f"Warnings ({len(warnings)})"):
        st.html(markup.warning_list(warnings))

st.subheader(f"The {HOW_MANY} in numbers", anchor=False)
st.html(markup.score_rows(METRIC_IDS, tables, difference, caption=f"The {HOW_MANY} metrics"))
every = pd.concat(tables, names=["response"]).rename(index=names, level="response").reset_index()
take_along.table(every, loaded.signature, "scores", *names.values())
if results["A"].policies.average == "macro":
    st.html(
        markup.mean_rows(METRIC_IDS, tables, caption="Means over documents (macro)") + signature
    )

st.subheader("What BLANC is made of, and mention identification", anchor=False)
parts = ("blanc.coreference", "blanc.non_coreference", "mentions")
st.html(markup.score_rows(parts, tables, difference, caption="BLANC's parts, mentions") + signature)

st.subheader("Diagnostics", anchor=False)
st.html(
    markup.paragraph(f"Not among the {HOW_MANY}, and not to be ranked by.", "note")
    + markup.score_rows(("links", "rand"), tables, difference, caption="Diagnostics")
    + signature
)
