"""Scoring on a cluster of Dask: `pip install '.[dask]'` in the checkout.

score      the shards of a key and of a response, as `corescore.score` does in memory
OnCluster  where the blocks of randomisation and bootstrap are counted
"""

import errno
import os
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from corescore.analysis.significance import Exchanges, Found, Stack
from corescore.corpus.packed import NOTES_ENDING, ceiling_in_force, limit_in_force
from corescore.corpus.parts import File, Formats, How, SideFiles, Source
from corescore.corpus.problems import InputError, Problem, refusal
from corescore.counting.policies import Policies
from corescore.metrics import METRICS, Metric, metrics_of
from corescore.scoring.run import FileScoring, Progress, Tallied, Task, TaskOutcome, Work
from corescore.scoring.tally import Tally
from corescore.wording import counted

__all__ = ["OnCluster", "score"]

try:
    import fsspec
    from distributed import Client, as_completed
    from distributed.scheduler import KilledWorker
    from fsspec.core import url_to_fs
except ModuleNotFoundError as error:
    if error.name not in ("dask", "distributed", "fsspec"):
        raise
    raise ModuleNotFoundError(
        f"{error.name} is not installed, but a cluster needs it: pip install dask distributed "
        "'fsspec[http]'",
        name=error.name,
    ) from error

# Files wherever they are stored, through fsspec: found by folder or pattern, and read whole -------

Storage = Mapping[str, Any]

# What file systems tell of the content of a file: none tells all of them.
_STATE = ("size", "mtime", "created", "ETag", "etag", "LastModified", "Last-Modified", "md5Hash")

_MAGIC = frozenset("*?[")

_ADVICE = "Check the path, including on the workers."


