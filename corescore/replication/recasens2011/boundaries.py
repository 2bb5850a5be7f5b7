"""Recasens & Hovy 2011, §4.1.2: one kind of link only, or one link only."""

from collections.abc import Mapping
from itertools import product

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.counting.counts import MEASURES
from corescore.metrics.diagnostics import LINKS
from corescore.replication.claims import Checker, needing, numbers_of
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.partitions import Partition, of_sizes, score_partitions
from corescore.replication.recasens2011.tables12_13 import PRINTED as TABLE_13
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
ONE_LINK, WRONG_PAIR = "one link", "a wrong pair"
C, N = LINKS.id, NON_COREFERENCE.id


def _boundaries(setting: Setting) -> pd.DataFrame:
    """Rows (key, response, metric), with "links" and "non_coreference", BLANC's two parts.

    Columns: key and response in words, metric, recall, precision and f1.
    """
    keys, responses = _sides(setting.number("mentions"))
    cases = list(product(keys, responses))
    pairs = [(keys[key], responses[response]) for key, response in cases]
    scores = score_partitions(pairs, with_diagnostics(setting.metrics, LINKS, NON_COREFERENCE))
    scores.insert(0, "key", [cases[pair][0] for pair in scores["pair"]])
    scores.insert(1, "response", [cases[pair][1] for pair in scores["pair"]])
    return scores[["key", "response", "metric", "recall", "precision", "f1"]]


def _sides(n: int) -> tuple[dict[str, Partition], dict[str, Partition]]:
    """The keys and the responses of n mentions, by their names."""
    half = n // 2
    only: dict[str, Partition] = {ONE: of_sizes([n]), ALONE: of_sizes([1] * n)}
    both, one_link = of_sizes([half, *[1] * (n - half)]), of_sizes([2, *[1] * (n - 2)])
    wrong_pair = [[0, n - 1], *([mention] for mention in range(1, n - 1))]
    keys = {**only, MIXED: both, ONE_LINK: one_link}
    return keys, {**only, MIXED: of_sizes([2, n - 2]), WRONG_PAIR: wrong_pair}


# The claims ---------------------------------------------------------------------------------------


def _scores(table: pd.DataFrame, metric: str) -> dict[Case, dict[str, float]]:
    """Recall, precision and F1 of one metric, by key and response."""
    rows = table[table["metric"] == metric].to_dict("records")
    return {
        (row["key"], row["response"]): {measure: row[measure] for measure in MEASURES}
        for row in rows
    }


def _rule(expected: Mapping[Case, tuple[float, str]]) -> Checker:
    """Whether BLANC is what is expected of each case, in recall, precision and F1.

    expected  a share of one of the two parts, or a number, with an empty name of the part
    """

    @needing("blanc")
    def check(table: pd.DataFrame) -> Check:
        blanc, holds, told = _scores(table, "blanc"), True, []
        for case, (share, part) in expected.items():
            of_part = _scores(table, part)[case] if part else dict.fromkeys(MEASURES, 1.0)
            apart = (blanc[case][measure] - share * of_part[measure] for measure in MEASURES)
            holds = holds and all(abs(difference) < TOLERANCE for difference in apart)
            beside = f", the part {_told(of_part)}" if part else ""
            told.append(f"key {case[0]}, response {case[1]}: {_told(blanc[case])}{beside}")
        return Check(holds, "; ".join(told))

    return check


def _told(scores: Mapping[str, float]) -> str:
    """R 100.00, P 52.63, F1 68.97."""
    values = zip(("R", "P", "F1"), (scores[measure] for measure in MEASURES), strict=True)
    return ", ".join(f"{letter} {percent(value)}" for letter, value in values)


@needing("blanc")
def _never_above_half(table: pd.DataFrame) -> Check:
    """Of the responses that lack the only link."""
    blanc, links = (
        {case[1]: of["f1"] for case, of in _scores(table, name).items() if case[0] == ONE_LINK}
        for name in ("blanc", C)
    )
    missing = {response: f1 for response, f1 in blanc.items() if not links[response]}
    return _below_half(missing)


def _printed_below_half() -> Check:
    rows = TABLE_13.numbers
    rows = rows[(rows["metric"] == "blanc") & rows["response"].isin([*"ABC"])]
    return _below_half(dict(zip(rows["response"], rows["f1"], strict=True)))


