"""Entities out of links between two mentions each."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)


def linked(names: Iterable[Name], links: Iterable[tuple[Name, Name]]) -> dict[Name, Name]:
    """For each mention the one that stands for its entity, the same for all that are linked."""
    parent = {name: name for name in names}

    def top(name: Name) -> Name:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for first, second in links:
        parent[top(second)] = top(first)
    return {name: top(name) for name in parent}
