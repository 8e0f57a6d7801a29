"""Massachusetts: every clause that the text numbers, from reading it top to bottom."""

from __future__ import annotations

CLAUSES = frozenset(
    {
        # 1. Dice; number of dice; sic bo shaker
        "1",
        # 2. Permissible wagers
        "2(a)",
        "2(a)(1)",
        "2(a)(2)",
        "2(a)(3)",
        "2(a)(4)",
        "2(a)(5)",
        "2(a)(6)",
        "2(a)(7)",
        "2(a)(8)",
        # 3. Wagers
        "3(a)",
        "3(b)",
        "3(c)",
        # 4. Payout odds
        "4(a)",
        "4(b)",
        "4(c)",
        # 5. Procedures for opening and dealing the game
        "5(a)",
        "5(a)(1)",
        "5(a)(2)",
        "5(b)",
        "5(c)",
        "5(d)",
        "5(d)(1)",
        "5(d)(2)",
        "5(e)",
        "5(f)",
        "5(g)",
        # 6. Irregularities
        "6(a)",
        "6(b)",
        "6(c)",
        "6(d)",
    }
)
