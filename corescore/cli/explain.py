"""`corescore explain`: is it detection, linking or singletons?"""

from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from corescore.cli.options import (
    BOUND,
    KEY_FILES,
    ONE_RESPONSE,
    POLICIES,
    READ,
    Command,
    choice,
    measure,
    option,
    output,
    whole_number,
)
from corescore.cli.output import metrics_for, put, refuse_twice, score_all
from corescore.corpus.problems import PolicyError
from corescore.rendering.scores import short_names
from corescore.rendering.text import Table
from corescore.scoring.scores import Result

if TYPE_CHECKING:
    import pandas as pd

PARTS, RESPONSES, SINGLETONS = "parts", "responses", "singletons"
DISTANCE, SIZE, WINDOWS, ALONG = "distance", "size", "windows", "along"
TYPES, SPLIT = "types", "split"

_Frame = Callable[[Result], "pd.DataFrame"]
_Read = Callable[[Result], Table]


def _explain(options: Namespace) -> None:
    paths = [options.response] + [options.other] * bool(options.other)
    refuse_twice(paths)
    scored = [*score_all(paths, options, metrics=metrics_for(options, ()))[1].values()]
    import pandas as pd  # only needed here

    from corescore.rendering import decomposition

    values, table = _ways(scored[0], options)[options.show]
    results = dict(zip(short_names(paths), scored, strict=True))
    if options.format not in READ:
        frames = [values(of).assign(response=path) for path, of in zip(paths, scored, strict=True)]
        frame = pd.concat(frames, ignore_index=True)
        made = Table(frame[[*dict.fromkeys(("response", *frame))]])
    elif options.show == PARTS and len(results) == 2:
        a, b = (of.decomposition for of in scored)
        (first, second), measure = results, options.measure
        made = decomposition.difference_table(a, b, (first, second), measure)
    else:
        made = decomposition.below({name: table(of) for name, of in results.items()})
    if options.format in READ and options.show in (PARTS, RESPONSES, SINGLETONS):
        each = {name: result.decomposition for name, result in results.items()}
        lines = decomposition.lines(each, {name: name for name in each}, options.measure)
        made = replace(made, said=lines if options.show == PARTS else lines[-len(each) :])
    put(replace(made, signature=scored[0].signature), options)


def _ways(first: Result, options: Namespace) -> Mapping[str, tuple[_Frame, _Read]]:
    """By --show: the frame of a response for programs, and its table to be read. The parts of its
    losses, other responses, singletons; how much of a score is local: by distance, by window, or
    along a text; which entities, by size, and which types of mentions earn it, and what split
    antecedents change."""
    from corescore.analysis import long_documents as local
    from corescore.analysis import split_antecedents as split
    from corescore.analysis.decomposition import by_convention
    from corescore.rendering import decomposition
    from corescore.rendering import local as near

    measure, sizes, bounds = options.measure, options.window or (), options.bound or ()
    side = "precision" if measure == "precision" else "recall"
    only = ("bound", (DISTANCE, SIZE)), ("window", (WINDOWS, ALONG)), ("document", (ALONG,))
    for name, where in only:
        if getattr(options, name) and options.show not in where:
            raise PolicyError(f"--{name} goes with --show {' or '.join(where)}")
    if options.show == ALONG and len(sizes) > 1:
        raise PolicyError("--show along takes one --window")
    document = options.document or (near.longest(first) if options.show == ALONG else "")

    by_distance = partial(local.by_distance, side=side, bounds=bounds)
    by_size = partial(local.by_size, side=side, bounds=bounds)
    by_window = partial(local.by_window, sizes=sizes)
    along = partial(local.along, document=document, words=sizes[0] if sizes else None)
    return {
        PARTS: (
            lambda of: of.decomposition.table,
            lambda of: decomposition.loss_table(of.decomposition, measure),
        ),
        RESPONSES: (
            lambda of: of.decomposition.counterfactuals.rename(columns={"response": "scored"}),
            lambda of: decomposition.other_responses(of.decomposition, measure),
        ),
        SINGLETONS: (by_convention, lambda of: decomposition.conventions(of, measure)),
        DISTANCE: (by_distance, lambda of: near.distances(by_distance(of), side)),
        SIZE: (by_size, lambda of: near.sizes(by_size(of), side)),
        WINDOWS: (by_window, lambda of: near.windows(by_window(of), measure)),
        ALONG: (along, lambda of: near.strip(along(of), document)),
        TYPES: (split.by_type, lambda of: decomposition.types(split.by_type(of), side)),
        SPLIT: (split.by_use, lambda of: decomposition.uses(split.by_use(of), measure)),
    }


EXPLAIN = Command(
    "explain",
    "explain a score, or a difference: is it detection, linking or singletons?",
    (
        KEY_FILES,
        ONE_RESPONSE[1],
        option("other", "another response, to explain the difference", "RESPONSE", nargs="?"),
        choice(
            "--show",
            (PARTS, RESPONSES, SINGLETONS, DISTANCE, SIZE, WINDOWS, ALONG, TYPES, SPLIT),
            "the parts of each loss, other responses to the key (such as all key mentions with "
            "nothing linked), the scores with singletons kept or dropped, how much of a score is "
            "local (by distance to the antecedent, by the size of the entity, in windows of both "
            "texts, along a text), credit by type of mention, or the scores with and without "
            "split antecedents",
        ),
        option(
            "--window",
            "words of a window, of --show windows and along, repeatable",
            "WORDS",
            type=whole_number,
            action="append",
        ),
        BOUND,
        option("--document", "the text of --show along (default: the longest)", "NAME"),
        measure(
            "the measure to explain in a table for reading (f1: recall with --show types, "
            "size and distance; --show along is always F1)"
        ),
        *output(),
        *POLICIES,
    ),
    _explain,
)
