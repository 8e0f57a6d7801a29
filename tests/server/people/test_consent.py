"""Staff move the chips of a player with an account only with consent: on a device, with a PIN, or a second person's."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest

from pitbook.audit import audit
from pitbook.auth.passwords import Passwords
from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.house.codec import read_event
from pitbook.ledger.accounts import player
from pitbook.people.commands import AddPerson, Exclude, SetPolicy
from pitbook.people.values import Grant, Policy
from pitbook.server.commands.approvals import consenting_player
from pitbook.server.streams.projections import project
from pitbook.table import commands as c
from pitbook.table.events import BetPlaced, BoughtIn, CashedOut
from pitbook.table.people import Consent, Person
from pitbook.testing import JournalTable
from tests.server.forking import FAST_HASHING
from tests.server.people.conftest import BOSS, PASSWORD, Casino, Guest

pytestmark = pytest.mark.anyio

PIN = "480263"
BUY = {"type": "BuyIn", "amount": 100_00, "player": "ann"}
BET = {"type": "PlaceBets", "bets": [{"wager": "small", "amount": 10_00}], "player": "ann"}
ANN, FAY = Person("ann", "player"), Person("fay", "floorperson")


async def signed_in(guest: Guest, name: str) -> Guest:
    assert (await guest.sign_in(name)).is_success
    return guest


async def asks(guest: Guest, command: dict[str, Any], **more: Any) -> httpx.Response:
    return await guest.post("/tables/t1/commands", {"command": command, **more})


def held(casino: Casino) -> int:
    account = player("ann", "USD")
    return casino.house.store.balances([account])[account]


def consents(casino: Casino) -> list[Consent | None]:
    """How each movement of chips was agreed to."""
    events = (read_event(entry.body) for entry in casino.house.store.entries("t1") if entry.kind != "refused")
    return [event.consent for event in events if isinstance(event, BoughtIn | CashedOut | BetPlaced)]


async def test_the_player_consents_on_their_own_device(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        dan, ann, ben = [await signed_in(guest(), name) for name in ("dan", "ann", "ben")]
        waiting = await asks(dan, BUY)
        assert (waiting.status_code, held(casino)) == (202, 0)
        number = waiting.json()["approval"]
        (seen,) = (await ann.get("/approvals")).json()["approvals"]
        assert (seen["id"], seen["yours"], seen["player"], seen["asker"]) == (number, True, "ann", "dan")
        assert (await ben.get("/approvals")).json()["approvals"] == []
        assert (await ben.post(f"/approvals/{number}/approve", {})).status_code == 403
        assert (await dan.post(f"/approvals/{number}/approve", {})).status_code == 403
        assert (await ann.post(f"/approvals/{number}/approve", {})).status_code == 200
    assert (held(casino), consents(casino)) == (100_00, [Consent("device", ANN, number)])
    assert audit(casino.place).good


async def test_nobody_buys_chips_on_their_own_device_without_the_staff_who_take_the_cash(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        ann = await signed_in(guest(), "ann")
        refused = await asks(ann, {"type": "BuyIn", "amount": 100_00})
    assert (refused.status_code, refused.json()["refusal"], held(casino)) == (403, "wrong-role", 0)


@pytest.mark.parametrize(("name", "scope", "other"), [("ann", "play", "deal"), ("fay", "deal", "play")])
async def test_a_token_approves_only_with_the_scope_for_it(casino: Casino, name: str, scope: str, other: str) -> None:
    casino.open_table()
    async with casino.open() as guest:
        dan, person = [await signed_in(guest(), one) for one in ("dan", name)]
        number = (await asks(dan, BUY)).json()["approval"]
        for scopes, status in ((["read", "manage"], 403), ([other], 403), ([scope], 200)):
            token = (await person.post("/me/tokens", {"name": "a program", "scopes": scopes})).json()["token"]
            headers = {"Authorization": f"Bearer {token}"}
            response = await guest().post(f"/approvals/{number}/approve", {}, headers=headers)
            assert (response.status_code, held(casino)) == (status, 100_00 if status == 200 else 0), response.text


async def test_a_player_declines_and_nothing_moves(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        dan, ann = await signed_in(guest(), "dan"), await signed_in(guest(), "ann")
        number = (await asks(dan, BUY)).json()["approval"]
        assert (await ann.post(f"/approvals/{number}/refuse", {"words": ""})).status_code == 200
        (over,) = (await dan.get("/approvals")).json()["finished"]
        assert (over["standing"], over["by"]) == ("refused", "ann")
    assert (held(casino), consents(casino)) == (0, [])


async def test_a_second_person_approves_in_the_place_of_the_player(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        dan, fay = await signed_in(guest(), "dan"), await signed_in(guest(), "fay")
        number = (await asks(dan, BUY)).json()["approval"]
        assert (await fay.post(f"/approvals/{number}/approve", {})).status_code == 200
    assert consents(casino) == [Consent("second person", FAY, number)]
    assert audit(casino.place).good


async def test_the_player_consents_with_a_pin_at_the_table(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        dan, ann = await signed_in(guest(), "dan"), await signed_in(guest(), "ann")
        wrong = await asks(dan, BUY, confirmations=[{"name": "ann", "pin": PIN}])
        assert (wrong.status_code, held(casino)) == (422, 0)
        assert (await ann.put("/me/pin", {"password": PASSWORD, "pin": PIN})).status_code == 200
        pins = [{"name": "ann", "pin": PIN}]
        assert (await asks(dan, BUY, confirmations=pins)).status_code == 200
        cash = {"type": "CashOut", "amount": 40_00, "player": "ann"}
        assert (await asks(dan, cash)).status_code == 202
        assert (await asks(dan, cash, confirmations=pins)).status_code == 200
        someone = await asks(dan, {**BUY, "player": "Bob"}, confirmations=pins)
        assert someone.status_code == 422
    assert (held(casino), consents(casino)) == (60_00, [Consent("pin", ANN)] * 2)
    assert audit(casino.place).good


async def test_a_walk_in_needs_no_consent(casino: Casino) -> None:
    casino.open_table()
    async with casino.open() as guest:
        dan = await signed_in(guest(), "dan")
        assert (await asks(dan, {**BUY, "player": "Bob"})).status_code == 200
    assert consents(casino) == [None]


def take_bets(casino: Casino, policy: Policy | None = None) -> Casino:
    """Open a table that takes bets, with chips in Ann's hand."""
    casino.done(BOSS, AddPerson("sue", "Sue", (Grant("casino-supervisor", "t1"),)))
    if policy is not None:
        casino.done(BOSS, SetPolicy(policy))
    casino.open_table()
    lit = tuple(illuminate(casino.house.table("t1").rules, Roll.of(1, 2, 3)))
    for who, command in (
        (Person("dan", "dealer"), c.TakeOver()),
        (FAY, c.PutDice("red")),
        (FAY, c.Inspect("device-before-opening", (1, 2, 3), lit)),
        (FAY, c.Inspect("shaker-before-opening", proper=3)),
        (Person("sue", "casino-supervisor"), c.Inspect("shaker-each-shift", proper=3)),
        (ANN, c.BuyIn(100_00)),
    ):
        answer = casino.house.ask("t1", who, command)
        assert answer.refused is None, answer
    return casino


