"""Optional dependencies of simulations, and the message that says which extra to install."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

EXTRAS = {
    "numba": "simulate",
    "llvmlite": "simulate",
    "dask": "cluster",
    "distributed": "cluster",
    "pyarrow": "export",
}
"""The extra of each library."""


@contextmanager
def extras() -> Iterator[None]:
    """Turn a missing library into an error that names the extra to install."""
    try:
        yield
    except ModuleNotFoundError as missing:
        library = str(missing.name).partition(".")[0]
        if library not in EXTRAS:
            raise
        raise InputError("simulation.no-extra", library=library, extra=EXTRAS[library]) from None
