"""What the experiments on toy partitions share: notation, parameters and tables."""

from collections.abc import Sequence

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.corpus.formats.notation import read_notation
from corescore.corpus.problems import InputError, Problem
from corescore.counting.counts import MEASURES
from corescore.metrics import Metric
from corescore.metrics.blanc.counts import blanc_counts
from corescore.metrics.diagnostics import LINKS
from corescore.metrics.metric import NON_COREFERENCE_LINK
from corescore.replication.experiment import Parameter
from corescore.replication.partitions import Partition, score_partitions

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
    about = "Entities in braces, one letter for a mention: {abc}{d}. Longer names: {a1 a2} {b}."
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
    pair: right_coreference (on both sides), wrong_coreference (only in the response),
    right_non_coreference (both sides keep the two mentions apart) and wrong_non_coreference (only
    the key links them).
    """
    scores = score_partitions(pairs, metrics)[["pair", "metric", *MEASURES]]
    table = scores.join(link_table(pairs), on="pair")
    table.insert(0, name, [names[pair] for pair in table["pair"]])
    return table.drop(columns="pair")


def link_table(pairs: Sequence[Pair]) -> pd.DataFrame:
    """A row for each pair: the numbers of correct and wrong links; see `toy_table`."""
    counts = score_partitions(pairs, [LINKS, NON_COREFERENCE]).set_index(["metric", "pair"])
    coreference, non_coreference = counts.loc["links"], counts.loc["non_coreference"]
    correct = coreference["recall_numerator"]
    columns = (
        correct,
        coreference["precision_denominator"] - correct,
        non_coreference["recall_numerator"],
        coreference["recall_denominator"] - correct,
    )
    return pd.DataFrame(dict(zip(LINK_COLUMNS, columns, strict=True))).astype(int)


def with_diagnostics(metrics: Sequence[Metric], *more: Metric) -> tuple[Metric, ...]:
    """These metrics, and those of `more` whose ids are not among them."""
    known = {metric.id for metric in metrics}
    return (*metrics, *(metric for metric in more if metric.id not in known))


def n_different(values: "pd.Series[float]") -> int:
    """The number of different values, rounded to ten decimals."""
    return int(values.round(10).nunique())
