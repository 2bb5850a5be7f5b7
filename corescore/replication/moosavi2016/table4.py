"""Moosavi & Strube 2016, Table 4: boundary systems, which know nothing of coreference."""

from functools import partial
from pathlib import Path

import pandas as pd

from corescore.analysis.perturbation.baselines import baseline, without_singletons
from corescore.bibliography import MOOSAVI_2016
from corescore.replication.claims import told_by
from corescore.replication.experiment import Chart, Claim, Experiment, Setting
from corescore.replication.moosavi2016 import table4_checks as checks
from corescore.replication.moosavi2016.consistency import consistent
from corescore.replication.moosavi2016.data import (
    ALLOWED,
    printed_numbers,
    results,
    score_rows,
    shown,
    sizes_of,
)
from corescore.replication.moosavi2016.sizes import PRINTED as HALF
from corescore.replication.printed import Printed
from corescore.scoring.scores import Scores

PRINTED = Printed(
    "Table 4", Path(__file__).with_name("table4.csv"), ("system", "metric"), same_data=False
)


def _table_4(setting: Setting) -> pd.DataFrame:
    """Rows (system, metric): the mentions of the response and of the key as singletons and in one
    entity a document, and the response itself.

    Columns: system, metric, recall, precision, f1 (fractions; the CoNLL average is an F1 only),
    mentions, entities (of that system), key_singletons (how many singletons of the key are among
    its mentions), key_mentions, key_entities.
    """
    (key, response), words = setting.data, setting.policies.words
    if setting.policies.singletons == "drop":  # before anything else
        key, response = without_singletons(key), without_singletons(response)
    responses = {
        checks.SYS_SING: baseline(key, kind="singletons", mentions_of=response, words=words),
        checks.SYS_1ENT: baseline(key, kind="one-entity", mentions_of=response, words=words),
        checks.KEY_SING: baseline(key, kind="singletons"),
        checks.KEY_1ENT: baseline(key, kind="one-entity"),
        checks.RESPONSE: response,
    }
    scores = results(setting, responses)
    sizes = {
        name: {**sizes_of(result), "key_singletons": _key_singletons(result)}
        for name, result in scores.items()
    }
    columns = ["mentions", "entities", "key_singletons", "key_mentions", "key_entities"]
    return score_rows(scores, setting).join(pd.DataFrame(sizes).T[columns], on="system")


def _key_singletons(result: Scores) -> int:
    """How many singletons of the key are among the mentions of the response."""
    own, sizes = result.comparison.recall, result.comparison.table.key_sizes
    return int(((own.own_partner >= 0) & (sizes[own.own_entity] == 1)).sum())


def _printed() -> pd.DataFrame:
    """All scores of the table; the key of CoNLL-2012 has no singletons."""
    return printed_numbers(PRINTED).assign(key_singletons=0)


