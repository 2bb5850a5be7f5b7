"""The sections of a report: two responses, errors, scores, documents, experiments, many systems,
passages; and all tables of a subject as a ZIP archive."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pandas as pd
from markupsafe import Markup

from corescore.analysis import long_documents
from corescore.analysis.error_table.table import error_table, only_moved
from corescore.analysis.errors.classes import (
    INCORRECTLY_RESOLVED,
    count_incorrectly_resolved,
    incorrectly_resolved,
)
from corescore.analysis.errors.operations import (
    KINDS,
    WRONG_SPLIT_ANTECEDENT,
    impact_table,
    parts_of,
    wrong_split_antecedents,
)
from corescore.analysis.errors.tables import (
    apart,
    error_counts,
    gain_table,
    incorrectly_resolved_counts,
    incorrectly_resolved_table,
    mention_table,
    operation_table,
    removal_table,
    slice_credit,
    span_errors,
    with_span_errors,
)
from corescore.analysis.explain import mean_shares, n_key_singletons, share_table
from corescore.analysis.split_antecedents import by_type, by_use
from corescore.analysis.systems.comparability import System
from corescore.analysis.systems.data_sets import DataSets
from corescore.analysis.systems.documents import compared_documents, disagreement_counts
from corescore.analysis.systems.effect import identification_effect
from corescore.analysis.systems.pair import Pair
from corescore.corpus.documents import Corpus, Document
from corescore.corpus.problems import InputError, PolicyError
from corescore.metrics import CONLL, DIAGNOSTICS, HOW_MANY, METRIC_IDS, colour_of
from corescore.metrics.metric import Metric
from corescore.plots import compare as compare_plots
from corescore.plots import errors as error_plots
from corescore.plots import experiments as experiment_plots
from corescore.plots import local as local_plots
from corescore.plots import scores as score_plots
from corescore.plots.compare import dumbbells, parts
from corescore.plots.decomposition import losses
from corescore.plots.many import critical_differences, slopes
from corescore.plots.template import label
from corescore.rendering import decomposition, drawn, local, panels, papers
from corescore.rendering import html as markup
from corescore.rendering import many as tables
from corescore.rendering.columns import Column, Columns, metric_column
from corescore.rendering.html import headline, note, render, rows_table, signature
from corescore.rendering.panels import MarkedMention, Panels, Word
from corescore.rendering.report.blocks import Block, Drawing, Subject, document, heading, html
from corescore.rendering.scores import SHOWN, Report, as_latex, as_markdown, report_frame
from corescore.rendering.tables import KINDS as FILE_KINDS
from corescore.rendering.tables import difference_table, file_name
from corescore.rendering.text import Table
from corescore.replication import EXPERIMENTS, Experiment
from corescore.replication.experiment import Outcome, in_paper, run
from corescore.replication.printed import Printed
from corescore.scoring.scores import Result
from corescore.scoring.tables import count_table, document_summary
from corescore.scoring.tables import difference_table as ratio_differences
from corescore.sentences import compare
from corescore.sentences import credit as findings
from corescore.sentences import errors as sentences
from corescore.sentences import many as many_sentences
from corescore.sentences import scores as scores_sentences
from corescore.sentences.compare import conclusion, paragraph
from corescore.sentences.credit import not_told
from corescore.sentences.errors import NAMES, WORDS
from corescore.sentences.policies import beside_exact
from corescore.util import once
from corescore.wording import capital, count, counted, key_singletons, number

_SHOWN = (*METRIC_IDS, "conll")


def _six(result: Result) -> list[Metric]:
    return [metric for metric in result.metrics if metric.id in METRIC_IDS]


# Two responses ------------------------------------------------------------------------------------

_METRIC = "lea"


def comparison(subject: Subject) -> Iterator[Block]:
    """Which system is better, whether by chance, on which documents, and by which errors."""
    pair = subject.pair
    table = pair.significance.query("measure == 'f1'").set_index("metric").loc[list(_SHOWN)]
    opposed = disagreement_counts(pair.a, pair.b)
    lines = [
        compare.ahead(table, subject.titles, "f1"),
        compare.significance(table),
        compare.disagreement("lea", "conll", opposed["lea"]["conll"], len(pair.a.documents)),
    ]
    yield from _argument(pair, subject)
    yield heading("Under each metric") + headline(" ".join(lines))
    for warning in pair.warnings:
        yield markup.paragraph(warning, "caution")
    says = f"F1 of A and B, their difference and its p-value. {' '.join(lines)}"
    yield Drawing(dumbbells(table, "f1"), "a-and-b", says)
    yield note(compare.how_to_read(pair.randomisation)) + signature(pair.signature)
    yield markup.drawn(difference_table(pair, table))
    yield from _document_by_document(pair, table)
    yield from _errors_of_two(pair)


def _argument(pair: Pair, subject: Subject) -> Iterator[Block]:
    """What can be concluded by the primary metric, and the paragraph for a paper; the answers that
    it rests on, too, unless they stand on the first page."""
    evidence = subject.evidence
    yield headline(conclusion(evidence, subject.titles))
    if subject.is_first_two:
        rows = list(compare.lines(evidence).items())
        yield rows_table(
            "Questions about the difference between two systems", ("", ""), rows, words=(0, 1)
        )
    for_paper = paragraph(evidence, subject.names, pair.a, beforehand=subject.beforehand)
    yield note(f"For a paper: {for_paper}") + signature(pair.signature)


def _document_by_document(pair: Pair, significance: pd.DataFrame) -> Iterator[Block]:
    every = compared_documents(pair.a, pair.b)
    table = every[every["metric"] == _METRIC].drop(columns="metric").reset_index(drop=True)
    sentence = compare.documents(_METRIC, table)
    yield heading("Document by document") + headline(sentence)
    figure = compare_plots.documents(table, _METRIC)
    yield Drawing(figure, "documents-a-and-b", f"B − A of each document. {sentence}")
    wins = significance[["wins_a", "ties", "wins_b"]]
    yield Drawing(
        parts(
            wins.set_axis(["A ahead", "tie", "B ahead"], axis=1),
            [label(str(name)) for name in wins.index],
            [colour_of(str(name)) for name in wins.index],
            heads=["A", "tie", "B"],
        ),
        "documents-ahead",
        "On how many documents A or B is ahead under each metric.",
    )
    yield signature(pair.signature)


def _errors_of_two(pair: Pair) -> Iterator[Block]:
    yield heading("Errors of each kind, A and B")
    try:
        table = pair.errors
    except PolicyError:
        yield note(sentences.REPEATED)
        return
    sentence = compare.errors(table)
    yield headline(sentence)
    says = f"How many errors of each kind A and B make. {sentence}"
    yield Drawing(compare_plots.errors(table), "errors-a-and-b", says)
    yield signature(pair.signature)


# Errors -------------------------------------------------------------------------------------------

_GAINED = "after fixing this kind and no other"


def errors(subject: Subject) -> Iterator[Block]:
    """What fixing each kind of error would gain, and how many of each kind there are, and where."""
    try:
        yield from _kinds_of_errors(subject)
    except PolicyError:
        yield note(sentences.REPEATED)
    for system in subject.systems:
        yield from _removal(system)
    for system in subject.systems:
        yield from _slices(system)


def _kinds_of_errors(subject: Subject) -> Iterator[Block]:
    impacts = {s.letter: _impact(s) for s in subject.systems}
    gains = {letter: gain_table(impact) for letter, impact in impacts.items()}
    first = subject.systems[0]
    yield headline(sentences.largest_gain(first.title, gains["A"]))
    for other in subject.systems[1:]:
        both = gains["A"], gains[other.letter]
        yield headline(sentences.largest_gain_of_other(other.title, *both))
    for system in subject.systems:
        yield heading(f"F1 that {system.title} gains by fixing each kind alone")
        figure = error_plots.gains(gains[system.letter], NAMES, _GAINED)
        says = f"Points of F1 that {system.title} gains {_GAINED}."
        yield Drawing(figure, f"gains-{system.name}", says)
        yield note(f"Points of F1 gained {_GAINED}; the last row is all seven together.")
        yield signature(system.result.signature)
    counts: dict[str, dict[str, int]] = {kind: {} for kind in (*KINDS, INCORRECTLY_RESOLVED)}
    for system in subject.systems:
        for kind, n in _error_counts(system, impacts[system.letter]).items():
            counts[kind][system.letter] = n
    split = {s.letter: _n_wrong_split_antecedents(s) for s in subject.systems}
    shown = {**counts, **({WRONG_SPLIT_ANTECEDENT: split} if any(split.values()) else {})}
    yield heading("Errors of each kind")
    letters = [system.letter for system in subject.systems]
    alone = {INCORRECTLY_RESOLVED: {s.letter: _key_singletons(s) for s in subject.systems}}
    yield markup.kind_rows(shown, WORDS, letters, links=alone)
    in_all = (_how_many(s, sum(counts[kind][s.letter] for kind in KINDS)) for s in subject.systems)
    yield note(" ".join([sentences.KINDS_ARE, *in_all]))
    yield signature(subject.signature)


def _n_wrong_split_antecedents(system: System) -> int:
    comparison = system.result.comparison
    return len(wrong_split_antecedents(parts_of(comparison))) if comparison.plurals else 0


def _how_many(system: System, n_errors: int) -> str:
    result = system.result
    table = error_table(result.comparison, singletons=result.policies.singletons)
    return sentences.how_many(system.title, n_errors, int((~only_moved(table)).sum()))


def _impact(system: System) -> pd.DataFrame:
    return impact_table(system.result.comparison, _six(system.result), shares=False)


def _error_counts(system: System, impact: pd.DataFrame) -> dict[str, int]:
    errors = impact.groupby("kind")["errors"].first()
    number, _ = count_incorrectly_resolved(system.result.comparison)
    return {kind: int(errors[kind]) for kind in KINDS} | {INCORRECTLY_RESOLVED: number}


def _key_singletons(system: System) -> str:
    return key_singletons(*count_incorrectly_resolved(system.result.comparison))


def _removal(system: System) -> Iterator[Block]:
    table = removal_table(system.result)
    number, singletons = count_incorrectly_resolved(system.result.comparison)
    yield heading(f"Without the incorrectly resolved mentions of {system.title}")
    yield headline(sentences.removal(system.title, number, singletons, table))
    caption = f"Scores of {system.title} without its incorrectly resolved mentions"
    yield markup.change_rows(table.loc[[*METRIC_IDS, "conll"]], after="without", caption=caption)
    linked = removal_table(system.result, incorrect="linked")
    if other := sentences.other_reading("all", table, linked):
        yield note(other)
        rows, caption = linked.loc[[*METRIC_IDS, "conll"]], f"{caption} that have a link in the key"
        yield note(f"{caption}:")
        yield markup.change_rows(rows, after="without", caption=caption)
    yield signature(system.result.signature)


def _slices(system: System) -> Iterator[Block]:
    result = system.result
    credit = slice_credit(result.comparison, _six(result), by="type", side="recall")
    yield heading(f"Mentions of {system.title} by type")
    sentence = sentences.weakest_slice(system.title, "recall", credit)
    yield headline(sentence)
    says = f"The share of possible recall that mentions of each type earn. {sentence}"
    yield Drawing(error_plots.slice_credit(credit), f"types-{system.name}", says)
    yield note(f"Percent of the recall that mentions of each type could earn. {not_told()}".strip())
    mentions = mention_table(result.comparison, singletons=result.policies.singletons)
    classes = {system.letter: error_counts(mentions, of="class", by="type")}
    yield markup.class_rows(classes, "mention type") + signature(result.signature)


# Scores, and documents ----------------------------------------------------------------------------

MOST_ROWS, MOST_POINTS = 100, 1000

_PARTS = ("blanc.coreference", "blanc.non_coreference", "mentions")


def overview(subject: Subject) -> Iterator[Block]:
    """All metrics side by side, their average, the sizes of both sides, and the fractions."""
    results = subject.results
    tables = {letter: result.table for letter, result in results.items()}
    intervals = subject.intervals
    figure = score_plots.six_metrics(tables, {letter: of.table for letter, of in intervals.items()})
    yield Drawing(
        figure, "six-metrics", f"Recall, precision and F1 of the {HOW_MANY}. {summary(subject)}"
    )
    yield note(scores_sentences.whiskers(intervals["A"])) + signature(subject.signature)
    difference = ratio_differences(results["A"], results["B"]) if "B" in results else None
    yield _averages(subject, difference)
    for system in subject.systems:
        if line := beside_exact(system.title, system.result):
            yield note(line)
    names = {system.letter: f"{system.letter} · {system.name}" for system in subject.systems}
    sides = {"key": f"Key · {subject.key_name}", **names}
    by_letter = {s.letter: span_errors(s.result.comparison) for s in subject.systems}
    yield markup.count_rows(with_span_errors(count_table(subject.key, results), by_letter), sides)
    yield signature(subject.signature)
    yield from _loss_blocks(subject)
    yield from _types(subject)
    for metrics, caption in (
        (METRIC_IDS, f"The {HOW_MANY} metrics"),
        (_PARTS, "BLANC’s parts, and mentions"),
    ):
        yield heading(caption) + markup.score_rows(metrics, tables, difference, caption=caption)
        yield signature(subject.signature)
    average = results["A"].policies.average
    if average != "micro":
        caption = f"Means over documents ({average})"
        yield heading(caption)
        yield markup.mean_rows(METRIC_IDS, tables, caption=caption, average=average)
        yield signature(subject.signature)
    yield heading("Diagnostics") + note(f"Not among the {HOW_MANY}, and not to be ranked by.")
    yield markup.score_rows(("links", "rand"), tables, difference, caption="Diagnostics")
    yield signature(subject.signature)


def _loss_blocks(subject: Subject) -> Iterator[Block]:
    """What each score loses to detection, linking and singletons."""
    yield heading("Detection, linking or singletons?")
    try:
        made = {system.letter: system.result.decomposition for system in subject.systems}
    except PolicyError as error:
        yield note(f"{error}.")
        return
    sentence = decomposition.told(made, subject.titles)
    yield headline(sentence)
    yield Drawing(losses(made), "losses", sentence)
    yield note(decomposition.ABOUT) + signature(subject.signature)


def _types(subject: Subject) -> Iterator[Block]:
    """Which types of mentions earn each score, and what split antecedents change."""
    yield heading("Which types of mentions earn the score?")
    for system in subject.systems:
        try:
            tables = [decomposition.types(by_type(system.result), "recall")]
        except PolicyError as error:
            yield note(f"{error}.")
            continue
        used = by_use(system.result)
        tables += [] if used.empty else [decomposition.uses(used, "f1")]
        for made in tables:
            (sentence,) = made.said
            yield markup.drawn(
                replace(
                    made,
                    title=sentence,
                    said=[capital(f"{system.title}: {sentence}")],
                    signature=system.result.signature,
                )
            )


def summary(subject: Subject) -> str:
    """How the metrics disagree, in one sentence."""
    first, *second = subject.systems
    if second:
        titles = (first.title, second[0].title)
        return scores_sentences.preferences(titles, first.result, second[0].result)
    return scores_sentences.disagreement(first.title, first.result)


def _averages(subject: Subject, difference: pd.DataFrame | None) -> Markup:
    averages = {
        system.letter: (
            system.name,
            system.result["conll"].f1,
            [(metric, system.result[metric].f1) for metric in CONLL.members],
        )
        for system in subject.systems
    }
    of_conll = None if difference is None else difference["f1"]["conll"]
    return markup.average_block(averages, of_conll)


def documents(subject: Subject) -> Iterator[Block]:
    """A point in the chart and a row in the table for each document, the worst first; and how much
    of the scores is local."""
    results = subject.results
    summaries = {letter: document_summary(result) for letter, result in results.items()}
    first = subject.systems[0]
    sentence = scores_sentences.weakest_document(first.title, first.result, "conll")
    if "B" in results:
        sentence += " " + scores_sentences.document_wins(results["A"], results["B"], "conll")
    yield headline(sentence)
    longest = summaries["A"].nlargest(MOST_POINTS, "words").index
    figure = score_plots.size_against_score(
        {letter: table.loc[longest] for letter, table in summaries.items()},
        size="words",
        size_title="words",
        metric="conll",
    )
    yield Drawing(figure, "documents", f"F1 of each document against its words. {sentence}")
    if len(longest) < len(subject.key):
        yield note(f"The chart shows the {count(MOST_POINTS)} longest documents.")
    yield signature(subject.signature)
    yield from _document_tables(subject, summaries)
    yield from _local(subject)


def _local(subject: Subject) -> Iterator[Block]:
    """How much of each score is local: in windows of the texts, and by distance."""
    yield heading("How much of the score is local?")
    try:
        tables = {s.letter: long_documents.by_window(s.result) for s in subject.systems}
    except PolicyError as error:
        yield note(f"{error}.")
        return
    sentence = " ".join(
        capital(f"{s.title}: {local.windows(tables[s.letter], 'f1').said[0]}")
        for s in subject.systems
    )
    yield headline(sentence)
    yield Drawing(local_plots.by_window(tables), "windows", sentence)
    yield note(local.CUT) + signature(subject.signature)
    for system in subject.systems:
        for by, table, sentence, about in local.by_group(system.result):
            opening = capital(f"{system.title}: {sentence}")
            yield headline(opening)
            yield Drawing(local_plots.by_group(table, by), f"{by}-{system.name}", opening)
            yield note(about) + signature(system.result.signature)


def _document_tables(subject: Subject, summaries: dict[str, pd.DataFrame]) -> Iterator[Block]:
    columns: Columns = [
        *("document", "words", "documents.key_mentions"),
        *map(metric_column, _SHOWN),
        *("span_errors", "missing_mentions", "spurious_mentions"),
    ]
    for system in subject.systems:
        errors = span_errors(system.result.comparison)
        of_errors = "missing_mentions", "spurious_mentions"
        table = apart(summaries[system.letter].assign(span_errors=errors), of_errors)
        worst = table.sort_values("conll", kind="stable").head(MOST_ROWS)
        caption = f"F1 of {system.title} by document, percent, the lowest CoNLL score first"
        more = len(table) - len(worst)
        rest = [f"{counted(more, 'document')} more not listed."] if more else []
        rows = worst.rename_axis("document").reset_index()
        yield note(caption)
        yield markup.drawn(Table(rows, columns, caption, notes=rest, signature=subject.signature))


# The published experiments ------------------------------------------------------------------------


def experiments(subject: Subject) -> Iterator[Block]:
    """Every published experiment rerun; those that need data run on the key and A."""
    outcomes = [outcome for one in EXPERIMENTS if (outcome := _outcome(one, subject))]
    yield headline(papers.overall(outcomes))
    ran_on = f"{subject.systems[0].title} against {subject.key_name}"
    for paper, of_paper in groupby(outcomes, key=lambda outcome: outcome.experiment.paper):
        yield heading(f"{paper.name}: {paper.full_title}")
        for outcome in of_paper:
            on_data = outcome.experiment.on_data
            yield from _shown(outcome, ran_on) if on_data else _in_paper(outcome.experiment)


@once
def _in_paper(experiment: Experiment) -> tuple[Block, ...]:
    """An experiment without data, which comes out the same in every report."""
    return tuple(_shown(in_paper(experiment), ""))


def _outcome(experiment: Experiment, subject: Subject) -> Outcome | None:
    """The experiment rerun; None if it needs data and cannot use the subject's."""
    if not experiment.on_data:
        return in_paper(experiment)
    result = subject.systems[0].result
    key, response = (Corpus(of) for of in (result.comparison.key, result.comparison.response))
    try:
        setting = experiment.setting(key=key, response=response, policies=result.policies)
        return run(experiment, setting)
    except (InputError, PolicyError):
        return None


