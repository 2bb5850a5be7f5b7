"""The handout of a lesson: questions on paper, and their answers at its end."""

import re

import pytest

from corescore.rendering.classroom import finding, handout
from corescore.sentences.names import escaped
from corescore.teaching.exercises import LESSON

# Entities whose mentions stand in more than one line
WRAPPED = """boxes => boxes.filter((box) => {
  const tops = [...box.querySelectorAll(".pit-chip")].map((chip) => chip.offsetTop);
  return new Set(tops).size > 1;
}).length"""


@pytest.fixture(scope="module")
def text():
    return handout(LESSON)


def test_questions_come_first_and_answers_at_the_end(text):
    questions, answers = text.split("<h1>Answers</h1>")
    for number, step in enumerate(LESSON, 1):
        if step.exercise:
            heading = f"{number}. Exercise: {escaped(step.exercise.title)}"
            reached, told = step.exercise.progress(step.exercise.solved)
            assert reached
            assert heading in questions
            assert f"<p>{escaped(told)} The sandbox" in answers.split(heading)[1]
            continue
        assert f"{number}. {escaped(step.pitfall.question)}" in questions
        assert escaped(step.pitfall.title) not in questions
        assert f"{number}. {escaped(step.pitfall.title)}" in answers
        assert escaped(finding(step.pitfall)) in answers
    assert 'class="pit-mark"' not in questions
    assert 'class="numbers pit-scores"' not in questions
    assert answers.count('class="numbers pit-scores"') == sum(bool(s.pitfall) for s in LESSON)


def test_nothing_is_loaded_from_elsewhere(text):
    assert not re.search(r"https?://|<script|<link|<img|url\(|@import", text)


@pytest.mark.slow
def test_a_handout_prints_and_no_table_of_it_is_cut_off(text, chromium):
    page = chromium.new_page()
    page.set_viewport_size({"width": 680, "height": 1000})  # A4 less its margins
    page.emulate_media(media="print")
    page.set_content(text)
    widths = "all => all.filter(one => one.getBoundingClientRect().right > innerWidth).length"
    assert page.locator("table, .pit-box, p").evaluate_all(widths) == 0
    assert page.locator(".pit-box").evaluate_all(WRAPPED) == 0
    printed = page.pdf(prefer_css_page_size=True)
    n_pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    page.close()
    assert n_pages >= 8  # three questions a page at most, and the answers begin a new one
