"""Recasens & Hovy 2011, BLANC: its experiments in the paper's order."""

from corescore.replication.recasens2011 import desiderata, tables, toys

EXPERIMENTS = (
    *(toys.FIGURE_1, toys.TABLE_1, tables.TABLE_2, tables.TABLES_3_AND_16, toys.FIGURES_4_AND_5),
    *(toys.TABLES_8_TO_11, toys.TABLES_12_AND_13, tables.TABLES_14_AND_15, toys.BOUNDARIES),
    *(desiderata.FIGURE_6, desiderata.FIGURE_7, desiderata.DESIDERATA),
)
