"""Second factors of whoever is signed in: set up, confirm, list, remove. A session that lacks one can do this only."""

from __future__ import annotations

import asyncio
from typing import Annotated

import segno
from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter
from litestar.types import Scope

from pitbook.auth import totp
from pitbook.people.state import Account
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem
from pitbook.server.people.authentication import WHILE_LOCKED
from pitbook.server.people.identity import RequestCaller
from pitbook.server.people.origins import parse_headers
from pitbook.server.people.second_factors import Proof
from pitbook.server.presenters.people import me_info
from pitbook.server.routes.sign_in import ME, session_cookie
from pitbook.server.schemas.people import Me
from pitbook.server.schemas.second_factors import (
    ConfirmPasskey,
    ConfirmTotp,
    Enrolled,
    FactorInfo,
    FactorList,
    NewRecoveryCodes,
    PasskeyOptions,
    QrCode,
    SecondFactor,
    TotpEnrolment,
)
from pitbook.server.services import HouseServices, Services

TAGS = ["people"]
FactorId = Annotated[str, PathParameter(max_length=64, description="its id, as the list tells it")]
QUIET_ZONE = 4


@get("/api/v1/me/factors", tags=TAGS, summary="One's second factors")
async def list_factors(services: HouseServices, caller: RequestCaller) -> FactorList:
    """List the caller's second factors, without their secrets."""
    caller.require_session()
    account = caller.require_account()
    stored, left, locked = await asyncio.to_thread(services.second_factors.stored, account)
    factors = [
        FactorInfo(one.id, one.kind, one.name, known.created if known else None, known.used if known else None)
        for one in account.factors
        for known in (stored.get(one.id),)
    ]
    required = services.people.state.policy.requires_factor(account.roles)
    return FactorList(factors, left, required, services.second_factors.passkeys_work, locked)


@post("/api/v1/me/factors/totp", status_code=200, tags=TAGS, summary="Begin to set up an authenticator app")
async def begin_totp(services: HouseServices, caller: RequestCaller) -> TotpEnrolment:
    """Return a new secret as text, as an address and as a QR code; the app's first code confirms it in ten minutes."""
    account, session = services.second_factors.require_enrolment(caller)
    secret = await services.second_factors.begin_totp(account, session)
    uri = totp.enrolment_uri(secret, account.shown)
    return TotpEnrolment(totp.secret_text(secret), uri, _qr_code(uri))


@post(
    "/api/v1/me/factors/totp/confirmation",
    status_code=200,
    tags=TAGS,
    summary="Finish setting up an authenticator app",
    opt={"examples": {"request": {"code": "492039", "name": "my phone"}}},
)
async def finish_totp(
    data: JSONBody[ConfirmTotp], services: HouseServices, caller: RequestCaller, scope: Scope
) -> Response[Enrolled]:
    """Add the authenticator app, given its first code. The session is confirmed and gets a new cookie."""
    account, session = services.second_factors.require_enrolment(caller)
    codes = await services.second_factors.finish_totp(account, session, data.code, data.name)
    return await _enrolled(services, account, scope, codes)


@post("/api/v1/me/factors/passkey", status_code=200, tags=TAGS, summary="Begin to set up a passkey")
async def begin_passkey(services: HouseServices, caller: RequestCaller) -> PasskeyOptions:
    """Return the options with which the browser creates a passkey."""
    account, session = services.second_factors.require_enrolment(caller)
    return PasskeyOptions(await services.second_factors.begin_passkey(account, session))


@post("/api/v1/me/factors/passkey/confirmation", status_code=200, tags=TAGS, summary="Finish setting up a passkey")
async def finish_passkey(
    data: JSONBody[ConfirmPasskey], services: HouseServices, caller: RequestCaller, scope: Scope
) -> Response[Enrolled]:
    """Add the passkey that the browser created. The session is confirmed and gets a new cookie."""
    account, session = services.second_factors.require_enrolment(caller)
    codes = await services.second_factors.finish_passkey(account, session, data.credential, data.name)
    return await _enrolled(services, account, scope, codes)


