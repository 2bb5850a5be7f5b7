"""Writing CoNLL-2012 columns."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.conll_cells import Labelled, brackets
from corescore.corpus.formats.conll_original import header_of, rewritten
from corescore.corpus.formats.format import more_than_spans, unwritable
from corescore.corpus.mentions import Mention
from corescore.corpus.problems import InputError, Problem

BEGIN, END = "#begin document", "#end document"
_PART = re.compile(r"[1-9][0-9]*")
_WHOLE = re.compile(r"\([^()]+\); part [0-9]{3,}")  # a name that is a header already


def write_conll(corpus: Corpus) -> str:
    """CoNLL-2012 columns: name, part, number in the sentence, word, part of speech, …, speaker, *,
    coreference.

    A document that was read from columns keeps its lines, and of its coreference column the cells
    that say the same; one that was renamed gets a new header. Of others, blanks in a speaker's
    name or a tag become "_". Heads, minimum spans and types of mentions are left out (types stay
    where a file has them in its ids), lemmas and split antecedents. Raises InputError for what
    columns cannot hold: discontinuous mentions, empty nodes, mentions of one entity that cross,
    words that are empty or have blanks, a document without words.
    """
    headers = _headers(corpus)
    texts = [rewritten(*both) for both in zip(corpus, headers, strict=True)]
    problems = [*_twice(corpus, headers)]
    for document, text in zip(corpus, texts, strict=True):
        is_whole = text is not None and not document.words
        problems += [*_not_in_brackets(document), *(() if is_whole else _unwritable(document))]
    if problems:
        raise InputError(problems)
    every = zip(corpus, headers, texts, strict=True)
    return _joined(
        "".join(_document_lines(document, header)) if text is None else text
        for document, header, text in every
    )


def _joined(texts: Iterable[str]) -> str:
    """The texts one after the other; the line end that a file lacks is added before the next."""
    *others, last = texts or [""]
    return "".join(text if text.endswith("\n") else f"{text}\n" for text in others) + last


def _headers(corpus: Corpus) -> list[str]:
    """The first line of each document: as in its file, unless another document has the same."""
    kept = [header_of(document) for document in corpus]
    times = Counter(kept)
    return [
        _header(document) if header is None or times[header] > 1 else header
        for document, header in zip(corpus, kept, strict=True)
    ]


def _header(document: Document) -> str:
    if _WHOLE.fullmatch(document.name):
        return f"{BEGIN} {document.name}"
    name, part = _name_and_part(document)
    return f"{BEGIN} ({name}); part {part.zfill(3)}"


def _name_and_part(document: Document) -> tuple[str, str]:
    name, _, part = document.name.rpartition("; part ")
    return (name, part) if name and _PART.fullmatch(part) else (document.name, "0")


def _twice(corpus: Corpus, headers: Sequence[str]) -> Iterator[Problem]:
    first: dict[str, Document] = {}
    for document, header in zip(corpus, headers, strict=True):
        if header in first:
            found = f"the documents '{first[header].name}' and '{document.name}'"
            expected = f"names that differ when written as '{header}'"
            yield Problem(document.file or document.name, 0, found, expected, "Rename one of them.")
        first.setdefault(header, document)


def _unwritable(document: Document) -> Iterator[Problem]:
    place = document.file or document.name
    yield from unwritable(document)
    if (name := _name_and_part(document)[0]) != name.rstrip():
        found = f"the document name {document.name!r}, with a blank before its part"
        yield Problem(place, 0, found, "a name without one", "Rename the document.")
    for word in document.words:
        if not word or re.search(r"[ \t\n\r]", word):
            found = f"the word {word!r} in document '{document.name}'"
            yield Problem(place, 0, found, "words without blanks", "Write it as jsonl.")
            return


def _not_in_brackets(document: Document) -> Iterator[Problem]:
    yield from more_than_spans(document)
    if any(map(_cross, document.entities)):
        found = f"mentions of one entity that cross in document '{document.name}'"
        place = document.file or document.name
        yield Problem(place, 0, found, "mentions that nest", "Write it as jsonl.")


def _cross(entity: Iterable[Mention]) -> bool:
    """Whether two mentions overlap without one being inside the other.

    Of brackets with one number the inner ones close first.
    """
    ends: list[int] = []
    for mention in entity:
        while ends and ends[-1] <= mention.start:
            ends.pop()
        if ends and ends[-1] < mention.end:
            return True
        ends.append(mention.end)
    return False


def _document_lines(document: Document, header: str) -> Iterator[str]:
    name, part = _name_and_part(document)
    column = re.sub(r"[\s#]+", "_", name)
    yield f"{header}\n"
    cells = _cells(document)
    speakers = document.speakers or ("",) * len(document.sentences)
    tags = [_in_column(tag) for tag in document.tags] or ["-"] * len(document.words)
    for (start, end), speaker in zip(document.sentences, speakers, strict=True):
        who = _in_column(speaker)
        for at in range(start, end):
            word = (str(at - start), document.words[at], tags[at])
            yield "\t".join((column, part, *word, *"----", who, "*", cells[at])) + "\n"
        yield "\n"
    yield f"{END}\n"


def _in_column(text: str) -> str:
    return re.sub(r"\s+", "_", text) or "-"


def _cells(document: Document) -> list[str]:
    """The last column, entities by their numbers."""
    rows = document.rows.tolist()
    mentions = [Labelled.of(start, end, str(entity)) for start, end, entity in rows]
    return ["|".join(cell) or "-" for cell in brackets(len(document.words), mentions)]
