"""Every reason for a refusal under every book, and what it rests on: clauses, a reading, or house policy.

The expectations are written by hand from the texts: for each clause, words of its sentence in the register that speak
of what is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from pitbook.messages import Message
from pitbook.rulebooks.catalogue import PACKAGED, load, packaged_raw
from pitbook.table import commands as c
from pitbook.table.decide import Context, decide
from pitbook.table.decide.draft import Allowance
from pitbook.table.people import Person
from pitbook.table.refusals import FACTS, Reason, Refusal
from pitbook.testing import person
from pitbook.tumbler.mapping import MAPPING
from tests.table import automatic
from tests.table.automatic import TUMBLER, open_automatic
from tests.table.craps import BASE, BOX, DIRECTS, STICK, CrapsTable, craps_table, faces, placed
from tests.table.craps import FLOOR as CRAPS_FLOOR
from tests.table.driving import DrivenTable
from tests.table.sic_bo import (
    ANN,
    BOSS,
    DEALER,
    FLOOR,
    JUNIOR,
    MARYLAND,
    MASSACHUSETTS,
    RELIEF,
    SENIOR,
    SINGAPORE,
    SicBoTable,
    bare,
    bets_of,
    packaged,
    step_of,
)

MA, MD, SG, DW, DO = MASSACHUSETTS, MARYLAND, SINGAPORE, "dice-works", "dice-ology"
SIC_BO, CRAPS = (MA, MD, SG), (DW, DO)
STAFF = {MA: FLOOR, MD: FLOOR, SG: JUNIOR[SG], DW: BOX, DO: BOX}
"""Someone above the dealers."""
DEALERS = {MA: DEALER, MD: DEALER, SG: DEALER, DW: BASE, DO: BASE}
WAGER = {MA: "small", MD: "small", SG: "small", DW: "all-lows", DO: "little-ones"}


@dataclass(frozen=True)
class Grounds:
    """What a refusal rests on: clauses, each with words of its sentence in the register, or a reading, or neither."""

    clauses: dict[str, str]
    reading: str | None = None


POLICY = Grounds({})


def by(clauses: dict[str, str], reading: str | None = None) -> Grounds:
    return Grounds(clauses, reading)


Scene = Callable[[str], Refusal]


@dataclass(frozen=True)
class Case:
    """A refusal under one book."""

    book: str
    why: Reason
    name: str
    scene: Scene
    grounds: Grounds


CASES: list[Case] = []


def refused_by(why: Reason, grounds: dict[str, Grounds]) -> Callable[[Scene], Scene]:
    """Register a scene that ends with a refusal, with its grounds by book."""

    def register(scene: Scene) -> Scene:
        CASES.extend(Case(book, why, scene.__name__, scene, one) for book, one in grounds.items())
        return scene

    return register


def everywhere(grounds: Grounds, books: tuple[str, ...] = PACKAGED) -> dict[str, Grounds]:
    return dict.fromkeys(books, grounds)


def table_of(book: str, **changes: Any) -> SicBoTable | CrapsTable:
    """A table at which all is in order, with ann and ben seated; betting is open."""
    return craps_table(book, **changes) if book in CRAPS else layout_of(book, **changes)


def layout_of(book: str, **changes: Any) -> SicBoTable:
    """Like `table_of`, for Sic Bo."""
    table = packaged(book, **changes)
    if book == SG:
        table.take("open")
    return table


def bet(table: SicBoTable | CrapsTable, *bets: str) -> c.Command:
    """Bets by ann or by a dealer for her, such as "small=10"."""
    return placed(" ".join(bets), player="ann") if isinstance(table, CrapsTable) else bets_of(*bets, player="ann")


def ask(table: DrivenTable, who: str, command: c.Command, **changes: object) -> Refusal:
    outcome = table.ask(who, command, **changes)  # type: ignore[arg-type]
    assert isinstance(outcome, Refusal), f"{who} {command} was not refused"
    return outcome


def wagers(table: SicBoTable | CrapsTable, book: str, *bets: str) -> Refusal:
    return ask(table, DEALERS[book], bet(table, *bets))


# ---------------------------------------------------------------- what is known, and who asks


@refused_by(Reason.UNKNOWN_COMMAND, everywhere(POLICY))
def a_command_that_no_table_knows(book: str) -> Refusal:
    class Nonsense(c.Command, frozen=True):
        """Not a command of a table."""

    return ask(table_of(book), BOSS, Nonsense())


@refused_by(Reason.TABLE_NOT_OPEN, everywhere(POLICY))
def a_table_that_is_not_open(book: str) -> Refusal:
    return ask(DrivenTable(), DEALERS[book], c.TakeOver())


@refused_by(Reason.TABLE_OPEN_ALREADY, everywhere(POLICY))
def a_table_that_is_open_already(book: str) -> Refusal:
    table = table_of(book)
    return ask(table, BOSS, c.OpenTable(table.setup()))


@refused_by(
    Reason.WRONG_ROLE,
    {
        MA: by({"5(c)": "No more bets"}),
        MD: by({"5.C": "no more bets"}),
        SG: by({"3.2": "betting closes", "3.9": "No more bets"}),
        DW: by({"high-roller/lammers": "the dealer marks", "roll-the-line/lammers": "the dealer marks"}),
        DO: by({"(7)": "is marked"}),
    },
)
def a_player_takes_a_dealers_step(book: str) -> Refusal:
    return ask(table_of(book), ANN, c.TakeStep("mark" if book in CRAPS else "close"))


@refused_by(
    Reason.WRONG_ROLE,
    {
        MA: by({"5(c)": "No more bets"}, "ranks"),
        MD: by({"5.C": "no more bets"}, "ranks"),
        DW: by({"high-roller/lammers": "the dealer marks", "roll-the-line/lammers": "the dealer marks"}),
        DO: by({"(7)": "is marked"}),
    },
)
def a_senior_takes_a_dealers_step(book: str) -> Refusal:
    return ask(
        table_of(book), CRAPS_FLOOR if book in CRAPS else SENIOR[book], step_of("mark" if book in CRAPS else "close")
    )


@refused_by(
    Reason.WRONG_ROLE,
    {
        MA: by({"3(b)": "the player answers"}, "ranks"),
        MD: by({"4.A.1": "helped by the dealer", "4.A.2": "instructions to the dealer"}, "ranks"),
        DW: POLICY,
        DO: by({"(5)": "base or stick dealer"}),
    },
)
def a_floorperson_bets_for_a_player(book: str) -> Refusal:
    table = table_of(book)
    return ask(table, CRAPS_FLOOR if book in CRAPS else FLOOR, bet(table, f"{WAGER[book]}=5"))


@refused_by(Reason.WRONG_ROLE, everywhere(POLICY))
def a_dealer_fills_the_float(book: str) -> Refusal:
    return ask(table_of(book), DEALERS[book], c.Fill(100, person(STAFF[book])))


@refused_by(
    Reason.WRONG_ROLE, everywhere(POLICY, CRAPS) | {MA: by({"6(a)": "No Roll"}), MD: by({"7.A": "no roll"}), SG: POLICY}
)
def a_player_calls_an_irregularity(book: str) -> Refusal:
    called = {MA: "no-roll", MD: "no-roll", SG: "damaged-dice"}.get(book, "power-failure")
    return ask(table_of(book), ANN, c.Call(called))


@refused_by(Reason.OWN_ACT, everywhere(POLICY))
def approved_by_oneself(book: str) -> Refusal:
    return ask(table_of(book), STAFF[book], c.Fill(100, person(STAFF[book])))


@refused_by(
    Reason.OWN_ACT,
    {
        DO: by(
            {"(8)": "paid by the base dealer", "(9)(a)": "paid by the base dealer", "(9)(b)": "paid by the base dealer"}
        )
    },
)
def paid_and_directed_by_one_person(book: str) -> Refusal:
    table = _little_ones_won(book)
    return ask(table, "sam the base-dealer", c.TakeStep("pay", directed_by=DIRECTS))


def _little_ones_won(book: str) -> CrapsTable:
    table = craps_table(book)
    table.bet("ann", "little-ones=5")
    table.rolls("2 3 4 5")
    table.roll(6)
    table.finish(1)
    return table


@refused_by(Reason.STALE_STEP, everywhere(POLICY))
def meant_for_another_step(book: str) -> Refusal:
    return ask(table_of(book), STAFF[book], c.Fill(100, person(BOSS)), expected=(99, 99))


# ---------------------------------------------------------------- when


@refused_by(Reason.SUSPENDED, {SG: by({"5.13.1": "withdraw all"})} | everywhere(by({}, "power-failure-craps"), CRAPS))
def a_bet_while_the_power_has_failed(book: str) -> Refusal:
    table = table_of(book)
    table.does(DEALERS[book], c.Call("power-failure-before" if book == SG else "power-failure"))
    return wagers(table, book, f"{WAGER[book]}=5")


@refused_by(Reason.SUSPENDED, {SG: by({"5.13.1": "withdraw all"})} | everywhere(by({}, "power-failure-craps"), CRAPS))
def a_step_while_the_power_has_failed(book: str) -> Refusal:
    table = table_of(book)
    table.does(DEALERS[book], c.Call("power-failure-before" if book == SG else "power-failure"))
    return ask(
        table, STICK if book in CRAPS else DEALER, c.TakeStep("roll", (1, 2)) if book in CRAPS else step_of("tumble")
    )


@refused_by(Reason.SUSPENDED, {MA: by({"6(b)": "cease"}), MD: by({"7.B": "settle", "7.C": "no play"})})
def a_bet_after_the_device_has_failed(book: str) -> Refusal:
    table = packaged(book)
    table.go("enter-dice")
    present = (Person("cas", "casino-supervisor"),) if book == MA else (Person("fay", "floorperson"),)
    table.does(DEALER, c.Call("device-malfunction", present=present))
    table.finish()
    return wagers(table, book, "small=5")


@refused_by(Reason.NOT_NOW, everywhere(POLICY))
def a_table_is_closed_while_a_wager_lies(book: str) -> Refusal:
    table = table_of(book)
    table.does(DEALERS[book], bet(table, f"{WAGER[book]}=5"))
    return ask(table, BOSS, c.CloseTable())


@refused_by(Reason.NOT_NOW, {SG: by({"5.13.2": "play goes on"})})
def a_withdrawal_after_the_outcome(book: str) -> Refusal:
    table = packaged(book)
    table.bet(ANN, "small=5")
    table.go("enter-dice")
    table.does(DEALER, c.Call("power-failure-after"))
    return ask(table, ANN, c.Withdraw())


@refused_by(Reason.NOT_NOW, {MA: POLICY, MD: POLICY, SG: by({"5.7": "withdrawn late"}), DW: POLICY, DO: POLICY})
def a_withdrawal_although_the_power_has_not_failed(book: str) -> Refusal:
    table = table_of(book)
    if isinstance(table, SicBoTable):
        table.bet(ANN, "small=5")
        table.go("close")
    return ask(table, ANN, c.Withdraw())


@refused_by(Reason.NOT_NOW, {MA: by({"6(a)": "No Roll"}), MD: by({"7.A": "no roll"}), SG: by({"5.3": "not flat"})})
def dice_that_are_not_flat_before_the_throw(book: str) -> Refusal:
    return ask(table_of(book), DEALER, c.Call("not-flat" if book == SG else "no-roll"))


@refused_by(Reason.NOT_NOW, everywhere(by({}, "power-failure-us"), (MA, MD)))
def a_power_failure_after_the_throw(book: str) -> Refusal:
    table = packaged(book)
    table.go("enter-dice")
    return ask(table, DEALER, c.Call("power-failure"))


@refused_by(Reason.NOT_NOW, everywhere(by({}, "pass-the-dice"), CRAPS))
def the_dice_are_passed_on_a_point(book: str) -> Refusal:
    table = craps_table(book)
    table.rolls("4")
    return ask(table, ANN, c.PassDice())


@refused_by(Reason.NOT_NOW, everywhere(by({}, "pass-the-dice"), CRAPS))
def a_second_shooter(book: str) -> Refusal:
    return ask(craps_table(book), STICK, c.NewShooter("ben"))


@refused_by(
    Reason.NOT_DUE,
    {
        MA: by({"5(c)": "No more bets"}),
        MD: by({"5.B": "shake", "5.B.1": "shaken"}),
        SG: by({"3.8": "tumbler"}),
        DW: by(
            {
                "dice-works/lammers": "has been rolled",
                "high-roller/lammers": "each point made",
                "roll-the-line/lammers": "each win",
                "parlay/lammers": "has come",
                "parlay-envy/lammers": "has come",
            }
        ),
        DO: by({"(7)": "is marked"}),
    },
)
def a_step_out_of_turn(book: str) -> Refusal:
    name = {MA: "shake-manual", MD: "close", SG: "close"}.get(book, "mark")
    return ask(table_of(book), DEALERS[book], c.TakeStep(name, shakes=3))


@refused_by(
    Reason.BETTING_CLOSED,
    {
        MA: by({"5(c)": "No more bets"}),
        MD: by({"5.C": "no more bets"}),
        SG: by({"3.2": "betting closes", "3.9": "No more bets", "5.6": "late wagers"}),
        DW: POLICY,
        DO: POLICY,
    },
)
def a_bet_after_the_close(book: str) -> Refusal:
    table = table_of(book)
    if isinstance(table, CrapsTable):
        table.bet("ann", f"{WAGER[book]}=5")
        table.roll(4)
    else:
        table.go("close")
    return wagers(table, book, f"{WAGER[book]}=5")


@refused_by(Reason.BETTING_CLOSED, {SG: by({"3.1": "play commences"})})
def a_bet_before_betting_opens(book: str) -> Refusal:
    return wagers(packaged(book), book, "small=5")


@refused_by(
    Reason.BETTING_CLOSED,
    {MA: POLICY, MD: POLICY, SG: by({"5.7": "withdrawn late"})} | everywhere(by({}, "running-bets"), CRAPS),
)
def a_wager_taken_down_after_the_close(book: str) -> Refusal:
    table = table_of(book)
    table.does(DEALERS[book], bet(table, f"{WAGER[book]}=5"))
    if isinstance(table, CrapsTable):
        table.roll(4)
    else:
        table.go("close")
    return ask(table, ANN, c.TakeDown(WAGER[book]))


@refused_by(
    Reason.WINDOW_CLOSED, {DW: by({"dice-works/window": "outside the come-out roll"}), DO: by({"(4)": "come-out roll"})}
)
def a_wager_outside_the_come_out_roll(book: str) -> Refusal:
    table = craps_table(book)
    table.rolls("8")
    return wagers(table, book, f"{WAGER[book]}=5")


@refused_by(Reason.WINDOW_CLOSED, {DW: by({}, "count-window")})
def high_roller_outside_the_come_out_roll(book: str) -> Refusal:
    table = craps_table(book)
    table.rolls("8")
    return wagers(table, book, "high-roller=5")


@refused_by(
    Reason.WINDOW_CLOSED, {DW: by({"dice-works/window": "none of the numbers"}), DO: by({}, "dice-ology-window")}
)
def a_wager_whose_numbers_are_marked(book: str) -> Refusal:
    table = craps_table(book)
    table.rolls("2")
    return wagers(table, book, f"{WAGER[book]}=5")


@refused_by(Reason.WINDOW_CLOSED, {DW: by({"parlay/any-time": "not come yet", "parlay/window": "not come"})})
def a_parlay_number_that_has_come(book: str) -> Refusal:
    table = craps_table(book)
    table.rolls("4")
    return wagers(table, book, "parlay/4x4=5")


@refused_by(Reason.WINDOW_CLOSED, {DW: by({}, "marks"), DO: by({"(8)": "re-bet or wait"})})
def a_wager_that_waits_for_a_seven(book: str) -> Refusal:
    table = craps_table(book, options={"rebet": "off"} if book == DO else {})
    table.bet("ann", f"{WAGER[book]}=5")
    table.rolls("2 3 4 5 6 4")
    return wagers(table, book, f"{WAGER[book]}=5")


@refused_by(Reason.RUNNING, everywhere(by({}, "running-bets"), CRAPS))
def a_running_bet_taken_down(book: str) -> Refusal:
    table = craps_table(book)
    table.bet("ann", f"{WAGER[book]}=5")
    table.rolls("8")
    return ask(table, BASE, c.TakeDown(WAGER[book], player="ann"))


# ---------------------------------------------------------------- which wager, and how much


@refused_by(
    Reason.UNKNOWN_WAGER,
    {
        MA: by({"2(a)": "permissible wagers"}),
        MD: by({"3.A": "wagers that a player may place"}),
        SG: by({"4.1": "no others"}),
        DW: by({"general/names": "five groups"}),
        DO: by({"(2)": "three separate optional wagers"}),
    },
)
def an_area_that_the_text_does_not_list(book: str) -> Refusal:
    return wagers(table_of(book), book, "no-such-area=5")


@pytest.mark.parametrize("dice", ["112", "665"])
def test_sg_4_1_5_112_and_665_are_not_offered(dice: str) -> None:
    table = table_of(SG)
    refusal = wagers(table, SG, f"double-and-single/{dice}=5")
    assert refusal.why is Reason.UNKNOWN_WAGER
    assert refusal.clauses == ("4.1.5",)
    assert "28 combinations" in table.table.rules.clauses["4.1.5"].says


@refused_by(Reason.UNKNOWN_WAGER, {SG: by({"4.1.7": "four sets"}), DW: by({"parlay/wagers": "ten separate wagers"})})
def a_selection_that_the_text_does_not_list(book: str) -> Refusal:
    return wagers(table_of(book), book, "three-from-four/1256=5" if book == SG else "parlay/7x7=5")


@refused_by(Reason.UNKNOWN_WAGER, {DW: by({"general/groups": "any combination of the groups"})})
def a_group_that_is_not_offered(book: str) -> Refusal:
    return wagers(craps_table(book, options={"groups": "parlay"}), book, "all-lows=5")


@refused_by(Reason.BAD_AMOUNT, everywhere(POLICY))
def a_stake_of_nothing(book: str) -> Refusal:
    return wagers(table_of(book), book, f"{WAGER[book]}=0")


@refused_by(
    Reason.UNDER_MINIMUM,
    {
        MA: POLICY,
        MD: POLICY,
        SG: by({}, "found-on-layout"),
        DW: POLICY,
        DO: by({"(2)": "in the amount that the licensee specifies"}),
    },
)
def under_the_tables_minimum(book: str) -> Refusal:
    return wagers(table_of(book, limits={"*": c.Limit(3_00, 9_00)}), book, f"{WAGER[book]}=2")


@refused_by(
    Reason.OVER_MAXIMUM,
    {
        MA: POLICY,
        MD: POLICY,
        SG: by({}, "found-on-layout"),
        DW: POLICY,
        DO: by({"(2)": "in the amount that the licensee specifies"}),
    },
)
def over_the_tables_maximum(book: str) -> Refusal:
    return wagers(table_of(book, limits={"*": c.Limit(3_00, 9_00)}), book, f"{WAGER[book]}=10")


@refused_by(Reason.OVER_MAXIMUM, {DO: by({"(3)": "from $1 to $10"})})
def over_the_texts_maximum(book: str) -> Refusal:
    return wagers(table_of(book), book, "little-ones=11")


@refused_by(Reason.UNDER_MINIMUM, {DO: by({"(3)": "from $1 to $10"})})
def under_the_texts_minimum(book: str) -> Refusal:
    return wagers(table_of(book), book, "little-ones=0.5")


@refused_by(Reason.PAYOUT_LIMIT, everywhere(POLICY))
def more_than_the_table_pays(book: str) -> Refusal:
    return wagers(table_of(book, payout_max=1_00), book, f"{WAGER[book]}=5")


@refused_by(Reason.NO_FUNDS, everywhere(POLICY))
def more_than_the_player_holds(book: str) -> Refusal:
    table = table_of(book)
    table.does(ANN, c.CashOut(999_00))
    return wagers(table, book, f"{WAGER[book]}=5")


@refused_by(Reason.NO_SUCH_BET, everywhere(POLICY))
def a_bet_that_nobody_made(book: str) -> Refusal:
    return ask(table_of(book), DEALERS[book], c.TakeDown(WAGER[book], player="ann"))


@refused_by(Reason.NO_SUCH_BET, {DO: by({"(6)": "piggy-backed"})})
def a_tip_on_top_of_nothing(book: str) -> Refusal:
    return ask(craps_table(book), BASE, placed("little-ones=5", "tip on top", "ann"))


@refused_by(
    Reason.CASH_BET,
    {
        MA: by({"3(a)": "no verbal wagers with cash"}),
        MD: by({"4.A": "no verbal wagers with cash"}),
        SG: by({"3.3": "wagers are cash chips, colour chips"}),
        DW: POLICY,
        DO: POLICY,
    },
)
def cash_by_word_of_mouth(book: str) -> Refusal:
    return ask(table_of(book), ANN, c.PlaceBets((c.BetRequest(WAGER[book], 5_00),), verbal_cash=True))


@refused_by(Reason.COLOUR_CHIPS, everywhere(POLICY, (MA, MD, DW, DO)) | {SG: by({"1.1.1": "a marker shows it"})})
def colour_chips_without_a_marker(book: str) -> Refusal:
    return ask(table_of(book), DEALERS[book], c.BuyIn(100_00, "ann", colour_value=10_00))


@refused_by(Reason.UNCONFIRMED, {DO: by({"(5)": "confirmed aloud"})})
def a_roll_before_the_bet_is_confirmed(book: str) -> Refusal:
    table = craps_table(book)
    table.does(ANN, placed("little-ones=5"))
    return ask(table, STICK, c.TakeStep("roll", faces(4)))


# ---------------------------------------------------------------- dice and equipment


@refused_by(
    Reason.BAD_DICE,
    {MA: by({"1": "three dice"}), MD: by({"2.A": "three dice"}), SG: by({"2.2": "three dice"}), DW: POLICY, DO: POLICY},
)
def another_number_of_dice(book: str) -> Refusal:
    return _entered(book, (1, 2, 3, 4))


@refused_by(Reason.BAD_DICE, everywhere(POLICY) | {SG: by({"2.2": "numbered from one to six"})})
def a_number_on_no_die(book: str) -> Refusal:
    return _entered(book, (1, 7) if book in CRAPS else (1, 2, 7))


def _entered(book: str, dice: tuple[int, ...]) -> Refusal:
    table = table_of(book)
    if isinstance(table, CrapsTable):
        return ask(table, STICK, c.TakeStep("roll", dice))
    table.go("check-flat" if book == SG else "uncover")
    return ask(table, DEALER, c.TakeStep("announce-outcome" if book == SG else "announce-dice", dice))


@refused_by(Reason.BAD_DICE, {SG: by({"5.3": "not flat"})})
def a_die_that_is_not_flat(book: str) -> Refusal:
    table = layout_of(book)
    table.go("uncover")
    return ask(table, DEALER, c.TakeStep("check-flat", flat=False))


@refused_by(
    Reason.DICE_DIFFER,
    {
        MA: by({"5(e)": "announce, enter"}),
        MD: by({"5.D": "announce, enter"}),
        SG: by({"3.6": "uppermost sides", "5.9": "the combination entered"}),
    },
)
def other_dice_than_were_announced(book: str) -> Refusal:
    table = layout_of(book)
    table.go("announce-outcome" if book == SG else "announce-dice", (1, 2, 3))
    return ask(table, DEALER, c.TakeStep("enter-dice", (1, 2, 4)))


@refused_by(
    Reason.TOO_FEW_SHAKES,
    {
        MA: by({"5(d)": "shake", "5(d)(1)": "at least three times"}),
        MD: by({"5.B": "shake", "5.B.1": "at least three times"}),
        SG: by({"3.8": "at least three tumbles"}),
    },
)
def no_shake_at_all(book: str) -> Refusal:
    table = layout_of(book)
    if book == MA:
        table.go("close")
    return ask(table, DEALER, c.TakeStep("tumble" if book == SG else "shake-manual", shakes=0))


@refused_by(Reason.TOO_FEW_SHAKES, {SG: by({"5.1": "fewer than three tumbles"})})
def the_round_goes_on_after_two_tumbles(book: str) -> Refusal:
    table = table_of(book)
    table.does(DEALER, c.TakeStep("tumble", shakes=2))
    return ask(table, DEALER, c.TakeStep("close"))


@refused_by(Reason.DICE_EXPIRED, {MA: by({"1": "24 hours"}), MD: by({"2.B": "24 hours"})})
def dice_that_are_too_old(book: str) -> Refusal:
    table = packaged(book)
    table.later(hours=25)
    return wagers(table, book, "small=5")


@refused_by(
    Reason.DICE_MISSING,
    {MA: by({"1": "three dice sealed"}), MD: by({"2.A": "kept inside the shaker"}), SG: by({"2.2": "three dice"})},
)
def no_dice_in_the_shaker(book: str) -> Refusal:
    table = SicBoTable(raw=packaged_raw(book), shaker="automated" if book == SG else "manual")
    table.does(BOSS, c.OpenTable(table.setup()))
    if book == SG:
        table.does(DEALER, c.TakeOver())
        return ask(table, DEALER, c.TakeStep("open"))
    return wagers(table, book, "small=5")


@refused_by(
    Reason.DICE_MISSING, {MA: by({"1": "sealed in a shaker"}), MD: by({"2.A": "kept inside the shaker"}), SG: POLICY}
)
def dice_that_are_not_sealed(book: str) -> Refusal:
    return ask(packaged(book), STAFF[book], c.PutDice("set 2", sealed=False))


@refused_by(
    Reason.DICE_MISSING, {MA: by({"1": "three dice"}), MD: by({"2.A": "three dice"}), SG: by({"2.2": "three dice"})}
)
def a_set_of_four_dice(book: str) -> Refusal:
    return ask(packaged(book), STAFF[book], c.PutDice("set 2", count=4))


@refused_by(Reason.DICE_MISSING, everywhere(POLICY, SIC_BO))
def a_set_without_a_name(book: str) -> Refusal:
    return ask(packaged(book), STAFF[book], c.PutDice(" "))


@refused_by(Reason.DICE_REGISTER, everywhere(POLICY))
def a_set_that_is_in_use_already(book: str) -> Refusal:
    table = craps_table(book) if book in CRAPS else packaged(book)
    if book in CRAPS:
        table.does(STAFF[book], c.PutDice("set 1"))
    return ask(table, STAFF[book], c.PutDice("set 1"))


@refused_by(Reason.SHAKER, {MA: by({"6(d)": "removed before"}), MD: by({"7.E": "before a manual shaker"})})
def a_manual_shaker_beside_the_automated_one(book: str) -> Refusal:
    return ask(packaged(book, "automated"), DEALER, c.UseShaker("manual"))


@refused_by(Reason.SHAKER, {SG: POLICY})
def a_shaker_that_the_book_does_not_have(book: str) -> Refusal:
    return ask(packaged(book), DEALER, c.UseShaker("manual"))


@refused_by(
    Reason.PRESENCE, {MA: by({"6(b)": "before the supervisor"}), MD: by({"7.B": "floorperson", "7.C": "no play"})}
)
def a_failed_device_with_nobody_present(book: str) -> Refusal:
    table = packaged(book)
    table.go("enter-dice")
    return ask(table, DEALER, c.Call("device-malfunction"))


@refused_by(
    Reason.PRESENCE,
    {
        DO: by(
            {"(8)": "paid by the base dealer", "(9)(a)": "paid by the base dealer", "(9)(b)": "paid by the base dealer"}
        )
    },
)
def paid_without_direction(book: str) -> Refusal:
    return ask(_little_ones_won(book), BASE, c.TakeStep("pay"))


@refused_by(Reason.PRESENCE, {DW: POLICY})
def envy_paid_without_confirmation(book: str) -> Refusal:
    table = craps_table(book)
    table.bet("ann", "parlay-envy/2x2=5")
    table.rolls("2")
    table.roll(2)
    table.finish(1)
    return ask(table, BASE, c.TakeStep("pay"))


@refused_by(
    Reason.NOT_INSPECTED,
    {
        MA: by({"5(a)(1)": "enter three values"}),
        MD: by({"5.A": "inspect", "5.A.1": "enter three values"}),
        DO: by({"(1)": "its layout"}),
    },
)
def a_bet_before_the_equipment_was_inspected(book: str) -> Refusal:
    if book in SIC_BO:
        return wagers(bare(packaged_raw(book)), book, "small=5")
    table = CrapsTable(raw=packaged_raw(book))
    table.does(BOSS, c.OpenTable(table.setup()))
    table.seat("ann")
    return wagers(table, book, f"{WAGER[book]}=5")


@refused_by(
    Reason.INSPECTION_FAILED,
    {MA: by({"1": "a shaker"}), MD: by({"1.D": "shaker", "1.D.1": "shaker"}), DO: by({"(1)": "its layout"})},
)
def too_few_points_checked(book: str) -> Refusal:
    return ask(table_of(book), STAFF[book], c.CheckEquipment("layout" if book == DO else "manual-shaker", (True,)))


@refused_by(
    Reason.UNATTENDED,
    {MA: by({"1": "the dealer answers for"}), MD: by({"1.E": "does not leave it alone"})},
)
def a_manual_shaker_left_alone(book: str) -> Refusal:
    return ask(table_of(book), DEALER, c.LeaveTable())


@refused_by(
    Reason.UNATTENDED,
    {MA: by({"1": "the dealer answers for"}), MD: by({"1.E": "the dealer answers for"}), SG: POLICY},
)
def a_step_by_a_dealer_who_has_not_taken_over(book: str) -> Refusal:
    table = packaged(book)
    return ask(table, RELIEF, step_of(table.order[0]))


@refused_by(Reason.UNATTENDED, {MD: by({}, "answerable-dealer"), SG: POLICY, DW: POLICY, DO: POLICY})
def leaving_in_the_middle_of_a_round(book: str) -> Refusal:
    table = packaged(book, "automated") if book == MD else table_of(book)
    if book in CRAPS:
        table.does(DEALERS[book], c.TakeOver())
    table.does(ANN, bet(table, f"{WAGER[book]}=5") if book in CRAPS else bets_of("small=5"))
    return ask(table, DEALERS[book], c.LeaveTable())


# ---------------------------------------------------------------- set-up, and what does not exist


@refused_by(Reason.CONFIGURATION, everywhere(POLICY))
def a_set_up_without_a_facility(book: str) -> Refusal:
    table = table_of(book)
    return ask(DrivenTable(), BOSS, c.OpenTable(c.Setup(book, table.setup().digest, " ", table.setup().currency)))


@refused_by(Reason.CONFIGURATION, {DW: by({"general/groups": "any combination"}), DO: POLICY})
def a_table_without_any_group(book: str) -> Refusal:
    table = CrapsTable(raw=packaged_raw(book))
    return ask(table, BOSS, c.OpenTable(table.setup(options={"groups": ""})))


@refused_by(Reason.CONFIGURATION, {DO: by({"(3)": "from $1 to $10"})})
def limits_wider_than_the_texts(book: str) -> Refusal:
    table = CrapsTable(raw=packaged_raw(book))
    return ask(table, BOSS, c.OpenTable(table.setup(limits={"*": c.Limit(1_00, 11_00)})))


@refused_by(Reason.NOT_IN_THE_BOOK, everywhere(POLICY))
def an_irregularity_that_the_book_does_not_have(book: str) -> Refusal:
    return ask(table_of(book), DEALERS[book], c.Call("no-such-irregularity"))


@refused_by(Reason.NOTHING_TO_DO, everywhere(POLICY))
def an_empty_drop_box(book: str) -> Refusal:
    table = table_of(book)
    table.does(STAFF[book], c.CollectDrop(person(BOSS)))
    return ask(table, STAFF[book], c.CollectDrop(person(BOSS)))


@refused_by(Reason.FROZEN, everywhere(POLICY, SIC_BO))
def a_disputed_round_settled_again(book: str) -> Refusal:
    table = table_of(book)
    table.does(DEALER, bet(table, "small=5"))
    table.finish()
    table.does(ANN, c.Dispute(1, "it was a 4"))
    return ask(table, DEALER, c.ProposeResettlement(1, (1, 2, 4), "misread"))


@refused_by(Reason.NO_SUCH_ROUND, everywhere(POLICY))
def a_round_that_was_not_played(book: str) -> Refusal:
    return ask(table_of(book), ANN, c.Dispute(99, "never played"))


@refused_by(Reason.NO_SUCH_PROPOSAL, everywhere(POLICY))
def a_proposal_that_nobody_made(book: str) -> Refusal:
    return ask(table_of(book), STAFF[book], c.ApproveResettlement(1))


# ---------------------------------------------------------------- automatic tables


@refused_by(Reason.AUTOMATIC, everywhere(POLICY))
def a_table_of_people_is_paused(book: str) -> Refusal:
    return ask(table_of(book), STAFF[book], c.Pause("a break"))


@refused_by(Reason.BAD_SEED, everywhere(POLICY))
def a_commitment_that_is_none(book: str) -> Refusal:
    return ask(open_automatic(book), TUMBLER, c.CommitSeed("short", "", mapping=MAPPING + 1))


@refused_by(Reason.EXCLUDED, everywhere(POLICY))
def a_player_who_is_excluded(book: str) -> Refusal:
    return _limited(book, Allowance(excluded=Message("refusals.rights.excluded-for-good", {"player": "ann"})))


@refused_by(Reason.LOSS_LIMIT, everywhere(POLICY))
def more_than_the_player_wants_to_lose(book: str) -> Refusal:
    return _limited(book, Allowance(lose_max=1_00))


@refused_by(Reason.STAKE_LIMIT, everywhere(POLICY))
def more_than_the_player_wants_to_stake(book: str) -> Refusal:
    return _limited(book, Allowance(stake_max=1_00))


@refused_by(Reason.TIME_LIMIT, everywhere(POLICY))
def longer_than_the_player_wants_to_play(book: str) -> Refusal:
    return _limited(book, Allowance(seconds_max=0))


@refused_by(Reason.NO_CONSENT, everywhere(POLICY))
def chips_for_an_account_holder_who_did_not_consent(book: str) -> Refusal:
    table = table_of(book)
    context = Context(person(STAFF[book]), table.now.isoformat(), table.balances, holder=True)
    outcome = decide(table.table, c.BuyIn(100_00, "ann"), context)
    assert isinstance(outcome, Refusal)
    return outcome


def _limited(book: str, allowance: Allowance) -> Refusal:
    table = open_automatic(book)
    automatic.commit(table)
    context = Context(person(ANN), table.now.isoformat(), table.balances, allowance=lambda: allowance)
    outcome = decide(table.table, c.PlaceBets((c.BetRequest(WAGER[book], 5_00),)), context)
    assert isinstance(outcome, Refusal)
    return outcome


# ---------------------------------------------------------------- the walk

NEVER: dict[Reason, tuple[str, ...]] = {
    Reason.WINDOW_CLOSED: SIC_BO,
    Reason.RUNNING: SIC_BO,
    Reason.UNCONFIRMED: (*SIC_BO, DW),
    Reason.DICE_DIFFER: CRAPS,
    Reason.TOO_FEW_SHAKES: CRAPS,
    Reason.DICE_EXPIRED: (SG, *CRAPS),
    Reason.DICE_MISSING: CRAPS,
    Reason.SHAKER: CRAPS,
    Reason.NOT_INSPECTED: (SG, DW),
    Reason.INSPECTION_FAILED: (SG, DW),
    Reason.PRESENCE: (SG,),
    Reason.FROZEN: CRAPS,
}
"""Reasons that cannot occur under a book: its text has no such rule, or its game no such thing."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.book}-{case.why}-{case.name}")
def test_a_refusal_rests_on_what_forbids_it(case: Case) -> None:
    refusal, rules, grounds = case.scene(case.book), load(case.book), case.grounds
    assert refusal.why is case.why, refusal
    assert sorted(refusal.clauses) == sorted(grounds.clauses), refusal
    assert refusal.reading == grounds.reading, refusal
    assert refusal.policy is (grounds == POLICY)
    for clause, words in grounds.clauses.items():
        assert words in rules.clauses[clause].says
    assert grounds.reading is None or grounds.reading in rules.readings
    assert str(refusal).endswith("(house policy)") is (refusal.policy and case.why not in FACTS)


@pytest.mark.parametrize("why", Reason)
def test_every_reason_is_walked_under_every_book(why: Reason) -> None:
    walked = {case.book for case in CASES if case.why is why}
    assert walked == set(PACKAGED) - set(NEVER.get(why, ()))
