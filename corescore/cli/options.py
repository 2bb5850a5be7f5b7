"""What the commands share: the record of a command, its options, and what they say."""

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any, NamedTuple, NoReturn

from corescore.corpus.files import FORMATS, SIDES
from corescore.corpus.packed import VARIABLE
from corescore.corpus.problems import PolicyError, did_you_mean
from corescore.counting.counts import MEASURES
from corescore.counting.policies import DEFAULTS, POLICY_VALUES, Policies
from corescore.metrics import CONLL, NAMED, ROW_IDS, id_among, id_of, name_of
from corescore.rendering.scores import OUTPUTS, SHOWN
from corescore.scoring.presets import PRESETS, SHARED_TASKS

TABLE, PARQUET, HTML = "table", "parquet", "html"

# The format that a name of a file asks for by its ending.
ENDINGS = {
    ".csv": "csv",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".html": HTML,
    ".parquet": PARQUET,
}

# What no command writes.
OTHER_ENDINGS = (".doc", ".docx", ".ods", ".odt", ".pdf", ".png", ".ps", ".rtf", ".xls", ".xlsx")

READ = (TABLE, "markdown", "latex", HTML)  # formats of texts to be read

KEY = "the key: the gold entities"

FOLDERS = (
    "If KEY is a file, each file in a folder is a separate response. If KEY is a folder, each "
    "folder is one response and files are matched by name"
)

RESPONSES = f"one or more responses: files or folders. {FOLDERS}"

_POLICIES = {
    "singletons": "singletons of key and response, or of one of them",
    "repeats": "a span that is listed twice",
    "blanc": "how BLANC scores a side without links of one kind",
    "match": "when two mentions match: same words, or else by head or within the key mention, or "
    "same minimum span by the key's parse",
    "zeros": "match zeros by the word they depend on or by position, or leave them out",
    "lookup": "score the pairs of mentions, or one look-up table as the CorefUD scorer does",
    "mentions": "leave out verb phrases (by the key's parse), or mentions nested in another "
    "mention of their entity",
    "split_antecedents": "entities that refer to several others at once: score these antecedents, "
    "or leave them out",
    "missing_documents": "documents missing from the response",
    "words": "documents whose words differ: refuse, compare positions, or align over characters",
}


class _Help(argparse.RawDescriptionHelpFormatter):
    """Usage is a line: what must be given, and that there are options."""

    def _format_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None,
    ) -> str:
        needed = [action for action in actions if action.required or not action.option_strings]
        line = " ".join(super()._format_usage(usage, needed, (), prefix).split())
        return f"{line} [options]\n\n"


