"""The command line: parse, call, print. Exit code 2 and one message where the input is wrong."""

import argparse
import sys
from collections.abc import Callable, Sequence

from corescore.cli import compare as comparing
from corescore.cli import data_sets, experiments, perturb, scorers
from corescore.cli import experiments as errata
from corescore.cli import perturb as perturbing
from corescore.cli import perturb as sweeping
from corescore.cli import report as browser
from corescore.cli import report as reporting
from corescore.cli import score as scoring
from corescore.cli import scorers as stating
from corescore.cli.options import Parser
from corescore.cli.output import (
    check_out,
    flush_errors,
    give_up_output,
    is_about_output,
    prepare_output,
    tell,
)
from corescore.cli.signals import INTERRUPTED
from corescore.corpus.packed import unpacking_up_to
from corescore.corpus.problems import InputError, PolicyError
from corescore.metrics import HOW_MANY
from corescore.version import __version__

COMMANDS = (
    *scoring.COMMANDS,
    *scorers.GAP_COMMANDS,
    *scorers.SCORER_PL_COMMANDS,
    *comparing.COMMANDS,
    *data_sets.COMMANDS,
    *scorers.COMMANDS,
    *stating.STATEMENT_COMMANDS,
    *perturbing.COMMANDS,
    *sweeping.SWEEP_COMMANDS,
    *experiments.COMMANDS,
    *errata.ERRATA_COMMANDS,
    *reporting.COMMANDS,
    *perturb.FILES_COMMANDS,
    *browser.DASHBOARD_COMMANDS,
)

EXAMPLES = (
    "corescore score key.conll response.conll",
    "corescore score key.conll first.conll second.conll --per-document --format markdown",
    "corescore score gold/ output/ --metrics muc,bcub,ceafe --singletons drop --format json",
    "corescore score 's3://b/gold/*.conll' 's3://b/out/*.conll' --scheduler tcp://host:8786",
    "corescore credit key.conll response.conll --metric bcub --by link --document NAME",
    "corescore errors key.conll response.conll --impact",
    "corescore errors key.conll response.conll --query 'given:wrong cost.lea>0.1' --order cost.lea",
    "corescore gap gap-test.tsv answers.tsv",
    "corescore scorer.pl all key.conll response.conll none",
    "corescore metrics",
    "corescore compare key.conll first.conll second.conll --trials 10000 --seed 1",
    "corescore compare key.conll outputs/ --ranks",
    "corescore compare key.conll a.run1.conll a.run2.conll b.run1.conll b.run2.conll",
    "corescore data-sets evaluation/ --as corefud",
    "corescore data-sets evaluation/ --format html --out ranks.html",
    "corescore data-sets evaluation/ --metric lea --missing-systems skip --format latex",
    "corescore disagree key.conll response.conll",
    "corescore disagree key.conll response.conll --from perl --to corefud --shapley",
    "corescore disagree key.conll first.conll second.conll --grid --metric lea",
    "corescore disagree key.conll response.conll --find 62.74",
    "corescore statement key.conll response.conll --as perl --format latex",
    "corescore perturb key.conll response.conll --do more-precise --do split:share=0.2 --seed 7",
    "corescore sweep key.conll response.conll --do drop:of=unlinked --doses 0:1:0.05 --seeds 20",
    "corescore sweep key.conll response.conll --do merge --doses 0,0.5,1 --all --metrics lea",
    "corescore experiments",
    "corescore experiments --format markdown",
    "corescore experiment moosavi2016-fig3 --csv",
    "corescore experiment moosavi2016-table1 key.conll response.conll --set seed=5",
    "corescore errata",
    "corescore errata --statements --paper moosavi2016 --format markdown",
    "corescore conformance --metric mymetric.py",
    "corescore report key.conll first.conll second.conll --out report.html",
    "corescore report key.conll outputs/ --primary lea --out report.html",
    "corescore baseline key.conll --kind same-head --out heads.conll",
    "corescore baseline key.conll --kind one-entity --mentions-of response.conll",
    "corescore convert predictions.jsonl predictions.conll",
    "corescore dashboard key.conll response.conll",
    "corescore dashboard --data-sets evaluation/",
    "corescore dashboard key.conll response.conll --genres genres.tsv",
)


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
        tell(f"corescore: {text!r} in a name or text, which {error.encoding} lacks. {advice}")
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
        options = _parser().parse_args(arguments)
        check_out(options)
        with unpacking_up_to(vars(options).get("unpack_limit")):
            code: int | None = options.run(options)
    finally:
        flush_errors()
        sys.stdout.flush()  # also after --help
    return code or 0


def _parser() -> argparse.ArgumentParser:
    parser = _command_parser(
        argparse.ArgumentParser,
        f"Score coreference resolution by all {HOW_MANY} metrics.",
        EXAMPLES,
        prog="corescore",
    )
    parser.add_argument("--version", action="version", version=f"corescore {__version__}")
    added = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        examples = [line for line in EXAMPLES if line.split()[1] == command.name]
        made = _command_parser(
            added.add_parser, command.about, examples, name=command.name, help=command.about
        )
        for add in command.options:
            add(made)
        made.set_defaults(run=command.run)
    return parser


def _command_parser(
    make: Callable[..., Parser], about: str, examples: Sequence[str], **values: str
) -> Parser:
    return make(
        description=about,
        epilog="\n  ".join(["examples:", *examples]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        **values,
    )
