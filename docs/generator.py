"""Parts of pages that are made of the registries and of the program when the site is built."""

import contextlib
import inspect
import io
import os
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pandas as pd
from latex2mathml.converter import convert

import corescore
from corescore import bibliography
from corescore.analysis import perturbation
from corescore.analysis.error_table.query import FIELDS
from corescore.analysis.long_documents import along, by_distance, by_size, by_window
from corescore.analysis.perturbation import PERTURBATIONS, Drop
from corescore.analysis.perturbation.base import Kind
from corescore.analysis.split_antecedents import by_type
from corescore.analysis.systems.data_sets import over_data_sets
from corescore.analysis.systems.effect import identification_effect
from corescore.analysis.systems.runs import PairOverRuns
from corescore.cli import program
from corescore.corpus.formats.registry import FORMATS
from corescore.counting.policies import DEFAULTS, POLICY_VALUES
from corescore.metrics.metric import Formulas
from corescore.metrics.registry import CONLL, DIAGNOSTICS, METRICS, NAMED
from corescore.replication import EXPERIMENTS
from corescore.scoring.presets import PRESETS
from corescore.sentences.policies import CLAUSES, NAMES
from corescore.teaching.exercises import LESSONS, MINUTES_OF_INTRODUCTION
from corescore.util import bundled
from tests.benchmarks.record import Record, newest

Scored = type(METRICS[0]) | type(CONLL)


def write_pages(folder: Path) -> None:
    """Write each part as a Markdown file, for the pages to include."""
    folder.mkdir(exist_ok=True)
    for name, make in PARTS.items():
        path, text = folder / f"{name}.md", "\n".join(make()) + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    head = list(head)
    yield from ("", _row(head), _row("---" for _ in head))
    yield from map(_row, rows)
    yield ""


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(_cell(str(cell)) for cell in cells)} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _plain(text: str) -> str:
    """Text of ours as Markdown that shows it as it is."""
    return "".join(f"\\{sign}" if sign in "*_`<>[]{}#$" else sign for sign in text)


# Metrics ------------------------------------------------------------------------------------------


def _cards(metrics: Iterable[Scored]) -> Iterator[str]:
    for metric in metrics:
        card = metric.card
        if card is None:
            continue
        yield from (f"## {_plain(metric.title)}", "", f"`{metric.id}`. {_plain(card.counts)}", "")
        if card.history:
            yield from (_plain(card.history), "")
        for part in card.parts:
            yield from _formulas(part)
        yield from _table(
            ("symbol", "meaning"), ((convert(sign), _plain(is_)) for sign, is_ in card.symbols)
        )
        facts = {
            "One unit": card.unit,
            "Range": card.bounds,
            "1 exactly if": card.one,
            "0 exactly if": card.zero,
            "Nothing to divide by": card.empty,
        }
        yield from (f"- **{name}:** {_plain(text)}" for name, text in facts.items() if text)
        for variant in card.variants:
            cases = "; ".join(f"{case.when}: {case.then}" for case in variant.cases)
            yield f"- **`--blanc {variant.policy}`** ({_plain(variant.title)}): {_plain(cases)}"
        yield f"- **Defined in:** {_plain('; '.join(paper.cited for paper in card.papers))}"
        yield ""


def _formulas(part: Formulas) -> Iterator[str]:
    for name, (symbol, formula) in part.steps.items():
        shown = convert(f"{symbol} = {formula}", display="block")
        yield from (f"{name.capitalize()}:", "", shown, "")


def _metrics() -> Iterator[str]:
    yield from _cards((*METRICS, CONLL, *DIAGNOSTICS))


def _variants() -> Iterator[str]:
    named = [metric for metric in NAMED if metric.card]
    rows = ((f"`{one.id}`", _plain(one.title), _plain(one.paper)) for one in NAMED)
    yield from _table(("name", "what it is", "source"), rows)
    yield from _cards(named)


# Policies and scorers -----------------------------------------------------------------------------


def _policies() -> Iterator[str]:
    for policy, values in POLICY_VALUES.items():
        option = policy.replace("_", "-")
        yield from (f"## {NAMES[policy].capitalize().replace('Blanc', 'BLANC')}", "")
        yield f"`--{option}` in the shell, `{policy}=` in Python."
        rows = (
            (f"`{value}`{' (default)' if value == values[0] else ''}", CLAUSES[policy][value])
            for value in values
        )
        yield from _table(("value", "effect"), rows)


def _presets() -> Iterator[str]:
    rows = []
    for one in PRESETS.values():
        changed = [
            f"`{name} {value}`"
            for name in POLICY_VALUES
            if (value := getattr(one.policies, name)) != getattr(DEFAULTS, name)
        ]
        rows.append(
            (f"`--as {one.id}`", one.title, ", ".join(changed), ", ".join(one.metrics), one.about)
        )
    yield from _table(("option", "scorer", "its policies", "its metrics", "good to know"), rows)


