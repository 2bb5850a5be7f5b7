"""Moosavi & Strube 2016, LEA: the experiments in their order."""

from corescore.replication.moosavi2016.curves import FIGURE_2, FIGURE_3, FIGURE_8
from corescore.replication.moosavi2016.systems import TABLE_1, TABLE_4, TABLE_5
from corescore.replication.moosavi2016.toys import (
    FIGURE_1,
    FIGURE_6,
    FIGURE_7,
    FIGURES_4_5,
    REPEATS,
    TABLE_3,
)

EXPERIMENTS = (
    *(TABLE_1, FIGURE_1, TABLE_3, REPEATS, TABLE_4, TABLE_5),
    *(FIGURE_2, FIGURE_3, FIGURES_4_5, FIGURE_6, FIGURE_7, FIGURE_8),
)
