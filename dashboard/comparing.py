"""The comparison of the two systems that are loaded, cached by their files, policies and draws."""

import pandas as pd
import streamlit as st

from corescore.arrays import FloatArray
from corescore.dashboard.state import Loaded
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


def _stamps(loaded: Loaded) -> tuple[str, ...]:
    return tuple(stamp for system in loaded.systems for stamp in system.stamps)
