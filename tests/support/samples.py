"""What several tests of the analyses run over: the sample data, and perturbations of every kind."""

from corescore.analysis.perturbation import PERTURBATIONS, Add, Drop, DropEntities, Merge, Split
from corescore.installation import bundled

SAMPLE = bundled("sample_data")
RESPONSES = ("cautious", "greedy")
EVERY_PERTURBATION = (
    *(kind() for kind in PERTURBATIONS.values()),
    *(Drop(of=of) for of in ("correct", "unlinked", "incorrectly-resolved", "spurious")),
    Drop(type="pronoun"),
    *(DropEntities(order=order) for order in ("largest", "smallest")),
    *(Add(into=into) for into in ("random", "largest", "2")),
    Add(size=3, number=4),
    Split(singletons=True),
    Split(sizes="2-1"),
    Merge(number=1),
    Merge(pair="1+3"),
)
