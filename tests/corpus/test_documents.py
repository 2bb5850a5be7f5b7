"""Documents and corpora as values, made in Python; their genres, lemmas and types of mentions."""

import json
import re
from collections import UserDict
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corescore
from corescore import (
    Corpus,
    Document,
    Mention,
    PolicyError,
    from_char_clusters,
    from_clusters,
    from_spacy,
    read,
)
from corescore.__main__ import main
from corescore.corpus.documents import in_text_order, in_text_order_at_once
from corescore.corpus.english import (
    COARSE_TYPE,
    MENTION_TYPES,
    Phrase,
    fine_type,
    given_type,
    has_content,
    has_english_tags,
    type_by_tags,
    type_by_words,
)
from corescore.corpus.files import read_bytes
from corescore.corpus.formats.conllu import write_conllu
from corescore.corpus.formats.jsonl import write_jsonl
from corescore.corpus.names import read_genres, with_genres
from corescore.util import bundled
from tests.support.messages import message_of

# Documents and corpora as values ------------------------------------------------------------------

ROWS = [(4, 5, "x"), (0, 3, "y"), (0, 1, "x"), (2, 3, "y")]


SPANS = st.tuples(st.integers(0, 5), st.integers(1, 4), st.integers(0, 3))


@given(
    st.lists(SPANS, max_size=12),
    st.sampled_from([(np.int64, 0), (np.int32, 0), (np.int64, 2**40)]),
)
def test_rows_of_tuples_or_an_array_are_in_text_order_and_number_entities_by_it(spans, kind):
    dtype, before = kind
    rows = [(before + start, before + start + n, entity) for start, n, entity in spans]
    found = Document.of_rows("d", rows)
    array = Document.of_rows("d", np.array(rows, dtype=dtype).reshape(-1, 3))
    placed = sorted(rows, key=lambda row: (row[0], -row[1]))
    number = {entity: at for at, entity in enumerate(dict.fromkeys(row[2] for row in placed))}
    expected = sorted(
        ((s, e, number[entity]) for s, e, entity in rows), key=lambda row: (row[0], -row[1], row[2])
    )
    assert [*map(tuple, found.rows.tolist())] == expected
    entities = [
        tuple(Mention(s, e) for s, e, of in expected if of == n) for n in range(len(number))
    ]
    assert (found.entities, found.n_entities) == (tuple(entities), len(number))
    assert array == found
    assert array.listed == found.listed


@given(st.lists(st.lists(SPANS, max_size=18), min_size=1, max_size=4), st.sampled_from([0, 2**31]))
def test_rows_of_documents_at_once_are_in_order_as_those_of_each(documents, before):
    """None of a document with a span that is there twice."""
    every = [[(before + s, before + s + n, entity) for s, n, entity in one] for one in documents]
    rows = [(*span, 4 * at + entity) for at, one in enumerate(every) for *span, entity in one]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    found = in_text_order_at_once(*columns, np.array([*map(len, every)]))
    for rows, at_once in zip(every, found, strict=True):
        if len({row[:2] for row in rows}) < len(rows):
            assert at_once is None
        else:
            alone = in_text_order("d", rows)
            assert at_once.table.tolist() == alone.table.tolist()
            assert at_once.order.tolist() == alone.order.tolist()


@pytest.mark.parametrize("row", [(-1, 1, 0), (2, 2, 0), (3, 2, 0)])
def test_a_span_without_a_word_or_before_the_document_is_refused(row):
    for rows in ([(0, 1, 0), row], np.array([(0, 1, 0), row])):
        with pytest.raises(ValueError, match="a span that is not 0 ≤ start < end"):
            Document.of_rows("d", rows)


def test_other_entities_over_the_same_text():
    document = Document.of_rows(
        "d",
        ROWS,
        words="abcde",
        sentence_starts=(0, 2),
        speakers=("Ann", ""),
        tags=("NN", "", "DT", "NN", ""),
    )
    other = document.with_entities([(1, 2, 0)])
    assert other.mentions == (Mention(1, 2),)
    assert (other.words, other.sentence_starts) == (document.words, document.sentence_starts)
    assert (other.name, other.speakers) == (document.name, document.speakers)
    assert other.tags == document.tags
    assert other.with_entities(ROWS) == document


