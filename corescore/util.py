"""What every layer uses: types of arrays, work done once, CSV, TOML, tolerances, Shapley values."""

import csv
import io
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, wraps
from math import factorial
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

IntArray = NDArray[np.int64]

FloatArray = NDArray[np.float64]

BoolArray = NDArray[np.bool_]

AnyArray = NDArray[Any]

Of = TypeVar("Of", bound=Hashable)

Given = TypeVar("Given", bound=Hashable)

Made = TypeVar("Made")


def ranges(first: IntArray, end: IntArray) -> tuple[IntArray, IntArray]:
    """For each number of each range first[i] … end[i] − 1: its i and the number."""
    length = np.maximum(end - first, 0)
    before = np.cumsum(length) - length
    which = np.repeat(np.arange(len(first)), length)
    return which, np.arange(len(which)) + np.repeat(first - before, length)


def places_in(sizes: IntArray) -> tuple[IntArray, IntArray]:
    """For each member of groups of these sizes: its group, and its place there from 0."""
    return ranges(np.zeros_like(sizes), sizes)


def picked(values: AnyArray, places: IntArray, none: float = -1) -> AnyArray:
    """The value at each of these places; `none` at −1, or right behind the last value."""
    return np.append(values, none)[places]


def as_rows(*columns: "AnyArray | pd.Series[Any]") -> Iterator[tuple[Any, ...]]:
    """The rows of columns of one length, as plain numbers and texts."""
    return zip(*(column.tolist() for column in columns), strict=True)


def by_key(pairs: Iterable[tuple[Of, Made]]) -> defaultdict[Of, list[Made]]:
    """The values of each key, in order; the keys as they first come."""
    values = defaultdict[Of, list[Made]](list)
    for key, value in pairs:
        values[key].append(value)
    return values


@dataclass(frozen=True, eq=False)
class Arrays:
    """Arrays of one length, each a field: a table of numbers."""

    @property
    def columns(self) -> tuple[AnyArray, ...]:
        """The arrays."""
        return tuple(getattr(self, entry.name) for entry in fields(self))

    def rows(self, index: BoolArray | IntArray) -> Self:
        """The rows where `index` is True, or those at these positions in this order."""
        return type(self)(*(column[index] for column in self.columns))

    @classmethod
    def joined(cls, *several: Self) -> Self:
        """All rows of several."""
        return cls(*map(np.concatenate, zip(*(one.columns for one in several), strict=True)))


# Work that is done once in a process, also where several threads ask for it at the same time ------


def once(work: Callable[[Of], Made]) -> Callable[[Of], Made]:
    """`work`, done once for each argument: whoever asks meanwhile waits. Errors are not kept."""
    made: dict[Of, Made] = {}
    under_way: dict[Of, RLock] = {}
    changing = Lock()

    @wraps(work)
    def one(argument: Of) -> Made:
        with changing:
            doing = under_way.setdefault(argument, RLock())
        with doing:
            if argument not in made:
                made[argument] = work(argument)
            return made[argument]

    return one


@dataclass
class _Kept(Generic[Given, Made]):
    """What was made of an object, by what else was given; the lock is held while it is made."""

    making: RLock = field(default_factory=RLock)
    made: dict[Given, Made] = field(default_factory=dict)


def once_of(work: Callable[[Of, Given], Made]) -> Callable[[Of, Given], Made]:
    """`work`, done once for an object and what else is given: forgotten when the object is.

    What is made must not hold the object, which would then never be forgotten.
    """
    kept: WeakKeyDictionary[Of, _Kept[Given, Made]] = WeakKeyDictionary()
    changing = Lock()

    @wraps(work)
    def one(thing: Of, given: Given) -> Made:
        with changing:
            known = kept.setdefault(thing, _Kept())
        with known.making:
            if given not in known.made:
                known.made[given] = work(thing, given)
            return known.made[given]

    return one


# Rows as CSV, and cells that a spreadsheet does not take for formulas -----------------------------

_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r")

# Where a cell may begin as a formula does; one that is a plain negative number does not count.
_SUSPECT = re.compile(
    r"""(?:^|[,"])'*(?:[=+@\t]|-(?!(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?:[,"]|$)))""", re.IGNORECASE
)


