"""Accounts and roles: managers grant and revoke them, auditors read."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from heapq import nsmallest
from typing import Annotated

from litestar import delete, get, post, put
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec.structs import replace

from pitbook.auth.timestamps import format_timestamp
from pitbook.people import commands as c
from pitbook.people.names import fold_name
from pitbook.people.refusals import Reason
from pitbook.people.state import Account
from pitbook.people.values import Grant, Policy
from pitbook.server.http.errors import detail
from pitbook.server.http.pages import PAGE_MAX, Cursor, PageSize, link_next, take_page
from pitbook.server.http.problems import Problem
from pitbook.server.people.identity import RequestCaller
from pitbook.server.people.roles import grantable_roles
from pitbook.server.people.setup_link import link_address, public_address
from pitbook.server.presenters.people import person_info, person_page, policy_info
from pitbook.server.schemas.people import (
    Closing,
    ExcludeLonger,
    GivenRole,
    LinkInfo,
    NewPerson,
    PeoplePage,
    PersonInfo,
    PersonPage,
    PolicyInfo,
    RoleInfo,
    WantedPolicy,
)
from pitbook.server.schemas.second_factors import ResetFactors
from pitbook.server.services import HouseServices, Services
from pitbook.server.worker_pool import HISTORY_QUERIES, TABLE_QUERIES

TAGS = ["people"]
LINK_HOURS = 24
SIGN_IN_POLICY = ("factor_roles", "lock_minutes", "unlock_with")
"""The parts of the policy that are changed only after a recent confirmation."""
PersonName = Annotated[str, PathParameter(max_length=40, description="the name of an account")]
After = Annotated[
    str | None, QueryParameter(name="after", required=False, max_length=40, description="the last name known already")
]
RoleName = Annotated[str, QueryParameter(name="role", min_length=1, max_length=40, description="the role to take")]
AtTable = Annotated[
    str | None,
    QueryParameter(name="table", required=False, max_length=60, description="at which table; else in the whole house"),
]
NamePart = Annotated[
    str | None,
    QueryParameter(name="find", required=False, max_length=60, description="a part of a name"),
]
HoldingRole = Annotated[
    str | None, QueryParameter(name="role", required=False, max_length=40, description="who holds it, wherever")
]
PERSON = {
    "name": "ann",
    "shown": "Ann Lee",
    "created": "2026-03-01T12:00:00.000000+00:00",
    "roles": [{"role": "dealer", "table": "t1"}],
    "active": True,
    "excluded_until": None,
}


@get("/api/v1/people", tags=TAGS, summary="The people of the house")
async def list_people(
    services: HouseServices,
    caller: RequestCaller,
    after: After = None,
    limit: PageSize = 100,
    find: NamePart = None,
    role: HoldingRole = None,
) -> PeoplePage:
    """List accounts by name, page by page, for managers and auditors."""
    caller.require_oversight()
    page = await HISTORY_QUERIES.work(_find_people, services.people.state.accounts, after, limit, find, role)
    link_next(page.next)
    return page


def _find_people(
    accounts: Mapping[str, Account], after: str | None, limit: int, find: str | None, role: str | None
) -> PeoplePage:
    """Return a page of accounts; in a large house this takes too long for the event loop."""
    past = fold_name(after) if after is not None else ""
    wanted = fold_name(find) if find else ""
    found = (key for key, one in accounts.items() if key > past and _matches(key, one, wanted, role))
    keys = nsmallest(limit + 1, found)
    people = [person_info(accounts[key]) for key in keys[:limit]]
    return PeoplePage(people, people[-1].name if len(keys) > limit else None)


def _matches(key: str, account: Account, part: str, role: str | None) -> bool:
    """Return whether an account's names contain a part, and it has a role somewhere; the key is the folded name."""
    if role is not None and not any(grant.role == role for grant in account.roles):
        return False
    return not part or part in key or part in fold_name(account.shown)


@get("/api/v1/roles", tags=TAGS, summary="The roles that can be given")
async def list_roles(
    services: HouseServices, caller: RequestCaller, after: Cursor = None, limit: PageSize = PAGE_MAX
) -> list[RoleInfo]:
    """List the house's own roles, then those of the books by rank, for anyone signed in."""
    caller.require_account()
    return take_page(await TABLE_QUERIES.work(grantable_roles, services.house), lambda one: one.role, after, limit)


@post(
    "/api/v1/people",
    tags=TAGS,
    summary="Add somebody",
    opt={
        "examples": {
            "request": {"name": "ann", "shown": "Ann Lee", "roles": [{"role": "dealer", "table": "t1"}]},
            "response": PERSON,
        }
    },
)
async def add_person(data: JSONBody[NewPerson], services: HouseServices, caller: RequestCaller) -> PersonInfo:
    """Create an account with roles; a one-time link lets its owner choose a password."""
    roles = tuple(Grant(one.role, one.table) for one in data.roles)
    added = c.AddPerson(data.name, data.shown or data.name, roles)
    command = await services.authenticator.pseudonyms.take(caller.require_manager(), added)
    await _manage(services, caller, command)
    return person_info(_find_account(services, command.name))


@get("/api/v1/people/{name:str}", tags=TAGS, summary="Somebody", opt={"examples": {"response": PERSON}})
async def show_person(name: PersonName, services: HouseServices, caller: RequestCaller) -> PersonPage:
    """Return an account with the limits that a player set, for managers and auditors."""
    caller.require_oversight()
    return _person_page(services, name)


