"""Checks of the table that are switched off one at a time: the auditor names the entry, the person and the rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pitbook.audit import audit
from pitbook.audit.replay import HANDLERS
from pitbook.audit.report import Finding
from pitbook.audit.roles import RULES
from pitbook.house.house import House
from pitbook.journal.entries import Entry
from pitbook.people import commands as p
from pitbook.people.values import Grant
from pitbook.server.demo import create_demo
from pitbook.table import commands as c
from pitbook.table import decide as deciding
from pitbook.table import events as e
from pitbook.table.decide import (
    automatic,
    betting,
    dealers,
    disputes,
    inspections,
    inventory,
    irregularities,
    rounds,
    rulings,
    setup,
)
from pitbook.table.people import ELECTRONIC_TUMBLER, Person
from pitbook.testing import MANAGER, JournalTable
from tests.audit.handlers import replace_handler
from tests.audit.journals import enrol, house_at
from tests.audit.test_automatic import Robot
from tests.audit.test_tampering import forged, place

MASSACHUSETTS, MARYLAND, SINGAPORE = "massachusetts-sic-bo", "maryland-sic-bo", "singapore-mbs-sic-bo-v6"
OLOGY, WORKS = "dice-ology", "dice-works"

Patch = Callable[[pytest.MonkeyPatch], None]


def off(module: Any, name: str, result: Any = None) -> Patch:
    """Disable a check."""
    return lambda monkeypatch: monkeypatch.setattr(module, name, lambda *_a, **_k: result)


def instead(command: type[c.Command], handler: Callable[[Any, Any], None]) -> Patch:
    """Replace a command's handler by one that omits a check."""
    return lambda monkeypatch: replace_handler(monkeypatch, command, handler)


@dataclass(frozen=True)
class Bug:
    """A disabled check, and an act that the table would otherwise refuse."""

    book: str
    patch: Patch
    who: Person
    act: c.Command | Callable[[JournalTable], c.Command]
    kind: str
    about: str
    says: str
    before: Callable[[JournalTable], None] = field(default=lambda _floor: None)
    refused: bool = True
    """Whether the table, as it is, refuses the act; otherwise it does it in another way."""


# ---------------------------------------------------------------- what happens before


def bets_lie(floor: JournalTable) -> None:
    floor.buy_in("ann", 100_000)
    floor.open_betting()
    floor.bet("ann", "small=10")


def closed(floor: JournalTable) -> None:
    bets_lie(floor)
    floor.take_steps(until="shake")


def reveal_dice(floor: JournalTable) -> None:
    bets_lie(floor)
    floor.take_steps((1, 2, 3), until="announce dice")


def before_the_close(floor: JournalTable) -> None:
    bets_lie(floor)
    floor.take_steps(until="close betting")


def settled(floor: JournalTable) -> None:
    bets_lie(floor)
    floor.play_round(1, 2, 3)


def misread(floor: JournalTable) -> None:
    settled(floor)
    floor.does(SUPERVISOR, c.ProposeResettlement(1, (4, 5, 6), "misread"))


def referred(floor: JournalTable) -> None:
    floor.does(floor.crew["dealer"], c.Call("not-covered", "a cat"))


def tumbled_twice(floor: JournalTable) -> None:
    bets_lie(floor)
    floor.does(floor.crew["dealer"], c.TakeStep("tumble", shakes=2))


def power_failed(floor: JournalTable) -> None:
    bets_lie(floor)
    floor.does(floor.crew["dealer"], c.Call("power-failure-before"))


def device_failed(floor: JournalTable) -> None:
    """Call a failure with the same person as caller and only witness."""
    bets_lie(floor)
    floor.take_steps((1, 2, 3), until="collect losers")
    floor.does(Person("dealer-1", "floorperson"), c.Call("device-malfunction"))


def winners(floor: JournalTable) -> None:
    """A bet with a tip on top has won, and is to be paid."""
    floor.buy_in("ann", 100_000)
    floor.does(floor.crew["stick-person"], c.NewShooter("ann"))
    floor.bet("ann", "little-ones=10")
    floor.bet("ann", "little-ones=5", "tip on top")
    for dice in ((1, 1), (1, 2), (1, 3), (1, 4)):
        floor.play_round(*dice)
    floor.take_steps((1, 5), until="pay winners")


