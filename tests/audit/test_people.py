"""A house's own record with something wrong in it, its hashes all right: the auditor sees it."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest

from pitbook.audit import Report, audit
from pitbook.journal import snapshots
from pitbook.journal.decisions import Accepted, Command, Event
from pitbook.journal.entries import HOUSE
from pitbook.journal.runner import Runner
from pitbook.journal.sqlite import SqliteStore
from pitbook.journal.states import Domain
from pitbook.ledger.accounts import Account
from pitbook.ledger.transfers import Leg, Transfer
from pitbook.people import commands as c
from pitbook.people import events as e
from pitbook.people.limits import FOR_EVER
from pitbook.people.values import Factor, Grant, Limits, Pending, Policy, Webhook
from pitbook.table.people import Person
from tests.house.test_people import Place
from tests.people.people_in_memory import ANN, DAN, FLO, MAX, SERVER

BLIND: Domain[None] = Domain(lambda _table, _content: None, lambda _state, _entry: None, lambda _state: b"{}")
"""A journal that writes whatever it is given."""
AT, LATER, DAY_LATER = (f"2026-03-0{time}.000000+00:00" for time in ("2T12:05:00", "2T12:15:00", "3T12:05:00"))
MIA, VISITOR = Person("mia", "manager"), Person("visitor", "visitor")
URL = "https://cage.example/hook"
PHONE, KEY = Factor("k1", "totp", "phone"), Factor("k2", "passkey", "key")
NO_LIMITS, SOME = Limits(), Limits({"SGD": 100}, 60, {"SGD": 40})


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A manager, one who has left, a dealer, a floorperson and two players; an approval waits, ann has limits."""
    path = tmp_path_factory.mktemp("record") / "house.db"
    place = Place(str(path), snapshot_every=1)
    place.does(SERVER, c.AddPerson("max", "Max", (Grant("manager"),)))
    place.does(MAX, c.AddPerson("mia", "Mia", (Grant("manager"),)))
    place.does(MAX, c.Deactivate("mia", "has left"))
    place.does(MAX, c.AddPerson("dan", "Dan", (Grant("dealer", "t1"), Grant("floorperson", "t1"))))
    place.does(MAX, c.AddPerson("flo", "Flo", (Grant("floorperson"),)))
    place.does(MAX, c.AddPerson("ann", "Ann", (Grant("player"),)))
    place.does(MAX, c.AddPerson("eve", "Eve", (Grant("player"),)))
    place.does(ANN, c.SetLimits({"SGD": 100}, 60, {"SGD": 40}))
    place.does(Person("eve", "player"), c.Exclude("2026-06-01T00:00:00Z"))
    place.does(MAX, c.AddWebhook("w1", URL, ("alarms",)))
    place.does(SERVER, c.RecordAlarm("f1", "fairness", "t1", "dice set 1"))
    place.does(SERVER, c.RecordFactorAdded("max", PHONE))
    place.does(SERVER, c.RecordFactorAdded("flo", PHONE))
    place.now = place.now.replace(day=2)
    place.does(DAN, c.AskApproval("a1", "t1", "{}", "dealer", ("floorperson",)))
    place.house.close()
    return path


@pytest.fixture
def copy(record: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(record, tmp_path / "copy.db"))


def with_more(path: Path, *text: tuple[Person, e.Event], **fields: Any) -> Report:
    """Return the audit after more entries with a valid chain."""
    with closing(SqliteStore(path)) as store, Runner(store, BLIND) as runner:
        for person, event in text:
            at = fields.get("at", AT)
            body = fields.get("body", msgspec.json.encode(event, order="deterministic"))
            written = Event(type(event).__name__, body, fields.get("transfers", ()))
            decided = Accepted((written,), b"", fields.get("book", ""))
            runner.run(Command(HOUSE, b"", lambda *_, decided=decided: decided, person.name, person.role, at))
    return audit(path)


def test_the_record_is_right_as_it_stands(record: Path) -> None:
    report = audit(record)
    assert report.good, report
    assert report.people == 6
    assert report.snapshots


