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
from pitbook.table.refusals import Refusal, Why
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
from tests.table.test_role_matrix import asked

SINGAPORE = "singapore-mbs-sic-bo-v6"


def first_wager(pit: DrivenTable) -> str:
    return "small" if "small" in pit.table.rules.wagers else next(iter(pit.table.rules.wagers))


@pytest.mark.parametrize("book", PACKAGED)
def test_a_round_runs_by_itself_under_every_book(book: str) -> None:
    pit = open_automatic(book)
    assert not betting_open(pit.table), "no bet before there is a commitment"
    pit.refused(ANN, c.PlaceBets((c.Wanted(first_wager(pit), 5_00),)), Why.BETTING_CLOSED)
    commit(pit)
    assert betting_open(pit.table)
    bet(pit, ANN, first_wager(pit))
    close(pit)
    assert phase(pit.table) == "closed"
    pit.refused(BEN, c.PlaceBets((c.Wanted(first_wager(pit), 5_00),)), Why.BETTING_CLOSED)
    pit.refused(ANN, c.TakeDown(first_wager(pit)), Why.BETTING_CLOSED)
    dice = reveal(pit)
    right = throw(SEED, table="t1", round=1, close=CLOSE, nonces=(), dice=pit.table.rules.dice)
    assert dice == right
    assert pit.table.round.number == 2
    assert pit.table.draw is None
    assert sorted(dice) == list(pit.table.history[-1].dice)


@pytest.mark.parametrize("book", PACKAGED)
def test_many_rounds_settle_as_the_dice_say(book: str) -> None:
    pit = open_automatic(book)
    for number in range(1, 41):
        seed = bytes([number]) * 32
        commit(pit, seed)
        for who in (ANN, BEN):
            pit.ask(who, c.PlaceBets((c.Wanted(first_wager(pit), 5_00),)))
        if not pit.table.bets:
            break
        close(pit)
        reveal(pit, seed)
    assert pit.table.round.number > 5
    if pit.table.craps:
        shooters = [event.shooter for event in pit.events if isinstance(event, e.ShooterNamed)]
        assert shooters[:2] == ["ann", "ben"], "the dice go round at the seven-out"


@pytest.mark.parametrize("book", PACKAGED)
def test_what_people_do_with_real_dice_is_the_tumblers_here(book: str) -> None:
    pit = open_automatic(book)
    commit(pit)
    for role in (*pit.table.rules.roles, "manager"):
        for _, command in asked(pit.table, role):
            if isinstance(command, BY_HAND):
                outcome = decide(pit.table, command, Context(Person("eve", role), pit.now.isoformat(), pit.balances))
                assert isinstance(outcome, Refusal)
                assert outcome.why in (Why.AUTOMATIC, Why.WRONG_ROLE), (role, command, outcome)


def test_betting_closes_when_the_countdown_says_and_not_before() -> None:
    pit = open_automatic(SINGAPORE)
    commit(pit)
    pit.refused(TUMBLER, c.CloseBetting(), Why.NOT_NOW)
    pit.refused(TUMBLER, c.StartCountdown(), Why.NOTHING_TO_DO)
    bet(pit, ANN, "small")
    pit.does(TUMBLER, c.StartCountdown())
    pit.later(seconds=19.9)
    pit.refused(TUMBLER, c.CloseBetting(), Why.NOT_NOW)
    bet(pit, BEN, "big")
    pit.later(seconds=0.1)
    pit.does(TUMBLER, c.CloseBetting())


