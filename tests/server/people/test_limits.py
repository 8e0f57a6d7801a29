"""A player's own limits and exclusion over HTTP: tighter at once, looser a day later, and the tables hold them."""

from __future__ import annotations

import asyncio

import pytest

from pitbook.table import commands as c
from pitbook.table.people import ELECTRONIC_TUMBLER, Person
from pitbook.tumbler.mapping import MAPPING, commitment
from tests.server.people.conftest import PASSWORD, Casino

pytestmark = pytest.mark.anyio

ANN = Person("ann", "player")
BET = {"bets": [{"wager": "small", "amount": 5_00}]}


async def test_a_tighter_limit_holds_at_once_and_a_looser_one_a_day_later(casino: Casino) -> None:
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        wish = {"loss_per_day": {"play-SGD": 5000}, "seconds_per_day": 3600, "stake_at_once": {"play-SGD": 700}}
        first = await ann.put("/me/limits", wish)
        assert first.json()["holding"] == wish
        same = await ann.put("/me/limits", wish)
        assert same.json() == first.json()
        looser = (await ann.put("/me/limits", {"seconds_per_day": 7200})).json()
        assert looser["holding"]["seconds_per_day"] == 3600
        assert {one["part"]: one["value"] for one in looser["pending"]} == {
            "play-SGD": None,
            "seconds": 7200,
            "stake-play-SGD": None,
        }
        stored = await ann.delete("/me/limits/pending")
        assert (stored.status_code, stored.json()["pending"]) == (200, [])
        await ann.put("/me/limits", {"seconds_per_day": 7200})
        casino.later(hours=24)
        await ann.sign_in("ann")
        me = (await ann.get("/me")).json()
    assert me["limits"]["holding"] == {"loss_per_day": {}, "seconds_per_day": 7200, "stake_at_once": {}}


@pytest.mark.parametrize(
    "wish",
    [
        {"loss_per_day": {"play-SGD": -1}},
        {"stake_at_once": {"play-SGD": -1}},
        {"seconds_per_day": 90_000},
        {"seconds_per_day": "1"},
        {"loss": {}},
    ],
)
async def test_an_invalid_limit_is_refused(casino: Casino, wish: dict[str, object]) -> None:
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        assert (await ann.put("/me/limits", wish)).status_code == 400
        for kind in ("loss_per_day", "stake_at_once"):
            assert (await ann.put("/me/limits", {kind: {"gold": 1}})).json()["refusal"] == "bad-limit"


def take_bets(casino: Casino) -> None:
    """An automatic table takes bets, and ann has chips."""
    seed = c.CommitSeed(commitment(b"s" * 32), "sealed", MAPPING)
    for who, command in ((ANN, c.BuyIn(100_00)), (ELECTRONIC_TUMBLER, seed)):
        answer = casino.house.ask("t1", who, command)
        assert answer.refused is None, answer


