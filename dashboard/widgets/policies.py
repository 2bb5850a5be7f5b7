"""The policies that scores depend on: a box for each, its selection in the URL."""

import streamlit as st

from corescore.counting.policies import Policies
from dashboard.session.url_names import SETTINGS
from dashboard.widgets.selection import pick

POLICIES = {
    name: (of.label, of.options, of.help) for name, of in SETTINGS.items() if of.meaning == "policy"
}


def has_ids_in_url() -> bool:
    """Whether a link selects a policy by its id, such as "drop", and not by its label."""
    given = {name: st.query_params[name] for name in POLICIES if name in st.query_params}
    return any(of not in POLICIES[name][1].values() for name, of in given.items())


def select_policies() -> Policies:
    """Draw a box for each policy."""
    return Policies.of({name: pick(name) for name in POLICIES})