def shooting(floor: JournalTable) -> None:
    floor.does(floor.crew["stick-person"], c.NewShooter("ann"))


def unconfirmed(floor: JournalTable) -> None:
    floor.buy_in("ann", 100_000)
    floor.does("ann the player", c.PlaceBets((c.BetRequest("little-ones", 1000),)))


def empty_close(floor: JournalTable) -> None:
    floor.does(floor.crew["dealer"], c.TakeStep("close"))


def dice_out(floor: JournalTable) -> None:
    floor.does(floor.crew["dealer"], c.TakeOutDice("set-1", "worn"))


def empty_close_without_dice(floor: JournalTable) -> None:
    empty_close(floor)
    dice_out(floor)


# ---------------------------------------------------------------- checks that are replaced


def misspoken(monkeypatch: pytest.MonkeyPatch) -> None:
    def simple(draft: Any, step: Any) -> None:
        draft.emit(e.StepTaken(step.id, announced="Rien ne va plus"))

    monkeypatch.setattr(rounds, "_simple", simple)


def any_number_of_shakes(monkeypatch: pytest.MonkeyPatch) -> None:
    def shake(draft: Any, step: Any, command: c.TakeStep) -> None:
        draft.emit(e.StepTaken(step.id, shakes=command.shakes))

    monkeypatch.setattr(rounds, "_shake", shake)


def approved_by_the_proposer(draft: Any, command: c.ApproveResettlement) -> None:
    proposal = draft.table.proposal
    draft.table = replace(draft.table, proposal=replace(proposal, by="someone else"))
    disputes.approve_resettlement(draft, command)


def step_without_power(draft: Any, command: c.TakeStep) -> None:
    rounds.perform(draft, rounds._known_step(draft, command.step), command)


def said_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def call(draft: Any, command: c.Call) -> None:
        rule = draft.rules.irregularities[command.irregularity]
        draft.emit(e.IrregularityCalled(command.irregularity, rule.remedy, command.words, ()))

    replace_handler(monkeypatch, c.Call, call)


ANN, BEN = Person("ann", "player"), Person("ben", "player")
DEALER, FLOOR = Person("dealer-1", "dealer"), Person("fay", "floorperson")
SUPERVISOR, ABOVE = Person("sue", "casino-supervisor"), Person("abe", "above-floorperson")
BASE, BOX, STICK = Person("bea", "base-dealer"), Person("bob", "box-person"), Person("sam", "stick-person")


def checked(name: str) -> Callable[[JournalTable], c.Command]:
    """Check equipment with every point passed."""
    return lambda floor: c.CheckEquipment(name, (True,) * len(floor.rules.equipment[name].requires))


def other_limits(floor: JournalTable) -> c.Command:
    setting = floor.table.setup
    assert setting is not None
    return c.ChangeSetup(replace(setting, limits={"*": c.Limit(100, 900_00)}))


