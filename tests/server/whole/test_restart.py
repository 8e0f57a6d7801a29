"""Killed in every phase of a round and started again on the same file: nothing is lost, nothing happens twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest

from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.journal.entries import Entry
from pitbook.ledger.accounts import escrow
from pitbook.table.commands import CloseBetting
from pitbook.table.people import ELECTRONIC_TUMBLER
from pitbook.tumbler.mapping import commitment
from tests import loopback
from tests.server.whole.clients import Visitor, done, refused
from tests.server.whole.dealing import ORDER, fields_of
from tests.server.whole.deployment import Deployment, body
from tests.server.whole.running import LONG_BETTING, open_quick
from tests.waiting import until

TABLES = ("massachusetts", "maryland")
PHASES = {
    "betting": (None, None),
    "closed": ("close", "close"),
    "thrown": ("shake-manual", "shake-manual"),
    "revealed": ("enter-dice", "announce-dice"),
    "settling": ("collect", "collect"),
}
"""The last step before the death, in Massachusetts and in Maryland: their orders differ."""
RESUMES = {("massachusetts", "betting"), ("massachusetts", "closed"), ("maryland", "betting")}
"""Where nothing was thrown yet, the texts' reading of a power failure has betting resume."""
DICE = (1, 2, 3)
STAKES = {"demo-ann": "small=500", "demo-ben": "big=300"}
NETS = {"demo-ann": 500, "demo-ben": -300}
QUICK = "quick-sic-bo"


@pytest.fixture(scope="module")
def house(make_deployment: Callable[..., Deployment]) -> Iterator[Deployment]:
    """A demo house with another automatic table; its record must be right after all its deaths."""
    deployment = make_deployment()
    deployment.start()
    open_quick(deployment, QUICK, "singapore-mbs-sic-bo-v6", LONG_BETTING)
    yield deployment
    assert deployment.process.stop() == 0
    deployment.audited()


class Sent:
    """What was asked and acknowledged, so that it can be asked again."""

    def __init__(self, house: Deployment) -> None:
        self._house = house
        self._asked: list[tuple[str, str, str, dict[str, Any], list[str]]] = []

    def bets(self, name: str, table: str, bet: str, key: str) -> None:
        wager, amount = bet.split("=")
        request = {"type": "PlaceBets", "bets": [{"wager": wager, "amount": int(amount)}]}
        self._send(name, table, key, {"command": request})

    def step(self, table: str, step: str, key: str) -> None:
        dealer = self._house.visitor("demo-dealer")
        request = {"type": "TakeStep", "step": step, **fields_of(step, DICE)}
        self._send("demo-dealer", table, key, {"command": request, "expected": dealer.now(table)})

    def _send(self, name: str, table: str, key: str, waiting: dict[str, Any]) -> None:
        response = done(self._house.visitor(name).post(f"/tables/{table}/commands", waiting, key=key))
        assert not response["repeated"]
        self._asked.append((name, table, key, waiting, response["events"]))

    def again(self) -> None:
        """Repeat requests without a response: the same request gets the same response, and nothing more happens."""
        for name, table, key, request, events in self._asked:
            response = done(self._house.visitor(name).post(f"/tables/{table}/commands", request, key=key))
            assert (response["repeated"], response["events"]) == (True, events)


def kinds(entries: list[Entry]) -> list[str]:
    return [entry.kind for entry in entries]


