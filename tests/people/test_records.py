"""What the server saw: on record without secrets, told in sentences, and only by the server."""

from __future__ import annotations

import msgspec
import pytest

from pitbook.people import commands as c
from pitbook.people import events as e
from pitbook.people.command_summary import PLAIN, summarise
from pitbook.people.decide import HANDLERS, Context, decide
from pitbook.people.decide.records import recorded_by
from pitbook.people.event_text import describe
from pitbook.people.evolve import evolve
from pitbook.people.limits import FOR_EVER
from pitbook.people.refusals import Reason, Refusal
from pitbook.people.state import People
from pitbook.people.values import Factor, Grant, Limits, LostPart, Pending, Policy, Webhook
from pitbook.table.people import Person
from tests.people.people_in_memory import ANN, DAN, MAX, SERVER, make_people

RECORDS: list[c.Command] = [
    c.RecordSignIn("ann", "password", "203.0.113.9", "Firefox"),
    c.RecordSignInFailure("ann", "203.0.113.9", "wrong password"),
    c.RecordSignOut("ann"),
    c.RecordSessionEnd("ann", "idle for too long"),
    c.RecordDenied("ann", "player", "t1", "open the table", "a manager opens tables"),
    c.RecordPasswordSet("ann", "ann"),
    c.RecordPinSet("ann", is_set=True),
    c.RecordFactorAdded("ann", Factor("f1", "totp", "phone")),
    c.RecordFactorRemoved("ann", "f1"),
    c.RecordRecoveryCodes("ann", 10),
    c.RecordFactorUsed("ann", "f1"),
    c.RecordFactorLock("ann", 5, "2026-03-01T12:15:00.000000+00:00"),
    c.RecordUnlock("ann", "pin"),
    c.RecordToken("ann", "tk1", "my robot", ("bets",), "made"),
    c.RecordAlarm("f1", "fairness", "t1", "dice set 1: very unlikely to be fair"),
    c.RecordAlarmEnd("f1"),
    c.RecordServerStart("p1", "1.0", True),
    c.RecordServerStop("p1"),
]
AT = "2026-03-01T12:00:00.000000+00:00"
EVENTS: list[e.Event] = [
    e.PersonAdded("bob", "Bob", (Grant("dealer", "t1"), Grant("floorperson")), AT),
    e.PersonRegistered("eve", "Eve", AT),
    e.RoleGiven("bob", "box-person", None),
    e.RoleTaken("bob", "box-person", None),
    e.PersonDeactivated("bob", "left"),
    e.PersonReactivated("bob"),
    e.PolicySet(Policy(True, True)),
    e.LanguageChosen("bob", "en"),
    e.ClockAccepted(AT, "the battery was empty", 2_592_000.0, ("t1",)),
    e.LimitsSet(
        "ann",
        Limits({"SGD": 5}, 60, {"SGD": 2}),
        (Pending("SGD", 9, AT), Pending("seconds", None, AT), Pending("stake-SGD", 3, AT)),
    ),
    e.LooseningWithdrawn("ann", Limits()),
    e.Excluded("ann", FOR_EVER),
    e.ApprovalAsked("a1", "t1", "{}", "bob", "dealer", ("staff",), "why", AT, AT),
    e.ApprovalGiven("a1", "max", "manager"),
    e.ApprovalUsed("a1", 3),
    e.ApprovalAsked("a2", "t1", "{}", "bob", "dealer", ("staff",), "", AT, AT),
    e.ApprovalRefused("a2", "max", "manager", "no"),
    e.ApprovalAsked("a3", "t1", "{}", "bob", "dealer", ("staff",), "", AT, AT),
    e.ApprovalWithdrawn("a3"),
    e.ApprovalAsked("a4", "t1", "{}", "bob", "dealer", ("staff",), "", AT, AT),
    e.ApprovalExpired("a4"),
    e.SignedIn("ann", "password", "203.0.113.9", "Firefox"),
    e.SignedOut("ann"),
    e.SessionEnded("ann", "idle"),
    e.PasswordSet("ann", "max"),
    e.PinSet("ann", is_set=True),
    e.FactorAdded("ann", Factor("f1", "totp", "phone")),
    e.FactorUsed("ann", "totp", "phone"),
    e.FactorRemoved("ann", Factor("f1", "totp", "phone")),
    e.FactorsReset("ann", "lost the phone"),
    e.FactorsLocked("ann", 5, AT),
    e.RecoveryCodesMade("ann", 10),
    e.RecoveryCodeUsed("ann", 9),
    e.SessionUnlocked("ann", "pin"),
    e.TokenMade("ann", "tk1", "robot", ("bets",)),
    e.TokenRevoked("ann", "tk1", "robot"),
    e.ServerStarted("p1", "1.0", False),
    e.ServerStopped("p1"),
    e.WebhookAdded(Webhook("w1", "https://cage.example/hook", ("alarms", "settlements"), AT)),
    e.WebhookPaused("w1", "https://cage.example/hook"),
    e.WebhookResumed("w1", "https://cage.example/hook"),
    e.WebhookSecretChanged("w1", "https://cage.example/hook"),
    e.WebhookRemoved("w1", "https://cage.example/hook"),
    e.AlarmRaised("f1", "fairness", "t1", "dice set 1: very unlikely to be fair"),
    e.AlarmEnded("f1", "fairness", "t1"),
    e.LossAccepted((LostPart("t1", 60, 11), LostPart("house", 3, 4)), "the disk was damaged"),
]


@pytest.mark.parametrize("command", RECORDS, ids=lambda command: type(command).__name__)
def test_only_the_server_records_what_it_saw(command: c.Command) -> None:
    house = make_people()
    for person in (MAX, ANN, Person("server", "manager"), Person("max", "server")):
        house.refused(person, command, Reason.WRONG_ROLE)


