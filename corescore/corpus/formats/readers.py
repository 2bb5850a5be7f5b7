"""Reading documents of an index, some at a time, with the messages of reading all at once."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import groupby

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.index import Entry, Index, Source
from corescore.corpus.formats.packed import in_lines
from corescore.corpus.formats.parts import Part, Parts, Seen
from corescore.corpus.formats.reading import in_file, second_documents
from corescore.corpus.problems import InputError, Problem

Numbered = tuple[int, Seen]


@dataclass(frozen=True)
class Reading:
    """What was read of an index.

    documents  by their names; some may lack where there are problems
    seen       what was noticed of them, with the numbers of their sources
    errors     of sources as a whole, with their numbers
    """

    documents: Mapping[str, Document]
    seen: tuple[Numbered, ...] = ()
    errors: tuple[tuple[int, InputError], ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.errors and not any(of.problems for _, of in self.seen)


class Reader:
    """Reads documents of one side; of the files that are read whole it keeps the last one."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources
        self._whole: tuple[int, Corpus] = (-1, Corpus(()))

    def read(self, entries: Iterable[Entry]) -> Reading:
        """These documents. Nothing is raised: problems are kept."""
        documents: dict[str, Document] = {}
        seen: list[Numbered] = []
        errors: list[tuple[int, InputError]] = []
        for run in _runs(entries):
            number = run[0].source
            try:
                part = self._part(run)
            except InputError as error:
                errors.append((number, error))
                continue
            documents |= {document.name: document for document in part.documents}
            seen += [(number, of) for of in part.seen]
        return Reading(documents, tuple(seen), tuple(errors))

    def _part(self, run: Sequence[Entry]) -> Part:
        source = self.sources[run[0].source]
        if source.parts:
            return _read(source, source.parts, run)
        if self._whole[0] != run[0].source:
            self._whole = run[0].source, source.whole()
        corpus = self._whole[1]
        names = {entry.name for entry in run}
        is_told = any(entry.place.stop for entry in run)  # with the first document, so once
        told = (Seen(0, None, warnings=corpus.warnings),) if is_told else ()
        return Part(tuple(document for document in corpus if document.name in names), told)


def _runs(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Entries that stand one after the other in one source."""
    run: list[Entry] = []
    for entry in entries:
        follows = run and (run[-1].source, run[-1].place.stop) == (entry.source, entry.place.start)
        if run and not follows:
            yield run
            run = []
        run.append(entry)
    if run:
        yield run


def _text(source: Source, start: int, stop: int) -> str:
    return in_lines(source.bytes(start, stop).decode("utf-8" if start else "utf-8-sig"))


def _read(source: Source, parts: Parts, run: Sequence[Entry]) -> Part:
    first, last = run[0].place, run[-1].place
    text = _text(source, first.start, last.stop)
    part = parts.read(text, source.file, source.asked.side, first.begin)
    if source.stem is None:
        return part
    return Part(tuple(in_file(source.stem, document) for document in part.documents), part.seen)


@dataclass
class Readings:
    """What was noticed of an index in any number of batches, in any order."""

    index: Index
    seen: dict[int, list[Seen]] = field(default_factory=lambda: defaultdict(list))
    errors: dict[int, InputError] = field(default_factory=dict)

    def add(self, reading: Reading) -> None:
        """Take in what was noticed of some documents."""
        for number, of in reading.seen:
            self.seen[number].append(of)
        for number, error in reading.errors:
            self.errors.setdefault(number, error)

    def finish(self) -> tuple[str, ...]:
        """The warnings of the whole side. Raises InputError with the problems of all its files."""
        errors: list[InputError] = []
        warnings: list[str] = []
        good: set[int] = set()
        before = groupby(self.index.errors, key=lambda of: of[0])
        unread = {number: [error for _, error in of] for number, of in before}
        for number, source in enumerate(self.index.sources):
            errors += unread.pop(number, [])
            try:
                warnings += self._finish(number, source)
                good.add(number)
            except InputError as error:
                errors.append(error)
        errors += [error for of in unread.values() for error in of]
        problems = [*self._second_documents(good), *self.index.problems]
        if errors or problems:
            raise InputError.of([*errors, InputError(problems)])
        return (*warnings, *self.index.warnings)

    def _second_documents(self, good: Set[int]) -> Iterator[Problem]:
        """In a folder, documents of these sources that have the name of another."""
        if self.index.is_folder:
            entries = (entry for entry in self.index.entries if entry.source in good and entry.name)
            sources = self.index.sources
            yield from second_documents((e.name or "", sources[e.source].file) for e in entries)

    def _finish(self, number: int, source: Source) -> tuple[str, ...]:
        if number in self.errors:
            raise self.errors[number]
        seen = sorted(self.seen[number], key=lambda of: of.line)
        if source.parts is None:
            return tuple(warning for of in seen for warning in of.warnings)
        return source.parts.finish(seen, source.file, source.asked.side, self._texts(number))

    def _texts(self, number: int) -> Iterator[tuple[int, str]]:
        for entry in self.index.entries:
            if entry.source == number:
                place = entry.place
                text = _text(self.index.sources[number], place.start, place.stop)
                yield place.begin.line, text
