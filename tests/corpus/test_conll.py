"""CoNLL columns: what is read leniently, what is refused and how, and what is written."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, Mention, score
from corescore.corpus.files import read_bytes
from corescore.corpus.formats.conll import write_conll
from tests.support import messages
from tests.support.messages import refusal_of
from tests.support.strategies import corpora, documents

BEGIN, END = "#begin document (d); part 000\n", "#end document\n"
held = documents(crossing=False)


def conll(text, file="dev.conll"):
    return read_bytes(text.encode(), file, format="conll")


def column(*cells, separator=" ", end=END):
    """A document of one sentence with a word for each cell of its last column."""
    rows = (separator.join(("d", "0", str(at), f"w{at}", cell)) for at, cell in enumerate(cells))
    return BEGIN + "".join(f"{row}\n" for row in rows) + end


def entities(text):
    (document,) = conll(text)
    return [[(m.start, m.end) for m in entity] for entity in document.entities]


def message_of(text):
    return messages.message_of(conll, text)


# --- There and back ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["x; part 3", "x; part 003", "; part 3", "1", "a (b); part 2", "0; part 1", "1; part 2"]
)
def test_names_with_parts_are_written_as_parts(name):
    """Nor is a number in one taken for that of a word."""
    corpus = Corpus((Document.of_entities(name, [[(0, 1), (1, 2)]], words=["It", "is"]),))
    assert conll(write_conll(corpus)) == corpus


def test_a_name_with_a_number_sign_makes_no_comments_of_its_rows():
    (document,) = conll("#begin document (#1); part 2\n#1 2 0 It (1)\n#end document\n")
    assert document.words == ("It",)


@pytest.mark.parametrize(
    "name, word, found",
    [
        ("d", "a b", "the word 'a b' in document 'd'"),
        ("d", "", "the word '' in document 'd'"),
        ("d\ne", "a", r"the document name 'd\ne'"),
        ("", "a", "the document name ''"),
    ],
)
def test_what_columns_cannot_hold_is_named(name, word, found):
    corpus = Corpus((Document.of_rows(name, (), words=[word]),))
    assert f"{found}; expected " in messages.message_of(write_conll, corpus)
    crossing = Corpus((Document.of_rows("d", [(0, 3, 0), (1, 4, 0)], words="abcd"),))
    said = "mentions of one entity that cross in document 'd'; expected mentions that nest"
    assert said in messages.message_of(write_conll, crossing)


# --- A strict reader of the reference format, which knows nothing of ours ------------------------

HEADER = re.compile(r"#begin document \((.+)\); part (\d{3,})")
CELL = re.compile(r"-|(?:\(\d+\)?|\d+\))(?:\|(?:\(\d+\)?|\d+\)))*")


def strict_read(text):
    """{(name, part): (words, {(first word, last word, id)})} by the grammar of CoNLL-2012."""
    found, open_mentions, words = {}, None, None
    for line in text.splitlines():
        header = HEADER.fullmatch(line)
        if header:
            assert words is None, "a document begins within a document"
            open_mentions, words, spans = {}, [], []
            found[header[1], int(header[2])] = (words, spans)
        elif line == "#end document":
            assert not any(open_mentions.values()), "a bracket stays open"
            words = None
        elif line:
            assert words is not None, "a row of no document"
            fields = line.split()
            assert len(fields) >= 12
            assert fields[1] == str(int(fields[1]))
            assert CELL.fullmatch(fields[-1]), fields[-1]
            at = len(words)
            words.append(fields[3])
            for bracket in fields[-1].split("|"):
                number = bracket.strip("()-")
                if bracket.startswith("("):
                    open_mentions.setdefault(number, []).append(at)
                if bracket.endswith(")"):
                    spans.append((open_mentions[number].pop(), at, number))
    assert words is None, "the last document does not end"
    return found


@settings(max_examples=100)
@given(corpora(held))
def test_what_is_written_is_read_again_and_by_a_strict_reader(corpus):
    text = write_conll(corpus)
    assert conll(text) == corpus
    found = strict_read(text)
    assert len(found) == len(corpus)
    for document, ((name, part), (words, spans)) in zip(corpus, found.items(), strict=True):
        assert document.name == (name if part == 0 else f"{name}; part {part}")
        assert tuple(words) == document.words
        by_id = {}
        for first, last, number in spans:
            by_id.setdefault(number, []).append(Mention(first, last + 1))
        assert sorted(map(sorted, by_id.values())) == sorted(map(sorted, document.entities))


# --- Headers, ends and columns -------------------------------------------------------------------


@pytest.mark.parametrize(
    "header, name",
    [
        ("#begin document (d); part 000", "d"),
        ("#begin document (d); part 0", "d"),
        ("#begin document (d); part 003", "d; part 3"),
        ("#begin document (d); part 3", "d; part 3"),
        ("#begin document (d);", "d"),
        ("#begin document (d)", "d"),
        ("#begin document (d )  ; part 000  ", "d"),
        ("#begin document (d); part 000 \t", "d"),
        ("#begin document d", "d"),
        ("#begin document d ", "d"),
        ("#begin document d; part 001", "d; part 1"),
        ("#begin document (bc/cctv/00/a (1)); part 001", "bc/cctv/00/a (1); part 1"),
    ],
)
def test_the_name_and_part_of_a_document(header, name):
    (document,) = conll(f"{header}\nd 0 0 It (1)\n")
    assert document.name == name
    assert document.words == ("It",)


@pytest.mark.parametrize("nothing", ["-", "_", "*", ""])
def test_no_mention_may_be_written_in_several_ways(nothing):
    text = column("(1", nothing, "1)", nothing, separator="\t")
    assert entities(text) == [[(0, 3)]]
    assert conll(text)["d"].words == ("w0", "w1", "w2", "w3")


@pytest.mark.parametrize("cell", ["- ", "(1) ", " (1)", "_ "])
def test_blanks_beside_the_last_cell_of_tabbed_rows_do_not_count(cell):
    assert len(entities(column(cell, separator="\t"))) == ("1" in cell)


def test_a_byte_order_mark_and_blank_lines_around_documents_do_not_count():
    text = column("(1)")
    assert read_bytes(b"\xef\xbb\xbf" + text.encode(), "x.conll") == conll(text)
    assert conll(f"\n\n{text}\n \n") == conll(text)
    assert conll(f"# a comment\n{text}") == conll(text)


@pytest.mark.parametrize("space", ["\f", "\u00a0", "\u3000"])
def test_other_white_space_than_blanks_and_tabs_is_text(space):
    row = f"d\t0\t0\t{space}\t(1)\n"
    (document,) = conll(f"{BEGIN}{row}{END}")
    assert (document.words, document.rows.tolist()) == ((space,), [[0, 1, 0]])
    for rest in ("\t", "\t\t", " \t"):
        assert "columns" in message_of(f"{BEGIN}{row}\n{space}{rest}\n{END}")


def test_sentences_of_conll_2012_have_different_numbers_of_columns():
    (document,) = conll(BEGIN + SENTENCES + END)
    assert document.words == ("It", "is", "so")
    assert document.sentence_starts == (0, 1)
    assert document.speakers == ("Ann", "Bob")
    assert document.tags == ("PRP", "VBZ", "RB")
    assert document.entities == ((Mention(0, 1), Mention(1, 3)),)
    assert conll(BEGIN + SENTENCES.replace("Ann", "-"))["d"].speakers == ("", "Bob")
    of_no_one = SENTENCES.replace("Ann", "-").replace("Bob", "-")
    assert conll(BEGIN + of_no_one)["d"].speakers == ()


SENTENCES = (
    "d 0 0 It PRP (TOP* go - - Ann * (1)\n\n"
    "d 0 0 is VBZ (TOP* be - - Bob * (1\nd 0 1 so RB *) - - - Bob * 1)\n"
)


@pytest.mark.parametrize("nothing", ["-", "_", "*", ""])
def test_words_may_be_without_a_part_of_speech(nothing):
    some = SENTENCES.replace(" ", "\t").replace("VBZ", nothing)
    assert conll(BEGIN + some + END)["d"].tags == ("PRP", "", "RB")
    none = some.replace("PRP", nothing).replace("RB", nothing)
    assert conll(BEGIN + none + END)["d"].tags == ()


@pytest.mark.parametrize("short", [0, 1, 2])
def test_the_fifth_of_fewer_than_twelve_columns_is_no_part_of_speech(short):
    tags = ["x", "y", "z"]
    rows = [f"a 0 0 w {tag} - - - - - * -" for tag in tags]
    rows[short], tags[short] = rows[short].replace("- - -", "- -"), ""
    assert conll("\n\n".join([BEGIN, *rows]))["d"].tags == tuple(tags)


def test_each_document_has_its_own_separator_and_columns():
    other = column("(1)", "-", separator="\t").replace("(d)", "(e)")
    corpus = conll(BEGIN + SENTENCES + END + other)
    assert [document.tags for document in corpus] == [("PRP", "VBZ", "RB"), ()]
    assert corpus["e"].mentions == (Mention(0, 1),)


def test_blanks_in_a_part_of_speech_or_a_speakers_name_become_underscores():
    document = Document.of_rows("d", (), words=["so"], tags=["R B"], speakers=["Ann Lee"])
    (read,) = conll(write_conll(Corpus((document,))))
    assert (read.tags, read.speakers) == (("R_B",), ("Ann_Lee",))


def test_problems_and_comments_leave_the_lines_of_the_words_as_they_are():
    text = f"{BEGIN}# one\n{SENTENCES}# two\n\nd 0 0 no NN * - - - - - * -\n{END}"
    assert conll(text)["d"].lines.tolist() == [3, 5, 6, 9]


@pytest.mark.parametrize("first", [0, 1])
def test_rows_of_semeval_2010_begin_with_the_number_of_the_word(first):
    rest = "\t_" * 11
    rows = (
        f"{first}\tIt\tit\t_\tNN{rest}\t(1)\n{first + 1}\tis\tbe\t_\t_{rest}\t_\n\n"
        f"{first}\tso\tso\t_\tRB{rest}\t(1)\n"
    )
    (document,) = conll(f"#begin document 12_bc.xml\n{rows}#end document 12_bc.xml\n")
    assert document.name == "12_bc.xml"
    assert document.words == ("It", "is", "so")
    assert document.tags == ("NN", "", "RB")
    assert document.entities == ((Mention(0, 1), Mention(2, 3)),)
    assert document.sentence_starts == (0, 2)


def test_a_number_sign_is_a_comment_unless_it_begins_the_documents_name():
    text = f"{BEGIN}# sent_id = 1\nd 0 0 # (1)\n{END}"
    assert conll(text)["d"].words == ("#",)


# --- Columns of other files ----------------------------------------------------------------------

ROWS = ["(1", "-", "1)", "(2)", "-", "(1)"]


@pytest.mark.parametrize("tail", ["\t", "\t\t", "\t ", " \t"])
@pytest.mark.parametrize("parity", [0, 1])
def test_empty_columns_at_the_end_of_some_rows_are_too_many(tail, parity):
    plain = column(*ROWS, separator="\t")
    rows = [
        row + tail * (row.startswith("d") and at % 2 == parity)
        for at, row in enumerate(plain.split("\n"))
    ]
    assert conll("\n".join(rows)) == conll(plain)


def test_the_last_column_may_be_empty_in_some_sentences_only():
    text = f"{BEGIN}d\t0\t0\tIt\t_\t\n\nd\t0\t0\tis\t_\t(1)\nd\t0\t1\tso\t_\t\n{END}"
    assert entities(text) == [[(1, 2)]]


def test_empty_cells_are_no_entities_where_the_last_filled_column_is_another():
    rows = "".join(f"d\t0\t{at}\tw{at}\t{cell}\t\n" for at, cell in enumerate(["(V*)", "NNP"]))
    (document,) = corpus = conll(BEGIN + rows + END)
    assert document.words == ("w0", "w1")
    assert not document.mentions
    assert corpus.warnings == (
        "dev.conll:2: no mention is read: the last column is empty, and '(V*)' before it is no "
        "entity.",
    )


def test_mentions_in_another_column_than_the_last_are_told():
    text = "".join(f"d 0 {at} w{at} {cell} -\n" for at, cell in enumerate(ROWS))
    (warning,) = conll(BEGIN + text + END).warnings
    assert re.fullmatch(r"dev\.conll:2: no mention .* last column .* column 5 has '\(1'\.", warning)
    other = column("(1)").replace("(d)", "(e)")
    assert not conll(BEGIN + text + other).warnings


@pytest.mark.parametrize(
    "row, sure",
    [
        ("{word} {cell}", True),
        ("{at} {word} {cell}", True),
        ("{n} {word} {cell}", True),
        ("d {word} {cell}", True),
        ("d {at} {word} {cell}", True),
        ("0 0 {at} {word} {cell}", True),
        ("1 1 {at} {word} {cell}", True),
        ("/some/where.txt 0 {at} {word} {cell}", True),
        ("s{sentence} 0 {at} {word} {cell}", True),
        ("d 0 {at} {word} NN * - - - Ann * {cell}", True),
        ("{at} {word} w w NN NN x x 0 0 r r _ _ _ _ {cell}", True),
        ("other {at} {word} {cell}", True),
        ("other {word} {cell}", False),
        ("{word} NN {cell}", False),
        ("other {at} 0 x {word} {cell}", False),
    ],
)
def test_the_column_of_the_words_is_found(row, sure):
    """A column that is not where the known formats have it is named in a warning."""
    text = BEGIN
    for n, cell in enumerate(ROWS):
        text += row.format(n=n, at=n % 3, word=f"w{n}", cell=cell, sentence=n // 3) + "\n"
        text += "\n" if n == 2 else ""
    corpus = conll(text + END)
    words = ("w0", "w1", "w2", "w3", "w4", "w5")
    assert corpus["d"].words == words or row.startswith("other {at} 0 x")
    assert corpus["d"].mentions == conll(column(*ROWS))["d"].mentions
    assert bool(corpus.warnings) != sure
    for warning in corpus.warnings:
        assert re.match(r"dev\.conll:2: the words .* column \d+: ", warning)
        assert f"'{' '.join(corpus['d'].words[:5])}'" in warning


@pytest.mark.parametrize(
    "row",
    [
        "36 36_ecb 36_1ecb {sentence} {at} {word} {flag} {cell}",
        "36 36_ecb 36_{text}ecb {sentence} {at} {word} {flag} {cell}",
        "36 0 0 {sentence} {at} {word} {cell}",
        "d 0 1 {sentence} {at} {word} {tag} {cell}",
        "d 0 {at} {word} {tag} {cell}",
        "t1 doc{text} {at} {word} {cell}",
        "{text}.txt {word} {cell}",
        "s{sentence} {at} {word} {cell}",
        "{flag} {n} {word} {cell}",
        "{tag} {word} {cell}",
        "{word} t{n} {cell}",
        "{n}-{n} {word} {tag} {cell}",
    ],
)
def test_names_of_texts_flags_and_tags_before_the_words_are_no_words(row):
    words = ["Mia", "fed", "her", "old", "cat", ".", "It", "slept", ",", "and", "Mia", "left"]
    rows = (
        row.format(
            n=n,
            at=n % 6,
            word=word,
            sentence=n // 6,
            text=1 + (n > 7),
            flag=n % 2 == 0,
            tag=("NN", "VB", "PR")[n % 3],
            cell="(1)" if n in (0, 6) else "-",
        )
        for n, word in enumerate(words)
    )
    text = "\n".join(rows)
    assert conll(f"{BEGIN}{text}\n{END}")["d"].words == tuple(words)


def test_numbers_that_count_where_the_words_are_expected_are_told():
    rows = "".join(f"0 0 {at} {at + 9} {cell}\n" for at, cell in enumerate(ROWS))
    corpus = conll(BEGIN + rows + END)
    told = ("dev.conll:2: the words are taken from column 4: '9 10 11 12 13'.",)
    assert corpus.warnings == conll(BEGIN + rows.replace("0 0", "d 0") + END).warnings == told


@pytest.mark.parametrize("row", ["d {cell}", "d 0 {at} {cell}", "d {at} {cell}", "{at} {cell}"])
def test_rows_without_words_have_entities_only(row):
    rows = "".join(row.format(at=at, cell=cell) + "\n" for at, cell in enumerate(ROWS))
    corpus, whole = conll(BEGIN + rows + END), conll(column(*ROWS))
    assert (corpus["d"].words, corpus["d"].mentions) == ((), whole["d"].mentions)
    assert corpus.warnings == (
        "dev.conll:2: document 'd' has no column of words, so only its entities are read.",
    )
    assert score(corpus, whole)["bcub"].f1 == 1


def test_where_several_documents_are_unsure_one_warning_counts_them():
    text = "".join(f"#begin document (d{n})\nd{n} (1\nd{n} 1)\n" for n in range(3))
    (warning,) = conll(text + END).warnings
    assert warning.endswith("(so in 3 documents).")


def test_a_text_of_numbers_has_words():
    rows = "".join(f"{at} {word} -\n" for at, word in enumerate((1995, 7, 12)))
    assert conll(BEGIN + rows)["d"].words == ("1995", "7", "12")


@pytest.mark.parametrize("begin", ["# begin document", "#begin document", "#\tbegin document"])
@pytest.mark.parametrize("end", ["# end document", "#end document", ""])
def test_the_number_sign_of_a_header_may_have_a_blank_after_it(begin, end):
    """Both in one file too: two documents are never taken for one."""
    text = f"{begin} (e)\ne 0 0 It (1)\ne 0 1 is -\n{end}\n"
    assert [document.name for document in conll(text + column("(1)"))] == ["e", "d"]
    assert [document.name for document in conll(column("(1)", end="") + text)] == ["d", "e"]
    assert conll(text)["e"].words == ("It", "is")
    assert read_bytes(text.encode(), "x") == conll(text)


def test_a_document_without_a_name_has_that_of_its_file(tmp_path):
    """As OntoGUM is published; the header stays as it was read."""
    text = "# begin document \n1\tIt\t(1)\n2\tis\t-\n# end document\n"
    (document,) = conll(text, "ontogum/GUM_news.conll.gz")
    assert document.name == "GUM_news"
    assert write_conll(conll(text)) == text
    (part,) = conll("#begin document (); part 002\nd 0 0 It -\n" + END)
    assert part.name == "dev; part 2"
    sides = [conll(text, file) for file in ("key.conll", "system.conll")]
    assert score(*sides)["bcub"].f1 == 1
    assert "a second document 'dev'" in message_of(text + text)


def test_a_last_document_without_its_end_is_warned_of():
    """A file that is cut short at the end of a line; documents before it need no end."""
    whole = column("(1)", "-") + column("(1)").replace("(d)", "(e)")
    assert conll(whole).warnings == ()
    assert conll(whole.replace(END, "", 1)).warnings == ()
    (said,) = conll(whole.removesuffix(END)).warnings
    assert said.startswith("dev.conll:5: ")
    assert "'e'" in said


def test_a_document_without_rows_is_told():
    corpus = conll(f"{BEGIN}\n{END}{column('(1)').replace('(d)', '(e)')}")
    assert corpus.warnings == ("dev.conll:1: document 'd' has no rows.",)
    assert corpus["d"].words == ()


# --- Ids with types ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cells, spans, types",
    [
        ("(person-1 person-1)", "0-2", ["person"]),
        ("(person-1) (person-1)", "0-1 1-2", ["person", "person"]),
        ("(event-7-Fair(person-2-Mia) event-7-Fair)", "0-2; 0-1", ["event", "person"]),
        ("(a-1|(b_c-2 b_c-2)a-1)", "0-2; 0-2", ["a", "b_c"]),
        ("(person-1) (2)", "0-1; 1-2", ["person", ""]),
        ("(person-01) (person-1)", "0-1 1-2", ["person", "person"]),
    ],
)
def test_ids_may_have_types_and_names(cells, spans, types):
    (document,) = conll(column(*cells.split()))
    assert written(document) == spans
    assert sorted(document.attributes.entity_type) == sorted(types)
    numbered = dict(zip(document.mentions, document.attributes.entity_type, strict=True))
    if len({*document.mentions}) == len(types):
        assert [numbered[mention] for mention in document.mentions] == types


def written(document):
    """Mentions by their bounds, entities apart: "0-3 1-2; 4-5"."""
    return "; ".join(" ".join(f"{m.start}-{m.end}" for m in e) for e in document.entities)


def test_one_number_with_two_types_is_two_entities_and_told_once():
    corpus = conll(column("(person-1)", "(place-1)", "(place-2)"))
    assert corpus["d"].n_entities == 3
    assert corpus.warnings == (
        "dev.conll:1: person-1 and place-1 share a number: taken as different entities.",
    )
    (warning,) = conll(column("(x-1)", "(y-1)", "(x-2)", "(y-2)", "(x-3)", "(y-3)")).warnings
    assert "x-1 and y-1 share a number (so do those of 2 numbers more)" in warning


@pytest.mark.parametrize("cell", ["(person)", "(person-)", "(-1-x)", "(1-Mia)", "(person-1-Mia"])
def test_ids_that_are_not_whole_are_refused(cell):
    assert message_of(column(cell)).startswith("dev.conll:2: ")


def test_a_number_with_and_without_leading_zeros_is_told():
    """The reference scorer takes them for two entities, coval and we for one."""
    corpus = conll(column("-", "(1)", "(01)", "(001)"))
    assert corpus["d"].n_entities == 1
    assert corpus.warnings == (
        "dev.conll:4: 1 and 01 are one entity here and two for the reference scorer.",
    )
    assert conll(column("(01)", "(01)", "(10)")).warnings == ()
    other = column("(1)").replace("(d)", "(e)")
    assert conll(column("(01)") + other).warnings == ()


# --- Brackets ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cells, expected",
    [
        ("(1(3 3) 1)", "0-3; 0-2"),
        ("(1_(3_(2) 3)_1)", "0-2; 0-2; 0-1"),
        ("(1|(3) 1)", "0-2; 0-1"),
        ("(01) (1) (001)", "0-1 1-2 2-3"),
        ("(01 1)", "0-2"),
        # one entity within itself: the inner closes first
        ("(1 (1 1) 1)", "0-4 1-3"),
        ("(1|(1 1) 1)", "0-3 0-2"),
        ("(1 (1) 1)", "0-3 1-2"),
        ("(1|(1) 1)", "0-2 0-1"),
        ("(1|(1 1)|1)", "0-2 0-2"),
        # in a cell one-word mentions and openings come first, as in the reference scorer
        ("(1 1)|(1 1)", "0-3 1-2"),
        ("(1 (1|1) 1)", "0-3 1-2"),
        ("(1 1)|(1)", "0-2 1-2"),
        ("(1 1)(1 1)", "0-3 1-2"),
        ("(7 7)(1 1)", "0-2; 1-3"),
        ("(1 (2|1) 2)", "0-2; 1-3"),
        ("(1|1)", "0-1"),
        ("(1 1)|(2)|(3 3)", "0-2; 1-3; 1-2"),
    ],
)
def test_brackets_of_a_cell_are_read_as_the_reference_scorer_reads_them(cells, expected):
    (document,) = conll(column(*cells.split()))
    assert written(document) == expected
    assert document.attributes is None


def test_a_mention_may_run_over_a_sentence_end_with_a_warning():
    text = f"{BEGIN}d 0 0 It (7\n\nd 0 0 is 7)\n{END}"
    corpus = conll(text)
    assert corpus["d"].mentions == (Mention(0, 2),)
    assert corpus.warnings == ("dev.conll:4: a mention of entity 7 runs over a sentence end.",)
    assert score(corpus, conll(text)).warnings == corpus.warnings * 2


def test_sentence_breaks_may_differ_between_the_sides():
    text = column("(1)", "-", "(1)")
    broken = text.replace("\nd 0 1", "\n\nd 0 1")
    key, response = conll(text), conll(broken)
    assert key["d"].sentence_starts != response["d"].sentence_starts
    assert score(key, response)["bcub"].f1 == 1


# --- What is refused -----------------------------------------------------------------------------


BAD_CELLS = "(1_2) (a) () ( ) 1 (1)x (-1) (1.0) | (1)) ((1) (١)"


@pytest.mark.parametrize(
    "text, line, found, expected",
    [
        (column("(14", "-"), 2, "14 opens here but never closes in document 'd'", "'14)' after it"),
        (column("-", "14)"), 3, "14 closes here but was never opened", "'(14' before it"),
        (
            column("-", "(14", "-", "14)", "14)"),
            6,
            "entity 14 closes here again (opened in line 3, closed in 5)",
            "'(14' between the two",
        ),
        *(
            (column("-", cell), 3, f"'{cell}' in the last column", "brackets with numbers")
            for cell in BAD_CELLS.split()
        ),
        (f"{BEGIN}d 0 0 It - (1)\nd 0 1 is -\n", 3, "5 columns", "6 columns, as in every row"),
        (f"{BEGIN}d 0 0 It - -\nd 0 1 is - - -\n", 3, "7 columns", "6 columns, as in every row"),
        (f"{BEGIN}It\n{END}", 2, "1 column", "2 columns or more"),
        (
            f"{column('-')}d 0 0 It -\n",
            4,
            "'d 0 0 It -' outside of a document",
            "'#begin document (NAME); part 000' before the first row",
        ),
        ("d 0 0 It - - -\n", 1, "'d 0 0 It - - -' outside of a document", "'#begin document"),
        (
            column("-") + column("-").replace("part 000", "part 0"),
            4,
            "a second document 'd' (the first is in line 1)",
            "each name and part once",
        ),
        ("# only a comment\n", 0, "no document", ""),
    ],
)
def test_a_problem_names_file_line_what_was_found_and_what_was_expected(
    text, line, found, expected
):
    first = message_of(text).split("\n")[0]
    place, _, rest = first.partition(": ")
    assert place == (f"dev.conll:{line}" if line else "dev.conll")
    before, _, after = rest.partition("; expected ")
    assert found in before
    assert expected in after
    assert after.endswith(".")


@pytest.mark.parametrize(
    "text, line, name",
    [
        ("#FORMAT=WebAnno TSV 3.3\n\n#Text=It is\n1-1\t0-2\tIt\t_\n", 1, "WebAnno TSV 3"),
        ("# newdoc id = d\n# global.Entity = eid-etype\n1 It\n", 2, "CorefUD CoNLL-U"),
        ("# global.columns = ID FORM IDENTITY\n1 It _\n", 1, "CoNLL-UA"),
        ("MENTION\tT1\t0\t0\t0\t1\tIt is\tPER\tPRON\n", 1, "the tab file of LitBank"),
        ("T1\tPER 0 5\tIt is\n", 1, "brat standoff"),
        ("<?xml version='1.0'?>\n<a>It</a>\n", 1, "XML"),
        ("version https://git-lfs.github.com/spec/v1\n", 1, "a pointer of Git LFS to the file"),
        ("#title: It\n\n{M1 It} is\n", 1, "SACR"),
    ],
)
def test_another_format_is_called_by_its_name(text, line, name):
    message = message_of(text)
    assert message.startswith(f"dev.conll:{line}: this looks like {name} ('")
    assert "Leave out the format: it is detected" in message


def test_all_problems_of_a_file_are_reported_in_the_order_of_its_lines():
    """A mention does not run from one document into the next."""
    text = column("(1", "2)", "(x)", "(3)", end="") + column("4)", "1)").replace("(d)", "(e)")
    places = [line.partition(": ")[0] for line in message_of(text).split("\n")]
    assert places == [f"dev.conll:{line}" for line in (2, 3, 4, 7, 8)]


def test_a_refused_row_after_a_sentence_with_tags_leaves_the_next_rows_without():
    """They have too few columns for a tag."""
    tagged = "".join("\t".join([word, *["-"] * 11]) + "\n" for word in ("It", "is"))
    assert message_of(f"{BEGIN}{tagged}\nso\nit\t-\n").startswith("dev.conll:5: 1 column; ")


@pytest.mark.parametrize(
    "text",
    [
        column(f"({'1' * 5000})"),
        f"#begin document (d); part {'1' * 5000}\nd 0 0 It -\n",
    ],
)
def test_a_number_of_thousands_of_digits_is_read_or_refused(text):
    """Python itself refuses to make a number of more than 4300 digits."""
    assert all(line.startswith("dev.conll:") for line in refusal_of(conll, text))


# --- Spellings of one file -----------------------------------------------------------------------


@settings(max_examples=100)
@given(st.lists(st.sampled_from(["d", "0", "1", "It", "-", "(1)", "x-1"]), max_size=4), st.data())
def test_no_row_is_lost(first, data):
    """Each row of a document that is read is a word, or the document is said to have none."""
    shapes = st.lists(st.sampled_from(["d", "0", "1", "2", "It", "is"]), min_size=len(first))
    rows = data.draw(st.lists(shapes.map(lambda cells: cells[: len(first)]), max_size=5))
    text = BEGIN + "".join(" ".join([*cells, "-"]) + "\n" for cells in [first, *rows])
    if not refusal_of(conll, text):
        corpus = conll(text)
        assert len(corpus["d"].lines) == 1 + len(rows)
        assert len(corpus["d"].words) == 1 + len(rows) or "no column of" in corpus.warnings[0]
