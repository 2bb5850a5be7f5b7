"""Scoring on a cluster of Dask: `pip install corescore[dask]`.

score      the shards of a key and of a response, as `corescore.score` does in memory
OnCluster  where the blocks of randomisation and bootstrap are counted
"""

import errno
import os
import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from corescore.analysis.significance.resamples import Block, Found, Stack
from corescore.corpus.documents import Corpus, Document
from corescore.corpus.packed import (
    NOTES_ENDING,
    Files,
    ceiling_in_force,
    limit_in_force,
    told_to_unpack_up_to,
)
from corescore.corpus.problems import InputError, Problem, Stage
from corescore.corpus.reading import SIDES, read_bytes, read_files
from corescore.counting.pairing import (
    Unpaired,
    digests_of,
    fitted,
    missing_document,
    nothing_shared,
    of_one_kind,
    paired_names,
)
from corescore.counting.policies import Policies
from corescore.counting.words import Few, OtherWords, refuse
from corescore.metrics import METRICS, Metric, metric_of
from corescore.scoring.noticed import OfSide, empty_average, has_mixed_cores, side_warnings
from corescore.scoring.scores import count, in_force, noticed_of
from corescore.scoring.tally import Tally
from corescore.version import __version__
from corescore.wording import counted

__all__ = ["OnCluster", "score"]

try:
    import fsspec
    from distributed import Client, Future, as_completed
    from distributed.scheduler import KilledWorker
    from fsspec.core import url_to_fs
except ModuleNotFoundError as error:
    if error.name not in ("dask", "distributed", "fsspec"):
        raise
    raise ModuleNotFoundError(
        f"{error.name} is not installed; a cluster needs it: pip install 'corescore[dask]'",
        name=error.name,
    ) from error

# Files wherever they are stored, through fsspec: found by folder or pattern, and read whole -------

Storage = Mapping[str, Any]

# What file systems tell of the content of a file: none tells all of them.
_STATE = ("size", "mtime", "created", "ETag", "etag", "LastModified", "Last-Modified", "md5Hash")

_MAGIC = frozenset("*?[")

_ADVICE = "Check the path, on the workers too."


@dataclass(frozen=True)
class File:
    """A file that a worker can open.

    url   absolute, as fsspec opens it
    name  the same as the user wrote it, for messages
    """

    url: str
    name: str


@dataclass(frozen=True)
class SideFiles:
    """The files of a side.

    name   the folder, the pattern or the file as the user wrote it
    files  by path within the folder, or below the folders that the pattern begins with; ascending
    alone  whether it names one file, so that documents keep their own names
    """

    name: str
    files: Mapping[str, File]
    alone: bool = False