def _shown(outcome: Outcome, ran_on: str) -> Iterator[Block]:
    experiment = outcome.experiment
    where = f"{experiment.where}, run on {ran_on}" if ran_on else experiment.where
    yield heading(f"{experiment.title} ({where})", 4)
    sentence = papers.finding(outcome, changed=False)
    yield headline(sentence) + papers.claim_list(outcome.checks)
    figure = experiment_plots.draw(experiment.chart, outcome.drawn)
    if figure:
        yield Drawing(figure, experiment.id, f"{experiment.title} {sentence}")
    else:
        yield drawn_table(outcome)
    for one in experiment.printed:
        yield from printed_beside(outcome, one, ran_on)
    yield signature(outcome.signature)


def drawn_table(outcome: Outcome, *, most: int | None = None) -> Markup:
    """The rows that the chart draws, the first `most` of them, as a table."""
    experiment = outcome.experiment
    shown = outcome.drawn[:most]
    return markup.table_rows(papers.readable_table(shown, experiment.chart, experiment.title))


def printed_beside(outcome: Outcome, one: Printed, ran_on: str) -> Iterator[Markup]:
    """The figures of one of the paper's tables, each above the computed one."""
    beside = outcome.beside(one)
    caption = f"{outcome.experiment.source_of(one)}, printed and computed"
    yield headline(f"{one.title}. {papers.sentence(beside, one, ran_on=ran_on)}")
    yield papers.html_table(papers.as_table(beside, one.on), caption)


