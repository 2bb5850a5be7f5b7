"""The page docs/papers.md: each number in it is printed in the paper or comes out here."""

import re
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, floor
from pathlib import Path

import pandas as pd
import pytest

from corescore.analysis.systems.many import ranks
from corescore.counting.counts import MEASURES
from corescore.replication.claims import wide
from corescore.replication.experiment import in_paper, run
from corescore.replication.luo2014 import TABLE_2 as BLANC_OF_2012
from corescore.replication.moosavi2016.curves import FIGURE_3
from corescore.replication.moosavi2016.systems import BOUNDARIES, COUNTS, RANKING, SCORES
from corescore.replication.moosavi2016.toys import passage
from corescore.replication.recasens2011 import tables
from corescore.replication.recasens2011.desiderata import MISSED, WRONG, blanc_at
from corescore.replication.recasens2011.toys import table_8
from tests.support.samples import BY_ID

PAGE = (Path(__file__).parents[2] / "docs" / "papers.md").read_text("utf-8")
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:/\d+)?")
# Names with a number in them, and what a paper says word for word
NAMES = re.compile(
    r"“[^”]*”|`[^`]*`|F1|B³|N[₀₁]+|\b(?:cr|S|them)\d|\{[^}]*\}|§[\d.]+|"
    r"(?:Tables?|Figures?|equation|desideratum|CoNLL-|ACE-|et al\.|Strube|Hovy) ?\d+"
)
MENTIONS, ENTITIES, PARTS = 19764, 4532, 348  # of the test set of CoNLL-2012: M&S, §2


def rows():
    """(paper, place) → the other cells of each row of the page."""
    found, paper = {}, ""
    for line in PAGE.splitlines():
        if line.startswith("## "):
            paper = line[3:].split(",")[0]
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and cells[0] != "Place":
            found[paper, cells[0]] = " | ".join(cells[1:])
    return found


def two(value, digits=2):
    return f"{float(value):.{digits}f}"


def percent(value, digits=2):
    return two(100 * Fraction(value), digits)


def cut(value):
    return f"{floor(10000 * float(value) + 1e-6) / 100:.2f}"


def cells(printed, heading, *on):
    """The cells of a printed table as text, by their names."""
    return printed.cells.set_index([*on])[heading].to_dict()


@cache
def table_of(name, **values):
    experiment = BY_ID[name]
    return (
        run(experiment, experiment.setting(values)).table if values else in_paper(experiment).table
    )


def f1_of(name, metric, measure="f1", **where):
    table = table_of(name)
    for column, value in {"metric": metric, **where}.items():
        table = table[table[column] == value]
    (value,) = table[measure]
    return value


# Moosavi & Strube 2016 ----------------------------------------------------------------------------


def less_precise_b():
    score = {name: Fraction(cell) for name, cell in _printed_scores().items()}
    links_of_key = MENTIONS - ENTITIES

    def size(system, metric, of_key):
        return of_key * score[system, metric, "recall"] / score[system, metric, "precision"]

    base, row = "Base", "Less precise (b)"
    entities, links = (
        size(row, metric, of_key) - size(base, metric, of_key)
        for metric, of_key in (("ceafe", ENTITIES), ("muc", links_of_key))
    )
    n = int(cells(COUNTS, "removed_or_added", "system")[row])
    more = entities + links - n
    found = links_of_key * score[row, "muc", "recall"] / 100
    precision = found / (size(base, "muc", links_of_key) + more)
    yield from (ENTITIES, MENTIONS, links_of_key, n)
    yield from (
        _printed_scores()[system, metric, measure]
        for system, metric, measure in product(
            (base, row), ("ceafe", "muc"), ("recall", "precision")
        )
    )
    yield from map(round, (entities, links, entities + links, more, entities - links))
    yield percent(precision)


def _printed_scores():
    table = SCORES.cells.set_index(["system", "metric"])
    return {
        (*name, measure): row[f"{measure} %"]
        for name, row in table.iterrows()
        for measure in MEASURES
    }


