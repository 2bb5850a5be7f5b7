"""The error table: what is told of each row, as a pandas table."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from corescore.analysis.error_table import texts
from corescore.analysis.error_table.columns import Columns, category, nullable, text
from corescore.analysis.error_table.entities import entity_columns
from corescore.analysis.error_table.places import nested, sentences
from corescore.analysis.error_table.quotations import in_quotations
from corescore.analysis.error_table.rows import ErrorRows, error_rows
from corescore.analysis.error_table.strings import STRING_MATCHES, string_matches
from corescore.analysis.error_table.texts import Mentions
from corescore.analysis.errors.mention_tables import slice_columns
from corescore.analysis.errors.mentions import MENTION_CLASSES, mention_classes
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.slices import SLICES, genres
from corescore.analysis.errors.types import types_of
from corescore.arrays import AnyArray, IntArray
from corescore.corpus.mention_types import FINE_TYPES
from corescore.counting.comparison import Comparison
from corescore.counting.policies import Singletons


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


def _lemmas(comparison: Comparison, mentions: Mapping[str, Mentions]) -> Columns:
    if not texts.have_lemmas(comparison):
        return {}
    return {f"{of}lemma": text(texts.lemmas(comparison, them)) for of, them in mentions.items()}


def _slices(comparison: Comparison, rows: ErrorRows) -> Columns:
    found = slice_columns(comparison, rows.key, rows.response)
    return {f"slice_{kind}": pd.Series(found[kind]) for kind in SLICES if kind != "genre"}


def _places(comparison: Comparison, rows: ErrorRows, own: Mentions) -> Columns:
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


def _every_mention(comparison: Comparison) -> Mentions:
    """The mentions of either side, a shared one and one with a span error once."""
    classes = mention_classes(comparison)
    return Mentions.of(comparison, classes.key, classes.response)


def _antecedents(comparison: Comparison, name: str, mentions: Mentions, words: AnyArray) -> Columns:
    types = types_of(comparison, mentions.key, mentions.response)
    return {
        name: text(words),
        f"{name}_start": nullable(mentions.start, mentions.known),
        f"{name}_end": nullable(mentions.end, mentions.known),
        f"{name}_type": category(types.number, FINE_TYPES),
    }


def _distances(
    comparison: Comparison, rows: ErrorRows, own: Mentions, given: Mentions, antecedent: Mentions
) -> Columns:
    """In mentions and in sentences. Where one has no sentence the other, of one text, has none."""
    in_response = Mentions.of(comparison, texts.none_of(rows.key), rows.response)
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
