"""Luo et al. 2014: BLANC where key and response have different mentions."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import pandas as pd

from corescore.bibliography import LUO_2014
from corescore.metrics import Metric
from corescore.metrics.diagnostics import LINKS
from corescore.replication.claims import needing
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.luo2014.links import in_words, links
from corescore.replication.partitions import score_partitions
from corescore.replication.printed import Printed
from corescore.replication.toys import NON_COREFERENCE, toy_pair, toy_parameters, with_diagnostics
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

Example = tuple[str, str]  # key and response in brace notation


PRINTED = Printed("§4.2", Path(__file__).with_name("examples.csv"), ("example", "metric"))


TWINLESS = ("{abc}{de}", "{bc}{efg}")


def _read_examples() -> dict[Example, Fraction]:
    table = PRINTED.cells.query("metric == 'blanc'")
    pairs = (example.split(" / ") for example in table["example"])
    return {
        (key, response): Fraction(f1)
        for (key, response), f1 in zip(pairs, table["f1"], strict=True)
    }


EXAMPLES = _read_examples()
FIRST, *OTHERS = EXAMPLES


def label(example: Example) -> str:
    return " / ".join(example)


def given(setting: Setting) -> Example:
    """The key and response of the parameters."""
    return setting.text("key"), setting.text("response")


def scored(examples: Sequence[Example], metrics: Sequence[Metric]) -> pd.DataFrame:
    """`score_partitions` of each different example, with its label in a column "example"."""
    different = list(dict.fromkeys(examples))
    scores = score_partitions([toy_pair(*example) for example in different], metrics)
    scores.insert(0, "example", [label(different[pair]) for pair in scores["pair"]])
    return scores.drop(columns="pair")


def f1_of(table: pd.DataFrame, example: Example) -> dict[str, float]:
    """F1 of an example by metric; empty if the example is not in the table."""
    rows = table[table["example"] == label(example)]
    return dict(zip(rows["metric"], rows["f1"], strict=True))


def _examples(setting: Setting) -> pd.DataFrame:
    """Rows (example, metric), with "links" and "non_coreference", the two parts of BLANC.

    Columns: example ("key / response"), metric, recall, precision and f1 (fractions), and their
    numerators and denominators: recall_numerator and so on (NaN for BLANC, a mean of two parts).
    """
    metrics = with_diagnostics(setting.metrics, LINKS, NON_COREFERENCE)
    return scored([given(setting), *OTHERS], metrics)


def _matches(example: Example) -> Callable[[pd.DataFrame], Check]:
    @needing("blanc")
    def check(table: pd.DataFrame) -> Check:
        f1, expected = f1_of(table, example), EXAMPLES[example]
        if not f1:
            return Check(None, "replaced by another example")
        links = _links_in_words(table, example)
        numbers = f"{links}; F {percent(f1['blanc'])}, expected {expected}"
        return Check(abs(f1["blanc"] - expected) < TOLERANCE, numbers)

    return check


def _on_no_list(table: pd.DataFrame) -> Check:
    """Whether the response has no link ab at all, and the key neither cf nor fg."""
    of_key, of_response = (set.union(*links(side)) for side in TWINLESS)
    missing, spurious = of_key - of_response, of_response - of_key
    holds = frozenset("ab") in missing and {frozenset("cf"), frozenset("fg")} <= spurious
    numbers = f"{label(TWINLESS)}: in the key only {in_words(missing)}; in the response only "
    return Check(holds, numbers + in_words(spurious))


def _links_in_words(table: pd.DataFrame, example: Example) -> str:
    rows = table[table["example"] == label(example)].set_index("metric")
    fields = ["recall_numerator", "recall_denominator", "precision_denominator"]
    kinds = {"links": "coreference", "non_coreference": "non-coreference"}
    parts = [(kind, *rows[fields].loc[row].astype(int)) for row, kind in kinds.items()]
    return "; ".join(
        f"{kind} links: {of_key} in the key, {of_response} in the response, {correct} correct"
        for kind, correct, of_key, of_response in parts
    )


TOY_EXAMPLES = Experiment(
    id="luo2014-examples",
    paper=LUO_2014,
    where="§4.2",
    title="What is BLANC where the response lacks or invents mentions?",
    setup=(
        "Four keys and responses with mentions that only one side has. A link is correct if both "
        "sides have it, whether it is a coreference link or a non-coreference link; links of "
        "missing and spurious mentions count on the side that has them. Shown beside the metrics: "
        "the coreference links alone (links) and the non-coreference links alone. The first key "
        "and response can be changed."
    ),
    run=_examples,
    chart=Chart("bars", x="example", x_title="key / response"),
    claims=(
        Claim(
            "The coreference link bc is correct, and so are the non-coreference links bd and cd: "
            "F = 17/35.",
            f"§4.2: {label(FIRST)}",
            _matches(FIRST),
            id="example-1",
            scope="result",
        ),
        Claim(
            "Without a shared mention BLANC is 0.",
            f"§4.2: {label(OTHERS[0])}",
            _matches(OTHERS[0]),
            id="example-2",
            scope="result",
        ),
        Claim(
            "If neither side has a coreference link, only the non-coreference links count: "
            "F = 1/3.",
            f"§4.2: {label(OTHERS[1])}",
            _matches(OTHERS[1]),
            id="example-3",
            scope="result",
        ),
        Claim(
            "If neither side has a non-coreference link, only the coreference links count: "
            "F = 1/2.",
            f"§4.2: {label(OTHERS[2])}",
            _matches(OTHERS[2]),
            id="example-4",
            scope="result",
        ),
        Claim(
            "With other mentions, a link of the key may be no link of the response at all, and the "
            "other way round: ab of the key; cf and fg of the response.",
            f"§4: {label(TWINLESS)}",
            _on_no_list,
            id="on-no-list",
            scope="result",
        ),
    ),
    parameters=toy_parameters(*FIRST),
    printed=(PRINTED,),
)