def test_where_a_document_was_read_does_not_count():
    read = Document.of_rows("d", ROWS, file="a.conll", lines=np.arange(5))
    assert read == Document.of_rows("d", ROWS)
    assert hash(read) == hash(Document.of_rows("d", ROWS))
    assert Corpus((read,), "a.conll", ("a warning",)) == Corpus((read,))


@pytest.mark.parametrize(
    "rows, known",
    [
        (ROWS[1:], {}),
        ([*ROWS[:-1], (2, 3, "z")], {}),
        (ROWS, {"words": "abcdx"}),
        (ROWS, {"named_mentions": True}),
        (ROWS, {"tags": ("NN",) * 5}),
        (ROWS, {"lemmas": "abcde"}),
    ],
)
def test_all_that_is_said_of_the_text_counts(rows, known):
    document = Document.of_rows("d", ROWS, words="abcde")
    assert document == Document.of_rows("d", ROWS[::-1], words=[*"abcde"])
    assert document != Document.of_rows("d", rows, **{"words": "abcde", **known})
    assert document not in (Document.of_rows("e", ROWS, words="abcde"), "d")


@pytest.mark.parametrize("field", ["tags", "lemmas"])
@pytest.mark.parametrize("words", ["", "a", "abc"])
def test_tags_and_lemmas_are_one_for_each_word(field, words):
    with pytest.raises(ValueError, match=rf"document 'd' has 2 {field} for {len(words)} words?$"):
        Document.of_rows("d", (), words=words, **{field: ("NN", "")})


def test_a_corpus_is_its_documents_in_order_and_by_name():
    b, a = Document.of_rows("b", ()), Document.of_rows("a", ())
    corpus = Corpus((b, a))
    assert [*corpus] == [b, a]
    assert (len(corpus), corpus["a"]) == (2, a)
    with pytest.raises(KeyError, match=r"no document 'bb' in the corpus\. Did you mean 'b'"):
        corpus["bb"]
    with pytest.raises(
        KeyError, match=r"no document 0 in the corpus\. Documents are in by_name, in"
    ):
        corpus[0]


# A corpus out of what a system holds in Python ----------------------------------------------------

WORDS = ["Mia", "fed", "her", "cat", "."]


def spans_of(corpus, name="document"):
    return [[(m.start, m.end) for m in entity] for entity in corpus[name].entities]


# --- Words ---------------------------------------------------------------------------------------


def test_ends_are_as_they_are_said_to_be():
    inclusive = from_clusters(WORDS, [[(0, 0), (2, 2)], [(2, 3)]], ends="inclusive")
    exclusive = from_clusters(WORDS, [[(0, 1), (2, 3)], [(2, 4)]], ends="exclusive")
    assert inclusive == exclusive
    assert spans_of(inclusive) == [[(0, 1), (2, 3)], [(2, 4)]]
    assert corescore.score(inclusive, exclusive)["conll"].f1 == 1


def test_the_ends_have_to_be_said():
    with pytest.raises(TypeError, match="ends"):
        from_clusters(WORDS, [])
    with pytest.raises(PolicyError, match="expected one of: inclusive, exclusive"):
        from_clusters(WORDS, [], ends="open")


def test_words_may_be_in_sentences_and_positions_of_numpy():
    sentences = [["Mia", "fed"], [], ["her", "cat", "."]]
    made = from_clusters(sentences, [np.array([[0, 0], [2, 3]])], ends="inclusive", name="d")
    assert made["d"].words == tuple(WORDS)
    assert made["d"].sentence_starts == (0, 2)
    assert spans_of(made, "d") == [[(0, 1), (2, 4)]]
    assert from_clusters([], [], ends="inclusive")["document"].words == ()


@pytest.mark.parametrize(
    "span, ends, found",
    [
        ((4, 5), "inclusive", r"the span \(4, 5\) .* 5 words; expected 0 ≤ start ≤ end"),
        ((-1, 0), "inclusive", r"the span \(-1, 0\)"),
        ((2, 2), "exclusive", r"the span \(2, 2\) .* 5 words; expected 0 ≤ start < end"),
        ((0, 1.0), "exclusive", r"\(0, 1\.0\) in a cluster"),
        (7, "exclusive", "7 in a cluster"),
    ],
)
def test_spans_that_are_none_are_refused(span, ends, found):
    message = message_of(from_clusters, WORDS, [[span]], ends=ends)
    assert re.match(f"document: {found}", message)


# --- Characters ----------------------------------------------------------------------------------


