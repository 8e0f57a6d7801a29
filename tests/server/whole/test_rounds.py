"""Whole rounds of the tables that people run: a dealer, two players, and everyone who watches."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.ledger.accounts import dealers, escrow
from pitbook.rulebooks.catalogue import load
from tests.server.whole.clients import Visitor, done, refused
from tests.server.whole.dealing import ORDER, deal, see_roll_through, whole_round
from tests.server.whole.deployment import Deployment

CHIPS = 100_000
STAKES = {"demo-ann": ("small=500", "total/6=200", "one-of-a-kind/3=300"), "demo-ben": ("big=1000",)}
NETS = {"demo-ann": 500 + 14 * 200 + 300, "demo-ben": -1000}
"""What they come to on 1-2-3, in both texts: 1 to 1, 14 to 1, 1 to 1; big loses."""
LATE = {"massachusetts": ["5(c)"], "maryland": ["5.C"]}


@pytest.mark.parametrize("table", ["massachusetts", "maryland"])
def test_a_dealer_and_two_players_play_a_whole_round_and_each_sees_what_is_for_them(
    demo_house: Deployment, table: str
) -> None:
    dealer = demo_house.visitor("demo-dealer")
    players = {name: demo_house.visitor(name) for name in STAKES}
    number = dealer.now(table)["round"]
    before = {name: player.balance(table) for name, player in players.items()}
    start = dealer.table(table)["sequence"]
    with (
        Visitor(demo_house.process.open_at) as spectator,
        spectator.watch(table, start) as seen,
        players["demo-ann"].watch(table, start) as own,
        dealer.watch(table, start) as all_of_it,
    ):
        for name, stakes in STAKES.items():
            done(players[name].bets(table, *stakes))
        kinds = whole_round(dealer, table, (3, 1, 2))
        last = dealer.table(table)["sequence"]
        for watching in (seen, own, all_of_it):
            watching.until_id(last)
            assert watching.status == 200
            assert watching.ids == list(range(start + 1, last + 1)), "no watcher's sequence has a gap"
        public, mine, staff = seen.text, own.entries, all_of_it.entries
    assert kinds[-1] == "RoundEnded"

    # the spectator: no names, no balances, all stakes
    for name in ("demo-", "balance", '"player":', "actor", "escrow", "float"):
        assert name not in public, name
    bets = [frame.data["event"] for frame in seen.entries if frame.kind in ("BetPlaced", "BetsPlaced")]
    assert [bet["wager"] for event in bets for bet in event.get("bets", (event,))] == [
        *("small", "total/6", "one-of-a-kind/3"),
        "big",
    ]
    # the player: their own bets and lines, and of others what everyone sees
    assert "demo-ben" not in json.dumps([frame.data for frame in mine])
    placed = [frame.data.get("mine", False) for frame in mine if frame.kind in ("BetPlaced", "BetsPlaced")]
    assert placed == [True, False]
    paid = next(frame.data for frame in mine if frame.kind == "WinnersPaid")
    assert {line["wager"]: line["net"] for line in paid["own"]["lines"]} == {
        "small": 500,
        "total/6": 2800,
        "one-of-a-kind/3": 300,
    }
    # the staff: who did what
    actors = {frame.data["actor"] for frame in staff if frame.kind in ("BetPlaced", "BetsPlaced", "StepTaken")}
    assert actors == {"demo-ann", "demo-ben", "demo-dealer"}

    for name, player in players.items():
        assert player.balance(table) == before[name] + NETS[name]
    recalled(players["demo-ann"], table, number)
    assert demo_house.balances()[escrow(table)] == 0


def recalled(ann: Visitor, table: str, number: int) -> None:
    """The round again: its dice, its lights, its lines."""
    page = ann.get_json(f"/tables/{table}/rounds/{number}")
    book = ann.table(table)["view"]["book"]
    assert (page["dice"], page["void"], page["finished"]) == ([1, 2, 3], False, True)
    assert sorted(page["lit"]) == sorted(illuminate(load(book), Roll.of(1, 2, 3)))
    assert {line["wager"]: line["net"] for line in page["lines"]} == {
        "small": 500,
        "total/6": 2800,
        "one-of-a-kind/3": 300,
        "big": -1000,
    }
    assert {line["wager"] for line in page["lines"] if "player" in line} == {"small", "total/6", "one-of-a-kind/3"}
    latest = ann.get_json(f"/tables/{table}/rounds?limit=1")["rounds"][0]
    assert (latest["number"], latest["dice"]) == (number, [1, 2, 3])
    assert (latest["lit"], latest["call"]) == (["small"], None), "of their own areas, for the roads"
    assert ann.table(table)["mine"]["last"] == {"small": 500, "total/6": 200, "one-of-a-kind/3": 300}


@pytest.mark.parametrize("table", ["massachusetts", "maryland"])
def test_a_late_bet_is_refused_with_its_clauses_and_a_stale_step_with_409(demo_house: Deployment, table: str) -> None:
    dealer, ann = demo_house.visitor("demo-dealer"), demo_house.visitor("demo-ann")
    done(ann.bets(table, "small=500"))
    before = ann.balance(table)
    close = ORDER[table].index("close")
    deal(dealer, table, ORDER[table][: close + 1])
    stale = dealer.now(table)
    problem = refused(ann.bets(table, "small=500"), "betting-closed", 409)
    assert problem["clauses"] == LATE[table]
    assert problem["detail"]
    assert problem["request_id"]
    assert ann.balance(table) == before
    rest = ORDER[table][close + 1 :]
    deal(dealer, table, rest[:1])
    problem = refused(dealer.step(table, rest[1], expected=stale), "stale-step", 409)
    wrong = refused(dealer.step(table, "pay"), "not-due", 409)
    assert wrong["message"]["id"] == "refusals.rounds.not-due"
    assert wrong["message"]["text"] == wrong["detail"]
    deal(dealer, table, rest[1:], (4, 5, 6))
    assert ann.balance(table) == before, "small lost its stake on 4-5-6, which had gone from the balance before"


def test_a_craps_hand_is_played_with_a_shooter_lammers_and_the_dealers_envy(demo_house: Deployment) -> None:
    table = "dice-works"
    dealer, box = demo_house.visitor("demo-dealer"), demo_house.visitor("demo-box-person")
    ann, ben = demo_house.visitor("demo-ann"), demo_house.visitor("demo-ben")
    start = dealer.table(table)["sequence"]
    before = ann.balance(table), ben.balance(table)
    tips = demo_house.balances().get(dealers(table), 0)
    refused(dealer.step(table, "roll", dice=[6, 6]), "not-now", 409)
    done(dealer.command(table, "NewShooter", shooter="demo-ann"))
    with Visitor(demo_house.process.open_at) as nobody, nobody.watch(table, start) as seen:
        done(ann.bets(table, "all-lows=500"))
        done(ben.bets(table, "all-highs=500", "parlay-envy/12x2=200"))
        rolls = [(6, 6), (6, 6), (1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4)]
        for dice in rolls:
            second = box if dice == (6, 6) and dealer.table(table)["view"]["stakes"] and _pays_envy(dealer) else None
            done(dealer.step(table, "roll", dice=list(dice), expected=dealer.now(table)))
            see_roll_through(dealer, table, second)
        last = dealer.table(table)["sequence"]
        seen.until_id(last)
        assert seen.ids == list(range(start + 1, last + 1))
        assert "demo-" not in seen.text
        calls = [frame.data["event"]["call"] for frame in seen.entries if frame.kind == "Rolled"]
    assert len(calls) == len(rolls)
    assert calls[-1] == "seven-out"
    past = ann.get_json(f"/tables/{table}/rounds?limit={len(rolls)}")["rounds"]
    assert [tuple(one["dice"]) for one in reversed(past)] == rolls
    assert [one["call"] for one in reversed(past)] == calls
    assert all(a["number"] == b["number"] + 1 for a, b in pairwise(past))
    lows = ann.get_json(f"/tables/{table}/rounds/{past[1]['number']}")
    assert [line["net"] for line in lows["lines"] if line["wager"] == "all-lows"] == [34 * 500]
    assert lows["lit"] == ["all-lows"]
    assert ann.balance(table) == before[0] + 34 * 500
    envied = next(
        line
        for one in past
        for line in ben.get_json(f"/tables/{table}/rounds/{one['number']}")["lines"]
        if line["wager"] == "parlay-envy/12x2"
    )
    assert envied["net"] > 0
    assert ben.balance(table) == before[1] + envied["net"] - 500
    assert demo_house.balances()[dealers(table)] == tips + envied["envy"] > tips


def _pays_envy(dealer: Visitor) -> bool:
    """Whether another 12 makes the parlay, of which the dealers get their share."""
    page = dealer.table("dice-works")
    return bool(page["view"]["lammers"]["parlay-envy/12x2"]["count"])


def test_the_shooter_cannot_enter_the_dice_from_a_device_of_their_own(demo_house: Deployment) -> None:
    table = "dice-works"
    dealer, ben = demo_house.visitor("demo-dealer"), demo_house.visitor("demo-ben")
    done(dealer.command(table, "NewShooter", shooter="demo-ben"))
    done(ben.bets(table, "parlay/12x2=100"))
    refused(ben.step(table, "roll", dice=[6, 6]), "wrong-role", 403)
    done(dealer.step(table, "roll", dice=[5, 5]))
    see_roll_through(dealer, table)
