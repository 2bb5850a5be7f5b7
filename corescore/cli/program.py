"""The command line: parse, call, print. Exit code 2 and one message where the input is wrong."""

import os
import sys
import textwrap
from argparse import SUPPRESS
from collections.abc import Mapping, Sequence
from itertools import chain, takewhile
from pathlib import Path

from corescore.cli import score
from corescore.cli.options import Command, Parser
from corescore.cli.output import (
    check_paths,
    flush_errors,
    give_up_output,
    is_about_output,
    prepare_output,
    tell,
)
from corescore.cli.signals import INTERRUPTED
from corescore.corpus.packed import unpacking_up_to
from corescore.corpus.problems import InputError, PolicyError, did_you_mean
from corescore.metrics import HOW_MANY
from corescore.version import __version__

Groups = Mapping[str, tuple[Command, ...]]


def groups() -> Groups:
    """The commands by what they are for, in the order of the help."""
    from corescore.cli import compare, data_sets, experiments, explain, perturb, report, scorers

    return {
        "score": (*score.COMMANDS, explain.EXPLAIN),
        "compare": (compare.COMPARE, data_sets.DATA_SETS, report.REPORT),
        "scoring rules": (
            scorers.DISAGREE,
            scorers.STATEMENT,
            scorers.SCORER_PL,
            scorers.GAP_MEASURE,
        ),
        "perturb": (perturb.PERTURB, perturb.SWEEP, perturb.BASELINE),
        "papers": experiments.COMMANDS,
        "files": (perturb.CONVERT,),
        "app": (report.DASHBOARD,),
    }


def commands_of(of_groups: Groups) -> tuple[Command, ...]:
    """All of them, in their order."""
    return tuple(chain.from_iterable(of_groups.values()))


EXAMPLES = (
    "corescore score key.conll response.conll",
    "corescore score key.conll first.conll second.conll --per-document --format markdown",
    "corescore score gold/ output/ --metrics muc,bcub,ceafe --singletons drop --format json",
    "corescore score 's3://b/gold/*.conll' 's3://b/out/*.conll' --scheduler tcp://host:8786",
    "corescore credit key.conll response.conll --metric bcub --by link --document NAME",
    "corescore errors key.conll response.conll --impact",
    "corescore errors key.conll response.conll --query 'given:wrong cost.lea>0.1' --order cost.lea",
    "corescore explain key.conll response.conll",
    "corescore explain key.conll first.conll second.conll --measure recall",
    "corescore explain key.conll response.conll --show singletons",
    "corescore gap gap-test.tsv answers.tsv",
    "corescore scorer.pl all key.conll response.conll none",
    "corescore metrics",
    "corescore compare key.conll first.conll second.conll --trials 10000 --seed 1",
    "corescore compare key.conll first.conll second.conll --explain",
    "corescore compare key.conll outputs/ --ranks",
    "corescore compare key.conll a.run1.conll a.run2.conll b.run1.conll b.run2.conll",
    "corescore data-sets evaluation/ --as crac2025",
    "corescore data-sets evaluation/ --format html --out ranks.html",
    "corescore data-sets evaluation/ --metric lea --missing-systems skip --format latex",
    "corescore disagree key.conll response.conll",
    "corescore disagree key.conll response.conll --from perl --to corefud",
    "corescore disagree key.conll response.conll --find 62.74",
    "corescore statement key.conll response.conll --as perl --format latex",
    "corescore perturb key.conll response.conll --do more-precise --do split:share=0.2 --seed 7",
    "corescore sweep key.conll response.conll --do drop:of=unlinked --doses 0:1:0.05 --seeds 20",
    "corescore sweep key.conll response.conll --do merge --doses 0,0.5,1 --all --metrics lea",
    "corescore experiments",
    "corescore experiments --format markdown",
    "corescore experiment moosavi2016-fig3 --csv",
    "corescore experiment moosavi2016-table1 key.conll response.conll --set seed=5",
    "corescore conformance --metric-file mymetric.py",
    "corescore report key.conll first.conll second.conll --out report.html",
    "corescore report key.conll outputs/ --primary lea --out report.html",
    "corescore baseline key.conll --kind same-head --out heads.conll",
    "corescore baseline key.conll --kind one-entity --mentions-of response.conll",
    "corescore convert predictions.jsonl predictions.conll",
    "corescore dashboard key.conll response.conll",
    "corescore dashboard --data-sets evaluation/",
    "corescore dashboard key.conll response.conll --genres genres.tsv",
)