@post(
    "/api/v1/people/{name:str}/roles",
    status_code=200,
    tags=TAGS,
    summary="Give a role",
    opt={"examples": {"request": {"role": "dealer", "table": "t1"}, "response": PERSON}},
)
async def give_role(
    name: PersonName, data: JSONBody[GivenRole], services: HouseServices, caller: RequestCaller
) -> PersonInfo:
    """Grant a role; it applies at once, in every session. Nobody changes their own roles."""
    await _manage(services, caller, c.GiveRole(name, data.role, data.table))
    return person_info(_find_account(services, name))


@delete("/api/v1/people/{name:str}/roles", status_code=200, tags=TAGS, summary="Take a role")
async def take_role(
    name: PersonName, role: RoleName, services: HouseServices, caller: RequestCaller, table: AtTable = None
) -> PersonInfo:
    """Revoke a role exactly as it was granted; it applies at once, in every session."""
    await _manage(services, caller, c.TakeRole(name, role, table))
    return person_info(_find_account(services, name))


@post(
    "/api/v1/people/{name:str}/deactivation",
    status_code=200,
    tags=TAGS,
    summary="Close an account",
    opt={"examples": {"request": {"words": "left the house"}}},
)
async def deactivate(
    name: PersonName, data: JSONBody[Closing], services: HouseServices, caller: RequestCaller
) -> PersonInfo:
    """Close an account: sessions, tokens and links end at once."""
    await _manage(services, caller, c.Deactivate(name, data.words))
    account = _find_account(services, name)
    await services.authenticator.revoke_all(account.name, "the account was closed")
    return person_info(account)


@delete("/api/v1/people/{name:str}/deactivation", status_code=200, tags=TAGS, summary="Open an account again")
async def reactivate(name: PersonName, services: HouseServices, caller: RequestCaller) -> PersonInfo:
    """Reopen an account with the roles that it had."""
    await _manage(services, caller, c.Reactivate(name))
    return person_info(_find_account(services, name))


@post("/api/v1/people/{name:str}/link", tags=TAGS, summary="A link to choose a password")
async def make_link(name: PersonName, services: HouseServices, caller: RequestCaller) -> LinkInfo:
    """Create a one-time link, valid for a day, to choose a password; it ends the person's other sessions."""
    manager = caller.require_manager()
    account = _find_account(services, name)
    if not account.active:
        raise Problem("inactive", detail("account-closed", name=account.name))
    authenticator = services.authenticator
    expires = format_timestamp(services.clock() + timedelta(hours=LINK_HOURS))
    created = await asyncio.to_thread(authenticator.auth.links.make, "set-password", account.name, expires)
    command = c.RecordToken(account.name, "-", f"one-time link, made by {manager.name}", ("set-password",), "made")
    authenticator.records.record(command)
    return LinkInfo(
        link_address(public_address(services.settings, services.lifecycle.address), created.secret), expires
    )


@post(
    "/api/v1/people/{name:str}/exclusion",
    status_code=200,
    tags=TAGS,
    summary="Make an exclusion longer",
    opt={"examples": {"request": {"until": "2027-01-31T12:00:00+00:00"}}},
)
async def exclude_longer(
    name: PersonName, data: JSONBody[ExcludeLonger], services: HouseServices, caller: RequestCaller
) -> PersonPage:
    """Extend a person's exclusion, as a manager. Nobody can shorten it."""
    await _manage(services, caller, c.Exclude(data.until, name))
    return _person_page(services, name)


@post(
    "/api/v1/people/{name:str}/factor-reset",
    status_code=200,
    tags=TAGS,
    summary="Reset somebody's second factors",
    opt={"examples": {"request": {"words": "lost the phone; identity checked at the desk"}}},
)
async def reset_factors(
    name: PersonName, data: JSONBody[ResetFactors], services: HouseServices, caller: RequestCaller
) -> PersonPage:
    """Remove all second factors of another person, as a manager, and sign them out. Nobody resets their own."""
    caller.require_manager()
    services.second_factors.require_recent(caller)
    account = _find_account(services, name)
    await _manage(services, caller, c.ResetFactors(account.name, data.words))
    await services.second_factors.forget(account.name)
    return _person_page(services, name)


@put(
    "/api/v1/policy",
    tags=TAGS,
    summary="Say what the house allows",
    opt={"examples": {"request": {"registration": True, "real_money_automatic": False}}},
)
async def set_policy(data: JSONBody[WantedPolicy], services: HouseServices, caller: RequestCaller) -> PolicyInfo:
    """Set the house policy, as a manager."""
    now = services.people.state.policy
    caller.require_manager()
    wanted = {name: value for name in Policy.__struct_fields__ if (value := getattr(data, name)) is not None}
    if any(getattr(now, name) != wanted.get(name, getattr(now, name)) for name in SIGN_IN_POLICY):
        services.second_factors.require_recent(caller)
    command = c.SetPolicy(replace(now, **wanted))
    await _manage(services, caller, command, allowed=(Reason.NOTHING_TO_DO,))
    return policy_info(services.people.state.policy)


def _person_page(services: Services, name: str) -> PersonPage:
    state = services.people.state
    return person_page(_find_account(services, name), state.policy, services.authenticator.now())


async def _manage(
    services: Services, caller: RequestCaller, command: c.Command, *, allowed: tuple[str, ...] = ()
) -> None:
    manager = caller.require_manager()
    await services.authenticator.records.execute(manager, command, allowed=allowed)


def _find_account(services: Services, name: str) -> Account:
    account: Account | None = services.people.find(name)
    if account is None:
        raise Problem("unknown-person", detail("no-account", name=name))
    return account


handlers = [
    list_people,
    add_person,
    show_person,
    give_role,
    take_role,
    deactivate,
    reactivate,
    make_link,
    exclude_longer,
    reset_factors,
    list_roles,
    set_policy,
]
