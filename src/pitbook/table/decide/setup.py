"""Opening, changing and closing a table; its shifts and gaming days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.engine.progress import initial_progress
from pitbook.errors import InputError
from pitbook.messages import Message, Money
from pitbook.rulebooks.table_needs import needs_of_table
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.chips import redeem_at_close
from pitbook.table.decide.equipment import has_shaker, take_out
from pitbook.table.decide.irregularities import check_decided, void
from pitbook.table.limits import ANY, NO_LIMIT, limit_in, text_limit
from pitbook.table.refusals import Reason
from pitbook.table.shifts import schedule_problem
from pitbook.table.state import idle

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook
    from pitbook.table.decide.draft import Draft

NUMBER_MAX = 9999
"""The highest number of a table on the floor."""


def open_table(draft: Draft, command: c.OpenTable) -> None:
    if draft.table.open:
        draft.refuse(Reason.TABLE_OPEN_ALREADY, "tables.already-open")
    _check_setup(draft, command.setup)
    if draft.context.superseded:
        book, digest = command.setup.book, command.setup.digest
        draft.refuse(Reason.CONFIGURATION, "tables.older-edition", book=book, digest=digest)
    draft.emit(e.TableOpened(command.setup, draft.context.at))


def change_setup(draft: Draft, command: c.ChangeSetup) -> None:
    table, setup = draft.table, command.setup
    if not idle(table):
        draft.refuse(Reason.NOT_NOW, "tables.setup-between-rounds")
    assert table.setup is not None
    if _fixed(setup) != _fixed(table.setup):
        draft.refuse(Reason.CONFIGURATION, "tables.fixed")
    changed = (setup.readings, setup.options, setup.paytables, setup.digest) != (
        table.setup.readings,
        table.setup.options,
        table.setup.paytables,
        table.setup.digest,
    )
    if changed and table.bets:
        draft.refuse(Reason.NOT_NOW, "tables.bets-run")
    _check_setup(draft, setup)
    other = (setup.readings, setup.options, setup.digest) != (
        table.setup.readings,
        table.setup.options,
        table.setup.digest,
    )
    if table.craps and other and table.progress != initial_progress(table.rules):
        draft.refuse(Reason.NOT_NOW, "tables.lammers")
    draft.emit(e.SetupChanged(setup, draft.context.at))


def _fixed(setup: c.Setup) -> tuple[object, ...]:
    """Return what does not change while a table is open."""
    automatic = setup.automatic
    return setup.book, setup.currency, setup.shaker, automatic is not None, bool(automatic and automatic.real_money)


def _check_setup(draft: Draft, setup: c.Setup) -> None:
    rules = _rules(draft, setup)
    if setup.automatic is not None:
        _check_automatic(draft, setup.automatic)
    if not setup.facility.strip():
        draft.refuse(Reason.CONFIGURATION, "tables.facility")
    if setup.number is not None and not 1 <= setup.number <= NUMBER_MAX:
        draft.refuse(Reason.CONFIGURATION, "tables.number", most=NUMBER_MAX)
    if draft.context.number_holder is not None:
        holder = draft.context.number_holder
        draft.refuse(Reason.CONFIGURATION, "tables.number-taken", number=setup.number, table=holder)
    if setup.currency != rules.identity.currency:
        draft.refuse(Reason.CONFIGURATION, "tables.currency", currency=rules.identity.currency)
    if rules.groups and not any(wager.group for wager in rules.wagers.values()):
        draft.refuse(Reason.CONFIGURATION, "tables.no-group", rules.forbids.groups or ())
    for name, table in setup.paytables.items():
        wagers = [w for w in rules.wagers.values() if name in (w.id, w.family, w.group)]
        if not wagers or any(table not in wager.paytables for wager in wagers):
            draft.refuse(Reason.CONFIGURATION, "tables.no-paytable", name=name, paytable=table)
    known = {ANY, *rules.every, *(w.family for w in rules.every.values()), *rules.groups}
    for name, limit in setup.limits.items():
        if name not in known:
            draft.refuse(Reason.CONFIGURATION, "tables.limit-unknown", name=name)
        if not 0 < limit.stake_min <= limit.stake_max:
            least, most = (Money(amount, setup.currency) for amount in (limit.stake_min, limit.stake_max))
            draft.refuse(Reason.CONFIGURATION, "tables.limit-order", name=name, least=least, most=most)
    for wager in rules.wagers.values():
        inner, outer = limit_in(setup, rules, wager), text_limit(rules, wager)
        if inner.stake_min < outer.stake_min or inner.stake_max > outer.stake_max:
            clauses = wager.limits.clause if wager.limits else []
            allowed, given = _range(setup, outer), _range(setup, inner)
            draft.refuse(
                Reason.CONFIGURATION, "tables.limit-wider", clauses, area=wager.name, allowed=allowed, given=given
            )
    problem = schedule_problem(setup.shifts, setup.timezone)
    if problem is not None:
        draft.refuse(Reason.CONFIGURATION, problem)
    if setup.payout_max is not None and setup.payout_max <= 0:
        draft.refuse(Reason.CONFIGURATION, "tables.payout-limit")
    missing = tuple(
        Message("refusals.tables.need.next" if place else "refusals.tables.need.first", {"need": need})
        for place, need in enumerate(needs_of_table(rules))
    )
    if missing:
        draft.refuse(Reason.CONFIGURATION, "tables.needs", book=rules.id, needs=missing)
    if rules.identity.game == "sic-bo" and not has_shaker(rules, setup.shaker):
        draft.refuse(Reason.CONFIGURATION, "tables.no-shaker", book=rules.id, shaker=setup.shaker)


def _check_automatic(draft: Draft, run: c.Automatic) -> None:
    if not (5 <= run.betting_seconds <= 600 and 1 <= run.rest_seconds <= 600 and run.play_stack > 0):
        draft.refuse(Reason.CONFIGURATION, "tables.automatic.seconds")
    if not 5 <= run.reveal_seconds <= 600:
        draft.refuse(Reason.CONFIGURATION, "tables.automatic.reveal-seconds")
    if run.real_money and not run.approval.strip():
        draft.refuse(Reason.CONFIGURATION, "tables.automatic.approval")


def _range(setup: c.Setup, limit: c.Limit) -> Message:
    """Return the stakes that a limit allows."""
    least, most = (Money(amount, setup.currency) for amount in (limit.stake_min, limit.stake_max))
    if limit.stake_max == NO_LIMIT.stake_max:
        return Message("refusals.tables.range.from", {"least": least})
    return Message("refusals.tables.range.between", {"least": least, "most": most})


def _rules(draft: Draft, setup: c.Setup) -> Rulebook:
    try:
        return draft.table.books.rules(setup)
    except (InputError, ValueError) as wrong:
        draft.refuse(Reason.CONFIGURATION, "tables.book", error=str(wrong))


def close_table(draft: Draft, _command: c.CloseTable) -> None:
    if not idle(draft.table) or draft.table.bets:
        draft.refuse(Reason.NOT_NOW, "tables.closes-when")
    check_decided(draft)
    if draft.table.draw is not None and not draft.table.draw.voided:
        void(draft)
    take_out(draft, "the table closes")
    redeemed = redeem_at_close(draft)
    draft.emit(e.TableClosed(), *redeemed)


def start_shift(draft: Draft, command: c.StartShift) -> None:
    if not command.shift.strip() or command.shift == draft.table.shift:
        draft.refuse(Reason.CONFIGURATION, "tables.shift-name")
    draft.emit(e.ShiftStarted(command.shift, draft.context.at))


def start_day(draft: Draft, command: c.StartDay) -> None:
    if not idle(draft.table):
        draft.refuse(Reason.NOT_NOW, "tables.day-between-rounds")
    draft.emit(e.DayStarted(command.day))