# Whether the ranks of all systems owe to the mention identification effect ------------------------


def effect(subject: Subject) -> Iterator[Block]:
    """Scores and ranks before and after incorrectly resolved mentions are removed."""
    removed = identification_effect({system.title: system.result for system in subject.systems})
    made = tables.effect_table(removed)
    sentence, *other = made.said
    yield headline(sentence)
    yield Drawing(slopes(removed), "effect", sentence)
    yield note(" ".join([many_sentences.SLOPES, *other]))
    yield markup.drawn(replace(made, said=(), signature=subject.signature))


# Systems over several data sets as an HTML file: what follows, scores, ranks, and the diagram -----

DIAGRAM = "Which systems differ?"


def page(compared: DataSets, signed: str) -> str:
    """The file; signed: `corescore.rendering.many.signature`."""
    systems, data_sets = map(len, (compared.systems, compared.data_sets))
    title = f"Coreference scores of {counted(systems, 'system')}"
    title += f" on {counted(data_sets, 'data set')}"
    drawings: list[Drawing] = []
    blocks = [html(block, drawings) for block in _diagram(compared)]
    sections = [("diagram", DIAGRAM, blocks), ("ranks", "Ranks", [_rank_on_each(compared)])]
    return document(title, _front(compared, signed), sections, drawings, is_open=True)


