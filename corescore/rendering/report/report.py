"""A report: one HTML file with all its charts, that loads nothing and sends nothing.

Its first page says what follows from the scores; the sections below are folded.

The same subject, sections and date give the same file.
"""

import platform
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np
import scipy
from markupsafe import Markup

from corescore.analysis.systems.many import Ranking, best_of_many
from corescore.analysis.systems.runs import PairOverRuns, pairs_over_runs
from corescore.corpus.names import several_runs
from corescore.corpus.problems import MOST_NAMES, PolicyError, choose
from corescore.metrics import HOW_MANY, SCORE_IDS, name_of
from corescore.rendering.columns import Columns, metric_column
from corescore.rendering.compared import paper_table
from corescore.rendering.html import drawn, headline, note, render, rows_table, signature
from corescore.rendering.report.blocks import FirstPage, Section, Subject, document, html
from corescore.rendering.report.credit import MOST_PASSAGES, credit
from corescore.rendering.report.errors import errors
from corescore.rendering.report.experiments import experiments
from corescore.rendering.report.scores import documents, overview
from corescore.rendering.report.systems import comparison, effect
from corescore.rendering.scores import short_names
from corescore.rendering.text import Table
from corescore.sentences import compare, many
from corescore.sentences import runs as runs_sentences
from corescore.sentences import scores as sentences
from corescore.sentences.compare import conclusion, how_scored, how_tested
from corescore.sentences.names import title
from corescore.version import __version__
from corescore.wording import RATIOS, capital, counted, listed, spelled

__all__ = ["SECTIONS", "Subject", "choose_sections", "make"]


# What the first page of a report says of systems with several runs each ---------------------------


def over_runs(subject: Subject) -> FirstPage:
    """What follows of each two systems over their runs, and their means; nothing where no system
    has several runs by the names of the files, as `corpus.names.run_of` reads them."""
    pairs = _pairs(subject)
    if not pairs:
        return FirstPage(Markup(), Markup(), "")
    first = next(iter(pairs.values()))
    tried = f"{counted(first.trials, 'trial')} | seed {first.seed}"
    drawn = f"{subject.signature} | mean over runs | {tried}"
    return FirstPage(
        Markup().join(
            headline(runs_sentences.conclusion(pair, subject.primary, "f1", _titles(two)))
            for two, pair in pairs.items()
        ),
        _means(pairs)
        + note("F1 in percent, mean ± standard deviation over runs.")
        + signature(drawn),
        f" Over runs: {runs_sentences.HOW_RESAMPLED}",
        tuple(dict.fromkeys(said for pair in pairs.values() for said in pair.warnings)),
    )


def _pairs(subject: Subject) -> dict[tuple[str, str], PairOverRuns]:
    results = {system.name: system.result for system in subject.systems}
    try:
        systems = several_runs(results)
    except PolicyError:  # two files are named as one run
        return {}
    names = dict(zip(systems, short_names(systems), strict=True))
    runs = {names[system]: [results[name] for name in systems[system]] for system in systems}
    return pairs_over_runs(runs)


def _titles(two: tuple[str, str]) -> dict[str, str]:
    return dict(zip("AB", two, strict=True))


def _means(pairs: dict[tuple[str, str], PairOverRuns]) -> Markup:
    """One row per system: its runs, and the mean of each metric with its spread."""
    rows: dict[str, list[str]] = {}
    for two, pair in pairs.items():
        for name, side, n in zip(two, "ab", pair.n_runs, strict=True):
            each = (runs_sentences.row_of(pair, metric, "f1") for metric in SCORE_IDS)
            means = [runs_sentences.mean_of(row, side) for row in each]
            rows.setdefault(name, [name, counted(n, "run"), *means])
    return rows_table(
        "F1 of each system over its runs", ["", "", *map(title, SCORE_IDS)], [*rows.values()]
    )


