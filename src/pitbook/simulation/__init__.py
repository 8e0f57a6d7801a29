"""Wagers and whole nights by chance: rolls straight over the compiled machines, on all cores or on a cluster.

Reading order: `streams` (the generator and its dice), `joint` (bets on the same dice as one machine), `kernels` (the
loops), `tally` (exact counts), `bets` (what `pitbook simulate --bet` runs), `estimates` (intervals, exact values,
z-scores), `running` (threads, progress, stopping), `checkpoint`, `cluster` (Dask). Then a night: `scenario` (the file),
`flaws` (what is wrong with it), `seating` (the file as arrays), `nights` (the loop), `evening` (its results), and `job`
(a run in a process of its own).

Needs the extra `simulate`; only `streams`, `kernels` and `nights` import Numba, and nothing imports them before a run.
"""
