"""How something was scored, as a paragraph for a paper."""

from collections.abc import Collection

from corescore.counting.policies import Policies
from corescore.metrics import CONLL, DIAGNOSTICS, title_of
from corescore.scoring.presets import PRESETS
from corescore.scoring.scores import Scores
from corescore.sentences.policies import clause
from corescore.version import __version__
from corescore.wording import capital, counted, listed


def statement(result: Scores, *, equal: Collection[str] = ()) -> str:
    """Names the metrics, the scorer that the policies amount to, the policies and the version.

    equal  ids of the scorers that give the same scores on these files: `equal_here`

    Plain text; policies that have nothing to decide, such as those for zeros in a text without
    any, are left out.
    """
    metrics = [metric.id for metric in result.metrics if metric not in DIAGNOSTICS]
    average = (
        " The CoNLL average is the mean of the F1 of MUC, B³ and CEAF_e (Pradhan et al., 2012)."
        if set(CONLL.members) <= set(metrics)
        else ""
    )
    clauses = "; ".join(clause(result.policies, name) for name in _told(result, metrics))
    n = counted(len(result.documents), "document")
    return (
        f"We report {listed(map(title_of, metrics))}.{average} Scores were computed with corescore "
        f"{__version__}{_scorer(result.policies, metrics)} over {n}. {capital(clauses)}. "
        f"{_equal(result.policies, equal, metrics)}"
        f"Signature: {result.signature}."
    )


def _scorer(policies: Policies, metrics: list[str]) -> str:
    """The scorers whose policies these are."""
    same = [preset for preset in PRESETS.values() if preset.policies == policies]
    said = [f"{preset.title}{_without(preset.metrics, metrics)}" for preset in same]
    return f", by the rules of {listed(said)}," if said else ""


def _equal(policies: Policies, equal: Collection[str], metrics: list[str]) -> str:
    """The scorers of other policies that give the same scores on the files."""
    others = [PRESETS[name] for name in equal if PRESETS[name].policies != policies]
    said = [f"{preset.title}{_without(preset.metrics, metrics)}" for preset in others]
    verb = "gives" if len(said) == 1 else "give"
    return f"On these files, {listed(said)} {verb} identical scores. " if said else ""


def _without(has: tuple[str, ...], metrics: list[str]) -> str:
    """ " (all metrics but LEA)", or the metrics it has if it lacks two or more."""
    lacks = [title_of(metric) for metric in metrics if metric not in has]
    if len(lacks) < 2:
        return f" (all metrics but {lacks[0]})" if lacks else ""
    return f" ({listed(title_of(metric) for metric in metrics if metric in has)})"


def _told(result: Scores, metrics: list[str]) -> list[str]:
    """The policies that are named, in the order of the work."""
    comparison, policies = result.comparison, result.policies
    sides = (*comparison.key, *comparison.response)
    has_zeros = any(document.empty_nodes for document in sides)
    defaults = Policies()
    told = {
        "words": True,
        "missing_documents": policies.missing_documents != defaults.missing_documents,
        "zeros": has_zeros or policies.zeros != defaults.zeros,
        "mentions": policies.mentions != defaults.mentions,
        "singletons": True,
        "match": True,
        "repeats": True,
        "lookup": policies.lookup != defaults.lookup,
        "blanc": "blanc" in metrics,
        "average": True,
    }
    return [name for name, is_told in told.items() if is_told]
