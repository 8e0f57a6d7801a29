"""The one-time link of the first manager, printed at the start and never logged."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pitbook.auth.timestamps import format_timestamp
from pitbook.server.people.sign_in import NOBODY_YET

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.auth.links import NewLink, Purpose
    from pitbook.auth.store import AuthStore
    from pitbook.house.house import House
    from pitbook.server.settings import Settings

LINK_LIFETIME = timedelta(hours=24)


def link_address(address: str, code: str) -> str:
    """Return a link for a browser; browsers send no server what follows the #."""
    return f"{address.rstrip('/')}/sign-in#code={code}"


def public_address(settings: Settings, address: str) -> str:
    """Return the address under which browsers reach the server."""
    return settings.public_origins[0] if settings.public_origins else address


def first_manager_link(house: House, auth: AuthStore) -> NewLink | None:
    """Return a link for the first manager, or None if a manager can sign in.

    Every process that starts may print one; using one makes the others invalid. If the only managers have no password,
    because none was ever set or passwords were not restored, it lets one of them choose one.
    """
    managers = house.people.managers()
    if not managers:
        return _create_link(house, auth, "first-manager", NOBODY_YET)
    if any(auth.password_of(name) is not None for name in managers):
        return None
    return _create_link(house, auth, "set-password", managers[0])


def sign_in_link(house: House, auth: AuthStore, person: str) -> str:
    """Return the code of a link that signs a person in."""
    return _create_link(house, auth, "sign-in", person).secret


def password_link(house: House, auth: AuthStore, person: str) -> str:
    """Return the code of a link with which a person chooses a password."""
    return _create_link(house, auth, "set-password", person).secret


def _create_link(house: House, auth: AuthStore, purpose: Purpose, person: str) -> NewLink:
    return auth.links.make(purpose, person, format_timestamp(house.now() + LINK_LIFETIME))


def first_manager_greeting(house: House, auth: AuthStore, settings: Settings) -> Callable[[str], str] | None:
    """Return a function that words the link for a server's address, or None if a manager can sign in."""
    if (created := first_manager_link(house, auth)) is None:
        return None
    new = created.link.purpose == "first-manager"
    who = "for the first manager" if new else f"for manager {created.link.person}, to choose a new password"

    def greeting(address: str) -> str:
        link = link_address(public_address(settings, address), created.secret)
        return f"sign in  {link}  (once, within a day, {who})"

    return greeting
