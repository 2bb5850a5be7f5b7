"""What each value of each policy does, as a clause."""

from collections.abc import Mapping

from corescore.counting.policies import Policies

# In a clause that can follow a colon or stand in a list; metrics by their titles.
CLAUSES: Mapping[str, Mapping[str, str]] = {
    "words": {
        "error": "key and response must have the same words",
        "ignore": "positions are compared, not words",
        "align": "the response's words are aligned with the key's, character by character",
    },
    "missing_documents": {
        "empty": "a document missing from the response counts as empty",
        "error": "the response must have every document",
        "skip": "a document missing from the response is left out of the key as well",
    },
    "zeros": {
        "dependent": "zeros match by the words they depend on",
        "linear": "zeros match by position",
        "drop": "zeros are left out",
    },
    "singletons": {
        "keep": "singletons are included",
        "drop": "singletons are removed from both sides",
        "drop-response": "singletons are removed from the response",
        "e2e": "singletons are included by MUC, removed from both sides by B³, and removed from "
        "the response by CEAF_e",
        "stanza": "singletons are included, but removed from both sides by LEA",
    },
    "mentions": {
        "all": "all mentions are scored",
        "np-only": "verb-phrase mentions are removed, as by coval's NP_only",
        "without-nested": "mentions nested in another mention of their entity are removed, as by "
        "coval's remove_nested",
    },
    "match": {
        "exact": "mentions match exactly",
        "head": "mentions match exactly or, one to one, by the same head",
        "partial": "mentions match exactly or, one to one, if the response mention lies within the "
        "key mention and contains its head or minimum span",
        "lenient": "mentions match exactly or, one to one and as many as possible, if the response "
        "mention lies within the key mention and contains its head or minimum span",
        "min-span": "mentions match by the minimum span that the key's parse gives them, as by "
        "coval's min_span",
    },
    "repeats": {
        "first": "if a mention is listed twice, its first entity is used",
        "error": "no mention may be listed twice",
        "all": "a mention listed twice counts in each of its entities",
        "reference": "a mention listed twice counts as in the CoNLL reference scorer",
        "listed": "a mention listed twice counts as in coval",
    },
    "lookup": {
        "pairs": "pairs of matching mentions are scored",
        "table": "mentions are looked up in one table, as in the CorefUD scorer",
    },
    "blanc": {
        "reference": "BLANC without links of one kind follows the CoNLL reference scorer",
        "luo2014": "BLANC follows Luo et al. (2014)",
        "recasens2011": "BLANC considers only the mentions both sides have, following Recasens and "
        "Hovy (2011)",
        "corefud": "BLANC without links follows the CorefUD scorer",
    },
    "average": {
        "micro": "counts are summed over documents and divided once",
        "macro": "recall, precision and F1 are means over documents",
        "scorch": "scores are averaged over documents, weighted by mentions, as in scorch",
        "stanza": "recall and precision are averaged over documents before F1 (LEA: summed), as in "
        "Stanza",
    },
}

NAMES = {
    "words": "words",
    "missing_documents": "missing documents",
    "zeros": "zeros",
    "singletons": "singletons",
    "mentions": "mentions scored",
    "match": "mention matching",
    "repeats": "repeated mentions",
    "lookup": "look-up",
    "blanc": "BLANC without links",
    "average": "averaging over documents",
}


def clause(policies: Policies, policy: str) -> str:
    """What a policy does at its present value."""
    return CLAUSES[policy][getattr(policies, policy)]
