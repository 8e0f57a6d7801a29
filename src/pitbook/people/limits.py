"""Which of a player's limits apply at a time, and what follows from a request for others. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.messages import Message
from pitbook.people.values import Limits, Pending

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.people.state import Account

WAIT = timedelta(hours=24)
"""How long a looser limit is pending."""
SECONDS = "seconds"
"""The part of limits that has no currency."""
STAKE = "stake-"
"""The prefix of parts about stakes at one time, before the currency."""
FOR_EVER = "9999-12-31T23:59:59.999999+00:00"


def parse_time(text: str) -> datetime:
    """Return the time of a timestamp."""
    return datetime.fromisoformat(text)


def later(at: str, wait: timedelta) -> str:
    """Return a timestamp after another."""
    return format_time(parse_time(at) + wait)


def format_time(time: datetime) -> str:
    """Return a time as a stored timestamp.

    >>> format_time(datetime(2026, 3, 1, 12, tzinfo=UTC))
    '2026-03-01T12:00:00.000000+00:00'
    """
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def limits_at(account: Account, at: str) -> Limits:
    """Return the limits at a time: those last set, and pending ones that are due."""
    now = parse_time(at)
    due = {one.part: one.value for one in account.pending if parse_time(one.since) <= now}
    if not due:
        return account.limits
    return _from_parts({**_to_parts(account.limits), **due})


def pending_at(account: Account, at: str) -> tuple[Pending, ...]:
    """Return the limits that are still to be loosened."""
    now = parse_time(at)
    return tuple(one for one in account.pending if parse_time(one.since) > now)


def split_request(account: Account, request: Limits, at: str) -> tuple[Limits, tuple[Pending, ...]]:
    """Return which limits of a request apply at once, and which after a day.

    A pending loosening keeps its time for an equal or tighter limit; for a looser one the day starts again.
    """
    now, wanted = _to_parts(limits_at(account, at)), _to_parts(request)
    waiting = {one.part: one for one in pending_at(account, at)}
    current: dict[str, int | None] = {}
    pending = []
    for part in sorted({*now, *wanted}):
        old, new = now.get(part), wanted.get(part)
        if not is_looser(new, old):
            current[part] = new
            continue
        current[part] = old
        before = waiting.get(part)
        since = later(at, WAIT) if before is None or is_looser(new, before.value) else before.since
        pending.append(Pending(part, new, since))
    return _from_parts(current), tuple(pending)


def is_looser(new: int | None, old: int | None) -> bool:
    """Return whether a limit allows more than another; None allows everything.

    >>> is_looser(20, 10), is_looser(None, 10), is_looser(10, None), is_looser(10, 10)
    (True, True, False, False)
    """
    return old is not None and (new is None or new > old)


def play_problem(account: Account, at: str) -> Message | None:
    """Return why someone may not play at present, or None."""
    if not account.active:
        return Message("refusals.rights.inactive", {"account": account.name})
    if not is_excluded(account, at):
        return None
    if account.excluded_until == FOR_EVER:
        return Message("refusals.rights.excluded-for-good", {"player": account.name})
    return Message("refusals.rights.excluded", {"player": account.name, "until": account.excluded_until})


def is_excluded(account: Account, at: str) -> bool:
    """Return whether someone is excluded from play."""
    return account.excluded_until is not None and parse_time(at) < parse_time(account.excluded_until)


def _to_parts(limits: Limits) -> dict[str, int | None]:
    parts: dict[str, int | None] = {**limits.loss_per_day}
    parts |= {STAKE + currency: amount for currency, amount in limits.stake_at_once.items()}
    if limits.seconds_per_day is not None:
        parts[SECONDS] = limits.seconds_per_day
    return parts


def _from_parts(parts: Mapping[str, int | None]) -> Limits:
    amounts = {part: value for part, value in sorted(parts.items()) if value is not None and part != SECONDS}
    stakes = {part.removeprefix(STAKE): amounts.pop(part) for part in list(amounts) if part.startswith(STAKE)}
    return Limits(amounts, parts.get(SECONDS), stakes)
