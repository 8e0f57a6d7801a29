"""Second factors: set up, confirm, remove, and lock after failures. Events are on record, secrets never are."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pitbook.auth import totp
from pitbook.auth.factors import FREE_FAILURES, RECOVERY_CODES, StoredFactor
from pitbook.auth.secrets import new_id
from pitbook.auth.timestamps import later
from pitbook.people import commands as c
from pitbook.people.values import Factor
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem
from pitbook.server.people import passkeys
from pitbook.server.people.event_recorder import THE_SERVER
from pitbook.server.people.passkeys import INVALID, relying_party
from pitbook.tumbler.seals import BadSeal, LostKey, SealingKeys, UnusableKey

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.auth.sessions import NewSession, Session
    from pitbook.people.state import Account
    from pitbook.server.people.authentication import Authenticator
    from pitbook.server.people.identity import Caller
    from pitbook.server.people.passkeys import RelyingParty

RECENT_SECONDS = 600
"""How long a confirmation, or a sign-in of a person without a second factor, counts as recent."""
WRONG = "the second factor is wrong"
USED_BEFORE = "the code of the second factor was used before"
COPIED = "the passkey's counter decreased"
LOCKED = "the second factors are locked"
FAILED = {WRONG: "factor-wrong", USED_BEFORE: "factor-used", COPIED: "factor-copied"}
"""The messages for those who tried; the record keeps the keys."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof with which a person confirms: exactly one of the three."""

    code: str | None = field(default=None, repr=False)
    recovery_code: str | None = field(default=None, repr=False)
    passkey: dict[str, Any] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class _Used:
    """The factor that was accepted."""

    factor: str | None
    """None for a recovery code."""
    left: int | None = None


