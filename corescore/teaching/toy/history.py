"""What was done to a toy, to be undone and done again."""

from dataclasses import dataclass, replace

from corescore.teaching.toy.toy import Toy

MOST_KEPT = 200


@dataclass(frozen=True)
class History:
    """The toys one after the other, the oldest of more than 200 forgotten.

    at      which of them is shown
    before  the toy that was shown before this one, whichever way it was left; None at first
    """

    toys: tuple[Toy, ...]
    at: int = 0
    before: Toy | None = None

    @property
    def toy(self) -> Toy:
        """The toy that is shown."""
        return self.toys[self.at]

    @property
    def can_undo(self) -> bool:
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        return self.at < len(self.toys) - 1

    def then(self, toy: Toy) -> "History":
        """With another toy after the one shown, and none after that; the same one is no change.

        The toy of the step before or after goes there, so that the browser's Back undoes.
        """
        if toy == self.toy:
            return self
        if self.can_undo and toy == self.toys[self.at - 1]:
            return self.undone()
        if self.can_redo and toy == self.toys[self.at + 1]:
            return self.redone()
        toys = (*self.toys[: self.at + 1], toy)[-MOST_KEPT:]
        return History(toys, len(toys) - 1, self.toy)

    def undone(self) -> "History":
        """A step back, where there is one."""
        return self._step(self.at - 1) if self.can_undo else self

    def redone(self) -> "History":
        """A step forward again, where there is one."""
        return self._step(self.at + 1) if self.can_redo else self

    def _step(self, at: int) -> "History":
        return replace(self, at=at, before=self.toy)