@pytest.mark.parametrize("phase", PHASES)
def test_a_dealers_round_goes_on_by_the_book_after_the_power_failed(house: Deployment, phase: str) -> None:
    sent = Sent(house)
    dealer = house.visitor("demo-dealer")
    before = {name: house.visitor(name).balance(TABLES[0]) for name in STAKES}  # chips of both tables are the same
    seen = {}
    for table, last in zip(TABLES, PHASES[phase], strict=True):
        start = dealer.table(table)["sequence"]
        for name, bet in STAKES.items():
            sent.bets(name, table, bet, f"{phase} {name}")
        order = ORDER[table]
        for step in order[: order.index(last) + 1] if last else ():
            sent.step(table, step, f"{phase} {step}")
        assert dealer.table(table)["view"]["phase"] == phase
        seen[table] = start, house.record(table, start), dealer.now(table)["round"]
    balances = house.balances()
    house.process.kill()
    house.start()

    assert house.balances() == balances, "a failure moves no money"
    dealer = house.visitor("demo-dealer")
    for table, (start, entries, _) in seen.items():
        record = house.record(table, start)
        assert record[: len(entries)] == entries, "what was acknowledged is there, and unchanged"
        added = record[len(entries) :]
        if (table, phase) in RESUMES:
            assert kinds(added)[0] == "IrregularityCalled"
            assert (body(added[0])["irregularity"], added[0].actor) == ("power-failure", "system")
            assert dealer.table(table)["view"]["betting"]
        else:
            assert not added, "an outcome, or dice that were thrown, need no ruling"
    sent.again()
    for table, (start, _, number) in seen.items():
        with dealer.watch(table, start) as watching:
            finish(dealer, table)
            last = dealer.table(table)["sequence"]
            watching.until_id(last)
            assert watching.ids == list(range(start + 1, last + 1)), "earlier watchers continue without a gap"
        ended = [body(entry)["round"] for entry in house.record(table) if entry.kind == "RoundEnded"]
        assert len(ended) == len(set(ended)), "no round is settled twice"
        assert max(ended) >= number
        assert house.balances()[escrow(table)] == 0
    for name, net in NETS.items():
        assert house.visitor(name).balance(TABLES[0]) == before[name] + len(TABLES) * net
    sent.again()


def finish(dealer: Visitor, table: str) -> None:
    """The dealer takes whatever is due until the round is over."""
    while True:
        seen = dealer.table(table)
        step = seen["staff"]["due"]["id"]
        answer = done(dealer.step(table, step, expected=dealer.now(table), **fields_of(step, DICE)))
        if "RoundEnded" in answer["events"]:
            return


def quick_round(house: Deployment) -> tuple[Visitor, int, int]:
    """A player at the automatic table, once it takes bets: its round, and its last entry."""
    ann = house.visitor("demo-ann")
    page = until(lambda: (page := ann.table(QUICK))["view"]["betting"] and page, "a round that takes bets")
    return ann, page["view"]["round"], page["sequence"]


def commitments(house: Deployment, number: int) -> list[str]:
    found = [body(entry) for entry in house.record(QUICK) if entry.kind == "SeedCommitted"]
    return [one["commitment"] for one in found if one["round"] == number]


def end_countdown(house: Deployment, ann: Visitor, number: int, start: int) -> dict[str, Any]:
    """Let a round's countdown run out; return the revelation of its seed."""
    with ann.watch(QUICK, start) as watching:
        watching.until_kind("CountdownStarted")
    house.advance_clock(LONG_BETTING)
    return draw_of_round(ann, number, start)


def draw_of_round(ann: Visitor, number: int, start: int) -> dict[str, Any]:
    """Wait until a round is over; return the revelation of its seed."""
    with ann.watch(QUICK, start) as watching:
        watching.until(
            lambda come: any(one.kind == "RoundEnded" and one.data["event"]["round"] == number for one in come)
        )
        revealed = [one.data["event"] for one in watching.entries if one.kind == "SeedRevealed"]
        closed = [one for one in watching.entries if one.kind == "BettingClosed"]
    assert len(revealed) == len(closed) == 1, "one draw, and never another"
    return dict(revealed[0])


def test_an_automatic_round_without_a_bet_waits_on_with_the_same_commitment(house: Deployment) -> None:
    ann, number, start = quick_round(house)
    before = commitments(house, number)
    assert len(before) == 1
    house.process.kill()
    house.start()
    ann = house.visitor("demo-ann")
    assert ann.table(QUICK)["sequence"] == start
    assert ann.table(QUICK)["view"]["betting"]
    done(ann.bets(QUICK, "small=100"))  # now the driver acts, and continues with what it finds
    revealed = end_countdown(house, ann, number, start)
    assert commitments(house, number) == before
    assert [commitment(bytes.fromhex(revealed["seed"]))] == before


