"""The public names, and the functions among them that score.

`corescore` imports them as soon as one is needed. pandas and plotly wait longer: importing them
takes more time than scoring most corpora.
"""

import os
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from corescore.corpus.build import from_char_clusters, from_clusters, from_spacy
from corescore.corpus.documents import Corpus, Document, Mention
from corescore.corpus.files import read, write
from corescore.corpus.problems import InputError, PolicyError, choose
from corescore.counting.policies import (
    DEFAULTS,
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
from corescore.scoring.presets import preset
from corescore.scoring.run import tally_files
from corescore.scoring.scores import Result
from corescore.scoring.tally import Tally
from corescore.scoring.tally_files import load_tally
from corescore.version import __version__

if TYPE_CHECKING:
    from corescore.replication.experiment import Outcome, Value

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
    return scores.score(key, response, policies, metrics=_metrics(metrics))


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
    return scores.score_entities(key, response, policies, metrics=_metrics(metrics))


def _metrics(metrics: Sequence[Metric | str]) -> tuple[Metric, ...]:
    return tuple(metric_of(one) if isinstance(one, str) else one for one in metrics)


def experiment(
    name: str,
    key: Corpus | None = None,
    response: Corpus | None = None,
    *,
    metrics: Sequence[Metric] = METRICS,
    policies: Policies = DEFAULTS,
    **values: "Value",
) -> "Outcome":
    """Run a published experiment again: experiment("luo2014-table1").

    name           one that `corescore experiments` lists
    key, response  the data of an experiment on data
    policies       how these are scored
    values         its parameters, by default as in the paper

    Raises PolicyError for a name, parameter or value that is not known, for an experiment on data
    without data, and for policies given to one that is not on data.
    """
    from corescore.replication import EXPERIMENTS, current
    from corescore.replication.experiment import run

    known = {one.id: one for one in EXPERIMENTS}
    chosen = known[choose("experiment", current(name), known)]
    setting = chosen.setting(values, metrics=metrics, key=key, response=response, policies=policies)
    return run(chosen, setting)
