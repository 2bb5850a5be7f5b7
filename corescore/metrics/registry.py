"""The registry: every metric, in the order in which they are shown, and look-ups by id.

To add a metric, add its record to `METRICS`; a variant is added in `corescore.metrics.variants`.

CoNLL: the mean of the F1 of MUC, B³ and CEAFₑ (Pradhan et al. 2012).
"""

import copyreg
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields

from corescore.corpus.problems import PolicyError, choose
from corescore.metrics.blanc import BLANC, BLANC_VARIANTS
from corescore.metrics.diagnostics import LINKS, MENTION_DIAGNOSTICS, MENTIONS, RAND
from corescore.metrics.metric import Average, Metric
from corescore.metrics.standard import BCUB, CEAFE, CEAFM, LEA, MUC
from corescore.metrics.textbook import F1, Entities, Step, mean_step
from corescore.metrics.variants import VARIANTS
from corescore.wording import spelled

__all__ = ["BLANC_VARIANTS", "CONLL", "MENTION_DIAGNOSTICS", "VARIANTS"]

_MEMBERS = (MUC, BCUB, CEAFE)


def _steps(key: Entities, response: Entities) -> list[Step]:
    f1 = [member.textbook(key, response)[-1] for member in _MEMBERS if member.textbook]
    return [mean_step(F1, f1)]


CONLL = Average(
    id="conll",
    title="CoNLL",
    members=tuple(member.id for member in _MEMBERS),
    colour="#808692",
    textbook=_steps,
)

METRICS: tuple[Metric, ...] = (
    MUC,
    BCUB,
    CEAFM,
    CEAFE,
    BLANC,
    LEA,
)

DIAGNOSTICS: tuple[Metric, ...] = (MENTIONS, LINKS, RAND)

METRIC_IDS = tuple(metric.id for metric in METRICS)
SCORE_IDS = (*METRIC_IDS, CONLL.id)  # what tables and charts for readers show

_SEVERAL = {"all": METRICS, CONLL.id: _MEMBERS}

CREDITED_IDS = tuple(metric.id for metric in METRICS if metric.credit)

HOW_MANY = spelled(len(METRICS))  # "six"

_EVERY: tuple[Metric | Average, ...] = (*METRICS, *DIAGNOSTICS, CONLL)

ROW_IDS = tuple(row.id for row in _EVERY)

# What is scored only when it is named.
NAMED: tuple[Metric, ...] = (*VARIANTS, *MENTION_DIAGNOSTICS)

ROWS = {row.id: row for row in (*_EVERY, *NAMED)}

VARIANT_IDS = tuple(metric.id for metric in VARIANTS)

BESIDE_IDS = tuple(metric.id for metric in (*DIAGNOSTICS, *NAMED))

ALIASES = {  # other names of metrics, in small letters
    **{row.title.lower(): row.id for row in ROWS.values()},
    **{row: row for row in ROWS},
    **dict.fromkeys(("b3", "b-cubed", "bcubed", "b_cubed", "b cubed"), "bcub"),
    **dict.fromkeys(("conll_score", "conll-score", "conll f1"), "conll"),
    **dict.fromkeys(("ceaf_e", "ceaf-e", "ceaf_phi4", "ceafφ4"), "ceafe"),
    **dict.fromkeys(("ceaf_m", "ceaf-m", "ceaf_phi3", "ceafφ3"), "ceafm"),
    # Former names, which links to pages may hold.
    "mention identification": "mentions",
    "coreference links": "links",
    "conll average": "conll",
    "mention overlap": "mor",
    "ceafₘ on links": "ceafm-links",
    "ceafₑ on links": "ceafe-links",
}

# For metrics without a colour of their own, in the order of the registry.
NEUTRAL = ("#8F7A66", "#6B8A4A", "#8C74B8", "#B0715A")


def metric_of(name: str, metrics: Sequence[Metric] = (*METRICS, *DIAGNOSTICS, *NAMED)) -> Metric:
    """The metric of this name among some metrics. Raises PolicyError if there is none."""
    known = {metric.id: metric for metric in metrics}
    return known[id_among(name, known)]


def metrics_of(names: "Sequence[Metric | str] | Metric | str") -> tuple[Metric, ...]:
    """Metrics given as objects or by name, each once: "conll" is the three that it is the mean of,
    "all" the six."""
    given = (names,) if isinstance(names, Metric | str) else names
    if not isinstance(given, Iterable):
        raise TypeError(f"metrics is {names!r}; expected a metric or several, such as 'lea'")
    made: list[Metric] = []
    for one in given:
        if isinstance(one, Metric):
            named: Sequence[Metric] = (one,)
        elif not isinstance(one, str):
            raise TypeError(f"a metric is {one!r}; expected a Metric, or a name such as 'lea'")
        else:
            named = _SEVERAL.get(id_of(one).lower()) or (metric_of(one),)
        made += [metric for metric in named if metric not in made]
    if not made:
        raise PolicyError("metrics is empty; expected one metric or several, such as 'lea'")
    return tuple(made)


def id_of(name: str) -> str:
    """The id of a metric by any of its names, such as "B3" or "ceaf_e"; another name as it is."""
    return ALIASES.get(str(name).strip().lower(), name)


def id_among(name: str, known: Iterable[str]) -> str:
    """The one of the known ids that a name is or means. Raises PolicyError if there is none."""
    ids = tuple(known)
    return choose("metric", name if name in ids else id_of(name), ids)


def name_of(row: str) -> str:
    """The name of a row of a score table, everywhere: "CEAFₘ", "BLANC, coreference links".

    The id itself where the metric is not registered.
    """
    if row in ROWS:
        return ROWS[row].title
    metric, _, part = row.rpartition(".")
    return f"{ROWS[metric].title}, {part.replace('_', '-')} links" if metric in ROWS else row


def colour_of(row: str) -> str:
    """The colour of a row of a score table; a part or a variant of a metric ("blanc_0.2") has the
    metric's."""
    known = ROWS.get(row) or ROWS.get(re.split("[._]", row)[0])
    if known and known.colour:
        return known.colour
    without = [metric.id for metric in METRICS if not metric.colour]
    return NEUTRAL[(without.index(known.id) if known else 0) % len(NEUTRAL)]


# Between processes --------------------------------------------------------------------------------

_REGISTERED = {metric.id: metric for metric in (*METRICS, *DIAGNOSTICS, *NAMED)} | {
    f"{BLANC.id} {policy}": metric for policy, metric in BLANC_VARIANTS.items()
}


def _registered(name: str) -> Metric:
    return _REGISTERED[name]


def _reduced(metric: Metric) -> tuple[Callable[..., Metric], tuple[object, ...]]:
    """A registered metric is pickled by its name: its formulas may be closures."""
    named = [name for name, known in _REGISTERED.items() if known is metric]
    if named:
        return _registered, (named[0],)
    return Metric, tuple(getattr(metric, field.name) for field in fields(Metric))


copyreg.pickle(Metric, _reduced)
