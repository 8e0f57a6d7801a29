"""Bugs put into a craps table on purpose: the auditor names the entry for each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace as changed
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from pitbook.audit import audit
from pitbook.audit.report import Finding
from pitbook.engine import settle as engine
from pitbook.engine.progress import Advance, advance
from pitbook.money import Cents, Favour, Odds, Payment, settle_stake
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table import evolve, standing
from pitbook.table.bets import Bets
from pitbook.table.decide import bet_placement, betting, disputes, irregularities, power, rounds, settlement, setup
from pitbook.table.events import BetRolled
from pitbook.table.people import Person
from pitbook.table.state import Table
from pitbook.testing import JournalTable
from tests.audit.handlers import replace_handler
from tests.audit.journals import entries_of, house_at

Script = Callable[[JournalTable], None]
Patch = Callable[[pytest.MonkeyPatch], None]
ANN = Person("ann", "player")
STICK = Person("stick-person-1", "stick-person")


class Bug(NamedTuple):
    """What is played, what is broken, and the auditor's expected finding."""

    script: Script
    patch: Patch
    kind: str
    why: str
    options: Mapping[str, str] = MappingProxyType({})
    book: str = "craps"
    refused: bool = False
    """Whether a table without the bug refuses what is played."""


def found(path: Path, bug: Bug) -> Finding | None:
    """Return what the auditor finds first in a journal."""
    with house_at(path) as house:
        limits = {} if "dice-ology" in bug.book else {"*": c.Limit(1_00, 5_000_00)}
        table = JournalTable(house, bug.book, "t1", options=dict(bug.options), limits=limits)
        table.buy_in("ann", 100_000)
        table.buy_in("ben", 100_000)
        bug.script(table)
    return audit(path).first


# ---------------------------------------------------------------- what is played


