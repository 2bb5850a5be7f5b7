"""Which response mention is which key mention: exact, by head, loosely, by minimum spans."""

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError, perturb, preset, score
from corescore.analysis.errors.classes import duplicates
from corescore.analysis.errors.tables import mention_table
from corescore.analysis.perturbation import Drop
from corescore.analysis.perturbation.sweep import Sweep
from corescore.corpus.documents import Attributes
from corescore.corpus.formats.conllu import read_conll_ua
from corescore.counting import matching
from corescore.counting.contingency import contingency
from corescore.counting.matching import match
from corescore.counting.min_spans import minimum_runs
from corescore.counting.policies import Policies
from corescore.rendering.scorer_outputs import as_scorer
from corescore.rendering.scores import Report
from tests.support.messages import message_of
from tests.support.strategies import corpora_of, documents, pair_corpora
from tests.support.texts import brackets_of, columns, parsed_sentences, with_zeros

# Which response mention is which key mention, and the table of cells that comes of it -------------


def spans_of(side):
    columns = (side.document.tolist(), side.start.tolist(), side.end.tolist())
    return list(zip(*columns, strict=True))


def matched_spans(key, response, **policies):
    made = match(key, response, Policies(**policies))
    k, r = spans_of(made.key), spans_of(made.response)
    both = zip(made.key_mention, made.response_mention, strict=True)
    return [(k[i], r[j]) for i, j in both]


@given(documents(), documents())
def test_exactly_the_mentions_with_a_span_of_both_sides_match_and_each_once(key, response):
    pairs = matched_spans([key, response], [response, key])
    assert all(one == other for one, other in pairs)
    shared = {*key.mentions} & {*response.mentions}
    expected = [(document, m.start, m.end) for document in (0, 1) for m in shared]
    assert sorted(one for one, _ in pairs) == sorted(expected)


@pytest.mark.parametrize("repeats, n", [("all", 4), ("first", 1)])
def test_every_pair_of_repeats_matches_if_they_are_scored_as_they_stand(repeats, n):
    twice = Document.of_entities("d", [[(0, 1)], [(0, 1)]])
    assert len(matched_spans([twice], [twice], repeats=repeats)) == n
    with pytest.raises(InputError):
        match([twice], [twice], Policies(repeats="error"))


def test_repeats_that_make_too_many_pairs_are_refused(monkeypatch):
    often = Document.of_entities("d", [[(0, 1), (n, n + 1)] for n in range(1, 101)])
    assert len(matched_spans([often], [often], repeats="all")) == 100 * 100 + 100
    monkeypatch.setattr(matching, "MOST_REPEATED", 9_899)
    message = message_of(matched_spans, [often], [often], repeats="all")
    assert message == (
        "d: a span of document 'd' listed 100 and 100 times on the two sides; expected repeats "
        "that make at most 9,899 pairs of mentions. Remove the repeats, or score by another value "
        "of --repeats."
    )
    monkeypatch.setattr(matching, "MOST_REPEATED", 9_900)
    matched_spans([often], [often], repeats="all")
    assert len(matched_spans([often], [often], repeats="first")) == 101


def test_a_singleton_that_is_dropped_repeats_nothing():
    """Singletons go before anything else: (0, 1) is then in one entity only."""
    document = Document.of_entities("d", [[(0, 1)], [(0, 1), (2, 3)]])
    matching = match([document], [document], Policies(singletons="drop", repeats="error"))
    assert matching.key.entity.tolist() == [1, 1]


@given(pair_corpora())
def test_the_table_holds_sizes_and_cells_of_every_document(pairs):
    key, response = corpora_of(pairs)
    table = contingency(match(key.documents, response.documents))
    sizes = zip(table.key_document.tolist(), table.key_sizes.tolist(), strict=True)
    assert Counter(sizes) == Counter((at, len(e)) for at, pair in enumerate(pairs) for e in pair[0])
    cells = zip(
        table.cell_document.tolist(),
        table.key_sizes[table.cell_key].tolist(),
        table.response_sizes[table.cell_response].tolist(),
        table.cell_sizes.tolist(),
        strict=True,
    )
    assert Counter(cells) == Counter(
        (at, len(k), len(r), len(k & r))
        for at, pair in enumerate(pairs)
        for k in pair[0]
        for r in pair[1]
        if k & r
    )


