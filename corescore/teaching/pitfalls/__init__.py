"""Where metrics disagree: small examples whose claims are checked by computing them."""

from corescore.teaching.pitfalls import averaging, constraints, entities, links, mentions
from corescore.teaching.pitfalls.pitfall import Pitfall

PITFALLS: tuple[Pitfall, ...] = (
    *links.PITFALLS,
    *mentions.PITFALLS,
    *entities.PITFALLS,
    *constraints.PITFALLS,
    *averaging.PITFALLS,
)

__all__ = ["PITFALLS", "Pitfall"]
