"""The tables of metric cards."""

from corescore.metrics import CONLL, DIAGNOSTICS, METRICS
from corescore.rendering import classroom
from corescore.teaching.cards import empty_table

CARDS = [row.card for row in (*METRICS, CONLL, *DIAGNOSTICS) if row.card]


def test_empty_scores_are_dashes_and_a_total_of_them_is_0():
    muc = next(card for card in CARDS if card.id == "muc")
    rows = classroom.empty_rows(muc, empty_table(muc), {})
    assert rows.count("<td>–</td>") == 4  # recall, then recall, precision and F1
    assert rows.endswith("<td>–</td><td>0.00</td></tr></tbody></table></div>")
