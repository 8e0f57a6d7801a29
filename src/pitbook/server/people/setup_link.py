"""The one-time link of the first manager, printed at the start and never logged."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pitbook.auth.timestamps import written

if TYPE_CHECKING:
    from pitbook.auth.links import NewLink, Purpose
    from pitbook.auth.store import AuthStore
    from pitbook.server.services import Services

LASTS = timedelta(hours=24)
NOBODY_YET = ""
"""Whose link it is: the first manager has no name before there is one."""


def link_address(address: str, code: str) -> str:
    """A link as a browser takes it; what stands behind # is sent to no server and comes into no log."""
    return f"{address.rstrip('/')}/sign-in#code={code}"


def public_address(services: Services) -> str:
    """Where browsers find the house."""
    origins = services.settings.public_origins
    return origins[0] if origins else services.course.address


def first_manager_link(services: Services) -> NewLink | None:
    """A link for the first manager; none where a manager can sign in.

    Every process that starts may print one: the first that is used makes the others worthless. Where the only managers
    have no password, since they did not get that far or passwords were not restored, it lets one of them choose one.
    """
    managers = services.house.people.managers()
    if not managers:
        return _made(services, "first-manager", NOBODY_YET)
    if any(services.access.password_of(name) is not None for name in managers):
        return None
    return _made(services, "set-password", managers[0])


def sign_in_link(services: Services, person: str) -> str:
    """The code of a link that signs a person in."""
    return _made(services, "sign-in", person).secret


def _made(services: Services, purpose: Purpose, person: str) -> NewLink:
    access: AuthStore = services.access
    return access.links.make(purpose, person, written(services.clock() + LASTS))


def greet_first_manager(services: Services) -> None:
    """Has the server print the link, once it listens, as long as nobody can manage the house."""
    if (made := first_manager_link(services)) is None:
        return
    new = made.link.purpose == "first-manager"
    who = "for the first manager" if new else f"for manager {made.link.person}, to choose a new password"

    def greeting(address: str) -> str:
        return f"sign in  {link_address(public_address(services) or address, made.secret)}  (once, within a day, {who})"

    services.greetings.append(greeting)
