"""Recasens & Hovy 2011, Figures 4 and 5: two constraints that they reject for coreference."""

from dataclasses import replace
from pathlib import Path

import pandas as pd

from corescore.bibliography import AMIGO_2009, RECASENS_2011
from corescore.metrics import title_of
from corescore.metrics.diagnostics import RAND
from corescore.replication.claims import COMPARED, Checker, joined, needing, numbers_of
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.toys import toy_pair, toy_table, with_diagnostics
from corescore.replication.verdict import Reading
from corescore.tolerances import TOLERANCE

PARTITIONS = Path(__file__).with_name("figures4_5.csv")
FIGURE_4, FIGURE_5 = "Figure 4", "Figure 5"
LARGER, IN_BOTH = "Figure 4, more singletons", "Figure 4, mixed in both"
S1, S2 = "S1", "S2"
_PAIRS = ("blanc", RAND.id)
_BUT_BLANC = tuple(name for name in COMPARED if name != "blanc")


def toys() -> dict[str, tuple[str, str, str]]:
    """Key, S1 and S2 of each figure in brace notation, and of two more after Figure 4.

    One has three more singletons, which S2 puts into its mixed entity. In the other both responses
    have a mixed entity, as in the constraint of Amigó et al.
    """
    rows = pd.read_csv(PARTITIONS, comment="#").itertuples(index=False)
    figures = {str(figure): (key, one, other) for figure, key, one, other in rows}
    key, one, other = figures[FIGURE_4]
    more = "{h}{i}{j}"
    larger = (key + more, one + more, other.replace("g}", "ghij}"))
    in_both = (key, one.replace("{e}{f}{g}", "{efg}"), other)
    return {
        FIGURE_4: figures[FIGURE_4],
        LARGER: larger,
        IN_BOTH: in_both,
        FIGURE_5: figures[FIGURE_5],
    }


def _figures(setting: Setting) -> pd.DataFrame:
    """Rows (figure, response, metric), with the Rand index.

    Columns as `toy_table`; key and entities (those of the response) in brace notation.
    """
    cases = [
        (figure, name, key, response)
        for figure, (key, *both) in toys().items()
        for name, response in zip((S1, S2), both, strict=True)
    ]
    pairs = [toy_pair(key, response) for *_, key, response in cases]
    metrics = with_diagnostics(setting.metrics, RAND)
    table = toy_table(range(len(cases)), pairs, metrics, name="case")
    for at, name in enumerate(("figure", "response", "key", "entities")):
        table.insert(at, name, [cases[case][at] for case in table["case"]])
    return table.drop(columns="case")


# The claims ---------------------------------------------------------------------------------------


def _links(table: pd.DataFrame, figure: str) -> dict[str, tuple[int, int]]:
    """The wrong and the missed links of S1 and S2."""
    rows = table[table["figure"] == figure].drop_duplicates("response").set_index("response")
    columns = ["wrong_coreference", "wrong_non_coreference"]
    return {name: (int(w), int(m)) for name, w, m in rows[columns].itertuples()}


def _not_better(*figures: str) -> Checker:
    """Whether S2 has as many links wrong or missed as S1, or more."""

    def check(table: pd.DataFrame) -> Check:
        holds, told = True, []
        for figure in figures:
            links = _links(table, figure)
            holds = holds and sum(links[S2]) >= sum(links[S1])
            each = "; ".join(f"{name}: {w} wrong, {m} missed" for name, (w, m) in links.items())
            told.append(f"{figure}: {each}" if figures[1:] else each)
        return Check(holds, ". ".join(told))

    return check


def _larger_is_worse(table: pd.DataFrame) -> Check:
    small, large = (_links(table, figure) for figure in (FIGURE_4, LARGER))
    more = [sum(links[S2]) - sum(links[S1]) for links in (small, large)]
    numbers = f"S2 has {more[0]} errors more than S1; with three more singletons, {more[1]} more"
    return Check(more[1] > more[0] > 0, numbers)


def _preferring(table: pd.DataFrame, figure: str) -> dict[str, str]:
    """S1, S2 or "" (neither) for each metric, by F1."""
    rows = table[table["figure"] == figure]
    f1 = rows.pivot_table(index="metric", columns="response", values="f1", sort=False)
    more = f1[S2] - f1[S1]
    return {
        str(metric): "" if abs(by) < TOLERANCE else S2 if by > 0 else S1
        for metric, by in more.items()
    }