def played(words: str) -> Script:
    """Play a hand from words: bets of ann like "come=10", and rolls like "4-2", in their order.

    Other words are acts: "on:place/6", "off:place/6", "down:come@5", "half:buy/4", "power", "withdraw", "no-roll",
    "rail:ann", "shooter".
    """

    def script(table: JournalTable) -> None:
        for word in words.split():
            act, _, what = word.partition(":")
            wager, _, point = what.partition("@")
            if "=" in word:
                table.bet("ann", word)
            elif act in ("on", "off"):
                table.does(ANN, c.CallBets("on" if act == "on" else "off", (what,)))
            elif act == "down":
                table.does(ANN, c.TakeDown(wager, point=int(point) if point else None))
            elif act == "half":
                bet = table.table.bets.on("ann", wager)[0]
                table.does(ANN, c.TakeDown(wager, bet.amount // 2))
            elif act == "power":
                table.call("power-failure")
            elif act == "withdraw":
                table.does(ANN, c.Withdraw())
            elif act == "no-roll":
                table.does(STICK, c.CallNoRoll("a die is in the bowl"))
            elif act == "rail":
                table.does(Person(what, "player"), c.JoinRail())
            elif act == "shooter":
                table.does(STICK, c.NewShooter("ben"))
            else:
                table.play_round(*map(int, word.split("-")))

    return script


def misread(proposer: str, words: str = "field=10 4-5") -> Script:
    """A settled roll was misread: the floorperson approves what someone proposed."""

    def script(table: JournalTable) -> None:
        played(words)(table)
        number = table.table.round.number - 1
        table.does(table.crew[proposer], c.ProposeResettlement(number, (2, 5), "misread"))
        table.does(table.crew["floorperson"], c.ApproveResettlement(number))

    return script


def late(floor: JournalTable) -> None:
    floor.bet("ann", "field=10")
    floor.does(STICK, c.NewShooter("ann"))
    floor.take_steps((4, 5), until="pay winners")
    floor.does(ANN, c.PlaceBets((c.BetRequest("any-seven", 10_00),)))


# ---------------------------------------------------------------- what is broken


def settled(wager: str, net: Callable[[engine.Settlement], int]) -> Patch:
    """Change the net of a wager."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        def wrong(*given: Any) -> engine.Settlement:
            right = engine.settle(*given)
            return changed(right, net=Cents(net(right)), rounding=Fraction(0)) if right.wager == wager else right

        monkeypatch.setattr(settlement, "settle", wrong)

    return patch


def rolled(change: Callable[[Table, int, list[BetRolled]], list[BetRolled]]) -> Patch:
    """Change what a roll does to the bets."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        right = standing.rolled

        def wrong(table: Table, dice: tuple[int, ...]) -> tuple[BetRolled, ...]:
            return tuple(change(table, sum(dice), list(right(table, dice))))

        monkeypatch.setattr(rounds, "rolled", wrong)

    return patch


def without_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    right = standing.rolled

    def wrong(table: Table, dice: tuple[int, ...]) -> tuple[BetRolled, ...]:
        return right(replace(table, bets=Bets(replace(bet, called=None) for bet in table.bets.values())), dice)

    monkeypatch.setattr(rounds, "rolled", wrong)


def also(wager: str, row: str, when: Callable[[Table, int], bool]) -> Patch:
    """Let bets on a wager reach a row on unrelated rolls."""

    def change(table: Table, total: int, right: list[BetRolled]) -> list[BetRolled]:
        if not when(table, total):
            return right
        wrong = {bet.id: BetRolled(bet.id, row) for bet in table.bets.values() if bet.wager == wager}
        both = {one.bet: one for one in right} | wrong
        return [both[number] for number in sorted(both)]

    return rolled(change)


def returns(module: Any, name: str, value: Any) -> Patch:
    """Make a check pass, or an amount zero."""
    return lambda monkeypatch: monkeypatch.setattr(module, name, lambda *_given, **_named: value)


def rounded(favour: Favour | None = None, unit: int | None = None) -> Patch:
    """Change how payments are rounded."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        def wrong(stake: Cents, odds: Odds, by_book: Favour, to: int) -> Payment:
            return settle_stake(stake, odds, favour or by_book, unit or to)

        monkeypatch.setattr(engine, "settle_stake", wrong)

    return patch


def reached(wager: str, row: str, when: Callable[[Advance], bool]) -> Patch:
    """Change the row that the area of a side bet reaches."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        def wrong(*given: Any) -> Advance:
            right = advance(*given)
            return changed(right, ended={**right.ended, wager: row}) if when(right) else right

        monkeypatch.setattr(evolve, "advance", wrong)

    return patch


def stakes_returned_too(monkeypatch: pytest.MonkeyPatch) -> None:
    right = settlement.moves
    monkeypatch.setattr(settlement, "moves", lambda draft, line: right(draft, replace(line, stays=False)))


def layout_reversed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = settlement._areas
    monkeypatch.setattr(settlement, "_areas", lambda table: right(table)[::-1])


def own_bets_dark(monkeypatch: pytest.MonkeyPatch) -> None:
    right = rounds._won

    def wrong(draft: Any) -> tuple[str, ...]:
        return tuple(area for area in right(draft) if not draft.rules.wagers[area].own_state)

    monkeypatch.setattr(rounds, "_won", wrong)


def lit_where_it_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "area_of", lambda _table, bet: bet.wager)


def anybody_shoots(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_handler(monkeypatch, c.NewShooter, lambda draft, command: draft.emit(e.ShooterNamed(command.shooter)))


def cancelled_without_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_handler(monkeypatch, c.CallNoRoll, lambda draft, command: irregularities.cancel_roll(draft, command.words))


def approved_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disputes, "check_proposal", lambda draft, _command: draft.table.proposal)


def still_the_last_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disputes, "check_last_roll", lambda draft, _number: draft.table.before_roll)


def travelled_to_the_shooters_point(table: Table, _total: int, right: list[BetRolled]) -> list[BetRolled]:
    return [replace(one, point=table.point) if one.point is not None else one for one in right]


def lost_on_the_way(_table: Table, _total: int, right: list[BetRolled]) -> list[BetRolled]:
    return [BetRolled(one.bet, "lose") if one.point is not None else one for one in right]


