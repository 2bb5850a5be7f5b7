"""Error tables made by hand, and by Hypothesis: the columns of the real one, with texts of ours."""

import pandas as pd
from hypothesis import strategies as st

from corescore.analysis.error_table.fields import MATCHES
from corescore.analysis.errors.classes import MENTION_CLASSES
from corescore.analysis.errors.operations import KINDS
from corescore.corpus.english import FINE_TYPES

TEXTS = ("she", "the old town", "Oakland", "a town", "École", "She", "9 to 5", "a.b", "")
DOCUMENTS = ("news_one", "News_one", "fiction/two, a", "bio (3)", 'say "so"', "none")
SLICED = ("type", "length", "size", "position", "antecedent")
TAGS = ("", "world knowledge", "annotation error", "world knowledge, hard", "hard")

_whole = st.one_of(st.none(), st.integers(0, 9))
_span_start = st.one_of(st.none(), st.integers(0, 9))
_points = st.one_of(st.just(float("nan")), st.sampled_from([-0.5, 0.0, 0.1, 0.25, 3.0]))
_kinds = st.lists(st.sampled_from(KINDS[:3]), unique=True, max_size=2).map(", ".join)
_text = st.sampled_from(TEXTS)

_COLUMNS = {
    "id": st.uuids().map(str),
    "document": st.sampled_from(DOCUMENTS),
    "genre": st.sampled_from(["news", "fiction", "other"]),
    "sentence": _whole,
    "start": st.integers(0, 9),
    **{f"slice_{kind}": st.sampled_from(["1 word", "3 to 5 words"]) for kind in SLICED},
    "mention": _text,
    "lemma": st.sampled_from([*TEXTS, "be"]),
    "given_lemma": _text,
    "antecedent_lemma": _text,
    "kind": _kinds,
    "class": st.sampled_from(MENTION_CLASSES),
    "other": st.sampled_from([None, *MENTION_CLASSES]),
    "operation": _whole,
    "fix": st.sampled_from(["remove it", "add it to entity 3 (Oakland)"]),
    "key_entity": _whole,
    "response_entity": _whole,
    "key_name": _text,
    "response_name": _text,
    "key_size": _whole,
    "response_size": _whole,
    "given": _text,
    "given_start": _span_start,
    "given_type": st.sampled_from(["", *FINE_TYPES]),
    "given_right": st.booleans(),
    "antecedent": _text,
    "antecedent_start": _span_start,
    "antecedent_type": st.sampled_from(["", *FINE_TYPES]),
    "distance_mentions": _whole,
    "distance_sentences": _whole,
    "given_distance_mentions": _whole,
    "given_distance_sentences": _whole,
    "type": st.sampled_from(FINE_TYPES),
    "type_guessed": st.booleans(),
    "type_by_file": st.booleans(),
    "length": st.integers(1, 5),
    "string_match": st.sampled_from(MATCHES),
    "nested": st.booleans(),
    "quotation": st.booleans(),
    "cost_lea": _points,
    "cost_conll": _points,
    "tag": st.sampled_from(TAGS),
    "seen": st.booleans(),
    "note": _text,
}
_WHOLE_OR_NONE = [name for name, of in _COLUMNS.items() if of is _whole or of is _span_start]
_SLICES = [name for name in _COLUMNS if name.startswith("slice_")]
_CATEGORIES = ("document", "genre", "class", "other", "type", "string_match", *_SLICES)


_TRUE_OR_FALSE = ("given_right", "nested", "quotation", "type_guessed", "type_by_file", "seen")
_USUAL = {"start": 0, "length": 1, **dict.fromkeys(_TRUE_OR_FALSE, False)}


def error_frames(max_rows: int = 8) -> st.SearchStrategy[pd.DataFrame]:
    """Error tables of a few rows in any order."""
    rows = st.lists(st.fixed_dictionaries(_COLUMNS), max_size=max_rows)
    return rows.map(frame_of)


def frame_of(rows: list[dict[str, object]]) -> pd.DataFrame:
    """An error table of rows, each column of its type; what a row lacks is missing, or usual."""
    frame = pd.DataFrame([{**_USUAL, **row} for row in rows], columns=list(_COLUMNS))
    texts = [name for name in ("id", "mention", "kind", "fix", "tag", "note") if name in frame]
    return frame.astype(
        {
            **dict.fromkeys(texts, "str"),
            **dict.fromkeys(_WHOLE_OR_NONE, "Int64"),
            **dict.fromkeys(_CATEGORIES, "category"),
            **dict.fromkeys(_TRUE_OR_FALSE, "bool"),
            **dict.fromkeys(("start", "length"), "int64"),
            **dict.fromkeys(("cost_lea", "cost_conll"), "float64"),
        }
    )
