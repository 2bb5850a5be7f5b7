"""The comparison of the two systems that are loaded, cached by their files, policies and draws."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from corescore.arrays import FloatArray
from corescore.dashboard.state import Loaded
from corescore.dashboard.wording import SIX
from corescore.explain.mention import Explanation, explain_mention
from corescore.explain.shares import find_mention
from corescore.responses.pair import Pair
from corescore.scoring import Policies, Result

Draws = tuple[int, int]


def pair(loaded: Loaded, *, trials: int, seed: int) -> Pair:
    """System A against system B, tested by that many random draws."""
    a, b = (system.result for system in loaded.systems)
    return _pair(_stamps(loaded), a.policies, (trials, seed), a, b)


@st.cache_resource(
    max_entries=16,
    show_spinner="Exchanging the two outputs at random",
    hash_funcs={Policies: repr},
)
def _pair(
    stamps: tuple[str, ...], policies: Policies, draws: Draws, _a: Result, _b: Result
) -> Pair:
    trials, seed = draws
    return _a.compare(_b, trials=trials, seed=seed)


def randomised(loaded: Loaded, compared: Pair, metric: str, *, measure: str) -> FloatArray:
    """(trials,) the differences that chance made: `Pair.randomised`."""
    draws = (compared.trials, compared.seed)
    policies = compared.a.policies
    return _randomised(_stamps(loaded), policies, draws, metric, measure, compared)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={Policies: repr})
def _randomised(
    stamps: tuple[str, ...],
    policies: Policies,
    draws: Draws,
    metric: str,
    measure: str,
    _pair: Pair,
) -> FloatArray:
    return _pair.randomised(metric, measure=measure)


def mentions(loaded: Loaded, compared: Pair, metric: str) -> pd.DataFrame:
    """What each system makes of each mention of the key: `Pair.mentions`."""
    return _mentions(_stamps(loaded), compared.a.policies, metric, compared)


@st.cache_resource(
    max_entries=32, show_spinner="Comparing mention by mention", hash_funcs={Policies: repr}
)
def _mentions(
    stamps: tuple[str, ...], policies: Policies, metric: str, _pair: Pair
) -> pd.DataFrame:
    return _pair.mentions(metric)


def explained(
    loaded: Loaded, document: str, span: tuple[int, int], *, side: str
) -> dict[str, list[Explanation]]:
    """By the systems' letters, what each of the six gives a mention of one side and why; nothing
    where that system lacks it."""
    results = loaded.results
    policies = results["A"].policies
    return _explained(_stamps(loaded), policies, document, span, side, results)


@st.cache_resource(max_entries=256, show_spinner=False, hash_funcs={Policies: repr})
def _explained(
    stamps: tuple[str, ...],
    policies: Policies,
    document: str,
    span: tuple[int, int],
    side: str,
    _results: Mapping[str, Result],
) -> dict[str, list[Explanation]]:
    told = {}
    for letter, result in _results.items():
        start, end = span
        found = find_mention(result.comparison, side=side, document=document, start=start, end=end)
        six = [metric for metric in result.metrics if metric.id in SIX]
        told[letter] = (
            [] if found is None else explain_mention(result.comparison, six, found, side=side)
        )
    return told


def _stamps(loaded: Loaded) -> tuple[str, ...]:
    return tuple(stamp for system in loaded.systems for stamp in system.stamps)
