"""What the experiments on toy partitions share: their notation, their tables, their checks."""

from collections.abc import Sequence

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.corpus.formats.notation import read_notation
from corescore.corpus.problems import InputError, Problem
from corescore.counting.counts import MEASURES
from corescore.metrics import Metric
from corescore.metrics.blanc import blanc_counts
from corescore.metrics.diagnostics import LINKS
from corescore.metrics.metric import NON_COREFERENCE_LINK
from corescore.replication.claims import title
from corescore.replication.experiment import Check, Parameter
from corescore.replication.partitions import Partition, score_partitions
from corescore.tolerances import HALF_A_PLACE, TOLERANCE
from corescore.wording import percent

Pair = tuple[Partition, Partition]
LINK_COLUMNS = (
    "right_coreference",
    "wrong_coreference",
    "right_non_coreference",
    "wrong_non_coreference",
)
NON_COREFERENCE = Metric(
    id="non_coreference",
    title="Non-coreference links",
    unit=NON_COREFERENCE_LINK,
    paper=RECASENS_2011.cited,
    counts=lambda table: blanc_counts(table).part(1),
)


# Notation -----------------------------------------------------------------------------------------


def read_toy(text: str) -> None:
    """Raises InputError unless the text is one partition, such as `{abc}{d}` or `{a b} {c}`."""
    if "\n" in text.strip():
        _refuse("more than one line", "a single partition", "Write it in one line.")
    (document,) = read_notation(text, "the partition")
    if len(document.rows) > len(document.words):
        _refuse("a mention in two entities", "each mention once", "Take one of them out.")


def _refuse(found: str, expected: str, advice: str) -> None:
    raise InputError([Problem("the partition", 0, found, expected, advice)])


def toy_pair(key: str, response: str) -> Pair:
    """Two texts in brace notation as partitions of numbers; the same name is the same number."""
    number: dict[str, int] = {}
    key_side, response_side = (
        [[number.setdefault(side.words[m.start], len(number)) for m in e] for e in side.entities]
        for side in read_notation(f"{key}\n{response}", "the toy")
    )
    return key_side, response_side


def toy_parameters(key: str, response: str) -> tuple[Parameter, Parameter]:
    """Parameters "key" and "response" in brace notation, with the paper's as defaults."""
    about = "Entities in braces, a letter a mention: {abc}{d}. Longer names: {a1 a2} {b}."
    return (
        Parameter("key", "Key", key, about, reads=read_toy),
        Parameter("response", "Response", response, about, reads=read_toy),
    )


# Tables -------------------------------------------------------------------------------------------


def toy_table(
    names: Sequence[object], pairs: Sequence[Pair], metrics: Sequence[Metric], *, name: str
) -> pd.DataFrame:
    """Rows (name of the pair, metric), "conll" last of each.

    Columns: `name`, metric (its id), recall, precision and f1 (fractions), and the links of the
    pair: right_coreference (both sides have it), wrong_coreference (only the response),
    right_non_coreference (both sides keep the two mentions apart), wrong_non_coreference (only
    the key links them).
    """
    scores = score_partitions(pairs, metrics)[["pair", "metric", *MEASURES]]
    table = scores.join(link_table(pairs), on="pair")
    table.insert(0, name, [names[pair] for pair in table["pair"]])
    return table.drop(columns="pair")


def link_table(pairs: Sequence[Pair]) -> pd.DataFrame:
    """A row for each pair, with how many of its links are right and wrong; see `toy_table`."""
    counts = score_partitions(pairs, [LINKS, NON_COREFERENCE]).set_index(["metric", "pair"])
    coreference, non_coreference = counts.loc["links"], counts.loc["non_coreference"]
    right = coreference["recall_numerator"]
    columns = (
        right,
        coreference["precision_denominator"] - right,
        non_coreference["recall_numerator"],
        coreference["recall_denominator"] - right,
    )
    return pd.DataFrame(dict(zip(LINK_COLUMNS, columns, strict=True))).astype(int)


def published_table(figures: dict[str, dict[str, float]], *, name: str) -> pd.DataFrame:
    """Figures {metric: {name: percent}} as rows `name`, metric, f1 (a fraction)."""
    rows = [(at, metric, f1 / 100) for metric, row in figures.items() for at, f1 in row.items()]
    return pd.DataFrame(rows, columns=[name, "metric", "f1"])


def with_diagnostics(metrics: Sequence[Metric], *more: Metric) -> tuple[Metric, ...]:
    """These metrics, and those of `more` whose id they lack."""
    known = {metric.id for metric in metrics}
    return (*metrics, *(metric for metric in more if metric.id not in known))


def n_different(values: "pd.Series[float]") -> int:
    """How many different values, taken to ten decimals."""
    return int(values.round(10).nunique())


# Checks -------------------------------------------------------------------------------------------


def listed(values: "pd.Series[float]") -> str:
    """A series of fractions as "MUC 57.14, B³ 86.76", by its index: metrics or other names."""
    return ", ".join(f"{title(str(name))} {percent(value)}" for name, value in values.items())


def printed(table: pd.DataFrame, published: pd.DataFrame) -> Check:
    """Whether each published F1 is the table's, rounded to its two decimals; which are not.

    Metrics that the table lacks are left out; None if it has none of them.
    """
    by = [column for column in published.columns if column != "f1"]
    scored = published[published["metric"].isin(table["metric"])]
    if scored.empty:
        return Check(None, "none of these metrics is scored")
    both = scored.merge(table, on=by, how="left", suffixes=("_printed", ""))
    off = both[~((both["f1"] - both["f1_printed"]).abs() <= HALF_A_PLACE + TOLERANCE)]
    numbers = [f"{len(both) - len(off)} of {len(both)} figures come out"]
    for row in off.to_dict("records"):
        names = " ".join(title(str(row[column])) for column in by)
        numbers.append(f"{names} is {percent(row['f1'])}, printed {percent(row['f1_printed'])}")
    return Check(off.empty, "; ".join(numbers))
