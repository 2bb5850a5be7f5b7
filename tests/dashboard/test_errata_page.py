"""The Errata page: what does not come out, every statement, filters in the URL, links."""

import pandas as pd
import pytest
from playwright.sync_api import expect

from corescore.bibliography import LUO_2014, RECASENS_2011
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import VERDICTS
from corescore.replication.papers import ERRATA, OPEN_READINGS, STATEMENTS, run_on_sample
from dashboard.views import errata as statements_page
from tests.support.browser import downloaded, open_at
from tests.support.pages import headlines, html, page_of, reads, run

VIEW = "errata"


@pytest.fixture(scope="module")
def statements():
    return run(view=VIEW, list="Statements")


def test_every_erratum_is_there_with_arithmetic_and_cause():
    app = page_of(view=VIEW)
    text = html(app)
    assert text.count('<div class="erratum">') == len(ERRATA)
    assert text.count("<dt>Arithmetic</dt>") == text.count("<dt>Likely cause</dt>") == len(ERRATA)
    assert headlines(app)[0].startswith(f"{len(ERRATA)} places in ")


def test_a_paper_and_a_kind_are_selected_in_the_url():
    app = page_of(view=VIEW, paper=RECASENS_2011.name, of_kind="Statement")
    of_both = [one for one in ERRATA if (one.paper, one.kind) == (RECASENS_2011, "statement")]
    assert 0 < len(of_both) < len(ERRATA)
    assert html(app).count('<div class="erratum">') == len(of_both)
    assert headlines(app)[0].startswith(f"{len(of_both)} of {len(ERRATA)} places in 1 paper: ")


def test_each_erratum_leads_to_its_experiment():
    app = page_of(view=VIEW)
    links = [link.proto.query_string for link in app.get("page_link")]
    names = [
        (one.experiment, f"&claims={'%2C'.join(one.claims)}" if one.claims else "")
        for one in ERRATA
        if one.experiment
    ]
    assert links == [f"experiment={name}{claims}" for name, claims in names]


def test_open_readings_are_a_list_of_their_own_and_no_paraphrase_stands_under_printed():
    app = run(view=VIEW, list="Open readings")
    text = html(app)
    assert text.count('<div class="erratum">') == len(OPEN_READINGS)
    assert text.count("<dt>What is open</dt>") == len(OPEN_READINGS)
    assert "Likely cause" not in text
    assert headlines(app)[0].startswith(f"{len(OPEN_READINGS)} places in ")
    n_verbatim = sum(one.is_verbatim for one in OPEN_READINGS)
    assert text.count("<dt>Printed</dt>") == text.count("<dt>Printed</dt><dd>“") == n_verbatim
    assert text.count("<dt>In our words</dt>") == len(OPEN_READINGS) - n_verbatim


@pytest.mark.slow
def test_every_statement_has_its_verdict_and_reason(statements):
    assert html(statements).count('<ul class="claims">') == len(STATEMENTS)
    (counts,) = headlines(statements)
    assert counts.startswith(f"Of {len(STATEMENTS)} testable statements, ")
    assert reads(html(statements), "sample data", "cautious.conll", "key.conll")


@pytest.mark.slow
def test_statements_are_selected_by_paper_and_verdict():
    shown = 0
    for verdict in VERDICTS:
        capital = verdict[0].upper() + verdict[1:]
        app = page_of(view=VIEW, list="Statements", paper=LUO_2014.name, verdict=capital)
        shown += html(app).count('<ul class="claims">')
    assert shown == sum(one.paper == LUO_2014 for one in STATEMENTS)


def test_a_statement_leads_to_the_claims_that_check_it(monkeypatch):
    without_data = {of.id for of in EXPERIMENTS if not of.on_data}
    tried_by = {one: {name for name, _ in one.claims} for one in STATEMENTS}
    one = next(o for o, names in tried_by.items() if len(names) == 1 and names <= without_data)
    experiment = one.claims[0][0]
    query = f"experiment={experiment}&claims={'%2C'.join(claim for _, claim in one.claims)}"
    monkeypatch.setattr(statements_page, "STATEMENTS", (one,))
    of_one = tuple(of for of in EXPERIMENTS if of.id == experiment)
    monkeypatch.setattr(statements_page, "EXPERIMENTS", of_one)
    monkeypatch.setattr(statements_page, "on_sample", lambda: run_on_sample([]))
    app = run(view=VIEW, list="Statements")
    assert [link.proto.query_string for link in app.get("page_link")] == [query]
    app = run(view="experiments", experiment=experiment, claims=one.claims[0][1])
    assert html(app).count('aria-current="true"') == 1


@pytest.mark.slow
def test_the_errata_can_be_downloaded(page, address):
    open_at(page, f"{address}/errata?paper=Luo+et+al.+2014")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("What is printed and does not come out?")
    table = pd.read_csv(downloaded(page, "errata", "CSV").path())
    assert table["id"].tolist() == [one.id for one in ERRATA if one.paper == LUO_2014]
    assert table["is_off"].all()
