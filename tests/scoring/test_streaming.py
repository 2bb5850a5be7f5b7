"""Files scored in batches, and by several processes."""

import gzip
import os
import signal
import subprocess
import sys
from dataclasses import fields
from itertools import count, islice, pairwise
from multiprocessing import active_children
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError, read
from corescore.corpus.files import write
from corescore.corpus.packed import VARIABLE
from corescore.corpus.problems import Problem
from corescore.counting.counts import Counts
from corescore.counting.policies import POLICY_VALUES, Policies
from corescore.scoring import run
from corescore.scoring.run import WAITING, in_processes, tally_files
from corescore.scoring.scores import score
from tests.support import strategies

# Files scored in batches: to the bit what scoring in memory makes, and the same messages ----------

ROW = "#begin document ({name}); part 000\n{rows}#end document\n"


def in_memory(key, responses, policies, **how):
    """What the documents make when all are in memory, or the message that refuses them."""
    errors, corpora = [], []
    for path, side in zip([key, *responses], ["key", *["response"] * len(responses)], strict=True):
        try:
            corpora.append(read(path, side=side, **how))
        except InputError as error:
            errors.append(error)
    try:
        if errors:
            raise InputError.of(errors)
        made = (score(corpora[0], other, policies) for other in corpora[1:])
        return [seen(one, one if policies.match == "exact" else one.exact) for one in made]
    except InputError as error:
        return str(error)


def in_batches(key, responses, policies, **how):
    """The same from the files."""
    try:
        made = tally_files(str(key), [*map(str, responses)], policies, **how)
        return [seen(one.tally, one.exact or one.tally) for one in made]
    except InputError as error:
        return str(error)


def seen(made, exact):
    """All that is printed of a tally, its numbers to the bit; `exact` is the same by exact
    matching."""
    return {
        "signature": made.signature,
        "warnings": made.warnings,
        "documents": made.documents,
        "counts": {name: bits(counts) for name, counts in made.counts.items()},
        "exact": {name: bits(counts) for name, counts in exact.counts.items()},
        "scores": repr(made.scores),
        "means": repr(made.means),
        "sizes": {name: values.tobytes() for name, values in made.sizes.items()},
        "fingerprints": made.fingerprints,
    }


def bits(counts):
    return [getattr(counts, field.name).tobytes() for field in fields(Counts)]


@pytest.fixture(params=[1, 400], ids=["a document a batch", "small batches"])
def small(request, monkeypatch):
    monkeypatch.setattr(run, "BATCH", request.param)


# --- Drawn corpora ------------------------------------------------------------------------------

NAMES = st.sampled_from([f"{letter}{number}" for letter in "ab" for number in range(9)])

WORDS = st.sampled_from(["a", "b", "ü", "Paris"])


@st.composite
def sides(draw):
    """Documents of a key and of a response over its words, now and then over others."""
    documents = draw(
        st.lists(
            strategies.documents(NAMES, words=WORDS, crossing=False),
            min_size=1,
            max_size=5,
            unique_by=lambda document: document.name,
        )
    )
    responses = []
    for document in documents:
        kind = draw(st.sampled_from(["same", "same", "same", "other", "missing", "extra"]))
        n = len(document.words)
        rows = draw(strategies.rows_that_nest(n))
        changed = document.with_entities(rows)
        if kind == "other" and n:
            changed = Document.of_rows(document.name, rows, words=("c", *document.words[1:]))
        if kind == "extra":
            changed = Document.of_rows(f"x{document.name}", rows, words=document.words)
        if kind != "missing":
            responses.append(changed)
    keys = draw(st.permutations(documents))
    return keys, draw(st.permutations(responses)) or documents[:1]


def write_side(draw, folder, documents, ending, split):
    """One file, or a folder of files, gzipped or not; returns its path."""
    if not split:
        path = folder / f"side{ending}"
        write(Corpus(tuple(documents)), path)
        return path
    inner = folder / "side"
    inner.mkdir()
    cuts = sorted({0, len(documents), *draw(st.lists(st.integers(0, len(documents)), max_size=2))})
    for start, stop in pairwise(cuts):
        write(Corpus(tuple(documents[start:stop])), inner / f"f{start}{ending}")
    return inner


