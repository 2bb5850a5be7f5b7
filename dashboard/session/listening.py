"""Where the server listens: its socket, the names that it goes by, and the URL that opens it."""

import errno
import ipaddress
import socket
import sys
from contextlib import suppress

FIRST_PORT = 8501
ALONE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
_QUEUE = 2048  # connections that wait while Streamlit is imported
_ELSEWHERE = ("192.0.2.1", 9)  # an address of examples (RFC 5737), to which nothing is sent


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens there; on the first free port from 8501 if it is None.

    Raises OSError, with advice, if nothing can be served there.
    """
    if port is not None and not 1 <= port <= 65535:
        raise OSError(f"port {port} does not exist; expected 1 to 65535.")
    for number in range(FIRST_PORT, FIRST_PORT + 99) if port is None else ():
        with suppress(_PortTakenError):
            return _opened(host, number)
    return _opened(host, FIRST_PORT + 99 if port is None else port)


class _PortTakenError(OSError):
    """Somebody else listens there."""


def _opened(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if sys.platform != "win32":  # where two could then listen on one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if host == "::":
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((host, port))
        listener.listen(_QUEUE)
    except OSError as error:
        listener.close()
        raise _told(host, port, error) from error
    return listener


def _told(host: str, port: int, error: OSError) -> OSError:
    if error.errno == errno.EADDRINUSE:
        return _PortTakenError(
            f"port {port} is taken; choose another with --port, or leave --port out."
        )
    if error.errno == errno.EACCES:
        return OSError(f"port {port} may not be used ({error.strerror}); choose one above 1023.")
    return OSError(f"cannot serve at {host}:{port} ({error.strerror}); check --host.")


def names(host: str) -> list[str]:
    """The names that the server goes by; "*" is any."""
    return ["*"] if is_everywhere(host) else [host, ALONE, "localhost"]


def is_everywhere(host: str) -> bool:
    """Whether that is every address of the machine."""
    return host in (EVERYWHERE, "::")


def is_alone(host: str) -> bool:
    """Whether only this machine reaches the server."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def url(host: str, port: int, token: str) -> str:
    """What opens the app, from other machines too if they reach it."""
    place = own_address() if is_everywhere(host) else host
    shown = f"[{place}]" if ":" in place else place
    return f"http://{shown}:{port}" + (f"/?token={token}" if token else "")


def own_address() -> str:
    """The address of this machine in its network, as its own table of routes tells it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_ELSEWHERE)
        except OSError:
            return "localhost"
        return str(asking.getsockname()[0])
