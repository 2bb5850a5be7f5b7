"""What stands in the papers' folders has the types of its records; which claims do not hold."""

import tomllib
from pathlib import Path
from types import UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

import pytest

from corescore.replication import EXPERIMENTS, PAPERS
from corescore.replication import claims as of_claims
from corescore.replication.conformance import QUESTIONS
from corescore.replication.experiment import Check, in_paper
from tests.support.experiments import holding, on_sample

# Claims, and figures that differ ------------------------------------------------------------------

NOT_HELD = {
    "moosavi2016-table1": {"f1-less-b"},
    "moosavi2016-repeats": {"lea-untroubled"},
    "moosavi2016-fig3": {"blanc-far-above"},
    "recasens2011-table1": {"merged-entities"},
    "recasens2011-fig4-5": {"bcub-prefers-rag-bag"},
    "recasens2011-fig6": {"slope"},
    "recasens2011-fig7": {"front-face"},
    "recasens2011-desiderata": {"precision-weighs-more", "fine"},
    "luo2014-boundaries": {"same-as-old"},
}
# Named on docs/papers.md, each in a row of its own or with others
OFF = {
    ("Table 3", "cr2", "blanc", "f1"),
    *(("Table 5", name, "muc", "rank") for name in ("li", "songyang", "zhekova")),
    ("Table 1", "b", "links", "f1"),
    *(("Table 1", response, "h", "f1") for response in "abd"),
    *(
        ("poster, Table 1", "CoNLL-2011", name, "conll", "official")
        for name in ("lee", "nugues", "chang", "stoyanov")
    ),
}

# Printed figures that are computed, too: of each table that has some, in the papers' order
N_COMPUTED = [10, 70, 4, 4, 23, 18, 2, 4, 48, 39, 62, 24, 15, 14, 17, 2, 20]


@pytest.mark.parametrize("one", EXPERIMENTS)
def test_all_claims_hold_but_for_these(one):
    outcome = on_sample(one.id, "greedy") if one.on_data else in_paper(one)
    told = holding(outcome)
    off = NOT_HELD.get(one.id, set())
    assert told == {name: name not in off for name in told}
    assert all(check.numbers for _, check in outcome.checks)


def test_each_figure_that_differs_when_recomputed_is_known():
    found, n_computed = set(), []
    for experiment in EXPERIMENTS:
        for printed in experiment.printed:
            assert not printed.cells.duplicated([*printed.on]).any()
            if printed.same_data:
                beside = in_paper(experiment).beside(printed)
                told = beside["printed"] != ""
                n_computed.append(int(beside["computed"][told].notna().sum()))
                rows = beside.query("differs").to_dict("records")
                names = [(*(row[name] for name in printed.on), row["figure"]) for row in rows]
                found |= {(printed.where, *name) for name in names}
    assert found == OFF
    assert [n for n in n_computed if n] == N_COMPUTED


# What is read of the files ------------------------------------------------------------------------

FOLDER = Path(of_claims.__file__).parent
FILES = sorted(FOLDER.rglob("*.toml"))


def fits(value, hint):
    """Whether a value has a type, as far as that can be seen."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return value in parts
    if origin in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if origin is tuple:
        every = parts * len(value) if len(parts) == 1 else parts
        inner = [parts[0]] * len(value) if parts[-1] is Ellipsis else every
        return isinstance(value, tuple) and all(map(fits, value, inner))
    if origin is not None:
        return isinstance(value, origin)
    return (hint is float and isinstance(value, int)) or isinstance(value, hint)


def of_wrong_type(record):
    hints = get_type_hints(type(record))
    return {
        name: getattr(record, name)
        for name, hint in hints.items()
        if not fits(getattr(record, name), hint)
    }


def test_what_is_read_of_the_files_has_the_types_that_it_should_have():
    of_experiments = (
        record for one in EXPERIMENTS for record in (one, one.chart, *one.parameters, *one.claims)
    )
    for record in (*of_experiments, *QUESTIONS):
        assert not of_wrong_type(record), record


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_an_experiment_its_claims_and_parameters_say_what_they_are(experiment):
    assert experiment.title
    assert experiment.setup
    assert len({claim.id for claim in experiment.claims} - {""}) == len(experiment.claims)
    for claim in experiment.claims:
        assert claim.says.endswith((".", "?")), claim.id
        assert claim.where
    for parameter in experiment.parameters:
        assert parameter.checked(parameter.default) == parameter.default


def test_nothing_in_a_file_is_left_out():
    """Each experiment and claim of a file is one of a paper, in the order of the file."""
    ids = {one.id: [claim.id for claim in one.claims] for one in EXPERIMENTS}
    assert {path.name for path in FILES} == {"experiments.toml", "conformance.toml"}
    for path in FILES:
        found = tomllib.loads(path.read_text("utf-8"))
        if path.name == "experiments.toml":
            found.pop("printed", None)
            assert {name: [*row.get("claims", {})] for name, row in found.items()} == {
                name: claims for name, claims in ids.items() if name in found
            }
    assert sum(len(one.EXPERIMENTS) for one in PAPERS) == len(ids)


def paper_with(tmp_path, text):
    (tmp_path / "experiments.toml").write_text(
        '[e]\nwhere = "Table 1"\ntitle = "T?"\nsetup = "S."\nchart = { kind = "table" }\n' + text
    )
    return of_claims.PaperData(str(tmp_path), EXPERIMENTS[0].paper)


CLAIM = '[e.claims.c]\nsays = "So."\nwhere = "§1"\n'


def test_a_check_without_a_claim_and_a_claim_without_a_check_are_errors(tmp_path):
    holds = lambda table: Check(True, "")  # noqa: E731
    paper = paper_with(tmp_path, CLAIM)
    assert paper.experiment("e", lambda _: None, {"c": holds}).claims[0].says == "So."
    for checks in ({}, {"c": holds, "d": holds}):
        with pytest.raises(KeyError):
            paper.experiment("e", lambda _: None, checks)


def test_a_key_that_no_record_has_is_an_error(tmp_path):
    paper = paper_with(tmp_path, CLAIM + 'note_ = "a slip of the pen"\n')
    with pytest.raises(TypeError, match="note_"):
        paper.experiment("e", lambda _: None, {"c": lambda table: Check(True, "")})