class Parser(argparse.ArgumentParser):
    """A parser whose messages name what was probably meant."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, formatter_class=_Help, allow_abbrev=False)

    @property
    def formats(self) -> Sequence[str]:
        """What --format can be; nothing where there is no such option."""
        option = self._option_string_actions.get("--format")
        return tuple(option.choices or ()) if option else ()

    def refuse(self, unknown: Sequence[str]) -> NoReturn:
        """End with a message on arguments that are left over."""
        first = next((one for one in unknown if one.startswith("-")), unknown[0])
        name = first.partition("=")[0]
        kind = "option" if name.startswith("-") else "argument"
        if name.lstrip("-") in self.formats:
            self.error(f"no option {name!r}; expected --format {name.lstrip('-')}")
        similar = did_you_mean(name, self._option_string_actions)
        here = _ELSEWHERE.get(name, "-")
        if not here.startswith("-") or here.partition(" ")[0] in self._option_string_actions:
            similar = f". Here it is {here}."
        files = [action.dest for action in self._actions if not action.option_strings]
        if id_of(name) in ROW_IDS and "--metrics" in self._option_string_actions:
            similar = ". Separate metrics by commas, such as --metrics muc,bcub."
        elif kind == "argument" and files == ["key", "response"]:
            similar = f": one RESPONSE at a time. {self.prog} --help lists all."
        self.error(f"no {kind} {name!r}{similar or f'. {self.prog} --help lists all.'}")

    def error(self, message: str) -> NoReturn:
        """End with the message alone; --help has the usage."""
        text = message.removeprefix("argument ")
        if text.startswith("the following arguments are required"):
            text += f". {self.prog} --help shows examples."
        self.exit(2, f"{self.prog}: {text}\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            similar = did_you_mean(value, action.choices or ())
            if value in SHARED_TASKS:
                similar = f". For {value} there is corescore data-sets."
            error.message = f"{value!r}; {_expected(action)}{similar}"
            raise

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        try:
            return super()._match_argument(action, arg_strings_pattern)
        except argparse.ArgumentError as error:
            error.message = f"no value; {_expected(action)}"
            raise


def _expected(action: argparse.Action) -> str:
    """The values that an argument takes."""
    if action.choices is None:
        return f"expected {action.metavar}"
    return f"expected one of: {', '.join(action.choices)}"


# How other scorers and programs call an option
_ELSEWHERE = {
    "-o": "--out FILE",
    "-f": "--format",
    "-m": "--metrics",
    "--by": "--per-document",
    "--fractions": "--format csv",
    "--test": "--trials N of approximate randomisation; --format csv adds sign tests",
    "-s": "--singletons keep",
    "--keep-singletons": "--singletons keep",
    **dict.fromkeys(("--remove-singletons", "--ignore-singletons"), "--singletons drop"),
    **dict.fromkeys(("-k", "--key", "--gold"), "the first file, KEY"),
    **dict.fromkeys(("-r", "--response", "--pred"), "a file after KEY"),
}

# What options are added to: a parser, or a group of one.
Container = argparse._ActionsContainer

Option = Callable[[Container], object]


class Command(NamedTuple):
    """A command as data: its name, what it does, its options, and what runs it.

    `run` returns the exit code, or None for 0; it raises InputError or PolicyError where the input
    or the options are wrong.
    """

    name: str
    about: str
    options: tuple[Option, ...]
    run: Callable[[argparse.Namespace], int | None]


def metric_option(name: str, about: str, ids: Sequence[str], **settings: Any) -> Option:
    """An option that names a metric, by its id or another of its names."""
    about = f"{about}: {', '.join(ids)}"
    if "default" in settings:
        about += " (default: %(default)s)"
    return option(name, about, "METRIC", choices=ids, type=id_of, **settings)


def option(name: str, about: str, metavar: str | None = None, **settings: Any) -> Option:
    """An option with a value, or a positional argument; `settings` as argparse knows them."""
    return lambda parser: parser.add_argument(name, help=about, metavar=metavar, **settings)


def whole_number(text: str) -> int:
    """For `type` of an option."""
    try:
        return int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}; expected a whole number") from error


def flag(name: str, about: str, dest: str | None = None) -> Option:
    """An option without a value, False by default."""
    return lambda parser: parser.add_argument(name, action="store_true", help=about, dest=dest)


def choice(name: str, values: Sequence[str], about: str) -> Option:
    """An option with these values, the first by default."""
    about += " (default: %(default)s)"
    return option(name, about, choices=values, default=values[0])


def measure(about: str) -> Option:
    """--measure, F1 by default."""
    return choice("--measure", (MEASURES[2], *MEASURES[:2]), about)


def group(title: str, options: Iterable[Option]) -> Option:
    """Options under a title of their own in the help."""
    every = tuple(options)

    def add(container: Container) -> None:
        made = container.add_argument_group(title)
        for one in every:
            one(made)

    return add


def moved(name: str, now: str, **settings: Any) -> Option:
    """The former name of an option: it still works, and says how it is called now."""
    return option(name, argparse.SUPPRESS, action=_Moved, const=now, **settings)


class _Moved(argparse.Action):
    """Stores what the option that it names would store, and says so on standard error."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        print(f"{parser.prog}: {option_string} is now {self.const}", file=sys.stderr)
        (now,) = (one for one in parser._actions if self.const in one.option_strings)
        every = values if isinstance(values, list) else [values]
        for value in every:
            now(parser, namespace, value, option_string)


ROWS_ON_TERMINAL = 40

EVERY_ROW = flag(
    "--all",
    f"print more than {ROWS_ON_TERMINAL} rows on a terminal, as in a pipe or a file",
    dest="every_row",
)

FRACTIONS = flag("--fractions", "show fractions instead of percent in a table for reading")


KEY_FILES = option("key", f"{KEY}, a file (plain, .gz or .zip) or a folder", "KEY")


def each(about: str = RESPONSES) -> tuple[Option, ...]:
    """KEY, and one RESPONSE or more."""
    return (
        KEY_FILES,
        option("responses", about, "RESPONSE", nargs="+"),
    )


def output(more: str = "", others: Iterable[str] = ()) -> tuple[Option, ...]:
    """--format, --safe-csv, --out and --force of a table; `more` explains the formats and those
    besides."""
    about = f"output format{more} (default: by the ending of FILE, else {TABLE})"
    options = (
        option("--format", about, choices=(*OUTPUTS, HTML, PARQUET, *others)),
        flag("--safe-csv", "put an apostrophe before cells of CSV that begin with =, +, - or @"),
        *out("write to FILE instead of printing"),
    )
    return (group("output", options),)


def out(about: str, *, ending: str = "", **settings: Any) -> tuple[Option, ...]:
    """--out and --force; `ending`: of the files that are written, if all have one."""
    return (
        option("--out", about, "FILE", **settings),
        FORCE,
        lambda parser: parser.set_defaults(ending=ending),
    )


