"""Audits and checkpoints over the wire: started, watched, cancelled; what is wrong is found, and what was cut off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from pitbook.child_processes import Job, ProcessEnded
from pitbook.journal.keys import create_key
from pitbook.server.settings import config_home
from pitbook.table import commands as c
from tests.audit.journals import play
from tests.server.audit.conftest import Office
from tests.server.worker_jobs import sleeps
from tests.waiting import until_async

pytestmark = pytest.mark.anyio


async def ended(client: httpx.AsyncClient) -> dict[str, Any]:
    """The state of the audit once it is over."""

    async def over() -> dict[str, Any] | None:
        state: dict[str, Any] = (await client.get("/audit")).json()
        return state if state["state"] != "running" else None

    return await until_async(over, "the end of the audit")


async def test_an_audit_proves_the_journal_right(office: Office) -> None:
    play(office.floor(), 4)
    play(office.floor("dice-ology", "t2"), 4)
    async with office.client_of("kim") as client:
        assert (await client.get("/audit")).json()["state"] == "idle"
        started = await client.post("/audit", json={})
        assert started.status_code == 202
        assert started.json()["total"] == sum(head.sequence for head in office.house.store.heads().values())
        state = await ended(client)
    report = state["report"]
    assert (state["state"], report["good"], report["findings"], report["tables"]) == ("finished", True, [], 3)
    assert state["events"] == report["events"] == state["total"]
    assert "database" not in report


async def test_an_audit_names_the_first_wrong_entry(office: Office) -> None:
    play(office.floor(), 2)
    connection = apsw.Connection(str(office.path))
    connection.execute("DROP TRIGGER entries_not_updated")
    connection.execute("UPDATE entries SET role = 'manager' WHERE table_name = 't1' AND sequence = 12")
    connection.close()
    async with office.client_of() as client:
        await client.post("/audit", json={})
        report = (await ended(client))["report"]
    assert not report["good"]
    first = report["findings"][0]
    assert (first["table"], first["sequence"], first["about"]) == ("t1", 12, "hash")


async def test_one_audit_at_a_time_and_it_can_be_cancelled(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    office.floor()
    monkeypatch.setattr("pitbook.server.backoffice.audits.run_audit", sleeps)
    async with office.client_of() as client:
        assert (await client.delete("/audit")).status_code == 409
        assert (await client.post("/audit", json={})).status_code == 202
        assert (await client.post("/audit", json={})).status_code == 409

        async def at_seven() -> bool:
            return bool((await client.get("/audit")).json()["events"] == 7)

        await until_async(at_seven, "entry 7")
        assert (await client.delete("/audit")).json()["state"] == "cancelled"
        await office.watch.auditing.wait_finished()
        assert (await client.get("/audit")).json()["state"] == "cancelled"
        monkeypatch.undo()
        assert (await client.post("/audit", json={})).status_code == 202
        assert (await ended(client))["state"] == "finished"


def test_a_job_that_is_killed_raises_process_ended() -> None:
    job = Job(sleeps)
    with pytest.raises(ProcessEnded):
        job.result(lambda _: job.kill())


@pytest.mark.thorough
async def test_a_checkpoint_is_signed_and_shows_what_was_cut_off(office: Office, tmp_path: Path) -> None:
    table = office.floor()
    play(table, 2)
    async with office.client_of() as client:
        assert (await client.get("/checkpoints/key")).status_code == 404
        made = await client.post("/checkpoints")
        assert made.status_code == 201
        assert made.headers["content-disposition"].startswith('attachment; filename="checkpoint-')
        assert _of_t1(made.text)["count"] == office.house.store.head("t1").sequence
        key = (await client.get("/checkpoints/key")).json()
        assert key["id"] == json.loads(made.text)["signer"]
        play(table, 1)
        table.does(table.most_senior, c.StartShift("late"))
        again = await client.post("/checkpoints")
        assert _of_t1(again.text)["count"] == office.house.store.head("t1").sequence
        request = {"checkpoint": made.text, "public_key": key["public_key"]}
        await client.post("/audit", json=request)
        right = await ended(client)
        await client.post("/audit", json=request | {"public_key": _another_key(tmp_path)})
        foreign = await ended(client)
        _cut(office)
        await client.post("/audit", json=request | {"checkpoint": again.text})
        cut = await ended(client)
    assert right["report"]["good"]
    assert "signature valid" in right["report"]["checkpoint"]
    assert [one["signature"] for one in right["report"]["checkpoints"]] == ["right"]
    assert right["report"]["key"] == key["id"]
    assert [one["signature"] for one in foreign["report"]["checkpoints"]] == ["by another key"]
    assert not foreign["report"]["good"]
    assert any("cut off" in finding["why"] for finding in cut["report"]["findings"])
    path = office.services.settings.signing_key_path
    assert path.stat().st_mode & 0o077 == 0
    assert config_home() not in path.parents


def _of_t1(checkpoint: str) -> Any:
    """What a checkpoint says of the table."""
    return next(one for one in json.loads(checkpoint)["tables"] if one["table"] == "t1")


def _another_key(folder: Path) -> str:
    create_key(folder / "other.key")
    return (folder / "other.key.pub").read_text(encoding="ascii")


async def test_earlier_checkpoints_narrow_down_what_was_rewritten(office: Office) -> None:
    """Someone hashes the record again: it is right in itself, and only what was signed gives it away."""
    table = office.floor()
    play(table, 1)
    async with office.client_of() as client:
        checkpoints = [(await client.post("/checkpoints")).text]
        held = office.house.store.head("t1").sequence
        play(table, 1)
        checkpoints.append((await client.post("/checkpoints")).text)
        broken = office.house.store.head("t1").sequence
        tables = json.loads(checkpoints[1])["tables"]
        next(one for one in tables if one["table"] == "t1")["head"] = "00" * 32
        await client.post("/audit", json={"checkpoint": json.dumps({**json.loads(checkpoints[1]), "tables": tables})})
        alone = (await ended(client))["report"]["findings"][0]
        request = {
            "checkpoint": json.dumps({**json.loads(checkpoints[1]), "tables": tables}),
            "earlier": checkpoints[:1],
        }
        await client.post("/audit", json=request)
        both = (await ended(client))["report"]["findings"][0]
        assert (await client.post("/audit", json={"earlier": checkpoints})).status_code == 400
    assert (alone["rewritten"]["first"], alone["rewritten"]["held"]) == (1, None)
    assert both["rewritten"] == {
        "first": held + 1,
        "last": broken,
        "held": json.loads(checkpoints[0])["at"],
        "broken": json.loads(checkpoints[1])["at"],
    }


def _cut(office: Office) -> None:
    """Remove the last entry and its transfers."""
    connection = apsw.Connection(str(office.path))
    last = office.house.store.head("t1").sequence
    for kind in ("entries", "transfers", "postings"):
        connection.execute(f"DROP TRIGGER {kind}_not_deleted")
        connection.execute(f"DELETE FROM {kind} WHERE table_name = 't1' AND sequence = {last}")
    connection.close()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"public_key": "x"}, 400),
        ({"checkpont": "x"}, 400),
        ({"checkpoint": 5}, 400),
        ({"checkpoint": "x" * 200_001}, 400),
        ([], 400),
    ],
)
async def test_an_audit_that_makes_no_sense_is_not_begun(office: Office, body: Any, status: int) -> None:
    async with office.client_of() as client:
        assert (await client.post("/audit", json=body)).status_code == status
        assert (await client.get("/audit")).json()["state"] == "idle"


async def test_a_file_that_is_not_a_checkpoint_is_reported_without_its_path(office: Office) -> None:
    office.floor()
    async with office.client_of() as client:
        await client.post("/audit", json={"checkpoint": "not one"})
        state = await ended(client)
    assert state["state"] == "failed"
    assert state["says"].startswith("the checkpoint is not a checkpoint")


async def test_players_start_nothing(office: Office) -> None:
    async with office.client_of("ann") as client:
        for method, path in (("POST", "/audit"), ("DELETE", "/audit"), ("POST", "/checkpoints")):
            assert (await client.request(method, path, json={})).status_code == 403
    async with office.client_of("max read") as client:
        assert (await client.post("/audit", json={})).status_code == 403
