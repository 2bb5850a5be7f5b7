"""`corescore gap`."""

import argparse

from corescore.bibliography import WEBSTER_2018
from corescore.cli.options import READING, Command, choice, option, output
from corescore.cli.shell import put_frame, read_all, warn
from corescore.counting.pairing import pair_documents
from corescore.counting.policies import POLICY_VALUES, Policies
from corescore.version import __version__


def _gap(options: argparse.Namespace) -> None:
    from corescore.analysis.gap import gap_table  # pandas is only needed here

    key, response = read_all([options.key, options.response], options, lambda about: None)
    policies = Policies(words=options.words)
    table = gap_table(key, response, policies)
    warn(pair_documents(key, response, policies).warnings)
    signature = f"corescore {__version__} | {WEBSTER_2018.name} | words {policies.words}"
    put_frame(table, signature, options, shares=("recall", "precision", "f1"))


_GAP_OPTIONS = (
    option("key", "GAP's own file, with texts and offsets", "KEY"),
    option("response", "ID, A-coref, B-coref a line, or entities over the texts", "RESPONSE"),
    choice("--words", POLICY_VALUES["words"], "words that differ between the sides"),
    *output(),
    *READING,
)
_ABOUT = "GAP's own measure: recall, precision and F1 of pronouns and names, by gender"
COMMANDS = (Command("gap", _ABOUT, _GAP_OPTIONS, _gap),)
