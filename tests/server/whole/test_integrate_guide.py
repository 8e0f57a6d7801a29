"""The guide for integrators does what it shows: its programs are run as they stand on the page."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests import loopback
from tests.server.whole.clients import done
from tests.server.whole.deployment import Deployment
from tests.waiting import HANG, until

PAGE = Path(__file__).parents[3] / "docs" / "guides" / "integrate.md"
HOUSE, RECEIVER = "http://127.0.0.1:8000", "9000"


def write_programs(folder: Path, address: str, port: int) -> str:
    """Write the page's programs to a folder, for this server and a free port; return the page."""
    page = PAGE.read_text(encoding="utf-8").replace(HOUSE, address).replace(RECEIVER, str(port))
    for name, text in re.findall(r"^```py\n# (\S+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        (folder / name).write_text(text, encoding="utf-8")
    return page


def run(folder: Path, *command: str, **environment: str) -> str:
    paths = {"PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])), "NO_PROXY": "127.0.0.1"}
    ended = subprocess.run(
        command, cwd=folder, env={**os.environ, **paths, **environment},
        capture_output=True, text=True, check=False, timeout=2 * HANG,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def deployment(make_deployment: Callable[..., Deployment]) -> Deployment:
    """Start a demo house as the page does."""
    assert "PITBOOK_WEBHOOK_NETWORKS=127.0.0.0/8 pitbook serve" in PAGE.read_text(encoding="utf-8")
    made = make_deployment()
    made.start(PITBOOK_WEBHOOK_NETWORKS="127.0.0.0/8")
    return made


@pytest.mark.thorough
def test_from_nothing_to_a_client_and_a_receiver(deployment: Deployment, tmp_path: Path) -> None:
    process = deployment.process
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    page = write_programs(tmp_path, process.open_at, port)
    generate = next(line for line in page.splitlines() if line.startswith("openapi-python-client generate"))
    loopback.get(f"{process.open_at}/api/v1/openapi.json")  # written once: the generator waits 5 s at most
    run(tmp_path, *generate.split())
    client = {"PYTHONPATH": str(tmp_path / "pitbook-client")}

    manager = deployment.visitor("demo-manager")
    (posted,) = re.findall(r"--json '(.*)'", page)
    made = done(manager.post("/webhooks", json.loads(posted)), 201)
    data = tmp_path / "told"
    with data.open("wb") as output:
        receiver = subprocess.Popen(
            [sys.executable, tmp_path / "receiver.py"],
            env={**os.environ, "WEBHOOK_SECRET": made["secret"]}, stdout=output, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            played = run(tmp_path, sys.executable, "play.py", **client)
            dice = re.fullmatch(r"dice (\d) (\d) (\d) - (.*)\n", played)
            assert dice, played
            total, triple = sum(map(int, dice.groups()[:3])), len(set(dice.groups()[:3])) == 1
            nets = dict(part.split(" ") for part in re.findall(r"\w+ [+-]\d+", dice[4]))
            assert nets == {
                "small": "+500" if total <= 10 and not triple else "-500",
                "big": "+500" if total >= 11 and not triple else "-500",
            }
            until(lambda: len(data.read_text().splitlines()) >= 2, "both lines")
            lines = data.read_text().splitlines()
            assert sorted(line.split()[2:] for line in lines) == sorted(
                ["demo-ann", wager, str(int(net))] for wager, net in nets.items()
            )
            assert wrongly_signed(port) == 401
        finally:
            receiver.kill()
            receiver.communicate()


def wrongly_signed(port: int) -> int:
    """What the receiver answers to a message that someone else made up."""
    headers = {"webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA"}
    with httpx.Client(trust_env=False, timeout=HANG) as stranger:
        return stranger.post(f"http://127.0.0.1:{port}/", headers=headers, content=b"{}").status_code


@pytest.mark.thorough
def test_the_guide_is_at_the_servers_own_operations(deployment: Deployment) -> None:
    paths = loopback.get(f"{deployment.process.open_at}/api/v1/openapi.json").json()["paths"]
    ids = {operation["operationId"] for item in paths.values() for operation in item.values()}
    named = set(
        re.findall(r"^from pitbook_client\.api\.\w+ import (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert named
    assert {name for line in named for name in line.split(", ")} <= ids
