"""Which scorer? Why two scorers give one file two scores."""

from typing import Any

import pandas as pd
import streamlit as st

from corescore import Corpus
from corescore.analysis.scorers.rescored import SHOWN, Rescored, rows_of, scorers
from corescore.analysis.scorers.search import (
    FoundScore,
    PrintedNumber,
    preset_table,
    printed_number,
    ranking_grid,
    search,
)
from corescore.analysis.scorers.walk import (
    ORDER,
    PolicyStep,
    Walk,
    moved_documents,
    moved_mentions,
    shapley,
    walk,
)
from corescore.corpus.problems import PolicyError
from corescore.counting.policies import Policies
from corescore.metrics import name_of
from corescore.plots.documents import lead_by_policy, lead_table, waterfall, waterfall_table
from corescore.rendering.html import paragraph
from corescore.sentences import scorers as sentences
from corescore.sentences.names import subscripted
from corescore.sentences.policies import NAMES
from corescore.version import __version__
from corescore.wording import RATIOS, capital, in_percent
from dashboard.session.caching import cached
from dashboard.session.loaded import BY_CONTENT, Loaded, System, loaded_systems
from dashboard.widgets.charts import chart, is_wanted
from dashboard.widgets.page import caution, headline, note, subtitle, title
from dashboard.widgets.selection import select_letter, select_metric
from dashboard.widgets.tables import ROW, download, table

# What the page asks of the analysis, cached by files ----------------------------------------------

_BY: dict[str | type[Any], Any] = {**BY_CONTENT, Policies: repr, PrintedNumber: repr}


def rescored(loaded: Loaded) -> dict[str, Rescored]:
    """The responses that are shown, by their names, to be scored under any policies."""
    words = loaded.policies.words
    return {
        system.name: _rescored(system.stamps, words, loaded.key, system.corpus)
        for system in loaded.systems
    }


@cached(max_entries=16)
def _rescored(stamps: tuple[str, ...], words: str, _key: Corpus, _response: Corpus) -> Rescored:
    return Rescored(_key, _response)


@cached(max_entries=16, show_spinner="Scoring as each scorer does", by=_BY)
def table_of(loaded: Loaded) -> pd.DataFrame:
    """What each scorer says of each response: `preset_table`."""
    return preset_table(rescored(loaded), scorers(loaded.policies))


@cached(max_entries=16, show_spinner="Trying all orders of change", by=_BY)
def shares(system: System, loaded: Loaded, start: Policies, end: Policies, metric: str) -> Any:
    """The moves averaged over all orders: `shapley`."""
    return shapley(rescored(loaded)[system.name], start, end, metric)


@cached(max_entries=64, by={**_BY, PolicyStep: repr})
def moved(system: System, step: PolicyStep, metric: str, _of: Rescored) -> pd.DataFrame:
    """The mentions that a step moves: `moved_mentions`.

    _of  the system's response, to be scored under any policies
    """
    return moved_mentions(_of, step, metric)


@cached(max_entries=16, show_spinner="Scoring under each combination of policies", by=_BY)
def grid_of(loaded: Loaded, metric: str) -> pd.DataFrame:
    """The order of the responses under each combination: `ranking_grid`."""
    return ranking_grid(rescored(loaded), metric, base=loaded.policies)


@cached(max_entries=32, show_spinner="Trying each scorer, metric and policy", by=_BY)
def found(loaded: Loaded, number: PrintedNumber) -> FoundScore:
    """The settings that print a number: `search`."""
    return search(rescored(loaded), number)


FROM, TO = "perl", "corefud"

# From one scorer to another, a policy at a time ---------------------------------------------------

MOST_MENTIONS = 200  # rows

LETTERS = {"clause": 40, "documents": 25, "mentions": 32}  # of a line of each column

LINE = 19  # pixels

ABOUT_ORDER = (
    "Policies are changed one at a time, in this order: "
    f"{', '.join(NAMES[name] for name in ORDER)}. In another order each step can move the score "
    "by another amount; the average over all orders does not depend on one."
)


def show_walk(loaded: Loaded, metric: str) -> None:
    """Two scorers are selected; how much each policy that they differ in moves the score."""
    subtitle("What makes the difference between two scorers?")
    start, end, system = select(loaded)
    of = rescored(loaded)[system.name]
    known = scorers(loaded.policies)
    if said := _cannot(of, metric, start, end, loaded):
        caution(said)
        return
    try:
        taken = walk(of, known[start].policies, known[end].policies, metric)
    except PolicyError as error:
        caution(f"{error}.")
        return
    said = sentences.walked(taken, start, end, system.name)
    headline(subscripted(said))
    names = sentences.scorer_title(start), sentences.scorer_title(end)
    name = "walk", start, end, metric, system.name
    chart(
        waterfall(taken, *names),
        *name,
        key="walk",
        alt=f"Each change of policy. {said}",
        rows=lambda: in_percent(waterfall_table(taken, *names), ["score", "difference"]),
    )
    st.html(paragraph(f"{sentences.unmoved(taken)} {ABOUT_ORDER}".strip(), "note"))
    if taken.steps:
        show_steps(loaded, system, of, taken, (start, end))


