"""Score, and ask the result for its tables, errors, comparison and plot.

pandas and plotly are imported where they are needed: importing them takes longer than scoring most
corpora.

What is counted of each document, with its tables, comparison, plot and file.

The public names, all imported; see `corescore`, which imports them when one is needed.
"""

import os
from collections.abc import Collection, Hashable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from corescore.corpus.build import from_char_clusters, from_clusters, from_spacy
from corescore.corpus.documents import Corpus, Document, Mention
from corescore.corpus.files import read, write
from corescore.corpus.problems import InputError, PolicyError, choose
from corescore.counting.policies import (
    Average,
    Blanc,
    Lookup,
    Match,
    Mentions,
    MissingDocuments,
    Policies,
    Repeats,
    Singletons,
    Words,
    Zeros,
)
from corescore.metrics import METRICS, Counts, Metric, metric_of
from corescore.scoring import scores
from corescore.scoring import tally as tallies
from corescore.scoring.presets import preset
from corescore.scoring.run import tally_files
from corescore.scoring.scores import Scores
from corescore.version import __version__

if TYPE_CHECKING:
    import pandas as pd

    from corescore.analysis.error_table.notes import Notes
    from corescore.analysis.perturbation.base import Perturbation
    from corescore.compared import ErrorList, Pair, Sweep
    from corescore.rendering.tables import Shown

__all__ = [
    "METRICS",
    "Corpus",
    "Counts",
    "Document",
    "InputError",
    "Mention",
    "Metric",
    "PolicyError",
    "Result",
    "Tally",
    "__version__",
    "from_char_clusters",
    "from_clusters",
    "from_spacy",
    "load_tally",
    "preset",
    "read",
    "score",
    "score_entities",
    "score_files",
    "write",
]


class Tally(tallies.Tally):
    """The counts of a response, without its texts: what `Result.tally` and `load_tally` give.

    `tally["bcub"]` is the Score of the whole corpus; see `corescore.scoring.tally.Tally` for all
    other values. Tallies of different documents add up: `one + other`, `Tally.sum([…])`.
    """

    def metric(self, name: str) -> Metric:
        """The metric of this id, as it is in force. PolicyError for another."""
        known = {metric.id: metric for metric in self.metrics}
        return known[choose("metric", name, known)]

    @property
    def table(self) -> "pd.DataFrame":
        """A row for each metric: title, whether a diagnostic, recall, precision, F1 and what they
        were divided from; with other averages beside them under `average`."""
        from corescore.scoring.tables import score_table

        return score_table(self)

    @property
    def per_document(self) -> "pd.DataFrame":
        """The same for each document: rows (document, metric), NaN where empty."""
        from corescore.scoring.tables import document_table

        return document_table(self)

    def compare(
        self, other: tallies.Tally, *, trials: int = 10_000, seed: int = 0, level: float = 0.95
    ) -> "Pair":
        """This response (A) compared with another (B) over the same key: which is better, where,
        and whether the difference is significant; see `corescore.compared.Pair`."""
        from corescore.compared import Pair

        return Pair(self, other, trials=trials, seed=seed, level=level)

    def plot(self) -> Any:
        """A plotly figure of the six side by side, as the dashboard draws it: recall, precision
        and F1 in percent, with the fractions they were divided from on hover.

        `.show()` opens it, `.write_html(…)` and `.write_image(…)` (with kaleido) save it.
        """
        from corescore.plots.scores import six_metrics

        return six_metrics({"A": self.table})

    def _repr_html_(self) -> str:
        """What a notebook shows: all scores with their fractions."""
        from corescore.rendering.tables import scores

        return str(scores(self))

    @property
    def tally(self) -> "Tally":
        """The tally alone, without documents."""
        return Tally.of(self)

    def of_documents(self, documents: Sequence[str]) -> "Tally":
        """The tally of some documents by their names, in the order given. Raises PolicyError for a
        name that no document has."""
        place = {name: at for at, name in enumerate(self.documents)}
        unknown = [name for name in documents if name not in place]
        if unknown:
            raise PolicyError(f"no document is named {unknown[0]!r}; expected one of the tally's")
        at = [place[name] for name in documents]
        return Tally.of(self.rows(np.array(at, dtype=np.int64)))

    def beginning_with(self, prefix: str) -> "Tally":
        """The tally of the documents whose names begin so, such as "bc/", in the key's order."""
        return self.of_documents([name for name in self.documents if name.startswith(prefix)])

    def save(self, path: str, *, force: bool = False) -> None:
        """Write the tally to a Parquet file for `corescore.load_tally`; a file that exists is
        replaced only by `force`. Raises InputError where that fails."""
        from corescore.scoring.tally_files import save_tally

        save_tally(self, path, force=force)


def load_tally(path: str, *, metrics: Iterable[Metric] = ()) -> Tally:
    """The tally that a file holds, as it was saved, to the bit.

    metrics  metrics of your own that it was scored by

    Raises InputError for a file that is not a tally, is damaged or of a later corescore, and for a
    metric that is not known.
    """
    from corescore.scoring import tally_files

    return Tally.of(tally_files.load_tally(path, metrics=metrics))