# Matching by head, within the key mention and leniently, held to a search of all ------------------

N_WORDS = 7


@dataclass(frozen=True)
class Phrase:
    """A mention as a set of words and a head."""

    words: frozenset[int]
    head: int


words_of_a_mention = st.frozensets(st.integers(0, N_WORDS - 1), min_size=1, max_size=4)


@st.composite
def phrases(draw):
    words = draw(words_of_a_mention)
    return Phrase(words, draw(st.sampled_from(sorted(words))))


def runs_of(words):
    starts = [at for at in sorted(words) if at - 1 not in words]
    ends = [at + 1 for at in sorted(words) if at + 1 not in words]
    return tuple(zip(starts, ends, strict=True))


def document_of(side, **attributes):
    """Mentions of these words, each an entity of its own."""
    runs = [runs_of(words) for words in side]
    return Document.of_rows(
        "d",
        [(of[0][0], of[-1][1], at) for at, of in enumerate(runs)],
        words=["w"] * N_WORDS,
        attributes=Attributes.of(
            len(side), pieces=[of if len(of) > 1 else () for of in runs], **attributes
        ),
    )


def words_of(mention):
    return frozenset(at for start, end in mention.runs for at in range(start, end))


def pairs_of(matching):
    """The pairs as the numbers of their mentions on either side, one to one."""
    at = [*zip(matching.key_mention.tolist(), matching.response_mention.tolist(), strict=True)]
    assert len({i for i, _ in at}) == len({j for _, j in at}) == len(at)
    return at


def phrases_of(side, document):
    """The mentions of a matching's side, one for each of its rows; none may be repeated."""
    heads = document.attributes.head.tolist()
    made = [Phrase(words_of(m), head) for m, head in zip(document.mentions, heads, strict=True)]
    assert len(made) == len(side.start)
    return made


# The weight of a pair, 0 if it cannot be made; more than all others together for "lenient" pairs.


def by_head(key, response):
    share = Fraction(len(key.words & response.words), len(key.words))
    return share if key.head == response.head else 0


def within(key, response):
    fits = response.words <= key.words and key.head in response.words
    return Fraction(len(response.words), len(key.words)) if fits else 0


def leniently(key, response):
    return within(key, response) and within(key, response) + 100


WEIGHTS = {"head": by_head, "partial": within, "lenient": leniently}


def best_sum(weight, keys, responses):
    """The greatest sum of weights of all ways to pair the mentions one to one."""
    few, many = sorted((keys, responses), key=len)
    return max(
        sum(weight(*(pair if few is keys else pair[::-1])) for pair in zip(few, some, strict=True))
        for some in permutations(many, len(few))
    )


sides = st.lists(phrases(), max_size=4, unique=True)


@pytest.mark.parametrize("how", WEIGHTS)
@pytest.mark.parametrize(
    "lookup, most_cells", [("pairs", 0), ("table", matching.MOST_CELLS), ("table", 0)]
)
@given(one=sides, other=sides)
def test_pairs_are_the_same_mentions_and_then_the_best_assignment_of_the_others(
    how, lookup, most_cells, one, other
):
    if how != "head":  # one mention a set of words, whatever its head
        one, other = ([*{p.words: p for p in side}.values()] for side in (one, other))
    key, response = (
        document_of([p.words for p in side], head=[p.head for p in side]) for side in (one, other)
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "MOST_CELLS", most_cells)
        made = match([key], [response], Policies(match=how, lookup=lookup))
    k, r = phrases_of(made.key, key), phrases_of(made.response, response)
    pairs = [(k[i], r[j]) for i, j in pairs_of(made)]

    def identity(phrase):
        return phrase if how == "head" else phrase.words

    same = [pair for pair in pairs if identity(pair[0]) == identity(pair[1])]
    shared = {*map(identity, k)} & {*map(identity, r)}
    assert len(same) == len(shared)
    weights = [WEIGHTS[how](*pair) for pair in pairs if pair not in same]
    assert all(weights)
    left = [[p for p in side if identity(p) not in shared] for side in (k, r)]
    assert sum(weights) == best_sum(WEIGHTS[how], *left)


