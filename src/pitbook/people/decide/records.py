"""What the server saw and records: sign-ins, sessions, denials, keys, its own start. Never a secret.

A failed sign-in and a denied act are recorded as refusals, under the names `sign-in-failed` and `denied`, because that
is what they are, and because the journal then counts floods of them as it counts any other: the first within a second
stands by itself with its details, more of the same person are one number. Failures under names that nobody has are
counted together, whatever was typed, so that no attacker decides how many entries there are. `recorded_by` says under
whose name the journal keeps, and so counts, a command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pitbook.people import commands as c
from pitbook.people import events as e
from pitbook.people.names import SHOWN_MAX, VISITOR, cut
from pitbook.people.refusals import Refusal, Refused, Why
from pitbook.table.people import Person

if TYPE_CHECKING:
    from pitbook.people.decide.draft import Draft
    from pitbook.people.state import Account, People

ADDRESS_MAX = 60
AGENT_MAX = 200
SCOPES_MAX = 50
LINE_MAX = 160


def recorded_by(people: People, person: Person, command: c.Command) -> Person:
    """Whose act the journal keeps a command as.

    A sign-in that failed is that of a visitor who claims to be somebody, a denied act that of who was denied it. Names
    that nobody has are not kept as anybody's.
    """
    if person.role == VISITOR:
        return Person(VISITOR, VISITOR)
    if isinstance(command, c.RecordSignInFailure):
        claimed = people.find(command.name)
        return Person(claimed.name if claimed else VISITOR, VISITOR)
    if isinstance(command, c.RecordDenied):
        denied = people.find(command.person)
        return Person(denied.name if denied else VISITOR, cut(command.role) if denied else VISITOR)
    return person


def sign_in(draft: Draft, command: c.RecordSignIn) -> None:
    account = _seen(draft, command.person)
    if not account.active:
        draft.refuse(Why.INACTIVE, f"the account {account.name} is not active")
    how, address, agent = cut(command.how), cut(command.address, ADDRESS_MAX), cut(command.agent, AGENT_MAX)
    draft.emit(e.SignedIn(account.name, how, address, agent))


def sign_in_failure(draft: Draft, command: c.RecordSignInFailure) -> None:
    draft.server()
    name, address, why = cut(command.name), cut(command.address, ADDRESS_MAX), cut(command.why, LINE_MAX)
    origin = f" from {address}" if address else ""
    _record(
        Why.SIGN_IN_FAILED,
        why,
        f"sign in as “{name}”{origin}",
        {"name": name, "address": address, "why": why},
    )


def denied(draft: Draft, command: c.RecordDenied) -> None:
    draft.server()
    asked, why = cut(command.asked, LINE_MAX), cut(command.why, LINE_MAX)
    table = cut(command.table, SHOWN_MAX) if command.table is not None else None
    _record(
        Why.DENIED,
        why,
        f"{asked} at {table}" if table else asked,
        {"person": cut(command.person), "role": cut(command.role), "table": table, "asked": asked, "why": why},
    )


def sign_out(draft: Draft, command: c.RecordSignOut) -> None:
    draft.emit(e.SignedOut(_seen(draft, command.person).name))


def session_end(draft: Draft, command: c.RecordSessionEnd) -> None:
    draft.emit(e.SessionEnded(_seen(draft, command.person).name, cut(command.words, LINE_MAX)))


def pin_set(draft: Draft, command: c.RecordPinSet) -> None:
    draft.emit(e.PinSet(_seen(draft, command.person).name, command.is_set))


def password_set(draft: Draft, command: c.RecordPasswordSet) -> None:
    draft.emit(e.PasswordSet(_seen(draft, command.person).name, cut(command.by)))


def token(draft: Draft, command: c.RecordToken) -> None:
    account = _seen(draft, command.person)
    number, name = cut(command.token, 64), cut(command.name, SHOWN_MAX)
    if command.done == "made":
        scopes = tuple(cut(scope) for scope in command.scopes[:SCOPES_MAX])
        draft.emit(e.TokenMade(account.name, number, name, scopes))
    else:
        draft.emit(e.TokenRevoked(account.name, number, name))


def server_start(draft: Draft, command: c.RecordServerStart) -> None:
    draft.server()
    draft.emit(e.ServerStarted(cut(command.process, SHOWN_MAX), cut(command.version), command.clean_before))


def server_stop(draft: Draft, command: c.RecordServerStop) -> None:
    draft.server()
    draft.emit(e.ServerStopped(cut(command.process, SHOWN_MAX)))


def accept_loss(draft: Draft, command: c.AcceptLoss) -> None:
    draft.manager()
    if not command.lost:
        draft.refuse(Why.NOTHING_TO_DO, "nothing is missing that was signed")
    draft.emit(e.LossAccepted(command.lost, draft.words(command.words, empty=False)))


def _seen(draft: Draft, name: str) -> Account:
    draft.server()
    return draft.known(name)


def _record(why: Why, says: str, asked: str, details: dict[str, str | None]) -> NoReturn:
    raise Refused(Refusal(why, says, asked, details))
