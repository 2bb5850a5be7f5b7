"""Documents of both sides that are one document under two names."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b

from corescore.corpus.documents import Corpus, Document
from corescore.counting.alignment import align
from corescore.counting.normalisation import stream
from corescore.counting.policies import Words
from corescore.counting.positions import words_of_text
from corescore.counting.words import LEAST_IN_COMMON
from corescore.wording import listed

MOST_NAMED = 5
_PART = re.compile(r"^(.*?) ?[;,]? ?\bpart (\d{1,9})$")
_BRACKETS = re.compile(r"^\((.*)\)$")
_FOLDERS = re.compile(r"^.*[/\\:#|]")
_ENDING = re.compile(
    r"\.(gz|txt|ann|conll|v\d_\w+_conll|conllu|jsonl|jsonlines|json|xml|tsv|sgm|onf)$"
)
_LITBANK = re.compile(r"_brat(_\d+)?$")


def paired_by_name(
    key: Corpus, response: Corpus, words: Words
) -> tuple[dict[str, Document], list[str]]:
    """The response document of each key document that has one, and how names were matched.

    One name is one document. Of the others, names are matched that are spellings of one name, such
    as `x` and `x_0`; then documents that say the same text; then, in folders, the only documents of
    files of one name; each only where it is the only one, in both directions. Under words "align",
    two corpora of one document each are matched if their texts have enough in common.
    """

    def texts(side: int, name: str) -> Iterable[Hashable]:
        return texts_of((key, response)[side][name])

    names, warnings = paired_names(key.by_name, response.by_name, response.file, texts)
    if not names and words == "align" and len(key) == len(response) == 1:
        one, other = key.documents[0], response.documents[0]
        if _is_similar(one, other):
            names = {one.name: other.name}
            how = ", the only document of the key"
            warnings += _said([(one.name, other.name)], how, response.file)
    return {one: response[other] for one, other in names.items()}, warnings


def paired_names(
    key: Collection[str],
    response: Collection[str],
    file: str,
    texts: Callable[[int, str], Iterable[Hashable]],
) -> tuple[dict[str, str], list[str]]:
    """For names of documents of the key those of the response, and how the others were matched.

    file   of the response
    texts  (0 for the key and 1 for the response, name) → what tells a document's text, if it has
           one; asked only where names alone do not match
    """
    pairs = {name: name for name in key if name in response}
    warnings: list[str] = []
    ways: Sequence[tuple[Callable[[int, str], Iterable[Hashable]], str]] = (
        (_spellings, ""),
        (texts, ", which has the same text"),
        (_files, ", by the names of their files"),
    )
    for of, how in ways:
        ours = [name for name in key if name not in pairs]
        used = {*pairs.values()}
        theirs = [name for name in response if name not in used]
        if not ours or not theirs:
            break
        found = _only_partners([of(0, name) for name in ours], [of(1, name) for name in theirs])
        matched = [(ours[at], theirs[partner]) for at, partner in found.items()]
        pairs |= dict(matched)
        warnings += _said(matched, how, file)
    return pairs, warnings


def _spellings(side: int, name: str) -> Iterator[tuple[str, int]]:
    return spellings(name)


def spellings(of: str) -> Iterator[tuple[str, int]]:
    """The (name, part) pairs that a document's name may stand for.

    `(x); part 000`, `x; part 0` and `x` are one, and `x_0` of e2e files; so are a name with folders
    or the ending of a file, and LitBank's names, which end in `_brat`.
    """
    name = " ".join(of.casefold().split())
    with_part = _PART.match(name)
    name, part = (with_part[1], int(with_part[2])) if with_part else (name, 0)
    name = _BRACKETS.sub(r"\1", name.rstrip("; ")).strip()
    plain = _ENDING.sub("", _FOLDERS.sub("", name))
    for spelling in {name, plain, _LITBANK.sub(r"\1", plain)} - {""}:
        yield spelling, part
        yield f"{spelling}_{part}", 0


def texts_of(document: Document) -> Iterator[str]:
    """The characters of its text, if it has one."""
    if document.words and not document.named_mentions:
        yield stream(words_of_text(document)).text


def digests_of(document: Document) -> tuple[str, ...]:
    """What tells its text without keeping it, if it has one."""
    return tuple(blake2b(text.encode(), digest_size=16).hexdigest() for text in texts_of(document))


def _files(side: int, name: str) -> Iterator[str]:
    """The file in a folder that it was read from, without endings; its name if it says none."""
    yield name.partition("/")[0]


def _only_partners(
    ours: Sequence[Iterable[Hashable]], theirs: Sequence[Iterable[Hashable]]
) -> Mapping[int, int]:
    """The places that have something in common with one place of the other side, which has with no
    other."""
    having = defaultdict(set)
    for place, values in enumerate(theirs):
        for value in values:
            having[value].add(place)
    candidates = [{place for value in values for place in having[value]} for values in ours]
    times = Counter(place for places in candidates for place in places)
    return {
        at: partner
        for at, places in enumerate(candidates)
        for partner in places
        if len(places) == times[partner] == 1
    }


def _is_similar(key: Document, response: Document) -> bool:
    if key.named_mentions or response.named_mentions or not key.words or not response.words:
        return False
    return align(words_of_text(key), words_of_text(response)).share >= LEAST_IN_COMMON


def _said(matched: Sequence[tuple[str, str]], how: str, file: str) -> Iterator[str]:
    """One warning of all names that were matched in one way."""
    if not matched:
        return
    named = [f"'{theirs}' is matched with '{ours}'" for ours, theirs in matched]
    more = len(named) - MOST_NAMED
    said = listed([*named[:MOST_NAMED], *[f"{more} more"] * (more > 0)])
    yield f"{file or 'the response'} has other names of documents than the key: {said}{how}."