class UnreadableError(OSError):
    """A file that cannot be read now, but perhaps later; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


def files_at(place: str, storage: Storage) -> SideFiles:
    """The files of a folder (not those in its folders), that match a pattern, or the one named.

    Files whose names begin with a dot, and files of notes, are left out. Raises InputError if there
    are none, or the place cannot be listed.
    """
    place = place if "://" in place else place.replace(os.sep, "/")
    try:
        filesystem, path = url_to_fs(place, **storage)
        web = "http" in filesystem.protocol
        if _is_pattern(filesystem, place, path, web):
            root = place[: place.rfind("/", 0, min(map(place.find, _MAGIC & {*place}))) + 1]
            entries = filesystem.glob(path, detail=True).values()
        elif place.endswith("/") or (not web and filesystem.isdir(path)):
            root = f"{place.rstrip('/')}/"
            entries = filesystem.ls(path, detail=True)
        else:
            return SideFiles(
                place, {posixpath.basename(path): _file(filesystem, path, place)}, True
            )
    except Exception as error:  # each file system raises errors of its own
        raise InputError([_problem(place, error)]) from error
    files = _files(filesystem, root, entries)
    if not files:
        problem = Problem(place, 0, "no files", "a file or more", "Check the path.")
        raise InputError([problem])
    return SideFiles(place.rstrip("/"), files)


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
        found, advice = "a file that changed while it was read", "Score it again when it is whole."
        raise InputError([Problem(file.name, 0, found, "a file that stays as it is", advice)])
    return data


def _problem(name: str, error: Exception) -> Problem:
    if isinstance(error, ImportError):
        return Problem(name, 0, "a URL that needs a package", str(error), "Install it everywhere.")
    if isinstance(error, FileNotFoundError):
        reason = os.strerror(errno.ENOENT)  # some file systems name only the file
    else:
        reason = str(error) or type(error).__name__
    found = f"no file that can be read ({reason})"
    return Problem(name, 0, found, "a file or a folder of files", _ADVICE)


def _state(filesystem: fsspec.AbstractFileSystem, path: str) -> dict[str, object]:
    """What tells whether a file is still the same, asked anew."""
    filesystem.invalidate_cache(filesystem._parent(path))
    known = filesystem.info(path)
    return {name: known[name] for name in _STATE if known.get(name) is not None}


def _is_pattern(filesystem: fsspec.AbstractFileSystem, place: str, path: str, web: bool) -> bool:
    """On the web a question mark begins a query; elsewhere a file may have brackets in its name."""
    if web:
        return "*" in place
    return bool(_MAGIC & {*place}) and not filesystem.exists(path)


def _files(
    filesystem: fsspec.AbstractFileSystem, root: str, entries: Iterable[Mapping[str, Any]]
) -> dict[str, File]:
    """The files among these entries, by their paths below `root`, which the user wrote so."""
    top = filesystem._strip_protocol(root or ".").rstrip("/")
    paths = [entry["name"] for entry in entries if entry["type"] == "file"]
    inner = {path[len(top) :].lstrip("/"): path for path in paths}
    return {
        name: _file(filesystem, inner[name], _named(root, name))
        for name in sorted(inner)
        if not any(outcome.startswith(".") for outcome in name.split("/"))
        and not name.endswith(NOTES_ENDING)
    }


def _named(root: str, name: str) -> str:
    return root + name if "://" in root else posixpath.normpath(root + name)


def _file(filesystem: fsspec.AbstractFileSystem, path: str, name: str) -> File:
    return File(filesystem.unstrip_protocol(path), name)


KEY, RESPONSE, BOTH = range(3)  # which side a problem is of; the key's are told first

# What comes back from the workers: counts, names and problems, never a text; how it adds up -------

Sides = tuple[OfSide, OfSide]


@dataclass(frozen=True)
class Refusal:
    """Why a shard, or some documents of it, cannot be counted.

    stem  of the shard
    side  KEY, RESPONSE or BOTH
    """

    stem: str
    side: int
    error: InputError


@dataclass(frozen=True)
class Left:
    """A document without one of its name on the other side.

    stem  of its shard
    file  that it was read from
    text  a digest of its text, if it has one
    """

    name: str
    stem: str
    file: str
    text: tuple[str, ...]


@dataclass(frozen=True)
class Noticed:
    """What is said of all shards together.

    warnings  of the readers, for either side
    sides     what is noticed of the mentions of either side
    words     what was done to responses of other words
    """

    warnings: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    sides: Sides = field(default_factory=lambda: (OfSide(), OfSide()))
    words: OtherWords = field(default_factory=OtherWords)

    def __add__(self, other: "Noticed") -> "Noticed":
        (key, response), (more_key, more_response) = self.warnings, other.warnings
        return Noticed(
            (key + more_key, response + more_response),
            (self.sides[KEY] + other.sides[KEY], self.sides[RESPONSE] + other.sides[RESPONSE]),
            self.words + other.words,
        )


@dataclass(frozen=True)
class ShardOutcome:
    """What some shards come to, in the key's order.

    tally    without its metrics, since a copy of a user's own would not equal the next copy; None
             if there is nothing that could be counted
    exact    under another matching the tally by exact matching, to be shown beside it
    order    the names of all documents of the key, counted or not
    left     documents of the key, and of the response, that are not counted yet
    """

    tally: Tally | None = None
    exact: Tally | None = None
    order: tuple[str, ...] = ()
    left: tuple[tuple[Left, ...], tuple[Left, ...]] = ((), ())
    refused: tuple[Refusal, ...] = ()
    noticed: Noticed = field(default_factory=Noticed)

    @classmethod
    def sum(cls, outcomes: Sequence["ShardOutcome"]) -> "ShardOutcome":
        """All of them in the order given."""
        return cls(
            _sum(one.tally for one in outcomes),
            _sum(one.exact for one in outcomes),
            tuple(name for one in outcomes for name in one.order),
            (
                tuple(left for one in outcomes for left in one.left[KEY]),
                tuple(left for one in outcomes for left in one.left[RESPONSE]),
            ),
            tuple(refusal for one in outcomes for refusal in one.refused),
            sum((one.noticed for one in outcomes), Noticed()),
        )

    def error(self) -> InputError:
        """The problems of all that was refused, those of the key's files first."""
        return InputError.of(of.error for of in sorted(self.refused, key=lambda of: of.side))

    def without_refused(self) -> "ShardOutcome":
        """The same without what is left of shards that were refused."""
        stems = {refusal.stem for refusal in self.refused}
        key, response = (tuple(one for one in side if one.stem not in stems) for side in self.left)
        return replace(self, left=(key, response))


