"""Work that can be run in parts: blocks with reproducible results that add up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import numpy as np
    from numpy.typing import NDArray

Span = tuple[int, int]
"""A first block, and how many."""


class Result(Protocol):
    """The result of some blocks; adding is exact and commutative."""

    def __add__(self, other: Self, /) -> Self: ...

    def as_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of a checkpoint."""
        ...


R = TypeVar("R", bound=Result)
R_co = TypeVar("R_co", bound=Result, covariant=True)


class Work(Protocol[R_co]):
    """Something to simulate."""

    @property
    def blocks(self) -> int: ...

    @property
    def chunk(self) -> int:
        """The blocks of a chunk."""
        ...

    @property
    def units(self) -> int:
        """The whole, in units of progress."""
        ...

    @property
    def identity(self) -> str:
        """A fingerprint of everything that the result depends on."""
        ...

    @property
    def empty(self) -> R_co: ...

    def units_of(self, first: int, count: int) -> int: ...

    def restored(self, arrays: Mapping[str, NDArray[np.int64]]) -> R_co: ...

    def warm_up(self) -> None: ...

    def run(self, first: int, count: int) -> R_co: ...


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run."""

    done: int
    units: int
    seconds: float
    fresh: int
    """The work done in these seconds, without the part from a checkpoint."""

    @property
    def rate(self) -> float:
        """Units per second."""
        return self.fresh / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        """None while unknown."""
        return (self.units - self.done) / self.rate if self.rate else None


def missing_spans(blocks: int, done: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans of blocks that are not done yet."""
    at = 0
    for first, count in sorted(done):
        if first > at:
            yield at, first - at
        at = max(at, first + count)
    if at < blocks:
        yield at, blocks - at


def cut_into_chunks(spans: Iterable[Span], size: int) -> Iterator[Span]:
    """Yield spans cut into chunks of at most `size` blocks.

    >>> list(cut_into_chunks([(0, 5), (9, 1)], 2))
    [(0, 2), (2, 2), (4, 1), (9, 1)]
    """
    for first, count in spans:
        for at in range(first, first + count, size):
            yield at, min(size, first + count - at)


def join_spans(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order, with adjacent ones joined.

    >>> join_spans([(4, 2), (0, 2), (2, 2), (9, 1)])
    [(0, 6), (9, 1)]
    """
    found: list[Span] = []
    for first, count in sorted(spans):
        if found and found[-1][0] + found[-1][1] == first:
            found[-1] = (found[-1][0], found[-1][1] + count)
        else:
            found.append((first, count))
    return found
