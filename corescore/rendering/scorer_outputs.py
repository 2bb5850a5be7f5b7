"""Scores as another scorer prints them, for programs that read its output."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import fsum
from typing import NamedTuple

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.conll_perl import (
    ListedDocument,
    ListedPair,
    ListedPairs,
    ScorerStops,
    Span,
    read_pairs,
)
from corescore.corpus.problems import PolicyError
from corescore.counting.counts import Counts, Score, arrays_of, quotient
from corescore.metrics import CONLL, metric_of
from corescore.rendering.scores import Report
from corescore.scoring.presets import PRESETS
from corescore.scoring.scores import Result, score
from corescore.version import __version__

# The lines that coval and the CorefUD scorer, which grew from it, have in common ------------------


def ratio_line(score: Score[float]) -> str:
    """Recall, precision and F1 in percent, rounded to two decimals."""
    return (
        f"Recall: {100 * score.recall:.2f}  Precision: {100 * score.precision:.2f}"
        f"  F1: {100 * score.f1:.2f}"
    )


def conll_line(scores: Result) -> str:
    """The mean of the F1 of MUC, B³ and CEAFₑ, likewise."""
    return f"CoNLL score: {100 * scores[CONLL.id].f1:.2f}"


# What corefud-scorer.py 1.2 prints, to the character ----------------------------------------------

METRICS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero")

# The policies that its options set; it has no others.
OPTIONS = {
    "match": ("head", "partial", "exact"),
    "singletons": ("drop", "keep"),
    "zeros": ("dependent", "linear"),
}


def corefud_lines(scores: Result, shown: Collection[str]) -> Iterator[str]:
    """The lines for these metrics, in that scorer's order."""
    policies = scores.policies
    singletons = ", singletons" if policies.singletons == "keep" else ""
    metrics = [metric for metric in METRICS if metric in shown]
    yield (
        f"The scorer is evaluating coreferential mentions{singletons}, zeros (using "
        f"{policies.zeros} match method) using {policies.match} match evaluation setting."
    )
    yield f"The following metrics will be evaluated: {', '.join(metrics)}\n"
    for metric in metrics:
        yield metric
        yield ratio_line(scores[metric])
    if set(CONLL.members) <= set(metrics):
        yield conll_line(scores)


# What coval's scorer.py prints, to the character --------------------------------------------------

COVAL_SCORER_METRICS = ("mentions", "muc", "bcub", "ceafe", "lea")

# The policies that its options set; it has no others.
COVAL_SCORER_OPTIONS = {"singletons": ("keep", "drop"), "match": ("exact", "min-span")}


def coval_lines(scores: Result, shown: Collection[str]) -> Iterator[str]:
    """The lines for these metrics, in that scorer's order."""
    if scores.policies.singletons == "drop":
        sides = scores.comparison.key, scores.comparison.response
        key, response = (sum(map(_n_singletons, side)) for side in sides)
        removed = f"{key} and {response} singletons are removed from the key and system files"
        yield f"{removed}, respectively"
    for metric in COVAL_SCORER_METRICS:
        if metric in shown:
            yield f"{metric:<10} {ratio_line(scores[metric])}"
    if set(CONLL.members) <= set(shown):
        yield conll_line(scores)


def _n_singletons(document: Document) -> int:
    return int((np.bincount(document.entity_of) == 1).sum())


class ScorerOutput(NamedTuple):
    """The output of one scorer.

    lines    what it prints for some metrics
    metrics  the ids of those it has
    options  the policies that its own options set, with their values
    """

    lines: Callable[[Result, Collection[str]], Iterator[str]]
    metrics: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]


# By the id of the preset.
SCORER_OUTPUTS = {
    "coval": ScorerOutput(coval_lines, COVAL_SCORER_METRICS, COVAL_SCORER_OPTIONS),
    "corefud": ScorerOutput(corefud_lines, METRICS, OPTIONS),
}


def as_scorer(name: str, report: Report) -> str:
    """What the scorer of this preset prints of a report.

    Raises PolicyError for what it does not print: several responses, documents, counts alone,
    metrics that it does not have, policies that it cannot be set to.
    """
    output, (scores, *more) = SCORER_OUTPUTS[name], report.responses.values()
    if not isinstance(scores, Result):
        raise PolicyError(f"format {name} is asked for counts alone; expected documents, in memory")
    if more or report.per_document:
        what = "several responses" if more else "scores of documents"
        raise PolicyError(f"format {name} is asked for {what}; expected the totals of one response")
    _check_policies(name, output, scores)
    unknown = [one for one in report.metrics if one not in (*output.metrics, CONLL.id)]
    if unknown:
        raise PolicyError(
            f"format {name} is asked for {unknown[0]}; expected one of: {', '.join(output.metrics)}"
        )
    return "\n".join(output.lines(scores, report.metrics)) + "\n"


