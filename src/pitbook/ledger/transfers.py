"""A transfer: several legs that sum to nothing. One that does not cannot be made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pitbook.ledger.accounts import Account, may_be_negative

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Leg(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What one account gains (positive) or gives (negative), in minor units."""

    account: Account
    amount: int


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """Money that moves at once, between two accounts or more."""

    why: str
    legs: tuple[Leg, ...]

    def __post_init__(self) -> None:
        amounts = [leg.amount for leg in self.legs]
        if len(amounts) < 2 or 0 in amounts:
            raise ValueError(f"{self.why}: a transfer moves something between two accounts at least")
        if sum(amounts) != 0:
            raise ValueError(f"{self.why}: the legs do not sum to nothing: {self.legs}")
        if len({leg.account for leg in self.legs}) < len(amounts):
            raise ValueError(f"{self.why}: an account is named twice")


def move(why: str, source: Account, target: Account, amount: int) -> Transfer:
    """From one account to another; a positive amount.

    >>> move("bet", Account("player:ann"), Account("escrow:t1"), 500).legs
    (Leg(account='player:ann', amount=-500), Leg(account='escrow:t1', amount=500))
    """
    if amount <= 0:
        raise ValueError(f"{why}: {amount} is nothing to move")
    return Transfer(why, (Leg(source, -amount), Leg(target, amount)))


def changes(transfers: Iterable[Transfer]) -> dict[Account, int]:
    """What each account gains over several transfers, accounts in sorted order."""
    total: dict[Account, int] = {}
    for transfer in transfers:
        for leg in transfer.legs:
            total[leg.account] = total.get(leg.account, 0) + leg.amount
    return {account: total[account] for account in sorted(total) if total[account]}


def overdrawn(balances: Mapping[Account, int], transfers: Iterable[Transfer]) -> Account | None:
    """The first account that these transfers would take below nothing, and that may not be; None if there is none."""
    for account, change in changes(transfers).items():
        if change < 0 and not may_be_negative(account) and balances.get(account, 0) + change < 0:
            return account
    return None
