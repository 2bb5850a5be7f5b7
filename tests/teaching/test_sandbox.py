"""The sandbox's core: toys and links to them, edits, moves, exploits, exercises, arithmetic."""

import re
from fractions import Fraction
from urllib.parse import parse_qsl, unquote

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corescore
from corescore.analysis.errors.tables import mention_table
from corescore.corpus.files import read_bytes
from corescore.corpus.problems import InputError, PolicyError
from corescore.counting.counts import MEASURES
from corescore.metrics import METRICS, metric_of
from corescore.teaching import toy as edits
from corescore.teaching.examples import EXAMPLES, file_text, query_of, toy_of
from corescore.teaching.exercises import EXERCISES
from corescore.teaching.exploit import exploit, what_if, what_if_table
from corescore.teaching.toy import MOST_MENTIONS, History, Toy, changes, links_of, statuses
from tests.support import oracle
from tests.support.strategies import partition_pairs

SIX = [metric.id for metric in METRICS]
WORKED = [metric.id for metric in METRICS if metric.textbook]
LETTERS = "abcdefgh"
EXAMPLE = EXAMPLES[0].toy  # {abc}{defg} and {ab}{cd}{fghi}, with a sentence
NAMES = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp"), exclude_characters="{},"),
    min_size=1,
    max_size=3,
)


def toy_of_pair(pair, names=LETTERS):
    return Toy(*(tuple(tuple(names[m] for m in sorted(e)) for e in side) for side in pair))


toys = partition_pairs(max_mentions=6).map(toy_of_pair)


@st.composite
def named_toys(draw):
    names = draw(st.lists(NAMES, min_size=7, max_size=7, unique=True))
    return toy_of_pair(draw(partition_pairs()), names)


def parsed(link):
    return dict(parse_qsl(link, keep_blank_values=True))


def random_toy(n, seed=1, entities=8):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, entities, (2, n))
    sides = [
        [[f"m{m}" for m in np.flatnonzero(row == e)] for e in range(entities)] for row in labels
    ]
    return Toy(*(tuple(tuple(e) for e in side if e) for side in sides))


# Toys and their two notations ---------------------------------------------------------------------


def test_both_notations_are_read_and_may_differ():
    toy = Toy.of("{abc}{de}", "{a b} {c}")
    assert toy.key == (("a", "b", "c"), ("d", "e"))
    assert toy.response == (("a", "b"), ("c",))
    assert toy.missing == ("d", "e")
    assert Toy.of("{a1 a2}", "{a1}").response == (("a1",),)
    assert Toy.of("", " ").key == ()


@given(named_toys())
def test_a_toy_is_read_from_what_it_is_written_as(toy):
    assert Toy.of(toy.key_notation, toy.response_notation) == toy


@given(named_toys(), st.sampled_from(["", *SIX]))
def test_a_link_leads_to_the_same_toy(toy, metric):
    link = query_of(toy, metric=metric, exercise="bcub-no-link")
    assert re.fullmatch(r"[A-Za-z0-9.\-_~=&%]+", link)
    assert toy_of(parsed(link)) == toy
    assert parsed(link).get("m", "") == metric


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_examples_have_short_links_without_percent_signs(example):
    link = query_of(example.toy, metric="bcub")
    assert toy_of(parsed(link)) == example.toy
    assert "%" not in link
    assert len(link) <= (120 if not example.toy.text else 200)


def test_examples_are_of_all_four_papers_and_score_what_is_printed():
    papers = {example.source.partition(",")[0] for example in EXAMPLES}
    assert papers == {
        "Pradhan et al. 2014",
        "Moosavi & Strube 2016",
        "Recasens & Hovy 2011",
        "Luo et al. 2014",
    }
    assert len({example.name for example in EXAMPLES}) == len(EXAMPLES)
    blanc = [e.toy.result["blanc"].f1 for e in EXAMPLES if "BLANCs part" in e.title]
    assert blanc == [pytest.approx(8 / 19)]
    cr1, cr2 = (e.toy.result["ceafm"].f1 for e in EXAMPLES if e.title[:2] == "cr")
    assert (cr1, cr2) == (pytest.approx(1 / 2), pytest.approx(2 / 3))


def test_a_name_of_unusual_letters_survives():
    toy = Toy.of("{日本 Ünal} {a.b}", "{日本} {~x-y_z&=%}", "[日本 two words] , [a.b _-~.] [new x]")
    link = query_of(toy)
    assert toy_of(parsed(link)) == toy
    assert unquote(link).count("日本") == 3