CLAIMS = (
    Claim(
        "Where every mention of the system is a singleton, MUC gives nothing and LEA credits only "
        "singletons of the key; B³ and CEAF_e still give credit.",
        "§6, Table 4",
        checks.singletons_score(checks.SYS_SING),
        note="The key of CoNLL-2012 has no singletons, so LEA gives nothing either.",
        id="sys-sing",
        in_print=lambda: checks.singletons_score(checks.SYS_SING)(_printed()),
        scope="result",
    ),
    Claim(
        "MUC scores the system's mentions in one entity higher than all other metrics do.",
        "§6, Table 4",
        checks.one_entity_by_muc,
        id="sys-1ent",
        in_print=lambda: checks.one_entity_by_muc(_printed()),
        scope="result",
    ),
    Claim(
        "The scores of the two boundary systems tell how many mentions the system has, in how many "
        "parts, and how many of them the key has; the paper's are some 45,670 in 346 parts, and "
        "90% of the key's among them.",
        "ours, from Table 4",
        checks.system_mentions,
        note="More than twice the mentions that any of the table's systems has in its entities; "
        "they may be those that a system starts from.",
        id="system-mentions",
        in_print=lambda: checks.system_mentions_in_print(_printed()),
        scope="result",
        ours=True,
    ),
    Claim(
        "F1 is the harmonic mean of recall and precision in MUC, B³, CEAF_e and LEA, and the CoNLL "
        "average is the mean of the first three.",
        "ours, from Table 4",
        consistent,
        id="consistent",
        in_print=lambda: consistent(_printed(), half=HALF),
        scope="universal",
        ours=True,
    ),
    Claim(
        "Martschat and Peng are equal by the CoNLL average.",
        "§6, Table 4",
        checks.equal_by_average,
        note="Equal: less than a tenth of a point apart.",
        id="equal-by-average",
        in_print=told_by(PRINTED, checks.equal_by_average),
        scope="comparison",
    ),
    Claim(
        "LEA puts Martschat above Peng, and CEAF_e agrees.",
        "§6, Table 4",
        checks.martschat_first,
        note="The paper calls the difference significant by approximate randomisation (Noreen "
        "1989) and prints no p-value; without the two outputs it cannot be tested again.",
        id="lea-order",
        in_print=told_by(PRINTED, checks.martschat_first),
        scope="comparison",
    ),
    Claim(
        "CEAF_e gives Peng about as much recall as precision; LEA gives it marginally more "
        "precision.",
        "§6, Table 4",
        checks.peng_is_precise,
        note="About as much: less than a point apart.",
        id="peng-precision",
        in_print=told_by(PRINTED, checks.peng_is_precise),
        scope="comparison",
    ),
    Claim(
        "All mentions of the key in one entity have full recall by MUC, and a higher F1 than the "
        "response.",
        "§3.1",
        checks.one_entity_beats_response,
        id="key-1ent-muc",
        in_print=lambda: checks.one_entity_beats_best(_printed()),
        scope="result",
    ),
    Claim(
        "All mentions of the key in a single entity have the MUC precision that follows from its "
        "mentions and entities: 78.44 in the paper, and an F1 of 87.91.",
        "§3.1",
        checks.precision_by_parts,
        note="Precision is (mentions − entities) / (mentions − parts) with an entity for each "
        "part, as the scorer counts. The paper has 348 parts (§2); two may have no mention. Its "
        "scorer cuts percentages.",
        id="key-1ent-parts",
        in_print=checks.parts_in_print,
        scope="result",
    ),
    Claim(
        "All mentions of the key as singletons have a B³ precision of 100.",
        "§3.2",
        partial(checks.is_full, system=checks.KEY_SING, measure="precision"),
        id="key-sing-bcub",
        scope="universal",
    ),
    Claim(
        "All mentions of the key in one entity have a B³ recall of 100.",
        "§3.2",
        partial(checks.is_full, system=checks.KEY_1ENT, measure="recall"),
        id="key-1ent-bcub",
        scope="universal",
    ),
)

TABLE_4 = Experiment(
    id="moosavi2016-table4",
    paper=MOOSAVI_2016,
    where="Table 4",
    title="What do systems score that know nothing of coreference?",
    setup=(
        "The response beside boundary systems. sys-sing has every mention of the response as a "
        "singleton, sys-1ent has all of them in one entity a document. The paper does not say "
        "which system's mentions its two have; their scores fit some 45,670 mentions, far more "
        "than any output in its table has. key-sing and key-1ent are the same with the mentions of "
        "the key, which the paper speaks of in §3.1 and §3.2, and which Recasens & Hovy score in "
        "their Tables 3 and 16. A document here is a part of one in CoNLL-2012."
    ),
    run=_table_4,
    chart=Chart("bars", x="system", x_title="system", of=shown),
    claims=CLAIMS,
    on_data=True,
    allowed=ALLOWED,
    printed=(PRINTED,),
)
