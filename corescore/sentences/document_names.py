"""Names of documents, so short that a column of a table holds what tells them apart."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import takewhile

LONGEST = 26  # characters of a name that is not shortened
NARROW = 18  # the same in a column of a table
_LEAST = 8  # characters that all names begin with, for these to be left out


def common_beginning(names: Iterable[str], *, longest: int = LONGEST) -> str:
    """What all names begin with, up to a "_", "-", ".", "/" or space, where the longest is too long
    to be shown; "" where this is hardly anything, or there is one name only."""
    every = [*dict.fromkeys(names)]
    if len(every) < 2 or max(map(len, every)) <= longest:
        return ""
    pairs = zip(min(every), max(every), strict=False)  # what these begin with, all do
    alike = "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    start = re.match(r".*[-_./ ]", alike, re.DOTALL)
    return start[0] if start and len(start[0]) >= _LEAST and start[0] not in every else ""


def told_apart(names: Iterable[str], *, longest: int = LONGEST) -> Mapping[str, str]:
    """By each name, the name as it is shown: one that is too long without what all begin with, then
    without its middle, "…" in its place. A name that would look like another is shown whole."""
    every = [*dict.fromkeys(names)]
    start = common_beginning(every, longest=longest)
    short = {name: _short(f"…{name[len(start) :]}" if start else name, longest) for name in every}
    times = Counter(short.values())
    return {name: brief if times[brief] == 1 else name for name, brief in short.items()}


def _short(name: str, longest: int) -> str:
    if len(name) <= longest:
        return name
    end = longest // 2
    return f"{name[: longest - end - 1]}…{name[-end:]}"
