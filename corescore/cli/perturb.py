"""`corescore perturb`, `sweep`, `baseline` and `convert`."""

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from corescore.analysis.errors.classes import count_incorrectly_resolved
from corescore.analysis.perturbation import (
    BASELINES,
    LEFT_BEHIND,
    PERTURBATIONS,
    baseline,
    parse_doses,
    parse_perturbation,
    perturb,
    unperturbed,
)
from corescore.analysis.perturbation.base import written
from corescore.api import score
from corescore.cli.compare import SEED
from corescore.cli.options import (
    EVERY_ROW,
    FORCE,
    FORMAT_IDS,
    ONE_RESPONSE,
    POLICIES,
    READ,
    READING,
    REPAIR_BRACKETS,
    ROWS_ON_TERMINAL,
    SHOWN_METRICS,
    SINGLETONS,
    UNPACK_LIMIT,
    WORDS,
    Command,
    Option,
    choice,
    flag,
    moved,
    option,
    out,
    output,
    policies,
    shown_metrics,
    whole_number,
)
from corescore.cli.output import (
    formats_of,
    is_cut,
    more_rows,
    print_exactly,
    progress,
    put,
    read_all,
    scored,
    show,
    tell,
    warn,
)
from corescore.corpus.documents import Corpus
from corescore.corpus.files import WRITTEN, Format, format_of, read, write
from corescore.corpus.formats.conll import write_conll
from corescore.corpus.formats.registry import format_named
from corescore.corpus.problems import PolicyError
from corescore.counting.pairing import pair_documents
from corescore.rendering.text import Table
from corescore.scoring.noticed import OfSide, no_mentions
from corescore.scoring.scores import Result
from corescore.wording import counted, incorrectly_resolved

if TYPE_CHECKING:
    from corescore.analysis.perturbation.sweep import Sweep, SweepRun

WIDTH = 2 + max(map(len, PERTURBATIONS))


def _list() -> Iterator[str]:
    """Every perturbation with its parameters, a line for each."""
    for kind in PERTURBATIONS.values():
        yield f"{kind.id:{WIDTH}}{kind.about}"
        for name, entry in kind.parameters.items():
            default = f" (default: {written(entry.default)})" if entry.default is not None else ""
            yield f"{'':{WIDTH}}  {name:11}{entry.metadata['about']}{default}"


def _perturb(options: Namespace) -> None:
    perturbations = [*map(parse_perturbation, options.do)]
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
    wrong = _incorrect(before) if any(one.uses_incorrect for one in perturbations) else ""
    size = _size(unperturbed(response, under))
    tell(f"{done}: {size} before{wrong}, {_size(perturbed)} after")


def _format_of(response: Corpus, options: Namespace) -> Format:
    """The format of a file, which may be a pipe and is not read again, or of a folder."""
    if response.format:
        return format_named(response.format)
    return format_of(options.response, format=formats_of(options)[1])


def _write(corpus: Corpus, known: Format, options: Namespace) -> None:
    if options.out is None:
        print_exactly(known.text(corpus))
        return
    try:
        warn(write(corpus, options.out, force=options.force))
    except PolicyError:  # an ending of no known format
        warn(write(corpus, options.out, format=known.id, force=options.force))


def _incorrect(result: Result) -> str:
    """The incorrectly resolved mentions of the response, if some are singletons in the key."""
    number, singletons = count_incorrectly_resolved(result.comparison)
    return f" ({incorrectly_resolved(number, singletons)})" if singletons else ""


def _size(corpus: Corpus) -> str:
    n_mentions = sum(len(document.rows) for document in corpus)
    n_entities = sum(document.n_entities for document in corpus)
    return f"{counted(n_mentions)} in {counted(n_entities, 'entity')}"


def perturbing(about: str) -> tuple[Option, ...]:
    """--do, --list and --left-behind."""
    about = f"{about}: {', '.join(PERTURBATIONS)}"
    listed = "list the perturbations and their parameters"
    left = "mentions that a perturbation leaves without a partner"
    return (
        option("--do", about, "NAME[:PARAMETER=VALUE,…]", action="append", required=True),
        lambda parser: parser.add_argument(
            "--list", action="version", version="\n".join(_list()), help=listed
        ),
        choice("--left-behind", LEFT_BEHIND, left),
    )


PERTURB = Command(
    "perturb",
    "damage or repair a response in a controlled way",
    (
        *ONE_RESPONSE,
        *perturbing("a perturbation to apply, repeatable"),
        SEED,
        *out("write to FILE instead of printing, in the format of its ending, or else of RESPONSE"),
        SINGLETONS,
        WORDS,
        *READING,
    ),
    _perturb,
)

# `corescore sweep` --------------------------------------------------------------------------------


def _sweep(options: Namespace) -> None:
    from corescore.analysis.perturbation.sweep import Sweep, check_sweep, dosed

    shown = shown_metrics(options)  # refused before anything is read
    if len(options.do) > 1:
        raise PolicyError("--do is given twice; expected one perturbation, whose doses are swept")
    check_sweep(options.seeds, policies(options))
    perturbation, doses = dosed(parse_perturbation(*options.do)), parse_doses(options.doses)
    for dose in doses:
        perturbation.at(dose)
    sweep = Sweep(
        result=scored(options, shown),
        perturbation=perturbation,
        doses=doses,
        seeds=tuple(range(1, options.seeds + 1)),
        left_behind=options.left_behind,
    )
    runs = _runs(sweep)
    _put(sweep, runs, options)
    if len(runs) < len(sweep):
        raise KeyboardInterrupt


