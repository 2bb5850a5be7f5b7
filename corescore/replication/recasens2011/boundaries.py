"""Recasens & Hovy 2011, §4.1.2: one kind of link only."""

from itertools import product

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.metrics.diagnostics import LINKS
from corescore.replication.claims import needing
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.partitions import of_sizes, score_partitions
from corescore.replication.toys import (
    NON_COREFERENCE,
    with_diagnostics,
)
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

BOUNDARY_MENTIONS = Parameter(
    "mentions", "Mentions", 10, "In the key and in the response.", minimum=4, maximum=200
)
Case = tuple[str, str]  # of the key, of the response
ONE, ALONE, MIXED = "one entity", "all singletons", "both"


def _boundaries(setting: Setting) -> pd.DataFrame:
    """Rows (key, response, metric), with "links" and "non_coreference", BLANC's two parts.

    Columns: key and response in words, metric, recall, precision and f1.
    """
    n = setting.number("mentions")
    half = n // 2
    keys = {
        ONE: of_sizes([n]),
        ALONE: of_sizes([1] * n),
        MIXED: of_sizes([half, *[1] * (n - half)]),
    }
    responses = {**keys, MIXED: of_sizes([2, n - 2])}
    cases = list(product(keys, responses))
    pairs = [(keys[key], responses[response]) for key, response in cases]
    scores = score_partitions(pairs, with_diagnostics(setting.metrics, LINKS, NON_COREFERENCE))
    scores.insert(0, "key", [cases[pair][0] for pair in scores["pair"]])
    scores.insert(1, "response", [cases[pair][1] for pair in scores["pair"]])
    return scores[["key", "response", "metric", "recall", "precision", "f1"]]


def _f1(table: pd.DataFrame, metric: str) -> dict[Case, float]:
    """F1 of one metric by key and response."""
    rows = table[table["metric"] == metric]
    return dict(zip(zip(rows["key"], rows["response"], strict=True), rows["f1"], strict=True))


@needing("blanc", "muc")
def _perfect(table: pd.DataFrame) -> Check:
    blanc, muc = _f1(table, "blanc"), _f1(table, "muc")
    same = [(ONE, ONE), (ALONE, ALONE)]
    numbers = (
        f"{case[0]}: BLANC {percent(blanc[case])}, MUC {percent(muc[case])}" for case in same
    )
    return Check(all(blanc[case] == 1 for case in same), "; ".join(numbers))


@needing("blanc")
def _opposite(table: pd.DataFrame) -> Check:
    blanc = _f1(table, "blanc")
    cases = [(ONE, ALONE), (ALONE, ONE)]
    numbers = (
        f"{key} against {response} {percent(blanc[key, response])}" for key, response in cases
    )
    return Check(all(blanc[case] == 0 for case in cases), ", ".join(numbers))


@needing("blanc")
def _one_part(table: pd.DataFrame) -> Check:
    """A key of one entity has no non-coreference link, one of singletons no coreference link."""
    return _part_of(table, {(ONE, MIXED): "links", (ALONE, MIXED): "non_coreference"}, share=1)


@needing("blanc")
def _half(table: pd.DataFrame) -> Check:
    """The response lacks a kind of link that the key has: that part is 0."""
    return _part_of(table, {(MIXED, ONE): "links", (MIXED, ALONE): "non_coreference"}, share=0.5)


def _part_of(table: pd.DataFrame, cases: dict[Case, str], *, share: float) -> Check:
    """Whether BLANC is this share of the part that each case names."""
    blanc = _f1(table, "blanc")
    part = {case: _f1(table, name)[case] for case, name in cases.items()}
    numbers = (
        f"key {key}, response {response}: BLANC {percent(blanc[key, response])}, "
        f"the part {percent(part[key, response])}"
        for key, response in cases
    )
    holds = all(abs(blanc[case] - share * part[case]) < TOLERANCE for case in cases)
    return Check(holds, "; ".join(numbers))


BOUNDARIES = Experiment(
    id="recasens2011-boundaries",
    paper=RECASENS_2011,
    where="§4.1.2",
    title="What is BLANC where there is only one kind of link?",
    setup=(
        "A key that is a single entity has no non-coreference link, a key of singletons has no "
        "coreference link; a key with both kinds is an entity of half the mentions, and "
        "singletons. Each is compared with one entity, with singletons alone, and with a response "
        "of two entities. Shown beside the metrics: F1 of the coreference links alone (links) and "
        "of the non-coreference links alone. BLANC follows the reference scorer: only the key "
        "decides which part counts."
    ),
    run=_boundaries,
    chart=Chart("bars", x="response", x_title="response", facet="key"),
    claims=(
        Claim(
            "A response identical to the key scores 100, whether the key is one entity or has only "
            "singletons.",
            "§4.1.2",
            _perfect,
            note="MUC has no link to count among singletons and gives 0.",
        ),
        Claim(
            "One entity against singletons alone scores 0, and the other way round.",
            "§4.1.2",
            _opposite,
        ),
        Claim(
            "Where the key has only one kind of link, BLANC is that part alone.",
            "§4.1.2",
            _one_part,
        ),
        Claim(
            "Where the key has both kinds and the response only one, BLANC is half of that part.",
            "§4.1.2",
            _half,
        ),
    ),
    parameters=(BOUNDARY_MENTIONS,),
)
