"""Acts of two persons: one asks, another who is really signed in approves, and the table does it once."""

from __future__ import annotations

import asyncio

import pytest

from pitbook.house.wiring import read_event
from pitbook.people.commands import GiveApproval, TakeRole
from pitbook.server.people.approving import needs_second, park
from pitbook.table import commands as c
from pitbook.table.events import Filled
from pitbook.table.people import ELECTRONIC_TUMBLER, Person
from pitbook.tumbler.mapping import MAPPING, commitment
from tests.server.people.conftest import BOSS, Club

pytestmark = pytest.mark.anyio

FAY, FLO, DAN = Person("fay", "floorperson"), Person("flo", "floorperson"), Person("dan", "dealer")


def filled(club: Club) -> list[Person]:
    """Who shared in the table's fills, as its record has them."""
    events = [read_event(entry.body) for entry in club.house.store.entries("t1") if entry.kind == "Filled"]
    return [event.second for event in events if isinstance(event, Filled)]


@pytest.mark.parametrize(
    ("command", "needs"),
    [
        (c.Count("opening", 0, FLO), ("staff",)),
        (c.Fill(100, FLO), ("staff",)),
        (c.Credit(100, FLO), ("staff",)),
        (c.CollectDrop(FLO), ("staff",)),
        (c.TakeStep("pay", confirmed_by=FLO), ("floorperson",)),
        (c.TakeStep("pay"), None),
        (c.PlaceBets(()), None),
        (c.CloseTable(), None),
    ],
)
def test_which_acts_need_a_second_person(command: c.Command, needs: tuple[str, ...] | None) -> None:
    assert needs_second(command) == needs


async def test_the_second_person_approves_and_the_act_is_done_with_them_in_it(club: Club) -> None:
    club.open_table()
    async with club.open() as guest:
        fay, flo = guest(), guest()
        await fay.sign_in("fay")
        await flo.sign_in("flo")
        fill = {"type": "Fill", "amount": 500_00, "second": {"name": "max", "role": "manager"}}
        parked = await fay.post("/tables/t1/commands", {"command": fill})
        assert parked.status_code == 202, parked.text
        number = parked.json()["approval"]
        assert filled(club) == []
        (waits,) = (await flo.get("/approvals")).json()["approvals"]
        assert (waits["id"], waits["yours"], waits["command"]["amount"]) == (number, True, 500_00)
        assert (await fay.get("/approvals")).json()["approvals"][0]["yours"] is False
        done = await flo.post(f"/approvals/{number}/approve", {})
        assert done.status_code == 200, done.text
        assert done.json()["events"] == ["Filled"]
        again = await flo.post(f"/approvals/{number}/approve", {})
        assert (again.status_code, again.json()["refusal"]) == (409, "approval-over")
    assert filled(club) == [FLO]
    assert [kind for kind in club.kinds() if kind.startswith("Approval")] == [
        "ApprovalAsked",
        "ApprovalGiven",
        "ApprovalUsed",
    ]


async def test_nobody_approves_their_own_act_nor_what_is_not_theirs_to_approve(club: Club) -> None:
    club.open_table()
    async with club.open() as guest:
        persons = {name: guest() for name in ("fay", "ann", "kim", "dan")}
        for name, person in persons.items():
            await person.sign_in(name)
        number = await park(club.services, "t1", FAY, c.Fill(500_00, FLO))
        own = await persons["fay"].post(f"/approvals/{number}/approve", {})
        assert (own.status_code, own.json()["refusal"]) == (403, "own-act")
        for name in ("ann", "kim"):
            assert (await persons[name].post(f"/approvals/{number}/approve", {})).status_code == 403
            assert (await persons[name].post(f"/approvals/{number}/refuse", {})).status_code == 403
            assert (await persons[name].post(f"/approvals/{number}/withdraw")).status_code == 403
            pretended = await persons[name].post(f"/approvals/{number}/approve", {"role": "floorperson"})
            assert pretended.status_code == 403
        assert (await persons["ann"].get("/approvals")).json()["approvals"] == []
        assert len((await persons["kim"].get("/approvals")).json()["approvals"]) == 1
        assert (await guest().get("/approvals")).status_code == 401
        assert (await guest().post(f"/approvals/{number}/approve", {})).status_code == 401
    assert filled(club) == []


async def test_a_step_is_confirmed_by_the_role_that_was_named(club: Club) -> None:
    club.open_table()
    async with club.open() as guest:
        dan, fay = guest(), guest()
        await dan.sign_in("dan")
        await fay.sign_in("fay")
        number = await park(club.services, "t1", FLO, c.TakeStep("pay", confirmed_by=Person("x", "floorperson")))
        assert (await dan.post(f"/approvals/{number}/approve", {})).status_code == 403
        refused = await fay.post(f"/approvals/{number}/approve", {})
    assert refused.json()["refusal"] not in (None, "approval-over")  # by the table, which is not at that step


async def test_an_approval_is_over_after_ten_minutes(club: Club) -> None:
    club.open_table()
    async with club.open() as guest:
        flo = guest()
        await flo.sign_in("flo")
        number = await park(club.services, "t1", FAY, c.Fill(500_00, FLO))
        club.later(minutes=10)
        late = await flo.post(f"/approvals/{number}/approve", {})
        assert (late.status_code, late.json()["refusal"]) == (409, "approval-expired")
        (told,) = (await flo.get("/approvals")).json()["approvals"]
        assert (told["standing"], told["yours"]) == ("expired", False)
    assert filled(club) == []


