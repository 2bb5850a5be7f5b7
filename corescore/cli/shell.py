"""What the commands share: options, reading with progress, warnings, output."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any

from corescore.documents import Corpus
from corescore.formats import FORMATS, read
from corescore.matching import MATCHERS, REPEATS, SINGLETONS
from corescore.metrics import BLANC_VARIANTS
from corescore.output import OUTPUTS
from corescore.pairing import MISSING_DOCUMENTS
from corescore.problems import InputError, Problem
from corescore.scoring import Result, score

SECONDS_BEFORE_PROGRESS = 2.0

Parser = argparse.ArgumentParser


@dataclass(frozen=True)
class Command:
    """A command as data: its name, what it does, what adds its options, and what runs it.

    `run` raises InputError or PolicyError where the input or the options are wrong.
    """

    name: str
    about: str
    add_options: Callable[[Parser], None]
    run: Callable[[argparse.Namespace], None]


def add_sides(parser: Parser) -> None:
    """KEY and one RESPONSE."""
    parser.add_argument("key", metavar="KEY", help="the gold entities")
    parser.add_argument("response", metavar="RESPONSE", help="an output")


def add_policies(parser: Parser) -> None:
    """The policies of `corescore.score`, and --input-format."""
    add_choice(parser, "--singletons", SINGLETONS, "entities of one mention, on both sides")
    add_choice(parser, "--repeats", REPEATS, "a span that one side lists twice")
    add_choice(parser, "--blanc", tuple(BLANC_VARIANTS), "what BLANC does without links of a kind")
    add_choice(parser, "--match", tuple(MATCHERS), "when two mentions are the same")
    add_choice(parser, "--missing-documents", MISSING_DOCUMENTS, "documents the response lacks")
    add_format(parser, "--input-format", "the format of the files")


def add_output(parser: Parser) -> None:
    """--format and --out of a table."""
    add_choice(parser, "--format", tuple(OUTPUTS), "how to print the result")
    parser.add_argument("--out", metavar="FILE", help="write there instead of printing")


def add_choice(parser: Parser, name: str, values: Sequence[str], about: str) -> None:
    """An option with these values, the first by default."""
    parser.add_argument(
        name, choices=values, default=values[0], help=f"{about} (default: %(default)s)"
    )


def add_format(parser: Parser, name: str, about: str, dest: str | None = None) -> None:
    """An option that names a file format."""
    ids = [known.id for known in FORMATS]
    target = dest or name.lstrip("-").replace("-", "_")
    parser.add_argument(
        name, choices=ids, dest=target, help=f"{about} (default: found from the content)"
    )


def scored(options: argparse.Namespace) -> Result:
    """One response scored against the key, its warnings printed."""
    with progress(3) as step:
        paths = [options.key, options.response]
        key, response = read_all(paths, options.input_format, step)
        step(f"Scoring {options.response}")
        result = score(key, response, **policies(options))
    warn(result.warnings)
    return result


def read_all(paths: Sequence[str], format: str | None, step: Callable[[str], None]) -> list[Corpus]:
    """The key and the responses; all problems of all of them in one go."""
    errors = [InputError([problem]) for problem in _mixed(paths)]
    corpora = []
    for number, path in enumerate(paths):
        step(f"Reading {path}")
        try:
            corpora.append(read(path, format=format, side="response" if number else "key"))
        except InputError as error:
            errors.append(error)
    if errors:
        raise InputError.of(errors)
    return corpora


def _mixed(paths: Sequence[str]) -> Iterator[Problem]:
    kind = {True: "a folder", False: "a file"}
    for path in paths[1:]:
        is_folder, expected = Path(path).is_dir(), Path(paths[0]).is_dir()
        if is_folder != expected:
            advice = "Give two files or two folders."
            yield Problem(path, 0, kind[is_folder], f"{kind[expected]}, as the key", advice)


def policies(options: argparse.Namespace) -> dict[str, Any]:
    """What `add_policies` asked for."""
    names = ("singletons", "repeats", "blanc", "match", "missing_documents")
    return {name: getattr(options, name) for name in names}


def warn(warnings: Iterable[str]) -> None:
    """Print each warning once, to standard error."""
    for warning in dict.fromkeys(warnings):
        print(f"corescore: warning: {warning}", file=sys.stderr)


def put(text: str, path: str | None) -> None:
    """Print, or write to a file; InputError where it cannot be written."""
    if path is None:
        sys.stdout.write(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        found = f"a path that cannot be written ({error.strerror})"
        problem = Problem(path, 0, found, "a file in a folder that exists", "Check the path.")
        raise InputError([problem]) from error


@contextmanager
def progress(n_steps: int) -> Iterator[Callable[[str], None]]:
    """A function to call at each step; a bar appears if the work is slow and seen on a terminal."""
    if not sys.stderr.isatty():
        yield lambda about: None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=n_steps)
    timer = Timer(SECONDS_BEFORE_PROGRESS, bar.start)
    timer.start()
    try:
        yield lambda about: bar.update(task, description=about, advance=1)
    finally:
        timer.cancel()
        bar.stop()
