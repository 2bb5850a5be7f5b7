"""Faults of the pages: what stands over which number, where a click leads, what is kept by what."""

from tests.support.faults.fault import Fault

_SHOWN = "tests/dashboard/test_clicks.py"
_CLICKS = "tests/dashboard/test_clicks.py"
_UPLOADS = "tests/dashboard/test_uploads.py"
_SWEEPS = "tests/dashboard/test_much_data.py::test_a_sweep_is_made_anew_if_a_setting_changes"
_HEADS = f"{_SHOWN}::test_each_head_stands_over_the_numbers_of_its_part"
_LOSSES = f"{_SHOWN}::test_losses_go_past_mentions_that_lose_nothing_in_either_direction"
_FILTERS = f"{_SHOWN}::test_a_filter_drops_what_does_not_pass_it"
_BOX = f"{_SHOWN}::test_the_box_of_documents_has_the_scores_of_the_system_that_is_selected"

_HEADINGS = (
    Fault(
        "heads of both and neither swapped",
        "dashboard/views/two_systems.py",
        'BOTH_CORRECT: "both", BOTH_WRONG: "neither"',
        'BOTH_CORRECT: "neither", BOTH_WRONG: "both"',
        (_HEADS,),
    ),
    Fault(
        "heads of A and B swapped",
        "dashboard/views/two_systems.py",
        'A_MORE: "A", BOTH_ALL: "all", BOTH_PART: "part", NOTHING: "none", B_MORE: "B"',
        'A_MORE: "B", BOTH_ALL: "all", BOTH_PART: "part", NOTHING: "none", B_MORE: "A"',
        (_HEADS,),
    ),
    Fault(
        "heads of documents ahead swapped",
        "corescore/rendering/exhibits.py",
        'heads=["A", "tie", "B"]',
        'heads=["B", "tie", "A"]',
        (_HEADS,),
    ),
    Fault(
        "documents ahead: columns swapped",
        "corescore/rendering/exhibits.py",
        '[["wins_a", "ties", "wins_b"]]',
        '[["wins_b", "ties", "wins_a"]]',
        ("tests/dashboard/test_every_page.py",),
    ),
    Fault(
        "the best score is shaded",
        "dashboard/views/documents.py",
        "deep = _SHADE * (high - rows[scores])",
        "deep = _SHADE * (rows[scores] - low)",
        (f"{_SHOWN}::test_the_lowest_score_has_the_strongest_shade_and_the_highest_none",),
    ),
    Fault(
        "the box of documents has A's scores",
        "dashboard/widgets/document_box.py",
        "loaded.system(selection.selected_letter(loaded))",
        'loaded.system("A")',
        (_BOX,),
    ),
    Fault(
        "the box of documents begins with the best",
        "dashboard/widgets/document_box.py",
        "key=lambda name: (isnan(scores[name]), scores[name])",
        "key=lambda name: (isnan(scores[name]), -scores[name])",
        (_BOX,),
    ),
    Fault(
        "denominators of the other direction",
        "dashboard/views/credit.py",
        'f"{shown.direction}_denominator"',
        '"precision_denominator"',
        ("tests/dashboard/test_credit_page.py",),
    ),
    Fault(
        "columns A and B of documents swapped",
        "corescore/rendering/columns.toml",
        'a = { head = "A", kind = "share", about = "percent" }\nb = { head = "B",',
        'a = { head = "B", kind = "share", about = "percent" }\nb = { head = "A",',
        ("tests/dashboard/test_every_page.py",),
    ),
    Fault(
        "A's and B's credit swapped",
        "corescore/rendering/columns.toml",
        'credit_a = { head = "A earns"',
        'credit_a = { head = "B earns"',
        ("tests/dashboard/test_every_page.py",),
    ),
    Fault(
        "simultaneous intervals: from is to",
        "corescore/rendering/columns.toml",
        'tested_low = { head = "from"',
        'tested_low = { head = "to"',
        ("tests/dashboard/test_every_page.py",),
    ),
    Fault(
        "p of the sign test is called Holm's",
        "corescore/rendering/columns.toml",
        'p_sign = { head = "p (sign)"',
        'p_sign = { head = "p (Holm)"',
        ("tests/dashboard/test_every_page.py",),
    ),
    Fault(
        "missing mentions are called spurious",
        "corescore/rendering/columns.toml",
        'missing_mentions = { head = "missing"',
        'missing_mentions = { head = "spurious"',
        ("tests/dashboard/test_every_page.py",),
    ),
    Fault(
        "ranks: from is the worst",
        "corescore/rendering/columns.toml",
        '"ranks.low" = { head = "from"',
        '"ranks.low" = { head = "to"',
        ("tests/dashboard/test_every_page.py",),
    ),
    Fault(
        "overlaps: mentions of the response under the key",
        "corescore/rendering/columns.toml",
        'response_mentions = { head = "resp. mentions"',
        'response_mentions = { head = "key mentions"',
        ("tests/dashboard/test_every_page.py",),
    ),
    Fault(
        "links: from and to swapped",
        "corescore/rendering/columns.toml",
        'first = { head = "from", width = 220 }\nsecond = { head = "to", width = 220 }',
        'first = { head = "to", width = 220 }\nsecond = { head = "from", width = 220 }',
        ("tests/dashboard/test_every_page.py",),
    ),
    Fault(
        "cells with three decimals",
        "dashboard/widgets/tables.py",
        'percent: partial(written, spec="z,.2f")',
        'percent: partial(written, spec="z,.3f")',
        ("tests/dashboard/test_credit_page.py",),
    ),
    Fault(
        "cells of points a hundred times too large",
        "dashboard/widgets/tables.py",
        "lambda points: signed(points / 100)",
        "lambda points: signed(points)",
        ("tests/dashboard/test_credit_page.py",),
    ),
)

