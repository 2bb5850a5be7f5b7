"""The one standard by which everything that a paper says is judged: from scope and evidence to a
verdict.

Experiments, errata, open readings, statements, the report and the shell all ask `verdict`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Scope = Literal["universal", "existential", "result", "comparison", "property"]
# Each scope, as it is shown: of what something is said.
SCOPES: dict[Scope, str] = {
    "universal": "said of every case",
    "existential": "said of some case",
    "result": "said of a plotted or printed result",
    "comparison": "said of printed figures",
    "property": "said of the metric",
}
Verdict = Literal[
    "holds",
    "holds in print only",
    "holds recomputed only",
    "depends on the reading",
    "does not hold under any reading",
    "cannot be tried",
]
VERDICTS: tuple[Verdict, ...] = (
    "holds",
    "holds in print only",
    "holds recomputed only",
    "depends on the reading",
    "does not hold under any reading",
    "cannot be tried",
)
# From the verdict that fares best to the one that fares worst.
_WORSE: tuple[Verdict, ...] = ("cannot be tried", *VERDICTS[:-1])
Told = bool | Literal["some"] | None


@dataclass(frozen=True)
class Reading:
    """One way to read what a text leaves open, and whether what it says holds so (None: nothing
    tells)."""

    name: str
    holds: bool | None


def told(holds: bool | None, readings: Iterable[Reading]) -> Told:
    """What a piece of evidence tells: yes, no, "some" (only under some readings), None (nothing).

    The readings decide where there are any; one under which nothing tells is left out.
    """
    found = {one.holds for one in readings} - {None}
    return "some" if len(found) == 2 else found.pop() if found else holds


def verdict(scope: Scope, computed: Told, printed: Told, *, other_data: bool = False) -> Verdict:
    """How something comes out, said of `scope`, by what is recomputed and what is printed.

    universal    one counterexample refutes it, recomputed or printed
    existential  one case bears it out, recomputed or printed, under any reading
    result       it has to come out recomputed and in print; print alone is "in print only"
    comparison   the printed figures are all that it needs
    property     the definition decides, so that a printed figure alone does not refute it

    other_data  whether it was recomputed from other data than the paper's. These may bear out what
                the paper prints, but neither make good for it nor open a reading of it.
    """
    if other_data and computed == "some" and printed is not None:
        computed = False
    both = (computed, printed)
    if scope == "existential" and (True in both or "some" in both):
        return "holds"
    if scope == "universal" and printed is False:
        return "does not hold under any reading"
    if other_data and printed is False:
        return "does not hold under any reading"
    if "some" in both:
        return "depends on the reading"
    if computed:
        return "holds recomputed only" if printed is False else "holds"
    if printed:
        needs_no_more = scope == "comparison" and computed is None
        return "holds" if needs_no_more else "holds in print only"
    return "cannot be tried" if computed is printed is None else "does not hold under any reading"


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict on something that is checked in parts: that of the part that fares worst.

    Parts that cannot be tried count only where no part can be; so it is if there is none.
    """
    return max(verdicts, key=_WORSE.index, default="cannot be tried")
