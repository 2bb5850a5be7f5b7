"""Files → counts of each document, without keeping the documents.

The documents of both sides are paired by the names in their indexes, read in batches in the key's
order, counted and let go. Counts, scores, warnings and problems are those of scoring in memory.
"""

import os
import signal
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cached_property, reduce
from itertools import islice
from multiprocessing import get_context, parent_process
from operator import add
from pathlib import Path
from threading import Thread, current_thread, main_thread
from typing import Any, Self, TypeVar

from corescore.corpus.documents import Document
from corescore.corpus.files import read
from corescore.corpus.index import (
    Asked,
    Entry,
    Index,
    IndexReading,
    Reader,
    Readings,
    Source,
    index_of,
)
from corescore.corpus.problems import InputError, Problem, Stage
from corescore.counting.pairing import (
    Unpaired,
    digests_of,
    fitted,
    missing_document,
    nothing_shared,
    of_one_kind,
    paired_names,
    same_names,
)
from corescore.counting.policies import DEFAULTS, Policies
from corescore.counting.words import Few, OtherWords, refuse
from corescore.metrics import METRICS, Metric
from corescore.scoring.noticed import OfSide, empty_average, has_mixed_cores, side_warnings
from corescore.scoring.scores import count, noticed_of, score
from corescore.scoring.tally import Tally

NO_WORDS, _NOTHING = OtherWords(), (OfSide(), OfSide())


# A batch of documents of a key and its responses: read, counted and let go ------------------------


@dataclass(frozen=True)
class Batch:
    """Documents that are read and counted together.

    key        of the key
    responses  for each response the partners of these, None where it has none
    besides    of the key and of each response, those that are only read: nothing is their partner
    """

    key: tuple[Entry, ...]
    responses: tuple[tuple[Entry | None, ...], ...]
    besides: tuple[tuple[Entry, ...], ...]

    @property
    def n_bytes(self) -> int:
        """Of all sides."""
        every = (self.key, *self.responses, *self.besides)
        return sum(entry.n_bytes for entries in every for entry in entries if entry)


@dataclass(frozen=True)
class Counted:
    """What came of a batch and one response; no tally where there was nothing to count, or an
    error."""

    tallies: tuple[Tally, ...] = ()
    words: OtherWords = NO_WORDS
    scored: tuple[OfSide, OfSide] = _NOTHING
    error: InputError | None = None


@dataclass(frozen=True)
class BatchOutcome:
    """What came of a batch: what was noticed in reading each side, and the counts of each response.

    read  the same of each side's documents as they were read
    """

    readings: tuple[IndexReading, ...]
    read: tuple[OfSide, ...]
    counted: tuple[Counted, ...]


@dataclass(frozen=True)
class Work:
    """What is done with each batch, here or in another process."""

    sources: tuple[tuple[Source, ...], ...]
    policies: Policies
    metrics: tuple[Metric, ...]

    @cached_property
    def _readers(self) -> tuple[Reader, ...]:
        return tuple(map(Reader, self.sources))

    def __call__(self, batch: Batch) -> BatchOutcome:
        """Read and count a batch. Nothing is raised: errors are in the outcome."""
        partners = ((entry for entry in of if entry) for of in batch.responses)
        wanted = zip((batch.key, *partners), batch.besides, strict=True)
        readings = tuple(
            reader.read((*entries, *besides))
            for reader, (entries, besides) in zip(self._readers, wanted, strict=True)
        )
        counted = tuple(
            self._count(batch.key, of, readings[0], reading)
            for of, reading in zip(batch.responses, readings[1:], strict=True)
        )
        read = tuple(OfSide.read([*reading.documents.values()]) for reading in readings)
        return BatchOutcome(tuple(replace(of, documents={}) for of in readings), read, counted)

    def _count(
        self,
        key: Sequence[Entry],
        partners: Sequence[Entry | None],
        ours: IndexReading,
        theirs: IndexReading,
    ) -> Counted:
        skips = self.policies.missing_documents == "skip"
        pairs = [(e, p) for e, p in zip(key, partners, strict=True) if p or not skips]
        if not pairs or not (ours.is_good and theirs.is_good):
            return Counted()
        found = ((_of(ours, entry), _of(theirs, p) if p else None) for entry, p in pairs)
        try:
            return self._tallied(found)
        except InputError as error:
            return Counted(error=error)

    def _tallied(self, found: Iterable[tuple[Document, Document | None]]) -> Counted:
        pairing = fitted(of_one_kind(found), self.policies)
        made = count(pairing, self.policies, self.metrics)
        exact = () if self.policies.match == "exact" else (made.exact.tally,)
        return Counted((made.tally, *exact), pairing.words, noticed_of(made))


