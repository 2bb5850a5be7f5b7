"""What a worker does: it reads files, counts their documents, and sends back an outcome."""

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, replace

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.ceilings import told_to_unpack_up_to
from corescore.corpus.formats.packed import Files
from corescore.corpus.formats.reading import SIDES, read_bytes, read_files
from corescore.corpus.problems import InputError, Problem
from corescore.counting.document_names import digests_of
from corescore.counting.pairing import fitted, of_one_kind
from corescore.counting.policies import Policies
from corescore.distributed.files import Storage, bytes_of
from corescore.distributed.outcomes import BOTH, KEY, RESPONSE, Left, Noticed, Outcome, Refusal
from corescore.distributed.shards import Shard
from corescore.metrics import Metric
from corescore.scoring.noticed import OfSide
from corescore.scoring.scores import count, noticed_of
from corescore.version import __version__


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


def count_shard(shard: Shard, job: Job) -> Outcome:
    """Read the files of a shard and count the documents that both sides have, by their names.

    Raises UnreadableError; see `bytes_of`.
    """
    if job.version != __version__:
        found = f"a worker with corescore {__version__}"
        problem = Problem(shard.name, 0, found, job.version, "Install one version everywhere.")
        return Outcome(refused=(Refusal(shard.stem, BOTH, InputError([problem])),))
    corpora, refused = [], []
    for side in (KEY, RESPONSE):
        try:
            corpora.append(_corpus(shard, side, job))
        except InputError as error:
            refused.append(Refusal(shard.stem, side, error))
    if refused:
        return Outcome(refused=tuple(refused))
    key, response = corpora
    known = replace(
        Outcome(),
        order=tuple(document.name for document in key),
        left=(_left(shard, key, response), _left(shard, response, key)),
        noticed=Noticed(
            (key.warnings, response.warnings),
            (OfSide.read(key.documents), OfSide.read(response.documents)),
        ),
    )
    both = [(key[name], response[name]) for name in key.by_name if name in response.by_name]
    return _with_counts(known, both, shard, job)


def count_rest(rest: Rest, job: Job) -> Outcome:
    """Read the files of several shards again, and count documents of other names.

    Raises UnreadableError; see `bytes_of`.
    """
    try:
        key = _corpus(rest.key, KEY, job)
        others = [_corpus(shard, RESPONSE, job) for shard in rest.responses]
    except InputError as error:
        return Outcome(refused=(Refusal(rest.stem, BOTH, error),))
    response = {document.name: document for corpus in others for document in corpus}
    found = [(key[name], response[other] if other else None) for name, other in rest.pairs]
    return _with_counts(Outcome(), found, rest, job)


def _with_counts(
    known: Outcome,
    found: Sequence[tuple[Document, Document | None]],
    of: Shard | Rest,
    job: Job,
) -> Outcome:
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
