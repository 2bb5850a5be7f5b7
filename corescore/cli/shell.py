"""What the commands share: options, reading with progress, warnings, output."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

from corescore.api.result import Result
from corescore.corpus.documents import Corpus
from corescore.corpus.formats import FORMATS, read
from corescore.corpus.formats.paths import each_response, path_problems, write_file
from corescore.corpus.problems import InputError, PolicyError, Problem, choose
from corescore.counting.policies import POLICY_VALUES, Policies
from corescore.metrics import ROW_IDS
from corescore.rendering.scores import OUTPUTS, SHOWN
from corescore.rendering.text import LONGEST_TEXT, as_parquet, render_frame
from corescore.scoring.scores import score

if TYPE_CHECKING:
    import pandas as pd

SECONDS_BEFORE_PROGRESS = 2.0
PARQUET = "parquet"
KEY = "the key: the gold entities"
FOLDERS = (
    "If KEY is a file, each file in a folder is a separate response; if KEY is a folder, each "
    "folder is one response and files are matched by name"
)
RESPONSES = f"one or more responses: files or folders. {FOLDERS}"

_POLICIES = {
    "singletons": "entities of one mention, on both sides",
    "repeats": "a span that one side lists twice",
    "blanc": "how BLANC scores a side without links of one kind",
    "match": "when two mentions are the same",
    "missing_documents": "documents that the response lacks",
}

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
    parser.add_argument("key", metavar="KEY", help=KEY)
    parser.add_argument("response", metavar="RESPONSE", help="the response: a system's entities")


def add_each(parser: Parser, *, about: str = RESPONSES) -> None:
    """KEY, and one RESPONSE or more."""
    parser.add_argument("key", metavar="KEY", help=f"{KEY}, a file (plain or .gz) or a folder")
    parser.add_argument("responses", metavar="RESPONSE", nargs="+", help=about)


def add_policies(parser: Parser) -> None:
    """The policies of `corescore.score`, and --input-format."""
    for name, about in _POLICIES.items():
        add_choice(parser, f"--{name.replace('_', '-')}", POLICY_VALUES[name], about)
    add_input_format(parser)


def add_average(parser: Parser) -> None:
    """--average."""
    add_choice(parser, "--average", POLICY_VALUES["average"], "macro: also means over documents")


def add_output(parser: Parser, *, more: str = "") -> None:
    """--format and --out of a table; `more` explains the formats."""
    about = f"output format{more}; parquet needs --out"
    add_choice(parser, "--format", (*OUTPUTS, PARQUET), about)
    parser.add_argument("--out", metavar="FILE", help="write to FILE instead of printing")


def add_choice(parser: Parser, name: str, values: Sequence[str], about: str) -> None:
    """An option with these values, the first by default."""
    parser.add_argument(
        name, choices=values, default=values[0], help=f"{about} (default: %(default)s)"
    )


def add_seed(parser: Parser, *, default: int) -> None:
    """--seed."""
    about = "random seed (default: %(default)s)"
    parser.add_argument("--seed", metavar="S", type=int, default=default, help=about)


def add_metrics(parser: Parser) -> None:
    """--metrics, for `shown_metrics`."""
    about = f"metrics to show: {', '.join(ROW_IDS)} (default: {', '.join(SHOWN)})"
    parser.add_argument("--metrics", metavar="ID,ID,…", help=about)


def shown_metrics(options: argparse.Namespace) -> tuple[str, ...]:
    """The ids that --metrics lists. PolicyError for an unknown one."""
    ids = options.metrics.split(",") if options.metrics else SHOWN
    return tuple(choose("metric", name, ROW_IDS) for name in ids)


def add_input_format(parser: Parser) -> None:
    """--input-format, for every file that a command reads."""
    add_format(parser, "--input-format", "format of the input files")


def add_format(
    parser: Parser, name: str, about: str, *, found: str = "the content", dest: str | None = None
) -> None:
    """An option that names a file format, which is else found from the content."""
    ids = [known.id for known in FORMATS]
    about += f" (default: found from {found})"
    parser.add_argument(name, choices=ids, dest=dest, help=about)


def policies(options: argparse.Namespace) -> Policies:
    """What the options of `add_policies` say, and --average where a command has it."""
    given = vars(options)
    return Policies.of({name: given[name] for name in POLICY_VALUES if name in given})


def scored(options: argparse.Namespace) -> Result:
    """One response scored against the key. Prints the warnings."""
    (result,) = score_all([options.response], options)[1]
    return result


def refuse_twice(responses: Sequence[str]) -> None:
    """Raises PolicyError for a path that is given twice, even as `a` and `./a`."""
    if len(set(map(Path, responses))) < len(responses):
        raise PolicyError("one response is named twice; expected each once")


def score_each(responses: Sequence[str], options: argparse.Namespace) -> dict[str, Result]:
    """Each response by its path, scored against the key. Prints the warnings.

    If the key is a file, each file of a folder is a separate response.
    """
    paths = each_response(options.key, responses)
    _, results = score_all(paths, options)
    return dict(zip(paths, results, strict=True))


def score_all(paths: Sequence[str], options: argparse.Namespace) -> tuple[Corpus, list[Result]]:
    """The key, and the responses of these paths scored against it. Prints the warnings."""
    results = []
    with progress(2 * len(paths) + 1) as step:
        key, *corpora = read_all([options.key, *paths], options.input_format, step)
        for path, response in zip(paths, corpora, strict=True):
            step(f"Scoring {path}")
            results.append(Result.of(score(key, response, policies(options))))
    warn(warning for result in results for warning in result.warnings)
    return key, results


def read_all(paths: Sequence[str], format: str | None, step: Callable[[str], None]) -> list[Corpus]:
    """The key and the responses. Raises one InputError with the problems of all of them."""
    key, *responses = paths
    errors = [InputError([problem]) for problem in path_problems(key, responses)]
    errors += [InputError([problem]) for problem in _folders(key, responses)]
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


def _folders(key: str, responses: Sequence[str]) -> Iterator[Problem]:
    """Folders of several responses where one response is expected."""
    for folder in responses:
        if Path(folder).is_dir() and not Path(key).is_dir():
            yield Problem(folder, 0, "a folder", "a file, as the key", "Name a file in the folder.")


def warn(warnings: Iterable[str]) -> None:
    """Print each warning once, to standard error."""
    for warning in dict.fromkeys(warnings):
        print(f"corescore: warning: {warning}", file=sys.stderr)


def put_frame(
    frame: "pd.DataFrame",
    signature: str,
    options: argparse.Namespace,
    *,
    longest: int = LONGEST_TEXT,
) -> None:
    """Print a table, or write it to a file, as --format and --out say."""
    if options.format == PARQUET:
        put(as_parquet(frame, signature), options.out)
    else:
        text = render_frame(frame, signature, format=options.format, longest=longest)
        put(text, options.out)


def put(content: str | bytes, path: str | None) -> None:
    """Print text, or write text or bytes to a file; InputError where that fails, PolicyError for
    bytes without a file."""
    if path is None and isinstance(content, bytes):
        raise PolicyError("--format parquet cannot be printed; expected --out FILE")
    if path is None:
        sys.stdout.write(str(content))
        return
    write_file(path, content if isinstance(content, bytes) else content.encode())


@contextmanager
def progress(n_steps: int) -> Iterator[Callable[[str], None]]:
    """A function to call at each step; on a terminal, slow work shows a bar."""
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
