"""Results as pages and reports show them: what follows, a chart, and what that draws as a table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd

from corescore.analysis.decomposition import Decomposition
from corescore.analysis.long_documents import by_distance, by_size
from corescore.analysis.significance import Intervals
from corescore.analysis.systems.effect import IdentificationEffect
from corescore.analysis.systems.pair import Pair
from corescore.metrics import HOW_MANY, METRIC_IDS, SCORE_IDS, colour_of, name_of
from corescore.plots import compare as compare_plots
from corescore.plots import decomposition as loss_plots
from corescore.plots import local as local_plots
from corescore.plots import many as many_plots
from corescore.plots import scores as score_plots
from corescore.plots.documents import distribution
from corescore.plots.template import Figure, label
from corescore.rendering import decomposition, drawn, local
from corescore.rendering.compared import difference_table
from corescore.rendering.many import effect_table
from corescore.rendering.text import Table
from corescore.scoring.scores import Result
from corescore.scoring.tally import Tally
from corescore.sentences import compare, many
from corescore.sentences import scores as sentences
from corescore.wording import RATIOS, capital

Titles = Mapping[str, str]  # what sentences call the systems, by their letters


@dataclass(frozen=True)
class Exhibit:
    """A result as a page and a report show it.

    name      of the chart as a file
    sentence  what follows from it
    about     what the chart shows
    draw      draws the chart
    table     makes what it draws as a table
    note      how to read it
    """

    name: str
    sentence: str
    about: str
    draw: Callable[[], Figure]
    table: Callable[[], Table]
    note: str = ""

    @property
    def in_words(self) -> str:
        """The chart for those who do not see it."""
        return f"{self.about} {self.sentence}".strip()


# One system, or two side by side ------------------------------------------------------------------


def summary(results: Mapping[str, Tally], titles: Titles) -> str:
    """How the metrics disagree about one response, or which of two they prefer."""
    (a, first), *others = zip(titles.values(), results.values(), strict=False)
    if not others:
        return sentences.disagreement(a, first)
    b, second = others[0]
    return sentences.preferences((a, b), first, second)


def six_metrics(
    results: Mapping[str, Tally], titles: Titles, intervals: Mapping[str, Intervals]
) -> Exhibit:
    """Recall, precision and F1 of each, with intervals."""
    tables, ends = ({at: of.table for at, of in by.items()} for by in (results, intervals))
    return Exhibit(
        "six-metrics",
        summary(results, titles),
        f"Recall, precision and F1 of the {HOW_MANY} metrics.",
        partial(score_plots.six_metrics, tables, ends),
        partial(drawn.scores_with_intervals, intervals),
        sentences.whiskers(next(iter(intervals.values()))),
    )


def losses(each: Mapping[str, Decomposition], titles: Titles) -> Exhibit:
    """What each score loses to detection, linking and singletons."""

    def table() -> Table:
        loss_table = partial(decomposition.loss_table, groups=True)
        return decomposition.below({titles[letter]: loss_table(of) for letter, of in each.items()})

    sentence = " ".join(decomposition.lines(each, titles))
    return Exhibit(
        "losses", sentence, "", lambda: loss_plots.losses(each), table, decomposition.ABOUT
    )


def weakest(results: Mapping[str, Tally], title: str, letter: str, metric: str) -> str:
    """The document that a system resolves worst, and on how many either of two is ahead."""
    sentence = sentences.weakest_document(title, results[letter], metric)
    if "B" not in results:
        return sentence
    return f"{sentence} {sentences.document_wins(results['A'], results['B'], metric)}"


def documents(
    summaries: Mapping[str, pd.DataFrame], sentence: str, metric: str, size: str, sizes: Titles
) -> Exhibit:
    """A point for each document: its F1 against its size or, without one, as they are distributed.

    summaries  of `corescore.scoring.tables.document_summary`, by the systems' letters
    sizes      what sizes are called, by the columns that have them
    """
    about, draw = "as a dot in a row", partial(distribution, summaries, metric=metric)
    if size in sizes:
        about, given = f"against its {sizes[size]}", {"size": size, "size_title": sizes[size]}
        draw = partial(score_plots.size_against_score, summaries, metric=metric, **given)
    return Exhibit(
        "documents",
        sentence,
        f"{name_of(metric)} F1 of each document {about}.",
        draw,
        partial(drawn.documents, summaries, metric, sizes),
    )


def windows(tables: Mapping[str, pd.DataFrame], titles: Titles) -> Exhibit:
    """The scores in windows of the texts.

    tables  of `corescore.analysis.long_documents.by_window`, by the systems' letters
    titles  of those that the sentence is about
    """
    lines = (f"{titles[at]}: {local.windows(tables[at], 'f1').said[0]}" for at in titles)
    every = pd.concat(tables, names=["response"]).reset_index("response")
    return Exhibit(
        "windows",
        " ".join(map(capital, lines)),
        "",
        partial(local_plots.by_window, tables),
        partial(Table, every),
        local.CUT,
    )


def by_group(result: Result, title: str) -> Iterator[Exhibit]:
    """What mentions earn of recall by distance, then by size."""
    for name, group, read, note in (
        ("distance", by_distance, local.distances, local.BY_DISTANCE),
        ("size", by_size, local.sizes, local.BY_SIZE),
    ):
        table = group(result)
        sentence = capital(f"{title}: {read(table, 'recall').said[0]}")
        draw = partial(local_plots.by_group, table, name)
        yield Exhibit(name, sentence, "", draw, partial(Table, table), note)


# Two systems --------------------------------------------------------------------------------------


def metrics_of(measure: str) -> list[str]:
    """What a measure is shown of: the six and, for F1, CoNLL."""
    return [*(SCORE_IDS if measure == "f1" else METRIC_IDS)]


def scores_of_two(
    pair: Pair,
    titles: Titles,
    opposed: pd.DataFrame,
    *,
    measure: str = "f1",
    names: Sequence[str] = ("", ""),
) -> Exhibit:
    """Both under each metric, their difference, and whether it is significant.

    opposed  of `disagreement_counts`
    names    that stand after the letters in the chart
    """
    table = pair.significance.query("measure == @measure").set_index("metric")
    table = table.loc[metrics_of(measure)]
    one, other = first_two(measure)
    lines = (
        compare.ahead(table, titles, measure),
        compare.significance(table),
        compare.disagreement(one, other, int(opposed[other][one]), len(pair.a.documents)),
    )
    return Exhibit(
        "a-and-b",
        " ".join(lines),
        f"{RATIOS[measure]} of A and B, their difference and its p-value.",
        partial(compare_plots.dumbbells, table, measure, names),
        partial(difference_table, pair, table, every=True),
        compare.how_to_read(pair.randomisation),
    )


def first_two(measure: str) -> tuple[str, str]:
    """The two metrics whose disagreement is shown first."""
    return ("lea", "conll") if measure == "f1" else ("lea", "muc")


def documents_of_two(table: pd.DataFrame, metric: str, names: Sequence[str] = ("", "")) -> Exhibit:
    """Who wins on which document; `table`: the rows of `compared_documents` for one metric."""
    return Exhibit(
        "documents-a-and-b",
        compare.documents(metric, table),
        "B − A of each document.",
        partial(compare_plots.documents, table, metric, names),
        partial(Table, table),
    )


def wins(significance: pd.DataFrame) -> Exhibit:
    """On how many documents A and B are ahead; `significance`: one row per metric."""
    counts = significance[["wins_a", "ties", "wins_b"]]
    counts = counts.set_axis(["A ahead", "tie", "B ahead"], axis=1)
    metrics = [str(name) for name in counts.index]
    looks = [*map(label, metrics)], [*map(colour_of, metrics)]
    return Exhibit(
        "documents-ahead",
        "",
        "On how many documents A or B is ahead under each metric.",
        partial(compare_plots.parts, counts, *looks, heads=["A", "tie", "B"]),
        partial(drawn.by_metric, counts),
    )


def errors_of_two(table: pd.DataFrame) -> Exhibit:
    """How many errors of each kind either makes; `table`: `Pair.errors`."""
    return Exhibit(
        "errors-a-and-b",
        compare.errors(table),
        "How many errors of each kind A and B make.",
        partial(compare_plots.errors, table),
        lambda: Table(table.set_axis(["A", "B", "B − A"], axis=1).reset_index()),
    )


# Many systems -------------------------------------------------------------------------------------


def effect(before_and_after: IdentificationEffect) -> Exhibit:
    """Scores and ranks before and after incorrectly resolved mentions are removed."""
    return Exhibit(
        "effect",
        many.moved(before_and_after),
        "",
        partial(many_plots.slopes, before_and_after),
        partial(effect_table, before_and_after),
        " ".join(filter(None, (many.SLOPES, many.other_reading(before_and_after)))),
    )