@given(sides)
def test_a_span_of_two_entities_is_one_mention_to_the_assignment(side):
    """Both listings are paired with all of the other side's, under `repeats="all"`."""
    twice = [*side, *side]
    document = document_of([p.words for p in twice], head=[p.head for p in twice])
    policies = Policies(match="head", repeats="all")
    assert len(match([document], [document], policies).key_mention) == 4 * len(side)


def test_a_mention_without_a_head_has_its_first_word_as_head():
    key, response = Document.of_entities("d", [[(0, 2)]]), Document.of_entities("d", [[(0, 3)]])
    assert len(match([key], [response], Policies(match="head")).key_mention) == 1
    assert len(match([response], [key], Policies(match="partial")).key_mention) == 1
    assert len(match([key], [response], Policies(match="partial")).key_mention) == 0


# --- Zeros ---------------------------------------------------------------------------------------


def zero_pairs(key, response, **policies):
    """The entities of the zeros that match."""
    made = score(key, response, **policies).comparison
    m = made.matching
    entities = m.key.entity[m.key_mention], m.response.entity[m.response_mention]
    return sorted(zip(*(e.tolist() for e in entities), strict=True))


def test_zeros_match_by_what_they_depend_on_wherever_they_stand():
    key = with_zeros({(1, 1): (0, [(1, "nsubj")]), (3, 1): (1, [(3, "nsubj")])})
    moved = with_zeros({(2, 1): (0, [(1, "nsubj")]), (4, 1): (1, [(3, "nsubj")])})
    assert zero_pairs(key, moved) == [(0, 0), (1, 1)]
    assert zero_pairs(key, moved, zeros="linear") == []
    assert zero_pairs(key, moved, zeros="drop") == []


def test_parent_and_relation_outweigh_the_parent_alone_and_that_the_place():
    key = with_zeros({(1, 1): (0, [(1, "nsubj")])})
    both = {(1, 1): (0, [(1, "obj")]), (2, 1): (1, [(1, "nsubj")])}
    assert zero_pairs(key, with_zeros(both)) == [(0, 1)]
    for parent, how in ((1, "obj"), (3, "nsubj")):
        assert zero_pairs(key, with_zeros({(1, 1): (0, [(parent, how)])})) == [(0, 0)]


def test_an_empty_node_without_parents_matches_by_its_place_alone():
    key, without = with_zeros({(1, 1): (0, [])}), with_zeros({(1, 1): (0, [])})
    assert zero_pairs(key, without) == [(0, 0)]
    assert zero_pairs(key, with_zeros({(2, 1): (0, [])})) == []


# Match "partial" by the minimum spans that a key names, as the Universal Anaphora scorer ----------


@st.composite
def keys(draw):
    """Different mentions as sets of words, and the minimum span of each; None if it names none."""
    mentions = draw(st.lists(words_of_a_mention, max_size=4, unique=True))
    minima = []
    for words in mentions:
        first = draw(st.sampled_from(sorted(words)))
        last = draw(st.sampled_from([at for at in words if {*range(first, at + 1)} <= words]))
        minima.append((first, last + 1) if draw(st.integers(0, 2)) and last >= first else None)
    return [*zip(mentions, minima, strict=True)]


def around_minimum(key, response):
    words, minimum = key
    fits = minimum and {*range(*minimum)} <= response <= words
    return Fraction(len(response), len(words)) if fits else 0


@given(keys(), st.lists(words_of_a_mention, max_size=4, unique=True))
def test_the_same_words_and_then_the_best_assignment_around_minimum_spans(keys, responses):
    if all(minimum is None for _, minimum in keys):
        return  # the first word is then the head
    minima = [minimum or (-1, -1) for _, minimum in keys]
    key, response = (
        document_of([words for words, _ in keys], minimum=minima),
        document_of(responses),
    )
    named = dict(keys)
    k, r = ([*map(words_of, side.mentions)] for side in (key, response))
    made = match([key], [response], Policies(match="partial"))
    pairs = [(k[i], r[j]) for i, j in pairs_of(made)]
    same = {*k} & {*r}
    assert {a for a, b in pairs if a == b} == same
    found = [around_minimum((a, named[a]), b) for a, b in pairs if a != b]
    assert all(found)
    left = [of for of in keys if of[0] not in same], [of for of in responses if of not in same]
    assert sum(found) == best_sum(around_minimum, *left)


