"""Luo et al. 2014: BLANC where the two sides have different mentions, and at its boundaries."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import pandas as pd

from corescore.bibliography import LUO_2014
from corescore.metrics import BLANC_VARIANTS, DIAGNOSTICS, Metric
from corescore.metrics.diagnostics import LINKS
from corescore.replication.claims import joined, needing, title
from corescore.replication.correlations import COEFFICIENT, FEWEST, STRONG, correlations, strong
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.partitions import score_partitions
from corescore.replication.toys import NON_COREFERENCE, toy_pair, toy_parameters, with_diagnostics
from corescore.scoring.scores import score
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

# The toy examples ---------------------------------------------------------------------------------

Example = tuple[str, str]  # key and response in brace notation
EXAMPLES: dict[Example, Fraction] = {
    ("{abc}{d}", "{bc}{de}"): Fraction(17, 35),
    ("{a}", "{b}"): Fraction(0),
    ("{a}{b}{c}", "{a}{b}{d}"): Fraction(1, 3),
    ("{abc}", "{bc}"): Fraction(1, 2),
}
FIRST, *OTHERS = EXAMPLES


def _label(example: Example) -> str:
    return " / ".join(example)


def _own(setting: Setting) -> Example:
    return str(setting.values["key"]), str(setting.values["response"])


def _scored(examples: Sequence[Example], metrics: Sequence[Metric]) -> pd.DataFrame:
    """`score_partitions` of each example once, with its label in a column "example"."""
    each = list(dict.fromkeys(examples))
    scores = score_partitions([toy_pair(*example) for example in each], metrics)
    scores.insert(0, "example", [_label(each[pair]) for pair in scores["pair"]])
    return scores.drop(columns="pair")


def _f1(table: pd.DataFrame, example: Example) -> dict[str, float]:
    """F1 of an example by metric; empty if the table has another in its place."""
    rows = table[table["example"] == _label(example)]
    return dict(zip(rows["metric"], rows["f1"], strict=True))


def _examples(setting: Setting) -> pd.DataFrame:
    """Rows (example, metric), with "links" and "non_coreference", BLANC's two parts.

    Columns: example ("key / response"), metric, recall, precision and f1 (fractions), and what they
    were divided from: recall_numerator and so on (NaN for BLANC, which is a mean of two parts).
    """
    metrics = with_diagnostics(setting.metrics, LINKS, NON_COREFERENCE)
    return _scored([_own(setting), *OTHERS], metrics)


def _examples_printed() -> pd.DataFrame:
    """Columns: example, metric ("blanc") and f1."""
    rows = [(_label(example), "blanc", float(f1)) for example, f1 in EXAMPLES.items()]
    return pd.DataFrame(rows, columns=["example", "metric", "f1"])


def _comes_out(example: Example) -> Callable[[pd.DataFrame], Check]:
    @needing("blanc")
    def check(table: pd.DataFrame) -> Check:
        f1, expected = _f1(table, example), EXAMPLES[example]
        if not f1:
            return Check(None, "another example stands in its place")
        numbers = (
            f"{_links_in_words(table, example)}; F {percent(f1['blanc'])}, expected {expected}"
        )
        return Check(abs(f1["blanc"] - expected) < TOLERANCE, numbers)

    return check


def _links_in_words(table: pd.DataFrame, example: Example) -> str:
    rows = table[table["example"] == _label(example)].set_index("metric")
    fields = ["recall_numerator", "recall_denominator", "precision_denominator"]
    kinds = {"links": "coreference", "non_coreference": "non-coreference"}
    parts = [(kind, *rows[fields].loc[row].astype(int)) for row, kind in kinds.items()]
    return "; ".join(
        f"{right} right of {of_key} {kind} links in the key and {of_response} in the response"
        for kind, right, of_key, of_response in parts
    )


TOY_EXAMPLES = Experiment(
    id="luo2014-examples",
    paper=LUO_2014,
    where="toy examples",
    title="What is BLANC where the response lacks or invents mentions?",
    setup=(
        "Four keys and responses with mentions that only one side has. A link counts as right if "
        "both sides have it, coreferent on both or kept apart on both; links of missing and "
        "invented mentions count on the side that has them. Beside the metrics: the coreference "
        "links alone (links) and the non-coreference links alone. The first key and response can "
        "be changed."
    ),
    run=_examples,
    chart=Chart("bars", x="example", x_title="key / response"),
    claims=(
        Claim(
            "bc is right of the coreference links, bd and cd of the others: F = 17/35.",
            _label(FIRST),
            _comes_out(FIRST),
        ),
        Claim("Without a shared mention BLANC is 0.", _label(OTHERS[0]), _comes_out(OTHERS[0])),
        Claim(
            "Without a coreference link on either side only the others count: F = 1/3.",
            _label(OTHERS[1]),
            _comes_out(OTHERS[1]),
        ),
        Claim(
            "Without a non-coreference link on either side only the coreference links count: "
            "F = 1/2.",
            _label(OTHERS[2]),
            _comes_out(OTHERS[2]),
        ),
    ),
    parameters=toy_parameters(*FIRST),
    published=_examples_printed,
)


# Boundary cases -----------------------------------------------------------------------------------

PARTING = ("{abcdef}", "{ab}{cde}{f}")
PARTING_TOO = ("{a}{b}{c}", "{ab}{c}")
SAME_SINGLETON, OTHER_SINGLETON = ("{a}", "{a}"), ("{a}", "{b}")
SAME_MENTIONS = ("{abc}{de}", "{ab}{cde}")
BOUNDARIES = (PARTING, PARTING_TOO, SAME_SINGLETON, *EXAMPLES, SAME_MENTIONS)


def _boundaries(setting: Setting) -> pd.DataFrame:
    """Rows (example, rule): BLANC by three rules for a kind of link that a side lacks.

    Columns: example ("key / response"), metric (the rule: "reference", "luo2014" or
    "recasens2011"), recall, precision and f1 (fractions).
    """
    rules = [replace(metric, id=name) for name, metric in BLANC_VARIANTS.items()]
    scores = _scored([_own(setting), *BOUNDARIES], rules)
    return scores[["example", "metric", "recall", "precision", "f1"]]


def _in_words(f1: dict[str, float]) -> str:
    return ", ".join(f"{rule} {percent(value)}" for rule, value in f1.items())


def _differ(table: pd.DataFrame) -> Check:
    f1 = _f1(table, PARTING)
    off = abs(f1["reference"] - Fraction(8, 19)) + abs(f1["luo2014"] - Fraction(4, 19))
    return Check(off < TOLERANCE, _in_words(f1))


def _differ_too(table: pd.DataFrame) -> Check:
    f1 = _f1(table, PARTING_TOO)
    return Check(abs(f1["luo2014"] - f1["reference"] / 2) < TOLERANCE, _in_words(f1))


def _no_link(table: pd.DataFrame) -> Check:
    examples = (SAME_SINGLETON, OTHER_SINGLETON)
    same, other = (_f1(table, example) for example in examples)
    holds = (same["luo2014"], other["luo2014"], same["reference"]) == (1, 0, 0)
    numbers = (f"{_label(example)}: {_in_words(_f1(table, example))}" for example in examples)
    return Check(holds, "; ".join(numbers))


def _one_measure(table: pd.DataFrame) -> Check:
    f1 = _f1(table, SAME_MENTIONS)
    return Check(max(f1.values()) - min(f1.values()) < TOLERANCE, _in_words(f1))


def _shared_only(table: pd.DataFrame) -> Check:
    f1 = _f1(table, FIRST)
    return Check(f1["recasens2011"] > f1["luo2014"] + TOLERANCE, _in_words(f1))


BOUNDARY_CASES = Experiment(
    id="luo2014-boundaries",
    paper=LUO_2014,
    where="§4.1",
    title="Which rule for BLANC where a kind of link is missing?",
    setup=(
        "BLANC is the mean of two parts. What if a side has no link of one kind? reference, as "
        "the reference scorer: the key decides which part counts. luo2014, as in this paper: a "
        "part counts unless neither side has a link of it, and without any link the mentions "
        "decide. recasens2011, as in 2011: only the mentions that both sides have, else as "
        "reference. A key and response of your own can be put in front."
    ),
    run=_boundaries,
    chart=Chart("bars", x="example", x_title="key / response"),
    claims=(
        Claim(
            "Where only the response has non-coreference links, they count as an empty part by "
            "this paper and not by the reference scorer: 4/19 against 8/19.",
            "§4.1",
            _differ,
        ),
        Claim(
            "Likewise where only the response has a coreference link: half as much.",
            "§4.1",
            _differ_too,
        ),
        Claim(
            "Without any link this paper gives 1 for the same mentions and 0 for others; the "
            "reference scorer gives 0.",
            "§4.1",
            _no_link,
        ),
        Claim(
            "With the same mentions on both sides and both kinds of links, BLANC is the old one.",
            "abstract",
            _one_measure,
        ),
        Claim(
            "Leaving out missing and invented mentions, as the old BLANC must, raises the score.",
            "our reading",
            _shared_only,
        ),
    ),
    parameters=toy_parameters(*PARTING),
)


# Correlation over documents -----------------------------------------------------------------------

_DIAGNOSTIC = {metric.id for metric in DIAGNOSTICS}


def _correlation(setting: Setting) -> pd.DataFrame:
    """Rows (metric, other): each metric against each, "conll" among them.

    Columns: metric, other, correlation (−1 to 1; NaN where one of the two does not vary), and
    documents (how many both have an F1 for).
    """
    assert setting.key is not None
    assert setting.response is not None
    result = score(setting.key, setting.response, metrics=setting.metrics)
    names = [name for name in result.scores if name not in _DIAGNOSTIC]
    f1 = pd.DataFrame({name: result.document_scores[name].f1 for name in names})
    return correlations(f1, str(setting.values["coefficient"]), "documents")


@needing("blanc", "muc", "bcub", "ceafm", "ceafe")
def _strong(table: pd.DataFrame) -> Check:
    rows = table[table["metric"] == "blanc"]
    columns = (rows["other"], rows["correlation"], rows["documents"])
    values = {other: (r, n) for other, r, n in zip(*columns, strict=True)}
    others = ("muc", "bcub", "ceafm", "ceafe")
    return joined((title(other), strong(*values[other], "document")) for other in others)


CORRELATION = Experiment(
    id="luo2014-correlation",
    paper=LUO_2014,
    where="after Table 3 and Figure 1",
    title="Do the metrics agree on which documents went well?",
    setup=(
        "The paper correlates BLANC with the other metrics over the systems of the CoNLL shared "
        "tasks. Here the same is done over the documents of the key and the response at hand: the "
        "F1 of every document by one metric against that by another. Documents that a metric has "
        "nothing to score on are left out for it. The paper's own scores are not shown: they could "
        "not be checked against it."
    ),
    run=_correlation,
    chart=Chart(
        "matrix",
        x="metric",
        y="correlation",
        facet="other",
        x_title="metric",
        facet_title="metric",
        y_title="correlation",
    ),
    claims=(
        Claim(
            "BLANC is strongly correlated with MUC, B³, CEAF_m and CEAF_e.",
            "ours, after the abstract and Table 3",
            _strong,
            note=f"Strong is ours: {STRONG} or more, on {FEWEST} documents or more. The paper "
            "says it of systems; documents may well behave otherwise.",
        ),
    ),
    parameters=(COEFFICIENT,),
    on_data=True,
)

EXPERIMENTS = (TOY_EXAMPLES, BOUNDARY_CASES, CORRELATION)
