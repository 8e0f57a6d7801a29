"""Approvals: asked for by one person, given by another in a suitable role, in time, and used once."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.people import PLAYING, acting_account, check_server

if TYPE_CHECKING:
    from pitbook.audit.people import Actor, Body, House

VALID_FOR = timedelta(minutes=10)
FINISHED_MAX = 100


def request_approval(house: House, event: Body, who: Actor) -> None:
    ensure((event["asker"], event["by_role"]) == who[:2], "other-asker")
    acting_account(house, who, event["table"])
    ensure(event["at"] == who.at, "other-time")
    ensure(_time(event["until"]) == _time(who.at) + VALID_FOR, "ten-minutes")
    ensure(event["id"] not in house.approvals, "approval-exists", id=event["id"])
    house.approvals[event["id"]] = {
        "id": event["id"],
        "table": event["table"],
        "command": event["command"],
        "asker": event["asker"],
        "by_role": event["by_role"],
        "needs": event["needs"],
        "words": event["words"],
        "asked": event["at"],
        "until": event["until"],
        "standing": "waiting",
        "by": None,
        "role": None,
        "answer": "",
        "sequence": None,
        "player": event.get("player"),
    }


def given(house: House, event: Body, who: Actor) -> None:
    approval = _second_person(house, event, who)
    approval |= {"standing": "given", "by": event["by"], "role": event["role"]}


def refused(house: House, event: Body, who: Actor) -> None:
    _second_person(house, event, who)
    _finish(house, event, standing="refused", by=event["by"], role=event["role"], answer=event["words"])


def withdrawn(house: House, event: Body, who: Actor) -> None:
    approval = _open(house, event)
    acting_account(house, who, approval["table"])
    ensure(approval["asker"] == who.name, "withdrew", who=who.name, asker=approval["asker"])
    _finish(house, event, standing="withdrawn")


def expired(house: House, event: Body, who: Actor) -> None:
    ensure(_time(who.at) >= _time(_open(house, event)["until"]), "expired-early")
    _finish(house, event, standing="expired")


def used(house: House, event: Body, who: Actor) -> None:
    check_server(who)
    ensure(_open(house, event)["standing"] == "given", "approval-not-given")
    _finish(house, event, standing="used", sequence=event["sequence"])


def _open(house: House, event: Body) -> Body:
    approval = house.approvals.get(event["id"])
    if approval is None:
        raise CheckFailed("no-approval", id=event["id"])
    return approval


def _second_person(house: House, event: Body, who: Actor) -> Body:
    approval = _open(house, event)
    ensure((event["by"], event["role"]) == who[:2], "other-approver")
    ensure(who.name != approval["asker"], "own-request", who=who.name)
    acting_account(house, who, approval["table"])
    works = who.role not in (*PLAYING, "auditor")
    fits = who.role in approval["needs"] or ("staff" in approval["needs"] and works)
    fits = fits or who[:2] == (approval["player"], "player")
    ensure(fits, "wrong-approver", role=who.role, needs=approval["needs"])
    ensure(approval["standing"] == "waiting", "answered-before")
    ensure(_time(who.at) < _time(approval["until"]), "answered-late")
    return approval


def _finish(house: House, event: Body, **changes: object) -> None:
    over = house.approvals.pop(event["id"])
    house.finished = [*house.finished, over | changes][-FINISHED_MAX:]


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
