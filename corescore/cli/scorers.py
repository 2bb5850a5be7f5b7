"""`corescore disagree`, `scorer.pl`, `statement` and `gap`."""

import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from corescore.analysis.scorers import OURS, SHOWN, Rescored, equal_here, rows_of, scorers
from corescore.bibliography import WEBSTER_2018
from corescore.cli.options import (
    AVERAGE,
    ONE_RESPONSE,
    POLICIES,
    READING,
    Command,
    choice,
    each,
    measure,
    metric_option,
    option,
    out,
    output,
    policies,
)
from corescore.cli.output import (
    metrics_for,
    one_by_one,
    progress,
    put,
    read_all,
    refuse_twice,
    show,
    tell,
    warn,
)
from corescore.corpus.files import SIDES, format_of
from corescore.corpus.formats.conll_perl import ScorerStops
from corescore.corpus.formats.tasks import GAP
from corescore.corpus.problems import InputError, PolicyError
from corescore.counting.pairing import pair_documents
from corescore.counting.policies import POLICY_VALUES, Policies
from corescore.metrics import CONLL, name_of
from corescore.rendering.scorer_outputs import reference_lines
from corescore.rendering.text import Table, latex
from corescore.scoring.scores import score
from corescore.sentences.policies import statement
from corescore.version import __version__
from corescore.wording import RATIOS

Responses = Mapping[str, Rescored]


def _disagree(options: Namespace) -> None:
    _check(options)
    responses = _read_responses(options)
    from corescore.cli import disagree_tables as tables  # it needs pandas

    if options.find is not None:
        result = tables.found(responses, options.find)
    elif options.to:
        result = tables.walks(responses, options)
    else:
        result = tables.presets(responses, options.metric, options.measure)
    put(result, options)


def _check(options: Namespace) -> None:
    refuse_twice(options.responses)
    if options.metric == CONLL.id and options.measure != "f1":
        raise PolicyError(f"CoNLL has no {RATIOS[options.measure]}; expected F1")
    if options.find is not None:
        if options.to:
            raise PolicyError("--find with --to; expected one of them")
        from corescore.analysis.search import printed_number  # it needs pandas

        printed_number(options.find)  # refused before anything is read
    if options.start and not options.to:
        raise PolicyError("--to is missing; expected two scorers: --from NAME --to NAME")
    for name in filter(None, (options.start, options.to)):
        has = rows_of(scorers()[name])
        if options.metric not in has:
            raise PolicyError(
                f"{name} has no {name_of(options.metric)}; expected one of: {', '.join(has)}"
            )


def _read_responses(options: Namespace) -> Responses:
    """The responses by their paths. Raises InputError if no scorer takes one of them."""
    paths = one_by_one(options.responses, options)
    with progress(len(paths) + 1) as step:
        key, *corpora = read_all([options.key, *paths], options, step)
    responses = {path: Rescored(key, one) for path, one in zip(paths, corpora, strict=True)}
    warn(warning for of in responses.values() for warning in _warnings(of))
    return responses


def _warnings(rescored: Rescored) -> tuple[str, ...]:
    """Those under the first scorer that takes the files. Raises InputError if none does."""
    errors: list[InputError] = []
    for scorer in scorers().values():
        try:
            return rescored.warnings(scorer.policies)
        except InputError as error:
            errors.append(error)
    raise errors[0]


_SCORERS = tuple(scorers())

DISAGREE = Command(
    "disagree",
    "why do two scorers disagree? Each scorer's numbers, and what makes the difference",
    (
        *each(),
        option(
            "--from",
            f"with --to: change policies one at a time, from this scorer (default: {OURS})",
            choices=_SCORERS,
            dest="start",
        ),
        option("--to", "to this one: how much each change moves the score", choices=_SCORERS),
        option("--find", "which settings print this number on these files, in percent", "NUMBER"),
        metric_option("--metric", "the metric that --to follows", SHOWN, default=SHOWN[0]),
        measure("its measure"),
        *output(),
        *READING,
    ),
    _disagree,
)

# `corescore scorer.pl` and `corescore-scorer`: called as the CoNLL reference scorer is ------------


def main(arguments: Sequence[str]) -> int:
    """Print what that scorer prints when called with these arguments; its exit code."""
    try:
        for line in reference_lines(arguments):
            show(f"{line}\n")
    except ScorerStops as stop:
        sys.stdout.flush()
        tell(str(stop))
        return stop.code
    return 0


def _scorer(options: Namespace) -> None:
    if code := main(options.arguments):
        sys.exit(code)


_ARGUMENTS = option(
    "arguments",
    "METRIC is muc, bcub, ceafm, ceafe, blanc or all. KEY and RESPONSE are files in CoNLL columns. "
    "With NAME, score this document alone, or “none” to print the totals only",
    "METRIC KEY RESPONSE [NAME]",
    nargs="*",
)

SCORER_PL = Command(
    "scorer.pl",
    "print the output of the CoNLL reference scorer v8.01, called with its arguments",
    (_ARGUMENTS,),
    _scorer,
)

# `corescore statement` and `gap` ------------------------------------------------------------------


def _statement(options: Namespace) -> None:
    with progress(2) as step:
        key, response = read_all([options.key, options.response], options, step)
    result = score(key, response, policies(options), metrics=metrics_for(options, ()))
    warn(result.warnings)
    text = statement(result, equal=equal_here(Rescored(key, response), result))
    put(f"{latex(text) if options.format == 'latex' else text}\n", options)


STATEMENT = Command(
    "statement",
    "how the files are scored, as a paragraph for a paper",
    (
        *ONE_RESPONSE,
        AVERAGE,
        option("--format", "plain text, or escaped for LaTeX", choices=("text", "latex")),
        *out("write to FILE instead of printing"),
        *POLICIES,
    ),
    _statement,
)


def _gap(options: Namespace) -> None:
    from corescore.analysis.gap import gap_table  # pandas is only needed here

    for side in SIDES:  # a table of no known format is refused with the columns of GAP
        path, named = vars(options)[side], vars(options)[f"{side}_format"] or options.input_format
        if not named and Path(path).is_file() and not _is_known(path):
            setattr(options, f"{side}_format", GAP.id)
    key, response = read_all([options.key, options.response], options, lambda about: None)
    policies = Policies(words=options.words)
    table = gap_table(key, response, policies)
    warn(pair_documents(key, response, policies).warnings)
    signature = f"corescore {__version__} | {WEBSTER_2018.name} | words {policies.words}"
    put(Table(table, notes=("Percent.",), signature=signature), options)


def _is_known(path: str) -> bool:
    try:
        return bool(format_of(path))
    except InputError:
        return False


GAP_MEASURE = Command(
    "gap",
    "GAP's own measure: recall, precision and F1 of pronouns and names, by gender",
    (
        option("key", "GAP's own file, with texts and offsets", "KEY"),
        option(
            "response", "ID, A-coref, B-coref on each line, or entities over the texts", "RESPONSE"
        ),
        choice("--words", POLICY_VALUES["words"], "words that differ between the sides"),
        *output(),
        *READING,
    ),
    _gap,
)
