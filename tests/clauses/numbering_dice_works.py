"""Dice Works numbers nothing: one slug for every sentence, list item and pay table, read from top to bottom."""

from __future__ import annotations

CLAUSES: frozenset[str] = frozenset(
    [
        # Rules of Play
        "general/side-bets",  # what Dice Works consists of
        "general/names",  # the five names
        "general/groups",  # any combination, at the licensee's discretion
        "general/follows",  # what comes next
        # Dice Works
        "dice-works/wagers",  # three of them
        "dice-works/all-lows",
        "dice-works/all-highs",
        "dice-works/the-works",
        "dice-works/paytable",
        "dice-works/lammers",  # a number rolled is marked
        "dice-works/paid",  # once all numbers are rolled
        "dice-works/seven",  # loses, lammers down
        "dice-works/window",  # outside the come-out roll
        # High Roller
        "high-roller/award",  # by points made
        "high-roller/paytable",
        "high-roller/labels",  # 1 through 10
        "high-roller/lammers",  # each point made is marked
        "high-roller/paid",  # three or more
        "high-roller/seven",  # the seven-out, not the come-out seven
        # Roll the Line: the list
        "roll-the-line/award",  # by pass line wins
        "roll-the-line/come-out-win",  # 7 or 11
        "roll-the-line/point-win",
        "roll-the-line/pay-time",  # the end of the game
        "roll-the-line/one-pay",
        "roll-the-line/paytable",
        # Roll the Line: the paragraph after its pay tables
        "roll-the-line/win",  # what a win is
        "roll-the-line/labels",  # 1 through 10
        "roll-the-line/lammers",  # each win is marked
        "roll-the-line/paid",  # three or more
        "roll-the-line/seven",
        # Parlay Craps: before its list
        "parlay/award",
        "parlay/ends",
        "parlay/any-time",
        "parlay/wagers",  # ten of them
        # Parlay Craps: the ten wagers
        "parlay/2x2",
        "parlay/3x3",
        "parlay/4x4",
        "parlay/5x5",
        "parlay/6x6",
        "parlay/8x6",
        "parlay/9x5",
        "parlay/10x4",
        "parlay/11x3",
        "parlay/12x2",
        # Parlay Craps: after its list
        "parlay/lammers",
        "parlay/paid",
        "parlay/seven",
        "parlay/window",  # come-out only, or any time
        "parlay/paytable",
        # Parlay Craps with Dealer Envy: the list
        "parlay-envy/wagers",  # the ten, and four more
        "parlay-envy/8x8",
        "parlay-envy/9x9",
        "parlay-envy/10x10",
        "parlay-envy/2-3-11-12x7",
        "parlay-envy/dealer-pay",
        # Parlay Craps with Dealer Envy: after its list
        "parlay-envy/lammers",
        "parlay-envy/paid",
        "parlay-envy/seven",
        "parlay-envy/window",
        "parlay-envy/paytable",
    ]
)
