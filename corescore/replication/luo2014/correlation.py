"""Luo et al. 2014: the correlation of metrics, over documents instead of systems."""

import pandas as pd

from corescore.bibliography import LUO_2014
from corescore.metrics import BESIDE_IDS, title_of
from corescore.replication.claims import joined, needing
from corescore.replication.correlations import COEFFICIENT, FEWEST, STRONG, correlations, strong
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.scoring.scores import score

OTHERS = ("muc", "bcub", "ceafm", "ceafe")


def _correlation(setting: Setting) -> pd.DataFrame:
    """Rows (metric, other): the correlation of each two metrics, "conll" among them.

    Columns: metric, other, correlation (−1 to 1; NaN where one of the two does not vary), and
    documents (for how many both have an F1).
    """
    result = score(*setting.data, metrics=setting.metrics)
    names = [name for name in result.scores if name not in BESIDE_IDS]
    f1 = pd.DataFrame({name: result.document_scores[name].f1 for name in names})
    return correlations(f1, setting.text("coefficient"), "documents")


@needing("blanc", *OTHERS)
def _strong(table: pd.DataFrame) -> Check:
    rows = table[table["metric"] == "blanc"].set_index("other")
    return joined(
        (title_of(other), strong(rows["correlation"][other], rows["documents"][other], "document"))
        for other in OTHERS
    )


CORRELATION = Experiment(
    id="luo2014-correlation",
    paper=LUO_2014,
    where="after Table 3 and Figure 1",
    title="Do the metrics agree on which documents went well?",
    setup=(
        "The paper correlates BLANC with the other metrics over the systems of the CoNLL shared "
        "tasks. Here the correlation is over the documents of the loaded key and response: each "
        "document's F1 by one metric against its F1 by another. A document that a metric cannot be "
        "computed on is left out for that metric. The paper's own scores are not shown, because we "
        "could not check them against it."
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
            note=f"What counts as strong is our choice: {STRONG} or more, on at least {FEWEST} "
            "documents. The paper makes the claim about systems; documents may well differ.",
        ),
    ),
    parameters=(COEFFICIENT,),
    on_data=True,
)
