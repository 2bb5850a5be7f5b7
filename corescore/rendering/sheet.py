"""The conformance sheet → a sentence, HTML and a table."""

import pandas as pd
from markupsafe import Markup

from corescore.metrics import METRIC_IDS, name_of
from corescore.rendering.templates import render
from corescore.sentences.names import title
from corescore.sentences.verdicts import MARKS
from corescore.wording import counted, listed

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
    told = listed(f"{name_of(metric)} to {noes[metric]}" for metric in METRIC_IDS if noes[metric])
    who = f" They are answered no by {told}." if told else ""
    return (
        f"{counted(n, 'question')} with reasons for either answer {'is' if n == 1 else 'are'} not "
        f"judged.{who}"
    )


def sheet_rows(sheet: pd.DataFrame) -> Markup:
    """A row for each question, a column for each of the six; the numbers on hover."""
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
    """The numbers behind the answers: a row for each question, a column for each metric."""
    numbers = sheet.pivot_table(
        index="asks", columns="metric", values="numbers", aggfunc="first", sort=False
    )
    return numbers[list(METRIC_IDS)].rename(columns=name_of).rename_axis("question").reset_index()