def damage(draw, path):
    """Now and then take a line out of a file, write one twice or change a word."""
    every = sorted(path.rglob("*.*")) if path.is_dir() else [path]
    target = draw(st.sampled_from(every))
    text = (gzip.decompress if target.suffix == ".gz" else bytes)(target.read_bytes())
    lines = text.split(b"\n")
    at = draw(st.integers(0, len(lines) - 1))
    kind = draw(st.sampled_from(["none", "none", "drop", "double", "open", "newline"]))
    if kind == "drop":
        del lines[at]
    elif kind == "double":
        lines.insert(at, lines[at])
    elif kind == "open":
        lines[at] += b" (3"
    ends = b"\r\n" if kind == "newline" else b"\n"
    target.write_bytes((gzip.compress if target.suffix == ".gz" else bytes)(ends.join(lines)))


POLICIES = st.fixed_dictionaries(
    {},
    optional={
        "match": st.sampled_from(["exact", "head", "partial", "min-span"]),
        "singletons": st.sampled_from(POLICY_VALUES["singletons"]),
        "repeats": st.sampled_from(POLICY_VALUES["repeats"]),
        "missing_documents": st.sampled_from(POLICY_VALUES["missing_documents"]),
        "average": st.sampled_from(POLICY_VALUES["average"]),
        "words": st.sampled_from(POLICY_VALUES["words"]),
        "mentions": st.sampled_from(POLICY_VALUES["mentions"]),
        "lookup": st.sampled_from(POLICY_VALUES["lookup"]),
    },
)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("ending", [".conll", ".conllu", ".jsonl"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(both=sides(), policies=POLICIES, data=st.data())
def test_files_in_batches_are_scored_as_in_memory(ending, both, policies, data):
    split, packed, damaged = (data.draw(st.booleans()) for _ in range(3))
    with TemporaryDirectory() as home:
        paths = []
        for name, documents in zip(("key", "response"), both, strict=True):
            folder = Path(home, name)
            folder.mkdir()
            gz = ".gz" if packed else ""
            paths.append(write_side(data.draw, folder, documents, ending + gz, split))
        if damaged:
            for path in paths:
                damage(data.draw, path)
        asked = Policies.of(policies)
        expected = in_memory(paths[0], paths[1:], asked)
        assert in_batches(paths[0], paths[1:], asked) == expected


# --- Single cases -------------------------------------------------------------------------------


def conll(name, *cells, word="w"):
    rows = "".join(f"{name} 0 {at} {word}{at} {cell}\n" for at, cell in enumerate(cells))
    return ROW.format(name=name, rows=rows)


def files(folder, **texts):
    """Files of these texts by name, with the ending .conll."""
    paths = [folder / f"{name}.conll" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text)
    return paths


def same(key, *responses, **policies):
    """What both ways make of these files, which is one thing."""
    asked = Policies.of(policies)
    made = in_batches(key, responses, asked)
    assert made == in_memory(key, responses, asked)
    return made


@pytest.mark.usefixtures("small")
def test_several_responses_are_each_as_if_alone(tmp_path):
    key = conll("a", "(0)", "-", "(0)") + conll("b", "(1", "1)", "(1)")
    first = conll("b", "(1", "1)", "(1)") + conll("a", "(0)", "-", "(0)")
    second = conll("a", "(0)", "(0)", "-") + conll("c", "(0)")
    paths = files(tmp_path, key=key, first=first, second=second)
    good, other = same(*paths)
    assert good["warnings"] == ()
    assert len(other["warnings"]) == 2  # of a document that it lacks, and one that the key lacks
    assert good == same(*paths[:2])[0]


@pytest.mark.usefixtures("small")
def test_warnings_of_a_whole_file_are_counted_over_its_documents(tmp_path):
    rows = ROW.format(name="{}", rows="x\tthe same\t(0)\nx\tthe same\t-\n")
    text = "".join(rows.replace("{}", name) for name in "abcdef")
    (made,) = same(*files(tmp_path, key=text, response=text))
    assert "(so in 6 documents)" in made["warnings"][0]


@pytest.mark.usefixtures("small")
def test_that_no_mention_is_read_is_told_of_the_first_row(tmp_path):
    text = "".join(conll(name, "(0) -", "- -") for name in "abc")
    (made,) = same(*files(tmp_path, key=conll("a", "(0)", "-"), response=text))
    assert any("response.conll:2: no mention" in warning for warning in made["warnings"])


@pytest.mark.usefixtures("small")
def test_mentions_one_word_off_are_counted_over_all_documents(tmp_path):
    key = "".join(conll(name, "(0)", "-", "(0)", "-") for name in "abc")
    response = "".join(conll(name, "(0", "0)", "(0", "0)") for name in "ab")
    (made,) = same(*files(tmp_path, key=key, response=response + conll("c", *["-"] * 4)))
    assert "0 of 4 mentions match" in made["warnings"][0]
    assert "but 4 would if each ended one word earlier" in made["warnings"][0]


@pytest.mark.usefixtures("small")
def test_problems_of_all_documents_are_told_with_their_lines(tmp_path):
    key = "".join(conll(f"d{number}", "(0)", "0)", "-") for number in range(30))
    message = same(*files(tmp_path, key=key, response=key))
    first, *_, last = message.splitlines()
    assert "key.conll:3: entity 0 closes here" in first
    assert last == "… and 40 more"


@pytest.mark.usefixtures("small")
def test_names_that_differ_are_matched_by_their_texts(tmp_path):
    key = conll("a", "(0)", "-") + conll("b", "(0)", "-", word="v")
    other = conll("one", "(0)", "-", word="v") + conll("two", "-", "(0)")
    paths = files(tmp_path, key=key, response=other)
    (made,) = same(*paths)
    assert "the same text" in made["warnings"][0]
    paths[1].write_text(key.replace("w0", "v0").replace("w1", "v1"))
    assert same(*paths).count("has 'v0' as word 1") == 1
    paths[1].write_text(conll("c", "(0)", "-", word="u"))
    assert "none of which the key has" in same(*paths)


@pytest.mark.usefixtures("small")
def test_one_document_of_nearly_the_same_text_is_aligned_in_memory(tmp_path):
    other = conll("b", "(0)", "-", "-", "-").replace("w3", "v3")
    (made,) = same(
        *files(tmp_path, key=conll("a", "(0)", "-", "-", "-"), response=other), words="align"
    )
    assert "the only document" in made["warnings"][0]


@pytest.mark.usefixtures("small")
def test_words_are_only_advised_to_be_aligned_where_there_are_any(tmp_path):
    texts = (
        f'{{"doc_key": "{name}", "sentences": [{words}], "clusters": []}}'
        for name, words in (("a", '["w"]'), ("b", '["v"]'), ("c", ""))
    )
    paths = [tmp_path / f"{name}.jsonl" for name in "abc"]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    assert "--words align" in same(*paths[:2])
    assert "--words align" not in same(paths[0], paths[2])


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "response.conll: an empty file"),
        ("\n", "response.conll: an empty file"),
        ("no format at all", "response.conll:1: "),
        ("a 1\n(0) -\n", "response.conll:1: "),
        ("\r".join(["#begin document (a)", "a w (0)"]), "document 'a' has 'w' as word 1"),
        ("#begin document (a)\na 0 0 w\0 (0)\n", "response.conll:2: bytes that are"),
        ("#begin document (a)\na 0 0 w\udcff (0)\n", "response.conll:2: bytes that are"),
    ],
)
def test_a_file_that_is_no_corpus_is_refused_in_the_same_words(tmp_path, text, said):
    key, response = files(tmp_path, key=conll("a", "(0)"), response="")
    response.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert said in same(key, response)
    assert same(tmp_path / "none", tmp_path / "neither").count("no such file") == 2


