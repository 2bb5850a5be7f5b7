"""A batch of documents of a key and its responses: read, counted and let go."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from corescore.corpus.documents import Document
from corescore.corpus.formats.index import Entry, Source
from corescore.corpus.formats.readers import Reader, Reading
from corescore.corpus.problems import InputError
from corescore.counting.pairing import fitted, of_one_kind
from corescore.counting.policies import Policies
from corescore.counting.words import OtherWords
from corescore.metrics import Metric
from corescore.scoring.noticed import OfSide
from corescore.scoring.scores import count, noticed_of
from corescore.scoring.tally import Tally

NO_WORDS, _NOTHING = OtherWords(), (OfSide(), OfSide())


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
class Outcome:
    """What came of a batch: what was noticed in reading each side, and the counts of each response.

    read  the same of each side's documents as they were read
    """

    readings: tuple[Reading, ...]
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

    def __call__(self, batch: Batch) -> Outcome:
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
        return Outcome(tuple(replace(of, documents={}) for of in readings), read, counted)

    def _count(
        self, key: Sequence[Entry], partners: Sequence[Entry | None], ours: Reading, theirs: Reading
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


def _of(reading: Reading, entry: Entry) -> Document:
    return reading.documents[entry.name or ""]
