"""What an experiment is: a set-up, parameters, a function that makes a table, and claims."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import floor, log10
from typing import Any, Literal

import numpy as np
import pandas as pd

from corescore.bibliography import Paper
from corescore.corpus.documents import Corpus, Document
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.pairing import on_key_words
from corescore.counting.policies import DEFAULTS, Policies
from corescore.metrics import METRICS, Metric
from corescore.replication.printed import Printed, comparable
from corescore.scoring.tally import settings_of
from corescore.util import once
from corescore.version import __version__
from corescore.wording import counted

Value = int | float | str

ChartKind = Literal["lines", "bars", "surface", "matrix", "points", "table"]


@dataclass(frozen=True)
class Parameter:
    """A parameter; its default is the paper's value, or ours where the paper gives none.

    A number lies between `minimum` and `maximum`, a word is one of `choices`, and any other text
    must be accepted by `reads`. For a key of the user's own, `of_key` makes the value of it, from
    the sizes of its entities and the default.
    """

    id: str
    title: str
    default: Value
    about: str
    minimum: float = 0
    maximum: float = 0
    choices: tuple[str, ...] = ()
    reads: Callable[[str], object] | None = None
    of_key: "Callable[[Sequence[int], Value], str] | None" = None

    @property
    def step(self) -> float:
        """How far a slider moves a number at once: a power of ten, of which it has 50 or more."""
        if isinstance(self.default, int):
            return 1
        return float(10.0 ** floor(log10((self.maximum - self.minimum) / 50)))

    def checked(self, value: Value) -> Value:
        """The value in the type of the default.

        Raises PolicyError for a value that is not allowed, and what `reads` raises (PolicyError or
        InputError).
        """
        if self.reads:
            self.reads(str(value))
            return str(value)
        if isinstance(self.default, str):
            return choose(self.title, str(value), self.choices)
        try:
            number = type(self.default)(value)
        except ValueError:
            number = None
        if number is None or not self.minimum <= number <= self.maximum:
            kind = "a whole number" if isinstance(self.default, int) else "a number"
            bounds = f"{self.minimum:,} to {self.maximum:,}"
            raise PolicyError(f"{self.title} is '{value}'; expected {kind} from {bounds}")
        return number


@dataclass(frozen=True)
class Setting:
    """What an experiment runs with.

    values         its parameters by their ids
    metrics        the metrics to score by: those of the registry, perhaps with the user's own
    key, response  the data of an experiment on data
    policies       how these are scored; any other experiment has entities of its own, which it
                   scores by the defaults
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    metrics: tuple[Metric, ...] = METRICS
    key: Corpus | None = None
    response: Corpus | None = None
    policies: Policies = DEFAULTS

    def text(self, parameter: str) -> str:
        return str(self.values[parameter])

    def number(self, parameter: str) -> int:
        return int(self.values[parameter])

    @property
    def data(self) -> tuple[Corpus, Corpus]:
        """Key and response, which `Experiment.setting` requires of an experiment on data."""
        assert self.key is not None
        assert self.response is not None
        return self.key, self.response


@dataclass(frozen=True)
class Check:
    """Whether something holds here (None: nothing shows it), and the numbers."""

    holds: bool | None
    numbers: str

    def __post_init__(self) -> None:
        # JSON does not know the type of numpy, which is not the same as True
        object.__setattr__(self, "holds", None if self.holds is None else bool(self.holds))


@dataclass(frozen=True)
class Claim:
    """An observation of a paper, in our words.

    where  the section or caption it is from
    check  decides from the experiment's table whether it holds
    note   anything else a reader should know
    id     its name among the claims of the experiment
    """

    says: str
    where: str
    check: Callable[[pd.DataFrame], Check]
    note: str = ""
    id: str = ""


@dataclass(frozen=True)
class Chart:
    """How a table is drawn.

    kind     "lines" (y over the numbers x), "bars" (y over the names x), "surface" (y over x and
             `facet`), "matrix" (y as the shade of x against `facet`), "points" (y against x, with
             a panel for each value of `facet`, headed by its "correlation" if there is such a
             column) or "table" (no chart)
    x, y     columns of the table; fractions are drawn in percent
    facet    a column with one panel for each of its values; "" for a single panel
    x_title, y_title, facet_title  titles of the axes (`facet` is an axis of some kinds)
    low, high  columns of a band around y, if the table has them
    select   selects or computes the rows to draw; by default the whole table is drawn
    """

    kind: ChartKind
    x: str = ""
    y: str = "f1"
    x_title: str = ""
    y_title: str = "F1, percent"
    facet: str = ""
    facet_title: str = ""
    low: str = "low"
    high: str = "high"
    select: Callable[[pd.DataFrame], pd.DataFrame] | None = None


