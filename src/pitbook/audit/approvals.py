"""Approvals: asked for by one person, given by another in a suitable role, in time, and used once."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.people import PLAYING, acting_account, check_server

if TYPE_CHECKING:
    from pitbook.audit.people import Body, House, Who

HOLDS = timedelta(minutes=10)
KEPT = 100


def asked(house: House, event: Body, who: Who) -> None:
    ensure((event["asker"], event["by_role"]) == who[:2], "it was asked for by somebody else than it says")
    acting_account(house, who, event["table"])
    ensure(event["at"] == who.at, "it was at another time than it says")
    ensure(_time(event["until"]) == _time(who.at) + HOLDS, "an approval holds for ten minutes")
    ensure(event["id"] not in house.approvals, f"there is an approval {event['id']} already")
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


def given(house: House, event: Body, who: Who) -> None:
    approval = _second_person(house, event, who)
    approval |= {"standing": "given", "by": event["by"], "role": event["role"]}


def refused(house: House, event: Body, who: Who) -> None:
    _second_person(house, event, who)
    _finish(house, event, standing="refused", by=event["by"], role=event["role"], answer=event["words"])


def withdrawn(house: House, event: Body, who: Who) -> None:
    approval = _open(house, event)
    acting_account(house, who, approval["table"])
    ensure(approval["asker"] == who.name, f"{who.name} withdrew what {approval['asker']} asked for")
    _finish(house, event, standing="withdrawn")


def expired(house: House, event: Body, who: Who) -> None:
    ensure(_time(who.at) >= _time(_open(house, event)["until"]), "an approval expired before its time")
    _finish(house, event, standing="expired")


def used(house: House, event: Body, who: Who) -> None:
    check_server(who)
    ensure(_open(house, event)["standing"] == "given", "an approval was used that nobody gave")
    _finish(house, event, standing="used", sequence=event["sequence"])


def _open(house: House, event: Body) -> Body:
    approval = house.approvals.get(event["id"])
    if approval is None:
        raise CheckFailed(f"no approval {event['id']} is open")
    return approval


def _second_person(house: House, event: Body, who: Who) -> Body:
    approval = _open(house, event)
    ensure((event["by"], event["role"]) == who[:2], "it was answered by somebody else than it says")
    ensure(who.name != approval["asker"], f"{who.name} answered their own request for approval")
    acting_account(house, who, approval["table"])
    works = who.role not in (*PLAYING, "auditor")
    fits = who.role in approval["needs"] or ("staff" in approval["needs"] and works)
    fits = fits or who[:2] == (approval["player"], "player")
    ensure(fits, f"a {who.role} answered, and {' or '.join(approval['needs'])} was needed")
    ensure(approval["standing"] == "waiting", "it was answered before")
    ensure(_time(who.at) < _time(approval["until"]), "it was answered after its time")
    return approval


def _finish(house: House, event: Body, **changes: object) -> None:
    over = house.approvals.pop(event["id"])
    house.finished = [*house.finished, over | changes][-KEPT:]


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
