"""The policies that other scorers amount to, and which metrics they have."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from corescore.corpus.problems import choose
from corescore.counting.policies import Policies


class Preset(NamedTuple):
    """Another scorer as data.

    id        its name on the command line, such as "perl"
    title     its name in sentences
    policies  what it does
    metrics   the ids of the metrics that it has, of those that we score
    about     what else is to be known of it
    """

    id: str
    title: str
    policies: Policies
    metrics: tuple[str, ...]
    about: str


_CONLL = ("muc", "bcub", "ceafe")
_FIVE = ("muc", "bcub", "ceafm", "ceafe", "blanc")
PRESETS: Mapping[str, Preset] = {
    preset.id: preset
    for preset in (
        Preset(
            "perl",
            "the CoNLL reference scorer v8.01",
            Policies(repeats="reference", words="ignore", split_antecedents="drop"),
            _FIVE,
            "It compares positions, not words. It cuts percentages after two decimals, and refuses "
            "a response with more than ten repeats, which we do not.",
        ),
        Preset(
            "coval",
            "coval",
            Policies(
                repeats="listed",
                words="ignore",
                missing_documents="error",
                split_antecedents="drop",
            ),
            ("muc", "bcub", "ceafe", "lea"),
            "It compares positions, not words. Its CEAFₘ divides by entities instead of "
            "mentions, so it is left out.",
        ),
        Preset(
            "corefud",
            "the CorefUD scorer 1.2",
            Policies(
                match="head",
                singletons="drop",
                repeats="all",
                blanc="corefud",
                lookup="table",
                missing_documents="error",
                split_antecedents="drop",
            ),
            (*_FIVE, "lea", "zero", "mor"),
            "A shared task averages its CoNLL score over data sets.",
        ),
        Preset(
            "ua",
            "the Universal Anaphora scorer 1.0",
            Policies(
                repeats="listed",
                blanc="corefud",
                words="ignore",
                missing_documents="skip",
                zeros="words",
            ),
            (*_FIVE, "lea"),
            "It keeps singletons. Version 2.0, ua2, drops them. It compares positions, not words, "
            "counts zeros as words, and skips documents missing from the response. Its partial "
            "matching, by minimum spans, is match 'partial'.",
        ),
        Preset(
            "ua2",
            "the Universal Anaphora scorer 2.0",
            Policies(
                singletons="drop",
                repeats="listed",
                blanc="corefud",
                missing_documents="error",
                zeros="drop",
                split_antecedents="drop",
            ),
            (*_FIVE, "lea"),
            "Called without options, as the ua-scorer.py that comes with corefud-scorer: without "
            "singletons, zeros and split antecedents. It drops singletons before zeros, so an "
            "entity of a zero and one other mention stays there as a singleton.",
        ),
        Preset(
            "e2e",
            "the scorer of e2e-coref, fastcoref and AllenNLP",
            Policies(singletons="e2e", repeats="e2e", split_antecedents="drop"),
            _CONLL,
            "MUC as it is, B³ without singletons on either side, CEAFₑ without singletons of "
            "the response. Under B³ a mention that a singleton lists last is in no entity.",
        ),
        Preset(
            "scorch",
            "scorch 0.2",
            Policies(
                blanc="scorch",
                average="scorch",
                words="ignore",
                missing_documents="skip",
                split_antecedents="drop",
            ),
            _FIVE,
            "It compares positions, not words, adds the response's own mentions to the key as "
            "singletons, and averages over documents. BLANC of a document whose key then has a "
            "single mention is 1.",
        ),
        Preset(
            "stanza",
            "the scorer of Stanza",
            Policies(
                singletons="stanza", repeats="stanza", average="stanza", split_antecedents="drop"
            ),
            (*_CONLL, "lea"),
            "LEA without singletons. It averages recall and precision over documents, but divides "
            "LEA's sums. If the key of a document has no entity, CEAFₑ has no average. It removes "
            "no repeat, so B³ counts a mention in every entity that lists it.",
        ),
    )
}

# Shared tasks: the settings of the CorefUD scorer for each mean of CoNLL scores over data sets that
# a table of theirs has, by its headings, the primary one first. https://ufal.mff.cuni.cz/corefud
_CRAC = {
    "head match": {},
    "partial match": {"match": "partial"},
    "exact match": {"match": "exact"},
    "with singletons": {"singletons": "keep"},
}
SHARED_TASKS: Mapping[str, Mapping[str, Mapping[str, str]]] = {"crac2024": _CRAC, "crac2025": _CRAC}
SCORER_OF_TASKS = "corefud"

# What a scorer does to singletons where that depends on the metric; for others they are kept.
SINGLETONS_BY_METRIC: Mapping[str, Mapping[str, str]] = {
    "e2e": {"bcub": "drop", "ceafe": "drop-response"},
    "stanza": {"lea": "drop"},
}

# Of which Stanza's scorer prints the score of the sums, not an average over documents.
SUMMED_BY_STANZA = ("lea",)

# Of which Stanza's scorer has no average as soon as the key of a document has no entity.
EMPTY_WITHOUT_KEY = ("ceafe",)


def is_stanza(policies: Policies) -> bool:
    """Whether singletons and averages are as in Stanza's scorer, whatever is matched."""
    return policies.singletons == policies.average == "stanza"


def policies_for(policies: Policies, metric: str) -> Policies:
    """The policies for one metric, by its id, where singletons are a choice by metric."""
    if policies.singletons not in SINGLETONS_BY_METRIC:
        return policies
    own: Any = SINGLETONS_BY_METRIC[policies.singletons].get(metric, "keep")
    return replace(policies, singletons=own)


def preset(name: str, **policies: str) -> dict[str, Any]:
    """Keyword arguments with which `corescore.score` scores as another scorer does.

    name      perl, coval, corefud, ua, ua2, e2e, scorch or stanza
    policies  policies that differ from the preset's, such as match="partial"

    `score(key, response, **preset("corefud", match="partial"))`. Raises PolicyError for an unknown
    name or policy.

    >>> import corescore
    >>> made = corescore.score("key.conll", "cautious.conll", **corescore.preset("coval"))
    >>> [*made]
    ['muc', 'bcub', 'ceafe', 'lea', 'mentions', 'links', 'rand', 'conll']
    """
    scorer = PRESETS[choose("preset", name, PRESETS)]
    changed = Policies.of({**asdict(scorer.policies), **policies})
    return {**asdict(changed), "metrics": scorer.metrics}


def preset_of(policies: Policies, metrics: tuple[str, ...], *, split_antecedents: bool) -> str:
    """The id of the preset that these policies and metrics are; "" if they are none.

    split_antecedents  whether the files have any
    """
    same = (
        known.id
        for known in PRESETS.values()
        if policies.amount_to(known.policies, split_antecedents=split_antecedents)
        and set(known.metrics) == set(metrics)
    )
    return next(same, "")
