"""Which cards of the gallery are about a metric."""

from corescore.metrics.card import Card
from corescore.teaching.pitfalls import PITFALLS, Pitfall


def known_flaws(card: Card) -> tuple[Pitfall, ...]:
    """The pitfalls that are about a card's metric, in the order of the gallery."""
    return tuple(pitfall for pitfall in PITFALLS if card.id in pitfall.about)