_ORDERS_AND_FILTERS = (
    Fault(
        "documents: each order is the other way round",
        "dashboard/views/documents.py",
        "ways = (ascending, not ascending)",
        "ways = (not ascending, ascending)",
        ("tests/dashboard/test_dashboard.py::test_documents_come_worst_first_or_as_the_url_says",),
    ),
    Fault(
        "two systems: the greatest loss of B first",
        "dashboard/views/two_systems.py",
        'rows.sort_values("difference", ascending=False, kind="stable")',
        'rows.sort_values("difference", ascending=True, kind="stable")',
        (f"{_SHOWN}::test_documents_of_two_systems_are_listed_from_the_greatest_gain_of_b",),
    ),
    Fault(
        "disagreements: A and B asked for swapped",
        "dashboard/views/two_systems_argument.py",
        "(opposed[one] < 0) == (direction == A_FIRST)",
        "(opposed[one] > 0) == (direction == A_FIRST)",
        (f"{_SHOWN}::test_of_documents_that_metrics_judge_differently_those_asked_for_are_listed",),
    ),
    Fault(
        "the search by name keeps what it should drop",
        "dashboard/views/documents.py",
        "summary[is_listed] for letter",
        "summary[~is_listed] for letter",
        (f"{_SHOWN}::test_the_search_by_name_drops_the_other_documents",),
    ),
    Fault(
        "losses: all mentions",
        "dashboard/views/credit.py",
        "return shown.shares[shown.shares[selection.metric_among(METRIC_IDS)] < 1]",
        "return shown.shares[shown.shares[selection.metric_among(METRIC_IDS)] <= 1]",
        (_LOSSES,),
    ),
    Fault(
        "losses: of another metric",
        "dashboard/views/credit.py",
        "shown.shares[selection.metric_among(METRIC_IDS)]",
        "shown.shares[METRIC_IDS[0]]",
        (_LOSSES,),
    ),
    Fault(
        "losses: previous is next",
        "dashboard/views/credit.py",
        '(("Previous loss", "p", -1), ("Next loss", "n", 1))',
        '(("Previous loss", "p", 1), ("Next loss", "n", -1))',
        (_LOSSES,),
    ),
    Fault(
        "entities: the mentions of either entity",
        "dashboard/views/entities.py",
        "of_both.all(axis=1)",
        "of_both.any(axis=1)",
        (f"{_CLICKS}::test_a_cell_of_the_grid_shows_the_mentions_that_its_two_entities_share",),
    ),
    Fault(
        "errors made by the other system",
        "dashboard/views/text.py",
        "if not letters or system.letter in letters]",
        "if not letters or system.letter not in letters]",
        ("tests/dashboard/test_text_page.py",),
    ),
    Fault(
        "text: the filter by a status keeps others",
        "dashboard/components/mentions.py",
        "(not kinds or d.kind in kinds)",
        "True",
        (_FILTERS,),
    ),
    Fault(
        "text: the filter by a type keeps others",
        "dashboard/components/mentions.py",
        "and type_ in (None, d.type)",
        "and type_ in (None, d.type, type_)",
        (_FILTERS,),
    ),
    Fault(
        "text: the filter by an entity keeps others",
        "dashboard/components/mentions.py",
        "and entity in (None, d.entities[KEY])",
        "and entity in (None, *d.entities[KEY + 1 :])",
        (_FILTERS,),
    ),
    Fault(
        "text: the filter by errors keeps others",
        "dashboard/components/mentions.py",
        "(spans is None or (d.start, d.end) in spans)",
        "(not spans or (d.start, d.end) in spans)",
        (f"{_SHOWN}::test_the_mention_that_is_selected_passes_all_filters",),
    ),
)

