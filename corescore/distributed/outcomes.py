"""What a worker does: it reads a shard, counts it, and sends back counts or problems, no text."""

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.packed import Files
from corescore.corpus.formats.reading import SIDES, read_bytes, read_files
from corescore.corpus.problems import InputError, Problem
from corescore.counting.policies import Policies
from corescore.distributed.files import File, Storage, bytes_of
from corescore.distributed.shards import Shard
from corescore.metrics import Metric
from corescore.scoring.scores import score
from corescore.scoring.tally import Tally
from corescore.version import __version__


@dataclass(frozen=True)
class Job:
    """What all shards of a run are scored by.

    names    of the key and of the response, for messages
    version  of corescore where the run was started
    """

    policies: Policies
    metrics: tuple[Metric, ...]
    names: tuple[str, str]
    storage: Storage
    format: str | None = None
    repair_brackets: bool = False
    version: str = __version__


@dataclass(frozen=True)
class Outcome:
    """What has been counted of some shards, in the key's order, and which of them were refused.

    tally    without its metrics, since a copy of a user's own would not equal the next copy; None
             if all were refused
    refused  the problems of each shard that cannot be scored
    exact    under another matching the tally by exact matching, to be shown beside it
    """

    tally: Tally | None
    refused: tuple[InputError, ...] = ()
    exact: Tally | None = None

    @classmethod
    def sum(cls, outcomes: Sequence["Outcome"]) -> "Outcome":
        """All of them in the order given."""
        refused = tuple(error for outcome in outcomes for error in outcome.refused)
        tally, exact = (_sum(getattr(one, name) for one in outcomes) for name in ("tally", "exact"))
        return cls(tally, refused, exact)


def _sum(tallies: Iterable[Tally | None]) -> Tally | None:
    known = [tally for tally in tallies if tally is not None]
    return Tally.sum(known) if known else None


def count_shard(shard: Shard, job: Job) -> Outcome:
    """Read the files of a shard and count them. Raises UnreadableError; see `bytes_of`."""
    if job.version != __version__:
        found = f"a worker with corescore {__version__}"
        problem = Problem(shard.name, 0, found, job.version, "Install one version everywhere.")
        return Outcome(None, (InputError([problem]),))
    try:
        key, response = _sides(shard, job)
        made = score(key, response, job.policies, metrics=job.metrics)
    except InputError as error:
        return Outcome(None, (error,))
    exact = None if job.policies.match == "exact" else replace(made.exact.tally, metrics=())
    return Outcome(replace(made.tally, metrics=()), exact=exact)


def add(*outcomes: Outcome) -> Outcome:
    """The sum of outcomes that stand side by side; a task of its own."""
    return Outcome.sum(outcomes)


def _sides(shard: Shard, job: Job) -> list[Corpus]:
    """Both sides; the problems of both are raised together."""
    errors: list[InputError] = []
    corpora = []
    sides = zip(SIDES, (shard.key, shard.response), job.names, strict=True)
    for side, files, name in sides:
        try:
            corpora.append(replace(_corpus(shard.stem, files, side, job), file=name))
        except InputError as error:
            errors.append(error)
    if errors:
        raise InputError.of(errors)
    return corpora


def _corpus(stem: str, files: Sequence[File], side: str, job: Job) -> Corpus:
    """The documents of some files, named as if these were read as a folder."""
    if not files:
        return Corpus(())
    data = {file.name: bytes_of(file, job.storage) for file in files}
    if not stem:
        (name,) = data
        repair = job.repair_brackets
        return read_bytes(data[name], name, format=job.format, side=side, repair_brackets=repair)
    place = posixpath.dirname(files[0].name) or "."
    inner = {posixpath.basename(name): content for name, content in data.items()}
    whole = Files(place, tuple(inner), inner.__getitem__)
    corpus = read_files(whole, job.format, side, job.repair_brackets)
    folder = stem[: stem.rfind("/") + 1]
    return replace(corpus, documents=tuple(_within(folder, one) for one in corpus))


def _within(folder: str, document: Document) -> Document:
    return replace(document, name=folder + document.name) if folder else document
