"""The columns of tables: what each is called, its unit, what it means, how its values are written,
and how wide it is on a page; `columns.toml` has all that tables share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from corescore.metrics import HOW_MANY, ROW_IDS, name_of
from corescore.util import read_toml
from corescore.wording import (
    RATIOS,
    count,
    heading_of,
    interval,
    mean,
    number,
    p_value,
    percent,
    signed,
    spanned,
    written,
)

PERCENT, POINTS, PLAIN = "%", "points", "1"


@dataclass(frozen=True)
class Column:
    """A column of a table to be read.

    head   its heading
    write  what writes a cell; None: by its kind, as `corescore.rendering.text` does
    of     the columns of the frame that a cell is written from
    unit   "%", "points", or "1" of other numbers that a frame has as texts
    about  what it means: pages show it on hover
    width  on a page, in pixels; 0: as it comes
    looks  what else a page's table is told: pinned, alignment
    """

    head: str
    write: Callable[..., str] | None = None
    of: tuple[str, ...] = ()
    unit: str = ""
    about: str = ""
    width: int = 0
    looks: Mapping[str, Any] = field(default_factory=dict)

    @property
    def titled(self) -> str:
        """The heading where neither a title nor a note gives the unit."""
        return f"{self.head} %" if self.unit == PERCENT else self.head


Columns = Sequence[str | Column]  # by their names in columns.toml, or of a table's own


def column(name: str, head: str = "") -> Column:
    """The column of this name, perhaps under another heading, such as the name of a system."""
    own = name.rpartition(".")[2]
    known = read_toml(_FILE)[_ANY]
    given = known.get(name) or known.get(own)
    one = _unknown(own) if given is None else _changed(Column(heading_of(own), of=(own,)), given)
    return replace(one, head=head) if head else one


def columns_of(table: str, **words: object) -> list[Column]:
    """The columns of a table in columns.toml.

    words  what stands in braces there
    """
    of_table = read_toml(_FILE)[table]
    return [_changed(column(name), given, **words) for name, given in of_table.items()]


def metric_column(metric: str) -> Column:
    """The scores by a metric, in a table with a column for each."""
    return Column(name_of(metric), percent, (metric,), PERCENT)


_FILE, _ANY = "rendering/columns.toml", "any table"


def _changed(one: Column, given: Mapping[str, Any], **words: object) -> Column:
    """A column with what is given of it. One that is given a head or a kind is another: it has
    words unless there is a kind, and means what is given."""
    looks = dict(given)
    own = {
        key: looks.pop(key).format(n=HOW_MANY, **words) for key in ("head", "about") if key in looks
    }
    if "kind" in looks or "head" in own:
        kind = looks.pop("kind", "")
        write, unit = KINDS.get(kind) or (partial(written, spec=kind), PLAIN)
        one = replace(one, write=write, unit=unit, about="")
    sources, width = tuple(looks.pop("of", one.of)), looks.pop("width", one.width)
    return replace(one, **own, of=sources, width=width, looks=looks)


def _unknown(name: str) -> Column:
    if name in ROW_IDS:
        return metric_column(name)
    is_cost = name.startswith("cost_")
    return Column(heading_of(name), written if is_cost else None, (name,), POINTS * is_cost)


def counted(number: float | str) -> str:
    """A count; some tables have words in a column of that name."""
    return number if isinstance(number, str) else count(number)


# How the cells of each kind of column are written, and their unit
KINDS: Mapping[str, tuple[Callable[..., str] | None, str]] = {
    "": (None, ""),
    "metric": (name_of, ""),
    "measure": (lambda measure: str(RATIOS.get(measure, measure)), ""),
    "count": (counted, ""),
    "share": (percent, PERCENT),
    "score": (percent, ""),  # whose heading needs no unit
    "points": (signed, POINTS),
    "gap": (percent, POINTS),  # without a sign
    "p": (p_value, ""),
    "interval": (interval, ""),
    "span": (spanned, ""),
    "mean": (mean, ""),
    "ranks": (lambda low, high: f"{low:.0f}" + f"–{high:.0f}" * (low != high), ""),
    "rank": (number, ""),
    "spread": (lambda start, end: f"{count(start)}–{count(end)}", ""),
    "dose": (lambda dose: f"{100 * dose:g}%", ""),
}
