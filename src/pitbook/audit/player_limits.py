"""Players' limits and exclusions: none is loosened before a day has passed, and no exclusion is shortened."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.audit.errors import ensure
from pitbook.audit.people import acting_account, find_account, whole_limits

if TYPE_CHECKING:
    from pitbook.audit.people import Actor, Body, House

WAIT = timedelta(hours=24)
Parts = dict[str, int]


def limits_set(house: House, event: Body, who: Actor) -> None:
    account = _own(house, event, who)
    holding, waiting = _limits_at(account, who.at), _waiting(account, who.at)
    wanted = _parts(event["limits"])
    for part, old in holding.items():
        ensure(part in wanted and wanted[part] <= old, "looser-at-once", part=part)
    for one in event["pending"]:
        since, before = _time(one["since"]), waiting.get(one["part"])
        waited = (
            before is not None and since >= _time(before["since"]) and not _is_looser(one["value"], before["value"])
        )
        ensure(waited or since >= _time(who.at) + WAIT, "looser-early", part=one["part"])
        ensure(one["part"] in wanted, "nothing-to-loosen", part=one["part"])
    account["limits"], account["pending"] = whole_limits(event["limits"]), event["pending"]


def loosening_withdrawn(house: House, event: Body, who: Actor) -> None:
    account = _own(house, event, who)
    ensure(_parts(event["limits"]) == _limits_at(account, who.at), "other-limits")
    account["limits"], account["pending"] = whole_limits(event["limits"]), []


def excluded(house: House, event: Body, who: Actor) -> None:
    account = find_account(house, event["person"])
    until, held = _time(event["until"]), account["excluded_until"]
    stands = held is not None and _time(who.at) < _time(held)
    if who.role == "manager":
        acting_account(house, who)
        ensure(stands, "exclude-other", who=who.name)
    else:
        _own(house, event, who)
    ensure(until > _time(who.at), "exclusion-over")
    ensure(not stands or until > _time(held), "exclusion-shorter")
    account["excluded_until"] = event["until"]


def _own(house: House, event: Body, who: Actor) -> Body:
    ensure(event["person"] == who.name, "acted-for", who=who.name, person=event["person"])
    account = find_account(house, who.name)
    ensure(account["active"], "not-active", who=who.name)
    plays = who.role == "player" and any(one["role"] == "player" for one in account["roles"])
    ensure(plays, "not-a-player", who=who.name, role=who.role)
    return account


def _limits_at(account: Body, at: str) -> Parts:
    """Return the limits that apply at a time."""
    parts: dict[str, int | None] = {**_parts(account["limits"])}
    for one in account["pending"]:
        if _time(one["since"]) <= _time(at):
            parts[one["part"]] = one["value"]
    return {part: value for part, value in parts.items() if value is not None}


def _waiting(account: Body, at: str) -> dict[str, Body]:
    return {one["part"]: one for one in account["pending"] if _time(one["since"]) > _time(at)}


def _parts(limits: Body) -> Parts:
    parts = dict(limits["loss_per_day"])
    parts |= {f"stake-{currency}": amount for currency, amount in limits.get("stake_at_once", {}).items()}
    if limits["seconds_per_day"] is not None:
        parts["seconds"] = limits["seconds_per_day"]
    return parts


def _is_looser(new: int | None, old: int | None) -> bool:
    return old is not None and (new is None or new > old)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
