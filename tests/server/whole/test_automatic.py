"""Automatic tables: the electronic tumbler runs them, people bet, hold them, and void a round by two."""

from __future__ import annotations

import json
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest

from pitbook.ledger.accounts import escrow
from pitbook.tumbler.mapping import commitment, throw
from tests.server.streams.stream_helpers import Frame
from tests.server.whole.clients import StreamClient, Visitor, done, refused
from tests.server.whole.deployment import Deployment
from tests.server.whole.running import LONG_BETTING, open_quick
from tests.waiting import until

TABLES = {"quick-sic-bo": "singapore-mbs-sic-bo-v6", "quick-craps": "dice-ology"}
BETS = {"quick-sic-bo": ("small=200", "big=300"), "quick-craps": ("little-ones=200", "big-ones=300")}


@pytest.fixture(scope="module")
def crews(demo_house: Deployment) -> dict[str, tuple[Visitor, Visitor]]:
    """Both tables open, with two supervisors each; the players hold play money of the same kind."""
    return {table: open_quick(demo_house, table, book, LONG_BETTING) for table, book in TABLES.items()}


def balance(house: Deployment, name: str, table: str) -> int:
    return house.visitor(name).balance(table)


def open_round(visitor: Visitor, table: str) -> int:
    """Waits until bets are taken; the round's number."""
    view = until(lambda: (view := visitor.table(table)["view"])["betting"] and view)
    return int(view["round"])


def of_round(frames: list[Frame], number: int) -> list[str]:
    """The kinds of frames from a round's commitment to the next."""
    starts = [place for place, frame in enumerate(frames) if frame.kind == "SeedCommitted"]
    start = next(place for place in starts if frames[place].data["event"]["round"] == number)
    end = next((place for place in starts if place > start), len(frames))
    return [frame.kind for frame in frames[start:end] if frame.id is not None]


def next_round(watching: StreamClient, number: int, seconds: float = 60) -> list[Frame]:
    """The frames, once the round after this one has opened."""
    return watching.until(
        lambda come: any(one.kind == "SeedCommitted" and one.data["event"]["round"] == number + 1 for one in come),
        seconds,
    )


def test_rounds_run_by_themselves_from_the_commitment_to_the_next_round(
    demo_house: Deployment, crews: dict[str, tuple[Visitor, Visitor]], tmp_path: Path
) -> None:
    ann, ben = demo_house.visitor("demo-ann"), demo_house.visitor("demo-ben")
    watching, numbers, before = {}, {}, {}
    with Visitor(demo_house.process.open_at) as nobody:
        for table in TABLES:
            numbers[table] = open_round(nobody, table)
            watching[table] = nobody.watch(table, 0)
            before[table] = ann.balance(table) + ben.balance(table)
            assert nobody.table(table)["view"]["automatic"]["until"] is None, "nothing runs before the first bet"
        for table, bets in BETS.items():
            done(ann.command(table, "GiveNonce", nonce="ann's own words"))
            done(ann.bets(table, bets[0]))
            done(ben.bets(table, bets[1]))
            begun = watching[table].until_kind("CountdownStarted").data
            left = datetime.fromisoformat(begun["event"]["until"]) - datetime.fromisoformat(begun["at"])
            assert 0 < left.total_seconds() <= LONG_BETTING
        demo_house.advance_clock(LONG_BETTING)
        try:
            for table, number in numbers.items():
                ended = watching[table].until_kind("RoundEnded")
                assert ended.data["event"]["round"] == number
            for table, number in numbers.items():
                until(partial(check_money, demo_house, table, number, before[table]))
            for table, number in numbers.items():
                frames = next_round(watching[table], number)
                check_course(of_round(frames, number))
                check_secrecy(frames, number)
                check_proof(demo_house, table, number, frames, tmp_path)
        finally:
            for one in watching.values():
                one.close()