def peng():
    row = BOUNDARIES.cells.set_index(["system", "metric"]).loc[("Peng", "lea")]
    recall, precision = row["recall %"], row["precision %"]
    yield from (recall, precision, two(Fraction(precision) - Fraction(recall)))


def blanc_of_cr2():
    found, of = comb(4, 2), comb(8, 2)
    f1 = Fraction(2 * found, of + found)
    assert f1_of("moosavi2016-table3", "blanc", response="cr2") == pytest.approx(float(f1))
    yield cells(BY_ID["moosavi2016-table3"].printed[0], "f1 %", "response", "metric")[
        "cr2", "blanc"
    ]
    yield from (2, found, of, f1, percent(f1))


def muc_ranks():
    printed = RANKING.cells.query("metric == 'muc'").set_index("system")
    f1 = printed["f1 %"].map(float)
    place = pd.Series(ranks(f1.to_numpy()), f1.index)
    off = ["li", "songyang", "zhekova"]
    more = f1 + 10 * (f1.index == "li")
    assert (ranks(more.to_numpy()) == printed["rank"].astype(int)).all()
    yield from (*printed["rank"][off], *place[off], *printed["f1 %"][off], two(more["li"]))
    yield len(printed)


def ceafe_of_b():
    b, base = (_printed_scores()[name, "ceafe", "f1"] for name in ("Less precise (b)", "Base"))
    for (system, metric, measure), cell in _printed_scores().items():
        if system.startswith("Less") and metric != "muc" and measure != "precision":
            rises = float(cell) > float(_printed_scores()["Base", metric, measure])
            assert rises == ((system, metric, measure) != ("Less precise (b)", "ceafe", "f1"))
    yield from (b, base, two(Fraction(base) - Fraction(b)))


def single_entity():
    yield from ("78.44", "87.91")  # §3.1
    links = MENTIONS - ENTITIES
    yield from (f"{links:,}", f"{MENTIONS:,}", 1, PARTS, PARTS - 2)
    for parts, write in ((1, percent), (PARTS, cut), (PARTS - 2, cut)):
        precision = Fraction(links, MENTIONS - parts)
        yield from (write(precision), write(2 * precision / (1 + precision)))


def named_twice():
    of = {mention: number for number, entity in passage().items() for mention in entity}
    yield from (16, 17, of[16], of[17], 1)


def cut_scores():
    printed = cells(BY_ID["moosavi2016-table3"].printed[0], "f1 %", "response", "metric")
    for name in (("cr1", "muc"), ("cr1", "bcub"), ("cr2", "ceafm"), ("cr2", "ceafe")):
        f1 = f1_of("moosavi2016-table3", name[1], response=name[0])
        exact = Fraction(f1).limit_denominator(100)
        assert printed[name] == cut(exact)
        yield from (printed[name], exact, percent(exact))


def mentions_of_blanc():
    score = _printed_scores()

    def gain(system, metric):
        here, base = (Fraction(score[one, metric, "recall"]) for one in (system, "Base"))
        return two(abs(here - base))

    for system in ("Less precise (a)", "More precise"):
        yield from (gain(system, metric) for metric in ("blanc", "ceafe"))


def repeats():
    for response, links in (("{ab}{cd}", 2), ("{ab}{cd}{cd}", 3)):
        where = {"repeats": "every listing counts", "response": response}
        recall = f1_of("moosavi2016-repeats", "lea", "recall", **where)
        assert recall == pytest.approx(links / 6)
        yield from (f"{links}/6", percent(recall))


ORDERS, PARTNERS = (one.choices for one in FIGURE_3.parameters if one.choices)


def figure_2():
    held = {}
    for order in ORDERS:
        f1 = wide(table_of("moosavi2016-fig2", order=order), ["seed", "step"])
        held[order] = (f1["blanc"] <= f1[["bcub", "lea"]].min(axis=1) + 1e-9).all()
    assert [order for order, holds in held.items() if not holds] == ["largest"]
    yield from (sum(held.values()), len(held))


