"""Players' limits and exclusions: none is loosened before a day has passed, and no exclusion is shortened."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.audit.errors import ensure
from pitbook.audit.people import acting_account, find_account, whole_limits

if TYPE_CHECKING:
    from pitbook.audit.people import Body, House, Who

WAIT = timedelta(hours=24)
Parts = dict[str, int]


def limits_set(house: House, event: Body, who: Who) -> None:
    account = _own(house, event, who)
    holding, waiting = _limits_at(account, who.at), _waiting(account, who.at)
    wanted = _parts(event["limits"])
    for part, old in holding.items():
        ensure(part in wanted and wanted[part] <= old, f"the limit {part} got looser at once")
    for one in event["pending"]:
        since, before = _time(one["since"]), waiting.get(one["part"])
        waited = before is not None and since >= _time(before["since"]) and not _looser(one["value"], before["value"])
        ensure(waited or since >= _time(who.at) + WAIT, f"the limit {one['part']} gets looser before a day is over")
        ensure(one["part"] in wanted, f"the limit {one['part']} is to be looser, and there is none")
    account["limits"], account["pending"] = whole_limits(event["limits"]), event["pending"]


def loosening_withdrawn(house: House, event: Body, who: Who) -> None:
    account = _own(house, event, who)
    ensure(_parts(event["limits"]) == _limits_at(account, who.at), "the limits are not those that held")
    account["limits"], account["pending"] = whole_limits(event["limits"]), []


def excluded(house: House, event: Body, who: Who) -> None:
    account = find_account(house, event["person"])
    until, held = _time(event["until"]), account["excluded_until"]
    stands = held is not None and _time(who.at) < _time(held)
    if who.role == "manager":
        acting_account(house, who)
        ensure(stands, f"{who.name} excluded somebody who was not excluded")
    else:
        _own(house, event, who)
    ensure(until > _time(who.at), "an exclusion that is over when it begins")
    ensure(not stands or until > _time(held), "an exclusion got shorter")
    account["excluded_until"] = event["until"]


def _own(house: House, event: Body, who: Who) -> Body:
    ensure(event["person"] == who.name, f"{who.name} acted for {event['person']}")
    account = find_account(house, who.name)
    ensure(account["active"], f"{who.name} is not active")
    plays = who.role == "player" and any(one["role"] == "player" for one in account["roles"])
    ensure(plays, f"{who.name} ({who.role}) is no player")
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


def _looser(new: int | None, old: int | None) -> bool:
    return old is not None and (new is None or new > old)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