def _check_policies(name: str, output: ScorerOutput, scores: Result) -> None:
    own = asdict(PRESETS[name].policies)
    for policy, value in asdict(scores.policies).items():
        values = output.options.get(policy, (own[policy],))
        matters = policy != "split_antecedents" or scores.has_split_antecedents
        if matters and value not in values:
            shown = policy.replace("_", " ")
            expected = f"expected {' or '.join(values)} (--as {name})"
            raise PolicyError(f"format {name} is asked for {shown} '{value}'; {expected}")


# What the CoNLL reference scorer v8.01 prints, to the character -----------------------------------
# Documents come in the order of the key's file; that scorer's order is another in every run.

VERSION = f"version: 8.01 corescore {__version__}"

REFERENCE_SCORER_METRICS = PRESETS["perl"].metrics

TOTALS_ONLY = "none"

MOST_REPEATS = 10

_TOO_MANY = (
    "Found too many repeated mentions (> 10) in the response, so refusing to score. "
    "Please fix the output."
)

USAGE = """
use: scorer.pl <metric> <keys_file> <response_file> [name]

  metric: the metric desired to score the results:
    muc: MUCScorer (Vilain et al, 1995)
    bcub: B-Cubed (Bagga and Baldwin, 1998)
    ceafm: CEAF (Luo et al, 2005) using mention-based similarity
    ceafe: CEAF (Luo et al, 2005) using entity-based similarity
    blanc: BLANC
    all: uses all the metrics to score

  keys_file: file with expected coreference chains in SemEval format

  response_file: file with output of coreference system (SemEval format)

  name: [optional] the name of the document to score. If name is not
    given, all the documents in the dataset will be scored. If given
    name is "none" then all the documents are scored but only total
    results are shown.
"""


def reference_lines(arguments: Sequence[str]) -> Iterator[str]:
    """The lines that the scorer prints when it is called with these arguments.

    Raises ScorerStops, after the lines before, where the scorer stops with a message; and after all
    lines, with code 0, for a file without a document to score, which it counts as empty.
    """
    yield VERSION
    if len(arguments) < 3:
        yield USAGE
        return
    metric, key, response, name, *_ = *arguments, None
    if metric != "all" and metric.lower() not in REFERENCE_SCORER_METRICS:
        yield "Invalid metric"
        return
    one = None if name == TOTALS_ONLY else name
    report = _Report(read_pairs(key, response, one), one, shows_documents=name != TOTALS_ONLY)
    for shown in REFERENCE_SCORER_METRICS if metric == "all" else (metric.lower(),):
        if metric == "all":
            yield f"\nMETRIC {shown}:"
        yield from report.lines(shown)
    for side, path in enumerate((key, response)):
        if not any(pair.sides[side].name for pair in report.read.pairs):
            raise ScorerStops(
                f"{path} has no line '#begin document {one or '(NAME)'}'. `corescore score` reads "
                "other formats, and gzipped files.",
                0,
            )


def _pair_scores(pairs: Sequence[ListedPair]) -> Result:
    """The scores of the pairs; of one without mentions if there are none."""
    whole = [pair for pair in pairs if pair.is_whole] or [ListedPair("", (ListedDocument(),) * 2)]
    key, response = (
        Corpus(tuple(_half_open_document(pair.name, pair.sides[side]) for pair in whole))
        for side in (0, 1)
    )
    metrics = tuple(metric_of(name) for name in REFERENCE_SCORER_METRICS)
    return score(key, response, PRESETS["perl"].policies, metrics=metrics)


def _half_open_document(name: str, listed: ListedDocument) -> Document:
    """The document with ends that are half-open."""
    rows = [(s, e + 1, i) for i, entity in enumerate(listed.entities) for s, e in entity]
    return Document.of_rows(name, rows)


@dataclass
class _Report:
    """One run of the scorer. It counts repeats through all the metrics of a run."""

    read: ListedPairs
    name: str | None
    shows_documents: bool
    n_repeats: int = 0
    scores: Result = field(init=False)

    def __post_init__(self) -> None:
        self.scores = _pair_scores(self.read.pairs)

    def lines(self, metric: str) -> Iterator[str]:
        """The lines of one metric: documents, if they are shown, and totals."""
        for at, pair in enumerate(self.read.pairs):
            yield from self._before(metric, pair)
            if self.read.stop:
                break
            yield from self._document(metric, pair, at)
        if self.read.stop:
            raise self.read.stop
        yield "\n====== TOTALS ======="
        identified = ratios(_total(self.scores.counts["mentions"]))
        yield f"Identification of Mentions: {identified}"
        totals = _total(self.scores.counts[metric])
        yield from _blanc(totals) if metric == "blanc" else (f"Coreference: {ratios(totals)}",)

    def _before(self, metric: str, pair: ListedPair) -> Iterator[str]:
        """What is shown of both sides of a document as they are read, with its name."""
        one = self.name == pair.name
        if one and self.shows_documents:
            yield f"{pair.name}:"
        for side in pair.sides:
            if self.shows_documents:
                yield f"====> {side.name}:"
                yield from (f"Discarded ({ids})" for ids in side.discarded)
            if side.stop:
                raise side.stop
            if self.shows_documents:
                yield f"File {side.name}:"
                for number, entity in enumerate(side.entities):
                    yield f"Entity {number}:" + "".join(
                        f" ({start},{end})" for start, end in entity
                    )
        if not one and self.shows_documents:
            yield ":" if metric == "blanc" else f"{pair.name}:"

    def _document(self, metric: str, pair: ListedPair, number: int) -> Iterator[str]:
        """Repeats, how many mentions were identified, and the score of the document."""
        key, response = (side.entities for side in pair.sides)
        n_listed = sum(map(len, key))
        yield from _key_repeats(key)
        for line in _response_repeats(key, response):
            yield line
            self.n_repeats += 1
            if self.n_repeats > MOST_REPEATS:
                raise ScorerStops(_TOO_MANY, 1)
        if not self.shows_documents:
            return
        yield from _identified(self.scores.counts["mentions"], number, n_listed)
        if metric != "blanc":
            yield ratios(self.scores.counts[metric], number)


