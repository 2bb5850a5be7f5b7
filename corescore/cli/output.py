"""What the commands share: reading and scoring with progress, warnings, output."""

import codecs
import errno
import io
import os
import sys
import unicodedata
from argparse import Namespace
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from shutil import get_terminal_size
from threading import Timer
from typing import TYPE_CHECKING, Any, TextIO

from corescore.cli.options import (
    ENDINGS,
    HTML,
    OTHER_ENDINGS,
    PARQUET,
    ROWS_ON_TERMINAL,
    TABLE,
    metrics_of,
    policies,
)
from corescore.corpus.documents import Corpus
from corescore.corpus.files import (
    SIDES,
    each_response,
    path_problems,
    read,
    read_beside,
    refuse_replacing,
    write_file,
)
from corescore.corpus.names import read_genres, with_genres
from corescore.corpus.problems import InputError, PolicyError, Problem, refusal
from corescore.metrics import METRICS, NAMED, ROW_IDS, Metric, id_of, metric_of
from corescore.rendering.text import Table, as_parquet
from corescore.scoring.noticed import doubts, warnings_of
from corescore.scoring.scores import Result, score
from corescore.scoring.tally import Tally
from corescore.scoring.tally_files import Some, over_common_documents
from corescore.util import inert
from corescore.wording import folded, harmless, one_line

if TYPE_CHECKING:
    from rich.progress import Progress

    from corescore.corpus.parts import Formats

# Standard output and standard error that are full, closed, a terminal, or lack some characters ----

_PLAIN = {"─": "-", "│": "|", "┼": "+", "−": "-", "–": "-", "—": "-", "…": "...", "·": "."} | {
    "“": '"',
    "”": '"',
    "→": "->",
    "≤": "<=",
    "≥": ">=",
    "×": "x",
    "∅": "0",
    "₀": "_0",
    "ₑ": "_e",
    "ₘ": "_m",
}

_LONGEST_LINE = 2000  # characters of a message


def prepare_output() -> None:
    """Print what the encoding of standard output lacks in other characters; let a closed one fail
    when something is printed, and keep what is meant for it and for closed messages out of files.
    """
    codecs.register_error("corescore.plain", _in_plain_characters)
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", errors="backslashreplace")
    if sys.stdout is sys.__stdout__ and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="corescore.plain")


def show(text: str) -> None:
    """Print text; a terminal gets no control characters of names and words."""
    sys.stdout.write(harmless(text) if sys.stdout.isatty() else text)


