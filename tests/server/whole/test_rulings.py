"""Irregularities, rulings and citations over the API of a real server."""

from __future__ import annotations

from typing import Any

import pytest

from pitbook.rulebooks.catalogue import load
from tests.server.whole.clients import Visitor, consented, done, refused
from tests.server.whole.dealing import ORDER, deal, whole_round
from tests.server.whole.deployment import Deployment

MASSACHUSETTS, MARYLAND, SINGAPORE = "massachusetts", "maryland", "singapore-1"
BOOK = "singapore-mbs-sic-bo-v6"
STEPS = (
    *("tumble", "close", "press-deal", "uncover", "check-flat"),
    *("announce-outcome", "enter-dice", "collect", "pay"),
)
CREW = {
    "dealer": "demo-dealer",
    "pit-supervisor": "demo-pit-supervisor",
    "pit-manager": "demo-pit-manager",
    "gaming-shift-manager": "demo-gaming-shift-manager",
}


class Crew:
    """The staff and players of a Singapore table that people run."""

    def __init__(self, deployment: Deployment) -> None:
        self.dealer, self.supervisor, self.pit_manager, self.shift_manager = map(deployment.visitor, CREW.values())
        self.relief = deployment.visitor(f"{CREW['gaming-shift-manager']}-2")
        self.boss, self.ann, self.ben = map(deployment.visitor, ("demo-manager", "demo-ann", "demo-ben"))

    def open(self) -> None:
        """Open the table, and make it ready for play."""
        for role, name in (*CREW.items(), ("gaming-shift-manager", self.relief.name)):
            done(self.boss.post(f"/people/{name}/roles", {"role": role, "table": SINGAPORE}))
        limits = {"*": [500, 50_000], "specific-triple": [100, 5_000]}
        setup = {
            "book": BOOK,
            "digest": load(BOOK).digest,
            "facility": "Test House",
            "currency": "SGD",
            "shaker": "automated",
            "limits": {name: {"stake_min": low, "stake_max": high} for name, (low, high) in limits.items()},
        }
        done(self.boss.command(SINGAPORE, "OpenTable", setup=setup))
        done(self.dealer.command(SINGAPORE, "TakeOver"))
        done(self.supervisor.command(SINGAPORE, "PutDice", set="sg 1"))
        done(self.supervisor.command(SINGAPORE, "CheckEquipment", equipment="dice", points=[True]))
        for player in (self.ann, self.ben):
            consented(self.dealer, player, SINGAPORE, "BuyIn", amount=200_000)

    def bet(self, player: Visitor, *bets: str) -> None:
        """Bet, after the dealer has opened betting."""
        if self.dealer.table(SINGAPORE)["staff"]["due"]["id"] == "open":
            done(self.dealer.step(SINGAPORE, "open"))
        done(player.bets(SINGAPORE, *bets))

    def go(self, to: str, dice: tuple[int, int, int] = (1, 2, 3)) -> None:
        """Take the steps that are left up to one of them, that one included."""
        first = STEPS.index(self.dealer.table(SINGAPORE)["staff"]["due"]["id"])
        for step in STEPS[first : STEPS.index(to) + 1]:
            fields: dict[str, Any] = {"shakes": 3} if step == "tumble" else {}
            if step in ("announce-outcome", "enter-dice"):
                fields["dice"] = list(dice)
            done(self.dealer.step(SINGAPORE, step, **fields))

    def call(self, irregularity: str, **fields: Any) -> Any:
        """Have the dealer call an irregularity."""
        return done(self.dealer.command(SINGAPORE, "Call", irregularity=irregularity, **fields))

    def numbers(self) -> list[int]:
        """The numbers of the wagers that lie on the layout or were settled in this round."""
        staff = self.dealer.table(SINGAPORE)["staff"]
        return sorted(bet["id"] for bet in (*staff["bets"], *staff["taken"]))


@pytest.fixture(scope="module")
def crew(demo_house: Deployment) -> Crew:
    found = Crew(demo_house)
    found.open()
    return found


@pytest.mark.parametrize(("table", "clauses"), [(MASSACHUSETTS, ["6(a)"]), (MARYLAND, ["7.A"])])
def test_no_roll_is_called_with_the_cover_off_until_a_winner_is_paid(
    demo_house: Deployment, table: str, clauses: list[str]
) -> None:
    ann, dealer = demo_house.visitor("demo-ann"), demo_house.visitor("demo-dealer")
    order = ORDER[table]
    displayed, paid = order.index("uncover"), order.index("pay")
    for taken in range(len(order)):
        held = ann.balance(table)
        done(ann.bets(table, "small=1000", "big=2000"))
        deal(dealer, table, order[:taken])
        waiting = dealer.command(table, "Call", irregularity="no-roll")
        if displayed < taken <= paid:
            done(waiting)
            assert ann.balance(table) == held
        else:
            assert refused(waiting, "not-now", 409)["clauses"] == clauses
            deal(dealer, table, order[taken:])