@pytest.mark.parametrize(("book", "clauses"), [(SINGAPORE, ("3.2", "3.9", "5.6")), ("dice-ology", ())])
def test_nothing_is_bet_at_or_after_the_published_close(book: str, clauses: tuple[str, ...]) -> None:
    pit = open_automatic(book)
    commit(pit)
    one, other = list(pit.table.rules.wagers)[:2]
    bet(pit, ANN, one)
    pit.does(TUMBLER, c.StartCountdown())
    late = (
        c.PlaceBets((c.Wanted(other, 5_00),)),
        c.TakeDown(one),
        c.MoveBet(one, other),
        c.GiveNonce("mine"),
    )
    pit.later(seconds=20)  # to the microsecond, and the tumbler has not closed betting yet
    for _ in range(2):
        for command in late:
            refusal = pit.refused(ANN, command, Why.BETTING_CLOSED)
            assert (refusal.clauses, refusal.policy) == (clauses, not clauses)
            assert "Too late: betting has closed." in refusal.says
        pit.later(seconds=22)  # as after a stop of the machine
    pit.does(TUMBLER, c.CloseBetting())


def test_a_countdown_that_was_held_ends_later() -> None:
    pit = open_automatic(SINGAPORE)
    commit(pit)
    bet(pit, ANN, "small")
    pit.does(TUMBLER, c.StartCountdown())
    supervisor = supervisors(pit)[0]
    pit.later(seconds=15)
    pit.does(supervisor, c.Pause("tea"))
    pit.later(minutes=10)
    pit.does(supervisor, c.Unpause())
    pit.later(seconds=4.9)
    bet(pit, BEN, "big")
    pit.later(seconds=0.1)
    pit.refused(BEN, c.TakeDown("big"), Why.BETTING_CLOSED)


def test_only_the_seed_that_was_committed_to_is_revealed_and_only_after_the_close() -> None:
    pit = open_automatic(SINGAPORE)
    commit(pit)
    bet(pit, ANN, "small")
    pit.refused(TUMBLER, c.RevealSeed(SEED.hex()), Why.NOT_NOW)
    close(pit)
    for wrong in (bytes(32).hex(), "", "zz", SEED.hex()[:-2]):
        pit.refused(TUMBLER, c.RevealSeed(wrong), Why.BAD_SEED)
    reveal(pit)


@pytest.mark.parametrize("who", [ANN, BOSS, "dan the dealer"])
def test_nobody_else_does_what_the_tumbler_does(who: str) -> None:
    pit = open_automatic(SINGAPORE)
    for command in (c.CommitSeed("0" * 64, "s", 1), c.StartCountdown(), c.CloseBetting(), c.ReportTumbler("no")):
        pit.refused(who, command, Why.WRONG_ROLE)


def test_players_put_their_own_share_into_the_draw() -> None:
    pit = open_automatic(SINGAPORE)
    pit.refused(ANN, c.GiveNonce("luck"), Why.BETTING_CLOSED)
    commit(pit)
    step = pit.table.step
    pit.does(ANN, c.GiveNonce("luck"))
    pit.does(ANN, c.GiveNonce("more luck"))
    pit.does(BEN, c.GiveNonce("a die"))
    pit.refused(BEN, c.GiveNonce("x" * 65), Why.BAD_SEED)
    assert pit.table.step == step
    bet(pit, ANN, "small")
    close(pit)
    pit.refused(ANN, c.GiveNonce("late"), Why.BETTING_CLOSED)
    assert reveal(pit) == throw(SEED, table="t1", round=1, close=CLOSE, nonces=("a die", "more luck"), dice=3)


def test_a_supervisor_holds_the_table_and_the_countdown_takes_up_where_it_stood() -> None:
    pit = open_automatic(SINGAPORE)
    boss, _ = supervisors(pit)
    commit(pit)
    bet(pit, ANN, "small")
    pit.does(TUMBLER, c.StartCountdown())
    pit.later(seconds=5)
    pit.refused(ANN, c.Pause("tea"), Why.WRONG_ROLE)
    pit.does(boss, c.Pause("a player is unwell"))
    pit.refused(BEN, c.PlaceBets((c.Wanted("big", 5_00),)), Why.SUSPENDED)
    pit.does(ANN, c.TakeDown("small"))
    pit.later(hours=1)
    pit.refused(TUMBLER, c.CloseBetting(), Why.SUSPENDED)
    pit.does(boss, c.Unpause())
    bet(pit, ANN, "small")
    pit.later(seconds=14)
    pit.refused(TUMBLER, c.CloseBetting(), Why.NOT_NOW)
    pit.later(seconds=1)
    pit.does(TUMBLER, c.CloseBetting())
    pit.refused(boss, c.Pause("too late"), Why.NOT_NOW)


