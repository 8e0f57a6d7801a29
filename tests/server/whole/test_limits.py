"""What players set for themselves at automatic tables: limits on losses and stakes, and exclusion, over HTTP."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.server.whole.clients import RawConnection, Visitor, consented, done, refused
from tests.server.whole.deployment import Deployment
from tests.server.whole.running import open_quick
from tests.waiting import until

TABLE, OTHER, MONEY = "slow-sic-bo", "slow-sic-bo-2", "play-SGD"
"""Tables for the same money, where betting continues for longer than any test takes."""


@pytest.fixture(scope="module", autouse=True)
def tables(demo_house: Deployment) -> None:
    ann = demo_house.visitor("demo-ann")
    for table in (TABLE, OTHER):
        open_quick(demo_house, table, "singapore-mbs-sic-bo-v6", betting=600, most=5_000)
    until(lambda: all(ann.table(table)["view"]["betting"] for table in (TABLE, OTHER)), "a round at both tables")


def limits(visitor: Visitor, **wanted: Any) -> dict[str, Any]:
    held: dict[str, Any] = done(visitor.ask("PUT", "/me/limits", json=wanted))
    return held


@pytest.mark.thorough
def test_a_loss_limit_holds_at_once_tightens_at_once_and_loosens_only_a_day_later(demo_house: Deployment) -> None:
    ann = demo_house.visitor("demo-ann")
    done(ann.bets(TABLE, "small=1000"))
    held = limits(ann, loss_per_day={MONEY: 3_000})
    assert held["holding"]["loss_per_day"] == {MONEY: 3_000}
    problem = refused(ann.bets(TABLE, "big=2100"), "loss-limit", 409)
    assert "leaves ◇20 to lose" in problem["detail"] or "leaves ◇30 to lose" in problem["detail"]
    done(ann.bets(TABLE, "big=500"))

    assert limits(ann, loss_per_day={MONEY: 2_000})["holding"]["loss_per_day"] == {MONEY: 2_000}
    refused(ann.bets(TABLE, "big=600"), "loss-limit", 409)
    held = limits(ann, loss_per_day={MONEY: 50_000})
    assert held["holding"]["loss_per_day"] == {MONEY: 2_000}
    (pending,) = held["pending"]
    wait = datetime.fromisoformat(pending["since"]) - datetime.now(UTC)
    assert timedelta(hours=23, minutes=55) < wait <= timedelta(hours=24)
    refused(ann.bets(TABLE, "big=600"), "loss-limit", 409)
    done(ann.bets(TABLE, "big=500"))
    refused(ann.bets(TABLE, "small=100"), "loss-limit", 409)
    assert limits(ann)["holding"]["loss_per_day"] == {MONEY: 2_000}, "no limit at all is looser too"
    stored = done(ann.ask("DELETE", "/me/limits/pending"))
    assert stored["pending"] == []
    bets = ann.table(TABLE)["mine"]["bets"]
    assert sum(bet["amount"] for bet in bets) == 2_000


def test_a_limit_on_stakes_is_about_what_lies_at_all_automatic_tables_at_once(demo_house: Deployment) -> None:
    with Visitor(demo_house.process.open_at) as dora:
        done(dora.post("/register", {"name": "dora", "password": "eleven dice in a row"}), 201)
        for table in (TABLE, "dice-ology"):
            done(dora.command(table, "BuyIn", amount=10_000))
        assert limits(dora, stake_at_once={MONEY: 1_000})["holding"]["stake_at_once"] == {MONEY: 1_000}
        done(dora.bets(OTHER, "small=600"))
        problem = refused(dora.bets(OTHER, "big=500"), "stake-limit", 409)
        assert problem["detail"] == "dora's own limit allows ◇10 here at one time; this bet would make it ◇11."
        refused(dora.bets(TABLE, "small=500"), "stake-limit", 409)
        done(dora.bets(TABLE, "small=400"))
        refused(dora.bets(TABLE, "big=100"), "stake-limit", 409)
        done(dora.bets("dice-ology", "little-ones=1000"))  # another money
        done(dora.command(OTHER, "TakeDown", wager="small"))
        done(dora.bets(TABLE, "big=600"))

        looser = limits(dora, stake_at_once={MONEY: 5_000})
        assert (looser["holding"]["stake_at_once"], [one["part"] for one in looser["pending"]]) == (
            {MONEY: 1_000},
            [f"stake-{MONEY}"],
        )
        refused(dora.bets(TABLE, "odd=100"), "stake-limit", 409)


def test_a_limit_in_one_money_is_none_in_another_and_people_run_tables_are_untouched(demo_house: Deployment) -> None:
    name = "strict-player"
    with Visitor(demo_house.process.open_at, name=name) as player:
        done(player.post("/register", {"name": name, "password": "eleven dice in a row"}), 201)
        limits(player, loss_per_day={MONEY: 0})
        for table in (TABLE, "dice-ology"):
            done(player.command(table, "BuyIn", amount=10_000))
        consented(demo_house.visitor("demo-dealer"), player, "massachusetts", "BuyIn", amount=10_000)
        refused(player.bets(TABLE, "small=100"), "loss-limit", 409)
        done(player.bets("dice-ology", "little-ones=100"))
        done(player.bets("massachusetts", "small=5000"))


def test_a_loss_limit_holds_for_bets_that_come_to_two_tables_at_the_same_moment(demo_house: Deployment) -> None:
    ben = demo_house.visitor("demo-ben")
    assert limits(ben, loss_per_day={MONEY: 1_000})["holding"]["loss_per_day"] == {MONEY: 1_000}

    async def bet_at_both(number: int) -> list[int]:
        async with (
            RawConnection(ben.address, ben.token or "") as one,
            RawConnection(ben.address, ben.token or "") as two,
        ):
            responses = await asyncio.gather(
                one.bet(TABLE, "small=800", key=f"{number} here"), two.bet(OTHER, "small=800", key=f"{number} there")
            )
            for table, answer in zip((TABLE, OTHER), responses, strict=True):
                if answer.status == 200:
                    assert (await one.command(table, "TakeDown", wager="small")).status == 200
                else:
                    assert answer.body["refusal"] == "loss-limit", answer
        return sorted(answer.status for answer in responses)

    assert [asyncio.run(bet_at_both(number)) for number in range(25)] == [[200, 409]] * 25


def test_an_excluded_player_bets_no_more_and_no_one_shortens_it(demo_house: Deployment) -> None:
    with Visitor(demo_house.process.open_at).sign_in("demo-chen") as chen:
        done(chen.bets(TABLE, "small=500"))
        until = (datetime.now(UTC) + timedelta(days=40)).isoformat(timespec="seconds")
        held = done(chen.post("/me/exclusion", {"until": until}))
        assert held["excluded"]
        before = chen.balance(TABLE)
        problem = refused(chen.bets(TABLE, "small=500"), "excluded", 403)
        assert "excluded" in problem["detail"]
        refused(chen.bets("dice-ology", "little-ones=100"), "excluded", 403)
        sooner = (datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="seconds")
        refused(chen.post("/me/exclusion", {"until": sooner}), "excluded", 403)
        assert chen.balance(TABLE) == before
        assert chen.get_json("/me")["limits"]["excluded"]
