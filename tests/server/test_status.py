"""Health, readiness and figures."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pitbook.server.http.metrics import Metrics
from pitbook.server.routes import status
from pitbook.server.services import Hook
from tests.server.conftest import HouseApp

pytestmark = pytest.mark.anyio


async def test_a_server_lives_and_is_ready(house_app: HouseApp) -> None:
    async with house_app.client(*status.handlers) as client:
        assert (await client.get("/health")).json() == {"status": "alive"}
        response = await client.get("/ready")
    assert (response.status_code, response.json()["ready"]) == (200, True)


async def test_a_server_that_stops_lives_but_is_not_ready(house_app: HouseApp) -> None:
    async with house_app.client(*status.handlers) as client:
        await house_app.services.stop()
        assert (await client.get("/health")).status_code == 200
        response = await client.get("/ready")
    assert (response.status_code, response.json()["because"]) == (503, "the server is stopping")


async def test_a_server_whose_journal_is_gone_is_not_ready(house_app: HouseApp, tmp_path: object) -> None:
    async with house_app.client(*status.handlers) as client:
        house_app.services.house.store.close()
        for file in list(house_app.services.settings.data.glob("journal-*")):
            file.unlink()
        response = await client.get("/ready")
    assert (response.status_code, response.json()["because"]) == (503, "the journal cannot be read")


async def test_figures_count_requests_by_route_and_status(house_app: HouseApp) -> None:
    async with house_app.client(*status.handlers) as client:
        for _ in range(3):
            await client.get("/health")
        for number in range(5):
            await client.get(f"/made-up/{number}")
        metrics = (await client.get("/metrics")).text
    assert 'pitbook_requests_total{method="GET",route="/health",status="200"} 3.0' in metrics
    assert 'pitbook_requests_total{method="GET",route="(none)",status="404"} 5.0' in metrics
    assert "made-up" not in metrics
    assert "pitbook_journal_trouble 0.0" in metrics
    assert "process_" in metrics


async def test_metrics_are_for_this_machine_by_default(make_house_app: Callable[..., HouseApp]) -> None:
    async with make_house_app().client(*status.handlers, client=("10.1.1.1", 1)) as client:
        assert (await client.get("/metrics")).status_code == 403
    async with make_house_app(metrics_from=["10.0.0.0/8"]).client(*status.handlers, client=("10.1.1.1", 1)) as client:
        assert (await client.get("/metrics")).status_code == 200
    async with make_house_app(metrics=False).client(*status.handlers) as client:
        assert (await client.get("/metrics")).status_code == 404


async def test_hooks_run_in_order_and_stop_in_reverse(house_app: HouseApp) -> None:
    seen: list[str] = []

    def hook(name: str) -> Hook:
        async def run(_: object) -> None:
            seen.append(name)
            if name == "stop b":
                raise RuntimeError("one that fails does not keep the others from stopping")

        return run

    services = house_app.services
    services.on_start.extend((hook("start a"), hook("start b")))
    services.on_stop.extend((hook("stop a"), hook("stop b")))
    async with house_app.client(*status.handlers):
        assert seen == ["start a", "start b"]
        assert services.lifecycle.open
    assert seen == ["start a", "start b", "stop b", "stop a"]
    await services.stop()
    assert len(seen) == 4


def test_commands_and_commits_are_counted() -> None:
    metrics = Metrics()
    metrics.count_command("PlaceBets", None)
    metrics.count_command("PlaceBets", "betting-closed")
    metrics.count_commit(7)
    exposition = metrics.exposition().decode()
    assert 'pitbook_commands_total{kind="PlaceBets",outcome="accepted"} 1.0' in exposition
    assert 'pitbook_commands_total{kind="PlaceBets",outcome="betting-closed"} 1.0' in exposition
    assert "pitbook_commit_entries_sum 7.0" in exposition
