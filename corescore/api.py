"""The public names, and the functions among them that score.

`corescore` imports them as soon as one is needed. pandas and plotly wait longer: importing them
takes more time than scoring most corpora.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, overload

from corescore.corpus.build import (
    Entities,
    from_char_clusters,
    from_clusters,
    from_entities,
    from_spacy,
    warn_of_repeats,
)
from corescore.corpus.documents import UNNAMED, Corpus, Document, Mention
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
    SplitAntecedents,
    Words,
    Zeros,
)
from corescore.metrics import METRICS, Counts, Metric, metrics_of
from corescore.scoring import scores
from corescore.scoring.presets import preset
from corescore.scoring.scores import Result
from corescore.scoring.tally import Tally
from corescore.scoring.tally_files import load_tally
from corescore.version import __version__

if TYPE_CHECKING:
    from corescore.analysis.perturbation.base import Perturbation
    from corescore.analysis.systems.data_sets import DataSets
    from corescore.analysis.systems.pair import Pair
    from corescore.analysis.systems.runs import PairOverRuns
    from corescore.replication.experiment import Outcome, Value

Readable = Corpus | Document | Iterable[Document | Corpus] | str | os.PathLike[str]
Metrics = Sequence[Metric | str] | Metric | str

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
    "compare",
    "compare_data_sets",
    "experiment",
    "from_char_clusters",
    "from_clusters",
    "from_spacy",
    "load_tally",
    "perturb",
    "preset",
    "read",
    "score",
    "score_entities",
    "score_files",
    "write",
]


def score(
    key: Readable,
    response: Readable,
    *,
    metrics: Metrics = METRICS,
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
    split_antecedents: SplitAntecedents = "score",
) -> Result:
    """Score a response against a key, all documents at once.

    key, response      each a corpus, the path of a file or folder, a document or several
                       documents; use `score_entities` for entities of your own objects
    metrics            one metric or several, as objects or by name: "muc", "B3", "conll" for its
                       three, "all", a variant such as "b3-0"; the diagnostics (mentions, links,
                       rand) are added
    singletons         "keep", or "drop": remove singletons from both sides first; "drop-key" and
                       "drop-response" remove them from one side
    repeats            a span listed twice on one side: "first" keeps the entity that appears
                       first, "error" raises InputError, "all" scores the overlapping sets as they
                       are (recall and precision can then exceed 1), "reference", "listed", "e2e"
                       and "stanza" count as the CoNLL reference scorer, coval, e2e-coref and Stanza
                       do
    blanc              BLANC if a side has no links of one kind: "reference" as the reference
                       scorer, "luo2014", "recasens2011" (only the mentions both sides have),
                       "corefud" (as luo2014, but 0 if neither side has a link), or "scorch" (as
                       reference, but 1 if the key has no link and all mentions of the response)
    match              when two mentions match: "exact", the same words; else also one to one the
                       "head" (same head), "partial" (within the key mention, around its head or,
                       if the key gives these instead, its minimum span) or "lenient" (as
                       partial, as many pairs as possible); or "min-span", the same minimum span by
                       the key's parse, as coval's min_span; see
                       `corescore.counting.matching.match`
    missing_documents  a key document missing from the response: an "empty" response, "error",
                       or "skip" to leave it out, which raises the score
    average            "micro"; "macro" adds means over documents, "scorch" and "stanza" add what
                       those scorers print; see `corescore.scoring.tally`
    zeros              empty nodes of the two sides: "dependent" matches zeros by the words that
                       they depend on, "linear" by their place alone, "drop" leaves zeros out,
                       "words" counts them as words of the text
    words              documents whose words differ between the sides: "error" raises InputError,
                       "ignore" compares positions alone, as the reference scorer does; "align"
                       maps the response's positions onto the key's words over characters, if
                       both have the same text in another tokenisation or nearly the same text
    lookup             "pairs" scores the pairs of mentions; "table" looks every mention up in one
                       table, as the CorefUD scorer does: zeros at each other's place get lost
    mentions           those that are scored: "all"; "np-only" leaves verb phrases out, by the parse
                       in the key's file, as coval's NP_only; "without-nested" those inside another
                       of their entity, unless one mention would be left, as coval's remove_nested
    split_antecedents  entities that refer to several others at once, where the files name these:
                       "score" gives each one more mention, which counts as far as both sides
                       refer to the same, as the Universal Anaphora scorer does; or "drop" them

    Scores are fractions. A score whose denominator is 0 is 0 over the corpus, and NaN for a single
    document. Formulas and their sources: `corescore metrics`, and the page Metrics.

    Raises InputError if the two sides do not fit together or cannot be read, PolicyError for an
    unknown policy or metric, TypeError for a side of any other type.

    >>> import corescore
    >>> result = corescore.score("key.conll", "cautious.conll")
    >>> result["LEA"]
    Score: recall 0.2892, precision 0.6108, F1 0.3926
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
        split_antecedents=split_antecedents,
    )
    sides = _corpus(key, "key"), _corpus(response, "response")
    return scores.score(*sides, policies, metrics=metrics_of(metrics))


