"""Two things at once that must not both happen, or not twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any, TypeVar

import httpx
import pytest

from pitbook.journal.entries import HOUSE
from pitbook.ledger.accounts import player
from tests.server.whole.clients import Visitor, done
from tests.server.whole.deployment import Deployment, body
from tests.waiting import HANG, until

TABLE = "massachusetts"
AUTOMATIC = ("singapore", "singapore-2")
MONEY = "play-SGD"
PLACED = ("BetPlaced", "BetsPlaced")
Found = TypeVar("Found")


def at_once(*acts: Callable[[], Found]) -> list[Found]:
    """Run all at the same time; return their results."""
    ready = Barrier(len(acts))

    def begun(act: Callable[[], Found]) -> Found:
        ready.wait(HANG)
        return act()

    with ThreadPoolExecutor(len(acts)) as threads:
        return [future.result() for future in [threads.submit(begun, act) for act in acts]]


OPEN: list[Visitor] = []


@pytest.fixture(autouse=True)
def closed_afterwards() -> Iterator[None]:
    """Everyone who came for a race goes after it."""
    yield
    while OPEN:
        OPEN.pop().close()


def statuses_of(ask: Callable[[], httpx.Response]) -> list[int]:
    """Return the status of a response as a list."""
    return [ask().status_code]


def twins(visitor: Visitor, count: int) -> list[Visitor]:
    """Return clients of the same person on separate connections."""
    OPEN.extend(visitor.at(visitor.address) for _ in range(count))
    return OPEN[-count:]


def comers(target_house: Deployment, count: int = 1) -> list[Visitor]:
    """Return clients without an account."""
    OPEN.extend(Visitor(target_house.process.open_at) for _ in range(count))
    return OPEN[-count:]


SENTENCE = "a sentence of five words"


def registered(target_house: Deployment, name: str) -> Visitor:
    """A new player, signed in by a browser."""
    (visitor,) = comers(target_house)
    done(visitor.post("/register", {"name": name, "password": SENTENCE}), 201)
    return visitor


@pytest.fixture(scope="module")
def two_automatic_tables(target_house: Deployment) -> Sequence[str]:
    """A second one for the same play money."""
    first, second = (target_house.visitor(name) for name in ("demo-pit-manager", "demo-pit-manager-2"))
    manager = target_house.visitor("demo-manager")
    setup = manager.table(AUTOMATIC[0])["rules"]["setup"]
    done(manager.command(AUTOMATIC[1], "OpenTable", setup={**setup, "facility": "Race House", "number": None}))
    for name in (first.name, second.name):
        done(manager.post(f"/people/{name}/roles", {"role": "pit-manager", "table": AUTOMATIC[1]}))
    fill = first.command(AUTOMATIC[1], "Fill", amount=5_000_000, second={"name": second.name, "role": "pit-manager"})
    done(second.approve(done(fill, 202)["approval"]))
    return AUTOMATIC


def test_one_key_from_many_connections_is_one_bet(target_house: Deployment) -> None:
    ann = target_house.visitor("demo-ann")
    start = ann.table(TABLE)["sequence"]
    before = ann.balance(TABLE)
    for number in range(20):
        answers = at_once(*(partial(one.bets, TABLE, "small=100", key=f"race {number}") for one in twins(ann, 4)))
        responses = [done(answer) for answer in answers]
        assert sum(not one["repeated"] for one in responses) == 1
    placed = [entry for entry in target_house.record(TABLE, start) if entry.kind in PLACED]
    assert len(placed) == 20
    assert ann.balance(TABLE) == before - 20 * 100


def test_after_a_sign_out_is_answered_no_bet_of_that_session_is_taken(target_house: Deployment) -> None:
    for number in range(5):
        ann = comers(target_house)[0].sign_in("demo-ann")
        others = twins(ann, 4)
        start = ann.table(TABLE)["sequence"]

        def bets(one: Visitor, number: int = number) -> list[int]:
            return [one.bets(TABLE, "big=100", key=f"out {number} {id(one)} {k}").status_code for k in range(10)]

        responses = at_once(
            partial(statuses_of, partial(ann.post, "/sign-out")), *(partial(bets, one) for one in others)
        )
        assert responses[0] == [204]
        for statuses in responses[1:]:
            assert statuses == sorted(statuses), "once refused, always refused"
            assert set(statuses) <= {200, 401}
        assert others[0].bets(TABLE, "big=100").status_code == 401
        placed = [entry for entry in target_house.record(TABLE, start) if entry.kind in PLACED]
        assert len(placed) == sum(statuses.count(200) for statuses in responses[1:])


def test_after_a_role_is_taken_no_command_in_it_is_carried_out(target_house: Deployment) -> None:
    manager, dealer = target_house.visitor("demo-manager"), target_house.visitor("demo-dealer-2")
    path = f"/people/{dealer.name}/roles"
    for _ in range(5):

        def deals(one: Visitor) -> list[int]:
            return [one.command(TABLE, "BuyIn", amount=100, player="Bob").status_code for _ in range(10)]

        responses = at_once(
            partial(statuses_of, partial(manager.ask, "DELETE", f"{path}?role=dealer&table={TABLE}")),
            *(partial(deals, one) for one in twins(dealer, 3)),
        )
        assert responses[0] == [200]
        for statuses in responses[1:]:
            assert statuses == sorted(statuses)
        assert dealer.command(TABLE, "BuyIn", amount=100, player="Bob").status_code == 403
        done(manager.post(path, {"role": "dealer", "table": TABLE}))
    taken = {entry.at for entry in target_house.record(HOUSE) if entry.kind == "RoleTaken"}
    assert len(taken) == 5


def test_an_approval_that_two_give_at_once_is_carried_out_once(target_house: Deployment) -> None:
    first = target_house.visitor("demo-casino-supervisor")
    others = [target_house.visitor(name) for name in ("demo-casino-supervisor-2", "demo-floorperson", "demo-manager")]
    start = first.table(TABLE)["sequence"]
    for number in range(5):
        named = {"name": "demo-dealer", "role": "dealer"}
        parked = done(first.command(TABLE, "Fill", amount=1_000 + number, second=named), 202)["approval"]
        everybody = [one for other in others for one in twins(other, 2)]
        answers = at_once(*(partial(one.approve, parked) for one in everybody))
        assert 200 in {answer.status_code for answer in answers}
        assert {answer.status_code for answer in answers} <= {200, 409}
        good = [answer.json()["sequence"] for answer in answers if answer.status_code == 200]
        assert len(good) <= 2
    filled = [body(entry)["amount"] for entry in target_house.record(TABLE, start) if entry.kind == "Filled"]
    assert filled == [1_000 + number for number in range(5)]


def test_play_money_is_never_topped_up_twice(target_house: Deployment, two_automatic_tables: Sequence[str]) -> None:
    eve = registered(target_house, "eve")
    stack = eve.table(AUTOMATIC[0])["rules"]["setup"]["automatic"]["play_stack"]
    for amount in (stack, stack, 1_000, 600):
        ones = twins(eve, 8)
        at_once(*(partial(one.command, AUTOMATIC[place % 2], "BuyIn", amount=amount) for place, one in enumerate(ones)))
        assert 0 < eve.balance(AUTOMATIC[0]) <= stack
        eve.bets(AUTOMATIC[0], "small=600")
        eve.bets(AUTOMATIC[1], "small=600")
    assert target_house.balances()[player("eve", MONEY)] <= stack


def test_a_limit_on_losses_holds_over_two_tables_at_once(
    target_house: Deployment, two_automatic_tables: Sequence[str]
) -> None:
    fay = registered(target_house, "fay")
    stack = fay.table(AUTOMATIC[0])["rules"]["setup"]["automatic"]["play_stack"]
    done(fay.command(AUTOMATIC[0], "BuyIn", amount=stack))
    done(fay.ask("PUT", "/me/limits", json={"loss_per_day": {MONEY: 1_000}}))
    starts = {table: fay.table(table)["sequence"] for table in AUTOMATIC}

    def bet(one: Visitor, table: str, place: int) -> Any:
        if place % 3 == 2:  # the same by the other address
            bets = [{"wager": "big", "amount": 300}]
            return one.command(table, "PlaceBets", bets=bets)
        return one.bets(table, "big=300")

    for _ in range(20):
        ones = list(enumerate(twins(fay, 12)))
        responses = at_once(*(partial(bet, one, AUTOMATIC[place % 2], place) for place, one in ones))
        if any(answer.status_code == 200 for answer in responses):
            break
        until(lambda: any(fay.table(table)["view"]["betting"] for table in AUTOMATIC), "a table that takes bets")
    staked = 0
    for table, start in starts.items():
        for entry in target_house.record(table, start):
            if entry.kind in PLACED and entry.actor == "fay":
                staked += 300
    assert 0 < staked <= 1_000


def test_after_an_exclusion_is_answered_no_bet_is_taken(
    target_house: Deployment, two_automatic_tables: Sequence[str]
) -> None:
    for number in range(3):
        gus = registered(target_house, f"gus-{number}")
        done(gus.command(AUTOMATIC[0], "BuyIn", amount=10_000))

        def bets(one: Visitor) -> list[int]:
            return [one.bets(AUTOMATIC[0], "small=100").status_code for _ in range(8)]

        responses = at_once(
            partial(statuses_of, partial(gus.post, "/me/exclusion", {"until": None, "password": SENTENCE})),
            *(partial(bets, one) for one in twins(gus, 3)),
        )
        assert responses[0] == [200]
        for table in AUTOMATIC:  # the tumbler decides which of its tables is closed now
            assert gus.bets(table, "small=100").json()["refusal"] in ("excluded", "betting-closed")


def test_of_those_who_race_for_a_link_one_gets_in(target_house: Deployment) -> None:
    manager = target_house.visitor("demo-manager")
    for number in range(3):
        done(manager.post("/people", {"name": f"hal-{number}"}), 201)
        code = done(manager.post(f"/people/hal-{number}/link"), 201)["link"].partition("#code=")[2]
        racers = comers(target_house, 6)
        wanted = [{"code": code, "password": f"a sentence of {place} words"} for place in range(6)]
        answers = at_once(*(partial(one.post, "/sign-in/link", ask) for one, ask in zip(racers, wanted, strict=True)))
        assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401, 401, 401]
        winner = next(place for place, answer in enumerate(answers) if answer.status_code == 200)
        again = comers(target_house)[0].post(
            "/sign-in", {"name": f"hal-{number}", "password": wanted[winner]["password"]}
        )
        assert again.status_code == 200


def test_of_those_who_race_for_a_name_one_gets_it(target_house: Deployment) -> None:
    names = ("Ida", "ida", "IDA", "iDa")
    visitors = comers(target_house, len(names))
    answers = at_once(
        *(
            partial(one.post, "/register", {"name": name, "password": "a sentence of five words"})
            for one, name in zip(visitors, names, strict=True)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]


def test_two_managers_who_shut_each_other_out_leave_one(make_deployment: Callable[..., Deployment]) -> None:
    house = make_deployment()
    house.start()
    boss = house.visitor("demo-manager")
    done(boss.post("/people", {"name": "meg", "roles": [{"role": "manager"}]}), 201)
    code = done(boss.post("/people/meg/link"), 201)["link"].partition("#code=")[2]
    (meg,) = comers(house)
    done(meg.post("/sign-in/link", {"code": code, "password": "a sentence of five words"}))
    answers = at_once(
        lambda: boss.post("/people/meg/deactivation", {"words": "out"}),
        lambda: meg.post("/people/demo-manager/deactivation", {"words": "out"}),
        lambda: boss.ask("DELETE", "/people/meg/roles?role=manager"),
        lambda: meg.ask("DELETE", "/people/demo-manager/roles?role=manager"),
    )
    assert 200 in [answer.status_code for answer in answers]
    left = [one.get("/people").status_code for one in (boss, meg)]
    assert min(left) == 200, "the house still has a manager"
    assert len(left) - left.count(200) == 1