class Result(Tally, Scores):
    """Scores with their tables: what `corescore.score` returns.

    `result["bcub"]` is the Score of the whole corpus; see `Scores` for all other values, and
    `corescore.Tally` for the tables of what is counted.
    """

    def credit(
        self,
        metric: str,
        *,
        side: str = "recall",
        by: str = "mention",
        documents: Sequence[str] | None = None,
    ) -> "pd.DataFrame":
        """What `metric` credits; see `credit_table` in `corescore.analysis.credit` for the
        columns."""
        from corescore.analysis.credit import credit_table

        of = self.metric(metric)
        return credit_table(self.compared[of.id], of, side=side, by=by, documents=documents)

    def marginal(self, metric: str) -> "pd.DataFrame":
        """What the score would gain or lose without each mention of the response; see
        `marginal_table` in `corescore.analysis.credit` for the columns."""
        from corescore.analysis.credit import marginal_table

        of = self.metric(metric)
        return marginal_table(self.compared[of.id], of)

    @property
    def errors(self) -> "pd.DataFrame":
        """The operations that turn the response into the key, each an error of one of seven
        kinds; see `operation_table` in `corescore.analysis.errors.tables` for the columns."""
        from corescore.analysis.errors.tables import operation_table

        return operation_table(self.comparison)

    @cached_property
    def error_table(self) -> "pd.DataFrame":
        """A row for each mention with an error, and what its fix alone gains; see `error_table` in
        `corescore.analysis.error_table.table` and `cost_table` in `…error_table.costs`."""
        from corescore.analysis.error_table.table import every_error

        return every_error(self)

    def find(
        self,
        query: str = "",
        *,
        order: str = "cost.conll",
        notes: "Notes | None" = None,
        other: Scores | None = None,
    ) -> "ErrorList":
        """The errors that a query finds: result.find("type:pronoun given.type:proper given:wrong").

        query  as on the page Errors; `corescore.analysis.error_table.fields` has SYNTAX, how it is
               written, and FIELDS, what it may name
        order  "text", or a field such as "cost.lea" or "size:ascending": of numbers the greatest
               first, ties in text order
        notes  on the errors (`corescore.analysis.error_table.notes.read_notes`), which add
               the columns tag, note and seen, and can be asked for: "tag:hard seen:no"
        other  the result of another response to the key, which adds the column other, the class of
               the same mention there (`corescore.analysis.error_table.rows`): "other:correct"

        Raises QueryError (a PolicyError) with its `position` for a query, PolicyError for an order,
        that is not understood, and ValueError for another result over another key, or by other
        metrics or policies.
        """
        from corescore.analysis.error_table.notes import with_notes
        from corescore.analysis.error_table.rows import with_other
        from corescore.analysis.error_table.table import found_in
        from corescore.compared import ErrorList

        every = self.error_table if other is None else with_other(self.error_table, self, other)
        every = every if notes is None else with_notes(every, notes)
        table = found_in(every, query, order=order)
        return ErrorList(table, query, order, self)

    def show(
        self,
        document: str,
        *,
        credit: str = "",
        side: str = "recall",
        start: int = 0,
        words: int = 500,
    ) -> "Shown":
        """A passage of a document for a notebook: self-contained HTML, also as `.html`.

        Without `credit`, once with the mentions of the key and once with those of the response,
        each with the number of its entity and a mark if it has an error.

        credit  a metric: the mentions of one side, shaded by the share that it gives them of what
                they could earn; `side` is "recall", mentions of the key, or "precision"
        start   the first word, counted from 0
        words   how many words at most

        Raises PolicyError for a document, metric or side that is not there, a metric that does not
        say what it credits, and a start beyond the document.
        """
        from corescore.rendering import notebook

        metric = self.metric(credit) if credit else None
        return notebook.document(self, document, credit=metric, side=side, start=start, words=words)

    def sweep(
        self,
        perturbation: "Perturbation",
        *,
        doses: Sequence[float] = (0, 0.25, 0.5, 0.75, 1),
        seeds: int = 5,
        left_behind: str = "keep",
    ) -> "Sweep":
        """The scores of this response with a perturbation in several doses, with its table and
        plot: result.sweep(Drop()).

        doses        shares, from 0 to 1
        seeds        how many seeds, counted from 1
        left_behind  as in `corescore.analysis.perturbation.perturb`

        Raises PolicyError for a perturbation without doses, a dose or number of seeds that is not
        allowed, and a result that keeps repeats.
        """
        from corescore.compared import swept

        return swept(self, perturbation, doses=doses, seeds=seeds, left_behind=left_behind)

    @property
    def incorrectly_resolved(self) -> "pd.DataFrame":
        """The mentions whose partners are all wrong, with their wrong and correct partners; see
        `incorrectly_resolved_table` in `corescore.analysis.errors.tables`."""
        from corescore.analysis.errors.tables import incorrectly_resolved_table

        return incorrectly_resolved_table(self.comparison)


