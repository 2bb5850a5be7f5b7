"""Start the dashboard: `corescore dashboard` ends here."""

import errno
import json
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from dashboard.session.doors import Doors
from dashboard.session.given import CARDS_VARIABLE, FILES_VARIABLE

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

FIRST_PORT = 8501
# Who remarks that a cached function is called where no page is drawn.
_NO_PAGE = "streamlit.runtime.scriptrunner_utils.script_run_context"

_THEME: dict[str, dict[str, object]] = {
    "light": {
        "primaryColor": "#3f51a5",
        "backgroundColor": "#ffffff",
        "secondaryBackgroundColor": "#f4f5f8",
        "textColor": "#1e222b",
        "borderColor": "#dcdfe6",
    },
    "dark": {
        "primaryColor": "#a3aff0",
        "backgroundColor": "#14161b",
        "secondaryBackgroundColor": "#1d2027",
        "textColor": "#e6e8ee",
        "borderColor": "#343944",
    },
}


def launch(
    key: str | None,
    responses: list[str],
    *,
    port: int | None,
    host: str,
    ahead: bool = True,
    cards: Sequence[str] = (),
) -> None:
    """Serve the dashboard until it is stopped, on these files or on the sample data.

    key, responses  files or folders; see `corescore.corpus.formats.paths.each_response`
    port  None takes the first free one from 8501. A port that is taken or not allowed is said on
          standard error, and SystemExit is raised with code 2.
    ahead  whether to compute, beside what the pages ask for, what many of them need later
    cards  files of cards; see `corescore.teaching.own_cards`
    """
    number = _free_port(host) if port is None else port
    problem = _bind_problem(host, number)
    if problem:
        print(f"corescore dashboard: {problem}", file=sys.stderr)
        raise SystemExit(2)
    paths = [str(Path(path).absolute()) for path in ([key] if key else []) + responses]
    os.environ[FILES_VARIABLE] = json.dumps(paths)
    os.environ[CARDS_VARIABLE] = json.dumps([str(Path(path).absolute()) for path in cards])
    print(f"The dashboard is at http://{_shown(host)}:{number}", flush=True)
    print("Stop it with Ctrl+C.", flush=True)
    _serve(host, number, ahead=ahead)


def _serve(host: str, port: int, *, ahead: bool) -> None:
    import streamlit  # slow to import: not before the port is known to be free
    from starlette.middleware import Middleware
    from starlette.routing import Route

    script = Path(__file__).with_name("app.py")
    probes = Route("/{page}/_stcore/{probe}", _not_here)

    @asynccontextmanager
    async def lifespan(_app: object) -> AsyncIterator[None]:
        threading.Thread(target=_compute, args=(ahead,), daemon=True).start()
        if _has_screen():
            webbrowser.open(f"http://{_shown(host)}:{port}")
        yield

    routes = [probes, Route("/overview", _home)]
    doors = Middleware(Doors, hosts=_names(host))
    app = streamlit.App(script, routes=routes, middleware=[doors], lifespan=lifespan)
    app.run(config=_config(host, port))


def _compute(ahead: bool) -> None:
    """Do what pages need before they are opened, as long as the dashboard runs."""
    _warm_up()
    if not ahead:
        return
    from dashboard.session.background import background

    background.work()


def _warm_up() -> None:
    """Do what the first page needs while the browser still loads Streamlit's own page; when that
    is drawn, import what the others need."""
    logging.getLogger(_NO_PAGE).addFilter(lambda _: False)
    from corescore import InputError
    from corescore.counting.policies import Policies
    from dashboard import navigation
    from dashboard.session import scoring, sources
    from dashboard.views import overview
    from dashboard.widgets import sidebar  # noqa: F401

    files = sources.given_files() or sources.sample_files()
    with suppress(InputError):  # the page says it
        overview.chart_of(scoring.load(files, files.responses[:2], Policies())).to_json()
    navigation.was_drawn.wait()
    navigation.import_views()
    import scipy.stats  # noqa: F401  # of the comparisons and experiments: nearly a second


def _not_here(_request: "Request") -> "Response":
    """What Streamlit's page gets when, opened at /text, it looks for the server below /text.

    It then looks at the top. A 404 would do as well, but stands in the browser's console.
    """
    from starlette.responses import Response

    return Response(status_code=304)


def _home(request: "Request") -> "Response":
    """The first page stands at "/", where its name in the side bar might be looked for, too."""
    from starlette.responses import RedirectResponse

    query = request.url.query
    return RedirectResponse(f"/?{query}" if query else "/")


def _config(host: str, port: int) -> dict[str, object]:
    theme = {
        f"theme.{name}.{option}": value
        for name, options in _THEME.items()
        for option, value in options.items()
    }
    return theme | {
        "theme.baseRadius": "small",
        "theme.headingFontSizes": ["1.6rem", "1rem", "1rem"],
        "theme.headingFontWeights": [650, 600, 600],
        "theme.paddingTop": "1rem",
        "theme.paddingBottom": "3rem",
        "global.disableWidgetStateDuplicationWarning": True,
        "server.address": host,
        "server.port": port,
        "server.allowedHosts": _names(host),
        # Whatever a config.toml of the folder or the user says
        "server.enableCORS": True,
        "server.corsAllowedOrigins": [],
        "server.enableXsrfProtection": True,
        "server.enableAgentApi": False,
        "server.trustedUserHeaders": {},
        "client.allowedOrigins": [],
        "server.headless": True,
        "server.showEmailPrompt": False,
        "server.fileWatcherType": "none",
        "browser.serverAddress": _shown(host),
        "browser.gatherUsageStats": False,
        "client.toolbarMode": "viewer",
        "client.showErrorLinks": False,
        "logger.hideWelcomeMessage": True,
        "runner.magicEnabled": False,
    }


def _has_screen() -> bool:
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def _names(host: str) -> list[str]:
    """The names that the server goes by."""
    return ["*"] if _is_everywhere(host) else [host, "127.0.0.1", "localhost"]


def _is_everywhere(host: str) -> bool:
    return host in ("0.0.0.0", "::")


def _shown(host: str) -> str:
    """The host as a browser on this machine would call it."""
    if _is_everywhere(host):
        return "localhost"
    return f"[{host}]" if ":" in host else host


def _free_port(host: str) -> int:
    ports = range(FIRST_PORT, FIRST_PORT + 100)
    return next((port for port in ports if not _bind_problem(host, port)), FIRST_PORT)


def _bind_problem(host: str, port: int) -> str | None:
    """Why nothing can be served there, or None."""
    if not 1 <= port <= 65535:
        return f"port {port} does not exist; expected 1 to 65535."
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as trial:
        if sys.platform != "win32":
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as error:
            return _advice(host, port, error)
    return None


def _advice(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken; choose another with --port, or leave --port out."
    if error.errno == errno.EACCES:
        return f"port {port} may not be used ({error.strerror}); choose one above 1023."
    return f"cannot serve at {host}:{port} ({error.strerror}); check --host."
