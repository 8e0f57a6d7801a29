"""A player's limits and exclusion: tighter at once, looser after a day, and an exclusion never shorter."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pitbook.people import events as e
from pitbook.people.limits import (
    FOR_EVER,
    format_time,
    is_excluded,
    limits_at,
    parse_time,
    pending_at,
    split_request,
)
from pitbook.people.refusals import Reason
from pitbook.people.values import Limits
from pitbook.table.people import MANAGER

if TYPE_CHECKING:
    from pitbook.people import commands as c
    from pitbook.people.decide.draft import Draft

DAY_SECONDS = 86_400
AMOUNT_MAX = 10**15
CURRENCIES_MAX = 20

_CURRENCY = re.compile(r"(play-)?[A-Z]{3}")


def set_limits(draft: Draft, command: c.SetLimits) -> None:
    account = draft.player()
    losses, seconds, stakes = command.loss_per_day, command.seconds_per_day, command.stake_at_once
    for amounts in (losses, stakes):
        if len(amounts) > CURRENCIES_MAX or not all(_CURRENCY.fullmatch(currency) for currency in amounts):
            draft.refuse(Reason.BAD_LIMIT, "people.limits.currency")
        if not all(0 <= amount <= AMOUNT_MAX for amount in amounts.values()):
            draft.refuse(Reason.BAD_LIMIT, "people.limits.amount")
    if seconds is not None and not 0 <= seconds <= DAY_SECONDS:
        draft.refuse(Reason.BAD_LIMIT, "people.limits.seconds", most=DAY_SECONDS)
    limits, pending = split_request(account, Limits(losses, seconds, stakes), draft.at)
    if (limits, pending) == (limits_at(account, draft.at), pending_at(account, draft.at)):
        draft.refuse(Reason.NOTHING_TO_DO, "people.limits.same")
    draft.emit(e.LimitsSet(account.name, limits, pending))


def keep_limits(draft: Draft, _command: c.KeepLimits) -> None:
    account = draft.player()
    if not pending_at(account, draft.at):
        draft.refuse(Reason.NOTHING_TO_DO, "people.limits.none-pending")
    draft.emit(e.LooseningWithdrawn(account.name, limits_at(account, draft.at)))


def exclude(draft: Draft, command: c.Exclude) -> None:
    if command.person is not None and draft.person.role == MANAGER:
        draft.manager()
        account = draft.account(command.person)
        if not is_excluded(account, draft.at):
            draft.refuse(Reason.NOT_EXCLUDED, "people.limits.not-excluded", person=account.name)
    else:
        account = draft.player()
        if command.person is not None and draft.account(command.person) != account:
            draft.refuse(Reason.WRONG_ROLE, "people.limits.only-self")
    until = FOR_EVER if command.until is None else _parse_until(draft, command.until)
    if is_excluded(account, draft.at):
        assert account.excluded_until is not None
        if parse_time(until) <= parse_time(account.excluded_until):
            if account.excluded_until == FOR_EVER:
                draft.refuse(Reason.EXCLUDED, "people.limits.permanent", person=account.name)
            end = account.excluded_until
            draft.refuse(Reason.EXCLUDED, "people.limits.not-shorter", person=account.name, until=end)
    draft.emit(e.Excluded(account.name, until))


def _parse_until(draft: Draft, text: str) -> str:
    try:
        until = datetime.fromisoformat(text)
        if until.tzinfo is None:
            raise ValueError("no time zone")
        until = until.astimezone(UTC)
    except (ValueError, OverflowError):
        draft.refuse(Reason.BAD_TIME, "people.limits.until")
    if until <= parse_time(draft.at):
        draft.refuse(Reason.BAD_TIME, "people.limits.past")
    return format_time(until)
