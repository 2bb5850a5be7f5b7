"""`corescore score --scheduler`: the same on a cluster of Dask."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from corescore.cli.options import flag, option, policies
from corescore.cli.shell import progress, warn
from corescore.corpus.problems import InputError, PolicyError, Problem
from corescore.metrics import Metric
from corescore.rendering.scorer_outputs import SCORER_OUTPUTS

if TYPE_CHECKING:
    from distributed import Client

    from corescore.distributed.scoring import Scored

INCOMPLETE = 3  # the exit code where shards were left out
SECONDS_TO_CONNECT = 10

CLUSTER = (
    option(
        "--scheduler",
        "score on the Dask cluster of this scheduler, such as tcp://host:8786: KEY and RESPONSE "
        "are folders, patterns or URLs that its workers read",
        "ADDRESS",
    ),
    flag(
        "--keep-going",
        f"with --scheduler: leave out files that cannot be scored, say which, and exit with "
        f"{INCOMPLETE}",
    ),
)


def check_cluster(options: argparse.Namespace) -> None:
    """Raises PolicyError for options that do not go together, and where Dask is lacking."""
    if not options.scheduler:
        if options.keep_going:
            raise PolicyError("--keep-going is given without --scheduler; expected both")
        return
    if options.format in SCORER_OUTPUTS:
        found = f"--format {options.format} with --scheduler"
        raise PolicyError(f"{found}: it prints counts of the documents; expected another format")
    try:
        import corescore.distributed  # noqa: F401
    except ModuleNotFoundError as error:
        raise PolicyError(f"--scheduler: {error}") from error


def score_on_cluster(
    options: argparse.Namespace, metrics: Sequence[Metric]
) -> "Mapping[str, Scored]":
    """What each response comes to, by its name. Prints the warnings."""
    from corescore.distributed.scoring import Run  # slow to import: only where a cluster is used

    runs = [
        Run.of(
            options.key,
            response,
            policies(options),
            metrics,
            format=options.input_format,
            repair_brackets=options.repair_brackets,
        )
        for response in options.responses
    ]
    n_shards = sum(len(run.shards) for run in runs)
    with _connected(options.scheduler) as client, progress(n_shards) as step:
        every = [run.scored(client, keep_going=options.keep_going, step=step) for run in runs]
    warn(warning for scored in every for warning in scored.tally.warnings)
    return dict(zip(options.responses, every, strict=True))


@contextmanager
def _connected(address: str) -> Iterator["Client"]:
    """A client of the scheduler. Raises InputError if none answers."""
    from distributed import Client

    try:
        client = Client(address, timeout=SECONDS_TO_CONNECT)
    except (OSError, ValueError) as error:
        found, expected = f"no scheduler that answers ({error})", "a scheduler of Dask"
        advice = "Start one with `dask scheduler`, or check the address and its port."
        raise InputError([Problem(address, 0, found, expected, advice)]) from error
    with client:
        if not client.scheduler_info()["workers"]:
            warn([f"{address} has no workers yet: waiting for one"])
        yield client
