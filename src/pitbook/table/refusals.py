"""Refusals: named values, each with the clauses or the reading it rests on; otherwise it is house policy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pitbook.errors import bracketed
from pitbook.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable


class Reason(StrEnum):
    """Every reason for which a command is refused, in the order in which they are looked for."""

    UNKNOWN_COMMAND = "unknown-command"
    TABLE_NOT_OPEN = "table-not-open"
    TABLE_OPEN_ALREADY = "table-open-already"
    WRONG_ROLE = "wrong-role"
    OWN_ACT = "own-act"
    NO_CONSENT = "no-consent"
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
    DICE_REGISTER = "dice-register"
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


FACTS = frozenset(
    {
        Reason.UNKNOWN_COMMAND,
        Reason.TABLE_NOT_OPEN,
        Reason.TABLE_OPEN_ALREADY,
        Reason.STALE_STEP,
        Reason.BAD_AMOUNT,
        Reason.NO_FUNDS,
        Reason.NO_SUCH_BET,
        Reason.BAD_DICE,
        Reason.CONFIGURATION,
        Reason.NOT_IN_THE_BOOK,
        Reason.NOTHING_TO_DO,
        Reason.NO_SUCH_ROUND,
        Reason.NO_SUCH_PROPOSAL,
        Reason.AUTOMATIC,
        Reason.BAD_SEED,
        Reason.EXCLUDED,
        Reason.LOSS_LIMIT,
        Reason.STAKE_LIMIT,
        Reason.TIME_LIMIT,
    }
)
"""Reasons that are facts, not rules: what the command names does not exist or does not fit, or the player's own limits
forbid it. All other refusals without a clause or a reading are rules of the house, and are marked as such."""
RECORD_MESSAGES = ("refusals.recorded.", "problems.")
"""The messages by which older records, repeated refusals and the journal's own are formatted."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that was not carried out: why, on what grounds, and a message for people."""

    why: Reason
    message: Message
    clauses: tuple[str, ...] = ()
    """The clauses that forbid it."""
    asked: Message | None = None
    """A summary of the command, if it could be read."""
    reading: str | None = None
    """The reading that forbids it where the text itself is silent or ambiguous."""

    @property
    def says(self) -> str:
        """The message in English."""
        return self.message.text()

    @property
    def policy(self) -> bool:
        """Whether neither a clause nor a reading decides, so that the refusal is a fact or house policy."""
        return not self.clauses and self.reading is None

    @property
    def house_rule(self) -> bool:
        """Whether house policy is to be named as what it rests on; sentences of older records name it themselves."""
        return self.policy and self.why not in FACTS and not self.message.id.startswith(RECORD_MESSAGES)

    def __str__(self) -> str:
        if self.clauses:
            return f"{self.says} {bracketed(self.clauses)}"
        if self.reading:
            return f"{self.says} (reading {self.reading})"
        return f"{self.says} (house policy)" if self.house_rule else self.says


def refuse(
    why: Reason, message: str | Message, clauses: Iterable[str] = (), *, reading: str | None = None, **params: Any
) -> Refusal:
    """Return a refusal by the id of its message in `messages/refusals`, or by a message that was made elsewhere."""
    resolved = message if isinstance(message, Message) else Message(f"refusals.{message}", params)
    return Refusal(why, resolved, tuple(clauses), reading=reading)
