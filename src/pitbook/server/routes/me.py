"""Operations on one's own account: password, sessions, tokens, limits and language."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Annotated

from litestar import Response, delete, get, post, put
from litestar.params import JSONBody, PathParameter
from litestar.types import Scope

from pitbook.auth.passwords import pin_weakness
from pitbook.auth.timestamps import format_timestamp
from pitbook.ledger.accounts import Account as Chips
from pitbook.ledger.accounts import player, purse
from pitbook.people import commands as c
from pitbook.people.refusals import Reason
from pitbook.people.state import Account
from pitbook.server.http.errors import detail
from pitbook.server.http.pages import PAGE_MAX, Cursor, PageSize, take_page
from pitbook.server.http.problems import Problem
from pitbook.server.people.identity import PLAY, READ, RequestCaller
from pitbook.server.people.origins import find_cookie, parse_headers
from pitbook.server.people.sign_in import DEVICE, check_password, hash_new_password
from pitbook.server.presenters.people import limits_info, me_info, session_info, token_info
from pitbook.server.routes.sign_in import ME, session_cookie
from pitbook.server.schemas.people import (
    ChangePassword,
    CreatedToken,
    ExcludeMe,
    HeldLimits,
    Holding,
    Language,
    Me,
    NewToken,
    PinInfo,
    SessionInfo,
    SetPin,
    TokenInfo,
    WantedLimits,
)
from pitbook.server.services import HouseServices, Services
from pitbook.server.worker_pool import TABLE_QUERIES
from pitbook.table.people import PLAYER, Person

TAGS = ["people"]
TOKENS_MAX = 20
PublicId = Annotated[str, PathParameter(max_length=64, description="its id, as the list tells it")]
LIMITS = {"loss_per_day": {"play-SGD": 5000}, "seconds_per_day": 3600, "stake_at_once": {"play-SGD": 1000}}


@get("/api/v1/me", tags=TAGS, summary="The signed-in person", opt={"examples": {"response": ME}})
async def show_me(services: HouseServices, caller: RequestCaller) -> Me:
    """Return name, roles, limits, session, and the CSRF token that every changing request of a page must carry."""
    account = caller.owner or caller.require_account()
    session = caller.credential.session if caller.credential is not None else None
    return me_info(services.people.state, account, services.authenticator.now(), session, caller.scopes)


@get("/api/v1/me/balances", tags=TAGS, summary="One's chips")
async def list_balances(
    services: HouseServices, caller: RequestCaller, after: Cursor = None, limit: PageSize = PAGE_MAX
) -> list[Holding]:
    """Return chips in the rail and on layouts, for every kind of money that the tables play for."""
    name = caller.require_account().name
    if caller.scopes is not None and READ not in caller.scopes:
        caller.require_scope(PLAY)
    found = await TABLE_QUERIES.work(_holdings, services, name)
    return take_page(found, lambda one: f"{one.money} {one.colour}", after, limit)


def _holdings(services: Services, name: str) -> list[Holding]:
    stakes: dict[str, int] = {}
    purses: dict[Chips, str] = {}
    real: set[str] = set()
    with services.house.consistent_view() as committed:
        for _, table in map(committed.read_table, services.house.tables()):
            if table.setup is not None:
                on_layout = sum(bet.amount for bet in table.bets.of(name))
                stakes[table.money] = stakes.get(table.money, 0) + on_layout
                real |= {table.money} & {table.setup.currency}
                if name in table.purses:
                    purses[purse(name, table.money, table.id, table.purses[name].colour)] = table.money
        held = committed.balances([*(player(name, money) for money in stakes), *purses])
    colour = {money: sum(held[own] for own, of in purses.items() if of == money) for money in stakes}
    return [
        Holding(money, money not in real, held[player(name, money)], staked, colour[money])
        for money, staked in sorted(stakes.items())
    ]


@post(
    "/api/v1/me/password",
    status_code=200,
    tags=TAGS,
    summary="Change the password",
    opt={"examples": {"request": {"old": "eleven dice in a row", "new": "twelve dice in a row"}, "response": ME}},
)
async def change_password(
    data: JSONBody[ChangePassword], services: HouseServices, caller: RequestCaller, scope: Scope
) -> Response[Me]:
    """Change the password, given the old one. All other sessions end; this one gets a new cookie and CSRF token."""
    caller.require_session()
    account = caller.require_account()
    authenticator = services.authenticator
    headers = parse_headers(scope["headers"])
    secret, device = authenticator.session_secret(headers), find_cookie(headers.cookie, DEVICE.encode())
    await check_password(authenticator, account, data.old)
    hashed = await hash_new_password(authenticator, account.name, data.new)
    now = authenticator.now()

    def change() -> Response[Me]:
        auth = authenticator.auth
        auth.set_password(account.name, hashed, now)
        rotated = auth.sessions.rotate(secret or "", now)
        auth.sessions.revoke_all(account.name, rotated.secret if rotated else None)
        auth.links.revoke_all(account.name)
        auth.delete_devices(account.name)
        if rotated is None:
            raise Problem("not-signed-in", detail("password-changed"))
        if device:
            auth.save_device(account.name, device, now)
        payload = me_info(services.people.state, account, now, rotated.session)
        return Response(payload, cookies=[session_cookie(authenticator, rotated.secret)])

    try:
        return await asyncio.to_thread(change)
    finally:
        authenticator.signed_out(account.name)
        authenticator.records.record(c.RecordPasswordSet(account.name, account.name))


@get("/api/v1/me/pin", tags=TAGS, summary="Whether one has a PIN")
async def show_pin(services: HouseServices, caller: RequestCaller) -> PinInfo:
    """Return whether the caller has a PIN, with which a witness confirms at another person's console."""
    caller.require_session()
    return PinInfo(
        await asyncio.to_thread(services.authenticator.auth.pin_of, caller.require_account().name) is not None
    )