@post("/api/v1/me/factors/recovery-codes", tags=TAGS, summary="New recovery codes")
async def make_recovery_codes(services: HouseServices, caller: RequestCaller) -> NewRecoveryCodes:
    """Return new recovery codes, which replace all others. It takes a recent confirmation."""
    caller.require_session()
    account = caller.require_account()
    if not account.factors:
        raise Problem("conflict", detail("factor-first"))
    services.second_factors.require_recent(caller)
    return NewRecoveryCodes(await services.second_factors.make_recovery_codes(account))


@delete("/api/v1/me/factors/{factor_id:str}", tags=TAGS, summary="Remove a second factor")
async def remove_factor(factor_id: FactorId, services: HouseServices, caller: RequestCaller) -> None:
    """Remove one of the caller's second factors, after a recent confirmation; policy may keep the last one."""
    caller.require_session()
    account = caller.require_account()
    if not any(one.id == factor_id for one in account.factors):
        raise Problem("not-found", detail("no-factor"))
    services.second_factors.require_recent(caller)
    await services.second_factors.remove(account, factor_id)


@post(
    "/api/v1/me/second-factor/challenge",
    status_code=200,
    tags=TAGS,
    summary="Begin to confirm with a passkey",
    opt={WHILE_LOCKED: True},
)
async def begin_confirmation(services: HouseServices, caller: RequestCaller) -> PasskeyOptions:
    """Return the options with which the browser confirms with one of the caller's passkeys."""
    account = _owner(caller)
    assert caller.credential is not None
    assert caller.credential.session is not None
    return PasskeyOptions(await services.second_factors.begin_confirmation(account, caller.credential.session))


@post(
    "/api/v1/me/second-factor",
    status_code=200,
    tags=TAGS,
    summary="Confirm with a second factor",
    opt={"examples": {"request": {"code": "492039"}, "response": ME}},
)
async def confirm(
    data: JSONBody[SecondFactor], services: HouseServices, caller: RequestCaller, scope: Scope
) -> Response[Me]:
    """Confirm with a code, a passkey or a recovery code, to finish signing in or before a sensitive act.

    The session gets a new cookie and CSRF token. After five failures in a row the factors are locked, on record.
    """
    account = _owner(caller)
    if not account.factors:
        raise Problem("conflict", detail("factor-first"))
    proof = Proof(data.code, data.recovery_code, data.passkey)
    if sum(one is not None for one in (proof.code, proof.recovery_code, proof.passkey)) != 1:
        raise Problem("unprocessable", detail("one-proof"))
    assert caller.credential is not None
    assert caller.credential.session is not None
    await services.second_factors.confirm(account, caller.credential.session, proof)
    return await _confirmed(services, account, scope)


def _owner(caller: RequestCaller) -> Account:
    """Return the person of a session, whether or not they have confirmed."""
    if caller.owner is None or caller.session is None:
        caller.require_session()
        raise Problem("not-signed-in")
    return caller.owner


async def _enrolled(services: Services, account: Account, scope: Scope, codes: tuple[str, ...]) -> Response[Enrolled]:
    response = await _confirmed(services, account, scope)
    return Response(Enrolled(response.content, codes), cookies=response.cookies)


async def _confirmed(services: Services, account: Account, scope: Scope) -> Response[Me]:
    """Return the account after its session has been confirmed, with the new cookie."""
    authenticator = services.authenticator
    secret = authenticator.session_secret(parse_headers(scope["headers"])) or ""
    confirmed = await services.second_factors.confirm_session(account, secret)
    state = services.people.state
    payload = me_info(state, state.find(account.name) or account, authenticator.now(), confirmed.session)
    return Response(payload, cookies=[session_cookie(authenticator, confirmed.secret)])


def _qr_code(text: str) -> QrCode:
    """Return a QR code as one SVG path with a rectangle for each run of dark squares."""
    matrix = segno.make(text, error="m", micro=False).matrix
    parts = []
    for y, row in enumerate(matrix):
        x = 0
        while x < len(row):
            end = x
            while end < len(row) and row[end]:
                end += 1
            if end > x:
                parts.append(f"M{x + QUIET_ZONE} {y + QUIET_ZONE}h{end - x}v1h-{end - x}z")
            x = max(end, x + 1)
    return QrCode(len(matrix) + 2 * QUIET_ZONE, "".join(parts))


handlers = [
    list_factors,
    begin_totp,
    finish_totp,
    begin_passkey,
    finish_passkey,
    make_recovery_codes,
    remove_factor,
    begin_confirmation,
    confirm,
]
