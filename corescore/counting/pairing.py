"""Which response document belongs to which key document, and whether both say the same words."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import groupby
from typing import NamedTuple

import numpy as np

from corescore.corpus.documents import Corpus, Document, Mention
from corescore.corpus.problems import InputError, Problem, Stage, refuse
from corescore.counting.min_spans import Brackets, parses_of
from corescore.counting.policies import DEFAULTS, Policies, Words
from corescore.counting.sides import with_common_positions, without_empty_nodes, words_of_text
from corescore.counting.text2text import on_key, with_blanks_of
from corescore.counting.words import (
    LEAST_IN_COMMON,
    Few,
    OtherWords,
    align,
    fit_words,
    list_documents,
    stream,
    with_further_words,
    with_words_of,
)
from corescore.wording import counted, listed

# Documents of both sides that are one document under two names ------------------------------------

MOST_NAMED = 5

_PART = re.compile(r"^(.*?) ?[;,]? ?\bpart (\d{1,9})$")

_BRACKETS = re.compile(r"^\((.*)\)$")

_FOLDERS = re.compile(r"^.*[/\\:#|]")

_ENDING = re.compile(
    r"\.(gz|txt|ann|conll|v\d_\w+_conll|conllu|jsonl|jsonlines|json|xml|tsv|sgm|onf)$"
)

_LITBANK = re.compile(r"_brat(_\d+)?$")


def paired_by_name(key: Corpus, response: Corpus, words: Words) -> tuple[dict[str, str], list[str]]:
    """For the names of the key's documents those of the response, and how the others were matched.

    One name is one document. Of the others, names are matched that are spellings of one name, such
    as `x` and `x_0`; then documents that say the same text; then `line 3` and the key's third;
    then, in folders, the only documents of files of one name; each only where it is the only one,
    in both directions. Under words "align", two corpora of one document each are matched if their
    texts have enough in common.
    """
    names, warnings = paired_names(
        key.by_name,
        response.by_name,
        response.file,
        lambda side, name: texts_of((key, response)[side][name]),
    )
    if not names and words == "align" and len(key) == len(response) == 1:
        one, other = key.documents[0], response.documents[0]
        if _is_similar(one, other):
            names = {one.name: other.name}
            how = ", the only document of the key"
            warnings += _said([(one.name, other.name)], how, response.file)
    return names, warnings


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
    if len(pairs) == min(len(key), len(response)):
        return pairs, []
    by_number = {name: (number,) for number, name in enumerate(key, start=1)}
    warnings: list[str] = []
    ways: Sequence[tuple[Callable[[int, str], Iterable[Hashable]], str]] = (
        (lambda side, name: spellings(name), ""),
        (texts, ", with the same text"),
        (lambda side, name: _number(name) if side else by_number[name], ", by their order"),
        (_files, ", by the names of their files"),
    )
    for values, how in ways:
        ours = [name for name in key if name not in pairs]
        used = {*pairs.values()}
        theirs = [name for name in response if name not in used]
        if not ours or not theirs:
            break
        partners = _only_partners(
            [values(0, name) for name in ours], [values(1, name) for name in theirs]
        )
        matched = [(ours[at], theirs[partner]) for at, partner in partners.items()]
        pairs |= dict(matched)
        warnings += _said(matched, how, file)
    return pairs, warnings


def spellings(document_name: str) -> Iterator[tuple[str, int]]:
    """The (name, part) pairs that a document's name may stand for.

    `(x); part 000`, `x; part 0` and `x` are one, and `x_0` of e2e files; so are a name with folders
    or the ending of a file, and LitBank's names, which end in `_brat`.
    """
    name = " ".join(document_name.casefold().split())
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


_LINE = re.compile(r"line ([1-9]\d{0,8})")


def _number(name: str) -> tuple[int, ...]:
    """The number of a document that is known by its line alone."""
    match = _LINE.fullmatch(name)
    return (int(match[1]),) if match else ()


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
    if any(one.named_mentions or not one.words for one in (key, response)):
        return False
    return align(words_of_text(key), words_of_text(response)).share >= LEAST_IN_COMMON


def _said(matched: Sequence[tuple[str, str]], how: str, file: str) -> Iterator[str]:
    """One warning of all names that were matched in one way."""
    if not matched:
        return
    named = [f"'{theirs}' is matched with '{ours}'" for ours, theirs in matched]
    more = len(named) - MOST_NAMED
    listing = listed([*named[:MOST_NAMED], *[f"{more} more"] * (more > 0)])
    yield f"{file or 'the response'} has document names that differ from the key: {listing}{how}."


# Which mentions of two paired documents are scored, under the policy `mentions` -------------------

_VERB_PHRASE = "VP"

# Documents of the key and of the response, the n-th of one paired with the n-th of the other. Two
# lists, as many small tuples would cost time of the garbage collector.
Both = tuple[list[Document], list[Document]]


def with_scored_mentions(both: Both, policies: Policies) -> Both:
    """Key and response of each document, over the same positions, with the mentions scored.

    np-only         no mention that is a verb phrase in the parse of the key, and no entity that
                    has fewer than two mentions left for it. coval, `NP_only`
    without-nested  no mention inside another of its entity; but an entity of which one mention
                    would be left stays whole, or goes where singletons are dropped. coval,
                    `remove_nested`

    Raises InputError under np-only for keys without a parse.
    """
    if policies.mentions == "all":
        return both
    if policies.mentions == "without-nested":
        drops = (side.singletons == "drop" for side in policies.of_sides)
        key, response = (
            [_without_nested(one, drop) for one in of] for of, drop in zip(both, drops, strict=True)
        )
        return key, response
    parses = parses_of(both[0])
    key, response = ([*map(_without_verb_phrases, of, parses)] for of in both)
    return key, response


def _without_verb_phrases(document: Document, parse: Sequence[Brackets]) -> Document:
    spans = document.spans.tolist()
    is_phrase = np.array([is_verb_phrase(parse[start:end]) for start, end in spans], dtype=bool)
    n = document.n_entities
    n_left = np.bincount(document.entity_of[~is_phrase], minlength=n)
    n_lost = np.bincount(document.entity_of[is_phrase], minlength=n)
    goes = (n_lost > 0) & (n_left < 2)
    return document.keep(~is_phrase & ~goes[document.entity_of])


def is_verb_phrase(parse: Sequence[Brackets]) -> bool:
    """Whether a span is a verb phrase, by the brackets of its own words alone.

    So it is if one begins at its first word, is the outermost that does, and is still open at
    every other; it may end after the span.
    """
    if not parse or parse[0].opened[:1] != (_VERB_PHRASE,):
        return False
    n_open = np.cumsum([len(opened) - n_closed for opened, n_closed in parse[:-1]])
    return bool((n_open > 0).all())


def _without_nested(document: Document, drops: bool) -> Document:
    """coval counts an entity's mentions less the pairs of which one is inside the other, so that an
    entity with a mention inside two others may be left with one that it does not see."""
    n_around = np.zeros(len(document.rows), dtype=np.int64)
    mentions, entities = document.mentions, document.entity_of.tolist()
    order = sorted(range(len(mentions)), key=lambda at: (entities[at], *_outer_first(mentions[at])))
    for _, members in groupby(order, key=entities.__getitem__):
        around: list[Mention] = []
        for at in members:
            mention = mentions[at]
            around = [other for other in around if other.end > mention.start]
            n_around[at] = sum(_is_inside(mention, other) for other in around)
            around.append(mention)
    n_pairs = np.bincount(document.entity_of, n_around, document.n_entities)
    is_left = np.bincount(document.entity_of, minlength=document.n_entities) - n_pairs == 1
    is_whole = (is_left & (n_pairs > 0))[document.entity_of]
    return document.keep(np.where(is_whole, not drops, n_around == 0))


def _outer_first(mention: Mention) -> tuple[int, int, int]:
    return mention.start, -mention.end, -sum(end - start for start, end in mention.runs)


def _is_inside(mention: Mention, other: Mention) -> bool:
    return mention != other and all(
        any(start <= own_start and own_end <= end for start, end in other.runs)
        for own_start, own_end in mention.runs
    )


# A response that only names its mentions, put over the text of a key whose spans have names -------


def over_named_spans(key: Document, response: Document) -> Document:
    """The response over the key's words, if it has names alone and the key knows all of them.

    So is GAP's output, which says no more than whether the pronoun means A or B. Any other
    response stays as it is.
    """
    if key.named_mentions or not response.named_mentions:
        return response
    if not set(response.words) <= key.named_spans.keys():
        return response
    rows = [
        (*key.named_spans[response.words[start]], entity)
        for start, _, entity in response.rows.tolist()
    ]
    text = replace(key, name=response.name, file=response.file, lines=None, original=None)
    return text.with_entities(rows)


AS_EMPTY = "scored as an empty response"  # a document of the key that a response lacks


class Pairing(NamedTuple):
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
        if len(corpus.by_name) < len(corpus):
            refuse(same_names(corpus.file, [one.name for one in corpus]))
    partners, renamed = paired_by_name(key, response, policies.words)
    used = {*partners.values()}
    unpaired = Unpaired(
        Few.of([name for name in key.by_name if name not in partners]),
        Few.of([name for name in response.by_name if name not in used]),
    )
    if policies.missing_documents == "error":
        missing = (one for one in key if one.name not in partners)
        problems = (missing_document(one.name, one.file, response.file) for one in missing)
        refuse(problems, Stage.MISSING)
    if unpaired.extra.n and unpaired.missing.n == len(key):
        first = next(iter(key.by_name), "")
        single = len(key) == len(response) == 1
        has_text = any(texts_of(response.documents[0]))
        may_align = policies.words != "align" and single and has_text
        raise nothing_shared(
            unpaired.extra.first[0], response.file, first, key.file, may_align=may_align
        )
    skips, others = policies.missing_documents == "skip", response.by_name
    scored = [one for one in key if not skips or one.name in partners]
    responses = [others[partners[of.name]] if of.name in partners else None for of in scored]
    paired = fitted(scored, responses, policies)
    name = response.file or "the response"
    noticed = *unpaired.warnings(name, skips=skips), *paired.words.warnings(name)
    return paired._replace(warnings=(*key.warnings, *response.warnings, *renamed, *noticed))


def fitted(
    keys: Sequence[Document], partners: Iterable[Document | None], policies: Policies
) -> Pairing:
    """Documents of the key and their partners of the response, empty where there is none, over the
    same positions, with the mentions that are scored; its warnings are those of no document by
    itself, and are not told.

    Raises InputError where one has only names of mentions and the other has words, and for words or
    positions that do not fit.
    """
    others = [other or key.with_entities(()) for key, other in zip(keys, partners, strict=True)]
    differ = [at for at, same in enumerate(map(_same_text, keys, others)) if not same]
    for at in differ:
        others[at] = with_blanks_of(keys[at], over_named_spans(keys[at], others[at]))
    pairs = [(keys[at], others[at]) for at in differ]
    refuse([_mixed(k, r) for k, r in pairs if k.named_mentions != r.named_mentions], Stage.KIND)
    differ = [at for at in differ if not _same_text(keys[at], others[at])]
    responses, words = fit_words([(keys[at], others[at]) for at in differ], policies.words)
    own = [*keys]
    for at, response in zip(differ, responses, strict=True):
        own[at], others[at] = _in_common(own[at], response, policies)
    over = with_scored_mentions((own, others), policies)
    return Pairing(tuple(over[0]), tuple(over[1]), tuple(keys), (), words)


class Unpaired(NamedTuple):
    """The names of the key's documents missing from the response, and of its other ones."""

    missing: Few
    extra: Few

    def warnings(self, name: str, *, skips: bool) -> Iterator[str]:
        """What is done with them; `name` is the response's."""
        if self.missing.n:
            done = "left out, which raises the score" if skips else AS_EMPTY
            yield f"{name} is missing {list_documents(self.missing)} of the key: {done}."
        if self.extra.n:
            yield f"{name} has {list_documents(self.extra)} not in the key: left out."