def opened_as(change: Callable[[c.Setup], c.Setup]) -> Patch:
    """Record a table's books differently from how they were read."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        def wrong(draft: Any, command: c.OpenTable) -> None:
            setup.open_table(draft, command)
            draft.events = [
                replace(one, setup=change(one.setup)) if isinstance(one, e.TableOpened) else one for one in draft.events
            ]

        replace_handler(monkeypatch, c.OpenTable, wrong)

    return patch


def other_text(setup: c.Setup) -> c.Setup:
    """Return a set-up in which the side book has another text."""
    base, side = setup.books
    return replace(setup, books=(base, replace(side, text="0" * 64)))


def everything_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "areas_to_mark", lambda table, _step: table.round.placed)


TOGETHER = "craps+dice-ology"
POINT = "pass-line=10 4-2"
COME = f"{POINT} come=10 4-1"
BUGS: dict[str, Bug] = {
    # -- what is paid
    "a place bet is paid too much": Bug(
        played("4-2 place/8=12 5-3"), settled("place/8", lambda s: s.net + 1),
        "WinnersPaid", "net is 1401 but should be"
    ),
    "odds are paid 1 to 1": Bug(
        played(f"{POINT} pass-line-odds=20 5-1"), settled("pass-line-odds", lambda s: s.stake),
        "WinnersPaid", "net is 2000 but should be 2400",
    ),
    "the commission is forgotten": Bug(
        played("4-2 buy/4=20 3-1"), settled("buy/4", lambda s: s.stake * 2),
        "WinnersPaid", "net is 4000 but should be 3900",
    ),
    "the commission is taken twice": Bug(
        played("4-2 buy/4=20 3-1"), settled("buy/4", lambda s: s.stake * 2 - 2_00),
        "WinnersPaid", "net is 3800 but should be 3900",
    ),
    "a commission on a lay bet is that of the bet": Bug(
        played("4-2 lay/4=20 3-4"), settled("lay/4", lambda s: s.stake // 2 - 1_00),
        "WinnersPaid", "net is 900 but should be 950",
    ),
    "a payment is rounded up": Bug(
        played("4-2 place/8=5 5-3"), rounded(favour=Favour.PLAYER), "WinnersPaid", "net is 584 but should be 583"
    ),
    "the smallest chip is ignored": Bug(
        played("4-2 place/8=5 5-3"), rounded(unit=1),
        "WinnersPaid", "net is 583 but should be 500", {"rounding": "chip"}
    ),
    "a horn is paid as if all of it lay on one number": Bug(
        played("horn=4 1-1"), settled("horn", lambda s: s.stake * 30), "WinnersPaid", "net is 12000 but should be 2700"
    ),
    "a world bet loses on a seven": Bug(
        played("world=5 3-4"), settled("world", lambda s: -s.stake), "LosersCollected", "WinnersPaid must come next"
    ),
    "a hop of two faces is paid like a pair": Bug(
        played("hop/1-2=1 1-2"), settled("hop/1-2", lambda _s: 30_00), "WinnersPaid", "net is 3000 but should be 1500"
    ),
    "twelve in the field is paid once": Bug(
        played("field=10 6-6"), settled("field", lambda s: s.stake), "WinnersPaid", "net is 1000 but should be 3000",
        {"field-12": "triple"},
    ),
    # -- what a roll does
    "a come bet does not travel": Bug(
        played(COME), rolled(lambda _t, _total, right: [one for one in right if one.point is None]),
        "Rolled", "bet 2 (come, ann) travels to 5 on this roll, but the record does not say so",
    ),
    "a come bet travels to the shooter's point": Bug(
        played(COME), rolled(travelled_to_the_shooters_point), "Rolled", "travels to 6 on this roll"
    ),
    "a stake is lost on its way to the number": Bug(
        played(COME), rolled(lost_on_the_way), "Rolled", "but should be one that travels to 5"
    ),
    "a come bet is paid on the shooter's point": Bug(
        played(f"{COME} 5-1"), also("come", "win", lambda table, total: total == table.point and total == 6),
        "Rolled", 'bet 2 (come, ann) reaches the row "win" on this roll, but should be one that is not decided',
    ),
    "a place bet works on the come-out roll": Bug(
        played("place/6=12 3-4"), also("place/6", "lose", lambda table, total: table.point is None and total == 7),
        "Rolled", 'bet 1 (place/6, ann) reaches the row "lose" on this roll, but should be one that is not decided',
    ),
    "a call on is ignored": Bug(
        played("place/6=12 on:place/6 3-4"), without_calls, "Rolled", 'bet 1 (place/6, ann) reaches the row "lose"'
    ),
    "a call off is ignored": Bug(
        played("4-1 place/6=12 off:place/6 3-4"), without_calls, "Rolled", "but should be one that is not decided"
    ),
    "odds outlive the bet that they stand behind": Bug(
        played(f"{COME} come-odds/5=20 5-1 3-4"),
        rolled(lambda _t, _total, right: [one for one in right if one.row != "returned"]),
        "Rolled", 'bet 3 (come-odds/5, ann) reaches the row "returned"',
    ),
    "a twelve wins for the don't pass": Bug(
        played("dont-pass=10 6-6"), also("dont-pass", "win", lambda _table, total: total == 12),
        "Rolled", 'reaches the row "win" on this roll, but should be one that reaches the row "push"',
    ),
    "a hardway survives its total the easy way": Bug(
        played("4-1 hard/6=5 4-2"), rolled(lambda _t, _total, _right: []),
        "Rolled", 'bet 1 (hard/6, ann) reaches the row "lose"',
    ),
    "a bet that wins does not stay up": Bug(
        played("4-1 place/6=12 4-2"), rolled(lambda _t, _total, right: [replace(one, stays=False) for one in right]),
        "Rolled", 'reaches the row "win" on this roll, but should be one that reaches the row "win" and stays up',
    ),
    "the stake of a bet that stays up is given back": Bug(
        played("4-1 place/6=12 4-2"), stakes_returned_too, "WinnersPaid", "the money moved is"
    ),
    "the lit areas leave out bets with a state of their own": Bug(
        played(f"{POINT} 5-1"), own_bets_dark, "Illuminated", "too many areas were lit: ; too few: pass-line"
    ),
    "a bet that has travelled lights the area on which it was made": Bug(
        played("4-2 come=10 4-1 4-1"), lit_where_it_was_made,
        "Illuminated", "too many areas were lit: come; too few: come-odds/5",
    ),
    "losers are collected from the end of the layout": Bug(
        played("pass-line=10 4-2 any-craps=5 hard/8=5 3-4"), layout_reversed,
        "LosersCollected", "comes later on the layout",
    ),
    # -- what is bet
    "odds are over their multiple": Bug(
        played(f"{POINT} pass-line-odds=51"), returns(bet_placement, "bet_refused", None), "BetPlaced",
        "pass-line-odds can't be bet now: 5100 is more than 5000", refused=True,
    ),
    "laid odds win more than the multiple": Bug(
        played("dont-pass=10 1-3 dont-pass-odds=61"), returns(bet_placement, "bet_refused", None), "BetPlaced",
        "6100 is more than 6000, the maximum behind 1000 on the dont-pass with a point of 4 (clauses 4.4, 4.5)",
        refused=True,
    ),
    "odds are taken without a bet": Bug(
        played("4-2 pass-line-odds=10"), returns(bet_placement, "bet_refused", None), "BetPlaced",
        "ann has no pass-line bet on 6 to place it behind", refused=True,
    ),
    "a don't pass is made with a point on": Bug(
        played("4-2 dont-pass=10"), returns(bet_placement, "window_closed", None), "BetPlaced",
        "it can be bet only before a come-out roll, but the point is 6", refused=True,
    ),
    "a come bet is made before a come-out roll": Bug(
        played("come=10"), returns(bet_placement, "window_closed", None), "BetPlaced",
        "it can be bet only while the point is on", refused=True,
    ),
    "a running bet is made again and not raised": Bug(
        played("4-1 place/6=12 4-4 place/6=6"), returns(bet_placement, "find_raisable", None), "BetPlaced",
        "ann already has bet 1 on place/6, which was not raised",
    ),
    "a bet is made after the roll": Bug(
        late, returns(betting, "betting_open", True), "BetPlaced", "a bet was made while betting was", refused=True
    ),
    "the commission is not paid with the bet": Bug(
        played("buy/4=20"), returns(bet_placement, "commission_on", 0), "BetPlaced",
        "the commission paid with bet 1 is 0, but should be 100", {"commission": "when-bet"},
    ),
    # -- what is taken down and called
    "a pass line bet is taken down after the point": Bug(
        played(f"{POINT} down:pass-line"), returns(betting, "take_down_refused", None), "BetTakenDown",
        "bet 1 (pass-line, ann) was taken down: it is on a point of 6 (clause 2.2)", refused=True,
    ),
    "a come bet is taken down from its number": Bug(
        played(f"{COME} down:come@5"), returns(betting, "take_down_refused", None), "BetTakenDown",
        "it is on a point of 5 (clause 3.4)", refused=True,
    ),
    "odds stay behind a bet that was taken down": Bug(
        played("dont-pass=10 4-2 dont-pass-odds=12 down:dont-pass 4-4"), returns(betting, "excess_odds", []),
        "StepTaken", "BetTakenDown must come next",
    ),
    "odds stay behind half of a bet": Bug(
        played("dont-pass=10 4-2 dont-pass-odds=60 half:dont-pass 4-4"), returns(betting, "excess_odds", []),
        "StepTaken", "BetTakenDown must come next",
    ),
    "the commission of a bet that is taken down is kept": Bug(
        played("buy/4=20 half:buy/4"), returns(betting, "commission_on", 1_00), "BetTakenDown",
        "0 of the commission on bet 1 was returned, but it should be 50", {"commission": "when-bet"},
    ),
    "a pass line bet is called off": Bug(
        played(f"{POINT} off:pass-line"), returns(betting, "call_refused", None), "BetsCalled",
        "bet 1 was called off, but pass-line can't be", refused=True,
    ),
    # -- shooters and irregularities
    "the dice go to a second shooter": Bug(
        played("4-2 shooter"), anybody_shoots, "ShooterNamed", "ann has the dice", refused=True
    ),
    "the dice do not go clockwise": Bug(
        played("rail:ann rail:ben shooter"), anybody_shoots, "ShooterNamed",
        "the next shooter clockwise was ann, not ben", refused=True,
    ),
    "a shooter has no line bet": Bug(
        played("field=5 4-2"), returns(rounds, "_check_line_bet", None), "StepTaken",
        "ann threw a come-out roll without a bet on pass-line or dont-pass (clause 10.7)", {"line-bet": "on"},
        refused=True,
    ),
    "a roll is cancelled that nobody called": Bug(
        played("4-2 no-roll"), cancelled_without_a_call, "RollCancelled", "although nobody had called no-roll"
    ),
    "what was added since the roll is not withdrawn": Bug(
        played("4-1 place/6=12 4-4 place/6=6 place/8=6 power withdraw"), returns(power, "added_since", ()),
        "PlayerWithdrew", "the parts [] of running bets were returned",
    ),
    # -- a roll that was misread
    "one person settles a roll again": Bug(
        misread("floorperson"), approved_alone, "DiceCorrected", "floorperson-1 also proposed it", refused=True
    ),
    "a settled roll is put right, and its money stays": Bug(
        misread("stick-person"), returns(disputes, "reversal", []), "DiceCorrected", "the money moved is none"
    ),
    "a roll is settled again of which a bet was taken down": Bug(
        misread("stick-person", "4-1 place/6=12 4-2 down:place/6"), still_the_last_roll, "ResettlementProposed",
        "ann's place/6 took part in the roll, but has been taken down or called on or off since", refused=True,
    ),
    # -- side bets
    "the Fire Bet counts a point twice": Bug(
        played("fire-bet=5 2-2 2-2 2-2 2-2 4-1 4-1 4-2 4-2 2-2 3-4"),
        reached("fire-bet", "4 points", lambda right: "fire-bet" in right.ended),
        "Illuminated", "too many areas were lit: fire-bet", book="craps-bonus",
    ),
    "a Repeater is won one time too early": Bug(
        played("repeater/3=5 1-2 1-2"),
        reached("repeater/3", "win", lambda right: right.progress.areas["repeater/3"].state == 2),
        "Illuminated", "too many areas were lit: repeater/3", book="craps-bonus",
    ),
    # -- several books on one hand
    "the books of a table are recorded in another order": Bug(
        played("4-2"), opened_as(lambda setup: replace(setup, books=setup.books[::-1])), "TableOpened",
        "the table is run under craps+dice-ology, but its books are dice-ology+craps", book=TOGETHER,
    ),
    "the books of a table have another digest together": Bug(
        played("4-2"), opened_as(lambda setup: replace(setup, digest="f" * 64)), "TableOpened",
        "the digest of craps+dice-ology is ffff", book=TOGETHER,
    ),
    "the text of a side book is not the one that was read": Bug(
        played("4-2"), opened_as(other_text), "TableOpened",
        "the text of the book dice-ology in the journal is not the one that was recorded", book=TOGETHER,
    ),
    "lammers of one book are placed in the step of another": Bug(
        played("4-2"), everything_marked, "StepTaken", "lammers in step dice-works-mark",
        book="craps+dice-works+dice-ology",
    ),
    "a side bet counts as confirmed without having been repeated": Bug(
        played("little-ones=5 4-2"), returns(bet_placement, "_confirmed", True), "BetPlaced",
        "a bet counts as confirmed although it was not repeated aloud", book=TOGETHER, refused=True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BUGS)
def test_a_bug_at_craps_is_caught_at_the_entry_where_it_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bug = BUGS[name]
    if not bug.refused:
        assert found(tmp_path / "right.db", bug) is None
    bug.patch(monkeypatch)
    finding = found(tmp_path / "wrong.db", bug)
    assert finding is not None, "the bug was not caught"
    assert (finding.kind, bug.why in finding.why) == (bug.kind, True), str(finding)
    assert finding.sequence in entries_of(tmp_path / "wrong.db", bug.kind)
