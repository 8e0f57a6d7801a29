"""Accounts and roles: names are unique, managers grant roles, never their own, and a manager is always left."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from pitbook.audit.errors import CheckFailed, ensure

Body = dict[str, Any]

SERVER = "server"
RESERVED = ("house", "journal", "system", "server", "visitor", "tumbler", "electronic tumbler", "cage")
PLAYING = ("player", "shooter")


class Actor(NamedTuple):
    """The actor of an entry, the role, and the time."""

    name: str
    role: str
    at: str


POLICY: Body = {
    "registration": False,
    "real_money_automatic": False,
    "witness": "named",
    "approval_references": False,
    "bet_consent": False,
    "shifts": [],
    "timezone": "UTC",
    "factor_roles": ["manager", "auditor"],
    "lock_minutes": 5,
    "unlock_with": ["password", "pin", "factor"],
}
"""The default policy."""


@dataclass
class House:
    """The state of the house's own stream, in the format of snapshots."""

    accounts: dict[str, Body] = field(default_factory=dict)
    policy: Body = field(default_factory=lambda: dict(POLICY))
    approvals: dict[str, Body] = field(default_factory=dict)
    finished: list[Body] = field(default_factory=list)
    running: list[str] = field(default_factory=list)
    clock_accepted: str | None = None
    """When a manager last accepted the clock after a jump."""
    dice: dict[str, Body] = field(default_factory=dict)
    """The register of dice, by set."""
    webhooks: dict[str, Body] = field(default_factory=dict)
    alarms: dict[str, Body] = field(default_factory=dict)
    """Recorded alarms that have not ended."""


@lru_cache(maxsize=1 << 16)
def fold_name(name: str) -> str:
    """Return a name without upper and lower case."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def find_account(house: House, name: str) -> Body:
    """Return an account by its name."""
    account = house.accounts.get(fold_name(name))
    if account is None or account["name"] != name:
        raise CheckFailed("unknown-person", name=name)
    return account


def acting_account(house: House, who: Actor, table: str | None = None) -> Body:
    """Return the actor's account, which must be active and hold the role."""
    account = find_account(house, who.name)
    ensure(account["active"], "not-active", who=who.name)
    if not holds(account, who.role, table):
        raise CheckFailed("role-not-held", who=who.name, role=who.role)
    return account


def holds(account: Body, role: str, table: str | None) -> bool:
    """Return whether an account has a role at a table, or in the whole house."""
    return any(one["role"] == role and one["table"] in (None, table) for one in account["roles"])


def check_server(who: Actor) -> None:
    """Check that the server records what it observed."""
    ensure(who[:2] == (SERVER, SERVER), "server-only", who=who.name, role=who.role)


# ---------------------------------------------------------------- events


def person_added(house: House, event: Body, who: Actor) -> None:
    if who[:2] == (SERVER, SERVER):
        ensure(not _managers(house), "server-adds")
        ensure(event["roles"] == [{"role": "manager", "table": None}], "server-adds-other")
    else:
        _by_manager(house, who)
    _add(house, event, event["roles"], who)


def person_registered(house: House, event: Body, who: Actor) -> None:
    ensure(who.role == "visitor", "not-a-visitor", who=who.name, role=who.role)
    ensure(house.policy["registration"], "no-registration")
    tables = event.get("tables") or [None]
    _add(house, event, [{"role": "player", "table": table} for table in tables], who)


def role_given(house: House, event: Body, who: Actor) -> None:
    _by_manager(house, who)
    ensure(event["person"] != who.name, "own-role", who=who.name, role=event["role"])
    account = find_account(house, event["person"])
    account["roles"] = [*account["roles"], _check_grant(_grant(event), account["roles"])]


def role_taken(house: House, event: Body, who: Actor) -> None:
    _by_manager(house, who)
    ensure(event["person"] != who.name, "own-roles", who=who.name)
    account, taken = find_account(house, event["person"]), _grant(event)
    ensure(taken in account["roles"], "role-not-taken", person=event["person"])
    account["roles"] = [one for one in account["roles"] if one != taken]
    _check_manager_left(house)


def person_deactivated(house: House, event: Body, who: Actor) -> None:
    _by_manager(house, who)
    account = find_account(house, event["person"])
    ensure(account["active"], "was-not-active", person=event["person"])
    account["active"] = False
    _check_manager_left(house)


def person_reactivated(house: House, event: Body, who: Actor) -> None:
    _by_manager(house, who)
    account = find_account(house, event["person"])
    ensure(not account["active"], "was-active", person=event["person"])
    account["active"] = True


def policy_set(house: House, event: Body, who: Actor) -> None:
    _by_manager(house, who)
    house.policy = {**POLICY, **event["policy"]}


def clock_accepted(house: House, event: Body, who: Actor) -> None:
    """Apply the one event of the house that may be earlier than the previous one."""
    _by_manager(house, who)
    ensure(event["words"].strip(), "clock-accepted-no-reason")
    ensure(event["at"] == who.at, "other-time", "time")
    ensure(event["jumped"] or event["ahead"], "clock-nothing-wrong", "time")
    house.clock_accepted = event["at"]


