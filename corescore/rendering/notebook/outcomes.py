"""The outcome of a published experiment."""

from collections.abc import Iterator

from markupsafe import Markup

from corescore.rendering import claims
from corescore.rendering.html import headline, note, signature
from corescore.rendering.notebook.shown import cell
from corescore.rendering.report.blocks import heading
from corescore.rendering.report.experiments import drawn_table, printed_beside
from corescore.replication.experiment import Outcome
from corescore.wording import count, counted

MOST_ROWS = 60


def outcome(made: Outcome) -> Markup:
    """Which of the paper's claims hold, the table that its chart draws, and what it prints."""
    return cell(_outcome(made))


def _outcome(made: Outcome) -> Iterator[Markup]:
    experiment = made.experiment
    yield heading(f"{experiment.title} ({experiment.paper.at(experiment.where)})")
    changed = made.setting.values != {one.id: one.default for one in experiment.parameters}
    yield headline(claims.finding(made, changed=changed))
    yield claims.claim_list(made.checks)
    if len(made.drawn) > MOST_ROWS:
        n = counted(len(made.drawn), "row")
        yield note(f"The first {count(MOST_ROWS)} of {n}; all are in .table.")
    yield drawn_table(made, most=MOST_ROWS)
    on_data = "your data" if experiment.on_data else ""
    for one in experiment.printed:
        yield from printed_beside(made, one, on_data)
    yield signature(made.signature)
