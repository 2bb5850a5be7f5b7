"""The error table: what is told of each row, as a pandas table."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from corescore.analysis.credit import numbers_of_entities
from corescore.analysis.error_table import texts
from corescore.analysis.error_table.costs import cost_table
from corescore.analysis.error_table.fields import Field, fields_in
from corescore.analysis.error_table.notes import Notes, with_notes
from corescore.analysis.error_table.query import numbers_of, parse
from corescore.analysis.error_table.rows import (
    Columns,
    ErrorRows,
    category,
    error_rows,
    nullable,
    text,
    with_other,
)
from corescore.analysis.error_table.texts import NumberedMentions
from corescore.analysis.errors.classes import (
    DUPLICATED,
    MENTION_CLASSES,
    MISSING,
    SPAN_ERROR,
    SPURIOUS,
    heads,
    mention_classes,
    text_of,
)
from corescore.analysis.errors.operations import (
    CONFLATED_ENTITIES,
    DIVIDED_ENTITY,
    KINDS,
    SLICES,
    genres,
    types_of,
)
from corescore.analysis.errors.tables import slice_columns
from corescore.analysis.explain import entity_called, entity_names
from corescore.corpus.english import FINE_TYPES
from corescore.corpus.problems import choose
from corescore.counting.comparison import Comparison
from corescore.counting.policies import Singletons
from corescore.scoring.scores import Result
from corescore.util import PLACES, AnyArray, BoolArray, FloatArray, IntArray, later
from corescore.wording import counted

if TYPE_CHECKING:
    from corescore.rendering.tables import Shown

# What puts the error of a row right, in words -----------------------------------------------------

AROUND_IT = "leave it: fixing the mentions around it puts it right"


def fixes(
    rows: ErrorRows,
    *,
    span: Sequence[str],
    source: Sequence[str],
    target: Sequence[str],
) -> list[str]:
    """(rows,) what to do with each mention, such as "move it from entity 2 (a town) to entity 3
    (Oakland)"; of one with a span error first the span.

    All (rows,) and "" where there is none:
    span    the span that the key has for it, in words
    source  what its response entity is called; of a duplicated mention that which lists it again
    target  what the response entity is called in which most of its key entity is (`targets`)
    """
    altered, steps = rows.are(SPAN_ERROR).tolist(), _steps(rows, source, target)
    otherwise = "" if rows.parts is None else AROUND_IT
    found = []
    for is_altered, words, step in zip(altered, span, steps, strict=True):
        first = [f"give it the span {words}"] if is_altered else []
        found.append("; ".join([*first, step] if step else first) or otherwise)
    return found


def targets(rows: ErrorRows) -> IntArray:
    """(rows,) the response entity in which the largest part of each mention's key entity is, as a
    row of the table; −1 where no part is."""
    if rows.parts is None:
        return np.full(len(rows), -1)
    parts = rows.parts
    gathers = np.append(parts.gathers, -1)[rows.row]
    found: IntArray = np.append(parts.response_entity, -1)[np.append(parts.first, -1)[gathers]]
    return found


def _steps(rows: ErrorRows, source: Sequence[str], target: Sequence[str]) -> list[str]:
    """What each mention does between entities; "" where it stays."""
    conditions = [
        rows.are(DUPLICATED),
        rows.are(SPURIOUS),
        rows.are(MISSING) & (rows.parts is not None),
        rows.of_kind(DIVIDED_ENTITY),
        rows.of_kind(CONFLATED_ENTITIES),
    ]
    action = np.select(conditions, np.arange(len(conditions)), -1)
    ends = zip(action.tolist(), _others(rows).tolist(), source, target, strict=True)
    return [_step(*row) for row in ends]


def _step(action: int, others: int, source: str, target: str) -> str:
    match action:
        case 0:
            return f"remove the repetition from {source}"
        case 1:
            return f"remove it from {source}"
        case 2:
            return f"add it to {target}" if target else "add it as a new entity"
        case 3:
            return f"move it from {source} to {target}"
        case 4:
            more = f" and {counted(others, 'other')}" if others else ""
            return f"split it{more} off from {source}"
    return ""


def _others(rows: ErrorRows) -> IntArray:
    """(rows,) how many other mentions the part of each has."""
    if rows.parts is None:
        return np.zeros(len(rows), dtype=np.int64)
    part = np.append(rows.parts.part, -1)[rows.row]
    others: IntArray = np.append(rows.parts.table.cell_sizes, 1)[part] - 1
    return others


# The entities of each row of the error table, and the fix, which names them -----------------------


@dataclass(frozen=True)
class _Entities:
    """An entity of one side for each row.

    number  (rows,) in its document, from 1; −1 for none
    name    (rows,) "" for none
    size    (rows,) mentions
    """

    number: IntArray
    name: AnyArray
    size: IntArray

    @classmethod
    def of(
        cls, comparison: Comparison, side: str, entity: IntArray, number: IntArray | None = None
    ) -> "_Entities":
        """These rows of the table, −1 for none; by these numbers if given, else by their own."""
        view = comparison.view(side)
        names = np.full(len(view.table.key_sizes) + 1, "", dtype=object)
        used = np.zeros(len(names), dtype=bool)
        used[entity] = True
        named, texts = entity_names(comparison, np.flatnonzero(used[view.own_entity]), side=side)
        names[named] = texts
        own = np.append(numbers_of_entities(view), -1)[entity]
        sizes = np.append(view.table.key_sizes, 0)[entity]
        return cls(own if number is None else number, names[entity], sizes)

    @property
    def called(self) -> list[str]:
        """entity 3 (Oakland); "" for none."""
        rows = zip(self.number.tolist(), self.name.tolist(), strict=True)
        return [entity_called(n, name) if n > 0 else "" for n, name in rows]


def entity_columns(comparison: Comparison, rows: ErrorRows, words: Sequence[str]) -> Columns:
    """fix, and of both sides number, name and size: see `error_table`. `words`: of each mention."""
    of_key = np.append(comparison.recall.own_entity, -1)[rows.key]
    key = _Entities.of(comparison, "recall", of_key)
    response = _Entities.of(comparison, "precision", *_response_entities(comparison, rows))
    target = _Entities.of(comparison, "precision", targets(rows))
    places = zip(words, (rows.start + 1).tolist(), rows.end.tolist(), strict=True)
    span = [f"“{of}”" if of else f"of words {first} to {last}" for of, first, last in places]
    sides = {"key": key, "response": response}
    return {
        "fix": text(fixes(rows, span=span, source=response.called, target=target.called)),
        **{f"{side}_entity": nullable(of.number, of.number > 0) for side, of in sides.items()},
        **{f"{side}_name": text(of.name) for side, of in sides.items()},
        **{f"{side}_size": nullable(of.size, of.number > 0) for side, of in sides.items()},
    }


def _response_entities(comparison: Comparison, rows: ErrorRows) -> tuple[IntArray, IntArray]:
    """(rows,) the response entity of each mention as a row of the table, and its number in its
    document; of a duplicated mention those of the entity that lists it again."""
    side = comparison.matching.response
    has_mentions = np.bincount(side.entity, minlength=len(side.entity_document)) > 0
    in_table = np.where(has_mentions, np.cumsum(has_mentions) - 1, -1)
    entity = np.where(rows.again < 0, np.append(side.entity, -1)[rows.response], rows.again)
    first = np.searchsorted(side.entity_document, rows.document)
    return np.append(in_table, -1)[entity], np.where(entity < 0, -1, entity - first + 1)


# Where a mention stands: its sentence, and whether another mention encloses it --------------------


def sentences(comparison: Comparison, mentions: NumberedMentions) -> IntArray:
    """(rows,) the sentence in which each starts, from 1 in its document; 0 where it is unknown: of
    no mention, or in a document without words."""
    starts = [_sentence_starts(comparison, at) for at in range(len(comparison.key))]
    n_sentences = np.array([len(of) for of in starts], dtype=np.int64)
    before = np.append(np.cumsum(n_sentences) - n_sentences, 0)
    width = 1 + max([mentions.start.max(initial=0), *(max(of, default=0) for of in starts)])
    codes = [at * width + np.array(of, dtype=np.int64) for at, of in enumerate(starts) if of]
    code = np.concatenate([*codes, np.zeros(0, dtype=np.int64)])
    place = np.searchsorted(code, mentions.document * width + mentions.start, side="right")
    has_sentences = np.append(n_sentences > 0, False)[mentions.document]
    return np.where(has_sentences, place - before[mentions.document], 0)


def _sentence_starts(comparison: Comparison, number: int) -> Sequence[int]:
    text = text_of(comparison, number)
    return () if text.named_mentions else text.sentence_starts


def nested(every: NumberedMentions, mentions: NumberedMentions) -> BoolArray:
    """(rows,) whether each lies within another of `every` mention, of a different span."""
    width = 1 + max(every.end.max(initial=0), mentions.end.max(initial=0))
    order = np.lexsort((-every.end, every.start, every.document))
    starts, ends = (every.document[order] * width + at[order] for at in (every.start, every.end))
    start, end = (mentions.document * width + at for at in (mentions.start, mentions.end))
    place = np.searchsorted(starts, start)  # the longest of those that start where it does
    reach = np.append(-1, np.maximum.accumulate(ends))  # the furthest end of those before a place
    longer = (np.append(starts, -1)[place] == start) & (np.append(ends, -1)[place] > end)
    found: BoolArray = longer | (reach[place] >= end)
    return found


EXACT, HEAD, NONE, UNKNOWN = "exact", "head", "none", ""

# Whether two mentions have the same words, or the same head ---------------------------------------

STRING_MATCHES = (EXACT, HEAD, NONE, UNKNOWN)


def string_matches(
    comparison: Comparison,
    own: NumberedMentions,
    other: NumberedMentions,
    texts: Sequence[str],
    of: Sequence[str],
) -> IntArray:
    """(rows,) how the words of two mentions match, by its place in STRING_MATCHES.

    exact: the same words, in any case; head: the words of the heads are the same, in any case; a
    word that is not in the text is neither. Unknown without a second mention, without words, and
    where words only name mentions.

    texts, of  (rows,) the words of both
    """
    known = _has_words(comparison)[own.document] & other.known
    same = [one.casefold() == two.casefold() for one, two in zip(texts, of, strict=True)]
    exact = np.array(same, dtype=bool) & known
    asked = np.flatnonzero(known & ~exact)
    found = np.where(known, STRING_MATCHES.index(NONE), STRING_MATCHES.index(UNKNOWN))
    found[exact] = STRING_MATCHES.index(EXACT)
    pairs = zip(*(_head_words(comparison, m.take(asked)) for m in (own, other)), strict=True)
    is_same = np.array([one == two for one, two in pairs], dtype=bool)
    found[asked[is_same]] = STRING_MATCHES.index(HEAD)
    zero = _are_zeros(comparison, own) | _are_zeros(comparison, other)
    return np.where(zero & known, STRING_MATCHES.index(NONE), found)


def _has_words(comparison: Comparison) -> BoolArray:
    """(documents,) whether the words of mentions are known."""
    texts = [text_of(comparison, number) for number in range(len(comparison.key))]
    return np.array([bool(text.words) and not text.named_mentions for text in texts], dtype=bool)


def _head_words(comparison: Comparison, mentions: NumberedMentions) -> list[str]:
    """The word that is the head of each, in lower case."""
    matching = comparison.matching
    is_key = mentions.key >= 0
    position = np.empty(len(is_key), dtype=np.int64)
    position[is_key] = heads(comparison, matching.key, mentions.key[is_key])
    position[~is_key] = heads(comparison, matching.response, mentions.response[~is_key])
    words = [text_of(comparison, number).words for number in range(len(comparison.key))]
    places = zip(mentions.document.tolist(), position.tolist(), strict=True)
    return [words[document][at].casefold() for document, at in places]


def _are_zeros(comparison: Comparison, mentions: NumberedMentions) -> BoolArray:
    """(rows,) whether each is one word that is not in the text."""
    texts = [text_of(comparison, number) for number in range(len(comparison.key))]
    nodes = {(number, at) for number, text in enumerate(texts) for at in text.empty_nodes}
    found = np.zeros(len(mentions.start), dtype=bool)
    if nodes:
        places = zip(mentions.document.tolist(), mentions.start.tolist(), strict=True)
        found[:] = [place in nodes for place in places]
    zeros: BoolArray = found & (mentions.end - mentions.start == 1)
    return zeros


# Which mentions stand inside quotation marks ------------------------------------------------------

LONGEST = 300

_CLOSES = {
    "“": ("”",),
    "``": ("''", '"'),
    '"': ('"',),
    "„": ("“", "”"),
    "«": ("»",),
    "»": ("«",),
    "「": ("」",),
    "『": ("』",),
}

_MARK = re.compile("``|''|[“”„«»「」『』\"]")


def in_quotations(comparison: Comparison, mentions: NumberedMentions) -> BoolArray:
    """(rows,) whether each stands inside a quotation (`quotations`); False without words."""
    width = 1 + max([mentions.end.max(initial=0), *(len(d.words) for d in comparison.key)])
    found = [
        (document * width + first, document * width + end)
        for document in range(len(comparison.key))
        for first, end in _quotations(comparison, document)
    ]
    starts, ends = np.array(found, dtype=np.int64).reshape(-1, 2).T
    start, end = (mentions.document * width + at for at in (mentions.start, mentions.end))
    place = np.searchsorted(starts, start, side="right") - 1
    inside: BoolArray = (place >= 0) & (end <= np.append(ends, -1)[place])
    return inside


def _quotations(comparison: Comparison, document: int) -> Iterator[tuple[int, int]]:
    text = text_of(comparison, document)
    return quotations(() if text.named_mentions else text.words)


def quotations(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(first, end) of each quotation with its marks, in words and half-open, in order.

    A mark opens one if none is open, and the next mark that may close it does: “ ”, `` '', „ “,
    « », » «, and straight marks in turn. A mark that is not closed within `LONGEST` words opens
    nothing: it was forgotten, or is no quotation mark. Single marks do not count, as they cannot
    be told from apostrophes.
    """
    opened = -1
    closes: tuple[str, ...] = ()
    for at, mark in _marks(words):
        if closes and at - opened > LONGEST:
            closes = ()
        if mark in closes:
            yield opened, at + 1
            closes = ()
        elif not closes and mark in _CLOSES:
            opened, closes = at, _CLOSES[mark]


