"""What the first page of a report says of systems with several runs each."""

from itertools import combinations

from markupsafe import Markup

from corescore.analysis.systems.runs import PairOverRuns
from corescore.corpus.formats.run_names import several_runs
from corescore.corpus.problems import PolicyError
from corescore.metrics import METRIC_IDS
from corescore.rendering.html import headline, note, rows_table, signature
from corescore.rendering.report.blocks import FirstPage, Subject
from corescore.rendering.scores import short_names
from corescore.sentences import runs as sentences
from corescore.sentences.names import title
from corescore.wording import counted

_SHOWN = (*METRIC_IDS, "conll")


def over_runs(subject: Subject) -> FirstPage:
    """What follows of each two systems over their runs, and their means; nothing where no system
    has several runs by the names of the files, as `run_names.run_of` reads them."""
    pairs = _pairs(subject)
    if not pairs:
        return FirstPage(Markup(), Markup(), "")
    first = next(iter(pairs.values()))
    drawn = f"{subject.signature} | mean over runs | {first.trials:,} trials | seed {first.seed}"
    return FirstPage(
        Markup().join(
            headline(sentences.conclusion(pair, subject.primary, "f1", _titles(two)))
            for two, pair in pairs.items()
        ),
        _means(pairs)
        + note("F1 in percent, mean ± standard deviation over runs.")
        + signature(drawn),
        f" Over runs: {sentences.HOW_RESAMPLED}",
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
    return {
        (a, b): PairOverRuns(runs[a], runs[b], letters=(a, b)) for a, b in combinations(runs, 2)
    }


def _titles(two: tuple[str, str]) -> dict[str, str]:
    return dict(zip("AB", two, strict=True))


def _means(pairs: dict[tuple[str, str], PairOverRuns]) -> Markup:
    """A row for each system: its runs, and the mean of each metric with its spread."""
    rows: dict[str, list[str]] = {}
    for two, pair in pairs.items():
        for name, side, n in zip(two, "ab", pair.n_runs, strict=True):
            each = (sentences.row_of(pair, metric, "f1") for metric in _SHOWN)
            means = [sentences.mean_of(row, side) for row in each]
            rows.setdefault(name, [name, counted(n, "run"), *means])
    return rows_table(
        "F1 of each system over its runs", ["", "", *map(title, _SHOWN)], [*rows.values()]
    )