@pytest.mark.usefixtures("small")
def test_other_formats_are_read_whole(tmp_path):
    key, response = tmp_path / "key", tmp_path / "response"
    for folder in (key, response):
        folder.mkdir()
        (folder / "a.txt").write_text("# a\n{a b} {c}\n# b\n{d e}\n")
        (folder / "b.conll").write_text(conll("b", "(0)", "(0)"))
    (made,) = same(key, response)
    assert made["documents"] == ("a", "a/b", "b")


@pytest.mark.usefixtures("small")
def test_a_document_in_two_files_of_a_folder_is_refused(tmp_path):
    key = tmp_path / "key"
    key.mkdir()
    (key / "a.conll").write_text(conll("x", "(0)"))
    (key / "a.v2.conll").write_text(conll("x", "(0)"))
    assert "a second document 'a/x'" in same(key, key)


def test_a_file_that_changes_while_it_is_read_is_refused_by_name(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "BATCH", 1)
    text = conll("a", "(0)") + conll("b", "(0)")
    key, response = files(tmp_path, key=text, response=text)

    def change(done, of):
        response.write_text(text + "\n")

    with pytest.raises(InputError, match=r"response\.conll: .* changed") as refused:
        tally_files(str(key), [str(response)], progress=change)
    assert len(refused.value.problems) == 1


