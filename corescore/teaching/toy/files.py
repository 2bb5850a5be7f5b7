"""A toy as files that score the same."""

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats import FORMATS
from corescore.corpus.problems import choose
from corescore.teaching.toy.toy import SIDES, Entities, Toy


def written(toy: Toy, *, side: str, format: str) -> str:
    """One side as the text of a file in "conll", "jsonl" or "notation".

    The words are those of the sentence if every mention stands in it, no two at the same place;
    else the mentions' names. In notation, mentions go by their names. Raises PolicyError for an
    unknown side or format, InputError for a name that the format cannot hold.
    """
    known = {entry.id: entry for entry in FORMATS}
    chosen = known[choose("format", format, known)]
    entities = toy.key if choose("side", side, SIDES) == "key" else toy.response
    named = format == "notation"
    return chosen.write(Corpus((_document(toy, entities, named=named),)))


def _document(toy: Toy, entities: Entities, *, named: bool) -> Document:
    places = {name: (at, at + 1) for at, name in enumerate(toy.mentions)}
    words = toy.mentions
    if not named and _is_whole(toy):
        places = {name: (m.start, m.end) for name, m in toy.sentence.mentions.items()}
        words = toy.sentence.words
    rows = [(*places[name], number) for number, entity in enumerate(entities) for name in entity]
    return Document.of_rows("toy", rows, words=words, named_mentions=named)


def _is_whole(toy: Toy) -> bool:
    """Whether the sentence has a place of its own for every mention."""
    places = toy.sentence.mentions
    return all(name in places for name in toy.mentions) and len({*places.values()}) == len(places)
