"""Moosavi & Strube 2016, Figure 1: a passage, its entities, and what CEAF makes of them."""

from itertools import chain
from pathlib import Path

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.counting.counts import MEASURES
from corescore.metrics import title_of
from corescore.metrics.variants.ceaf_links import CEAFE_LINKS, CEAFM_LINKS
from corescore.replication.claims import needing, others, wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.partitions import Partition, score_partitions
from corescore.replication.toys import with_diagnostics
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

FOLDER = Path(__file__).parent
LOST, FOUND = "all but this entity", "one mention of this entity"
N_WRONG = 2  # how many mentions that the key lacks are linked to the one that is found
WHERE = "§3.3, Figure 1"


def passage() -> dict[int, list[int]]:
    """The numbers of the mentions of each key entity."""
    entities: dict[int, list[int]] = {}
    for row in pd.read_csv(FOLDER / "figure1.csv", comment="#").to_dict("records"):
        entities.setdefault(row["entity"], []).append(row["number"])
    return entities


def _figure_1(setting: Setting) -> pd.DataFrame:
    """Rows (response, entity, metric), with CEAF on links as two more metrics.

    Columns: response ("all but this entity": the others are there, without an error; "one mention
    of this entity": it is linked to two mentions that the key lacks, and two more of these are an
    entity), entity (such as "(1), 8 mentions"), number and size of the entity, metric, recall,
    precision, f1; fractions.
    """
    entities = passage()
    rows: list[tuple[object, ...]] = []
    pairs: list[tuple[Partition, Partition]] = []
    for response in (LOST, FOUND):
        for number, entity in entities.items():
            rows.append((response, f"({number}), {len(entity)} mentions", number, len(entity)))
            pairs.append(([*entities.values()], _response(entities, number, response)))
    metrics = with_diagnostics(setting.metrics, CEAFM_LINKS, CEAFE_LINKS)
    scores = score_partitions(pairs, metrics).set_index("pair")[["metric", *MEASURES]]
    named = pd.DataFrame(rows, columns=["response", "entity", "number", "size"])
    return named.join(scores).reset_index(drop=True)


def _response(entities: dict[int, list[int]], number: int, response: str) -> Partition:
    if response == LOST:
        return [mentions for other, mentions in entities.items() if other != number]
    first = 1 + max(chain.from_iterable(entities.values()))
    wrong = range(first, first + 2 * N_WRONG)
    return [[entities[number][0], *wrong[:N_WRONG]], wrong[N_WRONG:]]


def _of(table: pd.DataFrame, response: str) -> pd.DataFrame:
    return table[table["response"] == response]


@needing("ceafe")
def _large_like_small(table: pd.DataFrame) -> Check:
    """Whether CEAF_e scores the loss of entity (1) like that of entity (4)."""
    f1 = wide(_of(table, LOST), "number").loc[[1, 4]]
    names = ["ceafe", *others(table, "ceafe")]
    numbers = [f"{title_of(m)} {percent(f1[m].iloc[0])}, {percent(f1[m].iloc[1])}" for m in names]
    holds = abs(f1["ceafe"].iloc[0] - f1["ceafe"].iloc[1]) <= TOLERANCE
    return Check(bool(holds), f"without entity (1) and without entity (4): {'; '.join(numbers)}")


@needing("lea")
def _weighs_by_size(table: pd.DataFrame) -> Check:
    """Whether a lost entity costs LEA's recall its share of the mentions."""
    lost = _of(table, LOST)
    lea = lost[lost["metric"] == "lea"]
    costs, shares = 1 - lea["recall"], lea["size"] / lea["size"].sum()
    numbers = [
        f"({number}) {percent(cost)}" for number, cost in zip(lea["number"], costs, strict=True)
    ]
    holds = ((costs - shares).abs() <= TOLERANCE).all()
    return Check(bool(holds), f"LEA’s recall loses without {', '.join(numbers)}")


@needing("ceafm", "ceafe")
def _by_one_mention(table: pd.DataFrame) -> Check:
    """Whether CEAF_m earns 1/A and 1/B, CEAF_e 2/((a + b)K) and 2/((a + b)L)."""
    found = _of(table, FOUND)
    m, e = (found[found["metric"] == name].set_index("entity") for name in ("ceafm", "ceafe"))
    n_key, n_response = m["size"].sum(), 1 + 2 * N_WRONG
    similarity = 2 / (e["size"] + 1 + N_WRONG)
    off = [
        *(m["recall"] - 1 / n_key, m["precision"] - 1 / n_response),
        *(e["recall"] - similarity / len(e), e["precision"] - similarity / 2),
    ]
    numbers = [
        f"({number}) {percent(recall)} and {percent(precision)}"
        for number, recall, precision in zip(e["number"], e["recall"], e["precision"], strict=True)
    ]
    of_m = f"CEAF_m {percent(m['recall'].iloc[0])} and {percent(m['precision'].iloc[0])}"
    return Check(
        bool(pd.concat(off).abs().max() <= TOLERANCE),
        f"recall and precision: {of_m} for each; CEAF_e {', '.join(numbers)}",
    )


def _links_earn_nothing(table: pd.DataFrame) -> Check:
    """Whether CEAF on links is 0 where no link is found, and above 0 where some are."""
    names = [CEAFM_LINKS.id, CEAFE_LINKS.id]
    found, lost = (wide(_of(table, response), "number")[names] for response in (FOUND, LOST))
    numbers = [
        f"{title_of(name)} {percent(found[name].max())} for one mention, from "
        f"{percent(lost[name].min())} where one entity is missing"
        for name in names
    ]
    holds = found.max().max() <= TOLERANCE and lost.min().min() > TOLERANCE
    return Check(bool(holds), "; ".join(numbers))


FIGURE_1 = Experiment(
    id="moosavi2016-fig1",
    paper=MOOSAVI_2016,
    where="Figure 1",
    title="Is an entity of two mentions worth as much as one of eight?",
    setup=(
        "The key has the 18 mentions of the passage in five entities of 8, 2, 4, 2 and 2. Above, "
        "the response has four of these entities and not the one that is named. Below, it "
        "has a single mention of that entity, linked to two mentions that the key lacks, and one "
        "more entity of two such mentions: it has no correct link. CEAF is also counted in links "
        "instead of mentions; the paper has no formula for this, and it is our reading."
    ),
    run=_figure_1,
    chart=Chart("bars", x="entity", facet="response", x_title="entity of the key"),
    claims=(
        Claim(
            "CEAF_e scores a response without entity (1), the largest, like one without entity "
            "(4), of two mentions.",
            WHERE,
            _large_like_small,
            note="Four of five entities are found, without an error: recall 4/5, precision 1, F1 "
            "8/9.",
            id="ceafe-sizes",
            scope="property",
        ),
        Claim(
            "LEA weighs entities by their size: a lost entity costs its share of the mentions.",
            "§4",
            _weighs_by_size,
            id="lea-sizes",
            scope="property",
        ),
        Claim(
            "One shared mention of aligned entities earns CEAF_m 1/A of recall and 1/B of "
            "precision, and CEAF_e 2/((a + b)K) and 2/((a + b)L).",
            "§3.3",
            _by_one_mention,
            note="A and B are the mentions, K and L the entities of key and response; a and b are "
            "the sizes of the two entities.",
            id="one-mention",
            scope="universal",
        ),
        Claim(
            "Counted in links instead of mentions, CEAF gives nothing for a single mention.",
            "§3.3",
            _links_earn_nothing,
            id="ceaf-links",
            scope="property",
        ),
    ),
)