GOOD: list[tuple[Person, e.Event]] = [
    (MAX, e.RoleGiven("flo", "dealer", "t1")),
    (MAX, e.PersonReactivated("mia")),
    (FLO, e.ApprovalGiven("a1", "flo", "floorperson")),
    (ANN, e.LimitsSet("ann", SOME, (Pending("SGD", None, DAY_LATER),))),
    (ANN, e.LimitsSet("ann", Limits({"SGD": 50}, 0, {"SGD": 0}), ())),
    (ANN, e.LimitsSet("ann", SOME, (Pending("stake-SGD", 41, DAY_LATER),))),
    (MAX, e.Excluded("eve", FOR_EVER)),
    (SERVER, e.SignedIn("ann", "password", "", "")),
    (MAX, e.WebhookAdded(Webhook("w2", URL, ("alarms",), AT))),
    (MAX, e.WebhookPaused("w1", URL)),
    (MAX, e.WebhookSecretChanged("w1", URL)),
    (MAX, e.WebhookRemoved("w1", URL)),
    (SERVER, e.FactorAdded("max", KEY)),
    (SERVER, e.FactorRemoved("flo", PHONE)),
    (SERVER, e.FactorUsed("max", "totp", "phone")),
    (SERVER, e.FactorsLocked("max", 5, LATER)),
    (MAX, e.FactorsReset("flo", "lost")),
    (SERVER, e.FactorsReset("max", "lost, by a command on the machine")),
    (SERVER, e.RecoveryCodesMade("max", 10)),
    (SERVER, e.RecoveryCodeUsed("max", 9)),
    (SERVER, e.SessionUnlocked("dan", "pin")),
    (SERVER, e.AlarmRaised("f2", "fairness", "t1", "dice set 2")),
    (SERVER, e.AlarmEnded("f1", "fairness", "t1")),
]


@pytest.mark.parametrize("said", GOOD, ids=lambda texts: type(texts[1]).__name__)
def test_what_may_follow(copy: Path, said: tuple[Person, e.Event]) -> None:
    report = with_more(copy, said)
    assert report.good, report


def test_a_guest_registers_for_some_tables_only(copy: Path) -> None:
    allowed = (MAX, e.PolicySet(Policy(registration=True)))
    report = with_more(copy, allowed, (VISITOR, e.PersonRegistered("guest-1", "Guest 1", AT, ("t1", "t2"))))
    assert report.good, report
    assert report.people == 7


