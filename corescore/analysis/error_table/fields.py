"""The fields that a query of the error table names: one record feeds parsing, help, completion
and facets."""

from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from corescore.analysis.errors.classes import CORRECT, MENTION_CLASSES
from corescore.analysis.errors.operations import KINDS
from corescore.corpus.english import FINE_TYPES, TYPES_OF
from corescore.metrics import CONLL, METRICS

MATCHES = ("exact", "head", "none")
YES_NO = ("yes", "no")
RIGHT_WRONG = ("right", "wrong")
COST = "cost."

Holds = Literal["choice", "name", "words", "number", "truth"]


@dataclass(frozen=True)
class Field:
    """What a query calls a field, and where the error table has it.

    name     as it is written: "type", "antecedent.type"
    columns  of the table; a value may stand in any of them
    holds    "choice": one of `choices`; "name": compared as a whole (a document, a tag);
             "words": a value's words may stand anywhere in it; "number"; "truth": True and False
             are called `choices[0]` and `choices[1]`
    about    what it is, for the help
    is_list  whether a cell has several values, joined by ", "
    absent   the column that is missing where there is no value; else the field's own, or "" in it
    also     a column that is searched for words besides, where a table has it
    needs    what brings the field into a table without it, as advice; "" if that is no option
    """

    name: str
    columns: tuple[str, ...]
    holds: Holds
    about: str
    choices: tuple[str, ...] = ()
    is_list: bool = False
    absent: str = ""
    needs: str = ""
    also: str = ""


def _choice(name: str, column: str, about: str, choices: tuple[str, ...]) -> Field:
    return Field(name, (column,), "choice", about, choices)


def _number(name: str, column: str, about: str) -> Field:
    return Field(name, (column,), "number", about)


def _truth(name: str, column: str, about: str) -> Field:
    return Field(name, (column,), "truth", about, YES_NO)


def _cost(metric: str, about: str) -> Field:
    return _number(f"{COST}{metric}", f"cost_{metric}", f"points of F1 that the fix gains: {about}")


# The slices of mentions that pages count by (`errors.slices`), but for the genre
_SLICES = {
    "type": "type: pronoun, name, nominal",
    "length": "length",
    "size": "the size of the entity of its own side",
    "position": "the quarter of the document",
    "antecedent": "the words since the nearest mention of its key entity",
}
_KIND = "the kind of error, as an operation; none: resolved by fixing the surrounding mentions"
_CLASS = "the class of the mention; a correct one is here where its entity is divided or conflated"
WORDS = Field(
    "words",
    ("mention",),
    "words",
    "the mention's words, or the lemmas of the file; the same as words alone",
    also="lemma",
)


def _lemmas(name: str, column: str, about: str) -> Field:
    needs = "No file that is open has lemmas; CoNLL-U, SemEval-2010, Stanza and BookNLP have them."
    return Field(name, (column,), "words", about, needs=needs)


