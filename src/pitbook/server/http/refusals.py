"""Every refusal with the HTTP status that tells it, and what it means in general."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.dice_register.decide import Why as OfDice
from pitbook.people.refusals import Why as OfHouse
from pitbook.table.refusals import Why

if TYPE_CHECKING:
    from collections.abc import Mapping

# 403: not this person. 404: what it names is not there. 409: not now, as things stand. 422: never, as it was asked.

TABLE_REFUSALS: Mapping[Why, tuple[int, str]] = {
    Why.UNKNOWN_COMMAND: (400, "There is no such command."),
    Why.TABLE_NOT_OPEN: (409, "The table is not open."),
    Why.TABLE_OPEN_ALREADY: (409, "The table is open already."),
    Why.WRONG_ROLE: (403, "The book gives this act to another role."),
    Why.OWN_ACT: (403, "Nobody approves an act of their own."),
    Why.NO_CONSENT: (409, "The player must consent, or a second person must approve."),
    Why.STALE_STEP: (409, "The table has moved on since; look again, then ask again."),
    Why.SUSPENDED: (409, "Play is suspended until an irregularity is dealt with."),
    Why.NOT_NOW: (409, "This cannot be done at this point of the round."),
    Why.NOT_DUE: (409, "Another step of the procedure is due."),
    Why.BETTING_CLOSED: (409, "Betting on this round is closed."),
    Why.WINDOW_CLOSED: (409, "This wager cannot be made at this point of the hand."),
    Why.UNKNOWN_WAGER: (422, "The book, as this table offers it, has no such wager."),
    Why.BAD_AMOUNT: (422, "The amount is none that can be staked."),
    Why.UNDER_MINIMUM: (422, "The stake is under the least that the table takes."),
    Why.OVER_MAXIMUM: (422, "The stake is over the most that the table takes."),
    Why.PAYOUT_LIMIT: (422, "The stake could win more than the table pays."),
    Why.NO_FUNDS: (409, "There is not enough money for it."),
    Why.NO_SUCH_BET: (404, "There is no such bet on the layout."),
    Why.RUNNING: (409, "The bet is running and stays until it is decided."),
    Why.CASH_BET: (409, "A cash bet cannot be treated like chips."),
    Why.COLOUR_CHIPS: (409, "Colour chips are worth something at their own table only."),
    Why.UNCONFIRMED: (409, "Somebody else must confirm it first."),
    Why.BAD_DICE: (422, "These are no dice that the table could show."),
    Why.DICE_DIFFER: (409, "The dice entered and the dice confirmed differ."),
    Why.TOO_FEW_SHAKES: (409, "The shaker was not shaken often enough."),
    Why.DICE_EXPIRED: (409, "The dice have been in use for too long."),
    Why.DICE_MISSING: (409, "There are no dice at the table, or not enough."),
    Why.DICE_REGISTER: (409, "The house's register of dice does not allow this set here."),
    Why.NOT_INSPECTED: (409, "What must be inspected first was not."),
    Why.INSPECTION_FAILED: (409, "An inspection failed."),
    Why.SHAKER: (409, "The shaker is not fit for it, or is none that does this."),
    Why.UNATTENDED: (409, "The table is not attended as the book asks."),
    Why.PRESENCE: (409, "Somebody must be present who is not."),
    Why.CONFIGURATION: (422, "The table cannot be set up like this."),
    Why.NOT_IN_THE_BOOK: (422, "The book has no such thing."),
    Why.NOTHING_TO_DO: (409, "There is nothing to do."),
    Why.FROZEN: (409, "What it would move is held until a dispute is decided."),
    Why.NO_SUCH_ROUND: (404, "There is no such round."),
    Why.NO_SUCH_PROPOSAL: (404, "There is no such proposal."),
    Why.AUTOMATIC: (409, "On an automatic table the electronic tumbler does this."),
    Why.BAD_SEED: (422, "The seed is none, or not the one that was committed."),
    Why.EXCLUDED: (403, "The player is excluded from play."),
    Why.LOSS_LIMIT: (409, "The stake could lose more than the limit that the player has set."),
    Why.STAKE_LIMIT: (409, "More would lie at once than the limit that the player has set."),
    Why.TIME_LIMIT: (409, "The player's own limit of time is reached."),
}

DICE_REFUSALS: Mapping[OfDice, tuple[int, str]] = {
    OfDice.WRONG_ROLE: (403, "This act belongs to another role."),
    OfDice.BAD_TEXT: (422, "The text is empty, too long, or holds what cannot be shown."),
    OfDice.DICE_REGISTER: (409, "The house's register of dice does not allow this."),
    OfDice.NO_SUCH_SET: (404, "There is no such set of dice."),
}

HOUSE_REFUSALS: Mapping[OfHouse, tuple[int, str]] = {
    OfHouse.UNKNOWN_COMMAND: (400, "There is no such command."),
    OfHouse.WRONG_ROLE: (403, "This act belongs to another role."),
    OfHouse.UNKNOWN_PERSON: (404, "There is no such person."),
    OfHouse.INACTIVE: (409, "The account is closed."),
    OfHouse.OWN_ACT: (403, "Nobody approves an act of their own."),
    OfHouse.BAD_NAME: (422, "This cannot be a name."),
    OfHouse.RESERVED_NAME: (422, "The name belongs to the house itself."),
    OfHouse.NAME_TAKEN: (409, "Somebody has this name, or one that looks like it."),
    OfHouse.BAD_TEXT: (422, "The text is empty, too long, or holds what cannot be shown."),
    OfHouse.UNKNOWN_ROLE: (422, "There is no such role."),
    OfHouse.ROLES_CONFLICT: (409, "One person cannot hold both roles."),
    OfHouse.LAST_MANAGER: (409, "A house keeps at least one manager."),
    OfHouse.NOTHING_TO_DO: (409, "There is nothing to do."),
    OfHouse.NO_REGISTRATION: (403, "The house opens accounts itself."),
    OfHouse.TOO_MANY: (409, "There are as many as the house keeps."),
    OfHouse.BAD_LIMIT: (422, "This cannot be a limit."),
    OfHouse.BAD_TIME: (422, "The time is none, or out of order."),
    OfHouse.EXCLUDED: (403, "The player is excluded from play."),
    OfHouse.NOT_EXCLUDED: (409, "The player is not excluded."),
    OfHouse.NO_SUCH_APPROVAL: (404, "Nothing of that number waits for approval."),
    OfHouse.APPROVAL_OVER: (409, "It was approved or declined already."),
    OfHouse.APPROVAL_EXPIRED: (409, "It waited for too long."),
    OfHouse.SIGN_IN_FAILED: (401, "Name and password do not fit together."),
    OfHouse.DENIED: (403, "This was denied."),
}