BAD: list[tuple[Person, e.Event, str]] = [
    (MAX, e.PersonAdded("ANN", "Ann", (), AT), 'the name "ANN" is already taken'),
    (MAX, e.PersonAdded("cage", "Cage", (), AT), "is not a valid name"),
    (MAX, e.PersonAdded("bob", "Bob", (), LATER), "not the time of the entry"),
    (MAX, e.PersonAdded("bob", "Bob", (Grant("auditor"), Grant("dealer")), AT), "auditor"),
    (DAN, e.PersonAdded("bob", "Bob", (), AT), "only managers"),
    (SERVER, e.PersonAdded("bob", "Bob", (Grant("manager"),), AT), "there was already a manager"),
    (VISITOR, e.PersonRegistered("bob", "Bob", AT), "does not allow it"),
    (MAX, e.RoleGiven("max", "dealer", None), "max gave themselves the role dealer"),
    (DAN, e.RoleGiven("flo", "dealer", None), "only managers"),
    (Person("dan", "manager"), e.RoleGiven("flo", "dealer", None), "without holding that role"),
    (MIA, e.RoleGiven("flo", "dealer", None), "mia's account is closed"),
    (MAX, e.RoleGiven("dan", "player", "t1"), "at the same table"),
    (MAX, e.RoleGiven("ann", "manager", "t1"), "a manager is also a player"),
    (MAX, e.RoleGiven("flo", "floorperson", None), "given twice"),
    (MAX, e.RoleGiven("nobody", "dealer", None), "there is no account"),
    (MAX, e.RoleTaken("max", "manager", None), "their own roles"),
    (MAX, e.RoleTaken("dan", "dealer", None), "did not hold"),
    (MAX, e.PersonDeactivated("max", "bye"), "no manager is left"),
    (DAN, e.PolicySet(Policy(True)), "only managers"),
    (DAN, e.WebhookAdded(Webhook("w2", URL, ("alarms",), AT)), "only managers"),
    (MAX, e.WebhookAdded(Webhook("w1", URL, ("alarms",), AT)), 'there is already a webhook "w1"'),
    (MAX, e.WebhookAdded(Webhook("w2", URL, ("alarms",), LATER)), "not the time of the entry"),
    (MAX, e.WebhookAdded(Webhook("w2", URL, (), AT)), "no topics"),
    (MAX, e.WebhookAdded(Webhook("w2", URL, ("alarms",), AT, paused=True)), "already paused when it was added"),
    (DAN, e.WebhookPaused("w1", URL), "only managers"),
    (MAX, e.WebhookPaused("w1", "https://other.example"), "a different address"),
    (MAX, e.WebhookResumed("w1", URL), "was not paused"),
    (SERVER, e.WebhookRemoved("w1", URL), "only managers"),
    (MAX, e.WebhookRemoved("w1", "https://other.example"), "a different address"),
    (MAX, e.WebhookSecretChanged("w2", URL), "its content is invalid"),
    (MAX, e.AlarmRaised("f2", "fairness", "t1", "dice set 2"), "only the server"),
    (SERVER, e.AlarmRaised("f1", "fairness", "t1", "dice set 1"), "already been raised"),
    (SERVER, e.AlarmEnded("f1", "fairness", "t2"), "there is no alarm"),
    (MAX, e.FactorAdded("max", KEY), "only the server"),
    (SERVER, e.FactorAdded("max", Factor("k1", "passkey", "other")), 'already has the second factor "other"'),
    (SERVER, e.FactorAdded("max", Factor("k2", "passkey", "phone")), 'already has the second factor "phone"'),
    (SERVER, e.FactorRemoved("max", PHONE), "needs a second factor but removed the last one"),
    (SERVER, e.FactorRemoved("max", KEY), "did not have the second factor"),
    (SERVER, e.FactorUsed("max", "passkey", "phone"), "used a second factor that they do not have"),
    (SERVER, e.FactorUsed("ann", "totp", "phone"), "used a second factor that they do not have"),
    (SERVER, e.FactorsLocked("max", 5, AT), "without a failure or a time"),
    (MAX, e.FactorsReset("max", "lost"), "max reset their own second factors"),
    (DAN, e.FactorsReset("flo", "lost"), "only managers"),
    (MIA, e.FactorsReset("flo", "lost"), "mia's account is closed"),
    (MAX, e.FactorsReset("flo", " "), "without a reason"),
    (MAX, e.FactorsReset("ann", "lost"), "had no second factor"),
    (DAN, e.SessionUnlocked("dan", "pin"), "only the server"),
    (SERVER, e.SignedIn("mia", "password", "", ""), "although their account was closed"),
    (MAX, e.SignedIn("ann", "password", "", ""), "only the server"),
    (ANN, e.LimitsSet("ann", NO_LIMITS, ()), "loosened with immediate effect"),
    (
        ANN,
        e.LimitsSet("ann", Limits({"SGD": 101}, 60, {"SGD": 40}), ()),
        "limit SGD was loosened with immediate effect",
    ),
    (
        ANN,
        e.LimitsSet("ann", Limits({"SGD": 100}, 60, {"SGD": 41}), ()),
        "limit stake-SGD was loosened with immediate effect",
    ),
    (ANN, e.LimitsSet("ann", Limits({"SGD": 100}, 60), ()), "limit stake-SGD was loosened with immediate effect"),
    (ANN, e.LimitsSet("ann", SOME, (Pending("SGD", 200, "2026-03-03T11:59:59+00:00"),)), "before a day has passed"),
    (MAX, e.LimitsSet("ann", Limits({"SGD": 1}, 1), ()), "acted for"),
    (ANN, e.LooseningWithdrawn("ann", NO_LIMITS), "not those that applied"),
    (MAX, e.Excluded("eve", "2026-05-31T00:00:00+00:00"), "was shortened"),
    (Person("eve", "player"), e.Excluded("eve", "2026-05-31T00:00:00+00:00"), "was shortened"),
    (MAX, e.Excluded("ann", FOR_EVER), "not excluded"),
    (Person("dan", "floorperson"), e.ApprovalGiven("a1", "dan", "floorperson"), "dan answered their own"),
    (FLO, e.ApprovalGiven("a1", "max", "manager"), "names someone else"),
    (MAX, e.ApprovalGiven("a1", "max", "manager"), "floorperson was needed"),
    (FLO, e.ApprovalGiven("a9", "flo", "floorperson"), "no approval a9"),
    (FLO, e.ApprovalWithdrawn("a1"), "withdrew a request made by dan"),
    (SERVER, e.ApprovalExpired("a1"), "before its time"),
    (SERVER, e.ApprovalUsed("a1", 1), "that nobody had given"),
    (DAN, e.ApprovalAsked("a2", "t2", "{}", "dan", "dealer", ("staff",), "", AT, LATER), "without holding that role"),
    (DAN, e.ApprovalAsked("a2", "t1", "{}", "dan", "dealer", ("staff",), "", AT, FOR_EVER), "ten minutes"),
    (DAN, e.ApprovalAsked("a2", "t1", "{}", "flo", "floorperson", ("staff",), "", AT, LATER), "someone else"),
]


