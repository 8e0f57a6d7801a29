"""The accounts that commands of a table touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.ledger.accounts import dealers, disputes, drop, escrow, float_of, player, purse
from pitbook.table import commands as c
from pitbook.table.people import PLAYER

if TYPE_CHECKING:
    from pitbook.ledger.accounts import Account
    from pitbook.table.people import Person
    from pitbook.table.state import Table


def accounts_of(known: Table | None, person: Person, command: c.Command) -> tuple[Account, ...]:
    """Return the accounts that deciding a command will look up, as far as known beforehand."""
    if known is None or known.setup is None:
        return ()
    table = known.id
    named = getattr(command, "player", None) or (person.name if person.role == PLAYER else None)
    own = [player(named, known.money)] if named else []
    if named in known.purses:
        own.append(purse(named, known.money, table, known.purses[named].colour))
    match command:
        case c.PlaceBets() | c.TakeDown() | c.MoveBet() | c.RecordFound() | c.Withdraw():
            return tuple(sorted([*own, escrow(table)]))
        case c.BuyIn() | c.CashOut():
            return tuple(sorted([*own, float_of(table), drop(table)]))
        case c.TakeStep() | c.Call() | c.RuleOnBet() | c.RuleInWords() | c.ApproveResettlement() | c.CorrectDice():
            return tuple(sorted([escrow(table), float_of(table), dealers(table), disputes(table)]))
        case c.Count() | c.Fill() | c.Credit() | c.CollectDrop():
            return tuple(sorted([float_of(table), drop(table)]))
        case _:
            return ()
