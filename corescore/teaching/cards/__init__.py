"""What each metric counts, in words, formulas and a worked example: a card a metric."""

from corescore.teaching.cards.card import Card
from corescore.teaching.cards.diagnostics import CONLL, LINKS, MENTIONS, RAND
from corescore.teaching.cards.six import BCUB, BLANC, CEAFE, CEAFM, LEA, MUC

CARDS = (MUC, BCUB, CEAFM, CEAFE, BLANC, LEA, CONLL, MENTIONS, LINKS, RAND)

__all__ = ["CARDS", "Card"]