def _of(reading: IndexReading, entry: Entry) -> Document:
    return reading.documents[entry.name or ""]


# A key and a response as files or folders: which documents belong together, and their tally -------


@dataclass(frozen=True, kw_only=True)
class FileTally(Tally):
    """The tally of two files or folders.

    exact  the same with exact matching, to be shown beside any other
    """

    exact: Tally | None = None


@dataclass(frozen=True)
class FilePair:
    """A key and a response, which of their documents belong together, and how names that differ
    were matched."""

    key: Index
    response: Index
    partners: Mapping[str, str]
    renamed: Sequence[str]

    @classmethod
    def of(cls, key: Index, response: Index) -> Self:
        indexes = key, response
        readers = Reader(key.sources), Reader(response.sources)

        def digests(side: int, name: str) -> list[str]:
            read = readers[side].read([indexes[side].by_name[name]])
            return [digest for of in read.documents.values() for digest in digests_of(of)]

        return cls(*indexes, *paired_names(key.by_name, response.by_name, response.file, digests))

    @cached_property
    def used(self) -> frozenset[str]:
        """The names of the response's documents that have a partner."""
        return frozenset(self.partners.values())

    def partner(self, entry: Entry) -> Entry | None:
        """The response's document of one of the key."""
        name = self.partners.get(entry.name or "")
        return None if name is None else self.response.by_name[name]

    def tally(
        self, work: Work, outcomes: Sequence[BatchOutcome], at: int, warnings: Sequence[str]
    ) -> FileTally:
        """The tally of this response, the one at this place; `warnings` are those of reading."""
        policies, name = work.policies, self.response.file
        counted = [outcome.counted[at] for outcome in outcomes]
        read = [(outcome.read[0], outcome.read[at + 1]) for outcome in outcomes]
        sides = _sides([*read, *(of.scored for of in counted)])
        if self._needs_all(policies, sides):
            return self._in_memory(work)
        unpaired = self._unpaired()
        self._refuse(unpaired, counted, policies)
        tallies = [of.tallies for of in counted if of.tallies]
        made, *exact = (Tally.sum(of) for of in zip(*tallies, strict=True))
        words = reduce(add, (of.words for of in counted), NO_WORDS)
        noticed = (
            *unpaired.warnings(name, skips=policies.missing_documents == "skip"),
            *words.warnings(name),
            *side_warnings(sides, (self.key.file, name), policies),
            *empty_average(made.counts, made.documents, policies),
        )
        return _file_tally(made, (*warnings, *self.renamed, *noticed), exact)

    def _unpaired(self) -> Unpaired:
        return Unpaired(
            Few.of(name for name in self.key.names if name not in self.partners),
            Few.of(name for name in self.response.names if name not in self.used),
        )

    def _refuse(self, unpaired: Unpaired, counted: Iterable[Counted], policies: Policies) -> None:
        """Raises InputError with the problems of the earliest stage at which there are any."""
        errors = [of.error for of in counted if of.error]
        if policies.missing_documents == "error" and unpaired.missing.n:
            missing = (entry for entry in self.key.entries if entry.name not in self.partners)
            problems = (
                missing_document(e.name or "", self.key.sources[e.source].file, self.response.file)
                for e in missing
            )
            errors.append(InputError(problems, stage=Stage.MISSING))
        if unpaired.extra.n and unpaired.missing.n == len(self.key.names):
            names = unpaired.extra.first[0], self.response.file, self.key.names[0], self.key.file
            errors.append(nothing_shared(*names))
        if errors:
            raise InputError.of(errors)

    def _needs_all(self, policies: Policies, sides: Iterable[OfSide]) -> bool:
        """Whether the documents have to be seen all at once."""
        alone = len(self.key.names) == len(self.response.names) == 1 and not self.partners
        return (alone and policies.words == "align") or has_mixed_cores(sides, policies)

    def _in_memory(self, work: Work) -> FileTally:
        key, response = (read(of.file, **vars(of.asked)) for of in (self.key, self.response))
        made = score(key, response, work.policies, metrics=work.metrics)
        exact = [] if work.policies.match == "exact" else [made.exact.tally]
        return _file_tally(made.tally, made.warnings, exact)


