"""The smallest and the greatest of some values, with ties: equal is what is printed alike."""

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from corescore.wording import counted, listed, percent

Values = Mapping[str, float] | pd.Series
Write = Callable[[float], str]


def least(values: Values, write: Write = percent) -> list[str]:
    """The names of all values that are printed as the smallest is, in their order.

    values  by name; NaN counts for nothing
    write   how a value is printed

    Empty where there is no value.
    """
    return _printed_like(min, values, write)


def greatest(values: Values, write: Write = percent) -> list[str]:
    """The names of all values that are printed as the greatest is; otherwise as `least`."""
    return _printed_like(max, values, write)


def _printed_like(
    extreme: Callable[[Sequence[float]], float], values: Values, write: Write
) -> list[str]:
    known = {str(name): float(value) for name, value in values.items() if value == value}
    if not known:
        return []
    printed = {value: write(value) for value in set(known.values())}
    wanted = printed[extreme([*printed])]
    return [name for name, value in known.items() if printed[value] == wanted]


def named(names: Sequence[str], noun: str = "other") -> str:
    """a; a and b; a and 11 others: names that tie.

    noun  what the others are called in the singular, such as "other document"
    """
    if len(names) < 3:
        return listed(names)
    return f"{names[0]} and {counted(len(names) - 1, noun)}"


def vanishes(value: float) -> bool:
    """Whether a fraction is printed as 0.00."""
    return percent(abs(value)) == percent(0)
