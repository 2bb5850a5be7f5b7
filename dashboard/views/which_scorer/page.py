"""Which scorer? Why two scorers give one file two scores."""

import pandas as pd
import streamlit as st

from corescore.analysis.scorers.rescored import SHOWN
from corescore.analysis.scorers.search import printed_number
from corescore.corpus.problems import PolicyError
from corescore.metrics import name_of
from corescore.plots.documents import lead_by_policy, lead_table
from corescore.rendering.html import paragraph
from corescore.sentences import scorers as sentences
from corescore.sentences.names import subscripted
from corescore.version import __version__
from corescore.wording import RATIOS, in_percent
from dashboard.session.loaded import Loaded, loaded_systems
from dashboard.views.which_scorer import cached
from dashboard.views.which_scorer.walk import show_walk
from dashboard.widgets.charts import chart
from dashboard.widgets.on_demand import is_wanted
from dashboard.widgets.page import caution, headline, note, subtitle, title
from dashboard.widgets.selection import select_metric
from dashboard.widgets.tables import download, table

ABOUT = (
    "Each row scores the same files by the rules of one scorer; “corescore” by those selected in "
    "the side bar. F1 in percent; – where a scorer does not have the metric."
)
ABOUT_LEAD = (
    "Each cell is a way to score: above it what becomes of entities of one mention, left of it "
    "when mentions match and how documents are averaged. Blue: {second} is ahead; orange: {first}."
)
ABOUT_SEARCH = (
    "Type a number as it is printed, such as 62.74. Each scorer, metric, policy and way of "
    "rounding is tried on these files."
)


def page() -> None:
    """Why two scorers disagree about these files."""
    loaded = loaded_systems()
    place = title("Why do two scorers disagree?")
    metric = select_metric("Followed below", [*SHOWN], key="followed", first="conll", width=200)
    if not is_wanted(loaded, "Score as each scorer does", key="scorers"):
        return
    scores = cached.table(loaded)
    with place:
        headline(subscripted(sentences.spread(scores, metric)))
    show_table(loaded, scores)
    show_walk(loaded, metric)
    if len(loaded.systems) > 1:
        show_rankings(loaded, metric)
    show_search(loaded)


def about(loaded: Loaded) -> str:
    """The line below what is scored in many ways."""
    n = len(loaded.key)
    return f"corescore {__version__} | policies as named | {n} document{'s' * (n > 1)}"


def show_table(loaded: Loaded, scores: pd.DataFrame) -> None:
    """What each scorer says of each response."""
    metrics = [name for name in SHOWN if name in scores]
    shown = in_percent(scores, metrics).drop(columns="refusal")
    shown["scorer"] = shown["scorer"].map(sentences.scorer_title)
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    columns = {"scorer": text("scored as", pinned=True, width=265), "response": text(width=90)}
    columns |= {
        name: number(_head(name), format="%.2f", width=72, help=name_of(name)) for name in metrics
    }
    if len(loaded.systems) == 1:
        shown = shown.drop(columns="response")
    note(ABOUT)
    table(
        shown,
        columns,
        key="by_scorer",
        most=16,
        missing="–",
        alt=f"A row for each scorer and response, a column for each metric. {ABOUT}",
    )
    for name, refusal in zip(scores["scorer"], scores["refusal"], strict=True):
        if refusal:
            caution(f"{sentences.scorer_title(name)} refuses the files: {refusal}")
    download(scores, about(loaded), "scorers", *loaded.names.values())


def _head(metric: str) -> str:
    """A metric over a narrow column."""
    known = {"conll": "CoNLL", "zero": "zeros", "mor": "MOR"}
    return known.get(metric, name_of(metric))


def show_rankings(loaded: Loaded, metric: str) -> None:
    """Which response is ahead under each combination of policies."""
    subtitle("Does the choice decide which response is ahead?")
    if not is_wanted(loaded, "Score under each combination of policies", key="rankings"):
        return
    grid = cached.grid(loaded, metric)
    said = sentences.rankings(grid)
    headline(said)
    first, second = (system.name for system in loaded.systems[:2])
    legend = ABOUT_LEAD.format(first=first, second=second)
    note(f"{second} − {first} in points of {name_of(metric)} {RATIOS['f1']}.")
    chart(
        lead_by_policy(grid, first, second),
        "lead",
        metric,
        key="lead",
        alt=f"The difference under each combination of policies. {said}",
        rows=lambda: in_percent(lead_table(grid, first, second), ["lead"]),
    )
    st.html(paragraph(legend, "note"))
    name = "rankings", metric, *loaded.names.values()
    download(grid, about(loaded), *name, signed=False)


def show_search(loaded: Loaded) -> None:
    """A number from a paper, and the settings that print it."""
    subtitle("Where does a number come from?")
    note(ABOUT_SEARCH)
    typed = st.text_input(
        "A paper says", placeholder="62.74", key="number", bind="query-params", width=200
    )
    if not typed:
        return
    try:
        result = cached.found(loaded, printed_number(typed))
    except PolicyError as error:
        caution(f"{str(error).capitalize()}.")
        return
    headline(subscripted(sentences.found(result)))
    if result.rows.empty:
        return
    rows = in_percent(result.rows, ["value"])
    rows["metric"], rows["measure"] = rows["metric"].map(name_of), rows["measure"].map(RATIOS.get)
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    columns = {
        "scorers": text("scored as", width=150),
        "policies": text("policies changed", width=300),
        "value": number("in full, %", format="%.6f", width=110),
    }
    table(rows, columns, key="settings", alt=f"A row for each setting. {sentences.found(result)}")
    download(result.rows, about(loaded), "settings", str(result.number), signed=False)
