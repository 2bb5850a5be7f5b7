"""Two systems, the first screen: what a careful reader asks, answered with evidence."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from corescore import PolicyError, Result
from corescore.analysis.decomposition import between
from corescore.analysis.systems.comparability import Finding
from corescore.analysis.systems.documents import by_metric, disagreements, winners
from corescore.analysis.systems.pair import Evidence
from corescore.analysis.systems.runs import PairOverRuns
from corescore.corpus.names import run_of, several_runs
from corescore.metrics import name_of
from corescore.plots import compare as compare_plots
from corescore.plots.decomposition import differences
from corescore.plots.template import ACCENT, MISSING, faint
from corescore.rendering import decomposition, drawn
from corescore.rendering.columns import columns_of
from corescore.rendering.compared import paper_table
from corescore.rendering.exhibits import first_two
from corescore.rendering.html import render
from corescore.rendering.text import Table
from corescore.scoring.tally_files import over_common_documents
from corescore.sentences import compare
from corescore.sentences import runs as runs_sentences
from corescore.wording import counted, listed
from dashboard.session import scoring
from dashboard.session.caching import cached as keep
from dashboard.session.files import File, short_names
from dashboard.session.loaded import Loaded
from dashboard.session.state import state
from dashboard.session.url_names import SETTINGS
from dashboard.views import two_systems_shown
from dashboard.views.two_systems_shown import Shown, download_of, gain_columns
from dashboard.widgets import links
from dashboard.widgets.charts import chart, clicked_points, kept
from dashboard.widgets.error_counts import show_kinds
from dashboard.widgets.page import caution, fold, headline, note, plain
from dashboard.widgets.selection import (
    chosen_beforehand,
    pick,
    select_metric,
)
from dashboard.widgets.tables import download, table

ANY_WAY, A_FIRST, B_FIRST = "either way", "A by the one", "B by the one"

# Where metrics disagree: every document under every metric, and any two metrics -------------------

ASKED_BY = ("one", "other", "preferring")  # what a link names that asks for two metrics

# Translucent, so that the numbers can be read in both themes.
AHEAD = {"A": faint(MISSING, 0.3), "B": faint(ACCENT, 0.3)}

_disagreements = kept(compare_plots.disagreements)


@st.fragment
def show_disagreements(shown: Shown) -> None:
    """Any two metrics, and all of them."""
    # Two metrics: on which documents they name different winners.
    sentence = compare.most_opposed(shown.opposed, shown.n_documents)
    headline(sentence)
    left, right = st.container(key="disagree").columns([1, 1.15], gap="medium")
    with right:
        first, second = first_two(shown.measure)
        with st.container(horizontal=True):
            one = select_metric("one", shown.metrics, first=first)
            other = select_metric("other", shown.metrics, first=second)
            names = {
                ANY_WAY: "either way",
                A_FIRST: f"A under {name_of(one)}, B under {name_of(other)}",
                B_FIRST: f"B under {name_of(one)}, A under {name_of(other)}",
            }
            direction = pick("preferring", list(names), called=names.__getitem__)
        show_opposed(shown, one, other, direction)
    with left:
        chart(
            _disagreements(shown.opposed, (one, other)),
            "disagreements",
            *shown.names,
            key="opposed",
            on_select=select_two,
            alt="On how many documents each pair of metrics names different winners.",
            rows=partial(drawn.by_metric, shown.opposed),
        )
    # B − A of each document under each metric, in the colour of who is ahead.
    wide = by_metric(shown.documents[shown.documents["metric"].isin(shown.metrics)])
    rows = wide.reset_index()
    gains = gain_columns(map(str, wide), about="B − A, points", width=72)
    table(
        Table(rows, [*columns_of("who is ahead"), *gains]),
        key="winners",
        on_select=lambda: links.choose_row("winners", rows["document"].to_list()),
        style=shaded,
        alt="B − A of each document under each metric, most disagreement first. "
        "Click a row to open its text.",
    )
    st.html(render("blocks", "who_is_ahead", a=AHEAD["A"], b=AHEAD["B"]))
    download_of(shown, wide.reset_index(), "winners")
    links.follow_elsewhere()


def shaded(rows: pd.DataFrame) -> Styler:
    """The cells in the colour of who is ahead."""
    scores = rows.columns.drop("document")
    return rows.style.apply(_shades, subset=scores)


def _shades(points: pd.Series) -> list[str]:
    ahead = winners(points.to_numpy() / 100)
    return [f"background-color: {AHEAD[who]}" if who in AHEAD else "" for who in ahead]


def select_two() -> None:
    """Select the two metrics whose number was clicked."""
    for one, other in clicked_points("opposed")[:1]:
        state.one, state.other = one, other


def show_opposed(shown: Shown, one: str, other: str, direction: str) -> None:
    """The documents on which two metrics name different winners; a click opens the text."""
    n_opposed = int(shown.opposed[other][one])
    sentence = compare.disagreement(one, other, n_opposed, shown.n_documents)
    note(sentence)
    if not n_opposed:
        return
    pair = shown.pair
    opposed = disagreements(pair.a, pair.b, metric=one, other=other, measure=shown.measure)
    if direction != ANY_WAY:
        opposed = opposed[(opposed[one] < 0) == (direction == A_FIRST)].reset_index(drop=True)
        note(compare.direction(one, other, len(opposed), a_first=direction == A_FIRST))
    if opposed.empty:
        return
    widget = f"opposed_table {one} {other} {direction}"
    document, margin = columns_of("opposed documents")
    table(
        Table(opposed, [document, *gain_columns((one, other), "{} B − A", width=110), margin]),
        most=7,
        key=widget,
        on_select=lambda: links.choose_row(widget, opposed["document"].to_list()),
        alt=f"{sentence} Click a row to open its text.",
    )
    download_of(shown, opposed, "disagreements", one, other)


# Other runs of the two systems: whether what holds of A and B holds over all that are loaded ------


@dataclass(frozen=True)
class Runs:
    """The systems of A and B, compared over the runs that are loaded.

    names   of the systems, by letter
    unread  the names of runs that cannot be read or scored
    """

    pair: PairOverRuns
    names: dict[str, str]
    unread: tuple[str, ...] = ()


def runs_of(loaded: Loaded) -> dict[str, tuple[File, ...]]:
    """The files of the system that A is a run of, and of B's, by the system's name; none where both
    have one run, or are runs of one system."""
    shown = {system.stamps[2] for system in loaded.systems}
    files = {file.name: file for file in loaded.files.responses}
    try:
        systems = several_runs(files)
    except PolicyError:  # two files are named as one run
        return {}
    of_both = {
        name: tuple(files[run] for run in runs) for name, runs in systems.items() if shown & {*runs}
    }
    several = len(of_both) == 2 and any(len(runs) > 1 for runs in of_both.values())
    order = [run_of(system.stamps[2]) or (system.stamps[2], "") for system in loaded.systems]
    return {name: of_both[name] for name, _ in order} if several else {}


def only_system(loaded: Loaded) -> str:
    """The system of which both A and B are runs; "" if there is none."""
    a, b = (run_of(system.stamps[2]) for system in loaded.systems)
    return a[0] if a and b and a[0] == b[0] else ""


def compared(loaded: Loaded, *, trials: int, seed: int) -> Runs | None:
    """The comparison over runs; None where there are none, or too few can be scored."""
    systems = runs_of(loaded)
    files = [file for runs in systems.values() for file in runs]
    if not files:
        return None
    results = scoring.check(loaded.files, files, loaded.policies)
    if loaded.policies.missing_documents == "skip" and results:
        results = over_common_documents(results)
    called = short_names(loaded.files.responses)
    sides = [
        [results[called[file.name]] for file in runs if called[file.name] in results]
        for runs in systems.values()
    ]
    if not all(sides):
        return None
    stamps = tuple((file.name, file.stamp) for file in (loaded.files.key, *files))
    pair = _pair(stamps, loaded.signature, *sides, trials=trials, seed=seed)
    unread = tuple(called[file.name] for file in files if called[file.name] not in results)
    return Runs(pair, dict(zip("AB", systems, strict=True)), unread)


@keep(max_entries=16, show_spinner="Resampling runs and documents")
def _pair(
    stamps: tuple[tuple[str, str], ...],
    signature: str,
    _a: list[Result],
    _b: list[Result],
    *,
    trials: int,
    seed: int,
) -> PairOverRuns:
    return PairOverRuns(_a, _b, trials=trials, seed=seed)


def show_answer(runs: Runs, metric: str, measure: str) -> None:
    """What follows of the systems, beside what follows of A and B."""
    titles = {letter: f"{letter} ({name})" for letter, name in runs.names.items()}
    sentence = runs_sentences.conclusion(runs.pair, metric, measure, titles)
    headline(f"Over all runs: {sentence}")
    if runs.unread:
        caution(f"Runs that cannot be scored are left out: {listed(runs.unread)}.")


def show_means(shown: Shown, runs: Runs) -> None:
    """One row per metric: means, their spread and difference, and the tests."""
    every = runs.pair.significance
    means = every[(every["measure"] == shown.measure) & every["metric"].isin(shown.metrics)]
    means = means.set_index("metric").loc[shown.metrics].reset_index()
    table(
        Table(means, columns_of("runs")),
        most=8,
        key="runs",
        alt="One row per metric: the means over the runs of A and B, their spread, their "
        "difference, and its p-values.",
    )
    note(runs_sentences.HOW_TESTED)
    download(means, runs.pair.signature, "over-runs", shown.measure, *runs.names.values())


_randomised = kept(compare_plots.randomised)


def show(shown: Shown, evidence: Evidence, over: Runs | None) -> None:
    """A line of facts, each of which opens its answer and evidence; and a text for a paper."""
    show_evidence: dict[str, Callable[[Shown, Evidence], None]] = {
        compare.COMPARABLE: show_findings,
        compare.CAN_TELL: partial(show_power, over),
        compare.HOW_LARGE: show_size,
        compare.HOLDS: show_conditions,
        compare.TOGETHER: lambda *_: note(compare.how_together_is_found(evidence.together)),
        compare.WHY: show_causes,
    }
    short = compare.facts(evidence)
    with st.container(key="argument", gap="xsmall"):
        for question, answer in compare.lines(evidence).items():
            is_of_one_run = over and question == compare.CAN_TELL
            answered(
                question,
                short[question],
                f"{answer} {runs_sentences.OF_ONE_RUN}" if is_of_one_run else answer,
                partial(show_evidence[question], shown, evidence),
                is_open=question == compare.COMPARABLE and bool(evidence.findings),
            )
        if over:
            # How large the difference is over the runs, and whether they can tell.
            how_large = runs_sentences.how_large(over.pair, evidence.metric, shown.measure)
            answer = f"{runs_sentences.can_tell(over.pair)} {how_large}"
            show_evidence_of_runs = partial(show_means, shown, over)
            answered("Over all runs?", "Over all runs", answer, show_evidence_of_runs)
        _answer_what_is_lost(shown, evidence)
        one, other = first_two(shown.measure)
        n = int(shown.opposed[other][one])
        answer = compare.disagreement(one, other, n, shown.n_documents)
        metrics = f"{name_of(one)} and {name_of(other)}"
        answered(
            "Where do metrics disagree?",
            f"{metrics} split on {n} of {counted(shown.n_documents, 'document')}",
            answer,
            partial(show_disagreements, shown),
            is_open=any(name in st.query_params for name in ASKED_BY),
        )
        fold("For a paper", partial(show_for_paper, shown, evidence), key="for paper")


def _answer_what_is_lost(shown: Shown, evidence: Evidence) -> None:
    """Whether the difference comes from detection, linking or singletons."""
    pair = shown.pair
    if pair.a.policies.keeps_repeats:
        return
    a, b = (system.result.decomposition for system in shown.loaded.systems)
    first, second = shown.loaded.titles.values()
    answered(
        "Detection, linking or singletons?",
        decomposition.in_short(a, b, evidence.metric, shown.measure),
        decomposition.ahead(a, b, (first, second), evidence.metric, shown.measure),
        partial(_show_what_is_lost, shown),
    )


def _show_what_is_lost(shown: Shown) -> None:
    """The difference by metric and part, and how the parts are told apart."""
    a, b = (system.result.decomposition for system in shown.loaded.systems)
    rows = between(a, b).query(f"measure == '{shown.measure}'").drop(columns="measure")
    chart(
        differences(a, b, shown.measure),
        "differences",
        *shown.names,
        key="differences",
        alt="How much of B − A comes from detection, from linking and from singletons, by metric.",
        rows=lambda: Table(rows),
    )
    note(decomposition.ABOUT)


def answered(
    question: str, short: str, answer: str, show: Callable[[], None], *, is_open: bool = False
) -> None:
    """An answer in a few words; in a box, which Back finds as it was left, the answer to the
    question in a sentence, and the evidence."""

    def show_all() -> None:
        st.markdown(f"**{question}** {plain(answer)}")
        show()

    opens = state.evidence.get((question, is_open), is_open)
    opens = fold(plain(short), show_all, key=f"evidence {question}", is_open=opens)
    state.evidence = {**state.evidence, (question, is_open): opens}


# The evidence -------------------------------------------------------------------------------------


def show_findings(shown: Shown, evidence: Evidence) -> None:
    """What was looked for, and a button for each policy that makes the comparison fair."""
    note(compare.LOOKED_FOR)
    for finding in evidence.findings:
        if finding.policy:
            setting = SETTINGS[finding.policy]
            st.button(
                f"{setting.label}: {setting.options[finding.value]}",
                key=f"fair {finding.kind}",
                on_click=apply,
                args=(finding,),
            )


def apply(finding: Finding) -> None:
    """Score under the policy that makes the comparison fair."""
    st.session_state[finding.policy] = finding.value


def show_power(over: Runs | None, shown: Shown, evidence: Evidence) -> None:
    note(compare.how_power_is_known(evidence.detectable))
    note(runs_sentences.NOT_OVER_RUNS if over else runs_sentences.ONE_RUN)


def show_size(shown: Shown, evidence: Evidence) -> None:
    """What chance makes of the difference."""
    note(compare.how_size_is_told(evidence))
    show_chance(shown, evidence.metric)


def show_chance(shown: Shown, metric: str) -> None:
    """How often chance makes a difference as large; there is no chart of a single document."""
    pair = shown.pair
    sentence = compare.randomisation(pair.randomisation, metric, shown.measure)
    note(sentence)
    if shown.n_documents == 1:
        return
    differences = two_systems_shown.randomised(
        shown.loaded, metric, measure=shown.measure, trials=pair.trials, seed=pair.seed
    )
    observed = float(shown.significance["difference"][metric])
    chart(
        _randomised(differences, observed, metric),
        "chance",
        metric,
        *shown.names,
        key="randomised",
        alt="How often random exchanges of A and B give each difference, and the observed one.",
        rows=partial(compare_plots.randomised_table, differences, observed),
    )


def show_conditions(shown: Shown, evidence: Evidence) -> None:
    """The difference under every other condition."""
    held = evidence.held.table
    rows = held.assign(told=compare.told_conditions(held))
    table(
        Table(rows, columns_of("conditions")),
        most=12,
        key="conditions",
        alt="One row per other condition: A, B, their difference, and whether it keeps its sign.",
    )
    note(compare.how_conditions_are_made(evidence.held))
    name = name_of(evidence.metric)
    label = f"{name} by the rules of each scorer, in Scoring rules"
    links.link_to_view("scorers", plain(label), by=name)
    download_of(shown, held, "does-it-hold", evidence.metric)


def show_causes(shown: Shown, evidence: Evidence) -> None:
    """Links to the errors of the kinds that differ most, and to the documents that matter most."""
    if evidence.errors is not None:
        kinds = compare.most_different_errors(evidence.errors).index.tolist()
        show_kinds(shown.loaded.systems, kinds=kinds)
    for number, name in enumerate(compare.documents_behind(evidence)["document"]):
        links.link_to("text", f"Read {name}", name, key=f"cause {number}", together="true")


def show_for_paper(shown: Shown, evidence: Evidence) -> None:
    """A paragraph and a table in LaTeX."""
    names = shown.loaded.names
    beforehand = chosen_beforehand()
    text = compare.paragraph(evidence, names, shown.pair.a, beforehand=beforehand)
    st.code(text, language=None, wrap_lines=True)
    made = paper_table(shown.pair, shown.measure, names)
    st.code(
        replace(made, signature=shown.pair.signature).text("latex"),
        language="latex",
        wrap_lines=True,
    )