class SecondFactors:
    """The second factors of all people; `address` returns where the server listens."""

    def __init__(self, authenticator: Authenticator, address: Callable[[], str]) -> None:
        self._authenticator = authenticator
        self._store = authenticator.auth.factors
        self._address = address

    @property
    def passkeys_work(self) -> bool:
        """Whether browsers reach the house by a domain name."""
        return relying_party(self._authenticator.settings, self._address()) is not None

    # -- who may change them

    def require_recent(self, caller: Caller) -> None:
        """Raise a problem if a person with second factors has not confirmed with one in the last minutes."""
        account = caller.require_account()
        session = caller.credential.session if caller.credential is not None else None
        if account.factors and (session is None or not self._is_recent(session.factor_at)):
            raise Problem("recent-factor-required")

    def require_enrolment(self, caller: Caller) -> tuple[Account, Session]:
        """Return who may set up a second factor; it takes a recent confirmation or, for the first one, sign-in."""
        account = caller.owner
        session = caller.credential.session if caller.credential is not None else None
        if account is None or session is None:
            caller.require_session()
            raise Problem("not-signed-in")
        if account.factors:
            self.require_recent(caller)
        elif not self._is_recent(session.created):
            raise Problem("recent-factor-required", detail("signed-in-long-ago"))
        return account, session

    def _is_recent(self, at: str | None) -> bool:
        return at is not None and self._authenticator.now() < later(at, RECENT_SECONDS)

    # -- enrolment

    async def begin_totp(self, account: Account, session: Session) -> bytes:
        """Return a new secret for an authenticator app; it is sealed until its first code confirms it."""
        secret = totp.new_secret()

        def save() -> None:
            sealed = self._keys().seal(secret, _associated_data(account.name), 0)
            self._store.save_challenge(session.id, "totp", sealed, self._authenticator.now())

        await asyncio.to_thread(save)
        return secret

    async def finish_totp(self, account: Account, session: Session, code: str, name: str) -> tuple[str, ...]:
        """Add an authenticator app, given its first code; return recovery codes if it is the first factor."""
        now = self._authenticator.now()
        sealed = await asyncio.to_thread(self._store.challenge, session.id, "totp", now)
        if sealed is None:
            raise Problem("conflict", detail("set-up-expired"))
        secret = await asyncio.to_thread(self._unseal, account.name, sealed)
        step = totp.matching_step(secret, code, datetime.fromisoformat(now))
        if step is None:
            raise Problem("second-factor-failed", detail("wrong-code"))
        await asyncio.to_thread(self._store.take_challenge, session.id, "totp", now)
        factor = StoredFactor(new_id(), account.name, "totp", sealed, None, step, now, now)
        return await self._add(account, factor, name)

    async def begin_passkey(self, account: Account, session: Session) -> dict[str, Any]:
        """Return what the browser needs to create a passkey."""
        party = self._party()

        def begin() -> dict[str, Any]:
            known = [one.credential for one in self._store.of_person(account.name) if one.credential is not None]
            options = passkeys.registration_options(party, account.name, account.shown, known)
            now = self._authenticator.now()
            self._store.save_challenge(session.id, "register", options["challenge"], now)
            return options

        return await asyncio.to_thread(begin)

    async def finish_passkey(
        self, account: Account, session: Session, answer: dict[str, Any], name: str
    ) -> tuple[str, ...]:
        """Add the passkey that a browser has created; return recovery codes if it is the first factor."""
        party, now = self._party(), self._authenticator.now()

        def check() -> StoredFactor:
            challenge = self._store.take_challenge(session.id, "register", now)
            if challenge is None:
                raise Problem("conflict", detail("set-up-expired"))
            try:
                made = passkeys.verify_registration(party, answer, challenge)
            except INVALID:
                raise Problem("second-factor-failed", detail("wrong-passkey")) from None
            if self._store.has_credential(made.credential):
                raise Problem("conflict", detail("passkey-in-use"))
            return StoredFactor(
                new_id(), account.name, "passkey", made.public_key, made.credential, made.counter, now, None
            )

        return await self._add(account, await asyncio.to_thread(check), name)

    async def _add(self, account: Account, factor: StoredFactor, name: str) -> tuple[str, ...]:
        """Store a factor, then put it on record, which makes it count; return recovery codes if it is the first."""
        records, first = self._authenticator.records, not account.factors
        pseudonyms, typed = self._authenticator.pseudonyms, Factor(factor.id, factor.kind, name.strip())
        recorded = await asyncio.to_thread(pseudonyms.take_factor, account.name, typed)
        if recorded != typed:
            factor = replace(factor, name=typed.name)
        await asyncio.to_thread(self._store.add, factor)
        try:
            await records.execute(THE_SERVER, c.RecordFactorAdded(account.name, recorded))
            await asyncio.to_thread(pseudonyms.reload)
        except BaseException:
            await asyncio.to_thread(self._store.remove, account.name, factor.id)
            raise
        return await self.make_recovery_codes(account) if first else ()

    async def make_recovery_codes(self, account: Account) -> tuple[str, ...]:
        """Return new recovery codes, which replace all others."""
        codes = await asyncio.to_thread(self._store.make_recovery_codes, account.name)
        await self._authenticator.records.execute(THE_SERVER, c.RecordRecoveryCodes(account.name, RECOVERY_CODES))
        return codes

    async def remove(self, account: Account, factor: str) -> None:
        """Remove a factor; house policy may keep the last one."""
        await self._authenticator.records.execute(THE_SERVER, c.RecordFactorRemoved(account.name, factor))
        await asyncio.to_thread(self._store.remove, account.name, factor)
        if len(account.factors) == 1:
            await asyncio.to_thread(self._store.remove_all, account.name)
        self._authenticator.signed_out(account.name)

    async def forget(self, person: str) -> None:
        """Delete what is stored of a person whose factors were reset, and sign them out everywhere."""
        await asyncio.to_thread(self._store.remove_all, person)
        await self._authenticator.revoke_all(person, "the second factors were reset")

    # -- confirmation

    async def begin_confirmation(self, account: Account, session: Session) -> dict[str, Any] | None:
        """Return what the browser needs to confirm with a passkey, or None if the person has none."""
        party = relying_party(self._authenticator.settings, self._address())

        def begin() -> dict[str, Any] | None:
            known = [one.credential for one in self._own(account) if one.credential is not None]
            if party is None or not known:
                return None
            options = passkeys.authentication_options(party, known)
            now = self._authenticator.now()
            self._store.save_challenge(session.id, "confirm", options["challenge"], now)
            return options

        return await asyncio.to_thread(begin)

    async def confirm(self, account: Account, session: Session, proof: Proof) -> str:
        """Accept a second factor, once, and return its kind; raise a problem if it is wrong or they are locked."""
        records, now = self._authenticator.records, self._authenticator.now()
        attempt = await asyncio.to_thread(self._store.begin_attempt, account.name, now)
        if attempt is None:
            records.record_sign_in_failure(account.name, known=True, why=LOCKED)
            raise await self._locked(account.name, now)
        found = await asyncio.to_thread(self._check, account, session, proof, now)
        if isinstance(found, str):
            records.record_sign_in_failure(account.name, known=True, why=found)
            if not attempt.locked_until:
                left = FREE_FAILURES - attempt.failures % FREE_FAILURES
                raise Problem("second-factor-failed", detail("factor-failed", reason=detail(FAILED[found]), left=left))
            command = c.RecordFactorLock(account.name, attempt.failures, attempt.locked_until)
            await records.execute(THE_SERVER, command)
            raise await self._locked(account.name, now)
        await asyncio.to_thread(self._store.succeeded, account.name)
        await records.execute(THE_SERVER, c.RecordFactorUsed(account.name, found.factor, found.left))
        kinds = {one.id: one.kind for one in account.factors}
        return "recovery" if found.factor is None else kinds[found.factor]

    async def confirm_session(self, account: Account, secret: str) -> NewSession:
        """Give a session the rights of a person who has confirmed, under a new secret."""
        now = self._authenticator.now()
        confirmed = await asyncio.to_thread(self._authenticator.auth.sessions.confirm, secret, now)
        self._authenticator.signed_out(account.name)
        if confirmed is None:
            raise Problem("not-signed-in", detail("session-over"))
        return confirmed

    def _check(self, account: Account, session: Session, proof: Proof, now: str) -> _Used | str:
        """Return what was accepted, or why nothing was."""
        if proof.recovery_code is not None:
            used = self._store.use_recovery_code(account.name, proof.recovery_code)
            return _Used(None, self._store.recovery_codes_left(account.name)) if used else WRONG
        if proof.passkey is not None:
            return self._check_passkey(account, session, proof.passkey, now)
        return self._check_code(account, proof.code or "", now)

    def _check_code(self, account: Account, code: str, now: str) -> _Used | str:
        replayed = False
        for one in self._own(account):
            if one.kind != "totp":
                continue
            step = totp.matching_step(self._unseal(account.name, one.secret), code, datetime.fromisoformat(now))
            if step is not None:
                if self._store.advance(one.id, step, now):
                    return _Used(one.id)
                replayed = True
        return USED_BEFORE if replayed else WRONG

    def _check_passkey(self, account: Account, session: Session, answer: dict[str, Any], now: str) -> _Used | str:
        challenge = self._store.take_challenge(session.id, "confirm", now)
        found = next((one for one in self._own(account) if one.credential == answer.get("id")), None)
        if challenge is None or found is None or found.credential is None:
            return WRONG
        try:
            counter = passkeys.verify_authentication(self._party(), answer, challenge, found.secret)
        except INVALID:
            return WRONG
        if counter == found.counter == 0:  # a passkey that is synchronised between devices counts nothing
            self._store.touch(found.id, now)
        elif not self._store.advance(found.id, counter, now):
            return COPIED
        return _Used(found.id)

    # -- what is stored

    def stored(self, account: Account) -> tuple[dict[str, StoredFactor], int, str | None]:
        """Return a person's factors by id, how many recovery codes are left, and until when they are locked; blocks."""
        now = self._authenticator.now()
        left = self._store.recovery_codes_left(account.name)
        return {one.id: one for one in self._own(account)}, left, self._store.locked_until(account.name, now)

    def _own(self, account: Account) -> list[StoredFactor]:
        """Return the stored factors that are on record."""
        recorded = {one.id for one in account.factors}
        return [one for one in self._store.of_person(account.name) if one.id in recorded]

    def _party(self) -> RelyingParty:
        party = relying_party(self._authenticator.settings, self._address())
        if party is None:
            raise Problem("unprocessable", detail("no-domain"))
        return party

    async def _locked(self, person: str, now: str) -> Problem:
        until = await asyncio.to_thread(self._store.locked_until, person, now)
        wait = (datetime.fromisoformat(until) - datetime.fromisoformat(now)).total_seconds() if until else 1
        return Problem("second-factor-locked", retry_after=wait)

    def _keys(self) -> SealingKeys:
        try:
            return SealingKeys.load(self._authenticator.settings.sealing_key_path)
        except (LostKey, UnusableKey) as error:
            raise Problem("internal-error", detail("sealing-key", reason=error)) from error

    def _unseal(self, person: str, sealed: str) -> bytes:
        try:
            return self._keys().unseal(sealed, _associated_data(person), 0)
        except (BadSeal, LostKey) as error:
            raise Problem("internal-error", detail("not-unsealed")) from error


def _associated_data(person: str) -> str:
    return f"second factor of {person}"
