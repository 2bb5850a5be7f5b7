"""The results of `corescore compare`: tables, and the verdicts that follow from them."""

from argparse import Namespace
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from string import ascii_uppercase
from typing import Any

import pandas as pd

from corescore.analysis.systems.effect import identification_effect
from corescore.analysis.systems.many import best_of_many, groups, ranking, with_shared_ranks
from corescore.analysis.systems.pair import Evidence, Pair, evidence
from corescore.analysis.systems.runs import PairOverRuns, pairs_over_runs
from corescore.cli.options import READ, finite
from corescore.cli.output import warn
from corescore.corpus.problems import PolicyError
from corescore.rendering.compared import (
    document_table,
    every_difference,
    every_document,
    pair_table,
    paper_table,
    rank_table,
    runs_table,
)
from corescore.rendering.many import effect_table
from corescore.rendering.scores import short_names
from corescore.rendering.text import Table
from corescore.scoring.tally import Tally
from corescore.sentences import compare, many
from corescore.sentences import runs as of_runs
from corescore.sentences.names import SystemTitles
from corescore.wording import counted

Results = Mapping[str, Tally]  # by their paths or letters


@dataclass(frozen=True)
class Verdict:
    """What follows from a comparison: in lines before the table, for a paper in one line, in values
    beside the rows of JSON (fractions); and below the table the reasons, or those of them that no
    reader must miss."""

    lines: Sequence[str]
    paragraph: str
    fields: Mapping[str, Any]
    reasons: Sequence[str] = ()
    cautions: Sequence[str] = ()


def _letters_and_names(paths: Collection[str]) -> tuple[dict[str, str], dict[str, str]]:
    """A, B, … by path (numbers where there are more than letters), and short names by these."""
    numbers = map(str, range(1, len(paths) + 1))
    letters = dict(zip(paths, ascii_uppercase if len(paths) <= 26 else numbers, strict=False))
    return letters, dict(zip(letters.values(), short_names(paths), strict=True))


def _titles(names: SystemTitles, two: Sequence[str]) -> dict[str, str]:
    """What a sentence calls two systems, by the letters that it has for them: A and B."""
    return {at: f"{of} ({names[of]})" for at, of in zip("AB", two, strict=True)}


def _signature(results: Results) -> str:
    return next(iter(results.values())).signature


def _drawn(options: Namespace) -> str:
    return f" | {counted(options.trials, 'trial')} | seed {options.seed}"


# Each two responses -------------------------------------------------------------------------------


def of_pairs(results: Results, primary: str, options: Namespace) -> Table:
    """The differences of each two responses, and what follows from them."""
    letters, names = _letters_and_names(results)
    drawn = {"trials": options.trials, "seed": options.seed}
    pairs = {
        (letters[a], letters[b]): results[a].compare(results[b], **drawn)
        for a, b in combinations(results, 2)
    }
    first = next(iter(pairs.values()))
    warn(first.warnings)
    alone, measure = len(pairs) == 1, options.measure

    def verdict() -> Verdict:
        if alone:
            return _verdict_of_two(first, names, primary, options)
        of_letters = {letters[path]: result for path, result in results.items()}
        return _verdict_of_many(pairs, of_letters, names, primary, options)

    if options.format == "latex" and alone:  # the table that the app shows
        table = paper_table(first, measure, names, intervals=options.intervals)
    else:
        table = pair_table(
            pairs, names, measure, intervals=options.intervals, brief=_is_brief(options)
        )
    paths = {letter: path for path, letter in letters.items()}
    frame = every_difference(pairs, paths, "response", measure)
    return _result_of_two_or_more(frame, table, verdict, first.a.signature, options)


def _is_brief(options: Namespace) -> bool:
    """Whether notes are brief: as a whole they are in LaTeX and with --explain."""
    return not options.explain and options.format != "latex"


def _result_of_two_or_more(
    frame: pd.DataFrame,
    table: Table,
    verdict: Callable[[], Verdict],
    scored: str,
    options: Namespace,
) -> Table:
    """The frame for programs; to be read the table between the verdict and its reasons, in LaTeX
    with the paragraph alone."""
    signature = scored + _drawn(options)
    if options.format not in READ:
        more = finite(verdict().fields) if options.format == "json" else {}
        return Table(frame, signature=signature, more=more)
    made, drawn = verdict(), replace(table, signature=signature)
    if options.format == "latex":
        return replace(drawn, said=[made.paragraph])
    reasons = made.reasons if options.explain else made.cautions
    below = ("", *reasons, "") if reasons else ()
    return replace(drawn, said=made.lines, notes=(*drawn.notes, *below))


def _verdict_of_two(pair: Pair, names: SystemTitles, metric: str, options: Namespace) -> Verdict:
    """The argument of the page Two systems."""
    argued = evidence(pair, metric, measure=options.measure)
    concluded = compare.conclusion(argued, _titles(names, "AB"))
    paragraph = compare.paragraph(argued, names, pair.a, beforehand=options.primary is not None)
    reasons = [f"{asked} {answer}" for asked, answer in compare.lines(argued).items()]
    cautions = reasons[: bool(argued.findings)]
    fields = {
        "metric": metric,
        "measure": options.measure,
        "findings": [*map(asdict, argued.findings)],
        "detectable": asdict(argued.detectable),
        **_tested(argued),
        "effect": asdict(argued.effect),
        "together": asdict(argued.together),
        "held": argued.held.table.astype({"outcome": str}).to_dict("records"),
        "conclusion": concluded,
        "paragraph": paragraph,
    }
    reasons.append(f"For a paper: {paragraph}")
    return Verdict([concluded], paragraph, {"verdict": fields}, reasons, cautions)


