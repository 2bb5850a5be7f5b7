"""The formats that are JSON, in the order in which a file is tried on them."""

from corescore.corpus.formats.json.jsonl import JSONL, JSONL_EXCLUSIVE, JSONL_SUBTOKENS

JSON_FORMATS = (JSONL, JSONL_EXCLUSIVE, JSONL_SUBTOKENS)
