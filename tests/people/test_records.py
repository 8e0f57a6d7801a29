"""What the server saw: on record without secrets, told in sentences, and only by the server."""

from __future__ import annotations

import msgspec
import pytest

from pitbook.people import commands as c
from pitbook.people import events as e
from pitbook.people.decide import HANDLERS, Context, decide
from pitbook.people.decide.records import recorded_by
from pitbook.people.event_text import ASKED, asking, tell
from pitbook.people.evolve import evolve
from pitbook.people.limits import FOR_EVER
from pitbook.people.refusals import Refusal, Why
from pitbook.people.state import People
from pitbook.people.values import Grant, Limits, LostPart, Pending, Policy
from pitbook.table.people import Person
from tests.people.folk import ANN, DAN, MAX, SERVER, folk

RECORDS: list[c.Command] = [
    c.RecordSignIn("ann", "password", "203.0.113.9", "Firefox"),
    c.RecordSignInFailure("ann", "203.0.113.9", "wrong password"),
    c.RecordSignOut("ann"),
    c.RecordSessionEnd("ann", "idle for too long"),
    c.RecordDenied("ann", "player", "t1", "open the table", "a manager opens tables"),
    c.RecordPasswordSet("ann", "ann"),
    c.RecordPinSet("ann", is_set=True),
    c.RecordToken("ann", "tk1", "my robot", ("bets",), "made"),
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
    e.TokenMade("ann", "tk1", "robot", ("bets",)),
    e.TokenRevoked("ann", "tk1", "robot"),
    e.ServerStarted("p1", "1.0", False),
    e.ServerStopped("p1"),
    e.LossAccepted((LostPart("t1", 60, 11), LostPart("house", 3, 4)), "the disk was damaged"),
]


@pytest.mark.parametrize("command", RECORDS, ids=lambda command: type(command).__name__)
def test_only_the_server_records_what_it_saw(command: c.Command) -> None:
    house = folk()
    for person in (MAX, ANN, Person("server", "manager"), Person("max", "server")):
        house.refused(person, command, Why.WRONG_ROLE)


def test_every_command_has_its_handler_and_its_words() -> None:
    assert set(HANDLERS) == set(c.COMMANDS) == set(ASKED)


def test_every_event_is_followed_told_and_read_back() -> None:
    assert {type(event) for event in EVENTS} == set(e.EVENTS)
    people = folk().people
    for event in EVENTS:
        assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event
        people = evolve(people, event)
        for line in tell(event, "max (manager)"):
            assert line
            assert "{" not in line
    assert msgspec.json.decode(msgspec.json.encode(people), type=People) == people


def test_what_is_told() -> None:
    told = {type(event): tell(event, "max (manager)") for event in EVENTS}
    assert told[e.PersonAdded] == ["max (manager) adds bob (“Bob”), dealer at t1, floorperson"]
    assert told[e.RoleGiven] == ["max (manager) makes bob box-person"]
    assert told[e.PasswordSet] == ["max sets a new password of ann"]
    assert told[e.LimitsSet] == [
        "max (manager) sets limits: 5 SGD (minor units) a day, 2 SGD (minor units) at stake at once, 60 seconds a day",
        f"the loss limit in SGD becomes 9 at {AT}",
        f"the limit of time ends at {AT}",
        f"the limit on stakes in SGD becomes 3 at {AT}",
    ]
    assert told[e.LossAccepted] == [
        "max (manager) accepts the loss of signed entries: “the disk was damaged”",
        "t1: entries 12 to 60",
        "house: entry 3 is another one",
    ]
    assert told[e.ServerStarted] == [
        "the server process p1 starts, version 1.0; the one before it did not stop in order"
    ]


def test_a_failed_sign_in_is_a_refusal_that_echoes_little() -> None:
    house = folk()
    long = "x" * 100 + "\n\x1b[2J"
    refusal = house.refused(SERVER, c.RecordSignInFailure(long, "203.0.113.9", "no such person"), Why.SIGN_IN_FAILED)
    assert refusal.asked == f"sign in as “{'x' * 39}…” from 203.0.113.9"
    assert refusal.says == "no such person"
    assert refusal.details == {"name": "x" * 39 + "…", "address": "203.0.113.9", "why": "no such person"}
    assert "\n" not in house.refused(SERVER, c.RecordSignInFailure("a\nb", "", "x"), Why.SIGN_IN_FAILED).asked


def test_failures_under_names_that_nobody_has_are_counted_together() -> None:
    people = folk().people
    assert recorded_by(people, SERVER, c.RecordSignInFailure("ANN", "", "")) == Person("ann", "visitor")
    for name in ("bob", "eve", "x" * 1_000, "\n"):
        assert recorded_by(people, SERVER, c.RecordSignInFailure(name, "", "")) == Person("visitor", "visitor")
        assert recorded_by(people, Person(name, "visitor"), c.Register(name, "x")) == Person("visitor", "visitor")
    assert recorded_by(people, SERVER, c.RecordDenied("ann", "player", None, "x", "y")) == ANN
    assert recorded_by(people, SERVER, c.RecordSignOut("ann")) == SERVER


def test_nobody_signs_in_who_is_unknown_or_not_active() -> None:
    house = folk()
    house.refused(SERVER, c.RecordSignIn("bob", "password"), Why.UNKNOWN_PERSON)
    house.does(MAX, c.Deactivate("ann", "x"))
    house.refused(SERVER, c.RecordSignIn("ann", "password"), Why.INACTIVE)
    house.does(SERVER, c.RecordSessionEnd("ann", "deactivated"))


def test_the_record_knows_which_processes_run() -> None:
    house = folk()
    house.does(SERVER, c.RecordServerStart("p1", "1.0", True))
    house.does(SERVER, c.RecordServerStart("p2", "1.0", True))
    assert list(house.people.running) == ["p1", "p2"]
    house.does(SERVER, c.RecordServerStop("p1"))
    house.does(SERVER, c.RecordServerStart("p3", "1.0", False))
    assert list(house.people.running) == ["p3"]


def test_no_command_of_ours_is_unknown_and_any_other_is() -> None:
    outcome = decide(People(), c.Command(), Context(MAX, AT))
    assert isinstance(outcome, Refusal)
    assert outcome.why is Why.UNKNOWN_COMMAND


def test_what_was_asked_is_one_line_whatever_it_names() -> None:
    assert asking(c.Exclude(None)) == "have themselves excluded"
    assert "\n" not in asking(c.GiveRole("a\nb" * 100, "x", None))
    assert len(asking(c.GiveRole("a\nb" * 100, "x", None))) == 160
    assert folk().refused(DAN, c.Deactivate("ann", "x"), Why.WRONG_ROLE).asked == "deactivate ann"


def test_only_a_manager_accepts_a_loss_and_says_why() -> None:
    house, lost = folk(), (LostPart("t1", 60, 11),)
    house.refused(ANN, c.AcceptLoss(lost, "why"), Why.WRONG_ROLE)
    house.refused(MAX, c.AcceptLoss(lost, ""), Why.BAD_TEXT)
    house.refused(MAX, c.AcceptLoss((), "why"), Why.NOTHING_TO_DO)
    house.does(MAX, c.AcceptLoss(lost, "the disk was damaged"))