@pytest.mark.parametrize(("person", "event", "why"), BAD, ids=lambda one: type(one).__name__)
def test_what_must_not_follow_is_found(copy: Path, person: Person, event: e.Event, why: str) -> None:
    count = audit(copy).events
    report = with_more(copy, (person, event))
    assert report.first is not None
    assert (report.first.table, report.first.sequence) == (HOUSE, count + 1)
    assert why in report.first.why, report.first


def test_an_approval_that_comes_too_late_is_found(copy: Path) -> None:
    late = with_more(copy, (FLO, e.ApprovalGiven("a1", "flo", "floorperson")), at="2026-03-02T12:20:00.000000+00:00")
    assert "after it had expired" in str(late)


def test_an_approval_is_used_once(copy: Path) -> None:
    given, used = (FLO, e.ApprovalGiven("a1", "flo", "floorperson")), (SERVER, e.ApprovalUsed("a1", 1))
    assert "no approval a1 is pending" in str(with_more(copy, given, used, used))


def test_the_house_moves_no_money(copy: Path) -> None:
    moved = Transfer("a gift", (Leg(Account("cage:SGD"), -5), Leg(Account("player:ann:SGD"), 5)))
    assert "must not move money" in str(with_more(copy, (MAX, e.PersonReactivated("mia")), transfers=(moved,)))


def test_events_that_nobody_knows_and_bodies_that_say_otherwise_are_found(copy: Path) -> None:
    assert "which is not a known event" in str(
        with_more(copy, (MAX, e.PersonReactivated("mia")), body=b'{"type":"Crowned"}')
    )


def test_a_body_that_lacks_what_it_must_say_is_found(copy: Path) -> None:
    text = with_more(copy, (MAX, e.PersonReactivated("mia")), body=b'{"type":"PersonReactivated"}')
    assert "its content is invalid" in str(text)


def test_no_book_applies_to_the_house(copy: Path) -> None:
    assert "no book applies" in str(with_more(copy, (MAX, e.PersonReactivated("mia")), book="abc"))


def with_other_snapshot(path: Path, old: bytes, new: bytes) -> Report:
    """Return the audit after the last snapshot was changed and rehashed."""
    with closing(SqliteStore(path, read_only=True)) as store:
        last = store.snapshot(HOUSE)
        assert last is not None
        head = store.heads()[HOUSE]
    content = last.content.replace(old, new)
    assert content != last.content
    false = snapshots.take(HOUSE, head, content)
    with closing(apsw.Connection(str(path))) as connection:
        for (name,) in list(connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")):
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(
            "UPDATE snapshots SET content = ?, hash = ? WHERE table_name = ? AND sequence = ?",
            (false.content, false.hash, HOUSE, last.sequence),
        )
    return audit(path)


def test_a_snapshot_that_makes_someone_a_manager_is_found(copy: Path) -> None:
    report = with_other_snapshot(copy, b'"role":"player"', b'"role":"manager"')
    assert "the snapshot and the replay have different accounts" in str(report)


def test_a_snapshot_without_limits_is_found(copy: Path) -> None:
    report = with_other_snapshot(copy, b'"limits":{', b'"bounds":{')
    assert "the snapshot has invalid accounts" in str(report)


def test_a_snapshot_from_before_stake_limits_is_accepted(copy: Path) -> None:
    report = with_other_snapshot(copy, b',"stake_at_once":{}', b"")
    assert "snapshot" not in str(report.first)
    report = with_other_snapshot(copy, b'"stake_at_once":{"SGD":40}', b'"stake_at_once":{"SGD":41}')
    assert "the snapshot and the replay have different accounts" in str(report)
