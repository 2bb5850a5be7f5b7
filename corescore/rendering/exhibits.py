"""Results as pages and reports show them: what follows, a chart, and what that draws as a table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import pandas as pd
from markupsafe import Markup

from corescore.analysis.errors.classes import MISSING, SPAN_ERROR, SPURIOUS
from corescore.analysis.errors.tables import apart
from corescore.analysis.long_documents import by_distance, by_size
from corescore.analysis.significance import Intervals
from corescore.analysis.systems.comparability import ScoredSystems
from corescore.analysis.systems.effect import IdentificationEffect
from corescore.analysis.systems.pair import Pair
from corescore.metrics import HOW_MANY, METRIC_IDS, SCORE_IDS, colour_of, name_of
from corescore.plots import compare as compare_plots
from corescore.plots import decomposition as loss_plots
from corescore.plots import local as local_plots
from corescore.plots import many as many_plots
from corescore.plots import scores as score_plots
from corescore.plots.documents import distribution
from corescore.plots.template import Figure, Tables, label
from corescore.rendering import decomposition, drawn, html, local
from corescore.rendering.compared import difference_table
from corescore.rendering.many import effect_table
from corescore.rendering.text import Table
from corescore.scoring.scores import Result
from corescore.scoring.tables import difference_table as ratio_differences
from corescore.scoring.tally import Tally
from corescore.sentences import compare, many
from corescore.sentences import scores as sentences
from corescore.sentences.names import SystemTitles
from corescore.sentences.policies import beside_exact
from corescore.wording import RATIOS, capital, count, percent, plural, signed

SIZES = "documents", "words", "mentions", "entities", "singletons"


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


# Overview: one system, or two side by side --------------------------------------------------------


@dataclass(frozen=True)
class Overview:
    """The scores of one system, or of two and B − A, as pages and reports show them."""

    scored: ScoredSystems

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The scores by the systems' letters."""
        return {letter: result.table for letter, result in self.scored.results.items()}

    @cached_property
    def difference(self) -> pd.DataFrame | None:
        """B − A of two systems."""
        results = self.scored.results
        return ratio_differences(results["A"], results["B"]) if "B" in results else None

    @property
    def sentence(self) -> str:
        """How the metrics disagree about one response, or which of two they prefer."""
        titles, results = self.scored.titles, self.scored.results
        if self.difference is None:
            return sentences.disagreement(titles["A"], results["A"])
        return sentences.preferences((titles["A"], titles["B"]), results["A"], results["B"])

    @property
    def remarks(self) -> list[str]:
        """What the scores would be by exact matching, where mentions match otherwise."""
        lines = (beside_exact(system.title, system.result) for system in self.scored.systems)
        return [*filter(None, lines)]

    def averages(self, members: Sequence[str] = ()) -> Markup:
        """CoNLL of each system, large, perhaps with the F1 of its members, and B − A."""
        blocks = [
            (
                f"{name_of('conll')}, {system.letter} · {system.name}",
                percent(system.result["conll"].f1),
                [(metric, system.result[metric].f1) for metric in members],
            )
            for system in self.scored.systems
        ]
        if self.difference is not None:
            blocks.append(("B − A", signed(self.difference["f1"]["conll"]), []))
        return html.render("scores", "averages", blocks=blocks)

    def six_metrics(self, intervals: Mapping[str, Intervals]) -> Exhibit:
        """Recall, precision and F1 of each, with intervals, which are by the systems' letters."""
        ends = {letter: own.table for letter, own in intervals.items()}
        return Exhibit(
            "six-metrics",
            self.sentence,
            f"Recall, precision and F1 of the {HOW_MANY} metrics.",
            partial(score_plots.six_metrics, self.tables, ends),
            partial(drawn.scores_with_intervals, intervals),
            sentences.whiskers(intervals["A"]),
        )

    def counts(self, counts: pd.DataFrame, key: str, *, errors: bool = True) -> Markup:
        """How many documents, words, mentions and entities each side has, and how many mentions are
        found and, with `errors`, have a span error, are missing or spurious.

        counts  of `corescore.analysis.errors.tables.side_counts`
        key     what the key is called
        """
        heads = {**{size: size for size in SIZES}, "shared": "found"}
        if errors:
            counts = apart(counts, ("missing", "spurious"))
            heads |= {"span_errors": plural(SPAN_ERROR), "missing": MISSING, "spurious": SPURIOUS}
        names = {letter: f"{letter} · {name}" for letter, name in self.scored.names.items()}
        groups = [
            html.Group(name, [[*counts.loc[row, [*heads]].map(count)]])
            for row, name in {"key": key, **names}.items()
        ]
        return html.grouped_table("Counts", ["", *heads.values()], groups, style="counts")

    def losses(self) -> Exhibit:
        """What each score loses to detection, linking and singletons. Raises PolicyError."""
        titles = self.scored.titles
        made = {letter: of.decomposition for letter, of in self.scored.results.items()}

        def table() -> Table:
            loss_table = partial(decomposition.loss_table, groups=True)
            return decomposition.below(
                {titles[letter]: loss_table(of) for letter, of in made.items()}
            )

        sentence = " ".join(decomposition.lines(made, titles))
        return Exhibit(
            "losses", sentence, "", lambda: loss_plots.losses(made), table, decomposition.ABOUT
        )

    def scores(self, metrics: Sequence[str], caption: str, *, in_percent: bool = True) -> Markup:
        """The fractions of each system under these metrics, perhaps in percent, too, and B − A."""
        return html.score_rows(
            metrics, self.tables, self.difference, caption=caption, in_percent=in_percent
        )

    @property
    def means(self) -> Markup:
        """The means over documents of each system under each metric; nothing without any."""
        average = self.scored.policies.average
        return Markup() if average == "micro" else html.mean_rows(METRIC_IDS, self.tables, average)


def weakest(results: Mapping[str, Tally], title: str, letter: str, metric: str) -> str:
    """The document that a system resolves worst, and on how many either of two is ahead."""
    sentence = sentences.weakest_document(title, results[letter], metric)
    if "B" not in results:
        return sentence
    return f"{sentence} {sentences.document_wins(results['A'], results['B'], metric)}"


def documents(
    summaries: Tables, sentence: str, metric: str, size: str, sizes: Mapping[str, str]
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


def windows(tables: Tables, titles: SystemTitles) -> Exhibit:
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
    titles: SystemTitles,
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
    metrics = [*map(str, counts.index)]
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
