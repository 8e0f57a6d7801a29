"""What people do for themselves: their password, sessions, tokens, limits and language."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Annotated

from litestar import Response, delete, get, post, put
from litestar.params import JSONBody, PathParameter
from litestar.types import Scope

from pitbook.auth.passwords import why_weak_pin
from pitbook.auth.timestamps import written
from pitbook.ledger.accounts import Account as Chips
from pitbook.ledger.accounts import player, purse
from pitbook.people import commands as c
from pitbook.people.refusals import Why
from pitbook.people.state import Account
from pitbook.server.http.problems import Problem
from pitbook.server.people.identity import PLAY, READ, RequestCaller
from pitbook.server.people.origins import cookie_of, read_headers
from pitbook.server.people.sign_in import DEVICE, checked_password, new_hash
from pitbook.server.presenters.people import limits_told, me_told, session_told, token_told
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
from pitbook.server.worker_pool import WINDOW
from pitbook.table.people import PLAYER, Person

TAGS = ["people"]
TOKENS_MAX = 20
PublicId = Annotated[str, PathParameter(max_length=64, description="its id, as the list tells it")]
LIMITS = {"loss_per_day": {"play-SGD": 5000}, "seconds_per_day": 3600, "stake_at_once": {"play-SGD": 1000}}


@get("/api/v1/me", tags=TAGS, summary="Who is signed in", opt={"examples": {"response": ME}})
async def show_me(services: HouseServices, caller: RequestCaller) -> Me:
    """Name, roles, limits, session, and the token that every changing request of a page must carry."""
    account = caller.signed_in()
    session = caller.credential.session if caller.credential is not None else None
    return me_told(services.people.state, account, services.authenticator.now(), session, caller.scopes)


@get("/api/v1/me/balances", tags=TAGS, summary="One's chips")
async def my_balances(services: HouseServices, caller: RequestCaller) -> list[Holding]:
    """Of every kind of money that the house's tables play for: what is in the rail, and what lies on layouts."""
    name = caller.signed_in().name
    if caller.scopes is not None and READ not in caller.scopes:
        caller.need_scope(PLAY)
    return await WINDOW.work(_holdings, services, name)


def _holdings(services: Services, name: str) -> list[Holding]:
    stakes: dict[str, int] = {}
    purses: dict[Chips, str] = {}
    real: set[str] = set()
    for table in map(services.house.table, services.house.tables()):
        if table.setup is not None:
            lying = sum(bet.amount for bet in table.bets.of(name))
            stakes[table.money] = stakes.get(table.money, 0) + lying
            real |= {table.money} & {table.setup.currency}
            if name in table.purses:
                purses[purse(name, table.money, table.id, table.purses[name].colour)] = table.money
    held = services.house.store.balances([*(player(name, money) for money in stakes), *purses])
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
    """Needs the old one. All other sessions end, and this one gets a new cookie and a new CSRF token."""
    caller.need_session()
    account = caller.signed_in()
    authenticator = services.authenticator
    asking = read_headers(scope["headers"])
    secret, device = authenticator.secret(asking), cookie_of(asking.cookie, DEVICE.encode())
    await checked_password(authenticator, account, data.old)
    hashed = await new_hash(authenticator, account.name, data.new)
    now = authenticator.now()

    def change() -> Response[Me]:
        auth = authenticator.auth
        auth.set_password(account.name, hashed, now)
        rotated = auth.sessions.rotate(secret or "", now)
        auth.sessions.revoke_all(account.name, rotated.secret if rotated else None)
        auth.links.revoke_all(account.name)
        auth.forget_devices(account.name)
        if rotated is None:
            raise Problem("not-signed-in", "the password is changed; sign in with it")
        if device:
            auth.remember_device(account.name, device, now)
        told = me_told(services.people.state, account, now, rotated.session)
        return Response(told, cookies=[session_cookie(authenticator, rotated.secret)])

    try:
        return await asyncio.to_thread(change)
    finally:
        authenticator.ended(account.name)
        authenticator.records.note(c.RecordPasswordSet(account.name, account.name))