def print_exactly(text: str) -> None:
    """Print what is data. Raises UnicodeEncodeError where the encoding of standard output lacks a
    character: another one in its place would change a word."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if encoding.lower().replace("-", "") != "utf8":
        text.encode(encoding)
    show(text)


def tell(text: str) -> None:
    """Print a message to standard error, if that can be written to."""
    message = "\n".join(one_line(line, _LONGEST_LINE) for line in text.split("\n"))
    if sys.stderr.isatty():
        message = folded(message, get_terminal_size().columns, "  ")
    with suppress(OSError):
        print(message, file=sys.stderr)
    flush_errors()


def flush_errors() -> None:
    """Send messages to standard error, or nowhere where that fails."""
    try:
        sys.stderr.flush()
    except OSError:
        _give_up(sys.stderr)


def give_up_output() -> None:
    """Send what is still to be printed nowhere, so that nothing fails at the exit."""
    _give_up(sys.stdout)


def _give_up(stream: TextIO) -> None:
    with suppress(OSError, ValueError):  # it has no number: a program has replaced it
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def is_about_output(error: OSError) -> bool:
    """Whether an error came from printing: one of a file names the file."""
    return error.filename is None and error.errno in (errno.ENOSPC, errno.EBADF, errno.EIO)


def _in_plain_characters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text, end = error.object[error.start : error.end], error.end
    plain = "".join(map(_in_ascii, text))
    for _ in plain[len(text) :]:  # a longer text takes the padding after it: columns stay aligned
        end += error.object[end : end + 2] == "  "
    return plain, end


def _in_ascii(character: str) -> str:
    """A character in ASCII: its like, without its accent, or by its number."""
    if character in _PLAIN:
        return _PLAIN[character]
    decomposed = unicodedata.normalize("NFKD", character)
    kept = decomposed.encode("ascii", "ignore").decode()
    return kept or character.encode("ascii", "backslashreplace").decode()


# Reading and scoring with progress and warnings, and what is printed ------------------------------

SECONDS_BEFORE_PROGRESS = 2.0

Step = Callable[[str], None]  # called at each step of some work, with what is done next


def scored(options: Namespace, shown: Collection[str] = ()) -> Result:
    """One response scored against the key; `shown` as in `score_each`. Prints the warnings."""
    path = options.response
    return score_all([path], options, metrics=metrics_for(options, shown))[1][path]


def refuse_twice(responses: Sequence[str]) -> None:
    """Raises PolicyError for a path that is given twice, even as `a` and `./a`."""
    for at, response in enumerate(responses):
        if Path(response) in map(Path, responses[:at]):
            raise PolicyError(f"{response} is named twice; expected each response once")


def score_each(
    responses: Sequence[str], options: Namespace, *, shown: Collection[str] = ()
) -> dict[str, Result]:
    """Each response by its path, scored against the key. Prints the warnings.

    shown  the ids that are asked for, variants among them. If the key is a file, each file of a
    folder is a separate response.
    """
    paths = one_by_one(responses, options)
    return score_all(paths, options, metrics=metrics_for(options, shown), apart=True)[1]


def one_by_one(responses: Sequence[str], options: Namespace, *, quietly: bool = False) -> list[str]:
    """The paths with each file of a folder by itself, where it is a response of its own. Says,
    unless `quietly`, which files of a folder are plainly something else."""
    is_known = formats_of(options)[1] is not None
    on_warnings = (lambda warnings: None) if quietly else warn
    return each_response(options.key, responses, is_known=is_known, warn=on_warnings)


def metrics_for(options: Namespace, shown: Collection[str]) -> tuple[Metric, ...]:
    """The metrics to score by, where those of the ids `shown` are asked for."""
    base = [metric_of(name) for name in metrics_of(options)] or METRICS
    variants = [metric for metric in NAMED if metric.id in shown and metric not in base]
    return (*base, *variants)


def score_all(
    paths: Sequence[str],
    options: Namespace,
    *,
    metrics: Sequence[Metric] = METRICS,
    apart: bool = False,
) -> tuple[Corpus, dict[str, Result]]:
    """The key, and the responses by their paths, scored against it: over the documents that all
    have, unless `apart`. Prints the warnings."""
    results = {}
    with progress(2 * len(paths) + 1) as step:
        key, *corpora = read_all([options.key, *paths], options, step)
        for path, response in zip(paths, corpora, strict=True):
            step(f"Scoring {path}")
            results[path] = score(key, response, policies(options), metrics=metrics)
    warn_of(results, options)
    return key, results if apart else over_common(results)


def over_common(results: dict[str, Some]) -> dict[str, Some]:
    """The results over the documents that all have; says what is left out of which."""
    common = over_common_documents(results)
    for path, result in common.items():
        warn(result.warnings[len(results[path].warnings) :])
    return common


NO_SPLIT_ANTECEDENTS = (
    "No file has split antecedents, so --split-antecedents score changes nothing (CoNLL cannot "
    "have them; CorefUD, CoNLL-UA and JSON Lines can)."
)


IN_PIECES = (
    "No two responses have a document in common. If they are parts of one response, put them "
    "together: corescore convert FOLDER FILE."
)


def warn_of(tallies: Mapping[str, Tally], options: Namespace) -> None:
    """Print the warnings of tallies by their paths; warn of a response that is the key, or that was
    taken for it, of files that are one response, and of split antecedents that are asked for where
    there are none."""
    warn(warnings_of(tallies.values()))
    has = [tally.sizes["response_mentions"] > 0 for tally in tallies.values()]
    may_be_one = len({*map(len, has)}) == 1 < len(has) and all(one.any() for one in has)
    if may_be_one and max(map(sum, zip(*has, strict=True))) == 1:
        warn([IN_PIECES])
    warn(said for path, tally in tallies.items() for said in doubts(tally, options.key, path))
    asked = vars(options).get("split_antecedents") == "score"
    if asked and not any(tally.has_split_antecedents for tally in tallies.values()):
        warn([NO_SPLIT_ANTECEDENTS])


def formats_of(options: Namespace) -> "Formats":
    """The ids of the formats of the key and of the responses, if options name them."""
    both = options.input_format
    return options.key_format or both, options.response_format or both


def read_all(paths: Sequence[str], options: Namespace, step: Step) -> list[Corpus]:
    """The key and the responses, read as --input-format, --key-format, --response-format and
    --repair-brackets say.

    Raises one InputError with the problems of all of them.
    """
    errors = path_errors(paths)
    faulty = {error.problems[0].file for error in errors}
    corpora = []
    for number, path in enumerate(paths):
        step(f"Reading {path}")
        if path in faulty:
            continue
        try:
            corpora.append(
                read(
                    path,
                    format=formats_of(options)[number > 0],
                    side=SIDES[number > 0],
                    repair_brackets=options.repair_brackets,
                )
            )
        except InputError as error:
            errors.append(error)
    if errors:
        raise InputError.of(errors)
    if table := vars(options).get("genres"):
        corpora[0] = with_genres(corpora[0], read_genres(table), table)
    return corpora


def path_errors(paths: Sequence[str]) -> list[InputError]:
    """What is wrong with the paths of a key and its responses, before they are read."""
    key, *responses = paths
    folders = (
        Problem(folder, 0, "a folder", "a file, as the key", "Name a file in the folder.")
        for folder in responses
        if Path(folder).is_dir() and not Path(key).is_dir()
    )
    problems = (*folders, *path_problems(key, responses))
    return [InputError([one]) for one in {problem.file: problem for problem in problems}.values()]


def warn(warnings: Iterable[str]) -> None:
    """Print each warning once, to standard error."""
    for warning in dict.fromkeys(warnings):
        tell(f"corescore: warning: {warning}")


def put(result: Table | str | bytes, options: Namespace) -> None:
    """Print a table as --format says, or text, or write it or bytes to --out; InputError where
    that fails, PolicyError for bytes without a file. Bytes of a file's name that are not UTF-8 are
    written out, as a number."""
    content, given = result, vars(options)
    if isinstance(content, Table):
        content = _table_content(content, options)
    if options.out is None and isinstance(content, bytes):
        raise PolicyError("--format parquet cannot be printed; expected --out FILE")
    if isinstance(content, str) and given.get("safe_csv"):
        content = inert(content)
    if options.out is None:
        is_prose = given.get("format") in (TABLE, "text") and not given.get("csv")
        is_prose = is_prose and sys.stdout.isatty()
        show(folded(str(content), get_terminal_size().columns) if is_prose else str(content))
        return
    data = content if isinstance(content, bytes) else content.encode(errors="backslashreplace")
    write_file(options.out, data, force=options.force, inputs=_inputs(options))


def _table_content(table: Table, options: Namespace) -> str | bytes:
    if options.format == PARQUET:
        return as_parquet(table)
    if options.format == HTML:
        return as_page([table], options)
    return first_rows(table, options).text(options.format)


def as_page(tables: Sequence[Table], options: Namespace) -> str:
    """Tables as an HTML file under the name of the command."""
    from corescore.rendering.html import page  # it needs pandas

    return page(options.parser.prog, tables)


def is_cut(n_rows: int, options: Namespace) -> bool:
    """Whether so many rows are too many for a terminal, and --all does not ask for them."""
    is_printed = options.out is None and sys.stdout.isatty()
    return n_rows > ROWS_ON_TERMINAL and is_printed and not vars(options).get("every_row", True)


def first_rows(table: Table, options: Namespace) -> Table:
    """What a terminal shows of a long table if the command has --all."""
    n_rows = len(table.frame)
    if options.format != TABLE or not is_cut(n_rows, options):
        return table
    notes = (more_rows(n_rows), *table.notes)
    return replace(table, frame=table.frame[:ROWS_ON_TERMINAL], notes=notes)


def more_rows(n_rows: int) -> str:
    """How many rows are not shown, and how to see them."""
    return f"… {n_rows - ROWS_ON_TERMINAL:,} more: --all or --out FILE"


STDIN = "/dev/stdin"  # as a path, which "-" stands for


def check_paths(options: Namespace) -> None:
    """Take "-" for standard input or output, and the format that the ending of --out names if there
    is no --format. Raises InputError for a path that is empty, and if --out or --save-tally is a
    file that is not to be replaced; PolicyError for --safe-csv of another format, and for an ending
    of files that are never written; called before any work."""
    given = vars(options)
    for name in _PATHS:
        paths = [STDIN if path == "-" else path for path in _paths_of(given.get(name))]
        if "" in paths:
            raise refusal("''", "no such file or folder", "", "Check the path.")
        if STDIN in paths:
            setattr(options, name, paths[0] if isinstance(given[name], str) else paths)
    for path in _paths_of(given.get("responses")):
        if id_of(path) in ROW_IDS and not Path(path).exists():
            raise PolicyError(f"no file {path!r}; metrics are an option: --metrics {path}")
    if given.get("out") in ("-", "/dev/stdout"):
        options.out = None
    for path in filter(None, (given.get(name) for name in ("out", "save_tally"))):
        refuse_replacing(path, force=options.force, inputs=_inputs(options))
    ending = Path(given.get("out") or "").suffix.lower()
    known = ", ".join(one for one, of in ENDINGS.items() if of in options.parser.formats)
    decides = "format" in given and options.format is None and ending not in ("", ".txt")
    is_other = ending in ENDINGS and given.get("ending", ending) not in ("", ending)
    is_other = is_other or ending in OTHER_ENDINGS
    if is_other or (decides and ENDINGS.get(ending) not in options.parser.formats):
        expected = given.get("ending") or (f"{known}, or .txt" if known else "")
        instead = f"; expected {expected}" if expected else ""
        raise PolicyError(f"--out {options.out}: no {ending} files are written{instead}")
    if "format" in given and options.format is None:
        options.format = ENDINGS.get(ending, options.parser.formats[0])
    if given.get("safe_csv") and options.format != "csv" and not given.get("csv"):
        raise PolicyError(f"--safe-csv with --format {options.format}; expected --format csv")


_PATHS = (
    *("source", "folder", "key", "response", "other", "notes", "genres"),
    *("responses", "own_metrics"),
)


def _paths_of(given: Any) -> list[str]:
    """The paths that an option has, which may be one, several, or none."""
    return [given] if isinstance(given, str) else [*(given or ())]


def _inputs(options: Namespace) -> list[str]:
    """The files and folders that a command reads, and the files that are read with them."""
    paths = [path for name in _PATHS for path in _paths_of(vars(options).get(name))]
    return [*paths, *(other for path in paths for other in read_beside(path))]


@contextmanager
def progress(n_steps: int) -> Iterator[Step]:
    """A function to call at each step; on a terminal, slow work shows a bar."""
    if not sys.stderr.isatty():
        yield lambda about: None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=n_steps)
    with shown(bar):
        yield lambda about: bar.update(task, description=about, advance=1)


@contextmanager
def shown(bar: "Progress") -> Iterator[None]:
    """Show a bar once the work has taken two seconds, and take it away at the end."""
    timer = Timer(SECONDS_BEFORE_PROGRESS, bar.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        bar.stop()
