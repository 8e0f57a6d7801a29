"""Acts of two persons: one asks, another who is really signed in approves, and the table does it once."""

from __future__ import annotations

import asyncio

import pytest

from pitbook.house.codec import read_event
from pitbook.house.house import House
from pitbook.people.commands import GiveApproval, GiveRole, TakeRole
from pitbook.server.commands.approvals import (
    _with_second_person,
    fetch_approval,
    find_approval,
    request_approval,
    second_person_roles,
)
from pitbook.server.http.problems import Problem
from pitbook.server.people.pending_commands import PendingCommand, pending_command
from pitbook.server.services import Services
from pitbook.table import commands as c
from pitbook.table.events import Filled
from pitbook.table.people import ELECTRONIC_TUMBLER, Person
from pitbook.tumbler.mapping import MAPPING, commitment
from tests.server.people.conftest import BOSS, Casino

pytestmark = pytest.mark.anyio

FAY, FLO, DAN = Person("fay", "floorperson"), Person("flo", "floorperson"), Person("dan", "dealer")


def filled(casino: Casino) -> list[Person]:
    """The people who shared in the table's fills, as its record has them."""
    events = [read_event(entry.body) for entry in casino.house.store.entries("t1") if entry.kind == "Filled"]
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
    assert second_person_roles(command) == needs