def _corpus(side: Readable, called: str) -> Corpus:
    if isinstance(side, Corpus):
        return side
    if isinstance(side, str | os.PathLike):
        return read(side, side=called)
    documents = (side,) if isinstance(side, Document) else side
    if isinstance(documents, Iterable):
        every = [*documents]
        alone = tuple(one for one in every if isinstance(one, Document))
        if len(alone) == len(every):
            return Corpus(alone)
        if all(isinstance(one, Corpus) for one in every):
            return reduce(add, every, Corpus(()))
    raise TypeError(
        f"the {called} is of type {type(side).__name__}; expected a Corpus, the path of a file or "
        "folder, or documents. Score entities of your own with score_entities, or make a corpus of "
        "them with from_clusters."
    )


def score_files(
    key: str | os.PathLike[str],
    response: str | os.PathLike[str],
    *,
    metrics: Metrics = METRICS,
    format: str | None = None,
    key_format: str | None = None,
    response_format: str | None = None,
    repair_brackets: bool = False,
    **policies: str,
) -> Tally:
    """Score files or folders of any size: documents are read in batches, counted and discarded.

    The tally has the scores, averages, sizes and warnings that `score` of both would have, to the
    bit, and no documents. Memory is that of the largest document and of the counts; a file in
    CoNLL, CoNLL-U or JSON Lines (one object per line) is read a few documents at a time, any other
    one whole.

    format, repair_brackets      as for `read`
    key_format, response_format  the format of one side, where it is not `format`
    policies                     those of `score`: score_files(key, response, **preset("perl"))

    Raises InputError for what `read` and `score` would refuse, and if a file changes while it is
    read; PolicyError for an unknown policy or metric.

    >>> import corescore
    >>> tally = corescore.score_files("key.conll", "cautious.conll", **corescore.preset("perl"))
    >>> round(100 * tally["conll"].f1, 2)
    51.1
    """
    from corescore.scoring.run import tally_files  # only of large files

    for side, called in ((key, "key"), (response, "response")):
        if not isinstance(side, str | os.PathLike):
            raise TypeError(
                f"the {called} is of type {type(side).__name__}; expected the path of a file or "
                "folder. Use score for corpora and documents."
            )
    (made,) = tally_files(
        os.fspath(key),
        [os.fspath(response)],
        Policies.of(policies),
        metrics=metrics_of(metrics),
        formats=(key_format or format, response_format or format),
        repair_brackets=repair_brackets,
    )
    return made.tally


def score_entities(
    key: Entities,
    response: Entities,
    *,
    metrics: Metrics = METRICS,
    singletons: Singletons = "keep",
    repeats: Repeats = "first",
    blanc: Blanc = "reference",
    average: Average = "micro",
    name: str = UNNAMED,
) -> Result:
    """Score one document whose entities are given as collections of mentions of any kind.

    Two mentions are the same if they are equal: `score_entities([{1, 2}, {3}], [{1}, {2, 3}])`.

    key, response  entities, or a mapping whose values are entities; or, on both sides, the entity
                   of each mention as a label, as in scikit-learn: [0, 0, 1] and [0, 1, 1]. A
                   mention that is a list, such as a span, counts as a tuple
    name           of the document. Score each document by itself, and add the results up with
                   `sum`; those without a name are then numbered

    Metrics and policies are those of `score`; with repeats "first" a mention stays in the first
    entity of the list that has it. Warns of a mention that a side lists twice. Raises InputError if
    one side has more labels than the other, TypeError for anything else.

    >>> from corescore import score_entities
    >>> score_entities({"e1": [1, 2], "e2": [3]}, {"e1": [1], "e2": [2, 3]})["B3"].f1
    0.6666666666666666
    """
    policies = Policies(singletons=singletons, repeats=repeats, blanc=blanc, average=average)
    sides = from_entities(key, response, name=name)
    if repeats == "first":
        for (document,), called in zip(sides, ("the key", "the response"), strict=True):
            warn_of_repeats(document, called)
    return scores.score(*sides, policies, metrics=metrics_of(metrics))


def perturb(
    key: Readable,
    response: Readable,
    *steps: "Perturbation | str",
    seed: int = 0,
    left_behind: str = "keep",
    singletons: Singletons = "keep",
    words: Words = "error",
) -> Corpus:
    """Apply perturbations to a response, in order: perturb(key, response, "more-precise", "drop").

    Returns the perturbed response. The key decides which mentions are missing, wrong or unlinked.

    steps        perturbations as `corescore perturb` takes them, or as objects
    left_behind  whether to "keep" or "drop" a mention that a step leaves alone in its entity
    singletons   as in `score`, before the first step. Score what "drop" returns with "drop-key":
                 the mentions that a step leaves alone then count

    The rest as in `score`. Raises InputError if the two sides do not fit together, PolicyError for
    an unknown step, TypeError for one that is neither a text nor a perturbation.

    >>> import corescore
    >>> key = corescore.read("key.conll")
    >>> response = corescore.read("cautious.conll", side="response")
    >>> perturbed = corescore.perturb(key, response, "drop:share=0.5", seed=1)
    >>> [sum(len(document.mentions) for document in side) for side in (response, perturbed)]
    [1491, 745]
    """
    from corescore.analysis.perturbation import parse_perturbation
    from corescore.analysis.perturbation import perturb as perturbed

    return perturbed(
        _corpus(key, "key"),
        _corpus(response, "response"),
        [*map(parse_perturbation, steps)],
        seed=seed,
        left_behind=left_behind,
        singletons=singletons,
        words=words,
    )


