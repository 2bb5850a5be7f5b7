"""The figures that papers print: CSV files beside the experiments, each with its source on top."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import isnan, nan
from pathlib import Path

import pandas as pd

from corescore.bibliography import Paper
from corescore.util import TOLERANCE

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
    same_data  whether it is computed from the same data; if not, numbers are not said to differ
    base   in the first of `on`, what the effects are against: its names in print and in the
           experiment's table; ("0", "0") for zero. Then effects are said to differ
    """

    where: str
    path: Path
    on: tuple[str, ...] = ("response", "metric")
    paper: Paper | None = None
    same_data: bool = True
    base: tuple[str, ...] = ()

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
            cells[heading] = cells[heading].map(_cell_number) / _scale(heading)
        return cells.rename(columns=_figure)

    def beside(self, table: pd.DataFrame) -> pd.DataFrame:
        """One row per printed cell, beside what the experiment's table has there.

        Columns: those of `on`, figure (a column of the table), printed (the cell as text), computed
        (in the unit of the cell; NaN where the table has nothing), percent (whether that unit is
        percent), differs (whether the two are apart by a unit of the last printed digit) and, of
        data with a `base`, printed_effect and computed_effect ("up", "down", "the same"; "" where
        there is none): then it differs where these do.
        """
        on, cells = list(self.on), self.cells
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
            apart = (values - printed.map(_cell_number)).abs() >= ALMOST * printed.map(_last_digit)
            part = cells[on].assign(figure=figure, printed=printed, computed=values)
            part = part.assign(percent=scale > 1, differs=apart & self.same_data)
            if self.base and figure in both:
                of_print, of_table = self.base
                effects = computed[on].assign(value=computed[figure].astype(float))
                effects = effects.assign(effect=_effects(effects[on], effects["value"], of_table))
                one = _effects(part[on], printed.map(_cell_number), of_print)
                other = part[on].merge(effects, on=on, how="left")["effect"].fillna("")
                part = part.assign(printed_effect=one, computed_effect=other)
                known = (part[["printed_effect", "computed_effect"]] != "").all(axis=1)
                part["differs"] = known & (part["printed_effect"] != part["computed_effect"])
            parts.append(part)
        return pd.concat(parts).sort_index(kind="stable").reset_index(drop=True)

    def _headings(self, cells: pd.DataFrame) -> list[str]:
        return [name for name in map(str, cells) if name not in self.on]


def _effects(rows: pd.DataFrame, values: "pd.Series[float]", base: str) -> list[str]:
    """Whether each value is above that of the base ("up"), below it ("down") or the same; "" for
    the base itself, and where one of the two is missing."""
    first, *others = map(str, rows)
    names, is_base = rows[others].agg(" ".join, axis=1), rows[first] == base
    of_base = dict(zip(names[is_base], values[is_base], strict=True))
    effects = []
    for name, value, is_it in zip(names, values, is_base, strict=True):
        apart = value - (0 if base == "0" else of_base.get(name, nan))
        word = "up" if apart > TOLERANCE else "down" if apart < -TOLERANCE else "the same"
        effects.append("" if is_it or isnan(apart) else word)
    return effects


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


def _cell_number(cell: str) -> float:
    """The number in a cell, which may have commas between thousands; NaN for a dash or nothing."""
    return nan if cell in NOTHING else float(Fraction(cell.replace(",", "")))


def _last_digit(cell: str) -> float:
    """A unit of the last digit: 0.01 for 92.30, 1 for 1,464. A fraction is exact."""
    return 1e-9 if "/" in cell else 10.0 ** -len(cell.partition(".")[2])
