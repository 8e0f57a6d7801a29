"""The house's register of dice: every set with its serial numbers, from receipt to destruction.

Reading order: `state.py`, `events.py`, `evolve.py`, then `commands.py` and `decide.py`. Tables move dice: their
decisions are checked against this register and written to it in the same transaction (`table/dice_moves.py`).
"""