def _front(compared: DataSets, signed: str) -> Markup:
    """What may be concluded, and the scores."""
    title = f"{many_sentences.what(compared)} in percent"
    sentence = f"{many_sentences.leader(compared)} {many_sentences.conclusion(compared)}"
    notes = (many_sentences.columns(compared),)
    made = tables.score_table(compared, signed)
    return markup.drawn(replace(made, title=title, said=[sentence], notes=notes))


def _diagram(compared: DataSets) -> Iterator[Block]:
    """The diagram, the same as a table, and the tests."""
    if compared.is_tested:
        figure = critical_differences(compared)
        yield Drawing(figure, "critical-differences", many_sentences.diagram(compared))
        yield note(many_sentences.BARS)
        columns = ("system", "mean_rank", "macro", "bars")
        rows = drawn.barred(compared)
        yield markup.table_rows(Table(rows, columns, many_sentences.diagram(compared)))
    for said in many_sentences.tested(compared):
        yield note(said)


def _rank_on_each(compared: DataSets) -> Markup:
    rows = pd.DataFrame(compared.ranks).rename(columns=str)
    rows = rows.assign(system=compared.systems, mean_rank=compared.mean_ranks).iloc[
        compared.by_rank
    ]
    of_each = [Column(name, number, (str(at),)) for at, name in enumerate(compared.data_sets)]
    columns: Columns = ["system", *of_each, "mean_rank"]
    return markup.table_rows(Table(rows, columns, "Rank on each data set"))