def _sides(pairs: Sequence[tuple[OfSide, OfSide]]) -> tuple[OfSide, OfSide]:
    keys, responses = zip(*pairs, strict=True)
    return reduce(add, keys), reduce(add, responses)


def _file_tally(made: Tally, warnings: Iterable[str], exact: Sequence[Tally]) -> FileTally:
    values = {entry.name: getattr(made, entry.name) for entry in fields(Tally)}
    return FileTally(**{**values, "warnings": tuple(warnings)}, exact=exact[0] if exact else None)


BATCH = 6_000_000  # bytes of all sides together; a document that is longer is a batch by itself

Progress = Callable[[int, int], None]

Each = Callable[[Work, Iterable[Batch]], Iterable[BatchOutcome]]


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
    outcomes: Iterable[BatchOutcome],
    progress: Progress,
) -> tuple[list[BatchOutcome], list[tuple[str, ...]]]:
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


# Work on several processors: the same function for each task, in processes, results in order ------

Task = TypeVar("Task")

Made = TypeVar("Made")

_held: list[Callable[[Any], Any]] = []  # in a process of its own: what it does with each task

WAITING = 2  # tasks a process that are made ahead: enough that none is idle, few enough for memory


def in_processes(work: Callable[[Task], Made], tasks: Iterable[Task], n: int) -> Iterator[Made]:
    """`work` of each task, in the order of the tasks, by `n` processes; by none of its own for 1.

    Function, tasks and results are pickled, the function once a process. Processes are started anew
    (not forked), so that all systems do the same, and end with this generator, however it ends.
    Raises what `work` raises; InputError if a process is killed.
    """
    if n == 1:
        yield from map(work, tasks)
        return
    given = iter(tasks)
    pool = ProcessPoolExecutor(n, get_context("spawn"), _begin, (work,))
    try:
        running = deque(_submitted(pool, task) for task in islice(given, WAITING * n))
        while running:
            made = running.popleft().result()
            running.extend(_submitted(pool, task) for task in islice(given, 1))
            yield made
    except BrokenProcessPool as error:
        found = "a process that ended before its work, perhaps killed for want of memory"
        problem = Problem(f"--workers {n}", 0, found, "one that finishes", "Use fewer workers.")
        raise InputError([problem]) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _submitted(pool: ProcessPoolExecutor, task: Any) -> Future[Any]:
    """A task for the pool. Where it starts processes, these inherit that Ctrl+C is held back, so
    that they get none while they still import."""
    with _ctrl_c_held_back():
        return pool.submit(_do, task)


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Ctrl+C comes after what is done here: a process that is not told all it needs would say so.

    To block the signal is not enough: another thread, such as one of the linear algebra, takes it,
    and Python tells the main thread, the only one that it interrupts.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    came: list[int] = []
    is_main = current_thread() is main_thread()
    handler = signal.signal(signal.SIGINT, lambda n, _: came.append(n)) if is_main else None
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
    if came:
        signal.raise_signal(signal.SIGINT)


def _begin(work: Callable[[Any], Any]) -> None:
    """In a new process: leave Ctrl+C to the first process, and end with it."""
    _held.append(work)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _do(task: Any) -> Any:
    return _held[0](task)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
