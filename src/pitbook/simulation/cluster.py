"""Run blocks on a Dask cluster: the same seed gives the same numbers. Needs the extra `cluster`."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any, cast

from pitbook.errors import InputError
from pitbook.simulation.optional_dependencies import extras

if TYPE_CHECKING:
    from collections.abc import Iterator
    from threading import Event

    from pitbook.simulation.work import R, Span, Work

CONNECT = "10s"
WAIT = 0.2
"""Seconds between checks whether to stop."""
TRIES = 10
"""How often a chunk may lose its worker before the run gives up."""


def unpack_work(packed: bytes) -> Any:
    """Return the work on a worker; a separate task, so that a worker that lost it computes it again."""
    work = pickle.loads(packed)
    work.warm_up()
    return work


def run_chunk(work: Any, first: int, count: int) -> Any:
    """Run one chunk on a worker."""
    return work.run(first, count)


def run_on_cluster(work: Work[R], spans: Iterator[Span], address: str, stop: Event) -> Iterator[tuple[Span, R]]:
    """Yield chunks computed by a cluster; those of a lost worker run again elsewhere, and each counts once."""
    with extras():
        import distributed
    try:
        client: Any = cast("Any", distributed.Client)(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError("simulation.no-scheduler", address=address, reason=" ".join(str(error).split())) from None
    with client:
        yield from _chunks(client, work, spans, stop)


def _chunks(client: Any, work: Work[R], spans: Iterator[Span], stop: Event) -> Iterator[tuple[Span, R]]:
    from distributed import wait

    first_of: Any = wait
    name = f"pitbook-{work.identity[:24]}"
    there = client.submit(unpack_work, pickle.dumps(work), key=f"{name}-work", pure=False, retries=TRIES)
    under_way: dict[Any, Span] = {}
    while True:
        at_once = 4 * max(1, sum(client.nthreads().values()))
        while not stop.is_set() and len(under_way) < at_once:
            span = next(spans, None)
            if span is None:
                break
            key = f"{name}-{span[0]}-{span[1]}"
            under_way[client.submit(run_chunk, there, *span, key=key, pure=False, retries=TRIES)] = span
        if not under_way:
            return
        try:
            with client.as_current():
                ready = first_of(list(under_way), timeout=WAIT, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            continue
        for future in ready:
            yield under_way.pop(future), future.result()
            future.release()
