"""Automatic tables opened over HTTP with short times."""

from __future__ import annotations

from typing import Any

import msgspec

from pitbook.rulebooks.catalogue import load
from pitbook.table.commands import Automatic, Limit, Setup
from tests.server.whole.clients import Visitor, done
from tests.server.whole.deployment import Deployment

SUPERVISORS = {"singapore-mbs-sic-bo-v6": "pit-manager", "dice-ology": "floorperson"}
SHAKERS = {"singapore-mbs-sic-bo-v6": "automated", "dice-ology": "manual"}
BETTING, REST = 5, 1
"""The shortest times that the house allows, in seconds."""
LONG_BETTING = 600
"""Seconds of a countdown that ends only when a test advances the house's clock."""


def quick_setup(book: str, betting: int = BETTING, most: int = 1_000) -> Any:
    """Return a set-up with the shortest times and a stake maximum."""
    rules = load(book)
    run = Automatic(betting_seconds=betting, rest_seconds=REST, reveal_seconds=600)  # nothing waits for it
    limits = {"*": Limit(100, most)}
    shaker: Any = SHAKERS[book]
    setup = Setup(
        book, rules.digest, "Test House", rules.identity.currency, shaker=shaker, limits=limits, automatic=run
    )
    return msgspec.to_builtins(setup)


def open_quick(
    house: Deployment, table: str, book: str, betting: int = BETTING, **more: int
) -> tuple[Visitor, Visitor]:
    """Open a table, fill it from the cage and give two people its supervisor role."""
    manager, role = house.visitor("demo-manager"), SUPERVISORS[book]
    done(manager.command(table, "OpenTable", setup=quick_setup(book, betting, **more)))
    names = (f"demo-{role}", f"demo-{role}-2")
    for name in names:
        done(manager.post(f"/people/{name}/roles", {"role": role, "table": table}))
    first, second = (house.visitor(name) for name in names)
    fill(first, second, table, role, 5_000_000)
    return first, second


def fill(first: Visitor, second: Visitor, table: str, role: str, amount: int) -> None:
    """Fill the table from the cage, with a second person's approval."""
    parked = done(first.command(table, "Fill", amount=amount, second={"name": second.name, "role": role}), 202)
    done(second.approve(parked["approval"]))
