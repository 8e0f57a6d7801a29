"""People on a real journal: restarts, snapshots, floods, keys; read back as sentences and proved by the audit."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from pitbook.audit import audit
from pitbook.cli import main
from pitbook.errors import InputError
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.journal.entries import HOUSE, Entry
from pitbook.journal.group_commit import KEY_REUSED
from pitbook.journal.runner import Settings
from pitbook.people import commands as c
from pitbook.people.limits import limits_at, play_problem
from pitbook.people.refusals import Reason
from pitbook.people.state import People
from pitbook.people.values import Grant, Limits, Policy
from pitbook.table import commands as t
from pitbook.table.people import Person
from tests.people.people_in_memory import ANN, DAN, FLO, MAX, SERVER
from tests.waiting import HANG

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Place:
    """A journal whose house is closed and opened again; its clock continues by a second with every command."""

    def __init__(self, where: str, *, snapshot_every: int = 1_000) -> None:
        self.where = where
        self.settings = Settings(snapshot_every=snapshot_every, refusal_window_seconds=100)
        self.now = START
        self.house = self._open()

    def _open(self) -> House:
        return House(open_store(self.where), self.settings, clock=self._clock)

    def _clock(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def restart(self) -> People:
        self.house.close()
        self.house = self._open()
        return self.house.people

    def does(self, person: Person, command: c.Command) -> tuple[str, ...]:
        answer = self.house.manage(person, command)
        assert answer.refused is None, answer
        return answer.events

    def entries(self) -> list[Entry]:
        with closing(open_store(self.where, read_only=True)) as store:
            return list(store.entries(HOUSE))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(str(tmp_path / "house.db"))
    yield place
    place.house.close()


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def live(place: Place) -> None:
    """Run a sample of all commands."""
    does = place.does
    does(SERVER, c.RecordServerStart("p1", "1.0", True))
    does(SERVER, c.AddPerson("max", "Max", (Grant("manager"),)))
    does(MAX, c.AddPerson("mia", "Mia", (Grant("manager"),)))
    does(MAX, c.AddPerson("dan", "Dan", (Grant("dealer", "t1"),)))
    does(MAX, c.AddPerson("flo", "Flo"))
    does(MAX, c.GiveRole("flo", "pit-supervisor"))
    does(MAX, c.GiveRole("flo", "floorperson"))
    does(MAX, c.TakeRole("flo", "pit-supervisor"))
    does(MAX, c.SetPolicy(Policy(registration=True)))
    does(Person("ann", "visitor"), c.Register("ann", "Ann"))
    does(SERVER, c.RecordPasswordSet("ann", "ann"))
    does(SERVER, c.RecordSignIn("ann", "password", "203.0.113.9", "Firefox"))
    does(ANN, c.ChooseLanguage("zh-Hant"))
    does(ANN, c.SetLimits({"SGD": 100}, 60))
    does(ANN, c.SetLimits({"SGD": 200}, 30))
    does(SERVER, c.RecordToken("ann", "tk1", "robot", ("bets",), "made"))
    does(SERVER, c.RecordToken("ann", "tk1", "robot", (), "revoked"))
    for number, answer in (("a1", c.GiveApproval("a1")), ("a2", c.RefuseApproval("a2", "no"))):
        does(DAN, c.AskApproval(number, "t1", '{"type":"Fill"}', "dealer", ("staff",), "chips"))
        does(FLO, answer)
    does(SERVER, c.UseApproval("a1", 4))
    does(DAN, c.AskApproval("a3", "t1", "{}", "dealer", ("floorperson",)))
    does(DAN, c.WithdrawApproval("a3"))
    does(DAN, c.AskApproval("a4", "t1", "{}", "dealer", ("floorperson",)))
    place.now += timedelta(minutes=10)
    does(DAN, c.AskApproval("a5", "t1", "{}", "dealer", ("floorperson",)))
    does(MAX, c.Deactivate("mia", "has left"))
    does(MAX, c.Reactivate("mia"))
    place.now += timedelta(hours=1)
    does(ANN, c.KeepLimits())
    does(ANN, c.Exclude("2026-04-01T00:00:00Z"))
    does(MAX, c.Exclude("2026-05-01T00:00:00Z", "ann"))
    does(SERVER, c.RecordSignOut("ann"))
    does(SERVER, c.RecordSessionEnd("dan", "idle for too long"))
    assert place.house.manage(MAX, c.GiveRole("max", "dealer")).refused == Reason.OWN_ACT
    assert place.house.manage(SERVER, c.RecordDenied("dan", "dealer", "t1", "open", "no")).refused == Reason.DENIED
    does(SERVER, c.RecordServerStop("p1"))


@pytest.mark.parametrize("snapshot_every", [1, 7, 1_000])
def test_after_a_restart_everyone_is_still_signed_in(tmp_path: Path, snapshot_every: int) -> None:
    place = Place(str(tmp_path / "house.db"), snapshot_every=snapshot_every)
    live(place)
    before = place.house.people
    assert place.restart() == before
    ann = before.find("Ann")
    assert ann is not None
    assert limits_at(ann, "2026-06-01T00:00:00+00:00") == Limits({"SGD": 100}, 30)
    assert play_problem(ann, "2026-04-15T00:00:00+00:00") is not None
    assert set(before.approvals) == {"a5"}
    place.house.close()
    report = audit(place.where)
    assert report.good, report
    assert report.people == 5
    assert bool(report.snapshots) == (snapshot_every < 1_000)


def test_the_house_on_postgresql_has_people_too(postgres_url: str) -> None:
    place = Place(postgres_url, snapshot_every=5)
    live(place)
    before = place.house.people
    assert place.restart() == before
    place.house.close()
    assert audit(postgres_url).good


def test_two_processes_on_one_journal_see_the_same_people(postgres_url: str) -> None:
    place, other = Place(postgres_url), Place(postgres_url)
    live(place)
    other.now = place.now
    place.does(MAX, c.AddPerson("bob", "Bob"))
    assert other.house.people.find("bob") is not None
    assert other.house.manage(MAX, c.AddPerson("BOB", "Bob")).refused == Reason.NAME_TAKEN
    place.house.close()
    other.house.close()


def test_the_same_key_does_it_once(place: Place) -> None:
    live(place)
    first = place.house.manage(MAX, c.AddPerson("bob", "Bob"), key="k1")
    again = place.house.manage(MAX, c.AddPerson("bob", "Bob"), key="k1")
    assert (first.events, again.events, again.repeated) == (("PersonAdded",), ("PersonAdded",), True)
    assert place.house.manage(MAX, c.AddPerson("eve", "Eve"), key="k1").refused == KEY_REUSED
    future = place.house.submit_people(MAX, c.AddPerson("eve", "Eve"))
    assert future.result(HANG).refused is None


def test_roles_are_those_of_the_packaged_books(place: Place) -> None:
    live(place)
    assert {"dealer", "box-person", "pit-supervisor", "above-floorperson"} <= place.house.roles()
    refused = place.house.manage(MAX, c.GiveRole("flo", "croupier"))
    assert refused.refused == Reason.UNKNOWN_ROLE
    assert "croupier" in refused.says


def test_the_house_is_not_a_table(place: Place) -> None:
    with pytest.raises(InputError, match="own record"):
        place.house.ask(HOUSE, MAX, t.CloseTable())
    with pytest.raises(InputError, match="own record"):
        place.house.submit(HOUSE, MAX, t.CloseTable())
    with pytest.raises(InputError, match="own record"):
        place.house.table(HOUSE)
    live(place)
    assert place.house.tables() == []


def test_a_refusal_at_a_table_that_was_never_opened_changes_nobody(place: Place) -> None:
    live(place)
    before = place.house.people
    assert place.house.ask("t9", DAN, t.TakeOver()).refused == "table-not-open"
    assert place.restart() == before
    assert [entry.kind for entry in place.entries()][-1] == "refused"
    assert audit(place.where).good


def test_a_flood_of_failed_sign_ins_is_counted(place: Place) -> None:
    """A name that someone has is counted on its own; all other names together."""
    live(place)
    count = len(place.entries())
    for number in range(400):
        failed = place.house.manage(SERVER, c.RecordSignInFailure(f"guess{number}", "203.0.113.9", "no such person"))
        assert failed.refused == Reason.SIGN_IN_FAILED
        place.house.manage(SERVER, c.RecordSignInFailure("MAX", "203.0.113.9", "wrong password"))
        place.house.manage(Person(f"bot{number}", "visitor"), c.Register("max", "Max"))
        place.house.manage(SERVER, c.RecordDenied("ann", "player", "t1", "open the table", "no"))
    place.restart()
    added = place.entries()[count:]
    alone = [entry for entry in added if entry.kind == "refused"]
    counted = [msgspec.json.decode(entry.body) for entry in added if entry.kind == "refusals-counted"]
    assert len(added) < 200
    assert len(alone) + sum(one["count"] for one in counted) == 1_600
    assert {(entry.actor, entry.role) for entry in alone} == {
        *(("visitor", "visitor"), ("max", "visitor"), ("ann", "player")),
    }
    answer = msgspec.json.decode(alone[0].answer or b"")
    assert answer["details"] == {"name": "guess0", "address": "203.0.113.9", "why": "no such person"}
    assert audit(place.where).good


def test_replay_prints_the_houses_record(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    live(place)
    place.house.manage(SERVER, c.RecordSignInFailure("bob", "203.0.113.9", "no such person"))
    place.house.ask("t9", DAN, t.TakeOver())
    place.house.close()
    assert run("replay", place.where, HOUSE) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "House record, 2026-03-01"
    output = "\n".join(lines)
    assert "Server added max (“Max”) as manager" in output
    assert "Visitor registered as the player ann (“Ann”)" in output
    assert (
        "max (manager) was refused when trying to give max the role of dealer: You can't change your own roles."
        in output
    )
    assert "Visitor was refused when trying to sign in as “bob” from 203.0.113.9: no such person" in output
    assert "At t9: dan (dealer) was refused when trying to take over the table: The table is not open." in output
    assert run("replay", place.where, HOUSE, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["entries"]) == len(place.entries())
    assert all(entry["says"] for entry in data["entries"])
    assert run("replay", place.where, HOUSE, "--round", "1") == 2
    assert "no rounds" in capsys.readouterr().err


def test_export_has_the_houses_sentences(place: Place, tmp_path: Path) -> None:
    live(place)
    place.house.close()
    assert run("export", place.where, "--csv", str(tmp_path / "out")) == 0
    with (tmp_path / "out" / "entries.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[1]["says"] == "Server added max (“Max”) as manager"
    assert all(row["says"] for row in rows)


def test_no_secret_can_be_named_in_a_command_or_is_in_the_record() -> None:
    """Nothing that a command carries is a password, a token or a session's key."""
    fields = {name for command in c.COMMANDS for name in command.__struct_fields__}
    assert not fields & {"password", "secret", "hash", "cookie", "session"}
