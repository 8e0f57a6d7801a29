"""An automatic table in memory."""

from __future__ import annotations

from pitbook.rulebooks.catalogue import load
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide import Decision
from pitbook.table.evolve import closed_by
from pitbook.table.people import ELECTRONIC_TUMBLER, MANAGER, is_supervisor
from pitbook.tumbler.mapping import MAPPING, commitment
from tests.table.driving import DrivenTable, setup

TUMBLER = f"{ELECTRONIC_TUMBLER.name} the {ELECTRONIC_TUMBLER.role}"
BOSS = f"max the {MANAGER}"
ANN = "ann the player"
BEN = "ben the player"
SEED = bytes(range(32))
CLOSE = "ab" * 32
"""The hash of the closing entry."""


def open_automatic(book: str, *, shaker: c.Shaker = "automated", **changes: int | bool | str) -> DrivenTable:
    """A table of a book that runs automatically; ann and ben have chips."""
    table = DrivenTable()
    run = c.Automatic(**changes)  # type: ignore[arg-type]
    craps = load(book).identity.game == "craps"
    table.does(BOSS, c.OpenTable(setup(book, automatic=run, shaker="manual" if craps else shaker)))
    if not run.real_money:
        for player in (ANN, BEN):
            table.does(player, c.BuyIn(1_000_00))
    return table


def supervisors(table: DrivenTable) -> list[str]:
    """Return two supervisors."""
    role = next(role for role in table.table.rules.roles if is_supervisor(table.table.rules, role))
    return [f"sue the {role}", f"sam the {role}"]


def commit(table: DrivenTable, seed: bytes = SEED) -> Decision:
    """Commit to a seed as the electronic tumbler."""
    return table.does(TUMBLER, c.CommitSeed(commitment(seed), "sealed", MAPPING))


def bet(table: DrivenTable, who: str, *wagers: str, amount: int = 5_00) -> Decision:
    """Place bets of the same size."""
    return table.does(who, c.PlaceBets(tuple(c.BetRequest(wager, amount) for wager in wagers)))


def close(table: DrivenTable) -> Decision:
    """Run the countdown and close betting."""
    if table.table.draw is not None and table.table.draw.until is None:
        table.does(TUMBLER, c.StartCountdown())
    assert table.table.automatic is not None
    table.later(seconds=table.table.automatic.betting_seconds)
    done = table.does(TUMBLER, c.CloseBetting())
    table.table = closed_by(table.table, CLOSE)  # as the journal does, which knows the entry
    return done


def reveal(table: DrivenTable, seed: bytes = SEED) -> tuple[int, ...]:
    """Reveal the seed and settle the round; return the dice."""
    done = table.does(TUMBLER, c.RevealSeed(seed.hex()))
    return next(event.dice for event in done.events if isinstance(event, e.SeedRevealed))
