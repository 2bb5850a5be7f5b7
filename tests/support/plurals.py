"""A text with split antecedents, written for the tests: right, partly right, missing, spurious."""

import json

_TEXT = """Mia met Tom .
They talked to Ann and Ben .
She liked them , and they left .
The two were late .
We saw it ."""
SENTENCES = [line.split() for line in _TEXT.splitlines()]
MIA, TOM, ANN, BEN, THEY, THEM, TWO, WE = range(8)
_CLUSTERS = [
    [[0, 0], [11, 11]],  # Mia, She
    [[2, 2]],
    [[7, 7]],
    [[9, 9]],
    [[4, 4], [16, 16]],  # They, they
    [[13, 13]],  # them
    [[19, 20]],  # The two
    [[24, 24]],  # We
]


def _line(several):
    fields = {"doc_key": "visit", "sentences": SENTENCES, "clusters": _CLUSTERS}
    fields["cluster_split_antecedents"] = [[one, of] for one, of in several.items()]
    return json.dumps(fields).encode()


KEY = _line({THEY: [MIA, TOM], THEM: [ANN, BEN], TWO: [MIA, ANN]})
RESPONSE = _line({THEY: [MIA, BEN], THEM: [ANN, BEN], WE: [TOM, ANN]})
