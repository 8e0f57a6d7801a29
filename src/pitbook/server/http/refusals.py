"""The HTTP status of every refusal; `messages/problems.toml` has a sentence for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.dice_register.decide import Reason as DiceReason
from pitbook.people.refusals import Reason as HouseReason
from pitbook.table.refusals import Reason

if TYPE_CHECKING:
    from collections.abc import Mapping

# 403: not this person. 404: unknown name. 409: not in the current state. 422: never valid.

HOUSE_POLICY = frozenset({HouseReason.ROLES_CONFLICT})
"""Refusals about people that are house policy."""

TABLE_REFUSALS: Mapping[Reason, int] = {
    Reason.UNKNOWN_COMMAND: 400,
    Reason.TABLE_NOT_OPEN: 409,
    Reason.TABLE_OPEN_ALREADY: 409,
    Reason.WRONG_ROLE: 403,
    Reason.OWN_ACT: 403,
    Reason.NO_CONSENT: 409,
    Reason.STALE_STEP: 409,
    Reason.SUSPENDED: 409,
    Reason.NOT_NOW: 409,
    Reason.NOT_DUE: 409,
    Reason.BETTING_CLOSED: 409,
    Reason.WINDOW_CLOSED: 409,
    Reason.UNKNOWN_WAGER: 422,
    Reason.BAD_AMOUNT: 422,
    Reason.UNDER_MINIMUM: 422,
    Reason.OVER_MAXIMUM: 422,
    Reason.PAYOUT_LIMIT: 422,
    Reason.NO_FUNDS: 409,
    Reason.NO_SUCH_BET: 404,
    Reason.RUNNING: 409,
    Reason.CASH_BET: 409,
    Reason.COLOUR_CHIPS: 409,
    Reason.UNCONFIRMED: 409,
    Reason.BAD_DICE: 422,
    Reason.DICE_DIFFER: 409,
    Reason.TOO_FEW_SHAKES: 409,
    Reason.DICE_EXPIRED: 409,
    Reason.DICE_MISSING: 409,
    Reason.DICE_REGISTER: 409,
    Reason.NOT_INSPECTED: 409,
    Reason.INSPECTION_FAILED: 409,
    Reason.SHAKER: 409,
    Reason.UNATTENDED: 409,
    Reason.PRESENCE: 409,
    Reason.CONFIGURATION: 422,
    Reason.NOT_IN_THE_BOOK: 422,
    Reason.NOTHING_TO_DO: 409,
    Reason.FROZEN: 409,
    Reason.NO_SUCH_ROUND: 404,
    Reason.NO_SUCH_PROPOSAL: 404,
    Reason.AUTOMATIC: 409,
    Reason.BAD_SEED: 422,
    Reason.EXCLUDED: 403,
    Reason.LOSS_LIMIT: 409,
    Reason.STAKE_LIMIT: 409,
    Reason.TIME_LIMIT: 409,
}

DICE_REFUSALS: Mapping[DiceReason, int] = {
    DiceReason.WRONG_ROLE: 403,
    DiceReason.BAD_TEXT: 422,
    DiceReason.DICE_REGISTER: 409,
    DiceReason.NO_SUCH_SET: 404,
}

HOUSE_REFUSALS: Mapping[HouseReason, int] = {
    HouseReason.UNKNOWN_COMMAND: 400,
    HouseReason.WRONG_ROLE: 403,
    HouseReason.UNKNOWN_PERSON: 404,
    HouseReason.INACTIVE: 409,
    HouseReason.OWN_ACT: 403,
    HouseReason.BAD_NAME: 422,
    HouseReason.RESERVED_NAME: 422,
    HouseReason.NAME_TAKEN: 409,
    HouseReason.BAD_TEXT: 422,
    HouseReason.UNKNOWN_ROLE: 422,
    HouseReason.ROLES_CONFLICT: 409,
    HouseReason.LAST_MANAGER: 409,
    HouseReason.LAST_FACTOR: 409,
    HouseReason.BAD_POLICY: 422,
    HouseReason.NOTHING_TO_DO: 409,
    HouseReason.NO_REGISTRATION: 403,
    HouseReason.TOO_MANY: 409,
    HouseReason.BAD_LIMIT: 422,
    HouseReason.BAD_TIME: 422,
    HouseReason.EXCLUDED: 403,
    HouseReason.NOT_EXCLUDED: 409,
    HouseReason.NO_SUCH_APPROVAL: 404,
    HouseReason.APPROVAL_OVER: 409,
    HouseReason.APPROVAL_EXPIRED: 409,
    HouseReason.SIGN_IN_FAILED: 401,
    HouseReason.DENIED: 403,
}
