"""Tables under every book, at which anyone asks for anything: whatever they ask, the laws hold."""

from __future__ import annotations

from functools import reduce
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from pitbook.rulebooks.catalogue import HOUSE_BOOKS, PACKAGED, load
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table import snapshots
from pitbook.table.decide import Context, Decision, decide
from pitbook.table.evolve import evolve, evolve_all
from pitbook.table.liability import Liability
from pitbook.table.people import Person
from pitbook.table.refusals import Reason, Refusal
from pitbook.table.standing import commission_on, excess_odds
from pitbook.table.state import Table, betting_open
from pitbook.table.view import chances, cover
from tests.soaking import repetitions, thorough
from tests.table import craps, sic_bo
from tests.table.driving import SHARED_BOOKS, DrivenTable
from tests.table.random_commands import (
    command_of,
    irregularity,
    next_step,
    people,
    put_in_order,
    some_bets,
    something_sensible,
)

EVENTS: Any = reduce(lambda one, other: one | other, e.EVENTS)  # type: ignore[arg-type, return-value]

OPENS = (e.RoundEnded, e.RoundVoided, e.BettingReopened, e.WagersReturned, e.TableOpened, e.DiceCorrected)
"""Events after which betting may be open again."""


NOT_READY = (
    Reason.SHAKER,
    Reason.SUSPENDED,
    Reason.DICE_MISSING,
    Reason.DICE_EXPIRED,
    Reason.NOT_INSPECTED,
    Reason.UNATTENDED,
    Reason.NO_FUNDS,
)

SEEDS = st.integers(0, 2**32)


class Laws:
    """Watches one table: what is written down is enough to know all of it, and nobody bets after the close."""

    def __init__(self, table: DrivenTable) -> None:
        self.pit = table
        self.seen = 0
        self.closed = False
        self.replayed = evolve_all(SHARED_BOOKS.new_table(table.table.id), ())
        self.accepted = 0

    def ask(self, person: Person, command: c.Command) -> Decision | Refusal:
        table = self.pit
        before, balances = snapshots.dump(table.table), dict(table.balances)
        context = Context(person, table.now.isoformat(), table.balances, register=table.register)
        first, second = (decide(table.table, command, context) for _ in range(2))
        assert first == second, "the same command has the same answer"
        assert (snapshots.dump(table.table), table.balances) == (before, balances), "deciding changes nothing"
        outcome = table.ask(f"{person.name} the {person.role}", command)
        assert outcome == first
        if isinstance(outcome, Refusal):
            self.refused(outcome)
        else:
            self.accepted += 1
        self.follow()
        return outcome

    def may(self, person: Person, command: c.Command) -> bool:
        """Whether it is not for lack of a right that this person would be refused."""
        table = self.pit
        outcome = decide(
            table.table, command, Context(person, table.now.isoformat(), table.balances, register=table.register)
        )
        return not isinstance(outcome, Refusal) or outcome.why not in (Reason.WRONG_ROLE, Reason.OWN_ACT)

    def refused(self, refusal: Refusal) -> None:
        assert isinstance(refusal.why, Reason)
        assert refusal.says
        known = self.pit.table.rules.clauses if self.pit.table.setup else {}
        assert set(refusal.clauses) <= set(known), refusal
        assert refusal.message.text("zh-Hant"), refusal

    def follow(self) -> None:
        """Each new event on its own: written, read back, folded."""
        for event in self.pit.events[self.seen :]:
            self.replayed = evolve(self.replayed, msgspec.json.decode(msgspec.json.encode(event), type=EVENTS))
            if isinstance(event, e.BetPlaced | e.BetsPlaced):
                assert not self.closed, "a bet after the close"
            if isinstance(event, OPENS):
                self.closed = False
            elif isinstance(event, e.StepTaken):
                act = next(s.act for s in self.pit.table.rules.procedure.round if s.id == event.step)
                self.closed = self.closed or act in ("close betting", "roll")
        self.seen = len(self.pit.events)
        assert self.replayed == self.pit.table, "the state follows from what was written"
        assert snapshots.load(snapshots.dump(self.pit.table), SHARED_BOOKS) == self.pit.table
        assert not (self.closed and self.pit.table.open and betting_open(self.pit.table))
        self.check_bets()

    def check_bets(self) -> None:
        """Odds stand behind a bet and within its limit, each bet of a player is one, and chips lie for each."""
        table = self.pit.table
        if table.setup is None or not table.craps:
            return
        wagers = table.rules.wagers
        # Until it is settled, a decided bet lies on the number to which another one has just travelled.
        own = [bet for bet in table.bets.values() if wagers[bet.wager].own_state and bet.id not in table.round.decided]
        assert len({(bet.player, bet.wager, bet.kind, bet.point) for bet in own}) == len(own)
        for bet in table.bets.values():
            assert 0 <= bet.since_roll <= bet.amount
            assert bet.commission == commission_on(table, wagers[bet.wager], bet.amount)
        if table.round.done:
            return  # between the roll and its settlement a decided bet still lies there
        for player in {bet.player for bet in table.bets.values()}:
            assert excess_odds(table, player) == [], "odds without their bet"