def test_two_persons_make_a_round_void_and_its_seed_is_revealed_all_the_same() -> None:
    pit = open_automatic(SINGAPORE)
    first, second = supervisors(pit)
    commit(pit)
    bet(pit, ANN, "small")
    close(pit)
    pit.refused(first, c.ApproveVoid(1), Why.NO_SUCH_PROPOSAL)
    pit.refused(ANN, c.ProposeVoid("I lose"), Why.WRONG_ROLE)
    pit.does(first, c.ProposeVoid("the screen went dark"))
    pit.refused(first, c.ApproveVoid(1), Why.OWN_ACT)
    pit.does(second, c.ApproveVoid(1))
    assert pit.holds("ann") == 1_000_00
    pit.refused(TUMBLER, c.CommitSeed("0" * 64, "sealed", 1), Why.NOT_NOW)
    assert reveal(pit) == throw(SEED, table="t1", round=1, close=CLOSE, nonces=(), dice=3)
    assert pit.holds("ann") == 1_000_00, "nothing is settled by a void round's dice"
    commit(pit)
    assert pit.table.round.number == 2


def test_a_closed_table_takes_the_seed_of_its_void_round_and_nothing_else() -> None:
    pit = open_automatic(SINGAPORE)
    first, second = supervisors(pit)
    commit(pit)
    bet(pit, ANN, "small")
    close(pit)
    pit.does(first, c.ProposeVoid("the screen went dark"))
    pit.does(second, c.ApproveVoid(1))
    pit.does(BOSS, c.CloseTable())
    assert "The table is not open." in pit.refused(ANN, c.BuyIn(1_00), Why.TABLE_NOT_OPEN).says
    reveal(pit)
    pit.refused(TUMBLER, c.RevealSeed(SEED.hex()), Why.TABLE_NOT_OPEN)


@pytest.mark.parametrize(
    ("digest", "sealed", "mapping"), [("0" * 63, "sealed", 1), ("0" * 64, "sealed", 2), ("0" * 64, "", 1)]
)
def test_a_commitment_is_a_digest_sealed_for_a_known_mapping(digest: str, sealed: str, mapping: int) -> None:
    pit = open_automatic(SINGAPORE)
    assert (
        "A commitment is the SHA-256 hash of a sealed seed, for a known mapping."
        in pit.refused(TUMBLER, c.CommitSeed(digest, sealed, mapping), Why.BAD_SEED).says
    )
    commit(pit)
    assert pit.table.play_day == "2026-03-01"


def test_a_void_before_the_close_reveals_the_seed_and_no_dice() -> None:
    pit = open_automatic(SINGAPORE)
    first, second = supervisors(pit)
    commit(pit)
    pit.does(first, c.ProposeVoid("wrong limits"))
    pit.does(second, c.ApproveVoid(1))
    assert reveal(pit) == ()


def test_a_book_that_refers_lets_nobody_void_alone_by_a_ruling() -> None:
    pit = open_automatic(SINGAPORE)
    commit(pit)
    shift = "meg the gaming-shift-manager"
    pit.refused(shift, c.RuleInWords("void", void=True), Why.AUTOMATIC)


def test_what_a_book_refers_waits_beyond_the_round_for_its_decision() -> None:
    pit = open_automatic(SINGAPORE)
    commit(pit)
    bet(pit, ANN, "small")
    pit.does("pia the pit-supervisor", c.Call("not-covered", "the screen flickers"))
    close(pit)
    reveal(pit)
    pit.refused(BOSS, c.CloseTable(), Why.NOT_NOW)
    pit.does("meg the gaming-shift-manager", c.RuleInWords("the screen is exchanged"))
    pit.does(BOSS, c.CloseTable())


