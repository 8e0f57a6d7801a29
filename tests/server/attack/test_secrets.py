"""Nothing that opens a door, and nothing that foretells dice, is anywhere but where it belongs."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pitbook.server.demo import PASSWORD
from tests import loopback
from tests.server.attack.wire import SECURITY, Wire, bearer, sent
from tests.server.whole.clients import Visitor, done
from tests.server.whole.deployment import Deployment, body

NEW_PASSWORD = "seventeen amber dice rolling"
WRONG_PASSWORD = "a password that I typed wrongly"
TABLE, AUTOMATIC = "massachusetts", "singapore"


@pytest.fixture(scope="module")
def secrets(target_house: Deployment) -> dict[str, str]:
    """Everything secret that came up while someone signed in, changed a password, made tokens and used links."""
    address = target_house.process.open_at
    found = {"wrong password": WRONG_PASSWORD, "new password": NEW_PASSWORD}
    boss = target_house.visitor("demo-manager")
    done(boss.post("/people", {"name": "sam", "roles": [{"role": "player"}]}), 201)
    found["link"] = done(boss.post("/people/sam/link"), 201)["link"].partition("#code=")[2]
    with Visitor(address) as sam:
        sam.get(f"/sign-in?code={found['link']}")
        sam.get(f"/people/{found['link']}")
        done(sam.post("/sign-in/link", {"code": found["link"], "password": NEW_PASSWORD}))
        found |= {f"cookie {name}": value for name, value in sam.http.cookies.items()}
        found["csrf"] = sam.csrf or ""
        made = done(sam.post("/me/tokens", {"name": "a bot", "scopes": ["play"]}), 201)
        found["token"] = made["token"].rpartition("_")[2]
        sam.post("/me/password", {"old": WRONG_PASSWORD, "new": NEW_PASSWORD + " again"})
        sam.http.get(f"/tables?token={made['token']}", headers={"Authorization": f"Bearer {made['token']}x"})
        sam.post("/sign-in", {"name": WRONG_PASSWORD[:40], "password": WRONG_PASSWORD})
        sam.post("/register", {"name": "sam", "password": NEW_PASSWORD})
        sam.http.post("/sign-in", content=f'{{"name": "sam", "password": "{NEW_PASSWORD}", "more": 1}}')
    assert all(len(value) > 10 for value in found.values()), found
    return found


def test_the_record_holds_no_secret(target_house: Deployment, secrets: dict[str, str]) -> None:
    files = [Path(target_house.place + ending) for ending in ("", "-wal") if Path(target_house.place + ending).exists()]
    content = b"".join(file.read_bytes() for file in files)
    for what, secret in secrets.items():
        assert secret.encode() not in content, what


def test_only_hashes_are_stored_beside_the_record(target_house: Deployment, secrets: dict[str, str]) -> None:
    with closing(sqlite3.connect(f"{target_house.place}-access")) as access:
        dump = "\n".join(access.iterdump())
    for what, secret in secrets.items():
        assert secret not in dump, what
        assert secret.encode().hex() not in dump.lower(), what
    assert PASSWORD not in dump
    for ending in ("", "-access"):
        assert Path(target_house.place + ending).stat().st_mode & 0o077 == 0, "no one else on the machine can read it"


def test_answers_to_mistakes_repeat_no_secret(target_house: Deployment, secrets: dict[str, str]) -> None:
    address = f"{target_house.process.open_at}/api/v1"
    wrong = {"name": "sam", "password": 5, "passwort": WRONG_PASSWORD}
    for path in ("/sign-in", "/register", "/sign-in/link", "/me/password"):
        assert WRONG_PASSWORD not in loopback.post(f"{address}{path}", json=wrong).text
    weak = loopback.post(f"{address}/register", json={"name": "tom", "password": "tom"})
    assert weak.status_code == 422
    token = f"pitbook_abc_{secrets['token']}"
    assert secrets["token"] not in loopback.get(f"{address}/me", headers={"Authorization": f"Bearer {token}"}).text


def test_figures_and_pages_hold_no_secret(target_house: Deployment, secrets: dict[str, str]) -> None:
    for path in ("/metrics", "/api/v1/openapi.json", "/api/v1/reference", "/problems", "/health", "/ready"):
        text = loopback.get(f"{target_house.process.open_at}{path}").text
        assert not [what for what, secret in secrets.items() if secret in text]


def test_nobody_sees_a_seed_before_its_round_is_over_not_even_sealed(target_house: Deployment) -> None:
    ann, auditor = target_house.visitor("demo-ann"), target_house.visitor("demo-auditor")
    committed = [entry for entry in target_house.record(AUTOMATIC) if entry.kind == "SeedCommitted"][-1]
    sealed = body(committed)["sealed"]
    assert len(sealed) > 40
    staff = [target_house.visitor(name) for name in ("demo-dealer", "demo-pit-manager", "demo-manager")]
    for who in (ann, auditor, *staff):
        for path in ("", "/events", "/rounds", "/rounds/1"):
            assert sealed not in who.get(f"/tables/{AUTOMATIC}{path}").text
        with who.watch(AUTOMATIC, 0) as watching:
            watching.until_id(committed.sequence)
            assert sealed not in watching.text
    assert sealed not in loopback.get(f"{target_house.process.open_at}/metrics").text


def test_every_answer_has_the_headers_that_guard_browsers(target_house: Deployment) -> None:
    ann = bearer(target_house, "demo-ann")
    paths = [
        *("/api/v1/tables", "/api/v1/me", "/api/v1/nothing", "/nothing", "/health", "/metrics", "/problems"),
        *("/api/v1/people", f"/api/v1/tables/{TABLE}/stream", "/api/v1/reference", "/api/v1/reference.css", "/"),
        *("/api/v1/books", "/api/v1/me/statement", "/api/v1/openapi.json"),
    ]
    for path in paths:
        with Wire(target_house) as wire:
            wire.send(wire.head(f"GET {path} HTTP/1.1", ann))
            reply = wire.reply()
        assert reply is not None
        for name in (*SECURITY, "x-request-id", "cache-control"):
            assert reply.header(name), (path, name)
        assert reply.header("server") is None


@pytest.mark.parametrize(
    "path",
    [
        *("/me", "/me/sessions", "/me/tokens", "/me/statement", "/approvals", "/people", "/people/demo-ann"),
        *("/journal", f"/journal/{TABLE}", "/audit", "/alarms", "/exports/entries", f"/tables/{TABLE}"),
        *(f"/tables/{TABLE}/events", f"/tables/{TABLE}/rounds/1", f"/tables/{TABLE}/hold", "/tables"),
    ],
)
def test_nothing_private_is_cached(target_house: Deployment, path: str) -> None:
    with Visitor(target_house.process.open_at).sign_in("demo-manager") as manager:
        response = manager.http.get(path)
        assert response.status_code == 200
        assert response.headers["cache-control"] == "no-store"


def test_a_session_is_a_cookie_that_no_script_and_no_other_site_reads(target_house: Deployment) -> None:
    response = loopback.post(
        f"{target_house.process.open_at}/api/v1/sign-in", json={"name": "demo-ann", "password": PASSWORD}
    )
    for cookie in response.headers.get_list("set-cookie"):
        lower = cookie.lower()
        assert "httponly" in lower
        assert "samesite=lax" in lower
        assert "domain=" not in lower


def test_a_bug_reveals_nothing_about_itself() -> None:
    from pitbook.server.http.exception_handlers import problem_parts

    status, content, _ = problem_parts(RuntimeError(f"postgresql://pit:{PASSWORD}@db/house"))
    assert status == 500
    assert PASSWORD.encode() not in content


def test_a_line_of_the_log_cannot_be_forged(target_house: Deployment) -> None:
    forged = '%0A{"level":"error","message":"forged"}'
    with Wire(target_house) as wire:
        reply = wire.send(wire.head(f"GET /api/v1/tables/{forged} HTTP/1.1", 'User-Agent: "}\\n{"forged":1')).reply()
    assert reply is None or reply.status in (400, 404)
    for ends_a_line in (b"%1b[2J", b"%C2%85", b"%E2%80%A8", b"%C2%9B2J", b"%0c", b"%1e", b"%7f"):
        assert sent(target_house, b"GET /" + ends_a_line + b" HTTP/1.1\r\nHost: localhost\r\n\r\n") is not None


def test_the_log_holds_no_secret(target_house: Deployment, secrets: dict[str, str]) -> None:
    """The last of this module: the process ends, so that its log is whole."""
    target_house.process.stop()
    text = target_house.process.log.read_text(encoding="utf-8")
    for what, secret in secrets.items():
        assert secret not in text, what
    for line in text.splitlines():
        body = json.loads(line)
        assert body.get("message") != "forged"
        assert "\x1b" not in line
    target_house.start()
