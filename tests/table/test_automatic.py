"""Automatic tables: what the electronic tumbler does in the place of dealers and dice, under every book."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitbook.messages import Message
from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide import Context, Decision, decide
from pitbook.table.decide.draft import Allowance
from pitbook.table.decide.rights import BY_HAND
from pitbook.table.people import Person
from pitbook.table.refusals import Reason, Refusal
from pitbook.table.state import betting_open, phase
from pitbook.table.transcript import transcript
from pitbook.tumbler.mapping import throw
from tests.table.automatic import (
    ANN,
    BEN,
    BOSS,
    CLOSE,
    SEED,
    TUMBLER,
    bet,
    close,
    commit,
    open_automatic,
    reveal,
    supervisors,
)
from tests.table.driving import SHARED_BOOKS, DrivenTable, setup
from tests.table.test_role_matrix import commands_of_role

SINGAPORE = "singapore-mbs-sic-bo-v6"


def first_wager(table: DrivenTable) -> str:
    return "small" if "small" in table.table.rules.wagers else next(iter(table.table.rules.wagers))


@pytest.mark.parametrize("book", PACKAGED)
def test_a_round_runs_automatically_under_every_book(book: str) -> None:
    table = open_automatic(book)
    assert not betting_open(table.table), "no bet before there is a commitment"
    table.refused(ANN, c.PlaceBets((c.BetRequest(first_wager(table), 5_00),)), Reason.BETTING_CLOSED)
    commit(table)
    assert betting_open(table.table)
    bet(table, ANN, first_wager(table))
    close(table)
    assert phase(table.table) == "closed"
    table.refused(BEN, c.PlaceBets((c.BetRequest(first_wager(table), 5_00),)), Reason.BETTING_CLOSED)
    table.refused(ANN, c.TakeDown(first_wager(table)), Reason.BETTING_CLOSED)
    dice = reveal(table)
    right = throw(SEED, table="t1", round=1, close=CLOSE, nonces=(), dice=table.table.rules.dice)
    assert dice == right
    assert table.table.round.number == 2
    assert table.table.draw is None
    assert sorted(dice) == list(table.table.history[-1].dice)


@pytest.mark.parametrize("book", PACKAGED)
def test_many_rounds_settle_as_the_dice_say(book: str) -> None:
    table = open_automatic(book)
    for number in range(1, 41):
        seed = bytes([number]) * 32
        commit(table, seed)
        for who in (ANN, BEN):
            table.ask(who, c.PlaceBets((c.BetRequest(first_wager(table), 5_00),)))
        if not table.table.bets:
            break
        close(table)
        reveal(table, seed)
    assert table.table.round.number > 5
    if table.table.craps:
        shooters = [event.shooter for event in table.events if isinstance(event, e.ShooterNamed)]
        assert shooters[:2] == ["ann", "ben"], "the dice pass at the seven-out"


@pytest.mark.parametrize("book", PACKAGED)
def test_what_people_do_with_real_dice_is_the_tumblers_here(book: str) -> None:
    table = open_automatic(book)
    commit(table)
    for role in (*table.table.rules.roles, "manager"):
        for _, command in commands_of_role(table.table, role):
            if isinstance(command, BY_HAND):
                outcome = decide(
                    table.table, command, Context(Person("eve", role), table.now.isoformat(), table.balances)
                )
                assert isinstance(outcome, Refusal)
                assert outcome.why in (Reason.AUTOMATIC, Reason.WRONG_ROLE), (role, command, outcome)


def test_betting_closes_when_the_countdown_says_and_not_before() -> None:
    table = open_automatic(SINGAPORE)
    commit(table)
    table.refused(TUMBLER, c.CloseBetting(), Reason.NOT_NOW)
    table.refused(TUMBLER, c.StartCountdown(), Reason.NOTHING_TO_DO)
    bet(table, ANN, "small")
    table.does(TUMBLER, c.StartCountdown())
    table.later(seconds=19.9)
    table.refused(TUMBLER, c.CloseBetting(), Reason.NOT_NOW)
    bet(table, BEN, "big")
    table.later(seconds=0.1)
    table.does(TUMBLER, c.CloseBetting())


@pytest.mark.parametrize(("book", "clauses"), [(SINGAPORE, ("3.2", "3.9", "5.6")), ("dice-ology", ())])
def test_nothing_is_bet_at_or_after_the_published_close(book: str, clauses: tuple[str, ...]) -> None:
    table = open_automatic(book)
    commit(table)
    one, other = list(table.table.rules.wagers)[:2]
    bet(table, ANN, one)
    table.does(TUMBLER, c.StartCountdown())
    late = (
        c.PlaceBets((c.BetRequest(other, 5_00),)),
        c.TakeDown(one),
        c.MoveBet(one, other),
        c.GiveNonce("mine"),
    )
    table.later(seconds=20)  # to the microsecond, and the tumbler has not closed betting yet
    for _ in range(2):
        for command in late:
            refusal = table.refused(ANN, command, Reason.BETTING_CLOSED)
            assert (refusal.clauses, refusal.policy) == (clauses, not clauses)
            assert "Too late: betting has closed." in refusal.says
        table.later(seconds=22)  # as after a stop of the machine
    table.does(TUMBLER, c.CloseBetting())


def test_a_countdown_that_was_held_ends_later() -> None:
    table = open_automatic(SINGAPORE)
    commit(table)
    bet(table, ANN, "small")
    table.does(TUMBLER, c.StartCountdown())
    supervisor = supervisors(table)[0]
    table.later(seconds=15)
    table.does(supervisor, c.Pause("tea"))
    table.later(minutes=10)
    table.does(supervisor, c.Unpause())
    table.later(seconds=4.9)
    bet(table, BEN, "big")
    table.later(seconds=0.1)
    table.refused(BEN, c.TakeDown("big"), Reason.BETTING_CLOSED)


def test_only_the_seed_that_was_committed_to_is_revealed_and_only_after_the_close() -> None:
    table = open_automatic(SINGAPORE)
    commit(table)
    bet(table, ANN, "small")
    table.refused(TUMBLER, c.RevealSeed(SEED.hex()), Reason.NOT_NOW)
    close(table)
    for wrong in (bytes(32).hex(), "", "zz", SEED.hex()[:-2]):
        table.refused(TUMBLER, c.RevealSeed(wrong), Reason.BAD_SEED)
    reveal(table)


@pytest.mark.parametrize("who", [ANN, BOSS, "dan the dealer"])
def test_nobody_else_does_what_the_tumbler_does(who: str) -> None:
    table = open_automatic(SINGAPORE)
    for command in (c.CommitSeed("0" * 64, "s", 1), c.StartCountdown(), c.CloseBetting(), c.ReportTumbler("no")):
        table.refused(who, command, Reason.WRONG_ROLE)


def test_players_put_their_own_share_into_the_draw() -> None:
    table = open_automatic(SINGAPORE)
    table.refused(ANN, c.GiveNonce("luck"), Reason.BETTING_CLOSED)
    commit(table)
    step = table.table.step
    table.does(ANN, c.GiveNonce("luck"))
    table.does(ANN, c.GiveNonce("more luck"))
    table.does(BEN, c.GiveNonce("a die"))
    table.refused(BEN, c.GiveNonce("x" * 65), Reason.BAD_SEED)
    assert table.table.step == step
    bet(table, ANN, "small")
    close(table)
    table.refused(ANN, c.GiveNonce("late"), Reason.BETTING_CLOSED)
    assert reveal(table) == throw(SEED, table="t1", round=1, close=CLOSE, nonces=("a die", "more luck"), dice=3)


def test_a_supervisor_holds_the_table_and_the_countdown_takes_up_where_it_stood() -> None:
    table = open_automatic(SINGAPORE)
    boss, _ = supervisors(table)
    commit(table)
    bet(table, ANN, "small")
    table.does(TUMBLER, c.StartCountdown())
    table.later(seconds=5)
    table.refused(ANN, c.Pause("tea"), Reason.WRONG_ROLE)
    table.does(boss, c.Pause("a player is unwell"))
    table.refused(BEN, c.PlaceBets((c.BetRequest("big", 5_00),)), Reason.SUSPENDED)
    table.does(ANN, c.TakeDown("small"))
    table.later(hours=1)
    table.refused(TUMBLER, c.CloseBetting(), Reason.SUSPENDED)
    table.does(boss, c.Unpause())
    bet(table, ANN, "small")
    table.later(seconds=14)
    table.refused(TUMBLER, c.CloseBetting(), Reason.NOT_NOW)
    table.later(seconds=1)
    table.does(TUMBLER, c.CloseBetting())
    table.refused(boss, c.Pause("too late"), Reason.NOT_NOW)


def test_two_persons_make_a_round_void_and_its_seed_is_revealed_all_the_same() -> None:
    table = open_automatic(SINGAPORE)
    first, second = supervisors(table)
    commit(table)
    bet(table, ANN, "small")
    close(table)
    table.refused(first, c.ApproveVoid(1), Reason.NO_SUCH_PROPOSAL)
    table.refused(ANN, c.ProposeVoid("I lose"), Reason.WRONG_ROLE)
    table.does(first, c.ProposeVoid("the screen went dark"))
    table.refused(first, c.ApproveVoid(1), Reason.OWN_ACT)
    table.does(second, c.ApproveVoid(1))
    assert table.holds("ann") == 1_000_00
    table.refused(TUMBLER, c.CommitSeed("0" * 64, "sealed", 1), Reason.NOT_NOW)
    assert reveal(table) == throw(SEED, table="t1", round=1, close=CLOSE, nonces=(), dice=3)
    assert table.holds("ann") == 1_000_00, "nothing is settled by a void round's dice"
    commit(table)
    assert table.table.round.number == 2


def test_a_closed_table_takes_the_seed_of_its_void_round_and_nothing_else() -> None:
    table = open_automatic(SINGAPORE)
    first, second = supervisors(table)
    commit(table)
    bet(table, ANN, "small")
    close(table)
    table.does(first, c.ProposeVoid("the screen went dark"))
    table.does(second, c.ApproveVoid(1))
    table.does(BOSS, c.CloseTable())
    assert "The table is not open." in table.refused(ANN, c.BuyIn(1_00), Reason.TABLE_NOT_OPEN).says
    reveal(table)
    table.refused(TUMBLER, c.RevealSeed(SEED.hex()), Reason.TABLE_NOT_OPEN)


@pytest.mark.parametrize(
    ("digest", "sealed", "mapping"), [("0" * 63, "sealed", 1), ("0" * 64, "sealed", 2), ("0" * 64, "", 1)]
)
def test_a_commitment_is_a_digest_sealed_for_a_known_mapping(digest: str, sealed: str, mapping: int) -> None:
    table = open_automatic(SINGAPORE)
    assert (
        "A commitment must be the SHA-256 hash of a sealed seed, for a known mapping."
        in table.refused(TUMBLER, c.CommitSeed(digest, sealed, mapping), Reason.BAD_SEED).says
    )
    commit(table)
    assert table.table.play_day == "2026-03-01"


def test_a_void_before_the_close_reveals_the_seed_and_no_dice() -> None:
    table = open_automatic(SINGAPORE)
    first, second = supervisors(table)
    commit(table)
    table.does(first, c.ProposeVoid("wrong limits"))
    table.does(second, c.ApproveVoid(1))
    assert reveal(table) == ()


def test_a_book_that_refers_lets_nobody_void_alone_by_a_ruling() -> None:
    table = open_automatic(SINGAPORE)
    commit(table)
    shift = "meg the gaming-shift-manager"
    table.refused(shift, c.RuleInWords("void", void=True), Reason.AUTOMATIC)


def test_what_a_book_refers_waits_beyond_the_round_for_its_decision() -> None:
    table = open_automatic(SINGAPORE)
    commit(table)
    bet(table, ANN, "small")
    table.does("pia the pit-supervisor", c.Call("not-covered", "the screen flickers"))
    close(table)
    reveal(table)
    table.refused(BOSS, c.CloseTable(), Reason.NOT_NOW)
    table.does("meg the gaming-shift-manager", c.RuleInWords("the screen is exchanged"))
    table.does(BOSS, c.CloseTable())


@pytest.mark.parametrize("lost", [False, True])
def test_a_failed_tumbler_voids_the_round_and_stops_until_the_shift_manager_looks(lost: bool) -> None:
    table = open_automatic(SINGAPORE)
    commit(table)
    bet(table, ANN, "small")
    close(table)
    table.does(TUMBLER, c.ReportTumbler("the sealing key is lost", lost=lost))
    assert table.holds("ann") == 1_000_00
    if lost:
        assert table.table.draw is None
    else:
        reveal(table)
    refusal = table.refused(TUMBLER, c.CommitSeed("0" * 64, "sealed", 1), Reason.SUSPENDED)
    assert refusal.clauses == ("6.1",)
    table.refused("sue the pit-supervisor", c.Repair("electronic-tumbler"), Reason.WRONG_ROLE)
    table.does("meg the gaming-shift-manager", c.Repair("electronic-tumbler"))
    table.refused("meg the gaming-shift-manager", c.Repair("electronic-tumbler"), Reason.NOTHING_TO_DO)
    table.does(TUMBLER, c.ReportTumbler("no power", lost=False))
    table.does(BOSS, c.Repair("electronic-tumbler"))
    commit(table)


def test_a_tumbler_that_fails_after_the_round_was_void_changes_nothing_more() -> None:
    table = open_automatic(SINGAPORE)
    first, second = supervisors(table)
    commit(table)
    bet(table, ANN, "small")
    table.does(first, c.ProposeVoid("the screen went dark"))
    table.does(second, c.ApproveVoid(1))
    failed = table.does(TUMBLER, c.ReportTumbler("no answer", lost=True))
    assert [type(event) for event in failed.events] == [e.TumblerFailed]
    idle = open_automatic(SINGAPORE)
    assert idle.does(TUMBLER, c.ReportTumbler("no answer", lost=True)).events == (e.TumblerFailed("no answer", False),)


def test_a_void_is_proposed_once_in_words_and_approved_for_its_own_round() -> None:
    table = open_automatic(SINGAPORE)
    first, second = supervisors(table)
    table.refused(first, c.ProposeVoid("no draw yet"), Reason.NOT_NOW)
    commit(table)
    bet(table, ANN, "small")
    table.refused(first, c.ProposeVoid(" "), Reason.NOTHING_TO_DO)
    table.does(first, c.ProposeVoid("the screen went dark"))
    table.refused(second, c.ApproveVoid(2), Reason.NO_SUCH_PROPOSAL)
    table.does(second, c.ApproveVoid(1))
    table.refused(first, c.ProposeVoid("again"), Reason.NOTHING_TO_DO)


def test_after_the_time_by_which_the_dice_are_due_the_round_can_only_be_void() -> None:
    table = open_automatic(SINGAPORE, reveal_seconds=30)
    first, second = supervisors(table)
    commit(table)
    bet(table, ANN, "small")
    close(table)
    table.later(seconds=30.001)
    assert (
        "The dice were due by 1 Mar 2026, 12:00 UTC. The round can only be voided."
        in table.refused(TUMBLER, c.RevealSeed(SEED.hex()), Reason.NOT_NOW).says
    )
    table.does(first, c.ProposeVoid("too late"))
    table.does(second, c.ApproveVoid(1))
    reveal(table)
    in_time = open_automatic(SINGAPORE, reveal_seconds=30)
    commit(in_time)
    bet(in_time, ANN, "small")
    close(in_time)
    in_time.later(seconds=30)
    reveal(in_time)


def corrected(table: DrivenTable, words: str = "the clock ran ahead", *, ahead: bool = True) -> Decision | Refusal:
    context = Context(Person("max", "manager"), table.now.isoformat(), table.balances, ahead=ahead)
    return decide(table.table, c.CorrectClock(words), context)


@pytest.mark.parametrize("stage", ["no draw", "betting", "countdown", "closed", "void"])
def test_a_corrected_clock_starts_a_countdown_again_and_makes_a_closed_round_void(stage: str) -> None:
    table = open_automatic(SINGAPORE)
    first, second = supervisors(table)
    if stage != "no draw":
        commit(table)
        bet(table, ANN, "small")
    if stage == "countdown":
        table.does(TUMBLER, c.StartCountdown())
    if stage in ("closed", "void"):
        close(table)
    if stage == "void":
        table.does(first, c.ProposeVoid("the screen went dark"))
        table.does(second, c.ApproveVoid(1))
    for outcome in (corrected(table, ahead=False), corrected(table, " ")):
        assert isinstance(outcome, Refusal)
        assert outcome.why is Reason.NOTHING_TO_DO
    done = corrected(table, " the clock ran ahead ")
    assert isinstance(done, Decision)
    follows = {"countdown": [e.CountdownStarted], "closed": [e.RoundVoided]}.get(stage, [])
    assert done.events[0] == e.ClockCorrected("the clock ran ahead")
    assert [type(event) for event in done.events[1:]] == follows


def test_the_clock_of_a_closed_table_can_be_corrected_but_not_of_a_new_one() -> None:
    never = corrected(DrivenTable())
    assert isinstance(never, Refusal)
    assert never.why is Reason.TABLE_NOT_OPEN
    table = open_automatic(SINGAPORE)
    table.does(BOSS, c.CloseTable())
    assert isinstance(corrected(table), Decision)


def test_the_countdown_starts_once_and_only_while_betting_is_open() -> None:
    table = open_automatic(SINGAPORE)
    table.refused(TUMBLER, c.StartCountdown(), Reason.NOT_NOW)
    commit(table)
    bet(table, ANN, "small")
    table.does(TUMBLER, c.StartCountdown())
    table.refused(TUMBLER, c.StartCountdown(), Reason.NOT_NOW)
    table.later(seconds=20)
    table.does(TUMBLER, c.CloseBetting())
    table.refused(TUMBLER, c.StartCountdown(), Reason.NOT_NOW)
    table.refused(TUMBLER, c.CloseBetting(), Reason.NOT_NOW)
    table.refused(TUMBLER, c.CommitSeed("0" * 64, "sealed", 1), Reason.NOT_NOW)


def test_a_table_is_held_once_with_its_reason_or_none() -> None:
    table = open_automatic(SINGAPORE)
    boss, _ = supervisors(table)
    table.refused(boss, c.Unpause(), Reason.NOTHING_TO_DO)
    table.does(boss, c.Pause(" "))
    assert table.table.paused is not None
    assert (table.table.paused.words, table.table.paused.left) == ("no reason given", None)
    table.refused(boss, c.Pause("again"), Reason.NOTHING_TO_DO)
    refusal = table.refused(ANN, c.PlaceBets((c.BetRequest("big", 5_00),)), Reason.SUSPENDED)
    assert (refusal.says, refusal.policy) == ("The table is paused.", True)
    says = table.refused(TUMBLER, c.CommitSeed("0" * 64, "sealed", 1), Reason.SUSPENDED).says
    assert says == "The table is paused: no reason given"
    assert table.does(boss, c.Unpause()).events == (e.Unpaused(None),)


def test_the_table_closes_with_a_seed_that_nobody_bet_on_and_reveals_it() -> None:
    table = open_automatic(SINGAPORE)
    commit(table)
    bet(table, ANN, "small")
    table.refused(BOSS, c.CloseTable(), Reason.NOT_NOW)
    table.does(ANN, c.TakeDown("small"))
    table.does(BOSS, c.CloseTable())
    table.refused(TUMBLER, c.CommitSeed("0" * 64, "sealed", 1), Reason.TABLE_NOT_OPEN)
    assert reveal(table) == ()
    table.refused(TUMBLER, c.RevealSeed(SEED.hex()), Reason.TABLE_NOT_OPEN)


def test_play_money_is_filled_up_to_its_stack_and_never_mixes_with_real_money() -> None:
    table = open_automatic(SINGAPORE)
    assert table.table.money == "play-SGD"
    table.refused(ANN, c.BuyIn(1), Reason.OVER_MAXIMUM)
    real = open_automatic(SINGAPORE, real_money=True, approval="GRA 2026-17")
    assert real.table.money == "SGD"
    remote = Context(Person("ann", "player"), real.now.isoformat(), real.balances, remote=True)
    for command in (c.BuyIn(100_00), c.CashOut(1)):
        outcome = decide(real.table, command, remote)
        assert isinstance(outcome, Refusal)
        assert outcome.why is Reason.WRONG_ROLE


def test_real_money_at_an_automatic_table_needs_the_reference_of_an_approval() -> None:
    table = DrivenTable()
    for reference in ("", "  "):
        run = c.Automatic(real_money=True, approval=reference)
        refusal = table.refused(
            BOSS, c.OpenTable(setup(SINGAPORE, automatic=run, shaker="automated")), Reason.CONFIGURATION
        )
        assert "reference" in refusal.says
    assert open_automatic(SINGAPORE).table.automatic == c.Automatic()
    real = open_automatic(SINGAPORE, real_money=True, approval="GRA 2026-17")
    without = setup(SINGAPORE, automatic=c.Automatic(real_money=True), shaker="automated")
    real.refused(BOSS, c.ChangeSetup(without), Reason.CONFIGURATION)
    renewed = c.Automatic(real_money=True, approval="GRA 2027-03")
    real.does(BOSS, c.ChangeSetup(setup(SINGAPORE, automatic=renewed, shaker="automated")))
    assert real.table.automatic == renewed
    assert "Approval of the electronic tumbler: GRA 2026-17" in "\n".join(
        transcript(SHARED_BOOKS.new_table("t1"), real.record)
    )


def test_nobody_tips_a_tumbler() -> None:
    table = open_automatic("dice-ology")
    commit(table)
    table.refused(ANN, c.PlaceBets((c.BetRequest("big-ones", 1_00, "tip in the area"),)), Reason.AUTOMATIC)


@pytest.mark.parametrize(
    ("allowance", "why"),
    [
        (Allowance(lose_max=4_99), Reason.LOSS_LIMIT),
        (Allowance(stake_max=4_99), Reason.STAKE_LIMIT),
        (Allowance(stake_max=-1), Reason.STAKE_LIMIT),
        (Allowance(seconds_max=0), Reason.TIME_LIMIT),
        (Allowance(excluded=Message("refusals.rights.excluded-for-good", {"player": "ann"})), Reason.EXCLUDED),
        (Allowance(lose_max=5_00, seconds_max=1, stake_max=5_00), None),
    ],
)
def test_a_players_own_limits_hold(allowance: Allowance, why: Reason | None) -> None:
    table = open_automatic(SINGAPORE)
    commit(table)
    context = Context(Person("ann", "player"), table.now.isoformat(), table.balances, allowance=lambda: allowance)
    outcome = decide(table.table, c.PlaceBets((c.BetRequest("small", 5_00),)), context)
    assert (outcome.why if isinstance(outcome, Refusal) else None) is why


def test_what_a_player_lost_and_how_long_they_played_today_is_known() -> None:
    table = open_automatic(SINGAPORE)
    before = table.holds("ann")
    for number in range(1, 6):
        commit(table, bytes([number]) * 32)
        bet(table, ANN, "small")
        close(table)
        reveal(table, bytes([number]) * 32)
    assert table.table.plays["ann"].lost == before - table.holds("ann")
    assert table.table.plays["ann"].seconds == 5 * 28
    table.later(days=1)
    commit(table)
    assert table.table.plays == {}


@given(
    bets=st.lists(st.tuples(st.sampled_from([ANN, BEN]), st.integers(0, 103)), min_size=1, max_size=20),
    seed=st.binary(min_size=32, max_size=32),
)
@settings(max_examples=40, deadline=None)
def test_whatever_is_bet_money_is_conserved_and_the_record_replays(bets: list[tuple[str, int]], seed: bytes) -> None:
    table = open_automatic(SINGAPORE)
    wagers = list(table.table.rules.wagers)
    commit(table, seed)
    for who, wager in bets:
        table.ask(who, c.PlaceBets((c.BetRequest(wagers[wager], 5_00),)))
    close(table)
    reveal(table, seed)
    assert not table.table.bets
    assert table.transcript()
