"""B³_0: B³ without the spurious mentions (Stoyanov et al. 2009)."""

from corescore.bibliography import PRADHAN_2014, STOYANOV_2009
from corescore.metrics.bcub import BCUB
from corescore.metrics.card import (
    BOTH,
    KEY_SIZE,
    NO_SHARED_MENTION,
    SHARED,
    SHARED_OF_RESPONSE,
    Card,
    Part,
)
from corescore.metrics.variants.changes import UNCHANGED, WITHOUT_SPURIOUS, variant_of

_CARD = Card(
    id="b3-0",
    name="B³₀",
    counts=(
        "B³ after the spurious mentions were removed from the response. A missing mention earns "
        "nothing in recall, as in B³; a spurious one costs nothing in precision."
    ),
    parts=(
        Part(
            recall=r"\frac{1}{A} \sum_{i,j} \frac{n_{ij}^2}{a_i}",
            precision=r"\frac{1}{m} \sum_{i,j} \frac{n_{ij}^2}{n_{\cdot j}}",
        ),
    ),
    symbols=(
        KEY_SIZE,
        SHARED,
        SHARED_OF_RESPONSE,
        (r"A", "mentions of the key"),
        BOTH,
    ),
    unit="As in B³: one mention whose whole entity was found.",
    one="the response, without its spurious mentions, has the entities of the key",
    zero=NO_SHARED_MENTION,
    empty=(
        "Where the key has no mention, recall is empty; where the two sides share no mention, "
        "precision is empty. F1 is empty where both are, and 0 where one is."
    ),
    examples=(("{ab}{c}", "{de}"), ("", "{cd}")),
    papers=(STOYANOV_2009, PRADHAN_2014),
    history=(
        "Stoyanov et al. scored systems that find their mentions themselves, for which B³ had not "
        "been defined. It was given up because it tells nothing of spurious mentions: a response "
        "may add any number of them for free. Pradhan et al. (2014) score both sides as they are."
    ),
)

B3_0 = variant_of(
    BCUB,
    "b3-0",
    title="B³_0",
    recall=UNCHANGED,
    precision=WITHOUT_SPURIOUS,
    paper=STOYANOV_2009.cited,
    card=_CARD,
)
