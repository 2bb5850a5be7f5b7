"""The lemmas of words: what each format says of them, and what is written again."""

import json
from types import SimpleNamespace

import pytest

from corescore import Corpus, Document, from_spacy, read, score
from corescore.corpus.formats.conllu import write_conllu
from corescore.corpus.formats.jsonl import write_jsonl
from corescore.corpus.reading import read_bytes
from tests.support.messages import message_of

WORDS = ("Dogs", "ran", "_")
LEMMAS = ("dog", "run", "")


def document_in(text, name="x"):
    (document,) = read_bytes(text.encode(), name)
    return document


def conllu(*lemmas, words=WORDS):
    rows = (
        f"{at}\t{word}\t{lemma}\t" + "_\t" * 6 + "_\n"
        for at, (word, lemma) in enumerate(zip(words, lemmas, strict=True), start=1)
    )
    return "# newdoc id = d\n# global.Entity = eid-etype-head-other\n" + "".join(rows) + "\n"


def semeval(*lemmas, n=17):
    rows = (
        "\t".join([str(at), word, *of, *["_"] * (n - 5), "-"]) + "\n"
        for at, (word, of) in enumerate(zip(WORDS, lemmas, strict=True), start=1)
    )
    return "#begin document d\n" + "".join(rows) + "\n#end document d\n"


def test_the_third_column_of_conllu_is_the_lemma():
    assert document_in(conllu("dog", "run", "_")).lemmas == LEMMAS


def test_a_file_that_names_no_lemma_has_none():
    assert document_in(conllu("_", "_", "_")).lemmas == ()


def test_an_empty_node_has_its_lemma_and_a_multiword_token_none():
    text = conllu("dog", "run", "_").replace("1\tDogs", "1-2\tDogsran\tx" + "\t_" * 7 + "\n1\tDogs")
    node = "2.1\t_\tit" + "\t_" * 7 + "\n"
    assert document_in(text.replace("3\t_\t_", f"{node}3\t_\t_")).lemmas == ("dog", "run", "it", "")


def test_equal_lemmas_are_one_string():
    document = document_in(conllu("the dog", "the dog", "_"))
    assert document.lemmas[0] is document.lemmas[1]


@pytest.mark.parametrize("more", ["", "\t"])  # read as arrays, and row by row
def test_semeval_2010_has_lemmas_and_where_they_are_empty_predicted_ones(more):
    text = semeval(("dog", "dogs"), ("_", "run"), ("_", "_"))
    assert document_in(text.replace("\n3\t", f"{more}\n3\t")).lemmas == LEMMAS


def test_rows_with_fewer_columns_than_semeval_2010_have_no_lemmas():
    assert document_in(semeval(("dog", "dogs"), ("_", "run"), ("_", "_"), n=15)).lemmas == ()


def test_the_lemmas_of_predicates_in_conll_2012_are_not_read():
    row = "d\t0\t{}\t{}\tX\t*\t{}\t1\t-\t-\t*\t-\n"
    rows = "".join(row.format(at, *of) for at, of in enumerate([("ran", "run"), ("it", "-")]))
    assert document_in(f"#begin document (d); part 000\n{rows}\n#end document\n").lemmas == ()


def test_documents_with_and_without_lemmas_stand_in_one_file():
    more = "#begin document e\n1\tx\t-\n\n#end document e\n"
    corpus = read_bytes((semeval(("dog", "_"), ("_", "run"), ("_", "_")) + more).encode(), "x")
    assert [document.lemmas for document in corpus] == [LEMMAS, ()]


def test_conll_ua_has_lemmas_where_a_column_is_named_so():
    head = "# global.columns = ID FORM{} IDENTITY\n# newdoc id = d\n"
    rows = "1\tDogs\tdog\t_\n2\tran\trun\t_\n3\t_\t_\t_\n\n"
    assert document_in(head.format(" LEMMA") + rows).lemmas == LEMMAS
    assert document_in(head.format(" OTHER") + rows).lemmas == ()


def test_corenlp_and_stanza_name_lemmas():
    pairs = [*zip(WORDS, LEMMAS, strict=True)]
    tokens = [{"word": word, **({"lemma": of} if of else {})} for word, of in pairs]
    corenlp = {"sentences": [{"tokens": tokens}], "corefs": {}}
    assert document_in(json.dumps(corenlp)).lemmas == LEMMAS
    words = [
        {"id": at, "text": word, **({"lemma": lemma} if lemma else {})}
        for at, (word, lemma) in enumerate(pairs, start=1)
    ]
    assert document_in(json.dumps([words])).lemmas == LEMMAS


def test_booknlp_has_a_column_of_lemmas(tmp_path):
    header = "sentence_ID\ttoken_ID_within_document\tword\tlemma\n"
    rows = "".join(f"0\t{at}\t{word}\t{word.lower()}\n" for at, word in enumerate(("It", "Ran")))
    (tmp_path / "x.tokens").write_text(header + rows, encoding="utf-8")
    top = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"
    (tmp_path / "x.entities").write_text(f"{top}1\t0\t0\tPRON\tPER\tIt\n", encoding="utf-8")
    (document,) = read(tmp_path / "x.entities")
    assert document.lemmas == ("it", "ran")


def test_spacy_tells_lemmas_where_it_has_them():
    tokens = [
        SimpleNamespace(text=word, tag_="", is_sent_start=None, lemma_=lemma)
        for word, lemma in zip(WORDS, LEMMAS, strict=True)
    ]

    class Doc:
        def __init__(self):
            self.spans = {}

        def __iter__(self):
            return iter(tokens)

    assert from_spacy(Doc())["document"].lemmas == LEMMAS


def test_lemmas_of_any_document_are_written_as_conllu_and_json():
    document = Document.of_rows("d", [(0, 1, 0)], words=WORDS, lemmas=LEMMAS)
    written = write_conllu(Corpus((document,)))
    assert [row.split("\t")[2] for row in written.split("\n") if row[:1].isdigit()] == [
        "dog",
        "run",
        "_",
    ]
    assert json.loads(write_jsonl(Corpus((document,))))["lemmas"] == [[*LEMMAS]]


def test_a_lemma_with_a_tab_does_not_break_a_row():
    document = Document.of_rows("d", (), words=["a"], lemmas=["x\ty"])
    assert document_in(write_conllu(Corpus((document,)))).lemmas == ("x y",)


def test_json_with_lemmas_in_another_shape_is_refused():
    line = {"doc_key": "d", "sentences": [["a", "b"]], "clusters": [], "lemmas": [["a"]]}
    message = message_of(read_bytes, json.dumps(line).encode(), "x.jsonl")
    assert "'lemmas' in another shape than the words; expected a lemma for each word" in message


def test_lemmas_that_are_not_one_for_each_word_are_refused():
    with pytest.raises(ValueError, match="1 lemmas for 2 words"):
        Document.of_rows("d", (), words="ab", lemmas=["x"])


def test_documents_with_other_lemmas_are_not_equal():
    one, other = (Document.of_rows("d", (), words="a", lemmas=[lemma]) for lemma in "bc")
    assert one != other


def test_lemmas_move_with_their_words_when_texts_are_aligned():
    key = Document.of_rows("d", [(0, 1, 0)], words=("can't", "."))
    words, lemmas = ("ca", "n't", "."), ("can", "not", ".")
    response = Document.of_rows("d", [(0, 1, 0)], words=words, lemmas=lemmas)
    found = score(Corpus((key,)), Corpus((response,)), words="align")
    assert found.comparison.response[0].lemmas == ("can", ".")