async def test_a_bet_for_a_player_is_shown_and_can_be_taken_off(casino: Casino) -> None:
    take_bets(casino)
    async with casino.open() as guest:
        dan, ann = await signed_in(guest(), "dan"), await signed_in(guest(), "ann")
        own = await ann.post("/tables/t1/bets", {"bets": [{"wager": "small", "amount": 5_00}]})
        assert own.status_code == 200, own.text
        assert (await asks(dan, BET)).status_code == 200
        (bet,) = casino.house.table("t1").bets.of("ann")
        assert (bet.amount, bet.by, bet.behalf) == (15_00, "dan", 10_00)
        entry = [one for one in casino.house.store.entries("t1") if one.kind == "BetPlaced"][-1]
        assert b'"by":"dan"' in project(entry).own["ann"]
        assert b'"dan"' not in (project(entry).public or b"")
        off = await asks(ann, {"type": "TakeDown", "wager": "small", "amount": bet.behalf})
        assert off.status_code == 200, off.text
        (left,) = casino.house.table("t1").bets.of("ann")
        assert (left.amount, left.by, left.behalf) == (5_00, None, 0)


class Found(JournalTable):
    """A table whose book has clauses on wagers that are found on the layout; its crew has accounts."""

    def __init__(self, casino: Casino) -> None:
        for name, role in (("dealer-1", "dealer"), ("second", "gaming-shift-manager")):
            casino.done(BOSS, AddPerson(name, name, (Grant(role, "t1"),)))
            casino.access.set_password(name, Passwords(FAST_HASHING).hash_password(PASSWORD), casino.desk.now())
        super().__init__(casino.house, "singapore-mbs-sic-bo-v6", limits={"*": c.Limit(5_00, 500_00)})
        self.buy_in("ann", 100_00)
        self.reveal()

    def reveal(self) -> None:
        self.open_betting()
        self.take_steps((1, 2, 3), until="collect losers")


