"""What is told of one error."""

from collections.abc import Iterator

import pandas as pd
from markupsafe import Markup

from corescore.corpus.mention_types import COARSE_TYPE
from corescore.metrics import CONLL, METRIC_IDS
from corescore.rendering.templates import render
from corescore.sentences import error_list as sentences
from corescore.wording import counted

SIDES = ("key", "response")
ANTECEDENTS = {"given": "antecedent given", "antecedent": "it should be"}


def facts(row: pd.Series) -> Iterator[tuple[str, str | Markup]]:
    """What is told of an error, each with its name: a row of the error table, with context."""
    if row["fix"]:
        yield "to fix it", row["fix"]
    if row["kind"]:
        yield "kind", row["kind"]
    yield "type", f"{row['type']}{_guess(row)}"
    for side in SIDES:
        number = row[f"{side}_entity"]
        if pd.notna(number):
            size = counted(row[f"{side}_size"])
            yield f"{side} entity", f"{number}: {row[f'{side}_name']} ({size})"
    for of, name in ANTECEDENTS.items():
        if pd.notna(row[f"{of}_start"]):
            yield name, _keyword(row, of)
    if where := _where(row):
        yield "where", where


def _guess(row: pd.Series) -> str:
    """What of the type is guessed; "" for one that the file tells."""
    if not row["type_guessed"]:
        return ""
    if not row["type_by_file"]:
        return " (guessed by English rules)"
    return f" (a {COARSE_TYPE[row['type']]} by the file; which kind, by English rules)"


def _keyword(row: pd.Series, of: str) -> Markup:
    before, after = row[f"{of}_before"], row[f"{of}_after"]
    return render("errors", "keyword", before=before, words=row[of], after=after)


def _where(row: pd.Series) -> str:
    """How far the antecedent is, and what encloses the mention."""
    told = []
    distance = row["distance_sentences"]
    if pd.notna(distance):
        apart = f"{counted(distance, 'sentence')} after" if distance else "in the sentence of"
        told.append(f"{apart} the antecedent it should have")
    told += ["inside another mention"] * bool(row["nested"])
    told += ["inside quotation marks"] * bool(row["quotation"])
    return "; ".join(told)


def gains(row: pd.Series) -> list[tuple[str, str]]:
    """By metric, and for CoNLL, what the fix alone gains, in points; of those scored by."""
    names = [name for name in (*METRIC_IDS, CONLL.id) if f"cost_{name}" in row.index]
    return [(name, sentences.points(float(row[f"cost_{name}"]))) for name in names]