BOUND = option(
    "--bound",
    "the highest size or distance of each group but the last, repeatable (default: 1 and 9 "
    "mentions, and 50, 500 and 5000 words)",
    "N",
    type=int,
    action="append",
)

FORCE = flag("--force", "replace the output file if it exists, but never an input")

ONE_RESPONSE = (
    option("key", KEY, "KEY"),
    option("response", "the response: a system's entities", "RESPONSE"),
)

FORMAT_IDS = tuple(known.id for known in FORMATS)

INPUT_FORMAT = option(
    "--input-format",
    "format of the input files (default: detected from the content; `corescore convert --help` "
    "lists all)",
    "FORMAT",
    choices=FORMAT_IDS,
)

SIDE_FORMATS = tuple(
    option(
        f"--{side}-format",
        f"format of the {side} if it differs from --input-format",
        "FORMAT",
        choices=FORMAT_IDS,
    )
    for side in SIDES
)

REPAIR_BRACKETS = flag(
    "--repair-brackets", "leave out unmatched brackets of inline markup, and count them"
)

UNPACK_LIMIT = option(
    "--unpack-limit",
    "how much a packed file may unpack to, at any ratio (default: 2GB, and beyond 100MB at most "
    f"200 times its size, or the value of {VARIABLE})",
    "SIZE",
)

READING = (group("reading files", (INPUT_FORMAT, *SIDE_FORMATS, REPAIR_BRACKETS, UNPACK_LIMIT)),)

AVERAGE = option(
    "--average",
    f"add averages over documents (default: {POLICY_VALUES['average'][0]})",
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

_ABOUT_AS = "score as another scorer does (options for single policies override the scorer's)"

SINGLETONS, WORDS = _POLICY_OPTIONS["singletons"], _POLICY_OPTIONS["words"]


def scoring_rules(about: str = _ABOUT_AS, more: Iterable[str] = ()) -> tuple[Option, ...]:
    """The policies of `corescore.score`, and how files are read; `more`: what --as takes besides
    scorers."""
    named = option("--as", about, choices=(*PRESETS, *more), dest="preset")
    return (group("scoring rules", (named, *_POLICY_OPTIONS.values())), *READING)


POLICIES = scoring_rules()


def shown_metrics(options: argparse.Namespace) -> tuple[str, ...]:
    """The ids that --metrics lists, or those shown by default. PolicyError for an unknown one, and
    for one that the scorer named by --as does not have."""
    has = metrics_of(options)
    if options.metrics is None or options.metrics.strip().lower() == "all":
        average = (CONLL.id,) if set(CONLL.members) <= set(has) else ()
        return (*has, *average) or SHOWN
    beside = tuple(metric.id for metric in NAMED)
    known = (*has, CONLL.id, "mentions", *beside) if has else (*ROW_IDS, *beside)
    asked = [name.strip() for name in options.metrics.strip().removesuffix(",").split(",")]
    if "" in asked:
        fault = "is empty" if asked == [""] else f"has an empty item: {options.metrics!r}"
        raise PolicyError(f"--metrics {fault}; expected names, one comma between: lea,muc")
    split = re.split(r"[;/+\s]+", asked[0])
    if len(split) > 1 and all(id_of(name) in known for name in split):
        fault = f"--metrics is {options.metrics!r}"
        raise PolicyError(f"{fault}; expected a comma between: {','.join(split)}")
    for name in map(id_of, asked):
        if name in ROW_IDS and name not in known:
            lacks = f"{options.preset} has no {name_of(name)}"
            raise PolicyError(f"{lacks}; expected one of: {', '.join(has)}")
    return tuple(id_among(name, known) for name in asked)


def metrics_of(options: argparse.Namespace) -> tuple[str, ...]:
    """The ids of the metrics that the scorer named by --as has; none without --as."""
    name = vars(options).get("preset")
    return PRESETS[name].metrics if name else ()


def policies(options: argparse.Namespace) -> Policies:
    """What the options in `POLICIES` say, and --average where a command has it. PolicyError for a
    scorer that averages over documents where a command adds up their counts."""
    given = vars(options)
    base = PRESETS[options.preset].policies if given.get("preset") else DEFAULTS
    selected = {name: given[name] for name in POLICY_VALUES if given.get(name)}
    if "average" not in given and base.average != "micro":
        fault = f"--as {options.preset} averages over documents"
        raise PolicyError(f"{fault}; expected a scorer that adds up the counts")
    return Policies.of({**asdict(base), **selected})


# Values as JSON takes them ------------------------------------------------------------------------


def finite(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with None for each number that JSON does not have."""
    return {name: _finite(value) for name, value in fields.items()}


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return finite(value)
    if isinstance(value, list):
        return [*map(_finite, value)]
    return None if isinstance(value, float) and not isfinite(value) else value
