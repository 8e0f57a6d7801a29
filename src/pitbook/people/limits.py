"""Which of a player's limits hold at a time, and what a wish for others comes to. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.people.values import Limits, Pending

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.people.state import Account

WAIT = timedelta(hours=24)
"""So long a looser limit waits."""
SECONDS = "seconds"
"""The part of limits that is of no currency."""
STAKE = "stake-"
"""So begins the part about what lies at once, before its currency."""
FOR_EVER = "9999-12-31T23:59:59.999999+00:00"


def moment(text: str) -> datetime:
    """A time as it is handed in."""
    return datetime.fromisoformat(text)


def later(at: str, wait: timedelta) -> str:
    """A time so long after another, as the record writes times."""
    return written(moment(at) + wait)


def written(time: datetime) -> str:
    """A time as the record writes it.

    >>> written(datetime(2026, 3, 1, 12, tzinfo=UTC))
    '2026-03-01T12:00:00.000000+00:00'
    """
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def limits_at(account: Account, at: str) -> Limits:
    """The limits that hold at a time: those last set, and the looser ones whose time has come."""
    now = moment(at)
    due = {one.part: one.value for one in account.pending if moment(one.since) <= now}
    if not due:
        return account.limits
    return _limits({**_parts(account.limits), **due})


def pending_at(account: Account, at: str) -> tuple[Pending, ...]:
    """What is still to be loosened."""
    now = moment(at)
    return tuple(one for one in account.pending if moment(one.since) > now)


def wished(account: Account, wish: Limits, at: str) -> tuple[Limits, tuple[Pending, ...]]:
    """What holds at once of a wish, and what holds a day later.

    Whoever waits already goes on waiting for as much or less; for more the day begins anew.
    """
    now, wanted = _parts(limits_at(account, at)), _parts(wish)
    waiting = {one.part: one for one in pending_at(account, at)}
    holding: dict[str, int | None] = {}
    pending = []
    for part in sorted({*now, *wanted}):
        old, new = now.get(part), wanted.get(part)
        if not is_looser(new, old):
            holding[part] = new
            continue
        holding[part] = old
        before = waiting.get(part)
        since = later(at, WAIT) if before is None or is_looser(new, before.value) else before.since
        pending.append(Pending(part, new, since))
    return _limits(holding), tuple(pending)


def is_looser(new: int | None, old: int | None) -> bool:
    """Whether a limit lets more through than another; None lets all through.

    >>> is_looser(20, 10), is_looser(None, 10), is_looser(10, None), is_looser(10, 10)
    (True, True, False, False)
    """
    return old is not None and (new is None or new > old)


def may_play(account: Account, at: str) -> str | None:
    """Why somebody may not play at present, as a sentence; None where they may."""
    if not account.active:
        return f"the account {account.name} is not active"
    if is_excluded(account, at):
        assert account.excluded_until is not None
        return f"{account.name} is excluded {until_words(account.excluded_until)}"
    return None


def is_excluded(account: Account, at: str) -> bool:
    """Whether somebody has shut themselves out."""
    return account.excluded_until is not None and moment(at) < moment(account.excluded_until)


def until_words(until: str) -> str:
    """Until when, in words.

    >>> until_words(FOR_EVER), until_words("2026-03-01T12:00:00.000000+00:00")
    ('for ever', 'until 2026-03-01 12:00:00 UTC')
    """
    return "for ever" if until == FOR_EVER else f"until {moment(until):%Y-%m-%d %H:%M:%S} UTC"


def _parts(limits: Limits) -> dict[str, int | None]:
    parts: dict[str, int | None] = {**limits.loss_per_day}
    parts |= {STAKE + currency: amount for currency, amount in limits.stake_at_once.items()}
    if limits.seconds_per_day is not None:
        parts[SECONDS] = limits.seconds_per_day
    return parts


def _limits(parts: Mapping[str, int | None]) -> Limits:
    amounts = {part: value for part, value in sorted(parts.items()) if value is not None and part != SECONDS}
    stakes = {part.removeprefix(STAKE): amounts.pop(part) for part in list(amounts) if part.startswith(STAKE)}
    return Limits(amounts, parts.get(SECONDS), stakes)
