"""Which response document belongs to which key document, and whether both say the same words."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.problems import InputError, Problem
from corescore.counting.document_names import paired_by_name
from corescore.counting.mention_filters import with_scored_mentions
from corescore.counting.named_spans import over_named_spans
from corescore.counting.policies import DEFAULTS, Policies
from corescore.counting.positions import with_common_positions, without_empty_nodes
from corescore.counting.words import fit_words, list_documents, with_further_words, with_key_words


@dataclass(frozen=True)
class Pairing:
    """Key and response documents side by side, in the key's order, and what was noticed.

    read  the same documents of the key as they were read, before they were fitted to the response
    """

    key: tuple[Document, ...]
    response: tuple[Document, ...]
    read: tuple[Document, ...]
    warnings: tuple[str, ...]


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
    _refuse(problem for corpus in (key, response) for problem in _same_names(corpus))
    partners, renamed = paired_by_name(key, response, policies.words)
    used = {document.name for document in partners.values()}
    missing = [document for document in key if document.name not in partners]
    extra = [document for document in response if document.name not in used]
    if policies.missing_documents == "error":
        _refuse(_missing(document, response) for document in missing)
    skips = policies.missing_documents == "skip"
    scored = [document for document in key if document.name in partners or not skips]
    found = [(doc, partners.get(doc.name) or doc.with_entities(())) for doc in scored]
    differ = [pair for pair in found if not _same_text(*pair)]
    both = [(doc, over_named_spans(doc, other)) for doc, other in differ]
    _refuse(_mixed(k, r) for k, r in both if k.named_mentions != r.named_mentions)
    if extra and len(missing) == len(key):
        raise InputError([_nothing_shared(extra[0], key, response)])
    responses, noticed = fit_words(both, policies.words, response.file or "the response")
    in_common = {
        doc.name: _in_common(doc, other, policies)
        for (doc, _), other in zip(differ, responses, strict=True)
    }
    fitted = [in_common.get(doc.name, (doc, other)) for doc, other in found]
    fitted = with_scored_mentions(fitted, policies.mentions)
    noticed = [*renamed, *_warnings(missing, extra, response, skips=skips), *noticed]
    warnings = (*key.warnings, *response.warnings, *noticed)
    sides = tuple(k for k, _ in fitted), tuple(r for _, r in fitted)
    return Pairing(*sides, tuple(scored), warnings)


def on_key_words(key: Corpus, response: Corpus) -> Corpus:
    """The response with its documents aligned, those that the key has: what words "align" scores.

    Raises InputError for documents of another text.
    """
    partners, _ = paired_by_name(key, response, "align")
    both = [(key[name], partner) for name, partner in partners.items()]
    aligned, _ = fit_words(both, "align", response.file)
    by_name = {document.name: document for document in aligned}
    documents = (by_name.get(document.name, document) for document in response)
    return replace(response, documents=tuple(documents))


def _refuse(problems: Iterable[Problem]) -> None:
    if found := list(problems):
        raise InputError(found)


def _warnings(
    missing: list[Document], extra: list[Document], response: Corpus, *, skips: bool
) -> Iterable[str]:
    name = response.file or "the response"
    if missing:
        done = "left out, which raises the score" if skips else "scored as an empty response"
        yield f"{name} lacks {list_documents(missing)} of the key: {done}."
    if extra:
        yield f"{name} has {list_documents(extra)} that the key lacks: left out."


def _missing(document: Document, response: Corpus) -> Problem:
    return Problem(
        response.file or "response",
        0,
        f"no document '{document.name}'",
        f"every document of the key ({document.file or 'key'})",
        "Add the document, or score it as empty with missing documents 'empty'.",
    )


def _nothing_shared(extra: Document, key: Corpus, response: Corpus) -> Problem:
    names = ", ".join(f"'{document.name}'" for document in key.documents[:1])
    return Problem(
        response.file or "response",
        0,
        f"documents such as '{extra.name}', none of which the key has",
        f"documents such as {names or 'none'} ({key.file or 'key'})",
        "Give the documents of both files the same names.",
    )


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


def _same_names(corpus: Corpus) -> Iterable[Problem]:
    if len(corpus.by_name) < len(corpus):
        names = Counter(document.name for document in corpus)
        twice = next(name for name, times in names.items() if times > 1)
        found = f"{names[twice]} documents named '{twice}'"
        yield Problem(corpus.file or "corpus", 0, found, "each name once", "Rename all but one.")


def _over(names: tuple[str, ...], position: dict[str, int], document: Document) -> Document:
    """The document over these names; its entities keep their numbers, which tell the first."""
    starts = document.spans[:, 0].tolist()
    at = np.array([position[document.words[start]] for start in starts], dtype=np.int64)
    order = np.lexsort((document.entity_of, at))
    rows = np.column_stack([at, at + 1, document.entity_of])[order]
    return replace(document, words=names, rows=rows)