def _sum(tallies: Iterable[Tally | None]) -> Tally | None:
    known = [tally for tally in tallies if tally is not None]
    return Tally.sum(known) if known else None


# Shards: the files of both sides that belong together, by their names -----------------------------


@dataclass(frozen=True)
class Shard:
    """Files of one name, endings aside, as `score` matches the files of two folders.

    stem      what the names of their documents begin with; "" if each side is one file
    key       its files in the key: none if only the response has some
    response  those in the response
    """

    stem: str
    key: tuple[File, ...]
    response: tuple[File, ...]

    @property
    def files(self) -> tuple[tuple[File, ...], tuple[File, ...]]:
        """Those of both sides."""
        return self.key, self.response

    @property
    def name(self) -> str:
        """The first of its files, for messages."""
        return (self.key or self.response)[0].name


def shards_of(key: SideFiles, response: SideFiles) -> list[Shard]:
    """The shards of two places, those of the key first, in its order.

    Raises InputError if one is a file and the other is not.
    """
    if key.alone != response.alone:
        kinds = {True: "a file", False: "a folder or a pattern"}
        expected, advice = f"{kinds[key.alone]}, as the key", "Give two files or two folders."
        problem = Problem(response.name, 0, kinds[response.alone], expected, advice)
        raise InputError([problem])
    if key.alone:
        return [Shard("", tuple(key.files.values()), tuple(response.files.values()))]
    ours, theirs = _by_stem(key), _by_stem(response)
    stems = dict.fromkeys((*ours, *theirs))
    return [Shard(stem, ours.get(stem, ()), theirs.get(stem, ())) for stem in stems]


def _by_stem(place: SideFiles) -> dict[str, tuple[File, ...]]:
    files = defaultdict(list)
    for name, file in place.files.items():
        files[_stem(name)].append(file)
    return {stem: tuple(of) for stem, of in files.items()}


def _stem(path: str) -> str:
    """A path without the endings of its file."""
    folder, slash, name = path.rpartition("/")
    return folder + slash + name.split(".")[0]


# What a worker does: it reads files, counts their documents, and sends back an outcome ------------


@dataclass(frozen=True)
class Job:
    """What all shards of a run are scored by.

    names    of the key and of the response, for messages
    unpack_limit  where the run was started; None if the worker goes by its own
    version  of corescore where the run was started
    """

    policies: Policies
    metrics: tuple[Metric, ...]
    names: tuple[str, str]
    storage: Storage
    format: str | None = None
    repair_brackets: bool = False
    unpack_limit: str | None = None
    version: str = __version__


@dataclass(frozen=True)
class Rest:
    """Documents of a shard of the key, with those of other names in some shards of the response.

    pairs  their names; None if the response lacks the document
    """

    key: Shard
    responses: tuple[Shard, ...]
    pairs: tuple[tuple[str, str | None], ...]

    @property
    def stem(self) -> str:
        return self.key.stem

    @property
    def name(self) -> str:
        """For messages."""
        return self.key.name


def count_shard(shard: Shard, job: Job) -> ShardOutcome:
    """Read the files of a shard and count the documents that both sides have, by their names.

    Raises UnreadableError; see `bytes_of`.
    """
    if job.version != __version__:
        found = f"a worker with corescore {__version__}"
        problem = Problem(shard.name, 0, found, job.version, "Install one version everywhere.")
        return ShardOutcome(refused=(Refusal(shard.stem, BOTH, InputError([problem])),))
    corpora, refused = [], []
    for side in (KEY, RESPONSE):
        try:
            corpora.append(_corpus(shard, side, job))
        except InputError as error:
            refused.append(Refusal(shard.stem, side, error))
    if refused:
        return ShardOutcome(refused=tuple(refused))
    key, response = corpora
    known = replace(
        ShardOutcome(),
        order=tuple(document.name for document in key),
        left=(_left(shard, key, response), _left(shard, response, key)),
        noticed=Noticed(
            (key.warnings, response.warnings),
            (OfSide.read(key.documents), OfSide.read(response.documents)),
        ),
    )
    both = [(key[name], response[name]) for name in key.by_name if name in response.by_name]
    return _with_counts(known, both, shard, job)


