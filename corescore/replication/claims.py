"""Claims: their words as data of a paper's folder, their checks as code, and helpers for these."""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import nan
from pathlib import Path
from typing import Any

import pandas as pd

from corescore.bibliography import Paper
from corescore.counting.counts import MEASURES
from corescore.metrics import name_of
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.partitions import LINK_COLUMNS
from corescore.replication.printed import Printed
from corescore.util import TOLERANCE, read_toml
from corescore.wording import count, heading_of, listed, percent

Checker = Callable[..., Check]  # (table, what the claim has as `given`)
# The metrics that the papers compare. What they claim of "the others" is checked for these alone,
# whatever else is scored.
COMPARED = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")


class UntoldError(Exception):
    """Raised by a check that cannot tell whether a claim holds; its message is the reason."""


# Tables, and numbers in words ---------------------------------------------------------------------


def wide(table: pd.DataFrame, by: str | list[str], value: str = "f1") -> pd.DataFrame:
    """One row per point, sorted, and one column per metric, in the table's order."""
    by_metric = table.pivot(index=by, columns="metric", values=value)
    return by_metric[[*dict.fromkeys(table["metric"])]]


def others(table: pd.DataFrame, *metrics: str) -> list[str]:
    """The compared metrics that the table has, except these."""
    there = {*table["metric"]}
    return [name for name in COMPARED if name in there and name not in metrics]


def rest(table: pd.DataFrame, *metrics: str) -> list[str]:
    """The same where a claim compares with them: raises UntoldError if there is none."""
    remaining = others(table, *metrics)
    if not remaining:
        which = "no other metric" if metrics else "none of the compared metrics"
        raise UntoldError(f"{which} is scored")
    return remaining


def points(difference: float) -> str:
    """A difference of fractions: "0.02 points", with one digit where that would be 0.00."""
    size = 100 * abs(difference)
    return f"{size:.2f} points" if size >= 0.005 or size < 100 * TOLERANCE else f"{size:.1g} points"


def numbers_of(
    values: "Mapping[str, Any] | pd.Series[Any]", write: Callable[[Any], str] = percent
) -> str:
    """Fractions by metrics or other names, in words: "MUC 57.14, B³ 86.76"."""
    return ", ".join(f"{name_of(str(name))} {write(value)}" for name, value in values.items())


def _are(names: Iterable[str]) -> str:
    *first, last = map(name_of, names)
    return f"{listed([*first, last])} {'are' if first else 'is'}"


# Checks that a claim can name as its `check` ------------------------------------------------------


def joined(checks: Iterable[tuple[str, Check]]) -> Check:
    """Several named checks as one, which holds if all those hold that can be told."""
    named = [(name, check) for name, check in checks]
    known = [check.holds for _, check in named if check.holds is not None]
    numbers = ". ".join(f"{name}: {check.numbers}" for name, check in named)
    return Check(all(known) if known else None, numbers)


# Whether a number is in this relation to another, by the first less the second
SIGNS: dict[str, Callable[[float], bool]] = {
    ">": lambda by: by > TOLERANCE,
    ">=": lambda by: by >= -TOLERANCE,
    "=": lambda by: abs(by) <= TOLERANCE,
    "<=": lambda by: by <= TOLERANCE,
    "<": lambda by: by < -TOLERANCE,
}
_COUNTS = (*LINK_COLUMNS, "singletons")


def orders(
    table: pd.DataFrame,
    claimed: Mapping[str, Any],
    by: str = "response",
    value: str = "",
    facet: str = "",
) -> Check:
    """Whether scores stand in the orders that a claim says.

    claimed  by metric (or several: "muc ceafm"), an order of points: "A > B = C, D >= 50%"; by
             point, one of metrics. What stands before a sign is compared with what stands after it:
             each name with each, as far as they are there. A number is in percent, a fraction or a
             count. Of other measures than `value`: "ceafe recall precision".
    by       the column of the points; a number stands in brackets: (1)
    value    the column of the scores, by default "f1" or "value", where the table has one row per
             point and metric; else, and for counts of links, each column is a metric of its own
    facet    a column, by whose values `claimed` has the orders

    Raises UntoldError where nothing that is named is there.
    """
    if facet:
        return joined(
            (name, orders(table[table[facet] == name], chains, by, value))
            for name, chains in claimed.items()
        )
    holds, in_words = True, []
    for key, order in claimed.items():
        for measure in [word for word in key.split() if word in MEASURES] or [value]:
            cells = cells_of(table, by, measure).rename(index=_in_brackets)
            rows = cells if key in cells.index else cells.T
            for name in [key] if key in rows.index else key.split():
                if name not in rows.index:
                    continue
                is_so, named = in_relation(rows.T[name], order)
                holds = holds and is_so
                write = count if name in _COUNTS or named.max() > 1 else percent
                if rows is cells:
                    there = {*named.index, *COMPARED}
                    named = rows.T[name][[one for one in map(str, cells) if one in there]]
                else:
                    named = named.sort_values(ascending=False, kind="stable")
                title = name_of(name)
                title = heading_of(name) if title == name else title
                of_value = f"{measure} of " if measure in ("recall", "precision") else ""
                in_words.append(f"{of_value}{title}: {numbers_of(named, write)}")
    if not in_words:
        raise UntoldError(f"{_are(claimed)} not scored")
    return Check(holds, "; ".join(in_words))


def _in_brackets(name: Hashable) -> str:
    return name if isinstance(name, str) else f"({name})"


