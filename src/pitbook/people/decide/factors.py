"""Second factors: the server records what their owners do with them; only someone else can reset them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.people import events as e
from pitbook.people.names import SERVER, SHOWN_MAX, is_line, shorten
from pitbook.people.refusals import Reason

if TYPE_CHECKING:
    from pitbook.people import commands as c
    from pitbook.people.decide.draft import Draft
    from pitbook.people.state import Account
    from pitbook.people.values import Factor

FACTORS_MAX = 10
"""The most second factors of one person."""


def added(draft: Draft, command: c.RecordFactorAdded) -> None:
    account, factor = _server_account(draft, command.person), command.factor
    if len(account.factors) >= FACTORS_MAX:
        draft.refuse(Reason.TOO_MANY, "people.factor.too-many", most=FACTORS_MAX)
    if not is_line(factor.name, SHOWN_MAX, empty=False):
        draft.refuse(Reason.BAD_TEXT, "people.factor.name", most=SHOWN_MAX)
    if any(factor.id == one.id or factor.name == one.name for one in account.factors):
        draft.refuse(Reason.NAME_TAKEN, "people.factor.taken", name=factor.name)
    draft.emit(e.FactorAdded(account.name, factor))


def removed(draft: Draft, command: c.RecordFactorRemoved) -> None:
    account = _server_account(draft, command.person)
    factor = _find(draft, account, command.id)
    if len(account.factors) == 1 and draft.people.policy.requires_factor(account.roles):
        draft.refuse(Reason.LAST_FACTOR, "people.factor.last")
    draft.emit(e.FactorRemoved(account.name, factor))


def reset(draft: Draft, command: c.ResetFactors) -> None:
    """Remove all second factors of another person; the server does so for a command on its machine."""
    by_server = (draft.person.name, draft.person.role) == (SERVER, SERVER)
    manager = None if by_server else draft.manager()
    account = draft.account(command.person)
    if manager is not None and account.name == manager.name:
        draft.refuse(Reason.OWN_ACT, "people.factor.own")
    words = draft.check_words(command.words, empty=False)
    if not account.factors:
        draft.refuse(Reason.NOTHING_TO_DO, "people.factor.none", person=account.name)
    draft.emit(e.FactorsReset(account.name, words))


def used(draft: Draft, command: c.RecordFactorUsed) -> None:
    account = _server_account(draft, command.person)
    if command.id is None:
        draft.emit(e.RecoveryCodeUsed(account.name, command.left or 0))
        return
    factor = _find(draft, account, command.id)
    draft.emit(e.FactorUsed(account.name, factor.kind, factor.name))


def locked(draft: Draft, command: c.RecordFactorLock) -> None:
    account = _server_account(draft, command.person)
    draft.emit(e.FactorsLocked(account.name, command.failures, shorten(command.until)))


def codes_made(draft: Draft, command: c.RecordRecoveryCodes) -> None:
    draft.emit(e.RecoveryCodesMade(_server_account(draft, command.person).name, command.count))


def unlocked(draft: Draft, command: c.RecordUnlock) -> None:
    draft.emit(e.SessionUnlocked(_server_account(draft, command.person).name, shorten(command.how)))


def _server_account(draft: Draft, name: str) -> Account:
    draft.server()
    return draft.account(name)


def _find(draft: Draft, account: Account, factor_id: str) -> Factor:
    found = next((one for one in account.factors if one.id == factor_id), None)
    if found is None:
        draft.refuse(Reason.NOTHING_TO_DO, "people.factor.unknown")
    return found
