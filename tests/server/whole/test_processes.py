"""Several processes on one PostgreSQL: any of them takes any command, and the death of one loses nothing."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count

import httpx
import pytest

from pitbook.journal.entries import HOUSE
from pitbook.server.demo import TABLES
from tests import loopback
from tests.server.whole.clients import RawConnection, StreamClient, Visitor, done, refused
from tests.server.whole.dealing import ORDER, fields_of
from tests.server.whole.deployment import Deployment, Process, body, key_of
from tests.server.whole.racing import PLACED, TABLE, check_record, race
from tests.server.whole.running import BETTING, open_quick
from tests.simulation.nights import SCENARIO
from tests.soaking import SOAK, repetitions
from tests.waiting import HANG, until, until_async

RACES = repetitions(100, 200)
QUICK, SLOW = "quick-sic-bo", "slow-sic-bo"
ENOUGH = 20
"""So many bets are acknowledged before a process is killed."""


@pytest.fixture(scope="module")
def trio(module_postgres_url: str, make_deployment: Callable[..., Deployment]) -> Iterator[Deployment]:
    """Three processes, started at the same time on an empty database, whose record must be right in the end."""
    deployment = make_deployment(module_postgres_url)
    for process in [deployment.begin() for _ in range(3)]:
        process.opened()
    try:
        yield deployment
        for process in living(deployment):
            assert process.stop() == 0
            assert not [line for line in process.log_lines if line["level"] == "error"]
        deployment.audited()
    finally:
        deployment.close()  # before the database goes


@pytest.fixture(scope="module")
def quick(trio: Deployment) -> None:
    """An automatic table with the shortest times, and one with more time than any test takes."""
    ann = trio.visitor("demo-ann")
    for table, betting in ((QUICK, BETTING), (SLOW, 600)):
        open_quick(trio, table, "singapore-mbs-sic-bo-v6", betting)
    until(lambda: all(ann.table(table)["view"]["betting"] for table in (QUICK, SLOW)))


def living(house: Deployment) -> list[Process]:
    """The processes that have not ended."""
    return [process for process in house.started if process.process.poll() is None]


def places(house: Deployment) -> list[str]:
    """Where they listen."""
    return [process.open_at for process in living(house)]


def test_three_processes_that_start_together_make_one_demo_house(trio: Deployment) -> None:
    names = [body(entry)["name"] for entry in trio.record(HOUSE) if entry.kind == "PersonAdded"]
    assert len(names) == len(set(names))
    assert all(any(line.startswith("sign in") for line in process.lines) for process in trio.started)
    tables = []
    for place in places(trio):
        with Visitor(place) as nobody:
            tables.append([(one["id"], one["phase"]) for one in nobody.get_json("/tables")])
    assert tables[0] == tables[1] == tables[2]
    assert {name for name, _ in tables[0]} == set(TABLES)


def test_any_process_takes_any_command_for_any_table(trio: Deployment) -> None:
    at = places(trio)
    with ExitStack() as stack:
        dealers = [stack.enter_context(trio.visitor("demo-dealer").at(place)) for place in at]
        anns = [stack.enter_context(trio.visitor("demo-ann").at(place)) for place in at]
        bens = [stack.enter_context(trio.visitor("demo-ben").at(place)) for place in at]
        for shift, table in enumerate(("massachusetts", "maryland")):
            before = anns[0].balance(table), bens[1].balance(table)
            done(anns[shift].bets(table, "small=500"))
            done(bens[(shift + 1) % 3].bets(table, "big=300"))
            for number, step in enumerate(ORDER[table]):
                dealer = dealers[(number + shift) % 3]
                assert dealer.table(table)["staff"]["due"]["id"] == step
                done(dealer.step(table, step, expected=dealer.now(table), **fields_of(step, (1, 2, 3))))
            assert [ann.balance(table) for ann in anns] == [before[0] + 500] * 3
            assert [ben.balance(table) for ben in bens] == [before[1] - 300] * 3


@pytest.mark.thorough
def test_a_dealer_at_two_processes_takes_each_step_once(trio: Deployment) -> None:
    at = places(trio)
    token = trio.visitor("demo-dealer").token or ""
    start = trio.visitor("demo-dealer").table(TABLE)["sequence"]
    rounds = 8

    async def compete() -> list[tuple[int, int]]:
        statuses = []
        async with RawConnection(at[0], token) as here, RawConnection(at[1], token) as there:
            for _ in range(rounds):
                for step in ORDER[TABLE]:
                    expected = await asyncio.to_thread(trio.visitor("demo-dealer").now, TABLE)
                    request = {"step": step, **fields_of(step, (2, 3, 4))}
                    responses = await asyncio.gather(
                        *(line.command(TABLE, "TakeStep", expected=expected, **request) for line in (here, there))
                    )
                    statuses.append((responses[0].status, responses[1].status))
                    lost = next(one for one in responses if one.status != 200)
                    assert (lost.status, lost.body["refusal"]) == (409, "stale-step")
        return statuses

    statuses = asyncio.run(compete())
    assert all(sorted(pair) == [200, 409] for pair in statuses)
    assert {pair[0] for pair in statuses} == {200, 409}, "each was first at times"
    taken = [body(entry)["step"] for entry in trio.record(TABLE, start) if entry.kind == "StepTaken"]
    assert [step for step in taken if step != "illuminate"] == [*ORDER[TABLE]] * rounds


def test_bets_at_two_processes_race_the_close_at_a_third_and_watchers_see_all(trio: Deployment) -> None:
    first, *others = places(trio)
    dealer = trio.visitor("demo-dealer")
    start = dealer.table(TABLE)["sequence"]
    with ExitStack() as stack:
        watchers = [stack.enter_context(watching(trio, "demo-dealer", place, TABLE, start)) for place in others]
        races = asyncio.run(race([first], others, trio, RACES, seed=8 + SOAK))
        last = trio.record(TABLE)[-1].sequence
        for watcher in watchers:
            watcher.until_id(last)
            seen = watcher.ids  # some bets may still have come after the last race
            assert len(seen) >= last - start
            assert seen == list(range(start + 1, start + 1 + len(seen))), "every event, in order, without a gap"
    assert races.run == RACES
    check_record(trio.record(TABLE, start), races)
    assert races.mixed > RACES / 20, f"only {races.mixed} races were close"


def watching(house: Deployment, name: str, place: str, table: str, after: int) -> StreamClient:
    with house.visitor(name).at(place) as visitor:
        return visitor.watch(table, after)


def test_a_role_that_is_taken_at_one_process_is_gone_at_the_others_soon(trio: Deployment) -> None:
    here, there, _ = places(trio)
    with ExitStack() as stack:
        manager = stack.enter_context(trio.visitor("demo-manager").at(here))
        flo = stack.enter_context(trio.visitor("demo-floorperson-2").at(there))
        role = {"role": "floorperson", "table": "maryland"}
        done(flo.command("maryland", "StartShift", role="floorperson", shift="evening"))
        done(manager.ask("DELETE", "/people/demo-floorperson-2/roles", params=role))
        until(lambda: flo.command("maryland", "StartShift", shift="night").status_code == 403)
        shifts = [body(entry)["shift"] for entry in trio.record("maryland") if entry.kind == "ShiftStarted"]
        done(manager.post("/people/demo-floorperson-2/roles", role))
        again = lambda: flo.command("maryland", "StartShift", role="floorperson", shift="late").status_code == 200  # noqa: E731
        until(again)
    assert "evening" in shifts


def test_a_sign_out_at_one_process_ends_the_session_at_the_others_soon(trio: Deployment) -> None:
    here, there, third = places(trio)
    with Visitor(here).sign_in("demo-chen") as chen, chen.at(there) as same, chen.at(third) as too:
        for one in (same, too):
            assert one.get_json("/me")["name"] == "demo-chen"
        with same.watch(TABLE) as stream:
            stream.until_kind("view")
            assert chen.post("/sign-out").status_code == 204
            for one in (same, too):
                until(lambda one=one: one.get("/me").status_code == 401)  # type: ignore[misc]
            stream.until_ended()


def test_an_act_requested_at_one_process_is_approved_at_another_at_once(trio: Deployment) -> None:
    here, there, _ = places(trio)
    with ExitStack() as stack:
        fay = stack.enter_context(trio.visitor("demo-floorperson").at(here))
        flo = stack.enter_context(trio.visitor("demo-floorperson-2").at(there))
        for _ in range(5):
            second = {"name": flo.name, "role": "floorperson"}
            parked = done(fay.command(TABLE, "Fill", amount=1_000, second=second), 202)
            assert done(flo.approve(parked["approval"]))["events"] == ["Filled"]


def test_a_players_loss_limit_holds_over_tables_and_processes_at_once(trio: Deployment, quick: None) -> None:
    here, there, third = places(trio)
    chen = trio.visitor("demo-chen")
    tables = {here: SLOW, there: "singapore"}
    with chen.at(third) as setting:
        done(setting.ask("PUT", "/me/limits", json={"loss_per_day": {"play-SGD": 1_000}}))

    async def bet_at_both(number: int) -> list[int]:
        async with RawConnection(here, chen.token or "") as one, RawConnection(there, chen.token or "") as other:
            responses = await asyncio.gather(
                one.bet(tables[here], "small=800", key=f"limit {number} here"),
                other.bet(tables[there], "small=800", key=f"limit {number} there"),
            )
            assert all(one.status == 200 or one.body["refusal"] == "loss-limit" for one in responses), responses
            for line, table, answer in zip((one, other), tables.values(), responses, strict=True):
                if answer.status == 200:
                    assert (await line.command(table, "TakeDown", wager="small")).status == 200
        return sorted(one.status for one in responses)

    assert [asyncio.run(bet_at_both(number)) for number in range(25)] == [[200, 409]] * 25


@pytest.mark.thorough
def test_a_simulation_at_one_process_keeps_the_others_from_starting_one(trio: Deployment) -> None:
    manager = trio.visitor("demo-manager")
    long = SCENARIO.replace("nights = 6", "nights = 10000").replace("hours = 2.5", "hours = 500")
    with manager.at(places(trio)[0]) as first, manager.at(places(trio)[1]) as second:
        began = first.post("/simulations", {"toml": long})
        assert began.status_code == 202, began.text
        run = began.json()["run"]
        refusal = second.post("/simulations", {"toml": SCENARIO})
        assert (refusal.status_code, "another process" in refusal.json()["detail"]) == (409, True)
        assert first.ask("DELETE", f"/simulations/{run}").status_code == 202
        until(lambda: first.get_json(f"/simulations/{run}")["state"] != "running")
        began = until(lambda: accepted(second.post("/simulations", {"toml": SCENARIO})), "the second's turn")
        assert second.ask("DELETE", f"/simulations/{began.json()['run']}").status_code == 202
        until(lambda: second.get_json("/simulations")["running"] is None)


def accepted(answer: httpx.Response) -> httpx.Response | None:
    return answer if answer.status_code == 202 else None


def test_a_person_who_registers_at_one_process_is_known_at_the_others_at_once(trio: Deployment) -> None:
    here, *others = places(trio)
    with Visitor(here) as guest:
        done(guest.post("/register", {"name": "newcomer", "password": "eleven dice in a row"}), 201)
        for place in others:
            with guest.at(place) as same:
                assert same.get_json("/me")["name"] == "newcomer"
                assert done(same.command("dice-ology", "BuyIn", amount=1_000))["events"] == ["BoughtIn"]


def test_a_player_excluded_at_one_process_bets_at_no_other(trio: Deployment) -> None:
    here, there, third = places(trio)
    with ExitStack() as stack:
        manager = stack.enter_context(trio.visitor("demo-manager").at(here))
        done(manager.post("/people", {"name": "eve", "roles": [{"role": "player"}]}), 201)
        link = done(manager.post("/people/eve/link"), 201)["link"]
        eve = stack.enter_context(Visitor(there))
        done(eve.post("/sign-in/link", {"code": link.partition("#code=")[2], "password": "eleven dice in a row"}))
        done(eve.command("singapore", "BuyIn", amount=10_000))
        until(lambda: eve.bets("singapore", "small=100").status_code == 200, "a round that takes her bet")
        done(eve.post("/me/exclusion", {"until": None, "password": "eleven dice in a row"}))
        for place in (here, third):
            other = stack.enter_context(eve.at(place))
            refused(other.bets("singapore", "small=100"), "excluded", 403)


@pytest.mark.thorough
def test_bets_race_the_close_of_an_automatic_round_and_a_paused_process_never_draws(
    trio: Deployment, quick: None
) -> None:
    """The process that drives is stopped in the countdown, and wakes up when others have drawn."""
    ann = trio.visitor("demo-ann")
    start = ann.table(QUICK)["sequence"]
    with ann.watch(QUICK, start) as seen:
        before = drawn_by(trio)
        until(lambda: ann.table(QUICK)["view"]["betting"], "a round that takes bets")
        accepted = asyncio.run(flood_quick(trio))
        seen.until_kind("RoundEnded")
        driver = driving(trio, before)
    check_automatic(trio, start, accepted)

    other = next(process for process in living(trio) if process is not driver)
    with ann.at(other.open_at) as awake:
        until(lambda: bool(awake.table(QUICK)["view"]["betting"]))
        page = awake.table(QUICK)
        with awake.watch(QUICK, page["sequence"]) as seen:
            done(awake.bets(QUICK, "small=100"))
            seen.until_kind("CountdownStarted")
            driver.process.send_signal(signal.SIGSTOP)
            try:
                ended = seen.until_kind("RoundEnded")
            finally:
                driver.process.send_signal(signal.SIGCONT)
            assert ended.data["event"]["round"] == page["view"]["round"]
        with ann.at(driver.open_at) as woken:  # it has had a whole round to do something wrong
            until(lambda: woken.table(QUICK)["view"]["round"] > page["view"]["round"], "the next round")
            until(lambda: woken.table(QUICK)["view"]["betting"], "betting")
            with woken.watch(QUICK, woken.table(QUICK)["sequence"]) as seen:
                done(woken.bets(QUICK, "small=100"))
                seen.until_kind("RoundEnded")
    check_automatic(trio, start, None)


async def flood_quick(house: Deployment) -> set[str]:
    """Bets at all processes, from the first until each process has refused one after the close; the keys of those that
    were accepted."""
    accepted: set[str] = set()
    wagers = [f"total/{total}=100" for total in range(4, 18)]

    async def bets(place: str, name: str) -> None:
        async with RawConnection(place, house.visitor(name).token or "") as line:
            for number in count():
                key = f"{place} {name} {number}"
                answer = await line.bet(QUICK, wagers[number % len(wagers)], key=key)
                if answer.status == 200:
                    accepted.add(key)
                else:
                    assert answer.body["refusal"] in ("betting-closed", "over-maximum", "no-funds"), answer
                if answer.status != 200 and answer.body["refusal"] == "betting-closed":
                    return

    async with asyncio.timeout(HANG):
        await asyncio.gather(*(bets(place, name) for place in places(house) for name in ("demo-ann", "demo-ben")))
    return accepted


def check_automatic(house: Deployment, start: int, accepted: set[str] | None) -> None:
    """No bet between a close and the next commitment; one draw for each close; what was accepted is there."""
    closed, placed = False, set()
    kinds = []
    for entry in house.record(QUICK, start):
        kinds.append(entry.kind)
        if entry.kind in ("BettingClosed", "SeedCommitted"):
            closed = entry.kind == "BettingClosed"
        elif entry.kind in PLACED:
            assert not closed, f"entry {entry.sequence} is a bet after the close"
            placed.add(str(key_of(entry)))
    assert kinds.count("BettingClosed") == kinds.count("SeedRevealed") == kinds.count("RoundEnded")
    if accepted is not None:
        assert accepted
        assert placed == accepted


@pytest.mark.thorough
def test_the_death_of_the_process_that_drives_a_table_loses_nothing_and_others_go_on(
    trio: Deployment, quick: None
) -> None:
    ann = trio.visitor("demo-ann")
    with ann.watch(QUICK) as seen:
        before = drawn_by(trio)
        until(lambda: ann.table(QUICK)["view"]["betting"], "a round that takes bets")
        done(ann.bets(QUICK, "small=100"))
        seen.until_kind("RoundEnded")
    driver = driving(trio, before)
    survivors = [process for process in living(trio) if process is not driver]
    with ExitStack() as stack:
        here = stack.enter_context(ann.at(driver.open_at))
        there = stack.enter_context(ann.at(survivors[0].open_at))
        until(lambda: bool(there.table(QUICK)["view"]["betting"]))
        number = there.table(QUICK)["view"]["round"]
        start = {table: trio.record(table)[-1].sequence for table in (QUICK, TABLE)}
        cut_off = {table: stack.enter_context(here.watch(table, start[table])) for table in start}
        done(here.bets(QUICK, "small=100", key="to the driver"))
        cut_off[QUICK].until_kind("CountdownStarted")
        data, unanswered = asyncio.run(flood_and_kill(trio, driver))
        for one in cut_off.values():
            one.until_ended()
        resumed = {
            table: stack.enter_context(there.watch(table, one.ids[-1] if one.ids else start[table]))
            for table, one in cut_off.items()
        }
        if not any(frame.kind == "RoundEnded" for frame in cut_off[QUICK].frames):
            ended = resumed[QUICK].until_kind("RoundEnded")
            assert ended.data["event"]["round"] == number
        for table, one in resumed.items():
            last = trio.record(table)[-1].sequence
            seen_before = cut_off[table].ids
            if seen_before[-1:] != [last]:
                one.until_id(last)
            assert [*seen_before, *one.ids][: last - start[table]] == list(range(start[table] + 1, last + 1))
        again = done(there.bets(QUICK, "small=100", key="to the driver"))
        assert again["repeated"]
        proof = there.get_json(f"/tables/{QUICK}/rounds/{number}/proof")
        assert done(there.post("/verify", proof))["good"]
    placed = {key_of(entry): entry.sequence for entry in trio.record(TABLE, start[TABLE]) if entry.kind in PLACED}
    assert len(data) > ENOUGH
    assert data.items() <= placed.items(), "what was acknowledged is there"
    assert placed.keys() - data.keys() <= unanswered
    drawn = [body(entry)["round"] for entry in trio.record(QUICK) if entry.kind == "SeedRevealed"]
    assert len(drawn) == len(set(drawn))
    two_go_on(trio)
    trio.start()  # and another joins them
    with trio.visitor("demo-ann").at(trio.process.open_at) as newest:
        done(newest.bets(TABLE, "small=100"))


def two_go_on(house: Deployment) -> None:
    """Two processes take a round to its end, each step of it asked for at both."""
    dealer = house.visitor("demo-dealer")
    with ExitStack() as stack, ThreadPoolExecutor(2) as pool:
        pair = [stack.enter_context(dealer.at(place)) for place in places(house)]
        assert pair[0].table(TABLE)["view"]["stakes"] == pair[1].table(TABLE)["view"]["stakes"] != {}
        for step in ORDER[TABLE]:
            expected = pair[0].now(TABLE)
            fields = fields_of(step, (4, 5, 6))
            responses = list(pool.map(lambda one: one.step(TABLE, step, expected=expected, **fields), pair))  # noqa: B023
            assert sorted(one.status_code for one in responses) == [200, 409]


def drawn_by(house: Deployment) -> list[float]:
    """How many draws each process has made for the quick table, as its figures tell."""
    counts = []
    for process in living(house):
        figures = loopback.get(f"{process.open_at}/metrics").text
        line = rf'^pitbook_automatic_rounds_total\{{outcome="settled",table="{QUICK}"\}} (\S+)'
        found = re.search(line, figures, re.MULTILINE)
        counts.append(float(found[1]) if found else 0.0)
    return counts


def driving(house: Deployment, before: list[float]) -> Process:
    """The process that has made the one draw since, which it counts when the draw is on record already."""
    until(lambda: drawn_by(house) != before)
    more = [after - count for after, count in zip(drawn_by(house), before, strict=True)]
    assert sorted(more) == [0, 0, 1], "exactly one process drives a table"
    return living(house)[more.index(1)]


async def flood_and_kill(house: Deployment, victim: Process) -> tuple[dict[str, int], set[str]]:
    """Bets at a process until it is killed: those acknowledged, and those that got no answer."""
    acknowledged: dict[str, int] = {}
    unanswered: set[str] = set()

    async def bets(name: str, token: str) -> None:
        async with RawConnection(victim.open_at, token) as line:
            for number in range(10_000):
                key = f"{name} at the victim {number}"
                answer = await line.bet(TABLE, f"total/{number % 14 + 4}=100", key=key)
                if answer.status == 0:
                    unanswered.add(key)
                    return
                assert answer.status == 200, answer
                acknowledged[key] = answer.body["sequence"]

    names = ("demo-ann", "demo-ben", "demo-chen")
    tasks = [asyncio.create_task(bets(name, house.visitor(name).token or "")) for name in names]
    await until_async(lambda: len(acknowledged) > ENOUGH, "enough bets")
    victim.process.send_signal(signal.SIGKILL)
    await asyncio.gather(*tasks)
    await asyncio.to_thread(victim.process.wait)
    return acknowledged, unanswered
