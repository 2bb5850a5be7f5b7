"""Luo et al. 2014: the correlation of metrics, over documents instead of systems."""

import pandas as pd

from corescore.analysis.significance.stack import measures_of
from corescore.bibliography import LUO_2014
from corescore.counting.counts import MEASURES
from corescore.metrics import BESIDE_IDS, title_of
from corescore.replication.claims import joined, needing
from corescore.replication.correlations import COEFFICIENT, FEWEST, STRONG, correlations, strong
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.luo2014.systems import OTHERS, TABLE_3
from corescore.scoring.scores import score


def _correlation(setting: Setting) -> pd.DataFrame:
    """Rows (metric, other, measure): the correlation of each two metrics, "conll" among them.

    Columns: metric, other, measure (recall, precision or f1; CoNLL has only f1), correlation (−1
    to 1; NaN where one of the two does not vary), and documents (for how many both have a score).
    """
    result = score(*setting.data, setting.policies, metrics=setting.metrics)
    names = [name for name in result.scores if name not in BESIDE_IDS]
    parts = []
    for measure in MEASURES:
        columns = {
            name: getattr(result.document_scores[name], measure)
            for name in names
            if measure in measures_of(name)
        }
        part = correlations(pd.DataFrame(columns), setting.text("coefficient"), "documents")
        part.insert(2, "measure", measure)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _of_f1(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["measure"] == "f1"]


@needing("blanc", *OTHERS)
def _strong(table: pd.DataFrame) -> Check:
    rows = _of_f1(table).query("metric == 'blanc'").set_index("other")
    return joined(
        (title_of(other), strong(rows["correlation"][other], rows["documents"][other], "document"))
        for other in OTHERS
    )


CORRELATION = Experiment(
    id="luo2014-correlation",
    paper=LUO_2014,
    where="Table 3, over documents",
    title="Do the metrics agree on which documents went well?",
    setup=(
        "The paper correlates BLANC with the other metrics over the systems of the CoNLL shared "
        "tasks. Here the correlation is over the documents of the loaded key and response: each "
        "document's score by one metric against its score by another. A document that a metric "
        "cannot be computed on is left out for that metric. Drawn is F1; recall and precision are "
        "in the table. The paper's Table 3, which is over systems, stands beside it."
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
        of=_of_f1,
    ),
    claims=(
        Claim(
            "BLANC is strongly correlated with MUC, B³, CEAF_m and CEAF_e.",
            "ours, after the abstract and Table 3",
            _strong,
            note=f"What counts as strong is our choice: {STRONG} or more, on at least {FEWEST} "
            "documents. The paper makes the claim about systems; documents may well differ.",
            id="strong",
            scope="result",
            ours=True,
        ),
    ),
    parameters=(COEFFICIENT,),
    on_data=True,
    printed=(TABLE_3,),
)