def _below_half(blanc: Mapping[str, float]) -> Check:
    return Check(bool(blanc) and max(blanc.values()) <= 0.5, numbers_of(blanc))


_WHERE = "§4.1.2"
BOUNDARIES = Experiment(
    id="recasens2011-boundaries",
    paper=RECASENS_2011,
    where=_WHERE,
    title="What is BLANC where there is only one kind of link?",
    setup=(
        "A key that is a single entity has no non-coreference link, a key of singletons has no "
        "coreference link. A key with both kinds is an entity of half the mentions, and "
        "singletons; one more has a single coreference link. Each is compared with one entity, "
        "with singletons alone, with a response of two entities (both), and with one that links "
        "the first mention to the last, which only the key of one entity does. Shown beside the "
        "metrics: F1 of the coreference links alone (links) and of the non-coreference links "
        "alone. BLANC follows the reference scorer, which on the same mentions is what the "
        "paper’s rules come to: only the key decides which part counts."
    ),
    run=_boundaries,
    chart=Chart("bars", x="response", x_title="response", facet="key"),
    claims=(
        Claim(
            "A response of one entity scores 100 if the key is the same, and 0 if the key has only "
            "singletons.",
            f"{_WHERE}, first rule",
            _rule({(ONE, ONE): (1, ""), (ALONE, ONE): (0, "")}),
            id="response-one-entity",
            scope="property",
        ),
        Claim(
            "If the key has both kinds of link, a response of one entity scores 0 in the part of "
            "the non-coreference links, and BLANC is half of the other part.",
            f"{_WHERE}, first rule",
            _rule({(MIXED, ONE): (0.5, C), (ONE_LINK, ONE): (0.5, C)}),
            id="one-entity-has-half",
            scope="property",
        ),
        Claim(
            "A response of singletons scores 100 if the key is the same, and 0 if the key is one "
            "entity.",
            f"{_WHERE}, second rule",
            _rule({(ALONE, ALONE): (1, ""), (ONE, ALONE): (0, "")}),
            note="MUC has no link to count among singletons and gives 0.",
            id="response-singletons",
            scope="property",
        ),
        Claim(
            "If the key has both kinds of link, a response of singletons scores 0 in the part of "
            "the coreference links, and BLANC is half of the other part.",
            f"{_WHERE}, second rule",
            _rule({(MIXED, ALONE): (0.5, N), (ONE_LINK, ALONE): (0.5, N)}),
            id="singletons-have-half",
            scope="property",
        ),
        Claim(
            "So it is wherever the key has both kinds and the response has no correct coreference "
            "link, even if it has wrong ones.",
            f"{_WHERE}, third rule",
            _rule({(MIXED, WRONG_PAIR): (0.5, N), (ONE_LINK, WRONG_PAIR): (0.5, N)}),
            note="The rule has a second half, for a response without a correct non-coreference "
            "link. On the same mentions only one entity has none, which the first rule is about.",
            id="no-correct-link",
            scope="property",
        ),
        Claim(
            "If the key is one entity and the response has both kinds of link, BLANC is the part "
            "of the coreference links.",
            f"{_WHERE}, fourth rule",
            _rule({(ONE, MIXED): (1, C), (ONE, WRONG_PAIR): (1, C)}),
            id="key-one-entity",
            scope="property",
        ),
        Claim(
            "If the key has only singletons and the response both kinds of link, BLANC is the part "
            "of the non-coreference links.",
            f"{_WHERE}, fourth rule",
            _rule({(ALONE, MIXED): (1, N), (ALONE, WRONG_PAIR): (1, N)}),
            id="key-singletons",
            scope="property",
        ),
        Claim(
            "If one pair is coreferent and the response does not find it, BLANC is never above 50.",
            f"{_WHERE}, on the weakness of BLANC",
            _never_above_half,
            note="BLANC is then half of the part of the non-coreference links, which is 100 at "
            "most. In print: Table 13, A to C.",
            id="never-above-half",
            in_print=_printed_below_half,
            scope="universal",
        ),
    ),
    parameters=(BOUNDARY_MENTIONS,),
)