def test_every_command_has_its_handler_and_its_words() -> None:
    assert set(HANDLERS) == set(c.COMMANDS)
    records = {command for command in c.COMMANDS if command.__name__.startswith("Record")}
    assert set(PLAIN) | records | {c.GiveRole, c.TakeRole, c.Exclude} == set(c.COMMANDS)


def test_every_event_is_applied_described_and_read_back() -> None:
    assert {type(event) for event in EVENTS} == set(e.EVENTS)
    people = make_people().people
    for event in EVENTS:
        assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event
        people = evolve(people, event)
        for line in describe(event, MAX):
            assert line.text()
            assert "{" not in line.text()
    assert msgspec.json.decode(msgspec.json.encode(people), type=People) == people


def test_events_are_described_in_words() -> None:
    described = {type(event): [line.text() for line in describe(event, MAX)] for event in EVENTS}
    assert described[e.PersonAdded] == ["max (manager) added bob (“Bob”) as dealer at t1, floorperson"]
    assert described[e.RoleGiven] == ["max (manager) gave bob the role of box person"]
    assert described[e.PasswordSet] == ["max set a new password for ann"]
    assert described[e.LimitsSet] == [
        "max (manager) set limits",
        "Maximum loss per day: S$0.05",
        "Maximum at stake at once: S$0.02",
        "Maximum play per day: 60 seconds",
        "From 1 Mar 2026, 12:00 UTC: Maximum loss per day: S$0.09",
        "From 1 Mar 2026, 12:00 UTC: no limit on time",
        "From 1 Mar 2026, 12:00 UTC: Maximum at stake at once: S$0.03",
    ]
    assert described[e.LossAccepted] == [
        "max (manager) accepted the loss of signed entries: “the disk was damaged”",
        "t1: entries 12 to 60",
        "house: entry 3 differs from the signed one",
    ]
    assert described[e.ServerStarted] == [
        "The server process p1 started, version 1.0; the previous run was not shut down cleanly"
    ]


def test_a_failed_sign_in_is_a_refusal_that_echoes_little() -> None:
    house = make_people()
    long = "x" * 100 + "\n\x1b[2J"
    refusal = house.refused(SERVER, c.RecordSignInFailure(long, "203.0.113.9", "no such person"), Reason.SIGN_IN_FAILED)
    assert refusal.asked is not None
    assert refusal.asked.text() == f"sign in as “{'x' * 39}…” from 203.0.113.9"
    assert refusal.says == "no such person"
    assert refusal.details == {"name": "x" * 39 + "…", "address": "203.0.113.9", "why": "no such person"}
    other = house.refused(SERVER, c.RecordSignInFailure("a\nb", "", "x"), Reason.SIGN_IN_FAILED).asked
    assert other is not None
    assert other.text() == "sign in as “a?b”"


def test_failures_under_names_that_nobody_has_are_counted_together() -> None:
    people = make_people().people
    assert recorded_by(people, SERVER, c.RecordSignInFailure("ANN", "", "")) == Person("ann", "visitor")
    for name in ("bob", "eve", "x" * 1_000, "\n"):
        assert recorded_by(people, SERVER, c.RecordSignInFailure(name, "", "")) == Person("visitor", "visitor")
        assert recorded_by(people, Person(name, "visitor"), c.Register(name, "x")) == Person("visitor", "visitor")
    assert recorded_by(people, SERVER, c.RecordDenied("ann", "player", None, "x", "y")) == ANN
    assert recorded_by(people, SERVER, c.RecordSignOut("ann")) == SERVER


def test_nobody_signs_in_who_is_unknown_or_not_active() -> None:
    house = make_people()
    house.refused(SERVER, c.RecordSignIn("bob", "password"), Reason.UNKNOWN_PERSON)
    house.does(MAX, c.Deactivate("ann", "x"))
    house.refused(SERVER, c.RecordSignIn("ann", "password"), Reason.INACTIVE)
    house.does(SERVER, c.RecordSessionEnd("ann", "deactivated"))


def test_the_record_knows_which_processes_run() -> None:
    house = make_people()
    house.does(SERVER, c.RecordServerStart("p1", "1.0", True))
    house.does(SERVER, c.RecordServerStart("p2", "1.0", True))
    assert list(house.people.running) == ["p1", "p2"]
    house.does(SERVER, c.RecordServerStop("p1"))
    house.does(SERVER, c.RecordServerStart("p3", "1.0", False))
    assert list(house.people.running) == ["p3"]


def test_no_command_of_ours_is_unknown_and_any_other_is() -> None:
    outcome = decide(People(), c.Command(), Context(MAX, AT))
    assert isinstance(outcome, Refusal)
    assert outcome.why is Reason.UNKNOWN_COMMAND


def test_the_summary_of_a_command_is_one_line_whatever_it_names() -> None:
    assert summarise(c.Exclude(None)).text() == "exclude themselves from play"
    long = summarise(c.GiveRole("a\nb" * 100, "x", None)).text()
    assert "\n" not in long
    assert len(long) < 100
    request = make_people().refused(DAN, c.Deactivate("ann", "x"), Reason.WRONG_ROLE).asked
    assert request is not None
    assert request.text() == "close the account of ann"


def test_only_a_manager_accepts_a_loss_and_says_why() -> None:
    house, lost = make_people(), (LostPart("t1", 60, 11),)
    house.refused(ANN, c.AcceptLoss(lost, "why"), Reason.WRONG_ROLE)
    house.refused(MAX, c.AcceptLoss(lost, ""), Reason.BAD_TEXT)
    house.refused(MAX, c.AcceptLoss((), "why"), Reason.NOTHING_TO_DO)
    house.does(MAX, c.AcceptLoss(lost, "the disk was damaged"))
