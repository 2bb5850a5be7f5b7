"""The policies that scores depend on: a box for each, its selection in the URL."""

import streamlit as st

from corescore.counting.policies import Policies
from corescore.metrics import SCORE_IDS, name_of
from dashboard.session.url_names import SETTINGS
from dashboard.widgets.selection import pick

POLICIES = [name for name, of in SETTINGS.items() if of.meaning == "policy"]


def has_ids_in_url() -> bool:
    """Whether a link selects something by its id, such as "drop" or "lea", not by its label."""
    labels = {name: [*of.options.values()] for name, of in SETTINGS.items() if of.options}
    labels["by"] = [*map(name_of, SCORE_IDS)]
    return any(given not in labels.get(name, [given]) for name, given in st.query_params.items())


def select_policies() -> Policies:
    """Draw a box for each policy."""
    return Policies.of({name: pick(name) for name in POLICIES})
