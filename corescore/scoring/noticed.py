"""What is noticed of the mentions of a side when they are scored, in words."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.counting.counts import Counts
from corescore.counting.policies import Policies
from corescore.counting.sides import Side
from corescore.counting.words import list_documents
from corescore.metrics import CONLL, title_of
from corescore.scoring.presets import EMPTY_WITHOUT_KEY, is_stanza, is_universal_anaphora
from corescore.wording import counted, listed

_CAUSE = "Are its entities empty, or in another field?"
_CAUSES = {
    "conll": "Is coreference in another column than the last, or '-' in every row?",
    "conllu": "Is it annotated for coreference, with 'Entity=' in the last column?",
}


def empty_side(
    side: Side, documents: Sequence[Document], name: str, policies: Policies
) -> Iterator[str]:
    """A warning of a side without any mention to score, with the likely cause.

    documents  of the side, as they were read
    """
    if len(side.start) or not documents:
        return
    n_listed = sum(len(document.rows) for document in documents)
    if n_listed:
        left_out = (
            ("entities of one mention are left out", policies.singletons == "drop"),
            ("zeros are left out", policies.zeros == "drop"),
        )
        causes = [cause for cause, applies in left_out if applies]
        cause = listed(causes or ["none is in a text that the key has"])
        yield f"{name} has no mention left of {counted(n_listed)}: {cause}."
    yield from no_mentions(documents, name)


def no_mentions(documents: Sequence[Document], name: str) -> Iterator[str]:
    """A warning of documents that were read without any mention, with the likely cause."""
    if not documents or any(len(document.rows) for document in documents):
        return
    original = documents[0].original
    cause = _CAUSES.get(original.format, _CAUSE) if original else _CAUSE
    yield f"{name} has no mentions at all. {cause}"


def without_mentions(key: Corpus, response: Corpus) -> Iterator[str]:
    """The same of both sides, by their files."""
    yield from no_mentions(key.documents, key.file or "the key")
    yield from no_mentions(response.documents, response.file or "the response")


def empty_average(
    counts: Mapping[str, Counts], key: Sequence[Document], policies: Policies
) -> Iterator[str]:
    """A warning of metrics that have no average over these documents of the key, and why."""
    names = [name for name in EMPTY_WITHOUT_KEY if name in counts]
    if not is_stanza(policies) or not names:
        return
    empty = np.flatnonzero(counts[names[0]].recall_denominator[:, 0] == 0).tolist()
    if empty:
        lost = [*names, *([CONLL.id] if set(CONLL.members) <= counts.keys() else [])]
        yield (
            f"The key has no entity to score in {list_documents([key[at] for at in empty])}: as in "
            f"Stanza's scorer, the average of {listed(map(title_of, lost))} is empty."
        )


def split_antecedents(
    documents: Sequence[Document], name: str, policies: Policies
) -> Iterator[str]:
    """A warning of split antecedents of a side where the scorer followed would score them."""
    n_split = len({(d.name, e) for d in documents for e, _ in d.split_antecedents})
    if n_split and is_universal_anaphora(policies):
        yield (
            f"{name} has {counted(n_split, 'entity')} with split antecedents, which are not scored "
            "here; the Universal Anaphora scorer scores them, so its scores can differ."
        )
