"""The figures that papers print: CSV files beside the experiments, each with its source on top."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import nan
from pathlib import Path

import pandas as pd

from corescore.bibliography import Paper

PERCENT = " %"
NOTHING = ("", "-", "–", "—")  # an empty cell or a dash: no figure is printed
ALMOST = 1 - 1e-9  # two floats that are a unit of the last digit apart may be a little less so


@dataclass(frozen=True)
class Printed:
    """A table of a paper, cell for cell.

    where  which table it is: "Table 10"
    path   a CSV file with its source in comment lines on top. It has the columns `on`, and one for
           each figure, named as in the experiment's table; "f1 %" is in percent. A cell is as it is
           printed: a number, a fraction such as 5/12, a dash, or nothing.
    on     the columns that name a row, as in the experiment's table
    paper  the paper that prints it, where it is another than the experiment's
    again  rows that are computed in two ways: the name in the first of `on`, and the name of the
           other, beside which the printed row is shown once more
    also   adds to the numbers what is printed elsewhere
    same_data  whether it is computed from the same data; if not, nothing is said to differ
    """

    where: str
    path: Path
    on: tuple[str, ...] = ("response", "metric")
    paper: Paper | None = None
    same_data: bool = True
    again: tuple[tuple[str, str], ...] = ()
    also: Callable[[pd.DataFrame], pd.DataFrame] | None = None

    @property
    def title(self) -> str:
        """Where it is printed, with the paper where that is another than the experiment's."""
        return self.paper.at(self.where) if self.paper else self.where

    @property
    def cells(self) -> pd.DataFrame:
        """The cells as text, "" where nothing is printed."""
        return _cells(self.path).copy()

    @property
    def numbers(self) -> pd.DataFrame:
        """The same as numbers: NaN for a dash or nothing, a fraction for percent."""
        cells = self.cells
        for heading in self._headings(cells):
            cells[heading] = cells[heading].map(_number) / _scale(heading)
        return cells.rename(columns=_figure)

    @property
    def told(self) -> pd.DataFrame:
        """The numbers, with what is printed elsewhere: what claims are checked by."""
        return self.also(self.numbers) if self.also else self.numbers

    def beside(self, table: pd.DataFrame) -> pd.DataFrame:
        """One row per printed cell, beside what the experiment's table has there.

        Columns: those of `on`, figure (a column of the table), printed (the cell as text), computed
        (in the unit of the cell; NaN where the table has nothing), percent (whether that unit is
        percent) and differs (whether the two are apart by a unit of the last printed digit).
        """
        on, cells = list(self.on), self.cells
        for name, other in self.again:
            row = cells[cells[on[0]] == name].assign(**{on[0]: other})
            cells = pd.concat([cells, row], ignore_index=True)
        computed = table.astype(dict.fromkeys(on, str)).drop_duplicates(on)
        both = cells[on].merge(computed, on=on, how="left")
        parts = []
        for heading in self._headings(cells):
            figure, scale, printed = _figure(heading), _scale(heading), cells[heading]
            values = (
                both[figure].astype(float) * scale
                if figure in both
                else pd.Series(nan, cells.index)
            )
            apart = (values - printed.map(_number)).abs() >= ALMOST * printed.map(_last_digit)
            part = cells[on].assign(figure=figure, printed=printed, computed=values)
            parts.append(part.assign(percent=scale > 1, differs=apart & self.same_data))
        return pd.concat(parts).sort_index(kind="stable").reset_index(drop=True)

    def _headings(self, cells: pd.DataFrame) -> list[str]:
        return [name for name in map(str, cells) if name not in self.on]


@cache
def _cells(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, comment="#", dtype=str, keep_default_na=False)


def comparable(beside: pd.DataFrame) -> pd.DataFrame:
    """The rows of `Printed.beside` that have a printed figure and a computed one."""
    return beside[beside["computed"].notna() & ~beside["printed"].isin(NOTHING)]


def _figure(heading: object) -> str:
    return str(heading).removesuffix(PERCENT)


def _scale(heading: str) -> int:
    return 100 if heading.endswith(PERCENT) else 1


def _number(cell: str) -> float:
    """The number in a cell, which may have commas between thousands; NaN for a dash or nothing."""
    return nan if cell in NOTHING else float(Fraction(cell.replace(",", "")))


def _last_digit(cell: str) -> float:
    """A unit of the last digit: 0.01 for 92.30, 1 for 1,464. A fraction is exact."""
    return 1e-9 if "/" in cell else 10.0 ** -len(cell.partition(".")[2])
