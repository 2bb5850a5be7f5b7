"""`corescore data-sets`."""

from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, TypeVar

from corescore.cli.options import (
    HTML,
    READ,
    Command,
    choice,
    measure,
    metric_option,
    metrics_of,
    option,
    output,
    policies,
    scoring_rules,
)
from corescore.cli.output import Step, metrics_for, progress, put, read_all, warn
from corescore.cli.score import check_fit, loaded_tally
from corescore.corpus.problems import InputError, PolicyError, choose
from corescore.counting.policies import Policies
from corescore.metrics import CONLL, METRIC_IDS
from corescore.rendering.text import Table
from corescore.scoring.presets import SCORER_OF_TASKS, SHARED_TASKS
from corescore.scoring.scores import score
from corescore.scoring.tally import Tally
from corescore.scoring.tally_files import (
    SKIP,
    DataSetFolder,
    data_set_folders,
    is_tally,
    over_common_documents,
)
from corescore.version import __version__
from corescore.wording import counted

if TYPE_CHECKING:
    from corescore.analysis.systems.data_sets import Texts

Made = TypeVar("Made")

_METRICS = (CONLL.id, *METRIC_IDS, "mentions")


def _data_sets(options: Namespace) -> None:
    put(_result_of_data_sets(options), options)


def _result_of_data_sets(options: Namespace) -> Table | str:
    from corescore.analysis.systems.data_sets import over_data_sets, repeated_texts
    from corescore.rendering import many as tables
    from corescore.sentences import many as sentences

    if options.preset in SHARED_TASKS:
        return _of_shared_task(options.preset, options)
    _check(options)
    texts: dict[str, Texts] = {}
    results = _of_each(options, lambda one, step: _tallies(one, options, step, texts))
    tallies = [tally for of in results.values() for tally in of.values()]
    warn(warning for tally in tallies for warning in tally.warnings)
    _check_alike(results)
    data_sets = over_data_sets(results, options.metric, measure=options.measure)
    warn(sentences.repeated(repeated_texts(texts), is_tested=data_sets.is_tested))
    # Where no document has zeros the policy for them is not named.
    settings = max((tally.settings for tally in tallies), key=len)
    n_documents = sum(len(next(iter(of.values())).documents) for of in results.values())
    signature = tables.signature(data_sets, settings, n_documents)
    if options.format == HTML:
        from corescore.rendering.report.systems import page  # plotly is only needed here

        return page(data_sets, signature)
    if options.format in READ:
        return tables.score_table(data_sets, signature)
    return replace(tables.every_score(data_sets, signature), more=tables.tests(data_sets))


def _check(options: Namespace) -> None:
    """Refuses what cannot be scored, before anything is read."""
    from corescore.analysis.significance import measures_of  # it needs pandas

    has = metrics_of(options)
    choose("metric", options.metric, (*has, CONLL.id, "mentions") if has else _METRICS)
    choose(f"measure of {options.metric}", options.measure, measures_of(options.metric))
    policies(options)


def _of_each(options: Namespace, work: Callable[[DataSetFolder, Step], Made]) -> dict[str, Made]:
    """What is made of each data set in the folder, by name. Prints the warnings of the folder;
    raises one InputError with the problems of all data sets."""
    folders = data_set_folders(options.folder, options.missing_systems)
    warn(folders.warnings)
    made, errors = {}, []
    with progress(sum(1 + 2 * len(one.responses) for one in folders.data_sets)) as step:
        for data_set in folders.data_sets:
            try:
                made[data_set.name] = work(data_set, step)
            except InputError as error:
                errors.append(error)
    if errors:
        raise InputError.of(errors)
    return made


def _tallies(
    data_set: DataSetFolder, options: Namespace, step: Step, of_texts: dict[str, "Texts"]
) -> dict[str, Tally]:
    """The tally of each system, and the texts by data set added to `of_texts`."""
    from corescore.analysis.systems.data_sets import Texts  # it needs pandas

    paths = data_set.responses
    texts = [path for path in paths.values() if not is_tally(path)] or [data_set.key]
    made = {path: loaded_tally(path, options) for path in paths.values() if is_tally(path)}
    if data_set.key:
        key, *corpora = read_all([data_set.key, *texts], options, step)
        of_texts[data_set.name] = Texts.of(key)
        metrics = metrics_for(options, (options.metric,))
        for path, response in zip(texts, corpora, strict=True):
            step(f"Scoring {path}")
            made[path] = score(key, response, policies(options), metrics=metrics).tally
    if policies(options).missing_documents == "skip":
        made = over_common_documents(made)
    if any(map(is_tally, made)):
        check_fit({path: made[path] for path in dict.fromkeys([*texts, *made]) if path})
    of_texts.setdefault(data_set.name, Texts(frozenset(next(iter(made.values())).documents)))
    return {system: made[path] for system, path in paths.items()}


