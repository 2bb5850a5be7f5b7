"""The registry: every published experiment that can be run again, paper by paper."""

from corescore.replication.experiment import Experiment
from corescore.replication.luo2014 import blanc as luo_2014
from corescore.replication.luo2014 import systems as luo_2014_systems
from corescore.replication.moosavi2016 import curves as moosavi_strube_2016_curves
from corescore.replication.moosavi2016 import entities as moosavi_strube_2016_entities
from corescore.replication.moosavi2016 import on_data as moosavi_strube_2016_on_data
from corescore.replication.moosavi2016 import toys as moosavi_strube_2016
from corescore.replication.pradhan2014 import example as pradhan_2014
from corescore.replication.pradhan2014 import rankings as pradhan_2014_rankings
from corescore.replication.recasens2011 import blanc as recasens_hovy_2011_blanc
from corescore.replication.recasens2011 import desiderata as recasens_hovy_2011_desiderata
from corescore.replication.recasens2011 import metrics as recasens_hovy_2011

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
