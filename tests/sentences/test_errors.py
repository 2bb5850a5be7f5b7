"""Errors in sentences."""

import pandas as pd

from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS
from corescore.sentences import errors as sentences
from corescore.wording import incorrectly_resolved, key_singletons


def changes(**f1):
    """As of `change_table`, all changes 0 but these of F1."""
    columns = [f"{measure}_change" for measure in MEASURES]
    table = pd.DataFrame(0.0, index=list(METRIC_IDS), columns=columns)
    table.loc[list(f1), "f1_change"] = list(f1.values())
    return table


def test_partners_are_listed_in_short():
    assert sentences.some(["a", "b"], 2) == "a · b"
    assert sentences.some(list("abcde"), 1006) == "a · b · c · d and 1,002 more"
    assert sentences.some([], 0).startswith("none")


def test_singletons_in_the_key_are_told_of_incorrectly_resolved_mentions():
    assert incorrectly_resolved(1375, 873) == (
        "1,375 incorrectly resolved mentions, of which 873 are singletons in the key"
    )
    assert key_singletons(5, 1) == "of which 1 is a singleton in the key"
    assert key_singletons(5, 5) == "all singletons in the key"
    assert key_singletons(1, 1) == "a singleton in the key"
    assert key_singletons(5, 0) == ""


def test_the_other_reading_is_told_where_a_sign_differs():
    every = changes(bcub=-0.0317, ceafe=-0.02, lea=0.05, muc=-0.01)
    linked = changes(bcub=0.0086, ceafe=-0.01, lea=0.03, muc=0.00001)
    said = sentences.other_reading("all", every, linked)
    assert "only incorrectly resolved" in said
    assert "B³ F1 +0.86 instead of −3.17." in said
    assert "singletons of the key" in said
    assert not any(name in said for name in ("CEAF", "LEA", "MUC"))
    back = sentences.other_reading("linked", linked, every)
    assert "With all incorrectly resolved" in back
    assert "B³ F1 −3.17 instead of +0.86." in back
    assert sentences.other_reading("all", every, every) == ""