def _of_shared_task(task: str, options: Namespace) -> Table:
    """The table of a shared task: each system's averages by its settings."""
    from corescore.rendering.many import task_frame, task_table

    for name in ("match", "singletons"):
        if vars(options)[name]:
            raise PolicyError(f"--{name} is given with --as {task}, which has settings of its own")
    if (options.metric, options.measure) != (CONLL.id, "f1"):
        raise PolicyError(f"--as {task} averages the F1 of CoNLL; expected no --metric, --measure")
    options.preset = SCORER_OF_TASKS
    settings = {
        heading: Policies.of({**asdict(policies(options)), **own})
        for heading, own in SHARED_TASKS[task].items()
    }
    scores: dict[tuple[str, str, str], float] = {}
    warnings: list[str] = []

    def n_scored(data_set: DataSetFolder, step: Step) -> int:
        """How many documents the data set has, whose scores are added."""
        for path in filter(is_tally, data_set.responses.values()):
            fault = f"{path} is a tally, which was counted by one setting"
            raise PolicyError(f"{fault}; expected the response itself for --as {task}")
        key, *corpora = read_all([data_set.key, *data_set.responses.values()], options, step)
        for system, response in zip(data_set.responses, corpora, strict=True):
            step(f"Scoring {system} on {data_set.name}")
            for heading, under in settings.items():
                result = score(key, response, under, metrics=metrics_for(options, ()))
                scores[system, data_set.name, heading] = result["conll"].f1
                warnings.extend(result.warnings)
        return len(key)

    n_documents = _of_each(options, n_scored)
    warn(warnings)
    frame = task_frame(scores)
    made = task_table(frame) if options.format in READ else Table(frame)
    sizes = counted(len(n_documents), "data set"), counted(sum(n_documents.values()), "document")
    return replace(made, signature=" | ".join((f"corescore {__version__}", task, *sizes)))


def _check_alike(results: Mapping[str, Mapping[str, Tally]]) -> None:
    """Raises PolicyError where tallies of two data sets were counted under unlike policies."""
    every = {f"{data_set}, {of}": t for data_set, each in results.items() for of, t in each.items()}
    (first, own), *others = every.items()
    for name, other in others:
        if other.policies != own.policies:
            fault = f"{name} is {other.settings}, but {first} is {own.settings}"
            raise PolicyError(f"{fault}; expected one set of policies")


DATA_SETS = Command(
    "data-sets",
    "compare systems over several data sets: mean, ranks, Friedman's and Nemenyi's tests",
    (
        option(
            "folder",
            "a folder with a folder for each data set. In it, the file or folder called key "
            "(key.conll, key.conllu.gz, …) is the key. Every other file or folder is a response, "
            "named after its system (of a file's name without .gz or .zip and the ending). "
            "Responses can be tallies of `corescore score --save-tally`. A data set of tallies "
            "alone needs no key",
            "FOLDER",
        ),
        metric_option("--metric", "the metric to compare by", _METRICS, default=CONLL.id),
        measure("its measure"),
        choice(
            "--missing-systems",
            ("refuse", SKIP),
            "systems without a response in each data set: refuse all, or leave such systems out",
        ),
        *output(
            ": table, markdown and latex show percent, one column per data set. Others show "
            "fractions, one row per system and data set. json adds p for each pair of systems, "
            "and html is a page with the critical-difference diagram",
        ),
        *scoring_rules(
            "score as another scorer does (options for single policies override the scorer's), or "
            "print the table of a shared task: averages over data sets by head match without "
            "singletons (the primary score), by partial and by exact match, and by head match with "
            "singletons",
            SHARED_TASKS,
        ),
    ),
    _data_sets,
)
