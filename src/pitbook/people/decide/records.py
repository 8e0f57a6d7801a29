"""Records of what the server observed: sign-ins, sessions, denials, tokens, its own start. Never a secret.

A failed sign-in and a denied request are recorded as refusals (`sign-in-failed`, `denied`), so that the journal
aggregates floods of them like any other: the first within a second is stored with its details, further ones of the
same person as a number. Failures under unknown names are counted together, whatever was typed, so that no attacker
controls how many entries there are. `recorded_by` returns the person under whom the journal counts a command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pitbook.messages import Message
from pitbook.people import commands as c
from pitbook.people import events as e
from pitbook.people.names import SHOWN_MAX, VISITOR, shorten
from pitbook.people.refusals import Reason, Refusal, Refused
from pitbook.table.people import Person

if TYPE_CHECKING:
    from pitbook.people.decide.draft import Draft
    from pitbook.people.state import Account, People

ADDRESS_MAX = 60
AGENT_MAX = 200
SCOPES_MAX = 50
LINE_MAX = 160
FAILURES = {
    "too many tries": "refusals.recorded.too-many-tries",
    "name and password do not fit together": "refusals.recorded.wrong-password",
    "the link does not work": "refusals.recorded.dead-link",
    "the password given before a change is wrong": "refusals.recorded.wrong-own-password",
    "the PIN given at a console is wrong": "refusals.recorded.wrong-pin",
    "the second factor is wrong": "refusals.recorded.wrong-factor",
    "the code of the second factor was used before": "refusals.recorded.used-code",
    "the passkey's counter decreased": "refusals.recorded.cloned-passkey",
    "the second factors are locked": "refusals.recorded.locked-factor",
    "what was given to unlock is wrong": "refusals.recorded.wrong-unlock",
}
"""The messages for reasons of failed sign-ins, which records keep in these words."""


def recorded_by(people: People, person: Person, command: c.Command) -> Person:
    """Return the person under whom the journal records a command.

    A failed sign-in counts as that of a visitor with the claimed name, a denial as that of the person denied. Unknown
    names are not stored.
    """
    if person.role == VISITOR:
        return Person(VISITOR, VISITOR)
    if isinstance(command, c.RecordSignInFailure):
        claimed = people.find(command.name)
        return Person(claimed.name if claimed else VISITOR, VISITOR)
    if isinstance(command, c.RecordDenied):
        denied = people.find(command.person)
        return Person(denied.name if denied else VISITOR, shorten(command.role) if denied else VISITOR)
    return person


def sign_in(draft: Draft, command: c.RecordSignIn) -> None:
    account = _server_account(draft, command.person)
    if not account.active:
        draft.refuse(Reason.INACTIVE, "people.inactive", account=account.name)
    how, address, agent = shorten(command.how), shorten(command.address, ADDRESS_MAX), shorten(command.agent, AGENT_MAX)
    draft.emit(e.SignedIn(account.name, how, address, agent))


def sign_in_failure(draft: Draft, command: c.RecordSignInFailure) -> None:
    draft.server()
    name, address, why = shorten(command.name), shorten(command.address, ADDRESS_MAX), shorten(command.why, LINE_MAX)
    origin = (Message("commands.house.from", {"address": address}),) if address else ()
    _record(
        Reason.SIGN_IN_FAILED,
        Message(FAILURES[why], {}) if why in FAILURES else _sentence(why),
        Message("commands.house.sign-in", {"name": name, "address": origin}),
        {"name": name, "address": address, "why": why},
    )


def denied(draft: Draft, command: c.RecordDenied) -> None:
    draft.server()
    asked, why = shorten(command.asked, LINE_MAX), shorten(str(command.why), LINE_MAX)
    table = shorten(command.table, SHOWN_MAX) if command.table is not None else None
    _record(
        Reason.DENIED,
        command.why if isinstance(command.why, Message) else _sentence(why),
        _request(asked, table),
        {"person": shorten(command.person), "role": shorten(command.role), "table": table, "asked": asked, "why": why},
    )


def sign_out(draft: Draft, command: c.RecordSignOut) -> None:
    draft.emit(e.SignedOut(_server_account(draft, command.person).name))


def session_end(draft: Draft, command: c.RecordSessionEnd) -> None:
    draft.emit(e.SessionEnded(_server_account(draft, command.person).name, shorten(command.words, LINE_MAX)))


def pin_set(draft: Draft, command: c.RecordPinSet) -> None:
    draft.emit(e.PinSet(_server_account(draft, command.person).name, command.is_set))


def password_set(draft: Draft, command: c.RecordPasswordSet) -> None:
    draft.emit(e.PasswordSet(_server_account(draft, command.person).name, shorten(command.by)))


def token(draft: Draft, command: c.RecordToken) -> None:
    account = _server_account(draft, command.person)
    number, name = shorten(command.token, 64), shorten(command.name, SHOWN_MAX)
    if command.done == "made":
        scopes = tuple(shorten(scope) for scope in command.scopes[:SCOPES_MAX])
        draft.emit(e.TokenMade(account.name, number, name, scopes))
    else:
        draft.emit(e.TokenRevoked(account.name, number, name))


def server_start(draft: Draft, command: c.RecordServerStart) -> None:
    draft.server()
    draft.emit(e.ServerStarted(shorten(command.process, SHOWN_MAX), shorten(command.version), command.clean_before))


def server_stop(draft: Draft, command: c.RecordServerStop) -> None:
    draft.server()
    draft.emit(e.ServerStopped(shorten(command.process, SHOWN_MAX)))


def accept_loss(draft: Draft, command: c.AcceptLoss) -> None:
    draft.manager()
    if not command.lost:
        draft.refuse(Reason.NOTHING_TO_DO, "people.nothing-lost")
    draft.emit(e.LossAccepted(command.lost, draft.check_words(command.words, empty=False)))


def _server_account(draft: Draft, name: str) -> Account:
    draft.server()
    return draft.account(name)


def _request(request: str, table: str | None) -> Message:
    if table is None:
        return Message("commands.house.request", {"request": request})
    return Message("commands.house.request-at", {"request": request, "table": table})


def _sentence(text: str) -> Message:
    return Message("refusals.recorded.sentence", {"text": text})


def _record(why: Reason, says: Message, asked: Message, details: dict[str, str | None]) -> NoReturn:
    raise Refused(Refusal(why, says, asked, details))
