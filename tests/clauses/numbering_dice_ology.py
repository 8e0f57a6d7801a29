"""Dice-Ology's clauses, read from top to bottom. (9) itself is empty: it has only its (a) and (b)."""

from __future__ import annotations

CLAUSES: frozenset[str] = frozenset(
    [
        "preamble",  # the patent, and that craps with Dice-Ology follows these rules
        "(1)",  # the layout
        "(2)",  # three optional wagers
        "(3)",  # limits and caps
        "(4)",  # independence, and when they are made
        "(5)",  # booking
        "(6)",  # tips
        "(7)",  # lammers, repeats, the seven
        "(8)",  # Little Ones
        "(9)(a)",  # Big Ones
        "(9)(b)",  # Boom or Bust
        "(10)",  # the pay schedule
    ]
)
