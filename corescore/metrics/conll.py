"""The CoNLL average: the mean of the F1 of MUC, B³ and CEAF_e (Pradhan et al. 2012)."""

from corescore.bibliography import DENIS_2009, PRADHAN_2011
from corescore.metrics.bcub import BCUB
from corescore.metrics.card import NO_SHARED_MENTION, Card, Part
from corescore.metrics.ceaf import CEAFE
from corescore.metrics.metric import GREY, Average
from corescore.metrics.muc import MUC
from corescore.metrics.textbook import F1, Entities, Step, mean_step

_CARD = Card(
    id="conll",
    name="the CoNLL average",
    counts=(
        "Nothing of its own: it is the mean of the F1 of MUC, B³ and CEAFₑ. The shared tasks of "
        "2011 and 2012 ranked systems by it."
    ),
    parts=(
        Part(
            recall="",
            precision="",
            f1=r"\frac{F_1^{\mathrm{MUC}} + F_1^{\mathrm{B}^3} + F_1^{\mathrm{CEAF}_e}}{3}",
        ),
    ),
    symbols=((r"F_1^{\mathrm{MUC}}", "the F1 of MUC, and so on"),),
    unit="None: its three metrics count links, mentions and entities, which have no common unit.",
    one="both sides have the same entities, and one of them has two or more mentions",
    zero=NO_SHARED_MENTION,
    empty=(
        "Where neither side has a mention, it is empty. Where only MUC is empty, because there are "
        "only singletons, it counts as 0 in the mean."
    ),
    examples=(("{a}{b}", "{a}{b}"), ("", "")),
    papers=(DENIS_2009, PRADHAN_2011),
)

_MEMBERS = (MUC, BCUB, CEAFE)


def _steps(key: Entities, response: Entities) -> list[Step]:
    f1 = [member.textbook(key, response)[-1] for member in _MEMBERS if member.textbook]
    return [mean_step(F1, f1)]


CONLL = Average(
    id="conll",
    title="CoNLL",
    name="CoNLL average",
    members=tuple(member.id for member in _MEMBERS),
    colour=GREY,
    textbook=_steps,
    card=_CARD,
)
