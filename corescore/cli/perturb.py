"""`corescore perturb`."""

import argparse
from collections.abc import Iterator

from corescore.analysis.errors.mentions import count_incorrectly_resolved
from corescore.analysis.perturbation import LEFT_BEHIND, PERTURBATIONS, Perturbation, perturb
from corescore.analysis.perturbation.perturbation import uses_incorrect, written
from corescore.analysis.perturbation.spec import parse_perturbation
from corescore.api.result import score
from corescore.cli.options import (
    ONE_RESPONSE,
    READING,
    SINGLETONS,
    WORDS,
    Command,
    Option,
    choice,
    option,
    out,
    policies,
    seed,
)
from corescore.cli.shell import progress, read_all, warn
from corescore.cli.standard_output import print_exactly, tell
from corescore.corpus.documents import Corpus
from corescore.corpus.formats import Format, format_of, write
from corescore.corpus.formats.registry import format_named
from corescore.corpus.problems import PolicyError
from corescore.scoring.scores import Scores
from corescore.wording import counted, incorrectly_resolved

WIDTH = 2 + max(map(len, PERTURBATIONS))


def _list() -> str:
    """Every perturbation with its parameters."""
    return "\n".join(line for kind in PERTURBATIONS.values() for line in _lines(kind))


def _lines(kind: type[Perturbation]) -> Iterator[str]:
    yield f"{kind.id:{WIDTH}}{kind.about}"
    for name, entry in kind.parameters().items():
        default = f" (default: {written(entry.default)})" if entry.default is not None else ""
        yield f"{'':{WIDTH}}  {name:11}{entry.metadata['about']}{default}"


def _perturb(options: argparse.Namespace) -> None:
    perturbations = [parse_perturbation(text) for text in options.do]
    paths = [options.key, options.response]
    under = policies(options)
    with progress(len(paths) + 1) as step:
        key, response = read_all(paths, options, step)
        step(f"Perturbing {options.response}")
        perturbed = perturb(
            key,
            response,
            perturbations,
            seed=options.seed,
            left_behind=options.left_behind,
            singletons=under.singletons,
            words=under.words,
        )
    before = score(key, response, singletons=under.singletons, words=under.words)
    warn(before.warnings)
    _write(perturbed, _format_of(response, options), options)
    done = "; ".join(perturbation.description for perturbation in perturbations)
    wrong = _incorrect(before) if any(map(uses_incorrect, perturbations)) else ""
    tell(f"{done}: {_size(response)} before{wrong}, {_size(perturbed)} after")


def _format_of(response: Corpus, options: argparse.Namespace) -> Format:
    """The format of a file, which may be a pipe and is not read again, or of a folder."""
    if response.format:
        return format_named(response.format)
    return format_of(options.response, format=options.input_format)


def _write(corpus: Corpus, known: Format, options: argparse.Namespace) -> None:
    if options.out is None:
        print_exactly(known.text(corpus))
        return
    try:
        warn(write(corpus, options.out, force=options.force))
    except PolicyError:  # an ending of no known format
        warn(write(corpus, options.out, format=known.id, force=options.force))


def _incorrect(result: Scores) -> str:
    """The incorrectly resolved mentions of the response, if some are singletons in the key."""
    number, singletons = count_incorrectly_resolved(result.comparison)
    return f" ({incorrectly_resolved(number, singletons)})" if singletons else ""


def _size(corpus: Corpus) -> str:
    n_mentions = sum(len(document.rows) for document in corpus)
    n_entities = sum(document.n_entities for document in corpus)
    return f"{counted(n_mentions)} in {counted(n_entities, 'entity')}"


def perturbing(action: str, about: str) -> tuple[Option, ...]:
    """--do, --list and --left-behind."""
    about = f"{about}: {', '.join(PERTURBATIONS)}"
    listed = "list the perturbations and their parameters"
    left = "mentions that a perturbation leaves without a partner"
    return (
        option("--do", about, "NAME[:PARAMETER=VALUE,…]", action=action, required=True),
        lambda parser: parser.add_argument(
            "--list", action="version", version=_list(), help=listed
        ),
        choice("--left-behind", LEFT_BEHIND, left),
    )


_PERTURB_OPTIONS = (
    *ONE_RESPONSE,
    *perturbing("append", "a perturbation to apply; may be repeated"),
    seed(1),
    *out("write to FILE instead of printing; its ending decides the format"),
    SINGLETONS,
    WORDS,
    *READING,
)
_ABOUT_PERTURB = "damage or repair a response in a controlled way"
COMMANDS = (Command("perturb", _ABOUT_PERTURB, _PERTURB_OPTIONS, _perturb),)