async def test_the_second_person_approves_and_the_act_is_done_with_them_in_it(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        fay, flo = guest(), guest()
        await fay.sign_in("fay")
        await flo.sign_in("flo")
        fill = {"type": "Fill", "amount": 500_00, "second": {"name": "max", "role": "manager"}}
        parked = await fay.post("/tables/t1/commands", {"command": fill})
        assert parked.status_code == 202, parked.text
        number = parked.json()["approval"]
        assert filled(casino) == []
        (waits,) = (await flo.get("/approvals")).json()["approvals"]
        assert (waits["id"], waits["yours"], waits["command"]["amount"]) == (number, True, 500_00)
        assert (await fay.get("/approvals")).json()["approvals"][0]["yours"] is False
        done = await flo.post(f"/approvals/{number}/approve", {})
        assert done.status_code == 200, done.text
        assert done.json()["events"] == ["Filled"]
        again = await flo.post(f"/approvals/{number}/approve", {})
        assert (again.status_code, again.json()["refusal"]) == (409, "approval-over")
    assert filled(casino) == [FLO]
    assert [kind for kind in casino.kinds() if kind.startswith("Approval")] == [
        "ApprovalAsked",
        "ApprovalGiven",
        "ApprovalUsed",
    ]


async def test_nobody_approves_their_own_act_nor_what_is_not_theirs_to_approve(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        persons = {name: guest() for name in ("fay", "ann", "kim", "dan")}
        for name, person in persons.items():
            await person.sign_in(name)
        number = await request_approval(casino.services, "t1", FAY, c.Fill(500_00, FLO))
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
    assert filled(casino) == []


async def test_a_step_is_confirmed_by_the_role_that_was_named(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        dan, fay = guest(), guest()
        await dan.sign_in("dan")
        await fay.sign_in("fay")
        number = await request_approval(
            casino.services, "t1", FLO, c.TakeStep("pay", confirmed_by=Person("x", "floorperson"))
        )
        assert (await dan.post(f"/approvals/{number}/approve", {})).status_code == 403
        refused = await fay.post(f"/approvals/{number}/approve", {})
    assert refused.json()["refusal"] not in (None, "approval-over")  # by the table, which is not at that step


async def test_an_approval_is_over_after_ten_minutes(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        flo = guest()
        await flo.sign_in("flo")
        number = await request_approval(casino.services, "t1", FAY, c.Fill(500_00, FLO))
        casino.later(minutes=10)
        late = await flo.post(f"/approvals/{number}/approve", {})
        assert (late.status_code, late.json()["refusal"]) == (409, "approval-expired")
        (body,) = (await flo.get("/approvals")).json()["approvals"]
        assert (body["standing"], body["yours"]) == ("expired", False)
    assert filled(casino) == []


async def test_a_withdrawal_during_execution_is_not_reported_as_withdrawn(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        fay, flo = guest(), guest()
        await fay.sign_in("fay")
        await flo.sign_in("flo")
        number = await request_approval(casino.services, "t1", FAY, c.Fill(500_00, FLO))
        await casino.services.authenticator.records.execute(
            FLO, GiveApproval(number)
        )  # and the table has not received it yet
        late = await fay.post(f"/approvals/{number}/withdraw")
        assert (late.status_code, late.json()["refusal"]) == (409, "approval-over")
        assert (await flo.post(f"/approvals/{number}/approve", {})).json()["events"] == ["Filled"]
        (body,) = (await fay.get("/approvals")).json()["finished"]
        assert (body["id"], body["standing"]) == (number, "used")


async def test_what_is_refused_or_withdrawn_is_not_done(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        fay, flo = guest(), guest()
        await fay.sign_in("fay")
        await flo.sign_in("flo")
        one = await request_approval(casino.services, "t1", FAY, c.Fill(500_00, FLO))
        two = await request_approval(casino.services, "t1", FAY, c.Fill(700_00, FLO))
        refused = await flo.post(f"/approvals/{one}/refuse", {"words": "count it again"})
        assert (refused.json()["standing"], refused.json()["by"]) == ("refused", "flo")
        assert (await flo.post(f"/approvals/{two}/withdraw")).json()["refusal"] == "wrong-role"
        assert (await fay.post(f"/approvals/{two}/withdraw")).json()["standing"] == "withdrawn"
        over = (await fay.get("/approvals")).json()["finished"]
        assert [(data["id"], data["standing"], data["answer"]) for data in over] == [
            (two, "withdrawn", ""),
            (one, "refused", "count it again"),
        ]
        for number in (one, two):
            assert (await flo.post(f"/approvals/{number}/approve", {})).json()["refusal"] == "approval-over"
        assert (await flo.post("/approvals/none/approve", {})).json()["refusal"] == "no-such-approval"
    assert filled(casino) == []


async def test_an_asker_who_lost_the_role_meanwhile_gets_nothing_approved(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        flo = guest()
        await flo.sign_in("flo")
        number = await request_approval(casino.services, "t1", FAY, c.Fill(500_00, FLO))
        casino.done(BOSS, TakeRole("fay", "floorperson", "t1"))
        assert (await flo.post(f"/approvals/{number}/approve", {})).json()["refusal"] == "wrong-role"
    assert filled(casino) == []


async def test_an_approval_that_was_cut_off_before_the_act_is_taken_up_again_once(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        flo, dan = guest(), guest()
        await flo.sign_in("flo")
        await dan.sign_in("dan")
        number = await request_approval(casino.services, "t1", FAY, c.Fill(500_00, FLO))
        casino.done(FLO, GiveApproval(number))  # and the process died
        assert (await dan.post(f"/approvals/{number}/approve", {})).json()["refusal"] == "approval-over"
        answers = await asyncio.gather(*(flo.post(f"/approvals/{number}/approve", {}) for _ in range(5)))
        assert 200 in [answer.status_code for answer in answers]
    assert filled(casino) == [FLO]
    assert casino.kinds().count("ApprovalUsed") == 1


async def test_an_approval_that_was_cut_off_is_not_taken_up_again_after_its_time(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        flo = guest()
        await flo.sign_in("flo")
        number = await request_approval(casino.services, "t1", FAY, c.Fill(500_00, FLO))
        casino.done(FLO, GiveApproval(number))  # and the process died
        casino.later(minutes=10)
        late = await flo.post(f"/approvals/{number}/approve", {})
        assert (late.status_code, late.json()["refusal"]) == (409, "approval-expired")
    assert filled(casino) == []


async def test_the_same_key_again_is_the_same_approval(casino: Casino) -> None:
    casino.open_table()
    async with casino.open():
        one = await request_approval(casino.services, "t1", FAY, c.Fill(500_00, FLO), key="k1")
        assert await request_approval(casino.services, "t1", FAY, c.Fill(500_00, FLO), key="k1") == one
        assert await request_approval(casino.services, "t1", FAY, c.Fill(500_00, FLO), key="k2") != one
        assert len(bytes.fromhex(one)) * 8 == 128
    assert len(casino.house.people.approvals) == 2


async def test_money_is_parked_for_any_step_and_a_step_for_the_one_that_was_seen(casino: Casino) -> None:
    casino.open_table()
    async with casino.open():
        fill = await request_approval(casino.services, "t1", FAY, c.Fill(500_00, FLO), expected=(1, 2))
        pay = await request_approval(casino.services, "t1", FAY, c.TakeStep("pay", confirmed_by=FLO), expected=(1, 2))
        assert pending_command(find_approval(casino.services, fill)).expected is None
        assert pending_command(find_approval(casino.services, pay)).expected == (1, 2)
        assert len(fill) == len(pay) == 16


async def test_what_another_process_has_just_parked_is_found(casino: Casino) -> None:
    casino.open_table()
    elsewhere = House(casino.house.store)  # as another process sees the journal
    other = Services(casino.settings, elsewhere, casino.access)
    async with casino.open():
        number = await request_approval(casino.services, "t1", FAY, c.Fill(500_00, FLO))
        with pytest.raises(Problem, match="no-such-approval"):
            find_approval(other, number)
        assert (await fetch_approval(other, number)).asker == "fay"


async def test_an_approval_is_taken_up_again_in_the_role_in_which_it_was_given(casino: Casino) -> None:
    casino.open_table()
    casino.done(BOSS, GiveRole("flo", "dealer", "t1"))
    async with casino.open() as guest:
        flo = guest()
        await flo.sign_in("flo")
        number = await request_approval(casino.services, "t1", FAY, c.Fill(500_00, FLO))
        casino.done(FLO, GiveApproval(number))  # and the process died
        assert (await flo.post(f"/approvals/{number}/approve", {"role": "dealer"})).status_code == 200
        other = await request_approval(casino.services, "t1", FAY, c.Fill(300_00, FLO))
        assert (await flo.post(f"/approvals/{other}/approve", {"role": "dealer"})).status_code == 200
    assert filled(casino) == [FLO, Person("flo", "dealer")]


async def test_a_requester_with_several_roles_withdraws_in_the_role_of_the_request(casino: Casino) -> None:
    casino.open_table()
    casino.done(BOSS, GiveRole("fay", "dealer", "t1"))
    async with casino.open() as guest:
        fay = guest()
        await fay.sign_in("fay")
        number = await request_approval(casino.services, "t1", FAY, c.Fill(500_00, FLO))
        assert (await fay.post(f"/approvals/{number}/withdraw")).json()["standing"] == "withdrawn"


def test_whoever_approves_takes_the_place_of_the_witness_and_of_nobody_else() -> None:
    def shared(command: c.AnyCommand, witness: Person | None = None) -> c.Command:
        return _with_second_person(PendingCommand(command, witness=witness), DAN)

    assert shared(c.Fill(5, FLO)) == c.Fill(5, DAN)
    assert shared(c.Call("x", present=(FAY, FLO)), FLO) == c.Call("x", present=(FAY, DAN))
    assert shared(c.TakeStep("pay", confirmed_by=FLO)) == c.TakeStep("pay", confirmed_by=DAN)
    assert shared(c.TakeStep("pay", directed_by=FAY), FAY) == c.TakeStep("pay", directed_by=DAN)
    both = c.TakeStep("pay", directed_by=FAY, confirmed_by=FLO)
    assert shared(both, FLO) == c.TakeStep("pay", directed_by=FAY, confirmed_by=DAN)
    for command in (c.Call("x", present=(FAY,)), c.CloseTable()):
        with pytest.raises(Problem, match="this needs no approval"):
            shared(command)


async def test_voiding_a_round_waits_for_another_supervisor_and_is_listed(casino: Casino) -> None:
    casino.open_table(automatic=c.Automatic())
    committed = c.CommitSeed(commitment(b"s" * 32), "sealed", MAPPING)
    for who, command in ((ELECTRONIC_TUMBLER, committed), (BOSS, c.ProposeVoid("a guest fell ill"))):
        answer = casino.house.ask("t1", who, command)
        assert answer.refused is None, answer
    async with casino.open() as guest:
        data = {}
        for name in ("max", "zoe", "kim", "ann"):
            user = guest()
            await user.sign_in(name)
            data[name] = (await user.get("/proposals")).json()
        assert (await guest().get("/proposals")).status_code == 401
    (waits,) = data["zoe"]
    assert (waits["kind"], waits["by"], waits["role"]) == ("void", "max", "manager")
    assert [one["role"] for one in (*data["max"], *data["kim"])] == [None, None]
    assert data["ann"] == []
