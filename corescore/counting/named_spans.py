"""A response that only names its mentions, put over the text of a key whose spans have names."""

from dataclasses import replace

from corescore.corpus.documents import Document


def over_named_spans(key: Document, response: Document) -> Document:
    """The response over the key's words, if it has names alone and the key knows all of them.

    So is GAP's output, which says no more than whether the pronoun means A or B. Any other
    response stays as it is.
    """
    if key.named_mentions or not response.named_mentions:
        return response
    if not set(response.words) <= key.named_spans.keys():
        return response
    rows = [
        (*key.named_spans[response.words[start]], entity)
        for start, _, entity in response.rows.tolist()
    ]
    text = replace(key, name=response.name, file=response.file, lines=None, original=None)
    return text.with_entities(rows)
