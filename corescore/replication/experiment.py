"""What an experiment is: a record of set-up, parameters, a function to a table, and claims."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from corescore.bibliography import Paper
from corescore.corpus.documents import Corpus
from corescore.corpus.problems import PolicyError, choose
from corescore.metrics import METRICS, Metric
from corescore.version import __version__

Value = int | float | str
# Under which experiments on data score, whatever else is chosen: those that are published
_POLICIES = "match exact | singletons keep | repeats first | blanc reference"


@dataclass(frozen=True)
class Parameter:
    """One choice of an experiment; its default is the paper's, or ours where the paper is silent.

    A number lies between `minimum` and `maximum`; a word is one of `choices`; a free text is one
    that `reads` can read.
    """

    id: str
    title: str
    default: Value
    about: str
    minimum: float = 0
    maximum: float = 0
    choices: tuple[str, ...] = ()
    reads: Callable[[str], object] | None = None

    def checked(self, value: Value) -> Value:
        """The value, a number if the default is one; PolicyError where it cannot be taken.

        Raises what `reads` raises (PolicyError or InputError) for a free text it cannot read.
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
            bounds = f"{self.minimum:g} to {self.maximum:g}"
            raise PolicyError(f"{self.title} is '{value}'; expected {kind} from {bounds}")
        return number


@dataclass(frozen=True)
class Setting:
    """What an experiment runs with.

    values         its parameters by their ids
    metrics        the metrics to score by: the six, and perhaps one of the reader's own
    key, response  of an experiment on data
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    metrics: tuple[Metric, ...] = METRICS
    key: Corpus | None = None
    response: Corpus | None = None


@dataclass(frozen=True)
class Check:
    """Whether a claim holds, and the numbers it was read from. None: nothing here to tell it by."""

    holds: bool | None
    numbers: str


@dataclass(frozen=True)
class Claim:
    """What a paper observes, in our words.

    where  the section or caption that says so
    check  the experiment's table → whether it holds there
    note   what a reader should know beside it
    """

    says: str
    where: str
    check: Callable[[pd.DataFrame], Check]
    note: str = ""


@dataclass(frozen=True)
class Chart:
    """How a table is drawn.

    kind     "lines" (y over the numbers x), "bars" (y over the names x), "surface" (y over x and
             `facet`), "matrix" (y as the shade of x against `facet`), "points" (y against x, a
             panel for each value of `facet` with its "correlation" if the table has that column)
             or "table" (not at all)
    x, y     columns of the table; a fraction is drawn in percent
    facet    a column whose values have a panel each, or "" for one panel
    x_title, y_title, facet_title  what the axes say (that of `facet` where it is an axis)
    low, high  columns of a band around y, if the table has them
    of       table → what is drawn of it, where that is not the table as it stands
    """

    kind: str
    x: str = ""
    y: str = "f1"
    x_title: str = ""
    y_title: str = "F1, percent"
    facet: str = ""
    facet_title: str = ""
    low: str = "low"
    high: str = "high"
    of: Callable[[pd.DataFrame], pd.DataFrame] | None = None


@dataclass(frozen=True)
class Experiment:
    """A figure or table of a paper that can be run again.

    id, title   its name in the shell, and in words
    paper, where  which figure or table of which paper
    setup       what is done, in words; what the paper leaves open and what is taken here
    run         setting → a tidy table of fractions, its columns said in the docstring of `run`
    claims      what the paper observes
    on_data     whether it runs on a key and a response of the reader's
    published   the paper's own figures, marked as such, if they are shown beside
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
    published: Callable[[], pd.DataFrame] | None = None

    def setting(
        self,
        values: Mapping[str, Value] | None = None,
        *,
        metrics: Sequence[Metric] = METRICS,
        key: Corpus | None = None,
        response: Corpus | None = None,
    ) -> Setting:
        """The paper's setting with these parameters changed.

        Raises PolicyError for an unknown parameter, a value out of bounds, and an experiment on
        data without data.
        """
        if self.on_data and (key is None or response is None):
            raise PolicyError(f"experiment '{self.id}' runs on data; expected a key and a response")
        known = {parameter.id: parameter for parameter in self.parameters}
        given = {
            name: known[choose("parameter", name, known)].checked(value)
            for name, value in (values or {}).items()
        }
        defaults = {name: parameter.default for name, parameter in known.items()}
        return Setting({**defaults, **given}, tuple(metrics), key, response)


@dataclass(frozen=True)
class Outcome:
    """An experiment that was run: its table, and the check of each claim."""

    experiment: Experiment
    setting: Setting
    table: pd.DataFrame
    checks: tuple[tuple[Claim, Check], ...]

    @property
    def drawn(self) -> pd.DataFrame:
        """What the chart draws: the columns that `experiment.chart` names."""
        of = self.experiment.chart.of
        return of(self.table) if of else self.table

    @property
    def signature(self) -> str:
        """One line that names the experiment, its parameters and, on data, the documents."""
        values = [f"{name} {value}" for name, value in self.setting.values.items()]
        key = self.setting.key
        on = [f"{_POLICIES} | micro over {len(key)} document{'s' * (len(key) > 1)}"] if key else []
        where = self.experiment.paper.at(self.experiment.where)
        return " | ".join([f"corescore {__version__}", where, *values, *on])


def run(experiment: Experiment, setting: Setting | None = None) -> Outcome:
    """Run an experiment, in the paper's setting if none is given. Raises as `setting`."""
    chosen = setting or experiment.setting()
    table = experiment.run(chosen)
    checks = tuple((claim, claim.check(table)) for claim in experiment.claims)
    return Outcome(experiment, chosen, table, checks)
