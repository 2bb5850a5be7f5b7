"""Links of a partition as sets, as the paper writes them: C (coreference) and N (the others)."""

from itertools import combinations

from corescore.corpus.formats.notation import read_notation

Link = frozenset[str]


def links(partition: str) -> tuple[set[Link], set[Link]]:
    """C and N of a partition in brace notation: the links within its entities, and between them."""
    (document,) = read_notation(partition, "the partition")
    entities = [[document.words[m.start] for m in entity] for entity in document.entities]
    mentions = [mention for entity in entities for mention in entity]
    within = {frozenset(two) for entity in entities for two in combinations(entity, 2)}
    return within, {frozenset(two) for two in combinations(mentions, 2)} - within


def in_words(one: set[Link]) -> str:
    """ab, ac, bc; "none" where there are none."""
    return ", ".join(sorted("".join(sorted(link)) for link in one)) or "none"
