"""In and out: by password, by a one-time link, by registering."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from litestar.types import Scope

from pitbook.auth.store import DEVICE_DAYS
from pitbook.people import commands as c
from pitbook.server.people.authentication import Authenticator
from pitbook.server.people.identity import RequestCaller
from pitbook.server.people.origins import Asking, read_headers
from pitbook.server.people.sign_in import DEVICE, SignedIn, by_link, by_password, register
from pitbook.server.presenters.people import me_told, policy_told
from pitbook.server.schemas.people import Me, NewVisitor, PolicyInfo, SignIn, UseLink
from pitbook.server.services import HouseServices, Services

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
    """By name and password. The session comes as a cookie; one that the browser had before is over."""
    asking = _asking(services, scope)
    return welcome(services, await by_password(services.authenticator, asking, data.name, data.password))


@post(
    "/api/v1/sign-in/link",
    status_code=200,
    tags=TAGS,
    summary="Use a one-time link",
    opt={"examples": {"request": {"code": "Zm9vYmFy"}, "response": ME}},
)
async def use_link(data: JSONBody[UseLink], services: HouseServices, scope: Scope) -> Response[Me]:
    """Signs in. A link to set a password needs one, the link for a house's first manager a name as well."""
    asking = _asking(services, scope)
    entered = await by_link(
        services.authenticator, asking, data.code, name=data.name, shown=data.shown, password=data.password
    )
    return welcome(services, entered)


@post(
    "/api/v1/register",
    tags=TAGS,
    summary="Make an account",
    opt={"examples": {"request": {"name": "ann", "password": "eleven dice in a row"}, "response": ME}},
)
async def make_account(data: JSONBody[NewVisitor], services: HouseServices, scope: Scope) -> Response[Me]:
    """As a player, where the house's policy allows it; whoever does so is signed in."""
    asking = _asking(services, scope)
    entered = await register(services.authenticator, asking, data.name, data.shown or data.name, data.password)
    return welcome(services, entered, status=201)


@post("/api/v1/sign-out", status_code=204, tags=TAGS, summary="Sign out")
async def sign_out(services: HouseServices, scope: Scope, caller: RequestCaller) -> Response[None]:
    """Ends the browser's session, at once and everywhere."""
    authenticator = services.authenticator
    secret = authenticator.secret(read_headers(scope["headers"]))
    if caller.session is not None and secret is not None:
        name = caller.signed_in().name
        await asyncio.to_thread(authenticator.auth.sessions.revoke, secret)
        authenticator.ended(name)
        authenticator.records.note(c.RecordSignOut(name))
    return Response(None, status_code=204, cookies=[session_cookie(authenticator, "", over=True)])


@get("/api/v1/policy", tags=TAGS, summary="What the house allows", sync_to_thread=False)
def show_policy(services: HouseServices) -> PolicyInfo:
    """Whether visitors may make accounts, and what automatic tables play for. Everybody may know."""
    return policy_told(services.people.state.policy)


def welcome(services: Services, entered: SignedIn, *, status: int = 200) -> Response[Me]:
    """What somebody who has come in is told, with their cookies."""
    authenticator = services.authenticator
    told = me_told(services.people.state, entered.account, authenticator.now(), entered.session.session)
    device = Cookie(
        DEVICE,
        "/",
        entered.device,
        max_age=DEVICE_DAYS * 86_400,
        secure=authenticator.settings.secure,
        httponly=True,
        samesite="lax",
    )
    return Response(told, status_code=status, cookies=[session_cookie(authenticator, entered.session.secret), device])


def session_cookie(authenticator: Authenticator, secret: str, *, over: bool = False) -> Cookie:
    """The session as a browser keeps it: for this host only, out of reach of scripts and of other sites' pages."""
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


def _asking(services: Services, scope: Scope) -> Asking:
    """Who asks, from a page of ours: nobody is signed in by somebody else's page, not even as somebody else."""
    asking = read_headers(scope["headers"])
    services.authenticator.check_origin(asking, scope["scheme"])
    return asking


handlers = [sign_in, use_link, make_account, sign_out, show_policy]
