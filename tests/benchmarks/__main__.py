"""Print every benchmark as one table: `make bench`. With names only some: scoring, files, …"""

import sys

from tests.benchmarks import analysis, app, files, scoring

BENCHMARKS = {
    "scoring": scoring.rows,
    "files": files.rows,
    "analysis": analysis.rows,
    "app": app.rows,
}


def main() -> None:
    """Run the benchmarks named on the command line, or all."""
    print("| what | measured | against | wanted |\n|---|---|---|---|")
    for name in sys.argv[1:] or BENCHMARKS:
        for row in BENCHMARKS[name]():
            print(f"| {row.what} | {row.measured} | {row.against} | {row.wanted} |", flush=True)


if __name__ == "__main__":
    main()
