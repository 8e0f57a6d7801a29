"""The people of a demo house, for its sign-in page; nothing of this is secret there."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import get

from pitbook.server.demo import DEMO, MANAGER_NAME, PASSWORD
from pitbook.server.services import HouseServices, Services


class DemoPerson(msgspec.Struct, frozen=True):
    """A demo account."""

    name: str
    shown: str
    roles: tuple[str, ...]


class DemoHouse(msgspec.Struct, frozen=True):
    """Whether this is a demo house, and how to sign in."""

    demo: bool
    password: str | None = None
    """The password of all demo accounts."""
    people: tuple[DemoPerson, ...] = ()


@get("/api/v1/demo", tags=["people"], summary="Whom to try a demo house as")
async def show_demo(services: HouseServices) -> DemoHouse:
    """Return the accounts of a demo house and their password, or that this is not one."""
    return await asyncio.to_thread(_find_demo, services)


def _find_demo(services: Services) -> DemoHouse:
    people = services.house.people
    if services.auth.setting(DEMO) is None or people.find(MANAGER_NAME) is None:
        return DemoHouse(False)
    found = tuple(
        DemoPerson(one.name, one.shown, tuple(sorted({grant.role for grant in one.roles})))
        for one in people.accounts.values()
        if one.name.startswith("demo-") and one.active
    )
    return DemoHouse(True, PASSWORD, found)


handlers = [show_demo]
