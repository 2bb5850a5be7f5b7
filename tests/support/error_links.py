"""The links from numbers to the errors they count, and data with errors of every sort."""

import re
from html import unescape
from urllib.parse import parse_qs

from corescore import Corpus, Document, write
from corescore.analysis.error_table.query import parse
from corescore.analysis.error_table.rows import with_other
from corescore.analysis.error_table.table import error_table
from tests.support.zeros import with_zeros

_LINK = re.compile(r'<a class="rows" href="errors\?([^"]*)">(.*?)</a>', re.DOTALL)
_WORDS = "the old dog of Ann saw it and it barked at Ann 's cat"
_NUMBER = re.compile(r"[0-9][0-9,]*")


def links_in(html):
    """(number, query, letter) of each link to errors whose text begins with a number; a link that
    does not list correct mentions that fixes only move asks for those of any other class."""
    told = (_told(url, re.sub("<[^>]*>", "", text)) for url, text in _LINK.findall(html))
    return [one for one in told if one]


def _told(url, text):
    query = parse_qs(unescape(url), keep_blank_values=True)
    number = _NUMBER.match(text)
    find = query["find"][0]
    if query.get("moved") != ["true"]:
        find = listed_by_default(find)
    return number and (int(number[0].replace(",", "")), find, query["of"][0][0])


def listed_by_default(find):
    """The query that finds what the list shows of this one's mentions by default."""
    return find if "class:" in find else f"{find} -class:correct"


def n_found(errors, find):
    """How many of the errors that a system has the list shows."""
    return int(parse(find).matches(errors).sum())


def listed_errors(loaded, letter):
    """The errors of a system as the list has them, with their classes in the other system."""
    result = loaded.system(letter).result
    table = error_table(result.comparison, singletons=result.policies.singletons)
    for other in (system.result for system in loaded.systems if system.letter != letter):
        table = with_other(table, result, other)
    return table


def assert_numbers_are_those_of_the_lists(app, html):
    """Every number on the page that leads to errors leads to as many; at least one does."""
    loaded, links = app.session_state["loaded"], links_in(html)
    assert links
    tables = {letter: listed_errors(loaded, letter) for letter in {of for *_, of in links}}
    told = [(number, find, letter, n_found(tables[letter], find)) for number, find, letter in links]
    assert [one for one in told if one[0] != one[3]] == []


def write_hard_data(folder):
    """The paths of a key and two responses: span errors, mentions listed twice, names of documents
    that a query has to quote, a document without errors."""
    sides = {
        "key": {
            "news_a b": [[(0, 5), (6, 7), (8, 9)], [(4, 5), (11, 12)], [(11, 14)]],
            'odd "name" or not': [[(0, 3), (6, 7)], [(4, 5), (8, 9)]],
            "none": [[(0, 3), (6, 7)]],
        },
        "one": {
            "news_a b": [[(0, 3), (6, 7)], [(8, 9), (4, 5)], [(6, 7), (9, 10)], [(12, 14)]],
            'odd "name" or not': [[(0, 3), (6, 7), (4, 5), (8, 9)], [(9, 10), (10, 11)]],
            "none": [[(0, 3), (6, 7)]],
        },
        "two": {
            "news_a b": [[(0, 5), (6, 7), (8, 9), (4, 5)], [(11, 12)]],
            'odd "name" or not': [[(0, 3)], [(6, 7)], [(4, 5)]],
            "none": [[(0, 3), (6, 7)]],
        },
    }
    return _written(
        folder,
        {
            name: [
                Document.of_entities(d, entities, words=_WORDS.split())
                for d, entities in side.items()
            ]
            for name, side in sides.items()
        },
        "jsonl",
    )


def write_zeros(folder):
    """The paths of a key and two responses in CoNLL-U with empty nodes."""
    parents = ((0, "nsubj"),)
    sides = {
        "key": {(0, 1): (0, parents), (2, 1): (0, parents), (3, 1): (1, parents)},
        "one": {(0, 1): (0, parents), (2, 1): (1, parents), (3, 1): (1, parents)},
        "two": {(0, 1): (0, parents), (2, 1): (0, parents)},
    }
    return _written(folder, {name: [with_zeros(of)] for name, of in sides.items()}, "conllu")


def _written(folder, sides, ending):
    paths = [folder / f"{name}.{ending}" for name in sides]
    for path, documents in zip(paths, sides.values(), strict=True):
        write(Corpus(tuple(documents)), path)
    return paths
