"""One metric row by row, each row with its arithmetic."""

import numpy as np
import pandas as pd

from corescore.analysis.credit.tables import credit_table
from corescore.analysis.explanation.arithmetic import arithmetic
from corescore.analysis.explanation.shares import SIDE_WORDS
from corescore.analysis.explanation.titles import entity_titles
from corescore.arrays import FloatArray, IntArray
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import pairs
from corescore.counting.counts import Counts
from corescore.metrics import Metric
from corescore.metrics.explanation import ends_of_link
from corescore.metrics.metric import COREFERENCE_LINK, NON_COREFERENCE_LINK, SELF_LINK


def depth_table(
    comparison: Comparison, metric: Metric, *, side: str, by: str, document: str
) -> pd.DataFrame:
    """What one metric counts in one document, the greatest losses first.

    Columns: those of `credit_table` at this level (the self-links and coreference links of one
    entity or mention in one row), title (of entities: the words that name them), arithmetic (in
    words), earned and lost (in the unit of the document's score), and running (earned so far): the
    last row's is the document's score.
    """
    table = credit_table(comparison, metric, side=side, by=by, documents=[document])
    if by in ("entity", "mention"):
        table = _one_row_each(table, by)
    weight = _unit_weights(comparison, metric, side, document)
    of_row = weight[(table["kind"] == NON_COREFERENCE_LINK).to_numpy() * (len(weight) - 1)]
    table["earned"] = table["credit"] * of_row
    table["lost"] = (table["possible"] - table["credit"]) * of_row
    if by == "entity":
        titles = entity_titles(comparison, document, side=side)
        table.insert(2, "title", [titles[entity] for entity in table["entity"]])
    table["arithmetic"] = arithmetic(comparison, metric, table, side=side, by=by, document=document)
    table = table.sort_values("lost", ascending=False, kind="stable", ignore_index=True)
    table["running"] = table["earned"].cumsum()
    return table


def _one_row_each(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Self-links and coreference links of one entity or mention together."""
    kind = table["kind"].where(table["kind"] != SELF_LINK, COREFERENCE_LINK)
    keys = ["entity"] if by == "entity" else ["start", "end", "key_entity", "response_entity"]
    summed = {"credit": "sum", "possible": "sum"}
    others = {name: "first" for name in table.columns if name not in (*keys, *summed, "kind")}
    rows = table.assign(kind=kind).groupby([*keys, "kind"], sort=False, dropna=False)
    return rows.agg(summed | others).reset_index()[list(table.columns)]


def _unit_weights(comparison: Comparison, metric: Metric, side: str, document: str) -> FloatArray:
    """(parts,) what one unit of each part is worth in the document's recall or precision.

    Found from the score itself, which is linear in the numerators: what it is when one part has
    all that it could have and the others have nothing.
    """
    names = [known.name for known in comparison.key]
    counts = metric.counts(comparison.table).rows(np.array([names.index(document)]))
    whole = getattr(counts, f"{side}_denominator")[0]
    n_parts = 2 if len(whole) > 1 else 1
    weights = []
    for part in range(n_parts):
        only = np.zeros_like(counts.recall_numerator)
        only[0, part] = 1
        full = Counts(
            only * counts.recall_denominator,
            counts.recall_denominator,
            only * counts.precision_denominator,
            counts.precision_denominator,
        )
        value = getattr(metric.score(full, empty=0), side)[0]
        weights.append(value / whole[part] if whole[part] else 0.0)
    return np.array(weights)


def explained_links(
    comparison: Comparison, metric: Metric, links: pd.DataFrame, *, side: str, document: str
) -> pd.DataFrame:
    """Non-coreference links of a document one by one, as `credit.non_coreference` lists
    them, with `why` each is correct or not, and `lost`, in the unit of the document's score."""
    other = SIDE_WORDS[side][1]
    one, two = (
        links[f"{end}{other}_entity"].fillna(0).astype(int).tolist() for end in ("", "other_")
    )
    why = [ends_of_link(other, *both) for both in zip(one, two, strict=True)]
    weight = _unit_weights(comparison, metric, side, document)[-1]
    return links.assign(why=why, lost=(links["possible"] - links["credit"]) * weight)


def blanc_cells(comparison: Comparison, document: str) -> pd.DataFrame:
    """How many pairs of mentions are coreferent, not coreferent, or not a pair (one of the two
    mentions is lacking) on each side: rows the key, columns the response. BLANC's correct links are
    the two cells where both sides say the same. The pairs that neither has are not counted."""
    table, names = comparison.table, [known.name for known in comparison.key]
    at = names.index(document)

    def links(of: IntArray, sizes: IntArray) -> float:
        return float(pairs(sizes[of == at]).sum())

    both = links(table.cell_document, table.cell_sizes)
    key_shared = links(table.key_document, table.key_shared)
    response_shared = links(table.response_document, table.response_shared)
    key, response = (
        links(table.key_document, table.key_sizes),
        links(table.response_document, table.response_sizes),
    )
    a, b, m = (
        float(pairs(n)[at])
        for n in (table.n_key_mentions, table.n_response_mentions, table.n_shared_mentions)
    )
    cells = [
        [both, key_shared - both, key - key_shared],
        [response_shared - both, m - key_shared - response_shared + both, a - key - m + key_shared],
        [response - response_shared, b - response - m + response_shared, np.nan],
    ]
    kinds = ["coreference", "non-coreference", "no pair"]
    return pd.DataFrame(cells, index=kinds, columns=kinds)