@pytest.mark.parametrize(
    ("key", "response", "text", "told"),
    [
        ("{abc", "", "", "the key: '{abc'; expected entities in braces"),
        ("{a}", "abc}", "", "the response: 'abc}'"),
        ("{ab", "{c", "", "the key.*\n.*the response"),
        ("# a", "{a}", "", "the key: '# a'"),
        ("{aa}", "", "", "the mention 'a' 2 times; expected each mention once"),
        ("{a}", "{b b c}", "", "the response: the mention 'b' 2 times"),
        (f"{{{' '.join(map(str, range(41)))}}}", "", "", "41 mentions; expected at most 40"),
        ("{a, " + "b" * 21 + "}", "", "", "too long a name; expected 1 to 20 letters"),
        ("{a\ud800}", "", "", "whose name is no text"),
        ("{a}", "{a}", "[a Mia", r"a '\[' that is not closed, before 'a'"),
        ("{a}", "{a}", "Mia]", "a ']' that closes nothing"),
        ("{a}", "{a}", "[a Mia] [a she]", "the mention 'a' twice"),
        ("{a}", "{a}", "[a] Mia", "the mention 'a' without words"),
        ("{a}", "{a}", "[ ] Mia", r"a '\[' without the name of a mention"),
        ("{a}", "{a}", "word " * 90, "449 characters; expected at most 400"),
        ("{a}", "{a}", "\ud800", "half a character"),
    ],
)
def test_what_is_no_toy_is_refused_with_the_reason(key, response, text, told):
    with pytest.raises(InputError, match=told):
        Toy.of(key, response, text)


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ({}, "no key"),
        ({"k": "ab"}, "no response"),
        ({"k": "a~z", "r": "a"}, "'~' without two digits"),
        ({"k": "a{b", "r": "a"}, "braces cannot hold"),
        ({"k": "ab", "r": "aa"}, "2 times"),
        ({"k": "ab", "r": "ab", "t": "-a"}, "not closed"),
    ],
)
def test_a_damaged_link_is_refused_with_the_reason(params, told):
    with pytest.raises(InputError, match=told):
        toy_of(params)


def test_a_sentence_tells_what_a_mention_says():
    toy = Toy.of("{a b a2}", "{a}", "[a Mia] lost [b [a2 her] keys] , [z all]")
    assert toy.sentence.words == ("Mia", "lost", "her", "keys", ",", "all")
    assert [toy.sentence.said(m) for m in ("a", "b", "a2", "z", "y")] == [
        *("Mia", "her keys", "her", "all", "")
    ]


def test_the_textbook_example_scores_as_in_the_textbook():
    assert EXAMPLE.result["bcub"].recall == pytest.approx(35 / 12 / 7)


# Edits --------------------------------------------------------------------------------------------


def edited(edit, *arguments, **options):
    toy = edit(Toy.of("{abc}{d}", "{ab}{cx}"), *arguments, **options)
    return toy.key_notation, toy.response_notation


@pytest.mark.parametrize(
    ("toy", "key", "response"),
    [
        (edited(edits.move, "a", 1), "{a b c} {d}", "{b} {c x a}"),
        (edited(edits.move, "a", "new"), "{a b c} {d}", "{b} {c x} {a}"),
        (edited(edits.move, "a", "missing"), "{a b c} {d}", "{b} {c x}"),
        (edited(edits.move, "d", 0), "{a b c} {d}", "{a b d} {c x}"),
        (edited(edits.move, "d", 0, side="key"), "{a b c d}", "{a b} {c x}"),
        (edited(edits.move, "x", "new", side="key"), "{a b c} {d} {x}", "{a b} {c x}"),
        (edited(edits.split, 0, side="key"), "{a b} {c} {d}", "{a b} {c x}"),
        (edited(edits.split, 1, side="key"), "{a b c} {d}", "{a b} {c x}"),
        (edited(edits.merge, 0, 1), "{a b c} {d}", "{a b c x}"),
        (edited(edits.merge, 1, 0), "{a b c} {d}", "{c x a b}"),
        (edited(edits.merge, 1, 1), "{a b c} {d}", "{a b} {c x}"),
        (edited(edits.drop, 0), "{a b c} {d}", "{c x}"),
        (edited(edits.add_spurious), "{a b c} {d}", "{a b} {c x} {e}"),
        (edited(edits.swap), "{a b} {c x}", "{a b c} {d}"),
        (edited(edits.all_singletons), "{a b c} {d}", "{a} {b} {c} {d}"),
        (edited(edits.one_entity), "{a b c} {d}", "{a b c d}"),
    ],
)
def test_an_edit_does_what_it_says(toy, key, response):
    assert toy == (key, response)


