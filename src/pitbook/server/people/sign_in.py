"""Sign in by password, by one-time link, by registering or as a guest. Each creates a new session."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from pitbook.auth.passwords import password_weakness
from pitbook.auth.secrets import clean_label, new_id, new_secret
from pitbook.people import commands as c
from pitbook.people.decide.accounts import PEOPLE_MAX
from pitbook.people.names import VISITOR
from pitbook.people.values import Grant
from pitbook.server.http import request_context
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem
from pitbook.server.http.rate_limits import rate_limit_problem
from pitbook.server.people.event_recorder import THE_SERVER
from pitbook.server.people.origins import find_cookie
from pitbook.table.people import MANAGER, Person

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.auth.links import Link
    from pitbook.auth.passwords import Verified
    from pitbook.auth.sessions import Authentication, NewSession, Session
    from pitbook.people.state import Account
    from pitbook.server.people.authentication import Authenticator
    from pitbook.server.people.origins import RequestHeaders

DEVICE = "pitbook-device"
LINK_NAME = "(a link)"
NOBODY_YET = ""
"""The person of the first manager's link, who has no name yet."""
GUESTS_UP_TO = PEOPLE_MAX // 2
"""With so many accounts no more guests are seated: guests never keep members out."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The result of a sign-in: the new session, and the browser's device cookie."""

    account: Account
    session: NewSession
    device: str = field(repr=False)


async def sign_in_with_password(
    authenticator: Authenticator, headers: RequestHeaders, name: str, password: str
) -> SignedIn:
    """Sign in by name and password; neither words nor time reveal whether the name exists."""
    account = authenticator.directory.find(await authenticator.pseudonyms.resolve(name))
    person = account.name if account is not None else name
    device = await _known_device(authenticator, headers, person)
    address = request_context.current().address
    if device is None:
        authenticator.rates.sign_in(address)
    wait = authenticator.rates.sign_ins.attempt(address, name, device)
    if wait:
        _record_failure(authenticator, account, "too many tries")
        raise rate_limit_problem(wait, detail("rate.sign-in"))
    try:
        verified, stored_hash = await authenticator.hashing.verify(
            password, partial(authenticator.auth.password_of, person)
        )
    except BaseException:
        authenticator.rates.sign_ins.cancelled(address, name, device)
        raise
    if account is None or not account.active or not verified.matches:
        _record_failure(authenticator, account, "name and password do not fit together")
        raise Problem("sign-in-failed")
    authenticator.rates.sign_ins.succeeded(address, name, device)
    await _rehash(authenticator, account.name, verified, stored_hash)
    return await _start_session(authenticator, headers, account, "password", device)


async def sign_in_with_link(
    authenticator: Authenticator,
    headers: RequestHeaders,
    code: str,
    *,
    name: str | None,
    shown: str | None,
    password: str | None,
) -> SignedIn:
    """Use a one-time link: to sign in, to set a password, or to become the first manager."""
    link = await asyncio.to_thread(authenticator.auth.links.find, code, authenticator.now())
    if link is None:
        authenticator.rates.sign_in(request_context.current().address)
        authenticator.records.record_sign_in_failure(LINK_NAME, known=True, why="the link does not work")
        raise Problem("sign-in-failed", detail("bad-link"))
    if link.purpose == "first-manager":
        return await _create_first_manager(authenticator, headers, name, shown, password)
    account = await authenticator.directory.fetch(link.person)
    if account is None or not account.active:
        raise Problem("sign-in-failed", detail("bad-link"))
    if link.purpose == "sign-in":
        await _use_link(authenticator, code, link)
    else:
        hashed = await hash_new_password(authenticator, account.name, password)
        await _use_link(authenticator, code, link)
        await asyncio.to_thread(authenticator.auth.set_password, account.name, hashed, authenticator.now())
        authenticator.records.record(c.RecordPasswordSet(account.name, account.name))
        await authenticator.revoke_all(account.name, "a new password was set")
        await asyncio.to_thread(authenticator.auth.delete_devices, account.name)
    return await _start_session(
        authenticator, headers, account, "link", await _known_device(authenticator, headers, account.name)
    )


async def register(
    authenticator: Authenticator, headers: RequestHeaders, name: str, shown: str, password: str
) -> SignedIn:
    """Create an account for a visitor, where the house allows it."""
    if not authenticator.directory.state.policy.registration:
        raise Problem("no-registration", detail("accounts-at-the-desk"))
    authenticator.rates.sign_in(request_context.current().address)
    hashed = await hash_new_password(authenticator, name, password)
    visitor = Person(VISITOR, VISITOR)
    command = await authenticator.pseudonyms.take(visitor, c.Register(name, shown))
    await authenticator.records.execute(visitor, command)
    return await _new_account(authenticator, headers, command.name, hashed, "password")