_WAYS = (
    Fault(
        "many systems: A and B swap the wrong way",
        "dashboard/views/many_systems.py",
        "if by_title[clicked] == state.response_b:",
        "if by_title[clicked] != state.response_b:",
        (f"{_CLICKS}::test_a_click_on_a_line_makes_it_a_and_a_becomes_b_where_it_was_b",),
    ),
    Fault(
        "a click counts rows from the top of its page",
        "dashboard/widgets/tables.py",
        "return (first + cell[0], cell[1]) if cell else None",
        "return (cell[0], cell[1]) if cell else None",
        ("tests/dashboard/test_much_data.py",),
    ),
    Fault(
        "documents: the list of another kind of error",
        "dashboard/views/documents.py",
        '"missing_mentions": MISSING,\n    "spurious_mentions": SPURIOUS,',
        '"missing_mentions": SPURIOUS,\n    "spurious_mentions": MISSING,',
        (f"{_CLICKS}::test_a_number_of_errors_leads_to_these_errors_of_its_document",),
    ),
    Fault(
        "entities: key and response of a cell swapped",
        "dashboard/views/entities.py",
        'members.table[["key_entity", "response_entity"]] == [*cell[:2]]',
        'members.table[["response_entity", "key_entity"]] == [*cell[:2]]',
        (f"{_CLICKS}::test_a_cell_of_the_grid_shows_the_mentions_that_its_two_entities_share",),
    ),
    Fault(
        "entities: a row opens the document that is shown",
        "dashboard/views/entities.py",
        'selection.select(row["document"], span)',
        "selection.select_mention(span)",
        (f"{_CLICKS}::test_a_row_of_overlaps_selects_its_first_mention",),
    ),
    Fault(
        "links: a click on the second reads the first",
        "dashboard/views/links.py",
        '"second" if column == "second" else "first"',
        '"first"',
        (f"{_CLICKS}::test_a_cell_of_the_links_leads_to_the_mention_in_it",),
    ),
    Fault(
        "two systems: errors of the other system",
        "dashboard/views/two_systems.py",
        "open_errors(find, loaded.system(letter), label=label)",
        "open_errors(find, loaded.systems[0], label=label)",
        (f"{_CLICKS}::test_a_part_of_a_bar_leads_to_the_errors_of_the_system_that_is_wrong",),
    ),
    Fault(
        "two metrics selected the wrong way round",
        "dashboard/views/two_systems_argument.py",
        "state.one, state.other = one, other",
        "state.one, state.other = other, one",
        (
            f"{_CLICKS}::test_of_two_metrics_that_disagree_the_click_sets_both"
            "_and_a_row_leads_to_its_document",
        ),
    ),
    Fault(
        "a gain lists errors by another metric",
        "dashboard/views/errors_impact.py",
        'find, label = term("kind", kind), f"The {NAMES[kind]}, by {name_of(metric)}"\n'
        '        open_errors(find, system, label=label, order=f"cost.{metric}")',
        'find, label = term("kind", kind), f"The {NAMES[kind]}, by {name_of(metric)}"\n'
        '        open_errors(find, system, label=label, order="cost.lea")',
        (
            f"{_CLICKS}::test_a_gain_leads_to_the_errors_of_its_kind_the_costliest"
            "_under_its_metric_first",
        ),
    ),
)

