"""The first screen: what a careful reader asks, each answer with its evidence one click away."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from corescore.analysis.systems.comparability import Finding
from corescore.analysis.systems.pair import Evidence
from corescore.metrics import name_of
from corescore.plots import compare as compare_plots
from corescore.rendering.many import paper_table
from corescore.sentences import compare
from corescore.sentences import compare as sentences
from corescore.sentences.compare import equivalent, equivalent_over_runs
from corescore.sentences.runs import NOT_OVER_RUNS, OF_ONE_RUN, ONE_RUN
from corescore.sentences.scorers import in_combinations
from corescore.wording import in_percent
from dashboard.session.loaded import Loaded
from dashboard.session.pages import page_named
from dashboard.views.two_systems import cached, columns, disagreements, runs
from dashboard.views.two_systems.runs import Runs
from dashboard.views.two_systems.shown import Shown
from dashboard.views.which_scorer import cached as cached_grids
from dashboard.widgets.charts import chart, kept
from dashboard.widgets.error_counts import show_kinds
from dashboard.widgets.link_values import refuse_other_numbers
from dashboard.widgets.markdown import plain
from dashboard.widgets.on_demand import is_wanted
from dashboard.widgets.page import fold, note
from dashboard.widgets.policies import POLICIES
from dashboard.widgets.selection import chosen_beforehand
from dashboard.widgets.tables import download, table
from dashboard.widgets.text_link import link_to

_randomised = kept(compare_plots.randomised)


def show(shown: Shown, of: Evidence, over: Runs | None) -> None:
    """The answers, one below the other, and what follows for a paper."""
    show_evidence: dict[str, Callable[[Shown, Evidence], None]] = {
        compare.COMPARABLE: show_findings,
        compare.CAN_TELL: partial(show_power, over),
        compare.HOW_LARGE: partial(show_size, over),
        compare.HOLDS: show_conditions,
        compare.WHY: show_causes,
    }
    with st.container(key="argument", gap="xsmall"):
        for question, answer in compare.lines(of).items():
            is_of_one_run = over and question == compare.CAN_TELL
            answered(
                question,
                f"{answer} {OF_ONE_RUN}" if is_of_one_run else answer,
                partial(show_evidence[question], shown, of),
                is_open=is_asked_for(question, of),
            )
        if over:
            answer = runs.answer(over, of.metric, shown.measure)
            answered("Over all runs?", answer, partial(runs.show_means, shown, over))
        one, other = shown.first_two
        n = int(shown.opposed[other][one])
        answer = sentences.disagreement(one, other, n, shown.n_documents)
        answered(
            "Where do metrics disagree?",
            answer,
            partial(disagreements.show, shown),
            is_open=any(name in st.query_params for name in disagreements.ASKED_BY),
        )
        fold(
            "**For a paper:** a paragraph, and a table in LaTeX",
            partial(show_for_paper, shown, of),
            key="for paper",
        )


def answered(
    question: str, answer: str, show: Callable[[], None], *, is_open: bool = False
) -> None:
    """A question and its answer; the evidence in a box, which Back finds as it was left."""
    left = st.session_state.setdefault("evidence", {})
    left[question, is_open] = fold(
        f"**{question}** {plain(answer)}",
        show,
        key=f"evidence {question}",
        is_open=left.get((question, is_open), is_open),
    )


def is_asked_for(question: str, of: Evidence) -> bool:
    """Whether a box is open at first: something speaks against comparing, or a link sets a number
    that stands in it."""
    if question == compare.COMPARABLE:
        return bool(of.findings)
    return question == compare.HOW_LARGE and "margin" in st.query_params


# The evidence -------------------------------------------------------------------------------------


def show_findings(shown: Shown, of: Evidence) -> None:
    """What was looked for, and a button for each policy that makes the comparison fair."""
    note(compare.LOOKED_FOR)
    for finding in of.findings:
        if finding.policy:
            label, values, _ = POLICIES[finding.policy]
            st.button(
                f"{label}: {values[finding.value]}",
                key=f"fair {finding.kind}",
                on_click=apply,
                args=(finding,),
            )


def apply(finding: Finding) -> None:
    """Score under the policy that makes the comparison fair."""
    st.session_state[finding.policy] = finding.value


def show_power(over: Runs | None, shown: Shown, of: Evidence) -> None:
    note(compare.how_power_is_known(of.detectable))
    note(NOT_OVER_RUNS if over else ONE_RUN)


def show_size(over: Runs | None, shown: Shown, of: Evidence) -> None:
    """What chance makes of the difference, and whether it is smaller than a margin."""
    note(compare.how_size_is_told(of))
    show_chance(shown, of.metric)
    low, high = 0.01, 99.0
    refuse_other_numbers("Equivalence margin", low, high, key="margin")
    margin = st.number_input(
        "Equivalence margin, points",
        low,
        high,
        None,
        0.5,
        key="margin",
        bind="query-params",
        width=200,
        help="Do the two differ by less? Two one-sided tests; set it before the scores are seen.",
    )
    if margin:
        note(equivalent(shown.pair.equivalence(margin / 100), of.metric, of.measure))
        if over:
            note(equivalent_over_runs(over.pair, margin / 100, of.metric, of.measure))


def show_chance(shown: Shown, metric: str) -> None:
    """How often chance makes a difference as large; there is no chart of a single document."""
    pair = shown.pair
    said = sentences.randomisation(pair.randomisation, metric, shown.measure)
    note(said)
    if shown.n_documents == 1:
        return
    differences = cached.randomised(
        shown.loaded, metric, measure=shown.measure, trials=pair.trials, seed=pair.seed
    )
    observed = float(shown.significance["difference"][metric])
    chart(
        _randomised(differences, observed, metric),
        "chance",
        metric,
        *shown.names,
        key="randomised",
        alt="How often random exchanges of A and B make which difference, and the observed one.",
        rows=partial(compare_plots.randomised_table, differences, observed),
    )


def show_conditions(shown: Shown, of: Evidence) -> None:
    """The difference under every other condition."""
    held = of.held.table
    rows = in_percent(held, ["a", "b", "difference"])
    rows.insert(0, "told", compare.told_conditions(held))
    table(
        rows,
        columns.condition_columns(),
        most=12,
        key="conditions",
        order=list(columns.condition_columns()),
        missing="–",
        alt="A row for each other condition: A, B, their difference, and whether its sign stays.",
    )
    note(compare.how_conditions_are_made(of.held))
    label = f"{name_of(of.metric)} {_in_combinations(shown.loaded, of.metric)}, in Which scorer?"
    query = {"followed": name_of(of.metric)}
    st.page_link(page_named("scorers"), label=plain(label), query_params=query)
    download(held, of.signature, "does-it-hold", of.metric, *shown.names, signed=False)


def _in_combinations(loaded: Loaded, metric: str) -> str:
    """The order of F1 under how many combinations; with much text once it is asked for."""
    if not is_wanted(loaded, "Count the combinations of policies", key="rankings"):
        return "under all combinations of policies"
    grid = cached_grids.grid(loaded, metric)
    note(compare.COMBINED)
    return f"F1: {grid['ranking'].iloc[0]} {in_combinations(grid)}"


def show_causes(shown: Shown, of: Evidence) -> None:
    """Links to the errors of the kinds that differ most, and to the documents that matter most."""
    if of.errors is not None:
        kinds = compare.most_different_errors(of.errors).index.tolist()
        show_kinds(shown.loaded.systems, kinds=kinds)
    for number, name in enumerate(compare.documents_behind(of)["document"]):
        link_to("text", f"Read {name}", name, key=f"cause {number}", together="true")


def show_for_paper(shown: Shown, of: Evidence) -> None:
    """A paragraph and a table in LaTeX."""
    names = shown.loaded.names
    beforehand = chosen_beforehand()
    text = compare.paragraph(of, names, shown.loaded.policies, beforehand=beforehand)
    st.code(text, language=None, wrap_lines=True)
    made = paper_table(shown.pair, shown.measure, names)
    st.code(made.text(of.signature, format="latex"), language="latex", wrap_lines=True)
