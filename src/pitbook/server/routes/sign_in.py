"""Sign in by password or one-time link, register, and sign out."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from litestar.types import Scope

from pitbook.auth.store import DEVICE_DAYS
from pitbook.errors import quoted
from pitbook.house.house import House
from pitbook.people import commands as c
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem
from pitbook.server.people.authentication import WHILE_LOCKED, Authenticator
from pitbook.server.people.identity import RequestCaller
from pitbook.server.people.origins import RequestHeaders, parse_headers
from pitbook.server.people.sign_in import (
    DEVICE,
    SignedIn,
    register,
    seat_guest,
    sign_in_with_link,
    sign_in_with_password,
)
from pitbook.server.presenters.people import me_info, policy_info
from pitbook.server.schemas.people import GuestSeat, Me, NewVisitor, PolicyInfo, SignIn, UseLink
from pitbook.server.services import HouseServices, Services
from pitbook.server.worker_pool import TABLE_QUERIES

TAGS = ["people"]
ME = {
    "name": "ann",
    "shown": "Ann Lee",
    "roles": [{"role": "player", "table": None}],
    "language": None,
    "money": "Automatic tables play for play money, which is worth nothing.",
    "limits": None,
    "scopes": None,
    "session": None,
    "csrf": "9f86d081884c7d65",
}


@post(
    "/api/v1/sign-in",
    status_code=200,
    tags=TAGS,
    summary="Sign in",
    opt={"examples": {"request": {"name": "ann", "password": "eleven dice in a row"}, "response": ME}},
)
async def sign_in(data: JSONBody[SignIn], services: HouseServices, scope: Scope) -> Response[Me]:
    """Sign in by name and password. The session is a cookie; the browser's previous one ends."""
    headers = _same_origin_headers(services, scope)
    return signed_in_response(
        services, await sign_in_with_password(services.authenticator, headers, data.name, data.password)
    )


@post(
    "/api/v1/sign-in/link",
    status_code=200,
    tags=TAGS,
    summary="Use a one-time link",
    opt={"examples": {"request": {"code": "Zm9vYmFy"}, "response": ME}},
)
async def use_link(data: JSONBody[UseLink], services: HouseServices, scope: Scope) -> Response[Me]:
    """Sign in by a link; one to set a password needs it, the link for the first manager a name as well."""
    headers = _same_origin_headers(services, scope)
    signed_in = await sign_in_with_link(
        services.authenticator, headers, data.code, name=data.name, shown=data.shown, password=data.password
    )
    return signed_in_response(services, signed_in)


@post(
    "/api/v1/register",
    tags=TAGS,
    summary="Make an account",
    opt={"examples": {"request": {"name": "ann", "password": "eleven dice in a row"}, "response": ME}},
)
async def make_account(data: JSONBody[NewVisitor], services: HouseServices, scope: Scope) -> Response[Me]:
    """Register as a player, where house policy allows it, and sign in."""
    headers = _same_origin_headers(services, scope)
    signed_in = await register(services.authenticator, headers, data.name, data.shown or data.name, data.password)
    return signed_in_response(services, signed_in, status=201)


@post(
    "/api/v1/guest",
    tags=TAGS,
    summary="Take a guest seat",
    opt={"examples": {"request": {"table": "singapore"}, "response": ME}},
)
async def take_guest_seat(data: JSONBody[GuestSeat], services: HouseServices, scope: Scope) -> Response[Me]:
    """Play without an account, where house policy lets visitors register: at automatic tables for play money only.

    The guest's account has no password and ends with its session.
    """
    headers = _same_origin_headers(services, scope)
    tables = await TABLE_QUERIES.work(guest_tables, services.house)
    if data.table not in tables:
        known = await TABLE_QUERIES.work(services.house.has_table, data.table)
        table = data.table if known else quoted(data.table)
        raise Problem("not-found", detail("guests-not-here", table=table))
    return signed_in_response(services, await seat_guest(services.authenticator, headers, tables), status=201)


@post("/api/v1/sign-out", status_code=204, tags=TAGS, summary="Sign out", opt={WHILE_LOCKED: True})
async def sign_out(services: HouseServices, scope: Scope, caller: RequestCaller) -> Response[None]:
    """End the browser's session, at once and everywhere."""
    authenticator = services.authenticator
    secret = authenticator.session_secret(parse_headers(scope["headers"]))
    if caller.session is not None and secret is not None and caller.owner is not None:
        name = caller.owner.name
        await asyncio.to_thread(authenticator.auth.sessions.revoke, secret)
        authenticator.signed_out(name)
        authenticator.records.record(c.RecordSignOut(name))
    return Response(None, status_code=204, cookies=[session_cookie(authenticator, "", over=True)])


@get("/api/v1/policy", tags=TAGS, summary="What the house allows", sync_to_thread=False)
def show_policy(services: HouseServices) -> PolicyInfo:
    """Return whether visitors may register, and what automatic tables play for. Public."""
    return policy_info(services.people.state.policy)


def guest_tables(house: House) -> list[str]:
    """Return the tables where guests may play: open, automatic, for play money."""
    tables = [house.table(name) for name in house.tables()]
    return [
        table.id
        for table in tables
        if table.open and table.automatic and table.setup and table.money != table.setup.currency
    ]


def signed_in_response(services: Services, signed_in: SignedIn, *, status: int = 200) -> Response[Me]:
    """Return the account that has signed in, with its cookies."""
    authenticator = services.authenticator
    payload = me_info(services.people.state, signed_in.account, authenticator.now(), signed_in.session.session)
    device = Cookie(
        DEVICE,
        "/",
        signed_in.device,
        max_age=DEVICE_DAYS * 86_400,
        secure=authenticator.settings.secure,
        httponly=True,
        samesite="lax",
    )
    return Response(
        payload, status_code=status, cookies=[session_cookie(authenticator, signed_in.session.secret), device]
    )


def session_cookie(authenticator: Authenticator, secret: str, *, over: bool = False) -> Cookie:
    """Return the session cookie: for this host only, hidden from scripts and other sites."""
    age: Any = 0 if over else None
    return Cookie(
        authenticator.cookie,
        "/",
        secret,
        max_age=age,
        secure=authenticator.settings.secure,
        httponly=True,
        samesite="lax",
    )


def _same_origin_headers(services: Services, scope: Scope) -> RequestHeaders:
    """Return the headers of a request from one of our pages; others may sign nobody in."""
    headers = parse_headers(scope["headers"])
    services.authenticator.check_origin(headers, scope["scheme"])
    return headers


handlers = [sign_in, use_link, make_account, take_guest_seat, sign_out, show_policy]
