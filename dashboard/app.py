"""The dashboard: page set-up, sidebar, navigation. `launch.py` starts it."""

from base64 import b64encode
from pathlib import Path

import streamlit as st

from corescore.rendering.html import STYLES
from dashboard.ahead import background
from dashboard.components.page import mend_browser
from dashboard.navigation import is_of_no_files, navigate, show_name, show_share
from dashboard.session.life import held
from dashboard.session.link import keep_in_tab
from dashboard.session.loaded import is_loaded, loaded_systems
from dashboard.session.streamlit_inside import this_session
from dashboard.widgets import links, selection, sidebar
from dashboard.widgets.policies import has_ids_in_url

# In the page itself: one that the browser has to fetch is gone where the page is drawn anew before.
_PICTURE = b64encode((Path(__file__).parent / "static" / "icon.png").read_bytes()).decode()
_ICON = f"data:image/png;base64,{_PICTURE}"

held.see(this_session())
with background.drawing():
    mend_browser()  # first: a page that shows nothing, for want of data, ends the run
    if has_ids_in_url():  # the boxes write labels and run the app again: on the page of the link
        navigate()
    # Before the pages can be clicked: a click cuts the run short, and boxes not yet drawn would
    # lose what the URL says.
    selected = sidebar.select()
    page = navigate()
    with st.sidebar:
        keep_in_tab()
    st.set_page_config(
        page_title=f"{page.title} · corescore",
        page_icon=_ICON,
        layout="wide",
    )
    st.html(STYLES / "page.css")
    st.logo(_ICON)
    share = show_name(page)
    if is_of_no_files(page):
        sidebar.hide_files()
    sidebar.load(selected, "" if is_of_no_files(page) else page.title)
    if is_loaded():
        background.want(loaded_systems())
    selection.enter(page.title)
    selection.follow_former_names(page.url_path)
    selection.say_refused()
    page.run()
    show_share(share)
    links.follow()
