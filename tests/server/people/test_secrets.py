"""No password, cookie, token or link code is kept as it is: not in the journal, not beside it, not in a log."""

from __future__ import annotations

import io
import logging
from pathlib import Path
from typing import TextIO

import pytest

from pitbook.server.http.logs import REQUESTS, JsonLines
from pitbook.server.people.setup_link import sign_in_link
from pitbook.server.people.sign_in import SignedIn
from tests.server.people.conftest import OTHER_PASSWORD, PASSWORD, Casino

pytestmark = pytest.mark.anyio


async def test_nothing_secret_is_written_anywhere(casino: Casino) -> None:
    log = io.StringIO()
    handler: logging.StreamHandler[TextIO] = logging.StreamHandler(log)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.addHandler(handler)
    before = root.level
    root.setLevel("DEBUG")
    REQUESTS.set_up(handler, plain=False, on=True)
    secrets = {PASSWORD, OTHER_PASSWORD, "a guess that is wrong"}
    try:
        async with casino.open() as guest:
            ann, boss = guest(), guest()
            code = sign_in_link(casino.house, casino.access, "max")
            await boss.post("/sign-in/link", {"code": code})
            link = (await boss.post("/people/ben/link")).json()["link"].partition("#code=")[2]
            await guest().sign_in("ann", "a guess that is wrong")
            await guest().sign_in("a guess that is wrong", "ann")
            await ann.sign_in("ann")
            token = (await ann.post("/me/tokens", {"name": "bot", "scopes": ["play"]})).json()["token"]
            secrets |= {code, link, token, ann.cookie or "", ann.csrf or "", ann.http.cookies["pitbook-device"]}
            await guest().get("/me", headers={"Authorization": f"Bearer {token}"})
            await guest().get("/people", headers={"Authorization": f"Bearer {token}"})
            await guest().get(f"/people/{token}")
            await ann.post("/me/password", {"old": PASSWORD, "new": OTHER_PASSWORD})
            secrets |= {ann.cookie or "", ann.csrf or ""}
            await ann.put("/me/language", {"language": "de"}, headers={"X-CSRF-Token": "wrong"})
            await ann.post("/sign-out")
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
        REQUESTS.flush()
        REQUESTS.on = False
    casino.record()
    assert "" not in secrets
    assert "/api/v1/sign-in" in log.getvalue()
    place = Path(casino.place)
    files = [path for path in place.parent.iterdir() if path.name.startswith(place.name) and path.is_file()]
    assert any(path.name.endswith("-access") for path in files)
    texts = {path.name: path.read_bytes() for path in files} | {"the log": log.getvalue().encode()}
    for name, content in texts.items():
        for secret in secrets:
            assert secret.encode() not in content, f"{secret!r} stands in {name}"


async def test_a_sign_in_shows_neither_its_session_nor_its_device(casino: Casino) -> None:
    account = casino.directory.find("ann")
    assert account is not None
    session = casino.access.sessions.create("ann", casino.desk.now(), authenticated_by="demo")
    displayed = repr(SignedIn(account, session, "a device cookie"))
    assert session.session.id in displayed
    assert "a device cookie" not in displayed
    assert session.secret not in displayed
