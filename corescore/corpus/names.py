"""What names and tables add to files: genres of documents, and which files are runs of a system."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from corescore.corpus.documents import Corpus
from corescore.corpus.packed import bytes_of
from corescore.corpus.problems import InputError, PolicyError, Problem, refuse
from corescore.wording import counted

HEADER = ["document", "genre"]


def read_genres(path: str) -> dict[str, str]:
    """The genres by document that a file has; see `genres_in`. Raises InputError."""
    return genres_in(bytes_of(Path(path)), path)


def genres_in(data: bytes, file: str) -> dict[str, str]:
    """The genres by document: two columns, separated by tabs if the first line has one, else by
    commas as CSV is; the first line may be "document" and "genre". Empty lines are left out.

    file  what messages call it

    Raises InputError for what is no text, for rows of other than two columns or
    without a genre, and for a document that is named twice.
    """

    def problem(line: int, fault: str, expected: str) -> Problem:
        return Problem(
            file, line, fault, expected, "Write one document per line, then a tab and its genre."
        )

    try:
        text = data.decode("utf-8-sig")
        is_tsv = "\t" in text.partition("\n")[0]
        rows = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if is_tsv else ",")
        table = [(rows.line_num, [cell.strip() for cell in cells]) for cells in rows]
    except UnicodeDecodeError as error:
        raise InputError([problem(0, "bytes that are no UTF-8", "a text")]) from error
    except csv.Error as error:
        raise InputError([problem(0, f"no table: {error}", "a text")]) from error
    genres: dict[str, str] = {}
    problems = []
    for line, row in table:
        if not any(row) or (line == 1 and [*map(str.lower, row)] == HEADER):
            continue
        if len(row) != 2 or not all(row):
            problems.append(problem(line, _lack(row), "a document and its genre"))
        elif row[0] in genres:
            fault = f"a second row on document '{row[0]}'"
            problems.append(problem(line, fault, "each document once"))
        else:
            genres[row[0]] = row[1]
    refuse(problems)
    return genres


def _lack(row: Sequence[str]) -> str:
    """Why a row is none of a document and its genre."""
    if len(row) != 2:
        return f"{counted(len(row), 'column')}: '{row[0]}'"
    return f"no genre of '{row[0]}'" if row[0] else f"no document before '{row[1]}'"


def with_genres(corpus: Corpus, genres: Mapping[str, str], file: str = "") -> Corpus:
    """The corpus with these genres; a document that is not named keeps what its file says.

    A warning names the first of the documents in the table that the corpus lacks; `file` is what it
    calls the table.
    """
    documents = tuple(replace(one, genre=genres.get(one.name, one.genre)) for one in corpus)
    others = [name for name in genres if name not in corpus.by_name]
    warnings = corpus.warnings
    if others:
        warnings = (
            *warnings,
            f"{file}: not in the key: {counted(len(others), 'document')}, such as '{others[0]}'.",
        )
    return replace(corpus, documents=documents, warnings=warnings)


# Several runs of one system, told by the names of their files -------------------------------------

# `.run1` or `.seed42`, also one after the other, before another ending or at the end of the name
_RUN = re.compile(r"((?:\.(?:run|seed)[0-9]+)+)(?=\.|$)", re.IGNORECASE)


def run_of(path: str) -> tuple[str, str] | None:
    """The system and the run that a file or folder is named after; None if it is named after none.

    A run is `.runN` or `.seedN` in the name, upper or lower case; the system is what stands before
    it, with the folder: `out/a.run1.conll.gz` is run1 of `out/a`. What comes after it, such as the
    endings of a format and of compression, does not matter.
    """
    place = Path(path)
    match = _RUN.search(place.name)
    if match is None or not match.start():
        return None
    return str(place.parent / place.name[: match.start()]), match[1][1:].lower()


def is_run_of_same(path: str, other: str) -> bool:
    """Whether two paths name runs of one system."""
    one, two = run_of(path), run_of(other)
    return one is not None and two is not None and one[0] == two[0]


def by_system(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The runs of each system, by what `run_of` calls it, in the order in which systems are first
    named, their runs by number. A path that names no run is a system of its own.

    Raises PolicyError for two runs of a system with the same name.
    """
    systems: dict[str, dict[str, str]] = {}
    for path in paths:
        system, name = run_of(path) or (path, "")
        runs = systems.setdefault(system, {})
        if name in runs:
            raise PolicyError(
                f"{runs[name]} and {path} are both {name} of {system}; expected each run once"
            )
        runs[name] = path
    return {
        system: tuple(runs[name] for name in sorted(runs, key=_by_number))
        for system, runs in systems.items()
    }


def several_runs(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The same, where two systems or more are named and one of them has several runs; else none."""
    systems = by_system(paths)
    return systems if 1 < len(systems) < sum(map(len, systems.values())) else {}


def counted_runs(paths: Iterable[str]) -> dict[str, int]:
    """How many runs of each system are named, of those with more than one."""
    runs = Counter(run[0] for path in paths if (run := run_of(path)))
    return {system: n for system, n in runs.items() if n > 1}


def _by_number(name: str) -> list[tuple[str, int]]:
    """run2 before run10."""
    return [(kind, int(number)) for kind, number in re.findall(r"([a-z]+)([0-9]+)", name)]