@pytest.mark.parametrize("lost", [False, True])
def test_a_failed_tumbler_voids_the_round_and_stops_until_the_shift_manager_looks(lost: bool) -> None:
    pit = open_automatic(SINGAPORE)
    commit(pit)
    bet(pit, ANN, "small")
    close(pit)
    pit.does(TUMBLER, c.ReportTumbler("the sealing key is lost", lost=lost))
    assert pit.holds("ann") == 1_000_00
    if lost:
        assert pit.table.draw is None
    else:
        reveal(pit)
    refusal = pit.refused(TUMBLER, c.CommitSeed("0" * 64, "sealed", 1), Why.SUSPENDED)
    assert refusal.clauses == ("6.1",)
    pit.refused("sue the pit-supervisor", c.Repair("electronic-tumbler"), Why.WRONG_ROLE)
    pit.does("meg the gaming-shift-manager", c.Repair("electronic-tumbler"))
    commit(pit)


def test_a_tumbler_that_fails_after_the_round_was_void_changes_nothing_more() -> None:
    pit = open_automatic(SINGAPORE)
    first, second = supervisors(pit)
    commit(pit)
    bet(pit, ANN, "small")
    pit.does(first, c.ProposeVoid("the screen went dark"))
    pit.does(second, c.ApproveVoid(1))
    failed = pit.does(TUMBLER, c.ReportTumbler("no answer", lost=True))
    assert [type(event) for event in failed.events] == [e.TumblerFailed]
    idle = open_automatic(SINGAPORE)
    assert idle.does(TUMBLER, c.ReportTumbler("no answer", lost=True)).events == (e.TumblerFailed("no answer", False),)


def test_a_void_is_proposed_once_in_words_and_approved_for_its_own_round() -> None:
    pit = open_automatic(SINGAPORE)
    first, second = supervisors(pit)
    pit.refused(first, c.ProposeVoid("no draw yet"), Why.NOT_NOW)
    commit(pit)
    bet(pit, ANN, "small")
    pit.refused(first, c.ProposeVoid(" "), Why.NOTHING_TO_DO)
    pit.does(first, c.ProposeVoid("the screen went dark"))
    pit.refused(second, c.ApproveVoid(2), Why.NO_SUCH_PROPOSAL)
    pit.does(second, c.ApproveVoid(1))
    pit.refused(first, c.ProposeVoid("again"), Why.NOTHING_TO_DO)


def test_after_the_time_by_which_the_dice_are_due_the_round_can_only_be_void() -> None:
    pit = open_automatic(SINGAPORE, reveal_seconds=30)
    first, second = supervisors(pit)
    commit(pit)
    bet(pit, ANN, "small")
    close(pit)
    pit.later(seconds=30.001)
    assert (
        "The dice were due by 1 Mar 2026, 12:00 UTC. The round can only be voided."
        in pit.refused(TUMBLER, c.RevealSeed(SEED.hex()), Why.NOT_NOW).says
    )
    pit.does(first, c.ProposeVoid("too late"))
    pit.does(second, c.ApproveVoid(1))
    reveal(pit)
    in_time = open_automatic(SINGAPORE, reveal_seconds=30)
    commit(in_time)
    bet(in_time, ANN, "small")
    close(in_time)
    in_time.later(seconds=30)
    reveal(in_time)


def corrected(pit: DrivenTable, words: str = "the clock ran ahead", *, ahead: bool = True) -> Decision | Refusal:
    context = Context(Person("max", "manager"), pit.now.isoformat(), pit.balances, ahead=ahead)
    return decide(pit.table, c.CorrectClock(words), context)


