"""Claims and whether they hold → sentences, tables and HTML."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import Any

import pandas as pd
from markupsafe import Markup
from pandas.api.types import is_numeric_dtype

from corescore.analysis.perturbation.sweep import FALL, NOT_FALL, RISE, SAME
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS, ROW_IDS, name_of
from corescore.plots.experiments import is_percent
from corescore.rendering.columns import PLAIN, Column
from corescore.rendering.html import note, render
from corescore.rendering.text import Table
from corescore.replication import Experiment
from corescore.replication.experiment import Chart, Check, Claim, Outcome
from corescore.replication.printed import NOTHING, PERCENT, Printed, comparable
from corescore.sentences.names import escaped, metric_title, title
from corescore.sentences.scores import greatest, least, named
from corescore.teaching.criteria import CardClaim
from corescore.wording import RATIOS, count, counted, heading_of, listed, percent, written

_FRACTIONS = (
    "recall",
    "precision",
    "f1",
    "low",
    "high",
    "share",
    "step",
    "scored",
    "mentions_present",
    *(f"{measure}_{end}" for measure in MEASURES for end in ("low", "high")),
)

# Whether something holds, in signs and words ------------------------------------------------------


@dataclass(frozen=True)
class Mark:
    """How a page shows whether something holds: a sign, its words, and a style of page.css."""

    sign: str
    words: str
    style: str


MARKS = {
    True: Mark("✓", "holds", "holds"),
    False: Mark("✗", "does not hold", "fails"),
    None: Mark("–", "cannot be checked here", "untold"),
}


def held(checks: Iterable[tuple[Claim, Check]], where: str = "here") -> str:
    """4 of 5 observations hold here, 1 cannot be checked; "" without any."""
    counts = Counter(check.holds for _, check in checks)
    n = counts.total()
    if not n:
        return ""
    verb = "holds" if n == 1 or counts[True] == 1 else "hold"
    rest = f", {counts[None]} cannot be checked" if counts[None] else ""
    return f"{counts[True]} of {counted(n, 'observation')} {verb} {where}{rest}"


# Sentences ----------------------------------------------------------------------------------------


def finding(outcome: Outcome, *, changed: bool) -> str:
    """What the experiment finds at a glance, if it says so; how many of the paper's observations
    hold, and the first of those that do not."""
    at_a_glance = outcome.experiment.finding
    first = f"{at_a_glance(outcome.table)} " if at_a_glance else ""
    return first + _held(outcome, changed=changed)


def _held(outcome: Outcome, *, changed: bool) -> str:
    if not outcome.checks:
        return _extremes(outcome)
    sentence = f"{held(outcome.checks, 'with these values' if changed else 'here')}."
    failing = [claim.says for claim, check in outcome.checks if check.holds is False]
    if not failing:
        return sentence
    others = f" And {counted(len(failing) - 1, 'other')}." if failing[1:] else ""
    return f"{sentence} Does not hold: “{failing[0]}”{others}"


def _extremes(outcome: Outcome) -> str:
    """The highest and the lowest value of a table without claims."""
    chart, table = outcome.experiment.chart, outcome.table
    if "metric" not in table or chart.y not in table or table[chart.y].dropna().empty:
        return f"{counted(len(table), 'row')}."
    value = percent if is_percent(chart.y_title) else "{:.2f}".format
    values = table[chart.y].reset_index(drop=True)
    if len(least(values, value)) == values.notna().sum():
        sentence = f"{value(values.min())} everywhere"
    else:
        low, high = (_titles(table, rows(values, value)) for rows in (least, greatest))
        sentence = f"From {value(values.min())} ({low}) to {value(values.max())} ({high})"
    return f"{sentence}."


def _titles(table: pd.DataFrame, rows: Sequence[str]) -> str:
    """The metrics of some rows, by their numbers."""
    return named([metric_title(name) for name in table["metric"].iloc[[*map(int, rows)]].unique()])


# The claims ---------------------------------------------------------------------------------------


def claim_list(
    checks: Sequence[tuple[Claim | CardClaim, Check]],
    label: str = "Observations of the paper",
    *,
    counts: str = "",
) -> Markup:
    """Each claim with its mark, the numbers it was checked by and, for a paper's, its place.

    counts  where the numbers stand that the claims count: a link
    """
    checked = [(claim, check, MARKS[check.holds]) for claim, check in checks]
    return render("claims", "claims", checked=checked, label=label, counts=counts)


def tally_line(outcome: Outcome) -> Markup:
    """How many figures match and how many observations hold, for the gallery."""
    n, matching = outcome.figures_matched
    figures = (
        f"{matching} of {counted(n, 'figure')} {'matches' if n == 1 else 'match'}" if n else ""
    )
    return waiting("; ".join(filter(None, (figures, held(outcome.checks)))) or "nothing to compare")


def waiting(words: str) -> Markup:
    """The line of an experiment in the gallery."""
    return render("claims", "tally", words=words)


def overall(outcomes: Sequence[Outcome], *, n_waiting: int = 0) -> str:
    """How many of the papers' figures match and observations hold; `n_waiting` experiments have not
    run yet."""
    matched = (outcome.figures_matched for outcome in outcomes)
    n, matching = (sum(counts) for counts in zip((0, 0), *matched, strict=True))
    figures = f"{matching} of {counted(n, 'recomputed figure')} match the printed ones" if n else ""
    checks = [pair for outcome in outcomes for pair in outcome.checks]
    parts = (
        "; ".join(filter(None, (figures, held(checks, "when recomputed"))))
        or "The experiments are being run"
    )
    return f"{parts}.{f' {n_waiting} more to be run.' if n_waiting else ''}"


def heading(name: str, title: str) -> Markup:
    """A paper's name and title above its experiments."""
    return render("claims", "paper", name=name, title=title)


