"""The base game of craps at an automatic table, alone and with side bets on the same hand."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest

from pitbook.ledger.accounts import escrow, player
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.refusals import Reason
from pitbook.table.standing import odds_of
from pitbook.table.state import Bet
from pitbook.testing import person
from tests.table.automatic import ANN, BEN, TUMBLER, bet, close, commit, open_automatic, reveal


def seed(number: int) -> bytes:
    """Return one of many seeds."""
    return sha256(str(number).encode()).digest()


class Evening:
    """An automatic craps table whose players continue for hours; time passes by hand."""

    def __init__(self, book: str) -> None:
        self.pit = open_automatic(book)
        self.rolls = 0
        self.seen: Counter[str] = Counter()
        """How often each thing happened that such a table has to get right."""

    def plays(self, rolls: int) -> None:
        for _ in range(rolls):
            self.rolls += 1
            commit(self.pit, seed(self.rolls))
            self.ann_bets()
            self.ben_bets()
            before, point = dict(self.pit.table.bets.items()), self.pit.table.point
            close(self.pit)
            record_length = len(self.pit.record)
            dice = reveal(self.pit, seed(self.rolls))
            self.notes([one.what for one in self.pit.record[record_length:]], before, dice, point)
            self.in_order()
            self.pit.later(seconds=8)

    def has(self, name: str, wager: str) -> bool:
        return bool(self.pit.table.bets.on(name, wager))

    def tops_up(self, who: str) -> None:
        """Take play money again once it runs low."""
        held = self.pit.balances[player(person(who).name, "play-USD")]
        if held < 500_00:
            self.pit.does(who, c.BuyIn(1_000_00 - held))

    def ann_bets(self) -> None:
        """The pass line, come bets, and all the odds that the table takes; every hundred rolls she rests for ten."""
        if self.rolls % 100 > 90:
            return
        self.tops_up(ANN)
        table = self.pit.table
        if table.point is None and not self.has("ann", "pass-line"):
            bet(self.pit, ANN, "pass-line", amount=10_00)
        if table.point is not None and sum(one.wager == "come" for one in table.bets.of("ann")) < 2:
            bet(self.pit, ANN, "come", amount=10_00)
        for one in [*self.pit.table.bets.of("ann")]:
            odds = odds_of(self.pit.table, one)
            if odds is not None and odds.room >= 1_00:
                bet(self.pit, ANN, odds.wager, amount=odds.room)

    def ben_bets(self) -> None:
        """He lays odds behind don't pass, keeps two place bets, calls one off now and then and takes the other down."""
        self.tops_up(BEN)
        if self.pit.table.point is None and not self.has("ben", "dont-pass"):
            bet(self.pit, BEN, "dont-pass", amount=10_00)
        for wager in ("place/6", "place/8"):
            if not self.has("ben", wager):
                bet(self.pit, BEN, wager, amount=12_00)
        if self.rolls % 7 == 0:
            self.pit.does(BEN, c.TakeDown("place/8"))
        if self.rolls % 11 == 0:
            self.pit.does(BEN, c.CallBets("off" if self.rolls % 2 else "rule", ("place/6",)))

    def notes(self, events: list[Any], before: dict[int, Bet], dice: tuple[int, ...], point: int | None) -> None:
        (rolled,) = [event for event in events if isinstance(event, e.Rolled)]
        self.seen[rolled.call] += 1
        self.seen["travels"] += sum(one.point is not None for one in rolled.bets)
        settled = [event.lines for event in events if isinstance(event, e.LosersCollected | e.WinnersPaid)]
        for line in (line for lines in settled for line in lines):
            self.seen["odds won"] += before[line.bet].wager.startswith("come-odds") and line.net > 0
            self.seen["odds returned"] += line.row == "returned"
            self.seen["stays"] += line.stays
        assert (rolled.call == "seven-out") == (point is not None and sum(dice) == 7)

    def in_order(self) -> None:
        """No stake is lost, and no odds outlive their bet."""
        table = self.pit
        lying = sum(one.amount + one.commission for one in table.table.bets.values())
        assert table.balances.get(escrow("t1"), 0) == lying
        assert sum(table.balances.values()) == 0
        for one in table.table.bets.values():
            tied = table.table.rules.wagers[one.wager].tied
            if tied is not None:
                parents = table.table.bets.on(one.player, tied.parent)
                selection = table.table.rules.wagers[one.wager].selection
                assert any(selection is None or parent.point == int(selection) for parent in parents), one


