"""`pitbook audit`: a journal proved right, or the first entry that is wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from pitbook.cli.output import print_json
from pitbook.cli.parameters import Database, Json, OwnBooks
from pitbook.mistakes import Mistake


def audit(
    db: Database,
    *,
    checkpoint: Annotated[
        list[Path] | None,
        Parameter(
            negative="",
            help="A checkpoint that somebody has kept: shows what was cut off or rewritten. Several narrow it down.",
        ),
    ] = None,
    key: Annotated[Path | None, Parameter(help="The signer's public key (.pub), to check the signature with.")] = None,
    book: OwnBooks = None,
    json: Json = False,
) -> int:
    """Recompute everything from the journal: chain, order of steps, every wager, every cent, balances, snapshots.

    Exit code 0: all of it is right; 1: something is wrong.
    """
    from pitbook.audit import audit as run
    from pitbook.audit.faults import Unreadable

    if key is not None and not checkpoint:
        raise Mistake("--key checks a checkpoint's signature; name the checkpoint too")
    try:
        report = run(db, checkpoint, key, books=book or (), progress=_say)
    except Unreadable as error:
        raise Mistake(" ".join(str(error).split())) from error
    if json:
        print_json(report.as_dict())
    else:
        print(report)
    return 0 if report.good else 1


def _say(events: int, table: str) -> None:
    print(f"{events:,} events, at table {table}", file=sys.stderr)
