"""What is noticed of the mentions of a side when they are scored, in words."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Self

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.files import SIDES
from corescore.corpus.formats.json_objects import name_exclusive
from corescore.counting.comparison import Comparison
from corescore.counting.counts import Counts
from corescore.counting.matching import exact_pairs
from corescore.counting.policies import Policies
from corescore.counting.sides import Side
from corescore.counting.words import NONE, Few, list_documents
from corescore.metrics import CONLL, name_of
from corescore.scoring.presets import EMPTY_WITHOUT_KEY, is_stanza
from corescore.scoring.tally import Tally
from corescore.wording import counted, listed

_CAUSE = "Are its entities empty, or in another field?"
_CAUSES = {
    "conll": "Is coreference in a column other than the last, or '-' in every row?",
    "conllu": "Is it annotated for coreference, with 'Entity=' in the last column?",
}


@dataclass(frozen=True)
class OfSide:
    """What is noticed of one side; of several batches of documents it adds up.

    n_documents, n_read  documents and mentions as they were read
    origin               the id of the format of the first, if it keeps the text; None before that
    n_mentions           mentions to score
    n_headless           of these, those without a known head
    n_coreless           of these, those whose minimum span is unknown, where others name theirs
    cores                whether "minimum" spans or "heads" are the cores of the mentions; both, if
                         batches differ
    repeats              mentions that are listed twice, with their places
    by_minimum           whether mentions were told apart by their minimum spans
    n_split              entities with split antecedents, where these are scored
    matches              of a response: how many mentions match as read, and moved by `_SHIFTS`,
                         and how many of a side have one word
    """

    n_documents: int = 0
    n_read: int = 0
    origin: str | None = None
    n_mentions: int = 0
    n_headless: int = 0
    n_coreless: int = 0
    cores: frozenset[str] = frozenset()
    repeats: Few = NONE
    by_minimum: bool = False
    n_split: int = 0
    matches: Counter[str] = field(default_factory=Counter)

    @classmethod
    def read(cls, documents: Sequence[Document]) -> Self:
        """What is noticed of documents as they were read, scored or not."""
        first = documents[0].original if documents else None
        return cls(
            n_documents=len(documents),
            n_read=sum(len(document.rows) for document in documents),
            origin=(first.format if first else "") if documents else None,
        )

    @classmethod
    def scored(
        cls, side: Side, documents: Sequence[Document], with_plurals: Iterable[int] = ()
    ) -> Self:
        """What is noticed of the mentions to score, of these documents.

        with_plurals  where those stand whose split antecedents are scored
        """
        n_mentions, minimum = len(side.start), side.minimum
        has_mentions = any(len(document.rows) for document in documents)
        cores = {"heads" if minimum is None else "minimum"} if has_mentions else ()
        return cls(
            n_mentions=n_mentions,
            n_headless=n_mentions if side.head is None else int((side.head < 0).sum()),
            n_coreless=0 if minimum is None else int((minimum[:, 0] < 0).sum()),
            cores=frozenset(cores),
            repeats=Few(side.n_repeats, tuple(place for _, _, place in side.repeats)),
            by_minimum=side.label is not None,
            n_split=sum(len(dict(documents[at].split_antecedents)) for at in with_plurals),
        )

    def compared(self, comparison: Comparison) -> Self:
        """The same of a response, with how many of its mentions match; and would if they were one
        word off, in documents where few match."""
        key, response = comparison.matching.sides
        matches = Counter({AS_READ: len(comparison.matching.key_mention)})
        table = comparison.table
        least = np.minimum(table.n_key_mentions, table.n_response_mentions)
        few = table.n_shared_mentions * FEW < least
        if not few.any() or any(document.named_mentions for document in comparison.key):
            return replace(self, matches=matches)
        for name, side in zip(SIDES, (key, response), strict=True):
            is_one = (side.end - side.start == 1) & few[side.document]
            matches[f"{name}: one word"] = int(is_one.sum())
        asked = few[response.document]
        for name, (start, end) in _SHIFTS.items():
            moved = response._replace(start=response.start + start, end=response.end + end)
            moved = moved.keep(asked & (moved.start >= 0) & (moved.start < moved.end))
            matches[name] = len(exact_pairs(key, moved)[0])
        return replace(self, matches=matches)

    def __add__(self, other: Self) -> Self:
        added = {name: getattr(self, name) + getattr(other, name) for name in _ADDED}
        origin = other.origin if self.origin is None else self.origin
        return replace(self, **added, origin=origin, cores=self.cores | other.cores)


_ADDED = [of.name for of in fields(OfSide) if of.name not in ("origin", "cores")]


def side_warnings(
    sides: tuple[OfSide, OfSide], names: tuple[str, str], policies: Policies
) -> Iterator[str]:
    """The warnings of both sides' mentions; `names` of the files for them."""
    both = [*zip(sides, names, policies.of_sides, strict=True)]
    for side in both:
        yield from _empty_side(*side)
    yield from _end_warnings(sides, names)
    yield from _core_warnings(zip(sides, names, strict=True), policies)
    for side in both:
        yield from _repeat_warnings(*side)
    for side in both:
        yield from _split_antecedents(*side)


