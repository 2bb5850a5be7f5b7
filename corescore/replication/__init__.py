"""The registry: every published experiment that can be run again, paper by paper, and ours."""

from corescore.replication import luo2014, moosavi2016, ours, pradhan2014, recasens2011
from corescore.replication.experiment import Experiment

PAPERS = (moosavi2016, recasens2011, luo2014, pradhan2014, ours)
EXPERIMENTS: tuple[Experiment, ...] = tuple(one for paper in PAPERS for one in paper.EXPERIMENTS)


def current(name: str) -> str:
    """The id of the experiment that once had this name; else the name itself."""
    return next((one.id for one in EXPERIMENTS if name in one.former), name)


__all__ = ["EXPERIMENTS", "PAPERS", "Experiment", "current"]
