"""Toy partitions, scored all at once, each as its own document."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.corpus.documents import Document
from corescore.corpus.formats.inline import read_notation
from corescore.corpus.problems import PolicyError, refusal
from corescore.counting.comparison import compare
from corescore.counting.counts import MEASURES, SCORE_FIELDS
from corescore.metrics import Metric
from corescore.metrics.blanc import blanc_counts
from corescore.metrics.diagnostics import LINKS
from corescore.metrics.metric import NON_COREFERENCE_LINK
from corescore.replication.experiment import Parameter
from corescore.scoring.tally import scores_of
from corescore.util import PLACES, by_key
from corescore.wording import counted

Partition = Sequence[Collection[int]]

EntityLists = list[list[int]]

MOST_MENTIONS, MOST_PARTS = 500, 40


def of_sizes(sizes: Iterable[int]) -> list[range]:
    """Entities of these sizes; mentions are numbered from 0 through the entities."""
    ends = [*accumulate(sizes)]
    return [range(start, end) for start, end in zip([0, *ends], ends, strict=False)]


def entity_of_size(key: Sequence[Sequence[int]], size: int) -> int:
    """The first entity of a size; PolicyError if there is none."""
    place = next((at for at, entity in enumerate(key) if len(entity) == size), None)
    if place is None:
        raise PolicyError(f"the key has no entity of {counted(size)}; expected the size of one")
    return place


def with_parts(key: Sequence[Sequence[int]], sizes: Sequence[int]) -> Partition:
    """The key with its first entity of the sizes' sum split into parts of these sizes."""
    place = entity_of_size(key, sum(sizes))
    parts = [[key[place][m] for m in part] for part in of_sizes(sizes)]
    return [*key[:place], *parts, *key[place + 1 :]]


def read_sizes(text: str, *, least: int = 2) -> tuple[int, ...]:
    """Sizes of entities: "20 2×10 5" is one of 20 mentions, ten of 2 and one of 5.

    x may be written for ×, and commas between. Raises PolicyError for any other text, an entity
    of fewer than `least` mentions, fewer than two entities, no entity of two mentions, and more
    than 500 mentions.
    """
    words = text.replace(",", " ").split()
    parts = [re.fullmatch(r"([1-9]\d{0,2})(?:[×xX*]([1-9]\d{0,2}))?", word) for word in words]
    pairs = [(int(part[1]), int(part[2] or 1)) for part in parts if part]
    fits = len(pairs) == len(words) and all(size >= least for size, _ in pairs)
    fits = fits and any(size > 1 for size, _ in pairs)
    n_entities, n_mentions = sum(n for _, n in pairs), sum(size * n for size, n in pairs)
    if not fits or n_entities < 2 or n_mentions > MOST_MENTIONS:
        raise PolicyError(
            f"entity sizes are '{text}'; expected two or more whole numbers from {least}, such as "
            f"'20 10 5×3', of at most {MOST_MENTIONS} mentions in all"
        )
    return tuple(size for size, n in pairs for _ in range(n))


def read_all_sizes(text: str) -> tuple[int, ...]:
    """The same with entities of one mention, which have no link."""
    return read_sizes(text, least=1)


def written_sizes(sizes: Iterable[int]) -> str:
    """The inverse of `read_all_sizes`: "20 10×2 1×30"."""
    counts = Counter(sizes)
    return " ".join(f"{size}×{n}" if n > 1 else str(size) for size, n in counts.items())


def read_parts(text: str) -> tuple[tuple[int, ...], ...]:
    """Numbers joined by hyphens: "18-2 5-3-2" is (18, 2) and (5, 3, 2); repetitions are dropped.

    Raises PolicyError for any other text, a single number, more than 40 entries, and an entry that
    adds up to more than 500.
    """
    words = dict.fromkeys(text.replace(",", " ").split())
    fits = all(re.fullmatch(r"\d{1,3}(-\d{1,3})+", word) for word in words)
    parts = tuple(tuple(map(int, word.split("-"))) for word in words) if fits else ()
    if not 0 < len(parts) <= MOST_PARTS or max(map(sum, parts)) > MOST_MENTIONS:
        raise PolicyError(
            f"the list is '{text}'; expected up to {MOST_PARTS} entries such as '18-2' or "
            f"'5-3-2', none of them over {MOST_MENTIONS} in all"
        )
    return parts


def grouped(mentions: Iterable[int], entity_of: Sequence[int] | Mapping[int, int]) -> EntityLists:
    """The mentions of each entity, by the first of each."""
    return [*by_key((entity_of[mention], mention) for mention in mentions).values()]


def partitions_of(n: int) -> Iterator[list[list[int]]]:
    """Every way to part n mentions into entities."""
    if not n:
        yield []
        return
    for smaller in partitions_of(n - 1):
        yield [*smaller, [n - 1]]
        for at, entity in enumerate(smaller):
            yield [*smaller[:at], [*entity, n - 1], *smaller[at + 1 :]]


def score_partitions(
    pairs: Sequence[tuple[Partition, Partition]], metrics: Sequence[Metric]
) -> pd.DataFrame:
    """The scores of each (key, response), each as a corpus of its own; 0/0 is 0.

    Rows (pair, metric), "conll" last where its three metrics are scored. Columns: pair (its
    number), metric (its id), and the fields of a score: recall, precision, f1, recall_numerator
    and so on; fractions. A mention is a number, and the same mention on both sides.
    """
    key, response = (
        [
            Document.of_entities(
                f"pair {at}", [[(m, m + 1) for m in entity] for entity in pair[side]]
            )
            for at, pair in enumerate(pairs)
        ]
        for side in (0, 1)
    )
    table = compare(key, response).table
    scores = scores_of(metrics, {metric.id: metric.counts(table) for metric in metrics}, empty=0)
    rows = [
        pd.DataFrame(
            {
                "pair": range(len(pairs)),
                "metric": name,
                **{field: getattr(score, field) for field in SCORE_FIELDS},
            }
        )
        for name, score in scores.items()
    ]
    return pd.concat(rows).sort_values("pair", kind="stable", ignore_index=True)


# What the experiments on toy partitions share: notation, parameters and tables --------------------

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
        raise _refused("more than one line", "a single partition", "Write it in one line.")
    (document,) = read_notation(text, "the partition")
    if len(document.rows) > len(document.words):
        raise _refused("a mention in two entities", "each mention once", "Take one of them out.")


_refused = partial(refusal, "the partition")


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
    """One row per pair: the numbers of correct and wrong links; see `toy_table`."""
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


def n_different(f1: pd.DataFrame) -> "pd.Series[int]":
    """How many different scores each metric gives."""
    return f1.round(PLACES).nunique()