def _empty_side(side: OfSide, name: str, policies: Policies) -> Iterator[str]:
    """A warning of a side without any mention to score, with the likely cause."""
    if side.n_mentions or not side.n_documents:
        return
    if side.n_read:
        left_out = [name for name in ("singletons", "zeros") if getattr(policies, name) == "drop"]
        causes = [f"{name} are left out" for name in left_out]
        cause = listed(causes or ["none is in a text that the key has"])
        yield f"{name} has no mention left of {counted(side.n_read)}: {cause}."
    yield from no_mentions(side, name)


def no_mentions(side: OfSide, name: str) -> Iterator[str]:
    """A warning of documents that were read without any mention, with the likely cause."""
    if side.n_read or not side.n_documents:
        return
    yield f"{name} has no mentions at all. {_CAUSES.get(side.origin or '', _CAUSE)}"


def without_mentions(key: Corpus, response: Corpus) -> Iterator[str]:
    """The same of both sides, by their files."""
    yield from no_mentions(OfSide.read(key.documents), key.file or "the key")
    yield from no_mentions(OfSide.read(response.documents), response.file or "the response")


# How mentions of a response would have to be moved to match: (start, end)
_SHIFTS = {"earlier end": (0, -1), "later end": (0, 1), "earlier": (-1, -1), "later": (1, 1)}
AS_READ = "as read"
FEW = 5  # few match where so many times as many would match if they were moved


def _end_warnings(sides: tuple[OfSide, OfSide], names: tuple[str, str]) -> Iterator[str]:
    """A warning where hardly a mention matches, but most would if they were one word off."""
    matches, n = sides[1].matches, min(of.n_mentions for of in sides)
    shift = max(_SHIFTS, key=lambda name: matches[name])
    if 2 <= matches[shift] > matches[AS_READ] * FEW and 2 * matches[shift] >= n:
        some = f"{matches[AS_READ]} of {counted(sides[1].n_mentions)}"
        of_each = (
            f"ended one word {shift.split()[0]}" if "end" in shift else f"were one word {shift}"
        )
        cause = _cause(sides, names, shift)
        would = f"{matches[shift]} would if each {of_each}. {cause}"
        yield f"{names[1]}: {some} match the key's ({names[0]}), but {would}"


def _cause(sides: tuple[OfSide, OfSide], names: tuple[str, str], shift: str) -> str:
    """Which side is likely to be wrong, and what helps."""
    longer = int("earlier" in shift)  # the side whose mentions go on, or start, one word further
    if "end" not in shift:
        return f"Does {names[longer]} count words from 1? Count them from 0."
    is_inclusive = bool(sides[1].matches[f"{SIDES[longer]}: one word"])  # as exclusive has none
    if sides[longer].origin == "jsonl" and not is_inclusive:
        advice = name_exclusive(SIDES[longer])
        return f"The ends of {names[longer]} look exclusive, but are read as inclusive: {advice}"
    if sides[1 - longer].origin in ("jsonl", "") and (is_inclusive or sides[longer].origin):
        name = names[1 - longer]
        return f"The ends of {name} look inclusive, but are read as exclusive: check its format."
    advice = "check its format, in Python the ends= of from_clusters."
    return f"The ends of {names[longer]} look exclusive, but are read as inclusive: {advice}"


def has_mixed_cores(side: OfSide, policies: Policies) -> bool:
    """Whether mentions match by cores, which some documents of a side name and others do not, so
    that the documents have to be seen all at once."""
    return policies.match in ("partial", "lenient") and len(side.cores) > 1


def _core_warnings(both: Iterable[tuple[OfSide, str]], policies: Policies) -> Iterator[str]:
    """What is not known that `match` goes by: heads of both sides, or the core of key mentions."""
    (key, name), response = both
    if policies.match in ("partial", "lenient") and "minimum" in key.cores:
        if key.n_coreless:
            how_many = f"{counted(key.n_coreless)} of {key.n_mentions}"
            yield f"{name} does not name the minimum span of {how_many}: only the same words match."
    elif policies.match not in ("exact", "min-span"):
        for side, of_side in ((key, name), response):
            yield from _head_warnings(side, of_side)


