"""Replay of the house's own record: who was known, in which roles, and whether each act was allowed.

The state is kept in the format of snapshots, so that both can be compared.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pitbook.audit import approvals, dice, factors, people, player_limits
from pitbook.audit.chain import CORRECTS_TIME, snapshot_hash
from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.people import Actor, Body, House
from pitbook.audit.roster import Roster

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.audit.report import Report
    from pitbook.audit.snapshots import Snapshot
    from pitbook.audit.source import Entry

HOUSE = "house"
"""The stream that belongs to no table."""

REFUSALS = ("refused", "refusals-counted")
"""Kinds of entries that record refusals."""

HANDLERS: dict[str, Callable[[House, Body, Actor], None]] = {
    "PersonAdded": people.person_added,
    "PersonRegistered": people.person_registered,
    "RoleGiven": people.role_given,
    "RoleTaken": people.role_taken,
    "PersonDeactivated": people.person_deactivated,
    "PersonReactivated": people.person_reactivated,
    "PolicySet": people.policy_set,
    "ClockAccepted": people.clock_accepted,
    "LanguageChosen": people.language_chosen,
    "SignedIn": people.signed_in,
    "SignedOut": people.seen,
    "SessionEnded": people.seen,
    "PasswordSet": people.seen,
    "PinSet": people.seen,
    "FactorAdded": factors.added,
    "FactorRemoved": factors.removed,
    "FactorsReset": factors.reset,
    "FactorsLocked": factors.locked,
    "FactorUsed": factors.used,
    "RecoveryCodesMade": people.seen,
    "RecoveryCodeUsed": people.seen,
    "SessionUnlocked": people.seen,
    "TokenMade": people.seen,
    "TokenRevoked": people.seen,
    "ServerStarted": people.server_started,
    "ServerStopped": people.server_stopped,
    "WebhookAdded": people.webhook_added,
    "WebhookRemoved": people.webhook_removed,
    "WebhookPaused": people.webhook_paused,
    "WebhookResumed": people.webhook_resumed,
    "WebhookSecretChanged": people.webhook_secret_changed,
    "AlarmRaised": people.alarm_raised,
    "AlarmEnded": people.alarm_ended,
    "LossAccepted": people.loss_accepted,
    "LimitsSet": player_limits.limits_set,
    "LooseningWithdrawn": player_limits.loosening_withdrawn,
    "Excluded": player_limits.excluded,
    "ApprovalAsked": approvals.request_approval,
    "ApprovalGiven": approvals.given,
    "ApprovalRefused": approvals.refused,
    "ApprovalWithdrawn": approvals.withdrawn,
    "ApprovalExpired": approvals.expired,
    "ApprovalUsed": approvals.used,
    "DiceReceived": dice.received,
    "DiceUsed": dice.used,
    "DiceReturned": dice.returned,
    "DiceRetired": dice.retired,
}

ABOUT_ROLES = frozenset(
    ("PersonAdded", "PersonRegistered", "RoleGiven", "RoleTaken", "PersonDeactivated", "PersonReactivated", "Excluded")
)
"""Events that change roles or exclusions."""


class HouseReplay:
    """The replay of the house's own record."""

    def __init__(self, report: Report) -> None:
        self.state = House()
        self.roster = Roster()
        self._report = report
        self._at = ""

    def apply(self, entry: Entry) -> None:
        """Check and apply the next entry."""
        _, _, kind, body, actor, role, at, key, request, _, digest, throw, _, _ = entry.columns
        ensure((key is None) == (request is None), "key-and-hash")
        ensure(not entry.transfers and throw is None, "moves-money", kind=kind)
        event = _event(body)
        if kind in REFUSALS:
            self._report.refusals += 1
            return
        handler = HANDLERS.get(kind)
        if handler is None or event.get("type") != kind:
            raise CheckFailed("unknown-event", type=event.get("type"))
        ensure(at >= self._at or kind in CORRECTS_TIME, "earlier-event", "time")
        if at < self._at:
            self.roster.restart(at)
        self._at = at
        ensure(not digest, "book-of-house", digest=digest)
        try:
            handler(self.state, event, Actor(actor, role, at))
        except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
            raise CheckFailed("impossible", name=type(error).__name__, error=error) from error
        if kind in ABOUT_ROLES:
            self.roster.note(people.find_account(self.state, event.get("person") or event["name"]), at)
        if kind == "ApprovalGiven":
            self.roster.given[event["id"]] = {**self.state.approvals[event["id"]], "given_at": at}
        elif kind == "PinSet" and event["is_set"]:
            self.roster.pins.add(event["person"])
        self._report.people = len(self.state.accounts)

    def finish(self) -> None:
        """Accept the end of the record, which may be anywhere."""

    def check_snapshot(self, snapshot: Snapshot, head: bytes) -> None:
        """Check a snapshot's hash, its place in the chain, and its content."""
        sequence, after, content, stored = snapshot
        ensure(stored == snapshot_hash(HOUSE, sequence, after, content), "snapshot-hash")
        ensure(after == head, "snapshot-other")
        given = _event(content)
        given["policy"] = {**people.POLICY, **given.get("policy", {})}
        try:
            for account in given.get("accounts", {}).values():
                account["limits"] = people.whole_limits(account["limits"])
                account.setdefault("factors", [])
            for approval in (*given.get("approvals", {}).values(), *given.get("finished", ())):
                approval.setdefault("player", None)
        except (KeyError, TypeError, AttributeError) as error:
            raise CheckFailed("snapshot-accounts", name=type(error).__name__, error=error) from error
        for name, right in vars(self.state).items():
            if given.get(name, _NO_PEOPLE[name]) != right:
                raise CheckFailed("snapshot-house", name=name)


_NO_PEOPLE: dict[str, Any] = vars(House())
"""The content of snapshots from before there were people."""


def _event(body: bytes) -> Body:
    try:
        event = json.loads(body.decode())
    except ValueError as error:
        raise CheckFailed("not-json", error=error) from None
    if not isinstance(event, dict):
        raise CheckFailed("not-an-event")
    return event