@pytest.mark.parametrize(("table", "clauses"), [(MASSACHUSETTS, ["6(a)"]), (MARYLAND, ["7.A"])])
def test_a_die_that_is_not_flat_stops_the_round(demo_house: Deployment, table: str, clauses: list[str]) -> None:
    ann, dealer = demo_house.visitor("demo-ann"), demo_house.visitor("demo-dealer")
    done(ann.bets(table, "small=1000"))
    deal(dealer, table, ORDER[table][: ORDER[table].index("uncover")])
    assert dealer.table(table)["staff"]["due"]["asks_flat"] is True
    done(dealer.step(table, "uncover", flat=False))
    went_on = refused(dealer.step(table, "announce-dice", dice=[1, 2, 3]), "bad-dice", 422)
    assert went_on["clauses"] == clauses
    done(dealer.command(table, "Call", irregularity="no-roll"))


def test_a_failed_device_ends_play_after_the_round(demo_house: Deployment) -> None:
    ann, dealer = demo_house.visitor("demo-ann"), demo_house.visitor("demo-dealer")
    boss = demo_house.visitor("demo-casino-supervisor")
    held = ann.balance(MASSACHUSETTS)
    done(ann.bets(MASSACHUSETTS, "small=1000"))
    call: dict[str, Any] = {"irregularity": "device-malfunction"}
    assert refused(dealer.command(MASSACHUSETTS, "Call", **call), "presence", 409)["clauses"] == ["6(b)"]
    own = {"name": dealer.name, "role": "dealer"}
    refused(dealer.command(MASSACHUSETTS, "Call", **call, present=[own]), "own-act", 403)
    present = [{"name": boss.name, "role": "casino-supervisor"}]
    done(dealer.command(MASSACHUSETTS, "Call", **call, present=present))
    assert refused(ann.bets(MASSACHUSETTS, "big=1000"), "suspended", 409)["clauses"] == ["6(b)"]
    whole_round(dealer, MASSACHUSETTS, (1, 2, 3))
    assert ann.balance(MASSACHUSETTS) == held + 1000
    assert refused(ann.bets(MASSACHUSETTS, "big=1000"), "suspended", 409)["clauses"] == ["6(b)"]
    done(boss.command(MASSACHUSETTS, "Repair", equipment="electrical-device"))
    refused(ann.bets(MASSACHUSETTS, "big=1000"), "not-inspected", 409)


def test_unclear_wagers_are_named_ruled_on_and_paid_to_the_maximum(crew: Crew) -> None:
    held = crew.ann.balance(SINGAPORE)
    crew.bet(crew.ann, "big=50000", "small=1000")
    crew.go("collect", (1, 1, 1))
    first, second = crew.numbers()
    unnamed = refused(crew.dealer.command(SINGAPORE, "Call", irregularity="unclear-wagers"), "nothing-to-do", 409)
    assert unnamed["clauses"] == ["3.12"]
    crew.call("unclear-wagers", bets=[first])
    rule: dict[str, Any] = {"treat_as": "specific-triple/1", "words": "it lay there"}
    other = refused(crew.supervisor.command(SINGAPORE, "RuleOnBet", bet=second, **rule), "not-now", 409)
    assert (other["clauses"], other["reading"]) == (["3.12"], "unclear-wagers")
    assert refused(crew.dealer.step(SINGAPORE, "pay"), "not-now", 409)["clauses"] == ["3.12"]
    done(crew.supervisor.command(SINGAPORE, "RuleOnBet", bet=first, **rule))
    done(crew.dealer.step(SINGAPORE, "pay"))
    assert crew.ann.balance(SINGAPORE) == held + 180 * 5_000 - 1_000


def test_wagers_moved_to_one_area_are_paid_to_its_maximum_together(crew: Crew) -> None:
    held = crew.ann.balance(SINGAPORE)
    crew.bet(crew.ann, "big=40000", "odd=40000")
    crew.go("collect")
    numbers = crew.numbers()
    crew.call("unclear-wagers", bets=numbers)
    for number in reversed(numbers):
        done(crew.supervisor.command(SINGAPORE, "RuleOnBet", bet=number, treat_as="small", words="it lay there"))
    done(crew.dealer.step(SINGAPORE, "pay"))
    assert crew.ann.balance(SINGAPORE) == held + 50_000


