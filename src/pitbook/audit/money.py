"""Balances followed posting by posting, and what the balances table must contain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.details import detail
from pitbook.audit.errors import CheckFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pitbook.audit.details import Detail
    from pitbook.audit.source import Legs

NEVER_NEGATIVE = ("player:", "escrow:", "dealers:", "drop:")
"""Accounts that must not be negative, by the prefix of their names."""


class Ledger:
    """Every account, over all tables.

    Tables have no common clock, so the balance of a player who sat at several is unknown in between. For such accounts
    the moves are kept, and judged at the end.
    """

    def __init__(self, shared: Iterable[str] = ()) -> None:
        self.balances: dict[str, int] = {}
        self.shared: dict[str, dict[str, list[int]]] = {account: {} for account in shared}
        """Accounts that several tables moved, with each table's moves in order."""

    def apply(self, table: str, transfers: Iterable[tuple[str, Legs]]) -> None:
        """Move the money of one entry; every transfer must sum to zero, and no balance may become negative."""
        touched: dict[str, int] = {}
        for why, legs in transfers:
            total = 0
            for account, amount in legs:
                total += amount
                touched[account] = touched.get(account, 0) + amount
            if total or len(dict(legs)) != len(legs) or len(legs) < 2 or not all(amount for _, amount in legs):
                raise CheckFailed("legs", about="money", transfer=why, legs=legs)
        balances = self.balances
        for account, amount in touched.items():
            held = balances[account] = balances.get(account, 0) + amount
            if account in self.shared:
                self.shared[account].setdefault(table, []).append(amount)
            elif held < 0 and account.startswith(NEVER_NEGATIVE):
                raise CheckFailed("negative", about="money", account=account, held=held)

    def add_detached(self, table: str, moves: Mapping[str, tuple[int, int]]) -> None:
        """Add the transfers of a table whose record is in another file: its highest sum first, the rest last."""
        for account, (high, total) in moves.items():
            if high < max(0, total):
                raise CheckFailed("end-above", about="detached", account=account, total=total, high=high)
            self.balances[account] = self.balances.get(account, 0) + total
            self.shared.setdefault(account, {})[table] = [move for move in (high, total - high) if move]
        if total := sum(total for _, total in moves.values()):
            raise CheckFailed("moves-not-zero", about="detached", total=total)

    def balance(self, account: str) -> int:
        """Return the balance of an account."""
        return self.balances.get(account, 0)

    def find_errors(self, stored: Mapping[str, int]) -> Iterable[Detail]:
        """Yield what is wrong with the stored balances, and with accounts that several tables moved."""
        for account in sorted({*stored, *self.balances}):
            held, says = self.balances.get(account, 0), stored.get(account)
            if says is None:
                yield detail("no-balance", account=account, held=held)
            elif says != held:
                yield detail("other-balance", account=account, stored=says, held=held)
        for account, moves in self.shared.items():
            if account.startswith(NEVER_NEGATIVE) and not can_stay_positive(list(moves.values())):
                yield detail("below-zero", account=account)
        total = sum(self.balances.values())
        if total:
            yield detail("total-not-zero", total=total)


def can_stay_positive(sequences: list[list[int]]) -> bool:
    """Return whether sequences of moves can be interleaved, each in its own order, without a negative balance.

    Forwards, a run of moves that gains is made as soon as it can be; what is left only loses, and is judged backwards
    from the end in the same way.

    >>> can_stay_positive([[-5, 3], [5, -3]]), can_stay_positive([[-5, 3], [4, -2]])
    (True, False)
    """
    end = sum(map(sum, sequences))
    if end < 0:
        return False
    left, gains_left = _take_gains(0, sequences)
    if gains_left:
        return False
    backwards = [[-move for move in reversed(sequence)] for sequence in left]
    rest, _ = _take_gains(end, backwards)
    return not any(rest)


def _take_gains(balance: int, sequences: list[list[int]]) -> tuple[list[list[int]], bool]:
    """Apply every possible run that does not lose; return the rest, and whether a gain was out of reach."""
    left = [list(sequence) for sequence in sequences]
    moved, blocked = True, False
    while moved:
        moved, blocked = False, False
        for place, sequence in enumerate(left):
            total = lowest = 0
            for length, move in enumerate(sequence, 1):
                total += move
                lowest = min(lowest, total)
                if total >= 0:
                    if balance + lowest >= 0:
                        balance += total
                        left[place] = sequence[length:]
                        moved = True
                    else:
                        blocked = True
                    break
    return left, blocked
