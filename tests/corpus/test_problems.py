"""What a message says of an input: a line of it at most, nothing that a terminal acts upon."""

import pytest

from corescore.corpus.files import read_bytes
from corescore.corpus.problems import InputError, Problem
from tests.support.messages import message_of

LONG = "A" * 1_000_000


@pytest.mark.parametrize(
    "text",
    [
        f"#begin document (d);\nd\t0\t0\tx\t-\t({LONG}\n\n#end document\n",
        f"#begin document ({LONG});\nd\t0\t0\tx\t-\t(1\n\n#end document\n",
        f'{{"doc_key":"d","sentences":[["x"]],"clusters":[[["{LONG}",0]]]}}\n',
        f"# global.Entity = eid\n# newdoc id = d\n1{8 * chr(9) + '_'}\tEntity=({LONG}\n\n",
        f"[Mia](#{LONG} gave [x](#1)\n",
        f"{LONG},{LONG}\n",
    ],
)
def test_a_message_quotes_at_most_a_line_of_a_cell(text):
    assert max(map(len, message_of(read_bytes, text.encode(), "d").split("\n"))) < 1500


def test_a_message_has_no_control_characters_of_the_file_or_its_name():
    problem = Problem("a\x1b[2J\n.conll", 3, "'x\x9b\u202e\ny\r'", "no\x07", "Go\x00.")
    expected = "a\\x1b[2J\\n.conll:3: 'x\\x9b\\u202e\\ny\\r'; expected no\\x07. Go\\x00."
    assert str(problem) == expected
    assert str(InputError([problem, problem])) == f"{expected}\n{expected}"
    assert problem.found == "'x\x9b\u202e\ny\r'"