def about(experiment: Experiment) -> Markup:
    """The paper, the place in it, and the set-up in words."""
    return render("claims", "about", experiment=experiment)


# Tables -------------------------------------------------------------------------------------------


NOT_READ = ("_other", "_should")


def readable_table(table: pd.DataFrame, chart: Chart, title: str = "") -> Table:
    """The table as pages show it: titles of metrics, fractions in percent, plain headings; numbers
    with two decimals, but for counts. Without scores by another reading and what should change."""
    names = [str(name) for name in table if not str(name).endswith(NOT_READ)]
    return Table(table, [_readable(table[name], name, chart) for name in names], title)


def _readable(values: pd.Series, name: str, chart: Chart) -> Column:
    head = metric_title(name) if name in ROW_IDS else heading_of(name)
    if name == "metric" or values.isin(ROW_IDS).all():
        return Column(head, metric_title, (name,))
    if values.isin([*RATIOS]).all():
        return Column(head, RATIOS.__getitem__, (name,))
    if not is_numeric_dtype(values):
        return Column(head, None, (name,))
    titles = {chart.y: chart.y_title, chart.x: chart.x_title, chart.facet: chart.facet_title}
    if name in _FRACTIONS or is_percent(titles.get(name, "")):
        return Column(f"{head} %", percent, (name,), PLAIN)
    is_count = not (values.dropna() % 1).any()
    return Column(head, partial(written, spec=",.0f" if is_count else ".2f"), (name,), PLAIN)


def rest_of(outcome: Outcome) -> str:
    """How many rows of the table are shown."""
    all_, drawn = (counted(len(table), "row") for table in (outcome.table, outcome.drawn))
    return f"The table shows {drawn}. The file below has all {all_}."


# What a perturbation should do --------------------------------------------------------------------


def expectations(table: pd.DataFrame, *, changed: bool) -> Markup:
    """What recall and precision should do, and under which metrics they do it."""
    if table.empty:
        cannot = "The effect of these steps on recall and precision cannot be predicted."
        return note(cannot if changed else "These steps find nothing to change here.")
    expected = [
        (_SHOULD[rows["expected"].iloc[0]].format(str(measure).capitalize()), _outcomes(rows))
        for measure, rows in table.groupby("measure", sort=False)
    ]
    return render("claims", "expectations", expected=expected)