CHOICES = [*product(ORDERS, PARTNERS)]


def of_figure_3(order, partners):
    table = table_of("moosavi2016-fig3", order=order, partners=partners)
    return wide(table, ["seed", "step"])[["muc", "bcub", "ceafm", "ceafe", "blanc", "lea"]]


def figure_3_ceafe():
    drops = {}
    for choice in CHOICES:
        ceafe = of_figure_3(*choice)["ceafe"].unstack("step")
        drops[choice] = (ceafe[0.2] < ceafe[0] - 1e-9).all()
    assert [choice for choice, holds in drops.items() if holds] == [("largest", "groups")]
    ceafe = of_figure_3("largest", "groups")["ceafe"].groupby("step").mean()
    yield from (1, len(CHOICES), 0, 20, percent(ceafe[0]), percent(ceafe[0.2]))


def figure_3_blanc():
    by_points, by_share = [], []
    for choice in CHOICES:
        f1 = of_figure_3(*choice)
        before = f1[f1.index.get_level_values("step") < 1 - 1e-9]
        highest = before.drop(columns="blanc").max(axis=1)
        by_points.append((before["blanc"] >= highest + 0.2 - 1e-9).all())
        by_share.append((before["blanc"] >= 1.2 * highest - 1e-9).all())
        assert (f1.xs(1.0, level="step") == 1).all(axis=None)
    yield from (sum(by_points), sum(by_share), len(CHOICES), 20, 100)
    held = {choice[0] for choice, holds in zip(CHOICES, by_share, strict=True) if holds}
    assert held == {"largest"}


def captions():
    f1 = wide(table_of("moosavi2016-fig4-5"), ["order", "entities"])
    same = f1[["bcub", "ceafm", "lea"]]
    assert (same.max(axis=1) - same.min(axis=1)).max() < 1e-9
    apart = (f1["ceafe"] - f1["bcub"]).abs()
    at = apart.idxmax()
    yield from (len(f1), at[1], percent(f1["bcub"][at]), percent(f1["ceafe"][at]))
    yield percent(apart.max())


def yuan():
    here = RANKING.cells.query("metric == 'blanc'").set_index("system")["f1 %"]
    of_luo = BLANC_OF_2012.cells.query("language == 'English'").set_index("system")["f1 %"]
    there = of_luo.rename({"chunyang": "chunyuang"})[here.index]
    assert here.index[here != there].tolist() == ["yuan"]
    yield from (here["yuan"], there["yuan"], len(here) - 1)


# Luo et al. 2014 ----------------------------------------------------------------------------------


