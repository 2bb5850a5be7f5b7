"""Results are cached by what they are made of, and forgotten with the uploads among that."""

from collections.abc import Callable, Iterator, Mapping, Set
from inspect import signature
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

import streamlit as st

from corescore.counting.policies import Policies
from dashboard.session.files import stamps_in
from dashboard.session.life import held
from dashboard.session.loaded import BY_CONTENT

Given = ParamSpec("Given")
Made = TypeVar("Made")
By = dict[str | type[Any], Callable[[Any], Any]]


class Cached(Generic[Given, Made]):
    """A function whose results are kept, as `st.cache_resource` keeps them."""

    def __init__(
        self, work: Callable[Given, Made], *, most: int | None, spinner: bool | str, by: By
    ) -> None:
        self._signature, self._by = signature(work), {Policies: repr, **BY_CONTENT, **by}
        self._of_uploads: set[Any] = set()  # what results were made of, where that names some
        self._changing = Lock()

        def make(made_of: Any, _given: Any, _named: Any) -> Made:
            return work(*_given, **_named)

        make.__module__, make.__qualname__ = work.__module__, work.__qualname__  # as it is known by
        self._kept: Any = st.cache_resource(max_entries=most, show_spinner=spinner)(make)
        self.__doc__, self.__name__ = work.__doc__, work.__qualname__
        held.on_release(self.forget)

    def __call__(self, *given: Given.args, **named: Given.kwargs) -> Made:
        made_of = self._of(*given, **named)
        stamps = held.among(_texts(made_of))
        made: Made = self._kept(made_of, given, named)
        if stamps:
            with self._changing:
                self._of_uploads.add(made_of)
            if stamps - held.among(stamps):  # let go meanwhile
                self.forget(stamps)
        return made

    def _of(self, *given: Any, **named: Any) -> tuple[tuple[str, Any], ...]:
        """By what the result is kept: the arguments but those that begin with an underscore."""
        arguments = self._signature.bind(*given, **named).arguments
        return tuple(
            (name, _plain(self._by[type(value)](value) if type(value) in self._by else value))
            for name, value in arguments.items()
            if not name.startswith("_")
        )

    def forget(self, stamps: Set[str]) -> None:
        """Let go of what was made of uploads."""
        with self._changing:
            gone = {of for of in self._of_uploads if not stamps.isdisjoint(_texts(of))}
            self._of_uploads -= gone
        for of in gone:
            self._kept.clear(of, (), {})

    def clear(self) -> None:
        """Let go of all results."""
        self._kept.clear()


def cached(
    max_entries: int | None = None, show_spinner: bool | str = False, *, by: By | None = None
) -> Callable[[Callable[Given, Made]], Cached[Given, Made]]:
    """Keep the results of a function that may be made of uploads, for all sessions.

    by  of types of arguments: what such an argument is told apart by, if not as in `BY_CONTENT`. An
        argument whose name begins with an underscore does not count
    """

    def of(work: Callable[Given, Made]) -> Cached[Given, Made]:
        return Cached(work, most=max_entries, spinner=show_spinner, by=by or {})

    return of


def _plain(value: Any) -> Any:
    """A list or a mapping as a tuple, which can be kept in a set."""
    if isinstance(value, Mapping):
        value = [*value.items()]
    return tuple(map(_plain, value)) if isinstance(value, list | tuple) else value


def _texts(value: Any) -> Iterator[str]:
    """The texts in it that may tell of uploads."""
    if isinstance(value, str):
        yield from stamps_in(value)
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)
