"""The formats that are JSON, in the order in which a file is tried on them."""

from corescore.corpus.formats.json.allennlp import ALLENNLP
from corescore.corpus.formats.json.corenlp import CORENLP
from corescore.corpus.formats.json.emory import EMORY
from corescore.corpus.formats.json.fastcoref import FASTCOREF
from corescore.corpus.formats.json.jsonl import JSONL, JSONL_EXCLUSIVE, JSONL_SUBTOKENS
from corescore.corpus.formats.json.maverick import MAVERICK
from corescore.corpus.formats.json.preco import PRECO
from corescore.corpus.formats.json.scierc import SCIERC
from corescore.corpus.formats.json.scorch import SCORCH
from corescore.corpus.formats.json.stanza import STANZA

# JSON Lines last: it takes whatever is JSON, and says what is wrong with it
JSON_FORMATS = (
    *(ALLENNLP, PRECO, FASTCOREF, MAVERICK, CORENLP, SCORCH, SCIERC, EMORY, STANZA),
    *(JSONL, JSONL_EXCLUSIVE, JSONL_SUBTOKENS),
)
