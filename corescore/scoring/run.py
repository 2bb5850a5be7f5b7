"""Files → counts of each document, without keeping the documents.

Documents of both sides are read together, some at a time, counted and let go: here, in processes or
on a cluster, whatever does the tasks. Counts, scores, warnings and problems are those of scoring in
memory.

A task has the documents of some names where the names are known before they are read, else the
files of some stems. What finds no partner of its name in its task is paired in the end, by names
and digests of texts, and read again.
"""

import os
import signal
import tempfile
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import chain, groupby, islice
from multiprocessing import get_context, parent_process
from operator import add, itemgetter
from pathlib import Path
from threading import Thread, current_thread, main_thread
from typing import Any, TypeVar

import numpy as np

from corescore.corpus.documents import Document
from corescore.corpus.files import SIDES
from corescore.corpus.formats.format import Seen
from corescore.corpus.packed import told_to_unpack_up_to
from corescore.corpus.parts import (
    Formats,
    How,
    Piece,
    SideFiles,
    Source,
    joined,
    open_corpus,
    read_part,
)
from corescore.corpus.problems import InputError, Problem, Stage, refusal, refuse
from corescore.counting.pairing import (
    Unpaired,
    digests_of,
    fitted,
    missing_document,
    nothing_shared,
    paired_names,
    same_names,
)
from corescore.counting.policies import DEFAULTS, Policies
from corescore.counting.words import Few, OtherWords
from corescore.metrics import METRICS, Metric
from corescore.scoring.noticed import OfSide, empty_average, has_mixed_cores, side_warnings
from corescore.scoring.scores import count, in_force, noticed_of, score
from corescore.scoring.tally import Tally
from corescore.version import __version__

# A task: documents of a key and its responses that are read together, counted and let go ----------

Names = Sequence[tuple[str, str | None]]  # of documents of the key and their partners, if any


@dataclass(frozen=True)
class Task:
    """What is read and counted together.

    sides       the pieces of the key and of each response
    stretches   what is counted of the key and the only response: documents of the key that stand
                one after the other; None for all that have a partner of their name
    """

    number: int
    sides: tuple[tuple[Piece, ...], ...]
    stretches: tuple[Names, ...] | None = None

    @property
    def n_bytes(self) -> int:
        """Of all sides."""
        return sum(piece.n_bytes for pieces in self.sides for piece in pieces)

    @property
    def name(self) -> str:
        """Its first file, for messages."""
        return next(piece.source.name for pieces in self.sides for piece in pieces)

    def refused(self, problem: Problem) -> "TaskOutcome":
        """The outcome of a task that cannot be done."""
        first = next(at for at, pieces in enumerate(self.sides) if pieces)
        sides = [OfTask() for _ in self.sides]
        number = self.sides[first][0].source.number
        sides[first] = OfTask(errors=((number, InputError([problem])),))
        return TaskOutcome(self.number, tuple(sides), ((),) * (len(sides) - 1))