BUGS: dict[str, Bug] = {
    "a player closes betting": Bug(
        MASSACHUSETTS, off(rounds, "need_role"), ANN, c.TakeStep("close"),
        "StepTaken", "role",
        "ann acted as player, but the step close is reserved for the dealer (clause 5(c)", bets_lie,
    ),
    "a supervisor takes a dealer's step in Massachusetts": Bug(
        MASSACHUSETTS, off(rounds, "need_role"), SUPERVISOR, c.TakeStep("close"),
        "StepTaken", "role", "sue acted as casino supervisor, but the step close is reserved for the dealer", bets_lie,
    ),
    "a floorperson calls what Maryland leaves to the dealer": Bug(
        MARYLAND, off(irregularities, "need_role"), FLOOR, c.Call("no-roll"),
        "IrregularityCalled", "role",
        "fay acted as floorperson, but calling no-roll is reserved for the dealer (clause 7.A)",
        reveal_dice,
    ),
    "a dealer inspects the device": Bug(
        MARYLAND, off(inspections, "need_role"), DEALER, c.Inspect("device-before-opening", (1, 2, 3), ()),
        "Inspected", "role",
        "dealer-1 acted as dealer, but the inspection device-before-opening is reserved for the floorperson or above"
        " (clauses 5.A, 5.A.1)",
    ),
    "a manager checks the equipment in Maryland": Bug(
        MARYLAND, off(inspections, "check_inspector"), MANAGER, checked("layout"),
        "EquipmentChecked", "role", "max acted as manager, but checking layout is reserved for the floorperson",
    ),
    "a dealer starts a shift": Bug(
        MASSACHUSETTS, off(deciding, "check_role"), DEALER, c.StartShift("night"),
        "ShiftStarted", "role", "only a manager or staff senior to the dealers may do this (house policy)",
    ),
    "a supervisor starts a gaming day": Bug(
        MASSACHUSETTS, off(deciding, "check_role"), SUPERVISOR, c.StartDay("2026-03-02"),
        "DayStarted", "role", "sue acted as casino supervisor, but only a manager may do this (house policy)",
    ),
    "a manager disputes a round": Bug(
        MASSACHUSETTS, off(deciding, "check_role"), MANAGER, c.Dispute(1, "unfair"),
        "Disputed", "role", "max acted as manager, but only players and the table's staff may do this",
        settled,
    ),
    "an auditor fills the table": Bug(
        MASSACHUSETTS, off(deciding, "check_role"), Person("art", "auditor"), c.Fill(100_00, DEALER),
        "Filled", "role", "art acted as auditor",
    ),
    "a dealer puts dice into the shaker": Bug(
        MASSACHUSETTS, off(deciding, "check_role"), DEALER, c.PutDice("set-2"),
        "DicePut", "role", "dealer-1 acted as dealer, but only a manager or staff senior to the dealers", dice_out,
    ),
    "a floorperson takes a bet": Bug(
        MASSACHUSETTS, off(betting, "need_role"), FLOOR, c.PlaceBets((c.BetRequest("small", 1000),), "ann"),
        "BetPlaced", "role",
        "fay acted as floorperson, but betting is reserved for the player, dealer or shooter", bets_lie,
    ),
    "a player bets another's chips": Bug(
        MASSACHUSETTS, off(betting, "acting_for", "ann"), BEN, c.PlaceBets((c.BetRequest("small", 1000),), "ann"),
        "BetPlaced", "role", "ben acted for ann", bets_lie,
    ),
    "a player takes down another's bet": Bug(
        MASSACHUSETTS, off(betting, "acting_for", "ann"), BEN, c.TakeDown("small", player="ann"),
        "BetTakenDown", "role", "ben acted for ann", bets_lie,
    ),
    "a floorperson confirms bets": Bug(
        OLOGY, off(betting, "need_role"), FLOOR, c.ConfirmBets(),
        "BetsConfirmed", "role",
        "fay acted as floorperson, but confirming bets is reserved for the box person, stick person or base dealer"
        " (clause (5))", unconfirmed,
    ),
    "a supervisor takes the table over": Bug(
        MASSACHUSETTS, off(dealers, "need_role"), SUPERVISOR, c.TakeOver(),
        "DealerTookOver", "role",
        "sue acted as casino supervisor, but taking over the table is reserved for the dealer",
    ),
    "a player rolls who is not the shooter": Bug(
        WORKS, off(rounds, "_check_shooter"), BEN, c.TakeStep("roll", (1, 2)),
        "StepTaken", "role", "ben acted as player, but ann has the dice", shooting,
    ),
    "a pit supervisor decides what the shift manager decides": Bug(
        SINGAPORE, off(rulings, "need_role"), Person("pia", "pit-supervisor"), c.RuleInWords("the cat stays"),
        "Ruled", "role",
        "pia acted as pit supervisor, but the ruling is reserved for the gaming shift manager (clause 6.1)",
        referred,
    ),
    "somebody is the second person to their own fill": Bug(
        MASSACHUSETTS, off(inventory, "second_person"), SUPERVISOR, c.Fill(100_00, SUPERVISOR),
        "Filled", "witness", "sue is named as the second person for their own act",
    ),
    "a player is the second person to a count": Bug(
        MASSACHUSETTS, off(inventory, "second_person"), SUPERVISOR, c.Count("opening", 1, ANN),
        "Counted", "witness", "ann was present as player, but a second member of staff must take part",
    ),
    "somebody approves their own resettlement": Bug(
        MASSACHUSETTS, instead(c.ApproveResettlement, approved_by_the_proposer), SUPERVISOR, c.ApproveResettlement(1),
        "Resettled", "witness", "sue approved their own proposal (house policy)", misread,
    ),
    "a dealer confirms what the dealers get": Bug(
        OLOGY, off(rounds, "second_person"), BASE, c.TakeStep("pay", directed_by=STICK, confirmed_by=STICK),
        "StepTaken", "witness",
        "sam was present as stick person, but staff senior to the dealers must confirm what the dealers get", winners,
    ),
    "winners are paid on the wrong person's word": Bug(
        OLOGY, off(rounds, "may_act", True), BASE, c.TakeStep("pay", directed_by=BOX, confirmed_by=BOX),
        "StepTaken", "witness",
        "bob was present as box person, but the step pay must be directed by the stick person"
        " (clauses (8), (9)(a), (9)(b))", winners,
    ),
    "a failure is called before nobody": Bug(
        MARYLAND, off(irregularities, "_present", ()), DEALER, c.Call("device-malfunction"),
        "IrregularityCalled", "witness",
        "dealer-1 acted alone, but this must be done in the presence of the floorperson or above (clauses 7.B, 7.C)",
        closed,
    ),
    "wagers are settled without a witness": Bug(
        MARYLAND, off(rounds, "_check_witness"), DEALER, c.TakeStep("collect"),
        "StepTaken", "witness", "dealer-1 settled the bets alone, but after device-malfunction", device_failed,
    ),
    "a step is taken out of turn": Bug(
        MASSACHUSETTS, off(rounds, "_check_due"), DEALER, c.TakeStep("uncover"),
        "StepTaken", "order", "dealer-1 (dealer) took the step uncover, which is not due; shake-manual is", closed,
    ),
    "a step is taken while the power has failed": Bug(
        SINGAPORE, instead(c.TakeStep, step_without_power), DEALER, c.TakeStep("tumble", shakes=3),
        "StepTaken", "order", "the power has failed (clause 3.8)", power_failed,
    ),
    "other words are announced": Bug(
        MARYLAND, misspoken, DEALER, c.TakeStep("close"),
        "StepTaken", "announcement", 'dealer-1 announced "Rien ne va plus", but the book has "No more bets" here',
        before_the_close, refused=False,
    ),
    "No Roll is not announced": Bug(
        MASSACHUSETTS, said_nothing, DEALER, c.Call("no-roll"),
        "IrregularityCalled", "announcement",
        'dealer-1 announced "", but the book has "No Roll" here (clause 6(a))', reveal_dice, refused=False,
    ),
    "the shaker is shaken twice": Bug(
        MASSACHUSETTS, any_number_of_shakes, DEALER, c.TakeStep("shake-manual", shakes=2),
        "StepTaken", "order", "the dice were shaken 2 of the required 3 times (clause", closed,
    ),
    "the round goes on after two tumbles": Bug(
        SINGAPORE, off(rounds, "_check_shaken"), DEALER, c.TakeStep("close"),
        "StepTaken", "order", "the dice were shaken 2 of the required 3 times (clause 3.8)", tumbled_twice,
    ),
    "a table closes in mid-round": Bug(
        MASSACHUSETTS, off(setup, "idle", True), MANAGER, c.CloseTable(),
        "TableClosed", "order", "max (manager) closed the table mid-round", empty_close_without_dice,
    ),
    "the set-up changes in mid-round": Bug(
        MASSACHUSETTS, off(setup, "idle", True), MANAGER, other_limits,
        "SetupChanged", "order", "max (manager) changed the set-up mid-round", empty_close,
    ),
    "a gaming day begins in mid-round": Bug(
        MASSACHUSETTS, off(setup, "idle", True), MANAGER, c.StartDay("2026-03-02"),
        "DayStarted", "order", "max (manager) started a gaming day mid-round", empty_close,
    ),
    "chips are counted in mid-round": Bug(
        MASSACHUSETTS, off(inventory, "idle", True), SUPERVISOR, c.Count("closing", 1, FLOOR),
        "Counted", "order", "sue (casino supervisor) counted the chips mid-round", empty_close,
    ),
}  # fmt: skip