# Credit: a passage once for each metric -----------------------------------------------------------

WINDOW = 180  # words of a passage

MOST_PASSAGES = 12

DEFAULT_PASSAGES = 2

_SIDE = "recall"

_HINT = "Point at a mention to read its share."


def credit(subject: Subject) -> Iterator[Block]:
    """For each document, the passage with the most incorrectly resolved mentions, per metric."""
    names = subject.documents or worst_documents(subject)
    yield note(
        "Each mention of the key is shaded by the share of its possible recall that "
        "a metric gives it."
    )
    for name in names:
        number = _worst_window(name, subject.systems[0])
        for system in subject.systems:
            with_legend = (name, system) == (names[0], subject.systems[0])
            yield from _passage(name, system, number, with_legend=with_legend)


def worst_documents(subject: Subject) -> tuple[str, ...]:
    """The documents with the most incorrectly resolved mentions of A; the first if none has any."""
    counts = incorrectly_resolved_counts(subject.systems[0].result.comparison)
    worst = counts["incorrectly_resolved"].nlargest(DEFAULT_PASSAGES, keep="first")
    names = [str(name) for name in worst[worst > 0].index]
    return tuple(names or [subject.key.documents[0].name])


def _passage(name: str, system: System, number: int, *, with_legend: bool) -> Iterator[Block]:
    result = system.result
    text = _text_of(name, system)
    windows = markup.windows(text, WINDOW)
    window = windows[min(number, len(windows) - 1)]  # names of toys differ in number
    table = share_table(result.comparison, _six(result), side=_SIDE, document=name)
    wrong = table[table["status"] == INCORRECTLY_RESOLVED]
    means = mean_shares(table, METRIC_IDS, status=INCORRECTLY_RESOLVED if len(wrong) else "")
    yield heading(f"{name}: {system.title}")
    n, alone = len(wrong), n_key_singletons(table, side=_SIDE)
    yield headline(findings.incorrect_shares(name, system.title, n, _SIDE, means, singletons=alone))
    if window.end - window.start < len(text.words):
        total = counted(len(text.words), "word")
        yield note(f"Words {window.start + 1} to {window.end} of {total}.")
    values = panels.panels(
        text,
        result.comparison.key[result.documents.index(name)],
        table,
        window,
        side=_SIDE,
        scores=panels.scores_in_words(result, name, _SIDE),
    )
    yield passage_html(values, with_legend=with_legend) + signature(result.signature)


