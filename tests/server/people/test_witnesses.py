"""House policy `witness = "confirmed"`: a witness confirms with a PIN, or on their own device."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pitbook.audit import audit
from pitbook.house.codec import read_event
from pitbook.people.commands import AddPerson, SetPolicy
from pitbook.people.values import Grant
from pitbook.table.events import IrregularityCalled
from pitbook.table.people import Person
from tests.server.people.conftest import BOSS, PASSWORD, PASSWORDS_ONLY, Casino, Guest

pytestmark = pytest.mark.anyio

PIN = "480263"
CAS, CLIO = ({"name": name, "role": "casino-supervisor"} for name in ("cas", "clio"))
CALL = {"type": "Call", "irregularity": "device-malfunction", "present": [CAS]}


@pytest.fixture
def strict(casino: Casino) -> Casino:
    """A house whose witnesses confirm, with two casino supervisors and an open table."""
    for name in ("cas", "clio"):
        casino.done(BOSS, AddPerson(name, name.title(), (Grant("casino-supervisor"),)))
        password_hash = casino.access.password_of("max")
        assert password_hash is not None
        casino.access.set_password(name, password_hash, casino.desk.now())
    casino.done(BOSS, SetPolicy(replace(PASSWORDS_ONLY, witness="confirmed")))
    casino.open_table()
    return casino


async def signed_in(guest: Guest, name: str) -> Guest:
    assert (await guest.sign_in(name)).is_success
    return guest


async def has_pin(guest: Guest, pin: str | None = PIN) -> None:
    response = await guest.put("/me/pin", {"password": PASSWORD, "pin": pin})
    assert response.status_code == 200, response.text


def called(casino: Casino) -> list[IrregularityCalled]:
    events = (read_event(e.body) for e in casino.house.store.entries("t1") if e.kind == "IrregularityCalled")
    return [event for event in events if isinstance(event, IrregularityCalled)]


def with_pin(pin: str, name: str = "cas") -> dict[str, Any]:
    return {"command": CALL, "confirmations": [{"name": name, "pin": pin}]}


async def test_by_default_naming_a_witness_is_enough(casino: Casino) -> None:
    casino.done(BOSS, AddPerson("cas", "Cas", (Grant("casino-supervisor"),)))
    casino.open_table()
    async with casino.open() as guest:
        dan = await signed_in(guest(), "dan")
        assert (await dan.post("/tables/t1/commands", {"command": CALL})).status_code == 200
    assert called(casino)[0].witnessed == ()


async def test_a_witness_confirms_with_a_pin_at_the_console(strict: Casino) -> None:
    async with strict.open() as guest:
        dan, cas = await signed_in(guest(), "dan"), await signed_in(guest(), "cas")
        assert (await cas.get("/me/pin")).json() == {"set": False}
        await has_pin(cas)
        assert (await cas.get("/me/pin")).json() == {"set": True}
        wrong = await dan.post("/tables/t1/commands", with_pin("480264"))
        assert (wrong.status_code, wrong.json()["detail"]) == (422, "confirmations: this is not cas's PIN")
        assert called(strict) == []
        done = await dan.post("/tables/t1/commands", with_pin(PIN))
        assert done.status_code == 200, done.text
    (event,) = called(strict)
    assert (event.present, event.witnessed) == ((Person("cas", "casino-supervisor"),), ("cas",))
    failed = [msgspec.json.decode(one.answer or b"")["details"] for one in strict.record() if one.kind == "refused"]
    assert [(one["name"], one["why"]) for one in failed] == [("cas", "the PIN given at a console is wrong")]
    assert audit(strict.place).good


async def test_without_a_pin_the_act_waits_for_the_witness_to_confirm_on_a_device(strict: Casino) -> None:
    async with strict.open() as guest:
        dan, fay, clio = [await signed_in(guest(), name) for name in ("dan", "fay", "clio")]
        parked = await dan.post("/tables/t1/commands", {"command": CALL})
        assert parked.status_code == 202, parked.text
        number = parked.json()["approval"]
        assert called(strict) == []
        assert (await fay.post(f"/approvals/{number}/approve", {})).status_code == 403
        done = await clio.post(f"/approvals/{number}/approve", {})
        assert done.status_code == 200, done.text
    (event,) = called(strict)
    assert (event.present, event.witnessed) == ((Person("clio", "casino-supervisor"),), ("clio",))
    assert audit(strict.place).good


async def test_only_named_witnesses_confirm_and_nobody_guesses_pins(strict: Casino) -> None:
    async with strict.open() as guest:
        dan, cas = await signed_in(guest(), "dan"), await signed_in(guest(), "cas")
        await has_pin(cas)
        other = await dan.post("/tables/t1/commands", with_pin(PIN, "clio"))
        assert other.json()["detail"] == "confirmations: this does not need clio's PIN"
        weak = await cas.put("/me/pin", {"password": PASSWORD, "pin": "123456"})
        assert (weak.status_code, "run of digits" in weak.json()["detail"]) == (422, True)
        assert (await cas.put("/me/pin", {"password": "not mine", "pin": PIN})).status_code == 401
        await has_pin(cas, None)
        gone = await dan.post("/tables/t1/commands", with_pin(PIN))
        assert gone.status_code == 422


async def test_tries_with_a_pin_are_limited(make_casino: Any) -> None:
    casino: Casino = make_casino(sign_in_rate=3)
    casino.done(BOSS, AddPerson("cas", "Cas", (Grant("casino-supervisor"),)))
    casino.done(BOSS, SetPolicy(replace(PASSWORDS_ONLY, witness="confirmed")))
    casino.open_table()
    async with casino.open() as guest:
        dan = await signed_in(guest(), "dan")
        tries = [await dan.post("/tables/t1/commands", with_pin("480264")) for _ in range(4)]
        assert [one.status_code for one in tries] == [422, 422, 422, 429]


async def test_clients_that_do_not_know_a_policy_leave_it_unchanged(strict: Casino) -> None:
    async with strict.open() as guest:
        zoe = await signed_in(guest(), "zoe")
        response = await zoe.put("/policy", {"registration": True, "real_money_automatic": False})
        assert (response.json()["registration"], response.json()["witness"]) == (True, "confirmed")