def rand_index():
    within, between = comb(3, 2) + comb(4, 2), 3 * 4
    total = within + between
    yield from (within, between, total, 1, total * (total - 1) // 2, 2, 0)
    yield two(Fraction(total, total * (total - 1) // 2), 1)


def proof():
    yield from (0, comb(3, 2) + comb(4, 2))


def proposition():
    f1 = table_of("luo2014-boundaries").set_index(["example", "metric"])["f1"]
    for rule in ("luo2014", "recasens2011"):
        yield Fraction(f1["{abcdef} / {ab}{cde}{f}", rule]).limit_denominator(100)
    yield from re.findall(r"for (\d+) of (\d+)", same_as_old())[0]
    yield from (0, 2, 4, 2011)


def same_as_old():
    return in_paper(BY_ID["luo2014-boundaries"]).by_claim["same-as-old"].numbers


# The poster of Pradhan et al. 2014 ----------------------------------------------------------------


def official(system, bcub_of=""):
    printed = cells(
        BY_ID["pradhan2014-table1"].printed[0], "official %", "data", "system", "metric"
    )
    of = {"bcub": bcub_of or system}
    three = [printed["CoNLL-2011", of.get(m, system), m] for m in ("muc", "bcub", "ceafe")]
    mean = sum(map(Fraction, three)) / 3
    return [*three, 3, two(mean)], printed["CoNLL-2011", system, "conll"], mean


def swapped():
    for system, other in (("nugues", "chang"), ("chang", "nugues")):
        three, average, mean = official(system, other)
        assert abs(mean - Fraction(average)) < Fraction(5, 100)
        yield from (*three, average, official(system)[0][-1])
    yield from (1, 2011)


def average_of(system):
    three, average, _ = official(system)
    return [*three, average, 2011, "0.1"]


def of_example(*steps):
    exact = table_of("pradhan2014-example").set_index(["metric", "step"])["exact"]
    printed = cells(BY_ID["pradhan2014-example"].printed[0], "value", "metric", "step")
    for step in steps:
        yield from (exact[step], two(Fraction(exact[step])), two(Fraction(exact[step]), 4))
        yield printed[step]


# Two of the printed figures that cutting does not give: 5/12 and 2/3
NOT_CUT = (("bcub", "recall"), ("blanc", "recall of non-coreference links"))


def links_of_example():
    parts = [f"{measure} of coreference links" for measure in ("recall", "precision", "f1")]
    yield from of_example(*(("blanc", part) for part in parts), *NOT_CUT)
    r, p = Fraction("0.22"), Fraction("0.25")
    yield from (2, two(r + p), two(2 * r * p / (r + p), 3))
    for step in NOT_CUT:
        exact, _, _, printed = of_example(step)
        assert printed != f"{floor(100 * Fraction(exact)) / 100:.2f}"


def blanc_of_example():
    parts = ("f1 of coreference links", "f1 of non-coreference links", "f1")
    yield from of_example(*(("blanc", part) for part in parts), *NOT_CUT)
    yield from (2, two((Fraction("0.23") + Fraction("0.50")) / 2, 3))


# Recasens & Hovy 2011 -----------------------------------------------------------------------------


def printed_1():
    return cells(BY_ID["recasens2011-table1"].printed[0], "f1 %", "metric", "response")


def links_of_b():
    right, of_b = 2 * comb(5, 2) + comb(2, 2), comb(10, 2) + comb(2, 2)
    f1 = Fraction(2 * right, right + of_b)
    assert f1_of("recasens2011-table1", "links", response="b") == pytest.approx(float(f1))
    yield from (printed_1()["links", "b"], right, of_b, f"{2 * right}/{right + of_b}", percent(f1))
    yield from (2, of_b - 1, f"{2 * right}/{right + of_b - 1}")
    yield percent(Fraction(2 * right, right + of_b - 1))


def merging():
    row = table_of("recasens2011-table1").query("metric == 'muc' and response == 'a'").iloc[0]
    yield from (round(row["recall_errors"]), round(row["precision_errors"]))


def partners():
    sides = table_8()
    (entity,) = (entity for entity in sides["B"] if 1 in entity)
    alone = sum(len(one) == 1 for one in sides["Gold"])
    yield from (*entity, alone, alone + 1)


def front_face():
    for share in (0, 0.5, 0.9, 1):
        yield from (round(100 * share), percent(blanc_at(1, share)))
    yield percent(blanc_at(0, 1))


def column_h():
    for response in "abcd":
        yield from (
            printed_1()["h", response],
            percent(f1_of("recasens2011-table1", "h", response=response)),
        )
    yield 2


def rag_bag():
    for figure, response in product(("Figure 4", "Figure 4, mixed in both"), ("S1", "S2")):
        yield percent(f1_of("recasens2011-fig4-5", "bcub", figure=figure, response=response))


def last_row():
    table = tables.PAPER.printed("Table 2").cells
    for corpus, of in table.groupby("corpus"):
        counts = of.set_index("size")["count"].str.replace(",", "").astype(int)
        n = counts.drop(["Mentions", "Entities"])
        assert n.sum() == counts["Entities"], corpus
        yield from (f"{counts['Entities']:,}", *(n if corpus == "ACE-2004" else ()))
    yield from (10, 11)


def slope():
    blanc = wide(table_of("recasens2011-fig6").query("order == ''"), "right_coreference")["blanc"]
    steps = blanc.diff().dropna()
    assert (steps.diff().dropna() < 0).all()
    yield from (percent(steps.iloc[0]), percent(steps.iloc[-1]))


def desiderata():
    value = table_of("recasens2011-desiderata").set_index(["check", "metric"])["value"]
    yield from (percent(value[check, "blanc"]) for check in (WRONG, MISSED))


def closer():
    score = cells(tables.TABLE_16, "f1 %", "corpus", "system", "metric")
    off = []
    for corpus, nearer, farther in (("ACE-2", "bcub", "ceafm"), ("ACE-2004", "ceafm", "bcub")):
        for system in dict.fromkeys(system for of, system, _ in score if of == corpus):
            near, far = (
                abs(Fraction(score[corpus, system, m]) - Fraction(score[corpus, system, "blanc"]))
                for m in (nearer, farther)
            )
            off += [(corpus, system)] if near > far else []
    (at,) = off
    assert at == ("ACE-2004", "One-entity baseline")
    b3, ceafm, blanc = (score[(*at, metric)] for metric in ("bcub", "ceafm", "blanc"))
    yield from (b3, ceafm, blanc)
    yield from (two(Fraction(one) - Fraction(blanc), 1) for one in (b3, ceafm))


M, L, P, R = (
    "Moosavi & Strube 2016",
    "Luo et al. 2014",
    "Pradhan et al. 2014",
    "Recasens & Hovy 2011",
)
RECOMPUTED = {
    (M, "Table 1, Less precise (b), and §2"): less_precise_b,
    (M, "§6, Table 4"): peng,
    (M, "§3.3, Table 3, BLANC of cr2"): blanc_of_cr2,
    (M, "Table 5, ranks by MUC"): muc_ranks,
    (M, "§2, on Table 1"): ceafe_of_b,
    (M, "§3.1"): single_entity,
    (M, "§3.3, Figure 1"): named_twice,
    (M, "§3.3, Table 3"): cut_scores,
    (M, "§3.4"): mentions_of_blanc,
    (M, "§4, repeated mentions"): repeats,
    (M, "§7.1, Figure 2"): figure_2,
    (M, "§7.1, CEAFₑ"): figure_3_ceafe,
    (M, "§7.1, Figure 3"): figure_3_blanc,
    (M, "Captions of Figures 4 and 5"): captions,
    (M, "Table 5, BLANC of yuan"): yuan,
    (L, "§3, equation 1"): rand_index,
    (L, "§4, proof"): proof,
    (L, "§4, proposition"): proposition,
    (P, "Table 1, nugues and chang in 2011"): swapped,
    (P, "Table 1, stoyanov in 2011"): lambda: average_of("stoyanov"),
    (P, "Table 1, lee in 2011"): lambda: average_of("lee"),
    (P, "Example, F1 of coreference links"): links_of_example,
    (P, "Example, BLANC"): blanc_of_example,
    (R, "Table 1, F1 of the links of b"): links_of_b,
    (R, "§3.1, on MUC"): merging,
    (R, "§5.1"): partners,
    (R, "§5.3, Figure 7"): front_face,
    (R, "Table 1, column H"): column_h,
    (R, "§3.2, Figure 4"): rag_bag,
    (R, "Table 2"): last_row,
    (R, "§5.3, Figure 6"): slope,
    (R, "§6"): desiderata,
    (R, "§5.2, Table 16"): closer,
}


def test_the_page_has_a_row_for_each_place_and_no_other():
    assert [*rows()] == [*RECOMPUTED]


@pytest.mark.parametrize("place", RECOMPUTED, ids=": ".join)
def test_each_number_of_a_row_is_printed_or_comes_out(place):
    told = NUMBER.findall(NAMES.sub(" ", rows()[place]))
    known = {str(one).replace(",", "") for one in RECOMPUTED[place]()}
    assert [number for number in told if number.rstrip(",").replace(",", "") not in known] == []
    assert told
