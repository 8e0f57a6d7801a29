"""Two servers on one PostgreSQL: who signs in at one is in at the other, and out as well."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tests.journal.conftest import postgres_role, postgres_server, postgres_url
from tests.server.people.conftest import Casino, Guest, watches
from tests.waiting import until_async

__all__ = ["postgres_role", "postgres_server", "postgres_url"]

pytestmark = pytest.mark.anyio


def moved(person: Guest, there: Guest) -> Guest:
    """The same browser, as another server sees it."""
    there.http.cookies.set("pitbook", person.cookie or "", domain="localhost.local", path="/")
    there.csrf = person.csrf
    return there


async def becomes(person: Guest, path: str, status: int) -> None:
    async def has_become() -> bool:
        return (await person.get(path)).status_code == status

    await until_async(has_become, f"status {status}")


async def test_what_one_server_changes_holds_at_the_other_within_a_second(
    make_casino: Callable[..., Casino], postgres_url: str
) -> None:
    one = make_casino(place=postgres_url)
    one.open_table()
    other = make_casino(place=postgres_url, populated=False)
    async with one.open() as here, other.open() as there:
        boss, dan, ann = here(), here(), here()
        for person, name in ((boss, "max"), (dan, "dan"), (ann, "ann")):
            await person.sign_in(name)
        dan_there, ann_there = moved(dan, there()), moved(ann, there())
        assert (await ann_there.get("/me")).json()["name"] == "ann"
        assert (await dan_there.get("/people")).status_code == 403
        watching = await watches(other, "dan", staff=True)
        await boss.post("/people/dan/roles", {"role": "manager"})
        await becomes(dan_there, "/people", 200)
        await asyncio.wait_for(watching.ended.wait(), 1)
        await boss.post("/people/dan/deactivation", {"words": "gone"})
        await becomes(dan_there, "/me", 401)
        watching = await watches(other, "ann", staff=False)
        assert (await ann.post("/sign-out")).status_code == 204
        await becomes(ann_there, "/me", 401)
        await asyncio.wait_for(watching.ended.wait(), 1)
