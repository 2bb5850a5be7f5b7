"""Ctrl+C, and the signals by which the system asks a program to end: no traceback, and nothing
temporary is left behind."""

import os
import signal
import sys
from types import FrameType

_TO_END = ("SIGTERM", "SIGHUP")  # Windows lacks the second
_OFFSET = 128  # the exit code of a program that a signal ended: so much more than its number
INTERRUPTED = _OFFSET + signal.SIGINT


def end_at_once() -> None:
    """Ctrl+C ends the process at once: for the time before there is anything to tidy up."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not under `nohup`
        signal.signal(signal.SIGINT, _exit)


def tidy_up_first() -> None:
    """Ctrl+C raises KeyboardInterrupt, and the others raise SystemExit, so that temporary files
    are removed on the way out."""
    if signal.getsignal(signal.SIGINT) is _exit:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in _TO_END:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _leave)


def finish() -> None:
    """Ctrl+C is not heard any more: all is done, and the process is about to end."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _exit(number: int, _frame: FrameType | None) -> None:
    os._exit(_OFFSET + number)


def _leave(number: int, _frame: FrameType | None) -> None:
    sys.exit(_OFFSET + number)