def caught(house: House, path: Path, bug: Bug, act: c.Command, monkeypatch: pytest.MonkeyPatch) -> tuple[Finding, int]:
    """Check that the act is refused, and found once the check is disabled; return the finding and the entry."""
    if bug.refused:
        assert house.ask("t1", bug.who, act).refused is not None, "the right table lets it happen"
    with monkeypatch.context() as patching:
        bug.patch(patching)
        before = house.store.head("t1").sequence
        answer = house.ask("t1", bug.who, act)
        assert answer.refused is None, answer
    house.close()
    finding = audit(path).first
    assert finding is not None, "nothing was found"
    return finding, before + 1


@pytest.mark.parametrize("name", BUGS)
def test_a_check_left_out_is_found_at_its_entry(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = BUGS[name]
    path = tmp_path / "house.db"
    house = house_at(path)
    table = JournalTable(house, bug.book)
    bug.before(table)
    act = bug.act if isinstance(bug.act, c.Command) else bug.act(table)
    finding, sequence = caught(house, path, bug, act, monkeypatch)
    assert (finding.sequence, finding.kind, finding.about) == (sequence, bug.kind, bug.about), str(finding)
    assert bug.says in finding.why, str(finding)


# ---------------------------------------------------------------- automatic tables

LATE: dict[str, tuple[Any, c.Command, str]] = {
    "a bet": (betting, c.PlaceBets((c.BetRequest("big", 5_00),)), "BetPlaced"),
    "a bet taken down": (betting, c.TakeDown("small"), "BetTakenDown"),
    "a bet moved": (betting, c.MoveBet("small", "big"), "BetTakenDown"),
    "randomness in the draw": (automatic, c.GiveNonce("late"), "NonceGiven"),
}


@pytest.mark.parametrize("what", LATE)
def test_what_comes_after_the_published_close_is_found(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, act, kind = LATE[what]
    path = tmp_path / "house.db"
    robot = Robot(path, SINGAPORE)
    robot.open()
    robot.bet()
    robot.does(ELECTRONIC_TUMBLER, c.StartCountdown())
    robot.now += timedelta(seconds=20)
    bug = Bug(SINGAPORE, off(module, "check_countdown"), ANN, act, kind, "late", "")
    finding, sequence = caught(robot.house, path, bug, act, monkeypatch)
    assert (finding.sequence, finding.kind, finding.about) == (sequence, kind, "late"), str(finding)
    assert "betting had closed at 2026-03-01T12:00:20.000000+00:00 (clauses 3.2, 3.9)" in finding.why


def alone(draft: Any, _command: c.ApproveVoid) -> None:
    irregularities.void(draft)


def test_one_person_who_makes_a_round_void_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "house.db"
    robot = Robot(path, SINGAPORE)
    first = robot.crew[0]
    robot.open()
    robot.bet()
    robot.does(first, c.ProposeVoid("a hunch"))
    act = c.ApproveVoid(1)
    bug = Bug(SINGAPORE, instead(c.ApproveVoid, alone), first, act, "RoundVoided", "witness", "")
    finding, sequence = caught(robot.house, path, bug, act, monkeypatch)
    assert (finding.sequence, finding.kind, finding.about) == (sequence, "RoundVoided", "witness"), str(finding)
    assert f"{first.name} voided the round, but no second person had proposed it" in finding.why


@pytest.mark.parametrize(
    ("who", "act"),
    [
        (ANN, c.StartCountdown()),
        (Person("pia", "pit-supervisor"), c.PlaceBets((c.BetRequest("big", 5_00),), "ann")),
        (Person("dan", "dealer"), c.Pause("tea")),
        (Person("dan", "dealer"), c.TakeOver()),
    ],
)
def test_what_is_not_theirs_at_an_automatic_table_is_found(
    who: Person, act: c.Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "house.db"
    robot = Robot(path, SINGAPORE)
    robot.open()
    robot.bet()
    bug = Bug(SINGAPORE, off(deciding, "check_role"), who, act, "", "role", "")
    finding, sequence = caught(robot.house, path, bug, act, monkeypatch)
    assert (finding.sequence, finding.about) == (sequence, "role"), str(finding)


# ---------------------------------------------------------------- persons on record


def manned(path: Path, *, roles: tuple[Grant, ...]) -> tuple[House, JournalTable]:
    """Return a house with accounts for a manager and for sue with some roles."""
    house = house_at(path)
    server = Person("server", "server")
    assert house.manage(server, p.AddPerson("max", "Max", (Grant("manager"),))).refused is None
    enrol(house, MASSACHUSETTS)
    assert house.manage(MANAGER, p.AddPerson("sue", "Sue", roles)).refused is None
    return house, JournalTable(house, MASSACHUSETTS)


@pytest.mark.parametrize(
    ("roles", "good"),
    [
        ((Grant("casino-supervisor"),), True),
        ((Grant("casino-supervisor", "t1"),), True),
        ((Grant("casino-supervisor", "t2"),), False),
        ((Grant("dealer"),), False),
    ],
)
def test_a_second_person_holds_the_role_by_the_houses_record(
    roles: tuple[Grant, ...], good: bool, tmp_path: Path
) -> None:
    path = tmp_path / "house.db"
    house, floor = manned(path, roles=roles)
    floor.does(floor.most_senior, c.Fill(100_00, SUPERVISOR))
    sequence = house.store.head("t1").sequence
    house.close()
    report = audit(path)
    assert report.good == good, str(report)
    if report.first is not None:
        assert (report.first.sequence, report.first.about) == (sequence, "witness")
        assert "sue is named as casino supervisor but does not hold that role here" in report.first.why


def test_a_second_person_whom_nobody_knows_is_found(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    house, floor = manned(path, roles=(Grant("casino-supervisor"),))
    floor.does(floor.most_senior, c.Fill(100_00, Person("nobody", "casino-supervisor")))
    house.close()
    finding = audit(path).first
    assert finding is not None
    assert "nobody is named as casino supervisor but does not hold that role here" in finding.why


# ---------------------------------------------------------------- consequences, and what is right


def test_what_follows_is_in_the_name_of_whoever_caused_it(tmp_path: Path) -> None:
    record = tmp_path / "house.db"
    with house_at(record) as house:
        table = JournalTable(house, MASSACHUSETTS, MASSACHUSETTS)
        bets_lie(table)
        table.play_round(1, 2, 3)
    assert audit(record).good

    def renamed(entries: list[Entry]) -> list[Entry]:
        at = place(entries, "WinnersPaid")
        return [*entries[:at], replace(entries[at], actor="eve"), *entries[at + 1 :]]

    finding = audit(forged(record, tmp_path / "forged.db", renamed)).first
    assert finding is not None
    assert (finding.kind, finding.about) == ("WinnersPaid", "role")
    assert "it is in the name of eve (dealer), but follows from what dealer-1 (dealer) did" in finding.why


def test_the_demo_houses_record_is_right_and_its_second_persons_are_known(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with house_at(path) as house:
        create_demo(house)
        floor = Person("demo-floorperson", "floorperson")
        assert house.ask("massachusetts", floor, c.Fill(100_00, Person("demo-dealer", "dealer"))).refused is None
    report = audit(path)
    assert report.good, str(report)
    assert report.second_persons == 8
    assert report.people > 20


def test_every_event_has_a_rule_on_who_may_cause_it() -> None:
    assert set(RULES) == set(HANDLERS) == {event.__name__ for event in e.EVENTS}


def test_higher_positions_act_in_singapore_and_where_maryland_says_or_above(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with house_at(path) as house:
        table = JournalTable(house, SINGAPORE)
        bets_lie(table)
        table.does(Person("pam", "pit-manager"), c.TakeStep("tumble", shakes=3))
        table.play_round(1, 2, 3)
        other = JournalTable(house, MARYLAND, "t2")
        other.does(ABOVE, c.Inspect("device-before-opening", (1, 2, 3), ()))
    report = audit(path)
    assert report.good, str(report)
    assert report.steps == 11
    assert report.second_persons == 3
    assert f"{report.steps:,} steps, 0 irregularities called" in str(report)
