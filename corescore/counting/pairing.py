"""Which response document belongs to which key document, and whether both say the same words."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.problems import InputError, Problem, Stage
from corescore.counting.document_names import paired_by_name
from corescore.counting.mention_filters import with_scored_mentions
from corescore.counting.named_spans import over_named_spans
from corescore.counting.policies import DEFAULTS, Policies
from corescore.counting.positions import with_common_positions, without_empty_nodes
from corescore.counting.words import (
    Few,
    OtherWords,
    Pairs,
    fit_words,
    list_documents,
    refuse,
    with_further_words,
    with_key_words,
)

AS_EMPTY = "scored as an empty response"  # a document of the key that a response lacks


@dataclass(frozen=True)
class Pairing:
    """Key and response documents side by side, in the key's order, and what was noticed.

    read   the same documents of the key as they were read, before they were fitted to the response
    words  what was done to responses of other words
    """

    key: tuple[Document, ...]
    response: tuple[Document, ...]
    read: tuple[Document, ...]
    warnings: tuple[str, ...]
    words: OtherWords


def pair_documents(key: Corpus, response: Corpus, policies: Policies = DEFAULTS) -> Pairing:
    """Pair the documents of both sides by name; see `paired_by_name` for names that differ.

    The response's documents keep their own names. A key document that the response lacks is paired
    with an empty one and warned of; under `missing_documents` "skip" it is left out with a warning,
    under "error" refused. A response document that the key lacks is left out, with a warning. A
    response without words is taken to be over the words of its key. Under words "align" one whose
    words differ is put onto those of its key. Last, mentions that the policy `mentions` does not
    score are left out of both sides.

    Raises InputError for missing documents, and for words or positions that do not fit: see
    `corescore.counting.words.fit_words`.
    """
    for corpus in (key, response):
        refuse(same_names(corpus.file, [one.name for one in corpus]), Stage.READING)
    partners, renamed = paired_by_name(key, response, policies.words)
    used = {document.name for document in partners.values()}
    unpaired = Unpaired(
        Few.of(one.name for one in key if one.name not in partners),
        Few.of(one.name for one in response if one.name not in used),
    )
    if policies.missing_documents == "error":
        missing = (one for one in key if one.name not in partners)
        found = (missing_document(one.name, one.file, response.file) for one in missing)
        refuse(found, Stage.MISSING)
    skips = policies.missing_documents == "skip"
    scored = [one for one in key if one.name in partners or not skips]
    both = of_one_kind([(one, partners.get(one.name)) for one in scored])
    if unpaired.extra.n and unpaired.missing.n == len(key):
        first = key.documents[0].name if key.documents else ""
        raise nothing_shared(unpaired.extra.first[0], response.file, first, key.file)
    paired = fitted(both, policies)
    name = response.file or "the response"
    noticed = *unpaired.warnings(name, skips=skips), *paired.words.warnings(name)
    return replace(paired, warnings=(*key.warnings, *response.warnings, *renamed, *noticed))


def of_one_kind(found: Iterable[tuple[Document, Document | None]]) -> Pairs:
    """Documents of the key and of the response, which is empty where there is none.

    Raises InputError where one has only names of mentions, and the other has words.
    """
    filled = ((key, response or key.with_entities(())) for key, response in found)
    both = [(key, over_named_spans(key, response)) for key, response in filled]
    mixed = ((k, r) for k, r in both if k.named_mentions != r.named_mentions)
    refuse((_mixed(k, r) for k, r in mixed), Stage.KIND)
    return both


def fitted(both: Pairs, policies: Policies) -> Pairing:
    """Documents of both sides over the same positions, with the mentions that are scored; its
    warnings are those of no document by itself, and are not told.

    Raises InputError for words or positions that do not fit.
    """
    differ = {at: pair for at, pair in enumerate(both) if not _same_text(*pair)}
    responses, words = fit_words([*differ.values()], policies.words)
    over = [*both]
    for (at, (key, _)), response in zip(differ.items(), responses, strict=True):
        over[at] = _in_common(key, response, policies)
    over = with_scored_mentions(over, policies.mentions)
    sides = tuple(key for key, _ in over), tuple(response for _, response in over)
    return Pairing(*sides, tuple(key for key, _ in both), (), words)


@dataclass(frozen=True)
class Unpaired:
    """The names of the key's documents that the response lacks, and of its other ones."""

    missing: Few
    extra: Few

    def warnings(self, name: str, *, skips: bool) -> Iterator[str]:
        """What is done with them; `name` is the response's."""
        if self.missing.n:
            done = "left out, which raises the score" if skips else AS_EMPTY
            yield f"{name} lacks {list_documents(self.missing)} of the key: {done}."
        if self.extra.n:
            yield f"{name} has {list_documents(self.extra)} that the key lacks: left out."


