"""A key and a response as files or folders: which documents belong together, and their tally."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, reduce
from operator import add
from typing import Self

from corescore.corpus.formats import read
from corescore.corpus.formats.index import Entry, Index
from corescore.corpus.formats.readers import Reader
from corescore.corpus.problems import InputError, Stage
from corescore.counting.document_names import digests_of, paired_names
from corescore.counting.pairing import Unpaired, missing_document, nothing_shared
from corescore.counting.policies import Policies
from corescore.counting.words import Few
from corescore.scoring.batch import NO_WORDS, Counted, Outcome, Work
from corescore.scoring.noticed import (
    OfSide,
    empty_average,
    has_mixed_cores,
    side_warnings,
)
from corescore.scoring.scores import score
from corescore.scoring.tally import Tally


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
        self, work: Work, outcomes: Sequence[Outcome], at: int, warnings: Sequence[str]
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
