"""Transfers, whose legs sum to zero by construction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pitbook.ledger.accounts import Account, may_be_negative

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Leg(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The change of one account in minor units."""

    account: Account
    amount: int


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """An atomic movement of money between two or more accounts."""

    why: str
    legs: tuple[Leg, ...]

    def __post_init__(self) -> None:
        amounts = [leg.amount for leg in self.legs]
        if len(amounts) < 2 or 0 in amounts:
            raise ValueError(f"{self.why}: a transfer needs two legs or more, none of them 0")
        if sum(amounts) != 0:
            raise ValueError(f"{self.why}: the legs do not sum to zero: {self.legs}")
        if len({leg.account for leg in self.legs}) < len(amounts):
            raise ValueError(f"{self.why}: an account is named twice")


def move(why: str, source: Account, target: Account, amount: int) -> Transfer:
    """Return a transfer of a positive amount from one account to another.

    >>> move("bet", Account("player:ann"), Account("escrow:t1"), 500).legs
    (Leg(account='player:ann', amount=-500), Leg(account='escrow:t1', amount=500))
    """
    if amount <= 0:
        raise ValueError(f"{why}: the amount must be positive, not {amount}")
    return Transfer(why, (Leg(source, -amount), Leg(target, amount)))


def changes(transfers: Iterable[Transfer]) -> dict[Account, int]:
    """Return the net change of each account over several transfers, by sorted account."""
    total: dict[Account, int] = {}
    for transfer in transfers:
        for leg in transfer.legs:
            total[leg.account] = total.get(leg.account, 0) + leg.amount
    return {account: total[account] for account in sorted(total) if total[account]}


def overdrawn(balances: Mapping[Account, int], transfers: Iterable[Transfer]) -> Account | None:
    """Return the first account that these transfers would overdraw, or None."""
    for account, change in changes(transfers).items():
        if change < 0 and not may_be_negative(account) and balances.get(account, 0) + change < 0:
            return account
    return None