@pytest.mark.thorough
@pytest.mark.parametrize("book", ["craps", "craps+dice-works"])
def test_a_table_plays_for_hours_with_come_bets_odds_and_players_who_come_and_go(book: str) -> None:
    evening = Evening(book)
    started = evening.pit.now
    evening.plays(500)
    assert evening.pit.now - started >= timedelta(hours=3)
    assert evening.pit.table.round.number == 501
    assert all(evening.seen[what] >= 5 for what in ("seven-out", "travels", "odds won", "odds returned", "stays"))


def test_a_table_waits_while_nobody_has_a_bet_and_goes_on_with_another_shooter() -> None:
    table = open_automatic("craps")
    shooters = set()
    for number in range(200):
        commit(table, seed(number))
        if not table.table.bets:
            table.refused(TUMBLER, c.StartCountdown(), Reason.NOTHING_TO_DO)
            bet(table, ANN if table.table.round.number % 2 else BEN, "pass-line", amount=1_00)
        close(table)
        assert table.table.shooter is not None
        shooters.add(table.table.shooter)
        reveal(table, seed(number))
    assert shooters == {"ann", "ben"}


@pytest.mark.parametrize("book", ["craps", "craps+dice-works", "craps+craps-bonus"])
def test_hands_are_played_by_the_electronic_tumbler(book: str) -> None:
    table = open_automatic(book)
    settled: list[e.Line] = []
    for number in range(60):
        commit(table, seed(number))
        wanted = "pass-line" if table.table.point is None else "come"
        bet(table, ANN, wanted, amount=10_00)
        bet(table, BEN, "place/6", "field", "hard/8", amount=6_00)
        if (
            table.table.bets.on("ann", "pass-line")
            and table.table.point
            and not table.table.bets.on("ann", "pass-line-odds")
        ):
            bet(table, ANN, "pass-line-odds", amount=10_00)
        close(table)
        assert table.table.shooter in ("ann", "ben")
        before = len(table.record)
        reveal(table, seed(number))
        happened = [texts.what for texts in table.record[before:]]
        settled += [
            line for one in happened if isinstance(one, e.LosersCollected | e.WinnersPaid) for line in one.lines
        ]
        lying = sum(one.amount + one.commission for one in table.table.bets.values())
        assert table.balances.get(escrow("t1"), 0) == lying
    assert {"pass-line", "come", "place/6", "field"} <= {line.wager for line in settled}
    assert any(line.stays for line in settled)


def test_bets_that_are_called_off_start_no_countdown() -> None:
    table = open_automatic("craps")
    commit(table)
    bet(table, ANN, "place/6", amount=6_00)
    table.does(ANN, c.CallBets("off"))
    table.refused(TUMBLER, c.StartCountdown(), Reason.NOTHING_TO_DO)
    table.does(ANN, c.CallBets("rule"))
    close(table)
    reveal(table)


def test_staff_do_not_call_bets_at_an_automatic_table() -> None:
    table = open_automatic("craps")
    commit(table)
    bet(table, ANN, "place/6", amount=6_00)
    table.refused("bea the base-dealer", c.CallBets("off", player="ann"), Reason.AUTOMATIC)


@pytest.mark.parametrize("running", [True, False])
def test_the_commitment_starts_the_countdown_only_if_bets_are_still_in_play(running: bool) -> None:
    pit = open_automatic("craps")
    commit(pit)
    bet(pit, ANN, "hard/8" if running else "field")
    close(pit)
    dice = reveal(pit)
    assert sum(dice) not in (7, 8), "no seven and no eight, so that a hardway stays"
    done = commit(pit, seed(1))
    assert (e.CountdownStarted in map(type, done.events)) is running


def test_bets_are_called_until_the_published_close_and_no_later() -> None:
    pit = open_automatic("craps")
    commit(pit)
    bet(pit, ANN, "hard/8")
    pit.does(TUMBLER, c.StartCountdown())
    assert pit.table.automatic is not None
    pit.does(ANN, c.CallBets("on"))
    pit.later(seconds=pit.table.automatic.betting_seconds)
    assert "Too late" in pit.refused(ANN, c.CallBets("off"), Reason.BETTING_CLOSED).says