def on_key_words(key: Corpus, response: Corpus) -> Corpus:
    """The response with its documents aligned, those that the key has: what words "align" scores.

    Raises InputError for documents of another text.
    """
    partners, _ = paired_by_name(key, response, "align")
    both = [(key[name], partner) for name, partner in partners.items()]
    aligned, _ = fit_words(both, "align")
    by_name = {document.name: document for document in aligned}
    documents = (by_name.get(document.name, document) for document in response)
    return replace(response, documents=tuple(documents))


def missing_document(name: str, key: str, response: str) -> Problem:
    """The problem of a document of the key that the response lacks; `key` and `response` are the
    files of both."""
    return Problem(
        response or "response",
        0,
        f"no document '{name}'",
        f"every document of the key ({key or 'key'})",
        "Add the document, or score it as empty with missing documents 'empty'.",
    )


def nothing_shared(extra: str, response: str, key: str, key_file: str) -> InputError:
    """The error of two files of which no document has the name of one of the other.

    extra, key  the names of the first document of the response and of the key
    """
    of_key = f"'{key}'" if key else "none"
    problem = Problem(
        response or "response",
        0,
        f"documents such as '{extra}', none of which the key has",
        f"documents such as {of_key} ({key_file or 'key'})",
        "Give the documents of both files the same names.",
    )
    return InputError([problem], stage=Stage.SHARED)


def _same_text(key: Document, response: Document) -> bool:
    """Whether both sides have the same words and sentences, so that their positions are common.

    Not asked of mentions that are only names, and of texts with empty nodes.
    """
    return (
        (key.words is response.words or key.words == response.words)
        and key.sentence_starts == response.sentence_starts
        and not (key.named_mentions or response.named_mentions)
        and not (key.empty_nodes or response.empty_nodes)
    )


def _mixed(key: Document, response: Document) -> Problem:
    kind = {True: "mentions that are only names", False: "mentions that are spans of words"}
    return Problem(
        response.file or "response",
        0,
        f"document '{response.name}' has {kind[response.named_mentions]}",
        f"{kind[key.named_mentions]}, as in the key ({key.file or 'key'})",
        "Score notation against notation, or a file with words against one with words.",
    )


def _in_common(key: Document, response: Document, policies: Policies) -> tuple[Document, Document]:
    """Both sides over the same positions."""
    if key.named_mentions:
        return _align_names(key, response)
    response = with_key_words(key, response)
    if policies.zeros == "drop":
        key, response = without_empty_nodes(key), without_empty_nodes(response)
    counts = policies.lookup == "table" and policies.words == "ignore"  # as the CorefUD scorer
    by_sentence = counts and bool(key.words and response.words)
    has_zeros = key.empty_nodes or response.empty_nodes
    if not has_zeros and not (by_sentence and key.sentences != response.sentences):
        return with_further_words(key, response), response
    return with_common_positions(key, response, by_sentence=by_sentence)


def _align_names(key: Document, response: Document) -> tuple[Document, Document]:
    """Both sides over one list of mention names, so that one name is one position."""
    names = tuple(dict.fromkeys((*key.words, *response.words)))
    position = {name: at for at, name in enumerate(names)}
    return _over(names, position, key), _over(names, position, response)


def same_names(file: str, names: Sequence[str]) -> Iterator[Problem]:
    """The problem of a corpus, read from this file, in which two documents have one name."""
    if len({*names}) < len(names):
        times = Counter(names)
        twice = next(name for name, n in times.items() if n > 1)
        found = f"{times[twice]} documents named '{twice}'"
        yield Problem(file or "corpus", 0, found, "each name once", "Rename all but one.")


def _over(names: tuple[str, ...], position: dict[str, int], document: Document) -> Document:
    """The document over these names; its entities keep their numbers, which tell the first."""
    starts = document.spans[:, 0].tolist()
    at = np.array([position[document.words[start]] for start in starts], dtype=np.int64)
    order = np.lexsort((document.entity_of, at))
    rows = np.column_stack([at, at + 1, document.entity_of])[order]
    return replace(document, words=names, rows=rows)
