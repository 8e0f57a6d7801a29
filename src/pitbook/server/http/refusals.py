"""The HTTP status of every refusal; `messages/problems.toml` has a sentence for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.dice_register.decide import Why as OfDice
from pitbook.people.refusals import Why as OfHouse
from pitbook.table.refusals import Why

if TYPE_CHECKING:
    from collections.abc import Mapping

# 403: not this person. 404: unknown name. 409: not in the current state. 422: never valid.

HOUSE_POLICY = frozenset({OfHouse.ROLES_CONFLICT})
"""Refusals about people that are house policy."""

TABLE_REFUSALS: Mapping[Why, int] = {
    Why.UNKNOWN_COMMAND: 400,
    Why.TABLE_NOT_OPEN: 409,
    Why.TABLE_OPEN_ALREADY: 409,
    Why.WRONG_ROLE: 403,
    Why.OWN_ACT: 403,
    Why.NO_CONSENT: 409,
    Why.STALE_STEP: 409,
    Why.SUSPENDED: 409,
    Why.NOT_NOW: 409,
    Why.NOT_DUE: 409,
    Why.BETTING_CLOSED: 409,
    Why.WINDOW_CLOSED: 409,
    Why.UNKNOWN_WAGER: 422,
    Why.BAD_AMOUNT: 422,
    Why.UNDER_MINIMUM: 422,
    Why.OVER_MAXIMUM: 422,
    Why.PAYOUT_LIMIT: 422,
    Why.NO_FUNDS: 409,
    Why.NO_SUCH_BET: 404,
    Why.RUNNING: 409,
    Why.CASH_BET: 409,
    Why.COLOUR_CHIPS: 409,
    Why.UNCONFIRMED: 409,
    Why.BAD_DICE: 422,
    Why.DICE_DIFFER: 409,
    Why.TOO_FEW_SHAKES: 409,
    Why.DICE_EXPIRED: 409,
    Why.DICE_MISSING: 409,
    Why.DICE_REGISTER: 409,
    Why.NOT_INSPECTED: 409,
    Why.INSPECTION_FAILED: 409,
    Why.SHAKER: 409,
    Why.UNATTENDED: 409,
    Why.PRESENCE: 409,
    Why.CONFIGURATION: 422,
    Why.NOT_IN_THE_BOOK: 422,
    Why.NOTHING_TO_DO: 409,
    Why.FROZEN: 409,
    Why.NO_SUCH_ROUND: 404,
    Why.NO_SUCH_PROPOSAL: 404,
    Why.AUTOMATIC: 409,
    Why.BAD_SEED: 422,
    Why.EXCLUDED: 403,
    Why.LOSS_LIMIT: 409,
    Why.STAKE_LIMIT: 409,
    Why.TIME_LIMIT: 409,
}

DICE_REFUSALS: Mapping[OfDice, int] = {
    OfDice.WRONG_ROLE: 403,
    OfDice.BAD_TEXT: 422,
    OfDice.DICE_REGISTER: 409,
    OfDice.NO_SUCH_SET: 404,
}

HOUSE_REFUSALS: Mapping[OfHouse, int] = {
    OfHouse.UNKNOWN_COMMAND: 400,
    OfHouse.WRONG_ROLE: 403,
    OfHouse.UNKNOWN_PERSON: 404,
    OfHouse.INACTIVE: 409,
    OfHouse.OWN_ACT: 403,
    OfHouse.BAD_NAME: 422,
    OfHouse.RESERVED_NAME: 422,
    OfHouse.NAME_TAKEN: 409,
    OfHouse.BAD_TEXT: 422,
    OfHouse.UNKNOWN_ROLE: 422,
    OfHouse.ROLES_CONFLICT: 409,
    OfHouse.LAST_MANAGER: 409,
    OfHouse.LAST_FACTOR: 409,
    OfHouse.BAD_POLICY: 422,
    OfHouse.NOTHING_TO_DO: 409,
    OfHouse.NO_REGISTRATION: 403,
    OfHouse.TOO_MANY: 409,
    OfHouse.BAD_LIMIT: 422,
    OfHouse.BAD_TIME: 422,
    OfHouse.EXCLUDED: 403,
    OfHouse.NOT_EXCLUDED: 409,
    OfHouse.NO_SUCH_APPROVAL: 404,
    OfHouse.APPROVAL_OVER: 409,
    OfHouse.APPROVAL_EXPIRED: 409,
    OfHouse.SIGN_IN_FAILED: 401,
    OfHouse.DENIED: 403,
}