@put(
    "/api/v1/me/pin",
    tags=TAGS,
    summary="Set the PIN",
    opt={"examples": {"request": {"password": "eleven dice in a row", "pin": "480263"}}},
)
async def set_pin(data: JSONBody[SetPin], services: HouseServices, caller: RequestCaller) -> PinInfo:
    """Set the PIN, given the password. Only its hash is stored."""
    caller.require_session()
    account = caller.require_account()
    authenticator = services.authenticator
    await check_password(authenticator, account, data.password)
    weak = None if data.pin is None else pin_weakness(data.pin)
    if weak is not None:
        raise Problem("unprocessable", weak)
    hashed = None if data.pin is None else await authenticator.hashing.hash_password(data.pin)
    await asyncio.to_thread(authenticator.auth.set_pin, account.name, hashed, authenticator.now())
    authenticator.records.record(c.RecordPinSet(account.name, is_set=hashed is not None))
    return PinInfo(hashed is not None)


@get("/api/v1/me/sessions", tags=TAGS, summary="One's sessions")
async def list_sessions(
    services: HouseServices, caller: RequestCaller, after: Cursor = None, limit: PageSize = PAGE_MAX
) -> list[SessionInfo]:
    """List where the caller is signed in, the most recent first."""
    caller.require_session()
    authenticator = services.authenticator
    found = await asyncio.to_thread(
        authenticator.auth.sessions.of_person, caller.require_account().name, authenticator.now()
    )
    return take_page((session_info(one, caller.session) for one in found), lambda one: one.id, after, limit)


@delete("/api/v1/me/sessions/{session_id:str}", tags=TAGS, summary="End a session")
async def end_session(session_id: PublicId, services: HouseServices, caller: RequestCaller) -> None:
    """End one of the caller's own sessions."""
    caller.require_session()
    name = caller.require_account().name
    authenticator = services.authenticator
    if not await asyncio.to_thread(authenticator.auth.sessions.revoke_by_id, name, session_id):
        raise Problem("not-found", detail("no-session"))
    authenticator.signed_out(name)
    authenticator.records.record(c.RecordSessionEnd(name, "ended by its owner"))


@delete("/api/v1/me/sessions", tags=TAGS, summary="End all other sessions")
async def end_sessions(services: HouseServices, caller: RequestCaller, scope: Scope) -> None:
    """End all of the caller's sessions but this one."""
    caller.require_session()
    name = caller.require_account().name
    authenticator = services.authenticator
    secret = authenticator.session_secret(parse_headers(scope["headers"]))
    if await asyncio.to_thread(authenticator.auth.sessions.revoke_all, name, secret):
        authenticator.records.record(c.RecordSessionEnd(name, "all others ended by their owner"))
    authenticator.signed_out(name)


@get("/api/v1/me/tokens", tags=TAGS, summary="One's tokens")
async def list_tokens(
    services: HouseServices, caller: RequestCaller, after: Cursor = None, limit: PageSize = PAGE_MAX
) -> list[TokenInfo]:
    """List the caller's tokens, including revoked ones, without their texts."""
    caller.require_session()
    found = await asyncio.to_thread(services.authenticator.auth.tokens.of_person, caller.require_account().name)
    return take_page(map(token_info, found), lambda one: one.id, after, limit)