# w1 … w8 and their cells in IDENTITY: "the old dog of Ann", MIN "old dog"; "it", without a MIN
KEY = ["(EntityID=1|MarkableID=m1|Min=2,3", "", "", "", ")", "", "(EntityID=1|MarkableID=m2", ")"]


def ua(cells):
    rows = "".join(f"{at} w{at} {cell or '_'}\n" for at, cell in enumerate(cells, start=1))
    text = f"# global.columns = ID FORM IDENTITY\n# newdoc id = d\n{rows}\n"
    return read_conll_ua(text, "key.ua")


@pytest.mark.parametrize(
    "start, end, found",
    [
        *((start, end, 1) for start, end in ((0, 5), (0, 3), (1, 3), (1, 5))),
        *((start, end, 0) for start, end in ((1, 2), (0, 2), (2, 5), (1, 6))),
        *((6, end, int(end == 8)) for end in (7, 8)),  # without a minimum span: only exactly
    ],
)
def test_a_response_mention_is_within_the_mention_and_around_all_of_its_minimum(start, end, found):
    words = [f"w{at}" for at in range(1, 9)]
    response = Document.of_entities("d", [[(start, end)]], words=words)
    made = score(ua(KEY), response, **preset("ua", match="partial"))
    assert made["mentions"].precision_numerator == found
    assert any("minimum span of 1 mention of 2" in w for w in made.warnings)
    exact = score(ua(KEY), response, **preset("ua"))
    assert exact["mentions"].precision_numerator == ((start, end) in ((0, 5), (6, 8)))


def test_a_key_without_minimum_spans_goes_by_its_first_words():
    plain = [cell.replace("|Min=2,3", "") for cell in KEY]
    words = [f"w{at}" for at in range(1, 9)]
    response = Document.of_entities("d", [[(0, 2), (6, 7)]], words=words)
    assert score(ua(plain), response, match="partial")["muc"].f1 == 1


def test_where_heads_are_known_they_count_not_minimum_spans():
    key = Document.of_rows(
        "d",
        [(0, 4, 0)],
        words=["w"] * 5,
        attributes=Attributes.of(1, head=[3], minimum=[(0, 4)]),
    )
    response = Document.of_entities("d", [[(2, 4)]], words=["w"] * 5)
    assert len(match([key], [response], Policies(match="partial")).key_mention) == 1


# Minimum spans by the parse of the key ------------------------------------------------------------


def texts_of(rows):
    """The runs of the minimum span of a span, as texts; rows are "word/TAG cell"."""
    found = (re.fullmatch(r"(\S+)/(\S+) (\S+)", row) for row in rows)
    words, tags, cells = zip(*(of.groups() for of in found), strict=True)
    return [" ".join(words[r.start : r.end]) for r in minimum_runs(words, tags, brackets_of(cells))]


