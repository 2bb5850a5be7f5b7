"""The registry: every published experiment that can be run again, paper by paper."""

from corescore.experiments.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = ()

__all__ = ["EXPERIMENTS", "Experiment"]