def test_a_spurious_mention_is_one_of_the_sentence_if_it_has_one_left():
    toy = Toy.of("{ab}", "{ab}", "[a Mia] , [z he] , [b she]")
    assert edits.add_spurious(toy).spurious == ("z",)
    assert edits.add_spurious(edits.add_spurious(toy)).spurious == ("z", "c")


@pytest.mark.parametrize(
    "edit",
    [
        lambda toy: edits.move(toy, "q", 0),
        lambda toy: edits.move(toy, "a", 7),
        lambda toy: edits.split(toy, -1),
        lambda toy: edits.merge(toy, 0, 9),
        lambda toy: edits.drop(toy, 3),
        lambda toy: edits.add_spurious(random_toy(MOST_MENTIONS)),
    ],
)
def test_an_edit_of_what_is_not_there_is_refused(edit):
    with pytest.raises(InputError, match="expected"):
        edit(EXAMPLE)


def test_an_unknown_side_is_refused():
    with pytest.raises(PolicyError, match="expected one of: key, response"):
        edits.drop(EXAMPLE, 0, side="both")


def test_a_random_response_has_no_mention_but_the_keys_and_comes_again_with_its_seed():
    drawn = [edits.random_response(EXAMPLE, np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert all(set(toy.mentions) == set("abcdefg") and not toy.spurious for toy in drawn)


def test_history_steps_back_and_forward_and_knows_what_was_before():
    one, two, three = (Toy.of("{ab}", response) for response in ("{a}", "{ab}", "{b}"))
    history = History((one,)).then(two).then(two)
    assert (history.toys, history.before) == ((one, two), one)
    back = history.undone()
    assert (back.toy, back.before, back.can_undo, back.can_redo) == (one, two, False, True)
    assert back.undone() == back
    assert back.redone().toy == two == back.then(two).toy
    assert back.then(two).toys == (one, two)
    assert back.then(three).toys == (one, three)
    assert history.then(one).at == 0


# Links and what becomes of them -------------------------------------------------------------------


def test_links_are_told_apart():
    links = links_of(Toy.of("{abc}", "{abx}"))
    assert (links.correct, links.wrong) == ((("a", "b"),), (("a", "x"), ("b", "x")))
    assert links.missing == (("a", "c"), ("b", "c"))


@settings(max_examples=25)
@given(toys)
def test_links_are_counted_as_the_scorer_counts_them(toy):
    links, counts = links_of(toy), toy.result["links"]
    assert len(links.correct) == counts.recall_numerator
    assert len(links.correct) + len(links.missing) == counts.recall_denominator
    assert len(links.correct) + len(links.wrong) == counts.precision_denominator


def test_changes_are_told_in_words():
    before, after = Toy.of("{abc}{de}", "{ab}{cd}"), Toy.of("{abc}{de}", "{a}{bc}{de}")
    assert changes(before, after).sentences == (
        "b–c and d–e are now correct links",
        "a–b is now a missing link",
        "c–d is no longer a wrong link",
    )
    assert changes(before, before).sentences == ()
    many = changes(Toy.of("{abcdefgh}", ""), Toy.of("{abcdefgh}", "{abcdefgh}"))
    assert many.sentences == ("a–b, a–c, a–d, a–e, a–f and 23 more are now correct links",)


def test_an_edit_of_the_key_can_make_a_wrong_link_right():
    before = Toy.of("{a}{b}", "{ba}")
    assert changes(before, edits.merge(before, 0, 1, side="key")).sentences == (
        "a–b is now a correct link",
    )


@settings(max_examples=15)
@given(toys)
def test_the_status_of_a_mention_is_that_of_the_error_page(toy):
    table = mention_table(toy.result.comparison, singletons="keep")
    rows = zip(table["mention"], table["class"], strict=True)
    there = {mention.partition("#")[0]: status for mention, status in rows}
    assert statuses(toy) == there


# Every single move --------------------------------------------------------------------------------


@settings(max_examples=20)
@given(toys, st.sampled_from(SIX), st.sampled_from(MEASURES))
def test_a_move_scores_what_the_toy_after_it_scores(toy, metric, measure):
    old = links_of(toy)
    moves = what_if(toy, metric=metric, measure=measure)
    for move in moves[::5]:
        after = move.applied(toy)
        assert move.score == pytest.approx(getattr(after.result[metric], measure), abs=1e-12)
        gain = move.score - getattr(toy.result[metric], measure)
        assert move.gain == pytest.approx(gain, abs=1e-12)
        new = links_of(after)
        assert move.correct == len(new.correct) - len(old.correct)
        assert move.wrong == len(new.wrong) - len(old.wrong)
    gains = [round(move.gain, 12) for move in moves]
    assert gains == sorted(gains, reverse=True)


def test_there_is_every_move_and_each_once():
    toy = Toy.of("{abc}", "{ab}{x}")
    moves = {(move.mention, move.to) for move in what_if(toy, metric="lea", measure="f1")}
    assert moves == {
        *(("a", to) for to in (1, "new", "missing")),
        *(("b", to) for to in (1, "new", "missing")),
        *(("c", to) for to in (0, 1, "new")),
        *(("x", to) for to in (0, "missing")),
    }
    assert what_if(Toy.of("", ""), metric="lea", measure="f1") == []


def test_each_of_forty_mentions_can_be_moved_to_each_other_and_out():
    toy = edits.all_singletons(random_toy(MOST_MENTIONS))
    assert len(what_if(toy, metric="ceafe", measure="f1")) == MOST_MENTIONS**2


def test_a_table_of_moves_names_each_move_with_its_numbers():
    toy = Toy.of("{abc}", "{ab}{x}")
    moves = what_if(toy, metric="muc", measure="recall")
    rows = {row.mention + " " + row.to: row for row in what_if_table(toy, moves).itertuples()}
    assert len(rows) == len(moves)
    best = rows["c {a b}"]
    assert (best.score, best.gain) == (1, pytest.approx(1 / 2))  # 2/2 links, 1/2 before
    assert (best.right_links, best.wrong_links) == (2, 0)
    assert {name for name in rows if name[0] == "x"} == {"x {a b}", "x missing"}


# Exploits -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["recall", "f1"])
@pytest.mark.parametrize("metric", SIX)
@pytest.mark.parametrize("toy", [EXAMPLE, Toy.of("{abcd}{efg}{hi}", "{ab}{ef}")])
def test_an_exploit_keeps_to_its_rule_at_every_step(toy, metric, measure):
    stages = exploit(toy, metric=metric, measure=measure).stages
    first, last = stages[0], stages[-1]
    assert first.toy == toy
    for stage in stages:
        links = links_of(stage.toy)
        assert (stage.correct, stage.wrong) == (len(links.correct), len(links.wrong))
        assert stage.score == pytest.approx(getattr(stage.toy.result[metric], measure), abs=1e-12)
        assert stage.correct <= first.correct
        assert stage.wrong >= first.wrong
        assert set(stage.toy.mentions) <= set(toy.mentions)
    if len(stages) > 1:
        assert last.score > first.score
        assert (last.correct, last.wrong) != (first.correct, first.wrong)


def test_half_an_entity_left_out_is_an_exploit_of_ceaf():
    found = exploit(Toy.of("{abcdefgh}", "{abcd}{efgh}"), metric="ceafm", measure="f1")
    assert found.is_found
    assert found.stages[1].done == "{a b c d} left out"
    assert found.stages[1].score == pytest.approx(2 / 3)
    assert found.table["response"].tolist()[:2] == ["{a b c d} {e f g h}", "{e f g h}"]
    assert found.table["score"].tolist()[:2] == pytest.approx([1 / 2, 2 / 3])


@pytest.mark.parametrize("metric", ["muc", "lea"])
def test_no_exploit_is_found_where_no_link_is_right_and_no_singleton_in_the_key(metric):
    # recall of both adds up correct links, of which there must be no more than none
    found = exploit(Toy.of("{abc}{def}", "{ad}{be}"), metric=metric, measure="recall")
    assert not found.is_found
    assert found.n_scored > 100


def test_an_exploit_is_the_same_at_every_search():
    toy = random_toy(15, entities=5)
    assert exploit(toy, metric="ceafe", measure="f1") == exploit(toy, metric="ceafe", measure="f1")


# Exercises ----------------------------------------------------------------------------------------

NEAR_MISSES = {
    "bcub-no-link": "{abc}{ef}",
    "muc-merging": "{abc}{de}{f}{gh}{i}",
    "ceaf-right-links": "{abcde}",
    "wrong-links-only": "{ab}{ef}{cg}",
}


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_an_exercise_is_reached_by_its_solution_only(exercise):
    def progress(response):
        key = "".join(f"{{{''.join(entity)}}}" for entity in exercise.start.key)
        return exercise.progress(Toy.of(key, response, exercise.start.text))

    assert exercise.metric in SIX
    assert not exercise.progress(exercise.start)[0]
    assert exercise.progress(exercise.solved)[0]
    assert not progress(NEAR_MISSES[exercise.id])[0]
    solved = exercise.start.with_side("response", exercise.start.key)
    assert not exercise.progress(solved)[0]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_no_button_alone_solves_an_exercise(exercise):
    buttons = (edits.add_spurious, edits.swap, edits.all_singletons, edits.one_entity)
    assert [edit.__name__ for edit in buttons if exercise.progress(edit(exercise.start))[0]] == []


def test_an_exercise_tells_its_numbers_and_holds_on_to_its_key():
    bcub = EXERCISES[0]
    assert bcub.progress(bcub.start)[1].startswith("B³ is 41.18 as at the start; 0 correct links")
    reached, told = bcub.progress(edits.swap(bcub.start))
    assert not reached
    assert told.startswith("The key is not that of the exercise")


# Arithmetic ---------------------------------------------------------------------------------------


def worked_out(formula):
    """The value of a formula as it is printed, in fractions."""
    text = formula.partition(" = ")[0].partition(",")[0]
    python = text.replace("·", "*").replace("−", "-").replace("²", "**2")
    return eval(re.sub(r"\d+", r"Fraction(\g<0>)", python), {"Fraction": Fraction})


@given(partition_pairs())
def test_every_printed_formula_is_worth_what_it_says_and_leads_to_the_score(pair):
    toy = toy_of_pair(pair)
    for metric in WORKED:
        steps = metric_of(metric).textbook(toy.key, toy.response)
        for step in steps:
            if step.formula.endswith("taken as 0"):
                with pytest.raises(ZeroDivisionError):
                    worked_out(step.formula)
                assert step.value == 0
            else:
                assert worked_out(step.formula) == step.value
                assert step.formula.endswith(f" = {step.value}")
        three = oracle.score(metric, [pair], empty=Fraction(0))
        assert tuple(step.value for step in steps[-3:]) == tuple(three)
        score = toy.result[metric]
        for measure, step in zip(MEASURES, steps[-3:], strict=True):
            assert getattr(score, measure) == pytest.approx(float(step.value), abs=1e-12)


@given(toys)
def test_the_summands_add_up_and_say_whose_they_are(toy):
    for metric in WORKED:
        for step in metric_of(metric).textbook(toy.key, toy.response):
            above = worked_out(step.formula.partition(" / ")[0])
            if step.summands:
                assert sum(summand.value for summand in step.summands) == above
            sides = (toy.key, toy.response)
            own, other = sides if step.name.startswith("recall") else sides[::-1]
            for summand in step.summands:
                assert summand.own < len(own)
                assert summand.other is None or {*own[summand.own]} & {*other[summand.other]}


def test_ceaf_names_the_aligned_pairs():
    recall = metric_of("ceafe").textbook(EXAMPLE.key, EXAMPLE.response)[0]
    assert [(s.own, s.other, s.text) for s in recall.summands] == [
        (0, 0, "2·2/(3 + 2)"),
        (1, 2, "2·2/(4 + 4)"),
    ]


# Files --------------------------------------------------------------------------------------------


@given(toys, st.sampled_from(["conll", "notation"]))
def test_files_score_what_the_toy_scores(toy, format):
    key, response = (
        read_bytes(file_text(toy, side=side, format=format).encode(), side, format=format)
        for side in ("key", "response")
    )
    result = corescore.score(key, response)
    scores = [[of[metric].f1 for metric in SIX] for of in (result, toy.result)]
    assert scores[0] == pytest.approx(scores[1])


def test_a_file_has_the_words_of_the_sentence_where_every_mention_stands_in_it():
    lines = file_text(EXAMPLE, side="response", format="conll").splitlines()
    assert [line.split("\t")[3] for line in lines[1:5]] == ["Mia", "gave", "Tom", "her"]
    apart = Toy.of("{ab}", "{ab}", "[a Mia] slept")
    assert "slept" not in file_text(apart, side="key", format="conll")
    same = Toy.of("{ab}", "{ab}", "[a [b Mia]] slept")
    assert "slept" not in file_text(same, side="key", format="conll")
