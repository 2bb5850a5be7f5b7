"""One document and one mention are selected on every page, wherever one comes from."""

import re
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.support.browser import open_at, turn_to, wait_until_idle, watched
from tests.support.pages import html, page_of

SHOWING = ("Text", "Credit", "Entities", "Links")  # pages that show a document
STEPS = (
    *("Text", "mention", "Credit", "back", "forward", "Errors", "reload", "Text", "document"),
    *("mention", "Entities", "Documents", "back", "back", "forward", "Links"),
)
DOCUMENTS = ("news_harbour", "news_library", "news_orchard")


@dataclass(frozen=True)
class Entry:
    """A page in the browser's history, with what its URL selects."""

    page: str
    document: str
    mention: str = ""


class Walk:
    """Somebody who goes from page to page, and what should be selected then."""

    def __init__(self, page, address):
        self.page, self.address = page, address
        open_at(page, f"{address}/credit?document=news_orchard")
        self.entries, self.at = [Entry("Credit", "news_orchard")], 0

    @property
    def here(self):
        return self.entries[self.at]

    def go(self, entry):
        self.entries = [*self.entries[: self.at + 1], entry]
        self.at += 1

    def step(self, what):
        here = self.here
        if what == "back":
            self.page.go_back()
            self.at -= 1
        elif what == "forward":
            self.page.go_forward()
            self.at += 1
        elif what == "reload":
            self.page.reload()
        elif what == "document":
            self.step_to_another_document(here)
        elif what == "mention":
            self.select_a_mention(here)
        else:
            turn_to(self.page, what)
            self.go(replace(here, page=what))
        self.check()

    def step_to_another_document(self, here):
        at = DOCUMENTS.index(here.document)
        button, to = ("Next", at + 1) if at == 0 else ("Previous", at - 1)
        self.page.get_by_role("button", name=button, exact=True).click()
        self.go(Entry("Text", DOCUMENTS[to]))

    def select_a_mention(self, here):
        wait_until_idle(self.page)
        labels = self.page.locator(".line .label:not(.lit)")
        labels.first.wait_for()
        label = labels.nth(labels.count() // 2)
        before = self.page.url
        label.focus()
        self.page.keyboard.press("Enter")
        self.page.wait_for_function("before => location.href !== before", arg=before)
        query = parse_qs(urlsplit(self.page.url).query)
        self.go(replace(here, mention=query["mention"][0]))

    def says(self, url):
        query = parse_qs(urlsplit(url).query)
        document, mention = query.get("document"), query.get("mention", [""])
        return (document, mention) == ([self.here.document], [self.here.mention])

    def check(self):
        name = self.page.get_by_test_id("stSidebarNav").locator("a[aria-current=page]")
        expect(name).to_have_text(self.here.page)
        wait_until_idle(self.page)
        if self.here.page in SHOWING:
            box = self.page.get_by_role("combobox", name="Document")
            expect(box).to_have_value(re.compile(f"^{self.here.document} · "))
        self.page.wait_for_url(self.says)


@pytest.mark.slow
def test_a_walk_through_pages_keeps_what_is_selected(chromium, stranger, address):
    with watched(chromium, address) as page:
        walk = Walk(page, address)
        walk.check()
        for what in STEPS:
            walk.step(what)
        turn_to(page, "Text")
        link, selected = page.url, walk.here
    with watched(stranger, address) as page:
        open_at(page, link)
        box = page.get_by_role("combobox", name="Document")
        expect(box).to_have_value(re.compile(f"^{selected.document} · "))
        expect(page.locator(".chain").first).to_be_attached(attached=bool(selected.mention))
        expect(page).to_have_url(link)


@pytest.mark.slow
def test_a_link_to_a_document_that_is_not_here_says_so():
    app = page_of(view="text", document="elsewhere")
    assert "no document “elsewhere”" in html(app)
    assert app.selectbox(key="document").value == "news_harbour"
