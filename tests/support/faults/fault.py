"""A small fault, such as one makes by hand: a text of one file that is replaced by another."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]


class FaultError(Exception):
    """A fault that cannot be made, or tests that cannot be run on it."""


@dataclass(frozen=True)
class Fault:
    """A fault and the tests of what it touches, at least one of which must fail.

    old    a text that occurs once in the file; new: what replaces it
    tests  files, or tests of a file as `file::name`
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def made_in(self, text):
        """The text of the file with the fault. Raises FaultError unless `old` occurs once."""
        n = text.count(self.old)
        if n != 1:
            raise FaultError(f"{self.name}: {self.file} has {n} × {self.old!r}; expected 1 ×")
        return text.replace(self.old, self.new)

    def check(self, root=ROOT):
        """Raises FaultError if the file or a test is missing, or `old` does not occur once."""
        if not (root / self.file).is_file():
            raise FaultError(f"{self.name}: no file {self.file}")
        self.made_in((root / self.file).read_text(encoding="utf-8"))
        for test in self.tests:
            file, _, name = test.partition("::")
            if not (root / file).is_file():
                raise FaultError(f"{self.name}: no test file {file}")
            if name and f"def {name}(" not in (root / file).read_text(encoding="utf-8"):
                raise FaultError(f"{self.name}: {file} has no test {name}")
