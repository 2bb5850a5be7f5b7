"""Files → counts of each document, without keeping the documents.

The documents of both sides are paired by the names in their indexes, read in batches in the key's
order, counted and let go. Counts, scores, warnings and problems are those of scoring in memory.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from corescore.corpus.formats.index import Asked, Entry, Index, index_of
from corescore.corpus.formats.readers import Readings
from corescore.corpus.problems import InputError, Stage
from corescore.counting.pairing import same_names
from corescore.counting.policies import DEFAULTS, Policies
from corescore.counting.words import refuse
from corescore.metrics import METRICS, Metric
from corescore.scoring.batch import Batch, Outcome, Work
from corescore.scoring.file_pairs import FilePair, FileTally

BATCH = 6_000_000  # bytes of all sides together; a document that is longer is a batch by itself
Progress = Callable[[int, int], None]
Each = Callable[[Work, Iterable[Batch]], Iterable[Outcome]]


def tally_files(
    key: str,
    responses: Sequence[str],
    policies: Policies = DEFAULTS,
    *,
    metrics: Sequence[Metric] = METRICS,
    format: str | None = None,
    repair_brackets: bool = False,
    progress: Progress = lambda done, of: None,
    each: Each = map,
) -> list[FileTally]:
    """The tally of each response, a file or a folder, against a key.

    progress  called with the bytes done, and those of all
    each      does the work on the batches; their outcomes in the same order

    Two cases need all documents at once and are scored in memory: one document on each side, whose
    names have nothing in common, under words "align"; and matching "partial" or "lenient" where
    only some documents name minimum spans.

    Raises InputError for what `score` would refuse, with the same problems.
    """
    sides = ("key", *["response"] * len(responses))
    with tempfile.TemporaryDirectory(prefix="corescore-") as folder:
        indexes = []
        for number, (path, side) in enumerate(zip((key, *responses), sides, strict=True)):
            unpacked = Path(folder, str(number))
            unpacked.mkdir()
            indexes.append(index_of(path, Asked(format, side, repair_brackets), unpacked))
        pairs = [FilePair.of(indexes[0], response) for response in indexes[1:]]
        work = Work(tuple(index.sources for index in indexes), policies, tuple(metrics))
        batches = [*_batches(indexes, pairs)]
        outcomes, warnings = _worked(indexes, batches, each(work, batches), progress)
        for index in indexes:
            refuse(same_names(index.file, index.names), Stage.READING)
        return [
            pair.tally(work, outcomes, at, (*warnings[0], *warnings[at + 1]))
            for at, pair in enumerate(pairs)
        ]


def _worked(
    indexes: Sequence[Index],
    batches: Sequence[Batch],
    outcomes: Iterable[Outcome],
    progress: Progress,
) -> tuple[list[Outcome], list[tuple[str, ...]]]:
    """The outcomes, and the warnings of reading each side. Raises InputError with the problems of
    all sides."""
    total, done = sum(batch.n_bytes for batch in batches), 0
    readings = [Readings(index) for index in indexes]
    kept = []
    for batch, outcome in zip(batches, outcomes, strict=True):
        for of, reading in zip(readings, outcome.readings, strict=True):
            of.add(reading)
        kept.append(replace(outcome, readings=()))
        done += batch.n_bytes
        progress(done, total)
    errors: list[InputError] = []
    warnings: list[tuple[str, ...]] = []
    for of in readings:
        try:
            warnings.append(of.finish())
        except InputError as error:
            errors.append(error)
    if errors:
        raise InputError.of(errors)
    return kept, warnings


def _batches(indexes: Sequence[Index], pairs: Sequence[FilePair]) -> Iterator[Batch]:
    """Documents of the key in order with their partners, then those that are nobody's."""
    none: tuple[tuple[Entry, ...], ...] = ((),) * len(indexes)
    named = indexes[0].by_name.values()
    rows = ((entry, *(pair.partner(entry) for pair in pairs)) for entry in named)
    for some in _cut(rows, lambda row: sum(entry.n_bytes for entry in row if entry)):
        key, *partners = zip(*some, strict=True)
        yield Batch(tuple(entry for entry in key if entry), tuple(partners), none)
    for number, index in enumerate(indexes):
        used = pairs[number - 1].used if number else frozenset()
        taken = {id(entry) for entry in (map(index.by_name.get, used) if number else named)}
        besides = (entry for entry in index.entries if id(entry) not in taken)
        for alone in _cut(besides, lambda entry: entry.n_bytes):
            of_index = (*none[:number], tuple(alone), *none[number + 1 :])
            yield Batch((), ((),) * len(pairs), of_index)


Item = TypeVar("Item")


def _cut(items: Iterable[Item], n_bytes: Callable[[Item], int]) -> Iterator[list[Item]]:
    """The items in batches of at most so many bytes, or of one item."""
    some: list[Item] = []
    total = 0
    for item in items:
        size = n_bytes(item)
        if some and total + size > BATCH:
            yield some
            some, total = [], 0
        some.append(item)
        total += size
    if some:
        yield some
