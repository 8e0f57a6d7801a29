"""Operator commands: resetting a lost password, rotating a key."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pitbook.auth.stores import open_auth_store
from pitbook.cli import main
from pitbook.journal.keys import key_id, read_key
from pitbook.journal.running_checkpoint import read_checkpoint
from pitbook.server.demo import PASSWORD
from pitbook.tumbler.seals import SealingKeys
from tests.server.whole.clients import Visitor
from tests.server.whole.deployment import Deployment, body
from tests.server.whole.test_first_start import use

NEW = "eleven dice in a row"


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_manager_who_forgot_the_password_gets_a_link(
    database: str,
    request: pytest.FixtureRequest,
    make_deployment: Callable[..., Deployment],
    capsys: pytest.CaptureFixture[str],
) -> None:
    deployment = make_deployment(request.getfixturevalue("postgres_url") if database == "postgresql" else None)
    process = deployment.start()
    with Visitor(process.open_at).sign_in("demo-manager") as manager:
        manager.add_app("a phone that gets lost")
    reset = ("reset-password", deployment.place, "Demo-Manager", "--reason", "left on holiday", "--json")
    if database == "sqlite":
        assert run(*reset) == 2
        assert "is writing the journal" in capsys.readouterr().err
        assert process.stop() == 0
    assert run("reset-password", deployment.place, "demo-mangaer", "--reason", "x") == 2
    assert "demo-manager" in capsys.readouterr().err
    assert run(*reset) == 0
    code = json.loads(capsys.readouterr().out)["link"].partition("#code=")[2]
    if database == "sqlite":
        process = deployment.start()
    with Visitor(process.open_at) as visitor:
        assert visitor.post("/sign-in", {"name": "demo-manager", "password": PASSWORD}).status_code == 401
    assert use(process, code, password=NEW).status_code == 200
    with Visitor(process.open_at).sign_in("demo-manager", NEW) as manager:
        assert manager.get_json("/me")["second_factor"] is None
    assert process.stop() == 0
    (factors,) = [body(entry) for entry in deployment.record("house") if entry.kind == "FactorsReset"]
    assert factors["words"] == "reset by command: left on holiday"
    ended = [body(entry) for entry in deployment.record("house") if entry.kind == "SessionEnded"]
    assert any("password reset by command: left on holiday" in json.dumps(one) for one in ended)
    deployment.audited()
    deployment.close()


def test_a_new_signing_key_signs_the_running_checkpoint(
    make_deployment: Callable[..., Deployment], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    deployment = make_deployment()
    process = deployment.start()
    path, checkpoint = deployment.folder / "signing.key", Path(deployment.place + "-checkpoint")
    monkeypatch.setenv("PITBOOK_SIGNING_KEY", str(path))
    assert run("rotate-key", "signing", "--db", deployment.place) == 2
    assert "is writing the journal" in capsys.readouterr().err
    assert process.stop() == 0
    before = read_checkpoint(checkpoint, read_key(path))
    assert run("rotate-key", "signing", "--db", deployment.place, "--json") == 0
    ids = json.loads(capsys.readouterr().out)
    assert read_checkpoint(checkpoint, read_key(path)).heads() == before.heads()
    assert ids["new"] == key_id(read_key(path).public_key())
    assert ids["old"] == before.signer
    assert key_id(read_key(path.with_name(f"signing.key.{before.signer}")).public_key()) == before.signer
    again = deployment.start()
    with Visitor(again.open_at).sign_in("demo-manager") as manager:
        assert [one for one in manager.get_json("/alarms")["alarms"] if one["kind"] == "checkpoint"] == []
    assert again.stop() == 0


def test_the_signing_key_is_not_changed_while_servers_run(
    postgres_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOOK_SIGNING_KEY", str(tmp_path / "signing.key"))
    with closing(open_auth_store(postgres_url)) as access:
        access.leases.acquire("process one", "process one", 60)
        assert run("rotate-key", "signing", "--db", postgres_url) == 2
    assert "a server is running on this database; stop every server first" in capsys.readouterr().err


def test_a_new_sealing_key_keeps_the_old_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "sealing.key"
    monkeypatch.setenv("PITBOOK_SEALING_KEY", str(path))
    assert run("rotate-key", "sealing") == 2
    assert "the server creates one when it starts" in capsys.readouterr().err
    (old,) = SealingKeys.make(path).ids
    assert run("rotate-key", "sealing", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["new"], found["old"]) == SealingKeys.load(path).ids
    assert found["old"] == old