@pytest.mark.parametrize("stage", ["no draw", "betting", "countdown", "closed", "void"])
def test_a_corrected_clock_starts_a_countdown_again_and_makes_a_closed_round_void(stage: str) -> None:
    pit = open_automatic(SINGAPORE)
    first, second = supervisors(pit)
    if stage != "no draw":
        commit(pit)
        bet(pit, ANN, "small")
    if stage == "countdown":
        pit.does(TUMBLER, c.StartCountdown())
    if stage in ("closed", "void"):
        close(pit)
    if stage == "void":
        pit.does(first, c.ProposeVoid("the screen went dark"))
        pit.does(second, c.ApproveVoid(1))
    for outcome in (corrected(pit, ahead=False), corrected(pit, " ")):
        assert isinstance(outcome, Refusal)
        assert outcome.why is Why.NOTHING_TO_DO
    done = corrected(pit, " the clock ran ahead ")
    assert isinstance(done, Decision)
    follows = {"countdown": [e.CountdownStarted], "closed": [e.RoundVoided]}.get(stage, [])
    assert done.events[0] == e.ClockCorrected("the clock ran ahead")
    assert [type(event) for event in done.events[1:]] == follows


def test_the_countdown_starts_once_and_only_while_betting_is_open() -> None:
    pit = open_automatic(SINGAPORE)
    pit.refused(TUMBLER, c.StartCountdown(), Why.NOT_NOW)
    commit(pit)
    bet(pit, ANN, "small")
    pit.does(TUMBLER, c.StartCountdown())
    pit.refused(TUMBLER, c.StartCountdown(), Why.NOT_NOW)
    pit.later(seconds=20)
    pit.does(TUMBLER, c.CloseBetting())
    pit.refused(TUMBLER, c.StartCountdown(), Why.NOT_NOW)
    pit.refused(TUMBLER, c.CloseBetting(), Why.NOT_NOW)
    pit.refused(TUMBLER, c.CommitSeed("0" * 64, "sealed", 1), Why.NOT_NOW)


def test_a_table_is_held_once_with_its_reason_or_none() -> None:
    pit = open_automatic(SINGAPORE)
    boss, _ = supervisors(pit)
    pit.refused(boss, c.Unpause(), Why.NOTHING_TO_DO)
    pit.does(boss, c.Pause(" "))
    assert pit.table.paused is not None
    assert (pit.table.paused.words, pit.table.paused.left) == ("no reason given", None)
    pit.refused(boss, c.Pause("again"), Why.NOTHING_TO_DO)
    refusal = pit.refused(ANN, c.PlaceBets((c.Wanted("big", 5_00),)), Why.SUSPENDED)
    assert (refusal.says, refusal.policy) == ("The table is paused.", True)
    says = pit.refused(TUMBLER, c.CommitSeed("0" * 64, "sealed", 1), Why.SUSPENDED).says
    assert says == "The table is paused: no reason given"
    assert pit.does(boss, c.Unpause()).events == (e.Unpaused(None),)


def test_the_table_closes_with_a_seed_that_nobody_bet_on_and_reveals_it() -> None:
    pit = open_automatic(SINGAPORE)
    commit(pit)
    bet(pit, ANN, "small")
    pit.refused(BOSS, c.CloseTable(), Why.NOT_NOW)
    pit.does(ANN, c.TakeDown("small"))
    pit.does(BOSS, c.CloseTable())
    pit.refused(TUMBLER, c.CommitSeed("0" * 64, "sealed", 1), Why.TABLE_NOT_OPEN)
    assert reveal(pit) == ()
    pit.refused(TUMBLER, c.RevealSeed(SEED.hex()), Why.TABLE_NOT_OPEN)


def test_play_money_is_filled_up_to_its_stack_and_never_mixes_with_real_money() -> None:
    pit = open_automatic(SINGAPORE)
    assert pit.table.money == "play-SGD"
    pit.refused(ANN, c.BuyIn(1), Why.OVER_MAXIMUM)
    real = open_automatic(SINGAPORE, real_money=True, approval="GRA 2026-17")
    assert real.table.money == "SGD"
    remote = Context(Person("ann", "player"), real.now.isoformat(), real.balances, remote=True)
    for command in (c.BuyIn(100_00), c.CashOut(1)):
        outcome = decide(real.table, command, remote)
        assert isinstance(outcome, Refusal)
        assert outcome.why is Why.WRONG_ROLE


