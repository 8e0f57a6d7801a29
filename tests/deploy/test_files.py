"""The files of deploy/: what they name must exist in the server, and what a tool can check is checked by that tool."""

from __future__ import annotations

import ipaddress
import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from pitbook.journal.clocks import BOOT_ID_FILE
from pitbook.server.settings import Settings
from pitbook.table.commands import COMMANDS
from tests.server.conftest import HouseApp, house_app, make_house_app
from tests.server.whole.test_reload import write_certificate

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
    async with house_app.client() as client:
        metrics = (await client.get("/metrics")).text
    families = dict(re.findall(r"^# TYPE (\S+) (\S+)$", metrics, re.MULTILINE))
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


@pytest.mark.thorough
@pytest.mark.anyio
async def test_rules_name_routes_and_commands_that_the_server_has(house_app: HouseApp) -> None:
    text = "\n".join(expressions())
    async with house_app.client() as client:
        routes = set((await client.get("/api/v1/openapi.json")).json()["paths"])
        await client.post("/api/v1/tables/somewhere/bets", json={})
        metrics = (await client.get("/metrics")).text
    for route in set(re.findall(r'route="([^"]+)"', text)):
        assert route in routes
        assert f'route="{route}"' in metrics
    assert set(re.findall(r'kind="(\w+)"', text)) <= {command.__name__ for command in COMMANDS}


def test_every_alert_says_in_a_sentence_what_is_wrong() -> None:
    for group in yaml.safe_load(RULES.read_text())["groups"]:
        for rule in group["rules"]:
            assert rule["annotations"]["summary"].endswith(".")
            assert rule["labels"]["severity"] in ("critical", "warning")


def test_containers_set_only_settings_that_exist() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    servers = [compose["services"][name] for name in ("one", "two")]
    names = {name for server in servers for name in server["environment"] if name.startswith(PREFIX)}
    names |= set(re.findall(rf"\b({PREFIX}\w+)=", (DEPLOY / "Containerfile").read_text()))
    unit = (DEPLOY / "pitbook.service").read_text()
    names |= set(re.findall(rf"\b({PREFIX}\w+)=", unit))
    assert {name.removeprefix(PREFIX).lower() for name in names} <= set(Settings.model_fields)


def compose_services() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    return services


def test_the_servers_of_compose_share_their_data_and_trust_the_proxy() -> None:
    services = compose_services()
    proxy = services["proxy"]["networks"]["inside"]["ipv4_address"]
    (folder,) = re.findall(r"^VOLUME (\S+)$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    for name in ("one", "two"):
        assert services[name]["volumes"] == [f"data:{folder}"]
        assert services[name]["environment"]["PITBOOK_TRUSTED_PROXIES"] == proxy
        internal = services[name]["environment"]["PITBOOK_INTERNAL_ADDRESS"]
        assert internal.partition(":")[0] == services[name]["networks"]["inside"]["ipv4_address"]
    assert services["two"]["depends_on"] == {"one": {"condition": "service_healthy"}}


def test_every_service_of_compose_has_an_address_of_its_own() -> None:
    """An address that is given out automatically could be the one that another service asks for."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    subnet = ipaddress.ip_network(compose["networks"]["inside"]["ipam"]["config"][0]["subnet"])
    addresses = [service["networks"]["inside"]["ipv4_address"] for service in compose["services"].values()]
    assert len(set(addresses)) == len(addresses)
    assert all(ipaddress.ip_address(address) in subnet for address in addresses)


@pytest.mark.anyio
async def test_the_health_checks_of_the_proxy_are_answered(make_house_app: Callable[..., HouseApp]) -> None:
    caddyfile = (DEPLOY / "Caddyfile").read_text().replace("{$PITBOOK_SITE}", "tables.example")
    (path,) = re.findall(r"health_uri (\S+)", caddyfile)
    host = re.search(r"health_headers \{\s*Host (\S+)\s*\}", caddyfile)
    upstream = re.search(r"reverse_proxy (\S+)", caddyfile)
    assert upstream is not None
    house_app = make_house_app(
        host="0.0.0.0", public_origins=["https://tables.example"], trusted_proxies=["172.30.0.2"]
    )
    async with house_app.client(client=("172.30.0.2", 5000)) as client:
        response = await client.get(path, headers={"Host": host[1] if host else upstream[1]})
    assert response.status_code == 200, response.text


def run_tool(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed here")
def test_every_alert_fires(tmp_path: Path) -> None:
    run_tool("promtool", "check", "rules", RULES)
    tests = tmp_path / "alerts.yaml"
    text = (Path(__file__).parent / "alerts.yaml").read_text()
    tests.write_text(text.replace("prometheus-rules.yaml", str(RULES)))
    run_tool("promtool", "test", "rules", tests)


def test_every_alert_has_an_example() -> None:
    """The examples that promtool runs, where it is installed."""
    examples = yaml.safe_load((Path(__file__).parent / "alerts.yaml").read_text())["tests"]
    tested = {one["alertname"] for example in examples for one in example["alert_rule_test"] if one.get("exp_alerts")}
    rules = yaml.safe_load(RULES.read_text())["groups"]
    assert tested == {rule["alert"] for group in rules for rule in group["rules"]}


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed here")
def test_nginx_accepts_its_file(tmp_path: Path) -> None:
    write_certificate(tmp_path, "tables.example")
    text = (DEPLOY / "nginx.conf").read_text().replace("/etc/pitbook/", f"{tmp_path}/")
    whole = tmp_path / "nginx.conf"
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in kinds)
    whole.write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{folders}{text}}}\n")
    run_tool("nginx", "-t", "-e", "stderr", "-p", tmp_path, "-c", whole)


@pytest.mark.skipif(shutil.which("caddy") is None, reason="caddy is not installed here")
def test_caddy_accepts_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOOK_SITE", "tables.example")
    run_tool("caddy", "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile")


def test_the_unit_allows_what_the_settings_and_the_server_need() -> None:
    unit = (DEPLOY / "pitbook.service").read_text()
    settings = tomllib.loads((DEPLOY / "house.toml").read_text())
    assert set(settings) <= set(Settings.model_fields)
    assert f"ReadWritePaths=-{settings['backups']}\n" in unit
    (state,) = re.findall(r"^StateDirectory=(\w+)$", unit, re.MULTILINE)
    for name in ("journal", "sealing_key", "signing_key"):
        assert settings[name].startswith(f"/var/lib/{state}/")
    assert str(BOOT_ID_FILE).startswith("/proc/sys/")
    assert "ProcSubset=" not in unit, (
        "it would hide the boot id, and so a clock that jumped while the server was stopped"
    )


def test_the_example_settings_are_those_of_the_guide() -> None:
    guide = DEPLOY.parent / "docs" / "guides" / "operations.md"
    assert (DEPLOY / "house.toml").read_text() in guide.read_text(encoding="utf-8")


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
