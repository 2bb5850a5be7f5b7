"""Pages opened by links with damaged values of any parameters: slower, so only in `make fuzz`."""

from string import ascii_lowercase
from urllib.parse import parse_qsl

from dashboard.navigation import SECTIONS
from dashboard.session.url_names import VIEWS as PARTS
from tests.fuzzing.damage import HOSTILE, damaged
from tests.support.pages import run

VIEWS = (*(entry.path for section in SECTIONS.values() for entry in section), *PARTS)
# Of one page or another; the same values are tried on all of them.
PARAMETERS = dict(
    parse_qsl(
        "a=cautious&b=greedy&document=lost-dog&mention=3-5&metric=lea&measure=f1&find=given:wrong"
        "&order=cost.lea&row=1&by=muc&trials=1000&seed=1&seeds=5&chance=0.5&do=drop:share%3D0.5"
        "&k=ab.c&r=a.bc&m=lea&s=f1&x=0&card=cut&part=1&upload=x&files=key.conll&data=sample+data"
        "&step=2&tab=List&made=eyJ0IjoxfQ&criterion=links&revealed=all&window=0&axis=rank"
    )
)


def pages(rng):
    """A page with up to four parameters: it is drawn without an exception."""
    names = [rng.choice((*PARAMETERS, rng.choice(ascii_lowercase))) for _ in range(4)]
    url = {name: _value(PARAMETERS.get(name, "1"), rng) for name in names[: rng.randint(1, 4)]}
    run(rng.choice(VIEWS), **{name: value for name, value in url.items() if name != "view"})


def _value(usual, rng):
    made = rng.choice((usual, damaged(usual, rng), rng.choice(HOSTILE)))
    return made.replace("\0", "")
