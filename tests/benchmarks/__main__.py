"""Print every benchmark as one table: `make bench`, or with names: scoring, files, app."""

import sys

from tests.benchmarks import app, files, scoring

BENCHMARKS = {"scoring": scoring.rows, "files": files.rows, "app": app.rows}


def main() -> None:
    """Run the benchmarks named on the command line, or all."""
    print("| what | measured | against | wanted |\n|---|---|---|---|")
    for name in sys.argv[1:] or BENCHMARKS:
        for row in BENCHMARKS[name]():
            print(f"| {row.what} | {row.measured} | {row.against} | {row.wanted} |", flush=True)


if __name__ == "__main__":
    main()