class AnyTable(RuleBasedStateMachine):
    """One table, open and with chips; subclasses say under which book."""

    book: str
    laws: Laws

    @initialize()
    def opened(self) -> None:
        on_a_hand = load(self.book).identity.game == "craps"
        table: DrivenTable = craps.craps_table(self.book) if on_a_hand else sic_bo.packaged(self.book)
        self.laws = Laws(table)
        self.laws.follow()

    @property
    def table(self) -> Table:
        return self.laws.pit.table

    def chance(self, seed: int) -> Random:
        """Seeds alone repeat themselves too often."""
        if not self.table.open:
            self.reopen()
        return Random(f"{seed} {len(self.laws.pit.record)}")

    @rule(seed=SEEDS)
    def anybody_asks_for_anything(self, seed: int) -> None:
        chance = self.chance(seed)
        command = command_of(chance.choice(c.COMMANDS), self.table, chance)
        self.laws.ask(chance.choice(people(self.table)), command)

    @rule(seed=SEEDS)
    def somebody_who_may_asks_for_anything(self, seed: int) -> None:
        chance = self.chance(seed)
        command = command_of(chance.choice(c.COMMANDS), self.table, chance)
        everybody = people(self.table)
        chance.shuffle(everybody)
        self.laws.ask(next((who for who in everybody if self.laws.may(who, command)), everybody[0]), command)

    @rule(seed=SEEDS)
    def somebody_asks_for_something_sensible(self, seed: int) -> None:
        for _ in range(3):
            self.laws.ask(*something_sensible(self.table, self.chance(seed)))

    @rule(seed=SEEDS, steps=st.integers(1, 15))
    def bets_are_made_and_steps_taken(self, seed: int, steps: int) -> None:
        for _ in range(steps):
            chance = self.chance(seed)
            if chance.random() < (0.9 if betting_open(self.table) else 0.1):
                outcome = self.laws.ask(*some_bets(self.table, chance))
                if isinstance(outcome, Refusal) and outcome.why in NOT_READY and chance.random() < 0.7:
                    for commands in list(put_in_order(self.table, chance)):
                        self.laws.ask(*commands)
            if chance.random() < (0.5 if self.table.power_failed else 0.2):
                self.laws.ask(*something_sensible(self.table, chance))
                chance = self.chance(seed)
            step = next_step(self.table, chance)
            if step:
                self.laws.ask(*step)

    @rule(seed=SEEDS)
    def something_goes_wrong(self, seed: int) -> None:
        self.laws.ask(*irregularity(self.table, self.chance(seed)))

    @rule(hours=st.sampled_from([0.1, 5, 25, 24 * 32]))
    def time_goes_by(self, hours: float) -> None:
        self.laws.pit.later(hours=hours)

    def reopen(self) -> None:
        assert self.table.setup is not None
        self.laws.ask(Person("max", "manager"), c.OpenTable(self.table.setup))

    def teardown(self) -> None:
        if not hasattr(self, "laws"):
            return
        table = self.laws.pit
        assert evolve_all(SHARED_BOOKS.new_table(table.table.id), table.events) == table.table
        assert table.transcript()
        if table.table.open:
            Liability().exposure(table.table)
            chances(table.table)
            cover(table.table)


BOOKS = ("massachusetts-sic-bo", "dice-works", "craps")
OTHERS = sorted({*PACKAGED, *HOUSE_BOOKS} - {*BOOKS})
TOGETHER = ("craps+dice-works+dice-ology", "craps+craps-bonus")


@pytest.mark.parametrize("book", [*BOOKS, *thorough(*OTHERS, *TOGETHER)])
def test_the_invariants_hold_after_every_event_whatever_anyone_does(book: str) -> None:
    machine = type("TableOf", (AnyTable,), {"book": book})
    run_state_machine_as_test(machine, settings=settings(max_examples=repetitions(8, 300), stateful_step_count=40))
