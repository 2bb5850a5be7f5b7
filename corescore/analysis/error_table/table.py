"""The error table: what is told of each row, its order, and what a query finds."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from corescore.analysis.credit import numbers_of_entities
from corescore.analysis.error_table.notes import Notes, with_notes
from corescore.analysis.error_table.query import (
    MATCHES,
    Field,
    fields_in,
    matching,
    numbers_of,
    parse,
)
from corescore.analysis.error_table.rows import ErrorRows, cost_table, error_rows, with_other
from corescore.analysis.errors.classes import (
    CORRECT,
    DUPLICATED,
    MENTION_CLASSES,
    MISSING,
    SPAN_ERROR,
    SPURIOUS,
    Mentions,
    category,
    document_lemmas,
    nullable,
    text_of,
    texts_of,
    through_documents,
)
from corescore.analysis.errors.operations import ERROR_KINDS, WRONG_SPLIT_ANTECEDENT
from corescore.analysis.explain import entity_called, entity_names
from corescore.corpus.english import FINE_TYPES
from corescore.corpus.problems import choose
from corescore.counting.comparison import SIDES, Comparison
from corescore.counting.contingency import rows_of_entities
from corescore.counting.policies import Singletons
from corescore.scoring.scores import Result
from corescore.util import PLACES, AnyArray, BoolArray, IntArray, as_rows, picked
from corescore.wording import counted, listed

if TYPE_CHECKING:
    from corescore.rendering.tables import Shown


_as_texts = partial(pd.Series, dtype="str")


def error_table(comparison: Comparison, *, singletons: Singletons = "keep") -> pd.DataFrame:
    """The rows of `Result.error_table` (`error_rows`) without the gains of fixes, by document in
    the key's order, then in text order.

    A row's id ends in ":2" where a row before it has the same span and sides; a duplicated mention
    names the entity that lists it again. Types and slices are those of `mention_table`,
    types of its finer ones.

    singletons  the policy of the comparison, by which repetitions are found
    """
    return table_of(error_rows(comparison, singletons=singletons))


def table_of(rows: ErrorRows) -> pd.DataFrame:
    """The error table of rows that are known already."""
    comparison, given, antecedent = rows.comparison, rows.given, rows.antecedent
    names, slices = comparison.names, rows.slices
    in_response = Mentions(comparison, np.full(len(rows), -1), rows.response)
    sentence, types = _sentences(rows), rows.types
    table = pd.DataFrame(
        {
            "id": _ids(names, rows),
            "document": category(rows.document, names),
            "genre": slices.pop("genre"),
            "sentence": nullable(sentence, sentence > 0),
            "start": rows.start,
            "end": rows.end,
            "response_start": nullable(in_response.start, in_response.known),
            "response_end": nullable(in_response.end, in_response.known),
            "mention": _as_texts(rows.words),
            "kind": _kind_lists(rows.kinds),
            "class": category(rows.number, MENTION_CLASSES),
            "operation": nullable(rows.operation, rows.operation > 0),
            **_entity_columns(rows),
        }
    )
    for name, before in (("given", given), ("antecedent", antecedent)):
        table[name] = _as_texts(before.words)
        table[f"{name}_start"] = nullable(before.start, before.known)
        table[f"{name}_end"] = nullable(before.end, before.known)
        table[f"{name}_type"] = category(before.types["number"], FINE_TYPES)
        if before is given:
            table["given_right"] = rows.given_right
            table["given_span_error"] = rows.given_right & ~rows.given_exact
    for name, apart, own, before in (
        ("", rows.key - antecedent.key, rows, antecedent),
        ("given_", rows.response - given.response, in_response, given),
    ):  # where one has no sentence the other, of one text, has none
        first = _sentences(before)
        table[f"{name}distance_mentions"] = nullable(apart, before.known)
        table[f"{name}distance_sentences"] = nullable(_sentences(own) - first, first > 0)
    table["type"] = category(types["number"], FINE_TYPES)
    table["type_guessed"], table["type_by_file"] = types["guessed"], types["by_file"]
    table["length"] = rows.end - rows.start
    table["string_match"] = _string_matches(rows)
    table["nested"] = _nested(rows)
    table["quotation"] = _in_quotations(rows)
    for kind, of in slices.items():
        table[f"slice_{kind}"] = of
    if comparison.plurals:
        for name, texts in zip(("given_split", "antecedent_split"), _sets(rows)[::-1], strict=True):
            table[name] = _as_texts(texts)
    if any(document_lemmas(comparison)):
        for name, them in (("", rows), ("given_", given), ("antecedent_", antecedent)):
            table[f"{name}lemma"] = _as_texts(them.lemmas)
    return table


def only_moved(table: pd.DataFrame) -> BoolArray:
    """(rows,) which mentions of an error table have no error of their own: they are correct, and a
    fix of their entity moves them. Not where what they refer to together is wrong."""
    of_set = table["kind"].astype("str").str.contains(WRONG_SPLIT_ANTECEDENT, regex=False)
    return ((table["class"] == CORRECT) & ~of_set).to_numpy(dtype=bool)


def _ids(names: Sequence[str], rows: ErrorRows) -> "pd.Series[str]":
    sides = np.where(rows.response < 0, "k", np.where(rows.key < 0, "r", "b"))
    places = as_rows(rows.document, rows.start, rows.end, sides)
    written = [f"{names[at]}:{start}-{end}:{side}" for at, start, end, side in places]
    ids = pd.Series(written, dtype="str")
    if ids.is_unique:
        return ids
    met = ids.groupby(ids).cumcount() + 1
    return ids.where(met == 1, ids + ":" + met.astype("str"))


def _kind_lists(kinds: IntArray) -> "pd.Categorical[str]":
    distinct, which = np.unique(kinds, return_inverse=True)
    names = [
        ", ".join(kind for at, kind in enumerate(ERROR_KINDS) if bits >> at & 1)
        for bits in distinct
    ]
    return category(which, names)


# The entities of each row, and what puts its error right, in words --------------------------------

AROUND_IT = "leave it: resolved by fixing the surrounding mentions"


def _entity_columns(rows: ErrorRows) -> "dict[str, pd.Series[Any]]":
    """fix, and of both sides number, name and size: see `error_table`."""
    comparison, side = rows.comparison, rows.comparison.matching.response
    of_key = picked(comparison.recall.own_entity, rows.key)
    # Of a duplicated mention the entity that lists it again, which may have no mention in the table
    entity = rows.response_entity
    number = entity - np.searchsorted(side.entity_document, rows.document) + 1
    (key,) = _named_entities(comparison, "recall", of_key)
    of_response = picked(rows_of_entities(side), entity)
    response, target = _named_entities(comparison, "precision", of_response, rows.target)
    response["number"] = np.where(entity < 0, -1, number)
    sides = {"key": key, "response": response}
    labels = [_entity_labels(entities, "response ") for entities in (response, target)]
    return {
        "fix": _as_texts(_fixes(rows, *labels)),
        **{f"{one}_entity": nullable(of["number"], of["number"] > 0) for one, of in sides.items()},
        **{f"{one}_name": of["name"].astype("str") for one, of in sides.items()},
        **{f"{one}_size": nullable(of["size"], of["number"] > 0) for one, of in sides.items()},
    }


def _sets(rows: ErrorRows) -> tuple[AnyArray, AnyArray]:
    """(rows,) what the key's and the response's split antecedents are called where they are wrong,
    such as "Mia and Tom"; "" for none."""
    names = []
    for at, side in enumerate(SIDES):
        sets = [rows.sets.get(row, ([], []))[at] for row in rows.row.tolist()]
        every = np.array([one for of in sets for one in of], dtype=np.int64)
        (table,) = _named_entities(rows.comparison, side, every)
        labels = np.where(table["name"] == "", _entity_labels(table), table["name"])
        called = dict(zip(every.tolist(), labels, strict=True))
        names.append(np.array([listed(called[n] for n in of) if of else "" for of in sets], object))
    return names[0], names[1]


def _named_entities(comparison: Comparison, side: str, *several: IntArray) -> list[pd.DataFrame]:
    """(rows,) number in the document, from 1, name and size of entities, as rows of the table; −1,
    "" and 0 for none."""
    view = comparison.view(side)
    names = np.full(len(view.table.key_sizes) + 1, "", dtype=object)
    used = np.isin(view.own_entity, np.concatenate(several))
    named, texts = entity_names(comparison, np.flatnonzero(used), side=side)
    names[named] = texts
    columns = {
        "number": np.append(numbers_of_entities(view), -1),
        "name": names,
        "size": np.append(view.table.key_sizes, 0),
    }
    return [pd.DataFrame({name: of[rows] for name, of in columns.items()}) for rows in several]


def _entity_labels(entities: pd.DataFrame, side: str = "") -> AnyArray:
    """(rows,) entity 3 (Oakland), after its side; "" for none."""
    rows = as_rows(entities["number"], entities["name"])
    return np.array([side + entity_called(n, name) if n > 0 else "" for n, name in rows], object)


def _fixes(rows: ErrorRows, source: AnyArray, target: AnyArray) -> AnyArray:
    """(rows,) what to do with each mention, such as "move it from response entity 2 (a town) to
    response entity 3 (Oakland)"; of one with a span error first the span.

    source  (rows,) what its response entity is called; of a duplicated mention that which lists it
            again
    target  (rows,) what the response entity is called in which most of its key entity is; "" where
            it is in none
    """
    parts, altered = rows.parts, rows.are(SPAN_ERROR)
    is_missing = rows.are(MISSING) & (parts is not None)
    sizes = picked(parts.table.cell_sizes, rows.of_parts("part"), 1) if parts else rows.number
    more = [f" and {counted(n - 1, 'other')}" if n > 1 else "" for n in sizes.tolist()]
    steps = np.select(
        [
            rows.are(DUPLICATED),
            rows.are(SPURIOUS),
            is_missing & (target != ""),
            is_missing,
            rows.moves,
            rows.splits,
        ],
        [
            "remove the repetition from " + source,
            "remove it from " + source,
            "add it to " + target,
            "add it as a new entity",
            "move it from " + source + " to " + target,
            "split it" + np.array(more, dtype=object) + " off from " + source,
        ],
        "",
    )
    span = [
        f"“{words}”" if words else f"of words {start + 1} to {end}"
        for words, (start, end) in zip(rows.words, as_rows(rows.start, rows.end), strict=True)
    ]
    altering = "give it the span " + np.array(span, dtype=object)
    fixes = np.where(altered, altering + np.where(steps == "", "", "; ") + steps, steps)
    if rows.sets:
        wanted, given = _sets(rows)
        together = np.where(wanted == "", "no other entities", wanted + " together")
        refer = "refer it to " + together + np.where(given == "", "", ", not to " + given)
        refer = np.where(fixes == "", "", "; ") + refer
        fixes = np.where((wanted == "") & (given == ""), fixes, fixes + refer)
    return np.where(fixes == "", AROUND_IT if parts else "", fixes)


# Where a mention stands: its sentence, quotations, and whether another mention encloses it --------


def _sentences(mentions: Mentions) -> IntArray:
    """(rows,) the sentence in which each starts, from 1 in its document; 0 where it is unknown: of
    no mention, or in a document without words."""
    texts = texts_of(mentions.comparison)
    starts = [*(() if text.named_mentions else text.sentence_starts for text in texts), ()]
    places = as_rows(mentions.document, mentions.start)
    return np.array([bisect_right(starts[number], at) for number, at in places], dtype=np.int64)


def _nested(mentions: ErrorRows) -> BoolArray:
    """(rows,) whether each lies within another mention of either side, of a different span."""
    every = mentions.every
    (starts, ends), (start, end) = through_documents(every, mentions)
    place = np.searchsorted(starts, start)  # the longest of those that start where it does
    reach = np.append(-1, np.maximum.accumulate(ends))  # the furthest end of those before a place
    longer = (picked(starts, place) == start) & (picked(ends, place) > end)
    nested: BoolArray = longer | (reach[place] >= end)
    return nested


def _string_matches(rows: ErrorRows) -> "pd.Categorical[str]":
    """(rows,) how the words of a mention match those of its antecedent, or else of the one it was
    given: exact, the same words, in any case; head, the words of the heads are the same, in any
    case; a word that is not in the text is neither. Unknown ("") without a second mention, without
    words, and where words only name mentions."""
    asked = rows.antecedent.known
    other = Mentions(rows.comparison, rows.antecedent.key, np.where(asked, -1, rows.given.response))
    texts = texts_of(rows.comparison)
    words = [() if text.named_mentions else text.words for text in texts]
    has_words = np.array([bool(of) for of in words])
    known = np.flatnonzero(has_words[rows.document] & other.known)
    ends = rows.take(known), other.take(known)
    folded, heads, zeros = [], [], []
    for of in ends:
        places = as_rows(of.document, of.start, of.end)
        folded.append([text.casefold() for text in of.words])
        heads.append([words[n][at].casefold() for n, at in as_rows(of.document, of.heads)])
        zeros.append([end - at == 1 and at in texts[n].empty_nodes for n, at, end in places])
    exact, head = (
        np.array(one, dtype=object) == np.array(two, dtype=object) for one, two in (folded, heads)
    )
    number = np.full(len(rows), STRING_MATCHES.index(""))
    none = np.array(zeros).any(axis=0)
    number[known] = np.select([none, exact, head], [2, 0, 1], 2)
    return category(number, STRING_MATCHES)


STRING_MATCHES = (*MATCHES, "")

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


def _in_quotations(mentions: Mentions) -> BoolArray:
    """(rows,) whether each stands inside a quotation (`quotations`); False without words."""
    texts = texts_of(mentions.comparison)
    quoted = [[*quotations(() if text.named_mentions else text.words)] for text in texts]
    inside = []
    for number, start, end in as_rows(mentions.document, mentions.start, mentions.end):
        before = bisect_right(quoted[number], (start, inf)) - 1
        inside.append(before >= 0 and end <= quoted[number][before][1])
    return np.array(inside, dtype=bool)


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
    marks = [*_MARK.finditer(" ".join(words))]
    if marks:
        ends = np.cumsum([len(word) + 1 for word in words])
        places = np.searchsorted(ends, [mark.start() for mark in marks], side="right").tolist()
        yield from ((at, mark[0]) for at, mark in zip(places, marks, strict=True))


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
    shown, columns = {}, {}
    for number in set(rows["document"].cat.codes.tolist()):
        document = text_of(comparison, number)
        shown[number] = () if document.named_mentions else document.shown_words
    texts = [shown[number] for number in rows["document"].cat.codes]
    for name, (start, end) in SPANS.items():
        spans = zip(texts, rows[start].fillna(-1), rows[end].fillna(-1), strict=True)
        around = [
            (text[max(0, first - words) : first], text[last : last + words])
            if first >= 0
            else ((), ())
            for text, first, last in spans
        ]
        columns[f"{name}_before"] = [" ".join(before) for before, _ in around]
        columns[f"{name}_after"] = [" ".join(after) for _, after in around]
    return pd.DataFrame(columns, index=rows.index, dtype="str")


# The order of the rows of an error table ----------------------------------------------------------

TEXT_ORDER = "text"

DIRECTIONS = ("ascending", "descending")


def order_of(text: str, frame: pd.DataFrame) -> tuple[Field | None, bool]:
    """The field of the order of this name, None for text order, and whether it is descending:
    "text", "cost.lea", "size:ascending".

    Without a direction numbers, and yes before no, are descending, names ascending; documents are
    in the key's order. Raises PolicyError for what is neither a field that the table has nor a
    direction.
    """
    name, _, direction = text.partition(":")
    by_name = {field.name: field for field in fields_in(frame)}
    field = by_name.get(choose("order", name, (TEXT_ORDER, *by_name)))
    if direction:
        return field, choose("direction", direction, DIRECTIONS) == "descending"
    return field, (field is not None and field.holds in ("number", "truth"))


def ordered(frame: pd.DataFrame, text: str) -> IntArray:
    """(rows,) the rows of an error table by their positions in an order, as `order_of` names it.

    Rows that are equal in it stay in text order, those without a value come last.
    """
    field, is_descending = order_of(text, frame)
    if field is None:
        return np.arange(len(frame))[:: -1 if is_descending else 1]
    column = frame[field.column]
    if field.holds in ("number", "truth"):
        keys = numbers_of(column)
    else:  # the place of each text: of a categorical among its categories, else by alphabet
        texts = (
            column.cat.categories.tolist()
            if isinstance(column.dtype, pd.CategoricalDtype)
            else sorted(column.dropna().unique(), key=lambda text: (text.lower(), text))
        )
        places = np.array([at if text else np.nan for at, text in enumerate(texts)], np.float64)
        keys = picked(places, pd.Categorical(column, texts).codes, np.nan)
    if field.absent:
        keys = np.where(frame[field.absent].isna(), np.nan, keys)
    return np.argsort((-keys if is_descending else keys).round(PLACES), kind="stable")


# All errors of a result, and those of them that a query finds, in an order ------------------------


def every_error(result: Result) -> pd.DataFrame:
    """One row per error, and what its fix alone gains: `table.error_table` and `cost_table`."""
    comparison, singletons = result.comparison, result.policies.singletons
    rows = error_rows(comparison, singletons=singletons)
    costs = cost_table(comparison, rows, result.metrics, singletons=singletons)
    return table_of(rows).join(costs)


@dataclass(frozen=True)
class ErrorList:
    """What `Result.find` returns.

    table         the rows of `Result.error_table` that the query finds, in order, with their index
    query, order  as they were given
    scores        the result that has these errors

    >>> import corescore
    >>> result = corescore.score("key.conll", "cautious.conll")
    >>> errors = result.find("type:pronoun given:none", order="cost.lea")
    >>> len(errors)
    301
    >>> errors.head(2).table[["document", "mention", "class"]]
            document mention    class
    41  news_harbour    that  missing
    94  news_library     She  missing
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
        rows = every[matching(parse(query), every)]
        return cls(rows.iloc[ordered(rows, order)], query, order, result)

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        query = f" | {self.query}" if self.query else ""
        return f"ErrorList: {counted(len(self))} by {self.order}{query} | {self.scores!r}"

    def _repr_html_(self) -> str:
        """What a notebook shows: the first errors, as `show` does."""
        return self.show()._repr_html_()

    def head(self, number: int | None = 5) -> "ErrorList":
        """The first of the list; None means all."""
        return replace(self, table=self.table[:number])

    top = head

    def with_contexts(self, *, words: int = 8) -> "pd.DataFrame":
        """The table with `words` words before and after each mention, the antecedent it was given
        and the correct one: columns mention_before, mention_after and so on."""
        return self.table.join(contexts(self.scores.comparison, self.table, words=words))

    def show(self, *, most: int = 10, words: int = 40) -> "Shown":
        """The first errors of the list for a notebook: facts about each, what its fix gains,
        and `words` words before and after it, once with the mentions of the key and once with
        those of the response. The mention is framed, the others of its entity are underlined.

        Raises PolicyError for a number below 1.
        """
        from corescore.rendering.notebook import errors

        return errors(self.scores, self.table, self.query, most=most, words=words)
