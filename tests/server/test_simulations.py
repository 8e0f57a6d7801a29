"""Simulated nights over the wire: checked, run one at a time, watched, stopped, kept, and ended with their server."""

from __future__ import annotations

import asyncio
import io
import json
import signal
import tomllib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pyarrow.parquet as pq
import pytest
from litestar import Router
from litestar.di import Provide

from pitbook.auth.stores import open_auth_store
from pitbook.child_processes import Job, ProcessEnded
from pitbook.errors import InputError, unknown_name
from pitbook.house.house import House
from pitbook.journal.sqlite import SqliteStore
from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.server.routes import simulations as routes
from pitbook.server.services import Services
from pitbook.server.settings import Settings
from pitbook.server.simulations import store as runs_shelf
from pitbook.testing import Clock
from tests.browser.people import ApiUser
from tests.server.asgi import app_over, transport_to
from tests.server.audit.conftest import provide_caller
from tests.server.conftest import ServerProcess
from tests.simulation.nights import SCENARIO
from tests.waiting import HANG, until_async
from tests.waiting import until as wait_until

pytestmark = pytest.mark.anyio

LONG = SCENARIO.replace("nights = 6", "nights = 10000").replace("hours = 2.5", "hours = 500")
OWN_BOOK = """
[book]
id = "house-sic-bo"
extends = "maryland-sic-bo"
"""


ROUTES = Router(
    "/",
    route_handlers=routes.handlers,
    dependencies={"caller": Provide(provide_caller, sync_to_thread=False)},
)


class Branch:
    """A process of a house. The journal is its own, for two processes share only one on PostgreSQL; leases are not."""

    def __init__(self, folder: Path, number: int) -> None:
        self.clock = Clock()
        self.house = House(SqliteStore(folder / f"journal-{number}.db"), clock=self.clock)
        self.access = open_auth_store(str(folder / "access.db"))
        settings = Settings(data=folder, demo=False, request_rate=0)
        self.services = Services(settings, self.house, self.access)

    @asynccontextmanager
    async def client_of(self, name: str = "max") -> AsyncIterator[httpx.AsyncClient]:
        """A client through whom someone asks."""
        app = app_over(self.services, [ROUTES])
        transport = transport_to(app)
        place = "http://localhost/api/v1/simulations"
        async with (
            app.lifespan(),
            httpx.AsyncClient(transport=transport, base_url=place, headers={"x-asks": name}) as client,
        ):
            yield client
        await self.services.simulations.close()

    def close(self) -> None:
        self.house.close()
        self.access.close()


@pytest.fixture
def branches(tmp_path: Path) -> Iterator[Callable[[], Branch]]:
    """Processes of one house, in the same folder."""
    made: list[Branch] = []

    def make() -> Branch:
        made.append(Branch(tmp_path, len(made)))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def branch(branches: Callable[[], Branch]) -> Branch:
    return branches()


