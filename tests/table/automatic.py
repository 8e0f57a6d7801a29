"""An automatic table in a test's hand."""

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
    pit = DrivenTable()
    run = c.Automatic(**changes)  # type: ignore[arg-type]
    craps = load(book).identity.game == "craps"
    pit.does(BOSS, c.OpenTable(setup(book, automatic=run, shaker="manual" if craps else shaker)))
    if not run.real_money:
        for player in (ANN, BEN):
            pit.does(player, c.BuyIn(1_000_00))
    return pit


def supervisors(pit: DrivenTable) -> list[str]:
    """Two persons above the dealers."""
    role = next(role for role in pit.table.rules.roles if is_supervisor(pit.table.rules, role))
    return [f"sue the {role}", f"sam the {role}"]


def commit(pit: DrivenTable, seed: bytes = SEED) -> Decision:
    """The electronic tumbler commits itself."""
    return pit.does(TUMBLER, c.CommitSeed(commitment(seed), "sealed", MAPPING))


def bet(pit: DrivenTable, who: str, *wagers: str, amount: int = 5_00) -> Decision:
    """Bets of the same size."""
    return pit.does(who, c.PlaceBets(tuple(c.Wanted(wager, amount) for wager in wagers)))


def close(pit: DrivenTable) -> Decision:
    """The countdown begins, runs out, and betting is closed."""
    if pit.table.draw is not None and pit.table.draw.until is None:
        pit.does(TUMBLER, c.StartCountdown())
    assert pit.table.automatic is not None
    pit.later(seconds=pit.table.automatic.betting_seconds)
    done = pit.does(TUMBLER, c.CloseBetting())
    pit.table = closed_by(pit.table, CLOSE)  # as the journal does, which knows the entry
    return done


def reveal(pit: DrivenTable, seed: bytes = SEED) -> tuple[int, ...]:
    """The seed is revealed, and the round settled; the dice."""
    done = pit.does(TUMBLER, c.RevealSeed(seed.hex()))
    return next(event.dice for event in done.events if isinstance(event, e.SeedRevealed))