def test_an_automatic_round_in_its_countdown_closes_on_time_and_keeps_its_seed(house: Deployment) -> None:
    ann, number, start = quick_round(house)
    (committed,) = commitments(house, number)
    done(ann.bets(QUICK, "small=100", key="before the countdown"))
    with ann.watch(QUICK, start) as watching:
        until = watching.until_kind("CountdownStarted").data["event"]["until"]
    house.process.kill()
    house.start()
    ann = house.visitor("demo-ann")
    again = done(ann.bets(QUICK, "small=100", key="before the countdown"))
    assert again["repeated"]
    revealed = end_countdown(house, ann, number, start)
    assert commitment(bytes.fromhex(revealed["seed"])) == committed
    record = house.record(QUICK, start)
    assert [body(entry)["until"] for entry in record if entry.kind == "CountdownStarted"] == [until]
    assert next(entry for entry in record if entry.kind == "BettingClosed").at >= until


def test_a_closed_automatic_round_is_settled_by_the_same_draw_and_not_thrown_again(house: Deployment) -> None:
    ann, number, start = quick_round(house)
    (committed,) = commitments(house, number)
    before = ann.balance(QUICK)
    done(ann.bets(QUICK, "small=100", "big=100"))
    with ann.watch(QUICK, start) as watching:
        ends = watching.until_kind("CountdownStarted").data["event"]["until"]
    house.process.kill()
    with House(open_store(house.place), clock=lambda: datetime.fromisoformat(ends)) as alone:  # dead at the close
        closing = alone.ask(QUICK, ELECTRONIC_TUMBLER, CloseBetting())
        assert closing.refused is None, closing
    house.advance_clock(LONG_BETTING)
    house.start()
    ann = house.visitor("demo-ann")
    revealed = draw_of_round(ann, number, start)
    assert commitment(bytes.fromhex(revealed["seed"])) == committed
    closed = next(entry for entry in house.record(QUICK, start) if entry.sequence == closing.sequence)
    assert revealed["close"] == closed.hash.hex(), "the dice follow from the close before the death"
    proof = ann.get_json(f"/tables/{QUICK}/rounds/{number}/proof")
    assert done(ann.post("/verify", proof))["good"]
    page = ann.get_json(f"/tables/{QUICK}/rounds/{number}")
    assert ann.balance(QUICK) == before + sum(line["net"] for line in page["lines"])


def test_a_key_that_others_may_read_voids_the_round_and_everyone_is_notified(house: Deployment) -> None:
    ann, number, start = quick_round(house)
    before = ann.balance(QUICK)
    done(ann.bets(QUICK, "small=100"))
    key = house.folder / "sealing.key"
    key.chmod(0o640)
    try:
        with ann.watch(QUICK, start) as watching:
            watching.until_kind("CountdownStarted")
            house.advance_clock(LONG_BETTING)
            watching.until_kind("RoundVoided")
    finally:
        key.chmod(0o600)
    assert ann.balance(QUICK) == before
    manager = house.visitor("demo-manager")
    says = "the key that sealed this round's seed cannot be used: others may read it"
    assert says in [
        alarm["detail"] for alarm in manager.get_json("/alarms")["alarms"] if alarm["kind"] == "tumbler failed"
    ]
    ready = loopback.get(f"{house.process.open_at}/ready").json()
    assert ready["warnings"] == [f"table {QUICK}: the electronic tumbler has failed"]
    refused(ann.bets(QUICK, "small=100"), "suspended", 409)
    done(manager.command(QUICK, "Repair", equipment="electronic-tumbler"))
    _, again, _ = quick_round(house)
    assert again == number + 1
    assert "SeedRevealed" not in kinds(house.record(QUICK, start))