def test_real_money_at_an_automatic_table_needs_the_reference_of_an_approval() -> None:
    pit = DrivenTable()
    for reference in ("", "  "):
        run = c.Automatic(real_money=True, approval=reference)
        refusal = pit.refused(BOSS, c.OpenTable(setup(SINGAPORE, automatic=run, shaker="automated")), Why.CONFIGURATION)
        assert "reference" in refusal.says
    assert open_automatic(SINGAPORE).table.automatic == c.Automatic()
    real = open_automatic(SINGAPORE, real_money=True, approval="GRA 2026-17")
    without = setup(SINGAPORE, automatic=c.Automatic(real_money=True), shaker="automated")
    real.refused(BOSS, c.ChangeSetup(without), Why.CONFIGURATION)
    renewed = c.Automatic(real_money=True, approval="GRA 2027-03")
    real.does(BOSS, c.ChangeSetup(setup(SINGAPORE, automatic=renewed, shaker="automated")))
    assert real.table.automatic == renewed
    assert "Approval of the electronic tumbler: GRA 2026-17" in "\n".join(
        transcript(SHARED_BOOKS.new_table("t1"), real.record)
    )


def test_nobody_tips_a_tumbler() -> None:
    pit = open_automatic("dice-ology")
    commit(pit)
    pit.refused(ANN, c.PlaceBets((c.Wanted("big-ones", 1_00, "tip in the area"),)), Why.AUTOMATIC)


@pytest.mark.parametrize(
    ("allowance", "why"),
    [
        (Allowance(lose_max=4_99), Why.LOSS_LIMIT),
        (Allowance(stake_max=4_99), Why.STAKE_LIMIT),
        (Allowance(stake_max=-1), Why.STAKE_LIMIT),
        (Allowance(seconds_max=0), Why.TIME_LIMIT),
        (Allowance(excluded=Message("refusals.rights.excluded-for-good", {"player": "ann"})), Why.EXCLUDED),
        (Allowance(lose_max=5_00, seconds_max=1, stake_max=5_00), None),
    ],
)
def test_a_players_own_limits_hold(allowance: Allowance, why: Why | None) -> None:
    pit = open_automatic(SINGAPORE)
    commit(pit)
    context = Context(Person("ann", "player"), pit.now.isoformat(), pit.balances, allowance=lambda: allowance)
    outcome = decide(pit.table, c.PlaceBets((c.Wanted("small", 5_00),)), context)
    assert (outcome.why if isinstance(outcome, Refusal) else None) is why


def test_what_a_player_lost_and_how_long_they_played_today_is_known() -> None:
    pit = open_automatic(SINGAPORE)
    before = pit.holds("ann")
    for number in range(1, 6):
        commit(pit, bytes([number]) * 32)
        bet(pit, ANN, "small")
        close(pit)
        reveal(pit, bytes([number]) * 32)
    assert pit.table.plays["ann"].lost == before - pit.holds("ann")
    assert pit.table.plays["ann"].seconds == 5 * 28
    pit.later(days=1)
    commit(pit)
    assert pit.table.plays == {}


@given(
    bets=st.lists(st.tuples(st.sampled_from([ANN, BEN]), st.integers(0, 103)), min_size=1, max_size=20),
    seed=st.binary(min_size=32, max_size=32),
)
@settings(max_examples=40, deadline=None)
def test_whatever_is_bet_money_is_conserved_and_the_record_replays(bets: list[tuple[str, int]], seed: bytes) -> None:
    pit = open_automatic(SINGAPORE)
    wagers = list(pit.table.rules.wagers)
    commit(pit, seed)
    for who, wager in bets:
        pit.ask(who, c.PlaceBets((c.Wanted(wagers[wager], 5_00),)))
    close(pit)
    reveal(pit, seed)
    assert not pit.table.bets
    assert pit.transcript()