class UnreadableError(OSError):
    """A file that cannot be read now, but perhaps later; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


def open_shards(place: str, storage: Storage) -> SideFiles:
    """The files of a folder (not those in its folders), that match a pattern, or the one named.

    Those of one name, endings aside, are read together. Files whose names begin with a dot, and
    files of notes, are left out. Raises InputError if there are none, or the place cannot be
    listed.
    """
    place = place if "://" in place else place.replace(os.sep, "/")
    try:
        filesystem, path = url_to_fs(place, **storage)
        web = "http" in filesystem.protocol
        # On the web a question mark begins a query; elsewhere a name of a file may have brackets.
        is_pattern = "*" in place if web else _MAGIC & {*place} and not filesystem.exists(path)
        if is_pattern:
            root = place[: place.rfind("/", 0, min(map(place.find, _MAGIC & {*place}))) + 1]
            entries = filesystem.glob(path, detail=True).values()
        elif place.endswith("/") or (not web and filesystem.isdir(path)):
            root = f"{place.rstrip('/')}/"
            entries = filesystem.ls(path, detail=True)
        else:
            file = File(filesystem.unstrip_protocol(path), place)
            return SideFiles(place, [Source(0, {posixpath.basename(path): file})])
    except Exception as error:  # each file system raises errors of its own
        raise InputError([_problem(place, error)]) from error
    top = filesystem._strip_protocol(root or ".").rstrip("/")
    paths = [entry["name"] for entry in entries if entry["type"] == "file"]
    stems: dict[str, dict[str, File]] = {}
    for name, path in sorted((path[len(top) :].lstrip("/"), path) for path in paths):
        if not any(part.startswith(".") for part in name.split("/")) and not name.endswith(
            NOTES_ENDING
        ):
            folder, _, last = name.rpartition("/")
            named = root + name if "://" in root else posixpath.normpath(root + name)
            file = File(filesystem.unstrip_protocol(path), named)
            stem = posixpath.join(folder, last.split(".")[0])
            stems.setdefault(stem, {})[last] = file
    if not stems:
        raise refusal(place, "no files", "a file or more", "Check the path.")
    return SideFiles(place.rstrip("/"), [_shard(*of) for of in enumerate(stems.items())])


def _shard(number: int, group: tuple[str, Mapping[str, File]]) -> Source:
    stem, files = group
    folder = posixpath.dirname(next(iter(files.values())).name) or "."
    return Source(number, files, folder, stem, prefix=stem[: stem.rfind("/") + 1])


def bytes_of(file: File, storage: Storage) -> bytes:
    """What a file holds.

    Raises InputError if it is not there or changes meanwhile, UnreadableError if it cannot be read
    for another reason, which may pass.
    """
    try:
        filesystem, path = url_to_fs(file.url, **storage)
        before = _state(filesystem, path)
        data: bytes = filesystem.cat_file(path)
        after = _state(filesystem, path)
    except (FileNotFoundError, PermissionError, ImportError) as error:
        raise InputError([_problem(file.name, error)]) from error
    except Exception as error:  # each file system raises errors of its own
        raise UnreadableError(_problem(file.name, error)) from error
    if before != after or before.get("size", len(data)) != len(data):
        fault, advice = "a file that changed while it was read", "Score it again when it is whole."
        raise refusal(file.name, fault, "a file that stays as it is", advice)
    return data


def _problem(name: str, error: Exception) -> Problem:
    if isinstance(error, ImportError):
        return Problem(name, 0, "a URL that needs a package", str(error), "Install it everywhere.")
    if isinstance(error, FileNotFoundError):
        reason = os.strerror(errno.ENOENT)  # some file systems name only the file
    else:
        reason = str(error) or type(error).__name__
    fault = f"no file that can be read ({reason})"
    return Problem(name, 0, fault, "a file or a folder of files", _ADVICE)


def _state(filesystem: fsspec.AbstractFileSystem, path: str) -> dict[str, object]:
    """What tells whether a file is still the same, asked anew."""
    filesystem.invalidate_cache(filesystem._parent(path))
    known = filesystem.info(path)
    return {name: known[name] for name in _STATE if known.get(name) is not None}


# The tasks of a run on a cluster: Dask does them, those of lost workers again ---------------------

RETRIES = 2  # of a file that cannot be read; lost workers do not count


def on_cluster(client: Client) -> Callable[[Work, Sequence[Task]], Iterator[TaskOutcome]]:
    """What does the tasks of a run on the workers; each outcome as soon as it is there.

    A worker that dies may hold other tasks than the one that it dies of, and all are blamed. So
    those that are blamed too often are done once more, one by one.
    """

    def each(work: Work, tasks: Sequence[Task]) -> Iterator[TaskOutcome]:
        def submitted(task: Task) -> Any:
            return client.submit(work, task, pure=False, retries=RETRIES)

        task_of = {submitted(task): task for task in tasks}
        blamed = []
        for future in as_completed([*task_of]):
            task = task_of.pop(future)  # what is fetched cannot be lost with a worker
            try:
                yield _fetched(future, task)
            except KilledWorker:
                blamed.append(task)
        for task in blamed:
            try:
                yield _fetched(submitted(task), task)
            except KilledWorker as error:
                fault = f"a shard on which {counted(error.allowed_failures + 1, 'worker')} died"
                advice = "Give the workers more memory, or split the shard."
                expected = "one that a worker can hold"
                yield task.refused(Problem(task.name, 0, fault, expected, advice))

    return each


def _fetched(future: Any, task: Task) -> TaskOutcome:
    """An outcome, which says so if a file cannot be read. Raises KilledWorker."""
    try:
        outcome: TaskOutcome = future.result()
    except UnreadableError as error:
        return task.refused(error.problem)
    return outcome


def score_shards(
    key: str,
    responses: Sequence[str],
    client: Client,
    policies: Policies,
    *,
    metrics: Sequence[Metric] = METRICS,
    keep_going: bool = False,
    formats: Formats = (None, None),
    repair_brackets: bool = False,
    storage: Storage | None = None,
    progress: Progress = lambda done, of: None,
) -> list[Tallied]:
    """The tally of each response; see `score`, `corescore.corpus.parts.How` for `formats` and
    `corescore.scoring.run` for `progress`.

    Raises InputError if there are no files, and PolicyError if the unpack limit in force here is no
    size.
    """
    ceiling_in_force()
    storage = storage or {}
    sides = [open_shards(place, storage) for place in (key, *responses)]
    kinds = ["a folder or a pattern" if side.sources[0].stem else "a file" for side in sides]
    for side, kind in zip(sides, kinds, strict=True):
        if kind != kinds[0]:
            expected, advice = f"{kinds[0]}, as the key", "Give two files or two folders."
            raise refusal(side.name, kind, expected, advice)
    how = How(formats, repair_brackets, partial(bytes_of, storage=storage))
    work = Work(policies, tuple(metrics), how, limit_in_force())
    run = FileScoring(work, on_cluster(client), is_here=False, keep_going=keep_going)
    return run.tally(sides[0], sides[1:], progress)


def score(
    key: str,
    response: str,
    *,
    client: Client,
    metrics: Sequence[Metric | str] = METRICS,
    keep_going: bool = False,
    format: str | None = None,
    key_format: str | None = None,
    response_format: str | None = None,
    repair_brackets: bool = False,
    storage_options: Storage | None = None,
    **policies: str,
) -> Tally:
    """Score a response against a key on a cluster: the workers read the files and count.

    key, response    each a folder, a pattern (`s3://bucket/gold/*.conll.gz`) or a file, by path or
                     by URL, as the workers see it; see `corescore.read` for what the files may be.
                     Files of both sides belong together by their names without endings, and so do
                     their documents, as when two folders are scored
    client           of the cluster; none is started
    keep_going       leave out the shards that cannot be scored, with a warning of each problem,
                     instead of raising
    format, key_format, response_format, repair_brackets
                     as in `corescore.score_files`
    storage_options  what fsspec is told besides the URLs, such as credentials
    metrics, policies
                     as in `corescore.score`

    The tally is that of scoring both folders in memory, to the bit. The texts stay on the workers;
    counts of documents come back. Raises InputError with the problems of all shards, and
    PolicyError, as `corescore.score`.

    >>> from corescore import distributed
    >>> tally = distributed.score("key.conll", "cautious.conll", client=client)
    >>> round(100 * tally["conll"].f1, 2)
    51.1
    """
    (made,) = score_shards(
        key,
        [response],
        client,
        Policies.of(policies),
        metrics=metrics_of(metrics),
        keep_going=keep_going,
        formats=(key_format or format, response_format or format),
        repair_brackets=repair_brackets,
        storage=storage_options,
    )
    return made.tally


# Blocks of resamples as tasks of a cluster --------------------------------------------------------


@dataclass(frozen=True)
class OnCluster:
    """Where the blocks of a test are counted: `randomisation(a, b, run=OnCluster(client))`.

    The results are those of one process, to the bit.

    >>> import corescore
    >>> from corescore.analysis.significance import randomisation
    >>> from corescore.distributed import OnCluster
    >>> a, b = (corescore.score("key.conll", f"{name}.conll") for name in ("cautious", "greedy"))
    >>> there = randomisation(a, b, trials=100, run=OnCluster(client))
    >>> there.table.equals(randomisation(a, b, trials=100).table)
    True
    """

    client: Client

    def __call__(
        self, count: Callable[[Stack, Exchanges], Found], stack: Stack, blocks: Iterable[Exchanges]
    ) -> Iterator[Found]:
        """`count(stack, block)` of each block, in their order."""
        # The result of a task: what is only scattered is lost with the workers that have it
        held = self.client.submit(_itself, stack, pure=False)
        futures = [self.client.submit(count, held, block, pure=False) for block in blocks]
        yield from (future.result() for future in futures)


def _itself(stack: Stack) -> Stack:
    return stack
