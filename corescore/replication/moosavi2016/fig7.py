"""Moosavi & Strube 2016, Figure 7: extra mentions."""

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.corpus.problems import PolicyError
from corescore.replication.experiment import Chart, Claim, Experiment, Parameter, Setting
from corescore.replication.moosavi2016.fig6 import entity_of_size, more_than_muc, swapped_alike
from corescore.replication.moosavi2016.fig7_checks import (
    EXTRA,
    MISSING,
    better_together,
    extras,
    fewest_scores,
    formula,
    more_in_larger,
    only_lea,
    own_entity_worst,
    whatever_the_size,
    worst_but_for_ceafe,
)
from corescore.replication.moosavi2016.toy_key import KEY, fitting, scored, toy_key
from corescore.replication.partitions import Partition, read_parts

WHERE, OURS = "§7.4, Figure 7", "ours, from the same figure"


def _figure_7(setting: Setting) -> pd.DataFrame:
    """Rows (way, extra, metric).

    Columns: way ("extra": the response has mentions that the key lacks; "missing": the sides
    are swapped), extra (such as "2-10"), number (of these mentions), size (of the entity that they
    join; 0 = they make an entity of their own), mentions (of the side that has them), metric,
    recall, precision, f1; fractions.
    """
    key = toy_key(setting)
    rows: list[tuple[object, ...]] = []
    pairs: list[tuple[Partition, Partition]] = []
    for extra in read_parts(str(setting.values["extra"])):
        if len(extra) != 2 or not extra[0]:
            raise PolicyError(f"an extra is '{'-'.join(map(str, extra))}'; expected one as '2-10'")
        name, more = f"{extra[0]}-{extra[1]}", _with_extra(key, *extra)
        n_mentions = sum(map(len, more))
        rows += [(way, name, *extra, n_mentions) for way in (EXTRA, MISSING)]
        pairs += [(key, more), (more, key)]
    return scored(rows, ["way", "extra", "number", "size", "mentions"], pairs, setting)


def _with_extra(key: list[range], number: int, size: int) -> Partition:
    n_mentions = sum(map(len, key))
    extra = range(n_mentions, n_mentions + number)
    if size == 0:
        return [*key, extra]
    at = entity_of_size(key, size)
    return [*key[:at], [*key[at], *extra], *key[at + 1 :]]


CLAIMS = (
    Claim(
        "MUC and CEAF_m discriminate least between outputs with extra mentions: they give the "
        "fewest different scores.",
        WHERE,
        fewest_scores,
        id="fewest-scores",
        scope="result",
    ),
    Claim(
        "LEA discriminates more than MUC.",
        "§4",
        more_than_muc("extra"),
        id="more-than-muc",
        scope="property",
    ),
    Claim(
        "All metrics but CEAF_e put 3-10 last, alone or with others.",
        WHERE,
        worst_but_for_ceafe,
        note="For MUC every three extra mentions that join an entity cost the same, for CEAF_m "
        "any three.",
        id="worst",
        scope="result",
    ),
    Claim(
        "CEAF_e puts 2-0 and 3-0 last, though the key's entities are all correct there.",
        WHERE,
        own_entity_worst,
        note="One response entity in 18 is wrong, of whatever size: F1 is 34/35.",
        id="ceafe-own-entity",
        scope="result",
    ),
    Claim(
        "Only LEA scores 2-0 higher than 1-2 and 1-10.",
        WHERE,
        only_lea,
        note="LEA loses a weight of 2 in all three. That 2-0 is ahead comes from the number of "
        "the response's mentions alone: 1 − 2/81 against 1 − 2/80.",
        id="only-lea",
        scope="result",
    ),
    Claim(
        "LEA: one extra mention costs the same whatever the size of the entity.",
        WHERE,
        whatever_the_size("lea", (1,)),
        id="one-extra",
        scope="universal",
    ),
    Claim(
        "k extra mentions in an entity of n cost LEA’s precision a weight of (n + k)(1 − n(n − 1) "
        "/ ((n + k)(n + k − 1))), which is 2 for k = 1.",
        "§7.4",
        formula,
        note="For k = 1 it is (n + 1)(1 − (n − 1)/(n + 1)) = (n + 1) − (n − 1).",
        id="formula",
        scope="universal",
    ),
    Claim(
        "Missing mentions have the effect of extra ones with key and response swapped.",
        "§7.4",
        swapped_alike("extra"),
        note="Recall and precision are swapped, and F1 stays the same.",
        id="missing",
        scope="property",
    ),
    Claim(
        "LEA: extra mentions linked to each other cost less than the same number linked to an "
        "entity.",
        OURS,
        better_together,
        id="together",
        scope="result",
        ours=True,
    ),
    Claim(
        "MUC: extra mentions cost the same whatever the size of the entity they join.",
        OURS,
        whatever_the_size("muc", (1, 2, 3)),
        id="muc-sizes",
        scope="property",
        ours=True,
    ),
    Claim(
        "LEA: two or three extra mentions cost more in the larger entity.",
        OURS,
        more_in_larger,
        id="more-in-larger",
        scope="result",
        ours=True,
    ),
)
FIGURE_7 = Experiment(
    id="moosavi2016-fig7",
    paper=MOOSAVI_2016,
    where="Figure 7",
    title="What do extra mentions cost?",
    setup=(
        "The response is the key with extra mentions: 2-10 adds two mentions to one of the key's "
        "entities of ten, 2-0 adds two mentions as an entity of their own. The paper does not say "
        "what they are added to; here it is the key of Figures 2 to 5, otherwise resolved without "
        "error. The table to download has missing mentions, too, where key and response are "
        "swapped."
    ),
    run=_figure_7,
    chart=Chart(
        "bars",
        x="extra",
        x_title="extra mentions – size of the entity they join",
        of=extras,
    ),
    claims=CLAIMS,
    parameters=(
        KEY,
        Parameter(
            "extra",
            "Extra mentions",
            "1-2 1-10 2-0 2-2 2-10 3-0 3-2 3-10",
            "How many, and the size of the entity they join; 0 for an entity of their own.",
            reads=read_parts,
            of_key=fitting(lambda extra: extra[1]),
        ),
    ),
)
