"""Second factors: the server records them, nobody resets their own, and the last one stays where policy needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.errors import ensure
from pitbook.audit.people import SERVER, acting_account, check_server, find_account

if TYPE_CHECKING:
    from pitbook.audit.people import Actor, Body, House


def added(house: House, event: Body, who: Actor) -> None:
    check_server(who)
    account, factor = find_account(house, event["person"]), event["factor"]
    ensure(factor["kind"] in ("totp", "passkey"), "factor-kind", kind=factor["kind"])
    known = [(one["id"], one["name"]) for one in account["factors"]]
    twice = any(factor["id"] == number or factor["name"] == name for number, name in known)
    ensure(not twice, "factor-exists", person=event["person"], name=factor["name"])
    account["factors"] = [*account["factors"], factor]


def removed(house: House, event: Body, who: Actor) -> None:
    check_server(who)
    account = find_account(house, event["person"])
    ensure(event["factor"] in account["factors"], "factor-unknown", person=event["person"])
    account["factors"] = [one for one in account["factors"] if one != event["factor"]]
    required = any(one["role"] in house.policy["factor_roles"] for one in account["roles"])
    ensure(account["factors"] or not required, "last-factor", person=event["person"])


def reset(house: House, event: Body, who: Actor) -> None:
    if who[:2] != (SERVER, SERVER):
        ensure(who.role == "manager", "managers-only", who=who.name, role=who.role)
        acting_account(house, who)
    ensure(event["person"] != who.name, "reset-own", who=who.name)
    account = find_account(house, event["person"])
    ensure(account["factors"], "nothing-to-reset", person=event["person"])
    ensure(event["words"].strip(), "reset-no-reason")
    account["factors"] = []


def locked(house: House, event: Body, who: Actor) -> None:
    check_server(who)
    find_account(house, event["person"])
    ensure(event["failures"] > 0 and event["until"] > who.at, "lock-no-failure")


def used(house: House, event: Body, who: Actor) -> None:
    check_server(who)
    known = [(one["kind"], one["name"]) for one in find_account(house, event["person"])["factors"]]
    ensure((event["kind"], event["name"]) in known, "factor-not-theirs", person=event["person"])