BY_HAND = """
directly under the noun phrase
    %/NN (NP*)                                              → %
    the/DT (NP*  old/JJ *  dog/NN *)                        → the old dog
    the/DT (NP*  dog/NN *  of/IN (PP*  Ann/NNP (NP*)))      → the dog
    tax/NN (NP(NML*  reform/NN *)  plans/NNS *)             → plans
    Ann/NNP (NP*  and/CC *  Bob/NNP *)                      → Ann and Bob
one noun phrase below, with others below it
    the/DT (NP(NP*  dog/NN *)  of/IN (PP*  my/PRP$ (NP*  son/NN *)))   → the dog
    5/CD (NP(QP*  %/NN *)  of/IN (PP*  it/PRP (NP*)))       → 5 %
several of them: a conjunction is none of its parts
    Ann/NNP (NP(NP*)  and/CC *  Bob/NNP (NP*))              → Ann | Bob
    a/DT (NP(NP(NP*  dog/NN *)  there/RB (ADVP*))  or/CC *  I/PRP (NP*))   → a dog | I
a clause has the minimum spans of its noun phrases, a verb phrase its verb
    Ann/NNP (S(NP*)  sings/VBZ (VP*))                       → Ann
    sings/VBZ (VP*  songs/NNS (NP*))                        → sings
    to/TO (S(VP*  sing/VB (VP*)))                           → to
    sing/VB (VP(VP*)  and/CC *  dance/VB (VP*))             → sing | dance
    in/IN (PP*  the/DT (NP*  house/NN *))                   → the house
no phrase among the children: the first that is met below them
    one/CD (TOP(S(NP(NP*)  of/IN (PP*  us/PRP (NP*)))))     → one
    sing/VB (TOP(S(VP*  songs/NNS (NP*))))                  → sing
nothing that counts: the span itself
    this/DT (NP*)                                           →
    this/DT (NP(NP*)  of/IN (PP*  us/PRP (NP*)))            →
    ,/, (NP*  and/CC *)                                     →
    here/RB (ADVP(ADVP*)  too/RB (ADVP*))                   →
    -LRB-/XX (NP*  -RRB-/XX *)                              →
a span that is no constituent: several outermost ones make a noun phrase
    dog/NN *)  of/IN (PP*  Ann/NNP (NP*)))                  → dog
    the/DT (NP(NP*  dog/NN *)                               → the dog
    of/IN (PP*  Ann/NNP (NP*)))  sings/VBZ (VP*)            →
    Ann/NNP (NP*)  sings/VBZ (VP*  songs/NNS (NP*))         → Ann
words outside of any constituent count at once; if they do not, what follows is theirs
    old/JJ *  dog/NN (NML*)                                 → old
    the/DT *  dog/NN (NML*)                                 → dog
before a constituent words are lost that are not of letters or digits alone
    C-3/NN (NP*  of/IN (PP*  Ann/NNP (NP*)))                →
    C3/NN (NP*  of/IN (PP*  Ann/NNP (NP*)))                 →
    gas/NN (NP*  of/IN (PP*  Ann/NNP (NP*)))                → gas
"""
CASES = [line.strip() for line in BY_HAND.splitlines() if line.startswith(" ")]


@pytest.mark.parametrize("case", CASES)
def test_minimum_spans_of_texts(case):
    rows, expected = (re.split(r"  +| \| ", side.strip()) for side in case.split("→"))
    assert texts_of(rows) == [text for text in expected if text]


LABELS = ("NP", "NML", "QP", "VP", "S", "PP")
WORDS = {"dog": "NN", "the": "DT", ",": ",", "of": "IN", "%": "NN", "C-3": "NN"}


@st.composite
def parsed_spans(draw):
    """Words, tags and cells of some words of a sentence, which may cut its constituents."""
    cells = draw(parsed_sentences(LABELS, most=8))
    start = draw(st.integers(0, len(cells) - 1))
    cells = cells[start : draw(st.integers(start + 1, len(cells)))]
    words = [draw(st.sampled_from([*WORDS])) for _ in cells]
    return tuple(words), tuple(WORDS[word] for word in words), cells


def nodes_of(words, cells):
    """Slow oracle, part one: (parent, label, run) of every node in text order; run None of a
    constituent, parent −1 of the outermost."""
    nodes, stack, pending = [], [], []

    def add(label, run):
        nodes.append((stack[-1] if stack else -1, label, run))
        if run is None or not stack:
            stack.append(len(nodes) - 1)

    for at, cell in enumerate(cells):
        for sign in re.findall(r"\([^()*]+|\*|\)", cell):
            if sign == "*":
                pending.append(at)
                continue
            is_kept = sign == ")" or any(re.fullmatch(r"[a-zA-Z]+|\d+", words[p]) for p in pending)
            if pending and is_kept:
                add("", pending)
            pending = []
            if sign == ")":
                stack[-1:] = []
            else:
                add(sign[1:3], None)
    if pending:
        add("", pending)
    if [parent for parent, *_ in nodes].count(-1) > 1:
        nodes = [(-1, "NP", None), *((parent + 1, *rest) for parent, *rest in nodes)]
    return nodes


