"""Money at the edge of a settlement: one coin won or lost, a cap shared by several lines, what each transfer says."""

from __future__ import annotations

from copy import deepcopy

from msgspec.structs import replace

from pitbook.ledger.transfers import move
from pitbook.rulebooks.catalogue import packaged_raw
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.draft import Context, Draft
from pitbook.table.decide.settlement import _capped_together
from pitbook.table.refusals import Reason
from pitbook.table.state import Table
from pitbook.testing import person
from tests.table.craps import craps_table
from tests.table.sic_bo import ANN, BEN, DEALER, SINGAPORE, packaged

CAP = 340_00


def nets(table: Table, wager: str, *won: int) -> list[int]:
    """What lines of one player on one wager come to once its cap holds for them together."""
    line = e.Line(1, "ann", wager, "cash", 1, 1, "win", "", 0)
    return [one.net for one in _capped_together(table, [replace(line, net=net) for net in won])]


def test_a_cap_holds_for_the_lines_of_a_player_together_to_the_last_coin() -> None:
    table = craps_table("dice-ology", readings={"dice-ology-tips-limit": "together"}).table
    assert nets(table, "little-ones", CAP) == [CAP]
    assert nets(table, "little-ones", CAP + 1) == [CAP]
    assert nets(table, "little-ones", 1, CAP) == [1, CAP - 1]
    assert nets(table, "little-ones", CAP, 5, 7) == [CAP, 0, 0]
    assert nets(table, "little-ones", -10, CAP + 5) == [-10, CAP], "a loss makes no room"
    apart = craps_table("dice-ology").table
    assert nets(apart, "little-ones", CAP, 5) == [CAP, 5]


def test_a_wager_without_a_cap_is_paid_whole_beside_one_that_has_it() -> None:
    raw = deepcopy(packaged_raw("dice-ology"))
    raw["wager"]["little-ones"].pop("limits")
    raw["clauses"]["(3)"]["by"] = [key for key in raw["clauses"]["(3)"]["by"] if "little-ones" not in key]
    table = craps_table(raw, readings={"dice-ology-tips-limit": "together"}).table
    assert nets(table, "little-ones", CAP, CAP) == [CAP, CAP]
    assert nets(table, "big-ones", CAP, CAP) == [CAP, 0]


def test_one_coin_is_lost_and_won_like_any_stake() -> None:
    table = packaged(SINGAPORE, limits={"*": c.Limit(1, 500_00)})
    table.bet(ANN, "big=0.01")
    table.bet(BEN, "small=0.01")
    table.go("collect")
    assert [line.net for event in table.events_of(e.LosersCollected) for line in event.lines] == [-1]  # type: ignore[attr-defined]
    table.finish()
    assert (table.holds("ann"), table.holds("ben")) == (999_99, 1_000_01)
    reasons = {transfer.why for one in table.record for transfer in one.transfers}
    assert {"big lose: collected", "small win: paid"} <= reasons


def test_one_coin_found_after_the_collection_is_collected_once_and_never_paid() -> None:
    table = packaged(SINGAPORE)
    table.bet(BEN, "small=10")
    table.go("collect")
    table.does(DEALER, c.RecordFound("ann", "big", 1))
    table.finish()
    collected = [line for event in table.events_of(e.LosersCollected) for line in event.lines]  # type: ignore[attr-defined]
    paid = [line for event in table.events_of(e.WinnersPaid) for line in event.lines]  # type: ignore[attr-defined]
    assert ([line.net for line in collected], [line.net for line in paid]) == ([-1], [10_00])
    assert table.holds("ann") == 999_99


def test_a_decision_counts_what_it_has_moved_itself() -> None:
    table = packaged(SINGAPORE)
    draft = Draft(table.table, Context(person(ANN), table.now.isoformat(), table.balances))
    account = draft.player("ann")
    draft.emit(e.BoughtIn("ann", 5_00), move("chips for cash", draft.float, account, 5_00))
    assert draft.holds(account) == 1_005_00
    assert draft.holds(draft.float) == table.balances[draft.float] - 5_00


def test_every_transfer_says_what_it_is_for() -> None:
    table = packaged(SINGAPORE)
    table.bet(ANN, "small=10", "big=20")
    table.go("close")
    table.does(DEALER, c.RecordFound("ben", "small", 20_00, late=True))
    table.finish((1, 2, 3))
    reasons = {transfer.why for one in table.record for transfer in one.transfers}
    assert {"small win: paid", "small returned: given back"} <= reasons
    assert any(why.startswith("big ") and why.endswith(": collected") for why in reasons)


def test_a_bet_of_all_that_a_player_holds_can_be_moved() -> None:
    table = packaged(SINGAPORE)
    table.does(ANN, c.CashOut(900_00))
    table.bet(ANN, "small=100")
    table.does(ANN, c.MoveBet("small", "big", 100_00))
    assert (table.holds("ann"), [bet.wager for bet in table.table.bets.values()]) == (0, ["big"])


def test_a_player_who_was_never_here_holds_nothing() -> None:
    assert (
        "Not enough chips: zed has S$0."
        in packaged(SINGAPORE).refused("zed the player", c.CashOut(5_00), Reason.NO_FUNDS).says
    )
