"""Run the blocks of a simulation on threads or a cluster, with progress, cancelling and resuming."""

from __future__ import annotations

import os
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Generic

from pitbook.errors import InputError
from pitbook.simulation.checkpoint import read_checkpoint, write_checkpoint
from pitbook.simulation.work import Progress, R, Span, Work, cut_into_chunks, join_spans, missing_spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

CHECKPOINT_SECONDS = 5.0
"""Seconds between two checkpoints."""


@dataclass(frozen=True, slots=True)
class Run(Generic[R]):
    """A run, complete or up to where it was stopped."""

    result: R
    progress: Progress

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return self.progress.done == self.progress.units


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(
    work: Work[R],
    *,
    threads: int | None = None,
    cluster: str | None = None,
    checkpoint: Path | None = None,
    watch: Callable[[Progress], None] | None = None,
    stop: Event | None = None,
) -> Run[R]:
    """Run all blocks that are not in a checkpoint.

    After `stop` is set no further chunk is started; those in progress are finished and counted, so that the result does
    not favour quick ones.
    """
    if threads is not None and not 1 <= threads <= 1024:
        raise InputError("simulation.threads", threads=threads)
    stop = stop or Event()
    done, result = read_checkpoint(checkpoint, work) if checkpoint else ([], work.empty)
    units_before = units = sum(work.units_of(*span) for span in done)
    spans = cut_into_chunks(missing_spans(work.blocks, done), work.chunk)
    written = float("-inf")  # write the first checkpoint at once: a file that cannot be written fails early
    if cluster is None:
        work.warm_up()
        results = _run_on_threads(work, spans, threads or available_cores(), stop)
    else:
        from pitbook.simulation.cluster import run_on_cluster

        results = run_on_cluster(work, spans, cluster, stop)
    began = monotonic()
    progress = Progress(units, work.units, 0.0, 0)
    for span, part in results:
        result = result + part
        done = join_spans([*done, span])
        units += work.units_of(*span)
        progress = Progress(units, work.units, monotonic() - began, units - units_before)
        if watch:
            watch(progress)
        if checkpoint and monotonic() - written > CHECKPOINT_SECONDS:
            write_checkpoint(checkpoint, work, done, result)
            written = monotonic()
    if checkpoint:
        write_checkpoint(checkpoint, work, done, result)
    return Run(result, progress)


def _run_on_threads(work: Work[R], spans: Iterator[Span], threads: int, stop: Event) -> Iterator[tuple[Span, R]]:
    """Yield chunks computed by threads: the loops release the GIL."""
    with ThreadPoolExecutor(threads, thread_name_prefix="simulation") as pool:
        under_way: dict[Future[R], Span] = {}
        while True:
            while not stop.is_set() and len(under_way) < 2 * threads:
                span = next(spans, None)
                if span is None:
                    break
                under_way[pool.submit(work.run, *span)] = span
            if not under_way:
                return
            ready, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in ready:
                yield under_way.pop(future), future.result()
