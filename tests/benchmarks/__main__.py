"""Print benchmarks as one table: `make bench`. With names only some: scoring, files, …

All that are not long are also written to a dated file, from which the documentation's table is
made; with `--long` all that there are. `--compare OLD` measures nothing: it says what the newest
file has slower than the file OLD.
"""

import argparse
from pathlib import Path

from tests.benchmarks import app, files, garbage, scoring, streaming
from tests.benchmarks.goals import with_goals
from tests.benchmarks.record import HEAD, Record, compared, line, newest

BENCHMARKS = {
    "scoring": scoring.rows,
    "files": files.rows,
    "garbage": garbage.rows,
    "app": app.rows,
    "streaming": streaming.rows,
}
# Run only when they are named, or with --long: each takes more than some minutes.
LONG = {"streaming-long": streaming.long_rows}


def main():
    """Run the benchmarks named on the command line, or all; or compare two runs."""
    every = BENCHMARKS | LONG
    known = ", ".join(f"{name} (long)" if name in LONG else name for name in every)
    parser = argparse.ArgumentParser(prog="tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=known)
    parser.add_argument("--long", action="store_true", help="all, the long ones too")
    parser.add_argument("--compare", type=Path, metavar="OLD", help="an older file of results")
    options = parser.parse_args()
    if options.compare:
        print("\n".join(compared(Record.read(options.compare), Record.read(newest()))))
        return
    if unknown := {*options.names} - {*every}:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; expected {known}")
    names = options.names or [*(every if options.long else BENCHMARKS)]
    rows = [*_printed(every[name] for name in names)]
    if not options.names:
        record = Record.of(rows)
        path = record.write()
        print(f"\nwritten to {path.name}")


def _printed(benchmarks):
    """The rows, each printed as soon as it is measured."""
    print(HEAD, end="")
    for rows in benchmarks:
        for row in map(with_goals, rows()):
            print(line(row), end="", flush=True)
            yield row


if __name__ == "__main__":
    main()
