"""The sandbox's core: toys and links to them, edits, moves, exercises, arithmetic."""

import re
from fractions import Fraction
from itertools import product
from urllib.parse import parse_qsl

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import corescore
from corescore.analysis.errors.tables import mention_table
from corescore.corpus.files import read_bytes
from corescore.corpus.problems import InputError, PolicyError
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS, METRICS, metric_of
from corescore.teaching import toy as edits
from corescore.teaching.examples import EXAMPLES, file_text, query_of, toy_of
from corescore.teaching.exercises import EXERCISES
from corescore.teaching.moves import what_if, what_if_table
from corescore.teaching.toy import MOST_MENTIONS, History, Toy, changes, links_of, statuses
from tests.support import oracle
from tests.support.letters import sets
from tests.support.strategies import partition_pairs

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


@given(named_toys(), st.sampled_from(["", *METRIC_IDS]))
def test_a_toy_comes_back_from_its_notation_and_its_link(toy, metric):
    assert Toy.of(toy.key_notation, toy.response_notation) == toy
    link = query_of(toy, metric=metric, exercise="bcub-no-link")
    assert re.fullmatch(r"[A-Za-z0-9.\-_~=&%]+", link)
    assert toy_of(parsed(link)) == toy
    assert parsed(link).get("m", "") == metric


def test_examples_are_of_all_four_papers_have_short_links_and_score_what_is_printed():
    papers = {example.source.partition(",")[0] for example in EXAMPLES}
    assert papers == {
        "Pradhan et al. 2014",
        "Moosavi & Strube 2016",
        "Recasens & Hovy 2011",
        "Luo et al. 2014",
    }
    assert len({example.name for example in EXAMPLES}) == len(EXAMPLES)
    for toy in (one.toy for one in EXAMPLES):
        link = query_of(toy, metric="bcub")
        assert toy_of(parsed(link)) == toy
        assert "%" not in link
        assert len(link) <= (120 if not toy.text else 200)
    blanc = [e.toy.result["blanc"].f1 for e in EXAMPLES if "BLANCs part" in e.title]
    assert blanc == [pytest.approx(8 / 19)]
    cr1, cr2 = (e.toy.result["ceafm"].f1 for e in EXAMPLES if e.title[:2] == "cr")
    assert (cr1, cr2) == (pytest.approx(1 / 2), pytest.approx(2 / 3))


@pytest.mark.parametrize(
    "key, response, text, told",
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
    "params, told",
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


# Edits --------------------------------------------------------------------------------------------


KEY = {"side": "key"}


@pytest.mark.parametrize(
    "edit, arguments, options, key, response",
    [
        (edits.move, ("a", 1), {}, "{a b c} {d}", "{b} {c x a}"),
        (edits.move, ("a", "new"), {}, "{a b c} {d}", "{b} {c x} {a}"),
        (edits.move, ("a", "missing"), {}, "{a b c} {d}", "{b} {c x}"),
        (edits.move, ("d", 0), {}, "{a b c} {d}", "{a b d} {c x}"),
        (edits.move, ("d", 0), KEY, "{a b c d}", "{a b} {c x}"),
        (edits.move, ("x", "new"), KEY, "{a b c} {d} {x}", "{a b} {c x}"),
        (edits.split, (0,), KEY, "{a b} {c} {d}", "{a b} {c x}"),
        (edits.split, (1,), KEY, "{a b c} {d}", "{a b} {c x}"),
        (edits.merge, (0, 1), {}, "{a b c} {d}", "{a b c x}"),
        (edits.merge, (1, 0), {}, "{a b c} {d}", "{c x a b}"),
        (edits.merge, (1, 1), {}, "{a b c} {d}", "{a b} {c x}"),
        (edits.drop, (0,), {}, "{a b c} {d}", "{c x}"),
        (edits.add_spurious, (), {}, "{a b c} {d}", "{a b} {c x} {e}"),
        (edits.swap, (), {}, "{a b} {c x}", "{a b c} {d}"),
        (edits.all_singletons, (), {}, "{a b c} {d}", "{a} {b} {c} {d}"),
        (edits.one_entity, (), {}, "{a b c} {d}", "{a b c d}"),
    ],
)
def test_an_edit_does_what_it_says(edit, arguments, options, key, response):
    toy = edit(Toy.of("{abc}{d}", "{ab}{cx}"), *arguments, **options)
    assert (toy.key_notation, toy.response_notation) == (key, response)


def test_a_spurious_mention_is_one_of_the_sentence_if_it_has_one_left():
    toy = Toy.of("{ab}", "{ab}", "[a Mia] , [z he] , [b she]")
    assert edits.add_spurious(toy).spurious == ("z",)
    assert edits.add_spurious(edits.add_spurious(toy)).spurious == ("z", "c")


def test_an_edit_of_what_is_not_there_is_refused():
    for edit, *arguments in (
        (edits.move, "q", 0),
        (edits.move, "a", 7),
        (edits.split, -1),
        (edits.merge, 0, 9),
        (edits.drop, 3),
    ):
        with pytest.raises(InputError, match="expected"):
            edit(EXAMPLE, *arguments)
    with pytest.raises(InputError, match="expected"):
        edits.add_spurious(random_toy(MOST_MENTIONS))
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
    assert history.then(one).position == 0


# Links and what becomes of them -------------------------------------------------------------------


@given(toys)
def test_links_are_those_of_the_oracle_and_mentions_have_the_status_of_the_error_page(toy):
    links = links_of(toy)
    key, response = (
        oracle.coreference_links([*map(frozenset, side)]) for side in (toy.key, toy.response)
    )
    for of, wanted in (
        (links.correct, key & response),
        (links.missing, key - response),
        (links.wrong, response - key),
    ):
        assert {*map(frozenset, of)} == wanted
        assert len(of) == len(wanted)
    table = mention_table(toy.result.comparison, singletons="keep")
    rows = zip(table["mention"], table["class"], strict=True)
    assert statuses(toy) == {mention.partition("#")[0]: status for mention, status in rows}


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
    wrong = Toy.of("{a}{b}", "{ba}")
    of_key = changes(wrong, edits.merge(wrong, 0, 1, side="key"))
    assert of_key.sentences == ("a–b is now a correct link",)


# Every single move --------------------------------------------------------------------------------


@settings(max_examples=20)
@given(toys, st.sampled_from(METRIC_IDS), st.sampled_from(MEASURES))
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
        *product("ab", (1, "new", "missing")),
        *product("c", (0, 1, "new")),
        *product("x", (0, "missing")),
    }
    assert what_if(Toy.of("", ""), metric="lea", measure="f1") == []
    most = edits.all_singletons(random_toy(MOST_MENTIONS))
    assert len(what_if(most, metric="ceafe", measure="f1")) == MOST_MENTIONS**2


