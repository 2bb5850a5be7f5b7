"""The registry: every published experiment that can be run again, paper by paper."""

from corescore.replication.experiment import Experiment
from corescore.replication.luo2014.boundaries import BOUNDARY_CASES
from corescore.replication.luo2014.correlation import CORRELATION
from corescore.replication.luo2014.examples import TOY_EXAMPLES
from corescore.replication.luo2014.systems import SYSTEM_SCORES
from corescore.replication.moosavi2016 import fig1 as fig1_passage
from corescore.replication.moosavi2016.fig2 import FIGURE_2
from corescore.replication.moosavi2016.fig3 import FIGURE_3
from corescore.replication.moosavi2016.fig6 import FIGURE_6
from corescore.replication.moosavi2016.fig7 import FIGURE_7
from corescore.replication.moosavi2016.fig8 import FIGURE_8
from corescore.replication.moosavi2016.figs4_5 import FIGURES_4_5
from corescore.replication.moosavi2016.repeats import REPEATS
from corescore.replication.moosavi2016.table1 import TABLE_1
from corescore.replication.moosavi2016.table3 import TABLE_3
from corescore.replication.moosavi2016.table4 import TABLE_4
from corescore.replication.moosavi2016.table5 import TABLE_5
from corescore.replication.pradhan2014.example import WORKED_EXAMPLE
from corescore.replication.pradhan2014.table1 import TABLE_1 as POSTER_TABLE_1
from corescore.replication.recasens2011 import boundaries, fig1, fig6, fig7, table1
from corescore.replication.recasens2011.desiderata import DESIDERATA
from corescore.replication.recasens2011.figs4_5 import FIGURES_4_AND_5
from corescore.replication.recasens2011.table2 import TABLE_2
from corescore.replication.recasens2011.tables3_16 import TABLES_3_AND_16
from corescore.replication.recasens2011.tables8_11 import TABLES_8_TO_11
from corescore.replication.recasens2011.tables12_13 import TABLES_12_AND_13
from corescore.replication.recasens2011.tables14_15 import TABLES_14_AND_15

EXPERIMENTS: tuple[Experiment, ...] = (
    *(TABLE_1, fig1_passage.FIGURE_1, TABLE_3, REPEATS, TABLE_4, TABLE_5),
    *(FIGURE_2, FIGURE_3, FIGURES_4_5, FIGURE_6, FIGURE_7, FIGURE_8),
    *(fig1.FIGURE_1, table1.TABLE_1, TABLE_2, TABLES_3_AND_16, FIGURES_4_AND_5, TABLES_8_TO_11),
    *(TABLES_12_AND_13, TABLES_14_AND_15, boundaries.BOUNDARIES),
    *(fig6.FIGURE_6, fig7.FIGURE_7, DESIDERATA),
    *(TOY_EXAMPLES, BOUNDARY_CASES, CORRELATION, SYSTEM_SCORES),
    *(WORKED_EXAMPLE, POSTER_TABLE_1),
)


def current(name: str) -> str:
    """The id of the experiment that once had this name; else the name itself."""
    return next((one.id for one in EXPERIMENTS if name in one.former), name)


__all__ = ["EXPERIMENTS", "Experiment", "current"]