@get("/api/v1/me/pin", tags=TAGS, summary="Whether one has a PIN")
async def show_pin(services: HouseServices, caller: RequestCaller) -> PinInfo:
    """The PIN with which somebody confirms to be a witness at another person's console."""
    caller.need_session()
    return PinInfo(await asyncio.to_thread(services.authenticator.auth.pin_of, caller.signed_in().name) is not None)


@put(
    "/api/v1/me/pin",
    tags=TAGS,
    summary="Set the PIN",
    opt={"examples": {"request": {"password": "eleven dice in a row", "pin": "480263"}}},
)
async def set_pin(data: JSONBody[SetPin], services: HouseServices, caller: RequestCaller) -> PinInfo:
    """Needs the password. Only its hash is kept."""
    caller.need_session()
    account = caller.signed_in()
    authenticator = services.authenticator
    await checked_password(authenticator, account, data.password)
    weak = None if data.pin is None else why_weak_pin(data.pin)
    if weak is not None:
        raise Problem("unprocessable", weak)
    hashed = None if data.pin is None else await authenticator.hashing.hashed(data.pin)
    await asyncio.to_thread(authenticator.auth.set_pin, account.name, hashed, authenticator.now())
    authenticator.records.note(c.RecordPinSet(account.name, is_set=hashed is not None))
    return PinInfo(hashed is not None)


@get("/api/v1/me/sessions", tags=TAGS, summary="One's sessions")
async def list_sessions(services: HouseServices, caller: RequestCaller) -> list[SessionInfo]:
    """Where one is signed in, the last seen first."""
    caller.need_session()
    authenticator = services.authenticator
    found = await asyncio.to_thread(authenticator.auth.sessions.of, caller.signed_in().name, authenticator.now())
    return [session_told(one, caller.session) for one in found]


@delete("/api/v1/me/sessions/{session_id:str}", tags=TAGS, summary="End a session")
async def end_session(session_id: PublicId, services: HouseServices, caller: RequestCaller) -> None:
    """One of one's own, by its id."""
    caller.need_session()
    name = caller.signed_in().name
    authenticator = services.authenticator
    if not await asyncio.to_thread(authenticator.auth.sessions.revoke_by_id, name, session_id):
        raise Problem("not-found", "you have no such session")
    authenticator.ended(name)
    authenticator.records.note(c.RecordSessionEnd(name, "ended by its owner"))


@delete("/api/v1/me/sessions", tags=TAGS, summary="End all other sessions")
async def end_sessions(services: HouseServices, caller: RequestCaller, scope: Scope) -> None:
    """All but this one."""
    caller.need_session()
    name = caller.signed_in().name
    authenticator = services.authenticator
    secret = authenticator.secret(read_headers(scope["headers"]))
    if await asyncio.to_thread(authenticator.auth.sessions.revoke_all, name, secret):
        authenticator.records.note(c.RecordSessionEnd(name, "all others ended by their owner"))
    authenticator.ended(name)


@get("/api/v1/me/tokens", tags=TAGS, summary="One's tokens")
async def list_tokens(services: HouseServices, caller: RequestCaller) -> list[TokenInfo]:
    """With those that no longer work; never their texts."""
    caller.need_session()
    return [
        token_told(one)
        for one in await asyncio.to_thread(services.authenticator.auth.tokens.of, caller.signed_in().name)
    ]


@post(
    "/api/v1/me/tokens",
    tags=TAGS,
    summary="Make a token",
    opt={"examples": {"request": {"name": "my bot", "scopes": ["play", "read"], "days": 30}}},
)
async def make_token(data: JSONBody[NewToken], services: HouseServices, caller: RequestCaller) -> CreatedToken:
    """For programs: `Authorization: Bearer …`. It can do what its owner may, within its scopes. Shown once."""
    caller.need_session()
    name = caller.signed_in().name
    authenticator = services.authenticator
    expires = written(services.clock() + timedelta(days=data.days))

    def make() -> CreatedToken:
        now = authenticator.now()
        if sum(one.good(now) for one in authenticator.auth.tokens.of(name)) >= TOKENS_MAX:
            raise Problem("too-many", f"you have {TOKENS_MAX} tokens; revoke one first")
        made = authenticator.auth.tokens.make(name, data.name, data.scopes, now, expires)
        return CreatedToken(made.text, token_told(made.token))

    made = await asyncio.to_thread(make)
    authenticator.records.note(c.RecordToken(name, made.told.id, made.told.name, made.told.scopes, "made"))
    return made