def count_rest(rest: Rest, job: Job) -> ShardOutcome:
    """Read the files of several shards again, and count documents of other names.

    Raises UnreadableError; see `bytes_of`.
    """
    try:
        key = _corpus(rest.key, KEY, job)
        others = [_corpus(shard, RESPONSE, job) for shard in rest.responses]
    except InputError as error:
        return ShardOutcome(refused=(Refusal(rest.stem, BOTH, error),))
    response = {document.name: document for corpus in others for document in corpus}
    found = [(key[name], response[other] if other else None) for name, other in rest.pairs]
    return _with_counts(ShardOutcome(), found, rest, job)


def _with_counts(
    known: ShardOutcome,
    found: Sequence[tuple[Document, Document | None]],
    of: Shard | Rest,
    job: Job,
) -> ShardOutcome:
    """The outcome with what is counted of some documents, or why that cannot be."""
    try:
        paired = fitted(of_one_kind(found), job.policies)
        made = count(paired, job.policies, job.metrics)
    except InputError as error:
        return replace(known, refused=(Refusal(of.stem, BOTH, error),))
    return replace(
        known,
        tally=replace(made.tally, metrics=()),
        exact=None if job.policies.match == "exact" else replace(made.exact.tally, metrics=()),
        noticed=known.noticed + Noticed(sides=noticed_of(made), words=paired.words),
    )


def _left(shard: Shard, own: Corpus, other: Corpus) -> tuple[Left, ...]:
    """The documents of a side without one of their name on the other."""
    return tuple(
        Left(document.name, shard.stem, document.file, digests_of(document))
        for document in own
        if document.name not in other.by_name
    )


def _corpus(shard: Shard, side: int, job: Job) -> Corpus:
    """The documents of a side, named as if its files were read as a folder."""
    if not shard.files[side]:
        return Corpus(())
    with told_to_unpack_up_to(job.unpack_limit):
        return _read(shard, side, job)


def _read(shard: Shard, side: int, job: Job) -> Corpus:
    files = shard.files[side]
    data = {file.name: bytes_of(file, job.storage) for file in files}
    how, repair = SIDES[side], job.repair_brackets
    if not shard.stem:
        (name,) = data
        return read_bytes(data[name], name, format=job.format, side=how, repair_brackets=repair)
    inner = {posixpath.basename(name): content for name, content in data.items()}
    place = posixpath.dirname(files[0].name) or "."
    corpus = read_files(Files(place, tuple(inner), inner.__getitem__), job.format, how, repair)
    folder = shard.stem[: shard.stem.rfind("/") + 1]
    return replace(corpus, documents=tuple(_within(folder, one) for one in corpus))


def _within(folder: str, document: Document) -> Document:
    return replace(document, name=folder + document.name) if folder else document


# Outcomes of many shards on a cluster: Dask runs the tasks, those of lost workers again -----------

RETRIES = 2  # of a file that cannot be read; lost workers do not count

Step = Callable[[str], None]

Item = TypeVar("Item", Shard, Rest)


def outcome_of(
    client: Client,
    work: Callable[[Item, Job], ShardOutcome],
    items: Sequence[Item],
    job: Job,
    step: Step,
) -> ShardOutcome:
    """What `work` makes of one item or more, added up in the order of the items.

    step  is called with the name of each item that is done
    """
    outcomes: dict[int, ShardOutcome] = {}
    for at, outcome in _counted(client, work, items, job):
        outcomes[at] = outcome
        step(items[at].name)
    return ShardOutcome.sum([outcomes[at] for at in range(len(items))])


def _counted(
    client: Client, work: Callable[[Item, Job], ShardOutcome], items: Sequence[Item], job: Job
) -> Iterator[tuple[int, ShardOutcome]]:
    """The place and the outcome of each item, fetched as soon as it is there.

    A worker that dies may hold other items than the one that it dies of, and all are blamed. So
    those that are blamed too often are counted once more, one by one. What is fetched cannot be
    lost with a worker.
    """

    def submitted(item: Item) -> Future[ShardOutcome]:
        return client.submit(work, item, job, pure=False, retries=RETRIES)

    place: dict[Future[ShardOutcome], int] = {submitted(item): at for at, item in enumerate(items)}
    blamed = []
    for future in as_completed([*place]):
        at = place.pop(future)
        try:
            yield at, _fetched(future, items[at])
        except KilledWorker:
            blamed.append(at)
    for at in sorted(blamed):
        try:
            yield at, _fetched(submitted(items[at]), items[at])
        except KilledWorker as error:
            yield at, _deadly(items[at], error)


