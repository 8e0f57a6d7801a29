"""Replay of a table from its entries: each event must follow from those before it, and move the right money."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pitbook.audit import (
    automatic,
    betting,
    chips,
    custody,
    inspections,
    irregularities,
    rolls,
    rounds,
    rulings,
    setup,
    shooters,
)
from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.procedure import due
from pitbook.audit.report import Overdue, Void
from pitbook.audit.roles import check_actor, check_same_actor
from pitbook.audit.snapshots import check_snapshot
from pitbook.audit.state import Actor, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.audit.books import Book
    from pitbook.audit.dice import DiceMoves
    from pitbook.audit.money import Ledger
    from pitbook.audit.report import Report
    from pitbook.audit.roster import Roster
    from pitbook.audit.shelf import Shelf
    from pitbook.audit.snapshots import Snapshot
    from pitbook.audit.source import Entry, Legs
    from pitbook.audit.state import Body, Moves

REFUSALS = ("refused", "refusals-counted")
"""Kinds of entries that record refusals."""

PLAYERS_OWN = (
    "BetPlaced",
    "BetsPlaced",
    "BetTakenDown",
    "BetsCalled",
    "BoughtIn",
    "CashedOut",
    "PlayerWithdrew",
    "Disputed",
    "NonceGiven",
    "RailJoined",
    "RailLeft",
)
"""Events that do not change the step counter."""

HANDLERS: dict[str, Callable[[State, Body, Actor], Moves]] = {
    "TableOpened": setup.table_opened,
    "SetupChanged": setup.setup_changed,
    "TableClosed": setup.table_closed,
    "ShiftStarted": setup.shift_started,
    "DayStarted": setup.day_started,
    "DicePut": setup.dice_put,
    "DiceTakenOut": setup.dice_taken_out,
    "EquipmentChecked": inspections.equipment_checked,
    "Inspected": inspections.inspected,
    "DealerTookOver": custody.dealer_took_over,
    "DealerLeft": custody.dealer_left,
    "ShakerPutAway": custody.shaker_put_away,
    "ShakerInUse": setup.shaker_in_use,
    "EquipmentFailed": setup.equipment_failed,
    "EquipmentRepaired": setup.equipment_repaired,
    "BoughtIn": chips.bought_in,
    "CashedOut": chips.cashed_out,
    "BetPlaced": betting.bet_placed,
    "BetsPlaced": betting.bets_placed,
    "BetTakenDown": betting.bet_taken_down,
    "BetsCalled": betting.bets_called,
    "BetsConfirmed": betting.bets_confirmed,
    "WagerFound": betting.wager_found,
    "StepTaken": rounds.step_taken,
    "StepWaived": rounds.step_waived,
    "Illuminated": rounds.illuminated,
    "Rolled": rolls.rolled,
    "DiceCorrected": rounds.dice_corrected,
    "LosersCollected": rounds.losers_collected,
    "WinnersPaid": rounds.winners_paid,
    "RoundEnded": rounds.round_ended,
    "ShooterNamed": shooters.shooter_named,
    "DicePassed": shooters.dice_passed,
    "RailJoined": shooters.rail_joined,
    "RailLeft": shooters.rail_left,
    "DiceRefused": shooters.dice_refused,
    "RollCancelled": shooters.roll_cancelled,
    "IrregularityCalled": irregularities.irregularity_called,
    "RoundVoided": irregularities.round_voided,
    "WagersReturned": irregularities.wagers_returned,
    "BettingReopened": irregularities.betting_reopened,
    "PowerFailed": irregularities.power_failed,
    "PlayerWithdrew": irregularities.player_withdrew,
    "PlayResumed": irregularities.play_resumed,
    "BetRuled": rulings.bet_ruled,
    "Ruled": rulings.ruled,
    "Disputed": irregularities.disputed,
    "DisputeSettled": irregularities.dispute_settled,
    "ResettlementProposed": irregularities.resettlement_proposed,
    "Resettled": irregularities.resettled,
    "Counted": irregularities.counted,
    "Filled": irregularities.filled,
    "Credited": irregularities.credited,
    "DropCollected": irregularities.drop_collected,
    "ClockCorrected": automatic.clock_corrected,
    "SeedCommitted": automatic.seed_committed,
    "CountdownStarted": automatic.countdown_started,
    "NonceGiven": automatic.nonce_given,
    "BettingClosed": automatic.betting_closed,
    "SeedRevealed": automatic.seed_revealed,
    "TumblerFailed": automatic.tumbler_failed,
    "TumblerRepaired": automatic.tumbler_repaired,
    "Paused": automatic.paused,
    "Unpaused": automatic.unpaused,
    "VoidProposed": automatic.void_proposed,
}

CONSEQUENCES = frozenset(
    (
        "EquipmentFailed", "StepWaived", "Illuminated", "Rolled", "LosersCollected", "WinnersPaid", "RoundEnded",
        "RoundVoided", "WagersReturned", "BettingReopened", "PowerFailed",
    )
)  # fmt: skip
"""Events that only follow from another."""


class Replay:
    """One table's replay."""

    def __init__(
        self,
        table: str,
        ledger: Ledger,
        report: Report,
        dice: DiceMoves,
        roster: Roster | None,
        shelf: Shelf,
    ) -> None:
        self.table = table
        held = custody.Custody(dice.of(table), dice.since)
        self.state = State(table, ledger, shelf, roster=roster, custody=held)
        self._report = report

    def apply(self, entry: Entry) -> None:
        """Check and apply the next entry."""
        _, _, kind, body, actor, role, at, key, request, _, digest, throw, _, hashed = entry.columns
        ensure((key is None) == (request is None), "key-and-hash")
        event = _event(body)
        if kind in REFUSALS:
            self._check_refusal(entry, kind, digest)
            return
        handler = HANDLERS.get(kind)
        if handler is None or event.get("type") != kind:
            raise CheckFailed("unknown-event", type=event.get("type"))
        state = self.state
        who = Actor(actor, role)
        follows = self._check_order(kind, who)
        last_word = kind == "ClockCorrected" or (kind == "SeedRevealed" and state.draw is not None)
        ensure(state.open or kind == "TableOpened" or last_word, "not-open")
        state.throw, state.actual = None, entry.transfers
        state.earlier, state.at, state.hash = state.at, at, hashed.hex()
        try:
            if not follows:
                check_actor(state, kind, event, who)
            state.actor = who
            moves = handler(state, event, who)
        except (KeyError, TypeError, IndexError, ValueError) as error:
            raise CheckFailed("impossible", name=type(error).__name__, error=error) from error
        _check_money(entry.transfers, moves)
        self._check_throw(throw)
        if digest != state.setup["digest"]:
            raise CheckFailed("other-book", digest=digest, right=state.setup["digest"])
        state.ledger.apply(self.table, entry.transfers)
        held = state.ledger.balance(state.escrow)
        if held != state.at_stake:
            raise CheckFailed("escrow", about="money", held=held, stakes=state.at_stake)
        state.last = kind
        if kind not in PLAYERS_OWN:
            state.step += 1
        self._count(kind, event)

    def finish(self) -> None:
        """Check that the record does not end in the middle of something."""
        if self.state.expect:
            raise CheckFailed("must-follow", about="end", expect=self.state.expect[0])
        custody.check_end(self.state)
        self._report.lost_seeds += self.state.lost
        self._report.second_persons += self.state.named
        self._report.overdue += [Overdue(self.table, *gap) for gap in self.state.overdue]
        self._report.voids += [Void(self.table, *void) for void in self.state.voids]

    @property
    def number(self) -> int | None:
        """The table's number on the floor while it is open; older records have none."""
        number = self.state.setup.get("number") if self.state.open else None
        return number if isinstance(number, int) else None

    def check_snapshot(self, snapshot: Snapshot, head: bytes) -> None:
        """Check that a stored state of the table equals the replayed one."""
        check_snapshot(self.state, snapshot, head)

    def _check_refusal(self, entry: Entry, kind: str, digest: str) -> None:
        ensure(not self.state.expect, "must-come-next", expect=self.state.expect[:1])
        ensure(not entry.transfers and entry.columns[11] is None, "moves-money", kind=kind)
        known = ("", self.state.setup.get("digest", ""))
        ensure(digest in known, "under-book", digest=digest)
        if self.state.open and kind == "refused" and digest:
            _check_grounds(entry.columns[9], self.state.book)
        self._report.refusals += 1

    def _check_order(self, kind: str, who: Actor) -> bool:
        """Check that an event may come now; return whether it follows from the previous entry."""
        state = self.state
        if state.expect:
            ensure(kind == state.expect[0], "must-come-next", "order", expect=state.expect[0])
            state.expect = state.expect[1:]
            check_same_actor(state, who)
            return True
        if kind in CONSEQUENCES and not (kind == "RoundVoided" and (state.round.may_void or state.automatic)):
            step = due(state) if kind == "RoundEnded" and state.open else None
            if step is not None:
                raise CheckFailed("step-due", about="order", step=step.id)
            raise CheckFailed("no-cause", about="order")
        return False

    def _check_throw(self, throw: int | None) -> None:
        state = self.state
        if throw != state.throw:
            raise CheckFailed("other-throw", throw=throw, right=state.throw)
        if throw is not None:
            ensure(throw > state.thrown, "throw-twice", throw=throw)
            state.thrown = throw
            self._report.throws += 1

    def _count(self, kind: str, event: Body) -> None:
        if kind == "StepTaken":
            self._report.steps += 1
        elif kind in ("BetPlaced", "WagerFound"):
            self._report.bets += 1
        elif kind == "IrregularityCalled":
            self._report.calls += 1
        elif kind in ("Inspected", "EquipmentChecked"):
            self._report.inspections += 1
        elif kind == "SeedRevealed":
            self._report.draws += 1
        elif kind == "BetsPlaced":
            self._report.bets += len(event["bets"])
        elif "lines" in event:
            self._report.lines += len(event["lines"])