@delete("/api/v1/me/tokens/{token_id:str}", tags=TAGS, summary="Revoke a token")
async def revoke_token(token_id: PublicId, services: HouseServices, caller: RequestCaller) -> None:
    """It opens nothing from now on."""
    caller.need_session()
    name = caller.signed_in().name
    authenticator = services.authenticator

    def revoke() -> TokenInfo:
        if not authenticator.auth.tokens.revoke(name, token_id, authenticator.now()):
            raise Problem("not-found", "you have no such token, or it was revoked before")
        return next(token_told(one) for one in authenticator.auth.tokens.of(name) if one.id == token_id)

    told = await asyncio.to_thread(revoke)
    authenticator.ended(name)
    authenticator.records.note(c.RecordToken(name, told.id, told.name, told.scopes, "revoked"))


@put("/api/v1/me/limits", tags=TAGS, summary="Set one's limits", opt={"examples": {"request": LIMITS}})
async def set_limits(data: JSONBody[WantedLimits], services: HouseServices, caller: RequestCaller) -> HeldLimits:
    """Tighter ones hold at once, looser ones a day later."""
    command = c.SetLimits(data.loss_per_day, data.seconds_per_day, data.stake_at_once)
    return await _as_player(services, caller, command, or_else=(Why.NOTHING_TO_DO,))


@delete("/api/v1/me/limits/pending", status_code=200, tags=TAGS, summary="Keep one's limits")
async def keep_limits(services: HouseServices, caller: RequestCaller) -> HeldLimits:
    """Takes back what was to be loosened."""
    return await _as_player(services, caller, c.KeepLimits())


@post(
    "/api/v1/me/exclusion",
    status_code=200,
    tags=TAGS,
    summary="Shut oneself out",
    opt={"examples": {"request": {"until": "2027-01-31T12:00:00+00:00"}}},
)
async def exclude_me(data: JSONBody[ExcludeMe], services: HouseServices, caller: RequestCaller) -> HeldLimits:
    """From play, at once. Nobody can make it shorter. Longer than a year needs the password; no token can do it."""
    caller.need_session()
    if _is_long(data.until, services.clock()):
        await checked_password(services.authenticator, caller.signed_in(), data.password or "")
    return await _as_player(services, caller, c.Exclude(data.until))


def _is_long(until: str | None, now: datetime) -> bool:
    """Return whether an exclusion is for ever or longer than a year; a bad time is the house's to refuse."""
    if until is None:
        return True
    try:
        return datetime.fromisoformat(until) > now + timedelta(days=366)
    except (ValueError, TypeError):
        return False


@put("/api/v1/me/language", tags=TAGS, summary="Choose a language", opt={"examples": {"request": {"language": "de"}}})
async def choose_language(data: JSONBody[Language], services: HouseServices, caller: RequestCaller) -> Language:
    """Of one's pages."""
    caller.need_session()
    name = caller.signed_in().name
    roles = caller.roles_at(None)
    person = Person(name, roles[0] if roles else PLAYER)
    await services.authenticator.records.done(person, c.ChooseLanguage(data.language), or_else=(Why.NOTHING_TO_DO,))
    return data


async def _as_player(
    services: Services, caller: RequestCaller, command: c.Command, *, or_else: tuple[str, ...] = ()
) -> HeldLimits:
    name = caller.signed_in().name
    caller.need_scope(PLAY)
    authenticator = services.authenticator
    await authenticator.records.done(Person(name, PLAYER), command, or_else=or_else)
    account: Account | None = services.people.find(name)
    assert account is not None, "accounts stay"
    return limits_told(account, authenticator.now())


handlers = [
    show_me,
    my_balances,
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