# Formats ------------------------------------------------------------------------------------------


def _formats() -> Iterator[str]:
    rows = (
        (
            f"`{one.id}`",
            one.title,
            " ".join(f"`{end}`" for end in one.suffixes),
            "yes" if one.write else "no",
            "yes" if one.parts else "no",
        )
        for one in FORMATS
    )
    yield from _table(("id", "format", "file endings", "written", "read in parts"), rows)


# Papers -------------------------------------------------------------------------------------------


def _experiments() -> Iterator[str]:
    rows = (
        (
            f"{one.paper.name}, {one.where}",
            one.title,
            f"`corescore experiment {one.id}`",
            "your files" if one.on_data else "own examples",
            len(one.claims),
        )
        for one in EXPERIMENTS
    )
    yield from _table(("paper", "what it is", "command", "runs on", "observations"), rows)


def _references() -> Iterator[str]:
    papers = {one for one in vars(bibliography).values() if isinstance(one, bibliography.Paper)}
    for paper in sorted(papers, key=lambda one: (one.short, one.year)):
        yield f"- {_plain(paper.reference)}"


# The lesson ---------------------------------------------------------------------------------------


def _lesson() -> Iterator[str]:
    """The lesson of 45 minutes: from which minute to which each step takes."""
    steps = [("The six metrics in six sentences", "introduction", MINUTES_OF_INTRODUCTION)]
    for step in LESSONS[45]:
        card = step.pitfall
        steps.append(
            (
                card.question if card else step.title,
                card.title if card else "exercise in Sandbox",
                step.minutes,
            )
        )
    rows, begin = [], 0
    for number, (title, shows, minutes) in enumerate(steps):
        rows.append((f"{begin}–{begin + minutes}", number, _plain(title), _plain(shows)))
        begin += minutes
    yield from _table(("minutes", "step", "question or goal", "what it shows"), rows)


# The shell ----------------------------------------------------------------------------------------


def _shell() -> Iterator[str]:
    yield from ("## corescore", "", *_fenced(_help()))
    for command in program.commands_of(program.groups()):
        yield from (f"## corescore {command.name}", "", *_fenced(_help(command.name)))


def _help(*command: str) -> str:
    shown = io.StringIO()
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "88"
    try:
        with contextlib.redirect_stdout(shown), contextlib.suppress(SystemExit):
            program.run([*command, "--help"])
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
    return shown.getvalue()


def _fenced(text: str, language: str = "text") -> Iterator[str]:
    yield from (f"```{language}", text.rstrip(), "```", "")


# Python -------------------------------------------------------------------------------------------

# Documented names below `corescore`: what public functions return and take, and modules.
RETURNED = (
    "corescore.analysis.systems.pair.Pair",
    "corescore.analysis.systems.pair.Held",
    "corescore.analysis.systems.runs.PairOverRuns",
    "corescore.analysis.systems.data_sets.DataSets",
    "corescore.analysis.systems.effect.identification_effect",
    "corescore.analysis.systems.effect.IdentificationEffect",
    "corescore.analysis.decomposition.Decomposition",
    "corescore.analysis.decomposition.by_convention",
    "corescore.analysis.long_documents.by_size",
    "corescore.analysis.long_documents.by_distance",
    "corescore.analysis.long_documents.by_window",
    "corescore.analysis.long_documents.along",
    "corescore.analysis.split_antecedents.by_type",
    "corescore.analysis.split_antecedents.by_use",
    "corescore.analysis.split_antecedents.plural_table",
    "corescore.analysis.error_table.table.ErrorList",
    "corescore.analysis.perturbation.sweep.Sweep",
    "corescore.replication.experiment.Outcome",
    "corescore.distributed.score",
    "corescore.distributed.OnCluster",
    "corescore.metrics.variants.Costs",
    "corescore.metrics.variants.ace_value",
    "corescore.metrics.variants.lea_by",
    "corescore.metrics.variants.lea_weighted",
    "corescore.metrics.variants.weighted_blanc",
)
MODULES = ("corescore.migration",)


def _api() -> Iterator[str]:
    """The public names, as `corescore` has them, functions first."""
    public = {
        name: getattr(corescore, name) for name in corescore.__all__ if not name.startswith("_")
    }
    functions = [name for name, one in public.items() if inspect.isfunction(one)]
    classes = [name for name, one in public.items() if inspect.isclass(one)]
    modules = [one for one in public.values() if inspect.ismodule(one)]
    yield from ("## Functions", "", *_directives(f"corescore.{name}" for name in functions))
    yield from ("## Classes", "", *_directives(f"corescore.{name}" for name in classes))
    yield from ("## Other functions and classes", "", *_directives(RETURNED))
    for module in (*modules, *map(import_module, MODULES)):
        yield from (f"## {module.__name__}", "", *_directives(_names_in(module)))


