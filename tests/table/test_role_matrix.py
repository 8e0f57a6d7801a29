"""Rights at a table: `decide` is called for every role, every command and every phase.

The answers are in role_matrix.md, for people to read; `--update` rewrites it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.rulebooks.catalogue import PACKAGED, load
from pitbook.table import commands as c
from pitbook.table import decide as deciding
from pitbook.table.checklists import points_of
from pitbook.table.decide import HANDLERS, Context, decide
from pitbook.table.decide.rights import BY_THE_BOOK, MANAGERS, PLAYERS, STAFF, SUPERVISORS, TUMBLERS
from pitbook.table.people import AUDITOR, MANAGER, Person
from pitbook.table.refusals import Reason, Refusal
from pitbook.table.state import Table, betting_open, phase
from tests.table import craps, sic_bo
from tests.table.driving import DrivenTable

MATRIX = Path(__file__).parent / "role_matrix.md"
STRANGER = "passer-by"
DENIED, NOT_NOW = "", "·"
BOOKS = (*PACKAGED, "craps")

PHASES = {
    "X": "the table is closed",
    "N": "nothing done and nothing bet",
    "B": "bets lie out, betting is open",
    "T": "the dice have been thrown and are covered; at craps, a roll is to be marked",
    "C": "betting is closed",
    "R": "the dice are seen; at craps, a win is to be paid",
    "S": "settling; at craps, after a losing seven",
    "A": "a round is over, one is disputed, one was misread",
    "P": "the power or a device has failed",
}


# ---------------------------------------------------------------- tables in every phase


@cache
def moments(book: str) -> dict[str, list[DrivenTable]]:
    """Tables of the book in each phase that it has: one before every step that a phase leaves to be taken."""
    made = _base_game() if book == "craps" else _craps(book) if _is_craps(book) else _sic_bo(book)
    return {letter: made[letter] for letter in PHASES if made.get(letter)}


def _sic_bo(book: str) -> dict[str, list[DrivenTable]]:
    letters = {"betting": "B", "thrown": "T", "closed": "C", "revealed": "R", "settling": "S"}
    made: dict[str, list[DrivenTable]] = {letter: [] for letter in PHASES}
    order = sic_bo.packaged(book).order

    def at(step: str | None) -> sic_bo.SicBoTable:
        table = sic_bo.packaged(book)
        table.bet(sic_bo.ANN, "small=10")
        if step:
            table.go(step)
        return table

    for step in (None, *order[:-1]):
        table = at(step)
        made[letters[phase(table.table)]].append(table)
    shut, over, failed = sic_bo.packaged(book), at(order[-1]), at("close")
    shut.does(sic_bo.BOSS, c.CloseTable())
    over.does(sic_bo.ANN, c.Dispute(1, "unfair"))
    over.bet(sic_bo.ANN, "small=10")
    over.go(order[-1])
    over.does(sic_bo.DEALER, c.ProposeResettlement(2, (4, 5, 6), "misread"))
    known = failed.table.rules.irregularities
    name = next(name for name in ("power-failure-before", "device-malfunction") if name in known)
    present = tuple(Person("sue", role) for role in known[name].presence)
    failed.does(sic_bo.DEALER, c.Call(name, "", present))
    return made | {"X": [shut], "N": [sic_bo.packaged(book)], "A": [over], "P": [failed]}


def _is_craps(book: str) -> bool:
    return load(book).identity.game == "craps"


def _base_game() -> dict[str, list[DrivenTable]]:
    def at(totals: str = "", last: int = 0, steps: int = 0, more: str = "") -> craps.CrapsTable:
        table = craps.craps_table("craps")
        table.does("ann the player", craps.placed("big/6=5"))
        table.rolls(totals)
        if more:
            table.bet("ann", more)
        if last:
            table.roll(last)
            table.finish(steps) if steps else None
        return table

    shut, over, failed = craps.craps_table("craps"), at("4 6"), at()
    shut.does(craps.BOSS, c.CloseTable())
    over.does("ann the player", c.Dispute(1, "unfair"))
    failed.does(craps.BASE, c.Call("power-failure"))
    placed = at("4", more="place/8=6")
    return {
        "X": [shut],
        "N": [craps.craps_table("craps")],
        "B": [at(), placed],
        "R": [at("4", 6)],
        "S": [at("4", 7), at("4", 6, 1, more="field=5")],
        "A": [over, _misread(at("4 6"))],
        "P": [failed],
    }


def _misread(table: craps.CrapsTable) -> craps.CrapsTable:
    table.does(craps.STICK, c.ProposeResettlement(2, (4, 4), "an eight"))
    return table


def _craps(book: str) -> dict[str, list[DrivenTable]]:
    area = "little-ones" if book == "dice-ology" else "all-lows"

    def at(totals: str = "", last: int = 0, steps: int = 0) -> craps.CrapsTable:
        table = craps.craps_table(book)
        table.does("ann the player", craps.placed(f"{area}=5"))
        if totals:
            if book == "dice-ology":
                table.does(craps.BASE, c.ConfirmBets())
            table.rolls(totals)
        if last:
            table.roll(last)
        for _ in range(steps):
            table.finish(1)
        return table

    shut, over, failed = craps.craps_table(book), at("2 4 7"), at()
    shut.does(craps.BOSS, c.CloseTable())
    over.does("ann the player", c.Dispute(1, "unfair"))
    failed.does(craps.BASE, c.Call("power-failure"))
    won = [at("2 3 4 5", 6, steps) for steps in (1, 2)]
    lost = [at("4", 7, steps) for steps in (0, 1)]
    return {
        "X": [shut],
        "N": [craps.craps_table(book)],
        "B": [at()],
        "T": [at("2 3", 4)],
        "R": [table for table in won if table.table.round.done],
        "S": [table for table in lost if table.table.round.done],
        "A": [over],
        "P": [failed],
    }


# ---------------------------------------------------------------- what each role asks


def commands_of_role(table: Table, role: str) -> Iterator[tuple[str, c.Command]]:
    """Every command, as someone in this role would best give it at this table."""
    rules = table.rules
    assert table.setup is not None
    own = role in ("player", "shooter")
    player = None if own else "ann"
    top = max(rules.roles, key=lambda name: rules.roles[name].rank)
    others = [name for name, found in rules.roles.items() if found.rank > 1]
    second = Person("zoe", next((name for name in others if name != role), top))
    present = tuple(Person(f"present {name}", name) for name in others)
    bet = next(iter(table.bets.values()), None)
    wager = bet.wager if bet else next(iter(rules.wagers))
    other = next(name for name in rules.wagers if name != wager)
    dice = (1, 2, 3)[: rules.dice]
    last = table.history[-1].number if table.history else 1
    yield "OpenTable", c.OpenTable(table.setup)
    yield "ChangeSetup", c.ChangeSetup(msgspec.structs.replace(table.setup, payout_max=10_000_00))
    yield "CloseTable", c.CloseTable()
    yield "StartDay", c.StartDay("tomorrow")
    yield "CorrectClock", c.CorrectClock("the battery was empty")
    yield "StartShift", c.StartShift("night")
    yield "PutDice", c.PutDice("another set")
    yield "TakeOutDice", c.TakeOutDice(table.dice.set if table.dice else "set 1", "worn")
    for name, thing in rules.equipment.items():
        if thing.requires:
            yield f"CheckEquipment {name}", c.CheckEquipment(name, (True,) * len(points_of(table, name)))
    for name, inspection in rules.inspections.items():
        lit = illuminate(rules, Roll.of(*dice))
        yield f"Inspect {name}", c.Inspect(name, dice, lit, inspection.times)
    yield "TakeOver", c.TakeOver()
    yield "LeaveTable", c.LeaveTable()
    yield "PutAwayShaker", c.PutAwayShaker("removed", dice_removed=True)
    yield "UseShaker", c.UseShaker("automated" if table.shaker == "manual" else "manual")
    yield "Repair", c.Repair(next(iter(table.failed), "electrical-device"))
    yield "BuyIn", c.BuyIn(100_00, player)
    yield "CashOut", c.CashOut(1_00, player)
    yield "PlaceBets", c.PlaceBets((c.BetRequest(other, 5_00),), player)
    yield "TakeDown", c.TakeDown(wager, player=player)
    yield "MoveBet", c.MoveBet(wager, other, player=player)
    yield "CallBets", c.CallBets("on", player=player)
    yield "ConfirmBets", c.ConfirmBets()
    yield "RecordFound", c.RecordFound("ann", other, 600_00, late=not betting_open(table))
    for step in rules.procedure.round:
        if step.act in ("take bets", "confirm bet", "place tip", "re-bet"):
            continue
        seen = dice if step.act in ("announce dice", "enter dice", "roll") else ()
        director = Person("sid", step.directed_by[0]) if step.directed_by else None
        yield f"TakeStep {step.id}", c.TakeStep(step.id, seen, 3, directed_by=director, confirmed_by=second)
    yield "CorrectDice", c.CorrectDice((4, 5, 6)[: rules.dice], "misread")
    for name in rules.irregularities:
        wagers = (bet.id,) if bet and rules.irregularities[name].remedy == "supervisor decides" else ()
        yield f"Call {name}", c.Call(name, "seen", present, wagers)
    yield "Withdraw", c.Withdraw(player)
    yield "Resume", c.Resume()
    yield "RuleOnBet", c.RuleOnBet(bet.id if bet else 1, None, "seen")
    yield "RuleInWords", c.RuleInWords("play goes on")
    yield "NewShooter", c.NewShooter("ben")
    yield "PassDice", c.PassDice()
    yield "JoinRail", c.JoinRail(player)
    yield "LeaveRail", c.LeaveRail(player)
    yield "RefuseDice", c.RefuseDice(player)
    yield "CallNoRoll", c.CallNoRoll("a die left the table")
    yield "Dispute", c.Dispute(last, "unfair")
    yield "SettleDispute", c.SettleDispute(1, "seen")
    yield "ProposeResettlement", c.ProposeResettlement(last, (4, 5, 6)[: rules.dice], "misread")
    yield "ApproveResettlement", c.ApproveResettlement(last)
    yield "Count", c.Count("closing", 0, second)
    yield "Fill", c.Fill(1_00, second)
    yield "Credit", c.Credit(1_00, second)
    yield "CollectDrop", c.CollectDrop(second)
    yield "CommitSeed", c.CommitSeed("0" * 64, "sealed", 1)
    yield "StartCountdown", c.StartCountdown()
    yield "GiveNonce", c.GiveNonce("luck")
    yield "CloseBetting", c.CloseBetting()
    yield "RevealSeed", c.RevealSeed("0" * 64)
    yield "ReportTumbler", c.ReportTumbler("broken")
    yield "Pause", c.Pause("a call")
    yield "Unpause", c.Unpause()
    yield "ProposeVoid", c.ProposeVoid("broken")
    yield "ApproveVoid", c.ApproveVoid(last)


@cache
def answers(book: str, role: str) -> dict[str, dict[str, Reason | None]]:
    """Per command and phase: None where it is carried out at some moment of it, else why not."""
    found: dict[str, dict[str, Reason | None]] = {}
    name = "ann" if role in ("player", "shooter") else role
    for letter, pits in moments(book).items():
        for table in pits:
            for label, command in commands_of_role(table.table, role):
                answerable = isinstance(command, c.TakeStep) and role == "dealer"
                person = Person(table.table.dealer or name if answerable else name, role)
                context = Context(person, table.now.isoformat(), table.balances, register=table.register)
                outcome = decide(table.table, command, context)
                if not isinstance(outcome, Refusal):
                    found.setdefault(label, {})[letter] = None
                elif outcome.why is not Reason.TABLE_NOT_OPEN:
                    found.setdefault(label, {}).setdefault(letter, outcome.why)
    return found


def roles(book: str) -> list[str]:
    """The book's roles, the house's, and someone without a role."""
    return [*moments(book)["N"][0].table.rules.roles, MANAGER, AUDITOR, STRANGER]


def cell(by_phase: dict[str, Reason | None]) -> str:
    """The phases in which it is carried out; a dot where it never is, for other reasons than the role."""
    if all(why in (Reason.WRONG_ROLE, Reason.UNKNOWN_COMMAND) for why in by_phase.values()):
        return DENIED
    return "".join(letter for letter, why in by_phase.items() if why is None) or NOT_NOW


def matrix() -> str:
    """The whole page."""
    lines = [
        "# Who may do what, and when",
        "",
        "Made by asking `decide` about every role, every command and every phase of a table under each book",
        "(`tests/table/test_role_matrix.py`). The letters say in which phases a command is carried out; a dot: the",
        "role may ask, but none of these phases is the time for it; nothing: the role may not.",
        "",
        *(f"- {letter}: {says}" for letter, says in PHASES.items()),
    ]
    for book in BOOKS:
        lines += ["", f"## {book}", "", *_section(book)]
    return "\n".join(lines) + "\n"


def _section(book: str) -> list[str]:
    table = {role: answers(book, role) for role in roles(book)}
    labels = list(next(iter(table.values())))
    foreign = [label for label in labels if not any(_known(by_label[label]) for by_label in table.values())]
    rows = [[label, *(cell(table[role][label]) for role in table)] for label in labels if label not in foreign]
    head = ["", *table]
    widths = [max(len(row[place]) for row in [head, *rows]) for place in range(len(head))]
    ruler = ["-" * width for width in widths]
    lines = [_row(row, widths) for row in (head, ruler, *rows)]
    return [*lines, "", f"Not in this book: {', '.join(foreign)}."] if foreign else lines


def _known(by_phase: dict[str, Reason | None]) -> bool:
    """Whether the book knows what was asked."""
    return any(why not in (Reason.WRONG_ROLE, Reason.NOT_IN_THE_BOOK, Reason.AUTOMATIC) for why in by_phase.values())


def _row(cells: list[str], widths: list[int]) -> str:
    return "| " + " | ".join(text.ljust(width) for text, width in zip(cells, widths, strict=True)) + " |"


# ---------------------------------------------------------------- tests


def test_the_role_matrix_is_the_one_on_paper(update: bool) -> None:
    now = matrix()
    if update:
        MATRIX.write_text(now, encoding="utf-8")
    assert MATRIX.read_text(encoding="utf-8") == now, "read the difference, then run this test with --update"


def test_every_command_is_in_the_matrix() -> None:
    tables = [moments(book)["N"][0].table for book in BOOKS]
    assert {type(command) for table in tables for _, command in commands_of_role(table, MANAGER)} == set(c.COMMANDS)


@pytest.mark.parametrize("book", BOOKS)
def test_every_step_and_every_irregularity_of_the_book_is_somebodys_at_some_time(book: str) -> None:
    never = [
        label
        for label in answers(book, MANAGER)
        if label.startswith("TakeStep") and not any(cell(answers(book, role)[label]).isalpha() for role in roles(book))
    ]
    round_steps = moments(book)["N"][0].table.rules.procedure.round
    sometimes = {f"TakeStep {step.id}" for step in round_steps if step.shaker or step.only_after}
    assert set(never) <= {*sometimes, "TakeStep illuminate"}, "the device lights up automatically"


@pytest.mark.parametrize("book", BOOKS)
def test_a_role_that_may_not_may_not_in_any_phase(book: str) -> None:
    for role in roles(book):
        for label, by_phase in answers(book, role).items():
            denied = {why is Reason.WRONG_ROLE for why in by_phase.values()}
            assert len(denied) == 1, (role, label, by_phase)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("role", [AUDITOR, STRANGER])
def test_auditors_and_strangers_do_nothing_at_a_table(book: str, role: str) -> None:
    for label, by_phase in answers(book, role).items():
        assert set(by_phase.values()) == {Reason.WRONG_ROLE}, label


@pytest.mark.parametrize("book", BOOKS)
def test_players_bet_and_roll_and_do_nothing_else(book: str) -> None:
    for role in ("player", "shooter") if _is_craps(book) else ("player",):
        done = {label for label, by_phase in answers(book, role).items() if None in by_phase.values()}
        assert done <= {*(kind.__name__ for kind in PLAYERS), "TakeStep roll"}


def test_every_command_has_a_handler_and_stands_in_one_list_of_rights() -> None:
    lists = (MANAGERS, SUPERVISORS, STAFF, PLAYERS, BY_THE_BOOK, TUMBLERS)
    assert set(HANDLERS) == set(c.COMMANDS)
    assert sorted(kind.__name__ for names in lists for kind in names) == sorted(kind.__name__ for kind in c.COMMANDS)


class Sweep(c.Command, frozen=True):
    """A command that nobody has thought about yet."""


@pytest.mark.parametrize("book", BOOKS)
def test_a_new_command_is_denied_to_everyone(book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def sweep(_draft: object, _command: object) -> None:
        raise AssertionError("nobody may get here")

    handlers: dict[type[c.Command], Callable[..., None]] = {**HANDLERS}
    taught: dict[type[c.Command], Callable[..., None]] = {**HANDLERS, Sweep: sweep}
    for known in (handlers, taught):
        monkeypatch.setattr(deciding, "HANDLERS", known)
        for table in (table for pits in moments(book).values() for table in pits):
            for role in roles(book):
                outcome = decide(
                    table.table, Sweep(), Context(Person("eve", role), table.now.isoformat(), table.balances)
                )
                assert isinstance(outcome, Refusal)
                assert outcome.why in (Reason.UNKNOWN_COMMAND, Reason.WRONG_ROLE, Reason.TABLE_NOT_OPEN)