@overload
def compare(a: Tally, b: Tally, *, trials: int = ..., seed: int = ...) -> "Pair": ...
@overload
def compare(
    a: Sequence[Tally], b: Sequence[Tally], *, trials: int = ..., seed: int = ...
) -> "PairOverRuns": ...
def compare(
    a: Tally | Sequence[Tally],
    b: Tally | Sequence[Tally],
    *,
    trials: int = 10_000,
    seed: int = 0,
) -> "Pair | PairOverRuns":
    """Two responses to one key: which is better, where, and whether the difference is significant.

    a, b    results or tallies; for several runs of each system, lists of them
    trials  resamples of the test and of the intervals
    seed    seed of the resamples

    Raises ValueError for results over different keys, metrics or policies; TypeError for anything
    that is not a result or tally.

    >>> import corescore
    >>> a, b = (corescore.score("key.conll", f"{name}.conll") for name in ("cautious", "greedy"))
    >>> table = corescore.compare(a, b).significance
    >>> table.query("metric == 'lea' and measure == 'f1'")[["a", "b", "p"]].round(4)
             a       b       p
    17  0.3926  0.4549  0.0012
    """
    if isinstance(a, Tally) and isinstance(b, Tally):
        return a.compare(b, trials=trials, seed=seed)
    from corescore.analysis.systems.runs import PairOverRuns

    of_a, of_b = (
        [*of] if isinstance(of, Iterable) and not isinstance(of, Tally) else [of] for of in (a, b)
    )
    for one in (*of_a, *of_b):
        if not isinstance(one, Tally):
            raise TypeError(
                f"a {type(one).__name__} is given; expected results of corescore.score, "
                "or lists of them"
            )
    return PairOverRuns(of_a, of_b, trials=trials, seed=seed)


def compare_data_sets(
    results: Mapping[str, Mapping[str, Tally]], metric: str = "conll", *, measure: str = "f1"
) -> "DataSets":
    """Compare systems over several data sets: means, ranks, Friedman's and Nemenyi's tests.

    results  by data set, then by system; each data set has all systems
    metric   its id or another of its names, such as "B3"
    measure  "recall", "precision" or "f1"

    Raises ValueError if there is no data set, if a system is missing from a data set, and if
    policies differ; PolicyError for an unknown metric or measure.

    >>> import corescore
    >>> a, b = (corescore.score("key.conll", f"{name}.conll") for name in ("cautious", "greedy"))
    >>> results = {
    ...     genre: {"cautious": a.beginning_with(genre), "greedy": b.beginning_with(genre)}
    ...     for genre in ("news", "story")
    ... }
    >>> corescore.compare_data_sets(results, "LEA").scores.round(4)
    array([[0.3833, 0.3857],
           [0.4145, 0.4453]])
    """
    from corescore.analysis.systems.data_sets import over_data_sets

    return over_data_sets(results, metric, measure=measure)


def experiment(
    name: str,
    key: Readable | None = None,
    response: Readable | None = None,
    *,
    metrics: Metrics = METRICS,
    policies: Policies | Mapping[str, Any] = DEFAULTS,
    **values: "Value",
) -> "Outcome":
    """Rerun a published experiment: experiment("moosavi2016-fig8").

    name           as listed by `corescore experiments`
    key, response  the data, if the experiment runs on data
    policies       how the data are scored, such as {"singletons": "drop"}
    values         parameters of the experiment, by default as in the paper

    Raises PolicyError for an unknown name, parameter or value, if an experiment on data is given
    none, and if policies are given to one that is not on data.

    >>> import corescore
    >>> outcome = corescore.experiment("moosavi2016-fig2")
    >>> [check.holds for _, check in outcome.checks]
    [True, True]
    """
    from corescore.replication import EXPERIMENTS, current
    from corescore.replication.experiment import run

    if isinstance(policies, Mapping):
        policies = Policies.of({name: of for name, of in policies.items() if name != "metrics"})
    known = {one.id: one for one in EXPERIMENTS}
    chosen = known[choose("experiment", current(name), known)]
    of_key, of_response = (
        None if of is None else _corpus(of, side)
        for of, side in ((key, "key"), (response, "response"))
    )
    setting = chosen.setting(
        values, metrics=metrics_of(metrics), key=of_key, response=of_response, policies=policies
    )
    return run(chosen, setting)