def _prefers(figure: str, response: str, *metrics: str) -> Checker:
    """Whether each of the metrics scores this response higher; "": both alike."""

    def check(table: pd.DataFrame) -> Check:
        first = _preferring(table, figure)
        rows = table[(table["figure"] == figure) & table["metric"].isin(metrics)]
        told = (
            f"{title_of(str(metric))}: {numbers_of(of.set_index('response')['f1'])}"
            for metric, of in rows.groupby("metric", sort=False)
        )
        return Check(all(first[metric] == response for metric in metrics), "; ".join(told))

    return needing(*metrics)(check)


def _each(*checks: tuple[str, str, tuple[str, ...]]) -> Checker:
    """Several of `_prefers`, as one claim."""
    return lambda table: joined(
        (figure, _prefers(figure, response, *metrics)(table))
        for figure, response, metrics in checks
    )


def _rag_bag(table: pd.DataFrame) -> Check:
    """Whether B³ prefers S2 of Figure 4, as it is read here or with a mixed entity in S1 too."""
    checks = {name: _prefers(name, S2, "bcub")(table) for name in (FIGURE_4, IN_BOTH)}
    readings = (Reading(name, check.holds) for name, check in checks.items())
    return replace(joined(checks.items()), readings=tuple(readings))


FIGURES_4_AND_5 = Experiment(
    id="recasens2011-fig4-5",
    paper=RECASENS_2011,
    where="§3.2, Figures 4 and 5",
    title="Is one mixed entity, or a slip in a large entity, the smaller evil?",
    setup=(
        f"{AMIGO_2009.name} want of every score of clusterings that it prefers a stray item in an "
        "entity that is mixed anyway (rag bag), and one slip in a large entity to many in small "
        "ones (size against quantity). Recasens & Hovy reject both for coreference, where an "
        "entity asserts a link between any two of its mentions: in each figure, S2 is what the "
        "constraint favours. Figure 4: an entity of three and four singletons; S1 adds one of "
        "these to the entity, S2 makes one entity of all four. Its key is a reading of a scan. "
        "Figure 5: entities of three, two and two; S1 splits both small ones, S2 takes a mention "
        "from the large one. Ours are Figure 4 with three more singletons, which S2 links as well, "
        "and the constraint itself, where S1 has a mixed entity, too."
    ),
    run=_figures,
    chart=Chart("bars", x="response", x_title="response", facet="figure"),
    claims=(
        Claim(
            "Figure 4: S2, with the mixed entity, is not better than S1.",
            "§3.2, Figure 4; by links wrong or missed",
            _not_better(FIGURE_4),
            id="rag-bag",
            scope="result",
        ),
        Claim(
            "Figure 5: S2, with one slip in the large entity, is not better than S1.",
            "§3.2, Figure 5; by links wrong or missed",
            _not_better(FIGURE_5),
            id="size-against-quantity",
            scope="result",
        ),
        Claim(
            "With more singletons in the mixed entity, S2 would be worse still.",
            "§3.2, on Figure 4",
            _larger_is_worse,
            id="larger-bag",
            scope="property",
        ),
        Claim(
            "B³ meets both constraints.",
            f"§3.2, after {AMIGO_2009.name}",
            _each((IN_BOTH, S2, ("bcub",)), (FIGURE_5, S2, ("bcub",))),
            note="Checked on the constraint itself, with a mixed entity in S1 too, and Figure 5.",
            id="bcub-meets-both",
            scope="property",
        ),
        Claim(
            "Measures that count pairs, such as the Rand index and BLANC, meet neither.",
            f"§3.2, after {AMIGO_2009.name}",
            _each((IN_BOTH, "", _PAIRS), (FIGURE_5, "", _PAIRS)),
            id="pairs-meet-neither",
            scope="property",
        ),
        Claim(
            "By the constraint, S2 of Figure 4 would be better: B³, which meets it, prefers S2.",
            "§3.2, on Figure 4",
            _rag_bag,
            note="In Figure 4, whose key is a reading of a scan, S1 has no mixed entity, as the "
            "constraint supposes, but keeps the others apart, as the key does. So every metric "
            "prefers S1.",
            id="bcub-prefers-rag-bag",
            scope="property",
        ),
        Claim(
            "All six put S1 of Figure 4 first; in Figure 5 all but BLANC put S2 first.",
            "not in the paper",
            _each((FIGURE_4, S1, COMPARED), (FIGURE_5, S2, _BUT_BLANC)),
            id="what-the-six-do",
            scope="result",
            ours=True,
        ),
    ),
)
