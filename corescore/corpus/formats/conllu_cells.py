"""What the last column of CoNLL-U says of a document's entities: `Entity=` and `SplitAnte=`."""

from collections import Counter
from collections.abc import Iterator, Sequence

from corescore.corpus.documents import Document
from corescore.corpus.formats.conllu_entities import Entities
from corescore.corpus.formats.conllu_mentions import Fields, MentionDraft
from corescore.corpus.mentions import Attributes, Mention, Pieces


def declaration(document: Document) -> str:
    """The fields of the document's brackets: those of CorefUD, and others where they are known."""
    known = document.attributes
    if known is None:
        return "eid-etype-head-other"
    minspan = "-minspan" if (known.minimum >= 0).any() else ""
    mention_type = "-mention_type" if any(known.mention_type) else ""
    return f"eid-etype-head{minspan}{mention_type}-other"


def cells(document: Document, names: Sequence[str]) -> list[str]:
    """The brackets at each word, as CorefUD orders them; "" where there are none.

    What closes (the inner one first), what opens (the longer one first), then mentions of one word;
    these come first where nothing opens.

    names  of the entities
    """
    alone: list[list[str]] = [[] for _ in document.words]
    opens: list[list[str]] = [[] for _ in document.words]
    closes: list[list[str]] = [[] for _ in document.words]
    for start, end, eid, fields in sorted(_parts(document, names), key=lambda p: (p[0], -p[1])):
        if end - start == 1:
            alone[start].append(f"({eid}{fields})")
        else:
            opens[start].append(f"({eid}{fields}")
            closes[end - 1].insert(0, f"{eid})")
    return [
        "".join([*closing, *opening, *single] if opening else [*single, *closing])
        for closing, opening, single in zip(closes, opens, alone, strict=True)
    ]


def _parts(document: Document, names: Sequence[str]) -> Iterator[tuple[int, int, str, str]]:
    """Start and end of each piece, the entity with the piece's number, and the other fields."""
    mentions = zip(document.mentions, document.entity_of.tolist(), strict=True)
    for at, (mention, entity) in enumerate(mentions):
        runs = mention.runs
        fields = _fields(mention, at, document.attributes)
        for number, (start, end) in enumerate(runs, start=1):
            part = f"[{number}/{len(runs)}]" if len(runs) > 1 else ""
            yield start, end, f"{names[entity]}{part}", fields


def _fields(mention: Mention, at: int, known: Attributes | None) -> str:
    """What follows the entity in an opening bracket; empty fields at the end are left out."""
    if known is None:
        return ""
    words = positions(mention)
    head = int(known.head[at])
    first, last = known.minimum[at].tolist()
    fields = [known.entity_type[at], str(words.index(head) + 1) if head >= 0 else ""]
    if (known.minimum >= 0).any():
        fields.append(",".join(str(n) for n, p in enumerate(words, start=1) if first <= p < last))
    if any(known.mention_type):
        fields.append(known.mention_type[at])
    return "".join(f"-{field}" for field in fields).rstrip("-")


def positions(mention: Mention) -> list[int]:
    """The positions of the words of a mention, gaps left out."""
    return [at for start, end in mention.runs for at in range(start, end)]


def coreference(document: Document, names: Sequence[str]) -> list[list[str]]:
    """The attributes of each word."""
    attributes = [[f"Entity={cell}"] if cell else [] for cell in cells(document, names)]
    antecedents: dict[int, list[str]] = {}
    for entity, of_entity in document.split_antecedents:
        pairs = antecedents.setdefault(document.entities[entity][0].start, [])
        pairs += [f"{names[antecedent]}<{names[entity]}" for antecedent in of_entity]
    for at, pairs in antecedents.items():
        attributes[at].append(f"SplitAnte={','.join(pairs)}")
    return attributes


def indistinct(document: Document) -> set[int]:
    """The entities whose mentions would be read back as others, such as two that cross."""
    names = [str(entity) for entity in range(document.n_entities)]
    declared = Fields.of(declaration(document)) or Fields()
    read = Entities("", declared)
    for at, cell in enumerate(cells(document, names)):
        if cell:
            read.read(f"Entity={cell}", at, 0, 0)
    wanted: Counter[tuple[str, ...]] = Counter()
    mentions = zip(document.mentions, document.entity_of.tolist(), strict=True)
    for at, (mention, entity) in enumerate(mentions):
        fields = _fields(mention, at, document.attributes)
        wanted[_facts(declared.draft(f"{names[entity]}{fields}", 0), mention.runs)] += 1
    found = Counter(_facts(draft, draft.runs()) for draft in read.mentions)
    return {int(entity) for entity, *_ in (wanted - found) + (found - wanted)}


def _facts(draft: MentionDraft, runs: Pieces) -> tuple[str, ...]:
    known = draft.entity_type, draft.head, draft.minimum, draft.mention_type
    return draft.entity, *known, str(runs)
