"""A report: one HTML file with all its charts, that loads nothing and sends nothing.

Its first page says what follows from the scores; the sections below are folded.

The same subject, sections and date give the same file.
"""

import platform
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import scipy
from markupsafe import Markup

from corescore.corpus.problems import PolicyError, choose
from corescore.metrics import HOW_MANY
from corescore.rendering.html import note
from corescore.rendering.report.blocks import Drawing, FirstPage, Section, Subject
from corescore.rendering.report.comparison import comparison
from corescore.rendering.report.errors import errors
from corescore.rendering.report.experiments import experiments
from corescore.rendering.report.first_page import first_page
from corescore.rendering.report.frame import document, html
from corescore.rendering.report.passages import MOST_PASSAGES, credit
from corescore.rendering.report.scores import documents, overview
from corescore.rendering.templates import render
from corescore.sentences.conclusions import how_scored
from corescore.version import __version__
from corescore.wording import counted, listed

__all__ = ["SECTIONS", "Subject", "choose_sections", "make"]

SECTIONS = (
    Section("overview", f"How do the {HOW_MANY} disagree about this response?", overview),
    Section("documents", "Where is it bad?", documents),
    Section("errors", "What should be fixed first?", errors),
    Section("credit", "What does each metric credit?", credit),
    Section("comparison", "Which is better, and is it significant?", comparison, for_two=True),
    Section("experiments", "Do the published observations hold?", experiments, on_demand=True),
)
MOST_BYTES = 6_000_000
MOST_NAMED, MOST_CAVEATS = 3, 5  # systems in the title; caveats that are not folded


def choose_sections(names: Iterable[str], subject: Subject) -> tuple[Section, ...]:
    """The sections of these names in the order of SECTIONS; all that apply if there are no names,
    but for those that are written on demand.

    Raises PolicyError for a section that is unknown or needs two responses where there is one.
    """
    known = {section.id: section for section in SECTIONS}
    wanted = {choose("section", name, known) for name in names}
    n = len(subject.systems)
    for name in sorted(wanted):
        if not known[name].takes(n):
            raise PolicyError(f"section '{name}' takes two responses; expected another one")
    every = {section.id for section in SECTIONS if section.takes(n) and not section.on_demand}
    return tuple(section for section in SECTIONS if section.id in (wanted or every))


def make(
    subject: Subject,
    sections: Sequence[Section],
    *,
    date: str,
    step: Callable[[str], object] = lambda title: None,
) -> str:
    """The report as HTML.

    date  the date that the report shows
    step  called before each section, with its title

    Raises PolicyError for a document that the key does not have, too many documents, and a report
    of more than 6 MB.
    """
    _check_documents(subject)
    drawings: list[Drawing] = []
    written = []
    about, told = _first_two(subject)
    for section in sections:
        step(section.title)
        blocks = [told, *(html(block, drawings) for block in section.write(about))]
        written.append((section.id, section.title, blocks))
    front = _front(subject, date, [section.id for section in sections])
    text = document(_title(subject), front, written, drawings)
    size = len(text.encode())
    if size > MOST_BYTES:
        found = f"the report would have {size / 1e6:.1f} MB"
        raise PolicyError(f"{found}; expected 6 at most: choose fewer sections or documents")
    return text


def _check_documents(subject: Subject) -> None:
    for name in subject.documents:
        if name not in subject.key.by_name:
            raise PolicyError(
                f"document is '{name}'; expected one of: {_some(subject.key.by_name)}"
            )
    if len(subject.documents) > MOST_PASSAGES:
        found = f"{len(subject.documents)} documents are named"
        raise PolicyError(f"{found}; expected {MOST_PASSAGES} at most")


def _some(names: Iterable[str], most: int = 8) -> str:
    every = list(names)
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more


def _first_two(subject: Subject) -> tuple[Subject, Markup]:
    """What the sections are about, and the line that says so: of three systems or more, two."""
    if len(subject.systems) <= 2:
        return subject, Markup()
    two = subject.first_two
    names = listed(system.title for system in two.systems)
    n = counted(len(subject.systems), "system")
    return two, note(f"Of the {n} on the first page, this is about the two named first: {names}.")


def _title(subject: Subject) -> str:
    names = [system.name for system in subject.systems]
    told = listed(names) if len(names) <= MOST_NAMED else counted(len(names), "system")
    return f"Coreference scores of {told} against {subject.key_name}"


def _front(subject: Subject, date: str, sections: Sequence[str]) -> Markup:
    """The verdict, the scores, what was scored and how, and caveats."""
    page = first_page(subject, sections)
    caveats = [*page.caveats, *subject.warnings]
    return render(
        "report",
        "front",
        page=page,
        facts=render("report", "facts", named=_method(subject, page, date)),
        caveats=caveats[:MOST_CAVEATS],
        more=caveats[MOST_CAVEATS:],
    )


def _method(subject: Subject, page: FirstPage, date: str) -> dict[str, str]:
    """What was scored, how and by what, and when."""
    n = counted(len(subject.key), "document")
    return {
        "Key": f"{subject.key_name}, {n}",
        "Responses": " · ".join(f"{s.letter}: {s.name}" for s in subject.systems),
        "Scored": how_scored(subject.policies),
        "Statistics": page.statistics,
        "Made": (
            f"{date}, with corescore {__version__}, Python {platform.python_version()}, "
            f"numpy {np.__version__}, scipy {scipy.__version__}"
        ),
    }