async def test_a_wager_found_on_the_layout_needs_consent_in_the_same_step(casino: Casino) -> None:
    floor = Found(casino)
    found = {"type": "RecordFound", "wager": "small", "amount": 2_00, "player": "ann"}
    async with casino.open() as guest:
        dealer, ann, second = [await signed_in(guest(), name) for name in ("dealer-1", "ann", "second")]
        tried = (await dealer.post("/tables/t1/trial", {"command": found})).json()
        assert (tried["refused"], tried["second"]) == (None, True)
        waiting = await asks(dealer, found)
        assert (waiting.status_code, floor.table.bets.of("ann")) == (202, [])
        floor.take_steps()
        floor.reveal()
        late = await ann.post(f"/approvals/{waiting.json()['approval']}/approve", {})
        assert (late.json()["refusal"], floor.table.bets.of("ann")) == ("stale-step", [])
        for wager, agrees in (("small", ann), ("big", second)):
            number = (await asks(dealer, {**found, "wager": wager})).json()["approval"]
            assert (await agrees.post(f"/approvals/{number}/approve", {})).status_code == 200
        assert [bet.wager for bet in floor.table.bets.of("ann")] == ["small", "big"]


async def test_a_wager_of_an_excluded_player_is_not_recorded(casino: Casino) -> None:
    floor = Found(casino)
    casino.done(ANN, Exclude((casino.now + timedelta(days=30)).isoformat()))
    found = c.RecordFound("ann", "small", 2_00)
    answer = casino.house.ask("t1", floor.crew["dealer"], found, consent=Consent("pin", ANN))
    assert answer.refused == "excluded"


async def test_house_policy_demands_consent_for_bets_too(casino: Casino) -> None:
    take_bets(casino, Policy(bet_consent=True))
    async with casino.open() as guest:
        dan, ann = await signed_in(guest(), "dan"), await signed_in(guest(), "ann")
        number = (await asks(dan, BET)).json()["approval"]
        assert (await ann.post(f"/approvals/{number}/approve", {})).status_code == 200
        moved = await asks(dan, {"type": "MoveBet", "wager": "small", "to": "big", "player": "ann"})
        assert moved.status_code == 202
    assert consents(casino)[-1] == Consent("device", ANN, number)
    assert audit(casino.place).good


async def test_consent_is_needed_where_staff_act_for_an_account_at_an_open_table(casino: Casino) -> None:
    casino.open_table()
    buys = c.BuyIn(100_00, "ann")
    assert consenting_player(casino.services, "t1", FAY, buys) == "ann"
    assert consenting_player(casino.services, "t1", ANN, buys) is None, "it is their own act"
    assert consenting_player(casino.services, "t1", FAY, c.BuyIn(100_00, "walk-in:bob")) is None
    assert consenting_player(casino.services, "t1", FAY, c.TakeDown("small", player="ann")) is None
    assert consenting_player(casino.services, "t1", FAY, c.PlaceBets((c.BetRequest("small", 5_00),), "ann")) is None
    assert consenting_player(casino.services, "never opened", FAY, buys) is None
