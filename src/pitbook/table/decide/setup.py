"""Opening, changing and closing a table; its shifts and gaming days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.engine.progress import fresh
from pitbook.errors import InputError
from pitbook.money import format_amount
from pitbook.rulebooks.table_needs import missing_for_table
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.chips import redeem_at_close
from pitbook.table.decide.equipment import has_shaker, take_out
from pitbook.table.decide.irregularities import check_decided, void
from pitbook.table.limits import ANY, NO_LIMIT, limit_in, text_limit
from pitbook.table.refusals import Why
from pitbook.table.shifts import schedule_problem
from pitbook.table.state import idle

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook
    from pitbook.table.decide.draft import Draft


def open_table(draft: Draft, command: c.OpenTable) -> None:
    if draft.table.open:
        draft.refuse(Why.TABLE_OPEN_ALREADY, "the table is open already; close it first")
    _check_setup(draft, command.setup)
    if draft.context.superseded:
        says = f"{command.setup.digest} is an older edition of {command.setup.book}; open it under the present one"
        draft.refuse(Why.CONFIGURATION, says)
    draft.emit(e.TableOpened(command.setup, draft.context.at))


def change_setup(draft: Draft, command: c.ChangeSetup) -> None:
    table, setup = draft.table, command.setup
    if not idle(table):
        draft.refuse(Why.NOT_NOW, "the set-up changes only between rounds")
    assert table.setup is not None
    if _fixed(setup) != _fixed(table.setup):
        says = "book, currency, shaker and how it is run are fixed while a table is open; close it first"
        draft.refuse(Why.CONFIGURATION, says)
    changed = (setup.readings, setup.options, setup.paytables, setup.digest) != (
        table.setup.readings,
        table.setup.options,
        table.setup.paytables,
        table.setup.digest,
    )
    if changed and table.bets:
        draft.refuse(Why.NOT_NOW, "readings, options and pay tables change only while no wager runs")
    _check_setup(draft, setup)
    other = (setup.readings, setup.options, setup.digest) != (
        table.setup.readings,
        table.setup.options,
        table.setup.digest,
    )
    if table.craps and other and table.progress != fresh(table.rules):
        draft.refuse(Why.NOT_NOW, "readings and options change before a come-out roll, while no lammer stands")
    draft.emit(e.SetupChanged(setup, draft.context.at))


def _fixed(setup: c.Setup) -> tuple[object, ...]:
    """What does not change while a table is open."""
    automatic = setup.automatic
    return setup.book, setup.currency, setup.shaker, automatic is not None, bool(automatic and automatic.real_money)


def _check_setup(draft: Draft, setup: c.Setup) -> None:
    rules = _rules(draft, setup)
    if setup.automatic is not None:
        _check_automatic(draft, setup.automatic)
    if not setup.facility.strip():
        draft.refuse(Why.CONFIGURATION, "the facility's name is missing")
    if setup.currency != rules.identity.currency:
        says = f"the book's amounts are in {rules.identity.currency}; a licensee's own book names another currency"
        draft.refuse(Why.CONFIGURATION, says)
    if rules.groups and not any(wager.group for wager in rules.wagers.values()):
        says = "no group is on offer; choose at least one"
        draft.refuse(Why.CONFIGURATION, says, rules.forbids.groups or ())
    for name, table in setup.paytables.items():
        wagers = [w for w in rules.wagers.values() if name in (w.id, w.family, w.group)]
        if not wagers or any(table not in wager.paytables for wager in wagers):
            draft.refuse(Why.CONFIGURATION, f"{name!r} has no pay table {table!r}")
    known = {ANY, *rules.every, *(w.family for w in rules.every.values()), *rules.groups}
    for name, limit in setup.limits.items():
        if name not in known:
            draft.refuse(Why.CONFIGURATION, f"a limit names {name!r}, which is no wager, family or group")
        if not 0 < limit.stake_min <= limit.stake_max:
            says = f"the limit of {name!r} runs from {_span(rules, limit)}: from more than nothing, to as much or more"
            draft.refuse(Why.CONFIGURATION, says)
    for wager in rules.wagers.values():
        inner, outer = limit_in(setup, rules, wager), text_limit(rules, wager)
        if inner.stake_min < outer.stake_min or inner.stake_max > outer.stake_max:
            clauses = wager.limits.clause if wager.limits else []
            says = (
                f"the limits of {wager.id} are wider than the text's: "
                f"it allows stakes from {_span(rules, outer)}, and these run from {_span(rules, inner)}"
            )
            draft.refuse(Why.CONFIGURATION, says, clauses)
    problem = schedule_problem(setup.shifts, setup.timezone)
    if problem is not None:
        draft.refuse(Why.CONFIGURATION, f"the schedule of shifts: {problem}")
    if setup.payout_max is not None and setup.payout_max <= 0:
        draft.refuse(Why.CONFIGURATION, "a limit on the table's payout must be more than nothing")
    missing = missing_for_table(rules)
    if missing:
        draft.refuse(Why.CONFIGURATION, f"{rules.id} cannot run a table: it needs {'; '.join(missing)}")
    if rules.identity.game == "sic-bo" and not has_shaker(rules, setup.shaker):
        draft.refuse(Why.CONFIGURATION, f"{rules.id} knows no {setup.shaker} shaker")


def _check_automatic(draft: Draft, run: c.Automatic) -> None:
    if not (5 <= run.betting_seconds <= 600 and 1 <= run.rest_seconds <= 600 and run.play_stack > 0):
        draft.refuse(Why.CONFIGURATION, "an automatic table takes bets for 5 to 600 seconds, and rests for 1 to 600")
    if not 5 <= run.reveal_seconds <= 600:
        draft.refuse(Why.CONFIGURATION, "the dice of an automatic table are due 5 to 600 seconds after betting closes")
    if run.real_money and not run.approval.strip():
        says = "an automatic table for real money needs the reference of the electronic tumbler's approval"
        draft.refuse(Why.CONFIGURATION, says)


def _span(rules: Rulebook, limit: c.Limit) -> str:
    """The stakes that a limit lets through, as people write them."""
    low = format_amount(limit.stake_min, rules.decimals)
    if limit.stake_max == NO_LIMIT.stake_max:
        return f"{low} upwards"
    return f"{low} to {format_amount(limit.stake_max, rules.decimals)}"


def _rules(draft: Draft, setup: c.Setup) -> Rulebook:
    try:
        return draft.table.books.rules(setup)
    except (InputError, ValueError) as wrong:
        draft.refuse(Why.CONFIGURATION, str(wrong))


def close_table(draft: Draft, _command: c.CloseTable) -> None:
    if not idle(draft.table) or draft.table.bets:
        draft.refuse(Why.NOT_NOW, "a table closes between rounds, when no wager runs")
    check_decided(draft)
    if draft.table.draw is not None and not draft.table.draw.voided:
        void(draft)
    take_out(draft, "the table closes")
    redeemed = redeem_at_close(draft)
    draft.emit(e.TableClosed(), *redeemed)


def start_shift(draft: Draft, command: c.StartShift) -> None:
    if not command.shift.strip() or command.shift == draft.table.shift:
        draft.refuse(Why.CONFIGURATION, "a new shift needs a name of its own")
    draft.emit(e.ShiftStarted(command.shift, draft.context.at))


def start_day(draft: Draft, command: c.StartDay) -> None:
    if not idle(draft.table):
        draft.refuse(Why.NOT_NOW, "a gaming day begins between rounds")
    draft.emit(e.DayStarted(command.day))