_KEPT = (
    Fault(
        "sweeps kept without mentions left alone",
        "dashboard/views/perturb.py",
        "step.at(1).spec, n_seeds, shown.left_behind",
        "step.at(1).spec, n_seeds",
        (_SWEEPS,),
    ),
    Fault(
        "sweeps kept without the seed",
        "dashboard/views/perturb.py",
        "how = before, seed, step.at(1).spec",
        "how = before, step.at(1).spec",
        (_SWEEPS,),
    ),
    Fault(
        "sweeps kept without the policies",
        "dashboard/views/perturb.py",
        "made_of = shown.system.stamps, policies, *how",
        "made_of = shown.system.stamps, *how",
        (_SWEEPS,),
    ),
    Fault(
        "sweeps kept without the number of seeds",
        "dashboard/views/perturb.py",
        "step.at(1).spec, n_seeds, shown.left_behind",
        "step.at(1).spec, shown.left_behind",
        (_SWEEPS,),
    ),
    Fault(
        "results kept without the policies",
        "dashboard/session/loaded.py",
        "(*system.stamps, repr(system.result.policies), system.notes.version, *other)",
        "(*system.stamps, system.notes.version, *other)",
        ("tests/dashboard/test_much_data.py",),
    ),
    Fault(
        "results kept without the notes",
        "dashboard/session/loaded.py",
        "(*system.stamps, repr(system.result.policies), system.notes.version, *other)",
        "(*system.stamps, repr(system.result.policies), *other)",
        ("tests/dashboard/test_much_data.py",),
    ),
    Fault(
        "results kept without the system beside it",
        "dashboard/session/loaded.py",
        "(*system.stamps, repr(system.result.policies), system.notes.version, *other)",
        "(*system.stamps, repr(system.result.policies), system.notes.version)",
        ("tests/dashboard/test_much_data.py",),
    ),
    Fault(
        "singletons in the key lead to the others",
        "dashboard/widgets/error_counts.py",
        'both(term("class", INCORRECTLY_RESOLVED), "size=1")',
        'both(term("class", INCORRECTLY_RESOLVED), "size>1")',
        ("tests/dashboard/test_dashboard.py",),
    ),
    Fault(
        "results kept by system A alone",
        "dashboard/session/loaded.py",
        "[_content(system) for system in loaded.systems]",
        "[_content(system) for system in loaded.systems[:1]]",
        ("tests/dashboard/test_much_data.py",),
    ),
    Fault(
        "reports kept without the policies",
        "dashboard/views/share.py",
        "repr([(system.stamps, system.result.policies) for system in loaded.systems])",
        "repr([system.stamps for system in loaded.systems])",
        ("tests/dashboard/test_much_data.py",),
    ),
    Fault(
        "uploads of others are released",
        "dashboard/session/life.py",
        "released = gone.difference(*self._stamps.values())",
        "released = gone",
        ("tests/dashboard/test_sessions.py",),
    ),
    Fault(
        "a key is received without responses",
        "dashboard/widgets/uploads.py",
        "if key is None or not responses:",
        "if key is None:",
        (f"{_UPLOADS}::test_a_key_alone_replaces_nothing_that_is_shown",),
    ),
    Fault(
        "files that are there stay as they were shown",
        "dashboard/session/files.py",
        "file if only_gone and file.is_there else",
        "file if only_gone and not file.is_there else",
        (
            f"{_UPLOADS}::test_files_that_change_are_read_again_and_that_is_said_until_another_page_is_opened",
        ),
    ),
    Fault(
        "half a file takes the place of the whole one",
        "dashboard/widgets/sidebar.py",
        "return before, shown, scoring.problem_lines(error)",
        "return files, responses, scoring.problem_lines(error)",
        (f"{_UPLOADS}::test_half_a_file_is_told_and_all_stays_as_it_was_shown",),
    ),
)

DASHBOARD = (*_HEADINGS, *_ORDERS_AND_FILTERS, *_WAYS, *_KEPT)