def slow_minimum(words, tags, cells):
    """Slow oracle: every run by its path from the outermost node."""
    nodes = nodes_of(words, cells)
    nominal, verbal = {"NP", "NM", "QP", "NX"}, {"VP"}

    def path(n):
        return [] if n < 0 else [*path(nodes[n][0]), n]

    def good(n):
        run = nodes[n][2] or ()
        return any(
            tags[p] not in ("DT", "IN", "CC") and (words[p] == "%" or re.search(r"\w", words[p]))
            for p in run
        )

    def highest(some):
        those = [*some]
        least = min((len(path(n)) for n in those), default=0)
        return [nodes[n][2] for n in those if len(path(n)) == least]

    runs = [n for n in range(len(nodes)) if good(n)]
    if 0 in runs:
        return [nodes[0][2]]
    if direct := [nodes[n][2] for n in runs if nodes[n][0] == 0]:
        return direct
    children = [n for n in range(len(nodes)) if nodes[n][0] == 0]
    labels = [nodes[n][1] for n in (children if nodes[0][1] not in ("NP", "NM", "VP") else [0])]
    family = verbal if "VP" in labels and not {"NP", "NM"} & {*labels} else nominal
    if phrases := [n for n in children if nodes[n][1] in family]:
        return [
            run
            for phrase in phrases
            for run in highest(
                n
                for n in runs
                if phrase in path(n) and all(nodes[m][1] in family for m in path(n)[1:-1])
            )
        ]
    if nodes[0][2]:
        return []
    inner = sorted(
        (n for n in range(len(nodes)) if not any(nodes[m][2] for m in path(n))),
        key=lambda n: (len(path(n)), n),
    )
    met = [n for n in inner if nodes[n][1] in ("NP", "NM", "VP")]
    if not met:
        return []
    rank = {n: at for at, n in enumerate(inner)}
    family = verbal if nodes[met[0]][1] == "VP" else nominal

    def opened(n):
        early = n in rank and rank[n] < rank[met[0]]
        return n == 0 or early or nodes[n][1] in family

    return highest(
        n
        for n in runs
        if all(map(opened, path(n)[:-1]))
        and nodes[path(n)[-2]][1] in family
        and rank[path(n)[-2]] >= rank[met[0]]
    )


@given(parsed_spans())
def test_minimum_spans_are_those_of_the_slow_oracle(span):
    words, tags, cells = span
    found = [list(range(r.start, r.end)) for r in minimum_runs(words, tags, brackets_of(cells))]
    assert found == slow_minimum(words, tags, cells)


# "the dog of the farm barks at its owner ; it barks", and a sentence with "this" twice
TEXT = [
    [
        ("the", "DT", "(TOP(S(S(NP(NP*", "(1"),
        ("dog", "NN", "*)", "-"),
        ("of", "IN", "(PP*", "-"),
        ("the", "DT", "(NP*", "(2"),
        ("farm", "NN", "*)))", "2)|1)"),
        ("barks", "VBZ", "(VP*", "-"),
        ("at", "IN", "(PP*", "-"),
        ("its", "PRP$", "(NP*", "(3|(1)"),
        ("owner", "NN", "*))))", "3)"),
        (";", ":", "*", "-"),
        ("it", "PRP", "(S(NP*)", "(1)"),
        ("barks", "VBZ", "(VP*))))", "-"),
    ],
    [
        ("this", "DT", "(TOP(S(NP*)", "(2)"),
        ("or", "CC", "*", "-"),
        ("this", "DT", "(NP*)", "(3)"),
        ("ends", "VBZ", "(VP*)))", "-"),
    ],
]
IN_TEXT = [word for sentence in TEXT for word, *_ in sentence]


def response_of(*entities):
    return Document.of_entities("d", entities, words=IN_TEXT)


def found(result):
    return result["mentions"].recall_numerator


def test_a_mention_with_the_same_minimum_span_is_found(corpus):
    """ "the dog" for "the dog of the farm", not "dog"; the parse is that of the key."""
    key = corpus(columns(TEXT))
    response = response_of([(0, 2), (10, 11)], [(3, 5)])
    assert found(score(key, response)) == 2
    made = score(key, response, match="min-span")
    assert found(made) == 3
    assert "| match min-span |" in made.signature
    assert made["muc"].precision == 1
    assert found(made.exact) == 2
    other = response_of([(1, 2), (10, 11)], [(4, 6)])
    assert found(score(key, other, match="min-span")) == 1