def _head_warnings(side: OfSide, name: str) -> Iterator[str]:
    if side.n_headless:
        some = side.n_headless < side.n_mentions
        how_many = f"{counted(side.n_headless)} of {side.n_mentions}" if some else "any mention"
        yield (
            f"{name} does not name the head of {how_many} (CoNLL-U: the field 'head' or "
            "'minspan'): its first word is taken."
        )


_DONE = {
    "first": "first entity kept (the reference scorer: repeats 'reference')",
    "reference": "counted as the reference scorer does",
    "listed": "counted as coval does",
    "e2e": "counted as e2e-coref does",
    "stanza": "counted as Stanza does",
}


def _repeat_warnings(side: OfSide, name: str, policies: Policies) -> Iterator[str]:
    if side.repeats.n:
        done = _DONE.get(policies.repeats, "all kept")
        if policies.repeats == "first" and policies.singletons == "drop":
            done += "; entities that this leaves with one mention are dropped"
        more = "; …" if side.repeats.n > len(side.repeats.first) else ""
        n = counted(side.repeats.n)
        what = (
            f"has {n} with the minimum span of another" if side.by_minimum else f"lists {n} twice"
        )
        yield f"{name} {what} ({'; '.join(side.repeats.first)}{more}): {done}."


def _split_antecedents(side: OfSide, name: str, policies: Policies) -> Iterator[str]:
    """A warning that split antecedents of a side are scored, where most scorers leave them out."""
    if side.n_split and policies.split_antecedents == "score":
        yield (
            f"{name} has {counted(side.n_split, 'entity')} with split antecedents: these are "
            "scored ('split antecedents drop' leaves them out), but not in credit of mentions, "
            "losses and gains of fixes."
        )


def empty_average(
    counts: Mapping[str, Counts], key: Sequence[str], policies: Policies
) -> Iterator[str]:
    """A warning of metrics that have no average over these documents of the key, and why."""
    names = [name for name in EMPTY_WITHOUT_KEY if name in counts]
    if not is_stanza(policies) or not names:
        return
    empty = np.flatnonzero(counts[names[0]].recall_denominator[:, 0] == 0).tolist()
    if empty:
        lost = [*names, *([CONLL.id] if set(CONLL.members) <= counts.keys() else [])]
        documents = list_documents(Few.of(key[at] for at in empty))
        yield (
            f"The key has no entity to score in {documents}: as in Stanza's scorer, the average of "
            f"{listed(map(name_of, lost))} is empty."
        )


def warnings_of(results: Iterable[Tally]) -> list[str]:
    """The warnings of all results, each once."""
    return list(dict.fromkeys(warning for result in results for warning in result.warnings))


# Names that key and response files have, as whole words of the file's name.
_KEY_NAME = re.compile(r"(?<![a-z])(key|gold)(?![a-z])", re.IGNORECASE)
_MANY_SINGLETONS = 10  # in a response to a key without any


def doubts(tally: Tally, key: str, response: str) -> Iterator[str]:
    """Signs that the two files are one, or that each was taken for the other.

    key, response  the names of the files
    """
    sizes = {name: int(values.sum()) for name, values in tally.sizes.items()}
    if sizes["key_mentions"] and _is_identical(tally, sizes):
        yield f"{key} and {response} have the same mentions in the same entities."
    elif _KEY_NAME.search(Path(response).name) and not _KEY_NAME.search(Path(key).name):
        yield f"{response} is named like a key, {key} is not. Are key and response swapped?"
    elif (
        not sizes["key_singletons"]
        and sizes["response_singletons"] >= _MANY_SINGLETONS
        and tally.policies.singletons != "drop-key"
    ):
        n = counted(sizes["response_singletons"], "singleton")
        yield (
            f"{key} has no singletons, {response} has {n}. Are key and response swapped? "
            "If not, 'singletons drop' scores both alike."
        )


def _is_identical(tally: Tally, sizes: Mapping[str, int]) -> bool:
    """Whether all mentions are shared and a metric of whole entities finds no difference."""
    exact = any(tally[name].f1 == 1 for name in ("lea", "bcub", "ceafm") if name in tally.scores)
    shared = sizes["shared_mentions"]
    return exact and sizes["key_mentions"] == sizes["response_mentions"] == shared