def _tested(argued: Evidence) -> dict[str, Any]:
    low, high = argued.interval
    return {"difference": argued.row["difference"], "low": low, "high": high, "p": argued.p}


def _verdict_of_many(
    pairs: Mapping[tuple[str, str], Pair],
    results: Results,
    names: SystemTitles,
    metric: str,
    options: Namespace,
) -> Verdict:
    """The first page of a report: who is first by the primary metric, how sure the ranks are, what
    speaks against comparing the best with any other, and what follows of the two best."""
    best = best_of_many(
        results,
        metric,
        titles={letter: f"{letter} ({name})" for letter, name in names.items()},
        measure=options.measure,
        trials=options.trials,
        seed=options.seed,
        pairs=pairs,
    )
    summary = many.first_and_spread(best.ranking, metric)
    concluded = compare.conclusion(best.evidence, _titles(names, best.two))
    lines = [summary, *(finding.sentence for finding in best.findings), concluded]
    fields = {
        "metric": metric,
        "measure": options.measure,
        "summary": summary,
        "findings": [*map(asdict, best.findings)],
        "best": [names[letter] for letter in best.two],
        **_tested(best.evidence),
        "conclusion": concluded,
    }
    return Verdict(lines, " ".join(lines), {"verdict": fields})


# Systems with several runs each -------------------------------------------------------------------


def over_runs(
    systems: Mapping[str, tuple[str, ...]],
    results: Results,
    primary: str,
    options: Namespace,
) -> Table:
    """The differences of each two systems over their runs; `systems` as of `by_system`."""
    if options.intervals != "simultaneous":
        fault = "--intervals single is not available for several runs"
        raise PolicyError(f"{fault}; expected --runs apart with it")
    letters, names = _letters_and_names(systems)
    runs = {letters[system]: paths for system, paths in systems.items()}
    of_each = {letter: [results[path] for path in paths] for letter, paths in runs.items()}
    pairs = pairs_over_runs(of_each, trials=options.trials, seed=options.seed)
    warn(warning for pair in pairs.values() for warning in pair.warnings)
    scored = f"{next(iter(pairs.values())).a[0].signature} | mean over runs"
    return _result_of_two_or_more(
        every_difference(pairs, names, "system", options.measure),
        runs_table(pairs, names, options.measure, brief=_is_brief(options)),
        lambda: _verdict_over_runs(pairs, names, runs, primary, options),
        scored,
        options,
    )


def _verdict_over_runs(
    pairs: Mapping[tuple[str, str], PairOverRuns],
    names: SystemTitles,
    runs: Mapping[str, Sequence[str]],
    metric: str,
    options: Namespace,
) -> Verdict:
    """What follows of each two systems; of two alone the answers that it rests on, and for a paper
    all that has to be named."""
    measure = options.measure
    lines, fields = [], []
    for two, pair in pairs.items():
        row = of_runs.row_of(pair, metric, measure)
        tests = ("difference", "low", "high", "p", "p_documents", "p_runs")
        lines.append(of_runs.conclusion(pair, metric, measure, _titles(names, two)))
        values = {
            "system_a": names[two[0]],
            "system_b": names[two[1]],
            "metric": metric,
            "measure": measure,
            "findings": [*map(asdict, pair.findings)],
            **{name: float(row[name]) for name in tests},
            "smallest_p_runs": pair.smallest_p_of_runs,
            "conclusion": lines[-1],
        }
        fields.append(values)
    of_each = {name: [*runs[letter]] for letter, name in names.items()}
    more = {"runs": of_each, "verdicts": fields}
    if len(pairs) > 1:
        return Verdict(lines, " ".join(lines), more)
    named = options.primary is not None
    paragraph = of_runs.paragraph(pair, metric, measure, names, beforehand=named)
    reasons = [f"{asked} {said}" for asked, said in of_runs.lines(pair, metric, measure).items()]
    cautions = reasons[: bool(pair.findings)]
    return Verdict(lines, paragraph, more, [*reasons, f"For a paper: {paragraph}"], cautions)


# Documents, and ranks -----------------------------------------------------------------------------


def by_document(results: Results, options: Namespace) -> Table:
    """The scores of each document."""
    if options.format not in READ:
        return Table(every_document(results, options.measure), signature=_signature(results))
    letters, names = _letters_and_names(results)
    by_letter = {letters[path]: result for path, result in results.items()}
    made = document_table(by_letter, names, options.measure)
    return replace(made, signature=_signature(results))


def by_rank(results: Results, options: Namespace) -> Table:
    """One row per metric and response, the best first; with --ties significance responses that do
    not differ share a rank, in a column of its own: the interval is that of the rank by score."""
    draws: dict[str, Any] = {"trials": options.trials, "seed": options.seed}
    ranked, tested = ranking(results, measure=options.measure, **draws), {}
    if options.ties == "significance":
        for name in ranked.metrics:
            tested[name] = groups(results, name, measure=options.measure, **draws)
    warn(next(iter(tested.values())).warnings if tested else ranked.warnings)
    table = with_shared_ranks(ranked.table, tested) if tested else ranked.table
    read = rank_table(ranked, tested) if options.format in READ else Table(table)
    return replace(read, signature=_signature(results) + _drawn(options))


def by_effect(results: Results, options: Namespace) -> Table:
    """One row per metric and response: what its incorrectly resolved mentions earn, and its score
    and rank with and without them. For programs a row for each reading of which mentions these are;
    JSON has the pairs whose order changes, too."""
    effect = identification_effect(results, measure=options.measure)
    if options.format in READ:
        made = effect_table(replace(effect, responses=tuple(short_names(effect.responses))))
    else:
        made = Table(effect.table, more={"pairs": effect.pairs.to_dict("records")})
    return replace(made, signature=_signature(results))
