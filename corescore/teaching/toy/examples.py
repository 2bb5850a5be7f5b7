"""Named toys: the examples of the papers, the first with a sentence of ours."""

from dataclasses import dataclass
from string import ascii_lowercase

from corescore.bibliography import LUO_2014, MOOSAVI_2016, PRADHAN_2014, RECASENS_2011
from corescore.replication.experiment import Parameter
from corescore.replication.luo2014.boundaries import PARTING
from corescore.replication.luo2014.examples import EXAMPLES as LUO_EXAMPLES
from corescore.replication.partitions import of_sizes
from corescore.replication.pradhan2014.example import TOY
from corescore.replication.recasens2011 import table1
from corescore.replication.recasens2011.fig1 import FIGURE_1_TOY
from corescore.replication.recasens2011.table8 import SYSTEMS, eight_systems
from corescore.replication.toys import Pair
from corescore.teaching.toy.toy import Toy

_SINGLETONS = 8  # of the eight systems: the paper's 61 would not fit into a toy


@dataclass(frozen=True)
class Example:
    """A toy, what it shows, and its source."""

    title: str
    source: str
    toy: Toy

    @property
    def name(self) -> str:
        """Source and title; unique."""
        return f"{self.source}: {self.title}"


# Fits the mentions of the worked example; the response lacks e, and h and i are spurious.
SENTENCE = (
    "[a Mia] gave [d Tom] [b her] old bike because [e he] had lost [f his] own ; [h it] rained , "
    "and [c she] told [g him] so [i twice] ."
)


def _of_pair(pair: Pair) -> Toy:
    """A toy from partitions of numbers from 0; the mentions are letters."""
    key, response = (
        tuple(tuple(ascii_lowercase[mention] for mention in entity) for entity in side)
        for side in pair
    )
    return Toy(key, response)


def _of_parameters(parameters: tuple[Parameter, Parameter], text: str = "") -> Toy:
    key, response = (str(parameter.default) for parameter in parameters)
    return Toy.of(key, response, text)


_EIGHT = of_sizes([8])
_HALVES = of_sizes([4, 4])
_LUO_TITLES = (
    "a new mention and a missed one",
    "one singleton each, another",
    "three singletons each",
    "a mention missed",
)
_LUO_2005 = {
    "a": "a small entity merged with a large one",
    "b": "the two large entities merged",
    "c": "everything merged",
    "d": "everything apart",
}

EXAMPLES = (
    Example(
        "worked example",
        PRADHAN_2014.at("with a sentence of ours"),
        _of_parameters(TOY, SENTENCE),
    ),
    Example(
        "cr1, an entity in two halves",
        MOOSAVI_2016.at("Table 3"),
        _of_pair((_EIGHT, _HALVES)),
    ),
    Example(
        "cr2, one half of it",
        MOOSAVI_2016.at("Table 3"),
        _of_pair((_EIGHT, _HALVES[:1])),
    ),
    Example(
        "fourteen mentions",
        RECASENS_2011.at("Figure 1"),
        _of_parameters(FIGURE_1_TOY),
    ),
    *(
        Example(
            f"response {letter}, {about}",
            RECASENS_2011.at("Table 1"),
            _of_pair((table1.KEY, table1.RESPONSES[letter])),
        )
        for letter, about in _LUO_2005.items()
    ),
    *(
        Example(
            f"system {letter}, {about}",
            RECASENS_2011.at(f"Tables 8 to 11 with {_SINGLETONS} singletons"),
            _of_pair(pair),
        )
        for (letter, about), pair in zip(SYSTEMS.items(), eight_systems(_SINGLETONS), strict=True)
    ),
    *(
        Example(about, LUO_2014.at("toy examples"), Toy.of(*example))
        for about, example in zip(_LUO_TITLES, LUO_EXAMPLES, strict=True)
    ),
    Example(
        "where two BLANCs part",
        LUO_2014.at("boundary cases"),
        Toy.of(*PARTING),
    ),
)
