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
from tests.server.conftest import ServerProcess
from tests.server.whole.test_editions import Office
from tests.waiting import until

TABLE = "massachusetts"
DAYS = 12
"""Commands that are acknowledged before the damage, each an entry of the table."""


class ServedJournal:
    """A house whose file someone damages: one journal and one key over several starts."""

    def __init__(self, folder: Path, start: Callable[..., ServerProcess]) -> None:
        self.folder = folder
        self.journal = folder / "house.db"
        self.checkpoint = folder / "house.db-checkpoint"
        self.log = folder / "house.db-wal"
        self._start = start

    def start(self, *arguments: str) -> ServerProcess:
        return self._start("--db", str(self.journal), *arguments, demo=True, XDG_CONFIG_HOME=str(self.folder))

    @contextmanager
    def office(self, *arguments: str) -> Iterator[Office]:
        server = self.start(*arguments)
        with loopback.client(server.address()) as client:
            yield Office(client)
        assert server.stop() == 0

    def signed(self) -> dict[str, int]:
        return {one["table"]: one["count"] for one in json.loads(self.checkpoint.read_bytes())["tables"]}

    def killed(self) -> int:
        """Play, wait until all of it is signed, and die: the table's length."""
        server = self.start()
        with loopback.client(server.address()) as client:
            office, length = Office(client), 0
            for day in range(DAYS):
                answer = office.command(TABLE, type="StartDay", day=f"day {day}")
                assert answer.status_code == 200, answer.text
                length = answer.json()["sequence"]
        until(lambda: self.signed()[TABLE] == length)
        server.close()
        return length

    def flip(self, part: float) -> None:
        """Turn one bit in the log, so far behind its beginning."""
        content = bytearray(self.log.read_bytes())
        content[32 + 24 + int((len(content) - 200) * part)] ^= 1
        self.log.write_bytes(content)


@pytest.fixture
def served(
    tmp_path: Path, start_server: Callable[..., ServerProcess], monkeypatch: pytest.MonkeyPatch
) -> ServedJournal:
    """A demo house that was stopped in order once, so that its file is whole."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    made = ServedJournal(tmp_path, start_server)
    with made.office():
        pass
    return made


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Any, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    output = capsys.readouterr()
    return ended.value.code, output.out + output.err


@pytest.mark.thorough
def test_a_log_that_is_damaged_at_its_beginning_stops_the_house(
    served: ServedJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    length = served.killed()
    served.flip(0)
    code, output = ran(capsys, "audit", str(served.journal))
    assert code == 1
    missing = f"those from entry {length - DAYS + 1} on are missing ({DAYS} in all)"
    assert f"the checkpoint covers {length}, and {missing}" in output
    code, output = served.start().ended()
    assert code == 2
    assert f"{TABLE} lacks entries {length - DAYS + 1} to {length} ({DAYS} in all)" in output
    assert "house lacks" in output
    assert "pitbook accept-loss" in output
    assert served.signed()[TABLE] == length  # what was signed is not forgotten
    accept = ("accept-loss", str(served.journal), "--reason", "the disk was damaged", "--by")
    assert ran(capsys, *accept, "demo-ann")[0] == 2
    assert ran(capsys, *accept, "demo-manager")[0] == 0
    with served.office() as office:
        assert office.get("/ready")["disabled"] == {}
        assert office.alarms() == {}
    assert ran(capsys, "audit", str(served.journal))[0] == 0
    assert "accepted the loss of signed entries" in ran(capsys, "replay", str(served.journal), "house")[1]


@pytest.mark.thorough
def test_a_table_that_has_lost_entries_is_disabled_alone(
    served: ServedJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    length = served.killed()
    served.flip(0.9)  # the house's own entries are before it
    with served.office() as office:
        disabled = office.get("/ready")["disabled"]
        assert list(disabled) == [TABLE]
        assert f"to {length} (" in disabled[TABLE]
        assert f"pitbook accept-loss {served.journal}" in disabled[TABLE]
        assert office.get("/api/v1/floor")["disabled"][0]["cause"] == "lost"
        assert office.alarms()[TABLE] == disabled[TABLE]
        assert office.command(TABLE, type="StartDay", day="again").status_code == 503
        assert office.command("maryland", type="StartDay", day="again").status_code == 200
    assert served.signed()[TABLE] == length
    assert ran(capsys, "audit", str(served.journal))[0] == 1
    accept = ("accept-loss", str(served.journal), "--reason", "the disk was damaged", "--by", "demo-manager")
    assert f"{TABLE} lacks" in ran(capsys, *accept)[1]
    with served.office() as office:
        assert office.command(TABLE, type="StartDay", day="again").status_code == 200
    assert ran(capsys, "audit", str(served.journal))[0] == 0


def test_an_older_copy_of_the_journal_is_noticed_without_any_crash(
    served: ServedJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = served.folder / "older.db"
    shutil.copy(served.journal, copy)
    with served.office() as office:
        assert office.command(TABLE, type="StartDay", day="lost").status_code == 200
    shutil.copy(copy, served.journal)
    code, output = served.start().ended()
    assert code == 2
    assert f"{TABLE} lacks entry" in output
    assert ran(capsys, "audit", str(served.journal))[0] == 1


def test_a_running_checkpoint_that_is_missing_or_not_ours_is_an_alarm(served: ServedJournal) -> None:
    second = served.folder / "elsewhere"
    second.mkdir()
    assert served.checkpoint.stat().st_mode & 0o777 == 0o600
    served.checkpoint.unlink()
    with served.office() as office:
        says = office.alarms()[None]
        assert "there is no running checkpoint" in says
    signed = json.loads(served.checkpoint.read_bytes())
    served.checkpoint.write_text(json.dumps({**signed, "at": "2020-01-01T00:00:00+00:00"}), encoding="utf-8")
    with served.office() as office:
        assert "signature is invalid" in office.alarms()[None]
    assert served.checkpoint.with_name("house.db-checkpoint.rejected").exists()
    with served.office() as office:
        assert office.alarms() == {}


def test_a_copy_is_kept_in_a_second_place_and_compared_too(
    served: ServedJournal, tmp_path: Path, start_server: Callable[..., ServerProcess]
) -> None:
    second = tmp_path / "elsewhere"
    second.mkdir()
    again = {"XDG_CONFIG_HOME": str(tmp_path), "PITBOOK_CHECKPOINT_COPY": str(second)}
    server = start_server("--db", str(served.journal), demo=True, **again)
    server.address()
    assert server.stop() == 0
    copy = second / "house.db-checkpoint"
    assert copy.read_bytes() == served.checkpoint.read_bytes()
    served.checkpoint.unlink()
    served.journal.unlink()
    code, output = start_server("--db", str(served.journal), demo=True, **again).ended()
    assert code == 2
    assert "is empty, but entries of" in output
