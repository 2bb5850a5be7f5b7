"""The policies that scores depend on: a box for each, its selection in the URL."""

from collections.abc import Mapping

import streamlit as st

from corescore.counting.policies import Policies
from dashboard.widgets.selection import select_lasting

# The labels stand in the URL, so that a link can be read too.
POLICIES: Mapping[str, tuple[str, Mapping[str, str], str]] = {
    "singletons": (
        "Entities of one mention",
        {
            "keep": "score them",
            "drop": "leave them out",
            "drop-response": "leave the response's out",
            "e2e": "by metric, as e2e-coref",
            "stanza": "by metric, as Stanza",
        },
        "Left out, they are removed before anything else is done.",
    ),
    "repeats": (
        "A mention listed twice",
        {
            "first": "its first entity counts",
            "error": "refuse the file",
            "all": "score both",
            "reference": "as the reference scorer",
            "listed": "as coval",
        },
        "Scored twice, overlapping entities can push recall and precision past 100 percent.",
    ),
    "blanc": (
        "BLANC where a part is empty",
        {
            "reference": "as the reference scorer",
            "luo2014": "as Luo et al. 2014",
            "recasens2011": "as Recasens and Hovy 2011",
            "corefud": "as the CorefUD scorer",
        },
        "The 2011 definition looks only at mentions that both sides have.",
    ),
    "match": (
        "When two mentions match",
        {
            "exact": "the same words",
            "head": "or the same head",
            "partial": "or within, around the head",
            "lenient": "or within, as many as possible",
            "min-span": "the same minimum span",
        },
        "One to one: mentions with the same words first, then those left over. Minimum spans are "
        "told by the parse in the key's file.",
    ),
    "lookup": (
        "What is scored",
        {"pairs": "the pairs of mentions", "table": "a table, as the CorefUD scorer"},
        "The table loses pairs where zeros stand at each other's place.",
    ),
    "mentions": (
        "Mentions",
        {
            "all": "all",
            "np-only": "without verb phrases",
            "without-nested": "not inside others of theirs",
        },
        "Verb phrases are told by the parse in the key's file.",
    ),
    "zeros": (
        "Zeros (words not in the text)",
        {
            "dependent": "match by dependency",
            "linear": "match by place",
            "drop": "leave them out",
        },
        "Only files with empty nodes have them, such as CorefUD.",
    ),
    "missing_documents": (
        "A document the response lacks",
        {"empty": "counts as empty", "error": "refuse the file", "skip": "leave it out"},
        "Counted as empty, all its key mentions are missing.",
    ),
    "words": (
        "Words that differ",
        {
            "error": "refuse the file",
            "ignore": "compare positions",
            "align": "align over characters",
        },
        "Align if both have the same text in another tokenisation, or nearly the same text. "
        "Positions alone are what the reference scorer compares.",
    ),
    "average": (
        "Over documents",
        {
            "micro": "sums",
            "macro": "sums, and means beside them",
            "scorch": "sums, and averages as scorch",
            "stanza": "sums, and averages as Stanza",
        },
        "Published scores are sums: counts are added over documents and divided once.",
    ),
}


def has_ids_in_url() -> bool:
    """Whether a link selects a policy by its id, such as "drop", and not by its label."""
    given = {name: st.query_params.get(name) for name in POLICIES}
    return any(
        of is not None and of not in POLICIES[name][1].values() for name, of in given.items()
    )


def select_policies() -> Policies:
    """Draw a box for each policy."""
    selected = {
        name: select_lasting(label, list(words), key=name, format_func=words.__getitem__, help=note)
        for name, (label, words, note) in POLICIES.items()
    }
    return Policies.of(selected)


def selected_policies() -> Policies:
    """What is selected in the boxes, once they are drawn."""
    return Policies.of({name: st.session_state[name] for name in POLICIES})