def on_key_words(key: Corpus, response: Corpus) -> Corpus:
    """The response with its documents aligned, those that the key has: what words "align" scores.

    Raises InputError for documents of another text.
    """
    names, _ = paired_by_name(key, response, "align")
    both = [(key[one], response[other]) for one, other in names.items()]
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
        "Add the document, or score it as empty with --missing-documents empty "
        "(missing_documents='empty').",
    )


def nothing_shared(
    extra: str, response: str, key: str, key_file: str, *, may_align: bool
) -> InputError:
    """The error of two files of which no document has the name of one of the other.

    extra, key  the names of the first document of the response and of the key
    may_align   whether words "align" may match the documents: each side has one, with a text
    """
    aligns = " If the texts are nearly the same, score with --words align (words='align') instead."
    of_key = f"'{key}'" if key else "none"
    problem = Problem(
        response or "response",
        0,
        f"documents such as '{extra}', none of which the key has",
        f"documents such as {of_key} ({key_file or 'key'})",
        "Give the documents of both files the same names (without one, it is the name of "
        f"the file).{aligns * may_align}",
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
        and not (key.empty_nodes or response.empty_nodes or response.as_text)
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
    response = on_key(key, with_words_of(key, response))
    if policies.zeros == "drop":
        key, response = without_empty_nodes(key), without_empty_nodes(response)
    elif policies.zeros == "words":
        key, response = (replace(side, empty_nodes={}) for side in (key, response))
    counts = policies.lookup == "table" and policies.words == "ignore"  # as the CorefUD scorer
    by_sentence = counts and bool(key.words and response.words)
    if response.empty_nodes:
        key = with_words_of(response, key)
    has_zeros = key.words and response.words and (key.empty_nodes or response.empty_nodes)
    if not has_zeros and not (by_sentence and key.sentences != response.sentences):
        return with_further_words(key, response), response
    return with_common_positions(key, response, by_sentence=by_sentence)


def _align_names(key: Document, response: Document) -> tuple[Document, Document]:
    """Both sides over one list of mention names, so that one name is one position."""
    names = dict.fromkeys((*key.words, *response.words))
    position = {name: at for at, name in enumerate(names)}
    return _over_names(position, key), _over_names(position, response)


def same_names(file: str, names: Sequence[str]) -> Iterator[Problem]:
    """The problem of a corpus, read from this file, in which two documents have one name."""
    for name, n in Counter(names).most_common(1):
        if n > 1:
            fault = f"{counted(n, 'document')} named '{name}'"
            yield Problem(file or "corpus", 0, fault, "each name once", "Rename all but one.")


def _over_names(position: Mapping[str, int], document: Document) -> Document:
    """The document over names at these positions; its entities keep their numbers, which tell the
    first."""
    starts = document.spans[:, 0].tolist()
    places = np.array([position[document.words[start]] for start in starts], dtype=np.int64)
    order = np.lexsort((document.entity_of, places))
    rows = np.column_stack([places, places + 1, document.entity_of])[order]
    return replace(document, words=tuple(position), rows=rows)
