"""Scoring rules: why two scorers give one file two scores."""

import pandas as pd
import streamlit as st

from corescore import Corpus
from corescore.analysis.scorers import (
    ORDER,
    SHOWN,
    PolicyStep,
    Rescored,
    Walk,
    moved_documents,
    moved_mentions,
    rows_of,
    scorers,
    walk,
)
from corescore.analysis.search import (
    FoundScore,
    PrintedNumber,
    equal_scorers,
    preset_table,
    printed_number,
    search,
)
from corescore.corpus.problems import PolicyError
from corescore.metrics import name_of
from corescore.plots.documents import waterfall, waterfall_table
from corescore.rendering.columns import Column, columns_of
from corescore.rendering.text import Table
from corescore.sentences import scorers as sentences
from corescore.sentences.policies import NAMES
from corescore.version import __version__
from corescore.wording import capital, percent
from dashboard.session.caching import cached
from dashboard.session.loaded import Loaded, System, loaded_systems
from dashboard.widgets import selection
from dashboard.widgets.charts import chart, is_wanted
from dashboard.widgets.page import caution, headline, note, question, say, side_by_side, subtitle
from dashboard.widgets.tables import ROW, download, table

# What the page asks of the analysis, cached by files ----------------------------------------------


def rescored(loaded: Loaded) -> dict[str, Rescored]:
    """The responses that are shown, by their names, to be scored under any policies."""
    words = loaded.policies.words
    return {
        system.name: _rescored(system.stamps, words, loaded.key, system.corpus)
        for system in loaded.systems
    }


@cached(16)
def _rescored(stamps: tuple[str, ...], words: str, _key: Corpus, _response: Corpus) -> Rescored:
    return Rescored(_key, _response)


@cached(16, "Scoring as each scorer does")
def table_of(loaded: Loaded) -> pd.DataFrame:
    """What each scorer says of each response: `preset_table`."""
    return preset_table(rescored(loaded), scorers(loaded.policies))


@cached(64, by={PolicyStep: repr})
def moved(system: System, step: PolicyStep, metric: str, _of: Rescored) -> pd.DataFrame:
    """The mentions that a step moves: `moved_mentions`.

    _of  the system's response, to be scored under any policies
    """
    return moved_mentions(_of, step, metric)


@cached(32, "Trying each scorer, metric and policy", by={PrintedNumber: repr})
def found(loaded: Loaded, number: PrintedNumber) -> FoundScore:
    """The settings that print a number: `search`."""
    return search(rescored(loaded), number)


FROM, TO = "perl", "corefud"

# From one scorer to another, a policy at a time ---------------------------------------------------

MOST_MENTIONS = 200  # rows

LETTERS = {"clause": 40, "documents": 25, "mentions": 32}  # of a line of each column

LINE = 19  # pixels

_WATERFALL = "scored by", "score", "walk.difference"

ABOUT_ORDER = (
    "Policies are changed one at a time, in this order: "
    f"{', '.join(NAMES[name] for name in ORDER)}. In another order each step can move the score "
    "by another amount."
)


def show_walk(loaded: Loaded, metric: str) -> None:
    """Two scorers are selected; how much each policy that they differ in moves the score."""
    subtitle("What makes the difference between two scorers?")
    with side_by_side():
        start = _select_scorer("from", FROM)
        end = _select_scorer("to", TO)
        system = loaded.system(selection.select_letter("Response", loaded))
    ways = rescored(loaded)[system.name]
    known = scorers(loaded.policies)
    if sentence := _cannot(ways, metric, start, end, loaded):
        caution(sentence)
        return
    try:
        taken = walk(ways, known[start].policies, known[end].policies, metric)
    except PolicyError as error:
        caution(f"{error}.")
        return
    sentence = sentences.walked(taken, start, end, system.name)
    headline(sentence)
    names = sentences.scorer_title(start), sentences.scorer_title(end)
    name = "walk", start, end, metric, system.name
    chart(
        waterfall(taken, *names),
        *name,
        key="walk",
        alt=f"Each change of policy. {sentence}",
        rows=lambda: Table(waterfall_table(taken, *names), _WATERFALL),
    )
    say(f"{sentences.unmoved(taken)} {ABOUT_ORDER}".strip(), "note")
    if taken.steps:
        show_steps(loaded, system, ways, taken, (start, end))


def _select_scorer(key: str, first: str) -> str:
    return selection.pick(key, list(scorers()), first=first, called=sentences.scorer_title)


def _cannot(ways: Rescored, metric: str, start: str, end: str, loaded: Loaded) -> str:
    """Why there is no walk between two scorers; "" if there is one."""
    for name in (start, end):
        scorer = scorers(loaded.policies)[name]
        if metric not in rows_of(scorer):
            return f"{capital(sentences.scorer_title(name))} does not have {name_of(metric)}."
        if refusal := ways.refusal(scorer.policies):
            return f"{capital(sentences.scorer_title(name))} refuses the files: {refusal}"
    return ""