# Of the commands, each of which has an example: known before their modules are imported
NAMES = tuple(dict.fromkeys(line.split()[1] for line in EXAMPLES))


def run(arguments: Sequence[str]) -> int:
    """Run one command; its exit code.

    0 if it worked, 2 if the input or the options are wrong or the output cannot be written, 3 if a
    part of the input was left out under --keep-going, 130 after Ctrl+C.
    """
    prepare_output()
    try:
        return _answer(arguments)
    except UnicodeEncodeError as error:
        text = error.object[error.start : error.end]
        advice = "Rename the file, or choose another format."
        tell(
            f"corescore: {text!r} in a name or text, which {error.encoding} does not have. {advice}"
        )
        return 2
    except (InputError, PolicyError) as error:
        tell(f"corescore: {error}".replace("\n", "\n  "))
        return 2
    except BrokenPipeError:  # the reader of our output has seen enough
        give_up_output()
    except OSError as error:
        if not is_about_output(error):
            raise
        give_up_output()
        tell(f"corescore: cannot write to standard output: {error.strerror}")
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _answer(arguments: Sequence[str]) -> int:
    try:
        words = _with_command(arguments)
        quick = tuple(command for command in score.COMMANDS if command.name == words[0])
        # The other modules take a tenth of the time in which `score` is done
        parser = _parser({"score": quick} if quick else groups(), words[0])
        if words[0].startswith("-") and words[0] not in parser._option_string_actions:
            parser.refuse(words[:1])
        options, unknown = parser.parse_known_args(words)
        if unknown:
            options.parser.refuse(unknown)
        check_paths(options)
        with unpacking_up_to(vars(options).get("unpack_limit")):
            code: int | None = options.run(options)
    finally:
        flush_errors()
        sys.stdout.flush()  # also after --help
    return code or 0


def _with_command(arguments: Sequence[str]) -> Sequence[str]:
    """The arguments behind `score` where they begin with a file instead of a command. `help`, or
    no argument at all, asks for help."""
    first, *rest = arguments or ["help"]
    if first == "help":
        return [*rest[:1], "--help"]
    if first in NAMES or first.startswith("-"):
        return arguments
    parser = Parser(prog="corescore")
    if not ("." in first or os.sep in first or Path(first).exists()):
        meant = did_you_mean(first, NAMES) or ". corescore --help lists all."
        parser.error(f"no command {first!r}{meant}")
    for name in takewhile(lambda one: not one.startswith("-"), rest):
        if name in NAMES and not Path(name).exists():
            parser.error(f"no file {name!r}. The command comes first: corescore {name} {first} …")
    return ["score", *arguments]


def _parser(among: Groups, wanted: str) -> Parser:
    """These commands, and the options of the one that is asked for."""
    about = f"Score coreference resolution by all {HOW_MANY} metrics."
    usage = "%(prog)s COMMAND"
    parser = Parser(prog="corescore", usage=usage, description=about, epilog=_overview(among))
    parser.add_argument("-V", "--version", action="version", version=f"corescore {__version__}")
    parser.set_defaults(parser=parser)
    added = parser.add_subparsers(prog="corescore", required=True, metavar="COMMAND", help=SUPPRESS)
    for command in commands_of(among):
        examples = [line for line in EXAMPLES if line.split()[1] == command.name]
        epilog = "\n  ".join(["examples:", *examples])
        made = added.add_parser(command.name, description=command.about, epilog=epilog)
        for add in command.options if command.name == wanted else ():
            add(made)
        made.set_defaults(run=command.run, parser=made)
    return parser


def _overview(among: Groups) -> str:
    """The commands by group, and how to begin."""
    width = max(len(command.name) for command in commands_of(among))
    lines = ["corescore KEY RESPONSE is short for corescore score KEY RESPONSE."]
    for title, commands in among.items():
        lines += ["", f"{title}:"]
        for command in commands:
            head = f"  {command.name:{width}}  "
            lines.append(
                textwrap.fill(
                    command.about, 79, initial_indent=head, subsequent_indent=" " * len(head)
                )
            )
    return "\n".join([*lines, "", "corescore COMMAND --help shows options and examples."])
