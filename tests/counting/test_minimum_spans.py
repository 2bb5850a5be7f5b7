"""Match "min-span": minimum spans by the parse of the key, each of a text derived by hand."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError, preset, score
from corescore.analysis.errors.classes import duplicates
from corescore.analysis.errors.tables import mention_table
from corescore.analysis.perturbation import Drop, Merge, perturb
from corescore.analysis.perturbation.sweep import Sweep
from corescore.counting.min_spans import minimum_runs
from corescore.counting.policies import Policies
from corescore.rendering.scorer_outputs import as_scorer
from corescore.rendering.scores import Report
from tests.support.parses import brackets_of, columns, parsed_sentences


def texts_of(rows):
    """The runs of the minimum span of a span, as texts; rows are "word/TAG cell"."""
    found = (re.fullmatch(r"(\S+)/(\S+) (\S+)", row) for row in rows)
    words, tags, cells = zip(*(of.groups() for of in found), strict=True)
    return [" ".join(words[r.start : r.end]) for r in minimum_runs(words, tags, brackets_of(cells))]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # directly under the noun phrase
        (["the/DT (NP*", "old/JJ *", "dog/NN *)"], ["the old dog"]),
        (["the/DT (NP*", "dog/NN *", "of/IN (PP*", "Ann/NNP (NP*)))"], ["the dog"]),
        (["tax/NN (NP(NML*", "reform/NN *)", "plans/NNS *)"], ["plans"]),
        (["Ann/NNP (NP*", "and/CC *", "Bob/NNP *)"], ["Ann and Bob"]),
        # one noun phrase below, with others below it
        (["the/DT (NP(NP*", "dog/NN *)", "of/IN (PP*", "my/PRP$ (NP*", "son/NN *)))"], ["the dog"]),
        (["5/CD (NP(QP*", "%/NN *)", "of/IN (PP*", "it/PRP (NP*)))"], ["5 %"]),
        # several of them: a conjunction is none of its parts
        (["Ann/NNP (NP(NP*)", "and/CC *", "Bob/NNP (NP*))"], ["Ann", "Bob"]),
        (["a/DT (NP(NP(NP*", "dog/NN *)", "there/RB (ADVP*))", "or/CC *", "I/PRP (NP*))"],
         ["a dog", "I"]),
        # a clause has the minimum spans of its noun phrases, a verb phrase its verb
        (["Ann/NNP (S(NP*)", "sings/VBZ (VP*))"], ["Ann"]),
        (["sings/VBZ (VP*", "songs/NNS (NP*))"], ["sings"]),
        (["to/TO (S(VP*", "sing/VB (VP*)))"], ["to"]),
        (["sing/VB (VP(VP*)", "and/CC *", "dance/VB (VP*))"], ["sing", "dance"]),
        (["in/IN (PP*", "the/DT (NP*", "house/NN *))"], ["the house"]),
        # no phrase among the children: the first that is met below them
        (["one/CD (TOP(S(NP(NP*)", "of/IN (PP*", "us/PRP (NP*)))))"], ["one"]),
        (["sing/VB (TOP(S(VP*", "songs/NNS (NP*))))"], ["sing"]),
        # nothing that counts: the span itself
        (["this/DT (NP*)"], []),
        (["this/DT (NP(NP*)", "of/IN (PP*", "us/PRP (NP*)))"], []),
        ([",/, (NP*", "and/CC *)"], []),
        (["here/RB (ADVP(ADVP*)", "too/RB (ADVP*))"], []),
        (["-LRB-/XX (NP*", "-RRB-/XX *)"], []),
        # a span that is no constituent: several outermost ones make a noun phrase
        (["dog/NN *)", "of/IN (PP*", "Ann/NNP (NP*)))"], ["dog"]),
        (["the/DT (NP(NP*", "dog/NN *)"], ["the dog"]),
        (["of/IN (PP*", "Ann/NNP (NP*)))", "sings/VBZ (VP*)"], []),
        (["Ann/NNP (NP*)", "sings/VBZ (VP*", "songs/NNS (NP*))"], ["Ann"]),
        # words outside of any constituent count at once; if they do not, what follows is theirs
        (["old/JJ *", "dog/NN (NML*)"], ["old"]),
        (["the/DT *", "dog/NN (NML*)"], ["dog"]),
        # before a constituent words are lost that are not of letters or digits alone
        (["C-3/NN (NP*", "of/IN (PP*", "Ann/NNP (NP*)))"], []),
        (["C3/NN (NP*", "of/IN (PP*", "Ann/NNP (NP*)))"], []),
        (["gas/NN (NP*", "of/IN (PP*", "Ann/NNP (NP*)))"], ["gas"]),
    ],
)  # fmt: skip
def test_minimum_spans_of_texts(rows, expected):
    assert texts_of(rows) == expected


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


@given(parsed_spans())
def test_a_minimum_span_lies_within_its_mention_and_is_its_own_minimum(span):
    words, tags, cells = span
    end = 0
    for run in minimum_runs(words, tags, brackets_of(cells)):
        assert end <= run.start < run.end <= len(words)
        assert run.place in (run.end - 1, run.end)
        end = run.end
        alone = slice(run.start, run.end)
        again = minimum_runs(words[alone], tags[alone], brackets_of(cells[alone]))
        assert [(of.start, of.end) for of in again] in ([], [(0, run.end - run.start)])


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
    return Corpus((Document.of_entities("d", entities, words=IN_TEXT),))


def found(result):
    return result["mentions"].recall_numerator


def test_a_mention_with_the_same_minimum_span_is_found(corpus):
    """ "the dog" for "the dog of the farm"; the parse is that of the key."""
    key = corpus(columns(TEXT))
    response = response_of([(0, 2), (10, 11)], [(3, 5)])
    assert found(score(key, response)) == 2
    made = score(key, response, match="min-span")
    assert found(made) == 3
    assert "| match min-span |" in made.signature
    assert made["muc"].precision == 1
    assert found(made.exact) == 2


def test_coval_prints_scores_by_minimum_spans(corpus):
    """Its CoNLL score here: MUC, B³ and CEAF_e of the key by itself."""
    key = corpus(columns(TEXT[:1]))
    made = score(key, key, **preset("coval", match="min-span"))
    report = Report("key", {"key": made}, metrics=("muc", "bcub", "ceafe"))
    assert as_scorer("coval", report).splitlines()[-1] == "CoNLL score: 100.00"


def test_other_minimum_spans_do_not_match(corpus):
    """ "dog" is not "the dog", and "farm barks" not "the farm"."""
    key = corpus(columns(TEXT))
    made = score(key, response_of([(1, 2), (10, 11)], [(4, 6)]), match="min-span")
    assert found(made) == 1


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
        response = Corpus((Document.of_entities("d", [[(0, end)]], words=key["d"].words),))
        assert found(score(key, response, match="min-span")) == expected


def test_a_minimum_span_of_two_entities_counts_as_coval_counts_it(corpus):
    """Both (0, 5) and (0, 2) have the minimum span "the dog"; entity B lists its mention last.

    Key A: 0–5, 10–11; B: 0–2, 7–8. B's first mention ends at 2, A's at 5: A is the last that
    lists "the dog". The response has one entity, 0–5, 7–8 and 10–11: A, B, A by look-up.
    """
    cells = [[*row[:3], "-"] for row in TEXT[0]]
    for at, cell in ((0, "(1|(2"), (1, "2)"), (4, "1)"), (7, "(2)"), (10, "(1)")):
        cells[at][3] = cell
    key = corpus(columns([cells]))
    response = Corpus(
        (Document.of_entities("d", [[(0, 5), (7, 8), (10, 11)]], words=key["d"].words),)
    )
    made = score(key, response, **preset("coval", match="min-span"))
    assert made["bcub"].precision == pytest.approx(float(Fraction(2**2 + 1, 3) / 3))
    # A: "the dog" and "it" are both in the entity of three; B: "the dog" and "its", too
    assert made["bcub"].recall == 1
    assert made["mentions"].recall_denominator == 3
    exact = score(key, response, **preset("coval"))
    assert exact["mentions"].recall_denominator == 4


@pytest.mark.parametrize("repeats", ["first", "listed", "all", "reference"])
def test_every_score_of_the_key_by_itself_is_1_if_no_minimum_span_is_repeated(corpus, repeats):
    key = corpus(columns(TEXT[:1]))
    made = score(key, key, match="min-span", repeats=repeats)
    assert {made[name].f1 for name in ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")} == {1}


def test_errors_are_told_of_mentions_that_stay(corpus):
    key = corpus(columns(TEXT))
    response = response_of([(0, 5), (0, 2), (10, 11)], [(0, 2), (13, 14)])
    made = score(key, response, match="min-span")
    assert [part.tolist() for part in duplicates(made.comparison, singletons="keep")] == [[], []]
    classes = mention_table(made.comparison)["class"].value_counts()
    assert classes[classes > 0].to_dict() == {"correct": 2, "missing": 4, "spurious": 1}


@pytest.mark.parametrize("perturbation", [Drop(), Merge()], ids=lambda one: one.id)
def test_a_sweep_matches_by_minimum_spans(corpus, perturbation):
    key, response = corpus(columns(TEXT)), response_of([(0, 2), (10, 11)], [(3, 5), (7, 9)])
    policies = Policies(match="min-span")
    result = score(key, response, match="min-span")
    for run in Sweep(result=result, perturbation=perturbation, doses=(0.0, 1.0), seeds=(1,)):
        changed = perturb(key, response, [perturbation.at(run.dose)], seed=run.seed)
        after = score(key, changed, match=policies.match)
        assert run.scores["bcub"].f1 == pytest.approx(after["bcub"].f1)


def test_a_key_without_a_parse_is_refused_by_its_column(corpus):
    bare = [[(word, tag, "-", entity) for word, tag, _, entity in TEXT[1]]]
    key = corpus(columns(bare))
    with pytest.raises(InputError, match="without a parse; expected a parse in column 6"):
        score(key, key, match="min-span")


def test_a_key_without_parts_of_speech_is_refused_by_their_column(corpus):
    bare = [[(word, "-", parse, entity) for word, _, parse, entity in TEXT[1]]]
    key = corpus(columns(bare))
    with pytest.raises(InputError, match=r"without parts of speech; expected .* in column 5"):
        score(key, key, match="min-span")