async def until(client: httpx.AsyncClient, run: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """How a run stands once it is as wanted."""

    async def found() -> dict[str, Any] | None:
        body: dict[str, Any] = (await client.get(f"/{run}")).json()
        if wanted(body):
            return body
        assert body["state"] == "running", body
        return None

    return await until_async(found, "the run")


def ended(data: dict[str, Any]) -> bool:
    return bool(data["state"] != "running")


async def started(client: httpx.AsyncClient, scenario: str) -> str:
    response = await client.post("", json={"toml": scenario})
    assert response.status_code == 202, response.text
    run: str = response.json()["run"]
    return run


async def stopped(client: httpx.AsyncClient) -> str:
    """Start a run and stop it at once."""
    run = await started(client, SCENARIO)
    assert (await client.delete(f"/{run}")).status_code == 202
    await until(client, run, ended)
    return run


@pytest.mark.thorough
async def test_a_scenario_is_run_and_leaves_figures_and_files(branch: Branch) -> None:
    async with branch.client_of() as client:
        run = await started(client, SCENARIO)
        body = await until(client, run, ended)
        assert (body["state"], body["done"], body["nights"], body["by"]) == ("done", 6, 6, "max")
        result = (await client.get(f"/{run}/result")).json()
        assert [group["name"] for group in result["groups"]] == ["steady", "doubling", "dreamers"]
        for group, plots in zip(result["groups"], result["plots"]["groups"], strict=True):
            assert sum(plots["results"]["shares"]) == pytest.approx(1)
            assert plots["bankrolls"]["bands"]["50"][0] == group["bankroll"]
            assert plots["ruin"]["shares"][-1] == pytest.approx(group["ruined"])
        assert sum(end["count"] for end in result["ends"]) == result["bets"]
        assert all(abs(wager["z"]) < 5 for wager in result["wagers"])
        assert tomllib.loads((await client.get(f"/{run}/files/scenario.toml")).text) == tomllib.loads(SCENARIO)
        report = await client.get(f"/{run}/files/report.html")
        assert "data:image/svg" in report.text
        assert "sandbox" in report.headers["content-security-policy"]
        players = pq.read_table(io.BytesIO((await client.get(f"/{run}/files/players.parquet")).content))
        assert players.num_rows == 6 * 7
        assert (await client.get(f"/{run}/files/run.json")).status_code == 404
        assert (await client.get(f"/{run}/files/..%2Frun.json")).status_code == 404
        listed = (await client.get("")).json()
        assert [one["run"] for one in listed["runs"]] == [run]
        assert listed["running"] is None


async def test_what_is_composed_becomes_the_file_that_is_run(branch: Branch) -> None:
    data = tomllib.loads(SCENARIO)
    async with branch.client_of() as client:
        checked = (await client.post("/check", json={"composed": data})).json()
        assert (checked["problems"], tomllib.loads(checked["toml"]), checked["composed"]) == ([], data, data)
        assert checked["size"]["players"] == 7
        run = (await client.post("", json={"composed": data})).json()["run"]
        assert (await client.get(f"/{run}/files/scenario.toml")).text == checked["toml"]


async def test_every_book_has_examples_that_can_be_run(branch: Branch) -> None:
    async with branch.client_of() as client:
        body = (await client.get("/examples", params={"book": "none"})).json()["detail"]
        assert set(PACKAGED) <= set(body.partition("there are ")[2].split(", "))
        for book in PACKAGED:
            body = await client.get("/examples", params={"book": book})
            assert body.status_code == 200, body.text
            for example in body.json()["examples"]:
                checked = (await client.post("/check", json={"composed": example["composed"]})).json()
                assert checked["problems"] == [], (book, example["name"])


async def test_all_errors_are_reported_at_once_with_their_places(branch: Branch) -> None:
    wrong = SCENARIO.replace("hours = 2.5", "hours = 0").replace('"all-lows"', '"all-lovs"').replace("seed", "sead")
    async with branch.client_of() as client:
        problems = (await client.post("/check", json={"toml": wrong})).json()["problems"]
        places = [one["place"] for one in problems]
        kinds = {one["place"]: one["kind"] for one in problems}
        expected = {"hours": "value", "sead": "unknown", "players[1].bets[1].wager": "wager"}
        assert {place: kinds.get(place) for place in expected} == expected
        refused = await client.post("", json={"toml": wrong})
        assert refused.status_code == 422
        assert [one["place"] for one in refused.json()["errors"]] == places
        assert "and 2 more" in refused.json()["detail"] or len(places) > 3
        broken = (await client.post("/check", json={"toml": "book = "})).json()
        assert (broken["problems"][0]["place"], broken["composed"]) == ("", None)
        assert broken["problems"][0].get("kind", "file") == "file"
        composed = (await client.post("/check", json={"composed": {"book": "dice-works", "hours": "long"}})).json()
        assert {"hours", "rolls_per_hour", "players"} == {one["place"] for one in composed["problems"]}
        for body in ({}, {"toml": SCENARIO, "composed": {"book": "dice-works"}}):
            assert (await client.post("/check", json=body)).status_code == 400
        assert (await client.get("")).json()["runs"] == []


async def test_a_scenario_that_needs_too_much_time_or_memory_is_refused_at_once(branch: Branch) -> None:
    deep = "a." * 60_000 + "a = 1\n"  # to read it would take gigabytes
    digits = SCENARIO.replace("nights = 6", "nights = 0x" + "f" * 5_000)
    nights = SCENARIO.replace("nights = 6", "nights = 100000")
    async with branch.client_of() as client:
        for scenario, words in ((deep, "parts"), (digits, "64 bits"), (nights, "250,000")):
            response = await client.post("/check", json={"toml": scenario})
            assert response.status_code == 200, response.text
            assert words in response.json()["problems"][0]["says"]
            assert (await client.post("", json={"toml": scenario})).status_code == 422
        assert (await client.get("")).json()["runs"] == []


async def test_no_scenario_reads_a_file_of_the_server(branch: Branch, tmp_path: Path) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text('[book]\nid = "a secret"\n')
    async with branch.client_of() as client:
        found = await client.post("/check", json={"toml": SCENARIO.replace("dice-works", str(secret))})
    assert "a secret" not in found.text
    assert found.json()["problems"][0]["says"].startswith("unknown book")


@pytest.mark.thorough
async def test_a_book_of_the_house_can_be_simulated(branch: Branch, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(OWN_BOOK)
    branch.services.house.books.editions.add_file(own)
    async with branch.client_of() as client:
        example = (await client.get("/examples", params={"book": "house-sic-bo"})).json()["examples"][0]["composed"]
        run = (await client.post("", json={"composed": {**example, "nights": 3}})).json()["run"]
        assert (await until(client, run, ended))["state"] == "done"


@pytest.mark.thorough
async def test_one_run_at_a_time_and_it_is_stopped_with_what_was_done(branch: Branch) -> None:
    async with branch.client_of() as client:
        run = await started(client, LONG)
        body = await until(client, run, lambda data: data["done"] > 0)
        assert body["rate"] > 0
        assert body["seconds_left"] > 0
        refused = await client.post("", json={"toml": SCENARIO})
        assert (refused.status_code, "in progress" in refused.json()["detail"]) == (409, True)
        assert (await client.get(f"/{run}/result")).status_code == 404
        assert (await client.get("")).json()["running"] == run
        assert (await client.delete(f"/{run}")).status_code == 202
        body = await until(client, run, ended)
        assert body["state"] == "stopped"
        assert (await client.get(f"/{run}/result")).json()["nights"] == body["done"] < body["nights"]
        assert (await client.delete(f"/{run}")).status_code == 409
        assert (await until(client, await started(client, SCENARIO), ended))["state"] == "done"


@pytest.mark.parametrize(
    ("problem", "english", "chinese"),
    [
        (
            InputError("simulation.no-extra", library="numba", extra="simulate"),
            "this needs numba, which is missing; install pitbook[simulate]",
            "需要 numba，但未安裝；請安裝 pitbook[simulate]",
        ),
        (
            InputError("simulation.toml-problem", name="scenario", reason=unknown_name("wager", "smal", ["small"])),
            "scenario: unknown wager 'smal'; did you mean small?",
            "scenario：沒有注「smal」；是否指 small？",
        ),
        (
            RuntimeError("KeyError: 'x'"),
            "an internal error ended the run: KeyError: 'x'",
            "模擬因內部錯誤而中止：KeyError: 'x'",
        ),
        (ProcessEnded(), "its process ended before the run was done", "程序在模擬完成前結束"),
    ],
)
async def test_why_a_run_failed_is_stored_as_a_message_and_read_in_any_language(
    branches: Callable[[], Branch], monkeypatch: pytest.MonkeyPatch, problem: Exception, english: str, chinese: str
) -> None:
    def receive(*_: Any, **__: Any) -> None:
        raise problem

    monkeypatch.setattr(Job, "receive", receive)
    async with branches().client_of() as client:
        run = (await client.post("", json={"toml": SCENARIO}, headers={"Accept-Language": "zh-TW"})).json()["run"]
        body = await until(client, run, ended)
        assert (body["state"], body["says"], body["message"]["text"]) == ("failed", english, english)
    async with branches().client_of() as later:  # another process, which reads it from the disk
        for language, text in (("en", english), ("zh-TW", chinese)):
            headers = {"Accept-Language": language}
            found = (await later.get(f"/{run}", headers=headers)).json()
            assert (found["says"], found["message"]["text"]) == (text, text)
            assert (await later.get("", headers=headers)).json()["runs"][0]["says"] == text


async def test_the_reason_of_a_run_that_an_older_version_stored_is_read_as_it_is(branch: Branch) -> None:
    async with branch.client_of() as client:
        run = await stopped(client)
        record = branch.services.simulations.store.folder / run / runs_shelf.RECORD
        old = {**json.loads(record.read_bytes()), "state": "failed", "says": "no space left on device"}
        del old["message"]
        record.write_text(json.dumps(old))
        found = (await client.get(f"/{run}", headers={"Accept-Language": "zh-TW"})).json()
    assert (found["state"], found["says"], found["message"]) == ("failed", "no space left on device", None)


async def test_another_process_of_the_house_sees_the_run_starts_none_and_can_stop_it(
    branches: Callable[[], Branch],
) -> None:
    async with branches().client_of() as here, branches().client_of() as there:
        run = await started(here, LONG)
        refused = await there.post("", json={"toml": SCENARIO})
        assert (refused.status_code, "another process" in refused.json()["detail"]) == (409, True)
        assert (await there.get("")).json()["running"] == run
        await until(there, run, lambda data: data["done"] > 0)
        assert (await there.delete(f"/{run}")).status_code == 202
        assert (await until(here, run, ended))["state"] == "stopped"
        await stopped(there)  # which may start one now


async def test_only_managers_and_auditors_simulate(branch: Branch) -> None:
    for name, reads, starts in (
        ("", 401, 401),
        ("ann", 403, 403),
        ("dan", 403, 403),
        ("kim", 200, 422),
        ("kim read", 200, 422),
        ("max read", 200, 403),
        ("max play", 403, 403),
    ):
        async with branch.client_of(name) as client:
            assert (await client.get("")).status_code == reads, name
            assert (await client.post("", json={"toml": "book = 1"})).status_code == starts, name


async def test_only_the_last_runs_are_kept(branch: Branch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs_shelf, "RUNS_MAX", 2)
    async with branch.client_of() as client:
        made = []
        for _ in range(3):
            made.append(await stopped(client))
            branch.clock.later(seconds=1)  # the second of the start is in a run's name
        assert [one["run"] for one in (await client.get("")).json()["runs"]] == made[:0:-1]
        assert (await client.get(f"/{made[0]}")).status_code == 404


async def test_too_many_requests_have_to_wait(branch: Branch) -> None:
    async with branch.client_of() as client:
        answers = await asyncio.gather(*(client.post("/check", json={"toml": ""}) for _ in range(60)))
        slow = next(one for one in answers if one.status_code == 429)
        assert int(slow.headers["retry-after"]) >= 1


def running(process: int) -> bool:
    """Whether a process is there, and no shell of one that has ended."""
    with suppress(OSError):
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    return False


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are found in /proc")
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_ends_with_its_server_and_is_reported_as_lost(
    start_server: Callable[..., ServerProcess], tmp_path: Path, end: signal.Signals
) -> None:
    server = start_server(demo=True, PITBOOK_DATA=str(tmp_path / "house"))
    with closing(ApiUser(server.address(), "demo-manager").client) as manager:
        response = manager.post("/api/v1/simulations", json={"toml": LONG})
        assert response.status_code == 202, response.text
    mine = wait_until(lambda: children(server), "the run's process: it is answered before that has begun")
    assert len(mine) == 1
    server.process.send_signal(end)
    server.process.wait(HANG)
    wait_until(lambda: not running(mine[0]), "the run's end")
    again = start_server(demo=True, PITBOOK_DATA=str(tmp_path / "house"))
    with closing(ApiUser(again.address(), "demo-manager").client) as manager:

        def last() -> dict[str, Any]:
            found: dict[str, Any] = manager.get("/api/v1/simulations").json()["runs"][0]
            return found

        # The killed process still holds the lease for a while.
        wait_until(lambda: last()["state"] != "running", "the run to be given up")
        data = last()
        lost = "the server was stopped during the run; start the run again"
        assert (data["state"], data["says"]) == (("failed", lost) if end == signal.SIGKILL else ("cancelled", ""))
        chinese = manager.get("/api/v1/simulations", headers={"Accept-Language": "zh-TW"}).json()["runs"][0]
        assert chinese["says"] == ("執行期間伺服器停止；請重新開始" if end == signal.SIGKILL else "")
        assert manager.post("/api/v1/simulations", json={"toml": SCENARIO}).status_code == 202


def children(server: ServerProcess) -> list[int]:
    """The processes in which a server's runs continue."""
    return [process for process in (int(one.name) for one in Path("/proc").glob("[0-9]*")) if _child(process, server)]


def _child(process: int, server: ServerProcess) -> bool:
    with suppress(OSError):
        command = Path(f"/proc/{process}/cmdline").read_bytes()
        parent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1]
        return b"pitbook simulate_nights" in command and int(parent) == server.process.pid
    return False