def _runs(sweep: "Sweep") -> "list[SweepRun]":
    """All runs; after an interruption those of the seeds that are complete, if there are any."""
    runs = []
    try:
        with progress(len(sweep)) as step:
            for run in sweep:
                runs.append(run)
                step(f"Seed {run.seed}, dose {run.dose:g}")
    except KeyboardInterrupt:
        n_seeds = len(runs) // len(sweep.doses)
        if not n_seeds:
            raise
        warn([f"interrupted: these are the results of {n_seeds} of {len(sweep.seeds)} seeds"])
        return runs[: n_seeds * len(sweep.doses)]
    return runs


def _put(sweep: "Sweep", runs: "list[SweepRun]", options: Namespace) -> None:
    """The doses, or the runs: to be read in percent, otherwise all columns as fractions."""
    from corescore.analysis.perturbation.sweep import BAND, band_table, run_table
    from corescore.rendering.tables import by_dose

    table = run_table(runs, shown_metrics(options))
    bands = band_table(table)
    signature = f"{sweep.signature} | seeds 1 to {runs[-1].seed}"
    spread = "low and high are the {:.0%} and {:.0%} quantiles over seeds".format(*BAND)
    if options.by == "run":
        made = Table(table, notes=("In percent.",))
    elif options.format not in READ:
        made, signature = Table(bands), f"{signature} | {spread}"
    elif options.all:
        columns = ("dose", "metric", "measure", "mean", "sweep.low", "sweep.high")
        made = Table(bands, columns, notes=(f"In percent; {spread}.",))
    else:
        notes = (
            f"F1 in percent, the mean of {counted(runs[-1].seed, 'seed')}. --all shows recall, "
            "precision and the spread over seeds.",
        )
        made = replace(by_dose(bands), notes=notes)
    put(replace(made, signature=signature), options)


SWEEP = Command(
    "sweep",
    "score a response at increasing doses of a perturbation",
    (
        *ONE_RESPONSE,
        *perturbing("the perturbation to sweep"),
        option(
            "--doses",
            "doses: a range, or a list with commas (default: %(default)s)",
            "START:STOP:STEP",
            default="0:1:0.05",
        ),
        option(
            "--seeds",
            "number of random seeds (default: %(default)s)",
            "N",
            type=whole_number,
            default=20,
        ),
        SHOWN_METRICS,
        choice("--by", ("dose", "run"), "one row for each dose, over all seeds, or for each run"),
        flag("--all", "add recall, precision and the spread over seeds, one row per measure"),
        *output(
            "; table, markdown and latex show percent, and F1 only unless --all, the others "
            "fractions and all columns"
        ),
        *POLICIES,
    ),
    _sweep,
)


# `corescore baseline` and `convert` ---------------------------------------------------------------


def _baseline(options: Namespace) -> None:
    paths = [*filter(None, (options.key, options.response))]
    key, *others = read_all(paths, options, lambda about: None)
    response = others[0] if others else None
    warn(pair_documents(key, response).warnings if response else key.warnings)
    warn(no_mentions(OfSide.read((response or key).documents), options.response or options.key))
    corpus = baseline(key, kind=options.kind, mentions_of=response)
    if options.out:
        warn(write(corpus, options.out, force=options.force))
        return
    text = write_conll(corpus)
    lines = text.split("\n")
    if is_cut(len(lines) - 1, options):
        print_exactly("\n".join([*lines[:ROWS_ON_TERMINAL], ""]))
        show(f"{more_rows(len(lines) - 1)}\n")
    else:
        print_exactly(text)


def _convert(options: Namespace) -> None:
    if options.out is None and options.output_format is None:
        raise PolicyError("OUT is standard output, which has no ending; expected --output-format")
    corpus = read(
        options.source, format=options.input_format, repair_brackets=options.repair_brackets
    )
    warn((*corpus.warnings, *no_mentions(OfSide.read(corpus.documents), options.source)))
    if options.out is None:
        known = format_named(options.output_format)
        print_exactly(known.text(corpus))
        warn(known.left_out(corpus))
    else:
        warn(write(corpus, options.out, format=options.output_format, force=options.force))


_WRITTEN = tuple(known.id for known in WRITTEN)


BASELINE = Command(
    "baseline",
    "write a simple response on the mentions of the key or of a response",
    (
        option("key", "the file with the mentions to group", "KEY"),
        option("--kind", "how to group the mentions", choices=tuple(BASELINES), required=True),
        option(
            "--mentions-of",
            "a response to KEY: group its mentions instead of the key's",
            "RESPONSE",
            dest="response",
        ),
        *out("write to FILE instead of printing as conll"),
        EVERY_ROW,
        *READING,
    ),
    _baseline,
)

CONVERT = Command(
    "convert",
    "rewrite a file in another format",
    (
        option("source", "the file to read", "IN"),
        option(
            "out", "the file to write, gzipped if it ends in .gz, or - for standard output", "OUT"
        ),
        option(
            "--input-format",
            f"format of IN (default: detected from the content): {', '.join(FORMAT_IDS)}",
            "FORMAT",
            choices=FORMAT_IDS,
        ),
        option(
            "--output-format",
            f"format of OUT (default: found from its ending): {', '.join(_WRITTEN)}",
            "FORMAT",
            choices=_WRITTEN,
        ),
        moved("--from", "--input-format", choices=FORMAT_IDS),
        moved("--to", "--output-format", choices=_WRITTEN),
        REPAIR_BRACKETS,
        UNPACK_LIMIT,
        FORCE,
    ),
    _convert,
)
