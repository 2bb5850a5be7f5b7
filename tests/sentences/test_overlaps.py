"""Overlaps in sentences."""

from corescore.sentences import errors as sentences


def test_a_part_of_the_links_is_told_by_its_mentions():
    said = sentences.links_part(300, 600, 12_000, 1, 11_000)
    assert said == (
        "Shown: mentions 301 to 600 of 12,000 in text order, and the 1 link between them, of "
        "11,000. Turn the pages for the rest."
    )