def _fetched(future: Future[ShardOutcome], item: Shard | Rest) -> ShardOutcome:
    """An outcome, which says so if a file cannot be read. Raises KilledWorker."""
    try:
        return future.result()
    except UnreadableError as error:
        return _refused(item, error.problem)


def _deadly(item: Shard | Rest, error: KilledWorker) -> ShardOutcome:
    found = f"a shard on which {counted(error.allowed_failures + 1, 'worker')} died"
    advice = "Give the workers more memory, or split the shard."
    return _refused(item, Problem(item.name, 0, found, "one that a worker can hold", advice))


def _refused(item: Shard | Rest, problem: Problem) -> ShardOutcome:
    return ShardOutcome(refused=(Refusal(item.stem, BOTH, InputError([problem])),))


# Documents that stand in other shards, or under other names, than their partners ------------------


@dataclass(frozen=True)
class Others:
    """What is still to be counted of all shards, and the warnings of it."""

    rests: tuple[Rest, ...]
    warnings: tuple[str, ...]


def others_of(outcome: ShardOutcome, shards: Sequence[Shard], job: Job) -> Others:
    """Pair the documents that are left of all shards by their names; see `paired_by_name`.

    Raises InputError as `pair_documents`, for missing documents and where nothing is shared.
    """
    key, response = ({left.name: left for left in side} for side in outcome.left)

    def texts(side: int, name: str) -> Iterable[str]:
        return (key, response)[side][name].text

    name = job.names[RESPONSE]
    pairs, renamed = paired_names(key, response, name, texts)
    missing = [left for left in key.values() if left.name not in pairs]
    used = {*pairs.values()}
    unpaired = Unpaired(
        Few.of(left.name for left in missing), Few.of(of for of in response if of not in used)
    )
    if job.policies.missing_documents == "error":
        problems = (missing_document(left.name, left.file, name) for left in missing)
        refuse(problems, Stage.MISSING)
    if unpaired.extra.n and unpaired.missing.n == len(outcome.order):
        first = outcome.order[0] if outcome.order else ""
        raise nothing_shared(unpaired.extra.first[0], name, first, job.names[KEY])
    skips = job.policies.missing_documents == "skip"
    scored = [left for left in key.values() if left.name in pairs or not skips]
    rests = _rests(scored, pairs, response, {shard.stem: shard for shard in shards})
    return Others(rests, (*renamed, *unpaired.warnings(name, skips=skips)))


def _rests(
    scored: Iterable[Left],
    pairs: dict[str, str],
    response: dict[str, Left],
    shards: dict[str, Shard],
) -> tuple[Rest, ...]:
    """A task for each shard of the key, which reads the shards of its documents' partners."""
    by_stem = defaultdict(list)
    for left in scored:
        by_stem[left.stem].append((left.name, pairs.get(left.name)))
    return tuple(
        Rest(
            shards[stem],
            tuple(shards[of] for of in dict.fromkeys(response[o].stem for _, o in found if o)),
            tuple(found),
        )
        for stem, found in by_stem.items()
    )


# Score the shards of two places on a cluster ------------------------------------------------------


@dataclass(frozen=True)
class ShardScores:
    """What was counted, and why shards were left out, which is also in the warnings.

    exact  under another matching: the same by exact matching
    """

    tally: Tally
    refused: tuple[Refusal, ...]
    exact: Tally | None


