"""What is fuzzed. Each target draws its case from a generator and raises what is wrong.

It may refuse in words: InputError, PolicyError, QueryError. Any other exception is a fault, as is a
score out of range or a text that is not read back.
"""

import json
import math
from base64 import urlsafe_b64encode
from contextlib import suppress
from urllib.parse import parse_qsl

from corescore import InputError, PolicyError, score
from corescore.analysis.error_table.query import QueryError, parse
from corescore.analysis.perturbation import parse_perturbation
from corescore.corpus.files import WRITTEN, read_bytes, read_files
from corescore.corpus.packed import Files
from corescore.counting.policies import POLICY_VALUES
from corescore.teaching.examples import EXAMPLES, query_of, toy_of
from corescore.teaching.own import OwnCard, card_in_link, card_of_link, cards_text
from tests.fuzzing.damage import damaged, damaged_bytes
from tests.support.every_format import FILES

QUERIES = (
    "given:wrong cost.lea>0.1",
    'class:missing,spurious "the dog" -kind:split',
    "(doc:/^a.*z$/ or size>=3) not given_type:pronoun",
    "distance:1..5 cost.muc<=2 given:none",
)
PERTURBATIONS = ("drop:of=unlinked", "split:share=0.2", "merge", "move:share=1", "more-precise")
LINKS = tuple(query_of(example.toy, metric="lea") for example in EXAMPLES)
CARD = OwnCard("Cut", "Which is better?", "It is whole.", "{abc}", "{ab}{c}", "{a}{bc}")


def reading(rng):
    """A damaged file of any format, named or not: read or refused, and what is read can be
    written."""
    kind = rng.choice(tuple(FILES))
    with suppress(InputError):
        _check_read(_damaged_corpus(rng, kind, rng.choice((kind, None))))


def _damaged_corpus(rng, kind, named, side="key"):
    files = {name: text.encode() for name, text in FILES[kind].items()}
    name = rng.choice(sorted(files))
    files[name] = damaged_bytes(files[name], rng)
    return read_files(Files("all", tuple(sorted(files)), files.__getitem__), named, side, False)


def _check_read(corpus):
    """What is read can be written, or is refused, and says the same when it is read again."""
    for document in corpus:
        texts = (document.name, *document.words, *document.speakers, *document.tags)
        assert not any("\0" in text for text in texts)
        "".join(texts).encode()
    for known in WRITTEN:
        with suppress(InputError):
            written = known.text(corpus)
            again = read_bytes(written.encode(), "again", format=known.id)
            _same_mentions(known.id, corpus, again)


def _same_mentions(format, corpus, again):
    for before, after in zip(corpus, again, strict=True):
        # A folder's may stand before it; a document without one has its file's.
        assert before.name.endswith(after.name) or after.name == "again", format
        if format != "notation" and before.words:
            assert after.rows.tolist() == before.rows.tolist(), format
            assert after.words == before.words, format


def policies(rng):
    """Damaged files as key and response under any policies: scored in range, or refused."""
    kind = rng.choice(("conll", "conllu", "jsonl", "inline", "notation", "conll-ua"))
    chosen = {name: rng.choice(values) for name, values in POLICY_VALUES.items()}
    with suppress(InputError, PolicyError):
        key = _damaged_corpus(rng, kind, kind)
        response = _damaged_corpus(rng, kind, kind, "response")
        table = score(key, response, **chosen).table[["recall", "precision", "f1"]].fillna(0)
        limit = math.inf if chosen["repeats"] not in ("first", "error") else 1 + 1e-9
        assert ((table >= 0) & (table <= limit)).all(axis=None), (chosen, table)


def queries(rng):
    """A damaged query: refused in words, or the same once it is written and parsed again."""
    text = damaged(rng.choice(QUERIES), rng)
    with suppress(QueryError):
        query = parse(text)
        assert str(parse(str(query))) == str(query)


def links(rng):
    """A damaged link to the sandbox, to a card of one's own or to a perturbation."""
    url = dict(parse_qsl(damaged(rng.choice(LINKS), rng), keep_blank_values=True))
    with suppress(InputError, PolicyError):
        toy_of(url)
    with suppress(InputError):
        card_of_link(damaged(card_in_link(CARD), rng))
    with suppress(InputError):
        card_of_link(urlsafe_b64encode(damaged(_AS_JSON, rng).encode()).decode())
    with suppress(PolicyError):
        parse_perturbation(damaged(rng.choice(PERTURBATIONS), rng))


_AS_JSON = json.dumps(json.loads(cards_text([CARD]))["cards"][0])
TARGETS = {target.__name__: target for target in (reading, policies, queries, links)}