def score(
    key: Corpus,
    response: Corpus,
    *,
    metrics: Sequence[Metric | str] = METRICS,
    singletons: Singletons = "keep",
    repeats: Repeats = "first",
    blanc: Blanc = "reference",
    match: Match = "exact",
    missing_documents: MissingDocuments = "empty",
    average: Average = "micro",
    zeros: Zeros = "dependent",
    words: Words = "error",
    lookup: Lookup = "pairs",
    mentions: Mentions = "all",
) -> Result:
    """Score a response against a key, all documents at once.

    metrics            the metrics to score by, or their ids, such as "muc" or a variant's, "b3-0";
                       the diagnostics (mentions, links, rand) are added
    singletons         "keep", or "drop": remove entities of one mention from both sides first
    repeats            a span listed twice on one side: "first" keeps the entity that appears
                       first, "error" raises InputError, "all" scores the overlapping sets as they
                       are (recall and precision can then exceed 1), "reference" and "listed" count
                       as the CoNLL reference scorer and as coval do
    blanc              BLANC where a side lacks links of one kind: "reference" as the reference
                       scorer, "luo2014", "recasens2011" (only the mentions both sides have), or
                       "corefud" (as luo2014, but 0 where neither side has a link)
    match              when two mentions match: "exact", the same words; else also one to one the
                       "head" (same head), "partial" (within the key mention, around its head or,
                       where the key names these instead, its minimum span) or "lenient" (as
                       partial, as many pairs as possible); or "min-span", the same minimum span by
                       the key's parse, as coval's min_span; see
                       `corescore.counting.matching.match`
    missing_documents  a key document that the response lacks: an "empty" response, "error", or
                       "skip" to leave it out, which raises the score
    average            "micro"; "macro" adds means over documents, "scorch" and "stanza" add what
                       those scorers print; see `corescore.scoring.tally`
    zeros              empty nodes of the two sides: "dependent" matches zeros by the words that
                       they depend on, "linear" by their place alone, "drop" leaves zeros out
    words              documents whose words differ between the sides: "error" raises InputError,
                       "ignore" compares positions alone, as the reference scorer does; "align"
                       maps the response's positions onto the key's words over characters, where
                       both say the same text in another tokenisation or nearly the same text
    lookup             "pairs" scores the pairs of mentions; "table" looks every mention up in one
                       table, as the CorefUD scorer does: zeros at each other's place get lost
    mentions           those that are scored: "all"; "np-only" leaves verb phrases out, by the parse
                       in the key's file, as coval's NP_only; "without-nested" those inside another
                       of their entity, as coval's remove_nested

    Raises InputError if the two sides do not fit together, PolicyError for an unknown policy or
    metric.
    """
    policies = Policies(
        match=match,
        singletons=singletons,
        repeats=repeats,
        blanc=blanc,
        missing_documents=missing_documents,
        average=average,
        zeros=zeros,
        words=words,
        lookup=lookup,
        mentions=mentions,
    )
    return Result.of(scores.score(key, response, policies, metrics=_metrics(metrics)))


def score_files(
    key: str | os.PathLike[str],
    response: str | os.PathLike[str],
    *,
    metrics: Sequence[Metric | str] = METRICS,
    format: str | None = None,
    repair_brackets: bool = False,
    **policies: str,
) -> Tally:
    """Score files or folders of any size: documents are read in batches, counted and let go.

    The tally has the scores, averages, sizes and warnings that `score` of both would have, to the
    bit, and no documents. Memory is that of the largest document and of the counts; a file in
    CoNLL, CoNLL-U or JSON Lines (one object a line) is read a few documents at a time, any other
    one whole.

    format, repair_brackets  as for `read`
    policies                 those of `score`: score_files(key, response, **preset("perl"))

    Raises InputError for what `read` and `score` would refuse, and for a file that changes while it
    is read.
    """
    (made,) = tally_files(
        os.fspath(key),
        [os.fspath(response)],
        Policies.of(policies),
        metrics=_metrics(metrics),
        format=format,
        repair_brackets=repair_brackets,
    )
    return Tally.of(made)


def score_entities(
    key: Iterable[Collection[Hashable]],
    response: Iterable[Collection[Hashable]],
    *,
    metrics: Sequence[Metric | str] = METRICS,
    singletons: Singletons = "keep",
    repeats: Repeats = "first",
    blanc: Blanc = "reference",
    average: Average = "micro",
) -> Result:
    """Score one document whose entities are given as collections of mentions of any kind.

    Two mentions are the same if they are equal: `score_entities([{1, 2}, {3}], [{1}, {2, 3}])`.
    Metrics and policies are those of `score`.
    """
    policies = Policies(singletons=singletons, repeats=repeats, blanc=blanc, average=average)
    made = scores.score_entities(key, response, policies, metrics=_metrics(metrics))
    return Result.of(made)


def _metrics(metrics: Sequence[Metric | str]) -> tuple[Metric, ...]:
    return tuple(metric_of(one) if isinstance(one, str) else one for one in metrics)
