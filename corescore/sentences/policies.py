"""What each value of each policy does, as a clause, and how a result was scored, for a paper."""

from collections.abc import Collection, Mapping

from corescore.counting.policies import Policies
from corescore.metrics import CONLL, DIAGNOSTICS, METRIC_IDS, name_of
from corescore.scoring.presets import PRESETS, Preset
from corescore.scoring.scores import Result
from corescore.scoring.tally import Tally
from corescore.version import __version__
from corescore.wording import capital, counted, listed, percent

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
        "words": "zeros count as words of the text",
    },
    "singletons": {
        "keep": "singletons are included",
        "drop": "singletons are removed from both sides",
        "drop-response": "singletons are removed from the response",
        "drop-key": "singletons are removed from the key",
        "e2e": "singletons are included by MUC, removed from both sides by B³, and removed from "
        "the response by CEAFₑ",
        "stanza": "singletons are included, but removed from both sides by LEA",
    },
    "mentions": {
        "all": "all mentions are scored",
        "np-only": "verb-phrase mentions are removed, as by coval's NP_only",
        "without-nested": "mentions nested in another mention of their entity are removed, as by "
        "coval's remove_nested, unless one mention would remain",
    },
    "split_antecedents": {
        "score": "split antecedents are scored, by the rules of the Universal Anaphora scorer",
        "drop": "split antecedents are left out",
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
        "e2e": "a mention listed twice counts as in e2e-coref",
        "stanza": "a mention listed twice counts as in Stanza",
    },
    "lookup": {
        "pairs": "pairs of matching mentions are scored",
        "table": "mentions are looked up in one table, as in the CorefUD scorer",
    },
    "blanc": {
        "reference": "BLANC without links of one kind follows the CoNLL reference scorer",
        "luo2014": "BLANC follows Luo et al. (2014)",
        "recasens2011": "BLANC considers only shared mentions, following Recasens and Hovy (2011)",
        "corefud": "BLANC without links follows the CorefUD scorer",
        "scorch": "BLANC without links follows scorch",
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
    "split_antecedents": "split antecedents",
    "match": "mention matching",
    "repeats": "repeated mentions",
    "lookup": "look-up",
    "blanc": "BLANC without links",
    "average": "averaging over documents",
}


def clause(policies: Policies, policy: str) -> str:
    """What a policy does at its present value."""
    return CLAUSES[policy][getattr(policies, policy)]


# A sentence about how mentions were matched -------------------------------------------------------

_HOW = {
    "head": "by head",
    "partial": "within the key mention, around its head",
    "lenient": "leniently, within the key mention",
    "min-span": "by minimum span",
}


def beside_exact(name: str, result: Result) -> str:
    """What the F1 of each metric would be if only equal spans matched; "" where that is the case.

    So that nobody takes scores of another matching for the exact ones.
    """
    return "" if result.policies.match == "exact" else with_exact(name, result, result.exact)


def with_exact(name: str, result: Tally, exact: Tally) -> str:
    """How mentions are matched, and the F1 of each metric if only equal spans match."""
    rows = listed(
        f"{name_of(metric)} {percent(exact[metric].f1)}"
        for metric in METRIC_IDS
        if metric in exact.scores
    )
    strict, own = (percent(scores[CONLL.id].f1) for scores in (exact, result))
    means = f"{strict}, too" if strict == own else f"{strict} instead of {own}"
    return (
        f"Mentions of {name} are matched {_HOW[result.policies.match]}. If only the same words "
        f"match, its CoNLL score is {means}; F1: {rows}."
    )


def other_spans(n: int, match: str) -> str:
    """How many mentions of a document match with other words; "" if none does."""
    if not n:
        return ""
    verb = "is" if n == 1 else "are"
    return f"{counted(n)} {verb} matched with other words, {_how(match)}: each is drawn twice."


def matched(key: str, response: str, match: str, *, same_span: bool) -> str:
    """Which key mention a response mention was matched with, and how; their words come in."""
    how = "with the same words" if same_span else _how(match)
    return f"The response’s “{response}” is matched with the key’s “{key}”, {how}."


def _how(match: str) -> str:
    return _HOW.get(match, "by the words the zeros depend on")


# How something was scored, as a paragraph for a paper ---------------------------------------------


def statement(result: Result, *, equal: Collection[str] = ()) -> str:
    """Names the metrics, the scorer that the policies amount to, the policies and the version.

    equal  ids of the scorers that give the same scores on these files: `equal_here`

    Plain text; policies that have nothing to decide, such as those for zeros in a text without
    any, are left out.
    """
    metrics = [metric.id for metric in result.metrics if metric not in DIAGNOSTICS]
    average = (
        " CoNLL is the mean of the F1 of MUC, B³ and CEAFₑ (Pradhan et al., 2012)."
        if set(CONLL.members) <= set(metrics)
        else ""
    )
    clauses = "; ".join(clause(result.policies, name) for name in _named_policies(result, metrics))
    return (
        f"We report {listed(map(name_of, metrics))}.{average} Scores were computed with corescore "
        f"{__version__}{_scorer(result, metrics)} over "
        f"{counted(len(result.documents), 'document')}. {capital(clauses)}. "
        f"{_equal(result, equal, metrics)}"
        f"Signature: {result.signature}."
    )


def _is(preset: Preset, result: Result) -> bool:
    """Whether its policies are those of the result, on the files that were scored."""
    split = result.has_split_antecedents
    return result.policies.amount_to(preset.policies, split_antecedents=split)


def _scorer(result: Result, metrics: list[str]) -> str:
    """The scorers whose policies these are."""
    same = [preset for preset in PRESETS.values() if _is(preset, result)]
    titles = [f"{preset.title}{_without(preset.metrics, metrics)}" for preset in same]
    return f", by the rules of {listed(titles)}," if titles else ""


def _equal(result: Result, equal: Collection[str], metrics: list[str]) -> str:
    """The scorers of other policies that give the same scores on the files."""
    others = [PRESETS[name] for name in equal if not _is(PRESETS[name], result)]
    titles = [f"{preset.title}{_without(preset.metrics, metrics)}" for preset in others]
    verb = "gives" if len(titles) == 1 else "give"
    return f"On these files, {listed(titles)} {verb} identical scores. " if titles else ""


def _without(has: tuple[str, ...], metrics: list[str]) -> str:
    """ " (all metrics but LEA)", or the metrics it has if it lacks two or more."""
    lacks = [name_of(metric) for metric in metrics if metric not in has]
    if len(lacks) < 2:
        return f" (all metrics but {lacks[0]})" if lacks else ""
    return f" ({listed(name_of(metric) for metric in metrics if metric in has)})"


def _named_policies(result: Result, metrics: list[str]) -> list[str]:
    """The policies that are named, in the order of the work."""
    comparison, policies = result.comparison, result.policies
    defaults = Policies()
    is_named = {
        "words": True,
        "missing_documents": policies.missing_documents != defaults.missing_documents,
        "zeros": comparison.has_empty_nodes or policies.zeros != defaults.zeros,
        "mentions": policies.mentions != defaults.mentions,
        "singletons": True,
        "split_antecedents": result.has_split_antecedents,
        "match": True,
        "repeats": True,
        "lookup": policies.lookup != defaults.lookup,
        "blanc": "blanc" in metrics,
        "average": True,
    }
    return [name for name, is_told in is_named.items() if is_told]