@dataclass(frozen=True)
class OfTask:
    """What came of reading one side of a task; sources are named by their numbers.

    documents  (source, name, file) of each
    texts      of the documents without a partner of their name digests of their texts
    noticed    what was noticed of the mentions
    seen       what the reader noticed, with the source
    errors     of sources as a whole
    """

    documents: tuple[tuple[int, str, str], ...] = ()
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    noticed: OfSide = field(default_factory=OfSide)
    seen: tuple[tuple[int, Seen], ...] = ()
    errors: tuple[tuple[int, InputError], ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.errors and not any(of.problems for _, of in self.seen)


@dataclass(frozen=True)
class Counted:
    """What came of counting some documents of the key, by their names.

    tallies  their tally, and that by exact matching beside any other, both without their metrics,
             since a copy of a user's own would not equal the next copy; none if there is an error
    words    what was done to responses of other words
    noticed  of the mentions that were scored, on both sides
    """

    names: tuple[str, ...]
    tallies: tuple[Tally, ...] = ()
    words: OtherWords = field(default_factory=OtherWords)
    noticed: tuple[OfSide, OfSide] = field(default_factory=lambda: (OfSide(), OfSide()))
    error: InputError | None = None

    @property
    def is_told(self) -> bool:
        """Whether a message names some of its documents or mentions, in their order."""
        twice = any(side.repeats.n for side in self.noticed)
        return bool(self.error or twice or self.words != OtherWords())


@dataclass(frozen=True)
class TaskOutcome:
    """What came of a task: of reading each side, and of counting each response."""

    task: int
    sides: tuple[OfTask, ...]
    counted: tuple[tuple[Counted, ...], ...]

    def errors_of(self, response: int) -> list[InputError]:
        """Why the task cannot be scored for this response, the first of which is 1."""
        sides = self.sides[0], self.sides[response]
        reading = [error for side in sides for _, error in side.errors]
        return reading + [of.error for of in self.counted[response - 1] if of.error]


@dataclass(frozen=True)
class Work:
    """What is done with each task, here or in another process or on another machine.

    unpack_limit  of the one who asks; None where the environment has it
    version       of corescore there
    """

    policies: Policies = DEFAULTS
    metrics: tuple[Metric, ...] = METRICS
    how: How = field(default_factory=How)
    unpack_limit: str | None = None
    version: str = __version__

    def __call__(self, task: Task) -> TaskOutcome:
        """Read and count. InputErrors are in the outcome."""
        if self.version != __version__:
            problem = f"a worker with corescore {__version__}"
            advice = "Install one version everywhere."
            return task.refused(Problem(task.name, 0, problem, self.version, advice))
        with told_to_unpack_up_to(self.unpack_limit):
            read = [self._read(pieces, SIDES[at > 0]) for at, pieces in enumerate(task.sides)]
        sides, (key, *responses) = zip(*read, strict=True)
        counted = []
        for side, response in zip(sides[1:], responses, strict=True):
            is_good = sides[0].is_good and side.is_good
            stretches = task.stretches or _of_one_name(key, response)
            counted.append(self._counted(stretches, key, response) if is_good else ())
        shared = set(key).intersection(*responses)
        texts = (
            {name: digests_of(one) for name, one in of.items() if name not in shared}
            for of in (key, *responses)
        )
        with_texts = tuple(replace(side, texts=of) for side, of in zip(sides, texts, strict=True))
        return TaskOutcome(task.number, with_texts, tuple(counted))

    def _read(self, pieces: Iterable[Piece], side: str) -> tuple[OfTask, dict[str, Document]]:
        """What came of reading, and the documents by their names."""
        documents: list[tuple[int, Document]] = []
        seen: list[tuple[int, Seen]] = []
        errors: list[tuple[int, InputError]] = []
        for piece in pieces:
            number = piece.source.number
            try:
                part = read_part(piece, side, self.how)
            except InputError as error:
                errors.append((number, error))
                continue
            documents += [(number, document) for document in part.documents]
            seen += [(number, of) for of in part.seen]
        made = OfTask(
            documents=tuple((number, one.name, one.file) for number, one in documents),
            noticed=OfSide.read([document for _, document in documents]),
            seen=tuple(seen),
            errors=tuple(errors),
        )
        return made, {document.name: document for _, document in documents}

    def _counted(
        self,
        stretches: Sequence[Names],
        key: Mapping[str, Document],
        response: Mapping[str, Document],
    ) -> tuple[Counted, ...]:
        """All stretches at once; one by one where the order of what is told of them matters."""
        every = self.count([*chain.from_iterable(stretches)], key, response)
        if every.is_told and len(stretches) > 1:
            return tuple(self.count(names, key, response) for names in stretches)
        return (every,) if stretches else ()

    def count(
        self, names: Names, key: Mapping[str, Document], response: Mapping[str, Document]
    ) -> Counted:
        """Documents of the key with their partners."""
        every = tuple(name for name, _ in names)
        responses = [response[other] if other else None for _, other in names]
        try:
            pairing = fitted([key[name] for name in every], responses, self.policies)
            made = count(pairing, self.policies, self.metrics)
        except InputError as error:
            return Counted(every, error=error)
        exact = () if self.policies.match == "exact" else (made.exact.tally,)
        tallies = tuple(replace(tally, metrics=()) for tally in (made.tally, *exact))
        return Counted(every, tallies, pairing.words, noticed_of(made))


def _of_one_name(key: Mapping[str, Document], response: Mapping[str, Document]) -> list[Names]:
    """The documents that both have, in stretches of the key."""
    groups = groupby(key, response.__contains__)
    return [[(name, name) for name in of] for is_in_both, of in groups if is_in_both]


# All tasks of a key and its responses -------------------------------------------------------------

BATCH = 6_000_000  # bytes of all sides together; a document that is longer is a task by itself

Row = Sequence[Sequence[Piece]]  # what has to be read together, of each side


def _alike(sides: Sequence[SideFiles]) -> tuple[list[SideFiles], list[Row]]:
    """The sides, of which all files of one stem are read in parts or all whole, and what has to be
    read together: documents of one name, or these files."""
    is_folder = all(source.stem for side in sides for source in side.sources)
    stems: dict[str, list[list[Source]]] = defaultdict(lambda: [[] for _ in sides])
    for at, side in enumerate(sides):
        for source in side.sources:
            stems[source.stem if is_folder else ""][at].append(source)
    parts: list[dict[int, Sequence[Piece]]] = [{} for _ in sides]
    rows: list[Row] = []
    for of_sides in stems.values():
        both = [*zip(sides, of_sides, strict=True)]
        if all(source.number in side.pieces for side, of in both for source in of):
            for side, of, own in zip(sides, of_sides, parts, strict=True):
                own |= {source.number: side.pieces[source.number] for source in of}
            pieces = ([p for one in of for p in side.pieces[one.number]] for side, of in both)
            rows += _rows_by_name(*pieces)
        else:
            rows.append([[Piece(source) for source in of] for of in of_sides])
    return [replace(side, pieces=own) for side, own in zip(sides, parts, strict=True)], rows


def _rows_by_name(key: Sequence[Piece], *responses: Sequence[Piece]) -> Iterator[Row]:
    """Each document of the key with those of its name; then those that only responses have."""
    partners = [{piece.name: piece for piece in of if piece.name} for of in responses]
    taken: set[Piece] = set()
    for piece in key:
        others = [[of.pop(piece.name)] if piece.name in of else [] for of in partners]
        taken.update(chain.from_iterable(others))
        yield [[piece], *others]
    for at, pieces in enumerate(responses):
        for piece in pieces:
            if piece not in taken:
                yield [[piece] if side == at + 1 else [] for side in range(len(responses) + 1)]


Item = TypeVar("Item")


def _in_portions(
    items: Iterable[Item], row_of: Callable[[Item], Row], most: int
) -> Iterator[list[Item]]:
    """The items in lists of at most so many bytes, or of one item."""
    some: list[Item] = []
    total = 0
    for item in items:
        size = sum(piece.n_bytes for pieces in row_of(item) for piece in pieces)
        if some and total + size > most:
            yield some
            some, total = [], 0
        some.append(item)
        total += size
    if some:
        yield some


def _together(rows: Iterable[Row]) -> tuple[tuple[Piece, ...], ...]:
    return tuple(joined(chain.from_iterable(of)) for of in zip(*rows, strict=True))


# Outcomes → tallies -------------------------------------------------------------------------------

Progress = Callable[[int, int], None]

Each = Callable[[Work, Sequence[Task]], Iterable[TaskOutcome]]


@dataclass(frozen=True)
class Tallied:
    """The tally of a response.

    exact    under another matching the same by exact matching, to be shown beside it
    refused  why tasks were left out, which is also in the warnings
    """

    tally: Tally
    exact: Tally | None = None
    refused: tuple[InputError, ...] = ()


def tally_files(
    key: str,
    responses: Sequence[str],
    policies: Policies = DEFAULTS,
    *,
    metrics: Sequence[Metric] = METRICS,
    formats: Formats = (None, None),
    repair_brackets: bool = False,
    progress: Progress = lambda done, of: None,
    each: Each = map,
) -> list[Tallied]:
    """The tally of each response, a file or a folder, against a key; see `FileScoring.tally`.

    formats, repair_brackets  as in `How`
    """
    work = Work(policies, tuple(metrics), How(formats, repair_brackets))
    with tempfile.TemporaryDirectory(prefix="corescore-") as folder:
        sides = []
        for number, path in enumerate((key, *responses)):
            unpacked = Path(folder, str(number))
            unpacked.mkdir()
            sides.append(open_corpus(path, formats[number > 0], unpacked))
        return FileScoring(work, each, most=BATCH).tally(sides[0], sides[1:], progress)


@dataclass(frozen=True)
class FileScoring:
    """How files are scored.

    each        does the work on tasks; their outcomes in any order
    most        bytes of a task, if it is more than what has to be read together
    is_here     whether documents may be read here, all at once
    keep_going  leave out tasks that cannot be scored, with a warning of each problem
    """

    work: Work
    each: Each
    most: int = 0
    is_here: bool = True
    keep_going: bool = False

    def tally(
        self,
        key: SideFiles,
        responses: Sequence[SideFiles],
        progress: Progress = lambda done, of: None,
    ) -> list[Tallied]:
        """The tally of each response against a key.

        progress  called with the bytes done, and those of all

        Two cases need all documents at once and are scored in memory: one document on each side,
        whose names have nothing in common, under words "align"; and matching "partial" or "lenient"
        where only some documents name minimum spans, which is refused if it is not here.

        Raises InputError for what `score` would refuse, with the same problems.
        """
        alike, every = _alike((key, *responses))
        sides, cut = dict(enumerate(alike)), _in_portions(every, lambda row: row, self.most)
        tasks = [Task(number, _together(rows)) for number, rows in enumerate(cut)]
        total, done, outcomes = sum(task.n_bytes for task in tasks), 0, []
        for outcome in self.each(self.work, tasks):
            outcomes.append(outcome)
            done += tasks[outcome.task].n_bytes
            progress(done, total)
        outcomes.sort(key=lambda of: of.task)
        if not self.keep_going:
            warnings = _read_warnings(sides, outcomes)
            return [self._tallied(sides, at, outcomes, warnings) for at in range(1, len(sides))]
        made = []
        for at in range(1, len(sides)):
            good = [of for of in outcomes if not of.errors_of(at)]
            warnings = _read_warnings({0: sides[0], at: sides[at]}, good)
            refused = [error for of in outcomes for error in of.errors_of(at)]
            made.append(self._tallied(sides, at, good, warnings, refused))
        return made

    def _tallied(
        self,
        sides: Mapping[int, SideFiles],
        number: int,
        outcomes: Sequence[TaskOutcome],
        read: Mapping[int, Sequence[str]],
        refused: Sequence[InputError] = (),
    ) -> Tallied:
        """The tally of the response at this place, by the outcomes that are good for it.

        read  the warnings of reading
        """
        policies, both = self.work.policies, (sides[0], sides[number])
        key, response = (side.name for side in both)
        sources, files = zip(
            *(_documents_of_side(outcomes, side) for side in (0, number)), strict=True
        )
        order = {name: place for place, name in enumerate(files[0])}
        counted = [of for outcome in outcomes for of in outcome.counted[number - 1]]
        done = {name for of in counted for name in of.names}
        left = [[name for name in side if name not in done] for side in files]
        texts = [
            {name: of for outcome in outcomes for name, of in outcome.sides[side].texts.items()}
            for side in (0, number)
        ]
        pairs, renamed = paired_names(
            left[0], left[1], response, lambda side, name: texts[side][name]
        )
        used = {*pairs.values()}
        missing = [name for name in left[0] if name not in pairs]
        extra = [name for name in left[1] if name not in used]
        unpaired = Unpaired(Few.of(missing), Few.of(extra))
        single = len(files[0]) == len(files[1]) == 1
        if policies.words == "align" and missing and single:
            return self._in_memory(*both)
        errors = []
        if missing and policies.missing_documents == "error":
            problems = (missing_document(name, files[0][name], response) for name in missing)
            errors.append(InputError(problems, stage=Stage.MISSING))
        if extra and len(missing) == len(order):
            first = next(iter(order), "")
            may_align = single and any(texts[1].values())
            errors.append(nothing_shared(extra[0], response, first, key, may_align=may_align))
        skips = policies.missing_documents == "skip"
        names = [name for name in left[0] if name in pairs or not skips]
        rest = () if errors else self._rest(both, sources, names, pairs, order)
        for outcome in self.each(self.work, rest) if rest else ():
            if self.keep_going and outcome.errors_of(1):
                refused = (*refused, *outcome.errors_of(1))
            else:
                errors += [error for side in outcome.sides for _, error in side.errors]
                counted += outcome.counted[0]
        counted.sort(key=lambda of: order[of.names[0]])
        errors += [of.error for of in counted if of.error]
        if errors or (refused and not counted):
            raise InputError.of((*refused, *errors))
        noticed = tuple(
            reduce(add, (of.sides[side].noticed for of in outcomes), OfSide())
            + reduce(add, (of.noticed[side > 0] for of in counted), OfSide())
            for side in (0, number)
        )
        for name, side in zip((key, response), noticed, strict=True):
            if has_mixed_cores(side, policies):
                if self.is_here:
                    return self._in_memory(*both)
                problem = f"minimum spans in some files only, under match '{policies.match}'"
                advice = "Score them on one machine, where all are seen at once."
                expected = "all files with minimum spans, or none"
                raise refusal(name, problem, expected, advice)
        every = [of.tallies for of in counted] or [self.work.count((), {}, {}).tallies]
        made, *exact = (self._in_order(Tally.sum(of), order) for of in zip(*every, strict=True))
        words = reduce(add, (of.words for of in counted), OtherWords())
        warnings = (
            *(*read[0], *read[number], *renamed),
            *unpaired.warnings(response, skips=skips),
            *words.warnings(response),
            *side_warnings((noticed[0], noticed[1]), (key, response), policies),
            *empty_average(made.counts, made.documents, policies),
            *(f"{of} Its shard is left out." for error in refused for of in error.problems),
        )
        return Tallied(replace(made, warnings=warnings), next(iter(exact), None), tuple(refused))

    def _rest(
        self,
        sides: Sequence[SideFiles],
        sources: Sequence[Mapping[str, int]],
        names: Iterable[str],
        pairs: Mapping[str, str],
        order: Mapping[str, int],
    ) -> list[Task]:
        """The tasks of documents of the key with those of other names, or with none.

        sources  of the documents of both sides
        order    of the documents of the key
        """
        known = [
            {piece.name: piece for of in side.pieces.values() for piece in of} for side in sides
        ]

        def piece_of(side: int, name: str) -> Piece:
            return known[side].get(name) or Piece(sides[side].sources[sources[side][name]])

        rows: list[tuple[Row, list[str]]] = []
        for piece, of in groupby(names, lambda name: piece_of(0, name)):
            every = [*of]
            rows.append(([[piece], [piece_of(1, pairs[n]) for n in every if n in pairs]], every))
        tasks = []
        for number, some in enumerate(_in_portions(rows, lambda row: row[0], self.most)):
            numbered = enumerate(name for _, of in some for name in of)
            following = groupby(numbered, lambda of: order[of[1]] - of[0])
            stretches = [[(name, pairs.get(name)) for _, name in of] for _, of in following]
            tasks.append(Task(number, _together(row for row, _ in some), tuple(stretches)))
        return tasks

    def _in_order(self, tally: Tally, order: Mapping[str, int]) -> Tally:
        """The tally in the key's order, with its metrics."""
        places = np.array([order[name] for name in tally.documents], dtype=np.int64)
        made = tally if (np.diff(places) > 0).all() else tally.rows(np.argsort(places))
        return replace(made, metrics=in_force(self.work.policies, self.work.metrics))

    def _in_memory(self, key: SideFiles, response: SideFiles) -> Tallied:
        how, policies = self.work.how, self.work.policies
        both = key.corpus("key", how), response.corpus("response", how)
        made = score(*both, policies, metrics=self.work.metrics)
        return Tallied(made.tally, None if policies.match == "exact" else made.exact.tally)


def _read_warnings(
    sides: Mapping[int, SideFiles], outcomes: Sequence[TaskOutcome]
) -> dict[int, Sequence[str]]:
    """The warnings of reading each side. Raises InputError with the problems of all sides."""
    warnings: dict[int, Sequence[str]] = {}
    wrong = []
    for at, side in sides.items():
        seen: dict[int, list[Seen]] = defaultdict(list)
        errors: dict[int, InputError] = {}
        for of in (outcome.sides[at] for outcome in outcomes):
            for number, one in of.seen:
                seen[number].append(one)
            errors = dict(of.errors) | errors
        documents = sorted(
            (one for o in outcomes for one in o.sides[at].documents), key=itemgetter(0)
        )
        try:
            warnings[at] = side.finish(SIDES[at > 0], seen, errors, documents)
            refuse(same_names(side.name, [name for _, name, _ in documents]))
        except InputError as error:
            wrong.append(error)
    if wrong:
        raise InputError.of(wrong)
    return warnings


def _documents_of_side(
    outcomes: Iterable[TaskOutcome], side: int
) -> tuple[dict[str, int], dict[str, str]]:
    """The source and the file of each document of a side by its name, in order."""
    every = [one for outcome in outcomes for one in outcome.sides[side].documents]
    every.sort(key=itemgetter(0))
    return {name: source for source, name, _ in every}, {name: file for _, name, file in every}


# Work on several processors: the same function for each task, in processes, results in order ------

Made = TypeVar("Made")

_held: list[Callable[[Any], Any]] = []  # in a process of its own: what it does with each task

WAITING = 2  # tasks a process that are made ahead: enough that none is idle, few enough for memory


def in_processes(work: Callable[[Item], Made], tasks: Iterable[Item], n: int) -> Iterator[Made]:
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
        fault = "a process that ended early, perhaps because memory ran out"
        advice = "Use fewer workers."
        raise refusal(f"--workers {n}", fault, "one that finishes", advice) from error
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
