"""The names of accounts, and which of them may never be negative.

Every table has its own float, escrow, dealers, disputes and drop, so that no balance is shared by the whole house.
"""

from __future__ import annotations

from typing import NewType

Account = NewType("Account", str)


def money_of(currency: str, *, play: bool = False) -> str:
    """Return the kind of money of a table: a currency, or play money in its denominations. Kinds never mix."""
    return f"play-{currency}" if play else currency


def cage(money: str) -> Account:
    """Return the cage: the source of buy-ins, and the other side of cash-outs, fills and credits."""
    return Account(f"cage:{money}")


def player(name: str, money: str) -> Account:
    """Return the account of a player's chips, at all tables with this money."""
    return Account(f"player:{name}:{money}")


WALK_IN = "walk-in:"
"""The prefix of players without an account of the house; no account can have such a name."""


def player_of(account: str) -> str | None:
    """Return the player whose chips an account holds, or None.

    >>> player_of("player:ann:USD"), player_of("player:walk-in:Bob:USD:t1:blue"), player_of("cage:USD")
    ('ann', 'walk-in:Bob', None)
    """
    kind, _, rest = account.partition(":")
    if kind != "player":
        return None
    prefix = WALK_IN if rest.startswith(WALK_IN) else ""
    return prefix + rest.removeprefix(WALK_IN).partition(":")[0]


def purse(name: str, money: str, table: str, colour: str) -> Account:
    """Return the account of a player's colour chips at a table; its prefix is that of the player's other chips."""
    return Account(f"{player(name, money)}:{table}:{colour}")


def escrow(table: str) -> Account:
    """Return the account of the stakes on the layout."""
    return Account(f"escrow:{table}")


def float_of(table: str) -> Account:
    """Return the account of the table's own chips, which takes losses and pays winnings."""
    return Account(f"float:{table}")


def dealers(table: str) -> Account:
    """Return the account of the dealers' tips and envy."""
    return Account(f"dealers:{table}")


def disputes(table: str) -> Account:
    """Return the account of what a resettlement could not take back; negative, it is owed to the house."""
    return Account(f"disputes:{table}")


def drop(table: str) -> Account:
    """Return the account of the cash in the drop box."""
    return Account(f"drop:{table}")


NEVER_NEGATIVE = ("player:", "escrow:", "dealers:", "drop:")
"""The prefixes of accounts whose balance is never negative."""


def may_be_negative(account: Account) -> bool:
    """Return whether the balance of an account may be negative."""
    return not account.startswith(NEVER_NEGATIVE)
