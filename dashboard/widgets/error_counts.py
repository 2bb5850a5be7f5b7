"""Lines of links to errors: how many of which sort there are, each link with its own number."""

import re
from collections.abc import Collection, Iterable, Mapping

import numpy as np
import pandas as pd

from corescore.analysis.error_table.facets import both, term
from corescore.analysis.errors.classes import (
    CORRECT,
    INCORRECTLY_RESOLVED,
    MISSING,
    SPAN_ERROR,
    UNLINKED,
)
from corescore.analysis.errors.operations import ERROR_KINDS
from corescore.analysis.errors.tables import BOTH_WRONG, ONLY_A, ONLY_B
from corescore.sentences.errors import NAMES
from corescore.wording import count, key_singletons, plural
from dashboard.session import analyses
from dashboard.session.loaded import Loaded, System
from dashboard.widgets.links import error_url, show_links

MOST_ASKED = 150  # entities in a query
_OF_KEY = term("class", UNLINKED, INCORRECTLY_RESOLVED, SPAN_ERROR, MISSING)
# Incorrectly resolved mentions that are singletons in the key
KEY_SINGLETONS = both(term("class", INCORRECTLY_RESOLVED), "size=1")
# By outcome: whose errors they are, and what the other makes of the mentions.
_BEHIND = {
    ONLY_A: (("B", CORRECT),),
    ONLY_B: (("A", CORRECT),),
    BOTH_WRONG: (("A", "wrong"), ("B", "wrong")),
}
_OF = "Mentions with errors of {}: "
_AFFECTED = "Mentions with errors of {} (some have several): "


def show_classes(systems: Iterable[System], document: str) -> None:
    """A line for each system: how many of a document's mentions are of which class but correct."""
    for system in systems:
        counts = analyses.class_counts(system).loc[document]
        alone = analyses.incorrect_singletons(system)[document]
        links = []
        for name, n in counts.to_dict().items():
            if n and name != CORRECT:
                words = f"{count(n)} {plural(name) if name == SPAN_ERROR and n > 1 else name}"
                links.append((words, term("class", str(name))))
            if name == INCORRECTLY_RESOLVED and alone:
                links.append((key_singletons(int(n), alone), KEY_SINGLETONS))
        doc = term("doc", document)
        urls = [(words, error_url(both(doc, find), system)) for words, find in links]
        show_links(urls, before=_OF.format(system.title))


def show_found(system: System, finds: Mapping[str, str], *, before: str = "") -> None:
    """A line of links to the errors that queries find: how many, and the words for each query."""
    links = []
    for words, find in finds.items():
        if n := analyses.n_errors(system, find):
            one = re.sub(r"^(mention|error)s", r"\1", words) if n == 1 else words
            links.append((f"{count(n)} {one}", error_url(find, system)))
    show_links(links, before=before)


def show_kinds(
    systems: Iterable[System], within: str = "", kinds: Iterable[str] = ERROR_KINDS
) -> None:
    """A line for each system: how many mentions have errors of each kind."""
    for system in systems:
        finds = {f"with {NAMES[kind]}": both(within, term("kind", kind)) for kind in kinds}
        show_found(system, finds, before=_AFFECTED.format(system.title))


def errors_behind(outcome: str, within: str) -> list[tuple[str, str]]:
    """Whose errors the mentions of an outcome are, by letter, and the query that finds them;
    nothing for mentions that both have correct.

    within  a query that finds the errors of a slice or document
    """
    return [
        (letter, both(within, _OF_KEY, term("other", made_of_it)))
        for letter, made_of_it in _BEHIND.get(outcome, ())
    ]


def show_of_mentions(
    system: System, document: str, spans: Iterable[tuple[int, int]], words: str
) -> None:
    """A link to the errors of these mentions: how many, and the words for them; none for none."""
    if find := within_mentions(system, document, spans):
        show_found(system, {words: find})


def show_behind(loaded: Loaded, within: str = "") -> None:
    """A line for each system: its errors in mentions that the other has correct, or wrong, too;
    none where the two are over different keys."""
    for system in loaded.systems:
        finds = {
            f"where {outcome.replace('correct', 'is correct').replace('both', 'both are')}": find
            for outcome in _BEHIND
            for letter, find in errors_behind(outcome, within)
            if letter == system.letter
        }
        beside = loaded.beside_other(system.letter)
        if "other" in analyses.every_error(beside).columns:
            show_found(beside, finds, before=_OF.format(system.title))


def within_entities(document: str, key: Collection[int], response: Collection[int]) -> str:
    """The query that finds the errors of entities; "" for too many to be asked for.

    key, response  their numbers in the document on either side
    """
    if not 0 < len(key) + len(response) <= MOST_ASKED:
        return ""
    sides = [term(name, *of) for name, of in (("entity", key), ("entity.response", response)) if of]
    return both(term("doc", document), " or ".join(sides))


def within_mentions(system: System, document: str, spans: Iterable[tuple[int, int]]) -> str:
    """The query that finds the errors of mentions, by their spans on either side; "" for none."""
    table = analyses.every_error(system)
    here = table[table["document"] == document]
    wanted = pd.MultiIndex.from_tuples(spans)
    is_asked = np.zeros(len(here), dtype=bool)
    for columns in (["start", "end"], ["response_start", "response_end"]):
        is_asked |= pd.MultiIndex.from_frame(here[columns].fillna(-1).astype("int64")).isin(wanted)
    return term("id", *here["id"][is_asked]) if is_asked.any() else ""


def slice_term(by: str, name: str) -> str:
    """The term that finds the errors of a document or slice."""
    fields = {"document": "doc", "genre": "genre"}
    return term(fields.get(by, f"slice.{by}"), name)
