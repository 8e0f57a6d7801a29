"""Acts that take two persons, over HTTP: asked for by one, approved by another, on record with both."""

from __future__ import annotations

from typing import Any

from pitbook.journal.entries import HOUSE
from pitbook.ledger.accounts import float_of
from tests.server.whole.clients import done, refused
from tests.server.whole.deployment import Deployment, body

TABLE = "massachusetts"


def test_a_fill_waits_for_a_second_person_and_is_never_the_askers_own(demo_house: Deployment) -> None:
    fay, flo = demo_house.visitor("demo-floorperson"), demo_house.visitor("demo-floorperson-2")
    ann, dealer = demo_house.visitor("demo-ann"), demo_house.visitor("demo-dealer")
    start, chips = fay.table(TABLE)["sequence"], demo_house.balances()[float_of(TABLE)]
    request: dict[str, Any] = {"amount": 50_000, "second": {"name": flo.name, "role": "floorperson"}}
    parked = done(fay.command(TABLE, "Fill", key="fill 1", **request), 202)
    assert (parked["sequence"], parked["events"]) == (0, [])
    again = done(fay.command(TABLE, "Fill", key="fill 1", **request), 202)
    number = parked["approval"]
    assert again["approval"] == number
    assert fay.table(TABLE)["sequence"] == start, "nothing is done yet"
    assert demo_house.balances()[float_of(TABLE)] == chips

    refused(fay.approve(number), "own-act", 403)
    assert ann.approve(number).status_code == 403
    assert [one["id"] for one in flo.get_json("/approvals")["approvals"] if one["yours"]] == [number]
    assert not any(one["yours"] for one in fay.get_json("/approvals")["approvals"])

    approved = done(flo.approve(number))
    assert approved["events"] == ["Filled"]
    assert demo_house.balances()[float_of(TABLE)] == chips + 50_000
    filled = demo_house.record(TABLE, start)
    assert [(entry.kind, entry.actor, entry.role) for entry in filled] == [("Filled", fay.name, "floorperson")]
    assert body(filled[0])["second"] == {"name": flo.name, "role": "floorperson"}
    kinds = ("ApprovalAsked", "ApprovalGiven", "ApprovalUsed")
    house = [entry for entry in demo_house.record(HOUSE) if entry.kind in kinds and body(entry)["id"] == number]
    assert [(entry.kind, entry.actor) for entry in house[:2]] == [
        ("ApprovalAsked", fay.name),
        ("ApprovalGiven", flo.name),
    ]
    assert house[2].kind == "ApprovalUsed"
    assert flo.approve(number).status_code == 409
    assert demo_house.balances()[float_of(TABLE)] == chips + 50_000, "an approval is good for one act"
    assert dealer.table(TABLE)["sequence"] == start + 1


def test_a_fill_that_is_refused_or_withdrawn_moves_nothing(demo_house: Deployment) -> None:
    fay, flo = demo_house.visitor("demo-floorperson"), demo_house.visitor("demo-floorperson-2")
    before = demo_house.balances(), fay.table(TABLE)["sequence"]
    request: dict[str, Any] = {"amount": 70_000, "second": {"name": flo.name, "role": "floorperson"}}
    for answer in ("refuse", "withdraw"):
        number = done(fay.command(TABLE, "Fill", **request), 202)["approval"]
        who = flo if answer == "refuse" else fay
        body_ = {"words": "not now"} if answer == "refuse" else None
        done(who.post(f"/approvals/{number}/{answer}", body_))
        assert flo.approve(number).status_code == 409
    assert (demo_house.balances(), fay.table(TABLE)["sequence"]) == before


def test_a_player_or_a_dealer_cannot_ask_for_a_fill(demo_house: Deployment) -> None:
    fay = demo_house.visitor("demo-floorperson")
    before = demo_house.balances()
    for name in ("demo-ann", "demo-dealer"):
        asker = demo_house.visitor(name)
        answer = asker.command(TABLE, "Fill", amount=100, second={"name": fay.name, "role": "floorperson"})
        if answer.status_code == 202:
            answer = fay.approve(answer.json()["approval"])
        refused(answer, "wrong-role", 403)
    assert demo_house.balances() == before
