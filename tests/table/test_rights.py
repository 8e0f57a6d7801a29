"""Rights at a table, refusal by refusal: strangers, automatic tables, ranks, second persons and witnesses."""

from __future__ import annotations

from copy import deepcopy

import pytest

from pitbook.rulebooks.catalogue import packaged_raw
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide import Context, Decision, decide
from pitbook.table.refusals import Reason, Refusal
from pitbook.testing import person
from tests.table.automatic import commit, open_automatic
from tests.table.craps import BASE, craps_table, placed
from tests.table.driving import DrivenTable
from tests.table.sic_bo import (
    ANN,
    DEALER,
    FLOOR,
    MASSACHUSETTS,
    SINGAPORE,
    SUPERVISOR,
    SicBoTable,
    bets_of,
    packaged,
    ready,
    step_of,
)


@pytest.mark.parametrize("who", ["kim the auditor", "coco the cook"])
@pytest.mark.parametrize("command", [c.Fill(10, person(SUPERVISOR)), c.TakeOver(), c.BuyIn(10), c.TakeStep("close")])
def test_auditors_and_strangers_act_at_no_table(who: str, command: c.Command) -> None:
    refused = packaged(MASSACHUSETTS).refused(who, command, Reason.WRONG_ROLE)
    assert f"The {person(who).role} doesn't act at tables." == refused.says


def test_staff_place_no_bets_at_automatic_tables_and_take_cash_only_for_real_money() -> None:
    play = open_automatic(SINGAPORE)
    real = open_automatic(SINGAPORE, real_money=True, approval="EGM 7")
    for table in (play, real):
        commit(table)
        refused = table.refused("pia the pit-supervisor", bets_of("small=5", player="ann"), Reason.AUTOMATIC)
        assert "At an automatic table, players bet for themselves on their own devices." in refused.says
    for command in (c.BuyIn(10_00, "ann"), c.CashOut(10_00, "ann")):
        play.refused("pia the pit-supervisor", command, Reason.AUTOMATIC)
        real.does("pia the pit-supervisor", command)
    play.does(ANN, c.CashOut(10_00))
    play.does(ANN, c.BuyIn(10_00))


def test_the_reading_on_ranks_is_named_to_those_above_the_position_only() -> None:
    raw = deepcopy(packaged_raw(MASSACHUSETTS))
    raw["role"]["croupier"] = deepcopy(raw["role"]["dealer"])
    table = ready(raw)
    above = table.refused(FLOOR, step_of("close"), Reason.WRONG_ROLE)
    assert (above.clauses, above.reading) == (("5(c)",), "ranks")
    for other in (ANN, "cora the croupier"):
        refused = table.refused(other, step_of("close"), Reason.WRONG_ROLE)
        assert (refused.clauses, refused.reading) == (("5(c)",), None)
    assert table.refused(DEALER, c.Inspect("device-before-opening"), Reason.WRONG_ROLE).reading is None


def test_a_stale_command_says_what_it_was_meant_for_and_where_the_table_is() -> None:
    table = packaged(MASSACHUSETTS)
    table.finish()
    now = (table.table.round.number, table.table.step)
    assert now[0] == 2 != now[1]
    stale = table.ask(DEALER, step_of("close"), expected=(1, 33))
    assert isinstance(stale, Refusal)
    assert stale.why is Reason.STALE_STEP
    assert f"this was for round 1, step 33, and it is at round 2, step {now[1]}" in stale.says
    assert isinstance(table.ask(DEALER, step_of("close"), expected=now), Decision)


def test_the_summary_of_a_command_to_a_table_without_a_book_has_no_currency() -> None:
    refused = DrivenTable().refused(ANN, c.BuyIn(10_00), Reason.TABLE_NOT_OPEN)
    assert refused.asked is not None
    assert refused.asked.text() == "exchange ¤10 for chips"


def test_a_tip_is_placed_by_those_whom_its_own_clause_names() -> None:
    raw = deepcopy(packaged_raw("dice-ology"))
    (tip,) = (step for step in raw["procedure"]["round"] if step["id"] == "place-tip")
    tip["who"] = ["player"]
    table = craps_table(raw)
    assert table.refused(BASE, placed("little-ones=1", "tip in the area", "ann"), Reason.WRONG_ROLE).clauses
    table.does(BASE, placed("little-ones=1", "cash", "ann"))
    table.does("ann the player", placed("little-ones=1", "tip in the area"))


def test_a_payment_is_directed_by_another_member_of_the_staff() -> None:
    table = packaged(MASSACHUSETTS)
    table.bet(ANN, "small=10")
    table.go("collect")
    pay = c.TakeStep("pay", directed_by=person(ANN))
    assert "The player can't be the second person." in table.refused(DEALER, pay, Reason.WRONG_ROLE).says
    table.refused(DEALER, c.TakeStep("pay", directed_by=person(DEALER)), Reason.OWN_ACT)
    table.does(DEALER, c.TakeStep("pay", directed_by=person(FLOOR)))


def call(table: SicBoTable, who: str, *confirmed: str) -> Decision | Refusal:
    """The device fails before the casino supervisor, and these persons have confirmed to be there."""
    present = () if who == SUPERVISOR else (person(SUPERVISOR),)
    context = Context(person(who), table.now.isoformat(), table.balances, confirmed=frozenset(confirmed))
    return decide(table.table, c.Call("device-malfunction", present=present), context)


def witnesses(called: Decision | Refusal) -> tuple[str, ...]:
    assert isinstance(called, Decision), called
    (event,) = (one for one in called.events if isinstance(one, e.IrregularityCalled))
    return event.witnessed


def test_where_the_house_wants_it_a_witness_confirms_and_the_caller_need_not() -> None:
    table = packaged(MASSACHUSETTS, witness="confirmed")
    table.bet(ANN, "small=10")
    for confirmed in ((), ("dan",), ("fay",)):
        refused = call(table, DEALER, *confirmed)
        assert isinstance(refused, Refusal)
        assert refused.why is Reason.PRESENCE
        assert "cas must confirm as the witness, with a PIN or on their own device." in refused.says
    assert witnesses(call(table, DEALER, "cas")) == ("cas",)
    assert witnesses(call(table, SUPERVISOR)) == (), "the caller is present"


def test_where_naming_a_witness_is_enough_nobody_is_on_record_as_having_confirmed() -> None:
    table = packaged(MASSACHUSETTS)
    table.bet(ANN, "small=10")
    assert witnesses(call(table, DEALER, "cas")) == ()
