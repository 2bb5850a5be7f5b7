"""`corescore score` of large files: documents are read in batches, counted and let go."""

import argparse
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from corescore.cli.options import option, policies
from corescore.cli.shell import metrics_for, path_errors, shown, warn
from corescore.corpus.formats.packed import names_in
from corescore.corpus.formats.paths import each_response
from corescore.corpus.problems import PolicyError
from corescore.rendering.scorer_outputs import SCORER_OUTPUTS
from corescore.scoring.file_pairs import FileTally
from corescore.scoring.streaming import Progress, tally_files
from corescore.scoring.workers import in_processes

STREAMED_FROM = 50_000_000  # bytes; what is smaller is scored in memory as fast
SHARED_FROM = 100_000_000  # bytes; of less, starting other processes takes as long as they save
MOST_WORKERS = 1000
_PACKED = 10  # text is about so many times as long as it is gzipped

WORKERS = option(
    "--workers",
    "count in N processes (default: one for each processor if the files have "
    f"{SHARED_FROM // 1_000_000} MB or more, else 1)",
    "N",
    type=int,
)


def is_streamed(options: argparse.Namespace) -> bool:
    """Whether the files are large, and what is asked for needs no documents.

    What another scorer prints needs them, and so do paths that do not go together, of which all
    problems are told at once. A pipe can be read only once.
    """
    paths = [options.key, *each_response(options.key, options.responses)]
    is_piped = any(Path(path).exists() and not _is_kept(Path(path)) for path in paths)
    if options.format in SCORER_OUTPUTS or is_piped or path_errors(paths):
        return False
    return (options.workers or 1) > 1 or _total(paths) >= STREAMED_FROM


def _is_kept(path: Path) -> bool:
    return path.is_file() or path.is_dir()


def check_workers(options: argparse.Namespace) -> None:
    """Raises PolicyError for a number of processes that is none, or that is not asked for here."""
    if options.workers is None:
        return
    if not 1 <= options.workers <= MOST_WORKERS:
        expected = f"1 or more, {MOST_WORKERS} at most"
        raise PolicyError(f"workers is {options.workers}; expected {expected}")
    if options.scheduler:
        raise PolicyError("--workers is given with --scheduler, whose workers are its own")
    if options.workers > 1 and options.format in SCORER_OUTPUTS:
        raise PolicyError(f"--format {options.format} with --workers: it is made by one process")


def _n_workers(options: argparse.Namespace, paths: Sequence[str]) -> int:
    if options.workers:
        return int(options.workers)
    return (os.cpu_count() or 1) if _total(paths) >= SHARED_FROM else 1


def _total(paths: Sequence[str]) -> int:
    return sum(map(_n_bytes, map(Path, paths)))


def _n_bytes(path: Path) -> int:
    files = [path / name for name in names_in(path)] if path.is_dir() else [path]
    sizes = ((file, file.stat().st_size) for file in files if file.exists())
    return sum(size * (_PACKED if file.suffix == ".gz" else 1) for file, size in sizes)


def tally_each(options: argparse.Namespace, shown: Collection[str]) -> dict[str, FileTally]:
    """Each response by its path, counted against the key. Prints the warnings."""
    paths = each_response(options.key, options.responses)
    n = _n_workers(options, [options.key, *paths])
    with bytes_progress() as progress:
        tallies = tally_files(
            options.key,
            paths,
            policies(options),
            metrics=metrics_for(options, shown),
            format=options.input_format,
            repair_brackets=options.repair_brackets,
            progress=progress,
            each=lambda work, batches: in_processes(work, batches, n),
        )
    warn(warning for tally in tallies for warning in tally.warnings)
    return dict(zip(paths, tallies, strict=True))


@contextmanager
def bytes_progress() -> Iterator[Progress]:
    """A function to call with the bytes done and those of all; on a terminal, work of more than two
    seconds shows a bar with its rate and the time left, which moves to and fro until the documents
    have been found."""
    if not sys.stderr.isatty():
        yield lambda done, of: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    columns = BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=None)
    with shown(bar):
        yield lambda done, of: bar.update(task, completed=done, total=of)