def select(loaded: Loaded) -> tuple[str, str, System]:
    """The two scorers, and the response."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        start = _select_scorer("From", "from", FROM)
        end = _select_scorer("To", "to", TO)
        letter = select_letter("Response", loaded)
    return start, end, loaded.system(letter)


def _select_scorer(label: str, key: str, first: str) -> str:
    names = list(scorers())
    return st.selectbox(
        label,
        names,
        index=names.index(first),
        format_func=sentences.scorer_title,
        key=key,
        bind="query-params",
        persist_state="session",
        filter_mode=None,
        width=320,
    )


def _cannot(of: Rescored, metric: str, start: str, end: str, loaded: Loaded) -> str:
    """Why there is no walk between two scorers; "" if there is one."""
    for name in (start, end):
        scorer = scorers(loaded.policies)[name]
        if metric not in rows_of(scorer):
            return f"{capital(sentences.scorer_title(name))} does not have {name_of(metric)}."
        if refusal := of.refusal(scorer.policies):
            return f"{capital(sentences.scorer_title(name))} refuses the files: {refusal}"
    return ""


def show_steps(
    loaded: Loaded, system: System, of: Rescored, taken: Walk, names: tuple[str, str]
) -> None:
    """The steps in numbers, and the documents and mentions that one of them moves."""
    rows = _rows(system, of, taken)
    if st.toggle("Average each move over all orders of change", key="shapley", bind="query-params"):
        known = scorers(loaded.policies)
        ends = known[names[0]].policies, known[names[1]].policies
        values = shares(system, loaded, *ends, taken.metric)
        rows.insert(4, "shapley", rows["policy"].map(values))
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    points = {
        "difference": number("in points", format="%+.2f", width=80),
        "shapley": number("over all orders", format="%+.2f", width=110),
    }
    fractions = [name for name in ("after", "difference", "shapley") if name in rows]
    shown = in_percent(rows, fractions).assign(policy=rows["policy"].map(NAMES))
    columns = {
        "policy": text("changed", width=140),
        "clause": text("from then on", width=250),
        "after": number("score", format="%.2f", width=65),
        **points,
        "documents": text(width=165),
        "mentions": text(width=210),
    }
    row = ROW + LINE * (_lines(rows) - 1)
    table(
        shown,
        columns,
        key="steps",
        row_height=row,
        height=ROW + row * max(1, len(shown)) + 3,
        alt="A row for each change of policy.",
    )
    from_to = f"{name_of(taken.metric)} F1 | from {names[0]} to {names[1]}"
    name = "steps", *names, system.name
    download(rows, f"corescore {__version__} | {from_to}", *name, signed=False)
    show_moved(system, of, taken)


def _lines(rows: pd.DataFrame) -> int:
    """How many lines the longest text of the steps takes in its column."""
    return 1 + max(len(text) // LETTERS[name] for name in LETTERS for text in rows[name])


def _rows(system: System, of: Rescored, taken: Walk) -> pd.DataFrame:
    rows = [
        {
            "policy": step.policy,
            "clause": sentences.step_clause(step),
            "after": step.score_after,
            "difference": step.difference,
            "documents": sentences.documents_moved(moved_documents(of, step, taken.metric)),
            "mentions": sentences.mentions_moved(moved(system, step, taken.metric, of)),
        }
        for step in taken.steps
    ]
    return pd.DataFrame(rows)


def show_moved(system: System, of: Rescored, taken: Walk) -> None:
    """The documents and mentions that one step moves."""
    with st.expander("Documents and mentions that a step moves"):
        steps = {step.policy: step for step in taken.steps}
        policy = st.selectbox("Step", list(steps), format_func=NAMES.__getitem__, key="step")
        left, right = st.columns(2, gap="medium")
        with left:
            documents = moved_documents(of, steps[policy], taken.metric)
            numbers = in_percent(documents, ["before", "after", "difference"])
            form = st.column_config.NumberColumn(format="%.2f")
            columns = dict.fromkeys(("before", "after", "difference"), form)
            table(numbers, columns, key="moved_documents", alt="The documents, most moved first.")
        with right:
            mentions = moved(system, steps[policy], taken.metric, of)
            shown = mentions[["mention", "side", "change", "document"]].head(MOST_MENTIONS)
            table(shown, key="moved_mentions", alt="The mentions in the order of the text.")
        if len(mentions) > MOST_MENTIONS:
            note(f"The first {MOST_MENTIONS} of {len(mentions):,} mentions.")


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
    scores = table_of(loaded)
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
    grid = grid_of(loaded, metric)
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
        result = found(loaded, printed_number(typed))
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