def _text_of(name: str, system: System) -> Document:
    """The document with its words: the key's, or the response's if the key has none."""
    number = system.result.documents.index(name)
    sides = system.result.comparison
    return sides.key[number] if sides.key[number].words else sides.response[number]


def _worst_window(name: str, system: System) -> int:
    """The number of the window where most incorrectly resolved mentions start, or the first."""
    comparison = system.result.comparison
    key = comparison.precision.own_partner[incorrectly_resolved(comparison)]
    side = comparison.matching.key
    starts = side.start[key[side.document[key] == system.result.documents.index(name)]]
    windows = markup.windows(_text_of(name, system), WINDOW)
    wrong = [int(((starts >= w.start) & (starts < w.end)).sum()) for w in windows]
    return wrong.index(max(wrong))


class Opened(NamedTuple):
    """The start tag of a mention: its depth, and whether it is the mention's first part.

    role  "chosen" of the selected mention, "kin" of the others of its entity
    """

    of: MarkedMention
    depth: int
    is_first: bool
    role: str = ""


class OpenedWord(NamedTuple):
    """A word with the mentions that start before it and how many end after it."""

    form: str
    opened: list[Opened]
    n_closed: int
    sentence: int


def passage_html(values: Panels, *, with_legend: bool) -> Markup:
    """What credit.js draws of `panels.panels`, without what it does on a click."""
    return render(
        "passage",
        "passage",
        panels=values.panels,
        words=list(opened_words(values)),
        legend=values.legend if with_legend else [],
        hint=_HINT,
    )


