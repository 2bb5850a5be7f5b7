"""`corescore disagree`."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from corescore.analysis.scorers.rescored import OURS, SHOWN, Rescored, rows_of, scorers
from corescore.cli.options import (
    READ,
    READING,
    Command,
    choice,
    each,
    flag,
    option,
    output,
)
from corescore.cli.shell import progress, put, put_frame, read_all, refuse_twice, warn
from corescore.corpus.formats.paths import each_response
from corescore.corpus.problems import InputError, PolicyError
from corescore.counting.counts import MEASURES
from corescore.metrics import CONLL, title_of
from corescore.version import __version__
from corescore.wording import RATIOS

if TYPE_CHECKING:
    import pandas as pd

    from corescore.rendering.text import TextTable

Responses = Mapping[str, Rescored]


def _disagree(options: argparse.Namespace) -> None:
    _check(options)
    responses = _read(options)
    from corescore.cli import disagree_tables as tables  # it needs pandas

    if options.find is not None:
        _put(*tables.found(responses, options.find), options)
    elif options.to is not None:
        _put(*tables.walks(responses, options), options)
    elif options.grid:
        _put(*tables.grid(responses, options.metric, options.measure), options)
    else:
        _put(*tables.presets(responses, options.metric, options.measure), options)


def _check(options: argparse.Namespace) -> None:
    refuse_twice(options.responses)
    if options.metric == CONLL.id and options.measure != "f1":
        raise PolicyError(f"the CoNLL average has no {RATIOS[options.measure]}; expected F1")
    if options.find is not None:
        from corescore.analysis.scorers.search import printed_number  # it needs pandas

        printed_number(options.find)  # refused before anything is read
    if options.to is None and (options.shapley or options.start is not None):
        raise PolicyError("--to is missing; expected two scorers: --from NAME --to NAME")
    for name in filter(None, (options.start, options.to)):
        has = rows_of(scorers()[name])
        if options.find is None and options.metric not in has:
            title = title_of(options.metric)
            raise PolicyError(f"{name} has no {title}; expected one of: {', '.join(has)}")


def _read(options: argparse.Namespace) -> Responses:
    """The responses by their paths. Raises InputError if no scorer takes one of them."""
    paths = each_response(options.key, options.responses)
    if options.grid and len(paths) < 2:
        raise PolicyError("only one response is named; a grid of rankings expects two or more")
    with progress(len(paths) + 1) as step:
        key, *corpora = read_all([options.key, *paths], options, step)
    responses = {path: Rescored(key, one) for path, one in zip(paths, corpora, strict=True)}
    warn(warning for of in responses.values() for warning in _warnings(of))
    return responses


def _warnings(of: Rescored) -> tuple[str, ...]:
    """Those under the first scorer that takes the files. Raises InputError if none does."""
    errors: list[InputError] = []
    for scorer in scorers().values():
        try:
            return of.warnings(scorer.policies)
        except InputError as error:
            errors.append(error)
    raise errors[0]


def _put(
    frame: "pd.DataFrame", readable: "TextTable", about: str, options: argparse.Namespace
) -> None:
    """A table with percent and sentences to be read, or the fractions as they are."""
    signature = f"corescore {__version__} | {about}"
    if options.format in READ:
        put(readable.text(signature, format=options.format), options)
    else:
        put_frame(frame, signature, options)


_SCORERS = tuple(scorers())
_OPTIONS = (
    *each(),
    option(
        "--from",
        f"with --to: change policies one at a time, from this scorer (default: {OURS})",
        choices=_SCORERS,
        dest="start",
    ),
    option("--to", "to this one: how much each change moves the score", choices=_SCORERS),
    flag("--shapley", "with --to: also each policy's move averaged over all orders of change"),
    flag("--grid", "which response is ahead under each combination of policies, and what flips it"),
    option("--find", "which settings print this number on these files, in percent", "NUMBER"),
    choice("--metric", SHOWN, "the metric that --to and --grid follow"),
    choice("--measure", (MEASURES[2], *MEASURES[:2]), "its measure"),
    *output(),
    *READING,
)
_ABOUT = "why do two scorers disagree? Each scorer's numbers, and what makes the difference"
COMMANDS = (Command("disagree", _ABOUT, _OPTIONS, _disagree),)