_SHOULD = {
    SAME: "{} should not change: no correct link comes or goes.",
    NOT_FALL: "{} should not fall: no correct link is removed.",
    RISE: "{} should rise: the response got better.",
    FALL: "{} should fall: the response got worse.",
}


def _outcomes(rows: pd.DataFrame) -> list[tuple[Mark, str, list[tuple[str, float]]]]:
    """(mark, words, changes by metric) of the metrics that do as expected, then of the others."""
    outcomes = []
    for kept, words in ((True, "met by"), (False, "not met by")):
        own = rows[rows["kept"] == kept]
        if not own.empty:
            changes = list(zip(own["metric"], own["change"], strict=True))
            outcomes.append((MARKS[kept], words, changes))
    return outcomes


# Printed figures beside the computed ones → a sentence, text and HTML -----------------------------

DIFFERS = "≠"

LEGEND = f"{DIFFERS}: a unit of the last printed digit or more apart."
OTHER_WAY = f"{DIFFERS}: another direction."
ARROWS = {"up": " ↑", "down": " ↓", "the same": " =", "": ""}

MOST_COLUMNS = 16

_NEAR = 1e-9


@dataclass(frozen=True)
class PrintedPair:
    """A printed figure and the computed one, with as many digits; "" where nothing is computed."""

    printed: str = ""
    computed: str = ""
    says: str = ""

    @property
    def differs(self) -> bool:
        return bool(self.says)

    def told(self, end: str) -> str:
        """What is printed or what is computed, in a cell of text."""
        mark = f"{DIFFERS} " if self.differs and end == "computed" else ""
        return mark + (getattr(self, end) or "–")


@dataclass(frozen=True)
class FigureRow:
    """A system or response: its name, and its figures."""

    header: str
    pairs: Sequence[PrintedPair]

    @property
    def is_computed(self) -> bool:
        return any(pair.computed for pair in self.pairs)


@dataclass(frozen=True)
class FigureTable:
    """A paper's table: the heads of its columns in groups, and its rows."""

    groups: Sequence[tuple[str, Sequence[str]]]
    rows: Sequence[FigureRow]

    @property
    def n_columns(self) -> int:
        return sum(max(1, len(heads)) for _, heads in self.groups)


def with_digits_of(cell: str, value: float, *, percent: bool = False) -> str:
    """A computed number with as many digits as the printed one, two if it is in percent and none is
    printed; "" if there is none."""
    if pd.isna(value):
        return ""
    if cell in NOTHING:
        return written(value) if percent or value % 1 else count(value)
    if "/" in cell:
        exact = Fraction(value).limit_denominator(10_000)
        return str(exact) if abs(value - exact) < _NEAR else written(value, ".4f")
    comma = "," if "," in cell else ""
    return written(value, f"{comma}.{len(cell.partition('.')[2])}f")


def sentence(beside: pd.DataFrame, printed: Printed, *, ran_on: str = "") -> str:
    """How many figures match, and their unit.

    ran_on  what the computed ones were computed on, where that is not the paper's own data
    """
    unit = " In percent." if beside["percent"].all() else ""
    both = comparable(beside)
    if both.empty:
        return f"As in the paper, nothing recomputed.{unit}"
    if ran_on or not printed.same_data:
        on = f"Printed for the paper's systems, computed on {ran_on or 'other data'}.{unit}"
        return f"{on} {_directions(beside, printed)}".strip()
    n, off = len(both), int(both["differs"].sum())
    if not off:
        match = f"All {n} recomputed figures match" if n > 1 else "The recomputed figure matches"
        return f"{match} the printed value to within its last digit.{unit}"
    differ = f"{off} {'differs' if off == 1 else 'differ'} ({DIFFERS})"
    match = f"{n - off} of {counted(n, 'recomputed figure')} match"
    return f"{match} the printed value to within its last digit; {differ}.{unit}"


