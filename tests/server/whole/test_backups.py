"""Scheduled backups: one file a day that grows, kept for some days, restored and checked by command."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pitbook.auth.store import AuthStore
from pitbook.auth.stores import open_auth_store
from pitbook.cli import main
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.journal.port import Head
from pitbook.journal.sqlite import SqliteStore
from pitbook.server.backoffice.backups import LEASE, Backups
from pitbook.testing import JournalTable
from tests import loopback
from tests.server.conftest import ServerProcess
from tests.waiting import until

HASH = "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g"
HOUR = 3_600.0


class Place:
    """A house with a table, a folder for its backups, and a clock moved by hand."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder / "backups"
        self.folder.mkdir()
        self.store = open_store(url)
        self.auth: AuthStore = open_auth_store(url)
        self.house = House(self.store)
        self.table = JournalTable(self.house, "massachusetts-sic-bo", "one")
        self.time = datetime(2026, 3, 1, 12, tzinfo=UTC)
        self.backups = self.schedule()

    def schedule(self) -> Backups:
        return Backups(self.store, self.auth, self.folder, seconds=HOUR, keep=2, now=lambda: self.time)

    def pass_time(self, hours: float) -> None:
        self.time += timedelta(hours=hours)

    def names(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())

    def close(self) -> None:
        self.house.close()
        self.auth.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else str(tmp_path / "house.db")
    made = Place(tmp_path, url)
    yield made
    made.close()


def heads_of(path: Path) -> dict[str, Head]:
    with closing(SqliteStore(path, read_only=True)) as store:
        return store.heads()


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def test_a_file_a_day_grows_and_the_oldest_is_removed(place: Place) -> None:
    place.auth.set_password("ann", HASH, "2026-01-01T00:00:00.000000+00:00")
    for _day in range(3):
        assert place.backups.run_once()
        place.table.play_round(1, 2, 3)
        place.pass_time(1)
        assert place.backups.run_once()
        place.pass_time(23)
    days = ["pitbook-2026-03-02.db", "pitbook-2026-03-03.db"]
    assert place.names() == sorted([*days, *(f"{day}-access" for day in days)])
    assert heads_of(place.folder / days[1]) == place.store.heads()
    assert len(place.store.heads()) == len(heads_of(place.folder / days[0]))
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in place.folder.iterdir())
    with closing(open_auth_store(str(place.folder / days[1]))) as access:
        assert access.password_of("ann") == HASH


def test_one_process_at_a_time_and_not_again_at_once(place: Place) -> None:
    other = place.schedule()
    lease = place.auth.leases.acquire(LEASE, "another process", 60)
    assert lease is not None
    assert not place.backups.run_once()
    assert place.names() == []
    place.auth.leases.release(lease)
    assert place.backups.run_once()
    assert not other.run_once()
    place.pass_time(1)
    assert other.run_once()


def test_a_backup_that_is_damaged_or_longer_is_kept_aside(place: Place) -> None:
    place.backups.run_once()
    file = place.folder / "pitbook-2026-03-01.db"
    file.write_bytes(b"not a database" * 100)
    place.pass_time(1)
    assert place.backups.run_once()
    assert heads_of(file) == place.store.heads()
    assert (place.folder / "pitbook-2026-03-01-until-130000.db.kept").read_bytes().startswith(b"not a database")
    assert len(place.backups.alarms) == 1
    assert "pitbook-2026-03-01-until-130000.db.kept" in str(place.backups.alarms[0])


def test_a_failure_is_an_alarm_until_it_works_again(place: Place) -> None:
    away = place.folder.with_name("away")
    place.folder.rename(away)
    assert not place.backups.run_once()
    says = f"the backup failed: there is no folder {place.folder} for the backup pitbook-2026-03-01.db"
    assert [str(one) for one in place.backups.alarms] == [says]
    away.rename(place.folder)
    assert place.backups.run_once()
    assert place.backups.alarms == []


def test_a_backup_is_restored_with_what_people_sign_in_with(place: Place, tmp_path: Path) -> None:
    place.auth.set_password("ann", HASH, "2026-01-01T00:00:00.000000+00:00")
    place.table.play_round(1, 2, 3)
    place.backups.run_once()
    restored = tmp_path / "restored.db"
    assert run("restore", str(place.folder / "pitbook-2026-03-01.db"), str(restored)) == 0
    assert heads_of(restored) == place.store.heads()
    assert stat.S_IMODE(restored.stat().st_mode) == 0o600, "as private as the journal that a server creates"
    with closing(open_auth_store(str(restored))) as access:
        assert access.password_of("ann") == HASH
    with House(SqliteStore(restored)) as house:
        assert house.table("one") == place.house.table("one")


def test_a_rehearsal_says_what_is_wrong_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place(tmp_path, str(tmp_path / "house.db"))
    place.table.play_round(1, 2, 3)
    place.backups.run_once()
    place.close()
    file = place.folder / "pitbook-2026-03-01.db"
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    assert run("restore", str(file), "--check", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["findings"] == []
    assert {one["table"] for one in found["tables"]} == set(heads_of(file))
    assert list(temporary.iterdir()) == []

    assert run("restore", str(file)) == 2
    assert "either name the new journal or rehearse with --check" in capsys.readouterr().err
    assert run("restore", str(file), str(tmp_path / "house.db")) == 2
    assert "the target already has entries" in capsys.readouterr().err
    assert run("restore", str(tmp_path / "nothing.db"), "--check") == 2
    assert "there is no journal" in capsys.readouterr().err


def test_damaged_passwords_beside_a_backup_leave_the_target_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = Place(tmp_path, str(tmp_path / "house.db"))
    place.table.play_round(1, 2, 3)
    place.backups.run_once()
    place.close()
    file = place.folder / "pitbook-2026-03-01.db"
    file.with_name(file.name + "-access").write_bytes(b"no database at all " * 400)
    restored = tmp_path / "restored.db"
    assert run("restore", str(file), str(restored)) == 2
    assert "-access could not be copied" in capsys.readouterr().err
    assert not restored.exists()


def test_a_server_backs_up_as_set_and_reports_it(
    tmp_path: Path, start_server: Callable[..., ServerProcess], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "backups"
    missing = start_server("--db", str(tmp_path / "house.db"), PITBOOK_BACKUPS=str(folder))
    code, log = missing.ended()
    assert code == 2
    assert f"there is no folder {folder}" in log
    folder.mkdir()
    server = start_server("--db", str(tmp_path / "house.db"), demo=True, PITBOOK_BACKUPS=str(folder))
    with loopback.client(server.address()) as client:
        until(lambda: any(path.name.endswith(".db-access") for path in folder.iterdir()))
        written = "pitbook_backup_seconds "
        metrics = next(line for line in client.get("/metrics").text.splitlines() if line.startswith(written))
        assert float(metrics.removeprefix(written)) > 0
    assert server.stop() == 0
    [file] = folder.glob("*.db")
    assert run("restore", str(file), "--check", "--json") == 0
    assert json.loads(capsys.readouterr().out)["disabled"] == {}
