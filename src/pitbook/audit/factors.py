"""Second factors: the server records them, nobody resets their own, and the last one stays where policy needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.errors import ensure
from pitbook.audit.people import SERVER, acting_account, check_server, find_account

if TYPE_CHECKING:
    from pitbook.audit.people import Body, House, Who


def added(house: House, event: Body, who: Who) -> None:
    check_server(who)
    account, factor = find_account(house, event["person"]), event["factor"]
    ensure(factor["kind"] in ("totp", "passkey"), f"there is no second factor of the kind {factor['kind']!r}")
    known = [(one["id"], one["name"]) for one in account["factors"]]
    twice = any(factor["id"] == number or factor["name"] == name for number, name in known)
    ensure(not twice, f"{event['person']} has the second factor {factor['name']!r} already")
    account["factors"] = [*account["factors"], factor]


def removed(house: House, event: Body, who: Who) -> None:
    check_server(who)
    account = find_account(house, event["person"])
    ensure(event["factor"] in account["factors"], f"{event['person']} did not have the second factor that was removed")
    account["factors"] = [one for one in account["factors"] if one != event["factor"]]
    required = any(one["role"] in house.policy["factor_roles"] for one in account["roles"])
    ensure(account["factors"] or not required, f"{event['person']} needs a second factor, and removed the last one")


def reset(house: House, event: Body, who: Who) -> None:
    if who[:2] != (SERVER, SERVER):
        ensure(who.role == "manager", f"{who.name} ({who.role}) does what only managers do")
        acting_account(house, who)
    ensure(event["person"] != who.name, f"{who.name} reset their own second factors")
    account = find_account(house, event["person"])
    ensure(account["factors"], f"{event['person']} had no second factor to reset")
    ensure(event["words"].strip(), "second factors were reset without a reason")
    account["factors"] = []


def locked(house: House, event: Body, who: Who) -> None:
    check_server(who)
    find_account(house, event["person"])
    ensure(event["failures"] > 0 and event["until"] > who.at, "second factors are locked for no failure, or no time")


def used(house: House, event: Body, who: Who) -> None:
    check_server(who)
    known = [(one["kind"], one["name"]) for one in find_account(house, event["person"])["factors"]]
    ensure((event["kind"], event["name"]) in known, f"{event['person']} used a second factor that they do not have")
