"""Two systems in a report: which is better, whether by chance, on which documents and why."""

from collections.abc import Iterator

from corescore.analysis.systems.pair import Pair
from corescore.corpus.problems import PolicyError
from corescore.metrics import SCORE_IDS
from corescore.rendering import exhibits
from corescore.rendering import html as markup
from corescore.rendering.compared import difference_table
from corescore.rendering.html import headline, note, rows_table, signature
from corescore.rendering.report.blocks import Block, Subject, heading, shown
from corescore.sentences import compare
from corescore.sentences import errors as sentences
from corescore.sentences.compare import conclusion, paragraph

_METRIC = "lea"


def comparison(subject: Subject) -> Iterator[Block]:
    """Which system is better, whether by chance, on which documents, and by which errors."""
    pair = subject.pair
    table = pair.significance.query("measure == 'f1'").set_index("metric").loc[list(SCORE_IDS)]
    scores = exhibits.scores_of_two(pair, subject.titles, pair.disagreement_counts)
    opening, *others = shown(scores, pair.signature)
    yield from _argument(pair, subject)
    yield heading("Under each metric")
    yield opening
    for warning in pair.warnings:
        yield markup.paragraph(warning, "caution")
    yield from others
    yield markup.drawn(difference_table(pair, table))
    of_metric = pair.documents.query("metric == @_METRIC").drop(columns="metric")
    made = exhibits.documents_of_two(of_metric.reset_index(drop=True), _METRIC)
    yield heading("Document by document") + headline(made.said)
    yield made
    yield exhibits.wins(table)
    yield signature(pair.signature)
    yield heading("Errors of each kind, A and B")
    try:
        errors = pair.errors
    except PolicyError:
        yield note(sentences.REPEATED)
    else:
        yield from shown(exhibits.errors_of_two(errors), pair.signature)


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
