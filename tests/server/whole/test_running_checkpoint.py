"""The running checkpoint: what a damaged log or an older copy has lost is noticed by the next start and the audit."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pitbook.cli import main
from tests import loopback
from tests.server.conftest import Serving
from tests.server.whole.test_editions import Office
from tests.waiting import until

TABLE = "massachusetts"
DAYS = 12
"""Commands that are acknowledged before the damage, each an entry of the table."""


class Cellar:
    """A house whose file someone damages: one journal and one key over several starts."""

    def __init__(self, folder: Path, start: Callable[..., Serving]) -> None:
        self.folder = folder
        self.journal = folder / "house.db"
        self.checkpoint = folder / "house.db-checkpoint"
        self.log = folder / "house.db-wal"
        self._start = start

    def start(self, *arguments: str) -> Serving:
        return self._start("--db", str(self.journal), *arguments, demo=True, XDG_CONFIG_HOME=str(self.folder))

    @contextmanager
    def office(self, *arguments: str) -> Iterator[Office]:
        serving = self.start(*arguments)
        with loopback.client(serving.address()) as client:
            yield Office(client)
        assert serving.stop() == 0

    def signed(self) -> dict[str, int]:
        return {one["table"]: one["count"] for one in json.loads(self.checkpoint.read_bytes())["tables"]}

    def killed(self) -> int:
        """Play, wait until all of it is signed, and die: the table's length."""
        serving = self.start()
        with loopback.client(serving.address()) as client:
            office, length = Office(client), 0
            for day in range(DAYS):
                answer = office.asks(TABLE, type="StartDay", day=f"day {day}")
                assert answer.status_code == 200, answer.text
                length = answer.json()["sequence"]
        until(lambda: self.signed()[TABLE] == length)
        serving.close()
        return length

    def flip(self, part: float) -> None:
        """Turn one bit in the log, so far behind its beginning."""
        content = bytearray(self.log.read_bytes())
        content[32 + 24 + int((len(content) - 200) * part)] ^= 1
        self.log.write_bytes(content)


@pytest.fixture
def cellar(tmp_path: Path, start_server: Callable[..., Serving], monkeypatch: pytest.MonkeyPatch) -> Cellar:
    """A demo house that was stopped in order once, so that its file is whole."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    made = Cellar(tmp_path, start_server)
    with made.office():
        pass
    return made


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Any, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    told = capsys.readouterr()
    return ended.value.code, told.out + told.err


def test_a_log_that_is_damaged_at_its_beginning_stops_the_house(
    cellar: Cellar, capsys: pytest.CaptureFixture[str]
) -> None:
    length = cellar.killed()
    cellar.flip(0)
    code, said = ran(capsys, "audit", str(cellar.journal))
    assert code == 1
    assert "entries were signed in the checkpoint" in said
    assert f"{DAYS} are missing from entry {length - DAYS + 1} on" in said
    code, said = cellar.start().ended()
    assert code == 2
    assert f"{TABLE} lacks entries {length - DAYS + 1} to {length} ({DAYS} in all)" in said
    assert "house lacks" in said
    assert "pitbook accept-loss" in said
    assert cellar.signed()[TABLE] == length  # what was signed is not forgotten
    accept = ("accept-loss", str(cellar.journal), "--reason", "the disk was damaged", "--by")
    assert ran(capsys, *accept, "demo-ann")[0] == 2
    assert ran(capsys, *accept, "demo-manager")[0] == 0
    with cellar.office() as office:
        assert office.get("/ready")["disabled"] == {}
        assert office.alarms() == {}
    assert ran(capsys, "audit", str(cellar.journal))[0] == 0
    assert "accepted the loss of signed entries" in ran(capsys, "replay", str(cellar.journal), "house")[1]


def test_a_table_that_has_lost_entries_is_disabled_alone(cellar: Cellar, capsys: pytest.CaptureFixture[str]) -> None:
    length = cellar.killed()
    cellar.flip(0.9)  # the house's own entries are before it
    with cellar.office() as office:
        disabled = office.get("/ready")["disabled"]
        assert list(disabled) == [TABLE]
        assert f"to {length} (" in disabled[TABLE]
        assert f"pitbook accept-loss {cellar.journal}" in disabled[TABLE]
        assert office.get("/api/v1/floor")["disabled"][0]["cause"] == "lost"
        assert office.alarms()[TABLE] == disabled[TABLE]
        assert office.asks(TABLE, type="StartDay", day="again").status_code == 503
        assert office.asks("maryland", type="StartDay", day="again").status_code == 200
    assert cellar.signed()[TABLE] == length
    assert ran(capsys, "audit", str(cellar.journal))[0] == 1
    accept = ("accept-loss", str(cellar.journal), "--reason", "the disk was damaged", "--by", "demo-manager")
    assert f"{TABLE} lacks" in ran(capsys, *accept)[1]
    with cellar.office() as office:
        assert office.asks(TABLE, type="StartDay", day="again").status_code == 200
    assert ran(capsys, "audit", str(cellar.journal))[0] == 0


def test_an_older_copy_of_the_journal_is_noticed_without_any_crash(
    cellar: Cellar, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = cellar.folder / "older.db"
    shutil.copy(cellar.journal, copy)
    with cellar.office() as office:
        assert office.asks(TABLE, type="StartDay", day="lost").status_code == 200
    shutil.copy(copy, cellar.journal)
    code, said = cellar.start().ended()
    assert code == 2
    assert f"{TABLE} lacks entry" in said
    assert ran(capsys, "audit", str(cellar.journal))[0] == 1


def test_a_running_checkpoint_that_is_missing_or_not_ours_is_an_alarm(cellar: Cellar) -> None:
    second = cellar.folder / "elsewhere"
    second.mkdir()
    assert cellar.checkpoint.stat().st_mode & 0o777 == 0o600
    cellar.checkpoint.unlink()
    with cellar.office() as office:
        says = office.alarms()[None]
        assert "there is no running checkpoint" in says
    signed = json.loads(cellar.checkpoint.read_bytes())
    cellar.checkpoint.write_text(json.dumps({**signed, "at": "2020-01-01T00:00:00+00:00"}), encoding="utf-8")
    with cellar.office() as office:
        assert "signature is wrong" in office.alarms()[None]
    assert cellar.checkpoint.with_name("house.db-checkpoint.rejected").exists()
    with cellar.office() as office:
        assert office.alarms() == {}


def test_a_copy_is_kept_in_a_second_place_and_compared_too(
    cellar: Cellar, tmp_path: Path, start_server: Callable[..., Serving]
) -> None:
    second = tmp_path / "elsewhere"
    second.mkdir()
    again = {"XDG_CONFIG_HOME": str(tmp_path), "PITBOOK_CHECKPOINT_COPY": str(second)}
    serving = start_server("--db", str(cellar.journal), demo=True, **again)
    serving.address()
    assert serving.stop() == 0
    copy = second / "house.db-checkpoint"
    assert copy.read_bytes() == cellar.checkpoint.read_bytes()
    cellar.checkpoint.unlink()
    cellar.journal.unlink()
    code, said = start_server("--db", str(cellar.journal), demo=True, **again).ended()
    assert code == 2
    assert "is empty, but entries of" in said