async def test_who_withdraws_while_it_is_being_done_is_not_told_that_it_was_withdrawn(club: Club) -> None:
    club.open_table()
    async with club.open() as guest:
        fay, flo = guest(), guest()
        await fay.sign_in("fay")
        await flo.sign_in("flo")
        number = await park(club.services, "t1", FAY, c.Fill(500_00, FLO))
        await club.services.desk.records.done(FLO, GiveApproval(number))  # and the table has not been asked yet
        late = await fay.post(f"/approvals/{number}/withdraw")
        assert (late.status_code, late.json()["refusal"]) == (409, "approval-over")
        assert (await flo.post(f"/approvals/{number}/approve", {})).json()["events"] == ["Filled"]
        (told,) = (await fay.get("/approvals")).json()["finished"]
        assert (told["id"], told["standing"]) == (number, "used")


async def test_what_is_refused_or_withdrawn_is_not_done(club: Club) -> None:
    club.open_table()
    async with club.open() as guest:
        fay, flo = guest(), guest()
        await fay.sign_in("fay")
        await flo.sign_in("flo")
        one = await park(club.services, "t1", FAY, c.Fill(500_00, FLO))
        two = await park(club.services, "t1", FAY, c.Fill(700_00, FLO))
        refused = await flo.post(f"/approvals/{one}/refuse", {"words": "count it again"})
        assert (refused.json()["standing"], refused.json()["by"]) == ("refused", "flo")
        assert (await flo.post(f"/approvals/{two}/withdraw")).json()["refusal"] == "wrong-role"
        assert (await fay.post(f"/approvals/{two}/withdraw")).json()["standing"] == "withdrawn"
        over = (await fay.get("/approvals")).json()["finished"]
        assert [(told["id"], told["standing"], told["answer"]) for told in over] == [
            (two, "withdrawn", ""),
            (one, "refused", "count it again"),
        ]
        for number in (one, two):
            assert (await flo.post(f"/approvals/{number}/approve", {})).json()["refusal"] == "approval-over"
        assert (await flo.post("/approvals/none/approve", {})).json()["refusal"] == "no-such-approval"
    assert filled(club) == []


async def test_an_asker_who_lost_the_role_meanwhile_gets_nothing_approved(club: Club) -> None:
    club.open_table()
    async with club.open() as guest:
        flo = guest()
        await flo.sign_in("flo")
        number = await park(club.services, "t1", FAY, c.Fill(500_00, FLO))
        club.done(BOSS, TakeRole("fay", "floorperson", "t1"))
        assert (await flo.post(f"/approvals/{number}/approve", {})).json()["refusal"] == "wrong-role"
    assert filled(club) == []


async def test_an_approval_that_was_cut_off_before_the_act_is_taken_up_again_once(club: Club) -> None:
    club.open_table()
    async with club.open() as guest:
        flo, dan = guest(), guest()
        await flo.sign_in("flo")
        await dan.sign_in("dan")
        number = await park(club.services, "t1", FAY, c.Fill(500_00, FLO))
        club.done(FLO, GiveApproval(number))  # and the process died
        assert (await dan.post(f"/approvals/{number}/approve", {})).json()["refusal"] == "approval-over"
        answers = await asyncio.gather(*(flo.post(f"/approvals/{number}/approve", {}) for _ in range(5)))
        assert 200 in [answer.status_code for answer in answers]
    assert filled(club) == [FLO]
    assert club.kinds().count("ApprovalUsed") == 1


async def test_an_approval_that_was_cut_off_is_not_taken_up_again_after_its_time(club: Club) -> None:
    club.open_table()
    async with club.open() as guest:
        flo = guest()
        await flo.sign_in("flo")
        number = await park(club.services, "t1", FAY, c.Fill(500_00, FLO))
        club.done(FLO, GiveApproval(number))  # and the process died
        club.later(minutes=10)
        late = await flo.post(f"/approvals/{number}/approve", {})
        assert (late.status_code, late.json()["refusal"]) == (409, "approval-expired")
    assert filled(club) == []


async def test_the_same_key_again_is_the_same_approval(club: Club) -> None:
    club.open_table()
    async with club.open():
        one = await park(club.services, "t1", FAY, c.Fill(500_00, FLO), key="k1")
        assert await park(club.services, "t1", FAY, c.Fill(500_00, FLO), key="k1") == one
        assert await park(club.services, "t1", FAY, c.Fill(500_00, FLO), key="k2") != one
    assert len(club.house.people.approvals) == 2


async def test_a_round_to_be_void_waits_for_another_supervisor_and_is_told(club: Club) -> None:
    club.open_table(automatic=c.Automatic())
    committed = c.CommitSeed(commitment(b"s" * 32), "sealed", MAPPING)
    for who, command in ((ELECTRONIC_TUMBLER, committed), (BOSS, c.ProposeVoid("a guest fell ill"))):
        answer = club.house.ask("t1", who, command)
        assert answer.refused is None, answer
    async with club.open() as guest:
        told = {}
        for name in ("max", "zoe", "kim", "ann"):
            somebody = guest()
            await somebody.sign_in(name)
            told[name] = (await somebody.get("/proposals")).json()
        assert (await guest().get("/proposals")).status_code == 401
    (waits,) = told["zoe"]
    assert (waits["kind"], waits["by"], waits["role"]) == ("void", "max", "manager")
    assert [one["role"] for one in (*told["max"], *told["kim"])] == [None, None]
    assert told["ann"] == []
