"""`corescore score` of large files: documents are read in batches, counted and let go."""

import argparse
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

from corescore.cli.options import policies
from corescore.cli.shell import SECONDS_BEFORE_PROGRESS, metrics_for, path_errors, warn
from corescore.corpus.formats.packed import names_in
from corescore.corpus.formats.paths import each_response
from corescore.rendering.scorer_outputs import SCORER_OUTPUTS
from corescore.scoring.streaming import FileTally, Progress, tally_files

STREAMED_FROM = 50_000_000  # bytes; what is smaller is scored in memory as fast
_PACKED = 10  # text is about so many times as long as it is gzipped


def is_streamed(options: argparse.Namespace) -> bool:
    """Whether the files are large, and what is asked for needs no documents.

    What another scorer prints needs them, and so do paths that do not go together, of which all
    problems are told at once.
    """
    paths = [options.key, *each_response(options.key, options.responses)]
    if options.format in SCORER_OUTPUTS or path_errors(paths):
        return False
    return sum(map(_n_bytes, map(Path, paths))) >= STREAMED_FROM


def _n_bytes(path: Path) -> int:
    files = [path / name for name in names_in(path)] if path.is_dir() else [path]
    sizes = ((file, file.stat().st_size) for file in files if file.exists())
    return sum(size * (_PACKED if file.suffix == ".gz" else 1) for file, size in sizes)


def tally_each(options: argparse.Namespace, shown: Collection[str]) -> dict[str, FileTally]:
    """Each response by its path, counted against the key. Prints the warnings."""
    paths = each_response(options.key, options.responses)
    with bytes_progress() as progress:
        tallies = tally_files(
            options.key,
            paths,
            policies(options),
            metrics=metrics_for(options, shown),
            format=options.input_format,
            repair_brackets=options.repair_brackets,
            progress=progress,
        )
    warn(warning for tally in tallies for warning in tally.warnings)
    return dict(zip(paths, tallies, strict=True))


@contextmanager
def bytes_progress() -> Iterator[Progress]:
    """A function to call with the bytes done and those of all; on a terminal, work of more than two
    seconds shows a bar with its rate and the time left."""
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
    timer = Timer(SECONDS_BEFORE_PROGRESS, bar.start)
    timer.start()
    try:
        yield lambda done, of: bar.update(task, completed=done, total=of)
    finally:
        timer.cancel()
        bar.stop()
