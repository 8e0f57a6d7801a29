"""The accounts, by name, and which of them may never fall below nothing.

Every table has its own float, escrow, tips and disputes, so that no row is shared by the whole house.
"""

from __future__ import annotations

from typing import NewType

Account = NewType("Account", str)


def money_of(currency: str, *, play: bool = False) -> str:
    """What chips are worth: a currency, or play money in its denominations. No two of them mix."""
    return f"play-{currency}" if play else currency


def cage(money: str) -> Account:
    """The world outside the tables: buy-ins come from it, cash-outs, fills and credits go through it."""
    return Account(f"cage:{money}")


def player(name: str, money: str) -> Account:
    """A player's chips, wherever they play for this money."""
    return Account(f"player:{name}:{money}")


WALK_IN = "walk-in:"
"""How the name of a player without an account of the house begins; no account of the house can be called so."""


def player_of(account: str) -> str | None:
    """Return whose chips an account holds; None where it is no player's.

    >>> player_of("player:ann:USD"), player_of("player:walk-in:Bob:USD:t1:blue"), player_of("cage:USD")
    ('ann', 'walk-in:Bob', None)
    """
    kind, _, rest = account.partition(":")
    if kind != "player":
        return None
    prefix = WALK_IN if rest.startswith(WALK_IN) else ""
    return prefix + rest.removeprefix(WALK_IN).partition(":")[0]


def purse(name: str, money: str, table: str, colour: str) -> Account:
    """A player's colour chips of one colour at one table. It begins like their other chips, so the same guards hold."""
    return Account(f"{player(name, money)}:{table}:{colour}")


def escrow(table: str) -> Account:
    """The stakes of the wagers that run at a table."""
    return Account(f"escrow:{table}")


def float_of(table: str) -> Account:
    """The table's own chips: it takes what is lost and pays what is won."""
    return Account(f"float:{table}")


def dealers(table: str) -> Account:
    """The dealers' tips and envy."""
    return Account(f"dealers:{table}")


def disputes(table: str) -> Account:
    """What a resettlement should have taken back and could not: below nothing, it is owed to the house."""
    return Account(f"disputes:{table}")


def drop(table: str) -> Account:
    """Cash in the drop box."""
    return Account(f"drop:{table}")


NEVER_NEGATIVE = ("player:", "escrow:", "dealers:", "drop:")
"""Accounts whose balance can only be nothing or more, by the beginning of their names."""


def may_be_negative(account: Account) -> bool:
    """Whether an account may fall below nothing."""
    return not account.startswith(NEVER_NEGATIVE)
