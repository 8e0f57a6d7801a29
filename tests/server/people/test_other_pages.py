"""Pages of other origins: a browser that is signed in does nothing for them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.server.people.conftest import PASSWORD, Casino

pytestmark = pytest.mark.anyio

LANGUAGE = {"language": "de"}


@pytest.mark.parametrize("csrf", [None, "", "0" * 64, "of another session"])
async def test_a_change_without_the_sessions_own_csrf_token_is_refused(casino: Casino, csrf: str | None) -> None:
    async with casino.open() as guest:
        ann, ben = guest(), guest()
        await ann.sign_in("ann")
        await ben.sign_in("ben")
        right = ann.csrf
        ann.csrf = ben.csrf if csrf == "of another session" else csrf
        refused = await ann.put("/me/language", LANGUAGE)
        assert (refused.status_code, refused.json()["type"]) == (403, "/problems/forbidden")
        assert (await ann.get("/me")).json()["language"] is None
        ann.csrf = right
        assert (await ann.put("/me/language", LANGUAGE)).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://localhost"}, 200),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "https://other.example"}, 403),
        ({"Origin": "http://localhost:8001"}, 403),
        ({"Origin": "https://localhost"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "http://partner.example", "Sec-Fetch-Site": "cross-site"}, 200),
    ],
)
async def test_only_pages_of_ours_change_anything_even_with_the_csrf_token(
    make_casino: Callable[..., Casino], headers: dict[str, str], status: int
) -> None:
    casino = make_casino(public_origins=["http://partner.example"])
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        response = await ann.put("/me/language", LANGUAGE, headers=headers)
    assert response.status_code == status, response.text


async def test_another_origins_page_signs_nobody_in(casino: Casino) -> None:
    async with casino.open() as guest:
        response = await guest().sign_in("ann", headers={"Origin": "https://other.example"})
        link = await guest().post("/sign-in/link", {"code": "x"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert (response.status_code, link.status_code) == (403, 403)
    assert "set-cookie" not in response.headers
    assert "SignedIn" not in casino.kinds()


async def test_another_origins_page_signs_nobody_out(casino: Casino) -> None:
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        assert (await ann.post("/sign-out", headers={"Origin": "https://other.example"})).status_code == 403
        assert (await ann.get("/me")).status_code == 200


@pytest.mark.parametrize("path", ["stream", "events"])
async def test_another_origins_page_does_not_watch_with_the_visitors_cookie(casino: Casino, path: str) -> None:
    casino.open_table()
    async with casino.open() as guest:
        dan = guest()
        await dan.sign_in("dan")
        for headers in ({"Origin": "https://other.example"}, {"Sec-Fetch-Site": "cross-site"}):
            response = await dan.get(f"/tables/t1/{path}", headers=headers)
            if path == "stream":
                assert response.status_code == 403
            assert "access-control-allow-origin" not in response.headers
            assert response.headers["cross-origin-resource-policy"] == "same-origin"


async def test_a_form_of_another_page_is_not_json(casino: Casino) -> None:
    async with casino.open() as guest:
        response = await guest().http.post("/api/v1/sign-in", data={"name": "ann", "password": PASSWORD})
    assert response.status_code == 415


async def test_a_denied_page_is_on_record_under_the_persons_name(casino: Casino) -> None:
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        await ann.put("/me/language", LANGUAGE, headers={"Origin": "https://other.example"})
    last = casino.record()[-1]
    assert (last.kind, last.actor) == ("refused", "ann")
    assert b"denied" in last.body + (last.answer or b"")