# What the first page of a report says: what follows, the scores, how they were tested, caveats ----

_EVIDENCE = {compare.HOW_LARGE: "comparison", compare.WHY: "errors"}


def first_page(subject: Subject, sections: Collection[str]) -> FirstPage:
    """By the number of systems; `sections`: the ids of those in the report, to link to."""
    n = len(subject.systems)
    if n == 1:
        return _of_one(subject)
    return _of_two(subject, sections) if n == 2 else _of_many(subject)


# One system ---------------------------------------------------------------------------------------


def _of_one(subject: Subject) -> FirstPage:
    """How far the metrics disagree."""
    (system,) = subject.systems
    intervals = subject.intervals[system.letter]
    of_f1 = intervals.table.query("measure == 'f1'").set_index("metric").loc[list(SCORE_IDS)]
    scored = system.result.table.loc[list(SCORE_IDS), list(RATIOS)].join(of_f1[["t_low", "t_high"]])
    rows = scored.rename_axis("metric").reset_index()
    table = Table(
        rows,
        ("metric", *RATIOS, "t interval"),
        f"Scores of {system.title}",
        signature=subject.signature,
    )
    return FirstPage(
        headline(subject.overview.sentence),
        drawn(table),
        sentences.whiskers(intervals, "The intervals of F1"),
    )


# Two systems --------------------------------------------------------------------------------------


def _of_two(subject: Subject, sections: Collection[str]) -> FirstPage:
    """What can be concluded, and the answers that it rests on."""
    pair = subject.pair
    evidence = subject.evidence
    lines = [
        (asked, answer, _EVIDENCE[asked] if _EVIDENCE.get(asked) in sections else "")
        for asked, answer in compare.lines(evidence).items()
    ]
    made = paper_table(pair, "f1", subject.names)
    return FirstPage(
        headline(conclusion(evidence, subject.titles)) + render("report", "argument", lines=lines),
        drawn(replace(made, notes=made.notes[:1])),
        how_tested(pair.randomisation),
        (*(finding.sentence for finding in evidence.findings), *pair.warnings),
    )


# Three or more ------------------------------------------------------------------------------------


def _of_many(subject: Subject) -> FirstPage:
    """Who is first, how sure the ranks are, and what can be concluded of the two best."""
    primary, titles = subject.primary, subject.titles
    best = best_of_many(subject.results, primary, titles=titles)
    ranks = best.ranking
    opening = many.first_and_spread(ranks, primary)
    unlike = (finding.sentence for finding in best.findings)
    a, b = best.two
    concluded = conclusion(best.evidence, {"A": titles[a], "B": titles[b]})
    runs = over_runs(subject)
    signed = f"{subject.signature} | {counted(ranks.trials, 'trial')} | seed {ranks.seed}"
    return FirstPage(
        runs.verdict + headline(opening) + headline(concluded),
        drawn(_rank_table(ranks, primary, signed)) + runs.table,
        f"{capital(many.how_ranked(ranks))}{runs.statistics}",
        tuple(dict.fromkeys((*unlike, *ranks.warnings, *runs.caveats))),
    )


def _rank_table(ranks: Ranking, primary: str, signature: str) -> Table:
    """One row per system, the best first: F1 by the primary metric, its ranks, and all F1."""
    table = ranks.table
    f1 = table.pivot(index="response", columns="metric", values="score")
    rows = table[table["metric"] == primary].merge(f1, left_on="response", right_index=True)
    others = (metric for metric in SCORE_IDS if metric != primary)
    columns: Columns = (
        *("response", metric_column(primary), "rank", "ranks", "first"),
        *map(metric_column, others),
    )
    notes = (f"F1 and “first in” in percent, ranks by {name_of(primary)}.",)
    return Table(rows, columns, "F1 of each system, and its rank", notes=notes, signature=signature)


