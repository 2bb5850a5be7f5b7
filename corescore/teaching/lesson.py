"""The lesson: cards and sandbox exercises in order, about an hour."""

from dataclasses import dataclass

from corescore.teaching.pitfalls import PITFALLS, Pitfall
from corescore.teaching.toy.exercises import EXERCISES, Exercise

MINUTES_A_CARD, MINUTES_AN_EXERCISE = 4, 6
_CARDS = {pitfall.id: pitfall for pitfall in PITFALLS}
_EXERCISES = {exercise.id: exercise for exercise in EXERCISES}


@dataclass(frozen=True)
class Step:
    """A card or an exercise, by its id, and a sentence that leads to the next step."""

    id: str
    leads_on: str

    @property
    def pitfall(self) -> Pitfall | None:
        """The card of the step, if it is one."""
        return _CARDS.get(self.id)

    @property
    def exercise(self) -> Exercise | None:
        """The exercise of the step, if it is one."""
        return _EXERCISES.get(self.id)

    @property
    def title(self) -> str:
        """The title of the card or the exercise; KeyError if there is neither."""
        return _CARDS[self.id].title if self.id in _CARDS else _EXERCISES[self.id].title

    @property
    def minutes(self) -> int:
        """Roughly how long a class takes."""
        return MINUTES_A_CARD if self.pitfall else MINUTES_AN_EXERCISE


LESSON = (
    Step("muc-one-entity", "MUC can be pleased by merging; now do it yourself, step by step."),
    Step("muc-merging", "What MUC counts it counts too kindly, and some things it never counts."),
    Step("muc-singletons", "B³ was made to see every mention; look what it pays for one alone."),
    Step("bcub-singletons", "If a mention is paid for itself, what happens when it is taken out?"),
    Step("mentions-removed", "Take the step the other way: put mentions in, wherever they land."),
    Step("mentions-added", "You now know enough to please B³ without finding anything."),
    Step("bcub-no-link", "CEAF was the answer to that: each entity gets one partner, no more."),
    Step("ceaf-unaligned", "See for yourself what an entity without a partner is worth."),
    Step("ceaf-right-links", "One of the two CEAF counts entities, and not how large they are."),
    Step("ceafe-sizes", "Then count links, says BLANC, and also those that are not there."),
    Step("blanc-non-links", "LEA counts links and weighs entities; it has a blind spot too."),
    Step("lea-extra-mention", "If each has its own fault, does an average of three fix it?"),
    Step("conll-average", "So report several, say under which policies, and look at the links."),
)