@pytest.mark.parametrize(("kind", "refusal"), [("loss_per_day", "loss-limit"), ("stake_at_once", "stake-limit")])
async def test_bets_over_a_limit_are_refused_however_they_are_raced(casino: Casino, kind: str, refusal: str) -> None:
    casino.open_table(automatic=c.Automatic())
    take_bets(casino)
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        money = casino.house.table("t1").money
        assert (await ann.put("/me/limits", {kind: {money: 20_00}})).status_code == 200
        answers = await asyncio.gather(*(ann.post("/tables/t1/bets", BET) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] * 4 + [409] * 4, [one.text for one in answers]
    assert {answer.json()["refusal"] for answer in answers if answer.status_code == 409} == {refusal}


async def test_self_exclusion_stops_bets_and_cannot_be_withdrawn(casino: Casino) -> None:
    casino.open_table(automatic=c.Automatic())
    take_bets(casino)
    until = {"until": "2026-04-01T12:00:00+00:00"}
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        assert (await ann.post("/tables/t1/bets", BET)).status_code == 200
        shut = await ann.post("/me/exclusion", until)
        assert (shut.status_code, shut.json()["excluded"]) == (200, True)
        refused = await ann.post("/tables/t1/bets", BET)
        assert (refused.status_code, refused.json()["refusal"]) == (403, "excluded")
        sooner = await ann.post("/me/exclusion", {"until": "2026-03-02T12:00:00+00:00"})
        assert (sooner.status_code, sooner.json()["refusal"]) == (403, "excluded")
        assert (await ann.post("/me/exclusion", {"until": None})).status_code == 401
        for_ever = await ann.post("/me/exclusion", {"until": None, "password": PASSWORD})
        assert for_ever.json()["excluded_until"].startswith("9999")
        assert (await ann.post("/me/exclusion", {"until": "tomorrow"})).json()["refusal"] == "bad-time"


async def test_only_players_have_limits(casino: Casino) -> None:
    async with casino.open() as guest:
        dan = guest()
        assert (await dan.put("/me/limits", {})).status_code == 401
        await dan.sign_in("dan")
        assert (await dan.put("/me/limits", {"seconds_per_day": 1})).json()["refusal"] == "wrong-role"
        assert (await dan.get("/me")).json()["limits"] is None


async def test_a_language_is_chosen_and_stays(casino: Casino) -> None:
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        for language in ("de", "de", "zh-Hant", None):
            assert (await ann.put("/me/language", {"language": language})).json() == {"language": language}
        assert (await ann.put("/me/language", {"language": "?"})).json()["refusal"] == "bad-text"
        assert (await ann.get("/me")).json()["language"] is None


async def test_messages_are_in_the_accounts_language_unless_the_request_names_one(casino: Casino) -> None:
    data = {
        ("zh-HK", ""): "請",
        ("zh-MO", ""): "請",
        ("zh-MY", ""): "请",
        ("zh-HK", "zh-SG"): "请",
        ("zh-HK", "en-GB"): "E",
    }
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        for (chosen, accepted), start in data.items():
            await ann.put("/me/language", {"language": chosen})
            headers = {"Accept-Language": accepted} if accepted else {}
            response = await ann.put("/me/language", {"language": "?"}, headers=headers)
            assert response.json()["message"]["text"].startswith(start), (chosen, accepted)


async def test_a_manager_makes_an_exclusion_longer_and_never_shorter(casino: Casino) -> None:
    soon, later = "2026-04-01T00:00:00+00:00", "2026-09-01T00:00:00+00:00"
    async with casino.open() as guest:
        ann, boss, dan = guest(), guest(), guest()
        for one, name in ((ann, "ann"), (boss, "max"), (dan, "dan")):
            await one.sign_in(name)
        early = await boss.post("/people/ann/exclusion", {"until": later})
        assert (early.status_code, early.json()["refusal"]) == (409, "not-excluded")
        await ann.post("/me/exclusion", {"until": soon})
        assert (await dan.post("/people/ann/exclusion", {"until": later})).status_code == 403
        longer = await boss.post("/people/ann/exclusion", {"until": later})
        assert longer.status_code == 200
        assert longer.json()["limits"]["excluded"] is True
        shorter = await boss.post("/people/ann/exclusion", {"until": soon})
        assert "Nobody can shorten that." in shorter.json()["detail"]
        body = (await boss.get("/people/ann")).json()
        assert (await boss.post("/people/ann/exclusion", {"until": None})).json()["excluded_until"].startswith("9999")
    assert body["excluded_until"].startswith("2026-09-01")


async def test_a_token_cannot_exclude_its_owner(casino: Casino) -> None:
    async with casino.open() as guest:
        ann, program = guest(), guest()
        await ann.sign_in("ann")
        made = await ann.post("/me/tokens", {"name": "bot", "scopes": ["play", "read"], "days": 1})
        bearer = {"Authorization": f"Bearer {made.json()['token']}"}
        refused = await program.post("/me/exclusion", {"until": "2026-04-01T12:00:00+00:00"}, headers=bearer)
        assert refused.status_code == 403
        assert (await ann.get("/me")).json()["limits"]["excluded"] is False


async def test_an_excluded_player_neither_moves_a_bet_nor_buys_chips(casino: Casino) -> None:
    casino.open_table(automatic=c.Automatic())
    take_bets(casino)
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        assert (await ann.post("/tables/t1/bets", BET)).status_code == 200
        assert (await ann.post("/me/exclusion", {"until": "2026-04-01T12:00:00+00:00"})).status_code == 200
        for command in ({"type": "MoveBet", "wager": "small", "to": "big"}, {"type": "BuyIn", "amount": 100}):
            refused = await ann.post("/tables/t1/commands", {"command": command})
            assert (refused.status_code, refused.json()["refusal"]) == (403, "excluded"), refused.text
        down = await ann.post("/tables/t1/commands", {"command": {"type": "TakeDown", "wager": "small"}})
        assert down.status_code == 200