@post(
    "/api/v1/me/tokens",
    tags=TAGS,
    summary="Make a token",
    opt={"examples": {"request": {"name": "my bot", "scopes": ["play", "read"], "days": 30}}},
)
async def make_token(data: JSONBody[NewToken], services: HouseServices, caller: RequestCaller) -> CreatedToken:
    """Create a token for programs (`Authorization: Bearer …`) with its owner's rights within its scopes. Shown once.

    Whoever has a second factor must have confirmed with it in the last ten minutes.
    """
    caller.require_session()
    services.second_factors.require_recent(caller)
    name = caller.require_account().name
    authenticator = services.authenticator
    expires = format_timestamp(services.clock() + timedelta(days=data.days))

    def make() -> CreatedToken:
        now = authenticator.now()
        if sum(one.is_valid(now) for one in authenticator.auth.tokens.of_person(name)) >= TOKENS_MAX:
            raise Problem("too-many", detail("too-many-tokens", most=TOKENS_MAX))
        created = authenticator.auth.tokens.make(name, data.name, data.scopes, now, expires)
        return CreatedToken(created.text, token_info(created.token))

    made = await asyncio.to_thread(make)
    authenticator.records.record(c.RecordToken(name, made.told.id, made.told.name, made.told.scopes, "made"))
    return made


@delete("/api/v1/me/tokens/{token_id:str}", tags=TAGS, summary="Revoke a token")
async def revoke_token(token_id: PublicId, services: HouseServices, caller: RequestCaller) -> None:
    """Revoke a token at once."""
    caller.require_session()
    name = caller.require_account().name
    authenticator = services.authenticator

    def revoke() -> TokenInfo:
        if not authenticator.auth.tokens.revoke(name, token_id, authenticator.now()):
            raise Problem("not-found", detail("no-token"))
        return next(token_info(one) for one in authenticator.auth.tokens.of_person(name) if one.id == token_id)

    revoked = await asyncio.to_thread(revoke)
    authenticator.signed_out(name)
    authenticator.records.record(c.RecordToken(name, revoked.id, revoked.name, revoked.scopes, "revoked"))


@put("/api/v1/me/limits", tags=TAGS, summary="Set one's limits", opt={"examples": {"request": LIMITS}})
async def set_limits(data: JSONBody[WantedLimits], services: HouseServices, caller: RequestCaller) -> HeldLimits:
    """Set limits: tighter ones apply at once, looser ones after a day."""
    command = c.SetLimits(data.loss_per_day, data.seconds_per_day, data.stake_at_once)
    return await _execute_as_player(services, caller, command, allowed=(Reason.NOTHING_TO_DO,))


@delete("/api/v1/me/limits/pending", status_code=200, tags=TAGS, summary="Keep one's limits")
async def keep_limits(services: HouseServices, caller: RequestCaller) -> HeldLimits:
    """Cancel a pending loosening of limits."""
    return await _execute_as_player(services, caller, c.KeepLimits())


@post(
    "/api/v1/me/exclusion",
    status_code=200,
    tags=TAGS,
    summary="Shut oneself out",
    opt={"examples": {"request": {"until": "2027-01-31T12:00:00+00:00"}}},
)
async def exclude_me(data: JSONBody[ExcludeMe], services: HouseServices, caller: RequestCaller) -> HeldLimits:
    """Exclude the caller from play at once. Nobody can shorten it; over a year needs the password, not a token."""
    caller.require_session()
    if _is_long(data.until, services.clock()):
        await check_password(services.authenticator, caller.require_account(), data.password or "")
    return await _execute_as_player(services, caller, c.Exclude(data.until))


def _is_long(until: str | None, now: datetime) -> bool:
    """Return whether an exclusion is permanent or longer than a year; the house refuses invalid times."""
    if until is None:
        return True
    try:
        return datetime.fromisoformat(until) > now + timedelta(days=366)
    except (ValueError, TypeError):
        return False


@put("/api/v1/me/language", tags=TAGS, summary="Choose a language", opt={"examples": {"request": {"language": "de"}}})
async def choose_language(data: JSONBody[Language], services: HouseServices, caller: RequestCaller) -> Language:
    """Choose the language of the caller's pages."""
    caller.require_session()
    name = caller.require_account().name
    roles = caller.roles_at(None)
    person = Person(name, roles[0] if roles else PLAYER)
    await services.authenticator.records.execute(
        person, c.ChooseLanguage(data.language), allowed=(Reason.NOTHING_TO_DO,)
    )
    return data


async def _execute_as_player(
    services: Services, caller: RequestCaller, command: c.Command, *, allowed: tuple[str, ...] = ()
) -> HeldLimits:
    name = caller.require_account().name
    caller.require_scope(PLAY)
    authenticator = services.authenticator
    await authenticator.records.execute(Person(name, PLAYER), command, allowed=allowed)
    account: Account | None = services.people.find(name)
    assert account is not None, "accounts stay"
    return limits_info(account, authenticator.now())


handlers = [
    show_me,
    list_balances,
    change_password,
    show_pin,
    set_pin,
    list_sessions,
    end_session,
    end_sessions,
    list_tokens,
    make_token,
    revoke_token,
    set_limits,
    keep_limits,
    exclude_me,
    choose_language,
]
