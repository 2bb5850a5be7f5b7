"""Where metrics mislead: small examples whose claims are computed, and a lesson through them."""

from corescore.teaching.pitfalls import averaging, entities, links, mentions
from corescore.teaching.pitfalls.pitfall import Pitfall

PITFALLS: tuple[Pitfall, ...] = (
    *links.PITFALLS,
    *mentions.PITFALLS,
    *entities.PITFALLS,
    *averaging.PITFALLS,
)

__all__ = ["PITFALLS", "Pitfall"]
