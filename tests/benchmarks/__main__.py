"""Print every benchmark as one table: `make bench`. With names only some: scoring, files, …

All of them together are also written to a dated file, from which the README's table is made.
`--compare OLD` measures nothing: it says what the newest file has slower than the file OLD.
"""

import argparse
from pathlib import Path

from tests.benchmarks import analysis, app, files, scoring
from tests.benchmarks.record import HEAD, Record, compared, line, newest, renew

BENCHMARKS = {
    "scoring": scoring.rows,
    "files": files.rows,
    "analysis": analysis.rows,
    "app": app.rows,
}


def main() -> None:
    """Run the benchmarks named on the command line, or all; or compare two runs."""
    parser = argparse.ArgumentParser(prog="tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--compare", type=Path, metavar="OLD")
    options = parser.parse_args()
    if options.compare:
        print("\n".join(compared(Record.read(options.compare), Record.read(newest()))))
        return
    if unknown := {*options.names} - {*BENCHMARKS}:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; expected {', '.join(BENCHMARKS)}")
    rows = []
    print(HEAD, end="")
    for name in options.names or BENCHMARKS:
        for row in BENCHMARKS[name]():
            print(line(row), end="", flush=True)
            rows.append(row)
    if not options.names:
        record = Record.of(rows)
        renew(record)
        print(f"\nwritten to {record.write().name}, and to the README")


if __name__ == "__main__":
    main()
