"""Queries behind the counts of errors."""

from dashboard.widgets.error_counts import (
    MOST_ASKED,
    within_entities,
)


def test_entities_are_asked_for_by_their_numbers_unless_they_are_too_many():
    assert within_entities("d", [1, 4], [2]) == "doc:d (entity:1,4 or entity.response:2)"
    assert within_entities("d", [], [2]) == "doc:d entity.response:2"
    assert within_entities("d", [], []) == within_entities("d", [*range(MOST_ASKED)], [1]) == ""
