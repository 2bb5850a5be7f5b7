"""What the Text page computes, cached."""

from collections import Counter
from collections.abc import Mapping, Sequence

import pandas as pd

from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.tables import outcome_table
from corescore.analysis.explain import Explanation, explain_mention, find_mention
from corescore.corpus.documents import Document
from dashboard.components.passage import mentions
from dashboard.components.passage.mentions import Drawn, of_one_system, with_pieces
from dashboard.session import analyses, scoring
from dashboard.session.analyses import six
from dashboard.session.caching import cached
from dashboard.session.loaded import BY_CONTENT, Loaded, System

MOST_NAMES = 1000  # entities in the box of the filters
Explained = Mapping[str, list[Explanation]]


@cached(max_entries=16, by=BY_CONTENT)
def drawn(system: System, document: str) -> tuple[Drawn, ...]:
    """The mentions of a document as the page draws them."""
    table = analyses.mentions(system)
    sides = scoring.scored_key(system, document), scoring.scored_response(system, document)
    drawn = of_one_system(table[table["document"] == document])
    return with_pieces(drawn, sides)


@cached(max_entries=16, by=BY_CONTENT)
def entity_names(system: System, document: str) -> dict[str, int]:
    """The numbers of the key's entities by their names, the largest MOST_NAMES of them."""
    names = mentions.entity_names(scoring.scored_key(system, document), drawn(system, document))
    sizes = Counter(d.entities[mentions.KEY] for d in drawn(system, document))
    largest = {
        number for number, _ in Counter({n: sizes[n] for n in names}).most_common(MOST_NAMES)
    }
    return {name: number for number, name in names.items() if number in largest}


@cached(max_entries=16, by=BY_CONTENT)
def affected(system: System, document: str) -> Mapping[str, frozenset[tuple[int, int]]]:
    """By each kind of operation, the spans of the mentions that it affects in a document."""
    table = analyses.operations(system)
    here = table[table["document"] == document]
    return {
        kind: frozenset(span for spans in here["spans"][here["kind"] == kind] for span in spans)
        for kind in KINDS
    }


@cached(max_entries=4, by=BY_CONTENT)
def drawn_together(loaded: Loaded, document: str) -> tuple[pd.DataFrame, tuple[Drawn, ...]]:
    """What became of a document's mentions under A and B, and the mentions as the page draws
    them."""
    tables = [analyses.mentions(system) for system in loaded.systems]
    table = outcome_table(*(table[table["document"] == document] for table in tables))
    documents = [scoring.scored_response(system, document) for system in loaded.systems]
    key = longest_key(loaded.systems, document)
    return table, with_pieces(mentions.of_two_systems(table), (key, *documents))


def longest_key(systems: Sequence[System], document: str) -> Document:
    """The key's document with the words that any of the systems brings."""
    keys = (scoring.scored_key(system, document) for system in systems)
    return max(keys, key=lambda key: len(key.words))


def explained(
    systems: Sequence[System], document: str, span: tuple[int, int], *, side: str
) -> Explained:
    """By the systems' letters, what each of the six gives a mention of one side and why; nothing
    where that system lacks it."""
    return {s.letter: explained_by(s, document, span, side=side) for s in systems}


@cached(max_entries=512, by=BY_CONTENT)
def explained_by(
    system: System, document: str, span: tuple[int, int], *, side: str
) -> list[Explanation]:
    """What each of the six gives a mention of one side, and why; nothing if there is none."""
    compared = system.result.comparison
    found = find_mention(compared, side=side, document=document, start=span[0], end=span[1])
    return [] if found is None else explain_mention(compared, six(system.result), found, side=side)
