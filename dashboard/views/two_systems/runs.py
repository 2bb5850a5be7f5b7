"""Other runs of the two systems: whether what holds of A and B holds over all that are loaded."""

from dataclasses import dataclass

from corescore import PolicyError, Result
from corescore.analysis.systems.runs import PairOverRuns
from corescore.corpus.names import run_of, several_runs
from corescore.metrics import name_of
from corescore.scoring.tally_files import over_common_documents
from corescore.sentences import runs as sentences
from corescore.wording import in_percent, listed, p_value
from dashboard.session import scoring
from dashboard.session.caching import cached
from dashboard.session.loaded import Loaded
from dashboard.session.sources import File, short_names
from dashboard.views.two_systems import columns
from dashboard.views.two_systems.shown import Shown
from dashboard.widgets.page import caution, headline, note
from dashboard.widgets.tables import download, table


@dataclass(frozen=True)
class Runs:
    """The systems of A and B, compared over the runs that are loaded.

    names   of the systems, by letter
    unread  the names of runs that cannot be read or scored
    """

    pair: PairOverRuns
    names: dict[str, str]
    unread: tuple[str, ...] = ()


def runs_of(loaded: Loaded) -> dict[str, tuple[File, ...]]:
    """The files of the system that A is a run of, and of B's, by the system's name; none where both
    have one run, or are runs of one system."""
    shown = {system.stamps[2] for system in loaded.systems}
    files = {file.name: file for file in loaded.files.responses}
    try:
        systems = several_runs(files)
    except PolicyError:  # two files are named as one run
        return {}
    of_both = {
        name: tuple(files[run] for run in runs) for name, runs in systems.items() if shown & {*runs}
    }
    several = len(of_both) == 2 and any(len(runs) > 1 for runs in of_both.values())
    order = [run_of(system.stamps[2]) or (system.stamps[2], "") for system in loaded.systems]
    return {name: of_both[name] for name, _ in order} if several else {}


def only_system(loaded: Loaded) -> str:
    """The system of which both A and B are runs; "" if there is none."""
    a, b = (run_of(system.stamps[2]) for system in loaded.systems)
    return a[0] if a and b and a[0] == b[0] else ""


def compared(loaded: Loaded, *, trials: int, seed: int) -> Runs | None:
    """The comparison over runs; None where there are none, or too few can be scored."""
    systems = runs_of(loaded)
    files = [file for runs in systems.values() for file in runs]
    if not files:
        return None
    results = scoring.check(loaded.files, files, loaded.policies)
    if loaded.policies.missing_documents == "skip" and results:
        results = over_common_documents(results)
    called = short_names(loaded.files.responses)
    sides = [
        [results[called[file.name]] for file in runs if called[file.name] in results]
        for runs in systems.values()
    ]
    if not all(sides):
        return None
    stamps = tuple((file.name, file.stamp) for file in (loaded.files.key, *files))
    pair = _pair(stamps, loaded.signature, *sides, trials=trials, seed=seed)
    unread = tuple(called[file.name] for file in files if called[file.name] not in results)
    return Runs(pair, dict(zip("AB", systems, strict=True)), unread)


@cached(max_entries=16, show_spinner="Resampling runs and documents")
def _pair(
    stamps: tuple[tuple[str, str], ...],
    signature: str,
    _a: list[Result],
    _b: list[Result],
    *,
    trials: int,
    seed: int,
) -> PairOverRuns:
    return PairOverRuns(_a, _b, trials=trials, seed=seed)


def show_answer(runs: Runs, metric: str, measure: str) -> None:
    """What follows of the systems, beside what follows of A and B."""
    titles = {letter: f"{letter} ({name})" for letter, name in runs.names.items()}
    said = sentences.conclusion(runs.pair, metric, measure, titles)
    headline(f"Over all runs: {said}")
    if runs.unread:
        caution(f"Runs that cannot be scored are left out: {listed(runs.unread)}.")


def answer(runs: Runs, metric: str, measure: str) -> str:
    """How large the difference is over the runs, and whether they can tell."""
    return f"{sentences.can_tell(runs.pair)} {sentences.how_large(runs.pair, metric, measure)}"


def show_means(shown: Shown, runs: Runs) -> None:
    """A row for each metric: means, their spread and difference, and the tests."""
    every = runs.pair.significance
    of = every[(every["measure"] == shown.measure) & every["metric"].isin(shown.metrics)]
    of = of.set_index("metric").loc[shown.metrics].reset_index()
    rows = in_percent(of, columns.RUN_SHARES).assign(metric=of["metric"].map(name_of))
    tests = [*columns.RUN_TESTS]
    rows[tests] = rows[tests].map(p_value).astype(str)
    table(
        rows,
        columns.run_columns(),
        most=8,
        key="runs",
        order=list(columns.run_columns()),
        missing="–",
        alt="A row for each metric: the means over the runs of A and B, their spread, their "
        "difference, and its p-values.",
    )
    note(sentences.HOW_TESTED)
    download(
        of, runs.pair.signature, "over-runs", shown.measure, *runs.names.values(), signed=False
    )