def test_what_the_rules_do_not_cover_is_called_decided_and_carried_out(crew: Crew) -> None:
    held = crew.ann.balance(SINGAPORE)
    crew.bet(crew.ann, "small=1000", "big=2000")
    crew.go("collect")
    small, big = crew.numbers()
    void: dict[str, Any] = {"words": "the round is void", "void": True}
    uncalled = refused(crew.shift_manager.command(SINGAPORE, "RuleInWords", **void), "not-now", 409)
    assert (uncalled["clauses"], uncalled["reading"]) == (["6.1"], "free-ruling")
    call: dict[str, Any] = {"irregularity": "not-covered", "words": "a glass fell over"}
    done(crew.shift_manager.command(SINGAPORE, "Call", **call))
    assert refused(crew.dealer.command(SINGAPORE, "Call", **call), "not-now", 409)["reading"] == "free-ruling"
    refused(crew.shift_manager.command(SINGAPORE, "RuleInWords", **void), "own-act", 403)
    ruling: dict[str, Any] = {
        "words": "ann gets one back, and 5 for the other",
        "returns": [big],
        "pays": [{"bet": small, "amount": 500}],
    }
    refused(crew.pit_manager.command(SINGAPORE, "RuleInWords", **ruling), "wrong-role", 403)
    done(crew.relief.command(SINGAPORE, "RuleInWords", **ruling))
    done(crew.dealer.step(SINGAPORE, "pay"))
    assert crew.ann.balance(SINGAPORE) == held + 500


def test_after_a_power_failure_with_an_outcome_nobody_withdraws(crew: Crew) -> None:
    crew.bet(crew.ann, "small=1000")
    crew.go("enter-dice")
    crew.call("power-failure-after")
    assert refused(crew.ann.command(SINGAPORE, "Withdraw"), "not-now", 409)["clauses"] == ["5.13.2"]
    crew.go("pay")


def test_refusals_cite_what_forbids(crew: Crew) -> None:
    crew.bet(crew.ben, "small=1000")
    for wager, clauses in {
        "no-such-area": ["4.1"],
        "double-and-single/112": ["4.1.5"],
        "double-and-single/665": ["4.1.5"],
    }.items():
        assert refused(crew.ann.bets(SINGAPORE, f"{wager}=500"), "unknown-wager", 422)["clauses"] == clauses
    crew.go("check-flat")
    assert "3.9" in refused(crew.ann.bets(SINGAPORE, "small=500"), "betting-closed", 409)["clauses"]
    impossible = crew.dealer.step(SINGAPORE, "announce-outcome", dice=[1, 2, 7])
    assert refused(impossible, "bad-dice", 422)["clauses"] == ["2.2"]
    crew.go("pay")


def test_a_claim_is_refused_only_with_a_reason(crew: Crew) -> None:
    crew.bet(crew.ann, "small=1000")
    number = crew.dealer.table(SINGAPORE)["view"]["round"]
    crew.go("pay")
    done(crew.supervisor.command(SINGAPORE, "Dispute", round=number, words="it was a four"))
    settle: dict[str, Any] = {"round": number, "upheld": False}
    refused(crew.pit_manager.command(SINGAPORE, "SettleDispute", **settle, words=""), "nothing-to-do", 409)
    done(crew.pit_manager.command(SINGAPORE, "SettleDispute", **settle, words="the film shows a three"))


def test_colour_chips_keep_their_value_and_are_never_staked_beyond_what_is_held(crew: Crew) -> None:
    marked = refused(
        crew.ann.command(SINGAPORE, "BuyIn", amount=10_000, colour_value=1_000, marker=True), "wrong-role", 403
    )
    assert marked["policy"] is True
    bought: dict[str, Any] = {"amount": 10_000, "colour_value": 1_000}
    assert refused(crew.dealer.command(SINGAPORE, "BuyIn", player=crew.ann.name, **bought), "colour-chips", 409)[
        "clauses"
    ] == ["1.1.1"]
    consented(crew.dealer, crew.ann, SINGAPORE, "BuyIn", **bought, marker=True)
    stake = [{"wager": "small", "amount": 11_000, "kind": "colour"}]
    crew.bet(crew.ben, "small=1000")
    beyond = refused(crew.ann.post(f"/tables/{SINGAPORE}/bets", {"bets": stake}), "no-funds", 409)
    assert beyond["reading"] == "colour-chips"
    other: dict[str, Any] = {"amount": 10_000, "colour_value": 500, "player": crew.ann.name}
    assert refused(crew.dealer.command(SINGAPORE, "BuyIn", **other), "colour-chips", 409)["clauses"] == ["1.1.1"]
    crew.go("pay")


def test_a_table_of_side_bets_opens_with_at_least_one_group(crew: Crew) -> None:
    book = load("dice-works")
    setup = {
        "book": book.id,
        "digest": book.digest,
        "facility": "Test House",
        "currency": book.identity.currency,
        "options": {"groups": ""},
    }
    none = refused(crew.boss.command("side-bets", "OpenTable", setup=setup), "configuration", 422)
    assert none["clauses"] == ["general/groups"]
