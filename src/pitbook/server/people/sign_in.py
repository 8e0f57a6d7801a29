"""Sign in by password, by one-time link or by registering. Each creates a new session."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from pitbook.auth.passwords import why_weak
from pitbook.auth.secrets import label, new_secret
from pitbook.people import commands as c
from pitbook.people.names import VISITOR
from pitbook.people.values import Grant
from pitbook.server.http import request_context
from pitbook.server.http.problems import Problem
from pitbook.server.http.rate_limits import too_many
from pitbook.server.people.event_recorder import THE_SERVER
from pitbook.server.people.origins import cookie_of
from pitbook.table.people import MANAGER, Person

if TYPE_CHECKING:
    from pitbook.auth.links import Link
    from pitbook.auth.passwords import Verified
    from pitbook.auth.sessions import Authentication, NewSession, Session
    from pitbook.people.state import Account
    from pitbook.server.people.authentication import Authenticator
    from pitbook.server.people.origins import Asking

DEVICE = "pitbook-device"
BAD_LINK = "this link does not work, or not any more; ask for a new one"
A_LINK = "(a link)"
NOBODY_YET = ""
"""The person of the first manager's link, who has no name yet."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Somebody has come in: the new session, and what their browser is known by from now on."""

    account: Account
    session: NewSession
    device: str = field(repr=False)


async def by_password(authenticator: Authenticator, asking: Asking, name: str, password: str) -> SignedIn:
    """By name and password. Whether there is such a name, nobody learns: not by the words, and not by the time."""
    account = authenticator.directory.find(name)
    person = account.name if account is not None else name
    device = await _known_device(authenticator, asking, person)
    address = request_context.current().address
    if device is None:
        authenticator.rates.sign_in(address)
    wait = authenticator.rates.sign_ins.attempt(address, name, device)
    if wait:
        authenticator.records.failed(person, known=account is not None, why="too many tries")
        raise too_many(wait, "too many tries to sign in")
    try:
        verified, kept = await authenticator.hashing.verify(password, partial(authenticator.auth.password_of, person))
    except BaseException:
        authenticator.rates.sign_ins.undone(address, name, device)
        raise
    if account is None or not account.active or not verified.right:
        authenticator.records.failed(person, known=account is not None, why="name and password do not fit together")
        raise Problem("sign-in-failed")
    authenticator.rates.sign_ins.succeeded(address, name, device)
    await _rehash(authenticator, account.name, verified, kept)
    return await _let_in(authenticator, asking, account, "password", device)


async def by_link(
    authenticator: Authenticator,
    asking: Asking,
    code: str,
    *,
    name: str | None,
    shown: str | None,
    password: str | None,
) -> SignedIn:
    """By a link that works once: to sign in, to set a password, or to become the first manager."""
    link = await asyncio.to_thread(authenticator.auth.links.look, code, authenticator.now())
    if link is None:
        authenticator.rates.sign_in(request_context.current().address)
        authenticator.records.failed(A_LINK, known=True, why="the link does not work")
        raise Problem("sign-in-failed", BAD_LINK)
    if link.purpose == "first-manager":
        return await _first_manager(authenticator, asking, name, shown, password)
    account = await authenticator.directory.sought(link.person)
    if account is None or not account.active:
        raise Problem("sign-in-failed", BAD_LINK)
    if link.purpose == "sign-in":
        await _take(authenticator, code, link)
    else:
        hashed = await new_hash(authenticator, account.name, password)
        await _take(authenticator, code, link)
        await asyncio.to_thread(authenticator.auth.set_password, account.name, hashed, authenticator.now())
        authenticator.records.note(c.RecordPasswordSet(account.name, account.name))
        await authenticator.shut_out(account.name, "a new password was set")
        await asyncio.to_thread(authenticator.auth.forget_devices, account.name)
    return await _let_in(
        authenticator, asking, account, "link", await _known_device(authenticator, asking, account.name)
    )


async def register(authenticator: Authenticator, asking: Asking, name: str, shown: str, password: str) -> SignedIn:
    """A visitor makes an account, where the house allows it."""
    if not authenticator.directory.state.policy.registration:
        raise Problem("no-registration", "this house gives accounts at the desk; ask a manager")
    authenticator.rates.sign_in(request_context.current().address)
    hashed = await new_hash(authenticator, name, password)
    await authenticator.records.done(Person(VISITOR, VISITOR), c.Register(name, shown))
    return await _new_account(authenticator, asking, name, hashed, "password")


