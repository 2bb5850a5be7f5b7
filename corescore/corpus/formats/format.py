"""What a file format is: a frozen record of how to know, read and write it."""

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.parts import Parts
from corescore.corpus.problems import PolicyError, Problem
from corescore.wording import listed

_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_LONE = "half a character (a lone surrogate)"
_HOLDS = "Write it as CoNLL-U, which holds them."


@dataclass(frozen=True)
class Format:
    """A format as data.

    id        its name on the command line, such as "conll"
    title     its name in sentences, such as "CoNLL-2012"
    suffixes  ends of file names that are written in it
    fits      whether the text of a file looks like it
    read      (text, file, side) → Corpus; raises InputError with every problem it found. Where a
              file holds both sides, `side` ("key" or "response") says which one to read.
    repair    the same, but brackets without their partners are left out and counted in a warning;
              None if the format has none that could be
    write     Corpus → text; raises InputError for what the format cannot hold; None if it is only
              read
    keeps     whether what is written has heads, minimum spans, types and split antecedents
    has_words  whether what is written has the words of the text
    beside    of a document in two or more files: (path of the first) → for each of the others the
              paths that it may have, relative to the folder of the first, the likeliest first;
              none if the path is not of such a file
    group     of a document in any number of files: (paths within a folder) → those read together
    read_files  (path within the folder → text, folder, side) → Corpus, the first file first; also
              where others are missing, to tell so. The texts have their line ends and byte-order
              marks, since character offsets may count them.
    parts     how a file is read in parts; None if it has to be read whole
    """

    id: str
    title: str
    suffixes: tuple[str, ...]
    fits: Callable[[str], bool]
    read: Callable[[str, str, str], Corpus]
    write: Callable[[Corpus], str] | None = None
    repair: Callable[[str, str, str], Corpus] | None = None
    beside: Callable[[str], tuple[tuple[str, ...], ...]] | None = None
    group: Callable[[Collection[str]], list[tuple[str, ...]]] | None = None
    read_files: Callable[[Mapping[str, str], str, str], Corpus] | None = None
    keeps: bool = False
    has_words: bool = True
    parts: Parts | None = None

    def groups(self, names: Collection[str]) -> list[tuple[str, ...]]:
        """Of the paths within a folder those that are read together, the first file first."""
        if self.group:
            return self.group(names)
        firsts = [name for name in names if self.beside and self.beside(name)]
        return [(name, *self.others(name, names.__contains__)) for name in firsts]

    def others(self, name: str, is_there: Callable[[str], bool]) -> tuple[str, ...]:
        """The paths of the files that are read with this one, of those that are there."""
        folder = posixpath.dirname(name)
        found = []
        for paths in self.beside(name) if self.beside else ():
            whole = (posixpath.normpath(posixpath.join(folder, path)) for path in paths)
            found += [path for path in whole if is_there(path)][:1]
        return tuple(found)

    def text(self, corpus: Corpus) -> str:
        """The corpus in this format. Raises PolicyError if it is only read, else as `write`."""
        if self.write is None:
            expected = "another output format, such as a file that ends in .conll"
            raise PolicyError(f"{self.title} is read, not written; expected {expected}")
        return self.write(corpus)

    def left_out(self, corpus: Corpus) -> tuple[str, ...]:
        """A warning that counts the information lost in writing, if any is.

        A document that was read from this format has nothing that the format cannot hold.
        """
        others = [d for d in corpus if d.original is None or d.original.format != self.id]
        lost: Counter[str] = Counter()
        for document in others:
            if not self.has_words and not document.named_mentions:
                lost["words"] += len(document.words)
            if not self.keeps:
                lost.update(_beyond_spans(document))
        kinds = [f"{name} ({number:,})" for name, number in lost.items() if number]
        return (f"{self.title} does not hold {listed(kinds)}: left out.",) if kinds else ()


def _beyond_spans(document: Document) -> dict[str, int]:
    """How many mentions have more than a span and an entity, by what it is."""
    lost = {}
    if (known := document.attributes) is not None:
        types = zip(known.entity_type, known.mention_type, strict=True)
        lost["heads"] = int((known.head >= 0).sum())
        lost["minimum spans"] = int((known.minimum >= 0).any(axis=-1).sum())
        lost["mention types"] = sum(any(both) for both in types)
    return lost | {"split antecedents": len(document.split_antecedents)}


def unwritable(document: Document) -> Iterator[Problem]:
    """What no format can hold: a name of no or several lines, mentions beyond the words."""
    place, name = document.file or document.name, document.name
    if not name or name != name.strip() or "\n" in name or "\r" in name:
        found = f"the document name {name!r}"
        yield Problem(place, 0, found, "a name on one line", "Rename the document.")
    if not document.words and len(document.rows):
        found = f"document '{name}' has mentions but no words"
        yield Problem(place, 0, found, "the words of the document", "Add them.")
    elif document.rows[:, 1].max(initial=0) > len(document.words):
        found = f"document '{name}' has a mention that ends after its {len(document.words)} words"
        yield Problem(place, 0, found, "mentions within the document", "Fix the mention.")
    yield from _no_text(document)


def _no_text(document: Document) -> Iterator[Problem]:
    """Characters that no file can hold, the first of them."""
    for what, texts, advice in _texts_of(document):
        match = next((match for text in texts if (match := _NO_TEXT.search(text))), None)
        if match:
            character = "a NUL character" if match[0] == "\0" else _LONE
            found = f"{character} in {what} of document '{document.name}'"
            yield Problem(document.file or document.name, 0, found, "text", advice)
            return


def _texts_of(document: Document) -> Iterator[tuple[str, Iterable[str], str]]:
    """What stands in a file of a document: what it is, the texts, and what to do about one."""
    yield "the name", (document.name,), "Rename the document."
    yield "the words", document.words, "Fix the word."
    yield "the speakers", document.speakers, "Rename the speaker."
    yield "the tags", document.tags, "Fix the tag."
    yield "the lemmas", document.lemmas, "Fix the lemma."
    yield "the named spans", document.named_spans, "Rename the span."
    if known := document.attributes:
        yield "the types", (*known.entity_type, *known.mention_type), "Rename the type."
    for node in document.empty_nodes.values():
        relations = tuple(relation for _, relation in node.parents)
        yield "the empty nodes", relations, "Rename the relation."


def more_than_spans(document: Document) -> Iterator[Problem]:
    """What a format that only knows spans of words cannot hold: gaps and empty nodes."""
    place, attributes = document.file or document.name, document.attributes
    gaps = [at for at, pieces in enumerate(attributes.pieces) if pieces] if attributes else []
    if gaps:
        mention = document.text(document.mentions[gaps[0]])
        found = f"discontinuous mentions in document '{document.name}', such as '{mention}'"
        yield Problem(place, 0, found, "mentions without a gap", _HOLDS)
    if document.empty_nodes:
        found = f"empty nodes (zeros) in document '{document.name}'"
        yield Problem(place, 0, found, "words of the text only", _HOLDS)
