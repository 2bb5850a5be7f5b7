"""What the commands share: the record of a command, its options, and what they say."""

import argparse
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from corescore.corpus.files import FORMATS, Format
from corescore.corpus.packed import VARIABLE
from corescore.corpus.problems import choose
from corescore.counting.policies import DEFAULTS, POLICY_VALUES, Policies
from corescore.metrics import CONLL, NAMED, ROW_IDS
from corescore.rendering.scores import OUTPUTS, SHOWN
from corescore.scoring.presets import PRESETS

PARQUET = "parquet"

READ = ("table", "markdown", "latex")  # formats of texts to be read

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

    `run` returns the exit code, or None for 0; it raises InputError or PolicyError where the input
    or the options are wrong.
    """

    name: str
    about: str
    options: tuple[Option, ...]
    run: Callable[[argparse.Namespace], int | None]


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


FRACTIONS = flag("--fractions", "show fractions instead of percent in a table to be read")


def each(about: str = RESPONSES) -> tuple[Option, ...]:
    """KEY, and one RESPONSE or more."""
    return (
        option("key", f"{KEY}, a file (plain, .gz or .zip) or a folder", "KEY"),
        option("responses", about, "RESPONSE", nargs="+"),
    )


def output(more: str = "", others: Iterable[str] = ()) -> tuple[Option, ...]:
    """--format, --safe-csv, --out and --force of a table; `more` explains the formats and those
    besides."""
    about = f"output format{more}; parquet needs --out"
    return (
        choice("--format", (*OUTPUTS, PARQUET, *others), about),
        flag("--safe-csv", "put an apostrophe before cells of CSV that begin with =, +, - or @"),
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

UNPACK_LIMIT = option(
    "--unpack-limit",
    "how much a packed file may unpack to, at any ratio (default: 2GB, and beyond 100MB at most "
    f"200 times its size; or what {VARIABLE} says)",
    "SIZE",
)

READING = (INPUT_FORMAT, REPAIR_BRACKETS, UNPACK_LIMIT)

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

SINGLETONS, WORDS = _POLICY_OPTIONS["singletons"], _POLICY_OPTIONS["words"]

# The policies of `corescore.score`, and how files are read.
POLICIES = (
    *_POLICY_OPTIONS.values(),
    *READING,
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


# Values as JSON takes them ------------------------------------------------------------------------


def finite(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with None for each number that JSON does not have."""
    return {name: _finite(value) for name, value in fields.items()}


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return finite(value)
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
