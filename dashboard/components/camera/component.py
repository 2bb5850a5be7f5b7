"""The camera of charts saves them dark on white, with their font."""

import streamlit as st

from dashboard.components.assets import script


def save_on_paper() -> None:
    """Have the camera of every chart save it as it would stand on paper; to be called once on every
    page."""
    component = st.components.v2.component("corescore_camera", js=script("camera/camera.js"))
    component(key="camera")
