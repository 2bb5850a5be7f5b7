"""Moosavi & Strube 2016: what the experiments on data share."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from corescore.corpus.documents import Corpus
from corescore.counting.counts import MEASURES, harmonic_mean_of
from corescore.metrics import CONLL
from corescore.replication.experiment import Check, Setting
from corescore.replication.printed import Printed
from corescore.scoring.scores import Result, score
from corescore.util import HALF_A_PLACE, TOLERANCE, WHOLE
from corescore.wording import listed, out_of, written

_COUNTS = pd.read_csv(Path(__file__).with_name("counts.csv"), comment="#")

# The numbers in the running text, by their names.
COUNTS = {str(name): float(n) for name, n in zip(_COUNTS["name"], _COUNTS["value"], strict=True)}

# Their responses are changed mention by mention and their sizes told from the scores: each mention
# is in one entity, and all metrics score the same ones.
ALLOWED = {"singletons": ("keep", "drop"), "repeats": ("first", "error")}

KEY_SIZES = ("key_mentions", "key_entities")

_SHOWN = ["system", "metric", *MEASURES, "mentions", "entities"]


def results(setting: Setting, responses: Mapping[str, Corpus]) -> dict[str, Result]:
    key, _ = setting.data
    return {
        name: score(key, response, setting.policies, metrics=setting.metrics)
        for name, response in responses.items()
    }


def score_rows(results: Mapping[str, Result], setting: Setting) -> pd.DataFrame:
    """Rows (system, metric), "conll" last where its three are there; recall, precision, f1."""
    names = [metric.id for metric in setting.metrics]
    rows = [
        (system, name, *(getattr(result[name], ratio) for ratio in MEASURES))
        for system, result in results.items()
        for name in [*names, *(["conll"] if "conll" in result.scores else [])]
    ]
    return pd.DataFrame(rows, columns=["system", "metric", *MEASURES])


def sizes_of(result: Result) -> dict[str, int]:
    """Mentions and entities of the response and of the key."""
    of = {name: int(result.sizes[name].sum()) for name in KEY_SIZES}
    mine = {name: int(result.sizes[f"response_{name}"].sum()) for name in ("mentions", "entities")}
    return mine | of


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that a page has room for."""
    return table[_SHOWN]


def column(table: pd.DataFrame, system: str, value: str = "f1") -> "pd.Series[float]":
    """One column of the rows of a system, by metric."""
    return table[table["system"] == system].set_index("metric")[value]


def printed_numbers(printed: Printed) -> pd.DataFrame:
    """The printed scores, with the mentions and entities of the key that §2 gives."""
    return printed.numbers.assign(**{name: COUNTS[name] for name in KEY_SIZES})


EXACT, PRINTED = 0.0, HALF_A_PLACE  # how far a computed and a printed fraction may be off


# What scores tell of the response that was scored: how many links and entities it has -------------
# Recall and precision of a metric are one sum over two totals, of the key and of the response. So
# the total of the response is the key's, times recall, over precision: links by MUC (of each entity
# one fewer than it has mentions), entities by CEAF_e. Printed scores are rounded, which leaves
# bounds.


@dataclass(frozen=True)
class Bounded:
    """A number, and the bounds that it is within."""

    value: float
    low: float
    high: float

    def __add__(self, other: "Bounded") -> "Bounded":
        return Bounded(self.value + other.value, self.low + other.low, self.high + other.high)

    def __sub__(self, other: "Bounded") -> "Bounded":
        return Bounded(self.value - other.value, self.low - other.high, self.high - other.low)

    def times(self, other: "Bounded") -> "Bounded":
        """The product of two numbers that are not negative."""
        return Bounded(self.value * other.value, self.low * other.low, self.high * other.high)

    def allows(self, number: float) -> bool:
        return bool(self.low - WHOLE <= number <= self.high + WHOLE)

    def meets(self, other: "Bounded") -> bool:
        """Whether both can be the same number."""
        return bool(self.low <= other.high + WHOLE and other.low <= self.high + WHOLE)

    def __str__(self) -> str:
        """1,020 exactly, or with how far it may be off: 1,019.9 ± 2.4."""
        off = max(self.high - self.value, self.value - self.low)
        if off < WHOLE:
            return written(self.value, ",.0f")
        return f"{written(self.value, ',.1f')} ± {off:.1f}"


@dataclass(frozen=True)
class Sizes:
    """Of a response: links as MUC counts them, and entities."""

    links: Bounded
    entities: Bounded

    @property
    def mentions(self) -> Bounded:
        return self.links + self.entities

    def __sub__(self, other: "Sizes") -> "Sizes":
        return Sizes(self.links - other.links, self.entities - other.entities)


def response_total(
    table: pd.DataFrame, system: str, metric: str, key_total: float, half: float = EXACT
) -> Bounded | None:
    """What a metric divides precision by; `half` is how far a score may be off. None if nothing
    earned credit."""
    recall, precision = (column(table, system, of)[metric] for of in ("recall", "precision"))
    if min(recall, precision) <= half:
        return None
    low, high = ((recall + sign * half) / (precision - sign * half) for sign in (-1, 1))
    return Bounded(key_total * recall / precision, key_total * low, key_total * high)


def response_sizes(table: pd.DataFrame, system: str, half: float = EXACT) -> Sizes | None:
    """By the scores of MUC and CEAF_e; the table has columns key_mentions and key_entities."""
    mentions, entities = (table[name].iloc[0] for name in ("key_mentions", "key_entities"))
    links = response_total(table, system, "muc", mentions - entities, half)
    counted = response_total(table, system, "ceafe", entities, half)
    return Sizes(links, counted) if links and counted else None


def mention_precision(table: pd.DataFrame, system: str, half: float = EXACT) -> Bounded:
    """The sum of B³ precision over the mentions that `response_sizes` tells of."""
    sizes, precision = response_sizes(table, system, half), column(table, system, "precision")
    assert sizes
    value = precision["bcub"]
    return sizes.mentions.times(Bounded(value, value - half, value + half))


# Moosavi & Strube 2016: whether the F1 and averages of a table are the means they should be -------

HARMONIC = (*CONLL.members, "lea")  # whose F1 is the harmonic mean of recall and precision


def consistent(table: pd.DataFrame, half: float = 0) -> Check:
    """Whether F1 and the average are the means that they should be, as far as rounding tells."""
    rows = table[table["metric"].isin(HARMONIC)]
    scores = rows[[*MEASURES]].to_numpy().tolist()
    fits = [_is_harmonic(recall, precision, f1, half) for recall, precision, f1 in scores]
    means = [_is_mean(column(table, system), half) for system in table["system"].unique()]
    told = [fit for fit in means if fit is not None]
    if not fits:
        return Check(None, "none of these metrics is scored")
    numbers = [f"{out_of(sum(fits), len(fits))} F1"]
    numbers += [f"{out_of(sum(told), len(told))} averages"] if told else []
    return Check(all([*fits, *told]), f"{listed(numbers)} fit")


def _is_harmonic(recall: float, precision: float, f1: float, half: float) -> bool:
    low, high = (
        harmonic_mean_of(max(recall + by, 0), max(precision + by, 0)) for by in (-half, half)
    )
    return low - half - TOLERANCE <= f1 <= high + half + TOLERANCE


def _is_mean(f1: "pd.Series[float]", half: float) -> bool | None:
    if not {CONLL.id, *CONLL.members} <= {*f1.index}:
        return None
    return bool(abs(f1[[*CONLL.members]].mean() - f1[CONLL.id]) <= 2 * half + TOLERANCE)