SECTIONS = (
    Section("overview", f"How do the {HOW_MANY} disagree about this response?", overview),
    Section("documents", "Where does it go wrong?", documents),
    Section("errors", "What should be fixed first?", errors),
    Section("credit", "What does each metric credit?", credit),
    Section("comparison", "Which is better, and is it significant?", comparison, fewest=2),
    Section("effect", many.EFFECT, effect, fewest=3, of_all=True),
    Section(
        "experiments", "Papers: printed, computed, the same direction?", experiments, on_demand=True
    ),
)

MOST_BYTES = 6_000_000

MOST_NAMED, MOST_CAVEATS = 3, 5  # systems in the title; caveats that are not folded


def choose_sections(names: Iterable[str], subject: Subject) -> tuple[Section, ...]:
    """The sections of these names in the order of SECTIONS; all that apply if there are no names,
    but for those that are written on demand.

    Raises PolicyError for a section that is unknown or needs more responses than there are.
    """
    known = {section.id: section for section in SECTIONS}
    wanted = {choose("section", name, known) for name in names}
    n = len(subject.systems)
    for name in sorted(wanted):
        if not known[name].takes(n):
            least = f"{spelled(known[name].fewest)} responses"
            raise PolicyError(f"section '{name}' takes {least}; expected another one")
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
    drawings: list[str] = []
    written = []
    about, introduction = _first_two(subject)
    for section in sections:
        step(section.title)
        own, opening = (subject, Markup()) if section.of_all else (about, introduction)
        blocks = [opening, *(html(block, drawings) for block in section.write(own))]
        written.append((section.id, section.title, blocks))
    front = _front(subject, date, [section.id for section in sections])
    text = document(_title(subject), front, written, drawings)
    size = len(text.encode())
    if size > MOST_BYTES:
        raise PolicyError(
            f"the report would have {size / 1e6:.1f} MB; expected 6 at most: choose fewer sections "
            "or documents"
        )
    return text


def _check_documents(subject: Subject) -> None:
    for name in subject.documents:
        choose("document", name, subject.key.by_name, most=MOST_NAMES)
    if len(subject.documents) > MOST_PASSAGES:
        raise PolicyError(
            f"{len(subject.documents)} documents are named; expected {MOST_PASSAGES} at most"
        )


def _first_two(subject: Subject) -> tuple[Subject, Markup]:
    """What the sections are about, and the line that says so: of three systems or more, two."""
    if len(subject.systems) <= 2:
        return subject, Markup()
    two = subject.first_two
    names = listed(system.title for system in two.systems)
    return two, note(
        f"Of the {counted(len(subject.systems), 'system')} on the first page, this is about the "
        f"two named first: {names}."
    )


def _title(subject: Subject) -> str:
    names = [system.name for system in subject.systems]
    systems = listed(names) if len(names) <= MOST_NAMED else counted(len(names), "system")
    return f"Coreference scores of {systems} against {subject.key_name}"


def _front(subject: Subject, date: str, sections: Sequence[str]) -> Markup:
    """The verdict, the scores, what was scored and how, and caveats."""
    page = first_page(subject, sections)
    caveats = [*page.caveats, *subject.warnings]
    return render(
        "report",
        "front",
        page=page,
        method=_method(subject, page, date),
        caveats=caveats[:MOST_CAVEATS],
        more=caveats[MOST_CAVEATS:],
    )


def _method(subject: Subject, page: FirstPage, date: str) -> dict[str, str]:
    """What was scored, how and by what, and when."""
    return {
        "Key": f"{subject.key_name}, {counted(len(subject.key), 'document')}",
        "Responses": " · ".join(f"{s.letter}: {s.name}" for s in subject.systems),
        "Scored": how_scored(subject.systems[0].result),
        "Statistics": page.statistics,
        "Made": (
            f"{date}, with corescore {__version__}, Python {platform.python_version()}, "
            f"numpy {np.__version__}, scipy {scipy.__version__}"
        ),
    }