async def _first_manager(
    authenticator: Authenticator, asking: Asking, name: str | None, shown: str | None, password: str | None
) -> SignedIn:
    """The journal takes only one first manager; links are used up after it, so that a mistake does not cost one."""
    if name is None:
        raise Problem("unprocessable", "choose the name and the password of the first manager")
    hashed = await new_hash(authenticator, name, password)
    await authenticator.records.done(THE_SERVER, c.AddPerson(name, shown or name, (Grant(MANAGER),)))
    await asyncio.to_thread(authenticator.auth.links.revoke_all, NOBODY_YET)
    return await _new_account(authenticator, asking, name, hashed, "link")


async def _new_account(
    authenticator: Authenticator, asking: Asking, name: str, hashed: str, how: Authentication
) -> SignedIn:
    account = authenticator.directory.find(name)
    assert account is not None, "its entry is committed"
    await asyncio.to_thread(authenticator.auth.set_password, account.name, hashed, authenticator.now())
    authenticator.records.note(c.RecordPasswordSet(account.name, account.name))
    return await _let_in(authenticator, asking, account, how, None)


async def checked_password(authenticator: Authenticator, account: Account, password: str) -> None:
    """A problem where this is not the account's password; for those who are signed in already."""
    authenticator.rates.own_password(account.name)
    verified, kept = await authenticator.hashing.verify(password, partial(authenticator.auth.password_of, account.name))
    if not verified.right:
        authenticator.records.failed(account.name, known=True, why="the password given before a change is wrong")
        raise Problem("sign-in-failed", "this is not your password")
    await _rehash(authenticator, account.name, verified, kept)


async def new_hash(authenticator: Authenticator, name: str, password: str | None) -> str:
    """The hash of a password that will do."""
    weak = "choose a password" if password is None else why_weak(password, name)
    if password is None or weak is not None:
        raise Problem("unprocessable", weak or "")
    return await authenticator.hashing.hashed(password)


async def _rehash(authenticator: Authenticator, person: str, verified: Verified, kept: str | None) -> None:
    if verified.rehashed is not None:
        store = partial(
            authenticator.auth.set_password, person, verified.rehashed, authenticator.now(), instead_of=kept
        )
        await asyncio.to_thread(store)


async def _take(authenticator: Authenticator, code: str, link: Link) -> None:
    """Uses a link up. Of several who race for it, one goes on."""
    if await asyncio.to_thread(authenticator.auth.links.take, code, authenticator.now(), link.purpose) is None:
        raise Problem("sign-in-failed", BAD_LINK)


async def _known_device(authenticator: Authenticator, asking: Asking, person: str) -> str | None:
    """The browser's device cookie, if this person has signed in with it before."""
    device = cookie_of(asking.cookie, DEVICE.encode())
    if not device or not await asyncio.to_thread(authenticator.auth.knows_device, person, device):
        return None
    return device


async def _let_in(
    authenticator: Authenticator, asking: Asking, account: Account, how: Authentication, device: str | None
) -> SignedIn:
    """A new session, after it stands in the record; the one that the browser had before is over."""
    address, agent = request_context.current().address, label(asking.agent.decode("latin-1"))
    await authenticator.records.done(THE_SERVER, c.RecordSignIn(account.name, how, address, agent))
    before, kept, now = authenticator.secret(asking), device or new_secret(), authenticator.now()

    def enter() -> tuple[Session | None, NewSession]:
        old = None
        if before is not None:
            old = authenticator.auth.sessions.find(before, now)
            authenticator.auth.sessions.revoke(before)
        made = authenticator.auth.sessions.create(
            account.name, now, authenticated_by=how, address=address, agent=agent, policy=authenticator.policy
        )
        authenticator.auth.remember_device(account.name, kept, now)
        return old, made

    old, made = await asyncio.to_thread(enter)
    if old is not None:
        authenticator.records.note(c.RecordSessionEnd(old.person, "somebody signed in again in the same browser"))
        authenticator.ended(old.person)
    request_context.current().person = account.name
    return SignedIn(account, made, kept)
