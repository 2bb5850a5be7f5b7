"""Writing CoNLL-2012 columns."""

import re
from collections.abc import Iterable, Iterator

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import unwritable
from corescore.corpus.mentions import Mention
from corescore.corpus.problems import InputError, Problem

BEGIN, END = "#begin document", "#end document"


def write_conll(corpus: Corpus) -> str:
    """CoNLL-2012 columns: name, part, number in the sentence, word, part of speech, …, speaker, *,
    coreference.

    Blanks in a speaker's name or a tag become "_". Raises InputError for a document without words,
    and a name or word that columns cannot hold.
    """
    problems = [problem for document in corpus for problem in _unwritable(document)]
    if problems:
        raise InputError(problems)
    return "".join(line for document in corpus for line in _document_lines(document))


def _unwritable(document: Document) -> Iterator[Problem]:
    place = document.file or document.name
    yield from unwritable(document)
    for word in document.words:
        if not word or re.search(r"[ \t\n\r]", word):
            found = f"the word {word!r} in document '{document.name}'"
            yield Problem(place, 0, found, "words without blanks", "Write it as jsonl.")
            return
    for entity in document.entities:
        if _cross(entity):
            found = f"mentions of one entity that cross in document '{document.name}'"
            yield Problem(place, 0, found, "mentions that nest", "Write it as jsonl.")
            return


def _cross(entity: Iterable[Mention]) -> bool:
    """Whether two mentions overlap by two words or more without one being inside the other.

    Brackets of one number cannot tell which of them closes first.
    """
    ends: list[int] = []
    for mention in entity:
        while ends and ends[-1] <= mention.start + 1:
            ends.pop()
        if ends and ends[-1] < mention.end:
            return True
        ends.append(mention.end)
    return False


def _document_lines(document: Document) -> Iterator[str]:
    name, _, part = document.name.rpartition("; part ")
    if not name or not re.fullmatch("[1-9][0-9]*", part):
        name, part = document.name, "0"
    column = re.sub(r"[\s#]+", "_", name)
    yield f"{BEGIN} ({name}); part {part.zfill(3)}\n"
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
    """The last column: what closes at a word (inner first), then what opens (outer first)."""
    opens: list[list[str]] = [[] for _ in document.words]
    closes: list[list[str]] = [[] for _ in document.words]
    for mention, entity in zip(document.mentions, document.entity_of.tolist(), strict=True):
        if mention.end - mention.start == 1:
            opens[mention.start].append(f"({entity})")
        else:
            opens[mention.start].append(f"({entity}")
            closes[mention.end - 1].insert(0, f"{entity})")
    cells = [*zip(closes, opens, strict=True)]
    return ["|".join([*closing, *opening]) or "-" for closing, opening in cells]
