"""Controlled damage and repair of a response: every perturbation, as text too, and baselines."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from corescore.analysis.errors.classes import slices
from corescore.analysis.perturbation.base import (
    ANY,
    INCORRECTLY_RESOLVED,
    LARGEST,
    ORDERS,
    RANDOM,
    TOGETHER,
    Draft,
    Generators,
    Kind,
    Mentions,
    Perturbation,
    generators,
    numbers_in,
    ranks,
)
from corescore.corpus.documents import Corpus, Document, Mention
from corescore.corpus.english import MENTION_TYPES, head_position
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.comparison import compare
from corescore.counting.pairing import on_key_words, pair_documents
from corescore.counting.policies import Policies, Words
from corescore.counting.policies import Singletons as SingletonsPolicy
from corescore.counting.sides import without_absent
from corescore.counting.words import with_words_of
from corescore.util import STEP, STEP_PLACES, BoolArray, FloatArray, IntArray, picked, places_in
from corescore.wording import counted, one_line

SOME = ("share", "number")


def _without(step: Perturbation, draft: Draft, rngs: Generators, may_go: BoolArray) -> Mentions:
    """The mentions without those selected among the ones that may go."""
    return draft.mentions.rows(~step.selected(rngs, draft.mentions.document, among=may_go))


# Perturbations that remove mentions ---------------------------------------------------------------


def _more_precise(step: Perturbation, draft: Draft, rngs: Generators) -> Mentions:
    """Removes incorrectly resolved mentions (Moosavi & Strube 2016, §2).

    No correct link is removed with them. If all are removed, the recall of MUC and LEA does not
    change; if a share is, or only "linked" ones, a correct singleton may remain of an entity, which
    LEA credits.
    """
    return _without(step, draft, rngs, draft.incorrectly_resolved[step.incorrect])


MorePrecise = Kind(
    "more-precise",
    "Remove the incorrectly resolved mentions",
    "Remove {the incorrectly resolved mentions}",
    _more_precise,
    (*SOME, "incorrect"),
)


def _drop(step: Perturbation, draft: Draft, rngs: Generators) -> Mentions:
    """Drops mentions, in random order.

    Classes are those of `errors.classes.mention_classes`, types those of `corpus.english`.
    `incorrect` applies if incorrectly resolved mentions are dropped.
    """
    is_spurious, alone = draft.mentions.key_mention < 0, draft.unlinked
    may_go = {
        ANY: np.ones(len(alone), dtype=bool),
        "correct": ~(is_spurious | alone | draft.incorrectly_resolved["all"]),
        "unlinked": alone,
        INCORRECTLY_RESOLVED: draft.incorrectly_resolved[step.incorrect],
        "spurious": is_spurious,
    }[step.of]
    if step.type != ANY:
        types = np.asarray(slices(draft.comparison, side="precision")["type"].cat.codes)
        may_go = may_go & (types == MENTION_TYPES.index(step.type))
    return _without(step, draft, rngs, may_go)


def _describe_drop(step: Perturbation) -> str:
    which = "" if step.of == ANY else f"{step.of.replace('-', ' ')} "
    kind = "" if step.type == ANY else f" of type {step.type}"
    return f"Drop {step.amount(f'the {which}mentions{kind}{step.limit}')}"


Drop = Kind("drop", "Drop mentions", _describe_drop, _drop, (*SOME, "incorrect", "of", "type"))


def _drop_entities(step: Perturbation, draft: Draft, rngs: Generators) -> Mentions:
    """Drops whole entities; entities of equal size in random order."""
    size = ORDERS[step.order] * draft.entity_sizes
    gone = step.selected(rngs, draft.entity_document, size)
    return draft.mentions.rows(~gone[draft.mentions.entity])


def _describe_drop_entities(step: Perturbation) -> str:
    order = "in random order" if step.order == RANDOM else f"the {step.order} first"
    return f"Drop {step.amount('the entities')}, {order}"


DropEntities = Kind(
    "drop-entities",
    "Drop whole entities",
    _describe_drop_entities,
    _drop_entities,
    (*SOME, "order"),
)


# Perturbations that add wrong mentions or wrong entities ------------------------------------------


def _less_precise_a(step: Perturbation, draft: Draft, rngs: Generators) -> Mentions:
    """Adds wrong pairs (Moosavi & Strube 2016, §2).

    The n missing mentions of a document are linked in random pairs, none with a mention of its own
    key entity, each at most once, as many as possible: min(⌊n/2⌋, n − the most of one key entity).
    No correct link is added or removed. With incorrect "linked", only missing mentions with a link
    in the key are used.
    """
    # A document's mentions are ordered by key entity, the entities and their mentions at
    # random. Of n mentions in p pairs, mention i is paired with mention i + n − p: n − p is at
    # least the size of the largest entity, so the two are never of the same one.
    missing = draft.missing_for(step.incorrect)
    document, entity = _document_and_entity(draft, missing)
    most = np.zeros(draft.n_documents, dtype=np.int64)
    np.maximum.at(most, document, np.bincount(entity)[entity])
    n = np.bincount(document, minlength=draft.n_documents)
    n_pairs = np.minimum(n // 2, n - most)
    of_entity = rngs.uniform(draft.comparison.table.key_document)[entity]
    ordered = missing[np.lexsort((rngs.uniform(document), entity, of_entity, document))]
    pair_document, place = places_in(n_pairs)
    first = (np.cumsum(n) - n)[pair_document] + place
    pairs = np.array([ordered[first], ordered[first + (n - n_pairs)[pair_document]]])
    taken = step.selected(rngs, pair_document)
    new = draft.fresh(np.flatnonzero(taken))
    return Mentions.joined(
        draft.mentions, draft.key_mentions(pairs[:, taken].ravel(), np.tile(new, 2))
    )


LessPreciseA = Kind(
    "less-precise-a",
    "Add wrong entities of two missing mentions each",
    "Add {the wrong pairs that the missing mentions can make}",
    _less_precise_a,
    (*SOME, "incorrect"),
)


def _document_and_entity(draft: Draft, mentions: IntArray) -> tuple[IntArray, IntArray]:
    """The document and the key entity of each of these key mentions."""
    key, entity = draft.comparison.matching.key, draft.comparison.recall.own_entity
    return key.document[mentions], entity[mentions]


def _less_precise_b(step: Perturbation, draft: Draft, rngs: Generators) -> Mentions:
    """Adds large wrong entities (Moosavi & Strube 2016, §2).

    One missing mention of each key entity that has any left are put into an entity, repeatedly, as
    long as there are two. Which ones is random. No correct link is added or removed. With incorrect
    "linked", only missing mentions with a link in the key are used.
    """
    missing = draft.missing_for(step.incorrect)
    document, key_entity = _document_and_entity(draft, missing)
    turn = ranks(key_entity, rngs.uniform(document))
    width = 1 + turn.max(initial=0)
    codes, group, sizes = np.unique(
        document * width + turn, return_inverse=True, return_counts=True
    )
    added = step.selected(rngs, codes // width, among=sizes > 1)[group]
    which, entity = missing[added], draft.fresh(group[added])
    return Mentions.joined(draft.mentions, draft.key_mentions(which, entity))


LessPreciseB = Kind(
    "less-precise-b",
    "Add wrong entities of as many missing mentions as possible",
    "Add {the large wrong entities that the missing mentions can make}",
    _less_precise_b,
    (*SOME, "incorrect"),
)


def _add(step: Perturbation, draft: Draft, rngs: Generators) -> Mentions:
    """Adds spurious mentions: single words that are a mention on neither side.

    The share is of the number of mentions in the response. There are never more of them than free
    words; documents in notation or without known words get new positions at the end.
    """
    most = np.bincount(draft.mentions.document, minlength=draft.n_documents)
    if step.number is not None:
        most = np.full(draft.n_documents, step.number)
    document, position = _spread_words(draft, most, rngs)
    available = np.bincount(document, minlength=draft.n_documents)
    quota = np.minimum(step.quotas(rngs, most), available)
    place, u = rngs.order(document), rngs.uniform(document)
    if step.into == TOGETHER:
        last = np.maximum(quota // step.size - 1, 0)  # the last entity gets the remainder
        group = np.minimum(place // step.size, last[document])
        entity = draft.fresh(document * (1 + group.max(initial=0)) + group)
    else:
        n_entities = draft.entities_in[document]
        if step.into == RANDOM:
            which = (u * n_entities).astype(np.int64)
        elif step.into == LARGEST:
            by_size = np.lexsort((-draft.entity_sizes, draft.entity_document))
            first = picked(by_size, draft.first_entity, 0)
            which = (first - draft.first_entity)[document]
        else:
            which = np.full(len(document), int(step.into) - 1)
        entity = np.where(which < n_entities, draft.first_entity[document] + which, -1)
    taken = (place < quota[document]) & (entity >= 0)
    start = position[taken]
    twinless = np.full(len(start), -1)
    new = Mentions.added(document[taken], start, start + 1, entity[taken], twinless)
    return Mentions.joined(draft.mentions, new)


def _spread_words(draft: Draft, most: IntArray, rngs: Generators) -> tuple[IntArray, IntArray]:
    """Documents and positions of words that are no mention, up to `most` of each document.

    They are spread over the document: its free words are divided into that many stretches, and
    one word of each is picked at random.
    """
    document, position = draft.free_words(most)
    available = np.bincount(document, minlength=len(most))
    n = np.minimum(most, available)
    which, place = places_in(n)
    low, high = ((place + end) * available[which] // n[which] for end in (0, 1))
    start = (np.cumsum(available) - available)[which]
    return which, position[start + low + (rngs.uniform(which) * (high - low)).astype(np.int64)]


def _describe_add(step: Perturbation) -> str:
    much = f"spurious mentions, {100 * step.share:.10g}% of the mentions there are"
    if step.number is not None:
        much = f"{counted(step.number, 'spurious mention')} to each document"
    targets = {
        TOGETHER: f"linked in entities of {step.size}",
        RANDOM: "each into a random entity",
        LARGEST: "into the largest entity",
    }
    return f"Add {much}, {targets.get(step.into, f'into entity {step.into}')}"


Add = Kind(
    "add",
    "Add spurious mentions, linked together or into an entity",
    _describe_add,
    _add,
    (*SOME, "into", "size"),
)


# Perturbations that keep all mentions and change their entities -----------------------------------


def _move(step: Perturbation, draft: Draft, rngs: Generators) -> Mentions:
    """Moves mentions into wrong entities.

    A wrong entity is another entity of the document without a mention of the same key entity. Each
    is equally likely; a mention for which there is none stays. The share is of the mentions that
    can be moved.
    """
    mentions, document = draft.mentions, draft.mentions.document
    target = _wrong_entities(draft, rngs.uniform(document))
    moved = step.selected(rngs, document, among=target >= 0)
    return mentions.grouped(np.where(moved, target, mentions.entity))


def _wrong_entities(draft: Draft, u: FloatArray) -> IntArray:
    """(mentions,) a wrong entity for each mention, picked by `u`; −1 if there is none.

    The entities that are not wrong are in rows: the row of a key entity has the response entities
    that share mentions with it; the row of a response entity, for its spurious mentions, has only
    that entity. If they have the numbers d_0 < d_1 < … among the n of the document, the t-th wrong
    one has the number t + (how many d_j − j are at most t).
    """
    table, view = draft.comparison.table, draft.comparison.precision
    document = draft.mentions.document
    n_key, every = len(table.key_sizes), np.arange(draft.n_entities)
    row = np.concatenate([table.cell_key, n_key + every])
    entity = np.concatenate([table.cell_response, every])
    place = entity - draft.first_entity[draft.entity_document[entity]]
    own_row = n_key + view.own_entity
    own_row[view.pair_own] = table.cell_key[view.pair_cell]
    first = np.searchsorted(row, own_row)
    n_wrong = draft.entities_in[document] + first - np.searchsorted(row, own_row, side="right")
    t = (u * n_wrong).astype(np.int64)
    width = 1 + draft.entities_in.max(initial=0)
    gaps = row * width + place - ranks(row)
    below = np.searchsorted(gaps, own_row * width + t, side="right") - first
    return np.where(n_wrong > 0, draft.first_entity[document] + t + below, -1)


Move = Kind(
    "move",
    "Move mentions to a wrong entity",
    "Move {the mentions} to a wrong entity",
    _move,
    SOME,
)


def _split(step: Perturbation, draft: Draft, rngs: Generators) -> Mentions:
    """Splits entities, their mentions in random order.

    Without `sizes`, an entity is split in two at random, each part with at least two mentions (one
    with `singletons`). With sizes such as 18-2, entities of exactly that many mentions are split
    into parts of these sizes.
    """
    sizes, u = draft.entity_sizes, rngs.uniform(draft.entity_document)
    # (entities, parts) the sizes of the parts; 0 where an entity cannot be split
    if step.sizes:
        parts = np.array(numbers_in(step.sizes, "-"))
        parts = np.outer(sizes == parts.sum(), parts)
    else:
        least = 1 if step.singletons else 2
        first = least + (u * (sizes - 2 * least + 1)).astype(np.int64)
        parts = np.column_stack([first, sizes - first]) * (sizes >= 2 * least)[:, None]
    is_split = step.selected(rngs, draft.entity_document, among=parts.min(axis=1) > 0)
    entity, document = draft.mentions.entity, draft.mentions.document
    place = ranks(entity, rngs.uniform(document))
    ends = np.cumsum(parts, axis=1)[entity]
    part = (place[:, None] >= ends).sum(axis=1) * is_split[entity]
    return draft.mentions.grouped(entity + part * draft.n_entities)


def _describe_split(step: Perturbation) -> str:
    if step.sizes:
        n = sum(numbers_in(step.sizes, "-"))
        return f"Split {step.amount(f'the entities of {n} mentions')} into {step.sizes}"
    at_least = "one mention" if step.singletons else "two mentions"
    return f"Split {step.amount('the entities')} in two at random, {at_least} or more each"


Split = Kind(
    "split",
    "Split entities",
    _describe_split,
    _split,
    (*SOME, "sizes", "singletons"),
    makes_singletons=True,
)


def _merge(step: Perturbation, draft: Draft, rngs: Generators) -> Mentions:
    """Merges entities.

    The n entities of a document are put in random order, and a share of the n − 1 neighbours is
    merged: at share 1, all entities are one. `number=1` merges a random pair, `pair` a given one.
    """
    merged = np.arange(draft.n_entities)  # the entity that each becomes
    if step.pair:
        first, second = sorted(number - 1 for number in numbers_in(step.pair, "+"))
        start = draft.first_entity[draft.entities_in > second]
        merged[start + second] = start + first
    else:
        document = draft.entity_document
        order = np.lexsort((rngs.uniform(document), document))
        joins = step.selected(rngs, document, among=np.diff(document, prepend=-1) == 0)
        merged[order] = np.cumsum(~joins) - 1
    return draft.mentions.grouped(merged[draft.mentions.entity])


def _describe_merge(step: Perturbation) -> str:
    if step.pair:
        return f"Merge entities {' and '.join(step.pair.split('+'))} of each document"
    return f"Make {step.amount('the merges that lead to a single entity')}"


Merge = Kind("merge", "Merge entities", _describe_merge, _merge, (*SOME, "pair"))


def _singletons(step: Perturbation, draft: Draft, rngs: Generators) -> Mentions:
    """Makes every mention an entity of its own."""
    return draft.mentions.grouped(np.arange(len(draft.mentions.entity)))


def _one_entity(step: Perturbation, draft: Draft, rngs: Generators) -> Mentions:
    """Makes all mentions of a document one entity."""
    return draft.mentions.grouped(draft.mentions.document)


Singletons = Kind(
    "singletons",
    "Make every mention a singleton",
    "Make every mention a singleton",
    _singletons,
    makes_singletons=True,
)

OneEntity = Kind(
    "one-entity",
    "Make all mentions of a document one entity",
    "Make all mentions of a document one entity",
    _one_entity,
)


def _repair(step: Perturbation, draft: Draft, rngs: Generators) -> Mentions:
    """Adds missing links, those that MUC counts.

    The parts of a key entity are its intersections with response entities, and each of its missing
    mentions. The largest part is its home (the first of several; if the response has no mention of
    it, a new entity with its first mention). Each other part is one missing link, added by moving
    the whole part to the home.

    No correct link is ever lost. At share 1 the response has all links of the key, and MUC's
    recall is 1. Wrong links are not fixed, and new ones may arise where a home has mentions of
    other key entities. A mention that is alone in the key has no link to add.
    """
    table, view = draft.comparison.table, draft.comparison.precision
    # The parts: cells of the table, then missing mentions, of which the other is −1
    n_cells, n_missing = len(table.cell_key), len(draft.missing)
    _, of_missing = _document_and_entity(draft, draft.missing)
    key_entity = np.concatenate([table.cell_key, of_missing])
    size = np.concatenate([table.cell_sizes, np.zeros(n_missing, dtype=np.int64)])
    cell = np.concatenate([np.arange(n_cells), np.full(n_missing, -1)])
    mention = np.concatenate([np.full(n_cells, -1), draft.missing])
    # Those of an entity together, its home first
    order = np.lexsort((-size, key_entity))
    key_entity, cell, mention = key_entity[order], cell[order], mention[order]
    is_home = np.diff(key_entity, prepend=-1) != 0
    home = picked(table.cell_response, cell[is_home])
    home = np.where(home < 0, draft.fresh(np.arange(len(home))), home)
    taken = step.selected(rngs, table.key_document[key_entity], among=~is_home)
    moved = taken & (cell >= 0)
    entity_of_cell = table.cell_response.copy()
    entity_of_cell[cell[moved]] = home[key_entity[moved]]
    entity = draft.mentions.entity.copy()
    entity[view.pair_own] = entity_of_cell[view.pair_cell]
    # Missing mentions that are taken, and the first mentions of new homes
    added = (taken | is_home & np.isin(key_entity, key_entity[taken])) & (cell < 0)
    new = draft.key_mentions(mention[added], home[key_entity[added]])
    return Mentions.joined(draft.mentions.grouped(entity), new)


Repair = Kind(
    "repair",
    "Add missing links",
    "Add {the missing links}",
    _repair,
    SOME,
)

PERTURBATIONS = {
    kind.id: kind
    for kind in (
        MorePrecise,
        LessPreciseA,
        LessPreciseB,
        Drop,
        DropEntities,
        Add,
        Move,
        Split,
        Merge,
        Singletons,
        OneEntity,
        Repair,
    )
}

# Perturbations as text: `drop`, `split:share=0.2`, `add:number=3,into=largest` --------------------

MOST_DOSES = 1000

AMOUNTS = ("share", "number", "pair")  # only one of them may be given


def parse_perturbation(text: Perturbation | str) -> Perturbation:
    """A perturbation from its id and, after ":", its parameters as name=value; itself if it is one.

    Raises PolicyError for an unknown id or parameter, and for an invalid value; TypeError for
    neither a text nor a perturbation.
    """
    if isinstance(text, Perturbation):
        return text
    if not isinstance(text, str):
        fault = f"a {type(text).__name__} is given"
        raise TypeError(f"{fault}; expected a perturbation, such as 'drop:share=0.5'")
    name, colon, rest = text.partition(":")
    kind = PERTURBATIONS[choose("perturbation", name.strip(), PERTURBATIONS)]
    values: dict[str, Any] = {}
    for pair in rest.split(",") if colon else ():
        parameter, equals, value = pair.partition("=")
        name = choose(f"parameter of {kind.id}", parameter.strip(), kind.parameters)
        if name in values or not equals:
            raise PolicyError(f"{text!r} as perturbation; expected each parameter once, name=value")
        values[name] = kind.read(name, value.strip())
    amounts = [name for name in AMOUNTS if name in values]
    if len(amounts) > 1:
        raise PolicyError(f"{text!r} gives {' and '.join(amounts)}; expected one of them")
    return kind(**values)


def parse_doses(text: str) -> tuple[float, ...]:
    """Doses from `0:1:0.05` (start:stop:step, with the stop) or `0,0.1,0.5`.

    Raises PolicyError for any other text and for more than 1000 doses.
    """
    try:
        if ":" not in text and text.count(",") < MOST_DOSES:
            return tuple(float(dose) for dose in text.split(","))
        start, stop, step = map(float, text.split(":"))
        n_steps = int((stop - start) / step + STEP)
        if 0 <= n_steps < MOST_DOSES and step >= 0:
            return tuple(round(start + at * step, STEP_PLACES) for at in range(n_steps + 1))
    except (ValueError, ZeroDivisionError, OverflowError):
        pass
    expected = f"start:stop:step or numbers with commas, at most {MOST_DOSES}"
    raise PolicyError(
        f"doses are {one_line(text, 80)!r}; expected {expected}, such as 0:1:0.05 or 0,0.1,0.5"
    )


# A whole corpus perturbed, by one perturbation after the other ------------------------------------

LEFT_BEHIND = ("keep", "drop")


def perturb(
    key: Corpus,
    response: Corpus,
    perturbations: Sequence[Perturbation],
    *,
    seed: int,
    left_behind: str = "keep",
    singletons: SingletonsPolicy = "keep",
    words: Words = "error",
) -> Corpus:
    """The response after each of the perturbations in turn, over the same text.

    seed         of all random numbers; those of a document depend on its name too, but not on
                 the other documents
    left_behind  whether to "keep" or "drop" a mention that a perturbation leaves alone in its
                 entity
    singletons   as in `corescore.score`: "drop" removes singletons from both sides before the first
                 perturbation. To score the mentions that one leaves alone, use
                 `Policies.of_perturbed`
    words        as in `corescore.score`: "align" first puts the response onto the key's words

    Whatever the policies of a score, a mention is in the key if the key has the same span.

    The response's documents keep their order. One that the key lacks does not change; one that
    the response lacks comes last if a perturbation gives it mentions. A span that the response
    lists twice keeps its first entity, as in scoring.

    Raises InputError if the two sides do not fit together, PolicyError for a seed below 0 and an
    unknown `left_behind`.
    """
    choose("left behind", left_behind, LEFT_BEHIND)
    if words == "align":
        response = on_key_words(key, response)
    pairing = pair_documents(key, response, Policies(words=words))
    rngs = generators((document.name for document in key), seed)
    documents, policies = pairing.response, Policies(singletons=singletons)
    for perturbation in perturbations:
        draft = Draft(compare(pairing.key, documents, policies))
        mentions = perturbed_mentions(perturbation, draft, rngs, left_behind=left_behind)
        documents, policies = draft.documents(mentions), policies.of_perturbed
    if not perturbations:
        return response
    perturbed = {document.name: document for document in documents}
    ordered = [
        _as_read(document, perturbed.pop(document.name)) if document.name in perturbed else document
        for document in response
    ]
    ordered += [document for document in perturbed.values() if len(document.rows)]
    return replace(response, documents=tuple(ordered))


def perturbed_mentions(
    perturbation: Perturbation, draft: Draft, rngs: Generators, *, left_behind: str
) -> Mentions:
    """The mentions of the perturbed response; `left_behind` as in `perturb`."""
    mentions = perturbation.kind.apply(perturbation, draft, rngs)
    if left_behind == "drop" and not perturbation.kind.makes_singletons:
        alone = np.bincount(mentions.entity)[mentions.entity] == 1
        return mentions.rows(~(alone & mentions.accompanied))
    return mentions


def _as_read(original: Document, perturbed: Document) -> Document:
    """A perturbed document over the original's own positions.

    Pairing has put it over positions that it has in common with its key: in notation names come
    first that the response may lack, and else empty nodes of the key stand between its words.
    """
    if not perturbed.named_mentions:
        return without_absent(perturbed)
    names = [perturbed.words[start] for start in perturbed.spans[:, 0].tolist()]
    words = tuple(dict.fromkeys((*original.words, *names)))
    place = {name: at for at, name in enumerate(words)}
    entities = zip(names, perturbed.entity_of.tolist(), strict=True)
    rows = [(place[name], place[name] + 1, entity) for name, entity in entities]
    return replace(original, words=words).with_entities(rows)


# Baseline systems that get the mentions of the key, or of a response, and group them by a rule ----


def _head(document: Document, mention: Mention) -> Hashable:
    words = document.words[mention.start : mention.end]
    return words[head_position(words)].lower()


BASELINES: dict[str, Callable[[Document, Mention], Hashable]] = {
    "singletons": lambda document, mention: mention,
    "one-entity": lambda document, mention: document.name,
    "same-string": lambda document, mention: document.text(mention).lower(),
    "same-head": _head,
}


def baseline(
    key: Corpus, *, kind: str, mentions_of: Corpus | None = None, words: Words = "error"
) -> Corpus:
    """A response with the key's mentions, grouped by one of BASELINES.

    singletons   each mention is an entity of its own
    one-entity   all mentions of a document are one entity
    same-string  mentions with the same words, ignoring case, are one entity
    same-head    mentions with the same head are one entity; the head of an English phrase is the
                 last word before the first preposition, relative pronoun or comma

    mentions_of  a response to the key: its mentions are grouped instead of the key's
    words        as in `corescore.score`: of key and response

    Raises PolicyError for an unknown kind, InputError for a response that does not fit the key.
    """
    group, documents = BASELINES[choose("kind", kind, BASELINES)], [*key]
    if mentions_of is not None:  # documents without words over the words of their keys
        pairing = pair_documents(key, mentions_of, Policies(words=words))
        pairs = zip(pairing.key, pairing.response, strict=True)
        key_of = {theirs.name: ours for ours, theirs in pairs}
        documents = [with_words_of(key_of.get(one.name, one), one) for one in mentions_of]
    return Corpus(tuple(_grouped(document, group) for document in documents))


def _grouped(document: Document, group: Callable[[Document, Mention], Hashable]) -> Document:
    first = {mention: at for at, mention in reversed([*enumerate(document.mentions)])}
    rows = np.array(sorted(first.values()), dtype=np.int64)
    mentions = [document.mentions[at] for at in rows.tolist()]
    return document.with_entities(
        [(m.start, m.end, group(document, m)) for m in mentions],
        document.attributes and document.attributes.take(rows),
    )


def unperturbed(response: Corpus, policies: Policies) -> Corpus:
    """The response that a perturbation changes: without singletons if the policies drop them."""
    return without_singletons(response) if policies.of_sides[1].singletons == "drop" else response


def without_singletons(corpus: Corpus) -> Corpus:
    """The corpus without its entities of one mention."""

    def linked(document: Document) -> Document:
        stays = np.flatnonzero(np.bincount(document.entity_of)[document.entity_of] > 1)
        attributes = document.attributes and document.attributes.take(stays)
        return document.with_entities(document.rows[stays], attributes)

    return Corpus(tuple(map(linked, corpus)))