def _marks(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The position and the mark of each; all words are searched at once, most have none."""
    found = [*_MARK.finditer(" ".join(words))]
    if found:
        ends = np.cumsum([len(word) + 1 for word in words])
        places = np.searchsorted(ends, [mark.start() for mark in found], side="right").tolist()
        yield from ((at, mark[0]) for at, mark in zip(places, found, strict=True))


def error_table(comparison: Comparison, *, singletons: Singletons = "keep") -> pd.DataFrame:
    """A row for each mention of either side with an error (`error_rows`), by document in the key's
    order, then in text order. Spans are in words and half-open; numbers count from 1.

    id                what names the row in every run: the document, the span and the sides that
                      have the mention (k, r, or b for both), such as "news_harbour:4-6:b"; ":2"
                      follows where a row before it has the same
    document, genre   categoricals: of all documents in the key's order, and of their genres
                      (`errors.slices.genres`)
    sentence          the sentence in which the mention starts; NA where no words are known
    start, end        the mention's span: the key's if that has the mention
    response_start, response_end  the response's; NA where it lacks the mention
    mention           its words, joined by blanks; "" where none are known
    kind              a categorical: the kinds of its operations (`errors.operations`), joined by
                      ", "; "" for none, and everywhere where a side lists a span twice
    class             a categorical: `errors.mentions.mention_classes`, or duplicated
    operation         the first of its operations, by its order in `operation_table`; NA for none
    fix               what puts it right, in words; "" where that is not known
    key_entity, response_entity  as `mention_table` numbers them; NA where the side lacks the
                      mention; of a duplicated mention the entity that lists it again
    key_name, response_name      what they are called (`entity_names`); "" for none
    key_size, response_size      their mentions; NA for none
    given, given_start, given_end      the antecedent it was given, with the response's span: the
                      mention before it, in text order, in its response entity; "" and NA for none
    given_right       whether the given antecedent is of its key entity; False for none
    antecedent, antecedent_start, antecedent_end  the antecedent it should have had, with the key's
                      span: the mention before it in its key entity; "" and NA for none
    distance_mentions, distance_sentences  from that antecedent: in mentions of the key (1: the one
                      just before it) and in sentences (0: the same); NA for none
    given_distance_mentions, given_distance_sentences  from the given one, in mentions of the
                      response
    type, given_type, antecedent_type  categoricals: the fine types (`errors.types`) of the mention
                      (the key's if that has it) and of the two antecedents, NA for none
    type_guessed      whether the mention's type is told by rules for English, not by a file alone
    type_by_file      whether a file tells at least if it is a pronoun, a name or a nominal
    length            end − start, in words
    string_match      a categorical: exact, head or none, with the antecedent it should have had,
                      or without one with the given one (`string_matches`); "" for neither
    nested            whether it lies within another mention of either side, which has the key's
                      span if both have it
    quotation         whether it stands inside quotation marks (`quotations`)
    slice_type, slice_length, slice_size, slice_position, slice_antecedent
                      categoricals: the slices of the mention, as in `mention_table`
    lemma, given_lemma, antecedent_lemma  the lemmas of the words of the mention and of the two
                      antecedents, joined by blanks, "" for none; columns only where a document has
                      lemmas

    singletons  the policy of the comparison, by which repetitions are found
    """
    return table_of(comparison, error_rows(comparison, singletons=singletons))


def table_of(comparison: Comparison, rows: ErrorRows) -> pd.DataFrame:
    """The error table of rows that are known already."""
    own, given, antecedent = (
        of(comparison, rows) for of in (texts.own, texts.given, texts.antecedent)
    )
    words, of_given, of_antecedent = (
        texts.texts(comparison, of) for of in (own, given, antecedent)
    )
    types = types_of(comparison, own.key, own.response)
    other, of_other = antecedent.or_else(given), np.where(antecedent.known, of_antecedent, of_given)
    match = string_matches(comparison, own, other, words.tolist(), of_other.tolist())
    columns: Columns = {
        **_places(comparison, rows, own),
        "mention": text(words),
        "kind": _kinds(rows.kinds),
        "class": category(rows.number, MENTION_CLASSES),
        "operation": nullable(rows.operation, rows.operation > 0),
        **entity_columns(comparison, rows, words.tolist()),
        **_antecedents(comparison, "given", given, of_given),
        "given_right": pd.Series(rows.given_right),
        **_antecedents(comparison, "antecedent", antecedent, of_antecedent),
        **_distances(comparison, rows, own, given, antecedent),
        "type": category(types.number, FINE_TYPES),
        "type_guessed": pd.Series(types.guessed),
        "type_by_file": pd.Series(types.by_file),
        "length": pd.Series(rows.end - rows.start),
        "string_match": category(match, STRING_MATCHES),
        "nested": pd.Series(nested(_every_mention(comparison), own)),
        "quotation": pd.Series(in_quotations(comparison, own)),
        **_slices(comparison, rows),
        **_lemmas(comparison, {"": own, "given_": given, "antecedent_": antecedent}),
    }
    return pd.DataFrame(columns)


def _lemmas(comparison: Comparison, mentions: Mapping[str, NumberedMentions]) -> Columns:
    if not texts.have_lemmas(comparison):
        return {}
    return {f"{of}lemma": text(texts.lemmas(comparison, them)) for of, them in mentions.items()}


def _slices(comparison: Comparison, rows: ErrorRows) -> Columns:
    found = slice_columns(comparison, rows.key, rows.response)
    return {f"slice_{kind}": pd.Series(found[kind]) for kind in SLICES if kind != "genre"}


def _places(comparison: Comparison, rows: ErrorRows, own: NumberedMentions) -> Columns:
    names = [document.name for document in comparison.key]
    of_each = genres(comparison.key)
    different = list(dict.fromkeys(of_each))
    of_document = np.array([different.index(one) for one in of_each], dtype=np.int64)
    sentence = sentences(comparison, own)
    response = comparison.matching.response
    place = np.append(response.start, -1)[rows.response], np.append(response.end, -1)[rows.response]
    return {
        "id": text(_ids(names, rows)),
        "document": category(rows.document, names),
        "genre": category(of_document[rows.document], different),
        "sentence": nullable(sentence, sentence > 0),
        "start": pd.Series(rows.start),
        "end": pd.Series(rows.end),
        "response_start": nullable(place[0], rows.response >= 0),
        "response_end": nullable(place[1], rows.response >= 0),
    }


def _ids(names: Sequence[str], rows: ErrorRows) -> list[str]:
    sides = np.where(rows.response < 0, "k", np.where(rows.key < 0, "r", "b"))
    places = zip(
        rows.document.tolist(),
        rows.start.tolist(),
        rows.end.tolist(),
        sides.tolist(),
        strict=True,
    )
    ids = [f"{names[document]}:{start}-{end}:{side}" for document, start, end, side in places]
    if len(set(ids)) == len(ids):
        return ids
    met: Counter[str] = Counter()
    for at, name in enumerate(ids):
        met[name] += 1
        ids[at] = f"{name}:{met[name]}" if met[name] > 1 else name
    return ids


def _kinds(kinds: IntArray) -> "pd.Series[str]":
    found, which = np.unique(kinds, return_inverse=True)
    names = [
        ", ".join(kind for at, kind in enumerate(KINDS) if bits >> at & 1)
        for bits in found.tolist()
    ]
    return category(which, names)


def _every_mention(comparison: Comparison) -> NumberedMentions:
    """The mentions of either side, a shared one and one with a span error once."""
    classes = mention_classes(comparison)
    return NumberedMentions.of(comparison, classes.key, classes.response)


def _antecedents(
    comparison: Comparison, name: str, mentions: NumberedMentions, words: AnyArray
) -> Columns:
    types = types_of(comparison, mentions.key, mentions.response)
    return {
        name: text(words),
        f"{name}_start": nullable(mentions.start, mentions.known),
        f"{name}_end": nullable(mentions.end, mentions.known),
        f"{name}_type": category(types.number, FINE_TYPES),
    }


def _distances(
    comparison: Comparison,
    rows: ErrorRows,
    own: NumberedMentions,
    given: NumberedMentions,
    antecedent: NumberedMentions,
) -> Columns:
    """In mentions and in sentences. Where one has no sentence the other, of one text, has none."""
    in_response = NumberedMentions.of(comparison, texts.none_of(rows.key), rows.response)
    ends = {
        "": (rows.key - antecedent.key, own, antecedent),
        "given_": (rows.response - given.response, in_response, given),
    }
    columns: Columns = {}
    for name, (apart, mention, before) in ends.items():
        sentence, first = (sentences(comparison, of) for of in (mention, before))
        columns[f"{name}distance_mentions"] = nullable(apart, before.known)
        columns[f"{name}distance_sentences"] = nullable(sentence - first, first > 0)
    return columns


# The words around the mentions that rows of the error table tell of -------------------------------

# The columns of the table with the words of a mention, and those with its span.
SPANS = {
    "mention": ("start", "end"),
    "given": ("given_start", "given_end"),
    "antecedent": ("antecedent_start", "antecedent_end"),
}


def contexts(comparison: Comparison, rows: pd.DataFrame, *, words: int = 8) -> pd.DataFrame:
    """For rows of the error table of this comparison, with their index: `words` words before and
    after each mention, the antecedent it was given and the one it should have had.

    Columns: mention_before, mention_after; given_before, given_after; antecedent_before,
    antecedent_after. All are texts, joined by blanks; "" where there is no antecedent, and in a
    document without words or whose words are only names of mentions.
    """
    texts = dict(_texts(comparison, rows))
    columns = {}
    for name, (start, end) in SPANS.items():
        around = [
            _around(texts[document], first, last, words)
            for document, first, last in zip(
                rows["document"].cat.codes.tolist(),
                rows[start].fillna(-1).tolist(),
                rows[end].fillna(-1).tolist(),
                strict=True,
            )
        ]
        columns[f"{name}_before"] = [before for before, _ in around]
        columns[f"{name}_after"] = [after for _, after in around]
    return pd.DataFrame(columns, index=rows.index, dtype="str")


def _texts(comparison: Comparison, rows: pd.DataFrame) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The words of each document that the rows name, by its number."""
    for number in set(rows["document"].cat.codes.tolist()):
        document = text_of(comparison, number)
        yield number, () if document.named_mentions else document.shown_words


def _around(text: tuple[str, ...], start: int, end: int, words: int) -> tuple[str, str]:
    if start < 0:
        return "", ""
    return " ".join(text[max(0, start - words) : start]), " ".join(text[end : end + words])


# The order of the rows of an error table ----------------------------------------------------------

TEXT_ORDER = "text"

DIRECTIONS = ("ascending", "descending")


@dataclass(frozen=True)
class Order:
    """A field by which rows are ordered; None leaves them in text order."""

    field: Field | None
    is_descending: bool


def orders_of(frame: pd.DataFrame) -> tuple[str, ...]:
    """The names of the orders that a table can have: "text", and those of its fields."""
    return (TEXT_ORDER, *(field.name for field in fields_in(list(frame.columns))))


def order_of(text: str, frame: pd.DataFrame) -> Order:
    """The order of this name: "text", "cost.lea", "size:ascending".

    Without a direction numbers, and yes before no, are descending, names ascending; documents are
    in the key's order. Raises PolicyError for what is neither a field that the table has nor a
    direction.
    """
    name, _, direction = text.partition(":")
    by_name = {field.name: field for field in fields_in(list(frame.columns))}
    field = by_name.get(choose("order", name, (TEXT_ORDER, *by_name)))
    if direction:
        return Order(field, choose("direction", direction, DIRECTIONS) == "descending")
    return Order(field, field is not None and field.holds in ("number", "truth"))


def ordered(frame: pd.DataFrame, text: str) -> IntArray:
    """(rows,) the rows of an error table by their positions in an order, as `order_of` names it.

    Rows that are equal in it stay in text order, those without a value come last.
    """
    order = order_of(text, frame)
    if order.field is None:
        return np.arange(len(frame))[:: -1 if order.is_descending else 1]
    keys = _keys(frame, order.field)
    return np.argsort((-keys if order.is_descending else keys).round(PLACES), kind="stable")


def _keys(frame: pd.DataFrame, field: Field) -> FloatArray:
    """(rows,) numbers that sort as the field's values; NaN where there is none."""
    column = frame[field.columns[0]]
    keys = numbers_of(column) if field.holds in ("number", "truth") else _ranks(column)
    return np.where(frame[field.absent].isna(), np.nan, keys) if field.absent else keys


def _ranks(column: "pd.Series[str]") -> FloatArray:
    """(rows,) the place of each text: of a categorical among its categories, else by alphabet."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        code, texts = column.cat.codes.to_numpy(), column.cat.categories.tolist()
        rank = np.arange(len(texts) + 1, dtype=np.float64)
    else:
        code, distinct = pd.factorize(column)
        texts = pa.array(distinct, pa.large_string(), from_pandas=True)
        by_alphabet = pa.table({"folded": pc.utf8_lower(texts), "text": texts})
        keys = [(name, "ascending") for name in by_alphabet.column_names]
        rank = np.zeros(len(texts) + 1)
        rank[pc.sort_indices(by_alphabet, sort_keys=keys)] = np.arange(len(texts))
        texts = texts.to_pylist()
    rank[[*(at for at, text in enumerate(texts) if not text), len(texts)]] = np.nan
    return rank[code]


# All errors of a result, and those of them that a query finds, in an order ------------------------

ORDER = "cost.conll"


def every_error(result: Result) -> pd.DataFrame:
    """A row for each error, and what its fix alone gains: `table.error_table` and `cost_table`."""
    comparison, singletons = result.comparison, result.policies.singletons
    rows = error_rows(comparison, singletons=singletons)
    costs = cost_table(comparison, rows, result.metrics, singletons=singletons)
    return table_of(comparison, rows).join(costs)


def found_in(frame: pd.DataFrame, query: str = "", *, order: str = ORDER) -> pd.DataFrame:
    """The rows of an error table that a query finds, in an order (`ordered`), with their index.

    Raises QueryError for a query, PolicyError for an order, that is not understood.
    """
    found = frame[parse(query).matches(frame)]
    return found.iloc[ordered(found, order)]


def with_contexts(comparison: Comparison, frame: pd.DataFrame, *, words: int = 8) -> pd.DataFrame:
    """Rows of the error table, with the words around each mention: `contexts`."""
    return frame.join(contexts(comparison, frame, words=words))


@dataclass(frozen=True)
class ErrorList:
    """What `Result.find` returns.

    table         the rows of `Result.error_table` that the query finds, in order, with their index
    query, order  as they were given
    scores        the result that has these errors
    """

    table: "pd.DataFrame"
    query: str
    order: str
    scores: Result

    @classmethod
    def of(
        cls,
        result: Result,
        query: str,
        *,
        order: str,
        notes: "Notes | None" = None,
        other: Result | None = None,
    ) -> "ErrorList":
        """See `corescore.Result.find`."""
        every = result.error_table
        every = every if other is None else with_other(every, result, other)
        every = every if notes is None else with_notes(every, notes)
        return cls(found_in(every, query, order=order), query, order, result)

    def __len__(self) -> int:
        return len(self.table)

    def top(self, number: int | None) -> "ErrorList":
        """The first of the list; None means all."""
        return replace(self, table=self.table[:number])

    def with_contexts(self, *, words: int = 8) -> "pd.DataFrame":
        """The table with `words` words before and after each mention, the antecedent it was given
        and the one it should have had: columns mention_before, mention_after and so on."""
        return with_contexts(self.scores.comparison, self.table, words=words)

    def show(self, *, most: int = 10, words: int = 40) -> "Shown":
        """The first errors of the list for a notebook: what is told of each, what its fix gains,
        and `words` words before and after it, once with the mentions of the key and once with
        those of the response. The mention is framed, the others of its entity are underlined.

        Raises PolicyError for a number below 1.
        """
        shown: Shown = later("rendering.notebook.errors")(
            self.scores, self.table, self.query, most=most, words=words
        )
        return shown