def test_a_table_of_moves_names_each_move_with_its_numbers():
    toy = Toy.of("{abc}", "{ab}{x}")
    moves = what_if(toy, metric="muc", measure="recall")
    rows = {row.mention + " " + row.to: row for row in what_if_table(toy, moves).itertuples()}
    assert len(rows) == len(moves)
    best = rows["c {a b}"]
    assert (best.score, best.gain) == (1, pytest.approx(1 / 2))  # 2/2 links, 1/2 before
    assert (best.right_links, best.wrong_links) == (2, 0)
    assert {name for name in rows if name[0] == "x"} == {"x {a b}", "x missing"}


# Exercises ----------------------------------------------------------------------------------------

NEAR_MISSES = {
    "bcub-no-link": "{abc}{ef}",
    "muc-merging": "{abc}{de}{f}{gh}{i}",
    "ceaf-right-links": "{abcde}",
    "wrong-links-only": "{ab}{ef}{cg}",
}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_an_exercise_is_reached_by_its_solution_only(exercise):
    near_miss = Toy.of(exercise.start.key_notation, NEAR_MISSES[exercise.id], exercise.start.text)
    buttons = (edits.add_spurious, edits.swap, edits.all_singletons, edits.one_entity)
    others = [
        exercise.start,
        near_miss,
        exercise.start.with_side("response", exercise.start.key),
        *(edit(exercise.start) for edit in buttons),
    ]
    assert exercise.metric in METRIC_IDS
    assert exercise.progress(exercise.solved)[0]
    assert not any(exercise.progress(toy)[0] for toy in others)


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


# By CEAFₑ a is aligned in vain: 2·1/(2 + 1) of {cd} and {d} is more than 2·1/(2 + 2) of {ac}
@example((sets("b cd"), sets("ac b d")))
@given(partition_pairs())
def test_every_printed_formula_is_worth_what_it_says_and_leads_to_the_score(pair):
    toy = toy_of_pair(pair)
    for metric in WORKED:
        steps = metric_of(metric).textbook(toy.key, toy.response)
        for step in steps:
            if step.quotient.text.endswith("taken as 0"):
                with pytest.raises(ZeroDivisionError):
                    worked_out(step.quotient.text)
                assert step.value == 0
            else:
                assert worked_out(step.quotient.text) == step.value
                assert step.quotient.text.endswith(f" = {step.value}")
            above = worked_out(step.quotient.text.partition(" / ")[0])
            assert not step.summands or sum(one.term.value for one in step.summands) == above
            sides = (toy.key, toy.response)
            own, other = sides if step.name.startswith("recall") else sides[::-1]
            for summand in step.summands:
                assert summand.own < len(own)
                assert summand.other is None or {*own[summand.own]} & {*other[summand.other]}
        three = oracle.score(metric, [pair], empty=Fraction(0))
        assert tuple(step.value for step in steps[-3:]) == tuple(three)
        score = toy.result[metric]
        for measure, step in zip(MEASURES, steps[-3:], strict=True):
            assert getattr(score, measure) == pytest.approx(float(step.value), abs=1e-12)


def test_ceaf_names_the_aligned_pairs():
    recall = metric_of("ceafe").textbook(EXAMPLE.key, EXAMPLE.response)[0]
    told = [(summand.own, summand.other, summand.text) for summand in recall.summands]
    assert told == [(0, 0, "2·2/(3 + 2)"), (1, 2, "2·2/(4 + 4)")]


# Files --------------------------------------------------------------------------------------------


@given(toys, st.sampled_from(["conll", "notation"]))
def test_files_score_what_the_toy_scores(toy, format):
    key, response = (
        read_bytes(file_text(toy, side=side, format=format).encode(), side, format=format)
        for side in ("key", "response")
    )
    result = corescore.score(key, response)
    scores = [[of[metric].f1 for metric in METRIC_IDS] for of in (result, toy.result)]
    assert scores[0] == pytest.approx(scores[1])


def test_a_file_has_the_words_of_the_sentence_where_every_mention_stands_in_it():
    lines = file_text(EXAMPLE, side="response", format="conll").splitlines()
    assert [line.split("\t")[3] for line in lines[1:5]] == ["Mia", "gave", "Tom", "her"]
    apart = Toy.of("{ab}", "{ab}", "[a Mia] slept")
    assert "slept" not in file_text(apart, side="key", format="conll")
    same = Toy.of("{ab}", "{ab}", "[a [b Mia]] slept")
    assert "slept" not in file_text(same, side="key", format="conll")
