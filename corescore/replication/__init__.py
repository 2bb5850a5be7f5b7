"""The registry: every published experiment that can be run again, paper by paper."""

from corescore.replication.experiment import Experiment
from corescore.replication.luo2014.examples import BOUNDARY_CASES, TOY_EXAMPLES
from corescore.replication.luo2014.systems import CORRELATION, SYSTEM_SCORES
from corescore.replication.moosavi2016 import toys as fig1_passage
from corescore.replication.moosavi2016.curves import FIGURE_2, FIGURE_3, FIGURE_8
from corescore.replication.moosavi2016.figs6_7 import FIGURE_6, FIGURE_7
from corescore.replication.moosavi2016.table1 import TABLE_1
from corescore.replication.moosavi2016.table4 import TABLE_4
from corescore.replication.moosavi2016.table5 import TABLE_5
from corescore.replication.moosavi2016.toys import FIGURES_4_5, REPEATS, TABLE_3
from corescore.replication.pradhan2014.example import WORKED_EXAMPLE
from corescore.replication.pradhan2014.table1 import TABLE_1 as POSTER_TABLE_1
from corescore.replication.recasens2011 import blanc, curves, figures
from corescore.replication.recasens2011.blanc import TABLES_8_TO_11, TABLES_12_AND_13
from corescore.replication.recasens2011.desiderata import DESIDERATA
from corescore.replication.recasens2011.figures import FIGURES_4_AND_5
from corescore.replication.recasens2011.tables import TABLE_2, TABLES_3_AND_16, TABLES_14_AND_15

EXPERIMENTS: tuple[Experiment, ...] = (
    *(TABLE_1, fig1_passage.FIGURE_1, TABLE_3, REPEATS, TABLE_4, TABLE_5),
    *(FIGURE_2, FIGURE_3, FIGURES_4_5, FIGURE_6, FIGURE_7, FIGURE_8),
    *(figures.FIGURE_1, figures.TABLE_1, TABLE_2, TABLES_3_AND_16, FIGURES_4_AND_5, TABLES_8_TO_11),
    *(TABLES_12_AND_13, TABLES_14_AND_15, blanc.BOUNDARIES),
    *(curves.FIGURE_6, curves.FIGURE_7, DESIDERATA),
    *(TOY_EXAMPLES, BOUNDARY_CASES, CORRELATION, SYSTEM_SCORES),
    *(WORKED_EXAMPLE, POSTER_TABLE_1),
)


def current(name: str) -> str:
    """The id of the experiment that once had this name; else the name itself."""
    return next((one.id for one in EXPERIMENTS if name in one.former), name)


__all__ = ["EXPERIMENTS", "Experiment", "current"]