def opened_words(values: Panels) -> Iterator[OpenedWord]:
    """The words, each with the start tags before it and the number of end tags after it."""
    depths, seen = _depths(values.words), set[int]()
    roles = _roles(values)
    for word in values.words:
        opened = [
            Opened(values.mentions[at], depths[at], at not in seen, roles[at]) for at in word.opened
        ]
        seen.update(word.opened)
        yield OpenedWord(word.form, opened, word.n_closed, word.sentence)


def _roles(values: Panels) -> list[str]:
    chosen = {one.entity for one in values.mentions if one.span == values.chosen}
    return [
        "chosen" if one.span == values.chosen else "kin" if one.entity in chosen else ""
        for one in values.mentions
    ]


def _depths(words: Sequence[Word]) -> list[int]:
    """How many levels of mentions are nested in each."""
    depths: dict[int, int] = {}
    stack: list[int] = []
    for word in words:
        stack += word.opened
        for index in word.opened:
            depths.setdefault(index, 0)
        for _ in range(word.n_closed):
            inner = stack.pop()
            if stack:
                depths[stack[-1]] = max(depths[stack[-1]], depths[inner] + 1)
    return [depths.get(index, 0) for index in range(max(depths, default=-1) + 1)]


# All tables of a subject as files of one ZIP archive ----------------------------------------------