Entities = Sequence[Sequence[Span]]


def _key_repeats(key: Entities) -> Iterator[str]:
    """A line for each mention that an entity of the key has listed before.

    Mentions are numbered as they are listed; the line ends in the numbers of both.
    """
    numbers: dict[Span, int] = {}
    for number, span in enumerate(span for entity in key for span in entity):
        if span in numbers:
            place = f"{span[0]}, {span[1]}"
            yield f"Repeated mention in the key: {place} {numbers[span]}{number}"
        numbers[span] = number


def _response_repeats(key: Entities, response: Entities) -> Iterator[str]:
    """A line for each mention of the key that the response has listed before; these go."""
    numbers = {span: number for number, span in enumerate(s for entity in key for s in entity)}
    seen: set[Span] = set()
    for span in (span for entity in response for span in entity):
        if span in seen:
            place = f"{span[0]}, {span[1]}"
            yield f"Repeated mention in the response: {place} {numbers[span]}{numbers[span]}"
        elif span in numbers:
            seen.add(span)


def _identified(mentions: Counts, number: int, n_listed: int) -> Iterator[str]:
    """How many mentions each side has and both have; `n_listed` by the key, repeats included."""
    n_both, n_key, _, n_response = map(int, _sums_of_part(mentions, number))
    yield f"Total key mentions: {n_key}"
    yield f"Total response mentions: {n_response}"
    yield f"Strictly correct identified mentions: {n_both}"
    yield "Partially correct identified mentions: 0"
    yield f"No identified: {n_key - n_both}"
    yield f"Invented: {n_response - n_both + n_listed - n_key}"


def _total(counts: Counts) -> Counts:
    """The sums over documents, rounded once, so that their 15 digits are right in any order."""
    return Counts(*(np.array([[*map(fsum, array.T)]]) for array in arrays_of(counts)))


def ratios(counts: Counts, number: int = 0) -> str:
    """Recall, precision and F1 of one document, with a line of dashes below."""
    sums = _sums_of_part(counts, number)
    return _shown(sums, _f1_as_perl(sums))


def _sums_of_part(counts: Counts, number: int, part: int = 0) -> list[float]:
    """What recall is divided from, then precision."""
    return [float(array[number, part]) for array in arrays_of(counts)]


def _recall_and_precision(sums: Sequence[float]) -> tuple[float, float]:
    return quotient(*sums[:2]), quotient(*sums[2:])


def _f1_as_perl(sums: Sequence[float]) -> float:
    """The harmonic mean, multiplied and divided in that scorer's order, as percentages are cut."""
    recall, precision = _recall_and_precision(sums)
    return quotient(2 * precision * recall, precision + recall)


def _shown(sums: Sequence[float], f1: float) -> str:
    recall, precision = map(_cut_percent, _recall_and_precision(sums))
    correct, of_key, also_correct, of_response = map(as_perl, sums)
    return (
        f"Recall: ({correct} / {of_key}) {recall}%\tPrecision: ({also_correct} / {of_response}) "
        f"{precision}%\tF1: {_cut_percent(f1)}%\n{'-' * 74}"
    )


def as_perl(value: float) -> str:
    """A number as Perl prints it: up to 15 significant digits, no zeros at the end."""
    return f"{value:.15g}"


def _cut_percent(value: float) -> str:
    """A fraction as a percentage, cut after two decimals."""
    return as_perl(int(value * 10000) / 100)


def _blanc(totals: Counts) -> Iterator[str]:
    """Both kinds of link, then their means, or that of the kind which the key has."""
    parts = [_sums_of_part(totals, 0, part) for part in (0, 1)]
    yield f"\nCoreference:\nCoreference links: {_shown(parts[0], _f1_as_perl(parts[0]))}"
    yield f"Non-coreference links: {_shown(parts[1], _f1_as_perl(parts[1]))}"
    counting = [sums for sums in parts if sums[1]]
    rows = [(*_recall_and_precision(sums), _f1_as_perl(sums)) for sums in counting]
    recall, precision, f1 = (quotient(sum(row[at] for row in rows), len(rows)) for at in range(3))
    yield f"BLANC: {_shown((recall, 1, precision, 1), f1)}"