def language_chosen(house: House, event: Body, who: Actor) -> None:
    ensure(event["person"] == who.name, "other-language", who=who.name, person=event["person"])
    find_account(house, event["person"])["language"] = event["language"]


def seen(house: House, event: Body, who: Actor) -> None:
    """Check what the server records about someone."""
    check_server(who)
    find_account(house, event["person"])


def signed_in(house: House, event: Body, who: Actor) -> None:
    check_server(who)
    ensure(find_account(house, event["person"])["active"], "signed-in-inactive", person=event["person"])


def server_started(house: House, event: Body, who: Actor) -> None:
    check_server(who)
    running = house.running if event["clean_before"] else []
    house.running = [*(one for one in running if one != event["process"]), event["process"]][-64:]


def server_stopped(house: House, event: Body, who: Actor) -> None:
    check_server(who)
    house.running = [one for one in house.running if one != event["process"]]


def loss_accepted(house: House, event: Body, who: Actor) -> None:
    _by_manager(house, who)
    ensure(event["lost"] and event["words"].strip(), "no-loss")


def webhook_added(house: House, event: Body, who: Actor) -> None:
    _by_manager(house, who)
    added = event["webhook"]
    ensure(added["id"] not in house.webhooks, "webhook-exists", id=added["id"])
    ensure(added["since"] == who.at, "other-time", "time")
    ensure(added["topics"] and added["url"], "webhook-incomplete")
    ensure(not added.get("paused", False), "webhook-paused")
    house.webhooks[added["id"]] = added


def webhook_paused(house: House, event: Body, who: Actor) -> None:
    webhook_secret_changed(house, event, who)
    webhook = house.webhooks[event["id"]]
    ensure(not webhook.get("paused", False), "webhook-paused-before", id=event["id"])
    house.webhooks[event["id"]] = {**webhook, "paused": True}


def webhook_resumed(house: House, event: Body, who: Actor) -> None:
    webhook_secret_changed(house, event, who)
    webhook = house.webhooks[event["id"]]
    ensure(webhook.get("paused", False), "webhook-not-paused", id=event["id"])
    house.webhooks[event["id"]] = {**webhook, "paused": False}


def webhook_removed(house: House, event: Body, who: Actor) -> None:
    webhook_secret_changed(house, event, who)
    del house.webhooks[event["id"]]


def webhook_secret_changed(house: House, event: Body, who: Actor) -> None:
    _by_manager(house, who)
    ensure(house.webhooks[event["id"]]["url"] == event["url"], "webhook-address", id=event["id"])


def alarm_raised(house: House, event: Body, who: Actor) -> None:
    check_server(who)
    ensure(event["id"] not in house.alarms, "alarm-raised", id=event["id"])
    house.alarms[event["id"]] = {"kind": event["kind"], "table": event["table"]}


def alarm_ended(house: House, event: Body, who: Actor) -> None:
    check_server(who)
    ended = {"kind": event["kind"], "table": event["table"]}
    ensure(house.alarms.get(event["id"]) == ended, "no-alarm", id=event["id"])
    del house.alarms[event["id"]]


# ---------------------------------------------------------------- checks


def _add(house: House, event: Body, roles: list[Body], who: Actor) -> None:
    name = event["name"]
    ensure(1 <= len(name) <= 40 and fold_name(name) not in RESERVED, "name-invalid", name=name)
    ensure(fold_name(name) not in house.accounts, "name-taken", name=name)
    ensure(event["at"] == who.at, "other-time")
    for place, grant in enumerate(roles):
        _check_grant(grant, roles[:place])
    house.accounts[fold_name(name)] = {
        "name": name,
        "shown": event["shown"],
        "created": event["at"],
        "roles": roles,
        "active": True,
        "limits": whole_limits({"loss_per_day": {}, "seconds_per_day": None}),
        "pending": [],
        "excluded_until": None,
        "language": None,
        "factors": [],
    }


def whole_limits(limits: Body) -> Body:
    """Return a player's limits of all kinds; older records have no limits on stakes."""
    return {**limits, "stake_at_once": limits.get("stake_at_once", {})}


def _by_manager(house: House, who: Actor) -> None:
    ensure(who.role == "manager", "managers-only", who=who.name, role=who.role)
    acting_account(house, who)


def _managers(house: House) -> list[str]:
    return [one["name"] for one in house.accounts.values() if one["active"] and holds(one, "manager", None)]


def _check_manager_left(house: House) -> None:
    ensure(_managers(house), "no-manager")


def _grant(event: Body) -> Body:
    return {"role": event["role"], "table": event["table"]}


def _check_grant(grant: Body, others: list[Body]) -> Body:
    """Return a role that is compatible with the person's others."""
    for other in others:
        both = (grant["role"], other["role"])
        ensure(grant != other, "role-twice", role=grant["role"])
        ensure("auditor" not in both or both == ("auditor", "auditor"), "auditor-alone")
        plays = [role in PLAYING for role in both]
        if plays[0] == plays[1]:
            continue
        ensure("manager" not in both, "manager-plays")
        apart = None not in (grant["table"], other["table"]) and grant["table"] != other["table"]
        ensure(apart, "roles-at-table", roles=both)
    return grant