def _directions(beside: pd.DataFrame, printed: Printed) -> str:
    """Against what the arrows are, and how many effects go the same direction."""
    if not printed.base:
        return ""
    known = beside[(beside["printed_effect"] != "") & (beside["computed_effect"] != "")]
    same = len(known) - int(known["differs"].sum())
    return (
        f"↑, ↓ and =: above, below or the same as {' and '.join(dict.fromkeys(printed.base))}. "
        f"{same} of {counted(len(known), 'effect')} {'goes' if len(known) == 1 else 'go'} in the "
        "printed direction."
    )


# Text ---------------------------------------------------------------------------------------------


def text_table(beside: pd.DataFrame, printed: Printed, *, ran_on: str = "") -> Table:
    """A line for each row of the paper, and for each figure what is printed and computed."""
    columns: list[str | Column] = [Column(name, str, (name,)) for name in printed.on]
    names = dict.fromkeys(_row_name(row, printed.on) for row in beside.to_dict("records"))
    rows = pd.DataFrame([*names], columns=[*printed.on])
    for figure, of_figure in beside.groupby("figure", sort=False):
        title = heading_of(str(figure)) + (PERCENT if of_figure["percent"].all() else "")
        pairs = {_row_name(row, printed.on): _pair(row) for row in of_figure.to_dict("records")}
        of_rows = [pairs.get(name, PrintedPair()) for name in names]
        for end in ("printed", *["computed"] * bool(of_figure["computed"].notna().any())):
            name = f"{title} {end}"
            columns.append(Column(name, str, (name,), PLAIN))
            rows[name] = [pair.told(end) for pair in of_rows]
    about = sentence(beside, printed, ran_on=ran_on)
    legend = [OTHER_WAY if printed.base else LEGEND] * bool(beside["differs"].any())
    return Table(rows, columns, notes=(about, *legend))


# HTML ---------------------------------------------------------------------------------------------


def html_table(table: FigureTable, caption: str) -> Markup:
    """The table of a paper: for each row what is printed and, below it, what is computed."""
    return render("printed", "table", table=table, caption=caption)


def as_table(beside: pd.DataFrame, on: Sequence[str]) -> FigureTable:
    """`Outcome.beside` with one row per response and its metrics as columns, as papers have it;
    one row per metric where that would be too wide, or there is one response alone."""
    across = ("metric",) if "metric" in on and len(on) > 1 else ()
    rows = beside.to_dict("records")
    if len({(_row_name(row, across), row["figure"]) for row in rows}) > MOST_COLUMNS:
        across = ()
    down = [name for name in on if name not in across]
    pairs = {
        (_row_name(row, down), _row_name(row, (*across, "figure"))): _pair(row) for row in rows
    }
    with_figures = {column for (_, column), pair in pairs.items() if pair != PrintedPair()}
    filled = [c for c in dict.fromkeys(column for _, column in pairs) if c in with_figures]
    metrics = [*dict.fromkeys(column[:-1] for column in filled)]
    columns = sorted(filled, key=lambda column: metrics.index(column[:-1]))
    names = dict.fromkeys(name for name, _ in pairs)
    return FigureTable(
        [*_groups(columns, _units(beside))],
        [
            FigureRow(
                escaped(", ".join(map(_row_label, down, name))),
                [pairs.get((name, column), PrintedPair()) for column in columns],
            )
            for name in names
        ],
    )


def _groups(
    columns: Sequence[tuple[str, ...]], units: Mapping[str, str]
) -> Iterator[tuple[str, Sequence[str]]]:
    """The heads of the columns under the metric that they are of; one alone needs no name."""
    is_alone = len({figure for *_, figure in columns}) == 1
    for metric, group in groupby(columns, key=lambda column: column[:-1]):
        heads = [heading_of(figure) + units[figure] for *_, figure in group]
        title = escaped(metric_title(metric[0])) if metric else ""
        yield title, [] if is_alone and title else heads


def _units(beside: pd.DataFrame) -> dict[str, str]:
    """What is written behind each figure's name: " %" where not all are in percent."""
    every = bool(beside["percent"].all())
    percent = beside.groupby("figure")["percent"].all()
    return {str(name): PERCENT if one and not every else "" for name, one in percent.items()}


