"""The columns of tables: what each is called, its unit, what it means, and how its values are
written.

A name is that of a column of a frame. Where it means another thing in one kind of table, what
stands before a dot is that table: "ranks.low" is the column "low" of a table of ranks.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from corescore.analysis.significance import INTERVALS
from corescore.metrics import HOW_MANY, ROW_IDS, name_of
from corescore.wording import (
    RATIOS,
    count,
    heading_of,
    interval,
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
    """

    head: str
    write: Callable[..., str] | None = None
    of: tuple[str, ...] = ()
    unit: str = ""
    about: str = ""

    @property
    def titled(self) -> str:
        """The heading where neither a title nor a note gives the unit."""
        return f"{self.head} %" if self.unit == PERCENT else self.head


Columns = Sequence[str | Column]  # by their names as below, or of a table's own


def column(name: str, head: str = "") -> Column:
    """The column of this name, perhaps under another heading, such as the name of a system."""
    own = name.rpartition(".")[2]
    known = COLUMNS.get(name) or COLUMNS.get(own) or _unknown(own)
    return replace(known, head=head or known.head, of=known.of or (own,))


def metric_column(metric: str) -> Column:
    """The scores by a metric, in a table with a column for each."""
    return Column(name_of(metric), percent, (metric,), PERCENT)


def _unknown(name: str) -> Column:
    return metric_column(name) if name in ROW_IDS else Column(heading_of(name))


def _measure(measure: str) -> str:
    return RATIOS.get(measure, measure)


def _share(head: str, about: str = "percent") -> Column:
    return Column(head, percent, unit=PERCENT, about=about)


def _points(head: str, about: str = "points") -> Column:
    return Column(head, signed, unit=POINTS, about=about)


def counted(number: float | str) -> str:
    """A count; some tables have words in a column of that name."""
    return number if isinstance(number, str) else count(number)


def _mean(mean: float, deviation: float) -> str:
    return percent(mean) + ("" if math.isnan(deviation) else f" ± {percent(deviation)}")


def _rank_range(low: float, high: float) -> str:
    return f"{low:.0f}" if low == high else f"{low:.0f}–{high:.0f}"


def _spread(start: float, end: float) -> str:
    return f"{count(start)}–{count(end)}"


_CORRECTED = f"approximate randomisation, corrected for {HOW_MANY} tests"
_SIMULTANEOUS = "95% interval (simultaneous), points"
_EXCHANGED = "documents are exchanged, all runs at once"
_DEVIATION = "standard deviation over runs, points"
_SPAN = "lowest–highest"

COLUMNS: dict[str, Column] = {
    "metric": Column("metric", name_of),
    "measure": Column("measure", _measure),
    **{name: _share(head) for name, head in RATIOS.items()},
    **{name: _share(heading_of(name)) for name in ("score", "share", "mean")},
    # Two systems
    "a": _share("A"),
    "b": _share("B"),
    "difference": _points("B − A"),
    "tested_low": _points("from", _SIMULTANEOUS),
    "tested_high": _points("to", _SIMULTANEOUS),
    "bca_low": _points("single", "95% interval (bootstrap, BCa), points"),
    "bca_high": _points("to", "95% interval (BCa), points"),
    **{
        f"{kind} interval": Column("95% interval", interval, ends)
        for kind, ends in (*INTERVALS.items(), ("runs", ("low", "high")))
    },
    "p": Column("p", p_value, about="approximate randomisation"),
    "p_max": Column("p (max T)", p_value, about=f"{_CORRECTED} by the largest"),
    "p_holm": Column("p (Holm)", p_value, about=_CORRECTED),
    "p_sign": Column("p (sign)", p_value, about="sign test over documents"),
    "wins_a": Column("A ahead", counted, about="documents"),
    "ties": Column("ties", counted, about="documents"),
    "wins_b": Column("B ahead", counted, about="documents"),
    "winner": Column("ahead"),
    # Two systems over their runs
    "low": _points("from", "95% interval, points"),
    "high": _points("to", "95% interval, points"),
    **{
        f"{side} over runs": Column(f"{head}, mean ± sd", _mean, (side, f"sd_{side}"))
        for side, head in (("a", "A"), ("b", "B"))
    },
    **{
        f"sd_{side}": Column(f"± {side.upper()}", percent, unit=POINTS, about=_DEVIATION)
        for side in "ab"
    },
    **{f"{of} span": Column(_SPAN, spanned, (f"lowest_{of}", f"highest_{of}")) for of in "ab"},
    **{
        f"{end}_{side}": _share(f"{side.upper()} {end}", "of its runs, percent")
        for end in ("lowest", "highest")
        for side in "ab"
    },
    "p_documents_max": Column("p, these runs (max T)", p_value, about=f"{_EXCHANGED}; corrected"),
    "p_documents": Column("p, these runs", p_value, about=_EXCHANGED),
    "p_runs": Column("p, these documents", p_value, about="whole runs are exchanged"),
    # Ranks
    "rank": Column("rank"),
    "shared_rank": Column("shared rank"),
    "by_score": Column("by score", about="the rank without shared ones"),
    "first": _share("first in", "percent of the resamples: no response is better"),
    "ranks": Column("rank, 95%", _rank_range, ("low", "high")),
    "ranks.low": Column("from", about="the best of the ranks by score in 95% of the resamples"),
    "ranks.high": Column("to", about="the worst of the ranks by score in 95% of the resamples"),
    "mean_rank": Column("mean rank", written, unit=PLAIN),
    "macro": _share("macro", "the mean over data sets, each alike"),
    # Ranks without incorrectly resolved mentions
    **{f"{side}_share": _share(f"{side} share") for side in ("recall", "precision")},
    "score_after": _share("score after"),
    "change": _points("change"),
    "difference_after": _points("difference after"),
    # Scores of one system
    "t_low": _share("from", "95% interval, percent"),
    "t_high": _share("to", "95% interval, percent"),
    "t interval": Column("95% interval", spanned, ("t_low", "t_high")),
    # Documents
    **{name: Column(name, counted) for name in ("words", "mentions", "entities", "windows")},
    "documents.words": Column("words", counted, about="words of the key"),
    "documents.key_mentions": Column("mentions", counted, about="mentions of the key"),
    "documents.key_entities": Column("entities", counted, about="entities of the key"),
    **{f"{side}_mentions": Column(f"{side} mentions", counted) for side in ("key", "response")},
    **{name: Column(heading_of(name), counted) for name in ("span_errors", "missing", "spurious")},
    "missing_mentions": Column("missing", counted),
    "spurious_mentions": Column("spurious", counted),
    "place": Column("words", _spread, ("start", "end")),
    # Perturbations
    "dose": Column("dose", lambda dose: f"{100 * dose:g}%"),
    "sweep.low": _share("low"),
    "sweep.high": _share("high"),
    # Credit and errors
    "gain": _points("gain"),
    **{
        name: Column(name, percent, unit=POINTS) for name in ("loss", "credit", "possible", "worth")
    },
    **{name: _share(heading_of(name)) for name in ("alone", "all_but", "cumulative")},
    **{f"cost_{metric}": Column(f"cost {metric}", written, unit=POINTS) for metric in ROW_IDS},
    **{f"credit_{side}": Column(f"{side.upper()} earns", written, unit=PLAIN) for side in "ab"},
    "margin": Column("both by", percent, unit=POINTS, about="points, or more"),
    "similarity": Column("similarity", partial(written, spec=".4f"), unit=PLAIN),
    # Settings of scorers
    "before": _share("before"),
    "after": _share("after"),
    "walk.difference": _points("difference"),
    "value": Column("value", percent),
}
