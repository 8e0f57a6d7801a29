"""Clients that are generated from the API's description: complete, without warnings, and good for a round."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pitbook.server.demo import PASSWORD
from pitbook.server.http.schema import METHODS
from pitbook.server.webhooks.messages import KINDS
from tests import loopback
from tests.nodejs import NODE
from tests.server.whole.clients import Visitor
from tests.server.whole.dealing import ORDER, fields_of
from tests.server.whole.deployment import Deployment
from tests.waiting import HANG

TYPESCRIPT = Path(__file__).parents[3] / "ui" / "node_modules" / "openapi-typescript" / "bin" / "cli.js"
TABLE = "massachusetts"


@pytest.fixture(scope="module")
def description(demo_house: Deployment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The description that a server gives away, as a file."""
    path = tmp_path_factory.mktemp("description") / "openapi.json"
    path.write_bytes(loopback.get(f"{demo_house.process.open_at}/api/v1/openapi.json").content)
    return path


@pytest.fixture(scope="module")
def operations(description: Path) -> list[dict[str, Any]]:
    paths = json.loads(description.read_bytes())["paths"]
    return [item[method] for item in paths.values() for method in METHODS if method in item]


@pytest.fixture(scope="module")
def client(description: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a generated Python client, which can be imported."""
    folder = tmp_path_factory.mktemp("client")
    command = ["-m", "openapi_python_client", "generate", "--fail-on-warning", "--path", str(description)]
    tools = {**os.environ, "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))}
    ended = subprocess.run(
        [sys.executable, *command, "--output-path", str(folder / "generated")],
        capture_output=True, text=True, check=False, timeout=HANG, env=tools,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    sys.path.insert(0, str(folder / "generated"))
    yield folder / "generated" / "pitbook_client"
    sys.path.remove(str(folder / "generated"))
    for name in [name for name in sys.modules if name.partition(".")[0] == "pitbook_client"]:
        del sys.modules[name]


def operation(tag: str, name: str) -> ModuleType:
    return import_module(f"pitbook_client.api.{tag}.{name}")


@pytest.mark.thorough
def test_operation_ids_are_short_and_unique(operations: list[dict[str, Any]]) -> None:
    ids = [one["operationId"] for one in operations]
    assert len(set(ids)) == len(ids) > 90
    for one in ids:
        assert one.isidentifier(), one
        assert one.islower(), one
        assert len(one) <= 24, one


def test_the_titles_of_schemas_are_unique_and_are_their_names(description: Path) -> None:
    schemas = json.loads(description.read_bytes())["components"]["schemas"]
    assert {name: one["title"] for name, one in schemas.items()} == {name: name for name in schemas}


@pytest.mark.thorough
def test_python_and_typescript_clients_have_every_operation(
    client: Path, description: Path, operations: list[dict[str, Any]]
) -> None:
    written = {path.stem: path for path in sorted(client.glob("api/*/*.py"))}
    for one in operations:
        module = operation(written[one["operationId"]].parent.name, one["operationId"])
        assert callable(module.sync_detailed)
        assert callable(module.asyncio_detailed)
    options: list[str | Path] = [description, "--output", description.with_suffix(".ts")]
    ended = subprocess.run([NODE, TYPESCRIPT, *options], capture_output=True, text=True, check=True, timeout=HANG)
    assert "warn" not in (ended.stdout + ended.stderr).lower(), ended.stdout + ended.stderr
    types = description.with_suffix(".ts").read_text(encoding="utf-8")
    for one in operations:
        assert f"\n    {one['operationId']}: {{" in types


@pytest.mark.thorough
def test_a_generated_client_plays_a_round(client: Path, demo_house: Deployment) -> None:
    from pitbook_client import AuthenticatedClient  # type: ignore[import-not-found]
    from pitbook_client.models import (  # type: ignore[import-not-found]
        BetRequest,
        Bets,
        CommandRequest,
        Done,
        ExpectedStep,
        ProblemDetails,
        RoundPage,
        TakeStep,
    )

    address = demo_house.process.open_at
    ann, dealer = (
        AuthenticatedClient(address, token=demo_house.visitor(name).token or "", httpx_args={"trust_env": False})
        for name in ("demo-ann", "demo-dealer")
    )
    show_table = operation("tables", "show_table")
    with ann, dealer:
        before = show_table.sync(TABLE, client=ann)
        placed = operation("play", "place_bets").sync(
            TABLE, client=ann, body=Bets([BetRequest(wager="small", amount=500)]), idempotency_key="generated"
        )
        assert isinstance(placed, Done)
        assert placed.events == ["BetPlaced"]
        for step in ORDER[TABLE]:
            view = show_table.sync(TABLE, client=dealer).view
            body = CommandRequest(
                TakeStep.from_dict({"type": "TakeStep", "step": step, **fields_of(step, (1, 2, 3))}),
                expected=ExpectedStep(view.round_, view.step),
            )
            assert isinstance(operation("play", "send_command").sync(TABLE, client=dealer, body=body), Done)
        after = show_table.sync(TABLE, client=ann)
        assert after.mine.balance == before.mine.balance + 500, "small wins on 1-2-3"
        played = operation("tables", "show_round").sync(TABLE, before.view.round_, client=ann)
        assert isinstance(played, RoundPage)
        assert sorted(played.dice) == [1, 2, 3]
        late = operation("play", "place_bets").sync(
            TABLE, client=ann, body=Bets([BetRequest(wager="none", amount=500)])
        )
        assert isinstance(late, ProblemDetails)
        assert late.refusal == "unknown-wager"


@pytest.mark.thorough
def test_a_generated_client_signs_in_and_makes_itself_a_token(client: Path, demo_house: Deployment) -> None:
    from pitbook_client import Client
    from pitbook_client.models import CreatedToken, NewToken, SignIn

    with Client(demo_house.process.open_at, httpx_args={"trust_env": False}) as visitor:
        me = operation("people", "sign_in").sync(client=visitor, body=SignIn("demo-ann", PASSWORD))
        visitor.get_httpx_client().headers["X-CSRF-Token"] = me.csrf
        made = operation("people", "make_token").sync(client=visitor, body=NewToken("a program", ["play"]))
        assert isinstance(made, CreatedToken)


@pytest.mark.thorough
def test_a_stream_sends_what_the_description_says(client: Path, description: Path, demo_house: Deployment) -> None:
    document = json.loads(description.read_bytes())
    schemas = document["components"]["schemas"]

    def fields(reference: dict[str, str]) -> set[str]:
        return set(schemas[reference["$ref"].rpartition("/")[2]]["properties"])

    def events(path: str) -> dict[str, Any]:
        found: dict[str, Any] = document["paths"][path]["get"]["responses"]["200"]["content"]["text/event-stream"]
        return dict(found["x-events"])

    described = events("/api/v1/tables/{table}/stream")
    dealer = demo_house.visitor("demo-dealer")
    last = dealer.table(TABLE)["sequence"]
    with dealer.watch(TABLE, 0) as staff, Visitor(demo_house.process.open_at).watch(TABLE, 0) as public:
        for watching in (staff, public):
            watching.until_id(last)
            watching.until_kind("view")
            for frame in watching.frames:
                assert set(frame.data) - {"sequence"} <= fields(described[frame.kind]["schema"]), frame.kind
                if "event" in described[frame.kind] and "event" in frame.data:
                    assert set(frame.data["event"]) <= fields(described[frame.kind]["event"]), frame.kind
        assert {"TableOpened", "BetPlaced", "StepTaken", "WinnersPaid", "RoundEnded"} <= {
            frame.kind for frame in staff.frames
        }
    assert {entry.kind for entry in demo_house.record("house")} <= set(events("/api/v1/house/stream"))


def test_webhook_messages_are_described(description: Path) -> None:
    document = json.loads(description.read_bytes())
    assert set(document["webhooks"]) == set(KINDS)
    for item in document["webhooks"].values():
        body = item["post"]["requestBody"]["content"]["application/json"]["schema"]
        assert body == {"$ref": "#/components/schemas/WebhookMessage"}
    assert {kind for kinds in KINDS.values() for kind in kinds} <= set(document["components"]["schemas"])