def check_course(kinds: list[str]) -> None:
    """The order in which a round must go."""
    order = ("SeedCommitted", "BetPlaced", "CountdownStarted", "BettingClosed", "SeedRevealed", "RoundEnded")
    places = [kinds.index(kind) for kind in order]
    assert places == sorted(places), kinds
    assert all(kinds.count(kind) == 1 for kind in order if kind != "BetPlaced"), kinds
    assert "BetPlaced" not in kinds[kinds.index("BettingClosed") :]


def check_secrecy(frames: list[Frame], number: int) -> None:
    """No one sees the sealed seed; the dice and the seed are published after the close."""
    kinds = [frame.kind for frame in frames]
    open_ = frames[: kinds.index("BettingClosed")]
    assert not any(word in json.dumps(frame.data) for frame in open_ for word in ('"seed"', '"sealed"'))
    assert not any(frame.data["event"].get("dice") for frame in open_ if frame.id is not None and "event" in frame.data)
    committed = next(frame.data["event"] for frame in frames if frame.kind == "SeedCommitted")
    assert set(committed) == {"round", "commitment", "mapping", "day"}
    assert committed["round"] <= number


def check_proof(house: Deployment, table: str, number: int, frames: list[Frame], folder: Path) -> None:
    """The proof by the server, by the command, and by our own few lines."""
    ann = house.visitor("demo-ann")
    proof = ann.get_json(f"/tables/{table}/rounds/{number}/proof")
    committed = next(
        frame.data["event"]
        for frame in frames
        if frame.kind == "SeedCommitted" and frame.data["event"]["round"] == number
    )
    seed = bytes.fromhex(proof["seed"])
    assert commitment(seed) == proof["commitment"] == committed["commitment"]
    assert proof["nonces"] == ["ann's own words"]
    closed = next(entry for entry in house.record(table) if entry.kind == "BettingClosed")
    assert proof["close"] == closed.hash.hex()
    dice = throw(
        seed,
        table=table,
        round=number,
        close=proof["close"],
        nonces=tuple(proof["nonces"]),
        dice=proof["dice"],
        mapping=proof["mapping"],
    )
    page = ann.get_json(f"/tables/{table}/rounds/{number}")
    assert list(dice) == proof["result"]
    assert sorted(page["dice"]) == sorted(dice)
    assert page["proof"] == proof
    assert done(ann.post("/verify", proof))["good"]
    false = {**proof, "result": [face % 6 + 1 for face in proof["result"]]}
    assert not done(ann.post("/verify", false))["good"]
    file = folder / f"{table}.json"
    for content, code in ((proof, 0), (false, 1)):
        file.write_text(json.dumps(content), encoding="utf-8")
        assert house.run("verify-round", str(file)).returncode == code
    from_journal = house.run("verify-round", "--journal", house.place, "--table", table, "--round", str(number))
    assert from_journal.returncode == 0, from_journal.stdout


def check_money(house: Deployment, table: str, number: int, before: int) -> bool:
    """What the lines say is what the players' chips came to; what runs on still lies.

    False where the table went on meanwhile: what lies is settled by the rounds that follow.
    """
    manager = house.visitor("demo-manager")
    now = manager.table(table)
    rounds = range(number, now["view"]["round"])
    pages = [manager.get_json(f"/tables/{table}/rounds/{one}") for one in rounds]
    nets = sum(line["net"] for page in pages for line in page["lines"])
    lying = sum(bet["amount"] for bet in now["staff"]["bets"])
    after = balance(house, "demo-ann", table) + balance(house, "demo-ben", table)
    held = house.balances()[escrow(table)]
    if manager.table(table)["sequence"] != now["sequence"]:
        return False
    assert after + lying == before + nets
    assert held == lying
    if table == "quick-sic-bo":
        assert {line["wager"] for line in pages[0]["lines"]} == {"small", "big"}
        assert lying == 0
    return True