_EVERY = (*SHOWN, *(metric.id for metric in DIAGNOSTICS if metric.id not in SHOWN))

NamedTable = tuple[str, pd.DataFrame, str]  # with its signature


def score_report(subject: Subject, *, per_document: bool = False) -> Report:
    """The scores of the systems by their names, for any format of table."""
    results = {system.name: system.result for system in subject.systems}
    return Report(subject.key_name, results, _EVERY if per_document else SHOWN, per_document)


def tables_of(subject: Subject) -> Iterator[NamedTable]:
    """All tables that the pages show of the systems, unrounded."""
    signature = subject.signature
    yield "scores", report_frame(score_report(subject, per_document=True)), signature
    by_letter = {s.letter: span_errors(s.result.comparison) for s in subject.systems}
    counts = with_span_errors(count_table(subject.key, subject.results), by_letter)
    yield "counts", counts.rename_axis("side").reset_index(), signature
    for system in subject.systems:
        yield from _of_system(subject, system)
    if len(subject.systems) > 1:
        yield from _of_two(subject)


def _of_system(subject: Subject, system: System) -> Iterator[NamedTable]:
    result, name = system.result, f"{system.letter}-{system.name}"
    comparison, signature = result.comparison, result.signature
    yield (
        file_name("documents", name),
        document_summary(result).assign(span_errors=span_errors(comparison)).reset_index(),
        signature,
    )
    mentions = mention_table(comparison, singletons=result.policies.singletons)
    yield file_name("mentions", name), mentions, signature
    incorrect = incorrectly_resolved_table(comparison)
    yield file_name("incorrectly-resolved", name), incorrect, signature
    try:
        yield file_name("errors", name), operation_table(comparison), signature
        yield file_name("mending", name), impact_table(comparison, _six(result)), signature
    except PolicyError:  # mentions in several entities: there are no kinds of errors
        return


def _of_two(subject: Subject) -> Iterator[NamedTable]:
    first, second = (system.result for system in subject.systems)
    pair = subject.pair
    yield "comparison", pair.significance, pair.signature
    yield "comparison-documents", compared_documents(first, second), pair.signature


def archive(subject: Subject) -> bytes:
    """A ZIP of every table in every format, and the scores in LaTeX and Markdown.

    The same subject gives the same bytes.
    """
    data = io.BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as zipped:
        for name, frame, signature in tables_of(subject):
            for kind in FILE_KINDS:
                content = kind.write(frame, signature)
                zipped.writestr(_entry(kind.ending, f"{name}.{kind.ending}"), content)
        report = score_report(subject)
        zipped.writestr(_entry("scores.tex"), as_latex(report))
        zipped.writestr(_entry("scores.md"), as_markdown(report))
    return data.getvalue()


def _entry(*path: str) -> ZipInfo:
    """An entry of the archive, without its time: the same content gives the same bytes."""
    entry = ZipInfo("/".join(path))
    entry.compress_type = ZIP_DEFLATED
    return entry
