"""Writing CoNLL-U with coreference, as in CorefUD."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.conllu_cells import (
    coreference,
    declaration,
    indistinct,
    positions,
)
from corescore.corpus.formats.conllu_draft import GENRE
from corescore.corpus.formats.conllu_original import names_of, rewritten
from corescore.corpus.formats.format import unwritable
from corescore.corpus.problems import InputError, Problem

_NOT_IN_FIELD = re.compile(r"[-=|()\s]")


def write_conllu(corpus: Corpus) -> str:
    """CoNLL-U: entities, types and heads in `Entity=`, `SplitAnte=`, empty nodes and their parents.

    A document that was read from CoNLL-U keeps its comments and columns; the brackets are written
    anew, without the fields that are not read, and links in `Bridge=` stay where both of their
    entities have stayed as they were. Of other documents nothing but the genre, numbers, words,
    lemmas, parts of speech and speakers is known: the other columns are "_". Raises InputError for
    mentions of one entity that brackets cannot tell apart, and words, names, types and heads that
    do not fit.
    """
    problems = [problem for document in corpus for problem in _unwritable(document)]
    if problems:
        raise InputError(problems)
    return "".join(map(_text, corpus))


def _text(document: Document) -> str:
    names = names_of(document)
    return rewritten(document, names) or "".join(_lines(document, names))


def _lines(document: Document, names: Sequence[str]) -> Iterator[str]:
    """The document with what is known of it, and "_" in all other columns."""
    ids = _ids(document)
    attributes = coreference(document, names)
    unknown = [""] * len(document.words)
    lemmas, tags = document.lemmas or unknown, document.tags or unknown
    yield f"# newdoc id = {document.name}\n# global.Entity = {declaration(document)}\n"
    if document.genre:
        yield f"# {GENRE[0]} = {' '.join(document.genre.split())}\n"
    speakers = document.speakers or [""] * len(document.sentences)
    for number, (start, end) in enumerate(document.sentences, start=1):
        in_text = [at for at in range(start, end) if at not in document.empty_nodes]
        yield f"# sent_id = {document.name}-{number}\n"
        if speakers[number - 1]:
            yield f"# speaker = {' '.join(speakers[number - 1].split())}\n"
        yield f"# text = {' '.join(document.words[at] for at in in_text)}\n"
        for at in range(start, end):
            lemma = re.sub(r"[\t\n\r]+", " ", lemmas[at]) or "_"
            tag = re.sub(r"\s+", "_", tags[at]) or "_"
            columns = (
                ids[at],
                document.words[at],
                lemma,
                tag,
                *"____",
                _dependencies(document, at, ids),
            )
            yield "\t".join((*columns, "|".join(attributes[at]) or "_")) + "\n"
        yield "\n"


def _ids(document: Document) -> list[str]:
    """The number of each word in its sentence: 8, or 8.1 of an empty node after it."""
    ids: list[str] = []
    for start, end in document.sentences:
        n_words = 0
        for at in range(start, end):
            node = document.empty_nodes.get(at)
            n_words += node is None
            ids.append(f"{n_words}.{node.number}" if node else str(n_words))
    return ids


def _dependencies(document: Document, at: int, ids: Sequence[str]) -> str:
    node = document.empty_nodes.get(at)
    parents = sorted(node.parents) if node else ()
    return "|".join(f"{ids[p] if p >= 0 else 0}:{relation}" for p, relation in parents) or "_"


def _unwritable(document: Document) -> Iterator[Problem]:
    if problems := [*unwritable(document)]:
        yield from problems  # such as mentions beyond the words: nothing more can be asked
        return
    place = document.file or document.name
    for found, expected in _misfits(document):
        found = f"{found} in document '{document.name}'"
        yield Problem(place, 0, found, expected, "Write another format.")


def _misfits(document: Document) -> Iterator[tuple[str, str]]:
    """What CoNLL-U cannot hold, and what it can; the first of each kind."""
    for word in document.words:
        if not word or re.search(r"[\t\n\r]", word):
            yield f"the word {word!r}", "words on one line, without tabs"
            break
    yield from _misfitting_nodes(document)
    attributes = [*_misfitting_attributes(document)]
    yield from attributes
    for entity in () if attributes else sorted(indistinct(document))[:1]:
        mention = document.text(document.entities[entity][0])[:40]
        found = f"mentions of one entity ('{mention}') that cross"
        yield found, "mentions that nest, as brackets of one entity do"
    if any(entity in of or not of for entity, of in document.split_antecedents):
        yield "an entity that is its own antecedent, or has none", "other entities as antecedents"


def _misfitting_nodes(document: Document) -> Iterator[tuple[str, str]]:
    ids = _ids(document)
    starts = document.sentence_starts
    for at, node in sorted(document.empty_nodes.items()):
        sentence = bisect_right(starts, at)
        before = ids[at - 1].partition(".") if at not in starts else ("0", "", "")
        same_place = before[0] == ids[at].partition(".")[0]
        if node.absent or node.number <= (int(before[2] or 0) if same_place else 0):
            yield f"empty node {ids[at]} after {ids[at - 1]}", "numbers that ascend"
            return
        if any(p >= 0 and bisect_right(starts, p) != sentence for p, _ in node.parents):
            yield f"empty node {ids[at]} that depends on another sentence", "words of its sentence"
            return
        if any(not relation or re.search(r"[|\s]", relation) for _, relation in node.parents):
            yield f"a relation of empty node {ids[at]} with blanks or '|'", "relations without them"
            return


def _misfitting_attributes(document: Document) -> Iterator[tuple[str, str]]:
    known = document.attributes
    if known is None:
        return
    for kind in {*known.entity_type, *known.mention_type}:
        if _NOT_IN_FIELD.search(kind) or kind == "_":
            yield f"the type {kind!r} of a mention", "types without blanks and '-=|()'"
            break
    for at, mention in enumerate(document.mentions):
        words = positions(mention)
        first, last = known.minimum[at].tolist()
        inside = {int(known.head[at])} | ({first, last - 1} if first >= 0 else set())
        if not inside <= {-1, *words}:
            yield f"a head outside of its mention ('{document.text(mention)[:40]}')", "one inside"
            break
