"""What each value of each policy does, as a clause."""

from collections.abc import Mapping

from corescore.counting.policies import Policies

# In a clause that can follow a colon or stand in a list; metrics by their titles.
CLAUSES: Mapping[str, Mapping[str, str]] = {
    "words": {
        "error": "both sides must have the same words",
        "ignore": "positions are compared, not words",
        "align": "the response's words are aligned with the key's, character by character",
    },
    "missing_documents": {
        "empty": "a document that the response lacks counts as empty",
        "error": "the response must have every document",
        "skip": "a document that the response lacks is left out of the key, too",
    },
    "zeros": {
        "dependent": "zeros match by the words that they depend on",
        "linear": "zeros match by their place",
        "drop": "zeros are left out",
    },
    "singletons": {
        "keep": "entities of one mention are scored",
        "drop": "entities of one mention are left out on both sides",
        "drop-response": "entities of one mention are left out of the response",
        "e2e": "entities of one mention are scored by MUC, left out on both sides by B³, and left "
        "out of the response by CEAF_e",
        "stanza": "entities of one mention are scored, but left out on both sides by LEA",
    },
    "mentions": {
        "all": "all mentions are scored",
        "np-only": "mentions that are verb phrases are left out, as by coval's NP_only",
        "without-nested": "mentions within another of their entity are left out, as by coval's "
        "remove_nested",
    },
    "match": {
        "exact": "mentions match if they have the same words",
        "head": "mentions match if they have the same words or, one to one, the same head",
        "partial": "mentions match if they have the same words or, one to one, if the response's "
        "lies within the key's and holds its head or minimum span",
        "lenient": "mentions match if they have the same words or, one to one and as many as "
        "possible, if the response's lies within the key's and holds its head or minimum span",
        "min-span": "mentions match if the key's parse gives them the same minimum span, as by "
        "coval's min_span",
    },
    "repeats": {
        "first": "of a mention that one side lists twice, the first entity counts",
        "error": "no mention may be listed twice",
        "all": "a mention that one side lists twice counts in each of its entities",
        "reference": "a mention that one side lists twice counts as in the CoNLL reference scorer",
        "listed": "a mention that one side lists twice counts as in coval",
    },
    "lookup": {
        "pairs": "the pairs of matching mentions are scored",
        "table": "mentions are looked up in one table, as in the CorefUD scorer",
    },
    "blanc": {
        "reference": "BLANC is as in the CoNLL reference scorer where a side has no link of a kind",
        "luo2014": "BLANC is as Luo et al. (2014) define it",
        "recasens2011": "BLANC looks only at mentions that both sides have, as Recasens and Hovy "
        "(2011) define it",
        "corefud": "BLANC is as in the CorefUD scorer where a side has no link",
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
    "singletons": "entities of one mention",
    "mentions": "mentions scored",
    "match": "matching of mentions",
    "repeats": "mentions listed twice",
    "lookup": "look-up",
    "blanc": "BLANC without links",
    "average": "average over documents",
}


def clause(policies: Policies, policy: str) -> str:
    """What a policy does at its present value."""
    return CLAUSES[policy][getattr(policies, policy)]