FIELDS = (
    WORDS,
    _lemmas("lemma", "lemma", "the lemmas of the mention's words"),
    Field("kind", ("kind",), "choice", _KIND, KINDS, is_list=True),
    _choice("class", "class", _CLASS, MENTION_CLASSES),
    Field(
        "other",
        ("other",),
        "choice",
        "the class of the same mention in the other system; wrong: any but correct",
        MENTION_CLASSES,
        needs="It needs a second response to the same key.",
    ),
    _choice("type", "type", "the type of the mention", FINE_TYPES),
    _truth("guessed", "type_guessed", "whether English rules, not the file alone, tell the type"),
    Field(
        "antecedent",
        ("antecedent",),
        "words",
        "the antecedent it should have had",
        (),
        False,
        "antecedent_start",
    ),
    _choice("antecedent.type", "antecedent_type", "the type of that antecedent", FINE_TYPES),
    _lemmas("antecedent.lemma", "antecedent_lemma", "the lemmas of that antecedent"),
    Field(
        "given",
        ("given_right",),
        "truth",
        "whether the antecedent it was given is coreferent",
        RIGHT_WRONG,
        False,
        "given_start",
    ),
    Field(
        "given.words", ("given",), "words", "the antecedent it was given", (), False, "given_start"
    ),
    _choice("given.type", "given_type", "the type of that antecedent", FINE_TYPES),
    _lemmas("given.lemma", "given_lemma", "the lemmas of that antecedent"),
    _choice("match", "string_match", "how its words match those of the antecedent", MATCHES),
    _number("distance", "distance_sentences", "sentences to the antecedent it should have had"),
    _number("distance.mentions", "distance_mentions", "mentions to that antecedent"),
    _number("given.distance", "given_distance_sentences", "sentences to the antecedent given"),
    _number("given.distance.mentions", "given_distance_mentions", "mentions to that antecedent"),
    _truth("nested", "nested", "whether it is inside another mention"),
    _truth("quotation", "quotation", "whether it is inside quotation marks"),
    _number("length", "length", "words of the mention"),
    Field("name", ("key_name", "response_name"), "words", "the name of its entity on either side"),
    _number("size", "key_size", "mentions of its key entity; 1 is a singleton in the key"),
    _number("size.response", "response_size", "mentions of its response entity"),
    _number("entity", "key_entity", "the number of its key entity in the document"),
    _number("entity.response", "response_entity", "the number of its response entity"),
    Field("doc", ("document",), "name", "the name of the document"),
    Field("genre", ("genre",), "name", "the genre of the document, by its file or its name"),
    _number("sentence", "sentence", "the number of the sentence, from 1"),
    _number("start", "start", "the number of words before the mention in the document"),
    *(
        Field(f"slice.{kind}", (f"slice_{kind}",), "name", f"its slice by {words}")
        for kind, words in _SLICES.items()
    ),
    _number("operation", "operation", "the number of the operation in the document"),
    Field("fix", ("fix",), "words", "what puts the error right, in words"),
    Field("id", ("id",), "name", "the row's id"),
    Field("tag", ("tag",), "name", "a tag of your notes", is_list=True),
    _truth("seen", "seen", "whether you have a note on it, even an empty one"),
    Field("note", ("note",), "words", "the words of your notes"),
    *(_cost(metric.id, metric.title) for metric in METRICS),
    _cost(CONLL.id, "CoNLL average"),
)
_FIELDS = {field.name: field for field in FIELDS}

# What a choice is also called: several choices under one word
GROUPS = {
    **{name: types for name, types in TYPES_OF.items() if name not in FINE_TYPES},
    "wrong": tuple(name for name in MENTION_CLASSES if name != CORRECT),
    "true": ("yes",),
    "false": ("no",),
}

# How a query is written, for the help: an example and what it finds
SYNTAX = (
    ("Oakland", "mentions with this word, in any case, or with this lemma where a file has lemmas"),
    ("resolv*", "with a word that begins so"),
    ('"the old town"', "with these words in a row"),
    ("/^[A-Z]/", "whose words fit a regular expression (RE2); (?i) before it for any case"),
    ("type:pronoun kind:divided", "where both hold"),
    ("type:proper,quantified", "where a field has one of several values"),
    ("she or he", "where one of two holds"),
    ("-type:proper", "where a term does not hold; also: not type:proper"),
    ("(she or he) nested:yes", "brackets hold terms together"),
    ("size>5 cost.lea>=0.1", "comparisons: > >= < <= ="),
    (
        "class:incorrectly-resolved size:1",
        "incorrectly resolved mentions that are singletons in the key; size>1 finds the others",
    ),
    ("doc:news*", "a name that begins so"),
    ("antecedent:none", "where there is no value"),
)


def field_named(name: str) -> Field | None:
    """The field of this name, in any case; a cost of any metric is one."""
    plain = name.lower()
    if plain in _FIELDS:
        return _FIELDS[plain]
    metric = plain.removeprefix(COST)
    return _cost(metric, metric) if metric and metric != plain else None


def fields_in(columns: Collection[str]) -> tuple[Field, ...]:
    """The fields that a table with these columns has, the costs of its own metrics last."""
    others = [name.removeprefix("cost_") for name in columns if name.startswith("cost_")]
    known = [field for field in FIELDS if set(field.columns) <= set(columns)]
    names = {field.name for field in known}
    return (*known, *(_cost(name, name) for name in others if f"{COST}{name}" not in names))


def choices_of(field: Field, value: str) -> tuple[str, ...]:
    """The choices of the field that a value means: the one it names in full, those of a group, or
    those that have its words, with hyphens for blanks or without: "divided" is "divided entity"."""
    words = value.lower().replace("-", " ").split()
    plain = " ".join(words)
    if plain in field.choices:
        return (plain,)
    group = tuple(choice for choice in GROUPS.get(plain, ()) if choice in field.choices)
    inside = [choice for choice in field.choices if plain and f" {plain} " in f" {choice} "]
    return group or tuple(inside)


def nearest(value: str, known: Collection[str]) -> str:
    """The known text that is most like this one; "" if none is."""
    found = get_close_matches(value.lower(), known, n=1, cutoff=0.5)
    return found[0] if found else ""
