"""Perturbations of a whole corpus, one after the other."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from corescore.analysis.perturbation.base import (
    Draft,
    Generators,
    Mentions,
    Perturbation,
    generators,
)
from corescore.corpus.documents import Corpus, Document
from corescore.corpus.problems import choose
from corescore.counting.pairing import on_key_words, pair_documents
from corescore.counting.policies import Policies, Singletons, Words
from corescore.counting.sides import without_absent

LEFT_BEHIND = ("keep", "drop")


def perturb(
    key: Corpus,
    response: Corpus,
    perturbations: Sequence[Perturbation],
    *,
    seed: int,
    left_behind: str = "keep",
    singletons: Singletons = "keep",
    words: Words = "error",
) -> Corpus:
    """The response after each of the perturbations in turn, over the same text.

    seed         of all random numbers; those of a document depend on its name too, but not on
                 the other documents
    left_behind  whether to "keep" or "drop" a mention that a perturbation leaves alone in its
                 entity
    singletons   as in `corescore.score`: "drop" first removes entities of one mention from both
                 sides
    words        as in `corescore.score`: "align" first puts the response onto the key's words

    Whatever the policies of a score, a mention is in the key if the key has the same span.

    The response's documents keep their order. One that the key lacks does not change; one that
    the response lacks comes last if a perturbation gives it mentions. A span that the response
    lists twice keeps its first entity, as in scoring.

    Raises InputError if the two sides do not fit together, PolicyError for a seed below 0 and an
    unknown `left_behind`.
    """
    choose("left behind", left_behind, LEFT_BEHIND)
    if words == "align":
        response = on_key_words(key, response)
    pairing = pair_documents(key, response, Policies(words=words))
    rngs = generators((document.name for document in key), seed)
    documents = pairing.response
    for perturbation in perturbations:
        draft = Draft.of(pairing.key, documents, singletons=singletons)
        mentions = perturbed_mentions(perturbation, draft, rngs, left_behind=left_behind)
        documents = draft.documents(mentions)
    if not perturbations:
        return response
    perturbed = {document.name: document for document in documents}
    return replace(response, documents=tuple(_in_order(response, perturbed)))


def perturbed_mentions(
    perturbation: Perturbation, draft: Draft, rngs: Generators, *, left_behind: str
) -> Mentions:
    """The mentions of the perturbed response; `left_behind` as in `perturb`."""
    mentions = perturbation.apply(draft, rngs)
    if left_behind == "drop" and not perturbation.makes_singletons:
        return mentions.without_left_behind()
    return mentions


def _in_order(response: Corpus, perturbed: dict[str, Document]) -> Iterator[Document]:
    for document in response:
        changed = perturbed.get(document.name)
        yield document if changed is None else _as_read(document, changed)
    for name, document in perturbed.items():
        if name not in response.by_name and len(document.rows):
            yield document


def _as_read(original: Document, perturbed: Document) -> Document:
    """A perturbed document over the original's own positions.

    Pairing has put it over positions that it has in common with its key: in notation names come
    first that the response may lack, and else empty nodes of the key stand between its words.
    """
    if not perturbed.named_mentions:
        return without_absent(perturbed)
    starts = perturbed.spans[:, 0].tolist()
    used = (perturbed.words[start] for start in starts)
    names = tuple(dict.fromkeys((*original.words, *used)))
    position = {name: at for at, name in enumerate(names)}
    rows = [
        (at := position[perturbed.words[start]], at + 1, entity)
        for start, entity in zip(starts, perturbed.entity_of.tolist(), strict=True)
    ]
    return replace(original, words=names).with_entities(rows)
