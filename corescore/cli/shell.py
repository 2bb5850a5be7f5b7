"""What the commands share: options, reading with progress, warnings, output."""

import argparse
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from corescore.api.result import Result
from corescore.corpus.documents import Corpus
from corescore.corpus.formats import FORMATS, Format, read
from corescore.corpus.formats.paths import each_response, path_problems
from corescore.corpus.formats.writing import refuse_replacing, write_file
from corescore.corpus.problems import InputError, PolicyError, Problem, choose
from corescore.counting.policies import DEFAULTS, POLICY_VALUES, Policies
from corescore.metrics import CONLL, METRICS, NAMED, ROW_IDS, Metric, metric_of
from corescore.rendering.scores import OUTPUTS, SHOWN
from corescore.rendering.text import LONGEST_TEXT, as_parquet, render_frame
from corescore.scoring.presets import PRESETS
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
    "match": "when two mentions match: the same words, or else by head, within the key mention; or "
    "the same minimum span by the key's parse",
    "zeros": "match zeros by what they depend on, by their place, or leave them out",
    "lookup": "score the pairs of mentions, or one look-up table as the CorefUD scorer does",
    "mentions": "leave out verb phrases (by the key's parse), or mentions inside others of theirs",
    "missing_documents": "documents that the response lacks",
    "words": "documents whose words differ: refuse, compare positions, or align over characters",
}

Parser = argparse.ArgumentParser
Option = Callable[[Parser], object]


@dataclass(frozen=True)
class Command:
    """A command as data: its name, what it does, its options, and what runs it.

    `run` raises InputError or PolicyError where the input or the options are wrong.
    """

    name: str
    about: str
    options: tuple[Option, ...]
    run: Callable[[argparse.Namespace], None]


def option(name: str, about: str, metavar: str | None = None, **settings: Any) -> Option:
    """An option with a value, or a positional argument; `settings` as argparse knows them."""
    return lambda parser: parser.add_argument(name, help=about, metavar=metavar, **settings)


def flag(name: str, about: str) -> Option:
    """An option without a value, False by default."""
    return lambda parser: parser.add_argument(name, action="store_true", help=about)


def choice(name: str, values: Sequence[str], about: str) -> Option:
    """An option with these values, the first by default."""
    about += " (default: %(default)s)"
    return option(name, about, choices=values, default=values[0])


def each(about: str = RESPONSES) -> tuple[Option, ...]:
    """KEY, and one RESPONSE or more."""
    return (
        option("key", f"{KEY}, a file (plain, .gz or .zip) or a folder", "KEY"),
        option("responses", about, "RESPONSE", nargs="+"),
    )


def output(more: str = "", others: Iterable[str] = ()) -> tuple[Option, ...]:
    """--format, --out and --force of a table; `more` explains the formats and those besides."""
    about = f"output format{more}; parquet needs --out"
    return (
        choice("--format", (*OUTPUTS, PARQUET, *others), about),
        *out("write to FILE instead of printing"),
    )


def out(about: str, **settings: Any) -> tuple[Option, ...]:
    """--out and --force."""
    return (option("--out", about, "FILE", **settings), FORCE)


def seed(default: int) -> Option:
    """--seed."""
    return option("--seed", "random seed (default: %(default)s)", "S", type=int, default=default)


def format_option(
    name: str,
    about: str,
    *,
    found: str = "the content",
    known: Sequence[Format] = FORMATS,
    **settings: str,
) -> Option:
    """An option that names a file format, which is else found from the content."""
    ids = [one.id for one in known]
    return option(name, f"{about} (default: found from {found})", choices=ids, **settings)


FORCE = flag("--force", "replace the output file if it exists; an input never is")
ONE_RESPONSE = (
    option("key", KEY, "KEY"),
    option("response", "the response: a system's entities", "RESPONSE"),
)
INPUT_FORMAT = format_option("--input-format", "format of the input files")
REPAIR_BRACKETS = flag(
    "--repair-brackets", "leave out brackets of inline markup without a partner, and count them"
)
AVERAGE = option(
    "--average",
    f"also averages over documents (default: {POLICY_VALUES['average'][0]})",
    choices=POLICY_VALUES["average"],
)
SHOWN_METRICS = option(
    "--metrics",
    f"metrics to show: {', '.join(ROW_IDS)}, or a variant that `corescore metrics` lists "
    f"(default: {', '.join(SHOWN)})",
    "ID,ID,…",
)
_POLICY_OPTIONS = {
    name: option(
        f"--{name.replace('_', '-')}",
        f"{about} (default: {POLICY_VALUES[name][0]})",
        choices=POLICY_VALUES[name],
    )
    for name, about in _POLICIES.items()
}
AS = option(
    "--as",
    "score as another scorer does; policies given besides replace its own",
    choices=tuple(PRESETS),
    dest="preset",
)
WORDS = _POLICY_OPTIONS["words"]
# The policies of `corescore.score`, and how files are read.
POLICIES = (
    *_POLICY_OPTIONS.values(),
    INPUT_FORMAT,
    REPAIR_BRACKETS,
)