async def seat_guest(authenticator: Authenticator, headers: RequestHeaders, tables: Sequence[str]) -> SignedIn:
    """Create an account without a password that may play at these tables, until its session ends."""
    state = authenticator.directory.state
    if not state.policy.registration:
        raise Problem("no-registration", detail("accounts-at-the-desk"))
    authenticator.rates.sign_in(request_context.current().address)
    if len(state.accounts) >= GUESTS_UP_TO:
        raise Problem("busy", detail("too-many-guests"), retry_after=3_600)
    number = new_id()
    name = f"guest-{number}"
    guest = c.Register(name, f"Guest {number[:4]}", tuple(tables))
    await authenticator.records.execute(Person(VISITOR, VISITOR), guest)
    account = authenticator.directory.find(name)
    assert account is not None, "its entry is committed"
    return await _start_session(authenticator, headers, account, "guest", None)


async def _create_first_manager(
    authenticator: Authenticator, headers: RequestHeaders, name: str | None, shown: str | None, password: str | None
) -> SignedIn:
    """Create the first manager; links are used up afterwards, so that an input error does not cost one."""
    if name is None:
        raise Problem("unprocessable", detail("first-manager"))
    hashed = await hash_new_password(authenticator, name, password)
    added = c.AddPerson(name, shown or name, (Grant(MANAGER),))
    command = await authenticator.pseudonyms.take(THE_SERVER, added)
    await authenticator.records.execute(THE_SERVER, command)
    await asyncio.to_thread(authenticator.auth.links.revoke_all, NOBODY_YET)
    return await _new_account(authenticator, headers, command.name, hashed, "link")


async def _new_account(
    authenticator: Authenticator, headers: RequestHeaders, name: str, hashed: str, how: Authentication
) -> SignedIn:
    account = authenticator.directory.find(name)
    assert account is not None, "its entry is committed"
    await asyncio.to_thread(authenticator.auth.set_password, account.name, hashed, authenticator.now())
    authenticator.records.record(c.RecordPasswordSet(account.name, account.name))
    return await _start_session(authenticator, headers, account, how, None)


async def check_password(authenticator: Authenticator, account: Account, password: str) -> None:
    """Raise a problem if this is not the password of the account, which is already signed in."""
    authenticator.rates.own_password(account.name)
    verified, stored_hash = await authenticator.hashing.verify(
        password, partial(authenticator.auth.password_of, account.name)
    )
    if not verified.matches:
        _record_failure(authenticator, account, "the password given before a change is wrong")
        raise Problem("sign-in-failed", detail("wrong-own-password"))
    await _rehash(authenticator, account.name, verified, stored_hash)


async def hash_new_password(authenticator: Authenticator, name: str, password: str | None) -> str:
    """Return the hash of a new password; raise a problem if it is weak."""
    weak = detail("choose-password") if password is None else password_weakness(password, name)
    if password is None or weak is not None:
        raise Problem("unprocessable", weak)
    return await authenticator.hashing.hash_password(password)


async def _rehash(authenticator: Authenticator, person: str, verified: Verified, stored_hash: str | None) -> None:
    if verified.new_hash is not None:
        store = partial(
            authenticator.auth.set_password, person, verified.new_hash, authenticator.now(), instead_of=stored_hash
        )
        await asyncio.to_thread(store)


def _record_failure(authenticator: Authenticator, account: Account | None, why: str) -> None:
    """Record that someone could not sign in: for whom, if an account has the name, and from where."""
    name = "" if account is None else account.name
    secret = authenticator.pseudonyms.covers(name)
    authenticator.records.record_sign_in_failure(name, known=account is not None, why=why, located=not secret)


async def _use_link(authenticator: Authenticator, code: str, link: Link) -> None:
    """Use a link up; of several concurrent attempts one succeeds."""
    if await asyncio.to_thread(authenticator.auth.links.redeem, code, authenticator.now(), link.purpose) is None:
        raise Problem("sign-in-failed", detail("bad-link"))


async def _known_device(authenticator: Authenticator, headers: RequestHeaders, person: str) -> str | None:
    """Return the browser's device cookie, if this person has signed in with it before."""
    device = find_cookie(headers.cookie, DEVICE.encode())
    if not device or not await asyncio.to_thread(authenticator.auth.knows_device, person, device):
        return None
    return device


async def _start_session(
    authenticator: Authenticator, headers: RequestHeaders, account: Account, how: Authentication, device: str | None
) -> SignedIn:
    """Record the sign-in, then create a session and end the browser's previous one."""
    address, agent = request_context.current().address, clean_label(headers.agent.decode("latin-1"))
    origin = ("", "") if authenticator.pseudonyms.covers(account.name) else (address, agent)
    await authenticator.records.execute(THE_SERVER, c.RecordSignIn(account.name, how, *origin))
    before, device_secret, now = authenticator.session_secret(headers), device or new_secret(), authenticator.now()

    def enter() -> tuple[Session | None, NewSession]:
        old = None
        if before is not None:
            old = authenticator.auth.sessions.find(before, now)
            authenticator.auth.sessions.revoke(before)
        session = authenticator.auth.sessions.create(
            account.name, now, authenticated_by=how, address=address, agent=agent, policy=authenticator.policy
        )
        authenticator.auth.save_device(account.name, device_secret, now)
        return old, session

    old, new_session = await asyncio.to_thread(enter)
    if old is not None:
        authenticator.records.record(c.RecordSessionEnd(old.person, "somebody signed in again in the same browser"))
        authenticator.signed_out(old.person)
    request_context.current().person = account.name
    return SignedIn(account, new_session, device_secret)
