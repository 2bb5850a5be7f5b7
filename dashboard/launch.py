"""Start the dashboard: `corescore dashboard` ends here."""

import asyncio
import gc
import json
import logging
import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from dashboard.session.access import (
    ALONE,
    CARDS_VARIABLE,
    DATA_SETS_VARIABLE,
    EVERYWHERE,
    FILES_VARIABLE,
    GENRES_VARIABLE,
    SHARED_VARIABLE,
    Doors,
    is_alone,
    listen,
    names,
    url,
)

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_LONGEST_MESSAGE = 200_000_000  # bytes, as Streamlit has it
_OPEN_FILES = 8192
# Connections that wait to be taken up. Where no more files can be opened, Python fails with all of
# them, one by one, and says so at length.
_WAITING = 128
# Seconds for which a thread that computes may keep another waiting: Python's 5 ms, once for each
# message of a page, add up to more than the page takes.
_TURN = 0.0005
_PING = 30  # seconds: so often browsers are asked whether they are still there

_COLOURS: dict[str, object] = {
    "theme.light.primaryColor": "#3f51a5",
    "theme.light.backgroundColor": "#ffffff",
    "theme.light.secondaryBackgroundColor": "#f4f5f8",
    "theme.light.textColor": "#1e222b",
    "theme.light.borderColor": "#dcdfe6",
    "theme.dark.primaryColor": "#a3aff0",
    "theme.dark.backgroundColor": "#14161b",
    "theme.dark.secondaryBackgroundColor": "#1d2027",
    "theme.dark.textColor": "#e6e8ee",
    "theme.dark.borderColor": "#343944",
}


def launch(
    key: str | None,
    responses: list[str],
    *,
    port: int | None,
    host: str | None = None,
    share: bool = False,
    token: str | None = None,
    ahead: bool = True,
    cards: Sequence[str] = (),
    data_sets: str | None = None,
    genres: str | None = None,
) -> None:
    """Serve the dashboard until it is stopped, on these files or on the sample data.

    key, responses  files or folders; see `corescore.corpus.files.each_response`
    port   None takes the first free one from 8501. A port that is taken or not allowed is said on
           standard error, and SystemExit is raised with code 2.
    host   the address to listen on; None is this machine alone, or all addresses if it is shared
    share  whether others may use it: those who have its URL
    token  what the URL contains and a browser must know; None is a new one that nobody can guess,
           "" is none, for a machine without other users
    ahead  whether to compute, beside what the pages ask for, what many of them need later
    cards  files of cards; see `corescore.teaching.own`
    data_sets  a folder of them; see `corescore.scoring.tally_files`
    genres  a table of the key's documents and their genres; see `corescore.corpus.names`
    """
    host = host or (EVERYWHERE if share else ALONE)
    try:
        listener = listen(host, port)
    except OSError as error:
        print(f"corescore dashboard: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    number = listener.getsockname()[1]
    token = secrets.token_urlsafe() if token is None else token
    files = [key, *responses] if key else responses
    os.environ[FILES_VARIABLE] = json.dumps([*map(_absolute, files)])
    os.environ[CARDS_VARIABLE] = json.dumps([*map(_absolute, cards)])
    os.environ[DATA_SETS_VARIABLE] = _absolute(data_sets)
    os.environ[GENRES_VARIABLE] = _absolute(genres)
    os.environ[SHARED_VARIABLE] = "yes" if share or not is_alone(host) else ""
    print(f"The dashboard is at {url(host, number, token)}", flush=True)
    if token:
        print("Anyone with this URL can open it and see the files that are loaded.", flush=True)
    print("Stop it with Ctrl+C.", flush=True)
    _open_more_files()
    with listener:
        _serve(listener, host, token, ahead=ahead)


def _absolute(path: str | None) -> str:
    """A path from the root on; "" for none."""
    return str(Path(path).absolute()) if path else ""


def _serve(listener: socket.socket, host: str, token: str, *, ahead: bool) -> None:
    gc.disable()  # what is imported is no garbage; `_compute` enables it
    import streamlit  # slow to import: not before the port is known to be free
    import uvicorn
    from starlette.middleware import Middleware
    from starlette.routing import Route
    from streamlit import config

    from dashboard.session.uploads import Waiting

    sys.setswitchinterval(_TURN)
    number = listener.getsockname()[1]

    @asynccontextmanager
    async def lifespan(_app: object) -> AsyncIterator[None]:
        for task, of in ((_look_after, asyncio.get_running_loop()), (_compute, ahead)):
            threading.Thread(target=task, args=(of,), daemon=True).start()
        if _has_screen():
            webbrowser.open(url(host, number, token))
        yield

    # What a file of settings in the folder or at home says could let others in, or load a theme.
    setattr(config, "get_config_files", lambda _name: [])  # noqa: B010
    config.get_config_options(
        force_reparse=True, options_from_flags=_config(host, number, tidy=not ahead)
    )
    routes = [Route("/{page}/_stcore/{probe}", _not_here), Route("/overview", _home)]
    guards = [Middleware(Doors, hosts=names(host), token=token, port=number), Middleware(Waiting)]
    script = Path(__file__).with_name("app.py")
    app = streamlit.App(script, routes=routes, middleware=guards, lifespan=lifespan)
    settings = uvicorn.Config(
        app,
        backlog=_WAITING,
        ws="websockets-sansio",
        ws_max_size=_LONGEST_MESSAGE,
        ws_ping_interval=_PING,
        ws_ping_timeout=_PING,
        ws_per_message_deflate=False,
        proxy_headers=False,
        access_log=False,
        log_level="warning",
    )
    uvicorn.Server(settings).run(sockets=[listener])


def _open_more_files() -> None:
    """Allow the process as many open files as it may have: some systems begin with 256."""
    if sys.platform != "win32":
        import resource

        low, high = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _OPEN_FILES if high == resource.RLIM_INFINITY else min(_OPEN_FILES, high)
        if resource.RLIM_INFINITY != low < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, high))


