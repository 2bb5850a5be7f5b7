"""Four small rule-based resolvers of ours, and their outputs on `key.conll`.

`cautious` links only what it is sure of, `greedy` whatever it can: the one splits entities, the
other merges them. `heads` leaves pronouns out, `nearest` joins each with whatever is before it. All
see words, sentence starts and speakers, never the entities of the key.

Run as `python -m sample_data.resolvers [FOLDER]`.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import corescore
from corescore import Corpus, Document

from .phrases import Phrase, phrases, sentences

COMPLEMENTS = {"of", "that", "which", "who"}
HERE = Path(__file__).parent

Entities = Sequence[Sequence[Phrase]]


def cautious(document: Document) -> Document:
    """Links the same words, appositions, and a pronoun that can mean one entity nearby only.

    What it cannot bound (a phrase that goes on after its noun) or link (a pronoun) is no mention.
    """
    bounded = [
        phrase
        for sentence in sentences(document)
        for phrase in phrases(sentence)
        if phrase.kind != "bare" and sentence.word(phrase.end) not in COMPLEMENTS
    ]
    entities = _linked(_with_appositives(bounded, document.words), _certain_antecedent)
    return _resolved(document, (e for e in entities if len(e) > 1 or e[0].kind != "pronoun"))


def greedy(document: Document) -> Document:
    """Links every phrase to one with the same head, every pronoun to the nearest that fits.

    I and you are whoever speaks and spoke before, if speakers are known.
    """
    found = _with_all_complements(document)
    named = [_named(phrase, document.speakers) for phrase in found]
    return _resolved(document, _linked(named, _likely_antecedent))


def heads(document: Document) -> Document:
    """Links every phrase to one with the same head; pronouns are no mentions."""
    found = [phrase for phrase in _with_all_complements(document) if phrase.kind != "pronoun"]
    return _resolved(document, _linked(found, _same_head))


def nearest(document: Document) -> Document:
    """Links every pronoun to the phrase before it, whatever that is; all else as `heads` does."""
    return _resolved(document, _linked(_with_all_complements(document), _phrase_before))


def _linked(
    found: Iterable[Phrase], antecedent: Callable[[Phrase, Entities], int | None]
) -> list[list[Phrase]]:
    """The entities that come of adding each phrase, in text order, to one before it or none."""
    entities: list[list[Phrase]] = []
    for phrase in found:
        number = antecedent(phrase, entities)
        if number is None:
            entities.append([phrase])
        else:
            entities[number].append(phrase)
    return entities


def _resolved(document: Document, entities: Iterable[Iterable[Phrase]]) -> Document:
    return document.with_entities(
        (phrase.start, phrase.end, number)
        for number, entity in enumerate(entities)
        for phrase in entity
    )


def _fits(pronoun: Phrase, entity: Sequence[Phrase]) -> bool:
    """Whether the pronoun may stand for all mentions of an entity and is inside none of them."""
    persons = pronoun.persons.intersection(*(mention.persons for mention in entity))
    return bool(persons) and all(mention.end <= pronoun.start for mention in entity)


def _with_appositives(found: Sequence[Phrase], words: Sequence[str]) -> list[Phrase]:
    """`X , the Y ,`: X grows over all of it, and Y becomes its appositive."""
    grown = list(found)
    for i, first in enumerate(grown):
        for j in range(i + 1, min(i + 3, len(grown))):
            if _is_apposition(first, grown[j], words):
                end = grown[j].end + (words[grown[j].end] == ",")
                grown[i] = replace(first, end=end, persons=first.persons & grown[j].persons)
                grown[j] = replace(grown[j], kind="appositive")
    return grown


def _is_apposition(first: Phrase, second: Phrase, words: Sequence[str]) -> bool:
    """One must be a name and the other not: `the tent , the poles ,` is a list."""
    adjacent = second.start == first.end + 1 and words[first.end] == ","
    kinds = {first.kind, second.kind}
    closed = words[second.end] in (",", ".")
    return adjacent and closed and "name" in kinds and not kinds <= {"name", "pronoun"}


def _certain_antecedent(phrase: Phrase, entities: Entities) -> int | None:
    numbered = list(enumerate(entities))
    if phrase.kind == "appositive":
        around = [i for i, entity in numbered if entity[-1].end > phrase.start]
        return around[0]
    if phrase.kind == "pronoun":
        return _only_one_near(phrase, entities)
    if phrase.kind in ("possessive", "indefinite"):
        return None
    return next((i for i, e in numbered if phrase.text in {m.text for m in e}), None)


def _only_one_near(pronoun: Phrase, entities: Entities) -> int | None:
    """The one entity that fits in this sentence; if none does, the one in the sentence before."""
    fitting = [(i, e[-1].sentence) for i, e in enumerate(entities) if _fits(pronoun, e)]
    here = [i for i, sentence in fitting if sentence == pronoun.sentence]
    before = [i for i, sentence in fitting if sentence == pronoun.sentence - 1]
    near = here or before
    return near[0] if len(near) == 1 else None


def _with_all_complements(document: Document) -> list[Phrase]:
    """The phrases of all sentences."""
    return [
        phrase
        for sentence in sentences(document)
        for phrase in _with_complements(list(phrases(sentence)), document.words)
    ]


def _with_complements(found: Sequence[Phrase], words: Sequence[str]) -> list[Phrase]:
    """`X of Y`: X grows over all of it."""
    grown = list(found)
    for i in reversed(range(len(grown))):
        ends = [after.end for after in grown[i + 1 :] if after.start == grown[i].end + 1]
        if ends and words[grown[i].end] == "of" and grown[i].kind != "pronoun":
            grown[i] = replace(grown[i], end=max(ends))
    return grown


def _named(phrase: Phrase, speakers: Sequence[str]) -> Phrase:
    """I and you with the name of the speaker as text, all other pronouns with the person."""
    if phrase.kind != "pronoun":
        return phrase
    (person,) = phrase.persons
    if person not in ("i", "you") or not speakers:
        return replace(phrase, text=person)
    speaker = speakers[phrase.sentence]
    before = speakers[: phrase.sentence][::-1]
    others = [other for other in (*before, *speakers) if other != speaker]
    return replace(phrase, text=(speaker if person == "i" else others[0]).lower())


def _likely_antecedent(phrase: Phrase, entities: Entities) -> int | None:
    if phrase.persons & {"he", "she", "it", "they"} and phrase.kind == "pronoun":
        return next((i for i in _by_nearness(entities) if _fits(phrase, entities[i])), None)
    return _same_head(phrase, entities)


def _same_head(phrase: Phrase, entities: Entities) -> int | None:
    having = {
        number
        for number, entity in enumerate(entities)
        if phrase.head in {mention.head for mention in entity}
    }
    return next((i for i in _by_nearness(entities) if i in having), None)


def _phrase_before(phrase: Phrase, entities: Entities) -> int | None:
    if phrase.kind != "pronoun":
        return _same_head(phrase, entities)
    apart = (i for i in _by_nearness(entities) if entities[i][-1].end <= phrase.start)
    return next(apart, None)


def _by_nearness(entities: Entities) -> list[int]:
    """The numbers of the entities, that of the latest mention first."""
    return sorted(range(len(entities)), key=lambda i: entities[i][-1].start, reverse=True)


RESOLVERS = {"cautious": cautious, "greedy": greedy, "heads": heads, "nearest": nearest}


def main(folder: str | Path = HERE) -> None:
    """Write what each resolver makes of the texts of `key.conll` into a folder."""
    key = corescore.read(HERE / "key.conll")
    # Without the key's lines, so that not even its entities' numbers are kept.
    texts = [replace(document.with_entities(()), original=None) for document in key]
    for name, resolver in RESOLVERS.items():
        response = Corpus(tuple(resolver(text) for text in texts))
        corescore.write(response, Path(folder) / f"{name}.conll", force=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
