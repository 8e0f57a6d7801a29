"""The lock of an idle screen: report input, lock, unlock. The table continues behind it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial

from litestar import post
from litestar.params import JSONBody

from pitbook.auth.sessions import Session
from pitbook.people import commands as c
from pitbook.people.state import Account
from pitbook.people.values import Proof as Kind
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem
from pitbook.server.people.authentication import WHILE_LOCKED
from pitbook.server.people.event_recorder import THE_SERVER
from pitbook.server.people.identity import RequestCaller
from pitbook.server.people.second_factors import Proof
from pitbook.server.people.session_state import is_session_locked
from pitbook.server.presenters.people import me_info
from pitbook.server.routes.sign_in import ME
from pitbook.server.schemas.people import Me
from pitbook.server.schemas.second_factors import Unlock
from pitbook.server.services import HouseServices, Services

TAGS = ["people"]


@post("/api/v1/me/activity", status_code=204, tags=TAGS, summary="Report input")
async def report_activity(caller: RequestCaller) -> None:
    """Report that the person uses the page, which postpones the lock. A locked session is refused.

    Any other request for a change counts as input as well, except trials.
    """
    caller.require_session()


@post("/api/v1/me/lock", status_code=204, tags=TAGS, summary="Lock the screen", opt={WHILE_LOCKED: True})
async def lock(services: HouseServices, caller: RequestCaller) -> None:
    """Lock the session's screen at once, where house policy locks idle screens: it can look but not act."""
    caller.require_session()
    account = caller.require_account()
    authenticator = services.authenticator
    await asyncio.to_thread(authenticator.auth.sessions.lock, caller.session or "", authenticator.now())
    authenticator.forget(account.name)


@post(
    "/api/v1/me/unlock",
    status_code=200,
    tags=TAGS,
    summary="Unlock the screen",
    opt={WHILE_LOCKED: True, "examples": {"request": {"pin": "480263"}, "response": ME}},
)
async def unlock(data: JSONBody[Unlock], services: HouseServices, caller: RequestCaller) -> Me:
    """Unlock with the password, the PIN or a second factor, as house policy says.

    The password always works for a person who has nothing else that policy accepts.
    """
    caller.require_session()
    account = caller.require_account()
    assert caller.credential is not None
    session = caller.credential.session
    assert session is not None
    authenticator, state = services.authenticator, services.people.state
    how = await _check(services, account, session, data)
    if is_session_locked(state.policy, account, session, authenticator.now()):
        await authenticator.records.execute(THE_SERVER, c.RecordUnlock(account.name, how))
    unlocked = await asyncio.to_thread(authenticator.auth.sessions.unlock, session.id, authenticator.now())
    authenticator.forget(account.name)
    if unlocked is None:
        raise Problem("not-signed-in", detail("session-over"))
    return me_info(state, account, authenticator.now(), replace(unlocked, csrf=session.csrf))


async def _check(services: Services, account: Account, session: Session, data: Unlock) -> str:
    """Return how the person unlocks; raise a problem if policy does not accept it, or it is wrong."""
    given = [one for one in (data.password, data.pin, data.code, data.passkey) if one is not None]
    if len(given) != 1:
        raise Problem("unprocessable", detail("one-unlock"))
    kind: Kind = "password" if data.password is not None else "pin" if data.pin is not None else "factor"
    accepted = await _accepted(services, account)
    if kind not in accepted:
        raise Problem("unprocessable", detail("unlock-with", ways=list(accepted)))
    if kind == "factor":
        return await services.second_factors.confirm(account, session, Proof(data.code, None, data.passkey))
    authenticator = services.authenticator
    authenticator.rates.own_password(account.name)
    load = authenticator.auth.password_of if kind == "password" else authenticator.auth.pin_of
    verified, _ = await authenticator.hashing.verify(data.password or data.pin or "", partial(load, account.name))
    if not verified.matches:
        why = "what was given to unlock is wrong"
        authenticator.records.record_sign_in_failure(account.name, known=True, why=why)
        raise Problem("unlock-failed", detail("wrong-own-password" if kind == "password" else "wrong-own-pin"))
    return kind


async def _accepted(services: Services, account: Account) -> list[Kind]:
    """Return what policy accepts and the person has, or the password if there is nothing."""
    policy = services.people.state.policy
    has_pin = await asyncio.to_thread(services.authenticator.auth.pin_of, account.name) is not None
    has = {"password": True, "pin": has_pin, "factor": bool(account.factors)}
    return [one for one in policy.unlock_with if has[one]] or ["password"]


handlers = [report_activity, lock, unlock]