def csv_of(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV. Where a cell has a carriage return all texts are quoted, as readers would take
    it for the end of a row."""
    every = [*rows]
    text = _written(every, csv.QUOTE_MINIMAL)
    return _written(every, csv.QUOTE_NONNUMERIC) if "\r" in text else text


def inert(text: str) -> str:
    """CSV in which an apostrophe stands before cells that begin as a formula does, numbers aside:
    a spreadsheet then shows them as text and computes nothing."""
    lines = text.split("\n")
    if "\r" in text or any(line.count('"') % 2 for line in lines):
        return _inert_rows(text)  # rows of several lines
    return "\n".join(_inert_rows(line)[:-1] if _SUSPECT.search(line) else line for line in lines)


def _inert_rows(text: str) -> str:
    rows = csv.reader(io.StringIO(text, newline=""))
    return csv_of([_inert_cell(cell) for cell in row] for row in rows)


def without_apostrophe(cell: str) -> str:
    """A cell as it was before `inert`."""
    return cell[1:] if cell[:1] == "'" and _begins_formula(cell) else cell


def _written(rows: Iterable[Sequence[object]], quoting: Literal[0, 2]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n", quoting=quoting)
    writer.writerows(rows)
    return out.getvalue()


def _inert_cell(cell: str) -> str:
    try:
        float(cell)
    except ValueError:
        return f"'{cell}" if _begins_formula(cell) else cell
    return cell


def _begins_formula(cell: str) -> bool:
    """Whether it does, or would without the apostrophes before it."""
    return cell.lstrip("'").startswith(_BEGIN_FORMULAS)


# Where the folders that stand beside `corescore/` are: in a checkout, and once installed ----------

PACKAGE = Path(__file__).parent

SAMPLE = ("key.conll", "cautious.conll")  # of sample_data: the key, and the response of a system


def bundled(name: str) -> Path:
    """The folder `name` ("dashboard" or "sample_data"): beside `corescore/` in a checkout, in
    `corescore/bundled/` once installed, so that only `corescore` lands in site-packages."""
    inside = PACKAGE / "bundled" / name
    return inside if inside.is_dir() else PACKAGE.parent / name


@cache
def read_toml(path: str | Path) -> dict[str, Any]:
    """What a TOML file holds, by its path from the folder of the package; not to be changed."""
    return tomllib.loads((PACKAGE / path).read_text(encoding="utf-8"))


# How close two numbers must be to count as equal. Scores are fractions in floating point ----------

# Two scores that are equal as fractions differ by a few 1e-16 when they are summed in another
# order; two that differ do so by more than this unless the corpus has millions of links.
TOLERANCE = 1e-12

# The same for sorting and counting distinct values: scores are rounded to this many places.
PLACES = 12

# Counts and sums of shares grow with the corpus, and their rounding errors with them: one that is
# this close to a whole number is whole.
WHOLE = 5e-9

# A quotient this little under a whole number of steps reaches it: 0.3 / 0.1 is 2.9999999999999996.
STEP = 1e-9

STEP_PLACES = 9

# Half of the last place of a percentage with two decimals: a smaller change prints as 0.00.
HALF_A_PLACE = 5e-5

# Sums of a few similarities of entities, each 1 at most or a number of mentions, that are equal as
# fractions differ by less than this.
SIMILARITY = 1e-13


def shapley_values(worth: FloatArray) -> FloatArray:
    """(players, …) what each player adds on average over all orders in which they may join.

    Σ |S|! (n − 1 − |S|)! / n! · gain over the subsets S without the player. Shapley 1953.

    worth  (2ⁿ, …) of each subset of n players, in which bit k stands for player k
    """
    n, subsets = len(worth).bit_length() - 1, np.arange(len(worth))
    size = np.bitwise_count(subsets)
    weight = np.array([factorial(s) * factorial(n - 1 - s) / factorial(n) for s in range(n)])
    added = []
    for player in range(n):
        without = subsets[subsets >> player & 1 == 0]
        gain = worth[without + 2**player] - worth[without]
        added.append(np.tensordot(weight[size[without]], gain, axes=1))
    return np.array(added)
