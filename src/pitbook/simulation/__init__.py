"""Simulation of wagers and whole nights: compiled loops over the machines, on all cores or on a cluster.

Reading order: `streams` (the generator and its dice), `joint` (bets on the same dice as one machine), `kernels` (the
loops), `tally` (exact counts), `bets` (what `pitbook simulate --bet` runs), `estimates` (intervals, exact values,
z-scores), `runner` (threads, progress, stopping), `checkpoint`, `cluster` (Dask). Then a night: `scenario` (the file),
`validation` (its errors), `seating` (the file as arrays), `nights` (the loop) and `night_result` (its results).

Needs the extra `simulate`; only `streams`, `kernels` and `nights` import Numba, and nothing imports them before a run.
"""
