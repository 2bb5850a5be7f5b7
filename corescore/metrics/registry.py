"""The registry: every metric, in the order in which they are shown, and look-ups by id.

To add a metric, add its record to `METRICS`; a variant is added in `corescore.metrics.variants`.

The CoNLL average: the mean of the F1 of MUC, B³ and CEAF_e (Pradhan et al. 2012).
"""

import copyreg
import re
from collections.abc import Callable, Sequence
from dataclasses import fields

from corescore.bibliography import DENIS_2009, PRADHAN_2011
from corescore.corpus.problems import choose
from corescore.metrics.bcub import BCUB
from corescore.metrics.blanc import BLANC, BLANC_VARIANTS
from corescore.metrics.ceaf import CEAFE, CEAFM
from corescore.metrics.diagnostics import LINKS, MENTION_DIAGNOSTICS, MENTIONS, RAND
from corescore.metrics.lea import LEA
from corescore.metrics.metric import GREY, NO_SHARED_MENTION, Average, Card, Formulas, Metric
from corescore.metrics.muc import MUC
from corescore.metrics.textbook import F1, Entities, Step, mean_step
from corescore.metrics.variants import VARIANTS
from corescore.wording import spelled

__all__ = ["BLANC_VARIANTS", "CONLL", "MENTION_DIAGNOSTICS", "VARIANTS"]

_CARD = Card(
    id="conll",
    name="the CoNLL average",
    counts=(
        "Nothing of its own: it is the mean of the F1 of MUC, B³ and CEAFₑ. The shared tasks of "
        "2011 and 2012 ranked systems by it."
    ),
    parts=(
        Formulas(
            recall="",
            precision="",
            f1=r"\frac{F_1^{\mathrm{MUC}} + F_1^{\mathrm{B}^3} + F_1^{\mathrm{CEAF}_e}}{3}",
        ),
    ),
    symbols=((r"F_1^{\mathrm{MUC}}", "the F1 of MUC, and so on"),),
    unit="None: its three metrics count links, mentions and entities, which have no common unit.",
    one="both sides have the same entities, and one of them has two or more mentions",
    zero=NO_SHARED_MENTION,
    empty=(
        "Where neither side has a mention, it is empty. Where only MUC is empty, because there are "
        "only singletons, it counts as 0 in the mean."
    ),
    examples=(("{a}{b}", "{a}{b}"), ("", "")),
    papers=(DENIS_2009, PRADHAN_2011),
)

_MEMBERS = (MUC, BCUB, CEAFE)


def _steps(key: Entities, response: Entities) -> list[Step]:
    f1 = [member.textbook(key, response)[-1] for member in _MEMBERS if member.textbook]
    return [mean_step(F1, f1)]


CONLL = Average(
    id="conll",
    title="CoNLL",
    name="CoNLL average",
    members=tuple(member.id for member in _MEMBERS),
    colour=GREY,
    textbook=_steps,
    card=_CARD,
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

CREDITED_IDS = tuple(metric.id for metric in METRICS if metric.credit)

HOW_MANY = spelled(len(METRICS))  # "six"

_EVERY: tuple[Metric | Average, ...] = (*METRICS, *DIAGNOSTICS, CONLL)

ROW_IDS = tuple(row.id for row in _EVERY)

# What is scored only when it is named.
NAMED: tuple[Metric, ...] = (*VARIANTS, *MENTION_DIAGNOSTICS)

ROWS = {row.id: row for row in (*_EVERY, *NAMED)}

VARIANT_IDS = tuple(metric.id for metric in VARIANTS)

BESIDE_IDS = tuple(metric.id for metric in (*DIAGNOSTICS, *NAMED))

# For metrics without a colour of their own, in the order of the registry.
NEUTRAL = ("#8F7A66", "#6B8A4A", "#8C74B8", "#B0715A")


def metric_of(name: str, metrics: Sequence[Metric] = (*METRICS, *DIAGNOSTICS, *NAMED)) -> Metric:
    """The metric with this id among some metrics. Raises PolicyError if there is none."""
    known = {metric.id: metric for metric in metrics}
    return known[choose("metric", name, known)]


def name_of(row: str) -> str:
    """The page name of a row of a score table: "CEAFₘ", "BLANC, coreference links".

    The id itself where the metric is not registered.
    """
    if row in ROWS:
        return ROWS[row].name
    metric, _, part = row.rpartition(".")
    return f"{ROWS[metric].name}, {_part(part)}" if metric in ROWS else row


def title_of(row: str) -> str:
    """The short title of a row, as `name_of`: "CEAF_m", "BLANC coreference links"."""
    if row in ROWS:
        return ROWS[row].title
    metric, _, part = row.rpartition(".")
    return f"{ROWS[metric].title} {_part(part)}" if metric in ROWS else row


def colour_of(row: str) -> str:
    """The colour of a row of a score table; a part or a variant of a metric ("blanc_0.2") has the
    metric's."""
    found = ROWS.get(row) or ROWS.get(re.split("[._]", row)[0])
    if found and found.colour:
        return found.colour
    without = [metric.id for metric in METRICS if not metric.colour]
    return NEUTRAL[(without.index(found.id) if found else 0) % len(NEUTRAL)]


def _part(part: str) -> str:
    return f"{part.replace('_', '-')} links"


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
