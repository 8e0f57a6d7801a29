"""`pitbook serve`: the live house."""

from __future__ import annotations

from pitbook.mistakes import Mistake


def serve() -> None:
    """Run the table server (still to come)."""
    raise Mistake("the table server is still to come; until then `pitbook --help` lists what there is")
