"""The program `corescore`, also as `python -m corescore`."""

import gc
import os
import sys
from collections.abc import Sequence

try:
    from corescore.cli.signals import INTERRUPTED, end_at_once, finish, tidy_up_first
except KeyboardInterrupt:
    sys.exit(130)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, by default the one that the shell gave; see `program.run`."""
    if arguments is None:
        return _started(sys.argv[1:])
    from corescore.cli.program import run

    return run(arguments)


def scorer() -> int:
    """The console script `corescore-scorer`: `corescore scorer.pl` with the script's arguments."""
    return _started(["scorer.pl", *sys.argv[1:]])


def _started(arguments: Sequence[str]) -> int:
    """Run one command in a process of its own, and end it.

    What is imported is no garbage: it is not looked through, neither now nor later. The threads of
    linear algebra take longer to start than any command gains by them.
    """
    end_at_once()  # on Ctrl+C during the imports, which take most of a second
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()
    from corescore.cli.program import run

    gc.freeze()
    gc.enable()
    try:
        tidy_up_first()
        code = run(arguments)
    except KeyboardInterrupt:
        code = INTERRUPTED
    finally:
        finish()
    os._exit(code)  # what is in memory goes with the process: Python would take it apart first


if __name__ == "__main__":
    sys.exit(main())
