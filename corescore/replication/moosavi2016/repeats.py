"""Moosavi & Strube 2016, §3.2 and §4: mentions that several response entities list."""

from itertools import combinations

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.counting.policies import Policies
from corescore.metrics import title_of
from corescore.replication.claims import needing, others, points, wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.moosavi2016.data import score_rows
from corescore.replication.verdict import Reading
from corescore.scoring.scores import score_entities
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

KEY = ("abcd",)
ONCE, ONE_TWICE, PAIR_TWICE = "{ab}{cd}", "{abc}{cd}", "{ab}{cd}{cd}"
RESPONSES = {ONCE: ("ab", "cd"), ONE_TWICE: ("abc", "cd"), PAIR_TWICE: ("ab", "cd", "cd")}
EACH_TIME, AS_REFERENCE = "every listing counts", "as the reference scorer counts"
POLICIES = {EACH_TIME: Policies(repeats="all"), AS_REFERENCE: Policies(repeats="reference")}


def _repeats(setting: Setting) -> pd.DataFrame:
    """Rows (repeats, response, metric).

    Columns: repeats (how they are counted, in words), response (in brace notation), metric,
    recall, precision, f1; fractions.
    """
    tables = []
    for words, policies in POLICIES.items():
        results = {
            name: score_entities(KEY, response, policies, metrics=setting.metrics)
            for name, response in RESPONSES.items()
        }
        rows = score_rows(results, setting).rename(columns={"system": "response"})
        rows.insert(0, "repeats", words)
        tables.append(rows)
    return pd.concat(tables, ignore_index=True)


def _recall(table: pd.DataFrame, repeats: str) -> pd.DataFrame:
    """A row for each response, a column for each metric."""
    return wide(table[table["repeats"] == repeats], "response", "recall")


def _gain(table: pd.DataFrame, metric: str) -> tuple[float, str]:
    """What listing {cd} twice adds to recall where every listing counts, and the numbers."""
    recall = _recall(table, EACH_TIME)
    added = recall.T[PAIR_TWICE] - recall.T[ONCE]
    once, twice = (percent(recall[metric][name]) for name in (ONCE, PAIR_TWICE))
    rest = ", ".join(f"{title_of(m)} {points(added[m])}" for m in others(table, metric))
    numbers = f"{title_of(metric)}: recall {once} with {{cd}} once, {twice} with {{cd}} twice"
    return added[metric], f"{numbers}; the others gain: {rest}" if rest else numbers


@needing("bcub")
def _credited_every_time(table: pd.DataFrame) -> Check:
    added, numbers = _gain(table, "bcub")
    return Check(bool(added > TOLERANCE), numbers)


@needing("lea")
def _untroubled(table: pd.DataFrame) -> Check:
    added, numbers = _gain(table, "lea")
    repeated = bool(abs(added) <= TOLERANCE)
    readings = (
        Reading("two mentions are repeated together, and every listing counts", repeated),
        Reading("one mention alone is repeated", _links_once(table).holds),
        Reading("repeats count as in the reference scorer", _dropped(table).holds),
    )
    return Check(repeated, numbers, readings=readings)


@needing("lea")
def _links_once(table: pd.DataFrame) -> Check:
    """Whether LEA's recall is the share of links found where no two mentions are repeated."""
    recall = _recall(table, EACH_TIME)["lea"]
    n_links = {name: len(_links(RESPONSES[name])) for name in (ONCE, ONE_TWICE)}
    of = len(_links(KEY))
    numbers = [f"{name}: {percent(recall[name])}, {n} of {of} links" for name, n in n_links.items()]
    holds = all(abs(recall[name] - n / of) <= TOLERANCE for name, n in n_links.items())
    return Check(bool(holds), "; ".join(numbers))


def _links(entities: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {link for entity in entities for link in combinations(entity, 2)}


def _dropped(table: pd.DataFrame) -> Check:
    """Whether the reference scorer gives {cd} twice what it gives {cd} once."""
    rows = table[table["repeats"] == AS_REFERENCE]
    f1 = wide(rows, "response")[others(table)]
    if f1.empty:
        return Check(None, "none of the compared metrics is scored")
    apart = (f1.T[PAIR_TWICE] - f1.T[ONCE]).abs()
    numbers = ", ".join(f"{title_of(str(name))} {points(by)}" for name, by in apart.items())
    return Check(bool((apart <= TOLERANCE).all()), f"F1 differs by: {numbers}")


REPEATS = Experiment(
    id="moosavi2016-repeats",
    paper=MOOSAVI_2016,
    where="§3.2 and §4",
    title="What do mentions earn that the response lists twice?",
    setup=(
        "The key is one entity of four mentions, {abcd}. The response has it in halves; lists one "
        "mention, c, in both of them; or lists the second half twice. The paper has no example and "
        "does not say how repeats are counted: here once with every listing, and once as the "
        "reference scorer counts, which drops a mention that it has seen in an entity before."
    ),
    run=_repeats,
    chart=Chart("bars", x="response", y="recall", facet="repeats", y_title="recall, percent"),
    claims=(
        Claim(
            "B³ credits a mention in each of the response entities that list it.",
            "§3.2, after Luo & Pradhan 2016",
            _credited_every_time,
            note="Each response entity adds |k ∩ r|² / |k|: {cd} adds 4/4 of four mentions again.",
            id="bcub-every-time",
            scope="universal",
        ),
        Claim(
            "Repeated mentions in several response entities make no difference to LEA.",
            "§4",
            _untroubled,
            note="By the paper’s formula each response entity adds its links, so that a link "
            "between two repeated mentions counts twice. A mention repeated by itself has no such "
            "link, and the reference scorer, with which the paper scores, drops repeats first.",
            id="lea-untroubled",
            scope="universal",
        ),
        Claim(
            "Where one mention alone is repeated, no link is, and LEA counts each link once.",
            "ours, from the formula of §4",
            _links_once,
            id="lea-links-once",
            scope="property",
            ours=True,
        ),
        Claim(
            "The reference scorer drops repeats before any metric sees them.",
            "ours: the paper scores with it",
            _dropped,
            id="reference-drops",
            scope="property",
            ours=True,
        ),
    ),
)