def test_a_supervisor_holds_a_table_and_lets_it_go_on_with_the_time_that_was_left(
    demo_house: Deployment, crews: dict[str, tuple[Visitor, Visitor]]
) -> None:
    table = "quick-sic-bo"
    pit, _ = crews[table]
    ann = demo_house.visitor("demo-ann")
    number = open_round(ann, table)
    refused(ann.command(table, "Pause", words="mine"), "wrong-role", 403)
    with ann.watch(table, ann.table(table)["sequence"]) as watching:
        done(ann.bets(table, "small=100"))
        watching.until_kind("CountdownStarted")
        done(pit.command(table, "Pause", words="a guest is unwell"))
        held = watching.until_kind("Paused").data["event"]
        assert 0 < held["left"] < LONG_BETTING
        assert "unwell" not in watching.text, "people's words stay with the staff"
        end_other_round(demo_house)
        view = ann.table(table)["view"]
        assert (view["round"], view["phase"], view["automatic"]["paused"]) == (number, "betting", "no reason given")
        assert pit.table(table)["view"]["automatic"]["paused"] == "a guest is unwell"
        late = refused(ann.bets(table, "small=100"), "suspended", 409)
        assert "unwell" not in str(late), "nor are they in a refusal"
        assert "unwell" not in watching.text
        done(pit.command(table, "Unpause"))
        resumed = watching.until_kind("Unpaused").data
        left = datetime.fromisoformat(resumed["event"]["until"]) - datetime.fromisoformat(resumed["at"])
        assert left.total_seconds() == pytest.approx(held["left"], abs=0.001)
        demo_house.advance_clock(LONG_BETTING)
        closed = watching.until_kind("BettingClosed").data
        assert closed["at"] >= resumed["event"]["until"]
        watching.until_kind("RoundEnded")


def end_other_round(house: Deployment) -> None:
    """Advance the clock past the end of every countdown, and wait until another table has thrown its dice."""
    table = "singapore"
    ben = house.visitor("demo-ben")
    with ben.watch(table, ben.table(table)["sequence"]) as watching:
        open_round(ben, table)
        done(ben.bets(table, "small=100"))
        until(lambda: ben.table(table)["view"]["automatic"]["until"], "the countdown")
        house.advance_clock(LONG_BETTING)
        watching.until_kind("RoundEnded")


def test_a_round_is_void_by_two_persons_its_wagers_go_back_and_its_seed_is_revealed(
    demo_house: Deployment, crews: dict[str, tuple[Visitor, Visitor]]
) -> None:
    table = "quick-craps"
    first, second = crews[table]
    ben = demo_house.visitor("demo-ben")
    number = open_round(ben, table)
    start = ben.table(table)["sequence"]
    with ben.watch(table, start) as watching:
        done(first.command(table, "ProposeVoid", words="the display is dark"))
        refused(first.command(table, "ApproveVoid", round=number), "own-act", 403)
        refused(ben.command(table, "ApproveVoid", round=number), "wrong-role", 403)
        refused(second.command(table, "ApproveVoid", round=number + 1), "no-such-proposal", 404)
        done(second.command(table, "ApproveVoid", round=number))
        revealed = watching.until_kind("SeedRevealed").data["event"]
        assert revealed["voided"]
        assert revealed["dice"] == []
        next_round(watching, number)
    page = ben.get_json(f"/tables/{table}/rounds/{number}")
    assert page["void"]
    proof = ben.get_json(f"/tables/{table}/rounds/{number}/proof")
    assert (proof["voided"], proof["close"]) == (True, "")
    assert done(ben.post("/verify", proof))["good"]
    entries = [entry for entry in demo_house.record(table, start) if entry.kind in ("VoidProposed", "RoundVoided")]
    assert [(entry.kind, entry.actor) for entry in entries] == [
        ("VoidProposed", first.name),
        ("RoundVoided", second.name),
    ]


def test_a_void_gives_every_wager_back(demo_house: Deployment, crews: dict[str, tuple[Visitor, Visitor]]) -> None:
    table = "quick-sic-bo"
    first, second = crews[table]
    ann = demo_house.visitor("demo-ann")
    number, before = open_round(ann, table), ann.balance(table)
    done(ann.bets(table, "small=100", "big=200"))
    assert ann.balance(table) == before - 300
    done(first.command(table, "ProposeVoid", words="a wrong display"))
    done(second.command(table, "ApproveVoid", round=number))
    assert ann.balance(table) == before
    assert demo_house.balances()[escrow(table)] == 0
