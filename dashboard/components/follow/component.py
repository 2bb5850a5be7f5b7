"""A click on a row or a point that follows the page's link to the text."""

import streamlit as st

from dashboard.components.assets import script


def follow_link(clicks: int) -> None:
    """Follow the link in the container "read" when the number of clicks has grown."""
    component = st.components.v2.component(
        "corescore_follow", js=script("clicks.js", "follow/follow.js")
    )
    component(key="follow", data={"clicks": clicks})