@dataclass(frozen=True)
class ClusterRun:
    """The shards of a key and a response, and how they are scored."""

    job: Job
    metrics: tuple[Metric, ...]
    shards: tuple[Shard, ...]

    @classmethod
    def of(
        cls,
        key: str,
        response: str,
        policies: Policies,
        metrics: Sequence[Metric],
        *,
        storage: Storage | None = None,
        format: str | None = None,
        repair_brackets: bool = False,
    ) -> "ClusterRun":
        """List the files of both sides; see `score`. Raises InputError if there are none, and
        PolicyError if the unpack limit in force here is no size."""
        ceiling_in_force()
        sides = [files_at(place, storage or {}) for place in (key, response)]
        names = sides[0].name, sides[1].name
        limit = limit_in_force()
        job = Job(policies, tuple(metrics), names, storage or {}, format, repair_brackets, limit)
        return cls(job, in_force(policies, metrics), tuple(shards_of(*sides)))

    def scored(
        self, client: Client, *, keep_going: bool, step: Step = lambda shard: None
    ) -> ShardScores:
        """Count the shards on a cluster.

        step  is called with the name of each shard that is done

        Raises InputError with the problems of all shards, if they are not to be left out, or if
        none is left.
        """
        first = outcome_of(client, count_shard, self.shards, self.job, step)
        if first.refused and not keep_going and any(not of.error.stage for of in first.refused):
            raise first.error()
        first = first.without_refused() if keep_going else first
        try:
            others = others_of(first, self.shards, self.job)
        except InputError as error:
            raise InputError.of([*(of.error for of in first.refused), error]) from error
        outcome = first
        if others.rests:
            rest = outcome_of(client, count_rest, others.rests, self.job, lambda name: None)
            outcome = ShardOutcome.sum([first, rest])
        if outcome.tally is None or (outcome.refused and not keep_going):
            raise outcome.error()
        self._refuse_mixed_cores(outcome)
        tally = self._in_order(outcome.tally, first.order)
        exact = outcome.exact and self._in_order(outcome.exact, first.order)
        warnings = self._warnings(outcome, others, tally)
        return ShardScores(replace(tally, warnings=warnings), outcome.refused, exact)

    def _refuse_mixed_cores(self, outcome: ShardOutcome) -> None:
        """Raises InputError where only some shards name the minimum spans by which all would have
        to match."""
        policies = self.job.policies
        for side, name in zip(outcome.noticed.sides, self.job.names, strict=True):
            if has_mixed_cores([side], policies):
                found = f"minimum spans in some files only, under match '{policies.match}'"
                expected = "all files with minimum spans, or none"
                advice = "Score them on one machine, where all are seen at once."
                raise InputError([Problem(name, 0, found, expected, advice)])

    def _in_order(self, tally: Tally, order: Sequence[str]) -> Tally:
        """The tally in the key's order, with its metrics."""
        place = {name: at for at, name in enumerate(tally.documents)}
        rows = np.array([place[name] for name in order if name in place], dtype=np.int64)
        return replace(tally.rows(rows), metrics=self.metrics)

    def _warnings(self, outcome: ShardOutcome, others: Others, tally: Tally) -> tuple[str, ...]:
        """Those of scoring in memory, in its order."""
        names, policies, noticed = self.job.names, self.job.policies, outcome.noticed
        return (
            *(warning for side in noticed.warnings for warning in side),
            *others.warnings,
            *noticed.words.warnings(names[RESPONSE]),
            *side_warnings(noticed.sides, names, policies),
            *empty_average(tally.counts, tally.documents, policies),
            *(f"{said} Its shard is left out." for of in outcome.refused for said in _said(of)),
        )


def score(
    key: str,
    response: str,
    *,
    client: Client,
    metrics: Sequence[Metric | str] = METRICS,
    keep_going: bool = False,
    format: str | None = None,
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
    format, repair_brackets
                     as in `corescore.read`
    storage_options  what fsspec is told besides the URLs, such as credentials
    metrics, policies
                     as in `corescore.score`

    The tally is that of scoring both folders in memory, to the bit. The texts stay on the workers;
    counts of documents come back. Raises InputError with the problems of all shards, and
    PolicyError, as `corescore.score`.
    """
    run = ClusterRun.of(
        key,
        response,
        Policies.of(policies),
        [metric_of(one) if isinstance(one, str) else one for one in metrics],
        storage=storage_options,
        format=format,
        repair_brackets=repair_brackets,
    )
    return run.scored(client, keep_going=keep_going).tally


def _said(refusal: Refusal) -> list[str]:
    return [str(problem) for problem in refusal.error.problems]


# Blocks of resamples as tasks of a cluster --------------------------------------------------------


@dataclass(frozen=True)
class OnCluster:
    """Where the blocks of a test are counted: `randomisation(a, b, run=OnCluster(client))`.

    The results are those of one process, to the bit.
    """

    client: Client

    def __call__(
        self, count: Callable[[Stack, Block], Found], stack: Stack, blocks: Iterable[Block]
    ) -> Iterator[Found]:
        """`count(stack, block)` of each block, in their order."""
        # The result of a task: what is only scattered is lost with the workers that have it
        held = self.client.submit(_itself, stack, pure=False)
        futures = [self.client.submit(count, held, block, pure=False) for block in blocks]
        yield from (future.result() for future in futures)


def _itself(stack: Stack) -> Stack:
    return stack
