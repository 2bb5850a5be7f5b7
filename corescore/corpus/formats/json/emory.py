"""Emory's character identification: scenes of dialogue, each mention with the names it stands for.

Each scene is a document, each utterance's `tokens` are sentences. `character_entities` has, for
each sentence, [start, end, name, …] with an exclusive end. The mentions of one name in a scene are
an entity; those of several names are one of their own, with the entities of these names as its
split antecedents. `#GENERAL#` and `#OTHER#` name nobody: such a mention is an entity by itself.
Lost: seasons and episodes.

Source: https://github.com/emorynlp/character-identification
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.json.fields import are_sentences, starts_of
from corescore.corpus.formats.json.objects import Entry, has_fields, read_objects

_SHAPE = "episodes of scenes of utterances, with 'tokens' and 'character_entities'"


def read_emory(text: str, file: str, side: str = "key") -> Corpus:
    """The scenes of a file; `side` makes no difference."""
    return read_objects(text, file, _documents)


def _documents(entry: Entry) -> Iterator[Document]:
    for episode in _objects(entry, entry.values, "episodes"):
        for scene in _objects(entry, episode, "scenes"):
            yield _scene(entry, scene)


def _objects(entry: Entry, values: Mapping[str, Any], field: str) -> list[dict[str, Any]]:
    given = values.get(field)
    good = isinstance(given, list) and all(isinstance(one, dict) for one in given)
    entry.require(good, f"'{field}' in another shape", _SHAPE, "Check the file.")
    return given or []


def _scene(entry: Entry, scene: dict[str, Any]) -> Document:
    name = scene.get("scene_id")
    good = isinstance(name, str) and name.strip() != ""
    entry.require(
        good, f"{repr(name)[:40]} as 'scene_id'", "a name", "Give each scene a name of its own."
    )
    sentences: list[list[str]] = []
    speakers: list[str] = []
    mentions: list[list[list[Any]]] = []
    for utterance in _objects(entry, scene, "utterances"):
        words = _sentences(entry, utterance, str(name))
        sentences += words
        mentions += _mentions(entry, utterance, words, str(name))
        speakers += [", ".join(_speakers(utterance))] * len(words)
    starts = starts_of(sentences)
    rows = [
        (at + start, at + end, _entity(names, at + start))
        for at, of_sentence in zip(starts, mentions, strict=True)
        for start, end, *names in of_sentence
    ]
    full = [i for i, sentence in enumerate(sentences) if sentence]
    n_words = sum(map(len, sentences))
    several = {entity: None for *_, entity in rows if not all(map(_is_nobody, entity))}
    return Document.of_rows(
        str(name).strip(),
        rows,
        words=[word for sentence in sentences for word in sentence],
        sentence_starts=[starts[i] for i in full],
        speakers=[speakers[i] for i in full] if any(speakers) else (),
        file=entry.file,
        lines=np.full(n_words, entry.line),
        split_antecedents=[
            (entity, [(one,) for one in entity if not _is_nobody(one)])
            for entity in several
            if len(entity) > 1
        ],
    )


def _sentences(entry: Entry, utterance: dict[str, Any], scene: str) -> list[list[str]]:
    given = utterance.get("tokens")
    good = are_sentences(given)
    entry.require(good, f"'tokens' in another shape in scene {scene}", _SHAPE, "Check the file.")
    return given or []


def _mentions(
    entry: Entry, utterance: dict[str, Any], words: list[list[str]], scene: str
) -> list[list[list[Any]]]:
    """The mentions of each sentence."""
    given = utterance.get("character_entities")
    good = (
        isinstance(given, list)
        and len(given) == len(words)
        and all(isinstance(of_sentence, list) for of_sentence in given)
    )
    found = f"'character_entities' in another shape than 'tokens' in scene {scene}"
    entry.require(good, found, "a list for each sentence", "Check the file.")
    mentions = given or []
    for of_sentence, sentence in zip(mentions, words, strict=True):
        for mention in of_sentence:
            entry.require(
                _is_mention(mention, len(sentence)),
                f"the mention {str(mention)[:60]} in scene {scene}",
                "[start, end, name, …] within the sentence, the end after the mention",
                "Count words of the sentence from 0.",
            )
    return mentions


def _is_mention(mention: object, n_words: int) -> bool:
    return (
        isinstance(mention, list)
        and len(mention) >= 3
        and [*map(type, mention[:2])] == [int, int]
        and all(isinstance(name, str) for name in mention[2:])
        and 0 <= mention[0] < mention[1] <= n_words
    )


def _speakers(utterance: dict[str, Any]) -> list[str]:
    given = utterance.get("speakers")
    return [name for name in given if isinstance(name, str)] if isinstance(given, list) else []


def _entity(names: Iterable[str], at: int) -> tuple[str, ...]:
    """The names, in one order; of nobody the place as well, so that no two are one entity."""
    entity = tuple(sorted({*names}))
    return entity if not all(map(_is_nobody, entity)) else (f"#{at}", *entity)


def _is_nobody(name: str) -> bool:
    return name.startswith("#")


def _fits(text: str) -> bool:
    return has_fields(text, "episodes", without=("sentences", "tokens"))


EMORY = Format(
    id="emory",
    title="Emory character identification",
    suffixes=(),
    fits=_fits,
    read=read_emory,
)
