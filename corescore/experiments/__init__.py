"""The registry: every published experiment that can be run again, paper by paper."""

from corescore.experiments import (
    luo_2014,
    luo_2014_systems,
    moosavi_strube_2016,
    moosavi_strube_2016_curves,
    moosavi_strube_2016_entities,
    moosavi_strube_2016_on_data,
    pradhan_2014,
    pradhan_2014_rankings,
    recasens_hovy_2011,
    recasens_hovy_2011_blanc,
    recasens_hovy_2011_desiderata,
)
from corescore.experiments.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (
    *moosavi_strube_2016_on_data.EXPERIMENTS,
    *moosavi_strube_2016_curves.EXPERIMENTS,
    *moosavi_strube_2016_entities.EXPERIMENTS,
    *moosavi_strube_2016.EXPERIMENTS,
    *recasens_hovy_2011.EXPERIMENTS,
    *recasens_hovy_2011_blanc.EXPERIMENTS,
    *recasens_hovy_2011_desiderata.EXPERIMENTS,
    *luo_2014.EXPERIMENTS,
    *luo_2014_systems.EXPERIMENTS,
    *pradhan_2014.EXPERIMENTS,
    *pradhan_2014_rankings.EXPERIMENTS,
)

__all__ = ["EXPERIMENTS", "Experiment"]
