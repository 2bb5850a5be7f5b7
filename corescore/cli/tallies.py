"""Files of tallies on the command line: saved by `corescore score`, compared by `compare`."""

import argparse
from collections.abc import Mapping
from dataclasses import replace

from corescore.api.tally import Tally, load_tally
from corescore.cli.options import option
from corescore.cli.shell import refuse_twice, score_each, warn
from corescore.corpus.formats.paths import each_response
from corescore.corpus.problems import InputError, PolicyError, Problem
from corescore.counting.policies import POLICY_VALUES
from corescore.scoring import tally
from corescore.scoring.common import over_common_documents
from corescore.scoring.tally_files import is_tally, save_tally

SAVE_TALLY = option(
    "--save-tally",
    "save what is counted of RESPONSE, without texts: `corescore compare` takes such files",
    "FILE.parquet",
)
TALLIES = (
    "; also tallies that `corescore score --save-tally` wrote. Where KEY is one too, no key is "
    "needed: all are compared, KEY as the first"
)


def save_tally_of(results: Mapping[str, tally.Tally], options: argparse.Namespace) -> None:
    """Write the tally of the only response where --save-tally asks for it."""
    path = options.save_tally
    if not path:
        return
    if len(results) > 1:
        raise PolicyError("--save-tally saves one response; several are named")
    if not is_tally(path):
        raise PolicyError(f"--save-tally is {path!r}; expected a name that ends in .parquet")
    ((response, made),) = results.items()
    save_tally(replace(made, files=((options.key, response),)), path, force=options.force)


def compared(options: argparse.Namespace) -> dict[str, Tally]:
    """What `compare` compares by its path, at least two: responses, scored, and tallies, loaded.

    Raises PolicyError for one response, for one that is named twice and for policies that a tally
    was not made under; InputError for a tally that is none, or that does not go with the others.
    """
    needs_no_key = is_tally(options.key)
    paths = [options.key] * needs_no_key + options.responses
    refuse_twice(paths)
    texts = [path for path in paths if not is_tally(path)]
    if needs_no_key and texts:
        raise PolicyError(f"{options.key} is a tally, {texts[0]} is not; expected a key and both")
    loaded = {path: loaded_tally(path, options) for path in paths if is_tally(path)}
    scored = score_each(texts, options) if texts else {}
    of_each = (each_response(options.key, [path]) if path in texts else [path] for path in paths)
    order = [path for some in of_each for path in some]
    results = {p: loaded[p] if p in loaded else scored[p] for p in dict.fromkeys(order)}
    if len(results) < 2:
        raise PolicyError("only one response is named; expected two or more")
    if all(result.policies.missing_documents == "skip" for result in results.values()):
        results = _over_common(results)
    if loaded:
        check_fit(results)
    return results


def loaded_tally(path: str, options: argparse.Namespace) -> Tally:
    """A tally that was saved. PolicyError where the options ask for another policy."""
    made = load_tally(path)
    for name in POLICY_VALUES:
        asked, own = vars(options).get(name), getattr(made.policies, name)
        if asked and asked != own:
            option = name.replace("_", "-")
            raise PolicyError(f"--{option} is {asked}, but {path} was counted under {own}")
    return made


def _over_common(results: dict[str, Tally]) -> dict[str, Tally]:
    """The results over the documents that all have; says what is left out of which."""
    common = over_common_documents(results)
    for path, result in common.items():
        warn(result.warnings[len(results[path].warnings) :])
    return common


def check_fit(results: Mapping[str, tally.Tally]) -> None:
    """Raises InputError unless all are over one key, by the same metrics and policies."""
    from corescore.analysis.significance.stack import check_same_key  # it needs pandas

    first, *others = results
    for path in others:
        try:
            check_same_key(results[first], results[path])
        except ValueError as error:
            expected = f"one over the key of {first}, by its metrics and policies"
            advice = "Score both in the same way."
            problem = Problem(path, 0, str(error), expected, advice)
            raise InputError([problem]) from error