def shown_metrics(options: argparse.Namespace) -> tuple[str, ...]:
    """The ids that --metrics lists, or those shown by default. PolicyError for an unknown one, and
    for one that the scorer named by --as does not have."""
    has = metrics_of(options)
    if not options.metrics:
        average = (CONLL.id,) if set(CONLL.members) <= set(has) else ()
        return (*has, *average) or SHOWN
    beside = tuple(metric.id for metric in NAMED)
    known = (*has, CONLL.id, "mentions", *beside) if has else (*ROW_IDS, *beside)
    return tuple(choose("metric", name, known) for name in options.metrics.split(","))


def metrics_of(options: argparse.Namespace) -> tuple[str, ...]:
    """The ids of the metrics that the scorer named by --as has; none without --as."""
    name = vars(options).get("preset")
    return PRESETS[name].metrics if name else ()


def policies(options: argparse.Namespace) -> Policies:
    """What the options in `POLICIES` say, and --average where a command has it."""
    given = vars(options)
    base = PRESETS[options.preset].policies if given.get("preset") else DEFAULTS
    said = {name: given[name] for name in POLICY_VALUES if given.get(name)}
    return Policies.of({**asdict(base), **said})


def scored(options: argparse.Namespace) -> Result:
    """One response scored against the key. Prints the warnings."""
    (result,) = score_all([options.response], options)[1]
    return result


def refuse_twice(responses: Sequence[str]) -> None:
    """Raises PolicyError for a path that is given twice, even as `a` and `./a`."""
    if len(set(map(Path, responses))) < len(responses):
        raise PolicyError("one response is named twice; expected each once")


def score_each(
    responses: Sequence[str], options: argparse.Namespace, *, shown: Collection[str] = ()
) -> dict[str, Result]:
    """Each response by its path, scored against the key. Prints the warnings.

    shown  the ids that are asked for, variants among them. If the key is a file, each file of a
    folder is a separate response.
    """
    paths = each_response(options.key, responses)
    base = [metric_of(name) for name in metrics_of(options)] or METRICS
    variants = [metric for metric in NAMED if metric.id in shown and metric not in base]
    _, results = score_all(paths, options, metrics=(*base, *variants))
    return dict(zip(paths, results, strict=True))


def score_all(
    paths: Sequence[str], options: argparse.Namespace, *, metrics: Sequence[Metric] = METRICS
) -> tuple[Corpus, list[Result]]:
    """The key, and the responses of these paths scored against it. Prints the warnings."""
    results = []
    with progress(2 * len(paths) + 1) as step:
        key, *corpora = read_all([options.key, *paths], options, step)
        for path, response in zip(paths, corpora, strict=True):
            step(f"Scoring {path}")
            results.append(Result.of(score(key, response, policies(options), metrics=metrics)))
    warn(warning for result in results for warning in result.warnings)
    return key, results


def read_all(
    paths: Sequence[str], options: argparse.Namespace, step: Callable[[str], None]
) -> list[Corpus]:
    """The key and the responses, read as --input-format and --repair-brackets say.

    Raises one InputError with the problems of all of them.
    """
    key, *responses = paths
    errors = [InputError([problem]) for problem in path_problems(key, responses)]
    errors += [InputError([problem]) for problem in _folders(key, responses)]
    corpora = []
    for number, path in enumerate(paths):
        step(f"Reading {path}")
        try:
            corpora.append(
                read(
                    path,
                    format=options.input_format,
                    side="response" if number else "key",
                    repair_brackets=options.repair_brackets,
                )
            )
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
        put(as_parquet(frame, signature), options)
    else:
        text = render_frame(frame, signature, format=options.format, longest=longest)
        put(text, options)


def put(content: str | bytes, options: argparse.Namespace) -> None:
    """Print text, or write text or bytes to --out; InputError where that fails, PolicyError for
    bytes without a file."""
    if options.out is None and isinstance(content, bytes):
        raise PolicyError("--format parquet cannot be printed; expected --out FILE")
    if options.out is None:
        sys.stdout.write(str(content))
        return
    data = content if isinstance(content, bytes) else content.encode()
    write_file(options.out, data, force=options.force, inputs=_inputs(options))


def check_out(options: argparse.Namespace) -> None:
    """Raises InputError if --out is a file that is not to be replaced; called before any work."""
    if vars(options).get("out"):
        refuse_replacing(options.out, force=options.force, inputs=_inputs(options))


def _inputs(options: argparse.Namespace) -> list[str]:
    """The files and folders that a command reads."""
    given = vars(options)
    one = (given.get(name) for name in ("source", "key", "response"))
    several = (path for name in ("responses", "own_metrics") for path in given.get(name) or ())
    return [path for path in (*one, *several) if path]


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