@dataclass(frozen=True)
class Experiment:
    """A figure or table of a paper that can be run again.

    id, title   its name on the command line, and in words
    paper, where  the paper, and which figure or table of it
    setup       a description: what is done, what the paper leaves open and what we chose
    run         makes a tidy table of fractions; the function's docstring explains its columns
    claims      the paper's observations
    on_data     whether it runs on the user's key and response
    allowed     of some policies, the values that it can be scored by; of all others, any
    printed     the tables of the paper whose figures are shown beside the computed ones
    finding     a sentence about the table, before how many claims hold
    former      ids it had before, which commands and links still accept
    """

    id: str
    paper: Paper
    where: str
    title: str
    setup: str
    run: Callable[[Setting], pd.DataFrame]
    chart: Chart
    claims: tuple[Claim, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    on_data: bool = False
    allowed: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    printed: tuple[Printed, ...] = ()
    finding: Callable[[pd.DataFrame], str] | None = None
    former: tuple[str, ...] = ()

    def source_of(self, printed: Printed) -> str:
        """The paper and the place in it that print these figures."""
        return (printed.paper or self.paper).at(printed.where)

    @property
    def takes_key(self) -> bool:
        """Whether a key of the user's own can take the place of the paper's: `values_of_key`."""
        return any(parameter.of_key for parameter in self.parameters)

    def values_of_key(self, document: Document, *, singletons: str = "keep") -> dict[str, Value]:
        """The values of parameters that make a document of a key the key of the experiment.

        singletons  "drop" leaves out its entities of one mention

        Raises PolicyError for a document that cannot be: too large, without a link, or without
        the entities that are asked for.
        """
        sizes = np.bincount(document.entity_of, minlength=document.n_entities)
        least = 2 if singletons == "drop" else 1
        ordered = sorted(sizes[sizes >= least].tolist(), reverse=True)
        return {
            one.id: one.checked(one.of_key(ordered, one.default))
            for one in self.parameters
            if one.of_key
        }

    def setting(
        self,
        values: Mapping[str, Value] | None = None,
        *,
        metrics: Sequence[Metric] = METRICS,
        key: Corpus | None = None,
        response: Corpus | None = None,
        policies: Policies = DEFAULTS,
    ) -> Setting:
        """The default setting with these parameters changed.

        Raises PolicyError for an unknown parameter, a value that is not allowed, an experiment
        on data without data, policies for one that is not on data, and a policy that is not
        `allowed`.
        """
        if self.on_data and (key is None or response is None):
            raise PolicyError(f"experiment '{self.id}' runs on data; expected a key and a response")
        if not self.on_data and policies != DEFAULTS:
            raise PolicyError(
                f"experiment '{self.id}' scores entities of its own by the default policies; "
                "expected no policies"
            )
        for name, allowed in self.allowed.items():
            choose(f"{name} of experiment '{self.id}'", getattr(policies, name), allowed)
        if key and response and policies.words == "align":
            response = on_key_words(key, response)
        known = {parameter.id: parameter for parameter in self.parameters}
        given = {
            name: known[choose("parameter", name, known)].checked(value)
            for name, value in (values or {}).items()
        }
        defaults = {name: parameter.default for name, parameter in known.items()}
        return Setting({**defaults, **given}, tuple(metrics), key, response, policies)


@dataclass(frozen=True)
class Outcome:
    """The result of an experiment: its table, and the check of each claim.

    >>> import corescore
    >>> outcome = corescore.experiment("moosavi2016-fig2")
    >>> outcome.table.query("metric == 'lea'")[["order", "step", "recall"]].tail(2)
          order  step    recall
    376  random   0.9  0.740506
    383  random   1.0  1.000000
    """

    experiment: Experiment
    setting: Setting
    table: pd.DataFrame
    checks: tuple[tuple[Claim, Check], ...]

    def __repr__(self) -> str:
        n_holding = sum(check.holds is True for _, check in self.checks)
        return (
            f"Outcome: {n_holding} of {counted(len(self.checks), 'claim')} hold | {self.signature}"
        )

    @property
    def drawn(self) -> pd.DataFrame:
        """The rows that the chart draws."""
        select = self.experiment.chart.select
        return select(self.table) if select else self.table

    @property
    def by_claim(self) -> dict[str, Check]:
        """The check of each claim by the claim's id."""
        return {claim.id: check for claim, check in self.checks}

    def beside(self, printed: Printed) -> pd.DataFrame:
        """The figures of one of the paper's tables next to those of the table."""
        return printed.beside(self.table)

    @cached_property
    def figures_matched(self) -> tuple[int, int]:
        """How many of the paper's figures are computed from the same data, and how many match."""
        printed = [one for one in self.experiment.printed if one.same_data]
        both = [comparable(self.beside(one))["differs"] for one in printed]
        return sum(map(len, both)), sum(int((~differs).sum()) for differs in both)

    @property
    def signature(self) -> str:
        """One line: the experiment, its parameters and, on data, policies and documents."""
        values = [f"{name} {value}" for name, value in self.setting.values.items()]
        key = self.setting.key
        settings = settings_of(self.setting.policies)
        on = [f"{settings} over {counted(len(key), 'document')}"] if key else []
        where = self.experiment.paper.at(self.experiment.where)
        return " | ".join([f"corescore {__version__}", where, *values, *on])

    def plot(self) -> Any:
        """The plotly figure of its table; None for an experiment that is only a table."""
        from corescore.plots.experiments import draw

        return draw(self.experiment.chart, self.drawn)

    def _repr_html_(self) -> str:
        """What a notebook shows: which claims hold, the table, and the printed figures beside."""
        from corescore.rendering.notebook import outcome

        return str(outcome(self))


@once
def in_paper(experiment: Experiment) -> Outcome:
    """The outcome of an experiment without data in the paper's setting, run once in a process."""
    return run(experiment)


def run(experiment: Experiment, setting: Setting | None = None) -> Outcome:
    """Runs an experiment, by default in the paper's setting. Raises as `Experiment.setting`."""
    setting = setting or experiment.setting()
    table = experiment.run(setting)
    checks = tuple((claim, claim.check(table)) for claim in experiment.claims)
    return Outcome(experiment, setting, table, checks)