def _names_in(module: ModuleType) -> Iterator[str]:
    """The public functions and classes of a module: those it lists, or else defines."""
    own = [
        name
        for name, one in vars(module).items()
        if not name.startswith("_") and getattr(one, "__module__", "") == module.__name__
    ]
    for name in getattr(module, "__all__", own):
        if inspect.isroutine(one := getattr(module, name)) or inspect.isclass(one):
            yield f"{module.__name__}.{name}"


def _directives(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        kind = "class" if inspect.isclass(pkgutil.resolve_name(path)) else "function"
        yield from ("```{eval-rst}", f".. auto{kind}:: {path}", "```", "")


def _fields() -> Iterator[str]:
    rows = ((f"`{one.name}`", _plain(one.about), ", ".join(one.choices)) for one in FIELDS)
    yield from _table(("field", "meaning", "values"), rows)


def _perturbations() -> Iterator[str]:
    called = {of: name for name, of in vars(perturbation).items() if isinstance(of, Kind)}
    rows = (
        (
            f"`{name}`",
            f"`{called[kind]}`",
            _plain(kind.about),
            "; ".join(
                f"`{field}={entry.default}` {_plain(entry.metadata.get('about', ''))}"
                for field, entry in kind.parameters.items()
            ),
        )
        for name, kind in PERTURBATIONS.items()
    )
    yield from _table(("`--do`", "in Python", "what it does", "parameters"), rows)


def _columns() -> Iterator[str]:
    """The columns of each table of the sample data, as they are."""
    for expression, table in _tables().items():
        named = table.reset_index() if table.index.names != [None] else table
        yield from (f"## `{expression}`", "")
        rows = (
            (f"`{name}`", named[name].dtype, _plain(_first(named[name]))) for name in named.columns
        )
        yield from _table(("column", "type", "first value"), rows)


def _first(column: pd.Series) -> str:
    value = next(iter(column.dropna()), "")
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _tables() -> Mapping[str, pd.DataFrame]:
    folder = bundled("sample_data")
    key, cautious, greedy = (
        corescore.read(folder / f"{name}.conll") for name in ("key", "cautious", "greedy")
    )
    result, other = corescore.score(key, cautious), corescore.score(key, greedy)
    pair = result.compare(other)
    runs = PairOverRuns([result], [other])
    systems = {"a": result, "b": other}
    found = over_data_sets({"one": systems, "two": systems}, "conll")
    effect = identification_effect(systems)
    sweep = result.sweep(Drop(), doses=(0, 1), seeds=1)
    return {
        "result.table": result.table,
        "result.per_document": result.per_document,
        "result.errors": result.errors,
        "result.incorrectly_resolved": result.incorrectly_resolved,
        "result.find(…).table": result.find("given:wrong").table,
        **{f'result.credit("bcub", by="{by}")': result.credit("bcub", by=by) for by in _UNITS},
        "result.decomposition.table": result.decomposition.table,
        "result.decomposition.counterfactuals": result.decomposition.counterfactuals,
        "split_antecedents.by_type(result)": by_type(result),
        "long_documents.by_window(result)": by_window(result),
        "long_documents.by_distance(result)": by_distance(result),
        "long_documents.by_size(result)": by_size(result),
        'long_documents.along(result, "news_harbour")': along(result, "news_harbour"),
        'result.marginal("lea")': result.marginal("lea"),
        "result.sweep(…).table": sweep.table,
        "identification_effect(results).table": effect.table,
        "pair.significance": pair.significance,
        "pair.documents": pair.documents,
        "pair.disagreements": pair.disagreements,
        "pair.verdicts": pair.verdicts,
        "pair.errors": pair.errors,
        'pair.mentions("lea")': pair.mentions("lea"),
        'pair.entities("lea")': pair.entities("lea"),
        'pair.held("lea").table': pair.held("lea").table,
        "runs.significance": runs.significance,
        "data_sets.table": found.table,
    }


_UNITS = ("mention", "link", "entity", "entity-type", "document", "size", "distance")


def _benchmarks() -> Iterator[str]:
    record = Record.read(newest())
    machine = ", ".join(f"{name} {value}" for name, value in record.machine.items())
    yield from (f"Measured on {record.date} with corescore {record.version}: {machine}.", "")
    yield record.table


PARTS: Mapping[str, Callable[[], Iterable[str]]] = {
    "metrics": _metrics,
    "variants": _variants,
    "policies": _policies,
    "presets": _presets,
    "formats": _formats,
    "experiments": _experiments,
    "references": _references,
    "lesson": _lesson,
    "shell": _shell,
    "api": _api,
    "fields": _fields,
    "perturbations": _perturbations,
    "columns": _columns,
    "benchmarks": _benchmarks,
}