def cells_of(table: pd.DataFrame, by: str, value: str = "") -> pd.DataFrame:
    """One row per point; one column per metric and, where the table has them, for each count
    of links."""
    once = table.drop_duplicates(by).set_index(by)
    if "metric" not in table:
        return once
    value = value or ("f1" if "f1" in table else "value")
    return wide(table, by, value).join(once[[name for name in _COUNTS if name in once]])


def in_relation(values: "pd.Series[float]", order: str) -> "tuple[bool, pd.Series[float]]":
    """Whether numbers stand in an order as of `orders`, and the ones that it names."""
    parts = re.split(r" ([<>]?=?) |; ", order)  # of "; ", the sign is None
    every = [part.split(", ") for part in parts[::2]]
    number = {name: _number_in_order(name) for names in every for name in names}
    named = values[[name for name in values.index if name in number]]
    number |= named.to_dict()
    groups = [[number[name] for name in names if number[name] == number[name]] for names in every]
    if not all(groups):
        raise UntoldError(f"{_are(name for name, of in number.items() if pd.isna(of))} not scored")
    holds = all(
        SIGNS[sign](one - other)
        for before, sign, after in zip(groups, parts[1::2], groups[1:], strict=False)
        for one, other in product(before, after)
        if sign
    )
    return holds, named


def _number_in_order(text: str) -> float:
    """50%, 8/19 or 4; NaN for anything else."""
    try:
        return float(Fraction(text.removesuffix("%"))) / (100 if text.endswith("%") else 1)
    except ValueError:
        return nan


def spread(
    table: pd.DataFrame, over: Sequence[Hashable], order: str, by: str = "response"
) -> Check:
    """Whether the metrics stand in this order by how far scores of these points are apart."""
    cells = cells_of(table, by).loc[[*over]]
    low, high = cells.min(), cells.max()
    holds, named = in_relation(high - low, order)
    numbers = (
        f"{name_of(name)} {percent(low[name])} to {percent(high[name])} ({points(named[name])})"
        for name in map(str, named.index)
    )
    return Check(holds, ", ".join(numbers))


BY_NAME: dict[str, Checker] = {"orders": orders, "spread": spread}


def judged(check: Checker, table: pd.DataFrame, *, needs: Iterable[str] = ()) -> Check:
    """The check of a table; it tells nothing where a metric that it needs is not scored, nor where
    it raises `UntoldError`."""
    lacking = [name for name in needs if name not in {*table["metric"]}]
    try:
        return Check(None, f"{_are(lacking)} not scored") if lacking else check(table)
    except UntoldError as error:
        return Check(None, str(error))


# What a paper says, as data -----------------------------------------------------------------------


@dataclass(frozen=True)
class PaperData:
    """The contents of a paper's folder: its experiments, claims and printed figures, in words and
    numbers; what computes is code.

    folder  the name of the folder in `corescore/replication`
    """

    folder: str
    paper: Paper

    @property
    def path(self) -> Path:
        return Path(__file__).parent / self.folder

    def printed(self, where: str, paper: Paper | None = None) -> Printed:
        """The printed figures of a table: in a CSV file of its name, with the columns `response`
        and `metric` on, unless `experiments.toml` says otherwise under `printed`."""
        file = f"{where.lower().replace(' ', '')}.csv"
        given = read_data(self.path / "experiments.toml").get("printed", {})
        row = {"on": ("response", "metric"), "file": file, **given.get(where, {})}
        path, on = self.path / row.pop("file"), row.pop("on")
        return Printed(where, path, on, paper, **row)

    def experiment(
        self,
        name: str,
        run: Callable[[Setting], pd.DataFrame],
        checks: Mapping[str, Checker] | None = None,
        *,
        select: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
        parameters: tuple[Parameter, ...] = (),
        allowed: Mapping[str, tuple[str, ...]] | None = None,
        printed: tuple[Printed, ...] = (),
        finding: Callable[[pd.DataFrame], str] | None = None,
    ) -> Experiment:
        """The experiment of this id in `experiments.toml`, with what computes it.

        checks      the check of each claim by what the claim has as `check`, by default its id;
                    those of `BY_NAME` are known. Besides the table a check gets what the claim has
                    as `given`
        select      what the chart draws of the table
        parameters  those that code reads; the others stand in the file
        The others are fields of `Experiment`; printed tables that stand in the file come last.

        Raises KeyError for a claim without a check or a check without a claim.
        """
        words = read_data(self.path / "experiments.toml")[name]
        rows, known = words.pop("claims", {}), {**BY_NAME, **(checks or {})}
        if unused := {*(checks or {})} - {row.get("check", key) for key, row in rows.items()}:
            raise KeyError(f"{name}: {sorted(unused)}")
        printed += tuple(map(self.printed, words.pop("printed", ())))

        def claim(key: str, row: dict[str, Any]) -> Claim:
            given = row.pop("given", {})
            check = partial(known[row.pop("check", key)], **given)
            needs = row.pop("needs", given.get("metrics", ()))
            return Claim(id=key, check=partial(judged, check, needs=needs), **row)

        more = words.pop("parameters", {}).items()
        return Experiment(
            id=name,
            paper=self.paper,
            run=run,
            chart=Chart(**words.pop("chart"), select=select),
            claims=tuple(claim(key, row) for key, row in rows.items()),
            parameters=(*parameters, *(Parameter(key, **row) for key, row in more)),
            allowed=allowed or {},
            printed=printed,
            finding=finding,
            **words,
        )


def read_data(path: str | Path) -> dict[str, Any]:
    """A copy of what `read_toml` reads, with tuples for lists, as records have them."""
    values: dict[str, Any] = _with_tuples(read_toml(path))
    return values


def _with_tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_tuples(one) for key, one in value.items()}
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value
