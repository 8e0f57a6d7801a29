"""Tokens: for programs, within scopes, shown once, over when revoked."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from pitbook.auth.tokens import Token
from pitbook.people.commands import Deactivate
from tests.server.people.conftest import BOSS, Casino, Guest

pytestmark = pytest.mark.anyio


async def made(person: Guest, *scopes: str, **more: Any) -> dict[str, Any]:
    response = await person.post("/me/tokens", {"name": "my bot", "scopes": list(scopes), **more})
    assert response.status_code == 201, response.text
    found: dict[str, Any] = response.json()
    return found


async def with_token(program: Guest, token: str, method: str, path: str, **more: Any) -> httpx.Response:
    return await program.ask(method, path, headers={"Authorization": f"Bearer {token}"}, **more)


async def test_a_token_acts_for_its_person_and_needs_no_csrf_token(casino: Casino) -> None:
    async with casino.open() as guest:
        ann, program = guest(), guest()
        await ann.sign_in("ann")
        token = (await made(ann, "play"))["token"]
        assert token.startswith("pitbook_")
        me = (await with_token(program, token, "GET", "/me")).json()
        assert (me["name"], me["scopes"], me["csrf"], me["session"]) == ("ann", ["play"], None, None)
        limits = await with_token(program, token, "PUT", "/me/limits", json={"seconds_per_day": 3600})
        assert limits.json()["holding"]["seconds_per_day"] == 3600
        listed = (await ann.get("/me/tokens")).json()
    assert token not in str(listed)
    assert (listed[0]["name"], listed[0]["revoked"]) == ("my bot", None)


@pytest.mark.parametrize(
    ("scope", "method", "path", "body", "status"),
    [
        ("play", "GET", "/people", None, 403),
        ("deal", "GET", "/people", None, 403),
        ("read", "GET", "/people", None, 200),
        ("manage", "GET", "/people", None, 200),
        ("read", "POST", "/people", {"name": "new"}, 403),
        ("play", "POST", "/people", {"name": "new"}, 403),
        ("manage", "POST", "/people", {"name": "new"}, 201),
        ("read", "PUT", "/policy", {"registration": True, "real_money_automatic": False}, 403),
        ("manage", "POST", "/approvals/x/approve", {}, 403),
        ("deal", "POST", "/approvals/x/approve", {}, 404),
        ("manage", "PUT", "/me/limits", {}, 403),
    ],
)
async def test_a_token_is_good_for_its_scopes_only(
    casino: Casino, scope: str, method: str, path: str, body: Any, status: int
) -> None:
    async with casino.open() as guest:
        boss = guest()
        await boss.sign_in("max")
        token = (await made(boss, scope))["token"]
        answer = await with_token(guest(), token, method, path, json=body)
    assert answer.status_code == status, answer.text


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/me/tokens", {"name": "more", "scopes": ["manage"]}),
        ("GET", "/me/tokens", None),
        ("GET", "/me/sessions", None),
        ("DELETE", "/me/sessions", None),
        ("POST", "/me/password", {"old": "a", "new": "b"}),
    ],
)
async def test_no_token_changes_how_its_person_signs_in(casino: Casino, method: str, path: str, body: Any) -> None:
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        token = (await made(ann, "play", "deal", "manage", "read"))["token"]
        answer = await with_token(guest(), token, method, path, json=body)
    assert answer.status_code == 403


async def test_a_revoked_token_opens_nothing_from_that_moment(casino: Casino) -> None:
    async with casino.open() as guest:
        ann, program = guest(), guest()
        await ann.sign_in("ann")
        token = await made(ann, "read")
        assert (await with_token(program, token["token"], "GET", "/me")).status_code == 200
        assert (await ann.delete(f"/me/tokens/{token['told']['id']}")).status_code == 204
        assert (await with_token(program, token["token"], "GET", "/me")).status_code == 401
        assert (await ann.delete(f"/me/tokens/{token['told']['id']}")).status_code == 404
    assert [kind for kind in casino.kinds() if "Token" in kind] == ["TokenMade", "TokenRevoked"]


async def test_a_token_that_is_revoked_while_it_is_looked_up_is_not_cached(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with casino.open() as guest:
        ann, program = guest(), guest()
        await ann.sign_in("ann")
        token = await made(ann, "read")
        find = casino.access.tokens.find

        def found_and_then_revoked(text: str, now: str) -> Token | None:
            found = find(text, now)
            casino.access.tokens.revoke_all("ann", now)
            casino.desk.signed_out("ann")
            return found

        monkeypatch.setattr(casino.access.tokens, "find", found_and_then_revoked)
        assert (
            await with_token(program, token["token"], "GET", "/me")
        ).status_code == 200  # it was valid when it was sent
        assert (await with_token(program, token["token"], "GET", "/me")).status_code == 401


async def test_a_token_ends_with_its_time_and_with_its_person(casino: Casino) -> None:
    async with casino.open() as guest:
        ann, ben = guest(), guest()
        await ann.sign_in("ann")
        await ben.sign_in("ben")
        short, long = (await made(ann, "read", days=1))["token"], (await made(ben, "read", days=30))["token"]
        casino.later(days=1, seconds=1)
        assert (await with_token(guest(), short, "GET", "/me")).status_code == 401
        assert (await with_token(guest(), long, "GET", "/me")).status_code == 200
        casino.done(BOSS, Deactivate("ben", "gone"))
        assert (await with_token(guest(), long, "GET", "/me")).status_code == 401


@pytest.mark.parametrize("text", ["", "x", "pitbook_", "pitbook_abc_def", "pitbook_\0_x", "Bearer"])
async def test_an_invalid_token_belongs_to_no_one(casino: Casino, text: str) -> None:
    async with casino.open() as guest:
        headers = {"Authorization": f"Bearer {text}".replace("\0", "\\0")}
        assert (await guest().get("/me", headers=headers)).status_code == 401
        assert (await guest().get("/me", headers={"Authorization": "Basic YW5uOmFubg=="})).status_code == 401


async def test_scopes_that_there_are_not_are_refused(casino: Casino) -> None:
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        assert (await ann.post("/me/tokens", {"name": "x", "scopes": ["all"]})).status_code == 400
        assert (await ann.post("/me/tokens", {"name": "x", "scopes": []})).status_code == 400
        assert (await ann.post("/me/tokens", {"name": "x", "scopes": ["read"], "days": 9999})).status_code == 400


async def test_a_token_is_not_a_cookie_and_a_cookie_is_not_a_token(casino: Casino) -> None:
    async with casino.open() as guest:
        ann, mixed = guest(), guest()
        await ann.sign_in("ann")
        token = (await made(ann, "play"))["token"]
        assert (await with_token(guest(), token, "GET", "/me")).status_code == 200
        assert (await ann.get("/me")).status_code == 200
        assert (await mixed.get("/me", headers={"cookie": f"pitbook={token}"})).status_code == 401
        assert (await with_token(mixed, ann.cookie or "", "GET", "/me")).status_code == 401