class MoneyOnly:
    """The rest of a table whose book is missing: only its money can be checked."""

    def __init__(self, table: str, ledger: Ledger) -> None:
        self.table = table
        self._ledger = ledger

    def apply(self, entry: Entry) -> None:
        """Move the money of an entry."""
        self._ledger.apply(self.table, entry.transfers)

    def finish(self) -> None:
        """Accept the end of the record, which may be anywhere."""

    def check_snapshot(self, _snapshot: Snapshot, _head: bytes) -> None:
        """Accept a snapshot, which cannot be compared."""


def _event(body: bytes) -> Body:
    try:
        event = json.loads(body.decode())
    except ValueError as error:
        raise CheckFailed("not-json", error=error) from None
    if not isinstance(event, dict):
        raise CheckFailed("not-an-event")
    return event


def _check_grounds(answer: bytes | None, book: Book) -> None:
    """Check that a refusal cites only clauses and readings of the book in force."""
    answer_fields = _event(answer) if answer else {}
    for clause in answer_fields.get("clauses") or ():
        ensure(clause in book.clauses, "no-clause", clause=clause, book=book.id)
    reading = answer_fields.get("reading")
    ensure(reading is None or reading in book.readings, "no-reading", reading=reading, book=book.id)


def _check_money(actual: tuple[tuple[str, Legs], ...], right: Moves) -> None:
    """Check that the transfers are those of the event, in any order."""
    given = [legs for _, legs in actual]
    if given == right:
        return
    if sorted(sorted(legs) for legs in given) != sorted(sorted(legs) for legs in right):
        raise CheckFailed("money-moved", about="money", given=_format_moves(given), right=_format_moves(right))


def _format_moves(moves: Moves) -> str:
    parts = [", ".join(f"{account} {amount:+d}" for account, amount in legs) for legs in moves]
    return "; ".join(f"({part})" for part in parts) or "none"