def test_a_gzipped_file_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    """Of one that does not, nothing is left that was unpacked."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(home))
    key = tmp_path / "key.conll.gz"
    key.write_bytes(gzip.compress(conll("a", "(0)").encode()))
    assert len(same(key, key)) == 1
    assert [*home.iterdir()] == []
    monkeypatch.setenv(VARIABLE, "20")
    assert "more than 20;" in same(key, key)


def test_a_gzipped_file_after_a_refused_one_is_read_alone(tmp_path):
    """The text of the refused file stood before it."""
    entity = "# global.Entity = eid-etype-head-other\n"
    good = f"# newdoc id = b\n{entity}# sent_id = b-1\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    refused = f"# newdoc id = a\n# newdoc id = a\n{entity}"
    for side, texts in (("key", (good,)), ("response", (refused, good))):
        (tmp_path / side).mkdir()
        for at, text in enumerate(texts):
            (tmp_path / side / f"f{at}.conllu.gz").write_bytes(gzip.compress(text.encode()))
    said = same(tmp_path / "key", tmp_path / "response")
    assert "f0.conllu.gz:3: " in said
    assert "f1.conllu.gz" not in said


def test_progress_ends_with_all_bytes_of_both_sides(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "BATCH", 1)
    text = conll("a", "(0)") + conll("b", "(0)")
    key, response = files(tmp_path, key=text, response=text + conll("c", "(0)"))
    done = []
    tally_files(str(key), [str(response)], progress=lambda *of: done.append(of))
    total = key.stat().st_size + response.stat().st_size
    assert len(done) == 3
    assert done[-1] == (total, total)


# Work of several processes: in order, with its errors, and no process outlives it -----------------


def process_of(task):
    return task, os.getpid()


def refuse(task):
    raise InputError([Problem("key.conll", task, "a", "b", "c")], more=task)


def kill(task):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_results_come_in_the_order_of_the_tasks_and_no_more_is_made_than_waits():
    assert [*in_processes(process_of, range(3), 1)] == [(task, os.getpid()) for task in range(3)]
    made = count()
    results = in_processes(process_of, made, 2)
    first = [*islice(results, 6)]
    assert [task for task, _ in first] == [*range(6)]
    assert os.getpid() not in {pid for _, pid in first}
    assert next(made) <= 6 + 2 * WAITING
    results.close()
    assert active_children() == []


@pytest.mark.slow
def test_an_error_comes_back_as_it_was():
    with pytest.raises(InputError) as raised:
        [*in_processes(refuse, [7], 2)]
    assert str(raised.value) == "key.conll:7: a; expected b. c\n… and 7 more"
    assert active_children() == []


@pytest.mark.slow
def test_a_process_that_is_killed_is_told():
    with pytest.raises(InputError, match="--workers 2: a process that ended early"):
        [*in_processes(kill, [1], 2)]


def held_back(task):
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals are not held back")
def test_a_process_gets_no_ctrl_c_from_its_very_start_and_the_first_one_does():
    assert [*in_processes(held_back, [0], 2)] == [True]
    assert not held_back(0)


@pytest.mark.slow
def test_processes_end_when_the_first_is_killed():
    """They hold the pipe that is read here: it ends with the last of them."""
    script = (
        "import os, signal\n"
        "from itertools import count\n"
        "from tests.scoring.test_streaming import process_of\n"
        "from corescore.scoring.run import in_processes\n"
        "if __name__ == '__main__':\n"
        "    results = in_processes(process_of, count(), 2)\n"
        "    print(next(results), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert answer.returncode == -signal.SIGKILL
    assert answer.stdout.startswith("(0, ")