def _row_label(column: str, word: str) -> str:
    """A value of a column that names rows: the title of a metric, "F1 of coreference links"."""
    if column in ("metric", "other"):
        return metric_title(word)
    first, space, rest = word.partition(" ")
    return RATIOS.get(first, first) + space + rest


# Cells --------------------------------------------------------------------------------------------


def _pair(row: Mapping[Hashable, Any]) -> PrintedPair:
    printed, value = row["printed"], row["computed"]
    computed = with_digits_of(printed, value, percent=row["percent"])
    effects = row.get("printed_effect", ""), row.get("computed_effect", "")
    if any(effects):
        says = f"{effects[0]} in print, {effects[1]} here" if row["differs"] else ""
        printed, computed = (
            f"{number}{ARROWS[effect]}"
            for number, effect in zip((printed, computed), effects, strict=True)
        )
        return PrintedPair(printed, computed, says)
    if not row["differs"]:
        return PrintedPair(printed, computed)
    apart = value - float(Fraction(printed.replace(",", "")))
    says = f"{abs(apart):.4g} {'more' if apart > 0 else 'less'} than printed"
    return PrintedPair(printed, computed, says)


def _row_name(row: Mapping[Any, Any], on: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in on)


# The conformance sheet → a sentence, HTML and a table ---------------------------------------------

SHEET_NOTE = (
    "✓ the preferred answer, ✗ the other answer, – there are reasons for either. The numbers are "
    "below."
)


def sheet_sentence(sheet: pd.DataFrame) -> str:
    """How many questions each metric gives the preferred answer to, and what is not judged."""
    wanted = sheet[sheet["wanted"].notna()]
    n = wanted["question"].nunique()
    passed = wanted["passes"].astype(bool).groupby(wanted["metric"]).sum()
    best = passed.max()
    first = [name_of(metric) for metric in METRIC_IDS if passed[metric] == best]
    rest = [f"{name_of(m)} {passed[m]}" for m in METRIC_IDS if passed[m] < best]
    others = f"; {listed(rest)}" if rest else ""
    return (
        f"Of {counted(n, 'question')} with a preferred answer, {listed(first)} "
        f"{'gives' if len(first) == 1 else 'give'} it to {'all' if best == n else best}{others}. "
        f"{_not_judged(sheet)}"
    )


def _not_judged(sheet: pd.DataFrame) -> str:
    """How many questions have reasons for either answer, and who answers no to them."""
    rows = sheet[sheet["wanted"].isna()]
    n = rows["question"].nunique()
    noes = (~rows["answer"].astype(bool)).groupby(rows["metric"]).sum()
    named = listed(f"{name_of(metric)} to {noes[metric]}" for metric in METRIC_IDS if noes[metric])
    who = f" The answer is no for {named}." if named else ""
    return (
        f"{counted(n, 'question')} with reasons for either answer {'is' if n == 1 else 'are'} not "
        f"judged.{who}"
    )


def sheet_rows(sheet: pd.DataFrame) -> Markup:
    """One row per question, one column per of the six; the numbers on hover."""
    questions = []
    for _, rows in sheet.groupby("question", sort=False):
        by_metric = rows.set_index("metric").loc[list(METRIC_IDS)]
        answers = [
            (MARKS[passes], "yes" if answer else "no", numbers)
            for passes, answer, numbers in zip(
                by_metric["passes"], by_metric["answer"], by_metric["numbers"], strict=True
            )
        ]
        questions.append((rows["asks"].iloc[0], rows["source"].iloc[0], answers))
    heads = ["", *map(title, METRIC_IDS)]
    return render("claims", "sheet", metrics=heads, questions=questions)


def sheet_numbers(sheet: pd.DataFrame) -> pd.DataFrame:
    """The numbers behind the answers: one row per question, one column per metric."""
    numbers = sheet.pivot_table(
        index="asks", columns="metric", values="numbers", aggfunc="first", sort=False
    )
    return numbers[list(METRIC_IDS)].rename(columns=name_of).rename_axis("question").reset_index()
