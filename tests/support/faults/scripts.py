"""Faults of the scripts of the pages, which only a browser runs."""

from tests.support.faults.fault import Fault

_PASSAGE = "tests/dashboard/components/test_list_and_passage.py"
_LIST = "tests/dashboard/components/test_list_and_passage.py"
_CLICKED = "test_a_click_selects_a_mention_and_shows_its_chains_and_a_second_selects_none"
_STEPS = "test_keys_and_buttons_move_from_error_to_error_and_end_at_the_last"
_STRIP = "test_a_stretch_of_the_strip_says_what_it_has_and_turns_to_its_window"
_SANDBOX = "tests/dashboard/components/test_page_scripts.py"
_CREDIT = "tests/dashboard/components/test_page_scripts.py"

SCRIPTS = (
    Fault(
        "passage: previous and next swapped",
        "dashboard/components/passage/passage.js",
        "{ n: () => step(page, 1), p: () => step(page, -1) }",
        "{ n: () => step(page, -1), p: () => step(page, 1) }",
        (f"{_PASSAGE}::{_STEPS}",),
    ),
    Fault(
        "passage: a second click selects again",
        "dashboard/components/passage/passage.js",
        'choose(page, at === page.chosen ? "" : at);',
        "choose(page, at);",
        (f"{_PASSAGE}::{_CLICKED}",),
    ),
    Fault(
        "passage: the button of the next error goes back",
        "dashboard/components/passage/passage.js",
        'page.next.addEventListener("click", () => step(page, 1));',
        'page.next.addEventListener("click", () => step(page, -1));',
        (f"{_PASSAGE}::{_STEPS}",),
    ),
    Fault(
        "passage: another event is sent",
        "dashboard/components/passage/chosen.js",
        'page.send("chosen", at);',
        'page.send("place", at);',
        (f"{_PASSAGE}::{_CLICKED}",),
    ),
    Fault(
        "passage: key and response entities lit as each other",
        "dashboard/components/passage/chosen.js",
        'if (shares(mention, 0)) styles.push("lit-key");\n'
        '    if (shares(mention, 1) || shares(mention, 2)) styles.push("lit-response");',
        'if (shares(mention, 0)) styles.push("lit-response");\n'
        '    if (shares(mention, 1) || shares(mention, 2)) styles.push("lit-key");',
        (f"{_PASSAGE}::test_pointing_at_a_mention_lights_up_its_entity_on_both_sides",),
    ),
    Fault(
        "passage: the next error is the one that is selected",
        "dashboard/components/passage/chosen.js",
        "errors.find((at) => order(at) > here)",
        "errors.find((at) => order(at) >= here)",
        (f"{_PASSAGE}::{_STEPS}",),
    ),
    Fault(
        "strip: a stretch leads to its end",
        "dashboard/components/strip/strip.js",
        "made.dataset.word = first;",
        "made.dataset.word = last;",
        (
            f"{_PASSAGE}::{_STRIP}",
            f"{_CREDIT}::test_the_strip_shows_where_the_losses_are_and_leads_there",
        ),
    ),
    Fault(
        "strip: words counted from 0",
        "dashboard/components/strip/strip.js",
        "`Words ${written(first + 1)} to",
        "`Words ${written(first)} to",
        (f"{_PASSAGE}::{_STRIP}",),
    ),
    Fault(
        "list: previous and next swapped",
        "dashboard/components/error_list/error_list.js",
        "n: () => step(page, 1),\n    p: () => step(page, -1),",
        "n: () => step(page, -1),\n    p: () => step(page, 1),",
        (f"{_LIST}::test_n_and_p_open_the_next_row_and_the_one_before",),
    ),
    Fault(
        "list: the place is counted from 0",
        "dashboard/components/error_list/error_list.js",
        "`${number.toLocaleString",
        "`${(number - 1).toLocaleString",
        (_LIST,),
    ),
    Fault(
        "list: a click opens the row below",
        "dashboard/components/error_list/rows.js",
        "if (row) openRow(page, Number(row.dataset.at));",
        "if (row) openRow(page, Number(row.dataset.at) + 1);",
        (f"{_LIST}::test_a_click_opens_a_row_in_any_order",),
    ),
    Fault(
        "list: arrows turned round",
        "dashboard/components/error_list/rows.js",
        "{ ArrowDown: 1, ArrowUp: -1, PageDown: many",
        "{ ArrowDown: -1, ArrowUp: 1, PageDown: many",
        (f"{_LIST}::test_keys_move_through_the_list_and_open_nothing",),
    ),
    Fault(
        "list: adding and leaving out swapped",
        "dashboard/components/error_list/facets.js",
        "excludes.dataset.find = exclude;",
        "excludes.dataset.find = add;",
        (f"{_LIST}::test_a_value_is_added_excluded_and_taken_out_by_clicks",),
    ),
    Fault(
        "list: given and correct antecedent swapped",
        "dashboard/components/error_list/rows.js",
        'named("given", given,',
        'named("given", antecedent,',
        (f"{_LIST}::test_a_row_says_what_is_wrong",),
    ),
    Fault(
        "list: the mark of a wrong query is one too far",
        "dashboard/components/error_list/search.js",
        "find.slice(0, problem.start),",
        "find.slice(0, problem.start + 1),",
        (f"{_LIST}::test_a_query_with_a_fault_marks_its_place",),
    ),
    Fault(
        "sandbox: a mention becomes an entity of its own",
        "dashboard/components/sandbox/sandbox.js",
        'post(page, { do: "move", side, mention: held.mention, to: into ?? to });',
        'post(page, { do: "move", side, mention: held.mention, to: "new" });',
        (f"{_SANDBOX}::test_a_mention_is_dragged_into_another_entity",),
    ),
    Fault(
        "sandbox: merging leaves out",
        "dashboard/components/sandbox/sandbox.js",
        'post(page, { do: "merge", side,',
        'post(page, { do: "drop", side,',
        (f"{_SANDBOX}::test_entities_are_split_left_out_and_merged_by_their_tools",),
    ),
    Fault(
        "sandbox: edits that were taken are sent again",
        "dashboard/components/sandbox/outbox.js",
        "({ number }) => number > taken",
        "({ number }) => number >= taken",
        (
            "tests/dashboard/test_sandbox_page.py::"
            "test_quick_edits_are_all_applied_once_also_after_undo_and_on_the_way_to_another_page",
            f"{_SANDBOX}::test_edits_that_no_answer_came_to_are_sent_again_by_the_next_boxes",
        ),
    ),
    Fault(
        "credit: what earns little is shaded as what earns nothing",
        "dashboard/components/credit/credit.js",
        'share > 0 ? "some" : "none"',
        'share > 0 ? "none" : "some"',
        (f"{_CREDIT}::test_a_wrongly_resolved_mention_is_blank_under_muc_and_lea",),
    ),
    Fault(
        "credit: a panel has the shares of the next",
        "dashboard/components/credit/credit.js",
        "const share = mention.shares[panel];",
        "const share = mention.shares[(panel + 1) % mention.shares.length];",
        (f"{_CREDIT}::test_a_wrongly_resolved_mention_is_blank_under_muc_and_lea",),
    ),
    Fault(
        "credit: the click on a mention is sent as its place",
        "dashboard/components/credit/credit.js",
        'setTriggerValue("mention", sent);\n  };',
        'setTriggerValue("place", sent);\n  };',
        (f"{_CREDIT}::test_a_mention_is_pointed_at_clicked_forgotten_and_chosen_by_keyboard",),
    ),
)