def _look_after(server: asyncio.AbstractEventLoop) -> None:
    """Do what is to be done once pages are closed, as long as the dashboard runs."""
    from dashboard.session import life

    _do("Closing unused pages", partial(life.look_after_sessions, server))


def _compute(ahead: bool) -> None:
    """Do what pages need before they are opened, as long as the dashboard runs."""
    # May fail, as where no more files can be opened: then pages do it, later
    _do("Preparing the pages", _warm_up)
    # What is imported stays: looking through it for garbage would take 0.2 s after each page.
    gc.collect()
    gc.freeze()
    gc.enable()
    if ahead:
        from dashboard.ahead import background

        _do("Computing ahead", background.work)


def _do(called: str, work: Callable[[], None]) -> None:
    """Do some work; say on standard error if it fails."""
    try:
        work()
    except Exception as error:
        from dashboard.session.background import say_failure

        say_failure(called, error)


def _warm_up() -> None:
    """Do what the first page needs while the browser still loads Streamlit's own page; when that
    is drawn, import what the others need."""
    # Who remarks that a cached function is called where no page is drawn
    remarks = logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context")
    remarks.addFilter(lambda _: False)
    from corescore import InputError
    from corescore.counting.policies import Policies
    from corescore.rendering.exhibits import Overview
    from dashboard import navigation
    from dashboard.ahead import background
    from dashboard.session import files as sources
    from dashboard.session import scoring
    from dashboard.views import overview
    from dashboard.widgets import charts, sidebar  # noqa: F401

    files = sources.given_files() or sources.sample_files()
    if files.responses:
        with suppress(InputError):  # the page says it
            loaded = scoring.load(files, files.responses[:2], Policies())
            charts.figure_of(overview.six_metrics(Overview(loaded), loaded))
    background.wait_for_pages()
    navigation.import_views()
    import scipy.stats  # noqa: F401  # of the comparisons and experiments: nearly a second


def _not_here(_request: "Request") -> "Response":
    """What Streamlit's page gets when, opened at /text, it looks for the server below /text.

    It then looks at the top. A 404 would do as well, but stands in the browser's console.
    """
    from starlette.responses import Response

    return Response(status_code=304)


def _home(request: "Request") -> "Response":
    """The first page stands at "/", where its name in the sidebar might be looked for, too."""
    from starlette.responses import RedirectResponse

    query = request.url.query
    return RedirectResponse(f"/?{query}" if query else "/")


def _config(host: str, port: int, *, tidy: bool) -> dict[str, object]:
    """Streamlit's settings; `tidy`: whether it frees after every page what that has left behind."""
    return _COLOURS | {
        "theme.baseRadius": "small",
        "theme.headingFontSizes": ["1.6rem", "1rem", "1rem"],
        "theme.headingFontWeights": [650, 600, 600],
        "theme.paddingTop": "1rem",
        "theme.paddingBottom": "3rem",
        "global.disableWidgetStateDuplicationWarning": True,
        "server.address": host,
        "server.port": port,
        "server.headless": True,
        "server.showEmailPrompt": False,
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": False,
        "client.allowedOrigins": [],  # else those of Streamlit's own servers
        "client.toolbarMode": "viewer",
        "client.showErrorLinks": False,
        "logger.hideWelcomeMessage": True,
        "runner.magicEnabled": False,
        "runner.postScriptGC": tidy,
    }


def _has_screen() -> bool:
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True