@pytest.mark.parametrize("repeats", ["first", "listed", "all", "reference"])
def test_every_score_of_the_key_by_itself_is_1_if_no_minimum_span_is_repeated(corpus, repeats):
    """So is the CoNLL score that coval prints: MUC, B³ and CEAFₑ."""
    key = corpus(columns(TEXT[:1]))
    made = score(key, key, match="min-span", repeats=repeats)
    assert {made[name].f1 for name in ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")} == {1}
    as_coval = score(key, key, **preset("coval", match="min-span"))
    report = Report("key", {"key": as_coval}, metrics=("muc", "bcub", "ceafe"))
    assert as_scorer("coval", report).splitlines()[-1] == "CoNLL score: 100.00"


def test_mentions_without_a_minimum_span_are_told_by_their_words_alone(corpus):
    """So both "this" of the second sentence are one mention, as in coval."""
    key = corpus(columns(TEXT))
    made = score(key, response_of([(14, 15)]), match="min-span")
    assert (made["mentions"].recall_denominator, found(made)) == (6, 1)
    assert score(key, key)["mentions"].recall_denominator == 7
    assert any("has 1 mention with the minimum span of another" in w for w in made.warnings)


def test_runs_are_told_by_the_rows_that_they_end_with(corpus):
    """As in coval: "a dog" of the flat phrase ends with the row of "of", "a dog" alone with its
    own. It is an accident of how coval reads a parse."""
    flat = [
        ("a", "DT", "(TOP(S(NP*", "(1"),
        ("dog", "NN", "*", "-"),
        ("of", "IN", "(PP*", "-"),
        ("Ann", "NNP", "(NP*)))", "1)"),
        ("barks", "VBZ", "(VP*)))", "-"),
    ]
    key = corpus(columns([flat]))
    for end, expected in ((4, 1), (3, 1), (2, 0)):
        response = Document.of_entities("d", [[(0, end)]], words=key["d"].words)
        assert found(score(key, response, match="min-span")) == expected


def test_a_minimum_span_of_two_entities_counts_as_coval_counts_it(corpus):
    """Both (0, 5) and (0, 2) have the minimum span "the dog"; entity B lists its mention last.

    Key A: 0–5, 10–11; B: 0–2, 7–8. B's first mention ends at 2, A's at 5: A is the last that
    lists "the dog". The response has 0–5 with 10–11, both of A by look-up, and 7–8 of B.
    """
    cells = [[*row[:3], "-"] for row in TEXT[0]]
    for at, cell in ((0, "(1|(2"), (1, "2)"), (4, "1)"), (7, "(2)"), (10, "(1)")):
        cells[at][3] = cell
    key = corpus(columns([cells]))
    response = Corpus(
        (Document.of_entities("d", [[(0, 5), (10, 11)], [(7, 8)]], words=key["d"].words),)
    )
    made = score(key, response, **preset("coval", match="min-span"))
    assert made["bcub"].precision == 1
    # A: "the dog" and "it" are in one entity; B: "the dog" and "its" in two
    assert made["bcub"].recall == 3 / 4
    assert made["mentions"].recall_denominator == 3
    exact = score(key, response, **preset("coval"))
    assert exact["mentions"].recall_denominator == 4


def test_errors_are_told_of_mentions_that_stay(corpus):
    key = corpus(columns(TEXT))
    response = response_of([(0, 5), (0, 2), (10, 11)], [(0, 2), (13, 14)])
    made = score(key, response, match="min-span")
    assert [part.tolist() for part in duplicates(made.comparison, singletons="keep")] == [[], []]
    classes = mention_table(made.comparison)["class"].value_counts()
    assert classes[classes > 0].to_dict() == {"correct": 2, "missing": 4, "spurious": 1}


def test_a_sweep_matches_by_minimum_spans(corpus):
    key, response = corpus(columns(TEXT)), response_of([(0, 2), (10, 11)], [(3, 5), (7, 9)])
    result = score(key, response, match="min-span")
    for run in Sweep(result=result, perturbation=Drop(), doses=(0.0, 1.0), seeds=(1,)):
        changed = perturb(key, response, Drop(share=run.dose), seed=run.seed)
        after = score(key, changed, match="min-span")
        assert run.scores["bcub"].f1 == pytest.approx(after["bcub"].f1)


@pytest.mark.parametrize(
    "column, said",
    [
        (2, "without a parse; expected a parse in column 6"),
        (1, r"without parts of speech; expected .* in column 5"),
    ],
)
def test_a_key_without_a_parse_or_parts_of_speech_is_refused_by_the_column(corpus, column, said):
    bare = [(*row[:column], "-", *row[column + 1 :]) for row in TEXT[1]]
    key = corpus(columns([bare]))
    with pytest.raises(InputError, match=said):
        score(key, key, match="min-span")
