"""The files of deploy/: what they name must exist in the server, and what a tool can check is checked by that tool."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from pitbook.server.settings import Settings
from pitbook.table.commands import COMMANDS
from tests.server.conftest import HouseApp, house_app, make_house_app

DEPLOY = Path(__file__).parents[2] / "deploy"
RULES = DEPLOY / "prometheus-rules.yaml"
DASHBOARD = DEPLOY / "grafana-dashboard.json"
PREFIX = "PITBOOK_"

__all__ = ["house_app", "make_house_app"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def expressions() -> list[str]:
    """Return every PromQL expression of the rules and the dashboard."""
    rules = [rule["expr"] for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]
    panels = json.loads(DASHBOARD.read_text())["panels"]
    return rules + [target["expr"] for panel in panels for target in panel["targets"]]


@pytest.mark.anyio
async def test_rules_and_dashboard_name_metrics_that_the_server_has(house_app: HouseApp) -> None:
    async with house_app.asking() as client:
        shown = (await client.get("/metrics")).text
    families = dict(re.findall(r"^# TYPE (\S+) (\S+)$", shown, re.MULTILINE))
    samples = set(families) | {
        f"{name}_{part}"
        for name, kind in families.items()
        if kind == "histogram"
        for part in ("bucket", "sum", "count")
    }
    used = {name for text in expressions() for name in re.findall(r"\b(?:pitbook|process)_\w+", text)}
    assert used - samples == set()
    assert len(used) > 15
    counters = {name for text in expressions() for name in re.findall(r"(?:rate|increase)\((\w+)", text)}
    assert {name for name in counters if families.get(name) == "gauge"} == set()


@pytest.mark.anyio
async def test_rules_name_routes_and_commands_that_the_server_has(house_app: HouseApp) -> None:
    text = "\n".join(expressions())
    async with house_app.asking() as client:
        routes = set((await client.get("/api/v1/openapi.json")).json()["paths"])
        await client.post("/api/v1/tables/somewhere/bets", json={})
        shown = (await client.get("/metrics")).text
    for route in set(re.findall(r'route="([^"]+)"', text)):
        assert route in routes
        assert f'route="{route}"' in shown
    assert set(re.findall(r'kind="(\w+)"', text)) <= {command.__name__ for command in COMMANDS}


def test_every_alert_says_in_a_sentence_what_is_wrong() -> None:
    for group in yaml.safe_load(RULES.read_text())["groups"]:
        for rule in group["rules"]:
            assert rule["annotations"]["summary"].endswith(".")
            assert rule["labels"]["severity"] in ("critical", "warning")


def test_containers_set_only_settings_that_exist() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    servers = [compose["services"][name] for name in ("one", "two")]
    names = {name for server in servers for name in server["environment"]}
    names |= set(re.findall(rf"\b({PREFIX}\w+)=", (DEPLOY / "Containerfile").read_text()))
    unit = (DEPLOY / "pitbook.service").read_text()
    names |= set(re.findall(rf"\b({PREFIX}\w+)=", unit))
    assert {name.removeprefix(PREFIX).lower() for name in names} <= set(Settings.model_fields)


def test_the_servers_of_compose_share_their_keys_and_trust_the_proxy() -> None:
    services: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    proxy = services["proxy"]["networks"]["inside"]["ipv4_address"]
    for name in ("one", "two"):
        assert services[name]["volumes"] == ["keys:/var/lib/pitbook/keys"]
        assert services[name]["environment"]["PITBOOK_TRUSTED_PROXIES"] == proxy
    assert services["two"]["depends_on"] == {"one": {"condition": "service_healthy"}}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed here")
def test_the_unit_is_valid_and_hardened() -> None:
    command = [
        "systemd-analyze",
        "security",
        "--offline=true",
        "--no-pager",
        "--threshold=30",
        str(DEPLOY / "pitbook.service"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert found is not None
    assert float(found[1]) < 3
