"""Refusals: named values, each with the clauses or the reading it rests on; otherwise it is house policy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from pitbook.mistakes import bracketed

if TYPE_CHECKING:
    from collections.abc import Iterable


class Why(StrEnum):
    """Every reason for which a command is refused, in the order in which they are looked for."""

    UNKNOWN_COMMAND = "unknown-command"
    TABLE_NOT_OPEN = "table-not-open"
    TABLE_OPEN_ALREADY = "table-open-already"
    WRONG_ROLE = "wrong-role"
    OWN_ACT = "own-act"
    STALE_STEP = "stale-step"
    SUSPENDED = "suspended"
    NOT_NOW = "not-now"
    NOT_DUE = "not-due"
    BETTING_CLOSED = "betting-closed"
    WINDOW_CLOSED = "window-closed"
    UNKNOWN_WAGER = "unknown-wager"
    BAD_AMOUNT = "bad-amount"
    UNDER_MINIMUM = "under-minimum"
    OVER_MAXIMUM = "over-maximum"
    PAYOUT_LIMIT = "payout-limit"
    NO_FUNDS = "no-funds"
    NO_SUCH_BET = "no-such-bet"
    RUNNING = "running"
    CASH_BET = "cash-bet"
    COLOUR_CHIPS = "colour-chips"
    UNCONFIRMED = "unconfirmed"
    BAD_DICE = "bad-dice"
    DICE_DIFFER = "dice-differ"
    TOO_FEW_SHAKES = "too-few-shakes"
    DICE_EXPIRED = "dice-expired"
    DICE_MISSING = "dice-missing"
    NOT_INSPECTED = "not-inspected"
    INSPECTION_FAILED = "inspection-failed"
    SHAKER = "shaker"
    UNATTENDED = "unattended"
    PRESENCE = "presence"
    CONFIGURATION = "configuration"
    NOT_IN_THE_BOOK = "not-in-the-book"
    NOTHING_TO_DO = "nothing-to-do"
    FROZEN = "frozen"
    NO_SUCH_ROUND = "no-such-round"
    NO_SUCH_PROPOSAL = "no-such-proposal"
    AUTOMATIC = "automatic-table"
    BAD_SEED = "bad-seed"
    EXCLUDED = "excluded"
    LOSS_LIMIT = "loss-limit"
    STAKE_LIMIT = "stake-limit"
    TIME_LIMIT = "time-limit"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that was not carried out: why, on what grounds, and a sentence for people."""

    why: Why
    says: str
    clauses: tuple[str, ...] = ()
    """The clauses that forbid it."""
    asked: str = ""
    """A summary of the command, if it could be read: "bet 5.00 on small"."""
    reading: str | None = None
    """The reading that forbids it where the text itself is silent or ambiguous."""

    @property
    def policy(self) -> bool:
        """Whether neither a clause nor a reading decides, so that the refusal is house policy."""
        return not self.clauses and self.reading is None

    def __str__(self) -> str:
        return f"{self.says} {bracketed(self.clauses)}" if self.clauses else self.says


def refuse(why: Why, says: str, clauses: Iterable[str] = (), *, reading: str | None = None) -> Refusal:
    """Return a refusal with its grounds."""
    return Refusal(why, says, tuple(clauses), reading=reading)