def show_steps(
    loaded: Loaded, system: System, ways: Rescored, taken: Walk, names: tuple[str, str]
) -> None:
    """The steps in numbers, and the documents and mentions that one of them moves."""
    made = [
        {
            "policy": step.policy,
            "clause": sentences.step_clause(step),
            "after": step.score_after,
            "difference": step.difference,
            "documents": sentences.documents_moved(moved_documents(ways, step, taken.metric)),
            "mentions": sentences.mentions_moved(moved(system, step, taken.metric, ways)),
        }
        for step in taken.steps
    ]
    rows = pd.DataFrame(made)
    shown = rows.assign(policy=rows["policy"].map(NAMES))
    row = ROW + LINE * (
        (1 + max(len(text) // LETTERS[name] for name in LETTERS for text in rows[name])) - 1
    )
    table(
        Table(shown, columns_of("steps between scorers")),
        key="steps",
        row_height=row,
        height=ROW + row * max(1, len(shown)) + 3,
        alt="One row per change of policy.",
    )
    from_to = f"{name_of(taken.metric)} F1 | from {names[0]} to {names[1]}"
    download(rows, f"corescore {__version__} | {from_to}", "steps", *names, system.name)
    show_moved(system, ways, taken)


def show_moved(system: System, ways: Rescored, taken: Walk) -> None:
    """The documents and mentions that one step moves."""
    with st.expander("Documents and mentions that a step moves"):
        steps = {step.policy: step for step in taken.steps}
        policy = st.selectbox("Step", list(steps), format_func=NAMES.__getitem__, key="step")
        left, right = st.columns(2, gap="medium")
        with left:
            documents = moved_documents(ways, steps[policy], taken.metric)
            made = Table(documents, columns_of("documents that a step moves"))
            table(made, key="moved_documents", alt="The documents, most moved first.")
        with right:
            mentions = moved(system, steps[policy], taken.metric, ways)
            shown = mentions[["mention", "side", "change", "document"]].head(MOST_MENTIONS)
            table(shown, key="moved_mentions", alt="The mentions in the order of the text.")
        if len(mentions) > MOST_MENTIONS:
            note(f"The first {MOST_MENTIONS} of {len(mentions):,} mentions.")


ABOUT = (
    "Each row scores the same files by the rules of one scorer, “corescore” by the rules "
    "selected in the sidebar. F1 in percent. –: the scorer does not have the metric."
)

ABOUT_SEARCH = (
    "Type a number as it is printed, such as 62.74. Each scorer, metric, policy and way of "
    "rounding is tried on these files."
)


def page() -> None:
    """Why two scorers disagree about these files."""
    loaded = loaded_systems()
    place = question("Why do two scorers disagree?")
    metric = selection.metric_of_all()
    if not is_wanted(loaded, "Score as each scorer does", key="scorers"):
        return
    scores = table_of(loaded)
    with place:
        headline(sentences.spread(scores, metric))
    show_table(loaded, scores)
    show_walk(loaded, metric)
    # A number from a paper, and the settings that print it.
    subtitle("Where does a number come from?")
    note(ABOUT_SEARCH)
    typed = selection.typed("number")
    if not typed:
        return
    try:
        result = found(loaded, printed_number(typed))
    except PolicyError as error:
        caution(f"{str(error).capitalize()}.")
        return
    sentence = sentences.found(result)
    headline(sentence)
    if result.rows.empty:
        return
    rows = result.rows.assign(value=100 * result.rows["value"])
    made = Table(rows, columns_of("settings that print a number"))
    table(made, key="settings", alt=f"One row per setting. {sentence}")
    download(result.rows, about(loaded), "settings", str(result.number))


def about(loaded: Loaded) -> str:
    """The line below what is scored in many ways."""
    n = len(loaded.key)
    return f"corescore {__version__} | policies as named | {n} document{'s' * (n > 1)}"


def show_table(loaded: Loaded, scores: pd.DataFrame) -> None:
    """The scores of each response by each scorer, a row for those that are equal."""
    metrics = [name for name in SHOWN if name in scores]
    groups = equal_scorers(scores)
    titles = {
        one[0]: ", ".join(one) if len(one) > 1 else sentences.scorer_title(one[0]) for one in groups
    }
    shown = scores[scores["scorer"].isin(titles)].reset_index(drop=True)
    shown["scorer"] = shown["scorer"].map(titles)
    heads = columns_of("scorers")[: len(loaded.systems)]
    of_metrics = [
        Column(name_of(name), percent, (name,), width=max(72, 9 * len(name_of(name))))
        for name in metrics
    ]
    note(f"{ABOUT} {sentences.equals(scores, groups)}")
    table(
        Table(shown, [*heads, *of_metrics]),
        key="by_scorer",
        most=16,
        alt=f"One row per scorer and response, one column per metric. {ABOUT}",
    )
    for name, refusal in zip(scores["scorer"], scores["refusal"], strict=True):
        if refusal:
            caution(f"{sentences.scorer_title(name)} refuses the files: {refusal}")
    download(scores, about(loaded), "scorers", *loaded.names.values(), signed=True)
