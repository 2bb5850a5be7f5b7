"""One cell of a CoNLL-UA column: `)(EntityID=1|MarkableID=markable_2|Min=4,5|ElementOf=7`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

NOTHING = ("_", "-", "")
_OPENS = re.compile(r"\(([^()]*)")
_CLOSES = re.compile(r"([^()]*)\)")


@dataclass(frozen=True)
class Opening:
    """A bracket that opens with these fields, by their names in small letters without "_"."""

    fields: Mapping[str, str]

    def get(self, *names: str) -> str:
        """The first of these fields that is there; "" if none is."""
        return next((self.fields[name] for name in names if self.fields.get(name)), "")


@dataclass(frozen=True)
class Closing:
    """A bracket that closes the mention of this id; "" for the one that was opened last."""

    markable: str


def parse_ua_cell(cell: str) -> list[Opening | Closing] | None:
    """The brackets of a cell in the order written; None if it is something else."""
    if cell in NOTHING:
        return []
    found = list(_brackets(cell))
    return None if None in found else [bracket for bracket in found if bracket]


def _brackets(cell: str) -> Iterator[Opening | Closing | None]:
    at = 0
    while at < len(cell):
        if opens := _OPENS.match(cell, at):
            pairs = [pair.partition("=") for pair in opens[1].rstrip("@|").split("|")]
            fields = {name.replace("_", "").lower(): value for name, _, value in pairs}
            yield Opening(fields) if all(equals for _, equals, _ in pairs) else None
            at = opens.end()
            if cell[at : at + 1] == ")":
                yield Closing("")
                at += 1
        elif closes := _CLOSES.match(cell, at):
            yield Closing(closes[1].strip("@|"))
            at = closes.end()
        else:
            yield None
            return


def positions_in(value: str) -> tuple[str, str] | None:
    """The first and the last word id of `Min=4`, `Min=4,5` or `Min=4-7`; None if there is none."""
    ids = [part for part in re.split(r"[,-]", value) if part]
    return (ids[0], ids[min(1, len(ids) - 1)]) if ids else None