TEXT = "Mia fed her cat.\nIt purred, as always: 3.5 times."


def test_the_same_is_read_from_a_file_of_fastcoref():
    clusters = [[[0, 3], [8, 11]], [[8, 14], [17, 19]]]
    text = json.dumps({"doc_key": "document", "text": TEXT, "clusters": clusters})
    made, read = from_char_clusters(TEXT, clusters), read_bytes(text.encode(), "document")
    assert made == read
    assert spans_of(made) == [[(0, 1), (2, 3)], [(2, 4), (5, 6)]]
    assert made["document"].sentence_starts == (0, 5)
    assert made.warnings == read.warnings
    (warning,) = made.warnings
    assert re.fullmatch(r"document: 1 mention cut .* 'her ca' became 'her cat'", warning)
    (warning,) = from_char_clusters(TEXT, [[(0, 2), (8, 10)]]).warnings
    assert "2 would not if each ended one character later" in warning


@given(st.text(), st.data())
def test_a_span_gets_the_words_that_it_touches_and_no_others(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    touched = [at for at in range(start, end) if not text[at].isspace()]
    if not touched:
        assert "word" in message_of(from_char_clusters, text, [[(start, end)]])
        return
    made = from_char_clusters(text, [[(start, end)]])
    ((first, last),) = spans_of(made)[0]
    words = made["document"].words
    assert "".join(words) == "".join(text.split())
    before = len("".join(text[:start].split()))
    inside = len("".join(text[start:end].split()))
    edges = [sum(map(len, words[:at])) for at in range(len(words) + 1)]
    assert edges[first] <= before < edges[first + 1]
    assert edges[last - 1] < before + inside <= edges[last]
    whole = (edges[first], edges[last]) == (before, before + inside)
    assert bool(made.warnings) != whole


# --- spaCy ---------------------------------------------------------------------------------------
# A stand-in with what a spaCy Doc offers: its tokens in order, and span groups by their keys.


@dataclass
class Token:
    text: str
    is_sent_start: bool | None = None
    tag_: str = ""
    lemma_: str = ""


@dataclass
class Span:
    start: int
    end: int


class Doc:
    def __init__(self, tokens, groups):
        self.tokens = tokens
        self.spans = UserDict(groups)

    def __iter__(self):
        return iter(self.tokens)


GROUPS = {
    "coref_clusters_1": [Span(0, 1), Span(2, 3)],
    "coref_clusters_12": [Span(2, 4)],
    "coref_head_clusters_1": [Span(3, 4)],
    "sc": [Span(0, 5)],
}


def test_span_groups_of_spacy_are_entities():
    made = from_spacy(Doc([*map(Token, WORDS)], GROUPS))
    assert spans_of(made) == [[(0, 1), (2, 3)], [(2, 4)]]
    assert made["document"].words == tuple(WORDS)
    assert made["document"].sentence_starts == (0,)
    assert made["document"].tags == ()
    assert made == from_clusters(WORDS, [[(0, 0), (2, 2)], [(2, 3)]], ends="inclusive")


def test_sentences_tags_and_lemmas_of_spacy_are_taken_where_they_are_known():
    starts = [True, False, True, False, False]
    tokens = [Token(w, is_start, "T", w[:1]) for w, is_start in zip(WORDS, starts, strict=True)]
    made = from_spacy(Doc(tokens, {}))["document"]
    assert (made.sentence_starts, made.tags) == ((0, 2), ("T",) * 5)
    assert made.lemmas == (*"Mfhc.",)


def test_several_docs_are_numbered_or_named():
    doc = Doc([Token("It")], {})
    assert [document.name for document in from_spacy(doc, doc)] == ["1", "2"]
    assert [document.name for document in from_spacy(doc, doc, names=("a", "b"))] == ["a", "b"]
    assert "1 name for 2 documents" in message_of(from_spacy, doc, doc, names=("a", "a"))


def test_other_span_groups_are_refused_unless_their_prefix_is_named():
    doc = Doc([*map(Token, WORDS)], {"chains_1": [Span(0, 1)]})
    message = message_of(from_spacy, doc)
    assert message.startswith("document: the span groups chains_1; expected some whose keys are ")
    assert spans_of(from_spacy(doc, prefix="chains")) == [[(0, 1)]]


# The genre of a document: what files say of it, and what is written again -------------------------

SENTENCE = "1\tIt\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1)\n2\tran\t_\t_\t_\t_\t1\t_\t_\t_\n\n"


def conllu(*comments, name="d"):
    told = "".join(f"# {comment}\n" for comment in comments)
    return f"# newdoc id = {name}\n# global.Entity = eid\n{told}{SENTENCE}"


def genres_in(text):
    return [document.genre for document in read_bytes(text.encode(), "key")]


@pytest.mark.parametrize(
    "comments, genre",
    [
        (["meta::genre = travel guide", "meta::title = Oslo"], "travel guide"),
        (["genre = letter"], "letter"),
        (["genre = letter", "genre = novel"], "letter"),
        (["meta::genre ="], ""),
        (["meta::subgenre = blog"], ""),
        ([], ""),
    ],
)
def test_comments_of_conllu_tell_the_genre_of_their_document(comments, genre):
    text = conllu(*comments) + conllu("meta::genre = essay", name="e")
    assert genres_in(text) == [genre, "essay"]


@pytest.mark.parametrize("told, genre", [(" letter ", "letter"), (3, "")])
def test_a_field_of_json_lines_tells_the_genre(told, genre):
    for words in ({"sentences": [["It", "ran"]]}, {"tokens": ["It", "ran"]}, {}):
        line = {"doc_key": "d", **words, "clusters": [[[0, 0]]], "genre": told}
        assert genres_in(json.dumps(line)) == [genre]


def test_the_genre_of_any_document_is_written_as_conllu_and_json():
    document = Document.of_rows("d", [(0, 1, 0)], words=("It", "ran"), genre="travel guide")
    for write in (write_conllu, write_jsonl):
        assert genres_in(write(Corpus((document,)))) == ["travel guide"]
    (read,) = read_bytes(conllu("genre = letter").encode(), "key")
    assert genres_in(write_conllu(Corpus((read,)))) == ["letter"]
    assert genres_in(write_jsonl(Corpus((read,)))) == ["letter"]


# Genres from a table of documents, and the errors that they tell apart ----------------------------

KEY, RESPONSE = (str(bundled("sample_data") / f"{name}.conll") for name in ("key", "cautious"))


@pytest.mark.parametrize(
    "text",
    [
        "a\tletter\nb, c\tnovel\n",
        "document\tgenre\r\na\tletter\r\n\r\nb, c\t novel\r\n",
        'Document,Genre\na,letter\n"b, c",novel',
        "\ufeffa\tletter\nb, c\tnovel",
    ],
)
def test_a_table_has_a_document_and_its_genre_in_each_row(tmp_path, text):
    file = tmp_path / "genres"
    file.write_bytes(text.encode())
    assert read_genres(str(file)) == {"a": "letter", "b, c": "novel"}


@pytest.mark.parametrize(
    "data, found",
    [
        (b"a\tletter\nb\n", ":2: 1 column: 'b'"),
        (b"a\tletter\nb\t\n", ":2: no genre of 'b'"),
        (b"a\tletter\n\tnovel\n", ":2: no document before 'novel'"),
        (b"a,letter,x\n", ":1: 3 columns: 'a'"),
        (b"a\tletter\nb\tnovel\na\tnovel\n", ":3: a second row on document 'a'"),
        (b"\xff\xfe", ": bytes that are no UTF-8"),
        (b"a\rb\t" + 140_000 * b"c", ": no table"),
    ],
)
def test_a_table_that_is_none_is_refused_with_its_line(tmp_path, data, found):
    file = tmp_path / "genres.tsv"
    file.write_bytes(data)
    assert message_of(read_genres, str(file)).startswith(f"{file}{found}")


def test_documents_that_are_not_named_keep_what_their_file_says():
    corpus = Corpus(tuple(Document.of_rows(name, (), genre="essay") for name in "ab"))
    found = with_genres(corpus, {"a": "letter", "x": "novel", "y": "novel"}, "genres.tsv")
    assert [document.genre for document in found] == ["letter", "essay"]
    assert found.warnings == ("genres.tsv: not in the key: 2 documents, such as 'x'.",)


def test_errors_are_listed_by_the_genres_of_a_table(tmp_path, capsys):
    table = tmp_path / "genres.csv"
    table.write_text(
        "news_library,letter\nnews_harbour,letter\nelsewhere,novel\n", encoding="utf-8"
    )
    arguments = ["errors", KEY, RESPONSE, "--genres", str(table), "--query", "genre:letter"]
    assert main([*arguments, "--format", "json"]) == 0
    told = capsys.readouterr()
    documents = {row["document"] for row in json.loads(told.out)["rows"]}
    assert documents == {"news_library", "news_harbour"}
    assert re.search(r"not in the key: 1 document, such as 'elsewhere'\.", told.err)
    assert main([*arguments, "--out", str(table), "--force"]) == 2
    assert "letter" in table.read_text("utf-8")


# Lemmas, and the fine types of mentions -----------------------------------------------------------


# The lemmas of words: what each format says of them, and what is written again --------------------

DOGS = ("Dogs", "ran", "_")
LEMMAS = ("dog", "run", "")


def document_in(text, name="x"):
    (document,) = read_bytes(text.encode(), name)
    return document


def with_lemmas(*lemmas, words=DOGS):
    rows = (
        f"{at}\t{word}\t{lemma}\t" + "_\t" * 6 + "_\n"
        for at, (word, lemma) in enumerate(zip(words, lemmas, strict=True), start=1)
    )
    return "# newdoc id = d\n# global.Entity = eid-etype-head-other\n" + "".join(rows) + "\n"


def semeval(*lemmas, n=17):
    rows = (
        "\t".join([str(at), word, *of, *["_"] * (n - 5), "-"]) + "\n"
        for at, (word, of) in enumerate(zip(DOGS, lemmas, strict=True), start=1)
    )
    return "#begin document d\n" + "".join(rows) + "\n#end document d\n"


def test_the_third_column_of_conllu_is_the_lemma():
    """Of an empty node too; a multiword token has none."""
    text = with_lemmas("dog", "dog", "_")
    document = document_in(text)
    assert document.lemmas == ("dog", "dog", "")
    assert document.lemmas[0] is document.lemmas[1]
    assert document_in(with_lemmas("_", "_", "_")).lemmas == ()
    text = text.replace("1\tDogs", "1-2\tDogsran\tx" + "\t_" * 7 + "\n1\tDogs")
    node = "2.1\t_\tit" + "\t_" * 7 + "\n"
    assert document_in(text.replace("3\t_\t_", f"{node}3\t_\t_")).lemmas == ("dog", "dog", "it", "")


@pytest.mark.parametrize("more", ["", "\t"])  # read as arrays, and row by row
def test_semeval_2010_has_lemmas_and_where_they_are_empty_predicted_ones(more):
    pairs = ("dog", "dogs"), ("_", "run"), ("_", "_")
    text = semeval(*pairs).replace("\n3\t", f"{more}\n3\t")
    of_2012 = "#begin document (e); part 000\n" + "d\t0\t0\tran\tX\t*\trun\t1\t-\t-\t*\t-\n"
    corpus = read_bytes(f"{text}{of_2012}\n#end document\n".encode(), "x")
    assert [document.lemmas for document in corpus] == [LEMMAS, ()]  # lemmas of predicates: none
    assert document_in(semeval(*pairs, n=15)).lemmas == ()


def test_conll_ua_has_lemmas_where_a_column_is_named_so():
    head = "# global.columns = ID FORM{} IDENTITY\n# newdoc id = d\n"
    rows = "1\tDogs\tdog\t_\n2\tran\trun\t_\n3\t_\t_\t_\n\n"
    assert document_in(head.format(" LEMMA") + rows).lemmas == LEMMAS
    assert document_in(head.format(" OTHER") + rows).lemmas == ()


def test_corenlp_and_stanza_name_lemmas():
    known = [{"lemma": lemma} if lemma else {} for lemma in LEMMAS]
    tokens = [{"word": word, **of} for word, of in zip(DOGS, known, strict=True)]
    assert (
        document_in(json.dumps({"sentences": [{"tokens": tokens}], "corefs": {}})).lemmas == LEMMAS
    )
    words = [{"id": at + 1, "text": word, **known[at]} for at, word in enumerate(DOGS)]
    assert document_in(json.dumps([words])).lemmas == LEMMAS


def test_booknlp_has_a_column_of_lemmas(tmp_path):
    header = "sentence_ID\ttoken_ID_within_document\tword\tlemma\n"
    rows = "".join(f"0\t{at}\t{word}\t{word.lower()}\n" for at, word in enumerate(("It", "Ran")))
    (tmp_path / "x.tokens").write_text(header + rows, "utf-8")
    top = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"
    (tmp_path / "x.entities").write_text(f"{top}1\t0\t0\tPRON\tPER\tIt\n", "utf-8")
    (document,) = read(tmp_path / "x.entities")
    assert document.lemmas == ("it", "ran")


def test_a_lemma_with_a_tab_does_not_break_a_row():
    written = write_conllu(Corpus((Document.of_rows("d", (), words=["a"], lemmas=["x\ty"]),)))
    assert "\n1\ta\tx y\t" in written


def test_json_with_lemmas_in_another_shape_is_refused():
    line = {"doc_key": "d", "sentences": [["a", "b"]], "clusters": [], "lemmas": [["a"]]}
    message = message_of(read_bytes, json.dumps(line).encode(), "x.jsonl")
    assert "'lemmas' in another shape than the words; expected a lemma for each word" in message


# The fine types of mentions, from a phrase and its coarse type ------------------------------------


def type_of(words, tags="", **follows):
    phrase = Phrase.of(tuple(words.split()), tuple(tags.split()))
    by_words = type_by_words(phrase, opens_sentence=False, in_lower_case=())
    return fine_type(phrase, type_by_tags(phrase) or by_words, **follows)


TYPED = {
    "personal": "He; them | PRON; he or she | PRP CC PRP; her | PRP; them both | PRP DT",
    "possessive": "his | PRP$; theirs; her | PRP$",
    "reflexive": "itself",
    "first or second person": "I | PRP; my | PRP$; yourselves; ’s | PRP; you both; us two | PRP CD",
    "demonstrative": "those | DT; that",
    "other pronoun": "that | WDT; who; there | EX; someone | PRON; all | DT",
    "proper": "Ann; the White House; ann | PROPN",
    "common definite": "the dog; this dog | DT NN; my two | PRP$ CD; Ann 's dog; the run | DT VBG",
    "common indefinite": "a dog; another dog of Ann 's; dogs | NNS",
    "quantified": "all the dogs; a few dogs; three dogs | CD NNS; 17 dogs; thrice 17 | CD CD",
    "other": "ran away | VBD RB; here | ADV",
    "unknown": "",
}
PHRASES = [(phrase, wanted) for wanted, of in TYPED.items() for phrase in of.split("; ")]
PHRASES.append(("someone | NN", "quantified"))


@pytest.mark.parametrize("phrase, wanted", PHRASES)
def test_the_first_words_and_the_tags_tell_the_type(phrase, wanted):
    words, _, tags = phrase.partition(" | ")
    assert type_of(words, tags) == wanted


@pytest.mark.parametrize(
    "follows, tag, wanted",
    [
        ("dog", "", "possessive"),
        ("to", "", "personal"),
        (".", "", "personal"),
        ("", "", "personal"),
        ("briefly", "ADV", "personal"),
        ("up", "NOUN", "possessive"),
    ],
)
def test_her_is_told_by_what_follows(follows, tag, wanted):
    assert type_of("Her", follows=follows, tag_of_follows=tag) == wanted


@pytest.mark.parametrize("coarse", MENTION_TYPES)
@pytest.mark.parametrize("words", ["", "it", "Ann", "a dog", "of", "'s"])
def test_a_fine_type_belongs_to_the_coarse_type_it_is_found_from(coarse, words):
    assert COARSE_TYPE[fine_type(Phrase.of(tuple(words.split())), coarse)] == coarse


def test_types_that_files_give_are_known_by_several_names():
    names = ["PRON", "pronoun", "PROP", "Nom", "nominal", "list", "np", ""]
    wanted = ["pronoun", "pronoun", "name", "nominal", "nominal", "", "", ""]
    assert [given_type(name) for name in names] == wanted


@pytest.mark.parametrize(
    "tags, wanted",
    [
        (["DT", "NN", "VBD"], True),
        (["DET", "NOUN", "VERB"], False),
        (["NN", "VV", "PN"], False),
        (["ART", "NN", "VVFIN", "PPER"], False),
        ([], False),
    ],
)
def test_tags_of_the_penn_treebank_are_told_from_others(tags, wanted):
    assert has_english_tags(tags) == wanted


def test_a_phrase_of_pronouns_determiners_and_number_words_has_no_content():
    for phrase in ("the same one", "you two", "all of them", "", "his", "those"):
        assert not has_content(phrase.split())
    for phrase in ("the lake", "two boats", "waive", "der See"):
        assert has_content(phrase.split())
